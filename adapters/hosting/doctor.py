"""Examines whether the bot could serve here (database, port, platforms), and what it may do in some chats."""

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
from adapters.shared.platform_settings import PlatformSettings
from bot.errors import origin
from bot.file_errors import server_error_text, store_error_text
from bot.settings.host_settings import Settings
from bot.storage import StoreError
from bot.store.connections.database import file_of
from bot.store.files.examination import StoreState, examine_store
from engines.game import Arg, Text, plural

SEVERITIES: Mapping[Severity, Text] = {
    "ok": Text("ok"),
    "warning": Text("warning"),
    "problem": Text("problem"),
}
"""The name of each severity."""

_EXAMINATION_TIMEOUT = 30.0
"""Seconds in which the database, and each platform, must have answered all questions."""


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
    """Examines the database, the monitor's port, the platforms that are set, and places; changes nothing.

    Places are given by id or by @name. Yields the findings of ``invalid`` settings first.
    """
    for finding in invalid:
        yield finding
    for finding in await _examine_store(settings.database_url.get_secret_value()):
        yield finding
    if (port := settings.sobremesa_monitor_port) is not None:
        yield port_finding(settings.sobremesa_monitor_host, port)
    served = [platform for platform in platforms if platform.is_set]
    if not served:
        yield problem(nothing_set([one.required.upper() for one in platforms if not one.is_example]))
    for platform in served:
        its_places = [place for place in places if platform.is_place(place)]
        for finding in await _examine_platform(platform, its_places):
            yield finding
    for place in places:
        if unexamined := _unexamined(place, platforms):
            yield unexamined


def _unexamined(place: str, platforms: Sequence[PlatformSettings]) -> Finding | None:
    """Says why no platform that is set has examined a place; None if one has."""
    suited = [platform for platform in platforms if platform.is_place(place)]
    if not suited:
        return problem(
            Text(
                "{place} isn't the id of a chat. Give the id of a channel or group, or the @name of a group.",
                place=place,
            )
        )
    if any(platform.is_set for platform in suited):
        return None
    return problem(
        Text("{place} can't be examined without {setting}.", place=place, setting=suited[0].required.upper())
    )


async def _examine_platform(platform: PlatformSettings, places: Sequence[str]) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(_EXAMINATION_TIMEOUT):
            return await platform.examine(places)
    except TimeoutError:
        return [unreachable(platform.key.capitalize(), _no_answer())]
    except Exception as error:
        # The error's message may hold the token.
        return [
            problem(
                Text(
                    "{platform} couldn't be examined ({reason}). Please report this as a bug.",
                    platform=platform.key.capitalize(),
                    reason=origin(error),
                )
            )
        ]


async def _examine_store(url: str) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(_EXAMINATION_TIMEOUT):
            state = await examine_store(url, time.time)
    except TimeoutError:
        return [_silent_store_finding(_no_answer())]
    findings = [_store_finding(state), *_damage_findings(state)]
    if state.ahead is not None:
        findings.append(clock_finding(state.ahead, Text("the database")))
    return findings


def unusable_store(url: str, error: StoreError) -> Text | None:
    """Why the store at an address cannot be used, for the host; None if the error's own words must do."""
    try:
        file = file_of(url)
    except StoreError:
        return _store_finding(StoreState(has_address=False)).text
    reason = (store_error_text if file else server_error_text)(error.why)
    if reason == error.why:
        return None
    return _failure_finding(StoreState(failure=reason, file=file)).text


def _silent_store_finding(reason: Arg) -> Finding:
    return problem(
        Text(
            "The database doesn't answer ({reason}). Is it running, and is DATABASE_URL right?", reason=reason
        )
    )


def _no_answer() -> Text:
    return Text("no answer within {seconds} s", seconds=f"{_EXAMINATION_TIMEOUT:g}")


def _store_finding(state: StoreState) -> Finding:
    if not state.has_address:
        return problem(
            Text(
                "DATABASE_URL isn't valid. Write the name of a file, or {example}.",
                example="postgresql://USER:PASSWORD@HOST/DATABASE",
            )
        )
    if state.missing:
        return _missing_finding(state.missing.absolute(), state)
    if state.failure:
        return _failure_finding(state)
    if state.read_only:
        return problem(
            Text(
                "The database answers, but the bot may not write to it. Give the user in DATABASE_URL the "
                "right to write and to create tables, on a server that isn't read-only."
            )
        )
    match state.tables:
        case "current":
            return ok(Text("The database answers, and its tables are up to date."))
        case "none":
            return ok(Text("The database answers and has no tables yet. The first start creates them."))
        case "older":
            return warning(
                Text("The database is from an older version. Make a backup: the next start updates it.")
            )
        case "newer":
            return problem(
                Text("The database was last used by a newer version of the program. Install that version.")
            )


def _missing_finding(file: Path, state: StoreState) -> Finding:
    if state.is_served:
        return problem(
            Text(
                "The database file {file} was deleted or moved while the bot uses it: nothing is stored. "
                "Put it back, or stop the bot and restore a backup.",
                file=str(file),
            )
        )
    if state.failure:
        return problem(
            Text(
                "The database file {file} can't be created ({reason}). Change that, or set DATABASE_URL to "
                "another file.",
                file=str(file),
                reason=state.failure,
            )
        )
    return ok(Text("There is no database file {file} yet. The first start creates it.", file=str(file)))


def _failure_finding(state: StoreState) -> Finding:
    if state.file is None:
        return _silent_store_finding(state.failure)
    return problem(
        Text(
            "The database file {file} can't be used ({reason}). Change that, restore a backup, or set "
            "DATABASE_URL to another file.",
            file=str(state.file.absolute()),
            reason=state.failure,
        )
    )


_TABLE_NAMES: Sequence[tuple[Text, frozenset[str]]] = (
    (Text("tables"), frozenset({"game", "entry", "seat", "panel", "ending"})),
    (Text("results"), frozenset({"result", "rating", "tally", "analysis"})),
    (Text("players"), frozenset({"person", "account", "room"})),
    (Text("processes"), frozenset({"process", "lease", "gate", "outage", "alembic_version"})),
)
"""The tables of the database, by what they hold in the host's words."""


def _damage_findings(state: StoreState) -> Sequence[Finding]:
    """Whether a file is damaged, and where; empty if its pages were not read or it has no tables."""
    damage = state.damage
    if damage is None or state.file is None or state.tables == "none":
        return ()
    file = str(state.file.absolute())
    if not damage.parts and not damage.is_complete:
        return [
            ok(Text("No damage was found in the database file, but not all of it could be read in time."))
        ]
    if not damage.parts:
        return [ok(Text("The database file isn't damaged."))]
    findings, parts = list[Finding](), set(damage.parts)
    # If `game` itself is damaged, the bot cannot ask which tables are due: that harms also those not counted.
    if damage.games and "game" not in parts:
        parts -= {"entry", "seat"}
        findings.append(
            problem(
                plural(
                    "The database file {file} is damaged, and {n} table can't be read. The others go on. "
                    "Restoring a backup brings it back, but loses all that came later.",
                    "The database file {file} is damaged, and {n} tables can't be read. The others go on. "
                    "Restoring a backup brings them back, but loses all that came later.",
                    damage.games,
                    file=file,
                )
            )
        )
    if damaged_parts := [words for words, names in _TABLE_NAMES if names & parts]:
        findings.append(
            problem(
                Text(
                    "The database file {file} is damaged where it holds {parts}. Restore a backup.",
                    file=file,
                    parts=tuple(damaged_parts),
                )
            )
        )
    return findings
