"""Runs a game and its rematches at one terminal, for the full-screen and the line interface."""

from __future__ import annotations

import asyncio
import random
from functools import partial

from adapters.shared.clock import AsyncioClock
from adapters.terminal.dealing import dealt
from adapters.terminal.guide import GuidedThinker, GuideMemory, guided, guided_hand
from adapters.terminal.keyboard import Keyboard, forced_move, people_at
from adapters.terminal.rivals import PastGames, score_captions, title
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.model.ids import GameId
from bot.model.places import HOME
from bot.model.tables import Refused
from bot.pages.captions import deal_captions, news_lines
from bot.pages.menus.menu import Fits, PageRoom, always, menu
from bot.pages.menus.menu_items import Menu, Words
from bot.ports import Clock, NewsLine
from bot.storage import Store
from bot.store.memory.store import MemoryStore
from bot.table_service.analysis_jobs import Analyses, AnalysisJob
from bot.table_service.bounds import Bounds
from bot.table_service.commits import Transition
from bot.table_service.computers import Manner, play_computers
from bot.table_service.hints import Hint, Hints
from bot.table_service.service import TableService
from bot.tables.log.commitment import ChosenSeed, CommittedSeed
from bot.tables.log.table_state import AnyGame
from bot.tables.table import Table
from bot.tables.turn_clock import FORCED_AFTER
from bot.tables.undo import moved_last, taken_back
from bot.thinking.thinker import InlineThinker, Thinker
from engines.game import IllegalMove, Move, Seat, Text, option_warnings
from engines.values import replace

EVERYBODY_ASKED = Text("Everyone is asked, so nobody can tell who has a choice to make.")
"""Explains to a player with nothing to decide why they must still answer."""

NOTHING_TO_TAKE_BACK = Text("There is no move to take back.")
_BOUNDLESS = Bounds(person=10**6, place=10**6, seats=10**6, days=10**6)
"""The limits of a table service, set so high that a terminal never reaches them."""


