"""The contract between the games and everything else: the questions that a game answers.

Knows no game; nothing outside a game's own folder knows more of the game than this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, NoReturn, Protocol, TypeAlias, TypeVar

from engines.cards import Card
from engines.values import Value

Seat = int
"""A place at the table, clockwise from 0. The rule books call seat 0 ``p1``."""


class Name(Value):
    """Stands in a `Text` for the name of the player in the seat."""

    seat: Seat


Arg: TypeAlias = "Card | Name | Text | int | str | tuple[Card | Name | Text, ...]"
"""A value for a placeholder; several cards, names or sentences are listed."""


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """A sentence not yet in any language: English with ``{placeholders}``, and the values for them."""

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
        """A hand in the order that its holder prefers."""


class Move(Value):
    """A player's move as a few words: ``capture 10S 6D+4C``."""

    verb: str
    words: tuple[str, ...] = ()
    """Cards that belong together are one word."""

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words))

    @classmethod
    def parse(cls, text: str) -> Move:
        """The inverse of `str`, without knowledge of any game. Raises `ValueError` for no words."""
        if not (words := text.split()):
            raise ValueError("a move has at least one word")
        return cls(words[0], tuple(words[1:]))


class Choices(NamedTuple):
    """The words that may follow those said so far."""

    words: tuple[str, ...]
    """Each leads to a legal move; best first."""
    done: bool
    """The words so far are a legal move."""


class Event(Value):
    """Something that happened, told to one seat or to everybody."""

    text: Text
    to: Seat | None
    """None is everybody at the table and all who watch."""
    keep: bool = False
    """Worth a message of its own, which later news does not replace."""


class Awaited(NamedTuple):
    """The seats that hold the game up, as far as a reader may know them."""

    must: tuple[Seat, ...]
    """The game waits for these. A seat's clock starts when it comes in here, and stops when it leaves or
    `Game.turns` changes.
    """
    may: tuple[Seat, ...] = ()
    """Can act, but nobody waits for them, and computers are not asked."""
    secret: bool = False
    """Only some of `must` have a decision, and players may not learn who: nobody is named or called."""


class Result(NamedTuple):
    """The end of a game."""

    scores: tuple[int, ...]
    """One a seat, higher is better."""
    winners: tuple[Seat, ...]
    text: Text | None = None
    """The game's own sentence about the end, where scores and winners do not say it."""

    @classmethod
    def of(cls, scores: Sequence[int]) -> Result:
        """The result in which all seats with the highest score win."""
        best = max(scores)
        return cls(tuple(scores), tuple(seat for seat, score in enumerate(scores) if score == best))

    def to_json(self) -> dict[str, list[int]]:
        """The result as the rule books write it."""
        return {"scores": list(self.scores), "winners": list(self.winners)}


class Option(NamedTuple):
    """A house rule, chosen when a table is opened."""

    name: str
    text: Text
    """The subject of the rule."""
    values: Mapping[str, Text]
    """The values, each with its label, the default first."""

    @property
    def default(self) -> str:
        return next(iter(self.values))


def allows(options: Iterable[Option], name: str, value: str) -> bool:
    """Whether one of the house rules has this name and knows this value."""
    return any(option.name == name and value in option.values for option in options)


class IllegalMove(ValueError):
    """A refused move: the state is unchanged.

    `str` gives the code alone, since the reason may name cards of the sender's hand.
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
    """The questions that a game answers.

    S is the whole truth, V the part that one reader may know: two frozen types that share a public part.
    """

    @property
    def key(self) -> str:
        """The folder's name, which commands and logs use."""

    @property
    def title(self) -> Text: ...
    @property
    def pitch(self) -> Text:
        """How the game is played and won, in one line, for the list of games."""

    @property
    def seats(self) -> range: ...
    @property
    def revision(self) -> int:
        """Raised when an old log would replay differently."""

    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def verbs(self) -> tuple[str, ...]:
        """All words that a move can begin with."""

    @property
    def wide(self) -> frozenset[str]:
        """Verbs too free to list whole: for these `moves` gives suggestions, best first."""

    @property
    def hidden(self) -> bool:
        """Whether players have hands that the others do not see."""

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> S:
        """The state after the first deal. Raises `ValueError` for a wrong number of seats or option."""

    def opening(self, state: S) -> tuple[Event, ...]:
        """The news of a new game: dice, lots, deal, starter."""

    def choices(self, state: S, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        """The words that may follow, for a seat; none where the seat has nothing to decide."""

    def moves(self, state: S, seat: Seat) -> Iterable[Move]:
        """The legal moves of a seat, best first."""

    def apply(self, state: S, seat: Seat, move: Move) -> tuple[S, tuple[Event, ...]]:
        """The state after the move, and the news of it. Raises `IllegalMove`."""

    def act(self, state: S, seat: Seat, action: str | Mapping[str, Any]) -> tuple[Move, S, tuple[Event, ...]]:
        """The move that an untrusted text or message means, then as `apply`. Raises `IllegalMove`."""

    def complete(self, view: V, verb: str, words: Sequence[str]) -> tuple[str, ...]:
        """The words that a player typed after a verb, each written out if it can mean one thing only.

        As many words come back as were typed. An ambiguous word stays as it is, and `act` refuses it.
        """

    def timeout(self, state: S, seat: Seat) -> Move:
        """The move that the clock makes for a seat that must act.

        Asked again after each such move, until `turns` changes or the game no longer waits for the seat.
        """

    def turns(self, state: S) -> int:
        """The number of turns begun; a clock lasts until it changes."""

    def awaited(self, view: V) -> Awaited:
        """The seats that hold the game up, as far as the view's reader may know them."""

    def result(self, state: S) -> Result | None:
        """None while the game goes on."""

    def carry(self, state: S) -> Mapping[str, Any]:
        """JSON for the `new` of a rematch, such as the next dealer.

        Seats in it are the same players: if one of them leaves, nothing is carried over.
        """

    def view(self, state: S, seat: Seat | None) -> V:
        """The view of a seat; None is everybody at the table."""

    def imagine(self, view: V, rng: Random) -> S:
        """A whole state that this view allows."""

    def think(self, view: V, moves: Sequence[Move], rng: Random) -> Move:
        """The move that a computer player makes, one of those given."""

    def draw(self, view: V, say: Say, width: int, height: int | None = None) -> str:
        """The view as monospace text at most ``width`` cells wide, and ``height`` lines high if it can be."""

    def arrange(self, view: V, cards: Iterable[Card], say: Say) -> list[Card]:
        """Cards of the reader's hand in the order in which the game draws them."""

    def label(self, view: V, words: tuple[str, ...], say: Say) -> str:
        """The text of a button for a verb, a word, a whole move or the beginning of one."""

    def help(self, say: Say) -> str:
        """The rules as Markdown, those first that a newcomer needs first."""

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> S:
        """The state of a position in the rule book's JSON. Raises `ValueError`."""

    def dump(self, state: S) -> dict[str, Any]:
        """The position of a state, hidden cards included."""

    def write_json(self, state: S, seat: Seat, move: Move) -> dict[str, Any]:
        """A move as the rule book's message."""

    def message(self, view: V) -> dict[str, Any] | None:
        """The rule book's message with the view: ``state`` for everybody; for a seat its
        ``hand``, or None in a game without hands.
        """
