"""The findings of an examination: each has a severity and a sentence for the host."""

from __future__ import annotations

import errno
from typing import Literal, NamedTuple

from adapters.shared.network.listener import listener, why_not
from engines.game import Arg, Text

Severity = Literal["ok", "warning", "problem"]

_AGREEING_SECONDS = 2.0
"""The most seconds by which clocks that agree may differ; a web server tells only whole seconds."""
_HARMFUL_SECONDS = 5.0
"""Seconds of difference that are a problem: the process behind may be taken for dead by the other."""


class Finding(NamedTuple):
    """The result of one check of an examination."""

    severity: Severity
    text: Text
    """States the result and, if the host must do something, what. Contains no secret."""


def ok(message: Text) -> Finding:
    return Finding("ok", message)


def warning(message: Text) -> Finding:
    return Finding("warning", message)


def problem(message: Text) -> Finding:
    return Finding("problem", message)


def clock_finding(ahead: float, other: Arg) -> Finding:
    """Judges the seconds by which this machine's clock is ahead of another."""
    if abs(ahead) <= _AGREEING_SECONDS:
        return ok(Text("This machine's clock agrees with that of {other}.", other=other))
    severity: Severity = "warning" if abs(ahead) < _HARMFUL_SECONDS else "problem"
    seconds = round(abs(ahead))
    if ahead > 0:
        message = Text(
            "This machine's clock is {seconds} s ahead of that of {other}. Turn on its time service (NTP).",
            other=other,
            seconds=seconds,
        )
    else:
        message = Text(
            "This machine's clock is {seconds} s behind that of {other}. Turn on its time service (NTP).",
            other=other,
            seconds=seconds,
        )
    return Finding(severity, message)


def port_finding(host: str, port: int) -> Finding:
    """Judges whether the bot can listen at an address of this machine."""
    where = f"{host}:{port}"
    try:
        listener(host, port).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return warning(
                Text("A program already listens at {where}. That's fine if it's the bot.", where=where)
            )
        return problem(
            Text(
                "The bot can't listen at {where} ({reason}). Choose another port or address.",
                where=where,
                reason=why_not(error),
            )
        )
    return ok(Text("The bot can listen at {where}.", where=where))


def unreachable(platform: str, reason: Arg) -> Finding:
    return problem(
        Text(
            "{platform} can't be reached ({reason}). Check the network, and your proxy if you use one.",
            platform=platform,
            reason=reason,
        )
    )


def faulty(platform: str, reason: Arg) -> Finding:
    """The problem that a platform can be reached, but answers with an error."""
    return problem(
        Text(
            "{platform} answers with an error ({reason}). Try again in a few minutes.",
            platform=platform,
            reason=reason,
        )
    )


def token_accepted(platform: str, name: str) -> Finding:
    return ok(Text("{platform} accepts the token. The bot is called {name}.", platform=platform, name=name))


def token_refused(platform: str, setting: str) -> Finding:
    return problem(
        Text(
            "{platform} doesn't accept {setting}. Create a new token, and set it there.",
            platform=platform,
            setting=setting,
        )
    )


def place_unknown(place: str) -> Finding:
    return problem(Text("The bot can't see {place}. Check the id, and add the bot to it.", place=place))


def permission_finding(permission: Text, place: str, *, given: bool) -> Finding:
    """Judges whether the bot has a permission in a place."""
    if given:
        return ok(
            Text("{place}: the bot has the permission “{permission}”.", place=place, permission=permission)
        )
    return problem(
        Text(
            "{place}: the bot lacks the permission “{permission}”. Grant it there.",
            place=place,
            permission=permission,
        )
    )
