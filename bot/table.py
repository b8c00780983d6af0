"""One game at a table: its log, what follows from it, and the one door through which it changes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from bot.fair import CUT_LENGTH, Luck, Sealed, canonical
from bot.model import Entry, Json, Kind, News, Player
from engines import games
from engines.game import Event, Game, Move, Result, Seat

AnyGame = Game[Any, Any]


class Table:
    """A table of one game.

    Everything that happens is an entry of the log, and the fields follow from the entries alone:
    `Table.replay` of the log and the seed gives an equal table.
    """

    def __init__(self, luck: Luck | None = None) -> None:
        self.luck = luck or Sealed()
        self.entries: list[Entry] = []
        self.id = ""
        self.options: Mapping[str, str] = {}
        self.carried: Mapping[str, Any] = {}
        self.players: list[Player] = []
        self.cuts: list[tuple[Seat, str]] = []
        self.news: list[News] = []
        self.state: Any = None
        """The engine's state; None before the start."""
        self.deal = ""
        """The canonical JSON that the game seed was made from; empty before the start."""
        self._lock = asyncio.Lock()
        self._changed = asyncio.Condition()

    @classmethod
    def open(
        cls,
        key: str,
        options: Mapping[str, str] | None = None,
        *,
        luck: Luck | None = None,
        carry: Mapping[str, Any] | None = None,
    ) -> Table:
        """A new table with nobody at it. Raises `KeyError` for a game unknown."""
        table, game = cls(luck), games()[key]
        table._add(
            "open",
            game=key,
            id=secrets.token_hex(8),
            revision=game.revision,
            options=dict(options or {}),
            carry=dict(carry or {}),
            commitment=table.luck.commitment,
        )
        return table

    @classmethod
    def replay(cls, entries: Sequence[Entry], luck: Luck) -> Table:
        """The table that a log tells of."""
        table = cls(luck)
        for entry in entries:
            table._fold(entry)
        return table

    @property
    def game(self) -> AnyGame:
        return games()[self.key]

    @property
    def stamp(self) -> int:
        """How many moves were made; a menu names it, so that an old one can be told."""
        return sum(entry.kind in ("move", "timeout") for entry in self.entries)

    @property
    def result(self) -> Result | None:
        """How the game ended; None before."""
        return None if self.state is None else self.game.result(self.state)

    def sit(self, player: Player) -> Seat:
        """Gives a player the next seat before the game starts."""
        assert self.state is None
        seat = len(self.players)
        if player.is_computer:
            self._add("computer", seat, name=player.name, level=player.level)
        else:
            self._add("join", seat, name=player.name)
        return seat

    def cut(self, seat: Seat, words: str) -> None:
        """Puts words of a player into the shuffle; everybody sees them, so none may be invisible."""
        assert self.state is None
        seen = "".join(char for char in words if char.isprintable() or char.isspace())
        self._add("cut", seat, words=" ".join(seen.split())[:CUT_LENGTH])

    def start(self) -> None:
        """Deals. Raises `ValueError` for a number of players or an option the game does not know."""
        assert self.state is None
        self._add("start")

    async def play(self, seat: Seat, action: str | Mapping[str, Any]) -> None:
        """Makes a player's move; raises `IllegalMove`, and then nothing has changed."""
        async with self._lock:
            move = self.game.read(self.state, seat, action)
            self._add("move", seat, move=str(move))
        await self._wake()

    async def time_out(self, seat: Seat) -> None:
        """Makes the moves that the clock makes for a seat, up to the end of its turn."""
        async with self._lock:
            turn = self.game.turn(self.state)
            while self.result is None and self.game.turn(self.state) == turn:
                self._add("timeout", seat, move=str(self.game.timeout(self.state, seat)))
        await self._wake()

    async def changed(self, since: int) -> None:
        """Waits until the log is longer than it was."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.entries) > since)

    def awaited(self) -> tuple[Seat, ...]:
        """Who has something to decide; for the table's own use, since not everybody may know."""
        if self.state is None or self.result:
            return ()
        seats = range(len(self.players))
        return tuple(seat for seat in seats if self.game.choices(self.state, seat).words)

    def news_for(self, seat: Seat | None, since: int = 0) -> list[Event]:
        """What a reader was told after the first ``since`` pieces of news."""
        return [piece.event for piece in self.news[since:] if piece.event.to in (None, seat)]

    def _add(self, kind: Kind, seat: Seat | None = None, **body: Json) -> None:
        self._fold(Entry(len(self.entries), kind, seat, body=body))

    def _fold(self, entry: Entry) -> None:
        """The only place where a table changes. Raises before it changes anything."""
        told = self._follow(entry)
        self.entries.append(entry)
        self.news += [News(entry.n, event) for event in told]

    def _follow(self, entry: Entry) -> Sequence[Event]:
        body: Mapping[str, Any] = entry.body
        match entry.kind:
            case "open":
                self.key, self.id = body["game"], body["id"]
                self.options, self.carried = body["options"], body["carry"]
            case "join" | "computer":
                self.players.append(Player(body["name"], body.get("level")))
            case "cut":
                assert entry.seat is not None
                self.cuts.append((entry.seat, body["words"]))
            case "start":
                return self._deal()
            case "move" | "timeout":
                return self._move(entry.seat, Move.parse(body["move"]))
        return ()

    def _deal(self) -> Sequence[Event]:
        statement = self._statement()
        seed = self.luck.seed(statement)
        self.state = self.game.new(len(self.players), seed, self.options, self.carried)
        self.deal = canonical(statement)
        return self.game.opening(self.state)

    def _move(self, seat: Seat | None, move: Move) -> Sequence[Event]:
        assert seat is not None
        self.state, told = self.game.apply(self.state, seat, move)
        return told

    def _statement(self) -> Json:
        """What the deal depends on besides the seed."""
        seats = [
            {"seat": seat, "cuts": [words for who, words in self.cuts if who == seat]}
            for seat in range(len(self.players))
        ]
        return {
            "game": self.id,
            "key": self.key,
            "revision": self.game.revision,
            "options": dict(self.options),
            "carry": dict(self.carried),
            "seats": seats,
        }

    async def _wake(self) -> None:
        async with self._changed:
            self._changed.notify_all()
