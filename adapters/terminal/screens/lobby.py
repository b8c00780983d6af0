"""The form in which players set up a game before the deal: seats, names, level, house rules and more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from adapters.terminal.rivals import LENGTHS, first_to_label
from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.setup import Setup
from adapters.terminal.widgets import Button, ButtonGrid, Paragraph
from bot.i18n import NAME_WIDTH, shared_name
from bot.settings.choices import LANGUAGES
from bot.tables.log.commitment import CUT_LENGTH
from bot.tables.log.table_state import AnyGame
from bot.tables.names.levels import LEVELS
from bot.tables.names.paces import PACES
from engines.drawing import cells, cut, pad
from engines.game import Option as HouseRule
from engines.game import Say, Text, option_warnings
from engines.values import replace


class LobbyScreen(BaseScreen):
    """The form before a game; Enter deals with its current values; in a text field it moves to the button."""

    AUTO_FOCUS = "#deal"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next"),
        Binding("up", "app.focus_previous"),
        Binding("enter", "deal"),
        Binding("escape", "leave"),
    ]

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self._game = game
        self._reason: Text | None = None
        """Why the last try to deal was refused; None before it, and once a field was changed."""

    @property
    def game(self) -> AnyGame:
        """The game that is set up."""
        return self._game

    def compose(self) -> ComposeResult:
        base, seats = self.app.defaults, self.game.seats
        enough = min(max(seats[0], len(base.names)), seats[-1])
        players = base.players if base.players in seats else enough
        people = min(max(1, len(base.names)), players)
        yield Paragraph(id="title", markup=False)
        with VerticalScroll(id="form", can_focus=False):
            yield SelectField("players", [str(n) for n in seats], str(players))
            yield SelectField("people", [str(n) for n in range(1, seats[-1] + 1)], str(people))
            for n in range(seats[-1]):
                name = base.names[n] if n < len(base.names) else ""
                yield TextField(f"name{n}", name, NAME_WIDTH)
            yield Paragraph(classes="refusal", id="refusal", markup=False)
            yield SelectField("level", tuple(LEVELS), base.level)
            yield SelectField("pace", tuple(PACES), base.computers_pace)
            for option in self.game.options:
                value = base.options.get(option.name, option.default)
                yield SelectField(f"rule {option.name}", tuple(option.values), value)
            yield Paragraph(classes="hint", id="warnings", markup=False)
            yield SelectField("language", list(LANGUAGES), base.locale)
            if base.seed is None:
                yield TextField("cut", base.cut or "", CUT_LENGTH)
                yield Paragraph(classes="hint", id="cut-hint", markup=False)
            lengths = sorted({0, base.first_to, *LENGTHS})
            yield SelectField("match", list(map(str, lengths)), str(base.first_to))
        yield DealButton(id="deal", markup=False)
        yield ButtonGrid(id="keys")

    def redraw(self) -> None:
        say = self.app.say
        self.query_one("#title", Static).update(Content(say(self.game.title)))
        self._select("language").value = self.app.defaults.locale
        self._update_fields()
        # Without the padding of the form and of its fields, and without the scroll bar.
        room = max(1, self.size.width - 5)
        alone = self._select("people").value == "1"
        labels = {
            field: say(_label(self.game, field.key, alone)) for field in self.query(Field) if field.display
        }
        fitting = [cells(label) for label in labels.values() if cells(label) < room // 2]
        for field, label in labels.items():
            field.say(label, max(fitting, default=0) + 2, room, self._shown_value(say, field))
        if self.app.defaults.seed is None:
            hint = Text("Your words change the shuffle, so nobody can have stacked the deck.")
            self.query_one("#cut-hint", Static).update(Content(say(hint)))
        warnings = option_warnings(self.game.options, self._options(), int(self._select("players").value))
        refusal = self.query_one("#refusal", Static)
        refusal.update(Content(say(self._reason) if self._reason else ""))
        refusal.display = self._reason is not None
        warned = self.query_one("#warnings", Static)
        warned.update(Content("\n".join(map(say, warnings))))
        warned.display = bool(warnings)
        self.query_one("#deal", Static).update(Content(say(Text("Deal"))))
        self.show_keys(
            [
                Button("Esc", say(Text("Back")), self.action_leave),
                self.app.rules_key(),
                Button("Enter", say(Text("Deal")), self._deal),
                Button("↑↓ ←→", say(Text("Change")), self._focus_next),
                self.app.language_key(),
            ]
        )

    def on_select_field_changed(self, message: SelectField.Changed) -> None:
        if message.field.key == "language":
            self.app.set_language(next(tag for tag in LANGUAGES if tag == message.field.value))
        self._reason = None
        self.redraw()

    def on_input_submitted(self) -> None:
        self.query_one(DealButton).focus()

    def action_deal(self) -> None:
        """Deals the game with the current values of the form, unless two people have one name."""
        if (name := shared_name(self._names(), self.app.defaults.locale)) is not None:
            self._refuse(Text("Two players can't both be called {name}.", name=name))
            return
        self.leave_by(self.app.deal, self.chosen_setup())

    def _refuse(self, reason: Text) -> None:
        """Shows why the form can't be dealt, and focuses the last person's name."""
        self._reason = reason
        self.redraw()
        self._field(f"name{len(self._names()) - 1}").query_one(Input).focus()

    def on_input_changed(self) -> None:
        """Forgets why the form could not be dealt."""
        if self._reason:
            self._reason = None
            self.redraw()

    def on_deal_button_pressed(self) -> None:
        self.action_deal()

    def chosen_setup(self) -> Setup:
        """The setup that the form describes."""
        base = self.app.defaults
        return replace(
            base,
            key=self.game.key,
            players=int(self._select("players").value),
            names=self._names(),
            options=self._options(),
            level=next(level for level in LEVELS if level == self._select("level").value),
            computers_pace=next(pace for pace in PACES if pace == self._select("pace").value),
            first_to=int(self._select("match").value),
            cut=self._text_of("cut") or None if base.seed is None else None,
        )

    def _names(self) -> list[str]:
        """The names of the people at this keyboard; empty for those who gave none."""
        return [self._text_of(f"name{n}") for n in range(int(self._select("people").value))]

    def _options(self) -> dict[str, str]:
        """The house rules that the form describes."""
        return {rule.name: self._select(f"rule {rule.name}").value for rule in self.game.options}

    def _update_fields(self) -> None:
        """Limits the people to the chosen number of players, and hides fields without a choice or a use."""
        players, people = self._select("players"), self._select("people")
        people.set_values([str(n) for n in range(1, int(players.value) + 1)])
        players.display = len(players.values) > 1
        people.display = len(people.values) > 1
        for key in ("level", "pace"):
            self._select(key).display = int(people.value) < int(players.value)
        for n in range(self.game.seats[-1]):
            self._field(f"name{n}").display = n < int(people.value)

    def _shown_value(self, say: Say, field: Field) -> str:
        """The value of a field as players read it; of a text field, the placeholder."""
        if field.key == "level":
            return say(next(record.label for level, record in LEVELS.items() if level == field.value))
        if field.key == "pace":
            return say(next(record.label for pace, record in PACES.items() if pace == field.value))
        if field.key == "match":
            n = int(field.value)
            return say(first_to_label(n) if n else Text("none"))
        if field.key.startswith("rule "):
            return say(_rule(self.game, field.key).values[field.value])
        if field.key.startswith("name"):
            return say(_player(int(field.key.removeprefix("name"))))
        if field.key == "cut":
            return say(Text("optional"))
        return next((name for tag, name in LANGUAGES.items() if tag == field.value), field.value)

    def _field(self, key: str) -> Field:
        return next(field for field in self.query(Field) if field.key == key)

    def _select(self, key: str) -> SelectField:
        field = self._field(key)
        assert isinstance(field, SelectField)
        return field

    def _text_of(self, key: str) -> str:
        return " ".join(self._field(key).value.split())

    async def _deal(self) -> None:
        self.action_deal()

    async def _focus_next(self) -> None:
        self.focus_next()


class Field(Widget):
    """A labelled field of the form."""

    key: str
    """The key of the field within the form, such as "players" or "name0"."""
    value: str

    def say(self, label: str, column: int, width: int, value: str) -> None:
        """Shows a label and a value that are already translated; a text field shows the value as placeholder.

        ``column`` is where values start and ``width`` the field's width, in cells.
        """
        raise NotImplementedError


class SelectField(Field, can_focus=True):
    """A field that has one of several values, changed by ←, →, Space or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "change(1)"),
        Binding("left", "change(-1)"),
    ]
    ALLOW_SELECT = False

    class Changed(Message):
        """The value has changed."""

        def __init__(self, field: SelectField) -> None:
            super().__init__()
            self.field = field

    def __init__(self, key: str, values: Sequence[str], value: str) -> None:
        super().__init__()
        self.key, self.values, self.value = key, tuple(values), value
        self._shown = Content("")

    def set_values(self, values: Sequence[str]) -> None:
        """Replaces the allowed values; if the current value is not among them, selects the last."""
        self.values = tuple(values)
        if self.value not in self.values:
            self.value = self.values[-1]

    def say(self, label: str, column: int, width: int, value: str) -> None:
        choice = [("‹ ", "$accent"), (value, "bold"), (" ›", "$accent")]
        room = width - cells(value) - 4
        gap = pad(label, column) if cells(label) < column else label + "  "
        if cells(gap) > room:
            gap = cut(label, width) + "\n    "
        self._shown = Content.assemble(gap, *choice)
        self.refresh(layout=True)

    def render(self) -> Content:
        return self._shown

    def on_click(self) -> None:
        self.action_change(1)

    def action_change(self, step: int) -> None:
        """Selects the value ``step`` places further, going round at the ends."""
        n = self.values.index(self.value) + step
        self.value = self.values[n % len(self.values)]
        self.post_message(self.Changed(self))


