"""Prints a game line by line: its news, the table and the menu, each change once and the newest last."""

from __future__ import annotations

from collections.abc import Iterable

from adapters.shared.rendering.lines import as_lines
from adapters.shared.rendering.wrapping import plain_text, reflowed, wrapped
from adapters.terminal.guide import marked
from adapters.terminal.plain import drawn_parts
from adapters.terminal.plain.drawn_parts import Section
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.session import Session
from adapters.terminal.typed_lines import begun
from bot.i18n import Speech
from bot.model.tables import Refused
from bot.pages.captions import news_lines
from bot.pages.menus.menu_items import Menu, MenuItem
from bot.ports import Key, NewsLine, Page
from bot.tables.names.parsing import game_named
from engines.game import Name, Seat, Text
from engines.values import replace

WIDTH = 80
"""The most columns of a line."""


class Printer:
    """Prints a session, and remembers what each reader has been told."""

    def __init__(self, session: Session, store: WriteBehindStore | None = None) -> None:
        self._session = session
        self._store = store
        self._shown_warning: Text | None = None
        self.reader: Seat | None = None
        """The player whose hand may be shown; None until a player has taken a shared keyboard."""
        self._printed: dict[Seat | None, int] = {}
        """The count of the news already printed, by reader."""
        self._skipped = 0
        """How many of the first pieces of news to leave out: those printed before the game was resumed."""
        self._shown: tuple[Seat | None, int] | None = None
        """The reader and the length of the log when the table was last printed."""
        self._sections: tuple[Section, ...] = ()
        """The sections of the table as they were printed last for the reader; empty to print all again."""
        self._listed: Menu | None = None
        """The menu printed last; None if the next menu must be printed in any case."""

    def begin(self) -> None:
        """Forgets what was printed of an earlier game."""
        self._printed, self._skipped = {}, 0
        self.forget_table()

    def skip(self, count: int) -> None:
        """Leaves out the first ``count`` pieces of news, which were printed before the game was resumed."""
        self._skipped = count

    def hand_over(self, seat: Seat) -> None:
        """Prints for another player from now on."""
        self.reader = seat
        self.forget_table()

    def forget_table(self) -> None:
        """Prints the whole table again when it is next shown."""
        self._shown, self._sections = None, ()

    def forget_menu(self) -> None:
        """Prints the menu again when it is next listed."""
        self._listed = None

    def table(self, seat: Seat | None) -> None:
        """Prints what has changed on the table, and then the news, unless nothing has changed.

        The table is drawn in its shortest form, for screen readers.
        """
        shown = (seat, len(self._session.table.entries))
        if shown != self._shown:
            drawn = self._drawn(seat)
            self._lines(line for section in drawn if section not in self._sections for line in section.lines)
            self.news()
            self._shown, self._sections, self._listed = shown, drawn, None

    def hand(self, seat: Seat) -> None:
        """Prints a player's hand again."""
        self._print_sections(drawn_parts.hand(self._session, seat, self._drawn(seat)))

    def others(self, seat: Seat) -> None:
        """Prints the table again without the player's hand."""
        self._print_sections(drawn_parts.table(self._session, seat, self._drawn(seat)))

    def score(self, seat: Seat | None) -> None:
        """Prints the points so far."""
        for line in drawn_parts.score(self._session, self._drawn(seat)):
            self._lines(wrapped(line, WIDTH))

    def news(self) -> None:
        """Prints the news that the reader has not seen."""
        self.page(Page(news=self._unread()))

    async def history(self) -> None:
        """Prints all news of the game that the reader may know."""
        self.page(Page(news=await self._session.history(self.reader)))

    def menu(self, seat: Seat, menu: Menu) -> None:
        """Prints the numbered menu; if it is the menu printed last, prints a short prompt instead."""
        if menu == self._listed:
            self.texts(Text("Your move? Enter shows the table again."))
            return
        self._listed = menu
        if sentence := begun(self._session, seat, menu):
            self.texts(sentence)
        step = self._session.guide and self._session.guide.step(self._session.table)
        if step:
            self.texts(step.text)
        labels = (item.label + ("" if item.done else " …") for item in self._marked(menu).items)
        self.page(Page(keys=(tuple(Key(label, "move") for label in labels),)))
        self.texts(Text("Your move? Type its number, or the move itself. “help” explains more."))
        self._list_optional(seat)

    def _marked(self, menu: Menu) -> Menu:
        """The menu in which the move that the guide asks for is marked by words, for screen readers."""
        guide, session = self._session.guide, self._session
        wanted = marked(menu, guide.request(session.table)) if guide else None
        if wanted is None:
            return menu
        items = list(menu.items)
        label = session.say(Text("{move} (choose this)", move=items[wanted].label))
        items[wanted] = MenuItem(label, items[wanted].words, items[wanted].done)
        return replace(menu, items=tuple(items))

    def page(self, page: Page) -> None:
        """Prints a page as every platform without buttons does."""
        self._lines(as_lines(page, None, WIDTH))

    def texts(self, *texts: Text) -> None:
        """Prints each text on lines of its own."""
        print_texts(self._session.say, texts)

    def rules(self, name: str) -> None:
        """Prints the rules of the game with this key or title."""
        say = self._session.say
        try:
            rules = plain_text(say.spelled(game_named(name, say).help(say)))
        except Refused as refused:
            self.texts(refused.reason)
        else:
            self._lines(reflowed(rules, WIDTH))

    def warning(self) -> None:
        """Prints a warning about the file of saved games, unless it was printed before."""
        if self._store and (warning := self._store.warning()) and warning != self._shown_warning:
            self._shown_warning = warning
            self.texts(warning)

    def _drawn(self, seat: Seat | None) -> tuple[Section, ...]:
        return drawn_parts.sections(self._session.draw(seat, WIDTH, height=1))

    def _print_sections(self, sections: Iterable[Section]) -> None:
        self._lines(line for section in sections for line in section.lines)

    def _unread(self) -> tuple[NewsLine, ...]:
        """The news that the reader has not seen; notes that it is printed."""
        table, start = self._session.table, self._printed.get(self.reader, self._skipped)
        self._printed[self.reader] = len(table.news)
        return news_lines(table, max(start, table.news.first), self.reader, self._session.say)

    def _list_optional(self, seat: Seat) -> None:
        """Prints which players may make an optional move, and how."""
        session = self._session
        optional = session.keyboard.optional(session.table)
        if seat in optional and session.shared:
            self.texts(Text("You can play now, or type back to let the others go on."))
        elif seat in optional:
            self.texts(Text("You can play now, or press Enter to let the others go on."))
        for other in optional:
            if other != seat:
                self.texts(Text("{who} can play too: type {who} to pass the keyboard.", who=Name(other)))

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(line)


def print_texts(say: Speech, texts: Iterable[Text]) -> None:
    """Prints each text on lines of its own."""
    for text in texts:
        print("\n".join(wrapped(say(text), WIDTH)))
