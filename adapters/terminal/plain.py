"""Plays at the terminal line by line, without control characters: for pipes and screen readers."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

from adapters.shared.lines import as_lines, filled, wrapped
from adapters.terminal.session import EVERYBODY_ASKED, LOOK_BACK, Session, apology, resumed
from adapters.terminal.setup import Setup
from adapters.terminal.store import WriteBehindStore
from bot.i18n import Speech, safe_name
from bot.inbox.menus import Called, Menus, NoKey, Pressed
from bot.model import HOME, GameId, Listing, Refused
from bot.pages.captions import deal_captions, news_lines, result_captions, seed_captions
from bot.pages.menu import Menu, MenuItem, Words
from bot.pages.typed_moves import begins_with_verb
from bot.ports import Key, NewsLine, Page, PagePanel
from bot.tables.parsing import game_named
from bot.thinking.thinker import InlineThinker, Thinker
from engines import games
from engines.game import IllegalMove, Name, Seat, Text

WIDTH = 80
_ROOM = 20
"""The most moves that a menu lists whole; with more, the player picks a move word by word."""
_SCREEN = 40
"""Empty lines that scroll one player's hand off the screen before the next player looks."""

_PROGRESS = 10.0
"""Seconds between two lines about the progress of a look back."""
_REMEMBERED = 12
"""Pieces of news that are printed again when a game is resumed."""

_QUIT = frozenset(("quit", "exit", "salir"))
_LOOK = frozenset(("", "look", "hand", "table", "watch"))
"""The lines that show the table again; the last three are commands that do so in a chat."""
_BACK = frozenset(("back", "atras", "atrás"))
_YES = frozenset(("y", "yes", "s", "si", "sí"))


class PlayerQuit(Exception):
    """Raised when the player types quit or the input ends."""


def play_plainly(
    setup: Setup | None,
    defaults: Setup,
    store: WriteBehindStore | None = None,
    unfinished: GameId | None = None,
    thinker: Thinker | None = None,
) -> None:
    """Plays games until the player quits or the input ends; exits with code 1 and an apology on an error."""
    try:
        with suppress(PlayerQuit, KeyboardInterrupt):
            if not setup and not unfinished:
                setup, unfinished = _choose(defaults, store)
            asyncio.run(_play(setup, defaults, store, unfinished, thinker or InlineThinker()))
    except BrokenPipeError:
        raise
    except Exception as error:
        print(Speech(defaults.locale)(apology(error)), file=sys.stderr)
        sys.exit(1)


async def _play(
    setup: Setup | None,
    defaults: Setup,
    store: WriteBehindStore | None,
    unfinished: GameId | None,
    thinker: Thinker,
) -> None:
    if unfinished:
        assert store
        session = await resumed(defaults, unfinished, store, thinker=thinker)
    else:
        assert setup
        session = Session(setup, store=store, thinker=thinker)
    table = PlainTable(session, store=store)
    try:
        await table.run()
    finally:
        table.close()
        await thinker.close()


