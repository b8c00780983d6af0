"""The contract between the games and the rest of the program: the protocol `Game` and its values.

This module depends on no game, and the bot and the adapters use games only through it. The rule book of a
game is its ``RULES.md`` with the numbered rules, and its ``PROTOCOL.md`` for programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, NamedTuple, NoReturn, Protocol, TypeVar

from engines.cards import Card
from engines.levels import Level as Level
from engines.sentences import Arg as Arg
from engines.sentences import Event as Event
from engines.sentences import Name as Name
from engines.sentences import Pictures as Pictures
from engines.sentences import Say as Say
from engines.sentences import Seat as Seat
from engines.sentences import Text as Text
from engines.sentences import memoized as memoized
from engines.sentences import plural as plural
from engines.values import Value


class Move(Value):
    """A player's move, written as a verb and further words: ``capture 10S 6D+4C``."""

    verb: str
    words: tuple[str, ...] = ()
    """The words after the verb; cards that belong together are one word."""

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words))

    @classmethod
    def parse(cls, text: str) -> Move:
        """The inverse of `str`; checks no rules of a game. Raises `ValueError` for a text without words."""
        if not (words := text.split()):
            raise ValueError("a move has at least one word")
        return cls(words[0], tuple(words[1:]))


MoveStyle = Literal["plain", "main", "finish", "danger"]
"""How the button of a move stands out: ``main`` is the usual next move of a turn; ``finish`` plays the last
cards of a hand, or ends the game; ``danger`` cannot be undone, so that its player is asked first.
"""


class Choices(NamedTuple):
    """The words that may come next in a move of which the player has entered some words."""

    words: tuple[str, ...]
    """The next words that lead to a legal move; unless the verb is wide, in the order of `Game.moves`."""
    done: bool
    """Whether the words entered so far are already a legal move."""


class Awaited(NamedTuple):
    """The seats that the game waits for, as far as a reader may know them."""

    must: tuple[Seat, ...]
    """The seats that must act. A seat's clock starts when the seat is added here, and stops when it is
    removed; it starts anew when `Game.turns` changes.
    """
    may: tuple[Seat, ...] = ()
    """The seats that can act though the game does not wait for them; computer players there do not act."""
    secret: bool = False
    """Whether it is secret which seats of ``must`` have a decision; then no seat is named or reminded."""


class Result(NamedTuple):
    """The outcome of a game that is over."""

    scores: tuple[int, ...]
    """One score for each seat; higher is better."""
    winners: tuple[Seat, ...]
    """At least one; a drawn game is won by all who drew it."""
    text: Text | None = None
    """A sentence about the end, if scores and winners do not explain it."""

    @classmethod
    def of(cls, scores: Sequence[int]) -> Result:
        """The result in which all seats with the highest score win."""
        best = max(scores)
        return cls(tuple(scores), tuple(seat for seat, score in enumerate(scores) if score == best))

    def to_json(self) -> dict[str, list[int]]:
        """The result in the JSON of the rule books."""
        return {"scores": list(self.scores), "winners": list(self.winners)}


class Plan(NamedTuple):
    """Moves of one turn that belong together, since between them the table is out of order."""

    moves: tuple[Move, ...]
    """The moves still to be made, the next one first; at least one."""
    made: int
    """The number of the plan's moves that are made already."""


class Option(NamedTuple):
    """A house rule, chosen before the deal."""

    name: str
    text: Text
    """The sentence that names the rule to players."""
    values: Mapping[str, Text]
    """Maps each value to its label; the default comes first."""
    warnings: Mapping[str, tuple[range, Text]] = {}
    """Maps a value to the numbers of seats for which players are warned of it, and the warning."""

    @property
    def default(self) -> str:
        return next(iter(self.values))

    def warning(self, value: str, seats: int) -> Text | None:
        """The warning, if any, to players who choose the value for a game with this number of seats."""
        numbers, text = self.warnings.get(value, (range(0), None))
        return text if seats in numbers else None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a guide: a sentence, and the move that it asks for."""

    text: Text
    """The sentence, said before the move.

    The name of an argument says where its cards are: ``my…`` in the player's hand, ``any…`` anywhere in the
    pack, others in the player's sight.
    """
    move: str = ""
    """The move of seat 0, as `str` of a `Move` spells it; empty if the step only explains."""
    replies: tuple[str, ...] = ()
    """The moves of the other seats after it, in their order."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A guided first hand: a deal with fixed moves, told to the player in seat 0 step by step.

    After the last step the game goes on freely.
    """

    seed_words: str
    """The words that fix the deal, as those of ``--seed`` do."""
    steps: tuple[Step, ...]
    seats: int = 2
    options: Mapping[str, str] = field(default_factory=dict)
    """The house rules that differ from the defaults."""


def allows(options: Iterable[Option], name: str, value: str) -> bool:
    """Whether one of the house rules has this name and allows this value."""
    return any(option.name == name and value in option.values for option in options)


def option_warnings(options: Iterable[Option], chosen: Mapping[str, str], seats: int) -> tuple[Text, ...]:
    """The warnings for a game with these house rules and number of seats; rules left out have defaults."""
    found = (option.warning(chosen.get(option.name, option.default), seats) for option in options)
    return tuple(text for text in found if text)


class IllegalMove(ValueError):
    """The refusal of a move, which leaves the state unchanged.

    `str` gives only the code, because the reason may name cards of the sender's hand.
    """

    def __init__(self, code: str, reason: Text) -> None:
        super().__init__(code)
        self.code = code
        """The rule book's code for the refusal, such as ``not-in-hand``."""
        self.reason = reason


