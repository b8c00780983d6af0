"""The full-screen terminal app: switches screens and handles the keys that work on every screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.theme import Theme

from adapters.terminal.guide import GuideMemory, offers_guide
from adapters.terminal.rivals import Past
from adapters.terminal.screens.base import BaseApp, BaseScreen
from adapters.terminal.screens.games import GamesScreen, UnfinishedScreen
from adapters.terminal.screens.guided import GuidedTable, GuideOffer
from adapters.terminal.screens.lobby import LobbyScreen
from adapters.terminal.screens.table import TableScreen
from adapters.terminal.session import Session, apology, resumed
from adapters.terminal.setup import Setup
from adapters.terminal.store import WriteBehindStore
from adapters.terminal.unfinished import Unfinished
from bot.model import GameId, Language
from bot.ports import Clock
from bot.thinking.thinker import InlineThinker, Thinker
from engines import games
from engines.game import Text

if TYPE_CHECKING:
    from bot.replays.films import Film

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
    """The full-screen app; it starts with the game given or resumed, else with the list of games."""

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
        store: WriteBehindStore | None = None,
        unfinished: GameId | None = None,
        thinker: Thinker | None = None,
        guides: GuideMemory | None = None,
        film: Film | None = None,
    ) -> None:
        # What a guide has chosen is for no other game.
        super().__init__(defaults if setup is None or setup.guided else setup)
        self._film = film
        """The game that the app was started to show again; None to play."""
        self._setup = setup
        self._clock = clock
        self._store = store
        self._unfinished = unfinished
        self._thinker = thinker or InlineThinker()
        self._guides = guides
        """The guides that were played or declined; None if none is to be offered."""
        self._past = store.past if store else Past()
        self._shown_warning: Text | None = None
        self._quitting = False

    @property
    def table(self) -> TableScreen | None:
        """The screen of the current game, shown or below another screen; None without a game."""
        return next((screen for screen in self.screen_stack if isinstance(screen, TableScreen)), None)

    @property
    def in_game(self) -> bool:
        return self.table is not None

    async def on_mount(self) -> None:
        self.register_theme(_FELT)
        self.theme = _FELT.name
        if self._store:
            # The store calls from its own thread; Textual accepts messages from other threads.
            self._store.on_change = partial(self.call_later, self._on_store_change)
            # The store imports slow modules; the first screen should not wait for them.
            self.call_after_refresh(self._store.start)
        if self._film:
            from adapters.terminal.screens.replay import ReplayScreen

            self.push_screen(ReplayScreen(self._film, alone=True))
        elif self._unfinished:
            self.push_screen(await self._resumed(self._unfinished))
        elif self._setup:
            self.push_screen(self._offer(self._setup) or self._dealt(self._setup))
        else:
            self._show_games()

    async def on_unmount(self) -> None:
        await self._thinker.close()

    async def deal(self, setup: Setup) -> None:
        self.defaults = setup
        if offer := self._offer(setup):
            await self.push_screen(offer)
        else:
            await self.begin(setup)

    async def begin(self, setup: Setup) -> None:
        shown = replace(setup, locale=self.defaults.locale, letters=self.defaults.letters)
        await self._play(self._dealt(shown))

    def unfinished(self) -> Sequence[Unfinished]:
        current = self.table.session.table.id if self.table else None
        return self._store.unfinished(current) if self._store else ()

    async def resume(self, game: GameId) -> None:
        await self._play(await self._resumed(game))

    def new_warning(self) -> Text | None:
        warning = self._store.warning() if self._store else None
        if warning == self._shown_warning:
            return None
        self._shown_warning = warning
        return warning

    def open_lobby(self, key: str) -> None:
        self.push_screen(LobbyScreen(games()[key]))

    async def check_deal(self, session: Session) -> None:
        from adapters.terminal.screens.text import DealScreen

        await self.push_screen(DealScreen(session))

    async def replay(self, session: Session) -> None:
        from adapters.terminal.screens.replay import ReplayScreen
        from bot.replays.export import game_file
        from bot.replays.films import film

        file = game_file(await session.service.whole(session.table.id))
        await self.push_screen(ReplayScreen(film(file)))

    async def look_back(self, session: Session) -> None:
        from adapters.terminal.screens.look_back import LookBackScreen

        await self.push_screen(LookBackScreen(session, await session.look_back()))

    async def action_rules(self) -> None:
        # Markdown takes long to import; the first screen should not wait for it.
        from adapters.terminal.screens.text import RulesScreen

        if isinstance(self.screen, TableScreen | LobbyScreen | GamesScreen | UnfinishedScreen | GuideOffer):
            await self.push_screen(RulesScreen(self.screen.game))

    async def action_language(self) -> None:
        self.set_language(self.other_language)

    async def action_letters(self) -> None:
        self._apply(replace(self.defaults, letters=not self.defaults.letters))

    async def action_games(self) -> None:
        if isinstance(self.screen, TableScreen):
            self._show_games()

    async def action_quit(self) -> None:
        table = self.table
        if table is None or table.session.table.result or self._quitting:
            self.exit()
            return
        while self.screen is not table:
            await self.pop_screen()
        self._quitting = True
        if self._store and self._store.keeps(table.session.table.id):
            table.notify_player(Text("Press Ctrl+Q again to quit. Your game is saved for another day."))
        else:
            table.notify_player(Text("The game isn't over. Press Ctrl+Q again to quit anyway."))

    async def action_copy_or_quit(self) -> None:
        """Copies the text selected with the mouse; without a selection, quits, as Ctrl+C usually does."""
        if marked := self.screen.get_selected_text():
            self.copy_to_clipboard(marked)
        else:
            await self.action_quit()

    def cancel_quit(self) -> None:
        self._quitting = False

    def set_language(self, locale: Language) -> None:
        self._apply(replace(self.defaults, locale=locale))

    def fail(self, error: BaseException) -> None:
        self.exit(return_code=1, message=self.say(apology(error)))

    def _handle_exception(self, error: Exception) -> None:
        """Exits with an apology; Textual would print a traceback whose variables may show hidden cards."""
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.fail(getattr(error, "error", error))

    def _apply(self, defaults: Setup) -> None:
        """Applies a changed language or suit style to every screen, the current game and later games."""
        self.defaults = defaults
        if table := self.table:
            session = table.session
            session.setup = replace(session.setup, locale=defaults.locale, letters=defaults.letters)
            self._save_language(session)
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.redraw()

    def _offer(self, setup: Setup) -> GuideOffer | None:
        """The screen that offers the guide of a game; None if it is not offered."""
        if self._guides and offers_guide(setup, self._guides):
            return GuideOffer(setup, self._guides)
        return None

    def _dealt(self, setup: Setup) -> TableScreen:
        session = Session(
            setup, self._clock, self._store, thinker=self._thinker, guides=self._guides, past=self._past
        )
        return self._table_screen(session)

    async def _resumed(self, game: GameId) -> TableScreen:
        assert self._store
        session = await resumed(
            self.defaults, game, self._store, self._clock, self._thinker, self._store.past
        )
        return self._table_screen(session)

    def _table_screen(self, session: Session) -> TableScreen:
        self._save_language(session)
        if self._store:
            session.service.listen(self._store.note)
        return GuidedTable(session) if session.guide else TableScreen(session)

    def _save_language(self, session: Session) -> None:
        if self._store:
            self._store.set_language(session.setup.locale)

    async def _play(self, screen: TableScreen) -> None:
        """Closes all screens and shows the screen of a table."""
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        await self.push_screen(screen)

    def _on_store_change(self) -> None:
        """Redraws the list of games, or shows the player a warning; the store's ``on_change``."""
        if isinstance(self.screen, GamesScreen | UnfinishedScreen):
            self.screen.redraw()
        elif (table := self.table) and (warning := self.new_warning()):
            table.notify_player(warning)

    def _show_games(self) -> None:
        if len(games()) > 1:
            self.push_screen(GamesScreen())
        else:
            self.open_lobby(next(iter(games())))
