"""The invariant checker finds a lost card. (That it reports nothing else, every simulation shows.)"""

from __future__ import annotations

from bot.model.tables import Player
from bot.tables.log.commitment import ChosenSeed, SeedSource
from bot.tables.table import Table
from engines import values
from engines.values import replace
from tests.support.simulation import InvariantChecker


def played(moves: int, source: SeedSource | None = None) -> list[Table]:
    """A table of Svoi Kozyri at the start, then after each of ``moves`` moves, each made by a timeout."""
    table = Table.open("svoi", seed_source=source)
    for name in ("Ana", "Beto"):
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
        checker.on_commit(table, None)
    return checker.faults.found


def test_a_table_that_loses_all_cards_after_the_deal_is_found() -> None:
    before, *_, after = played(6)
    found = checked(after, before)
    assert [fault.split(":")[0] for fault in found] == ["cards of svoi lost or found"]


def test_a_card_that_is_lost_is_found_though_an_earlier_pile_names_it() -> None:
    *_, table = played(6, ChosenSeed("S"))
    assert table.state.pile[0] in table.state.past[-1]
    without = values.replace(table.state, pile=table.state.pile[1:])
    found = checked(table, replace(table, state=without))
    assert found == [f"cards of svoi lost or found: {[table.state.pile[0]]}"]
