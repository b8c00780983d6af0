"""A game that fails, or a log that cannot be read, costs its own table; other tables go on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bot.inbox.moves import typed_moves
from bot.pages.menus.move_reading import Reading
from bot.ports import Caller
from bot.store.memory.store import MemoryStore
from bot.tables.table import UPDATED, Table
from bot.tables.turn_clock import Idle
from engines.game import Game
from engines.values import replace
from tests.support.games.throw_in.rules import State, View
from tests.support.harness import PLACE, BotHarness, bot_harness, offers, text

HIDDEN = "Something is wrong with this game, so it can't be shown now. Other tables go on."
DAMAGED = "Something is wrong with that table, so it can't go on. Open a new one."
DAMAGED_PANEL = (
    "Something is wrong with this table, so it can't go on. Its owner or a moderator can close it."
)
NOT_YOURS = "Only Ana or a moderator can do that."


@pytest.fixture
async def bot(throw_in: Game[State, View]) -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


@pytest.fixture
def failing(throw_in: Game[State, View], monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes questions to the game Throw-in fail, while a condition holds for the view that they get."""

    def fail(when: Callable[[View], bool], *questions: str) -> None:
        for question in questions:
            monkeypatch.setattr(type(throw_in), question, brittle(getattr(type(throw_in), question), when))

    return fail


def brittle(question: Callable[..., Any], when: Callable[[View], bool]) -> Callable[..., Any]:
    def ask(game: object, view: View, *more: Any) -> Any:
        if when(view):
            raise KeyError("hand of somebody: 7H")
        return question(game, view, *more)

    return ask


async def two_tables(bot: BotHarness) -> tuple[Caller, Caller]:
    """Deals Casino at table 1 and Throw-in at table 2; returns the players of both, Ana and Beto."""
    ana, beto = await bot.begin("casino", "Ana", "Beto")
    await bot.say(ana, "new", game="throw_in")
    table = await bot.table(2)
    await bot.press(beto, f"{table.id}:0:join")
    await bot.press(ana, f"{table.id}:0:start")
    assert (await bot.table(2)).status == "playing"
    return ana, beto


async def play(bot: BotHarness, people: tuple[Caller, Caller], number: int) -> None:
    """Makes the first legal move at a table by a press."""
    table = await bot.table(number)
    seat = table.active()[0]
    move = next(iter(table.game.moves(table.state, seat)))
    persons = {await bot.person(caller): caller for caller in people}
    mover = persons[table.players[seat].person or ""]
    await bot.press(mover, f"{table.id}:{table.stamp}:move:{move}")
    assert (await bot.table(number)).stamp == table.stamp + 1


def public_panels(bot: BotHarness) -> str:
    return "\n".join(map(text, bot.platform.pages("square")))


