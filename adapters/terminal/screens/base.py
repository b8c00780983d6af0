"""The base classes of the terminal app and of its screens.

Imports no game and no table: the first screen lists the games, and appears before those are imported.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from adapters.terminal.setup import Setup
from adapters.terminal.widgets import Button, ButtonGrid, key_rows, row_count
from bot.i18n import Speech
from bot.settings.choices import LANGUAGES, Language
from engines.game import Text
from engines.values import replace

if TYPE_CHECKING:
    from adapters.terminal.saved_games.unfinished import Unfinished
    from adapters.terminal.session import Session
    from adapters.terminal.typed_lines import RecordsWord
    from bot.model.ids import GameId
    from bot.tables.log.table_state import AnyGame


class BaseApp(App[None]):
    """The interface of the app that its screens use.

    Screens import this class instead of `TerminalApp`, since `TerminalApp` imports the screens.
    """

    def __init__(self, defaults: Setup) -> None:
        super().__init__()
        self.defaults = defaults
        """The setup that the next game starts from, with the current language and suit style."""

    @property
    def say(self) -> Speech:
        """Translates into the current language, for screens without a table."""
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
        other = self.other_language
        return Button("F2", LANGUAGES[other], self.action_language, short=other.upper())

    def quit_key(self) -> Button:
        """The key that quits."""
        return Button("^Q", self.say(Text("Quit")), self.action_quit)

    @property
    def in_game(self) -> bool:
        """Whether a game is on one of the screens, perhaps below the current one."""
        raise NotImplementedError

    async def action_rules(self) -> None:
        """Shows the rules of the game that the current screen plays, sets up or highlights."""
        raise NotImplementedError

    async def action_language(self) -> None:
        """Switches to the other language."""
        raise NotImplementedError

    async def action_letters(self) -> None:
        """Switches suits between symbols and letters."""
        raise NotImplementedError

    async def action_games(self) -> None:
        """From a table, shows the list of games; the current game stays until another is dealt or resumed."""
        raise NotImplementedError

    async def action_quit(self) -> None:
        """Quits; while a game is running, only when pressed twice."""
        raise NotImplementedError

    def set_language(self, locale: Language) -> None:
        """Switches every screen to a language."""
        raise NotImplementedError

    def open_lobby(self, key: str) -> None:
        """Shows the lobby of a game."""
        raise NotImplementedError

    async def deal(self, setup: Setup) -> None:
        """Deals a game and leaves the current one, or first offers the guide of the game."""
        raise NotImplementedError

    async def begin(self, setup: Setup) -> None:
        """Deals and shows a game; the current game is left."""
        raise NotImplementedError

    async def check_deal(self, session: Session) -> None:
        """Shows how the deal of a finished game can be checked."""
        raise NotImplementedError

    async def replay(self, session: Session) -> None:
        """Shows a finished game again, step by step."""
        raise NotImplementedError

    async def replay_again(self, game: str) -> None:
        """Shows the finished game with this number or id again. Raises `Refused`."""
        raise NotImplementedError

    async def show_records(self, word: RecordsWord, argument: str) -> None:
        """Shows what a word about finished games asks for."""
        raise NotImplementedError

    async def analyse(self, session: Session) -> None:
        """Analyses a finished game and shows the analysis. Raises `Refused`."""
        raise NotImplementedError

    def unfinished(self) -> Sequence[Unfinished]:
        """The saved games to resume that are known by now, without the current one; the last played first."""
        raise NotImplementedError

    @property
    def unread_games(self) -> int:
        """The number of unfinished games in the file until the store has read the file; 0 from then on."""
        raise NotImplementedError

    def obstacle_to_resuming(self) -> Text | None:
        """Why no game of the file can be resumed; None if one can be or no reason is known.

        None also while a game is on a screen.
        """
        raise NotImplementedError

    async def resume(self, game: GameId) -> None:
        """Resumes a saved game; the current game is left."""
        raise NotImplementedError

    def new_warning(self) -> Text | None:
        """The latest warning about the file of saved games; None if there is none or it is not new."""
        raise NotImplementedError

    def fail(self, error: BaseException) -> None:
        """Quits with an apology after an unexpected error."""
        raise NotImplementedError


class BaseScreen(Screen[None]):
    """A screen with key buttons in its last lines; it is always redrawn as a whole."""

    app: BaseApp
    is_table: ClassVar[bool] = False
    """Whether this screen is a `TableScreen`, which the app must not import to ask."""
    MORE_KEYS = "F8"
    """The key that shows the next page of keys, where they do not fit."""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f8", "more_keys")]
    _keys_page = 0

    @property
    def game(self) -> AnyGame | None:
        """The game that this screen plays, sets up or highlights; None for a screen without rules."""
        return None

    def on_resize(self) -> None:
        self.redraw()

    async def on_button_grid_pressed(self, message: ButtonGrid.Pressed) -> None:
        await message.button.action()

    def redraw(self) -> None:
        """Redraws the screen with the current state in the current language."""
        raise NotImplementedError

    def show_keys(self, keys: Sequence[Button]) -> None:
        """Shows the keys in the last lines: with shorter labels where the whole ones do not fit.

        If the shorter ones do not fit either, one page of them and a key for the next page.
        """
        width, rows = self.size.width - 1, key_rows(self.size)
        grid = self.query_one("#keys", ButtonGrid)
        if row_count(keys, width) <= 1:
            grid.show(keys, width)
            return
        fitting = list(keys)
        for n in reversed(range(len(keys))):
            if row_count(fitting, width, flows=True) > rows:
                fitting[n] = replace(keys[n], label=keys[n].short or keys[n].label)
        if row_count(fitting, width, flows=True) <= rows:
            grid.show(fitting, width, flows=True)
            return
        more = Button(self.MORE_KEYS, "…", self.action_more_keys)
        pages = list(_pages(fitting, more, width, rows))
        grid.show([*pages[self._keys_page % len(pages)], more], width, flows=True)

    async def action_more_keys(self) -> None:
        """Shows the next page of keys."""
        self._keys_page += 1
        self.redraw()

    async def action_leave(self) -> None:
        """Goes back to the previous screen."""
        self.leave_by(self.app.pop_screen)

    def leave_by(self, way: Callable[..., Awaitable[object]], *arguments: object) -> None:
        """Calls ``way``, which closes or covers this screen, unless the screen is closed or covered already.

        So a key pressed twice does not close the screen below too. The app makes the call: a handler of this
        screen that awaited the screen's removal would deadlock.
        """

        async def leave() -> None:
            if self.is_active:
                await way(*arguments)

        self.app.call_later(leave)


def _pages(keys: Sequence[Button], more: Button, width: int, rows: int) -> Iterator[Sequence[Button]]:
    """Divides keys into pages that fit the rows, each of which leaves room for ``more``."""
    while keys:
        fitting = (
            n for n in range(len(keys), 1, -1) if row_count([*keys[:n], more], width, flows=True) <= rows
        )
        n = next(fitting, 1)
        yield keys[:n]
        keys = keys[n:]
