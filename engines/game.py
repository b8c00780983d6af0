"""The contract between the games and everything else: what a game answers, and in which words.

Nothing here knows a game; nothing outside a game's own folder knows more of it than this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, NoReturn, Protocol, TypeAlias, TypeVar

from engines.cards import Card, UnknownCard
from engines.position import BadPosition, cards_in
from engines.position import dump as write_position
from engines.position import load as read_position
from engines.values import quick

Seat = int
"""A place at the table, clockwise from 0. The rule books call seat 0 ``p1``."""


@quick
@dataclass(frozen=True, slots=True)
class Name:
    """Stands in a `Text` for the name of whoever sits in the seat."""

    seat: Seat


Arg: TypeAlias = "Card | Name | Text | int | str | tuple[Card | Name | Text, ...]"
"""What a sentence may be about; several cards, names or sentences are listed."""


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """A sentence not yet in any language: English with ``{placeholders}``, and what goes in them."""

    message: str
    args: Mapping[str, Arg]
    many: str
    """The English for other numbers than one; empty where the sentence counts nothing."""
    count: int

    def __init__(self, message: str, many: str = "", count: int = 1, /, **args: Arg) -> None:
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "many", many)
        object.__setattr__(self, "count", count)


def plural(one: str, many: str, n: int, /, **args: Arg) -> Text:
    """A sentence that counts: ``{n}`` stands for the number."""
    return Text(one, many, n, n=n, **args)


class Say(Protocol):
    """A language and the names at a table: turns a `Text` into words.

    Names come out safe for any platform: cut to a few cells, no line breaks, mentions or markup.
    """

    @property
    def locale(self) -> str: ...
    def __call__(self, text: Text) -> str: ...
    def name(self, seat: Seat) -> str: ...
    def card(self, card: Card) -> str: ...
    def arrange(self, hand: Iterable[Card]) -> list[Card]:
        """A hand in the order in which its holder likes to see it."""


@quick
@dataclass(frozen=True, slots=True)
class Move:
    """What a player does, as a few words: ``capture 10S 6D+4C``."""

    verb: str
    words: tuple[str, ...] = ()
    """What belongs together is one word."""

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words))

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move that a text spells, whether or not any game knows it; `ValueError` for no words."""
        if not (words := text.split()):
            raise ValueError("a move has at least one word")
        return cls(words[0], tuple(words[1:]))


class Choices(NamedTuple):
    """What may follow the words said so far."""

    words: tuple[str, ...]
    """Words that may come next and still lead to a legal move, best first."""
    done: bool
    """The words so far are a legal move."""


@quick
@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, told to one seat or to everybody."""

    text: Text
    to: Seat | None
    """None is everybody at the table and all who watch."""
    keep: bool = False
    """Worth a message of its own, which later news does not replace."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    scores: tuple[int, ...]
    """One a seat, higher is better."""
    winners: tuple[Seat, ...]
    """All seats that share the highest score."""

    @classmethod
    def of(cls, scores: Sequence[int]) -> Result:
        """The result that the scores make."""
        best = max(scores)
        return cls(tuple(scores), tuple(seat for seat, score in enumerate(scores) if score == best))

    def to_json(self) -> dict[str, list[int]]:
        """The result as the rule books write it."""
        return {"scores": list(self.scores), "winners": list(self.winners)}


class IllegalMove(ValueError):
    """A move that the rules forbid; nothing has changed.

    Its text is the code alone, since the reason may name cards of the sender's hand.
    """

    def __init__(self, code: str, reason: Text) -> None:
        super().__init__(code)
        self.code = code
        """The rule book's refusal, such as ``not-in-hand``."""
        self.reason = reason


def refuse(code: str, message: str, /, **args: Arg) -> NoReturn:
    """Raises `IllegalMove` with a reason in plain words."""
    raise IllegalMove(code, Text(message, **args))


S = TypeVar("S")
V = TypeVar("V")