async def test_a_table_that_cannot_be_drawn_says_so_and_the_others_go_on(
    bot: BotHarness, failing: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    people = await two_tables(bot)
    failing(lambda view: view.turns % 2 == 0, "draw", "label")
    with caplog.at_level(logging.ERROR):
        while (await bot.table(2)).state.turns % 2:
            await play(bot, people, 2)
        assert HIDDEN in public_panels(bot)
        before = (await bot.table(1)).stamp
        for _ in range(3):
            await play(bot, people, 1)
    # The clock has stood still since: nothing in the chat has waited for the table that fails.
    casino = next(page for page in bot.platform.pages("square") if "Casino" in text(page))
    assert len(offers(casino, "hand")) == 1
    assert (await bot.table(1)).stamp == before + 3
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    assert "7H" not in caplog.text


async def test_a_table_is_drawn_again_as_soon_as_it_can_be(
    bot: BotHarness, failing: Callable[..., None]
) -> None:
    people = await two_tables(bot)
    failing(lambda view: view.turns % 2 == 0, "draw")
    while (await bot.table(2)).state.turns % 2:
        await play(bot, people, 2)
    assert HIDDEN in public_panels(bot)
    while (await bot.table(2)).status == "playing" and (await bot.table(2)).state.turns % 2 == 0:
        await play(bot, people, 2)
    assert HIDDEN not in public_panels(bot)


async def test_lines_are_read_at_the_other_table(bot: BotHarness, failing: Callable[..., None]) -> None:
    people = await two_tables(bot)
    failing(lambda view: True, "label", "draw")
    table = await bot.table(1)
    mover = await bot.to_play(people)
    alone = bot.caller(mover.name, private=True)
    # Without a sign it could be a move, also at the table that fails.
    assert "Casino" in text((await bot.type(alone, "watch 1")).page)
    move = str(next(iter(table.game.moves(table.state, table.active()[0]))))
    assert (await bot.say(alone, "play", move=move, table="1")).notice.startswith("You played: ")
    assert (await bot.table(1)).stamp == table.stamp + 1


async def test_computers_that_cannot_think_play_on_by_the_clock(
    throw_in: Game[State, View], failing: Callable[..., None]
) -> None:
    failing(lambda view: view.turns % 3 == 0, "think", "draw", "label")
    async with bot_harness() as bot:
        ana = bot.caller("Ana")
        beto = bot.caller("Beto")
        await bot.say(ana, "new", game="throw_in", players="3", clock="300")
        await bot.say(beto, "join")
        await bot.say(ana, "start")
        await bot.leave(ana)
        for _ in range(400):
            await bot.clock.advance(5.0)
            table = await bot.table()
            if table.status == "over":
                break
            if 1 in table.required():
                await bot.dispatcher.service.change(table.id, lambda table: table.time_out(1))
        assert (await bot.table()).result is not None
        await bot.say(ana, "new", game="casino")
        assert "Casino" in text(bot.public_panel())


async def damaged(bot: BotHarness, monkeypatch: pytest.MonkeyPatch) -> str:
    """Makes the log of table 2 one that cannot be replayed, for a process that has yet to read it."""
    game, replay = (await bot.table(2)).id, Table.replay

    def broken(entries: Any, *more: Any) -> Table:
        table = replay(entries, *more)
        if table.id == game:
            raise IndexError("hand of somebody: 7H")
        return table

    monkeypatch.setattr(Table, "replay", broken)
    return game


async def test_a_log_that_cannot_be_read_costs_its_own_table(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    people = await two_tables(bot)
    ana, beto = people
    game = await damaged(bot, monkeypatch)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        for data in ("hand", "leave", "watch", "top"):
            assert (await again.press(ana, f"{game}:0:{data}")).notice == DAMAGED
        assert (await again.say(ana, "watch", table="2")).notice == DAMAGED
        assert (await again.say(beto, "play", move="7H", table="2")).notice == DAMAGED
        assert await again.dispatcher.complete(ana, "kick", "player", "", {"table": "2"}) == ()
        for _ in range(2):
            await play(again, people, 1)
        alone = again.caller("Ana", private=True)
        table = await again.table(1)
        assert "Casino" in text((await again.type(alone, "")).page)
        assert (await again.type(alone, "/hand 1")).notice == ""
        assert (await again.say(alone, "settings", setting="letters", value="on")).page
        assert (await again.dispatcher.arrive(alone, "")).notice == "Here are your tables. Good luck!"
        assert (await again.say(ana, "new", game="svoi")).done
        await again.dispatcher.depart(beto)
        left = (await again.dispatcher.service.table(table.id)).players[1]
        assert left.is_held
    assert "7H" not in caplog.text
    assert f"table {game} cannot be read: IndexError" in caplog.text


async def test_where_one_of_two_tables_cannot_be_read_a_command_still_asks_which(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = await two_tables(bot)
    await damaged(bot, monkeypatch)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        asked = await again.say(ana, "leave")
        assert text(asked.page).startswith("Which table?")
        assert not (await again.table(1)).players[0].is_held


async def press_and_wait(bot: BotHarness, caller: Caller, data: str) -> str:
    """Presses, and gives the public panel time to follow; returns the notice for the press."""
    notice = (await bot.press(caller, data)).notice
    await bot.clock.advance(5)
    return notice


async def test_a_late_press_at_a_table_whose_log_cannot_be_read_raises_nothing(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = await two_tables(bot)
    game = await damaged(bot, monkeypatch)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        await again.dispatcher.refresh(f"{game}:0:top")
        assert not await again.dispatcher.show_ephemeral(ana, game, "999")
        await again.clock.advance(5)
        assert public_panels(again).count(DAMAGED_PANEL) == 1


@pytest.mark.parametrize("closer", ["owner", "moderator"])
async def test_a_table_whose_log_cannot_be_read_says_so_once_and_can_be_closed(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch, closer: str
) -> None:
    ana, beto = await two_tables(bot)
    game = await damaged(bot, monkeypatch)
    length = len((await bot.table(2)).entries)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        assert await press_and_wait(again, ana, f"{game}:0:hand") == DAMAGED
        assert public_panels(again).count(DAMAGED_PANEL) == 1
        before = (await again.store.panels(game), public_panels(again))
        assert await press_and_wait(again, beto, f"{game}:0:top") == DAMAGED
        assert (await again.store.panels(game), public_panels(again)) == before
        assert (await again.say(beto, "end", table="2")).notice == NOT_YOURS
        orderly = ana if closer == "owner" else replace(beto, moderator=True)
        assert (await again.say(orderly, "end", table="2")).notice == "The table is closed."
        await again.clock.advance(5)
        assert (public_panels(again).count(DAMAGED_PANEL), public_panels(again).count(DAMAGED)) == (0, 1)
        assert (await again.say(orderly, "end", table=game)).notice == f"There is no table {game} here."
        stored = await again.store.load(game)
        assert stored is not None
        assert [(entry.n, entry.kind, entry.body) for entry in stored.entries[length:]] == [
            (length, "end", {"reason": "stopped"})
        ]
        assert (stored.listing.status, stored.listing.entries) == ("over", length + 1)
        assert [seated.player.name for seated in stored.listing.seats] == ["Ana", "Beto"]
        await again.say(ana, "new", game="svoi")
        assert [listing.number for listing in await again.store.tables(PLACE)] == [1, 2]


async def test_a_forgotten_table_makes_room_though_its_log_cannot_be_read(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_tables(bot)
    game = await damaged(bot, monkeypatch)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        kept = again.store._tables.by_id[game]  # type: ignore[attr-defined]
        kept.listing = replace(kept.listing, changed=kept.listing.changed - Idle().unclocked - 1, due=0.0)
        await again.clock.advance(2)
        assert game not in {listing.game for listing in await again.store.tables(PLACE)}


async def test_a_table_whose_log_cannot_be_read_is_due_only_when_it_is_forgotten(
    throw_in: Game[State, View], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_harness() as bot:
        await two_tables(bot)
        await bot.say(bot.caller("Ana"), "leave", table="2")
        game = await damaged(bot, monkeypatch)
        await bot.store.postpone(game, None, 0.0)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        await again.clock.advance(5)
        kept = again.store._tables.by_id[game].listing  # type: ignore[attr-defined]
        assert kept.due == kept.changed + Idle().unclocked
        assert public_panels(again).count(DAMAGED_PANEL) == 1


@pytest.mark.parametrize("command", ["watch", "table", "hand", "play"])
async def test_a_table_of_older_rules_is_closed_by_the_newer_process_that_shows_it(
    command: str, throw_in: Game[State, View], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_harness(MemoryStore(shared=True)) as bot:
        ana, _ = await bot.begin("throw_in", "Ana", "Beto")
        # The older process goes on, so that the newer one may not claim its tables.
        monkeypatch.setattr(type(throw_in), "revision", throw_in.revision + 1)
        async with bot_harness(bot.store, bot.platform, bot.clock) as newer:
            reply = await newer.say(ana, command, **({"move": "7H"} if command == "play" else {}))
            await newer.clock.advance(10)
            assert UPDATED.message in (
                text(reply.page) if command in ("watch", "hand") else public_panels(newer)
            )
            assert (await newer.table()).ended == "updated"
            assert text(newer.public_panel()).count(UPDATED.message) == 1


async def test_a_move_that_the_game_cannot_say_is_confirmed(
    bot: BotHarness, failing: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, beto = await two_tables(bot)
    table = await bot.table(2)
    seat = table.active()[0]
    move = str(next(iter(table.game.moves(table.state, seat))))
    failing(lambda view: True, "label")
    # Reading a line asks for labels too.
    monkeypatch.setattr(typed_moves, "read", lambda game, state, seat, line, say: Reading(line))
    mover = ana if table.players[seat].person == await bot.person(ana) else beto
    assert (await bot.say(mover, "play", move=move, table="2")).notice == "Done."
