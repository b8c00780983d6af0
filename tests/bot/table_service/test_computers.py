"""Computers at the table: their levels, their pauses, and that they play by the rules only."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from bot.model.batches import Batch, Behind, Clash, Full, Known, Taken
from bot.model.ids import GameId
from bot.model.tables import Entry, Player
from bot.settings.choices import Pace
from bot.storage import StoreError
from bot.store.memory.store import MemoryStore
from bot.table_service.commits import Transition
from bot.table_service.computers import ComputerPlayers, Manner, play_computers
from bot.table_service.service import TableService
from bot.tables import lobby
from bot.tables.log.commitment import ChosenSeed
from bot.tables.names.computer_names import NAMES, computers
from bot.tables.names.levels import LEVELS
from bot.tables.table import Table
from bot.tables.undo import taken_back
from bot.thinking.query import Query, think
from bot.thinking.thinker import InlineThinker
from engines import games
from engines.game import Awaited, Game, Level, Move, Seat
from engines.values import replace
from tests import luck
from tests.support.clock import VirtualClock, settle
from tests.support.games import every_game
from tests.support.games.throw_in.rules import State, View
from tests.support.services import FaultyStore, service_with, throwing_in
from tests.support.tables import choose


def table(key: str, *players: Player, words: str = "S", **options: str) -> Table:
    table = Table.open(key, options, seed_source=ChosenSeed(words))
    for player in players:
        table = table.sit(player)
    return table.start()


def robots(key: str, level: Level = "normal") -> list[Player]:
    return computers(games()[key].seats[-1], level)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_computers_have_names_and_a_level(n: int) -> None:
    assert computers(n, "easy") == [Player(name, "easy") for name in NAMES[:n]]


def test_no_computer_is_called_like_somebody_at_the_table() -> None:
    assert [player.name for player in computers(3, "normal", ["LOLA", "nina"])] == ["Beto", "Paco", "Inés"]


@every_game
def test_there_are_names_for_every_seat(key: str) -> None:
    people = games()[key].seats[-1] - 1
    assert len(computers(people, "easy", NAMES[:1])) == people


@pytest.mark.parametrize("level", LEVELS)
@every_game
def test_a_computer_chooses_a_legal_move(key: str, level: Level) -> None:
    game, rng = games()[key], luck.rng()
    state, made = game.new(game.seats[0], b"seed", {}), 0
    while game.result(state) is None:
        seat = next(seat for seat in range(game.seats[0]) if game.choices(state, seat).words)
        # A search is slow, so one move in twelve is searched for.
        move = choose(game, state, seat, level if level != "hard" or made % 12 == 0 else "normal", rng)
        assert game.choices(state, seat, (move.verb, *move.words)).done
        state, _ = game.apply(state, seat, move)
        made += 1


@every_game
def test_a_normal_computer_plays_what_it_thinks_from_its_own_view(key: str) -> None:
    game = games()[key]
    state = game.new(game.seats[0], b"seed", {})
    seat = next(seat for seat in range(game.seats[0]) if game.choices(state, seat).words)
    dreamt = game.imagine(game.view(state, seat), luck.rng(5))
    assert dreamt != state
    thought = game.think(game.view(state, seat), list(game.moves(state, seat)), random.Random("luck"))
    for known in (state, dreamt):
        moves = tuple(game.moves(known, seat))
        assert think(Query(key, game.view(known, seat), moves, "normal", "luck")) == thought


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_is_the_games_business(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    game, heard = games()["cardlebones"], list[Level]()

    def last(_: object, view: object, moves: Sequence[Move], rng: random.Random, level: Level) -> Move:
        heard.append(level)
        return moves[-1]

    monkeypatch.setattr(type(game), "think", last)
    state = game.new(2, b"seed", {})
    moves = tuple(game.moves(state, state.turn))
    assert think(Query(game.key, game.view(state, state.turn), moves, level, "luck")) == moves[-1]
    assert heard == [level]


@pytest.mark.parametrize("key", list(games()))
def test_a_normal_computer_beats_one_that_plays_anything(key: str) -> None:
    """Uses the same deals in every run, because the number of wins depends on luck."""
    game, won = games()[key], 0.0
    for n in range(20):
        rng, normal = random.Random(n), n % 2
        state = game.new(2, f"{n}".encode(), {})
        while (result := game.result(state)) is None:
            seat = next(seat for seat in range(2) if game.choices(state, seat).words)
            anything = rng.choice(list(game.moves(state, seat)))
            move = choose(game, state, seat, "normal", rng) if seat == normal else anything
            state, _ = game.apply(state, seat, move)
        won += (normal in result.winners) / len(result.winners)
    assert won > 11


def played(table: Table) -> list[tuple[Seat | None, Mapping[str, Any]]]:
    return [(entry.seat, entry.body) for entry in table.entries]


def acted_at_once(played: Table) -> bool:
    """Whether several seats could act at any moment of a game."""
    replayed, several = Table(played.seed_source), False
    for entry in played.entries:
        replayed = replayed.after(entry)
        several = several or len(replayed.active()) > 1
    return several


@every_game
async def test_computers_play_a_whole_game_and_rest_before_each_move(key: str) -> None:
    opened, clock = table(key, *robots(key)), VirtualClock()
    game = await play_computers(await service_with(opened, clock), opened.id, Manner(luck.rng(), 2.0))
    assert game.result is not None
    # After a forced move, the forced moves of other computers are made at the same instant. Where several
    # act at once, such a computer may be resting already, and its rest brings no move: so rests may be more.
    rests, moments = len(clock.slept), len({entry.at for entry in game.entries if entry.kind == "move"})
    assert rests >= moments if acted_at_once(game) else rests == moments
    assert {entry.kind for entry in game.entries[len(game.players) + 2 :]} == {"move"}


async def test_a_pause_is_about_as_long_as_the_pace_and_never_exactly() -> None:
    opened, clock = table("cardlebones", *robots("cardlebones")), VirtualClock()
    await play_computers(await service_with(opened, clock), opened.id, Manner(luck.rng(), 2.0))
    assert clock.slept
    assert all(1.4 <= pause <= 2.6 for pause in clock.slept)
    assert len(set(clock.slept)) == len(clock.slept)


@pytest.mark.parametrize(
    ("pace", "least", "most"), [("natural", 1.4, 2.6), ("fast", 0.42, 0.78), ("instant", 0, 0)]
)
async def test_a_table_may_have_faster_computers(pace: Pace, least: float, most: float) -> None:
    opened, clock = replace(table("cardlebones", *robots("cardlebones")), pace=pace), VirtualClock()
    await play_computers(await service_with(opened, clock), opened.id, Manner(luck.rng(), 2.0))
    assert clock.slept
    assert all(least <= pause <= most for pause in clock.slept)


async def test_a_faster_table_does_not_tell_who_has_a_secret_choice() -> None:
    game, clock = replace(secret(Player("Lola", "normal")), pace="instant"), VirtualClock()
    await play_computers(await service_with(game, clock), game.id, Manner(luck.rng(), 1.0))
    assert 2.0 <= clock.slept[0] <= 6.0
    assert set(clock.slept[1:]) == {0.0}


async def test_the_moves_follow_from_the_table_and_not_from_its_deal() -> None:
    same, other = (table("casino", *robots("casino")) for _ in range(2))
    assert same.state == other.state
    logs = [
        played(await play_computers(await service_with(opened), opened.id, Manner(luck.rng(n), 0)))[1:]
        for n, opened in enumerate((same, same, other))
    ]
    assert logs[0] == logs[1] != logs[2]


@every_game
async def test_a_game_goes_on_the_same_where_another_process_takes_it_up(key: str) -> None:
    opened = table(key, *robots(key))
    whole = await play_computers(await service_with(opened), opened.id, Manner(luck.rng("one"), 0))
    store, clock = MemoryStore(), VirtualClock()
    killed = ComputerPlayers(await service_with(opened, clock, store), Manner(luck.rng("killed"), 1.0))
    await killed._service.resume(opened.id)
    while not (await killed._service.table(opened.id)).stamp:
        await clock.sleep(1)
    await killed.close()
    service = TableService(store, clock)
    left = await service.table(opened.id)
    assert 0 < left.stamp < whole.stamp
    computer_players = ComputerPlayers(service, Manner(luck.rng("other"), 1.0))
    await service.resume(opened.id)
    ended = played(await over(service, opened.id))
    # Those who can act at once do so in the order in which their pauses end, and pauses differ.
    expected = played(left) if acted_at_once(whole) else played(whole)
    assert ended[: len(expected)] == expected
    await computer_players.close()


async def test_computers_wait_for_people_and_never_play_for_them() -> None:
    game, rng, people = table("casino", Player("Ana"), Player("Lola", "normal")), luck.rng(), 0
    service = await service_with(game)
    while not game.result:
        game = await play_computers(service, game.id, Manner(rng, 1))
        assert game.result or game.active() == (0,)
        assert [entry.seat for entry in game.entries if entry.kind == "move"].count(0) == people
        if not game.result:
            move = str(choose(game.game, game.state, 0, "easy", rng))
            game = await service.change(game.id, lambda table: table.play(0, move))  # noqa: B023
            people += 1
    # Each of two players plays half of the 40 cards.
    assert people == 20


async def test_computers_move_by_the_method_of_the_table_only(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Seat] = []
    play = Table.play

    def listen(table: Table, seat: Seat, action: str | Mapping[str, Any]) -> Table:
        heard.append(seat)
        return play(table, seat, action)

    monkeypatch.setattr(Table, "play", listen)
    opened = table("cardlebones", *robots("cardlebones"))
    game = await play_computers(await service_with(opened), opened.id, Manner(luck.rng(), 0))
    assert heard == [entry.seat for entry in game.entries if entry.kind == "move"]


async def interrupted(opened: Table, transition: Transition) -> tuple[Table, VirtualClock]:
    """Lets computers play a table that is changed during the first computer's pause; table and clock."""

    async def change(seconds: float) -> None:
        if len(clock.slept) == 1:
            await service.change(opened.id, transition)

    clock = VirtualClock(on_sleep=change)
    service = await service_with(opened, clock)
    return await play_computers(service, opened.id, Manner(luck.rng(), 1)), clock