class PlainTable:
    """Prints a session, and reads its players' moves, line by line."""

    def __init__(
        self,
        session: Session,
        read: Callable[[], str] | None = None,
        *,
        store: WriteBehindStore | None = None,
    ) -> None:
        self._session = session
        session.input_blocks = True
        self._store = store
        if store:
            store.set_language(session.setup.locale)
        self._shown_warning: Text | None = None
        self._read = read or sys.stdin.readline
        self._reader: Seat | None = None
        """The player whose hand may be shown; None until a player has taken a shared keyboard."""
        self._path: Words = ()
        """The words of a move picked so far."""
        self._printed: dict[Seat | None, int] = {}
        """The count of the news already printed, by reader."""
        self._past = 0
        """The number of pieces of news, from the first, that a resumed game does not print again."""
        self._shown: tuple[Seat | None, int] | None = None
        """The reader and the length of the log when the table was last printed."""
        self._listed: Menu | None = None
        """The menu printed last; None if the next menu must be printed in any case."""
        # Reading a line blocks the event loop, so that no menu changes while its reader types.
        self._menus = Menus(session.service.clock, reading=0)

    async def run(self) -> None:
        """Plays games until the player wants no rematch; raises `PlayerQuit`."""
        # asyncio's handler cancels the task, but a blocking read ignores that; this one interrupts it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        while True:
            await self._game()
            self._print(Text("Type “look back” to see which moves cost you most."))
            while (answer := self._another()) in LOOK_BACK:
                await self._look_back()
            if answer not in _YES:
                self._print(Text("See you next time."))
                return
            await self._session.rematch()

    def _another(self) -> str:
        """Asks whether to play again; returns the answer."""
        self._print(Text("Another game with the same players? (yes or no)"))
        return self._line().casefold()

    async def _look_back(self) -> None:
        """Looks back at the finished game: prints the progress, then the analysis."""
        try:
            look = await self._session.look_back()
        except Refused as refused:
            self._print(refused.reason)
            return
        await self._session.follow(look, self._print, _PROGRESS)
        for line in await self._session.look_back_lines(look, WIDTH):
            print(line)

    def close(self) -> None:
        """Waits until the games are in the file, and prints any warning about the file."""
        if self._store:
            self._store.finish()
            self._print_warning()

    async def _game(self) -> None:
        session = self._session
        self._printed, self._past, self._path, self._shown = {}, 0, (), None
        self._reader = None if session.shared else session.people[0]
        self._print(session.game.title, *session.warnings(), *deal_captions(session.table))
        if session.resumed:
            self._print(Text("You're back in your game."))
            # The news of a whole game would fill the screen several times.
            self._past = max(0, len(session.table.news) - _REMEMBERED)
        if self._store:
            self._store.start()
        self._attendance = session.begin()
        try:
            while not session.table.result:
                await self._step()
        finally:
            await session.end()
        self._show(self._reader)
        self._print(*result_captions(session.table), *seed_captions(session.table))

    async def _step(self) -> None:
        session = self._session
        seat = session.at_keyboard()
        if seat is None:
            seat = next(iter(session.keyboard.undecided(session.table)), None)
        if seat is None:
            self._print_page(Page(news=self._news()))
            await self._wait()
            return
        if seat != self._reader:
            self._hand_over(seat)
        session.keyboard.sit_down(seat)
        if notice := session.take_notice(seat):
            self._print(notice)
        await self._ask_for_move(seat)

    def _hand_over(self, seat: Seat) -> None:
        """Hides the hand on the screen and waits until the next player has taken the keyboard."""
        print("\n" * _SCREEN)
        self._print(Text("Pass the keyboard to {who}. Press Enter when you have it.", who=Name(seat)))
        self._line()
        self._reader = seat

    async def _ask_for_move(self, seat: Seat) -> None:
        """Shows a player the table and the menu, then reads a line and carries it out."""
        if seat not in self._session.table.active():
            await self._wait_unseen(seat)
            return
        self._show(seat)
        menu = self._session.menu(seat, _ROOM, self._path)
        self._list(seat, menu)
        await self._handle_line(seat, self._line())

    async def _wait_unseen(self, seat: Seat) -> None:
        """Asks a player with nothing to decide to press Enter, so that others cannot tell who decides.

        A single player at the keyboard is not asked: the table waits for the computers.
        """
        self._show(seat)
        if self._session.shared:
            self._print(EVERYBODY_ASKED, Text("You have nothing to decide. Press Enter."))
            self._line()
            await self._session.has_seen(seat)
        else:
            self._print(Text("Waiting …"))
            await self._wait()

    async def _wait(self) -> None:
        """Waits until the table changes; raises the error of a computer player that failed meanwhile."""
        change = asyncio.create_task(self._session.changed(len(self._session.table.entries)))
        await asyncio.wait((change, self._attendance), return_when=asyncio.FIRST_COMPLETED)
        if not change.done():
            change.cancel()
            await self._attendance

    def _show(self, seat: Seat | None) -> None:
        """Prints the news and the table, unless the last print was for this reader and nothing has changed.

        The table is drawn in its shortest form, for screen readers.
        """
        shown = (seat, len(self._session.table.entries))
        if shown != self._shown:
            drawing = self._session.draw(seat, WIDTH, height=1).split("\n")
            self._print_page(Page(news=self._news(), panels=(PagePanel("", tuple(drawing), wraps=False),)))
            self._shown, self._listed = shown, None

    def _list(self, seat: Seat, menu: Menu) -> None:
        """Prints the numbered menu; if it is the menu printed last, prints a short prompt instead."""
        if menu == self._listed:
            self._print(Text("Your move? Enter shows the table again."))
            return
        self._listed = menu
        if begun := self._session.begun(seat, menu):
            self._print(begun)
        page = Page(keys=(tuple(map(self._key, menu.items)),))
        self._menus.show(HOME, page)
        self._print_page(page)
        self._print(Text("Your move? Type its number, or the move itself. “help” explains more."))
        self._list_optional(seat)

    def _key(self, item: MenuItem) -> Key:
        table = self._session.table
        if item.done:
            return Key(item.label, "move", " ".join(item.words), table.id, table.stamp)
        return Key(f"{item.label} …", "pick", item.words[-1], table.id, table.stamp)

    def _list_optional(self, seat: Seat) -> None:
        """Prints which players may make an optional move, and how."""
        session = self._session
        optional = session.keyboard.optional(session.table)
        if seat in optional:
            self._print(Text("You can play now, or press Enter to let the others go on."))
        for other in optional:
            if other != seat:
                self._print(Text("{who} can play too: type {who} to pass the keyboard.", who=Name(other)))

    async def _handle_line(self, seat: Seat, line: str) -> None:
        table, say = self._session.table, self._session.say
        match self._menus.meaning(HOME, line):
            case Pressed((key, *_)) if key.action == "pick":
                self._path = (*self._path, key.words)
            case Pressed((key, *_)):
                await self._play(seat, key.words)
            case NoKey(reason):
                self._print(reason)
            case Called(called, arguments) if not begins_with_verb(table.game, table.view(seat), line, say):
                await self._obey(seat, line, called.name, arguments)
            case _:
                await self._obey(seat, line, line.casefold(), {})

    async def _obey(self, seat: Seat, line: str, name: str, arguments: Mapping[str, str]) -> None:
        """Carries out a line that begins with a word or a command such as "help"; any other is a move."""
        session = self._session
        if self._passes_keyboard(seat, line.casefold()):
            return
        match name:
            case "rules":
                self._print_rules(arguments.get("game", session.game.key))
            case "help" | "?":
                example = Text(
                    "Type the number of a move, or the move itself. For example: {move}",
                    move=session.example(seat),
                )
                self._print(example, Text("You can also type: look, back, hint, take back, rules, quit."))
            case _ if name in _BACK:
                self._path, self._listed = self._path[:-1], None
            case _ if session.means_take_back(seat, line):
                await self._take_back()
            case _ if session.means_hint(seat, line):
                await self._hint(seat)
            case _ if name in _LOOK:
                self._path, self._shown = (), None
            case _:
                move = arguments.get("move", line)
                await self._play(seat, session.action(seat, move))

    async def _play(self, seat: Seat, action: str) -> None:
        """Makes a move, or prints the reason why it is illegal."""
        try:
            await self._session.play(seat, action)
        except IllegalMove as illegal:
            self._print(self._session.reason(seat, action, illegal))
        else:
            self._path = ()

    async def _hint(self, seat: Seat) -> None:
        """Prints a hint for the player, or why there is none."""
        try:
            self._print(await self._session.hint(seat))
        except Refused as refused:
            self._print(refused.reason)

    async def _take_back(self) -> None:
        """Takes the last move at this keyboard back, if all who share it agree; else prints why not."""
        session = self._session
        mover = session.last_mover()
        if mover is not None and session.shared:
            self._print(
                Text("Take back {who}'s last move? Only if everyone agrees (yes or no).", who=Name(mover))
            )
            if self._line().casefold() not in _YES:
                return
        try:
            await session.take_back()
        except Refused as refused:
            self._print(refused.reason)
        else:
            self._path, self._shown = (), None

    def _print_rules(self, name: str) -> None:
        """Prints the rules of the game with this key or title."""
        say = self._session.say
        try:
            rules = say.spelled(game_named(name, say).help(say))
        except Refused as refused:
            self._print(refused.reason)
        else:
            print("\n".join(filled(rules, WIDTH)))

    def _passes_keyboard(self, seat: Seat, line: str) -> bool:
        """Passes the keyboard to the player named, or takes an empty line as declining an optional move.

        Returns False for any other line.
        """
        session = self._session
        optional = session.keyboard.optional(session.table)
        called = [one for one in optional if line and session.say.name(one).casefold() == line]
        if called:
            session.keyboard.call(called[0])
        elif seat in optional and not line:
            session.decline(seat)
        else:
            return False
        self._path, self._listed = (), None
        return True

    def _news(self) -> tuple[NewsLine, ...]:
        """The news that the reader has not seen; counts as printed."""
        table, start = self._session.table, self._printed.get(self._reader, self._past)
        self._printed[self._reader] = len(table.news)
        return news_lines(table, max(start, table.news.first), self._reader, self._session.say)

    def _print_page(self, page: Page) -> None:
        """Prints a page as every platform without buttons does."""
        for line in as_lines(page, None, WIDTH):
            print(line)

    def _print(self, *texts: Text) -> None:
        _print(self._session.say, texts)

    def _print_warning(self) -> None:
        """Prints a warning about the file of saved games, unless it was printed before."""
        if self._store and (warning := self._store.warning()) and warning != self._shown_warning:
            self._shown_warning = warning
            self._print(warning)

    def _line(self) -> str:
        """Reads the next line; raises `PlayerQuit` at "quit" and at the end of the input.

        Reading blocks the event loop, so that computers make no move until the player has answered.
        """
        self._print_warning()
        print("> ", end="", flush=True)
        line = self._read()
        if not line or line.strip().casefold() in _QUIT:
            table = self._session.table
            if self._store and self._store.keeps(table.id) and not table.result:
                self._print(Text("Your game is saved. To go on: python3 run.py play --resume"))
            self._print(Text("See you next time."))
            raise PlayerQuit
        return line.strip()


