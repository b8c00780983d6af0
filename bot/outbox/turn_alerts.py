"""Turn alerts: short messages that tell players that it is their turn.

A turn's first alert is for a player who has done nothing since the turn began, a later one for a player who
has done nothing in the last `LATELY` seconds before it.

When an alert is due follows from the table, from the player's preferences, and from when the player last
acted. The player's panel stores when the last alert was sent and the id of its message, which is deleted when
they act.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from bot.errors import reason
from bot.model.ids import PUBLIC, GameId, PersonId
from bot.model.panels import Notification, PanelRecord
from bot.model.people import Account, Person
from bot.model.tables import Refused
from bot.outbox.handovers import Handovers
from bot.outbox.once import once
from bot.outbox.records.records import PanelRecords
from bot.pages.deadlines import deadline_of
from bot.people import People
from bot.ports import Departed, Forbidden, Gone, Later, Page, Platform, Unreachable
from bot.recent import Recent
from bot.table_service.service import TableService
from bot.tables.lobby import leave
from bot.tables.table import Table
from bot.times.local_time import quiet_until
from engines.game import Name, Seat, Text

log = logging.getLogger(__name__)

AWAY_AFTER = 60.0
"""Seconds without an action after which a player counts as away, if they want alerts only when away.

A player who shares no place with the bot keeps their seat until so many seconds after their last action.
"""
LATELY = 3600.0
"""An action less than so many seconds before the second or third alert of a turn cancels that alert."""
AGAIN = 10.0
"""Seconds until a table with a queued alert is attended to again, since a crash may lose the alert."""
_MOST_ACTED = 50_000
"""How many last actions are remembered at most, one for each player at each table."""


class TurnAlerts:
    """Sends turn alerts when they are due, and deletes those that were answered."""

    def __init__(
        self,
        service: TableService,
        people: People,
        records: PanelRecords,
        handovers: Handovers,
        queue: Callable[[Table, Notification], None],
    ) -> None:
        """``queue`` puts an alert into the lane of its chat, which calls `deliver`."""
        self._service = service
        self._people = people
        self._records = records
        self._handovers = handovers
        self._queue = queue
        self._acted: Recent[tuple[GameId, PersonId], float] = Recent(_MOST_ACTED)
        """When each player last pressed or typed something about a table, also if that changed nothing."""

    def note_action(self, table: Table, person: PersonId) -> None:
        """Notes that a player does something at a table, and deletes their alert soon."""
        if table.is_playing and table.seat_of(person) is not None:
            self._acted.put((table.id, person), self._service.clock.now())
            self.tidy(table)

    def tidy(self, table: Table) -> None:
        """Queues the alerts of a table that are to be deleted, as far as its panels are in memory."""
        for panel in self._records.cache.panels(table.id):
            if panel.alert and self._is_answered(table, panel):
                self._queue(table, Notification(panel.reader, panel.aloud))
        for stray in self._records.late.strays(table.id):
            self._queue(table, Notification(stray.reader, stray.aloud))

    async def queue_due(self, table: Table) -> float | None:
        """Queues the alerts that are due at a table; returns when the next may be due, None if none may."""
        now, later = self._service.clock.now(), []
        for seat in table.alert_times:
            person = await self._people.person(table.players[seat].person or "")
            panel = await self._records.stored(table.id, table.place, person.id)
            later += [time for time in self._times(table, seat, person) if time > now]
            if panel and self._is_due(table, seat, person, panel):
                self._queue(table, Notification(person.id))
                later.append(now + AGAIN)
        return min(later, default=None)

    async def deliver(self, platform: Platform, table: Table, alert: Notification) -> int:
        """Deletes a player's alert if it was answered or another is due, and sends the one that is due.

        Also deletes an earlier alert that the store did not keep. Returns how many messages were written or
        deleted, without that one.
        """
        panel = await self._records.stored(table.id, table.place, alert.person)
        if panel is None:
            return 0
        if stray := self._records.late.stray(table.id, alert.person):
            await delete(platform, stray)
            self._records.late.drop_stray(table.id, alert.person, stray)
        person, seat = await self._people.person(alert.person), table.seat_of(alert.person)
        is_due = seat in table.alert_times and seat is not None and self._is_due(table, seat, person, panel)
        messages = 0
        if panel.alert and (is_due or self._is_answered(table, panel)):
            if panel.aloud != alert.aloud:
                self._queue(table, Notification(alert.person, panel.aloud))
                return 0
            await delete(platform, panel.alert)
            await self._records.sent.record_alert(panel, "", panel.notified_at)
            panel, messages = await self._records.read(table.id, table.place, alert.person), 1
        if is_due and seat is not None:
            messages += await self._send(platform, table, seat, panel, aloud=alert.aloud)
        if table.status == "over":
            self._records.cache.forget_table(table.id)
        return messages

    async def release_seat(self, table: Table, person: PersonId) -> bool:
        """Takes a player who shares no place with the bot from their seat, as `leave` does.

        Returns False if that is impossible, as in a private chat. If the player has acted lately, returns
        True and leaves the seat to a later try.
        """
        room, acted = await self._people.room(table.place), self._last_action(table, person)
        if room.private:
            return False
        if acted is not None and self._service.clock.now() - acted < AWAY_AFTER:
            return True
        try:
            await self._service.change(table.id, lambda table: leave(table, person))
        except Refused:
            return False
        log.info("table %s: a player has left the platform, and gives up the seat", table.id)
        return True

    def _last_action(self, table: Table, person: PersonId) -> float | None:
        """When a player last did anything at a table, as far as this process knows; None if never."""
        times = (table.acted(person), self._acted.get((table.id, person)))
        return max((time for time in times if time is not None), default=None)

    def _times(self, table: Table, seat: Seat, person: Person) -> Sequence[float]:
        """When a player's alerts of this turn are due: the table's alert times, shifted by their preferences.

        Empty if the player wants no alerts.
        """
        if person.turn_alerts == "never":
            return ()
        acted, times = self._last_action(table, person.id), table.alert_times[seat]
        if person.turn_alerts == "away" and acted is not None:
            times = tuple(max(time, acted + AWAY_AFTER) for time in times)
        return [quiet_until(person, time) or time for time in times]

    def _is_due(self, table: Table, seat: Seat, person: Person, panel: PanelRecord) -> bool:
        """Whether a turn alert is due now: not sent yet, and not called off by an action of the player."""
        times = [time for time in self._times(table, seat, person) if time <= self._service.clock.now()]
        if not times or panel.notified_at >= table.alert_times[seat][len(times) - 1]:
            return False
        if len(times) == 1 and panel.alert and panel.notified_at > table.turn_began[seat]:
            # This turn's first alert was sent already, though before the time at which it is due now.
            return False
        acted = self._last_action(table, person.id)
        return acted is None or acted <= (table.turn_began[seat] if len(times) == 1 else times[-1] - LATELY)

    def _is_answered(self, table: Table, panel: PanelRecord) -> bool:
        """Whether the player has done something since the alert, or need not act any more."""
        seat, acted = table.seat_of(panel.reader), self._last_action(table, panel.reader)
        if seat is None or seat not in table.alert_times or table.turn_began[seat] > panel.notified_at:
            return True
        return acted is not None and acted > panel.notified_at

    async def _send(
        self, platform: Platform, table: Table, seat: Seat, panel: PanelRecord, *, aloud: bool
    ) -> int:
        """Sends an alert by private message, or in the table's chat if no private message reaches the player.

        Returns how many messages were written or deleted. An alert that belongs to another lane is queued
        there, and not sent. Raises `Later` while the chat's former keeper may have sent it.
        """
        account = await self._people.account_of(panel.reader, platform.key)
        room = await self._people.room(table.place)
        if account is None or (room.private and not account.reachable):
            await self._records.sent.record_alert(panel, "", self._service.clock.now())
            return 0
        if account.reachable == aloud:
            self._queue(table, Notification(panel.reader, not aloud))
            return 0
        if (wait := self._handovers.wait_to_post(table.place)) > 0:
            # The former keeper may have just sent the alert.
            self._records.cache.forget_table(table.id)
            raise Later(wait, "the chat was taken over")
        try:
            page = await self._page(table, seat, panel, aloud=aloud)
            name = once(table.id, panel.reader, "turn", table.alert_times[seat][0], panel.notified_at)
            if aloud:
                sending = platform.post(table.place, page, account, once=name)
            else:
                sending = platform.whisper(account, page, once=name)
            return await self._send_once(platform, panel, sending, aloud=aloud)
        except Forbidden as forbidden:
            log.warning("table %s: a turn alert was not sent: %s", table.id, reason(forbidden))
            await self._records.sent.record_alert(panel, "", self._service.clock.now())
        except Departed:
            if not await self.release_seat(table, panel.reader):
                await self._records.sent.record_alert(panel, "", self._service.clock.now())
        except Unreachable as unreachable:
            log.info("table %s: a turn alert was not sent: %s", table.id, reason(unreachable))
            await self._set_unreachable(table, account)
        return 0

    async def _page(self, table: Table, seat: Seat, panel: PanelRecord, *, aloud: bool) -> Page:
        """The alert: which table waits for its player, until when, and where its panel in that chat is."""
        now, game, n = self._service.clock.now(), table.game.title, table.number
        if not aloud:
            say = await self._people.say_to(panel.reader, table.place, table)
            sentence = say(Text("Your turn: {game}, table {n}.", game=game, n=n))
            return Page.note(sentence, deadline=deadline_of(table, seat, say, now), about=panel.message)
        say = await self._people.say_in(table.place, table)
        sentence = say(Text("{who}, it's your turn: {game}, table {n}.", who=Name(seat), game=game, n=n))
        public = await self._records.stored(table.id, table.place, PUBLIC)
        about = public.message if public else ""
        return Page.note(sentence, deadline=deadline_of(table, None, say, now), about=about)

    async def _send_once(
        self, platform: Platform, panel: PanelRecord, sending: Awaitable[str], *, aloud: bool
    ) -> int:
        """Sends an alert and stores it; deletes it if another process has sent one too."""
        message = await sending
        stored = await self._records.sent.record_alert(panel, message, self._service.clock.now(), aloud=aloud)
        if stored == message:
            return 1
        await delete(platform, message)
        return 2

    async def _set_unreachable(self, table: Table, account: Account) -> None:
        """Notes that private messages do not reach a player, who is mentioned in the table's chat instead."""
        await self._people.set_reachable(account, False)
        self._queue(table, Notification(account.person, aloud=True))


async def delete(platform: Platform, message: str) -> None:
    """Deletes a message if it still exists and the platform allows it."""
    with suppress(Gone, Forbidden, Unreachable):
        await platform.delete(message)