async def test_a_computer_makes_no_move_after_the_clock_has_made_it() -> None:
    opened = table("cardlebones", *robots("cardlebones"))
    game, clock = await interrupted(opened, lambda table: table.time_out(table.active()[0]))
    assert [entry.kind for entry in game.entries].count("timeout") == 1
    assert len(clock.slept) == game.stamp


async def test_a_computer_does_not_move_for_a_person_who_has_come_back() -> None:
    opened = table("cardlebones", Player("Ana", person="ana"), Player("Beto", person="beto"))
    while opened.active() != (0,):
        opened = opened.time_out(opened.active()[0])
    away = opened.add("hold", 0, level="easy")
    game, _ = await interrupted(away, lambda table: table.add("back", 0, person="ana"))
    assert (game.entries[len(away.entries) :][0].kind, game.stamp) == ("back", away.stamp)
    assert game.active() == (0,)


async def test_a_computer_does_not_move_at_a_table_that_was_closed() -> None:
    opened = table("cardlebones", *robots("cardlebones"))
    game, _ = await interrupted(opened, lambda table: table.add("end", reason="stopped"))
    assert (game.status, game.stamp) == ("over", 0)


async def test_an_attendance_that_is_cancelled_leaves_no_task_behind() -> None:
    opened = table("cardlebones", *robots("cardlebones"))
    service, before = await service_with(opened), asyncio.all_tasks()
    manner = Manner(luck.rng(), 0, ready=asyncio.Event().wait)
    attendance = asyncio.create_task(play_computers(service, opened.id, manner))
    await settle()
    assert len(asyncio.all_tasks() - before) > 2
    attendance.cancel()
    await asyncio.gather(attendance, return_exceptions=True)
    assert asyncio.all_tasks() == before