class Game(Protocol[S, V]):
    """What a game answers. S is the whole truth, frozen; V is what one reader may know, a type of its own."""

    @property
    def key(self) -> str:
        """The folder's name, which commands and logs use."""

    @property
    def title(self) -> Text: ...
    @property
    def pitch(self) -> Text:
        """What one does and how one wins, in a line for somebody who chooses a game."""

    @property
    def seats(self) -> range: ...
    @property
    def revision(self) -> int:
        """Raised when an old log would replay differently."""

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """House rules and their values, the default first."""

    @property
    def wordings(self) -> Mapping[str, Text]:
        """What each option (``attack_scope``) and value (``attack_scope column``) is called."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """All words that a move can begin with."""

    @property
    def wide(self) -> frozenset[str]:
        """Verbs too free to list whole: for these `moves` gives suggestions, best first."""

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> S:
        """A game about to begin; `ValueError` for a number of seats or an option it does not know."""

    def opening(self, state: S) -> tuple[Event, ...]:
        """What is told of a new game: dice, lots, deal, who starts."""

    def choices(self, state: S, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        """The words that may follow, for a seat; none where the seat has nothing to decide."""

    def moves(self, state: S, seat: Seat) -> Iterable[Move]:
        """The legal moves of a seat, best first."""

    def apply(self, state: S, seat: Seat, move: Move) -> tuple[S, tuple[Event, ...]]:
        """The state after the move, and what happened; raises `IllegalMove`."""

    def read(self, state: S, seat: Seat, action: str | Mapping[str, Any]) -> Move:
        """The legal move that a text or a message means, both untrusted; raises `IllegalMove`."""

    def act(self, state: S, seat: Seat, action: str | Mapping[str, Any]) -> tuple[S, tuple[Event, ...]]:
        """`apply` of what `read` makes of it."""

    def timeout(self, state: S, seat: Seat) -> Move:
        """What the clock does for a seat that is awaited; asked again until `turn` changes."""

    def turn(self, state: S) -> int:
        """How many turns have begun; a clock lasts until this changes."""

    def waiting(self, view: V) -> tuple[Seat, ...]:
        """Whom this reader may know to be awaited."""

    def result(self, state: S) -> Result | None: ...
    def carry(self, state: S) -> Mapping[str, Any]:
        """What a rematch takes over, such as the dealer, as JSON takes it."""

    def view(self, state: S, seat: Seat | None) -> V:
        """What a seat may know; None is everybody at the table."""

    def imagine(self, view: V, rng: Random) -> S:
        """A whole state that this view allows."""

    def think(self, view: V, moves: Sequence[Move], rng: Random) -> Move:
        """The move a computer player makes of those it is given."""

    def draw(self, view: V, say: Say, width: int, height: int | None = None) -> str:
        """The view as monospace text at most ``width`` cells wide, and ``height`` lines high if it can be."""

    def arrange(self, view: V, cards: Iterable[Card], say: Say) -> list[Card]:
        """Cards of the reader's hand in the order in which the game draws them."""

    def label(self, view: V, words: tuple[str, ...], say: Say) -> str:
        """A verb, a word, a whole move or the beginning of one, as a button says it."""

    def help(self, say: Say) -> str:
        """The rules as Markdown, what a newcomer needs first."""

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> S:
        """The state of a position in the rule book's JSON; `ValueError` where it is none."""

    def dump(self, state: S) -> dict[str, Any]:
        """The position of a state, whole and secret."""

    def write_json(self, state: S, seat: Seat, move: Move) -> dict[str, Any]:
        """A move as the rule book's message."""

    def message(self, view: V) -> dict[str, Any] | None:
        """The rule book's message with the view: ``state`` for everybody; for a seat its
        ``hand``, or None in a game without hands.
        """


class Turned(Protocol):
    """What `Rules` needs to know of a state."""

    @property
    def turn(self) -> Seat: ...
    @property
    def turns(self) -> int: ...


class Seen(Protocol):
    """What `Rules` needs to know of a view."""

    @property
    def turn(self) -> Seat: ...
    @property
    def result(self) -> Result | None: ...


S_ = TypeVar("S_", bound=Turned)
V_ = TypeVar("V_", bound=Seen)
A_ = TypeVar("A_")


