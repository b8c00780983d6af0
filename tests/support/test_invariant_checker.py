"""The invariant checker finds every lost card, and reports nothing if no card is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model import Player
from bot.tables.commitment import ChosenSeed, SeedSource
from bot.tables.table import Table
from engines import games, values
from tests.support.simulation import InvariantChecker


def played(key: str, moves: int, source: SeedSource | None = None, **options: str) -> list[Table]:
    """The table at the start, then after each of ``moves`` moves, which are those of timeouts."""
    table = Table.open(key, options, seed_source=source)
    for name in ("Ana", "Beto", "Carla", "Dora")[: table.game.seats[0]]:
        table = table.sit(Player(name, person=name))
    tables = [table.start()]
    while len(tables) <= moves and tables[-1].status == "playing":
        now = tables[-1]
        seat = now.active()[0]
        tables.append(now.add("timeout", seat, move=str(now.game.timeout(now.state, seat))))
    return tables


def checked(*tables: Table) -> list[str]:
    """The faults that the checker finds in these tables."""
    checker = InvariantChecker()
    for table in tables:
        checker.hear(table, None)
    return checker.faults.found


def without(table: Table, **fields: Any) -> Table:
    """The table with other fields of its state."""
    return replace(table, state=values.replace(table.state, **fields))


@pytest.mark.parametrize("key", list(games()))
def test_a_whole_game_is_in_order(key: str) -> None:
    assert checked(*played(key, 200)) == []


@pytest.mark.parametrize("rule", ["mirrored_deal", "sixes_to_owner", "voluntary_take"])
def test_that_nothing_is_dealt_before_trumps_are_chosen_is_in_order(rule: str) -> None:
    tables = played("svoi", 60, None, **{rule: "on"})
    assert (tables[0].state.phase, checked(*tables)) == ("trumps", [])


def test_a_table_that_loses_all_cards_after_the_deal_is_found() -> None:
    before, *_, after = played("svoi", 6)
    found = checked(after, before)
    assert [fault.split(":")[0] for fault in found] == ["cards of svoi lost or found"]


def test_a_card_that_is_lost_is_found_though_an_earlier_pile_names_it() -> None:
    *_, table = played("svoi", 6, ChosenSeed("S"))
    assert table.state.pile[0] in table.state.past[-1]
    found = checked(table, without(table, pile=table.state.pile[1:]))
    assert found == [f"cards of svoi lost or found: {[table.state.pile[0]]}"]
