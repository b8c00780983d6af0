"""Throws the dice that choose the first player (rule 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.game import Seat
from engines.shuffle import SeededRandom

Rounds = tuple[tuple[int, ...], ...]
"""The throws of each round, in seat order; after the first round only tied seats throw."""


def throw_dice(seed: bytes, seats: int) -> Rounds:
    """Throws one die for each seat, then again for those tied for the highest, until one seat is left."""
    dice, tied = SeededRandom(seed, "dice"), seats
    rounds: list[tuple[int, ...]] = []
    while tied > 1:
        rounds.append(tuple(dice.draw(6) + 1 for _ in range(tied)))
        tied = rounds[-1].count(max(rounds[-1]))
    return tuple(rounds)


def throws_by_seat(rounds: Sequence[Sequence[int]]) -> Iterator[dict[Seat, int]]:
    """Each round as a mapping from the seats that throw in it to their throws."""
    seats = list(range(len(rounds[0]))) if rounds else []
    for throws in rounds:
        thrown = dict(zip(seats, throws, strict=True))
        yield thrown
        seats = _highest(thrown)


def starter(rounds: Sequence[Sequence[int]]) -> Seat:
    """The seat with the highest throw of the last round."""
    *_, last = throws_by_seat(rounds)
    return _highest(last)[0]


def _highest(thrown: dict[Seat, int]) -> list[Seat]:
    return [seat for seat, throw in thrown.items() if throw == max(thrown.values())]
