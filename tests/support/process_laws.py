"""Laws of several processes over one store: one log, one sender to a chat, nothing answered is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from bot.model.batches import Batch
from bot.model.ids import GameId, ProcessId
from bot.model.leases import Lease
from bot.model.places import Place
from bot.model.tables import Entry
from bot.outbox.handovers import POST_STORED
from bot.pages.callback_data import CallbackData
from bot.ports import Reply
from bot.storage import Store
from bot.tables.table import Table
from tests.support.records import Faults

STORED = frozenset(("play", "sure", "join", "start", "cut", "leave_sure"))
"""Commands, and actions of buttons, that are answered without a refusal only once they are stored."""
_FIELDS = [field.name for field in fields(Entry)]


class ProcessLaws:
    """Compares what the processes know, send and answer with what the store holds."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.answered = 0
        """Deliveries of `STORED` answered as done; while it is zero the law of answers has tested nothing."""
        self.handovers = 0
        """How often a chat has got another keeper."""
        self._entries: dict[tuple[GameId, int], Entry] = {}
        """The entries that processes have shown, by table and number."""
        self._deliveries: set[str] = set()
        """The deliveries with which a change was stored."""
        self._keepers: dict[tuple[str, str], ProcessId] = {}
        """The process that has the lease of each chat, or had it last."""
        self._lost: dict[tuple[str, str, ProcessId], float] = {}
        """When each process last lost the lease of a chat to another."""

    def on_append(self, batch: Batch) -> None:
        """Notes the delivery of a stored batch; called after each."""
        self._deliveries.add(batch.delivery)

    def on_commit(self, table: Table, before: Table | None) -> None:
        """Checks that a process has no other log than the others; called by each process."""
        since = len(before.entries) if before else 0
        if len(table.entries) > since:
            self._same(table.id, table.entries[since:])

    def _same(self, game: GameId, entries: Sequence[Entry]) -> None:
        for entry in entries:
            known = self._entries.setdefault((game, entry.n), entry)
            # Only names of fields: an entry's body is long.
            differing = [name for name in _FIELDS if getattr(known, name) != getattr(entry, name)]
            self.faults.note(not differing, f"two processes have other {differing} in entry {entry.n}")

    def on_answer(self, name: str, given: tuple[Any, ...]) -> None:
        """Checks that a press or a command of `STORED` is stored once it is answered as done.

        ``given`` ends with the delivery and the answer. Typed lines are not checked.
        """
        if name not in ("press", "command"):
            return
        asked, delivery, reply = given[1], given[-2], given[-1]
        callback = CallbackData.parse(asked)
        made = isinstance(reply, Reply) and (reply.done or (callback and not reply.notice))
        if callback and isinstance(reply, Reply) and _asks_again(reply, callback):
            return
        if made and (callback.action if callback else asked) in STORED:
            self.answered += 1
            self.faults.note(delivery in self._deliveries, f"answered as done, but not stored: {asked}")

    def on_lease(self, lease: Lease, now: float) -> None:
        """Learns who keeps a chat; called after each lease that was taken."""
        chat = (lease.platform, lease.chat)
        if (former := self._keepers.get(chat)) and former != lease.process:
            self.handovers += 1
            self._lost[(*chat, former)] = now
        self._keepers[chat] = lease.process

    def on_request(self, process: ProcessId, place: Place, now: float, known_as: Place | None = None) -> None:
        """Checks that only the keeper of a chat sends there; called before each request to it.

        Private chats are not checked. A former keeper may send for `POST_STORED` seconds more. ``known_as``
        is the place under its present id. The messages of a group that has moved are edited and deleted by
        the keeper of the new chat too, which has the tables.
        """
        chats = [(at.platform, at.chat) for at in (place, known_as or place)]
        keepers = [self._keepers.get(chat) for chat in chats]
        kept_for = now - max(self._lost.get((*chat, process), 0.0) for chat in chats)
        kept = process in keepers or kept_for <= POST_STORED
        self.faults.note(kept, f"{process} sends to a chat that {keepers[-1]} has kept for {kept_for} s")

    async def check(self, store: Store) -> None:
        """Checks that the store holds each entry that a process has shown."""
        for game in {game for game, _ in self._entries}:
            stored = await store.load(game)
            self.faults.note(stored, "a table is lost")
            if stored:
                self._same(game, stored.entries)
                shown = max(n for of_game, n in self._entries if of_game == game)
                self.faults.note(shown < len(stored.entries), "an entry is lost")


def _asks_again(reply: Reply, callback: CallbackData) -> bool:
    """Whether a press is answered by the question that it should have confirmed, which was too old."""
    return (
        reply.page is not None
        and any((key.action, key.game) == (callback.action, callback.game) for key in reply.page.numbered)
        and reply.page.kind == "note"
    )