class Rules(ABC, Generic[S_, V_, A_]):
    """What games share: the order of refusals, and answers that follow from other answers.

    A is the game's own type of an action: what somebody asks for, well formed, not yet judged.
    """

    key: ClassVar[str]
    title: ClassVar[Text]
    pitch: ClassVar[Text]
    seats: ClassVar[range]
    revision: ClassVar[int] = 1
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    wordings: ClassVar[Mapping[str, Text]] = {}
    verbs: ClassVar[tuple[str, ...]]
    wide: ClassVar[frozenset[str]] = frozenset()
    state_type: ClassVar[type[Any]]
    """The dataclass of the whole truth."""
    pack: ClassVar[frozenset[Card]]
    """The cards that the game knows."""

    @abstractmethod
    def result(self, state: S_) -> Result | None: ...

    @abstractmethod
    def moves(self, state: S_, seat: Seat) -> Iterable[Move]: ...

    @abstractmethod
    def from_words(self, state: S_, verb: str, words: Sequence[str]) -> A_:
        """The action that a text spells; refuses malformed ones and unknown cards."""

    @abstractmethod
    def from_message(self, state: S_, verb: str, message: Message) -> A_:
        """The action that a message spells; refuses malformed ones and unknown cards."""

    @abstractmethod
    def spell(self, action: A_) -> Move:
        """The action as a move, in its one spelling."""

    @abstractmethod
    def check(self, state: S_, seat: Seat, action: A_) -> None:
        """Refuses what the game's own rules forbid, in the order of its rule book."""

    @abstractmethod
    def perform(self, state: S_, seat: Seat, action: A_) -> tuple[S_, tuple[Event, ...]]:
        """The state after an action that `check` lets pass, and what happened."""

    def blank(self, seats: int) -> dict[str, Any]:
        """The fields of an empty position whose initial values depend on the number of seats."""
        return {}

    def may_act(self, state: S_, seat: Seat, verb: str) -> bool:
        """Whether a seat is heard with this verb; if not, it is not its turn."""
        return seat == state.turn

    def turn(self, state: S_) -> int:
        return state.turns

    def waiting(self, view: V_) -> tuple[Seat, ...]:
        return () if view.result else (view.turn,)

    def opening(self, state: S_) -> tuple[Event, ...]:
        return ()

    def carry(self, state: S_) -> Mapping[str, Any]:
        return {}

    def arrange(self, view: V_, cards: Iterable[Card], say: Say) -> list[Card]:
        """As the reader likes to see a hand, which suits a game that knows no better order."""
        return say.arrange(cards)

    def think(self, view: V_, moves: Sequence[Move], rng: Random) -> Move:
        """The first of the moves, which come best first."""
        return moves[0]

    def choices(self, state: S_, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        """Answers from the list of moves, which suits a game without wide verbs."""
        n = len(words)
        phrases = [(move.verb, *move.words) for move in self.moves(state, seat)]
        fitting = [phrase for phrase in phrases if phrase[:n] == words]
        following = dict.fromkeys(phrase[n] for phrase in fitting if len(phrase) > n)
        return Choices(tuple(following), words in fitting)

    def apply(self, state: S_, seat: Seat, move: Move) -> tuple[S_, tuple[Event, ...]]:
        return self.perform(state, seat, self._judge_words(state, seat, move.verb, move.words))

    def read(self, state: S_, seat: Seat, action: str | Mapping[str, Any]) -> Move:
        return self.spell(self._judge(state, seat, action))

    def act(self, state: S_, seat: Seat, action: str | Mapping[str, Any]) -> tuple[S_, tuple[Event, ...]]:
        return self.perform(state, seat, self._judge(state, seat, action))

    def settle(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """All house rules with their values; `ValueError` for a number of seats or an option unknown."""
        if seats not in self.seats:
            raise ValueError(f"{self.key} is for {self.seats[0]} to {self.seats[-1]} players, not {seats}")
        for option, value in options.items():
            if value not in self.options.get(option, ()):
                raise ValueError(f"{self.key} has no option {option}={value}")
        return {option: options.get(option, values[0]) for option, values in self.options.items()}

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> S_:
        settled = self.settle(seats, options)
        state: S_ = read_position(self.state_type, {**self.blank(seats), **position}, options=settled)
        if fault := self.fault(state, seats):
            raise BadPosition(fault)
        return state

    def fault(self, state: S_, seats: int) -> str | None:
        """What makes a position impossible, in English for whoever wrote it; None for a sound one."""
        if strange := set(cards_in(state)) - self.pack:
            return f"not in this pack: {', '.join(sorted(strange))}"
        if state.turn not in range(seats):
            return f"turn: no seat {state.turn}"
        wrong = [name for name in self.blank(seats) if len(getattr(state, name)) != seats]
        return f"{wrong[0]}: one for each of {seats} seats is wanted" if wrong else None

    def dump(self, state: S_) -> dict[str, Any]:
        position: dict[str, Any] = write_position(state)
        return position

    def help(self, say: Say) -> str:
        return rules_text(f"engines.{self.key}", say.locale)

    def card(self, spelling: str) -> Card:
        """The card of this game's pack that is spelled; refuses others as ``unknown-card``."""
        if isinstance(spelling, Card) and spelling in self.pack:
            return spelling
        try:
            if (card := Card(spelling)) in self.pack:
                return card
        except UnknownCard:
            pass
        refuse("unknown-card", "This game has no card {card}.", card=spelling)

    def _judge(self, state: S_, seat: Seat, action: str | Mapping[str, Any]) -> A_:
        if not isinstance(action, Mapping):
            verb, *words = action.split() or ("",)
            return self._judge_words(state, seat, verb, words)
        if self.result(state) is not None:
            _refuse_after_the_end()
        if str(action.get("playerId")).casefold() != player_id(seat):
            _refuse_the_seat(action)
        verb = str(action.get("type")).casefold()
        if not self.may_act(state, seat, verb):
            _refuse_out_of_turn()
        fields = {name: value for name, value in action.items() if name not in ("type", "playerId")}
        judged = self.from_message(state, verb, Message(fields))
        self.check(state, seat, judged)
        return judged

    def _judge_words(self, state: S_, seat: Seat, verb: str, words: Sequence[str]) -> A_:
        verb = verb.casefold()
        if self.result(state) is not None:
            _refuse_after_the_end()
        if not self.may_act(state, seat, verb):
            _refuse_out_of_turn()
        judged = self.from_words(state, verb, words)
        self.check(state, seat, judged)
        return judged


def _refuse_after_the_end() -> NoReturn:
    refuse("game-over", "The game is over.")


def _refuse_the_seat(action: Mapping[str, Any]) -> NoReturn:
    if action.get("playerId") is None:
        refuse("not-your-seat", "The message does not say whose it is: it has no playerId.")
    refuse("not-your-seat", "That seat is not yours.")


def _refuse_out_of_turn() -> NoReturn:
    refuse("not-your-turn", "It is not your turn.")


T = TypeVar("T")


class Message:
    """The fields of a message besides its head, each taken once by its type.

    A field that is missing, of another type, or left at the end makes it ``unknown-action``.
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._left = dict(fields)

    def __contains__(self, name: str) -> bool:
        return self._left.get(name) is not None

    def take(self, name: str, kind: type[T]) -> T:
        """The value of a field that must be there."""
        value = self._left.pop(name, None)
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        return malformed()

    def maybe(self, name: str, kind: type[T]) -> T | None:
        """The value of a field that may be left out."""
        return self.take(name, kind) if name in self else self._left.pop(name, None)

    def end(self) -> None:
        """Refuses a message that says more than it should."""
        if self._left:
            malformed()


def malformed() -> NoReturn:
    """Refuses an action that is none of this game's, or not as the rule book spells it."""
    refuse("unknown-action", "This game knows no such move.")


def player_id(seat: Seat) -> str:
    """The seat as messages name it: ``p1`` is seat 0."""
    return f"p{seat + 1}"


@cache
def rules_text(package: str, locale: str) -> str:
    """The rules in a game's folder, in the language asked for if they are there, else in English."""
    folder = resources.files(package)
    language = locale.partition("_")[0].partition("-")[0]
    translated = folder / f"RULES.{language}.md"
    return (translated if translated.is_file() else folder / "RULES.md").read_text("utf-8")
