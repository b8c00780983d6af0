"""Whole games of every kind, with people and computers, on a simulated Discord."""

from __future__ import annotations

import random
from typing import Any

from simcord.results import ResponseMessage

from engines import games
from tests import luck
from tests.adapters.discord.world import Player, Shown, World, actions, opened
from tests.support.games import every_game

MOST = 1500
"""Presses, or waits for computers, after which a game counts as endless."""


async def begun(world: World, key: str, most: int = 3) -> tuple[Player, Player]:
    """Starts a game of two players, in two languages; computers fill up to `most` seats."""
    ana, bob = world.player("Ana"), world.player("Bob", locale="es-ES")
    seats = min(most, games()[key].seats[-1])
    await ana.types("new", game=key, level="easy", players=seats)
    await bob.presses(world.public_panel, "Join")
    await ana.presses(world.public_panel, "Start")
    return ana, bob


async def press_on(player: Player, page: Shown, rng: random.Random) -> None:
    """Presses one button for the awaited player, on the player's own page."""
    offered = _offers(page)
    # Good moves are listed first; purely random play makes games long.
    await player.clicks(page, rng.choice(offered) if rng.random() < 0.2 else offered[0])


def _offers(page: Shown) -> list[dict[str, Any]]:
    """The buttons that make a move, or else those that pick a word of one."""
    return actions(page, "move", "done", "sure") or actions(page, "pick", "add")


async def next_player(world: World) -> Player | None:
    """The next awaited player, after the computers have moved; None when the game is over."""
    for _ in range(MOST):
        if player := await world.awaited(world.players):
            return player
        if (await world.table()).status == "over":
            return None
        await world.clock.advance(5)
    raise AssertionError("the computers do not stop")


@every_game
async def test_a_whole_game_by_private_message(key: str) -> None:
    rng = luck.rng(key)
    async with opened() as world:
        await begun(world, key)
        for _ in range(MOST):
            if (player := await next_player(world)) is None:
                break
            await press_on(player, player.panel, rng)
        assert (await world.table()).status == "over"
        assert world.scan.read_with_cards > 10


@every_game
async def test_a_whole_game_by_pages_that_one_alone_sees(key: str) -> None:
    rng, own = luck.rng(key), "My hand" if games()[key].hidden else "Play in private"
    async with opened() as world:
        world.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
        await begun(world, key, 2)
        pages: dict[int, ResponseMessage] = {}
        for _ in range(MOST):
            if (player := await next_player(world)) is None:
                break
            if id(player) not in pages:
                result = await player.presses(world.public_panel, own)
                # A press on a message that is about to be edited edits it first.
                [pages[id(player)]] = (
                    answer for answer in (result.response, *result.followups) if answer and answer.ephemeral
                )
            # The page follows the moves of others too; its player's only move may have been made for them.
            if _offers(pages[id(player)]):
                await press_on(player, pages[id(player)], rng)
        assert all(actions(page, "rematch") for page in pages.values())
        assert (await world.table()).status == "over"
        assert world.scan.read_with_cards > 10


@every_game
async def test_a_game_goes_on_after_restarts(key: str) -> None:
    rng = luck.rng(key)
    async with opened() as world:
        await begun(world, key)
        for press in range(12):
            if (player := await next_player(world)) is None:
                break
            if press % 4 == 3:
                await world.restart()
            stamp, shown = (await world.table()).stamp, player.panel.content
            await press_on(player, player.panel, rng)
            assert (await world.table()).stamp > stamp or player.panel.content != shown
