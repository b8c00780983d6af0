"""The laws find tables that break them. (That they report nothing else, every simulation shows.)"""

from __future__ import annotations

from bot.model.places import Place, Room
from bot.model.tables import Player
from bot.tables.table import Table
from engines.values import replace
from tests.support.laws import Laws
from tests.support.records import Sent

SQUARE = Place("wall", "square")


def dealt() -> Table:
    """A game of two people with a clock, dealt at the time 0."""
    table = Table.open("svoi", place=SQUARE, owner="ana", clock=60)
    for name in ("Ana", "Beto"):
        table = table.sit(Player(name, person=name.casefold()))
    return table.start("ana")


def broken(before: Table, after: Table) -> list[str]:
    """The sentences of the laws that a change breaks."""
    laws = Laws()
    laws.on_commit(after, before)
    return [fault.split(":")[0] for fault in laws.faults.found]


def test_a_clock_that_fires_too_early_or_twice_is_found() -> None:
    table = dealt()
    (seat,) = table.deadlines
    move = str(table.game.timeout(table.state, seat))
    early = table.at(119.0).add("timeout", seat, move=move, late=True)
    in_time = table.at(120.0).add("timeout", seat, move=move, late=True)
    assert broken(table, early) == ["a turn ends by a clock that has not run out (120.0 at 119.0)"]
    assert broken(table, in_time) == []
    (other,) = in_time.required()
    move = str(table.game.timeout(in_time.state, other))
    twice = in_time.add("timeout", other, move=move, late=True)
    assert broken(in_time, twice) == ["a turn ends by a clock that has not run out (240.0 at 120.0)"]


def test_a_computer_that_plays_on_alone_is_found() -> None:
    table = dealt()
    for seat in (0, 1):
        table = table.add("hold", seat, level="easy")
    (seat,) = table.required()
    assert table.is_frozen
    after = table.play(seat, str(table.game.timeout(table.state, seat)))
    assert broken(table, after) == ["a game goes on without any person"]


def test_a_kicked_player_with_a_seat_and_a_player_with_two_are_found() -> None:
    table = dealt()
    kicked = table.add("kick", 1, person="ana", level="easy")
    back = kicked._changed(1, level=None)
    twice = table._changed(1, person="ana")
    assert broken(table, kicked) == []
    assert broken(kicked, back) == ["a person who was kicked has a seat at a table of svoi"]
    assert broken(table, twice) == ["a person has two seats at a table of svoi"]


def test_an_entry_after_the_end_is_found() -> None:
    over = dealt().add("end", reason="stopped")
    assert broken(over, over.add("back", 0, person="ana")) == ["a table that is over goes on"]


def test_a_second_alert_in_a_turn_is_found() -> None:
    laws, table = Laws(), replace(dealt(), number=1)
    (seat,) = table.turn_began
    sent = Sent(30.0, "whisper", None, "1", "", "Your turn: Svoi Kozyri, table 1.")
    for _ in range(2):
        laws.on_sent(sent, {table.id: table}, str(table.players[seat].person))
    assert laws.faults.found == ["2 alerts in one turn of svoi"]


def test_a_barred_person_who_opens_a_table_is_found() -> None:
    laws, table = Laws(), Table.open("svoi", place=SQUARE, owner="ana").at(100.0)
    laws.on_room(Room(SQUARE, barred=("ana",)), 0.0)
    laws.on_commit(table.sit(Player("Ana", person="ana")), None)
    assert [fault.split(":")[0] for fault in laws.faults.found] == [
        "a person who is barred opens a table, sits down or asks for a seat"
    ]


def test_a_barred_person_who_sits_down_is_found() -> None:
    laws, table = Laws(), Table.open("svoi", place=SQUARE, owner="ana").at(100.0)
    after = table.sit(Player("Beto", person="beto"))
    server = Place("wall", "server")
    laws.on_room(Room(SQUARE, server="server"), 0.0)
    laws.on_commit(after, table)
    assert laws.faults.found == []
    laws.on_room(Room(server, barred=("beto",)), 10.0)
    laws.on_commit(after, table)
    assert [fault.split(":")[0] for fault in laws.faults.found] == [
        "a person who is barred opens a table, sits down or asks for a seat"
    ]
    assert laws.bars == 1
