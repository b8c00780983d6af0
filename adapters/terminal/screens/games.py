"""The screen on which a player picks a game, or goes on with an unfinished one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.widgets import Button, ButtonGrid, Paragraph, row_count
from bot.i18n import Speech
from engines import game_keys, games, summaries
from engines.drawing import cells, cut, pad
from engines.game import Say, Summary, Text

if TYPE_CHECKING:
    from adapters.terminal.saved_games.unfinished import Unfinished
    from bot.tables.log.table_state import AnyGame

_LEAST_WIDTH_FOR_ONE_ROW = 50
"""The least width of the list of games, in cells, at which an unfinished game has one row there."""


class GamesScreen(BaseScreen):
    """Lists the games, after the unfinished one that was played last."""

    def __init__(self) -> None:
        super().__init__()
        self._offered = False
        """Whether the first line is an unfinished game."""
        self._reserved = False
        """Whether the first line is kept for an unfinished game, so that no game moves when it is found."""
        self._waits = False
        """Whether the player has asked for the unfinished games before all of them were read."""

    def compose(self) -> ComposeResult:
        yield Paragraph(id="title", markup=False)
        yield OptionList(id="games", markup=False)
        yield ButtonGrid(id="keys")

    @property
    def game(self) -> AnyGame:
        """The highlighted game."""
        index, unfinished = self._index(), self.app.unfinished()
        if index < 0 and unfinished:
            return games()[unfinished[0].listing.key]
        return games()[self._key()]

    def redraw(self) -> None:
        say, options = self.app.say, self.query_one(OptionList)
        title = Content(f"♠ ♥  {self.app.TITLE}  ♦ ♣")
        question = Content.styled(say(Text("What shall we play?")), "not bold $foreground")
        why = self.app.obstacle_to_resuming()
        warning = [Content.styled(say(why), "not bold $error")] if why else []
        self.query_one("#title", Static).update(Content("\n").join([title, *warning, question]))
        index, unfinished = self._index(), self.app.unfinished()
        width = self.size.width - 6
        self._reserved = self._reserved or bool(self.app.unread_games)
        listed = enumerate(summaries().values(), 1)
        lines = [Option(self._described(n, game, say, width)) for n, game in listed]
        if unfinished:
            lines.insert(0, Option(_continuation(unfinished[0], say, width)))
            # A cursor that the player has not moved goes to the game to continue.
            index = index if self._offered else index or -1
        elif self._reserved:
            lines.insert(0, Option("\n" * _continuation_rows(width), disabled=True))
        self._offered = bool(unfinished)
        options.set_options(lines)
        # The unfinished game's line is -1 in `_index`, and 0 in the list.
        options.highlighted = max(index, -self._offered) + (self._offered or self._reserved)
        choose = Button("Enter", say(Text("Choose")), self._choose)
        back = [Button("Esc", say(Text("Back")), self.action_leave)] if self.app.in_game else []
        ways = [*back, self.app.rules_key(), self.app.quit_key()]
        keys = [*ways, choose, self.app.language_key(), *self._resume_keys(say, unfinished)]
        records = Button("L", say(Text("Leaderboard")), self._show_records)
        # The leaderboard's button is shown only beside the others in one row, else it might push some of them
        # to a second page; L works all the same.
        fits = row_count([*keys, records], self.size.width - 1) == 1
        self.show_keys([*keys, records] if fits else keys)
        self.call_later(self._go_on_if_asked)

    async def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        await self._choose()

    async def on_key(self, event: events.Key) -> None:
        self._waits = False
        if event.key.isdecimal() and 0 < int(event.key) <= len(game_keys()):
            self.app.open_lobby(game_keys()[int(event.key) - 1])
        elif event.key == "question_mark":
            await self.app.action_rules()
        elif event.key == "escape" and self.app.in_game:
            await self.action_leave()
        # The keys are shown as capitals, and typed as such under caps lock.
        elif event.key in ("r", "R"):
            await self._go_on()
        elif event.key in ("l", "L"):
            await self._show_records()

    def on_screen_suspend(self) -> None:
        # The player has chosen something else meanwhile.
        self._waits = False

    async def _show_records(self) -> None:
        await self.app.show_records("leaderboard", "")

    def _index(self) -> int:
        """The index of the highlighted game; negative if it is the unfinished game's line."""
        before = self._offered or self._reserved
        highlighted = self.query_one(OptionList).highlighted
        return highlighted - before if highlighted is not None else 0

    def _key(self) -> str:
        """The key of the highlighted game; of the first game if the unfinished game's line is highlighted."""
        return game_keys()[max(self._index(), 0)]

    def _resume_keys(self, say: Say, unfinished: Sequence[Unfinished]) -> list[Button]:
        """The key that continues the only unfinished game, or lists several; no key if there is none."""
        number = max(len(unfinished), self.app.unread_games)
        if not number:
            return []
        label = Text("Continue") if number == 1 else Text("Unfinished games")
        return [Button("R", say(label), self._go_on)]

    async def _go_on(self) -> None:
        """Continues the only unfinished game, or lists several; if not all are read yet, once they are."""
        unfinished = self.app.unfinished()
        self._waits = len(unfinished) < self.app.unread_games
        if self._waits:
            return
        if len(unfinished) == 1:
            self._resume(unfinished[0])
        elif unfinished:
            await self.app.push_screen(UnfinishedScreen())

    async def _go_on_if_asked(self) -> None:
        if self._waits:
            await self._go_on()

    def _resume(self, unfinished: Unfinished) -> None:
        self.leave_by(self.app.resume, unfinished.listing.game)

    async def _choose(self) -> None:
        self._waits = False
        unfinished = self.app.unfinished()
        if self._index() < 0 and unfinished:
            self._resume(unfinished[0])
        else:
            self.app.open_lobby(self._key())

    def _described(self, number: int, game: Summary, say: Say, width: int) -> Content:
        """A game in the list: its number, title and seats, then its pitch."""
        seats = _range(game.seats)
        title = pad(f"{number}  {say(game.title)}", max(1, width - cells(seats)))
        pitch = Content(say(game.pitch)).wrap(max(1, width - 3))
        head = Content.assemble((title, "bold"), (seats, "$foreground 70%"))
        return Content("\n").join([head, *(Content("   ") + line for line in pitch), Content("")])