async def test_computers_can_be_held_back() -> None:
    opened, gate = table("cardlebones", *robots("cardlebones")), asyncio.Event()
    service = await service_with(opened)
    attendance = asyncio.create_task(
        play_computers(service, opened.id, Manner(luck.rng(), 0, ready=gate.wait))
    )
    await settle()
    assert (await service.table(opened.id)).stamp == 0
    gate.set()
    assert (await attendance).result is not None


def secret(holder: Player) -> Table:
    """A table of three at the secret exchange, whose first seat holds the three of hearts."""
    others = [player for player in computers(3, "normal") if player != holder][:2]
    dealt = (table("casino", holder, *others, words=str(n)) for n in range(50))
    return next(table for table in dealt if table.state.phase == "exchange" and table.active() == (0,))


async def test_in_the_secret_phase_a_computer_takes_as_long_as_a_person_might() -> None:
    pauses = []
    for n in range(12):
        game, clock = secret(Player("Lola", "normal")), VirtualClock()
        await play_computers(await service_with(game, clock), game.id, Manner(luck.rng(n), 1.0))
        pauses.append(clock.slept[0])
        assert all(0.7 <= pause <= 1.3 for pause in clock.slept[1:])
    assert all(2.0 <= pause <= 6.0 for pause in pauses)
    assert len(set(pauses)) == len(pauses)
    assert max(pauses) - min(pauses) > 1


