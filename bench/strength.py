"""Measures how well computer players play: ``python -m bench.strength GAME A B``.

Contenders are the levels ``easy``, ``normal`` and ``hard``; ``yardstick``, the computer player of November
2026 (`bench.yardsticks`); ``random``; and ``sampler``, a Monte-Carlo player that knows no game.
Matches are duplicate: each deal is played once in every rotation of the seats. With n seats, one A plays
against n - 1 B, and wins 1/n of the games if both are as strong. Only decisions between several legal moves
are timed, in CPU time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, cast

from msgspec.structs import asdict
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from adapters.command_line.games.simulate import watched
from bot.matches.playing import LEVEL_NAMED, Computer, Contender, DuplicateMatch
from bot.matches.results import ResultsFile, results_folder, source_hash
from bot.matches.scores import Standing, standing
from bot.tables.log.table_state import AnyGame
from engines import games
from engines.game import Move, Seat

CONTENDERS = (*LEVEL_NAMED, "yardstick", "random", "sampler")
SEED = "strength"
MOST_PLAYOUT_MOVES = 2000
"""Moves after which a playout is cut and counts as a shared win."""


class RandomPlayer:
    """Chooses every move with equal chances."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return rng.choice(moves)


@dataclass(slots=True)
class Timed:
    """A player whose decisions in one game are timed."""

    player: Contender
    seconds: list[float] = field(default_factory=list)
    """The CPU time of each decision."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        began = time.process_time()
        move = self.player.think(view, moves, rng)
        self.seconds.append(time.process_time() - began)
        return move


@dataclass(slots=True)
class Sampler:
    """A plain determinized Monte-Carlo player: the move with the best mean result of random playouts.

    Each round imagines the hidden cards anew and plays one random game after each move. The sampler stops
    when it has used the mean time of its rival's decisions in this game so far; before the rival's first
    decision, the time that the rival needs for the sampler's own one.
    """

    game: AnyGame
    seats: int
    rival: Timed | None = None
    rounds: int = 0
    """Whole rounds so far, to tell how much it samples."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        assert self.rival
        if self.rival.seconds:
            budget = fmean(self.rival.seconds)
        else:
            shadow = Timed(self.rival.player)
            shadow.think(view, moves, Random(rng.random()))
            (budget,) = shadow.seconds
        return self.sample(view, moves, rng, budget)

    def sample(self, view: Any, moves: Sequence[Move], rng: Random, budget: float) -> Move:
        """The best of the moves tried in ``budget`` seconds of CPU time, at least one."""
        began = time.process_time()
        # Games may list moves best first, which is knowledge of the game.
        tried = rng.sample(moves, len(moves))
        wins, n = dict.fromkeys(tried, 0.0), dict.fromkeys(tried, 0)
        while True:
            state = self.game.imagine(view, rng)
            for move in tried:
                after, _ = self.game.apply(state, view.seat, move)
                wins[move] += self._playout(after, view.seat, rng)
                n[move] += 1
                if time.process_time() - began >= budget:
                    sampled = [candidate for candidate in tried if n[candidate]]
                    return max(sampled, key=lambda candidate: wins[candidate] / n[candidate])
            self.rounds += 1

    def _playout(self, state: Any, seat: Seat, rng: Random) -> float:
        """The seat's share of the win after random moves of all seats; an even share if they are too many."""
        for _ in range(MOST_PLAYOUT_MOVES):
            if (result := self.game.result(state)) is not None:
                return (seat in result.winners) / len(result.winners)
            mover, moves = self._seat_to_move(state)
            state, _ = self.game.apply(state, mover, rng.choice(moves))
        return 1 / self.seats

    def _seat_to_move(self, state: Any) -> tuple[Seat, Sequence[Move]]:
        """The first seat that has moves, and its moves."""
        for seat in range(self.seats):
            if moves := tuple(self.game.moves(state, seat)):
                return seat, moves
        raise AssertionError("a game that is not over has a move")


