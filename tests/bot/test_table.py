"""A table: its log is the game, a refused play changes nothing, and each reader hears their own news."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from bot.brains import choose
from bot.fair import CUT_LENGTH, Given, Sealed
from bot.model import Entry, News, Player
from bot.table import Table
from engines import games
from engines.game import Event, IllegalMove, Text
from tests.engines.playing import house_rules

every_game = pytest.mark.parametrize("key", list(games()))


def seated(key: str, players: int = 0, options: dict[str, str] | None = None, words: str = "S") -> Table:
    """A table before the deal, with people only."""
    table = Table.open(key, options, luck=Given(words))
    for name in ("Ana", "Beto", "Carla", "Dora")[: players or games()[key].seats[0]]:
        table.sit(Player(name))
    return table


def dealt(key: str, players: int = 0, options: dict[str, str] | None = None, words: str = "S") -> Table:
    table = seated(key, players, options, words)
    table.start()
    return table


async def play_on(table: Table, moves: int = 1000, rng: random.Random | None = None) -> None:
    """Makes moves for whoever is awaited, to the end of the game or so many."""
    rng = rng or random.Random(1)
    while not table.result and table.stamp < moves:
        seat = rng.choice(table.awaited())
        await table.play(seat, str(choose(table.game, table.state, seat, "easy", rng)))


def everything(table: Table) -> dict[str, Any]:
    """All that a table is made of, but for its lock."""
    return {name: value for name, value in vars(table).items() if name not in ("_lock", "_changed")}


def copied(table: Table) -> dict[str, Any]:
    """What `everything` is now, unmoved by what happens next."""
    return {name: list(v) if isinstance(v, list) else v for name, v in everything(table).items()}


def written(entries: list[Entry]) -> list[Entry]:
    """The entries as they come back from a store."""
    return [
        Entry(entry.n, entry.kind, entry.seat, json.loads(json.dumps(entry.body, ensure_ascii=False)))
        for entry in entries
    ]


@pytest.mark.parametrize("luck", [Given("S"), Sealed(b"x" * 32)], ids=["given", "sealed"])
@every_game
async def test_replaying_the_log_gives_an_equal_table(key: str, luck: Given | Sealed) -> None:
    rules = house_rules(games()[key]) if luck == Given("S") else [{}]
    for options in rules:
        table = Table.open(key, options, luck=luck)
        table.sit(Player("Ana"))
        for _ in games()[key].seats[1:]:
            table.sit(Player("Lola", "easy"))
        while len(table.players) < games()[key].seats[0]:
            table.sit(Player("Nina", "normal"))
        table.cut(0, "¡ñ 🂡!")
        table.start()
        await play_on(table, 15)
        await table.time_out(table.awaited()[0])
        await play_on(table)
        assert everything(Table.replay(written(table.entries), luck)) == everything(table)


@every_game
async def test_every_beginning_of_the_log_is_the_table_at_that_time(key: str) -> None:
    table = dealt(key)
    seen = [copied(table)]
    while not table.result:
        await play_on(table, table.stamp + 1)
        seen.append(copied(table))
    start = len(table.entries) - table.stamp
    replayed = [
        everything(Table.replay(table.entries[:n], table.luck)) for n in range(start, len(table.entries) + 1)
    ]
    assert replayed == seen


async def test_entries_are_numbered_from_nought_and_news_names_its_entry() -> None:
    table = dealt("casino")
    await play_on(table)
    assert [entry.n for entry in table.entries] == list(range(len(table.entries)))
    assert {piece.n for piece in table.news} == {e.n for e in table.entries if e.kind in ("start", "move")}


async def test_the_log_spells_a_move_in_its_one_way() -> None:
    table = dealt("cardlebones")
    await table.play(table.awaited()[0], "PLACE A1")
    assert table.entries[-1].body == {"move": "place a1"}


@every_game
async def test_of_two_plays_at_once_one_is_made_and_the_other_refused(key: str) -> None:
    table = dealt(key)
    seat, before = table.awaited()[0], len(table.entries)
    first, second = [str(move) for move in (*table.game.moves(table.state, seat),) * 2][:2]
    outcomes = await asyncio.gather(table.play(seat, first), table.play(seat, second), return_exceptions=True)
    assert outcomes[0] is None
    assert isinstance(outcomes[1], IllegalMove)
    assert [entry.body for entry in table.entries[before:]] == [{"move": first}]


async def test_a_play_and_a_timeout_at_once_take_their_turns() -> None:
    table = dealt("cardlebones")
    seat = table.awaited()[0]
    await asyncio.gather(table.play(seat, "place a1"), table.time_out(1 - seat))
    assert [entry.kind for entry in table.entries[-2:]] == ["move", "timeout"]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("", "unknown-action"),
        ("fly", "unknown-action"),
        ("throw 1S", "unknown-card"),
        ("throw 11S", "unknown-card"),
        ({"type": "throw", "playerId": "p9", "handCard": "AS"}, "not-your-seat"),
        ({}, "not-your-seat"),
    ],
)
async def test_a_refused_play_changes_nothing(action: str | dict[str, str], code: str) -> None:
    table = dealt("casino")
    before = copied(table)
    with pytest.raises(IllegalMove) as refusal:
        await table.play(table.awaited()[0], action)
    assert refusal.value.code == code
    assert everything(table) == before


@every_game
async def test_who_is_not_awaited_is_refused_and_nothing_changes(key: str) -> None:
    table = dealt(key)
    awaited = table.awaited()[0]
    move = str(next(iter(table.game.moves(table.state, awaited))))
    before = copied(table)
    for seat in range(len(table.players)):
        if seat != awaited:
            with pytest.raises(IllegalMove, match="not-your-turn"):
                await table.play(seat, move)
    assert everything(table) == before


@every_game
async def test_after_the_end_nobody_is_awaited_and_nothing_can_be_played(key: str) -> None:
    table = dealt(key)
    await play_on(table)
    before = copied(table)
    with pytest.raises(IllegalMove, match="game-over"):
        await table.play(0, str(table.entries[-1].body["move"]))
    await table.time_out(0)
    assert table.awaited() == ()
    assert everything(table) == before


@pytest.mark.parametrize("players", [0, 1, 4])
@pytest.mark.parametrize("key", list(games()))
def test_start_with_a_wrong_number_raises_and_changes_nothing(key: str, players: int) -> None:
    table = Table.open(key, luck=Given("S"))
    for name in "ABCDEFGH"[: players if players < games()[key].seats[0] else games()[key].seats[-1] + 1]:
        table.sit(Player(name))
    before = copied(table)
    with pytest.raises(ValueError, match="players"):
        table.start()
    assert everything(table) == before
    assert table.state is None


def test_start_with_an_unknown_option_raises_and_changes_nothing() -> None:
    table = seated("casino", options={"steal_with": "magnet"})
    before = copied(table)
    with pytest.raises(ValueError, match="steal_with=magnet"):
        table.start()
    assert everything(table) == before


def test_after_a_refused_start_another_player_can_sit_and_the_game_begins() -> None:
    table = seated("casino", 1)
    with pytest.raises(ValueError, match="not 1"):
        table.start()
    table.sit(Player("Beto"))
    table.start()
    assert table.state is not None


def test_an_unknown_game_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Table.open("tarot")


def test_seats_are_given_in_order() -> None:
    table = Table.open("casino")
    assert [table.sit(Player("Ana")), table.sit(Player("Lola", "easy"))] == [0, 1]
    assert table.players == [Player("Ana"), Player("Lola", "easy")]


def test_cuts_are_kept_in_the_order_given_seat_by_seat() -> None:
    table = seated("casino")
    table.cut(1, "last of all")
    table.cut(0, "first")
    table.cut(1, "again")
    assert table.cuts == [(1, "last of all"), (0, "first"), (1, "again")]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  two\n words\t", "two words"),
        ("x" * (CUT_LENGTH + 1), "x" * CUT_LENGTH),
        ("<@123> *bold* `tick`", "<@123> *bold* `tick`"),
        ("\x1b[31mred\x9b\u202e\u200b", "[31mred"),
        ("bad \udcff byte", "bad byte"),
    ],
)
def test_a_cut_is_one_line_that_can_be_shown_as_it_is(given: str, kept: str) -> None:
    table = seated("casino")
    table.cut(0, given)
    table.start()
    assert table.cuts == [(0, kept)]


def test_the_stamp_counts_moves_not_entries() -> None:
    table = dealt("cardlebones")
    assert (table.stamp, len(table.entries)) == (0, 4)


async def test_the_stamp_grows_by_one_a_move_and_a_timeout() -> None:
    table = dealt("cardlebones")
    await table.play(table.awaited()[0], "place a1")
    assert table.stamp == 1
    await table.time_out(table.awaited()[0])
    assert table.stamp == 2


class Lingering(type(games()["cardlebones"])):  # type: ignore[misc]
    """A game whose turns are three placements long."""

    def turn(self, state: Any) -> int:
        return int(state.turns) // 3

    def timeout(self, state: Any, seat: int) -> Any:
        return super().timeout(state, state.turn)

    def may_act(self, state: Any, seat: int, verb: str) -> bool:
        return True

    def perform(self, state: Any, seat: int, action: Any) -> Any:
        return super().perform(state, state.turn, action)

    def check(self, state: Any, seat: int, action: Any) -> None:
        super().check(state, state.turn, action)


async def test_time_out_acts_up_to_the_end_of_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dealt("cardlebones")
    monkeypatch.setattr(Table, "game", Lingering())
    await table.time_out(0)
    assert [entry.kind for entry in table.entries[4:]] == ["timeout"] * 2
    await table.time_out(0)
    assert [(entry.kind, entry.seat) for entry in table.entries[4:]] == [("timeout", 0)] * 5


@every_game
async def test_timeouts_alone_end_the_game(key: str) -> None:
    table = dealt(key, games()[key].seats[-1])
    while not table.result:
        await table.time_out(table.awaited()[0])
    assert {entry.kind for entry in table.entries if entry.n > 5} == {"timeout"}


async def test_news_for_tells_private_news_to_its_seat_only() -> None:
    table = dealt("casino", 3)
    table.news = [
        News(4, Event(Text("to all"), None)),
        News(4, Event(Text("to seat {n}", n=0), 0)),
        News(5, Event(Text("to seat {n}", n=1), 1)),
    ]
    heard = {seat: [event.to for event in table.news_for(seat)] for seat in (None, 0, 1, 2)}
    assert heard == {None: [None], 0: [None, 0], 1: [None, 1], 2: [None]}


async def test_news_for_leaves_out_what_was_told() -> None:
    table = dealt("cardlebones")
    told = len(table.news)
    await table.play(table.awaited()[0], "place a1")
    assert table.news_for(0)[told:] == table.news_for(0, told)
    assert table.news_for(0, told)[0].text.message == "{who} places {card} in {cell}."
    assert table.news_for(0, len(table.news)) == []


def test_nobody_is_awaited_before_the_start() -> None:
    assert seated("casino").awaited() == ()


async def test_awaited_are_those_with_choices() -> None:
    table = dealt("casino")
    while not table.result:
        (seat,) = table.awaited()
        assert seat == table.state.turn
        await play_on(table, table.stamp + 1)


def exchange_table() -> Table:
    """A table of three where somebody may exchange the three of hearts."""
    tables = (dealt("casino", 3, words=str(n)) for n in range(20))
    return next(table for table in tables if table.state.phase == "exchange")


def test_awaited_names_the_holder_of_a_secret_that_the_public_does_not_know() -> None:
    table = exchange_table()
    assert len(table.awaited()) == 1
    assert table.game.waiting(table.game.view(table.state, None)) == (0, 1, 2)


@pytest.mark.parametrize("how", ["play", "time_out"])
async def test_changed_wakes_when_something_happens(how: str) -> None:
    table = dealt("cardlebones")
    waiting = [asyncio.create_task(table.changed(len(table.entries))) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    seat = table.awaited()[0]
    await (table.play(seat, "place a1") if how == "play" else table.time_out(seat))
    await asyncio.gather(*waiting)


async def test_changed_returns_at_once_where_something_has_happened_since() -> None:
    table = dealt("cardlebones")
    await asyncio.wait_for(table.changed(len(table.entries) - 1), 1)
    assert table.stamp == 0


async def test_a_refused_play_wakes_nobody() -> None:
    table = dealt("cardlebones")
    waiting = asyncio.create_task(table.changed(len(table.entries)))
    with pytest.raises(IllegalMove):
        await table.play(table.awaited()[0], "place z9")
    for _ in range(5):
        await asyncio.sleep(0)
    assert not waiting.done()
    waiting.cancel()
