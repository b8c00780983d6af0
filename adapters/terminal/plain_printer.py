"""Prints a game line by line: its news, the table and the menu, each change once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adapters.shared.lines import as_lines, wrapped
from adapters.terminal.guide import marked
from adapters.terminal.session import Session
from adapters.terminal.store import WriteBehindStore
from adapters.terminal.typed_lines import begun
from bot.i18n import Speech
from bot.inbox.menus import Menus
from bot.model import HOME
from bot.pages.captions import news_lines
from bot.pages.menu import Menu, MenuItem
from bot.ports import Key, NewsLine, Page, PagePanel
from engines.game import Name, Seat, Text

WIDTH = 80


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
        self._past = 0
        """The number of pieces of news, from the first, that a resumed game does not print again."""
        self._shown: tuple[Seat | None, int] | None = None
        """The reader and the length of the log when the table was last printed."""
        self._listed: Menu | None = None
        """The menu printed last; None if the next menu must be printed in any case."""
        # Reading a line blocks the event loop, so that no menu changes while its reader types.
        self.menus = Menus(session.service.clock, reading=0)

    def begin(self) -> None:
        """Forgets what was printed of an earlier game."""
        self._printed, self._past, self._shown = {}, 0, None

    def skip(self, past: int) -> None:
        """Leaves out the first pieces of news, which were printed on another day."""
        self._past = past

    def forget_table(self) -> None:
        """Prints the table again when it is next shown."""
        self._shown = None

    def forget_menu(self) -> None:
        """Prints the menu again when it is next listed."""
        self._listed = None

    def table(self, seat: Seat | None) -> None:
        """Prints the news and the table, unless the last print was for this reader and nothing has changed.

        The table is drawn in its shortest form, for screen readers.
        """
        shown = (seat, len(self._session.table.entries))
        if shown != self._shown:
            drawing = self._session.draw(seat, WIDTH, height=1).split("\n")
            self.page(Page(news=self._unread(), panels=(PagePanel("", tuple(drawing), wraps=False),)))
            self._shown, self._listed = shown, None

    def news(self) -> None:
        """Prints the news that the reader has not seen."""
        self.page(Page(news=self._unread()))

    def _unread(self) -> tuple[NewsLine, ...]:
        """The news that the reader has not seen; counts as printed."""
        table, start = self._session.table, self._printed.get(self.reader, self._past)
        self._printed[self.reader] = len(table.news)
        return news_lines(table, max(start, table.news.first), self.reader, self._session.say)

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
        page = Page(keys=(tuple(map(self._key, self._marked(menu).items)),))
        self.menus.show(HOME, page)
        self.page(page)
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

    def _key(self, item: MenuItem) -> Key:
        table = self._session.table
        if item.done:
            return Key(item.label, "move", " ".join(item.words), table.id, table.stamp)
        return Key(f"{item.label} …", "pick", item.words[-1], table.id, table.stamp)

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

    def page(self, page: Page) -> None:
        """Prints a page as every platform without buttons does."""
        for line in as_lines(page, None, WIDTH):
            print(line)

    def texts(self, *texts: Text) -> None:
        print_texts(self._session.say, texts)

    def warning(self) -> None:
        """Prints a warning about the file of saved games, unless it was printed before."""
        if self._store and (warning := self._store.warning()) and warning != self._shown_warning:
            self._shown_warning = warning
            self.texts(warning)


def print_texts(say: Speech, texts: Iterable[Text]) -> None:
    """Prints each text on lines of its own."""
    for text in texts:
        print("\n".join(wrapped(say(text), WIDTH)))
