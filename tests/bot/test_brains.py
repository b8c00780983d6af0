"""Computer players: their levels, their pauses, and that they play by the rules only."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any

import pytest

from bot import brains
from bot.brains import NAMES, attend, choose, computers, play_out
from bot.fair import Given
from bot.model import LEVELS, Level, Player
from bot.table import Table
from engines import games
from engines.game import Seat
from tests.fakes import FakeClock

every_game = pytest.mark.parametrize("key", list(games()))


def table(key: str, *players: Player, words: str = "S", **options: str) -> Table:
    table = Table.open(key, options, luck=Given(words))
    for player in players:
        table.sit(player)
    table.start()
    return table


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
    game, rng = games()[key], random.Random(3)
    state = game.new(game.seats[0], b"seed", {})
    while game.result(state) is None:
        seat = next(seat for seat in range(game.seats[0]) if game.choices(state, seat).words)
        move = choose(game, state, seat, level, rng)
        assert move in list(game.moves(state, seat))
        state, _ = game.apply(state, seat, move)


@every_game
def test_a_normal_computer_plays_what_it_thinks_from_its_own_view(key: str) -> None:
    game = games()[key]
    state = game.new(game.seats[0], b"seed", {})
    seat = next(seat for seat in range(game.seats[0]) if game.choices(state, seat).words)
    dreamt = game.imagine(game.view(state, seat), random.Random(5))
    assert dreamt != state
    thought = game.think(game.view(state, seat), list(game.moves(state, seat)), random.Random(1))
    assert choose(game, state, seat, "normal", random.Random(1)) == thought
    assert choose(game, dreamt, seat, "normal", random.Random(1)) == thought


def test_an_easy_computer_often_plays_what_comes_to_mind() -> None:
    game = games()["cardlebones"]
    state = game.new(2, b"seed", {})
    seen = {str(choose(game, state, state.turn, "easy", random.Random(n))) for n in range(200)}
    assert seen == set(map(str, game.moves(state, state.turn)))


@every_game
def test_a_normal_computer_beats_one_that_plays_anything(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brains, "_CARELESS", 1.0)
    won = 0.0
    for n in range(20):
        levels: list[Level] = ["normal", "easy"] if n % 2 else ["easy", "normal"]
        result, _ = play_out(games()[key], levels, f"{n}".encode(), {}, random.Random(n))
        won += (levels.index("normal") in result.winners) / len(result.winners)
    assert won > 11


@every_game
def test_playing_out_is_reproducible(key: str) -> None:
    game = games()[key]
    levels: list[Level] = ["easy"] * game.seats[-1]
    first = play_out(game, levels, b"seed", {}, random.Random(1))
    assert play_out(game, levels, b"seed", {}, random.Random(1)) == first
    assert len(first[0].scores) == game.seats[-1]
    assert first[1] > 0
    others = [play_out(game, levels, f"seed {n}".encode(), {}, random.Random(1)) for n in range(5)]
    assert any(other != first for other in others)


def played(table: Table) -> list[tuple[Seat | None, Mapping[str, Any]]]:
    return [(entry.seat, entry.body) for entry in table.entries]


@every_game
async def test_computers_play_a_whole_game_and_rest_before_each_move(key: str) -> None:
    game, clock = table(key, *robots(key)), FakeClock()
    await attend(game, clock, random.Random(1), pace=2.0)
    assert game.result is not None
    assert len(clock.slept) == game.stamp
    assert {entry.kind for entry in game.entries[len(game.players) + 2 :]} == {"move"}


async def test_a_computer_takes_about_a_pace_and_never_exactly() -> None:
    game, clock = table("cardlebones", *robots("cardlebones")), FakeClock()
    await attend(game, clock, random.Random(1), pace=2.0)
    assert all(1.4 <= pause <= 2.6 for pause in clock.slept)
    assert len(set(clock.slept)) == len(clock.slept)


async def test_the_same_seed_is_the_same_game() -> None:
    logs = []
    for _ in range(2):
        game = table("casino", *robots("casino", "easy"))
        await attend(game, FakeClock(), random.Random("S"), pace=0)
        logs.append(played(game)[1:])
    assert logs[0] == logs[1]


async def test_computers_wait_for_people_and_never_play_for_them() -> None:
    game, rng, people = table("casino", Player("Ana"), Player("Lola", "normal")), random.Random(1), 0
    attendance = asyncio.create_task(attend(game, FakeClock(), rng, pace=1))
    while not game.result:
        for _ in range(10):
            await asyncio.sleep(0)
        assert game.result or game.awaited() == (0,)
        assert [entry.seat for entry in game.entries if entry.kind == "move"].count(0) == people
        if not game.result:
            await game.play(0, str(choose(game.game, game.state, 0, "easy", rng)))
            people += 1
    await attendance
    assert people == 20


async def test_computers_play_through_the_door_of_the_table_only(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Seat] = []
    door = Table.play

    async def listen(table: Table, seat: Seat, action: str | Mapping[str, Any]) -> None:
        heard.append(seat)
        await door(table, seat, action)

    monkeypatch.setattr(Table, "play", listen)
    game = table("cardlebones", *robots("cardlebones"))
    await attend(game, FakeClock(), random.Random(1), pace=0)
    assert heard == [entry.seat for entry in game.entries if entry.kind == "move"]


class Interrupting(FakeClock):
    """While a computer thinks, the clock of the table runs out for it."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        if len(self.slept) == 1:
            await self.table.time_out(self.table.awaited()[0])


async def test_a_computer_thinks_again_if_something_happened_meanwhile() -> None:
    game = table("cardlebones", *robots("cardlebones"))
    clock = Interrupting(game)
    await attend(game, clock, random.Random(1), pace=1)
    assert [entry.kind for entry in game.entries].count("timeout") == 1
    assert len(clock.slept) == game.stamp


def secret(holder: Player) -> Table:
    """A table of three whose first seat holds the three of hearts and is asked in secret."""
    others = [player for player in computers(3, "normal") if player != holder][:2]
    dealt = (table("casino", holder, *others, words=str(n)) for n in range(50))
    return next(table for table in dealt if table.state.phase == "exchange" and table.awaited() == (0,))


async def test_in_the_secret_phase_a_computer_takes_as_long_as_a_person_might() -> None:
    pauses = []
    for n in range(12):
        game, clock = secret(Player("Lola", "normal")), FakeClock()
        await attend(game, clock, random.Random(n), pace=1.0)
        pauses.append(clock.slept[0])
        assert all(0.7 <= pause <= 1.3 for pause in clock.slept[1:])
    assert all(2.0 <= pause <= 6.0 for pause in pauses)
    assert len(set(pauses)) == len(pauses)
    assert max(pauses) - min(pauses) > 2


async def test_in_the_secret_phase_computers_without_the_card_do_nothing() -> None:
    game, clock = secret(Player("Ana")), FakeClock()
    attendance = asyncio.create_task(attend(game, clock, random.Random(1), pace=1.0))
    for _ in range(20):
        await asyncio.sleep(0)
    assert (clock.slept, game.stamp) == ([], 0)
    attendance.cancel()
    await asyncio.gather(attendance, return_exceptions=True)
