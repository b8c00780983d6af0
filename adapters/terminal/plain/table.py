"""A table played line by line, without control characters: for pipes and screen readers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from adapters.terminal import typed_lines
from adapters.terminal.guide import GUIDE_LEFT, PLAYER, SKIP
from adapters.terminal.plain.printer import WIDTH, Printer
from adapters.terminal.plain.records import PlainRecords
from adapters.terminal.rivals import first_to_from
from adapters.terminal.saved_games.analysis import analysis_lines, follow
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.session import EVERYBODY_ASKED, Session
from adapters.terminal.typed_lines import TypedCards, TypedItem, TypedMove, TypedWord, Word
from bot.i18n import folded
from bot.model.tables import Refused
from bot.pages.captions import result_captions, seed_captions, turn_caption
from bot.pages.menus.menu_items import Menu, Words
from engines.game import IllegalMove, Name, Seat, Text
from engines.values import replace

_MOST_LISTED = 20
"""The most moves that a menu lists whole; with more, the player picks a move word by word."""
_EMPTY_LINES = 40
"""The number of empty lines that scroll one player's hand off the screen before the next player looks."""
_RECORDS = Text("About finished games: leaderboard, profile, replay.")
"""Names words that are understood in a game and after it."""
_PROGRESS_INTERVAL = 10.0
"""Seconds between two lines about the progress of an analysis."""
_REPEATED_NEWS = 12
"""The number of the latest pieces of news that are printed again when a game is resumed."""

QUIT = frozenset(("quit", "exit", "salir"))
"""The lines that end the program, at any question."""
YES = frozenset(("y", "yes", "s", "si", "sí"))
"""The lines that answer a question with yes."""
NO = frozenset(("n", "no"))
"""The lines that answer a question with no."""


