"""Makes the file of a finished game from its table."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from bot.model.ids import PersonId
from bot.model.tables import STEP_KINDS, Entry, Player
from bot.replays.frames import first_deal
from bot.replays.game_file import GameFile, RecordedResult, RecordedStep, SeatRecord
from bot.tables.log.commitment import ChosenSeed
from bot.tables.log.snapshots import target
from bot.tables.table import Table
from engines.values import replace


def game_file(table: Table, hidden: Collection[PersonId] = ()) -> GameFile:
    """The file of a table that is over, from its whole log; ``hidden`` people have no names in it.

    Raises `NotPlayable` as `first_deal` does.
    """
    assert table.may_show_seed
    source, result = table.seed_source, table.result
    chosen = isinstance(source, ChosenSeed)
    # At a table that was never dealt, the last players.
    players = table.starters or table.players
    deal = json.loads(table.deal) if table.deal else {"carry": {}, "seats": [{"cuts": []} for _ in players]}
    file = GameFile(
        id=table.id,
        game=table.key,
        revision=table.revision,
        options=dict(table.options),
        carry=deal["carry"],
        seats=tuple(
            SeatRecord(_name(player, hidden), tuple(seat["cuts"]), player.level)
            for player, seat in zip(players, deal["seats"], strict=True)
        ),
        commitment=source.commitment,
        seed=None if chosen else source.opened(),
        words=source.opened() if chosen else None,
        line=table.deal,
        position=None,
        steps=tuple(_steps(table, list(players), hidden)),
        result=None if table.ended or result is None else RecordedResult(result.scores, result.winners),
        ended=table.ended or None,
        dealt=round(table.dealt, 3),
        game_seed=_seed_of_forgotten_cuts(table),
    )
    return file if table.outdated else replace(file, position=first_deal(file))


def _start(table: Table) -> int | None:
    """The number of the entry of the deal; None if no cards were dealt."""
    return next((entry.n for entry in table.entries if entry.kind == "start"), None)


def _seed_of_forgotten_cuts(table: Table) -> str | None:
    """The game seed, if it follows from the cuts no more since a player who cut was forgotten; else None."""
    start = _start(table)
    kept = None if start is None else table.entries[start].body.get("seed")
    return None if kept is None else str(kept)


def _steps(table: Table, players: list[Player], hidden: Collection[PersonId]) -> Iterator[RecordedStep]:
    """The steps of the entries after the deal; ``players``, at first those at the deal, change with them."""
    start, step_indexes = _start(table), dict[int, int]()
    if start is None:
        return
    for entry in table.entries[start + 1 :]:
        if step := _step(entry, players, step_indexes, hidden):
            step_indexes[entry.n] = len(step_indexes)
            yield replace(step, at=round(entry.at - table.dealt, 1))


def _step(
    entry: Entry, players: list[Player], step_indexes: Mapping[int, int], hidden: Collection[PersonId]
) -> RecordedStep | None:
    """The step of an entry; None for an entry that a replay does not need.

    Changes ``players`` if the entry changes who plays. ``step_indexes`` are the indexes of the earlier steps,
    by the numbers of their entries.
    """
    body: Mapping[str, Any] = entry.body
    seat = entry.seat
    if seat is None or entry.kind not in STEP_KINDS:
        return None
    match entry.kind:
        case "move" | "timeout":
            return RecordedStep(seat, str(body["move"]), clock=entry.kind == "timeout")
        case "undo":
            return RecordedStep(seat, undo=step_indexes[target(entry)])
        case "forfeit":
            return RecordedStep(seat, forfeit=True)
        case "hold" | "kick":
            players[seat] = replace(players[seat], level=body["level"])
        case "back":
            players[seat] = replace(players[seat], level=None)
        case "take":
            players[seat] = Player(str(body["name"]), person=entry.person)
    return RecordedStep(seat, player=_name(players[seat], hidden), computer=players[seat].level)


def _name(player: Player, hidden: Collection[PersonId]) -> str:
    """The name of a player, empty for one who is hidden."""
    return "" if player.person in hidden else player.name
