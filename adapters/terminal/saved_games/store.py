"""The store of the terminal: keeps games in memory and copies them to a file, to be resumed later.

A file error never stops a game: the player is warned and the game goes on in memory. Of the
moves only the first waits, for a few seconds, until the file is read.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from adapters.terminal.rivals import PastGames
from adapters.terminal.saved_games.endings import settle
from adapters.terminal.saved_games.file_batches import begins_with, has_move, joined
from adapters.terminal.saved_games.unfinished import Unfinished, points_of
from bot.errors import origin
from bot.file_errors import store_error_text
from bot.model.batches import Batch, Behind, Clash, Full, Known, Stored, Taken
from bot.model.ids import GameId
from bot.model.places import HOME, Place, Room
from bot.model.tables import Listing
from bot.ports import Clock
from bot.settings.choices import Language
from bot.storage import Store, StoreError
from bot.store import open_store
from bot.store.memory.store import MemoryStore
from bot.table_service.loading import UnknownTable
from bot.table_service.service import TableService
from bot.tables.log.table_log import match_of
from bot.tables.names.numbers import lowest_free
from bot.tables.table import Table
from bot.tables.versions import NewerTable
from engines.game import Text
from engines.values import replace

THREAD = "file of games"
"""The name of the thread that writes to the file."""
_OPENING_TIMEOUT = 3.0
"""The most seconds that the first move waits until the file is read.