class PlayerQuit(Exception):
    """Raised when the player types quit or the input ends."""


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
            store.set_language(session.table.id, session.setup.locale)
        self._printer = Printer(session, store)
        self._read = read or sys.stdin.readline
        self._records = PlainRecords(session, store, self._printer, self._read)
        self._path: Words = ()
        """The words of a move picked so far."""

    async def run(self) -> None:
        """Plays games until the player wants no rematch; raises `PlayerQuit`."""
        while True:
            await self._game()
            if not await self._wants_another():
                self._printer.texts(Text("See you next time."))
                return
            await self._session.rematch()

    async def _wants_another(self) -> bool:
        """Asks after a game whether to play again, until the answer is yes, no or the length of a match."""
        self._printer.texts(Text("Type “look back” to see which moves cost you most."))
        if not self._session.setup.first_to:
            self._printer.texts(Text("Type “first to 3” to play a match of several games."))
        while True:
            self._printer.texts(Text("Another game with the same players? (yes or no)"))
            answer = self._line()
            if (agreed := _agreed(answer)) is not None:
                return agreed
            if first_to := first_to_from(answer):
                self._session.setup = replace(self._session.setup, first_to=first_to)
                return True
            if folded(answer) in typed_lines.LOOK_BACK:
                await self._analyse()
            else:
                await self._answer_after_game(answer)

    async def _answer_after_game(self, line: str) -> None:
        """Prints what a word asks for after a game; for any other line, the words that can be typed."""
        typed = typed_lines.word_of_line(line) if line else None
        match typed and typed.word:
            case "history":
                await self._printer.history()
            case "hand" | "table" | "look":
                self._printer.forget_table()
                self._printer.table(self._printer.reader)
            case "score":
                self._printer.texts(*result_captions(self._session.table), *self._session.score())
            case "rules":
                self._printer.rules((typed and typed.argument) or self._session.game.key)
            case "replay" if typed and not typed.argument:
                await self._records.replay()
            case "leaderboard" | "profile" | "replay" as word:
                await self._records.show(word, typed.argument if typed else "")
            case _:
                self._printer.texts(
                    Text(
                        "Please type yes or no. You can also type: look back, replay, history, score, rules."
                    ),
                    _RECORDS,
                )

    async def _analyse(self) -> None:
        """Analyses the finished game: prints the progress, then the analysis."""
        try:
            job = await self._session.analyse()
        except Refused as refused:
            self._printer.texts(refused.reason)
            return
        await follow(self._session, job, self._printer.texts, _PROGRESS_INTERVAL)
        for line in await analysis_lines(self._session, job, WIDTH, 1):
            print(line)

    def close(self) -> None:
        """Waits at most some seconds until the games are in the file; prints a new warning about the file."""
        if self._store:
            self._store.finish()
            self._printer.warning()

    async def _game(self) -> None:
        """Plays the current game to its end, and prints its result."""
        session = self._session
        self._path = ()
        self._printer.begin()
        self._printer.reader = None if session.shared else session.people[0]
        self._printer.texts(session.title(), *session.warnings(), *session.deal_captions())
        if session.resumed:
            self._printer.texts(Text("You're back in your game."))
            # The news of a whole game would fill the screen several times.
            self._printer.skip(max(0, len(session.table.news) - _REPEATED_NEWS))
        if self._store:
            self._store.start()
        self._attendance = session.begin()
        try:
            while not session.table.result:
                await self._step()
        finally:
            await session.end()
        self._printer.table(self._printer.reader)
        self._printer.texts(*result_captions(session.table), *session.score(), *seed_captions(session.table))

    async def _step(self) -> None:
        """Does what the game needs next: explains a step of the guide, asks a player, or waits."""
        session = self._session
        if session.guide and (text := session.guide.explanation(session.table)):
            await self._explain(text, session.guide.prompt(session.table))
            return
        seat = session.at_keyboard()
        if seat is None:
            seat = next(iter(session.keyboard.undecided(session.table)), None)
        if seat is None:
            self._printer.news()
            await self._wait()
            return
        if seat != self._printer.reader:
            self._hand_over(seat)
        session.keyboard.sit_down(seat)
        if notice := session.take_notice(seat):
            self._printer.texts(notice)
        await self._ask_for_move(seat)

    async def _explain(self, text: Text, prompt: Text) -> None:
        """Prints a sentence of the guide that asks for no move, and waits until it has been read."""
        self._printer.table(self._printer.reader)
        self._printer.texts(text, prompt)
        line = self._line()
        if folded(line) in SKIP:
            self._leave_guide()
        elif not line:
            self._session.read_on()
        elif typed := typed_lines.word_of_line(line):
            await self._obey(PLAYER, typed.word, typed.argument)

    def _leave_guide(self) -> None:
        """Leaves the guide; the game goes on freely."""
        self._session.leave_guide()
        self._printer.forget_menu()
        self._printer.texts(GUIDE_LEFT)

    def _hand_over(self, seat: Seat) -> None:
        """Hides the hand on the screen and waits until the next player has taken the keyboard.

        A game that hides nothing only says whose turn it is.
        """
        if not self._session.is_curtained:
            self._printer.hand_over(seat)
            self._printer.texts(turn_caption(self._session.table, seat))
            return
        print("\n" * _EMPTY_LINES)
        self._printer.texts(Text("Pass the keyboard to {who}. Press Enter when you have it.", who=Name(seat)))
        self._line()
        self._printer.hand_over(seat)

    async def _ask_for_move(self, seat: Seat) -> None:
        """Shows a player the table and the menu, then reads a line and carries it out.

        Instead plays the player's only possible move, if the session plays such moves for them.
        """
        if seat not in self._session.table.active():
            await self._wait_unseen(seat)
            return
        if not self._path and await self._session.play_forced():
            return
        self._printer.table(seat)
        menu = self._session.menu(seat, _MOST_LISTED, self._path)
        self._printer.menu(seat, menu)
        await self._handle_line(seat, self._line(), menu)

    async def _wait_unseen(self, seat: Seat) -> None:
        """Asks a player with nothing to decide for an answer too, so that others cannot tell who decides.

        A single player at the keyboard is not asked: the table waits for the computers.
        """
        self._printer.table(seat)
        if self._session.shared:
            # A second Enter after the one that takes the keyboard must not answer.
            while True:
                self._printer.texts(EVERYBODY_ASKED, Text("You have nothing to decide. Type 1 to go on."))
                if line := self._line():
                    break
            if typed := typed_lines.word_of_line(line):
                await self._obey(seat, typed.word, typed.argument)
                return
            await self._session.note_asked(seat)
        else:
            self._printer.texts(Text("Waiting …"))
            await self._wait()

    async def _wait(self) -> None:
        """Waits until the table changes; raises the error of a computer player that failed meanwhile."""
        change = asyncio.create_task(self._session.changed(len(self._session.table.entries)))
        await asyncio.wait((change, self._attendance), return_when=asyncio.FIRST_COMPLETED)
        if not change.done():
            change.cancel()
            await self._attendance

    async def _handle_line(self, seat: Seat, line: str, menu: Menu) -> None:
        """Carries out a line that a player has typed."""
        session = self._session
        if self._passes_keyboard(seat, line.casefold()):
            return
        if folded(line) in SKIP and session.guide and not session.guide.is_over:
            self._leave_guide()
            return
        match typed_lines.read_line(session, seat, line, menu):
            case TypedItem(item) if item.done:
                await self._play(seat, " ".join(item.words))
            case TypedItem(item):
                self._path = item.words
            case TypedCards(path):
                self._path = path
            case TypedWord(word, argument):
                await self._obey(seat, word, argument)
            case TypedMove(action):
                await self._play(seat, action)

    async def _obey(self, seat: Seat, word: Word, argument: str) -> None:
        """Carries out a word about the game."""
        match word:
            case "rules":
                self._printer.rules(argument or self._session.game.key)
            case "help":
                self._print_help(seat)
            case "back":
                self._path = self._path[:-1]
                self._printer.forget_menu()
            case "take back":
                await self._take_back()
            case "hint":
                await self._hint(seat)
            case "history":
                await self._printer.history()
            case "hand":
                self._printer.hand(seat)
            case "table":
                self._printer.others(seat)
            case "score":
                self._printer.score(seat)
            case "leaderboard" | "profile" | "replay":
                await self._records.show(word, argument)
            case "suggestions" | "forced":
                self._printer.texts(typed_lines.change_setting(self._session, word, argument))
                self._printer.forget_menu()
            case _:
                # Only “look” is left, since `_line` raises at “quit”.
                self._path = ()
                self._printer.forget_table()

    def _print_help(self, seat: Seat) -> None:
        """Prints how moves are typed, and the words that can be typed besides."""
        if example := typed_lines.example(self._session, seat):
            self._printer.texts(
                Text("Type the number of a move, or the move itself. For example: {move}", move=example)
            )
        self._printer.texts(
            Text("The name of a card alone plays that card, or shows what it can do."),
            Text("You can also type: hand, table, score, history, hint, u (take back), back, rules, quit."),
            _RECORDS,
        )

    async def _play(self, seat: Seat, action: str) -> None:
        """Makes a move, or prints the reason why it is illegal."""
        try:
            await self._session.play(seat, action)
        except IllegalMove as illegal:
            self._printer.texts(typed_lines.reason(self._session, seat, action, illegal))
        else:
            self._path = ()

    async def _hint(self, seat: Seat) -> None:
        """Prints a hint for the player, or why there is none."""
        try:
            self._printer.texts(await self._session.hint(seat))
        except Refused as refused:
            self._printer.texts(refused.reason)

    async def _take_back(self) -> None:
        """Takes the last move at this keyboard back, if all who share it agree; prints a refusal."""
        session = self._session
        mover = session.last_mover()
        if mover is not None and session.shared and not self._all_agree(mover):
            return
        try:
            await session.take_back()
        except Refused as refused:
            self._printer.texts(refused.reason)
        else:
            self._path = ()
            self._printer.forget_table()

    def _all_agree(self, mover: Seat) -> bool:
        """Asks the players at a shared keyboard whether a player's last move is taken back."""
        while True:
            self._printer.texts(
                Text("Take back {who}'s last move? Only if everyone agrees (yes or no).", who=Name(mover))
            )
            if (agreed := _agreed(self._line())) is not None:
                return agreed

    def _passes_keyboard(self, seat: Seat, line: str) -> bool:
        """Passes the keyboard to the player named, or declines an optional move; False for any other line.

        An empty line declines; at a shared keyboard “back” does, since there Enter alone takes the keyboard.
        """
        session = self._session
        optional = session.keyboard.optional(session.table)
        named = [other for other in optional if line and session.say.name(other).casefold() == line]
        if session.shared:
            declines = typed_lines.word_of_line(line) == TypedWord("back") and not self._path
        else:
            declines = not line
        if named:
            session.keyboard.pass_to(named[0])
        elif seat in optional and declines:
            session.decline(seat)
        else:
            return False
        self._path = ()
        self._printer.forget_menu()
        return True

    def _line(self) -> str:
        """Reads the next line, and cuts it to `LONGEST_LINE` characters.

        Raises `PlayerQuit` at "quit" and at the end of the input.

        Reading blocks the event loop, so that computers make no move until the player has answered.
        """
        self._printer.warning()
        print("> ", end="", flush=True)
        line = self._read()
        if not line or line.strip().casefold() in QUIT:
            if self._store and not self._store.warning() and not self._session.table.moved_in:
                self._printer.texts(Text("You haven't moved yet, so this game isn't saved."))
            self._printer.texts(Text("See you next time."))
            raise PlayerQuit
        return line.strip()[: typed_lines.LONGEST_LINE]


def _agreed(answer: str) -> bool | None:
    """Whether an answer is yes; None if it is neither yes nor no."""
    if folded(answer) in YES:
        return True
    return False if folded(answer) in NO else None