async def test_in_the_secret_phase_computers_without_the_card_do_nothing() -> None:
    game, clock = secret(Player("Ana")), VirtualClock()
    game = await play_computers(await service_with(game, clock), game.id, Manner(luck.rng(), 1.0))
    assert (clock.slept, game.stamp) == ([], 0)


async def test_computers_that_must_act_think_at_the_same_time(throw_in: Game[State, View]) -> None:
    opened, clock = throwing_in(throw_in, "8H 9H", "7S 6S", "7D 9S", level="normal"), VirtualClock()
    service, began = await service_with(opened, clock), clock.now()
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 10.0))
    await service.resume(opened.id)
    table = opened
    while table.stamp < 2:
        table = await service.changed(opened.id, len(table.entries))
    moves = {(entry.seat, entry.body["move"]) for entry in table.entries[-2:]}
    assert moves == {(1, "throw 7S"), (2, "throw 7D")}
    assert len({entry.at for entry in table.entries[-2:]}) == 2
    assert clock.now() - began <= 13
    await computer_players.close()


def chose(opened: Table, played: Table) -> set[Seat]:
    """The seats that have moved when they had a choice; a forced move needs no thought."""
    replayed, found = opened, set[Seat]()
    for entry in played.entries[len(opened.entries) :]:
        if entry.kind == "move" and not replayed.only_move(seat_of(entry)):
            found.add(seat_of(entry))
        replayed = replayed.after(entry)
    return found


def seat_of(entry: Entry) -> Seat:
    assert entry.seat is not None
    return entry.seat


async def test_computers_that_can_only_pass_do_so_together(throw_in: Game[State, View]) -> None:
    opened, clock = throwing_in(throw_in, "7H 8H", "6S 9D", "9S 6D", "8D 8C"), VirtualClock()
    for seat in (1, 2, 3):
        opened = opened.add("hold", seat, level="normal")
    game = await play_computers(await service_with(opened, clock), opened.id, Manner(luck.rng(), 1.0))
    moves = game.entries[len(opened.entries) :][:3]
    assert sorted((seat_of(entry), entry.body["move"]) for entry in moves) == [
        (1, "pass"),
        (2, "pass"),
        (3, "pass"),
    ]
    assert len({entry.at for entry in moves}) == 1


