"""Examines whether the bot could serve here: its database, its platforms, and the places that are named."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from adapters.shared.finding import (
    Finding,
    Severity,
    clock_finding,
    ok,
    port_finding,
    problem,
    unreachable,
    warning,
)
from adapters.shared.served import PlatformSettings
from bot.errors import origin
from bot.settings import Settings
from bot.store.examination import StoreState, examine_store
from engines.game import Arg, Text

SEVERITIES: Mapping[Severity, Text] = {
    "ok": Text("ok"),
    "warning": Text("warning"),
    "problem": Text("problem"),
}
"""The name of each severity."""

_PATIENCE = 30.0
"""Seconds that a platform or the database may take to answer all questions."""


def nothing_set(settings: Sequence[str]) -> Text:
    """The sentence for a host who has set none of these settings."""
    return Text(
        "There is no chat to join yet. Set {settings} (one is enough) in {file} or in the "
        "environment. The README explains how.",
        settings=", ".join(settings),
        file=str(Path(".env").absolute()),
    )


async def examine(
    settings: Settings,
    platforms: Sequence[PlatformSettings],
    places: Sequence[str],
    invalid: Sequence[Finding] = (),
) -> AsyncIterator[Finding]:
    """Examines the database, the platforms that are set, and places by their ids; changes nothing.

    The findings of ``invalid`` settings come first.
    """
    for finding in invalid:
        yield finding
    for finding in await _examine_store(settings.database_url.get_secret_value()):
        yield finding
    if (port := settings.sobremesa_monitor_port) is not None:
        yield port_finding(settings.sobremesa_monitor_host, port)
    served = [platform for platform in platforms if platform.is_set]
    if not served:
        yield problem(nothing_set([platform.required.upper() for platform in platforms]))
    for platform in served:
        own = [place for place in places if platform.is_place(place)]
        for finding in await _examine_platform(platform, own):
            yield finding
    for place in places:
        if unexamined := _unexamined(place, platforms):
            yield unexamined


def _unexamined(place: str, platforms: Sequence[PlatformSettings]) -> Finding | None:
    """Says why a place belongs to no platform that is set; None if it belongs to one."""
    homes = [platform for platform in platforms if platform.is_place(place)]
    if not homes:
        return problem(
            Text(
                "{place} isn't the id of a chat. Give the id of a channel or group, or the @name of a group.",
                place=place,
            )
        )
    if any(platform.is_set for platform in homes):
        return None
    return problem(
        Text("{place} can't be examined without {setting}.", place=place, setting=homes[0].required.upper())
    )


async def _examine_platform(platform: PlatformSettings, places: Sequence[str]) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await platform.examine(places)
    except TimeoutError:
        return [unreachable(platform.key, _no_answer())]
    except Exception as error:
        # The error's message may hold the token.
        return [
            problem(
                Text(
                    "{platform} couldn't be examined ({reason}). Please report this as a bug.",
                    platform=platform.key,
                    reason=origin(error),
                )
            )
        ]


async def _examine_store(url: str) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(_PATIENCE):
            state = await examine_store(url, time.time)
    except TimeoutError:
        return [_store_silent(_no_answer())]
    findings = [_store_finding(state)]
    if state.ahead is not None:
        findings.append(clock_finding(state.ahead, Text("the database")))
    return findings


def _store_silent(reason: Arg) -> Finding:
    return problem(
        Text(
            "The database doesn't answer ({reason}). Is it running, and is DATABASE_URL right?", reason=reason
        )
    )


def _no_answer() -> Text:
    return Text("no answer within {seconds} s", seconds=f"{_PATIENCE:g}")


def _store_finding(state: StoreState) -> Finding:
    if state.failure and state.file:
        return problem(
            Text(
                "The database file {file} can't be used ({reason}). Restore a backup, or set DATABASE_URL to "
                "another file.",
                file=str(state.file.absolute()),
                reason=state.failure,
            )
        )
    if state.failure:
        return _store_silent(state.failure)
    if not state.has_address:
        return problem(
            Text(
                "DATABASE_URL isn't valid. Write the name of a file, or {example}.",
                example="postgresql://USER:PASSWORD@HOST/DATABASE",
            )
        )
    if state.missing:
        file = str(state.missing.absolute())
        if not state.can_be_made:
            return problem(
                Text(
                    "The database file {file} can't be created: the bot may not write to the folder.",
                    file=file,
                )
            )
        return ok(Text("There is no database file {file} yet. The first start creates it.", file=file))
    match state.tables:
        case "current":
            return ok(Text("The database answers, and its tables are up to date."))
        case "none":
            return ok(Text("The database answers and is empty. The first start creates its tables."))
        case "older":
            return warning(
                Text("The database is from an older version. Make a backup: the next start updates it.")
            )
        case "newer":
            return problem(
                Text("The database was last used by a newer version of the program. Install that version.")
            )
