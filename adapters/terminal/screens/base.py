"""The base classes of the app and its screens; screens know the app as a `BaseApp`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.app import App
from textual.screen import Screen

from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from adapters.terminal.widgets import Button, ButtonGrid, row_count
from bot.i18n import LANGUAGES, Speech
from bot.model import Language, Listing
from engines.game import Text


class BaseApp(App[None]):
    """The app as its screens know it: the settings, the keys of every screen, the way to other screens.

    Screens import this class and never `TerminalApp`, which imports the screens.
    """

    def __init__(self, defaults: Setup) -> None:
        super().__init__()
        self.defaults = defaults
        """Names, language and level that the next game starts from."""

    @property
    def say(self) -> Speech:
        """The language spoken now, for screens without a table."""
        return Speech(self.defaults.locale, (), self.defaults.letters)

    @property
    def other_language(self) -> Language:
        """The language that F2 switches to."""
        tags = list(LANGUAGES)
        return tags[(tags.index(self.defaults.locale) + 1) % len(tags)]

    def rules_key(self) -> Button:
        """The key that shows the rules."""
        return Button("F1", self.say(Text("Rules")), self.action_rules)

    def language_key(self) -> Button:
        """The key that switches to the other language, labelled in that language."""
        return Button("F2", LANGUAGES[self.other_language], self.action_language)

    def quit_key(self) -> Button:
        """The key that quits."""
        return Button("^Q", self.say(Text("Quit")), self.action_quit)

    @property
    def in_game(self) -> bool:
        """Whether a game is on one of the screens, perhaps below the current one."""
        raise NotImplementedError

    async def action_rules(self) -> None:
        """Shows the rules of the game that is played or about to be."""
        raise NotImplementedError

    async def action_language(self) -> None:
        """Switches to the other language."""
        raise NotImplementedError

    async def action_letters(self) -> None:
        """Switches suits between symbols and letters."""
        raise NotImplementedError

    async def action_games(self) -> None:
        """Shows the choice of a game; the current game stays until another is dealt."""
        raise NotImplementedError

    async def action_quit(self) -> None:
        """Quits; while a game is running, only when pressed twice."""
        raise NotImplementedError

    def cancel_quit(self) -> None:
        """Makes the next Ctrl+Q ask again, since a player has gone on playing."""
        raise NotImplementedError

    def speak(self, locale: Language) -> None:
        """Switches every screen to a language."""
        raise NotImplementedError

    def open_lobby(self, key: str) -> None:
        """Shows the lobby of a game."""
        raise NotImplementedError

    async def deal(self, setup: Setup) -> None:
        """Begins a game; the current one is left."""
        raise NotImplementedError

    async def check_deal(self, session: Session) -> None:
        """Shows how the deal of a finished game can be checked."""
        raise NotImplementedError

    def unfinished(self) -> Listing | None:
        """The saved game that `resume` goes on with, other than the current one; None where there is none."""
        raise NotImplementedError

    async def resume(self) -> None:
        """Goes on with the saved game, if there is one."""
        raise NotImplementedError

    def new_trouble(self) -> Text | None:
        """New trouble with the file of saved games, returned once."""
        raise NotImplementedError

    def fail(self, error: BaseException) -> None:
        """Quits with an apology, where going on would mean waiting for ever."""
        raise NotImplementedError


class BaseScreen(Screen[None]):
    """A screen that is redrawn as a whole, with a row of keys at the bottom."""

    app: BaseApp
    _keys_page = 0

    def on_resize(self) -> None:
        self.redraw()

    async def on_button_grid_pressed(self, message: ButtonGrid.Pressed) -> None:
        await message.button.action()

    def redraw(self) -> None:
        """Shows the current state in the current language."""
        raise NotImplementedError

    def show_keys(self, keys: Sequence[Button]) -> None:
        """Shows the keys in the last line; where they do not fit, a page of them and a key to the next."""
        width = self.size.width - 1
        more = Button("", "…", self._turn_keys, bare=True)
        pages = list(_pages(keys, more, width))
        page = pages[self._keys_page % len(pages)]
        self.query_one("#keys", ButtonGrid).show([*page, more] if len(pages) > 1 else page, width)

    async def _turn_keys(self) -> None:
        self._keys_page += 1
        self.redraw()

    async def action_leave(self) -> None:
        """Goes back to the previous screen."""
        # A screen that waited for its own removal would wait for ever.
        self.app.call_later(self.app.pop_screen)


def _pages(keys: Sequence[Button], more: Button, width: int) -> Iterator[Sequence[Button]]:
    """The keys, page by page, each page as many as fit one line; several pages leave room for ``more``."""
    if row_count(keys, width) <= 1:
        yield keys
        return
    while keys:
        n = next((n for n in range(len(keys), 1, -1) if row_count([*keys[:n], more], width) == 1), 1)
        yield keys[:n]
        keys = keys[n:]