async def test_while_it_is_secret_who_has_a_choice_no_computer_moves_with_another(
    throw_in: Game[State, View], monkeypatch: pytest.MonkeyPatch
) -> None:
    public = type(throw_in).awaited

    def awaited(game: Any, view: View) -> Awaited:
        return public(game, view)._replace(secret=True)

    monkeypatch.setattr(type(throw_in), "awaited", awaited)
    opened, clock = throwing_in(throw_in, "7H 8H", "6S 9D", "9S 6D", "8D 8C"), VirtualClock()
    for seat in (1, 2, 3):
        opened = opened.add("hold", seat, level="normal")
    game = await play_computers(await service_with(opened, clock), opened.id, Manner(luck.rng(), 1.0))
    assert len({entry.at for entry in game.entries[len(opened.entries) :][:3]}) == 3


class SlowThinker(InlineThinker):
    """A thinker during whose first thought something happens at the table."""

    def __init__(self, happens: Callable[[], Awaitable[object]]) -> None:
        self.happens = happens
        self.queries: list[Query] = []

    async def choose(self, query: Query) -> Move:
        move = await super().choose(query)
        self.queries.append(query)
        if len(self.queries) == 1:
            await self.happens()
        return move


async def thought_over(opened: Table, transition: Transition) -> tuple[Table, list[Query]]:
    """Lets computers play a table that is changed while the first computer thinks; table and queries."""
    service = await service_with(opened)
    thinker = SlowThinker(lambda: service.change(opened.id, transition))
    return await play_computers(service, opened.id, Manner(luck.rng(), 1.0, thinker)), thinker.queries


async def test_a_forced_move_needs_no_thought(throw_in: Game[State, View]) -> None:
    opened = throwing_in(throw_in, "7H 8H", "6S 9D").add("hold", 1, level="hard")
    game, queries = await thought_over(opened, lambda table: table.add("end", reason="stopped"))
    first = next(entry for entry in game.entries if entry.kind == "move")
    assert (first.seat, first.body["move"]) == (1, "pass")
    assert [query.moves for query in queries] == [(Move("lead", ("6S",)), Move("lead", ("9D",)))]


async def test_a_computer_whose_view_changes_while_it_thinks_thinks_again(
    throw_in: Game[State, View],
) -> None:
    opened = throwing_in(throw_in, "7H 8H", "7S 6S", "9S").add("hold", 1, level="normal")
    game, queries = await thought_over(opened, lambda table: table.play(2, "pass"))
    first, second = queries[:2]
    assert (first.view, second.view) == (opened.view(1), opened.play(2, "pass").view(1))
    assert [(entry.seat, entry.body["move"]) for entry in game.entries[-4:-2]] == [
        (2, "pass"),
        (1, "throw 7S"),
    ]


async def test_a_computer_plays_nothing_that_it_thought_of_before_a_move_was_taken_back() -> None:
    opened = table("cardlebones", Player("Ana", person="ana"), Player("Lola", "normal"))
    while opened.active() != (0,):
        opened = opened.time_out(opened.active()[0])
    moved = opened.play(0, str(next(iter(opened.game.moves(opened.state, 0)))))
    while moved.active() == (0,):
        moved = moved.play(0, str(next(iter(moved.game.moves(moved.state, 0)))))
    game, queries = await thought_over(moved, partial(taken_back, seat=0))
    assert (len(queries), game.entries[-1].kind, game.active()) == (1, "undo", (0,))


async def test_a_person_who_comes_back_while_the_computer_thinks_makes_the_move() -> None:
    opened = table("cardlebones", Player("Ana", person="ana"), Player("Beto", person="beto"))
    while opened.active() != (0,):
        opened = opened.time_out(opened.active()[0])
    away = opened.add("hold", 0, level="hard")
    game, queries = await thought_over(away, lambda table: table.add("back", 0, person="ana"))
    assert (len(queries), game.entries[-1].kind, game.active()) == (1, "back", (0,))