class UnfinishedScreen(BaseScreen):
    """Lists the unfinished games, the one played last first."""

    def compose(self) -> ComposeResult:
        yield Paragraph(id="title", markup=False)
        yield OptionList(id="games", markup=False)
        yield ButtonGrid(id="keys")

    @property
    def game(self) -> AnyGame:
        """The highlighted game."""
        listed = self.app.unfinished()
        return games()[listed[self.query_one(OptionList).highlighted or 0].listing.key]

    def redraw(self) -> None:
        say, options = self.app.say, self.query_one(OptionList)
        self.query_one("#title", Static).update(Content(say(Text("Unfinished games"))))
        cursor, width = options.highlighted or 0, self.size.width - 6
        options.set_options(
            Option(_numbered(str(n), game.caption(say), width))
            for n, game in enumerate(self.app.unfinished(), 1)
        )
        options.highlighted = cursor
        self.show_keys(
            [
                Button("Esc", say(Text("Back")), self.action_leave),
                self.app.rules_key(),
                Button("Enter", say(Text("Continue")), self._continue),
                self.app.language_key(),
            ]
        )

    async def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        await self._continue()

    async def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and 0 < int(event.key) <= len(self.app.unfinished()):
            self._resume(int(event.key) - 1)
        elif event.key == "question_mark":
            await self.app.action_rules()
        elif event.key == "escape":
            await self.action_leave()

    async def _continue(self) -> None:
        self._resume(self.query_one(OptionList).highlighted or 0)

    def _resume(self, n: int) -> None:
        self.leave_by(self.app.resume, self.app.unfinished()[n].listing.game)


def _continuation(unfinished: Unfinished, say: Speech, width: int) -> Content:
    """The line of an unfinished game in the list of games: its rows, and a blank one below."""
    caption = say(Text("Continue: {game}", game=unfinished.caption(say)))
    rows = _continuation_rows(width)
    lines = [line.plain for line in Content(caption).wrap(max(1, width - 3))]
    if len(lines) > rows:
        lines[rows - 1 :] = [cut(" ".join(lines[rows - 1 :]), max(1, width - 3))]
    blank = [Content("")] * (1 + rows - len(lines))
    return Content("\n").join([_numbered("R", "\n".join(lines), width).stylize("bold"), *blank])


def _continuation_rows(width: int) -> int:
    """The rows of an unfinished game in the list, whatever its players are called."""
    return 1 if width >= _LEAST_WIDTH_FOR_ONE_ROW else 2


def _numbered(key: str, caption: str, width: int) -> Content:
    """A key and a caption, wrapped to a width; all rows of the caption begin in one column."""
    lines = Content(caption).wrap(max(1, width - 3))
    return Content("\n").join(Content(pad("" if n else key, 3)) + line for n, line in enumerate(lines))


def _range(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}"