def _choose(defaults: Setup, store: WriteBehindStore | None) -> tuple[Setup | None, GameId | None]:
    """Asks which game to play or resume; returns its setup or its id.

    Raises `PlayerQuit` at "quit" and at the end of the input.
    """
    unfinished = _unfinished(store)
    say = Speech(defaults.locale, letters=defaults.letters)
    people, players = len(defaults.names), defaults.players
    seats = {key: players or max(people, game.seats[0]) for key, game in games().items()}
    offered = [game for key, game in games().items() if seats[key] in game.seats]
    while True:
        _print(say, [Text("Which game?")])
        for number, game in enumerate(offered, 1):
            print("\n".join(filled(f"{number:>3}. {say(game.title)}: {say(game.pitch)}", WIDTH)))
        if unfinished:
            print(f"  0. {say(Text('Resume {game}', game=games()[unfinished.key].title))}")
        answer = _read_answer()
        for number, game in enumerate(offered, 1):
            if answer in (str(number), game.key, say(game.title).casefold()):
                return replace(defaults, key=game.key, players=seats[game.key]), None
        if answer == "0" and unfinished:
            return None, unfinished.game
        if name := safe_name(answer):
            _print(say, [Text("There is no game “{name}”. Type its number or its name.", name=name)])


def _unfinished(store: WriteBehindStore | None) -> Listing | None:
    """The saved game to resume; a missing file is not created."""
    if store is None or not store.file.exists():
        return None
    store.wait_until_read()
    return store.unfinished()


def _read_answer() -> str:
    line = sys.stdin.readline()
    answer = line.strip().casefold()
    if not line or answer in _QUIT:
        raise PlayerQuit
    return answer


def _print(say: Speech, texts: Iterable[Text]) -> None:
    for text in texts:
        print("\n".join(wrapped(say(text), WIDTH)))