async def test_a_computer_pauses_once_though_another_moves_meanwhile(throw_in: Game[State, View]) -> None:
    opened = throwing_in(throw_in, "7H 8H", "7S 6S", "9S")
    opened = opened.add("hold", 1, level="normal")
    game, clock = await interrupted(opened, lambda table: table.play(2, "pass"))
    assert [(entry.seat, entry.body["move"]) for entry in game.entries[-4:]] == [
        (2, "pass"),
        (1, "throw 7S"),
        (1, "pass"),
        (1, "lead 6S"),
    ]
    assert len(clock.slept) == 3


async def test_a_computer_is_not_asked_where_it_only_may_act(throw_in: Game[State, View]) -> None:
    opened = throwing_in(throw_in, "7H 8H", "7S 6S", "9S").add("hold", 0, level="normal")
    clock = VirtualClock()
    game = await play_computers(await service_with(opened, clock), opened.id, Manner(luck.rng(), 1.0))
    assert (game.stamp, clock.slept) == (0, [])


async def test_a_computer_that_must_act_is_heard_while_another_is_still_thinking(
    throw_in: Game[State, View],
) -> None:
    opened, clock = (
        throwing_in(throw_in, "7H 8H", "7S 6S", "9S", "8D").add("hold", 1, level="easy"),
        VirtualClock(),
    )
    service = await service_with(opened, clock)
    attendance = asyncio.create_task(play_computers(service, opened.id, Manner(luck.rng(), 100.0)))
    await clock.sleep(10)
    await service.change(opened.id, lambda table: table.add("hold", 2, level="easy"))
    began = clock.now()
    await attendance
    (entry,) = (
        entry for entry in (await service.table(opened.id)).entries if (entry.kind, entry.seat) == ("move", 2)
    )
    assert entry.at - began <= 130


async def test_for_a_computer_that_fails_only_its_own_clock_moves(
    throw_in: Game[State, View], monkeypatch: pytest.MonkeyPatch
) -> None:
    think = type(throw_in).think

    def fail(game: Any, view: Any, moves: Any, rng: Any, level: Level) -> Any:
        if view.seat == 2:
            raise RuntimeError
        return think(game, view, moves, rng, level)

    monkeypatch.setattr(type(throw_in), "think", fail)
    hands = "7H 8H 10H", "7S 6S", "9S 9D 7D", "8D 10D 8C"
    opened, clock = throwing_in(throw_in, *hands, level="normal"), VirtualClock()
    service = await service_with(opened, clock)
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    await service.resume(opened.id)
    game = await over(service, opened.id)
    assert {entry.seat for entry in game.entries if entry.kind == "timeout"} == {2}
    assert chose(opened, game) == {0, 1, 3}
    await computer_players.close()


@pytest.mark.parametrize("level", LEVELS)
async def test_computers_play_a_game_in_which_several_act_at_once(
    level: Level, throw_in: Game[State, View]
) -> None:
    opened = table("throw_in", *robots("throw_in", level))
    game = await play_computers(
        await service_with(opened, VirtualClock()), opened.id, Manner(luck.rng(), 1.0)
    )
    assert game.result is not None
    assert len(game.result.winners) == len(game.players) - 1
    assert {entry.kind for entry in game.entries[len(game.players) + 2 :]} == {"move"}


def _numbered(table: Table, number: int) -> Table:
    return replace(table, number=number)


async def over(service: TableService, game: GameId) -> Table:
    """Waits until a table is over; returns the table."""
    seen = await service.table(game)
    while seen.status != "over":
        seen = await service.changed(game, len(seen.entries))
    return seen


async def test_computers_play_at_every_table_of_the_service() -> None:
    service = TableService(MemoryStore(), VirtualClock())
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    opened = [table("cardlebones", *robots("cardlebones"), words=str(n)) for n in range(3)]
    for game in opened:
        await service.open(game.place, partial(_numbered, game))
    assert [(await over(service, game.id)).status for game in opened] == ["over"] * 3
    await computer_players.close()


