"""Compares the speed of our engines with RLCard's and OpenSpiel's: ``python -m bench.engines``.

``--profile GAME`` shows instead in which functions one of our games spends its time.

Each contender plays games of two seats with default options, choosing every move at random with equal
chances. All contenders take turns within each round, and a ratio compares figures of the same round, so
that other load on the machine distorts it less.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import pstats
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from string import ascii_uppercase
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from engines import games
from engines.game import Game

SEED = 1
SEATS = 2
ROUNDS = 5
SLICES = 5
"""Time slices of each contender in a round."""
SLICE_SECONDS = 0.08
"""The length of a time slice in CPU time; other load on the machine distorts CPU time less than wall time."""
WARM_UP_SECONDS = 0.5
"""CPU time that each contender plays before measuring, to fill caches."""
BATCH = 20
"""Moves between two readings of the clock."""

OPEN_SPIEL_GIN = "OpenSpiel gin_rummy"
UNO = "RLCard uno"
UNO_ENVIRONMENT = "RLCard uno (environment)"
# Only `RATIO_TARGETS` and `RATE_TARGETS` name our games.
RATIO_TARGETS = (
    ("boathouse", 1.0, OPEN_SPIEL_GIN),
    ("casino", 1.0, UNO),
    ("casino", 1.0, UNO_ENVIRONMENT),
    ("cardlebones", 1.5, UNO),
    ("cardlebones", 1.5, UNO_ENVIRONMENT),
)
"""Game, target ratio and yardstick."""
RATE_TARGETS = (("trio_escalera", 15_000),)
"""Game and target in moves per second on an idle machine."""
PROFILE_SECONDS = 4.0
"""CPU time of the moves that are profiled."""
PROFILE_LINES = 25
"""Functions that a profile lists."""

Play = Iterator[None]
"""An endless generator that makes one move at each step."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Moves per second of one contender in each round."""

    rates: tuple[float, ...]

    def rate(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rates)

    def ratio(self, other: Figures) -> float:
        """The speed as a multiple of another contender's: the median of the ratios of the rounds."""
        return statistics.median(own / its for own, its in zip(self.rates, other.rates, strict=True))


