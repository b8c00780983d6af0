"""Examines whether the bot could serve here: its database, its platforms, and the places that are named."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from adapters.shared.finding import Finding, clock_finding, ok, port_finding, problem, unreachable, warning
from adapters.shared.served import PlatformSettings
from bot.errors import origin
from bot.settings import Settings
from bot.store.examination import StoreState, examine_store
from engines.game import Text

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
    settings: Settings, platforms: Sequence[PlatformSettings], places: Sequence[str]
) -> AsyncIterator[Finding]:
    """Examines the database, the platforms that are set, and places by their ids; changes nothing."""
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
        if not any(platform.is_place(place) for platform in served):
            yield problem(
                Text(
                    "{place} is no chat of a platform that is set. A chat's id or @name is needed.",
                    place=place,
                )
            )


async def _examine_platform(platform: PlatformSettings, places: Sequence[str]) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await platform.examine(places)
    except TimeoutError:
        return [unreachable(platform.key, f"{_PATIENCE:g} s")]
    except Exception as error:
        # The error's message may hold the token.
        return [
            problem(
                Text(
                    "{platform} could not be examined ({reason}). Please report this as a bug.",
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
        state = StoreState(failure=f"{_PATIENCE:g} s")
    findings = [_store_finding(state)]
    if state.ahead is not None:
        findings.append(clock_finding(state.ahead, Text("the database")))
    return findings


def _store_finding(state: StoreState) -> Finding:
    if state.failure:
        return problem(
            Text(
                "The database doesn't answer ({reason}). Is it running, and is DATABASE_URL right?",
                reason=state.failure,
            )
        )
    if state.missing:
        file = str(state.missing.absolute())
        if not state.can_be_made:
            return problem(
                Text("The database file {file} can't be made: the folder can't be written to.", file=file)
            )
        return ok(Text("There is no database file {file} yet. The first start makes it.", file=file))
    match state.tables:
        case "current":
            return ok(Text("The database answers, and its tables are up to date."))
        case "none":
            return ok(Text("The database answers and is empty. The first start makes its tables."))
        case "older":
            return warning(
                Text(
                    "The database is of an older version. Make a backup: the next start brings it up to date."
                )
            )
        case "newer":
            return problem(
                Text("The database was last used by a newer version of the program. Install that one.")
            )
