"""The terminal as a full screen: what leads from one screen to the next, and the keys that work on all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.theme import Theme

from adapters.terminal.keeper import Keeper
from adapters.terminal.screens.base import BaseApp, BaseScreen
from adapters.terminal.screens.games import GamesScreen
from adapters.terminal.screens.lobby import LobbyScreen
from adapters.terminal.screens.table import TableScreen
from adapters.terminal.session import Session, Setup, apology, resumed
from bot.model import Language
from bot.ports import Clock
from bot.tables.table import Table
from engines import games
from engines.game import Text

_FELT = Theme(
    name="sobremesa",
    primary="#3f7d5c",
    secondary="#7fa38f",
    accent="#f0b95b",
    error="#f07a6e",
    warning="#f0b95b",
    success="#7fc79b",
    foreground="#efe9dc",
    background="#151a17",
    surface="#2a312c",
    panel="#39423c",
    dark=True,
)


class TerminalApp(BaseApp):
    """Sobremesa at a terminal: a game if one is asked for, else the choice of one first."""

    CSS_PATH = Path(__file__).with_name("terminal.tcss")
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Sobremesa"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "rules"),
        Binding("f2", "language"),
        Binding("f3", "games"),
        Binding("f4", "letters"),
        Binding("ctrl+q", "quit", priority=True),
        Binding("ctrl+c", "copy_or_quit", priority=True),
    ]

    def __init__(
        self,
        setup: Setup | None,
        defaults: Setup,
        clock: Clock | None = None,
        *,
        keeper: Keeper | None = None,
        unfinished: Table | None = None,
    ) -> None:
        super().__init__(setup or defaults)
        self._setup = setup
        self._clock = clock
        self._keeper = keeper
        self._unfinished = unfinished
        self._told: Text | None = None
        self._leaving = False

    @property
    def table(self) -> TableScreen | None:
        """The screen of the game that is being played."""
        return next((screen for screen in self.screen_stack if isinstance(screen, TableScreen)), None)

    @property
    def in_game(self) -> bool:
        return self.table is not None

    def on_mount(self) -> None:
        self.register_theme(_FELT)
        self.theme = _FELT.name
        if self._keeper:
            # Textual takes messages from other threads.
            self._keeper.on_news = partial(self.call_later, self._kept)
            # Only then: what it imports takes longer than the first screen should.
            self.call_after_refresh(self._keeper.start)
        if self._unfinished:
            self.push_screen(self._going_on(self._unfinished))
        elif self._setup:
            self.push_screen(TableScreen(Session(self._setup, self._clock, self._keeper)))
        else:
            self._choose()

    async def deal(self, setup: Setup) -> None:
        """Begins a game; the one before is left."""
        self.defaults = setup
        await self._sit_at(TableScreen(Session(setup, self._clock, self._keeper)))

    def unfinished(self) -> Table | None:
        """A game of another day that one can go on with, besides the one that is being played."""
        playing = self.table.session.table.id if self.table else ""
        return self._keeper.unfinished(playing) if self._keeper else None

    async def resume(self) -> None:
        """Goes on with the game of another day, if there is one."""
        if table := self.unfinished():
            await self._sit_at(self._going_on(table))

    def new_trouble(self) -> Text | None:
        """What is wrong with the file that games are kept in, where that was not said before."""
        trouble = self._keeper.trouble() if self._keeper else None
        if trouble == self._told:
            return None
        self._told = trouble
        return trouble

    def open_lobby(self, key: str) -> None:
        """Asks how a game is to be played."""
        self.push_screen(LobbyScreen(games()[key]))

    async def action_rules(self) -> None:
        """Shows the rules of the game that is played or about to be."""
        # Markdown takes long to import; the first screen should not wait for it.
        from adapters.terminal.screens.text import RulesScreen

        if isinstance(self.screen, TableScreen | LobbyScreen | GamesScreen):
            await self.push_screen(RulesScreen(self.screen.game))

    async def check_deal(self, session: Session) -> None:
        """Shows how the deal of a game that is over can be checked."""
        from adapters.terminal.screens.text import DealScreen

        await self.push_screen(DealScreen(session))

    async def action_language(self) -> None:
        """Goes on in the other language."""
        self.speak(self.other_language)

    async def action_letters(self) -> None:
        """Suits as letters, or as symbols again."""
        self._adopt(replace(self.defaults, letters=not self.defaults.letters))

    async def action_games(self) -> None:
        """Leads to the choice of a game; the one that is played stays until another is dealt."""
        if isinstance(self.screen, TableScreen):
            self._choose()

    async def action_quit(self) -> None:
        """Leaves, where a game is running after asking once."""
        table = self.table
        if table is None or table.session.table.result or self._leaving:
            self.exit()
            return
        while self.screen is not table:
            await self.pop_screen()
        self._leaving = True
        if self._keeper and self._keeper.keeps(table.session.table.id):
            table.notify_player(
                Text("Press Ctrl+Q again to leave. The game is kept: --resume goes on with it.")
            )
        else:
            table.notify_player(Text("The game is not over. Press Ctrl+Q again to leave it."))

    async def action_copy_or_quit(self) -> None:
        """Copies what is marked with the mouse; where nothing is, leaves, as people expect of Ctrl+C."""
        if marked := self.screen.get_selected_text():
            self.copy_to_clipboard(marked)
        else:
            await self.action_quit()

    def cancel_quit(self) -> None:
        """Somebody plays on: the next Ctrl+Q asks again."""
        self._leaving = False

    def speak(self, locale: Language) -> None:
        """Goes on in a language, at once and everywhere."""
        self._adopt(replace(self.defaults, locale=locale))

    def fail(self, error: BaseException) -> None:
        """Leaves with a message, where going on would mean waiting for ever."""
        self.exit(return_code=1, message=self.say(apology(error)))

    def _handle_exception(self, error: Exception) -> None:
        """The framework would print a traceback with the variables in it."""
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.fail(getattr(error, "error", error))

    def _adopt(self, base: Setup) -> None:
        """Lets all screens speak as the settings now say."""
        self.defaults = base
        if table := self.table:
            session = table.session
            session.setup = replace(session.setup, locale=base.locale, letters=base.letters)
            if self._keeper:
                self._keeper.speak(base.locale)
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.redraw()

    def _going_on(self, table: Table) -> TableScreen:
        return TableScreen(Session(resumed(self.defaults, table), self._clock, self._keeper, table))

    async def _sit_at(self, screen: TableScreen) -> None:
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        await self.push_screen(screen)

    def _kept(self) -> None:
        """Something is known of the file that games are kept in."""
        if isinstance(self.screen, GamesScreen):
            self.screen.redraw()
        elif (table := self.table) and (trouble := self.new_trouble()):
            table.notify_player(trouble)

    def _choose(self) -> None:
        if len(games()) > 1:
            self.push_screen(GamesScreen())
        else:
            self.open_lobby(next(iter(games())))