The lists of finished games wait as long until the file is written.
"""
_WRITING_TIMEOUT = 10.0
"""The most seconds that a program waits at its end until the file is written."""
_MOST_FOUND = 20
"""The most unfinished games of the file that are kept to be resumed."""
_MOST_FINISHED = 2000
"""The number of the latest finished games of the file that are read for the scores of the same players."""
_MOST_MATCHES = 30
"""The number of the latest finished games whose matches are read."""


class WriteBehindStore(MemoryStore):
    """A store in memory; a thread copies the logs of games, analyses, and languages to a file.

    The thread has its own event loop, since importing the database takes longer than dealing and the
    terminal's loop blocks while a player types. A game without a move is not written.
    """

    def __init__(
        self, file: Path, clock: Clock, open_file: Callable[[str], Awaitable[Store]] = open_store
    ) -> None:
        super().__init__()
        self.file = file
        self.on_change: Callable[[], object] = lambda: None
        """Called from the thread at the first unfinished game, when all are found, when the file is read, and
        at new warnings.
        """
        self.updated = set[str]()
        """The keys of unfinished games in the file that were closed because their rules have changed."""
        self.has_damaged = False
        """Whether an unfinished game in the file has a log that cannot be replayed."""
        self.languages: dict[GameId, Language] = {}
        """By game, the language saved in the file."""
        self.past = PastGames()
        """The finished games that count, of the file and of this run."""
        self._clock = clock
        self._open_file = open_file
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._games_played: dict[GameId, Listing] = {}
        """The games with a move, the least recently changed first."""
        self._points: dict[GameId, tuple[int, ...]] = {}
        """The points of each seat, by game."""
        self._unwritten: dict[GameId, Batch] = {}
        """By game, the entries that are not in the file yet, joined into one batch."""
        self._unwritten_analyses: dict[GameId, str] = {}
        """By game, the analysis that is not in the file yet."""
        self._due: dict[GameId, None] = {}
        """The games to write, in order; one that failed is added again with its next entry or analysis."""
        self._forked: set[GameId] = set()
        """The games that another process has continued too; their entries are no longer written."""
        self._found: dict[GameId, Stored] = {}
        """The unfinished games read from the file, until they are copied to memory."""
        self._shown_in: dict[GameId, Language] = {}
        """By game, the language in which it is shown, to be saved."""
        self._language: Language | None = None
        """The language set last, in which a rematch begins."""
        self._played_now = False
        """Whether a game with a move has got an entry since the program began."""
        self._waited = False
        """Whether a move has waited for the file to be read."""
        self._warnings: list[Text] = []
        self.failure: Text | str = ""
        """Why the file could not be read; empty if it was, or is not read yet."""
        self._read_attempted = threading.Event()
        """Set once the file was read, or could not be opened or read."""
        self._closing = False
        self._writing = False
        """Whether the thread writes a game or settles results."""

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash | Full:
        played = batch.listing.game in self._games_played or has_move(batch)
        if played:
            await self._wait_for_file()
        outcome = await super().append(batch)
        if isinstance(outcome, Taken):
            self._add(batch, played=played)
        return outcome

    async def save_analysis(self, game: GameId, body: str) -> None:
        await super().save_analysis(game, body)
        with self._changed:
            if game in self._games_played:
                self._unwritten_analyses[game] = body
                self._due[game] = None
                self._changed.notify()

    async def tail(self, game: GameId, n: int) -> Stored | None:
        await self._copy_found(game)
        return await super().tail(game, n)

    def start(self) -> None:
        """Starts the thread that opens the file, unless it was started before."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=lambda: asyncio.run(self._work()), name=THREAD, daemon=True
            )
            self._thread.start()

    @property
    def is_to_be_read(self) -> bool:
        """Whether there is a file that has not been read yet."""
        return not self._read_attempted.is_set() and self.file.exists()

    def wait_until_read(self) -> None:
        """Blocks until the file was read, or could not be opened or read."""
        self.start()
        self._read_attempted.wait()

    def wait_until_written(self) -> None:
        """Blocks until what was played is in the file, with its results, for a few seconds at most."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._due or self._writing), _OPENING_TIMEOUT)

    def set_language(self, game: GameId, language: Language) -> None:
        """Sets the language in which a game is resumed; it is written after the next move, or at the end."""
        self._shown_in[game] = self._language = language

    def last_language(self) -> Language | None:
        """The language of the game that was played last; None if none is known."""
        with self._changed:
            last = next(reversed(self._games_played), None)
        return (self.languages | self._shown_in).get(last) if last else None

    def unfinished(self, besides: GameId | None = None) -> Sequence[Unfinished]:
        """The unfinished games known by now, other than ``besides``, the one played last first."""
        with self._changed:
            listings = [listing for listing in self._games_played.values() if listing.status == "playing"]
            return [
                Unfinished(listing, self._points.get(listing.game, ()))
                for listing in reversed(listings)
                if listing.game != besides
            ]

    def can_resume_last(self) -> bool:
        """Whether the game played last since the program began is unfinished and can be resumed later."""
        with self._changed:
            last = next(reversed(self._games_played.values()), None)
        return self._played_now and last is not None and last.status == "playing" and self.keeps(last.game)

    def note(self, table: Table, before: Table | None) -> None:
        """Notes the points of a table, as a listener of its service."""
        self._points[table.id] = points_of(table)

    def keeps(self, game: GameId) -> bool:
        """Whether a game can be resumed later, as far as is known.

        It must have a move and not be continued by another process, and the file must have caused no warning.
        """
        return game in self._games_played and game not in self._forked and not self._warnings

    def warning(self) -> Text | None:
        """The latest warning about the file, in a sentence for the player; None if there was none."""
        return self._warnings[-1] if self._warnings else None

    def finish(self) -> None:
        """Blocks until everything is written, or `_WRITING_TIMEOUT` is over, at the end of the program."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            needed = self._read_attempted.is_set() or bool(self._due)
        if self._thread and needed:
            self._thread.join(_WRITING_TIMEOUT)

    async def close(self) -> None:
        await asyncio.to_thread(self.finish)

    async def _wait_for_file(self) -> None:
        """Waits until the file was read, so that a kill loses few moves; once, and a few seconds at most."""
        self.start()
        if not (self._waited or self._read_attempted.is_set()):
            self._waited = True
            await asyncio.to_thread(self._read_attempted.wait, _OPENING_TIMEOUT)

    async def _copy_found(self, game: GameId) -> None:
        """Copies an unfinished game of the file to memory, on the caller's thread."""
        with self._changed:
            found = self._found.pop(game, None)
        if found:
            number = lowest_free(listing.number for listing in await self.tables(HOME))
            listing = replace(found.listing, number=number)
            await super().append(Batch(found.entries, listing, "", found.server_seed, found.seed_words))

    def _add(self, batch: Batch, *, played: bool) -> None:
        """Queues a batch for the thread; a game without a move is not due."""
        game = batch.listing.game
        with self._changed:
            self._unwritten[game] = joined(self._unwritten.get(game), batch)
            if played:
                self._played_now = True
                if self._language:
                    self._shown_in.setdefault(game, self._language)
                self._games_played.pop(game, None)
                self._games_played[game] = batch.listing
                self._due[game] = None
                self._changed.notify_all()

    async def _work(self) -> None:
        """Opens the file and writes to it until the program ends; runs in the thread."""
        try:
            file = await self._open_file(str(self.file))
        except Exception as error:
            self.failure = self._fail(error)
            self._read_attempted.set()
            return
        try:
            await self._read(file)
            while (game := self._next()) is not None:
                await self._write(file, game)
                if game not in self._unwritten and self._games_played[game].status == "over":
                    await self._settle(file)
            for game in self._games_played.keys() & self._shown_in.keys():
                await self._write_language(file, game)
        finally:
            await file.close()

    async def _read(self, file: Store) -> None:
        """Reads the unfinished games of the file that were played last, then the finished ones."""
        service = TableService(file, self._clock)
        try:
            for listing in sorted(await file.tables(HOME), key=lambda one: one.changed, reverse=True):
                if self._closing or len(self._found) == _MOST_FOUND:
                    break
                await self._find(file, service, listing.game)
            self.on_change()
            await self._read_past(file)
        except Exception as error:
            self.failure = self._fail(error)
        self._read_attempted.set()
        self.on_change()

    async def _find(self, file: Store, service: TableService, game: GameId) -> None:
        """Reads a game of the file to resume it, unless it is over, damaged or a newer version's."""
        try:
            table: Table | None = await service.resume(game)
        except (NewerTable, UnknownTable):
            return
        except StoreError:
            raise
        except Exception:
            table = None
        if table is None or table.damaged:
            self.has_damaged = True
        elif table.status != "playing":
            self.updated |= {table.key} if table.ended == "updated" else set()
        elif stored := await file.load(game):
            room = await file.room(_room(game))
            with self._changed:
                if room and room.language:
                    self.languages[game] = room.language
                self._found[game] = stored
                self._games_played = {game: table.listing} | self._games_played
                self._points[game] = points_of(table)
            if len(self._found) == 1:
                self.on_change()

    async def _read_past(self, file: Store) -> None:
        """Reads the finished games of the file, and the matches of the latest."""
        for n, listing in enumerate(await file.finished(place=HOME, count=_MOST_FINISHED)):
            if self._closing:
                break
            stored = await file.load(listing.game) if n < _MOST_MATCHES else None
            self.past.note_stored(listing, match_of(stored.entries[0].body) if stored else None)

    def _next(self) -> GameId | None:
        """Blocks until a game is due and returns it; None when the program ends and no game is due."""
        with self._changed:
            self._writing = False
            self._changed.notify_all()
            while not self._due and not self._closing:
                self._changed.wait()
            game = next(iter(self._due), None)
            if game is not None:
                del self._due[game]
                self._writing = True
            return game

    async def _settle(self, file: Store) -> None:
        """Settles finished games (results, ratings) until a game must be written or the program ends."""
        try:
            await settle(file, lambda: self._closing or bool(self._due))
        except StoreError:
            # The next command that shows results tries again.
            return

    async def _write(self, file: Store, game: GameId) -> None:
        """Writes a game's entries, then its analysis; if that fails, again with the next of either."""
        with self._changed:
            batch = self._unwritten.pop(game, None)
            analysis = self._unwritten_analyses.pop(game, None)
        if game in self._forked:
            return
        try:
            if batch:
                await self._append(file, batch)
                batch = None
            if analysis and game not in self._forked:
                await file.save_analysis(game, analysis)
        except Exception as error:
            with self._changed:
                if batch:
                    self._unwritten[game] = joined(batch, self._unwritten.get(game))
                if analysis:
                    self._unwritten_analyses.setdefault(game, analysis)
            self._fail(error)
        await self._write_language(file, game)

    async def _append(self, file: Store, batch: Batch) -> None:
        """Writes entries, except those that the file has already from a write reported as failed.

        Other entries in the file mean that another process continues the game: it is written no more.
        """
        # The limit of tables for each player was checked when the entries were made.
        # What the end of the game changes is settled from the file's own log.
        batch = replace(batch, seated=(), ending=None)
        outcome = await file.append(batch)
        while isinstance(outcome, Clash):
            number = lowest_free(listing.number for listing in await file.tables(HOME))
            outcome = await file.append(replace(batch, listing=replace(batch.listing, number=number)))
        if not isinstance(outcome, Behind):
            return
        if not begins_with(batch.entries, outcome.tail):
            self._forked.add(batch.listing.game)
            self._warn(
                Text("This game is open in another window too: what you play here is no longer saved.")
            )
        elif unsaved := batch.entries[len(outcome.tail) :]:
            await self._append(file, replace(batch, entries=unsaved))

    async def _write_language(self, file: Store, game: GameId) -> None:
        """Writes the language in which a game is shown, if the file has another or none."""
        language = self._shown_in.get(game)
        if language is None or language == self.languages.get(game):
            return
        try:
            await file.save_room(Room(_room(game), language=language))
            self.languages[game] = language
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> Text | str:
        """Warns the player of an error of the file; returns its reason."""
        reason = store_error_text(error.why) if isinstance(error, StoreError) else origin(error)
        warning = Text(
            "Your games can't be saved in {file} ({reason}). You can still play this one.",
            file=str(self.file),
            reason=reason,
        )
        self._warn(warning)
        return reason

    def _warn(self, warning: Text) -> None:
        if warning not in self._warnings:
            self._warnings.append(warning)
            self.on_change()


def _room(game: GameId) -> Place:
    """The place under which a game's settings are stored: a thread of the terminal's place."""
    return replace(HOME, thread=game)
