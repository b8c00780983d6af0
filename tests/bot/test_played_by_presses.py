"""Whole games through both fake platforms, by nothing but presses on buttons that people see."""

from __future__ import annotations

import os
from itertools import count

import pytest

from engines import games
from tests import luck
from tests.engines.playing import house_rules
from tests.platforms.guild import Guild
from tests.presses import MENU, Player, offer, offers
from tests.village import Village, guest, place, village

LONG = bool(os.environ.get("SOBREMESA_LONG"))
"""Whether larger tables are played on both platforms, not on one of them."""
LONGEST = 6 * 3600.0
"""Virtual seconds within which a game ends, at a press every few seconds."""
NAMES = ("Ana", "Benito", "Carla", "Dora", "Emil", "Fe")

tables = [
    pytest.param(key, town, people, id=f"{key}, {town}, {people}")
    for key, game in games().items()
    for town in (0, 1)
    for people in game.seats
    if LONG or people <= 3 or people % 2 == town
]


async def seat(village: Village, key: str, town: int, people: int) -> tuple[list[Player], str]:
    """People at a table that is about to begin, with a house rule changed by presses."""
    game, fake = games()[key], village.towns[town]
    locales = ("es", "en") if people % 2 else ("en", "es")
    guests = [
        guest(fake, name.casefold(), name, locale=locales[n % 2], opened=n != 1)
        for n, name in enumerate(NAMES[:people])
    ]
    players = [Player(one, luck.rng(f"{key} {town} {one.name}")) for one in guests]
    square = place(fake, "square", *guests)
    await guests[0].command(square, "new", game=key)
    await village.clock.sleep(5)
    (table,) = village.watch.tables
    rules = list(house_rules(game))
    for option, value in rules[(people + 3 * town) % len(rules)].items():
        await choose(village, players[0], table, option, value)
    for player in players[1:]:
        assert await player.do("join", table)
        await village.clock.sleep(2)
        if not isinstance(fake, Guild) and not fake.users[player.guest.user].opened:
            await player.guest.open_chat(table)
    if people < game.seats[-1] and town == people % 2:
        assert await players[0].do("fill", table)
    assert await players[-1].do("cut", table, "¡A♠ <b>`x`!")
    await village.clock.sleep(5)
    return players, table


async def choose(village: Village, player: Player, table: str, option: str, value: str) -> None:
    """Sets a house rule by presses."""
    game = village.watch.tables[table].game
    assert await player.do("house", table)
    for _ in game.options[option]:
        number = list(game.options).index(option)
        page = (one for one in player.guest.seen() if any(":rule:" in key.data for key in one.buttons))
        message = list(page)[-1]
        button = next(key for key in message.buttons if f":rule:{number} " in key.data)
        await player.guest.press(message, button)
        await village.clock.sleep(1)
        if village.watch.tables[table].options.get(option) == value:
            return
    raise AssertionError(f"{option}={value} could not be pressed")


async def play(village: Village, players: list[Player], table: str) -> None:
    """Everybody presses in turns until the game is over."""
    began = village.clock.now()
    for n in count():
        if village.watch.tables[table].status == "over":
            return
        assert village.clock.now() - began < LONGEST, "the game does not end"
        await players[n % len(players)].move(table)
        await village.clock.sleep(4 / len(players))
        if n % 5 == 0:
            assert outdated(village, players, table) == []


def outdated(village: Village, players: list[Player], table: str) -> list[str]:
    """Who is awaited, and sees nothing by private message that they can do about it."""
    now = village.watch.tables[table]
    reachable = [one for one in players if not (isinstance(one.guest.town, Guild) and one is players[1])]
    awaited = [one for one in reachable if seat_of(village, one, table) in now.awaited()]
    return [
        one.guest.name
        for one in awaited
        if not any(
            found.own and found.callback.action in MENU and found.callback.stamp == now.stamp
            for found in offers(one.guest, table)
        )
    ]


def seat_of(village: Village, player: Player, table: str) -> int | None:
    person = village.store.who(player.guest.town.key, player.guest.user)
    return village.watch.tables[table].seat_of(person)


@pytest.mark.parametrize(("key", "town", "people"), tables)
async def test_every_game_is_played_to_its_end_by_presses(key: str, town: int, people: int) -> None:
    async with village(f"{key} {town} {people}") as one:
        players, table = await seat(one, key, town, people)
        assert await players[0].do("start", table)
        await one.clock.sleep(5)
        await play(one, players, table)
        await one.clock.sleep(60)
        shown = [offer(player.guest, "rematch", table) is not None for player in players]
        assert shown == [True] * people
        assert one.watch.tables[table].result is not None
        assert one.groups.laters == 0
        assert one.scan.read_with_cards > 10


async def test_the_same_evening_is_the_same_to_the_letter() -> None:
    async def told(seed: str) -> list[str]:
        async with village(seed) as one:
            players, table = await seat(one, "casino", 0, 2)
            assert await players[0].do("start", table)
            await play(one, players, table)
            return [sent.raw for sent in one.guild.sent]

    first = await told("S")
    assert (await told("S") == first, await told("T") == first) == (True, False)
