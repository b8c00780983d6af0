"""Plays at the screen of a table: moves, words picked for a move, hints, the handover of the keyboard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from adapters.terminal import typed_lines
from adapters.terminal.screens.news import HistoryScreen
from adapters.terminal.session import Session
from adapters.terminal.table_screen.command_line import CommandLine
from adapters.terminal.table_screen.recall import Recall
from adapters.terminal.table_screen.view import TableView
from adapters.terminal.widgets import TextPane
from bot.model.tables import Refused
from bot.pages.menus.menu_items import MenuItem, Words
from engines.game import IllegalMove, Name, Seat, Text


class TablePlay(TableView):
    """Makes the moves of the players at the keyboard."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._recall = Recall()
        self._asked_at = -1
        """The stamp at which the players were asked whether they take a move back; negative before that."""

    def _begin(self) -> None:
        """Starts a game: the task that redraws the screen after each change, then its computer players."""
        self._moves.go(())
        self._set_notice(self.app.new_warning() or next(iter(self.session.warnings()), None))
        self.reader = None
        self._drawn_entries = 0
        self.run_worker(self._watch(), group="watch", exclusive=True)
        # The first move, which a computer may make, waits for the file of games; the screen is painted first.
        self.app.call_after_refresh(self._attend)

    def _attend(self) -> None:
        """Starts the computer players, unless the game was left before its screen was painted."""
        if self in self.app.screen_stack:
            self.session.begin().add_done_callback(self._quit_if_failed)

    async def _watch(self) -> None:
        """Redraws the screen after each change of the table."""
        while True:
            if self._drawn_entries != len(self.session.table.entries):
                self.redraw()
            await self.session.changed(self._drawn_entries)

    def _quit_if_failed(self, attendance: asyncio.Task[None]) -> None:
        """Quits if a computer player has failed, since the table would wait for its move for ever."""
        if not attendance.cancelled() and (error := attendance.exception()):
            self.app.fail(error)

    def _update_reader(self) -> None:
        """Updates the reader, and drops picked words and notices that no longer apply.

        At a shared keyboard, a hidden hand is shown only after its player has confirmed the handover.
        """
        session = self.session
        if not session.shared:
            self.reader = session.people[0] if session.people else None
        elif not session.is_curtained:
            self._pass_openly()
        else:
            wanted = session.at_keyboard()
            if wanted != self.reader and self.reader is not None:
                # The next player must not read the previous player's unfinished line.
                self.query_one(CommandLine).value = ""
            self.next_reader = None if wanted == self.reader else wanted
            self.reader = self.reader if wanted == self.reader else None
        moment = (session.table.stamp, self.reader)
        if moment != self._moment:
            if not self._path_still_begins_move(self._moment):
                self._moves.go(())
            self._moment = moment
            if self._refused or session.table.result:
                # A refused move may be legal now.
                self._set_notice(None)
            if session.table.result:
                self.query_one(CommandLine).value = ""

    def _pass_openly(self) -> None:
        """Makes the next player the reader at once, in a game that hides nothing."""
        if (wanted := self.session.at_keyboard()) is not None and wanted != self.reader:
            self.session.keyboard.sit_down(wanted)
            self.query_one(CommandLine).value = ""
            self.reader = wanted

    def _path_still_begins_move(self, moment: tuple[int, Seat | None]) -> bool:
        """Whether the words picked at an earlier stamp still begin a move of the same reader."""
        stamp, seat = moment
        if seat is None or seat != self.reader or self.session.table.result:
            return False
        return self._moves.goes_on(seat, stamp)

    async def _press(self, seat: Seat, stamp: int, item: MenuItem) -> None:
        """Carries out a menu item, or says that its button no longer works (see `MoveMenu.is_meant`)."""
        if seat != self.reader or not self._moves.is_meant(seat, stamp, item):
            self.notify_player(Text("That button was out of date. These are the current ones."))
        elif item.done:
            await self._play(" ".join(item.words))
        else:
            self._open(item.words)

    def _open(self, words: Words) -> None:
        """Shows the menu of the moves that begin with these words."""
        self._moves.go(words)
        self._tell_path()

    def _has_only_optional_move(self, seat: Seat) -> bool:
        """Whether a player at a shared keyboard has only an optional move."""
        session = self.session
        return session.shared and seat in session.keyboard.optional(session.table)

    async def _play(self, action: str) -> None:
        """Makes the reader's move, or shows why it is refused."""
        assert self.reader is not None
        # The notice is cleared before the move, so that one that arrives during the move stays.
        self._set_notice(None)
        try:
            await self.session.play(self.reader, action)
        except IllegalMove as illegal:
            reason = partial(typed_lines.reason, self.session, self.reader, action, illegal)
            self._refuse(reason(), reason)
            return
        except Refused as refused:
            # The game has ended since the menu was shown.
            self._refuse(refused.reason)
            return
        self._moves.go(())
        self.query_one(CommandLine).value = ""
        self._tell_notice()

    def _tell_notice(self) -> None:
        """Redraws, or tells the reader why their held move (see `Session.play`) was not made."""
        mine = self.reader is not None and self.session.at_keyboard() == self.reader
        notice = self.session.take_notice(self.reader) if self.reader is not None and mine else None
        if notice:
            self.notify_player(notice)
        else:
            self.redraw()

    def _refuse(self, reason: Text, reworded: Callable[[], Text] | None = None) -> None:
        """Shows why a line is refused, and selects the line, so that it can be corrected or typed over."""
        self.notify_player(reason, reworded=reworded)
        self._refused = True
        self.query_one(CommandLine).select_all()

    async def _escape(self) -> None:
        """Does what Esc does while the line is empty."""
        await self._back()

    async def _back(self) -> None:
        """Clears the picked cards, declines an optional move, or drops the last word of the path."""
        if self._moves.picks.words:
            self._moves.pick(())
            self.notify_player(None)
            return
        if not self._moves.path and self.reader is not None and self._has_only_optional_move(self.reader):
            self.session.decline(self.reader)
            self.notify_player(None)
            return
        self._moves.go(self._moves.path[:-1])
        self._tell_path()

    def _tell_path(self) -> None:
        """Shows the words picked so far as a notice; clears it if there is no reader or the game is over."""
        if self.reader is None or self.session.table.result:
            self.notify_player(None)
            return
        self.notify_player(self._begun(), calm=True, reworded=self._begun)

    def _begun(self) -> Text | None:
        """The words picked so far; None if there are none or there is no reader."""
        if self.reader is None:
            return None
        return typed_lines.begun(self.session, self.reader, self._moves.menu(self.reader))

    async def _turn_page(self) -> None:
        """Shows the next page of the menu."""
        self._moves.turn_page()
        self.notify_player(None)

    async def _take_keyboard(self) -> None:
        """Confirms the handover: makes the next reader the reader, and shows their table.

        A second click does nothing.
        """
        if self.next_reader is None:
            return
        self.reader, self.next_reader = self.next_reader, None
        self.session.keyboard.sit_down(self.reader)
        self.query_one("#table", TextPane).scroll_home(animate=False)
        self.notify_player(self.session.take_notice(self.reader))

    async def _continue(self) -> None:
        """Answers for a reader who has nothing to decide; a second click does not answer for the next."""
        if self.reader is None or not self._idle:
            return
        self._set_notice(None)
        await self.session.note_asked(self.reader)
        self._tell_notice()

    def _next_optional_player(self) -> Seat | None:
        """The next player in seat order who may make an optional move; None unless the keyboard is shared."""
        session = self.session
        if not session.shared:
            return None
        at_keyboard = self.reader if self.next_reader is None else self.next_reader
        seats = [seat for seat in session.keyboard.optional(session.table) if seat != at_keyboard]
        later = [seat for seat in seats if at_keyboard is not None and seat > at_keyboard]
        return next(iter([*later, *seats]), None)

    async def action_pass_keyboard(self) -> None:
        """Passes the keyboard to the next player with an optional move."""
        if (seat := self._next_optional_player()) is not None:
            self.session.keyboard.pass_to(seat)
            self.notify_player(None)

    async def action_hint(self) -> None:
        """Shows a hint for the reader above the command line, unless the keyboard is passed on meanwhile."""
        seat = self.reader
        if seat is None or self.session.table.result:
            return
        try:
            hint = await self.session.hint(seat)
        except Refused as refused:
            self.notify_player(refused.reason)
            # The notice goes once the table has changed, when there may be a hint.
            self._refused = True
        else:
            # A hint names cards of the hand.
            if seat == self.reader:
                self.notify_player(hint, calm=True, reworded=partial(self.session.last_hint, seat))

    async def action_take_back(self) -> None:
        """Takes the last move at this keyboard back; at a shared one, only when pressed twice."""
        mover, stamp = self.session.last_mover(), self.session.table.stamp
        if mover is not None and self.session.shared:
            question = Text(
                "Take back {who}'s last move? Type u or press F6 if everyone agrees.", who=Name(mover)
            )
            # Asked again if a move was made since the question, which was about an earlier move.
            if self.notice != question or self._asked_at != stamp:
                self._asked_at = stamp
                self.notify_player(question)
                return
        try:
            await self.session.take_back()
        except Refused as refused:
            self.notify_player(refused.reason)
            return
        self._moves.go(())
        self.query_one(CommandLine).value = ""
        self.notify_player(None)

    def _recall_older(self) -> None:
        """Puts the line typed before the recalled one into the command line."""
        line = self.query_one(CommandLine)
        if (older := self._recall.older(self._typist(), line.value.strip())) is not None:
            line.value = older
            line.action_end()

    def _recall_newer(self) -> None:
        """Puts the line typed after the recalled one into the command line; empties it after the latest."""
        line = self.query_one(CommandLine)
        line.value = self._recall.newer(self._typist())
        line.action_end()

    def _typist(self) -> Seat | None:
        """The player whose lines are recalled; None, for all lines, unless the keyboard is shared.

        None also at a shared keyboard without a reader, for the lines typed while there was none.
        """
        return self.reader if self.session.shared else None

    async def action_history(self) -> None:
        """Shows all news of this game that the reader may see."""
        table = await self.session.service.whole(self.session.table.id)
        await self.app.push_screen(HistoryScreen(self.session, table, self.reader, self._actors()))
