"""No text that a person sends costs more than a few milliseconds, counted in calls of functions.

A call takes less than a third of a microsecond on the machines that the bot is meant for (0.2 where it was
measured), so that `MOST` calls take less than 5 ms. Calls are counted because a test may not depend on the
machine's speed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from types import FrameType

import hypothesis
import hypothesis.strategies as st
import pytest

from bot.inbox.allowances import Allowances
from bot.inbox.arguments.commands import COMMANDS, Command
from bot.model.ids import GameId
from bot.ports import Caller
from bot.table_service.commits import Transition
from bot.tables.table import Table
from engines.cards import RANKS, SUITS, cards, without
from engines.svoi.deck import DECK
from tests import luck
from tests.engines.svoi import positions as svoi_positions
from tests.support import long
from tests.support.games import every_game
from tests.support.harness import BotHarness, bot_harness

MOST = 15_000
"""The most calls of functions, Python's own included, that one text may cause."""
LENGTH = 6000
"""Characters of a text that repeats a unit."""
EXAMPLES = 30
MOVES = (0, 25, 90)
"""Moves made at a table before texts are sent; fewer if the game would end before."""

CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
UNITS = (
    "1 ", "a ", "A", " ", "\t\n", "[", "{n} ", "AS+", "AS ", "10S ", "= ", "a=b ", ": ", "/", "new ", "9",
    "A B C ", "\u2660", "\ufdfa", "\ufdfa ", "\uac00 ", "a\u0301\u0302\u0303", "\u200d", "\u202e", "\x00",
    "\ud800", "\u0130", "\U0001f0a1 ", "\ufb03", "e\u0301 ", "\xbd", "\u0661 ",
)  # fmt: skip
"""Repeated, each makes a text that was slow once, or that is long in another form of Unicode."""


class Calls:
    """Counts the calls of functions while it is the profiler."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        self.number += event in ("call", "c_call")


async def calls(work: Callable[[], Awaitable[object]]) -> int:
    """The calls that work makes, and every task that runs meanwhile.

    Work that makes too many is done again, since it may have been the first to read its files.
    """
    for counter in (Calls(), Calls()):
        sys.setprofile(counter)
        try:
            await work()
        finally:
            sys.setprofile(None)
        if counter.number <= MOST:
            break
    return counter.number


def repeated(unit: str) -> str:
    return (unit * (LENGTH // len(unit) + 1))[:LENGTH]


async def advance(bot: BotHarness, moves: int) -> Table:
    """Makes random moves at the open table, without ending the game."""
    rng, table = luck.rng("moves"), await bot.table()
    for _ in range(moves):
        seat = table.active()[0]
        move = str(rng.choice(list(table.game.moves(table.state, seat))))
        after = table.play(seat, move)
        if after.status == "over":
            break
        table = await bot.dispatcher.service.change(table.id, lambda _, after=after: after)  # type: ignore[misc]
    return table


def vocabulary(table: Table) -> tuple[str, ...]:
    """The words that occur in moves of this table's game, and others like them."""
    seat = table.active()[0]
    view = table.view(seat)
    moves = list(table.game.moves(table.state, seat))[:100]
    held = (table.game.message(view) or {}).get("hand", ())
    played = (word for move in moves for word in move.words)
    return tuple(dict.fromkeys((*table.game.verbs, *held, *played, *CARDS, *"ABCDEFG", "1")))


def texts(table: Table) -> Iterator[str]:
    """The corpus: units and cards repeated, alone and after a verb; some moves repeated, or before numbers.

    In the long mode, each unit comes after every verb.
    """
    rng, verbs = luck.rng("verbs"), table.game.verbs
    held = " ".join((table.game.message(table.view(table.active()[0])) or {}).get("hand", ("1",)))
    for unit in (*UNITS, f"{held} ", " ".join(CARDS) + " "):
        yield repeated(unit)
        for verb in verbs if long.LONG else rng.sample(verbs, 1):
            yield f"{verb} {repeated(unit)}"
    for move in list(table.game.moves(table.state, table.active()[0]))[:3]:
        yield repeated(f"{move} ")
        yield f"{move} {repeated('1 ')}"


class Sending:
    """Sends texts to a bot as a player whose turn it is: as a line, as a move, and as one being typed."""

    def __init__(self, bot: BotHarness, mover: Caller) -> None:
        self._bot = bot
        self._mover = mover
        self._alone = bot.caller(mover.name, private=True)

    async def judge(self, game: GameId, transition: Transition, delivery: str = "") -> Table:
        """Makes a transition as `TableService.change` does, but stores and shows nothing."""
        table = await self._bot.dispatcher.service.table(game)
        transition(table)
        return table

    async def cost(self, text: str) -> int:
        """The calls of the costliest way."""
        dispatcher = self._bot.dispatcher
        ways: tuple[Callable[[], Awaitable[object]], ...] = (
            partial(dispatcher.line, self._alone, text, ""),
            partial(dispatcher.command, self._mover, "play", {"move": text}, ""),
            partial(dispatcher.complete, self._mover, "play", "move", text, {}),
        )
        return max([await calls(way) for way in ways])


