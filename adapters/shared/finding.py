"""What an examination finds: a verdict and a sentence for the host, who may not be a programmer."""

from __future__ import annotations

import errno
from typing import Literal, NamedTuple

from adapters.shared.listener import listener, why_not
from engines.game import Arg, Text

Verdict = Literal["ok", "warning", "problem"]

_AGREES = 2.0
"""Seconds by which a clock may differ; the time that a server tells is whole seconds."""
_DIFFERS = 5.0
"""Seconds from which on a difference is a problem: other processes may take this one for dead."""


class Finding(NamedTuple):
    """One thing that was examined."""

    verdict: Verdict
    text: Text
    """What was found and, unless all is well, what to do about it. It names no secret."""


def ok(message: Text) -> Finding:
    return Finding("ok", message)


def warning(message: Text) -> Finding:
    return Finding("warning", message)


def problem(message: Text) -> Finding:
    return Finding("problem", message)


def clock_finding(ahead: float, other: Arg) -> Finding:
    """Judges the seconds by which this machine's clock is ahead of another."""
    if abs(ahead) <= _AGREES:
        return ok(Text("The clock here agrees with that of {other}.", other=other))
    verdict: Verdict = "warning" if abs(ahead) < _DIFFERS else "problem"
    seconds = f"{ahead:+.0f} s"
    return Finding(
        verdict,
        Text(
            "The clock here differs from that of {other} by {seconds}. Set it by a time server (NTP).",
            other=other,
            seconds=seconds,
        ),
    )


def port_finding(host: str, port: int) -> Finding:
    """Judges whether the bot can listen at an address of this machine."""
    where = f"{host}:{port}"
    try:
        listener(host, port).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return warning(
                Text("A program listens at {where} already. That's fine if it is the bot.", where=where)
            )
        return problem(
            Text(
                "Nothing can listen at {where} ({reason}). Choose another port or address.",
                where=where,
                reason=why_not(error),
            )
        )
    return ok(Text("The bot can listen at {where}.", where=where))


def unreachable(platform: str, reason: str) -> Finding:
    return problem(
        Text(
            "{platform} can't be reached ({reason}). Check the network, and the proxy if there is one.",
            platform=platform,
            reason=reason,
        )
    )


def token_accepted(platform: str, name: str) -> Finding:
    return ok(Text("{platform} accepts the token; the bot is called {name}.", platform=platform, name=name))


def token_refused(platform: str, setting: str) -> Finding:
    return problem(
        Text(
            "{platform} doesn't accept {setting}. Make a new token, and set it.",
            platform=platform,
            setting=setting,
        )
    )


def place_unknown(place: str) -> Finding:
    return problem(Text("The bot can't see {place}. Check the id, and add the bot there first.", place=place))


def permission_finding(permission: Text, place: str, *, given: bool) -> Finding:
    """Judges whether the bot has a permission in a place."""
    if given:
        return ok(Text("{place}: “{permission}” is allowed.", place=place, permission=permission))
    return problem(
        Text(
            "{place}: “{permission}” isn't allowed. Allow it to the bot there.",
            place=place,
            permission=permission,
        )
    )