def refuse(code: str, message: str, /, **args: Arg) -> NoReturn:
    """Raises `IllegalMove`; ``message`` and ``args`` are the `Text` of the reason for the player."""
    raise IllegalMove(code, Text(message, **args))


NOT_YOUR_TURN = Text("It isn't your turn.")
"""The refusal of a seat that may not act now, or not with this verb."""

S = TypeVar("S")
V = TypeVar("V")


def only_move(game: Game[S, V], state: S, seat: Seat, listed: Sequence[Move] | None = None) -> Move | None:
    """The legal move of a seat that has no other; None if it has none or several.

    ``listed`` are its `Game.moves`, if the caller has them already.
    """
    listed = tuple(game.moves(state, seat)) if listed is None else listed
    if len(listed) > 1 or not game.wide:
        return listed[0] if len(listed) == 1 else None
    # `moves` may leave out moves with wide verbs; `choices` leaves out no word of any move.
    words: tuple[str, ...] = ()
    while True:
        following, done = game.choices(state, seat, words)
        if done or len(following) != 1:
            return Move(words[0], words[1:]) if done and not following else None
        words += following


class Summary(NamedTuple):
    """What lists of games show of a game; in the game's ``__init__``, so that a list imports no rules."""

    title: Text
    pitch: Text
    seats: range