class Session:
    """A game and its rematches at one terminal, with its own table service.

    If ``table`` is given, the session resumes it; the store must already hold it.
    """

    def __init__(
        self,
        setup: Setup,
        clock: Clock | None = None,
        store: Store | None = None,
        table: Table | None = None,
        thinker: Thinker | None = None,
        guides: GuideMemory | None = None,
        past: PastGames | None = None,
    ) -> None:
        self.setup = setup
        self.past = past or PastGames()
        """The finished games and the matches of this terminal."""
        self._thinker = thinker or InlineThinker()
        store = store or MemoryStore()
        self.service = TableService(store, clock or AsyncioClock(), _BOUNDLESS)
        self.service.listen(self._on_change)
        self._opening = asyncio.Lock()
        self._opened = table.id if table else ""
        """The id of the last table opened in the service; a new table is opened there when first needed."""
        self._attendance: asyncio.Task[None] | None = None
        self.keyboard = Keyboard()
        self._hints = Hints(self._thinker)
        self._hinted: dict[Seat, Hint] = {}
        """The last hint of each player, but for those of a guide."""
        self._analyses = Analyses(store, self.service, self._thinker)
        self._held: dict[Seat, Move] = {}
        """Moves held until all players have been asked, so that none learns whose moves they are."""
        self._notices: dict[Seat, Text] = {}
        """By seat, why a held move was not made."""
        self._answered = asyncio.Event()
        """Set when a player acts or uses the guide; the computers then check whether they may move."""
        self.input_blocks = False
        """Whether reading a line blocks the computers.

        If so, they wait until optional moves are made or declined.
        """
        self.resumed = table is not None
        self.guide = guided_hand(setup, guides, resumed=self.resumed)
        """The guide that leads the player through a first hand, if any."""
        seed = ChosenSeed(setup.seed) if setup.seed is not None else CommittedSeed()
        if table and self.guide:
            self.guide.resume(table, dealt(guided(setup), seed, self.past))
        self.table = table or dealt(setup, seed, self.past)

    @property
    def game(self) -> AnyGame:
        return self.table.game

    @property
    def say(self) -> Speech:
        names = tuple(player.name for player in self.table.players)
        return Speech(self.setup.locale, names, self.setup.letters)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of the people at this terminal."""
        return people_at(self.table)

    @property
    def shared(self) -> bool:
        """Whether several players share the keyboard."""
        return len(self.people) > 1

    @property
    def is_curtained(self) -> bool:
        """Whether hands are hidden while the keyboard is passed from player to player."""
        return self.shared and self.game.hidden

    def begin(self) -> asyncio.Task[None]:
        """Starts the task that makes the computers' moves, and people's only possible ones, and returns it.

        The task fails if a computer player fails.
        """
        if any(player.level == "hard" for player in self.table.players):
            self._thinker.warm()
        self._attendance = asyncio.create_task(self._attend())
        return self._attendance

    async def end(self) -> None:
        """Stops the computer players and the analysis, and waits until the last change is stored."""
        if self._attendance:
            self._attendance.cancel()
            await asyncio.gather(self._attendance, return_exceptions=True)
        await self._analyses.close()
        await self.service.close()

    async def changed(self, since: int) -> None:
        """Waits until the table's log has more than ``since`` entries."""
        await self._open()
        await self.service.changed(self.table.id, since)

    async def rematch(self) -> None:
        """Deals a rematch to the same players, with what the game carries over, such as scores.

        A chosen seed fixes the deal of the rematch too.
        """
        await self.end()
        # After a guided game the rematch is dealt at random.
        seed, self.guide = None if self.guide else self.setup.seed, None
        seed_source = CommittedSeed() if seed is None else ChosenSeed(f"{seed} again")
        self.setup = replace(
            self.setup,
            seed=seed_source.words if isinstance(seed_source, ChosenSeed) else None,
            guided=False,
        )
        self.table = dealt(self.setup, seed_source, self.past, self.table)
        self.resumed = False
        self.keyboard = Keyboard()
        self._held, self._notices, self._hinted = {}, {}, {}

    def score(self) -> tuple[Text, ...]:
        """The score of the match and of all games between these players, after a game."""
        return tuple(score_captions(self.past, self.table))

    def title(self) -> Text:
        """The game, and in a match the score so far."""
        return title(self.past, self.table)

    def warnings(self) -> tuple[Text, ...]:
        """The warnings of house rules that suit the number of players badly."""
        return option_warnings(self.game.options, self.table.options, len(self.table.players))

    def deal_captions(self) -> tuple[Text, ...]:
        """The sentences on how the cards were shuffled; none where a guide has chosen them."""
        return () if self.guide else tuple(deal_captions(self.table))

    def at_keyboard(self) -> Seat | None:
        """The seat whose player should be at the keyboard now; None while computers play, and at the end."""
        return self.keyboard.player(self.table)

    async def play(self, seat: Seat, action: str) -> None:
        """Makes a player's move. Raises `IllegalMove` or `Refused`; then nothing has changed.

        If several people share the keyboard and it is secret whom the game waits for, the move is held until
        all of them have been asked.
        """
        if self.guide:
            self.guide.check(self.table, action, partial(self.label, seat))
        if self.keyboard.is_secret(self.table):
            self._held[seat] = self.game.act(self.table.state, seat, action)[0]
            await self.note_asked(seat)
        else:
            await self._change(lambda table: table.play(seat, action))
            self.keyboard.act(seat)
            self._answered.set()

    async def note_asked(self, seat: Seat) -> None:
        """Notes that a player has been asked; after the last player, makes the held moves.

        Only for games that keep secret whom they wait for.
        """
        self.keyboard.ask(self.table, seat)
        if not self.keyboard.unasked(self.table):
            await self._make_held_moves()
            self._answered.set()

    def decline(self, seat: Seat) -> None:
        """Declines a player's optional move, so that the game goes on."""
        self.keyboard.decline(self.table, seat)
        self._answered.set()

    def read_on(self) -> None:
        """Goes to the next step of the guide, once the player has read one that asks for no move."""
        assert self.guide
        self.guide.read_on(self.table)
        self._answered.set()

    def leave_guide(self) -> None:
        """Ends the guide; the game goes on freely."""
        assert self.guide
        self.guide.leave()
        self._answered.set()

    def last_mover(self) -> Seat | None:
        """The player at this keyboard whose last move can be taken back; None if there is none."""
        return next((seat for seat in self.people if moved_last(self.table, seat)), None)

    async def take_back(self) -> None:
        """Takes back the last move made at this keyboard, with the replies. Raises `Refused`."""
        if (seat := self.last_mover()) is None:
            raise Refused(NOTHING_TO_TAKE_BACK)
        await self._change(partial(taken_back, seat=seat))
        # Held moves were chosen for the position that is taken back.
        self._held, self._notices = {}, {}
        self._answered.set()

    async def hint(self, seat: Seat) -> Text:
        """A hint for a player at this keyboard. Raises `Refused`."""
        if self.guide and (move := self.guide.request(self.table)):
            return self._hint_of(seat, move, self.game.reason(self.table.view(seat), move))
        hint = self._hinted[seat] = await self._hints.hint(self.table, seat)
        return self._hint_of(seat, hint.move, hint.reason)

    def last_hint(self, seat: Seat) -> Text | None:
        """The player's last hint in the current language; None if the table has changed since.

        While a guide asks for a move, the hint is that move.
        """
        if self.guide and (move := self.guide.request(self.table)):
            return self._hint_of(seat, move, self.game.reason(self.table.view(seat), move))
        hint = self._hinted.get(seat)
        return self._hint_of(seat, hint.move, hint.reason) if hint and self.hinted(seat) else None

    def _hint_of(self, seat: Seat, move: Move, reason: Text) -> Text:
        return Text("Hint: {move}. {reason}", move=self.label(seat, move), reason=reason)

    def hinted(self, seat: Seat) -> Move | None:
        """The move of a player's last hint, but for a guide's; None if the table has changed since."""
        hint = self._hinted.get(seat)
        return hint.move if hint and hint.stamp == self.table.stamp else None

    def label(self, seat: Seat, move: Move) -> str:
        """A move as menus name it to a player."""
        return self.game.label(self.table.view(seat), (move.verb, *move.words), self.say)

    async def analyse(self) -> AnalysisJob:
        """Begins to analyse the finished game, unless that was done before. Raises `Refused`."""
        return await self._analyses.ask(self.table)

    async def history(self, reader: Seat | None) -> tuple[NewsLine, ...]:
        """All news of the game that a player, or None for the public, may know."""
        await self._open()
        table = await self.service.whole(self.table.id)
        return news_lines(table, table.news.first, reader, self.say)

    async def _make_held_moves(self) -> None:
        """Makes the held moves in order; the player of one that has become illegal gets a notice."""
        held, self._held = self._held, {}
        for seat, move in held.items():
            try:
                await self._change(partial(Table.play, seat=seat, action=str(move)))
            except (IllegalMove, Refused) as refused:
                self._notices[seat] = Text(
                    "“{move}” no longer works. {reason}",
                    move=self.label(seat, move),
                    reason=refused.reason,
                )

    def take_notice(self, seat: Seat) -> Text | None:
        """Returns and forgets the notice for a player; None if there is none."""
        return self._notices.pop(seat, None)

    async def _until_all_asked(self) -> None:
        """Waits until no player needs to be asked; computers await it before each move."""
        while self._must_ask():
            self._answered.clear()
            await self._answered.wait()

    def _must_ask(self) -> bool:
        """Whether a player must still be asked before a computer moves.

        That is so in a round of secret decisions, for an optional move if input blocks, and while the player
        reads an explanation of the guide.
        """
        if self.guide and self.guide.explanation(self.table):
            return True
        if self.keyboard.is_secret(self.table):
            return bool(self.keyboard.unasked(self.table))
        return self.input_blocks and bool(self.keyboard.undecided(self.table))

    def menu(self, seat: Seat, room: int, path: Words = (), fits: Fits | None = None) -> Menu:
        """The menu of a seat's moves after the words of ``path``; ``room`` is the most moves listed whole.

        ``fits`` says whether there is room for their labels.
        """
        page = PageRoom(room, fits or always, suggested=self.setup.suggestions)
        stamp = self.table.stamp
        return menu(self.game, self.table.state, seat, self.say, stamp=stamp, room=page, path=path)

    def draw(self, seat: Seat | None, width: int, height: int | None = None) -> str:
        """Draws the table as a seat sees it, or for None as the public sees it; sizes are in cells."""
        return self.game.draw(
            self.table.view(seat), replace(self.say, starred=self.game.scoring), width, height
        )

    def forced(self) -> tuple[Seat, Move] | None:
        """The only possible move of a player at this keyboard, if it is played for them; else None."""
        if self.guide and not self.guide.is_over:
            return None
        return forced_move(self.table, self.setup.forced)

    async def play_forced(self) -> bool:
        """Plays a player's only possible move; False if there is none.

        Plays nothing if the table changes meanwhile, but returns True all the same.
        """
        if (forced := self.forced()) is None:
            return False
        seat, move = forced
        entries = len(self.table.entries)

        def played(table: Table) -> Table:
            return table.play_forced(seat, move) if len(table.entries) == entries else table

        await self._change(played)
        self.keyboard.act(seat)
        self._answered.set()
        return True

    async def _keep_playing_forced(self) -> None:
        """Plays the players' only possible moves, each after a short pause, until the game is over.

        Not where input blocks: there the line interface plays them before it reads a line.
        """
        await self._open()
        while not self.input_blocks and self.table.status != "over":
            entries = len(self.table.entries)
            if self.forced():
                await self.service.clock.sleep(FORCED_AFTER * min(self.setup.pace, 1.0))
                if len(self.table.entries) == entries:
                    await self.play_forced()
                continue
            await self.service.changed(self.table.id, entries)

    async def _attend(self) -> None:
        """Makes the computer players' moves, and the only possible ones of people, until the game is over."""
        await asyncio.gather(self._play_computers(), self._keep_playing_forced())

    async def _play_computers(self) -> None:
        """Makes the computers' moves until the game is over."""
        await self._open()
        setup, table = self.setup, self.table
        # A chosen seed fixes the computers' luck too, so that the same words are the same game.
        luck = "" if setup.seed is None else f"computers:{setup.seed}"
        thinker = self._thinker
        if guide := self.guide:
            thinker = GuidedThinker(thinker, lambda: guide.reply(self.table))
        manner = Manner(random.Random(), setup.pace, thinker, luck, self._until_all_asked)
        while table.status != "over":
            table = await play_computers(self.service, table.id, manner)
            if table.status != "over":
                await self.service.changed(table.id, len(table.entries))

    async def _change(self, transition: Transition) -> None:
        """Changes the current table. Raises what the transition raises."""
        await self._open()
        await self.service.change(self.table.id, transition)

    async def _open(self) -> None:
        """Opens the current table in the service, unless that was done before."""
        async with self._opening:
            if self._opened != self.table.id:
                self._opened = self.table.id
                await self.service.open(HOME, lambda number: replace(self.table, number=number))

    def _on_change(self, table: Table, before: Table | None) -> None:
        """Makes a changed table the current one; notes its game for the score, or ends the guide with it."""
        if table.id == self.table.id:
            self.table = table
            if self.guide is None:
                self.past.note(table)
            elif table.result and not self.guide.is_over:
                self.guide.leave()


async def resumed_session(
    defaults: Setup,
    game: GameId,
    store: Store,
    clock: Clock | None = None,
    thinker: Thinker | None = None,
    guides: GuideMemory | None = None,
    past: PastGames | None = None,
) -> Session:
    """The session that resumes a game of the store."""
    table = await TableService(store, clock or AsyncioClock()).resume(game)
    return Session(defaults.of(table), clock, store, table, thinker, guides, past)
