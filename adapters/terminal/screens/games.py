"""The screen on which a player picks a game."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.widgets import Button, ButtonGrid
from bot.tables.table_state import AnyGame
from engines import games
from engines.drawing import cells, pad
from engines.game import Say, Text


class GamesScreen(BaseScreen):
    """Lists the games, and offers to resume the unfinished one."""

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield OptionList(id="games", markup=False)
        yield ButtonGrid(id="keys")

    @property
    def game(self) -> AnyGame:
        """The highlighted game."""
        return list(games().values())[self.query_one(OptionList).highlighted or 0]

    def redraw(self) -> None:
        say, options = self.app.say, self.query_one(OptionList)
        title = Content(f"♠ ♥  {self.app.TITLE}  ♦ ♣")
        question = Content.styled(say(Text("What shall we play?")), "not bold $foreground")
        self.query_one("#title", Static).update(Content("\n").join([title, question]))
        cursor = options.highlighted or 0
        options.set_options(
            Option(self._described(n, game, say, self.size.width - 6))
            for n, game in enumerate(games().values(), 1)
        )
        options.highlighted = cursor
        choose = Button("Enter", say(Text("Choose")), self._choose)
        back = [Button("Esc", say(Text("Back")), self.action_leave)] if self.app.in_game else []
        ways = [*back, self.app.rules_key(), self.app.quit_key()]
        self.show_keys([*ways, choose, *self._resume(say), self.app.language_key()])

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        self.app.open_lobby(list(games())[message.option_index])

    async def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and 0 < int(event.key) <= len(games()):
            self.app.open_lobby(list(games())[int(event.key) - 1])
        elif event.key == "question_mark":
            await self.app.action_rules()
        elif event.key == "escape" and self.app.in_game:
            await self.action_leave()
        elif event.key == "r":
            self._go_on()

    def _resume(self, say: Say) -> list[Button]:
        """The key that resumes the unfinished game, if there is one."""
        listing = self.app.unfinished()
        if listing is None:
            return []
        return [Button("R", say(Text("Resume {game}", game=games()[listing.key].title)), self._resumed)]

    async def _resumed(self) -> None:
        self._go_on()

    def _go_on(self) -> None:
        # A handler of this screen that awaited its removal would deadlock.
        self.app.call_later(self.app.resume)

    async def _choose(self) -> None:
        self.app.open_lobby(self.game.key)

    def _described(self, number: int, game: AnyGame, say: Say, width: int) -> Content:
        seats = _range(game.seats)
        title = pad(f"{number}  {say(game.title)}", max(1, width - cells(seats)))
        pitch = Content(say(game.pitch)).wrap(max(1, width - 3))
        head = Content.assemble((title, "bold"), (seats, "$foreground 70%"))
        return Content("\n").join([head, *(Content("   ") + line for line in pitch), Content("")])


def _range(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}"