class Game(Protocol[S, V]):
    """A game, as the rest of the program uses it.

    S is the type of the full state, V the type of a view, which has only what its reader may know. Both
    are frozen and have the public fields in common.
    """

    @property
    def key(self) -> str:
        """The name of the game's folder; commands and logs use it too."""

    @property
    def title(self) -> Text: ...
    @property
    def pitch(self) -> Text:
        """How the game is played and won, in one line, for the list of games."""

    @property
    def seats(self) -> range: ...
    @property
    def revision(self) -> int:
        """The version of the rules, incremented when an old log would replay differently."""

    @property
    def turn_seconds(self) -> int:
        """The seconds of a turn where several people play and have chosen no clock."""

    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def guide(self) -> Guide | None:
        """The guided first hand; None if the game has none."""

    @property
    def strengths(self) -> tuple[int, ...]:
        """The ratings of its computer players among themselves, one for each level; empty if not measured."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """All first words of moves."""

    @property
    def wide(self) -> frozenset[str]:
        """The verbs with too many moves to list; `moves` gives only suggestions for them, best first."""

    @property
    def compulsory(self) -> frozenset[str]:
        """The verbs one of which each turn needs, unless it ends the hand; menus begin with their moves."""

    @property
    def valued(self) -> frozenset[str]:
        """The verbs whose moves may score points at once; `worth` is 0 for all others."""

    @property
    def forced_is_public(self) -> bool:
        """Whether all players can tell when a seat has only one legal move."""

    @property
    def hidden(self) -> bool:
        """Whether players hold cards that the other players do not see."""

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> S:
        """The first state of a game; ``carry`` is what the previous game's `carry` gave, in a rematch.

        Raises `ValueError` for a wrong number of seats, an unknown option or an unknown value.
        """

    def opening(self, state: S) -> tuple[Event, ...]:
        """The events that announce a new game: dice, drawn seats, the deal, the starting player."""

    def choices(self, state: S, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        """The words that the seat may enter after ``words``; none if the seat has nothing to decide."""

    def moves(self, state: S, seat: Seat) -> Iterable[Move]:
        """The legal moves of a seat, roughly best first; with `wide` verbs only suggestions."""

    def plan(self, view: V) -> Plan | None:
        """A good turn of several moves, which `moves` may leave out because they take long to find.

        Menus offer its next move before all others. None if a short search finds none.
        """

    def apply(self, state: S, seat: Seat, move: Move) -> tuple[S, tuple[Event, ...]]:
        """The state after the move, and the events that announce it. Raises `IllegalMove`."""

    def act(self, state: S, seat: Seat, action: str | Mapping[str, Any]) -> tuple[Move, S, tuple[Event, ...]]:
        """Reads an untrusted text or message as a move and applies it: the move, then as `apply` returns.

        Raises `IllegalMove`.
        """

    def complete(self, view: V, verb: str, words: Sequence[str]) -> tuple[str, ...]:
        """Completes the abbreviated words that a player typed after a verb, if they have only one meaning.

        Returns as many words as it was given. An ambiguous word is left unchanged, so that `act` refuses it.
        """

    def timeout(self, state: S, seat: Seat) -> Move:
        """The move to make for a seat that must act and whose time has run out.

        The caller repeats this until `turns` changes or the game no longer waits for the seat.
        """

    def turns(self, state: S) -> int:
        """The number of turns begun; a seat's clock starts anew when it changes."""

    def awaited(self, view: V) -> Awaited:
        """The seats that the game waits for, as far as the view's reader may know them."""

    def result(self, state: S) -> Result | None:
        """The result of a game that is over; None before."""

    def carry(self, state: S) -> Mapping[str, Any]:
        """The JSON that a rematch passes to `new`, such as the next dealer.

        It may name seats; so a rematch passes it only if the same players keep their seats.
        """

    def view(self, state: S, seat: Seat | None) -> V:
        """The view of a seat; with None, the public view, which every reader may see."""

    def imagine(self, view: V, rng: Random) -> S:
        """A full state that agrees with the view; cards that the reader cannot know are drawn at random."""

    def think(self, view: V, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
        """The move that a computer player of the level chooses for the view's reader.

        ``moves`` are the reader's moves as `moves` lists them; the choice is one of these, or another legal
        move with a wide verb. The choice follows from the arguments alone. The work is bounded, not the time;
        a usual machine needs at most 50 ms for ``easy`` and ``normal``, mostly at most 200 ms for ``hard``.
        """

    def estimate(self, view: V, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
        """The chance, from 0 to 1, that the reader wins after each of ``moves``, as ``hard`` sees it.

        A win shared by n seats counts 1/n. Moves that are plainly worse than another may be left out; a move
        that `think` could choose at ``hard`` never is. Other legal moves that are promising may be added.
        """

    def reason(self, view: V, move: Move) -> Text:
        """One sentence that tells the view's reader why a move is good, in words of the game."""

    def worth(self, view: V, move: Move) -> int:
        """The points that a move of the view's reader scores at once, by which menus mark it."""

    @property
    def scoring(self) -> frozenset[Card]:
        """The cards that score points of their own, which menus mark with a star."""

    def has_card(self, card: Card) -> bool:
        """Whether the game is played with this card; one without a back stands for both packs."""

    def points(self, view: V) -> tuple[int, ...]:
        """The points of each seat so far; empty if a game has none to show yet, or only at its end."""

    def draw(self, view: V, say: Say, width: int, height: int | None = None) -> str:
        """Draws the view as monospace text of at most ``width`` cells and, if possible, ``height`` lines."""

    def arrange(self, view: V, cards: Iterable[Card], say: Say) -> list[Card]:
        """Sorts cards of the reader's hand in the order in which `draw` shows them."""

    def label(self, view: V, words: tuple[str, ...], say: Say) -> str:
        """The label of a button for a verb, a single word, a move or the beginning of a move."""

    def style(self, view: V, move: Move) -> MoveStyle:
        """How the button of a legal move of the view's reader stands out."""

    def help(self, say: Say) -> str:
        """The rules as Markdown, beginning with those that a newcomer needs first."""

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> S:
        """Reads a state from a position, the rule book's JSON. Raises `ValueError` for an impossible one."""

    def dump(self, state: S) -> dict[str, Any]:
        """Writes a state as a position, hidden cards included."""

    def write_json(self, state: S, seat: Seat, move: Move) -> dict[str, Any]:
        """Writes a move as the rule book's message."""

    def message(self, view: V) -> dict[str, Any] | None:
        """Writes a view as the rule book's message: the public view as ``state``, a seat's view as ``hand``.

        A seat's view has no message (None) in a game without hidden hands.
        """
