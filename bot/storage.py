"""The protocol that stores implement, and the errors they raise."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from bot.i18n import Speech
from bot.model.batches import Batch, BatchVerdict, Behind, Known, Look, Rewriting, Stored
from bot.model.ids import GameId, PersonId, ProcessId, ReaderId
from bot.model.leaderboards import Leaderboard, LeaderboardPage, Profile
from bot.model.leases import Claim, Outage
from bot.model.panels import Marked, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.results import Ending, PlayerResult, Unsettled
from bot.model.tables import Listing
from bot.ratings import Rating
from engines.game import Text


class StoreError(Exception):
    """The store has failed, or refused. The change is not stored, unless the error is `Uncertain`."""

    def __init__(self, why: Text | str = "") -> None:
        """``why`` is a `Text` where players at a terminal can meet the error; its `str` is English."""
        super().__init__(Speech("en")(why) if isinstance(why, Text) else why)
        self.why = why


class Uncertain(StoreError):
    """The store failed during a commit: the change may be stored or not, and only a later read can tell."""


class Unreadable(StoreError):
    """Some rows cannot be read, such as those of one table: others may still be read and written."""


AFTER_ALL = 10**9
"""The number of an entry beyond the end of every log, to read a table without its entries."""
ALIVE = 10.0
"""Seconds after its last beat for which a process counts as alive and keeps its leases."""
OUTAGES_KEPT = 8 * 86_400.0
"""The fewest seconds for which outages are kept: as long as the longest turn, and a day more."""


class Store(Protocol):
    """Keeps everything that must outlive the process.

    A method that writes returns after the commit; one that is cancelled may have written. Any method
    may raise `StoreError`, and does so within 5 s if the database does not respond; one that writes may
    raise `Uncertain`, one that reads `Unreadable`, as may `append` for the tail of a `Behind`. `add_account`
    and `outdate` take several steps, and may have written before they fail. All stores pass one contract
    suite.
    """

    @property
    def shared(self) -> bool:
        """Whether other processes may serve from the store too; else a table in memory is never outdated."""

    async def append(self, batch: Batch) -> BatchVerdict:
        """Stores a batch and its listing and marks the table's panels dirty, all or nothing.

        The batch's keeper takes the lease of the table's chat, also from a living process. The public panel
        is created, dirty, when the table is opened, a player's panel when they take a seat.
        `Full` names the first of its ``seated`` who would sit at more than ``most_seats`` tables that are not
        over; that holds also if two processes append at the same time.
        Returns `Known` for a delivery that is stored already, whatever the entries are, and `Clash`
        only for the first entries of a table. Those set the place and the number of the table; later
        only `move_chat` and `rewrite` change these, and the listing's are ignored. Raises `StoreError` for
        entries that begin beyond the end of the log.
        """

    async def has_delivery(self, delivery: str) -> bool:
        """Whether a batch with this delivery is stored."""

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        """`Known` or `Behind`, if that would be the verdict on a batch of this delivery after ``n`` entries.

        None for any other verdict, and for a table that is not stored. As in `append`, `Known` takes
        precedence; an empty delivery is never `Known`.
        """

    async def load(self, game: GameId) -> Stored | None:
        """A table with its whole log; None if it is not stored."""

    async def tail(self, game: GameId, n: int) -> Stored | None:
        """A table with only its entries from ``n`` on; None if it is not stored."""

    async def tables(self, place: Place) -> Sequence[Listing]:
        """The tables of a place that are not over, by number."""

    async def tables_inside(self, place: Place) -> Sequence[Listing]:
        """The tables that are not over in the places inside this one, such as the channels of a server."""

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        """The tables that are not over and that a person owns or has a seat at, the last changed first."""

    async def last_over(self, place: Place) -> Listing | None:
        """The table of a place that was over last; None if none is over."""

    async def finished(
        self,
        *,
        place: Place | None = None,
        person: PersonId | None = None,
        key: str | None = None,
        start: int = 0,
        count: int = 1,
    ) -> Sequence[Listing]:
        """The tables that are over and were dealt cards, the last one first, from index ``start`` on.

        At most ``count`` tables: those of a ``place`` and the places inside it, or those at which a
        ``person`` had a seat at the end. With a ``key``, only tables of that game.
        """

    async def ended_threads(self, since: float) -> Sequence[tuple[Place, float]]:
        """The bot's own threads in which a table has ended since a time, and when one ended there last."""

    async def panels(self, game: GameId) -> Sequence[PanelRecord]: ...
    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None: ...
    async def mark_dirty(
        self, panel: PanelRecord, *, expected: int | None = None, keeper: ProcessId = ""
    ) -> Marked:
        """Stores a panel's ``draft``, ``announced`` and ``watch`` and marks it dirty.

        Creates a panel that is not stored, with only these three. Leaves the other fields of a stored one as
        they are. With ``expected``, stores nothing unless that is the panel's ``wanted`` (0 for one that is
        not stored): of two processes that change one draft, the second reads the first's. A ``keeper`` whose
        change is stored takes the lease of the table's chat.
        """

    async def sent(
        self,
        panel: PanelRecord,
        *,
        keeper: ProcessId = "",
        replaces: str | None = None,
        free_at: float | None = None,
    ) -> PanelRecord:
        """Stores a panel's message, ``sent`` and ``told``, and returns the panel as it is stored then.

        Of two times in ``notified_at`` the later is kept. A panel that is not stored is created as given by a
        new message alone: by an edit it is not, since its reader was forgotten meanwhile. A new message names
        the one that it ``replaces``, and is stored only if that is the stored one, or if none is; its sender
        deletes it if another one is returned. An edit by a ``keeper`` is stored on two conditions: the keeper
        holds the lease of the table's chat, else the message may have stayed in a chat that the table has
        left; and no other message is stored, else another process has posted the panel anew. ``free_at`` is
        noted in a lease that the keeper holds.
        """

    async def save_alert(self, panel: PanelRecord, *, replaces: str) -> PanelRecord:
        """Stores a panel's ``notified_at``, ``alert`` and ``aloud``; returns the panel as it is stored then.

        Of two times in ``notified_at`` the later is kept. Stores nothing if the stored alert is not
        ``replaces``, since another process has sent an alert too; nor for a panel that is not stored, which
        it returns with ``replaces`` as its alert. A sender whose alert is not the one returned deletes it.
        """

    async def beat(
        self, process: ProcessId, now: float, platforms: Collection[str] = ()
    ) -> Mapping[ProcessId, Collection[str]]:
        """Notes that a process is alive, and its platforms; returns the platforms of all living processes.

        The process that started first is at the front. One of an older version names no platforms.
        A process beats every 2 s, and is alive for `ALIVE` seconds after a beat. Where the store is not
        shared, it may beat every 4 s, and a starting process may `retire` all others, which must be dead.
        A beat that comes later than `ALIVE` seconds after the last one of any process notes an `Outage`.
        """

    async def outages(self) -> Sequence[Outage]:
        """The outages that beats have noted, the first at the front; old ones go when another is noted."""

    async def retire(self, process: ProcessId) -> None:
        """Notes that a process has ended: its leases are free at once."""

    async def release(self, process: ProcessId, platform: str, chat: str) -> None:
        """Gives back the lease of one chat, if the process holds it."""

    async def claim(
        self, process: ProcessId, platforms: Sequence[str], now: float, limit: int
    ) -> Sequence[Claim]:
        """Takes the leases of chats that no other living process keeps and whose tables have pending work.

        Returns these tables: first those that are due, the longest due first, then those with dirty panels.
        In chats that the process keeps already, only what is due is returned, again and again until an
        entry or `postpone` changes it. At most ``limit`` due tables are returned, and all tables with dirty
        panels in their newly claimed chats and in at most ``limit`` other chats. Two claims at the same time
        never return the same table. Where very many panels are dirty, one of the next claims finds those that
        this one has not looked at.
        """

    async def pending_tables(self, platform: str, chat: str, until: float) -> Sequence[GameId]:
        """The tables of a chat that are due until a time or have dirty panels.

        Called for each chat that the process has gained without `claim`, which passes over the dirty panels
        of chats that the process keeps already, and for each in which a commit was uncertain.
        """

    async def look(self, game: GameId, n: int) -> Look | None:
        """The entries of a table from ``n`` on, its place and its keeper, by one cheap query.

        None for a table that is not stored.
        """

    async def postpone(self, game: GameId, n: int | None, due: float | None) -> None:
        """Sets the time from which a table is due, unless its log has another length than ``n``.

        For a table that was claimed and whose pending work is done, and for one that could not be resumed:
        its length may be unknown, and ``n`` is None.
        """

    async def outdate(self, revisions: Mapping[str, int]) -> None:
        """Makes the live tables due whose games have newer revisions; ``revisions`` is by the game's key."""

    async def earliest_due(self) -> float | None:
        """The earliest time from which a table is due; None if none is."""

    async def pass_gate(self, gate: str, now: float, seconds: float) -> float:
        """Passes a gate, and closes it to all processes for some seconds; returns 0.

        If it is closed, leaves it so, and returns the seconds until it may be tried again.
        """

    async def room(self, place: Place) -> Room | None: ...
    async def save_room(self, room: Room) -> None: ...

    async def end_wishes(self, person: PersonId, platform: str, chat: str) -> None:
        """Removes a person from the `Room.wishes` of a chat and of its threads."""

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        """Gives a chat's rooms, tables and results its new id; forgets the messages of tables there.

        A table whose number is taken in the new chat gets another. A community that has the chat's id
        gets the new id too.
        """

    async def account(self, platform: str, user: str) -> Account | None: ...
    async def accounts(self, person: PersonId) -> Sequence[Account]: ...
    async def save_account(self, account: Account) -> None: ...
    async def add_account(self, account: Account) -> Account:
        """Stores an account unless it is stored already; returns the stored one."""

    async def person(self, person: PersonId) -> Person | None: ...
    async def save_person(self, person: Person) -> None: ...
    async def leaderboard(
        self, leaderboard: Leaderboard, reader: PersonId, first: int, count: int
    ) -> LeaderboardPage:
        """At most ``count`` lines of a leaderboard from the index ``first`` on, and the reader's own line.

        Hidden people are on none. Names are people's current names. An empty reader has no line.
        """

    async def game_with_most_wins(self, scope: str, keys: Sequence[str]) -> str:
        """The one of these games with the most wins of one person in a scope; empty if none was played there.

        Games against computers alone do not count.
        """

    async def profile(self, person: PersonId, reader: PersonId, keys: Sequence[str]) -> Profile:
        """The profile of a person, for a reader who may be the same person; its tallies are of these games.

        Hidden rivals are left out, but not the person whose profile it is.
        """

    async def games_naming(self, person: PersonId, after: GameId, limit: int) -> Sequence[GameId]:
        """At most ``limit`` tables whose seats or entries name a person, moderators without a seat included.

        The first ones after an id, in the order of ids; ``after`` may be empty.
        """

    async def rewrite(self, rewriting: Rewriting) -> bool:
        """Replaces entries of a table and appends the rewriting's last; False if the log has grown meanwhile.

        The owner and the seats are replaced too, and the panel of the rewriting's reader is deleted. A table
        that `Rewriting.was_private` gets the listing's place, as its results do; any other stays where it is.
        """

    async def forget(self, person: PersonId, alias: PersonId, chat: Place | None = None) -> None:
        """Deletes a person: name, preferences, accounts, panels, wishes and the rooms of their private chats.

        A private chat is ``chat``, or has the id of an account; its lease is deleted too if it has no table.
        An alias, which is hidden and has no name, takes their place in what is counted of finished games.
        The places that have barred the person keep the bar.
        """

    async def results(self, game: GameId) -> Sequence[PlayerResult]:
        """The results of a game, by seat; none before its end, nor while it is unsettled."""

    async def ratings(self, person: PersonId) -> Mapping[str, Rating]:
        """The ratings of a person, by the key of the game."""

    async def unsettled(self, limit: int) -> Unsettled:
        """The finished games that are not settled: at most ``limit``, the first at the front, and how many.

        A game is settled by the batch that ends it, unless other games wait; then it waits too, since the
        order of games matters to ratings.
        """

    async def settle(self, endings: Sequence[tuple[int, Ending | None]]) -> int:
        """Stores the results of unsettled games, by their numbers; None for a game that has no result.

        They must be the first unsettled games, in order: a game that is not, since another process has
        settled it, and all after it are ignored. Returns the number of games settled.
        """

    async def adopt(self) -> int:
        """Numbers the tables that are over and have no number yet, as unsettled games; returns how many.

        Tables have no number if a process of an older version, which knew no results, ended them, or if they
        were closed without a result.
        """

    async def unsettle(self) -> int:
        """Deletes all results, ratings and tallies, to work them out anew; returns the number of games."""

    async def purge_tallies(self, month: str, week: str, most: int) -> int:
        """Deletes at most ``most`` tallies of months and weeks before these; returns how many."""

    async def analysis(self, game: GameId) -> str | None:
        """The analysis of a game, as `save_analysis` stored it; None without one."""

    async def save_analysis(self, game: GameId, body: str) -> None:
        """Stores the analysis of a stored game, in place of an earlier one."""

    async def close(self) -> None: ...
