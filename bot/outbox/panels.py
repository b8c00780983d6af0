"""The messages in which people see their tables: one at the table's place, one to each player alone.

A message is edited until it shows what is wanted; the newest wins, and nothing is sent where nothing
has changed. What a message shows is built from its reader's view alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary

from bot.errors import origin
from bot.model import PUBLIC, Draft, GameId, Listing, Panel, PersonId, Place, ReaderId, Refused
from bot.outbox.turn_alerts import TurnAlerts, take_away
from bot.pages.table_page import board, private
from bot.people import People
from bot.ports import Departed, Forbidden, Gone, Later, Page, Platform, Platforms, StoreError, Unreachable
from bot.tables.lobby import leave
from bot.tables.service import TableService, UnknownTable
from bot.tables.table import Table

log = logging.getLogger(__name__)

CALL_AFTER = 60.0
"""Seconds after which somebody who has done nothing is called when their turn comes."""
BURIED = 12
"""So many messages of others after the table's own, and it is sent anew below them."""

_CALL = "call:"
"""Begins the reader of the message that calls somebody, alone."""
_MENTION = "mention:"
"""Begins the reader of the one that calls somebody at the table's place."""
_TRIES = 6
_NOTED_AFTER = 2.0
"""Seconds after which the store is told what was sent."""
_BACKOFF = 2.0
"""Seconds before the first new try; then twice as many."""

Reader = tuple[GameId, ReaderId]
Change = Callable[[], Awaitable[None]]
"""Stores something."""


@dataclass(slots=True)
class _Lane:
    """What goes to one chat, one after the other."""

    gap: float
    due: dict[Reader, None] = field(default_factory=dict)
    free_at: float = 0.0
    pause: float = 0.0
    """How long it was to be at rest when that was last said."""
    tries: int = 0
    task: asyncio.Task[None] | None = None

    def rest(self, now: float, seconds: float) -> None:
        """Sends nothing for a while."""
        self.free_at, self.pause = now + seconds, seconds