def main(words: Sequence[str] | None = None) -> None:
    """Measures all contenders and prints a table, or profiles one game."""
    parser = argparse.ArgumentParser(
        "python -m bench.engines", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--profile", choices=list(games()), help="show where this game spends its time")
    if key := parser.parse_args(words).profile:
        print(profile(play_ours(games()[key])))
    else:
        compare()


def profile(play: Play) -> str:
    """Lists the functions whose own code takes the most time; the profiler slows small ones most."""
    run(play, WARM_UP_SECONDS)
    profiler, printed = cProfile.Profile(), io.StringIO()
    profiler.runcall(run, play, PROFILE_SECONDS)
    pstats.Stats(profiler, stream=printed).strip_dirs().sort_stats("tottime").print_stats(PROFILE_LINES)
    return printed.getvalue()


def compare() -> None:
    """Measures all contenders and prints a table."""
    yardsticks, missing = find_yardsticks()
    ours = {key: play_ours(game) for key, game in games().items()}
    console = Console()
    with console.status("A few seconds for each game…"):
        figures = measure({**ours, **yardsticks})
    console.print(table(figures, tuple(ours), tuple(yardsticks)))
    for key, wanted, yardstick in RATIO_TARGETS:
        if yardstick in figures:
            ratio = figures[key].ratio(figures[yardstick])
            console.print(f"{key}: {ratio:.2f} × {yardstick}, to reach {wanted:.1f} ×", highlight=False)
    for key, rate in RATE_TARGETS:
        console.print(f"{key}: {figures[key].rate():,.0f} moves/s, to reach {rate:,}", highlight=False)
    if missing:
        console.print(
            f"Not installed, so left out: {', '.join(missing)}. To compare: pip install -e '.[bench]'.",
            markup=False,
        )


def measure(players: Mapping[str, Play]) -> dict[str, Figures]:
    """Measures all contenders, which take turns in each round."""
    for play in players.values():
        run(play, WARM_UP_SECONDS)
    rates: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(ROUNDS):
        runs: dict[str, list[tuple[int, float]]] = {name: [] for name in players}
        for _ in range(SLICES):
            for name, play in players.items():
                runs[name].append(run(play, SLICE_SECONDS))
        for name, done in runs.items():
            moves, seconds = map(sum, zip(*done, strict=True))
            rates[name].append(moves / seconds)
    return {name: Figures(tuple(each)) for name, each in rates.items()}


def run(play: Play, seconds: float) -> tuple[int, float]:
    """Plays for about this many CPU seconds; returns the moves made and the seconds they took."""
    moves, start = 0, time.process_time()
    while (taken := time.process_time() - start) < seconds:
        for _ in range(BATCH):
            next(play)
        moves += BATCH
    return moves, taken


def table(figures: Mapping[str, Figures], ours: Sequence[str], yardsticks: Sequence[str]) -> Table:
    """The table of results: a row for each contender, a lettered column of ratios for each yardstick."""
    letters = dict(zip(yardsticks, ascii_uppercase, strict=False))
    results = Table("", "moves/s", *(f"× {letter}" for letter in letters.values()), box=SIMPLE)
    for column in results.columns[1:]:
        column.justify = "right"
    for name in (*ours, *yardsticks):
        title = f"{letters[name]}: {name}" if name in letters else name
        ratios = (f"{figures[name].ratio(figures[other]):.2f}" for other in yardsticks)
        results.add_row(title, f"{figures[name].rate():,.0f}", *ratios, end_section=name == ours[-1])
    return results


def play_ours(game: Game[Any, Any]) -> Play:
    """Plays one of our games through the engine contract, including the making of events."""
    rng = random.Random(SEED)
    while True:
        state = game.new(SEATS, rng.randbytes(32), {})
        while awaited := [(seat, moves) for seat in range(SEATS) if (moves := list(game.moves(state, seat)))]:
            seat, moves = awaited[0] if len(awaited) == 1 else rng.choice(awaited)
            state, _ = game.apply(state, seat, rng.choice(moves))
            yield


def find_yardsticks() -> tuple[dict[str, Play], tuple[str, ...]]:
    """Returns the yardsticks whose libraries are installed, and the names of the missing libraries."""
    wanted: dict[str, tuple[str, Callable[[], Play]]] = {
        OPEN_SPIEL_GIN: ("open_spiel", lambda: play_open_spiel("gin_rummy")),
        # By default crazy_eights is for five players.
        "OpenSpiel crazy_eights": ("open_spiel", lambda: play_open_spiel("crazy_eights(players=2)")),
        "RLCard gin_rummy": ("rlcard", play_rlcard_gin),
        UNO: ("rlcard", play_rlcard_uno),
        UNO_ENVIRONMENT: ("rlcard", lambda: play_rlcard_environment("uno")),
    }
    found: dict[str, Play] = {}
    missing: dict[str, None] = {}
    for name, (library, begin) in wanted.items():
        try:
            # Beginning, or the first move, imports the library.
            next(play := begin())
        except ImportError:
            missing[library] = None
        else:
            found[name] = play
    return found, tuple(missing)


def play_open_spiel(described: str) -> Play:
    """Plays a C++ game of OpenSpiel, described by its name and parameters.

    Its chance nodes, like our deals, are not counted as moves.
    """
    pyspiel = import_module("pyspiel")
    rng = random.Random(SEED)
    game = pyspiel.load_game(described)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            by_chance = state.is_chance_node()
            state.apply_action(rng.choice(state.legal_actions()))
            if not by_chance:
                yield


def play_rlcard_gin() -> Play:
    """Plays RLCard's gin rummy without its environment, which would encode every state as a tensor."""
    game = import_module("rlcard.games.gin_rummy").Game()
    return _play_rlcard(game, game.judge.get_legal_actions)


def play_rlcard_uno() -> Play:
    """Plays RLCard's UNO without its environment."""
    game = import_module("rlcard.games.uno").Game()
    return _play_rlcard(game, game.get_legal_actions)


def _play_rlcard(game: Any, legal_actions: Callable[[], Sequence[Any]]) -> Play:
    rng = random.Random(SEED)
    game.np_random.seed(SEED)
    while True:
        game.init_game()
        while not game.is_over():
            game.step(rng.choice(legal_actions()))
            yield


def play_rlcard_environment(name: str) -> Play:
    """Plays an RLCard game as its users do, through the environment."""
    rng = random.Random(SEED)
    environment = import_module("rlcard").make(name, config={"seed": SEED})
    while True:
        seen, _ = environment.reset()
        while not environment.is_over():
            seen, _ = environment.step(rng.choice(list(seen["legal_actions"])))
            yield


if __name__ == "__main__":
    main()
