"""The full-screen terminal app: switches screens and handles the keys that work on every screen.

Its first screen, the list of games, is painted before games, tables and the file of games are imported.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.binding import Binding, BindingType
from textual.theme import Theme

from adapters.terminal.equipment import Equipment, LateEquipment, obstacle_to_resuming
from adapters.terminal.screens.base import BaseApp, BaseScreen
from adapters.terminal.screens.games import GamesScreen, UnfinishedScreen
from adapters.terminal.setup import Setup
from bot.settings.choices import Language
from engines import game_keys, games
from engines.game import Text
from engines.values import replace

if TYPE_CHECKING:
    from adapters.terminal.rivals import PastGames
    from adapters.terminal.saved_games.store import WriteBehindStore
    from adapters.terminal.saved_games.unfinished import Unfinished
    from adapters.terminal.session import Session
    from adapters.terminal.table_screen.guided import GuideOffer
    from adapters.terminal.table_screen.table import TableScreen
    from adapters.terminal.typed_lines import RecordsWord
    from bot.i18n import Speech
    from bot.model.ids import GameId
    from bot.ports import Clock
    from bot.replays.films import Film

_THEME = Theme(
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
    """The full-screen app; it starts with a game dealt, resumed or replayed, else with the list of games."""

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
        equipment: LateEquipment | None = None,
        unfinished: GameId | None = None,
        film: Film | None = None,
    ) -> None:
        # The options of a guided game are no defaults for other games.
        super().__init__(defaults if setup is None or setup.guided else setup)
        # Once the app runs, another theme would make it parse its style sheets again.
        self.register_theme(_THEME)
        self.theme = _THEME.name
        self._film = film
        """The game that the app was started to show again; None to play."""
        self._to_deal = setup
        """The game to deal at the start."""
        self._clock = clock
        self._equipment = equipment or LateEquipment(_equipment_without_file)
        self._to_resume = unfinished
        """The game to resume at the start."""
        self._shown_warning: Text | None = None
        """The warning about the file of games that was shown last."""

    @property
    def table(self) -> TableScreen | None:
        """The screen of the current game, shown or below another screen; None without a game."""
        tables = (
            screen for screen in self.screen_stack if isinstance(screen, BaseScreen) and screen.is_table
        )
        return cast("TableScreen | None", next(tables, None))

    @property
    def in_game(self) -> bool:
        return self.table is not None

    async def on_mount(self) -> None:
        self.call_after_refresh(self._prepare)
        if self._film:
            from adapters.terminal.screens.replay import ReplayScreen

            self.push_screen(ReplayScreen(self._film, alone=True))
        elif self._to_resume:
            self.push_screen(await self._resumed(self._to_resume))
        elif self._to_deal:
            self.push_screen(self._offer(self._to_deal) or self._dealt(self._to_deal))
        else:
            self._show_games()

    async def on_event(self, event: events.Event) -> None:
        """Handles a line feed as Enter: Enter arrives as one if pressed before the app took the terminal."""
        if isinstance(event, events.Key) and event.key == "ctrl+j":
            event = events.Key("enter", "\r")
        await super().on_event(event)

    async def on_unmount(self) -> None:
        if made := self._equipment.made:
            await made.thinker.close()

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
        store = self._store
        return store.unfinished(current) if store else ()

    def obstacle_to_resuming(self) -> Text | None:
        store = None if self.in_game or self.unfinished() else self._store
        return obstacle_to_resuming(store) if store else None

    @property
    def unread_games(self) -> int:
        return self._equipment.unread_games

    async def resume(self, game: GameId) -> None:
        await self._play(await self._resumed(game))

    def new_warning(self) -> Text | None:
        store = self._store
        warning = store.warning() if store else None
        if warning == self._shown_warning:
            return None
        self._shown_warning = warning
        return warning

    def open_lobby(self, key: str) -> None:
        from adapters.terminal.screens.lobby import LobbyScreen

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

    async def replay_again(self, game: str) -> None:
        from adapters.terminal.saved_games.records import film_of
        from adapters.terminal.screens.replay import ReplayScreen

        await self.push_screen(ReplayScreen(await film_of(self._store, game)))

    async def show_records(self, word: RecordsWord, argument: str) -> None:
        from adapters.terminal.saved_games.records import record_lines
        from adapters.terminal.screens.records import RecordsScreen

        async def lines(say: Speech, width: int) -> Sequence[str]:
            # The list of games is shown before there is a store.
            equipment = await asyncio.to_thread(self._equipment)
            return await record_lines(equipment.store, word, argument, say, width)

        await self.push_screen(RecordsScreen(lines))

    async def analyse(self, session: Session) -> None:
        from adapters.terminal.screens.analysis import AnalysisScreen

        await self.push_screen(AnalysisScreen(session, await session.analyse()))

    async def action_rules(self) -> None:
        # Markdown takes long to import; the first screen should not wait for it.
        from adapters.terminal.screens.text import RulesScreen

        if isinstance(self.screen, BaseScreen) and (game := self.screen.game):
            await self.push_screen(RulesScreen(game))

    async def action_language(self) -> None:
        self.set_language(self.other_language)

    async def action_letters(self) -> None:
        self._apply(replace(self.defaults, letters=not self.defaults.letters))

    async def action_games(self) -> None:
        if isinstance(self.screen, BaseScreen) and self.screen.is_table:
            self._show_games()

    async def action_quit(self) -> None:
        await self._quit("Ctrl+Q")

    async def action_copy_or_quit(self) -> None:
        """Copies the text selected with the mouse; without a selection, quits, as Ctrl+C usually does."""
        if selected := self.screen.get_selected_text():
            self.copy_to_clipboard(selected)
        else:
            await self._quit("Ctrl+C")

    async def _quit(self, key: str) -> None:
        """Quits; while a game is running, only if the player has been asked to press the key again.

        The question counts as long as the table shows it: whatever the player does instead replaces it.
        """
        table = self.table
        if table is None or table.session.table.result:
            self.exit()
            return
        store = self._store
        if store and store.keeps(table.session.table.id):
            question = Text("Press {key} again to quit. Your game is saved for another day.", key=key)
        elif store and not store.warning() and not table.session.table.moved_in:
            question = Text(
                "You haven't moved yet, so this game won't be saved. Press {key} again to quit anyway.",
                key=key,
            )
        else:
            question = Text("The game isn't over. Press {key} again to quit anyway.", key=key)
        # Below another screen the question was not in sight.
        if self.screen is table and table.notice == question:
            self.exit()
            return
        while self.screen is not table:
            # The handler of a screen that is closed may have called: awaiting its removal would deadlock.
            self.pop_screen()
        table.notify_player(question)

    def set_language(self, locale: Language) -> None:
        self._apply(replace(self.defaults, locale=locale))

    def fail(self, error: BaseException) -> None:
        from adapters.terminal.apology import apology

        self.exit(return_code=1, message=self.say(apology(error)))

    def _handle_exception(self, error: Exception) -> None:
        """Exits with an apology; Textual would print a traceback whose variables may show hidden cards."""
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.fail(getattr(error, "error", error))

    def _apply(self, defaults: Setup) -> None:
        """Applies the language and the suit style to every screen, the current game and later games."""
        self.defaults = defaults
        if table := self.table:
            session = table.session
            session.setup = replace(session.setup, locale=defaults.locale, letters=defaults.letters)
            self._save_language(session)
        for screen in self.screen_stack:
            # A screen whose widgets are not made yet draws itself as soon as they are.
            if isinstance(screen, BaseScreen) and screen.is_mounted:
                screen.redraw()

    @property
    def _store(self) -> WriteBehindStore | None:
        """The store of games, if there is one and it was needed already."""
        return self._equipment.made.store if self._equipment.made else None

    @cached_property
    def _past(self) -> PastGames:
        """The finished games: those of the file and of this run if games are kept, else those of this run."""
        from adapters.terminal.rivals import PastGames

        store = self._equipment().store
        return store.past if store else PastGames()

    def _prepare(self) -> None:
        """Turns the garbage collector on, and runs `_equip` unless the app only shows a finished game.

        `_equip` runs in a thread if the equipment is still to be made.
        """
        if not gc.isenabled():
            # Modules stay: later collections need not look at them.
            gc.freeze()
            gc.enable()
        if self._film:
            return
        if self._equipment.made:
            self._equip()
        else:
            threading.Thread(target=self._equip, daemon=True).start()

    def _equip(self) -> None:
        """Makes the equipment and lets its store read its file; imports the screens that follow the list."""
        try:
            store = self._equipment().store
            if store:
                # The store calls from its own thread; Textual accepts messages from other threads.
                store.on_change = partial(self.call_later, self._on_store_change)
                store.start()
            import adapters.terminal.screens.lobby
            import adapters.terminal.table_screen.guided  # noqa: F401
        except Exception as error:
            self.call_later(self.fail, error)

    def _offer(self, setup: Setup) -> GuideOffer | None:
        """The screen that offers the guide of a game; None if it is not offered."""
        from adapters.terminal.guide import offers_guide
        from adapters.terminal.table_screen.guided import GuideOffer

        guides = self._equipment().guides
        return GuideOffer(setup, guides) if guides and offers_guide(setup, guides) else None

    def _dealt(self, setup: Setup) -> TableScreen:
        from adapters.terminal.session import Session

        equipment = self._equipment()
        session = Session(
            setup,
            self._clock,
            equipment.store,
            thinker=equipment.thinker,
            guides=equipment.guides,
            past=self._past,
        )
        return self._table_screen(session)

    async def _resumed(self, game: GameId) -> TableScreen:
        from adapters.terminal.session import resumed_session

        equipment = self._equipment()
        assert equipment.store
        session = await resumed_session(
            self.defaults,
            game,
            equipment.store,
            self._clock,
            equipment.thinker,
            equipment.guides,
            self._past,
        )
        return self._table_screen(session)

    def _table_screen(self, session: Session) -> TableScreen:
        from adapters.terminal.table_screen.guided import GuidedTable
        from adapters.terminal.table_screen.table import TableScreen

        self._save_language(session)
        if store := self._store:
            session.service.listen(store.note)
        return GuidedTable(session) if session.guide else TableScreen(session)

    def _save_language(self, session: Session) -> None:
        """Stores the language of a game, in which it is resumed."""
        if store := self._store:
            store.set_language(session.table.id, session.setup.locale)

    async def _play(self, screen: TableScreen) -> None:
        """Closes all screens and shows the screen of a table."""
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        await self.push_screen(screen)

    def _on_store_change(self) -> None:
        """Redraws the lists of games; shows a new warning at the table, unless a list is on top of it.

        The store's ``on_change``.
        """
        lists = [one for one in self.screen_stack if isinstance(one, GamesScreen | UnfinishedScreen)]
        for screen in lists:
            # A screen whose widgets are not made yet draws itself as soon as they are.
            if screen.is_mounted:
                screen.redraw()
        if self.screen not in lists and (table := self.table) and (warning := self.new_warning()):
            table.notify_player(warning)

    def _show_games(self) -> None:
        """Shows the list of games, or the lobby of the only game."""
        if len(game_keys()) > 1:
            self.push_screen(GamesScreen())
        else:
            self.open_lobby(game_keys()[0])


def _equipment_without_file() -> Equipment:
    """The equipment of an app without a file of games, whose computers think in this process."""
    from bot.thinking.thinker import InlineThinker

    return Equipment(InlineThinker())