def seating(match: DuplicateMatch) -> Sequence[Contender]:
    """The players of one game, each timed; the rival of a sampler is the first other kind of player."""
    seats = len(match.contenders)
    players = [_player(name, games()[match.key], seats) for name in match.contenders]
    timed = list(map(Timed, players))
    for player in players:
        if isinstance(player, Sampler):
            player.rival = next(rival for rival in timed if not isinstance(rival.player, Sampler))
    return timed


def _player(name: str, game: AnyGame, seats: int) -> Contender:
    if name == "random":
        return RandomPlayer()
    if name == "sampler":
        return Sampler(game, seats)
    if name == "yardstick":
        return cast(Contender, import_module(f"bench.yardsticks.{game.key}"))
    return Computer(game, LEVEL_NAMED[name])


def source_files(key: str, contenders: Sequence[str]) -> Sequence[Path]:
    """The files to hash besides the game's, from which the play of yardsticks and samplers follows."""
    here = Path(__file__).parent
    files = {"yardstick": here / "yardsticks" / f"{key}.py", "sampler": here / "strength.py"}
    return [files[name] for name in files if name in contenders]


def table(match: DuplicateMatch, score: Standing) -> Table:
    """The score as a table with a row for each contender."""
    columns = ("wins", "share", "95 %", "points", "margin", "median ms", "worst ms")
    whole = Table("", *columns, box=SIMPLE)
    for column in whole.columns[1:]:
        column.justify = "right"
    for place, name in enumerate(match.contenders):
        low, high = score.intervals[place]
        whole.add_row(
            name,
            f"{score.wins[place]:g}",
            f"{score.wins[place] / score.games:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{score.points[place]:.2f}",
            f"{score.margins[place]:+.2f} ± {score.margin_errors[place]:.2f}",
            f"{score.median_ms[place]:.2f}",
            f"{score.worst_ms[place]:.1f}",
        )
    return whole


def in_json(match: DuplicateMatch, score: Standing) -> str:
    """The score as one line of JSON."""
    described = {"game": match.key, "contenders": match.contenders, "options": dict(match.options)}
    return json.dumps({**described, **asdict(score)})


def main(words: Sequence[str] | None = None) -> None:
    """Plays those games of a match that have no result yet, and prints the score."""
    given = _parser().parse_args(words)
    try:
        options = dict(option.split("=", 1) for option in given.option)
        games()[given.game].new(given.seats, b"", options)
    except ValueError as error:
        sys.exit(f"bench.strength: {error}")
    if given.a == given.b == "sampler":
        sys.exit("bench.strength: the sampler needs a rival whose time it may use")
    if "yardstick" in (given.a, given.b) and not find_spec(f"bench.yardsticks.{given.game}"):
        sys.exit(f"bench.strength: {given.game} has no yardstick")
    match = DuplicateMatch(given.game, (given.a, *[given.b] * (given.seats - 1)), options, given.seed)
    source = source_hash(given.game, source_files(given.game, match.contenders))
    results = ResultsFile(given.folder, match, source)
    if given.fresh:
        results.clear()
    title = f"{given.game}: {given.a}, {given.b}"
    records, stopped = watched(match, seating, given.games, results, given.jobs, title)
    if stopped:
        print(f"{len(records)} games; run the same command again to go on.", file=sys.stderr)
    score = standing(records, match.games_of_a_deal)
    if not score:
        return
    if given.json:
        print(in_json(match, score))
        return
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(match, score))
    counts = f"{score.games} games, {score.draws} shared, {score.cut} cut off as endless"
    console.print(f"{counts}; kept in {results.path}", soft_wrap=True, highlight=False)


def _parser() -> argparse.ArgumentParser:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser("python -m bench.strength", description=summary)
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("a", choices=CONTENDERS)
    parser.add_argument("b", choices=CONTENDERS, help="the contender in all other seats")
    parser.add_argument("--games", type=int, default=400, help="rounded up to whole deals")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], metavar="RULE=VALUE", help="a house rule")
    parser.add_argument("--seed", default=SEED, help="the words from which deals and luck follow")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results of this match")
    parser.add_argument("--folder", type=Path, default=results_folder(), help="where results are kept")
    return parser


if __name__ == "__main__":
    main()
