"""The base class of games: it refuses moves in the rule book's order and has defaults for most of `Game`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from random import Random
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar, cast

from engines import playouts
from engines.actions import Action, MessageFields, in_camel_case, parse_words, player_id, refuse_malformed
from engines.cards import BACKS, RANKS, Card, UnknownCard
from engines.game import (
    NOT_YOUR_TURN,
    Awaited,
    Choices,
    Event,
    Game,
    Guide,
    IllegalMove,
    Level,
    Move,
    MoveStyle,
    Option,
    Plan,
    Result,
    Say,
    Seat,
    Text,
    allows,
    refuse,
)
from engines.position import BadPosition, iter_cards
from engines.position import dump as write_position
from engines.position import load as read_position
from engines.values import Value


class StateFields(Protocol):
    """The fields of a state that `Rules` reads."""

    @property
    def turn(self) -> Seat: ...
    @property
    def turns(self) -> int: ...
    @property
    def options(self) -> Mapping[str, str]: ...


class ViewFields(Protocol):
    """The fields of a view that `Rules` reads."""

    @property
    def seat(self) -> Seat | None: ...
    @property
    def turn(self) -> Seat: ...
    @property
    def result(self) -> Result | None: ...


_RANK_WITHOUT_SUIT = re.compile(rf"(?:{'|'.join(RANKS)})\D[{''.join(BACKS)}]?", re.IGNORECASE)
"""Matches a rank, a character that is no digit, and perhaps a back: if that is no card, its suit is wrong."""

S = TypeVar("S", bound=StateFields)
V = TypeVar("V", bound=ViewFields)
A = TypeVar("A", bound=Action)


class Rules(ABC, Generic[S, V, A]):
    """The base class of a game; S is its state, V its view, A the union of its actions.

    A subclass sets the class attributes, implements the abstract methods and those of `engines.game.Game`
    that have no default here (such as `view` and `draw`), and overrides the defaults that do not suit it.
    """

    key: ClassVar[str]
    title: ClassVar[Text]
    pitch: ClassVar[Text]
    seats: ClassVar[range]
    revision: ClassVar[int] = 1
    turn_seconds: ClassVar[int] = 60
    options: ClassVar[tuple[Option, ...]] = ()
    guide: ClassVar[Guide | None] = None
    strengths: ClassVar[tuple[int, ...]] = ()
    compulsory: ClassVar[frozenset[str]] = frozenset()
    valued: ClassVar[frozenset[str]] = frozenset()
    forced_is_public: ClassVar[bool] = False
    hidden: ClassVar[bool] = True
    actions: ClassVar[tuple[type[Action], ...]] = ()
    """The action types in the order of `verbs`; some menus list moves of an earlier verb first."""
    verbs: ClassVar[tuple[str, ...]]
    wide: ClassVar[frozenset[str]]
    state_type: ClassVar[type[Value]]
    pack: ClassVar[frozenset[Card]]
    """The cards of the game."""
    scoring: ClassVar[frozenset[Card]] = frozenset()

    def __init_subclass__(cls) -> None:
        if "actions" in cls.__dict__:
            cls.verbs = tuple(action.verb for action in cls.actions)
            cls.wide = frozenset(action.verb for action in cls.actions if action.wide)
        if "worth" in cls.__dict__ and "valued" not in cls.__dict__:
            cls.valued = frozenset(cls.verbs)

    @abstractmethod
    def deal(self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None) -> S:
        """As `engines.game.Game.new`, with a valid number of seats and a valid value for every house rule."""

    @abstractmethod
    def result(self, state: S) -> Result | None: ...

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Iterable[Move]: ...

    @abstractmethod
    def check(self, state: S, seat: Seat, action: A) -> None:
        """Refuses an action that the rules forbid, in the order of the rule book."""

    @abstractmethod
    def perform(self, state: S, seat: Seat, action: A) -> tuple[S, tuple[Event, ...]]:
        """The state after an action that `check` has not refused, and the events that announce it."""

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> S:
        return self.deal(seats, seed, self.resolve_options(seats, options), carry)

    def may_act(self, state: S, seat: Seat, verb: str) -> bool:
        """Whether a seat may act with this verb now; if not, its move is refused as ``not-your-turn``."""
        return seat == state.turn

    def awaited(self, view: V) -> Awaited:
        return Awaited(() if view.result else (view.turn,))

    def turns(self, state: S) -> int:
        return state.turns

    def opening(self, state: S) -> tuple[Event, ...]:
        return ()

    def carry(self, state: S) -> Mapping[str, Any]:
        return {}

    def arrange(self, view: V, cards: Iterable[Card], say: Say) -> list[Card]:
        """Sorts cards in the reader's preferred order, for a game that has no better order."""
        return say.arrange(cards)

    def think(self, view: V, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
        """The first of ``moves``, for a game that chooses no better."""
        return moves[0]

    def estimate(self, view: V, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
        """The share of won playouts, in which all seats play as ``normal``, for a game without a search."""
        assert view.seat is not None
        return playouts.estimate(cast("Game[S, V]", self), view, view.seat, moves, rng)

    def plan(self, view: V) -> Plan | None:
        """None, for a game whose `moves` are enough."""
        return None

    def reason(self, view: V, move: Move) -> Text:
        """A sentence without a reason, for a game that gives none."""
        return Text("That's the move a computer would make.")

    def worth(self, view: V, move: Move) -> int:
        return 0

    def points(self, view: V) -> tuple[int, ...]:
        return ()

    def style(self, view: V, move: Move) -> MoveStyle:
        """All buttons look alike, in a game in which none stands out."""
        return "plain"

    def help(self, say: Say) -> str:
        return rules_text(f"engines.{self.key}", say.locale)

    def choices(self, state: S, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        """Takes the next words from the list of legal moves, for a game without wide verbs."""
        n = len(words)
        phrases = [(move.verb, *move.words) for move in self.moves(state, seat)]
        fitting = [phrase for phrase in phrases if phrase[:n] == words]
        following = dict.fromkeys(phrase[n] for phrase in fitting if len(phrase) > n)
        return Choices(tuple(following), words in fitting)

    def complete(self, view: V, verb: str, words: Sequence[str]) -> tuple[str, ...]:
        """The words as typed, for a game without abbreviations."""
        return tuple(words)

    def apply(self, state: S, seat: Seat, move: Move) -> tuple[S, tuple[Event, ...]]:
        return self.perform(state, seat, self.judge_words(state, seat, move.verb, move.words))

    def act(self, state: S, seat: Seat, action: str | Mapping[str, Any]) -> tuple[Move, S, tuple[Event, ...]]:
        judged = self.judge(state, seat, action)
        return self.spell(judged), *self.perform(state, seat, judged)

    def judge(self, state: S, seat: Seat, action: object) -> A:
        """Reads and checks an action, given as an untrusted text or message. Raises `IllegalMove`.

        Any other value is refused like a text without words.
        """
        if not isinstance(action, Mapping):
            verb, *words = (action.split() if isinstance(action, str) else ()) or ("",)
            return self.judge_words(state, seat, verb, words)
        if self.result(state) is not None:
            _refuse_after_the_end()
        if _folded(action.get("playerId")) != player_id(seat):
            _refuse_the_seat(action)
        verb = _folded(action.get("type"))
        if not self.may_act(state, seat, verb):
            _refuse_out_of_turn()
        fields = {name: value for name, value in action.items() if name not in ("type", "playerId")}
        parsed = self.from_message(state, verb, MessageFields(fields, self.card, state.options))
        self.check(state, seat, parsed)
        return parsed

    def judge_words(self, state: S, seat: Seat, verb: str, words: Sequence[str]) -> A:
        """Reads and checks an action, given as words. Raises `IllegalMove`."""
        verb = verb.casefold()
        if self.result(state) is not None:
            _refuse_after_the_end()
        if not self.may_act(state, seat, verb):
            _refuse_out_of_turn()
        action = self.from_words(state, verb, words)
        self.check(state, seat, action)
        return action

    def from_words(self, state: S, verb: str, words: Sequence[str]) -> A:
        """Reads an action from words. Refuses malformed actions and unknown cards."""
        return cast(A, parse_words(self._kind(state, verb), tuple(words), self.card))

    def from_message(self, state: S, verb: str, message: MessageFields) -> A:
        """Reads an action from a message. Refuses malformed actions and unknown cards."""
        return cast(A, self._kind(state, verb).from_message(message))

    def spell(self, action: A) -> Move:
        """Writes an action as a move, in its canonical spelling."""
        return action.to_move()

    def with_all_fields(self, state: S, action: A) -> A:
        """Fills in the fields of an action that messages have and words leave out."""
        return action

    def write_json(self, state: S, seat: Seat, move: Move) -> dict[str, Any]:
        action = self.with_all_fields(state, self.from_words(state, move.verb, move.words))
        return {"type": move.verb, "playerId": player_id(seat), **action.to_message(state.options)}

    def has_card(self, card: Card) -> bool:
        return card in self.pack or any(f"{card}{back}" in self.pack for back in BACKS)

    def card(self, spelling: str) -> Card:
        """Reads a card of this game's pack; refuses any other text as ``unknown-card``."""
        if isinstance(spelling, Card) and spelling in self.pack:
            return spelling
        try:
            if (card := Card(spelling)) in self.pack:
                return card
        except UnknownCard:
            if _RANK_WITHOUT_SUIT.fullmatch(spelling):
                refuse(
                    "unknown-card",
                    "There is no {card} in this game: the suits are S, H, D, and C.",
                    card=spelling,
                )
            if spelling.isalpha() or spelling.isdecimal():
                # Such as the “to” of a button that a player has typed, or a value without a suit.
                refuse("unknown-card", "“{word}” isn't a card.", word=spelling)
        return _refuse_the_card(spelling)

    def resolve_options(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """The value of every house rule, defaults filled in.

        Raises `ValueError` for a wrong number of seats, an unknown option or an unknown value.
        """
        if seats not in self.seats:
            raise ValueError(f"{self.key} is for {self.seats[0]} to {self.seats[-1]} players, not {seats}")
        for name, value in options.items():
            if not allows(self.options, name, value):
                raise ValueError(f"{self.key} has no option {name}={value}")
        return {option.name: options.get(option.name, option.default) for option in self.options}

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> S:
        resolved = self.resolve_options(seats, options)
        whole = read_position(self.state_type, {**self.seat_defaults(seats), **position}, options=resolved)
        state = cast(S, whole)
        if fault := self.find_fault(state, seats):
            raise BadPosition(fault)
        return state

    def seat_defaults(self, seats: int) -> dict[str, Any]:
        """The initial values of the fields with one entry for each seat, such as empty hands."""
        return {}

    def find_fault(self, state: S, seats: int) -> str | None:
        """The first fault of an impossible position, in English for its author; None for a possible one."""
        counts = Counter(iter_cards(state))
        if strange := set(counts) - self.pack:
            return f"not in this pack: {', '.join(sorted(strange))}"
        if twice := [card for card, n in counts.items() if n > 1]:
            return f"more than once: {', '.join(sorted(twice))}"
        if state.turn not in range(seats):
            return f"turn: no seat {state.turn}"
        if wrong := [name for name in self.seat_defaults(seats) if len(getattr(state, name)) != seats]:
            return f"{wrong[0]}: one for each of {seats} seats is wanted"
        negative = [name for name, value in self.dump(state).items() if isinstance(value, int) and value < 0]
        return f"{negative[0]}: less than none" if negative else None

    def dump(self, state: S) -> dict[str, Any]:
        dumped: dict[str, Any] = write_position(state)
        return dumped

    def message(self, view: V) -> dict[str, Any] | None:
        """Writes a public view as its fields in camel case, a seat's view as its hand, for most games.

        `Transient` fields are left out.
        """
        shown: dict[str, Any] = write_position(view)
        seat, hand = shown.pop("seat"), shown.pop("hand", None)
        if seat is not None:
            return {"type": "hand", "playerId": player_id(seat), "hand": hand} if self.hidden else None
        head = {"type": "state", "turn": player_id(view.turn), "phase": shown.get("phase", "play")}
        fields = {in_camel_case(name): value for name, value in shown.items()}
        return {**fields, **head, "result": view.result and view.result.to_json()}

    def _kind(self, state: S, verb: str) -> type[Action]:
        """The type of the actions with a verb; refuses a verb that the game or its house rules lack."""
        for kind in self.actions:
            if kind.verb == verb and kind.is_enabled(state.options):
                return kind
        return refuse_malformed()


def _folded(value: object) -> str:
    """A text with its letter case folded; empty for any other value."""
    return value.casefold() if isinstance(value, str) else ""


def _refuse_after_the_end() -> NoReturn:
    refuse("game-over", "The game is over.")


def _refuse_the_seat(action: Mapping[str, Any]) -> NoReturn:
    if action.get("playerId") is None:
        refuse("not-your-seat", "The message doesn't say which seat it comes from.")
    refuse("not-your-seat", "That isn't your seat.")


def _refuse_out_of_turn() -> NoReturn:
    raise IllegalMove("not-your-turn", NOT_YOUR_TURN)


def _refuse_the_card(spelling: str) -> NoReturn:
    refuse("unknown-card", "There is no {card} in this game.", card=spelling)


@cache
def rules_text(package: str, locale: str) -> str:
    """Reads the rules from a game's folder, in the locale's language if translated, else in English."""
    folder = resources.files(package)
    language = locale.partition("_")[0].partition("-")[0]
    translated = folder / f"RULES.{language}.md"
    return (translated if translated.is_file() else folder / "RULES.md").read_text("utf-8")