@pytest.mark.parametrize("moves", MOVES)
@every_game
def test_no_line_and_no_move_is_costly(key: str, moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        bot = runner.run(stack.enter_async_context(bot_harness()))
        people = runner.run(bot.begin(key, "Ana", "Beto"))
        table = runner.run(advance(bot, moves))
        sending = Sending(bot, runner.run(bot.to_play(people)))
        monkeypatch.setattr(bot.dispatcher.service, "change", sending.judge)
        costly = {text[:40]: cost for text in texts(table) if (cost := runner.run(sending.cost(text))) > MOST}

        words = st.lists(st.sampled_from(vocabulary(table)), max_size=90)
        phrases = st.tuples(st.sampled_from(table.game.verbs), words, st.sampled_from((" ", "+", "  ")))
        any_text = phrases.map(lambda it: f"{it[0]} {it[2].join(it[1])}") | words.map(" ".join) | st.text()

        @hypothesis.seed(luck.seed("texts"))
        @hypothesis.settings(max_examples=EXAMPLES)
        @hypothesis.given(any_text)
        def law(text: str) -> None:
            assert runner.run(sending.cost(text)) <= MOST

        assert costly == {}
        law()
        runner.run(stack.aclose())


async def test_no_line_is_costly_where_hundreds_of_moves_are_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line may end with the number of the table, so that it is read with the number and without."""
    others = cards("6C 6S 7S 8S 9S 10S")
    own = " ".join(without(DECK, *others))
    state = svoi_positions.at(own, " ".join(others[1:]), "6C")
    assert len(svoi_positions.legal(state)) > 450
    monkeypatch.setattr(type(svoi_positions.game), "new", lambda *given: state)
    async with bot_harness() as bot:
        people = await bot.begin("svoi", "Ana", "Beto")
        sending = Sending(bot, await bot.to_play(people))
        monkeypatch.setattr(bot.dispatcher.service, "change", sending.judge)
        for text in (repeated("1 "), f"beat {repeated('1 ')}"):
            assert await sending.cost(text) <= MOST


@pytest.mark.parametrize("one", COMMANDS, ids=lambda one: one.name)
async def test_no_argument_of_a_command_is_costly(one: Command) -> None:
    async with bot_harness() as bot:
        ana = bot.caller("Ana", moderator=True)
        await bot.say(ana, "new", game="trio_escalera")
        costs: dict[tuple[str, ...], int] = {}
        for unit in UNITS:
            text = repeated(unit)
            # Each later parameter is read only if those before it make sense.
            for game in ("casino", text):
                given = {parameter.name: text for parameter in one.parameters}
                if "game" in given:
                    given["game"] = game
                costs[unit, game] = await calls(partial(bot.dispatcher.command, ana, one.name, given, ""))
                for parameter in one.parameters:
                    asked = partial(bot.dispatcher.complete, ana, one.name, parameter.name, text, given)
                    costs[unit, game, parameter.name] = await calls(asked)
            line = partial(bot.dispatcher.line, ana, f"/{one.spanish} {text}", "")
            costs[unit, "line"] = await calls(line)
        assert {text: cost for text, cost in costs.items() if cost > MOST} == {}


async def test_no_button_answer_or_name_is_costly() -> None:
    async with bot_harness() as bot:
        ana = bot.caller("Ana")
        await bot.say(ana, "new", game="casino")
        table, costs = await bot.table(), {}
        for unit in UNITS:
            text, stranger = repeated(unit), Caller(f"u{unit}", repeated(unit), ana.place)
            for data in (text, f"{table.id}:0:{text}", f"{table.id}:0:move:{text}", f"{table.id}:0:cut"):
                costs[unit, data[:20]] = await calls(
                    partial(bot.dispatcher.press, ana, data, "", answer=text)
                )
            costs[unit, "command"] = await calls(partial(bot.dispatcher.command, ana, text, {text: text}, ""))
            costs[unit, "name"] = await calls(partial(bot.dispatcher.command, stranger, "help", {}, ""))
        assert {text: cost for text, cost in costs.items() if cost > MOST} == {}


async def test_a_text_that_is_not_cut_would_be_costly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Allowances, "read", lambda self, text: text)
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        sending = Sending(bot, await bot.to_play(people))
        assert max([await sending.cost(2 * text) for text in texts(await bot.table())]) > MOST
