"""Whole games on both fake platforms, played only by pressing buttons that the players see."""

from __future__ import annotations

import random
from itertools import count

import pytest

from bot.inbox.moves import menus
from bot.model.leaderboards import Leaderboard
from bot.tables.table import Table
from engines import games
from tests import luck
from tests.engines.playing import house_rules
from tests.support.guild import Guild
from tests.support.long import LONG
from tests.support.players import MENU, Player, offer, offers
from tests.support.simulation import Simulation, guest, place, simulation

LONGEST = 6 * 3600.0
"""Virtual seconds within which a game must end; each player presses about every four seconds."""
NAMES = ("Ana", "Benito", "Carla", "Dora", "Emil", "Fe")

tables = [
    pytest.param(key, platform, people, id=f"{key}, {platform}, {people}")
    for key, game in games().items()
    for platform in (0, 1)
    for people in game.seats
    # Two people sit at tables of both platforms, more at one of them, except in the long mode.
    if LONG or people <= 2 or people % 2 == platform
]


@pytest.fixture(autouse=True)
def compress_menus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compresses each menu at once, as the bot later compresses all but those of its latest readers."""
    monkeypatch.setattr(menus, "_MOST_UNCOMPRESSED", 0)


async def seat(simulation: Simulation, key: str, platform: int, people: int) -> tuple[list[Player], str]:
    """Opens a table, sets its house rules and seats the players by presses; returns players and table id."""
    game, fake = games()[key], simulation.platforms[platform]
    locales = ("es", "en") if people % 2 else ("en", "es")
    guests = [
        guest(fake, name.casefold(), name, locale=locales[n % 2], opened=n != 1)
        for n, name in enumerate(NAMES[:people])
    ]
    players = [Player(one, luck.rng(f"{key} {platform} {one.name}")) for one in guests]
    square = place(fake, "square", *guests)
    await guests[0].command(square, "new", game=key)
    await simulation.clock.sleep(5)
    (table,) = simulation.checker.tables
    # In this rotation only the long mode plays the ten hands of boathouse, which are the same ten times over.
    rules = list(house_rules(game))
    for option, value in rules[(people + 3 * platform + 1) % len(rules)].items():
        await choose(simulation, players[0], table, option, value)
    for player in players[1:]:
        assert await player.do("join", table)
        await simulation.clock.sleep(2)
        if not isinstance(fake, Guild) and player.guest.user in fake.closed:
            await player.guest.open_chat()
    if people < game.seats[-1] and platform == people % 2:
        assert await players[0].do("add_computer", table)
    assert await players[-1].do("cut", table, "¡A♠ <b>`x`!")
    await simulation.clock.sleep(5)
    return players, table


async def choose(simulation: Simulation, player: Player, table: str, option: str, value: str) -> None:
    """Sets a house rule by presses; fails if no number of presses reaches the value."""
    game = simulation.checker.tables[table].game
    assert await player.do("house_rules", table)
    number = [rule.name for rule in game.options].index(option)
    for _ in game.options[number].values:
        page = (one for one in player.guest.seen() if any(":set_rule:" in key.data for key in one.buttons))
        message = list(page)[-1]
        button = next(key for key in message.buttons if f":set_rule:{number} " in key.data)
        await player.guest.press(message, button)
        await simulation.clock.sleep(1)
        if simulation.checker.tables[table].options.get(option) == value:
            return
    raise AssertionError(f"{option}={value} could not be pressed")


async def play(simulation: Simulation, players: list[Player], table: str) -> None:
    """The players press in turn until the game is over; checks regularly that panels are current."""
    began = simulation.clock.now()
    for n in count():
        if simulation.checker.tables[table].status == "over":
            return
        assert simulation.clock.now() - began < LONGEST, "the game does not end"
        player = players[n % len(players)]
        if not await player.move(table):
            # A computer holds the seat if a turn of many presses ran out of time.
            await player.do("back", table)
        await simulation.clock.sleep(4 / len(players))
        if n % 5 == 0:
            assert outdated(simulation, players, table) == []


def outdated(simulation: Simulation, players: list[Player], table: str) -> list[str]:
    """The names of awaited players who are reachable but have no current menu button in private messages."""
    now = simulation.checker.tables[table]
    # In the guild the second player's private chat stays closed.
    reachable = [
        player
        for player in players
        if not (isinstance(player.guest.platform, Guild) and player is players[1])
    ]
    active = [seat for seat in now.active() if not now.players[seat].is_held]
    awaited = [player for player in reachable if seat_of(simulation, player, table) in active]
    return [
        one.guest.name
        for one in awaited
        if not any(
            found.own and found.callback.action in MENU and found.callback.stamp == now.stamp
            for found in offers(one.guest, table)
        )
    ]


def seat_of(simulation: Simulation, player: Player, table: str) -> int | None:
    person = simulation.store.who(player.guest.platform.key, player.guest.user)
    return simulation.checker.tables[table].seat_of(person)


@pytest.mark.parametrize(("key", "platform", "people"), tables)
async def test_every_game_is_played_to_its_end_by_presses(key: str, platform: int, people: int) -> None:
    async with simulation(f"{key} {platform} {people}") as one:
        players, table = await seat(one, key, platform, people)
        assert await players[0].do("start", table)
        await one.clock.sleep(5)
        await play(one, players, table)
        await one.clock.sleep(60)
        shown = [offer(player.guest, "rematch", table) is not None for player in players]
        assert shown == [True] * people
        assert one.checker.tables[table].result is not None
        assert one.groups.laters == 0
        assert one.scan.read_with_cards > 10


@pytest.mark.parametrize(
    ("key", "platform", "people"),
    [
        (key, platform, people)
        for n, key in enumerate(games())
        for platform in (0, 1)
        for people in (1, 2)
        if LONG or (n + platform + people) % 2
    ],
)
async def test_every_game_is_played_to_its_end_though_moves_are_taken_back(
    key: str, platform: int, people: int
) -> None:
    """Now and then a player presses Take back, and then an older button; the others agree or not."""
    async with simulation(f"{key} {platform} {people} back") as one:
        players, table = await seat(one, key, platform, people)
        assert await players[0].do("start", table)
        await one.clock.sleep(5)
        rng = luck.rng(key, platform, people)
        began = one.clock.now()
        while one.checker.tables[table].status == "playing" and one.clock.now() - began < LONGEST:
            player = rng.choice(players)
            done = one.checker.tables[table].taken_back
            if rng.random() < 0.1 or not done:
                await take_back(one, rng, player, table)
                answer = "refuse" if done and rng.random() < 0.2 else "agree"
                for other in players:
                    await other.do(answer, table)
            await player.move(table)
            await one.clock.sleep(4 / len(players))
        await one.clock.sleep(60)
        over = one.checker.tables[table]
        assert over.result is not None
        assert Table.replay(over.entries, over.seed_source) == over
        assert [entry.kind for entry in over.entries].count("undo") > 0
        for alone in (False, True):
            assert (await one.store.leaderboard(Leaderboard(alone=alone), "", 0, 9)).lines == ()
        assert one.scan.read_with_cards > 10


async def take_back(simulation: Simulation, rng: random.Random, player: Player, table: str) -> None:
    """Presses Take back; if the move is taken back at once, an older button then changes nothing."""
    shown = [found for found in offers(player.guest, table) if found.callback.action in ("move", "undo")]
    before = simulation.checker.tables[table]
    await player.do("undo", table)
    after = simulation.checker.tables[table]
    shown = [found for found in shown if found.message in player.guest.seen()]
    if shown and "undo" in [entry.kind for entry in after.entries[len(before.entries) :]]:
        await player.press(rng.choice(shown))
        later = simulation.checker.tables[table].entries[len(after.entries) :]
        assert [entry for entry in later if entry.seat == seat_of(simulation, player, table)] == []
    await simulation.clock.sleep(5)


async def test_the_same_evening_is_the_same_to_the_letter() -> None:
    async def told(seed: str) -> list[str]:
        async with simulation(seed) as one:
            players, table = await seat(one, "casino", 0, 2)
            assert await players[0].do("start", table)
            await play(one, players, table)
            return [sent.raw for sent in one.guild.sent]

    first = await told("S")
    assert (await told("S") == first, await told("T") == first) == (True, False)