class TextField(Field):
    """A field in which the player types text."""

    def __init__(self, key: str, value: str, length: int) -> None:
        """``length`` is the most characters that can be typed."""
        super().__init__(classes="text-field")
        self.key = key
        self._initial = value
        self._length = length

    @property
    def value(self) -> str:  # type: ignore[override]
        return self.query_one(Input).value

    def compose(self) -> Iterator[Widget]:
        with Horizontal():
            yield Static(markup=False)
            field = Input(self._initial, compact=True, max_length=self._length)
            field.cursor_blink = False
            yield field

    def say(self, label: str, column: int, width: int, value: str) -> None:
        static = self.query_one(Static)
        static.styles.width = max(column, cells(label) + 1)
        static.update(Content(label))
        self.query_one(Input).placeholder = value


class DealButton(Static, can_focus=True):
    """The button that deals the game."""

    ALLOW_SELECT = False

    class Pressed(Message):
        """The button was clicked."""

    def on_click(self) -> None:
        self.post_message(self.Pressed())


def _rule(game: AnyGame, key: str) -> HouseRule:
    return next(option for option in game.options if key == f"rule {option.name}")


def _label(game: AnyGame, key: str, alone: bool) -> Text:
    """The label of the field with this key; ``alone`` tells whether one person plays at this keyboard."""
    if key.startswith("rule "):
        return _rule(game, key).text
    if key.startswith("name"):
        return Text("Your name") if alone else Text("Name {n}", n=int(key.removeprefix("name")) + 1)
    return {
        "players": Text("Players"),
        "people": Text("People at this keyboard"),
        "level": Text("Computer level"),
        "pace": Text("Computers' pace"),
        "language": Text("Language"),
        "cut": Text("Cut the deck"),
        "match": Text("Match"),
    }[key]


def _player(n: int) -> Text:
    return Text("Player {n}", n=n + 1)