class Panels:
    """All panels of a house, on all platforms."""

    def __init__(self, service: TableService, people: People, platforms: Platforms) -> None:
        self._service = service
        self._people = people
        self._platforms = platforms
        self._known: dict[Reader, Panel] = {}
        self._readers: dict[GameId, set[ReaderId]] = {}
        """Whose panels of a table are known."""
        self._alerts = TurnAlerts(people)
        self._shown: dict[Reader, Page] = {}
        """What each message shows, as far as this process knows."""
        self._locks: WeakValueDictionary[Reader, asyncio.Lock] = WeakValueDictionary()
        self._lanes: dict[tuple[str, str], _Lane] = {}
        self._chatter: dict[Place, int] = {}
        self._unnoted: dict[Reader, Panel] = {}
        """What was sent and the store does not know yet."""
        self._noting: asyncio.Task[None] | None = None
        service.listen(self._hear)

    async def wake(self) -> None:
        """Sends what a process before this one has not."""
        for panel in await self._service.store.unsent():
            if table := await self._taken_up(panel.game):
                self._want(table, panel.reader)
        for game in await self._service.store.live():
            # There may have been no time to begin a panel.
            begun = {panel.reader for panel in await self._service.store.panels(game)}
            if table := await self._taken_up(game):
                for reader in {PUBLIC, *_people(table)} - begun:
                    self._want(table, reader)

    async def _taken_up(self, game: GameId) -> Table | None:
        """A table whose platform is here; None too where its log cannot be read, as the house has said."""
        try:
            table = await self._service.table(game)
        except StoreError:
            raise
        except Exception:
            return None
        return table if table.place.platform in self._platforms else None

    async def close(self) -> None:
        """Stops sending; what is not sent is still wanted."""
        tasks = [lane.task for lane in self._lanes.values() if lane.task]
        if self._noting:
            tasks.append(self._noting)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.note()

    async def draft(self, table: Table, person: PersonId, change: Callable[[Draft], Draft]) -> Draft:
        """Changes where a player is in their menu; a draft from before the last move is void.

        Two taps in the same instant both count. Raises what the change raises.
        """
        reader = (table.id, person)
        await self._panel(reader)
        panel = self._known[reader]
        draft = panel.draft if panel.draft.stamp == table.stamp else Draft(table.stamp)
        draft = change(draft)
        # Nothing was awaited since the draft was read.
        self._known[reader] = replace(panel, draft=draft)
        await self._keep(self._known[reader])
        self._want(table, person)
        return draft

    async def _keep(self, panel: Panel) -> None:
        """Stores a panel's draft, and that it is to be seen anew."""
        reader, kept = (panel.game, panel.reader), await self._service.store.want(panel)
        if now := self._known.get(reader):
            self._known[reader] = replace(now, wanted=max(kept.wanted, now.wanted))

    async def draft_of(self, table: Table, person: PersonId) -> Draft:
        """Where a player is in their menu."""
        return (await self._panel((table.id, person))).draft

    async def knock(self, table: Table, person: PersonId) -> bool:
        """Writes to somebody alone who has just asked for it; whether that is possible."""
        platform = self._platforms[table.place.platform]
        account = await self._people.account_of(person, platform.key)
        if account is None:
            return False
        await self._people.reached(account, True)
        # The board offers a way to our chat to whoever has not opened it.
        self._want(table, PUBLIC)
        try:
            await self._deliver((table.id, person))
        except Exception:
            # Whatever it was, the lane tries again and says so if that fails too.
            self._want(table, person)
        account = await self._people.account_of(person, platform.key)
        return account is not None and account.reachable

    def refresh(self, table: Table, reader: ReaderId) -> None:
        """Sends a panel again though nothing has changed: its reader has pressed on an old one."""
        self._shown.pop((table.id, reader), None)
        self._want(table, reader)

    async def refresh_own(self, person: PersonId, change: Change) -> None:
        """Stores how somebody wants it from now on, and sends all their panels again."""
        await self._refresh_all(await self._service.store.tables_of(person), person, change)

    async def refresh_place(self, place: Place, change: Change) -> None:
        """Stores how a place wants it from now on, its language say, and sends its boards again."""
        await self._refresh_all(await self._service.store.tables(place), PUBLIC, change)

    async def _refresh_all(self, listings: Sequence[Listing], reader: ReaderId, change: Change) -> None:
        """Stores a change together with what is to be seen anew for it: a crash loses neither alone."""
        panels = [await self._service.store.panel(one.game, reader) for one in listings]
        wanted = [self._known.get((panel.game, reader), panel) for panel in panels if panel]
        await asyncio.gather(change(), *map(self._keep, wanted))
        for listing in listings:
            self._want(await self._service.table(listing.game), reader)

    async def repost(self, table: Table, reader: ReaderId) -> None:
        """Sends a panel anew, below what was written since; the old message is taken away.

        A place may have had its share of messages for now, so for one there it happens in its turn.
        """
        key = (table.id, reader)
        if reader == PUBLIC:
            self._chatter[table.place] = BURIED
            self.refresh(table, reader)
            return
        panel = await self._panel(key)
        if panel.message:
            await take_away(self._platforms[table.place.platform], panel.message)
            self._known[key] = replace(self._known[key], message="")
        self.refresh(table, reader)

    def chatter(self, place: Place) -> None:
        """Somebody has written something in a place."""
        self._chatter[place] = self._chatter.get(place, 0) + 1

    def _hear(self, table: Table, before: Table | None) -> None:
        if before is table or table.place.platform not in self._platforms:
            return
        readers = [PUBLIC, *_people(table)]
        if before and before.place != table.place:
            self._forget_board(table)
            if table.status == "over":
                # Who wants to see it again can ask for it.
                return
        if before:
            readers += _people(before)
            for reader in self._readers.get(table.id, ()):
                # The store has counted the change for every panel of the table, of who has left it too.
                panel = self._known[table.id, reader]
                self._known[table.id, reader] = replace(panel, wanted=panel.wanted + 1)
                readers.append(reader)
        for reader in dict.fromkeys(readers):
            self._want(table, reader)
        if person := self._called(table, before):
            self._want(table, _CALL + person)

    def _forget_board(self, table: Table) -> None:
        """A table is somewhere else now, where nobody has seen its message."""
        reader = (table.id, PUBLIC)
        self._shown.pop(reader, None)
        if note := self._unnoted.get(reader):
            self._unnoted[reader] = replace(note, message="")
        if panel := self._known.get(reader):
            self._known[reader] = replace(panel, message="")

    def _called(self, table: Table, before: Table | None) -> PersonId | None:
        """Whom the turn has just reached though they seem not to look; nobody where that is a secret."""
        waiting = table.waiting()
        if len(waiting) != 1 or (before and before.waiting() == waiting and before.started):
            return None
        player = table.players[waiting[0]]
        if player.person is None or player.is_computer or not self._is_quiet(table, player.person):
            return None
        return player.person

    def _is_quiet(self, table: Table, person: PersonId) -> bool:
        """Whether somebody has done nothing at a table for a while."""
        acted = table.acted(person)
        return acted is None or self._service.clock.now() - acted >= CALL_AFTER

    async def _hand_on(self, table: Table, person: PersonId) -> None:
        """Lets a computer play for somebody who seems to be gone for good; they can take the seat back."""
        room = await self._people.room(table.place)
        if room.private or not self._is_quiet(table, person):
            return
        with suppress(Refused):
            await self._service.change(table.id, lambda table: leave(table, person))
            log.info("table %s: somebody is gone, and a computer plays for them", table.id)

    def _want(self, table: Table, reader: ReaderId) -> None:
        """Puts a panel on its lane."""
        place, limits = table.place, self._platforms[table.place.platform].limits
        person = reader.removeprefix(_CALL)
        shared = not person or person.startswith(_MENTION)
        name = (place.platform, f"#{place.chat}" if shared else person)
        self._put(name, (table.id, reader), limits.gap if shared else 0.0)

    def _put(self, name: tuple[str, str], reader: Reader, gap: float) -> None:
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = _Lane(gap)
        lane.due[reader] = None
        if lane.task is None:
            lane.task = asyncio.create_task(self._run(name, lane))

    async def _run(self, name: tuple[str, str], lane: _Lane) -> None:
        """Sends what a lane has, until it has nothing."""
        clock = self._service.clock
        try:
            while lane.due:
                if (wait := lane.free_at - clock.now()) > 0:
                    # What is wanted meanwhile goes out in the same message. Clocks are set back at times.
                    await clock.sleep(min(wait, lane.pause))
                    lane.free_at = clock.now()
                    continue
                reader = next(iter(lane.due))
                del lane.due[reader]
                await self._try(lane, reader)
        finally:
            lane.task = None
            if not lane.due and lane.free_at <= clock.now():
                self._lanes.pop(name, None)

    async def _try(self, lane: _Lane, reader: Reader) -> None:
        now = self._service.clock.now
        try:
            sendings = await self._deliver(reader)
            lane.tries = 0
            lane.rest(now(), lane.gap * sendings)
        except Later as later:
            lane.due.setdefault(reader)
            lane.rest(now(), later.seconds)
        except UnknownTable:
            pass
        except Exception as error:
            # The error's words may hold what was to be sent.
            log.warning("a panel of table %s could not be sent: %s", reader[0], origin(error))
            lane.tries += 1
            if lane.tries < _TRIES:
                lane.due.setdefault(reader)
            else:
                lane.tries = 0
            lane.rest(now(), _BACKOFF * 2**lane.tries)

    async def _deliver(self, reader: Reader) -> int:
        """Brings a message up to date, and says how often it wrote to do so."""
        lock = self._locks.get(reader) or asyncio.Lock()
        self._locks[reader] = lock
        async with lock:
            table = await self._service.table(reader[0])
            platform = self._platforms[table.place.platform]
            if reader[1].startswith((_CALL, _MENTION)):
                sendings = await self._call(platform, table, reader[1])
            elif reader[1]:
                sendings = await self._deliver_privately(platform, table, reader)
            else:
                sendings = await self._deliver_board(platform, table, reader)
            if table.status == "over":
                self._forget(reader)
            return sendings

    async def _deliver_privately(self, platform: Platform, table: Table, reader: Reader) -> int:
        account = await self._people.account_of(reader[1], platform.key)
        if account is None or not account.reachable:
            if table.status == "over" and (kept := await self._service.store.panel(*reader)):
                self._let_be(kept)
            return 0
        room = await self._people.room(table.place)
        say = await self._people.say_to(reader[1], table.place, table)
        panel = await self._panel(reader)
        if not panel.message and table.seat_of(reader[1]) is None:
            self._let_be(panel)
            return 0
        page = private(table, reader[1], say, platform.limits, panel.draft, alone=room.private)
        try:
            return await self._send(platform, panel, page, lambda: platform.whisper(account, page))
        except Unreachable as unreachable:
            self._let_be(panel)
            await self._people.reached(account, False)
            self._want(table, PUBLIC)
            if isinstance(unreachable, Departed):
                await self._hand_on(table, reader[1])
            return 0

    def _let_be(self, panel: Panel) -> None:
        """There is no way to show what is wanted, so that it counts as sent."""
        reader = (panel.game, panel.reader)
        now = replace(self._known.get(reader, panel), sent=panel.wanted)
        if reader in self._known:
            self._known[reader] = now
        if panel.sent != panel.wanted:
            self._note_later(now)

    async def _deliver_board(self, platform: Platform, table: Table, reader: Reader) -> int:
        room = await self._people.room(table.place)
        if room.private:
            return 0
        say = await self._people.say_in(table.place, table)
        panel, sendings = await self._panel(reader), 0
        try:
            kept = [event for event in table.news_for(None) if event.keep]
            for n, event in enumerate(kept[panel.draft.page :], panel.draft.page + 1):
                await platform.post(table.place, Page((say(event.text),)))
                sendings += 1
                # Whatever happens to the next one, this one is told.
                panel = self._known[reader] = await self._service.store.want(
                    replace(panel, draft=Draft(page=n))
                )
            buried = sendings or self._chatter.get(table.place, 0) >= BURIED
            page = board(table, say, platform.limits, await self._link(platform, table))
            if buried and panel.message and page != self._shown.get(reader):
                await take_away(platform, panel.message)
                panel = self._known[reader] = replace(panel, message="")
                sendings += 1
            return sendings + await self._send(
                platform, panel, page, lambda: platform.post(table.place, page), place=table.place
            )
        except Forbidden:
            log.warning("table %s: we may not write in its place", table.id)
            return sendings

    async def _send(
        self, platform: Platform, panel: Panel, page: Page, anew: Callable[[], Awaitable[str]],
        place: Place | None = None,
    ) -> int:  # fmt: skip
        """Edits a panel's message, or writes a new one where there is none any more."""
        reader, message, sendings = (panel.game, panel.reader), panel.message, 0
        if message and self._shown.get(reader) != page:
            sendings += 1
            try:
                await platform.edit(message, page)
            except Gone:
                message = ""
        if not message:
            sendings += 1
            message = await anew()
            if place:
                self._chatter[place] = 0
        self._shown[reader] = page
        now = self._known.get(reader, panel)
        self._known[reader] = replace(now, message=message, sent=panel.wanted)
        if message != panel.message:
            # What is still to be noted names the message before.
            self._unnoted.pop(reader, None)
            await self._service.store.sent(self._known[reader])
        elif panel.sent != panel.wanted:
            self._note_later(self._known[reader])
        return sendings

    def _note_later(self, panel: Panel) -> None:
        """Keeps what was sent, with what else is sent meanwhile: a crash before costs an edit too many."""
        self._unnoted[panel.game, panel.reader] = panel
        if self._noting is None:
            self._noting = asyncio.create_task(self._note_soon())

    async def _note_soon(self) -> None:
        await self._service.clock.sleep(_NOTED_AFTER)
        self._noting = None
        await self.note()

    async def note(self) -> None:
        """Tells the store what was sent and it does not know yet."""
        panels, self._unnoted = list(self._unnoted.values()), {}
        try:
            await asyncio.gather(*map(self._service.store.sent, panels))
        except StoreError as error:
            log.warning("what was sent could not be noted: %s", origin(error))

    async def _call(self, platform: Platform, table: Table, reader: str) -> int:
        """Calls somebody alone where that can be, else by name in its turn at the table's place."""
        person = reader.removeprefix(_CALL).removeprefix(_MENTION)
        by_name = reader.startswith(_MENTION)
        try:
            sendings = await self._alerts.call(platform, table, person, by_name=by_name)
        except Departed:
            await self._hand_on(table, person)
            return 0
        if sendings is None:
            self._want(table, _MENTION + person)
        return sendings or 0

    async def _link(self, platform: Platform, table: Table) -> str:
        """Where those go at the board who cannot be written to alone; empty where all can."""
        for player in table.players:
            if player.person and not player.is_away:
                account = await self._people.account_of(player.person, platform.key)
                if account and not account.reachable:
                    return platform.link(table.id)
        return ""

    async def _panel(self, reader: Reader) -> Panel:
        """A panel as it is kept; a new one where there is none."""
        if reader not in self._known:
            found = await self._service.store.panel(*reader)
            if found is None:
                found = await self._service.store.want(Panel(*reader))
            self._known.setdefault(reader, found)
            self._readers.setdefault(reader[0], set()).add(reader[1])
        return self._known[reader]

    def _forget(self, reader: Reader) -> None:
        """Lets go of a panel that hardly changes any more; the store still knows it."""
        self._known.pop(reader, None)
        self._shown.pop(reader, None)
        self._alerts.forget(*reader)
        readers = self._readers.get(reader[0], set())
        readers.discard(reader[1])
        if not readers:
            self._readers.pop(reader[0], None)


def _people(table: Table) -> list[PersonId]:
    return [player.person for player in table.players if player.person]
