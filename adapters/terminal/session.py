"""An evening at one terminal: who plays, whose turn at the keyboard it is, one game after another.

Both faces of the terminal, the full screen and the plain lines, are built on this.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from math import inf

from adapters.clock import AsyncioClock
from adapters.terminal.setup import Setup
from bot.errors import origin
from bot.i18n import Speech
from bot.model import HOME, GameId, Player
from bot.pages.menu import Menu, Words, following, menu
from bot.ports import Clock, Store
from bot.store.memory import MemoryStore
from bot.tables.commitment import CUT_LENGTH, ChosenSeed, CommittedSeed, SeedSource
from bot.tables.computers import attend, computers
from bot.tables.lobby import visible
from bot.tables.service import Bounds, TableService, Transition
from bot.tables.table import AnyGame, Table
from engines.drawing import cut
from engines.game import IllegalMove, Seat, Text


def apology(error: BaseException) -> Text:
    """What is said where the program has failed and a game cannot go on.

    Neither the text nor the variables of the error are shown, since they may name hidden cards.
    """
    return Text(
        "Sorry: something in the program went wrong, and the game cannot go on ({place}).",
        place=origin(error),
    )


EVERYBODY_ASKED = Text("Everybody is asked, so that nobody learns who has something to decide.")
"""Why people at one keyboard are asked who have nothing to decide."""

_NAMED = 8
"""Words that are named of those that may follow."""

_BOUNDLESS = Bounds(10**6, 10**6, {"lobby": inf, "playing": inf, "over": inf})


class Session:
    """A game and its rematches at one terminal, over a table service of its own.

    A ``table`` that is given is in the store already, and is resumed.
    """

    def __init__(
        self,
        setup: Setup,
        clock: Clock | None = None,
        store: Store | None = None,
        table: Table | None = None,
    ) -> None:
        self.setup = setup
        self.service = TableService(store or MemoryStore(), clock or AsyncioClock(), _BOUNDLESS)
        self.service.listen(self._on_change)
        self._opening = asyncio.Lock()
        self._opened = table.id if table else ""
        """The table that the service knows; a new one is opened with its first change."""
        self._attendance: asyncio.Task[None] | None = None
        self._asked: set[tuple[int, Seat]] = set()
        self._held: tuple[Seat, str] | None = None
        """A move that is made when everybody was asked, so that the asking tells nobody whose it was."""
        self._everybody_asked = asyncio.Event()
        self.resumed = table is not None
        self.table = table or self._deal(
            ChosenSeed(setup.seed) if setup.seed is not None else CommittedSeed()
        )

    @property
    def game(self) -> AnyGame:
        return self.table.game

    @property
    def say(self) -> Speech:
        names = [player.name for player in self.table.players]
        return Speech(self.setup.locale, names, self.setup.letters)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of the people at this terminal."""
        return tuple(seat for seat, player in enumerate(self.table.players) if not player.is_computer)

    @property
    def shared(self) -> bool:
        """Whether several people share the keyboard, so that hands must be hidden between turns."""
        return len(self.people) > 1

    def begin(self) -> asyncio.Task[None]:
        """Lets the computers play; a running event loop is needed.

        The task fails if one of them does, and then nobody would play on.
        """
        self._attendance = asyncio.create_task(self._attend())
        return self._attendance

    async def end(self) -> None:
        """Stops the computers."""
        if self._attendance:
            self._attendance.cancel()
            await asyncio.gather(self._attendance, return_exceptions=True)
        await self.service.close()

    async def changed(self, since: int) -> None:
        """Waits until the log of the table is longer than it was."""
        await self._open()
        await self.service.changed(self.table.id, since)

    async def rematch(self) -> None:
        """The next game with the same players, after what this one hands on."""
        await self.end()
        seed = self.setup.seed
        seed_source = CommittedSeed() if seed is None else ChosenSeed(f"{seed} again")
        self.setup = replace(
            self.setup, seed=seed_source.words if isinstance(seed_source, ChosenSeed) else None
        )
        self.table = self._deal(seed_source, self.table)
        self.resumed = False
        self._asked.clear()
        self._held = None

    def at_keyboard(self) -> Seat | None:
        """Who should sit at the keyboard now, judged by what everybody may know; None while computers play.

        Where nobody may know who is awaited, each person is asked in turn, those with nothing to
        decide too.
        """
        if self.table.result:
            return None
        if self._secret:
            return next(iter(self._not_asked()), None)
        return next((seat for seat in self._waiting if seat in self.people), None)

    async def play(self, seat: Seat, action: str) -> None:
        """Makes a person's move; raises `IllegalMove`, and then nothing has changed.

        Where nobody may know who is awaited, the move is made once everybody here was asked.
        """
        if not self._secret:
            await self._change(lambda table: table.play(seat, action))
            return
        self._held = (seat, str(self.game.act(self.table.state, seat, action)[0]))
        await self.has_seen(seat)

    async def has_seen(self, seat: Seat) -> None:
        """Somebody was asked, and perhaps had nothing to decide; the next person may be asked."""
        self._asked.add((self.table.stamp, seat))
        if self._held and not self._not_asked():
            (holder, move), self._held = self._held, None
            await self._change(lambda table: table.play(holder, move))
        if not self._not_asked():
            self._everybody_asked.set()

    @property
    def _waiting(self) -> tuple[Seat, ...]:
        """Whom everybody may know to be awaited."""
        return self.table.waiting()

    @property
    def _secret(self) -> bool:
        """Whether people at one keyboard must not learn from the asking whom the table waits for."""
        return self.shared and len(self._waiting) > 1

    def _not_asked(self) -> list[Seat]:
        asked = {seat for stamp, seat in self._asked if stamp == self.table.stamp}
        return [seat for seat in self._waiting if seat in self.people and seat not in asked]

    async def _ready(self) -> None:
        """Holds the computers back while people are still being asked."""
        while self._secret and self._not_asked():
            self._everybody_asked.clear()
            await self._everybody_asked.wait()

    def menu(self, seat: Seat, room: int, path: Words = ()) -> Menu:
        """The buttons of a seat."""
        return menu(self.game, self.table.state, seat, self.say, stamp=self.table.stamp, room=room, path=path)

    def example(self, seat: Seat, action: str = "") -> str:
        """A move that a seat could type now, with the verb of what it typed if that has one."""
        moves = list(self.game.moves(self.table.state, seat))
        verb = action.partition(" ")[0]
        move = next((move for move in moves if move.verb == verb), moves[0])
        said = self.game.label(self.table.view(seat), (move.verb,), self.say)
        return " ".join((said.lower(), *move.words))

    def reason(self, seat: Seat, action: str, illegal: IllegalMove) -> Text:
        """Why a move was refused; where it is none at all, what is wrong with it and one that is."""
        if illegal.code != "unknown-action" or not any(self.game.moves(self.table.state, seat)):
            return illegal.reason
        if action.isdecimal():
            return Text("There is no number {n}.", n=cut(action, 9))
        example = self.example(seat, action)
        reason = self._mistake(seat, action) or illegal.reason
        return Text("{reason} You could type: {move}", reason=reason, move=example)

    def _mistake(self, seat: Seat, action: str) -> Text | None:
        """How what begins like a move fails to be one."""
        view, say = self.table.view(seat), self.say
        begun, words = following(self.game, self.table.state, seat, action)
        verb = action.partition(" ")[0]
        if begun and words:
            named = "; ".join(self.game.label(view, (word,), say) for word in words[:_NAMED])
            named += " …" if len(words) > _NAMED else "."
            said = self.game.label(view, begun, say)
            return Text("After “{begun}” may come: {words}", begun=said, words=named)
        if verb in self.game.verbs and not begun:
            return Text("“{verb}” is not possible now.", verb=self.game.label(view, (verb,), say))
        return None

    def begun(self, seat: Seat, menu: Menu) -> Text | None:
        """What the buttons of a menu go on from, and at its first word how that is done."""
        if not menu.begun:
            return None
        begun = self.game.label(self.table.view(seat), menu.begun, self.say)
        if len(menu.begun) == 1:
            return Text("{begun} …: choose piece by piece; what is a whole move stands first.", begun=begun)
        return Text("{begun} …", begun=begun)

    def draw(self, seat: Seat | None, width: int, height: int | None = None) -> str:
        """The table as a reader sees it."""
        return self.game.draw(self.table.view(seat), self.say, width, height)

    async def _attend(self) -> None:
        """Plays for the computers to the end of the game."""
        await self._open()
        table, rng = self.table, self._rng()
        while table.status != "over":
            table = await attend(self.service, table.id, rng, self.setup.pace, self._ready)
            if table.status != "over":
                await self.service.changed(table.id, len(table.entries))

    async def _change(self, transition: Transition) -> None:
        await self._open()
        await self.service.change(self.table.id, transition)

    async def _open(self) -> None:
        """Opens the table in the service, once."""
        async with self._opening:
            if self._opened != self.table.id:
                self._opened = self.table.id
                await self.service.open(HOME, lambda number: replace(self.table, number=number))

    def _on_change(self, table: Table, before: Table | None) -> None:
        if table.id == self.table.id:
            self.table = table

    def _deal(self, seed_source: SeedSource, before: Table | None = None) -> Table:
        """A table with everybody at it and the cards dealt, perhaps after another game."""
        setup = self.setup
        table = Table.open(
            setup.key,
            setup.options,
            level=setup.level,
            seed_source=seed_source,
            carry=before.game.carry(before.state) if before else None,
            carried_by=len(before.players) if before else 0,
            follows=before.id if before else "",
        )
        for name in setup.names:
            table = table.sit(Player(name))
        for player in computers(setup.players - len(setup.names), setup.level, setup.names):
            table = table.sit(player)
        if setup.names and (words := visible(setup.cut or "")[:CUT_LENGTH].rstrip()):
            table = table.add("cut", 0, words=words)
        return table.start()

    def _rng(self) -> random.Random:
        """The computers' luck: the same for the same ``--seed``, else from the system.

        It begins anew where a game of another day goes on: what was played is in the log.
        """
        return random.Random(None if self.setup.seed is None else f"computers:{self.setup.seed}")


async def resumed(defaults: Setup, game: GameId, store: Store, clock: Clock | None = None) -> Session:
    """A session that goes on with a game of the store."""
    table = await TableService(store, clock or AsyncioClock()).resume(game)
    return Session(defaults.of(table), clock, store, table)
