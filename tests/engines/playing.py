"""Games played at random, for tests that look at every state on the way."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec.structs import astuple

from engines.cards import Card, is_card
from engines.game import Event, Game, Move, Seat, Text
from engines.values import Value
from tests import luck
from tests.support.long import LONG

T = TypeVar("T")
AnyGame = Game[Any, Any]


@dataclass(frozen=True)
class Setup:
    """A table in these tests: a game, its number of seats, its house rules and its seed."""

    game: AnyGame
    seats: int
    options: Mapping[str, str] = field(hash=False)
    seed: bytes

    def begin(self) -> Any:
        return self.game.new(self.seats, self.seed, self.options)


@dataclass(frozen=True)
class Step:
    """A move of a game, and what it led to."""

    before: Any
    seat: Seat
    move: Move
    after: Any
    events: tuple[Event, ...]


def house_rules(game: AnyGame) -> Iterator[dict[str, str]]:
    """The default options, then each option alone with its second value, one between and its last."""
    yield {}
    for option in game.options:
        others = list(option.values)[1:]
        tried = (others[0], others[len(others) // 2], others[-1])
        yield from ({option.name: value} for value in dict.fromkeys(tried))


GAMES = 2 if LONG else 1
"""How many games of random moves each table has; another value of `tests.luck.SETTING` gives others."""
MOST_STEPS = 2000
MANY_TABLES = 40
"""Up to this number all tables of a game are played; of more, `setups` chooses some."""
COMPOSED = 0.1
"""The chance that a move is spelled word by word where a wide verb may be chosen."""


def setups(game: AnyGame) -> Iterator[Setup]:
    """Every number of seats with every house rule of a game, each with a seed of its own.

    Where that would be too many tables, each house rule has one number of seats, in rotation; only the
    default rules have all.
    """
    rules = list(house_rules(game))
    rotate = len(rules) * len(game.seats) > MANY_TABLES
    for number, options in enumerate(rules):
        for seats in (game.seats[number % len(game.seats)],) if rotate and options else game.seats:
            yield Setup(game, seats, options, luck.shared(game.key, number, seats).randbytes(8))


def label(table: Setup) -> str:
    """What a table is called in the names of tests."""
    rules = ",".join(f"{option}={value}" for option, value in table.options.items()) or "default"
    return f"{table.game.key}-{table.seats}-{rules}"


def awaited(table: Setup, state: Any) -> list[Seat]:
    return [seat for seat in range(table.seats) if table.game.choices(state, seat).words]


def steps(table: Setup, rng: random.Random) -> Iterator[Step]:
    """The steps of one of `GAMES` random games, perhaps unfinished; each is played once for all tests."""
    number = rng.randrange(GAMES)
    key = (table.game.key, table.seats, tuple(table.options.items()), table.seed, number)
    if key not in _played:
        _played[key] = tuple(_play(table, luck.shared(label(table), number)))
    yield from _played[key]


_played: dict[tuple[object, ...], tuple[Step, ...]] = {}


def _play(table: Setup, rng: random.Random) -> Iterator[Step]:
    state = table.begin()
    for _ in range(MOST_STEPS):
        if table.game.result(state) is not None:
            return
        seat = rng.choice(awaited(table, state))
        move = random_move(table, state, seat, rng)
        after, events = table.game.apply(state, seat, move)
        yield Step(state, seat, move, after, events)
        state = after


def random_move(table: Setup, state: Any, seat: Seat, rng: random.Random) -> Move:
    """One of the moves listed; in a game with wide verbs now and then one that is spelled word by word."""
    move = rng.choice(list(table.game.moves(state, seat)))
    if table.game.wide and rng.random() < COMPOSED:
        return spelled(table, state, seat, rng) or move
    return move


def spelled(table: Setup, state: Any, seat: Seat, rng: random.Random) -> Move | None:
    """A move with a wide verb, composed by random choices, spelled as in a log; None if none is possible."""
    verbs = [verb for verb in table.game.choices(state, seat).words if verb in table.game.wide]
    words: tuple[str, ...] = (rng.choice(verbs),) if verbs else ()
    while words:
        following, done = table.game.choices(state, seat, words)
        assert following or done, words
        if done and (not following or rng.random() < 0.5):
            return table.game.act(state, seat, " ".join(words))[0]
        words = (*words, rng.choice(following))
    return None


def states(table: Setup, rng: random.Random) -> Iterator[Any]:
    """Every state of a game that `steps` plays, the first and the last too."""
    yield table.begin()
    for step in steps(table, rng):
        yield step.after


def some_states(table: Setup, rng: random.Random, most: int) -> list[Any]:
    """The first and last state of such a game; of those between up to ``most``, in the long mode all."""
    return sample(states(table, rng), rng, most)


def some_steps(table: Setup, rng: random.Random, most: int) -> list[Step]:
    """The first and last step of such a game; of those between up to ``most``, in the long mode all."""
    return sample(steps(table, rng), rng, most)


def sample(every: Iterable[T], rng: random.Random, most: int) -> list[T]:
    """The first, the last and up to ``most`` between them at random, in order; all in the long mode."""
    first, *between, last = every
    kept = range(len(between)) if LONG else sorted(rng.sample(range(len(between)), min(most, len(between))))
    return [first, *(between[number] for number in kept), last]


def cards_in(value: Any) -> set[Card]:
    """Every card that a value holds, however deep."""
    return {part for part in _parts(value) if isinstance(part, Card)}


def declared(key: str, name: str) -> frozenset[str]:
    """What a game's own test folder declares under a name in its ``facts.py``; nothing where it does not."""
    module = f"tests.engines.{key}.facts"
    try:
        return getattr(importlib.import_module(module), name, frozenset())
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{module}.".startswith(f"{missing.name}."):
            raise
        return frozenset()


def cards_named(value: Any) -> set[Card]:
    """Every card that a value spells, however deep and in whatever text."""
    texts = {part for part in _parts(value, spelled=True) if isinstance(part, str)}
    return {Card(word) for text in texts for word in _WORD.findall(text) if is_card(word)}


_WORD = re.compile(r"\w+")
_SEVERAL = (tuple, list, set, frozenset)


def _parts(value: Any, *, spelled: bool = False) -> Sequence[Any]:
    """A value and all that it holds; with `spelled` also the names in mappings, and the messages of texts."""
    parts = [value]
    # The list grows while it is read, which costs a third of a recursion.
    for part in parts:
        if isinstance(part, str):
            continue
        if isinstance(part, _SEVERAL):
            parts += part
        elif isinstance(part, Value):
            parts += astuple(part)
        elif isinstance(part, Text):
            parts += (part.message, part.args) if spelled else (part.args,)
        elif isinstance(part, Mapping):
            parts += part.values()
            parts += part if spelled else ()
    return parts