async def test_computers_go_on_with_a_table_of_an_earlier_process() -> None:
    store, opened = MemoryStore(), table("cardlebones", *robots("cardlebones"))
    await service_with(opened, store=store)
    service = TableService(store, VirtualClock())
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    await service.resume(opened.id)
    assert (await over(service, opened.id)).result is not None
    await computer_players.close()


async def test_a_computer_plays_for_a_person_who_leaves() -> None:
    opened = table("cardlebones", Player("Ana", person="ana"), Player("Beto", person="beto"))
    service = await service_with(opened)
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    game = await service.change(opened.id, partial(lobby.leave, person="ana"))
    while game.status != "over":
        if game.active() == (1,):
            game = await service.change(opened.id, lambda table: table.time_out(1))
        else:
            game = await service.changed(opened.id, len(game.entries))
    assert {entry.seat for entry in game.entries if entry.kind == "move"} == {0}
    await computer_players.close()


async def test_computers_never_play_on_among_themselves() -> None:
    opened, clock = (
        table("cardlebones", Player("Ana", person="ana"), Player("Beto", person="beto")),
        VirtualClock(),
    )
    service = await service_with(opened, clock)
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    for person in ("ana", "beto"):
        game = await service.change(opened.id, partial(lobby.leave, person=person))
    await clock.sleep(60)
    assert (await service.table(opened.id)).entries == game.entries
    (waiting,) = game.active()
    # The other one comes back, so that the computer may move.
    game = await service.change(opened.id, partial(lobby.come_back, person=("beto", "ana")[waiting]))
    await clock.sleep(60)
    moves = [entry.seat for entry in (await service.table(opened.id)).entries[len(game.entries) :]]
    assert set(moves) == {waiting}
    await computer_players.close()


async def test_for_a_computer_that_fails_the_clock_moves_and_its_words_are_not_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("5S 10H")

    monkeypatch.setattr(type(games()["cardlebones"]), "think", fail)
    opened, clock = table("cardlebones", *robots("cardlebones")), VirtualClock()
    service = await service_with(opened, clock)
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    await service.resume(opened.id)
    game = await over(service, opened.id)
    assert {entry.kind for entry in game.entries[4:]} >= {"timeout"}
    assert chose(opened, game) == set()
    assert "RuntimeError, test_computers.py" in caplog.text
    assert "10H" not in caplog.text
    await computer_players.close()


async def test_where_the_store_fails_the_computers_try_again(caplog: pytest.LogCaptureFixture) -> None:
    store, opened = FaultyStore(), table("cardlebones", *robots("cardlebones"))
    clock = VirtualClock()
    service = await service_with(opened, clock, store)
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    store.fails = "before"
    await service.resume(opened.id)
    await clock.sleep(5)
    assert (await service.table(opened.id)).stamp == 0
    store.fails = ""
    assert (await over(service, opened.id)).result is not None
    assert "StoreError" in caplog.text
    await computer_players.close()


class Hiccups(FaultyStore):
    """A store that refuses every third batch."""

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash | Full:
        self.asked += 1
        if self.asked % 3 == 0:
            raise StoreError("the line is dead")
        return await super().append(batch)

    asked = 0


async def test_a_store_that_fails_now_and_then_costs_a_computer_no_move() -> None:
    opened = table("cardlebones", *robots("cardlebones"))
    service = await service_with(opened, store=Hiccups())
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    await service.resume(opened.id)
    game = await over(service, opened.id)
    assert {entry.kind for entry in game.entries[4:]} == {"move"}
    await computer_players.close()


async def test_no_computer_moves_after_they_are_closed() -> None:
    store, opened = FaultyStore(), table("cardlebones", *robots("cardlebones"))
    clock = VirtualClock()
    service = await service_with(opened, clock, store)
    computer_players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    store.gate.clear()
    await service.resume(opened.id)
    await clock.sleep(5)
    await computer_players.close()
    store.gate.set()
    await service.close()
    stamp = (await service.table(opened.id)).stamp
    await settle()
    assert (stamp, (await service.table(opened.id)).stamp) == (1, 1)
    assert computer_players._tasks == {}
