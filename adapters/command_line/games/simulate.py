"""Plays a match between computer players with a progress bar, and prints its score, for ``simulate``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.i18n import Speech
from bot.matches.playing import DuplicateMatch, GameRecord, Seating
from bot.matches.results import ResultsFile
from bot.matches.running import run
from bot.matches.scores import Standing
from bot.tables.names.levels import LEVELS
from engines.game import Text, plural

_WIDTH = 100
"""The cells of a line of a score that is not printed on a terminal."""


def watched(
    match: DuplicateMatch, seating: Seating, count: int, results: ResultsFile, jobs: int, title: str
) -> tuple[list[GameRecord], bool]:
    """Plays a match with a progress bar on the terminal; returns its games, and whether Ctrl+C stopped it."""
    console = Console(stderr=True)
    total = match.deals(count) * match.games_of_a_deal
    records: list[GameRecord] = []
    with closing(run(match, seating, count, results, jobs)) as playing:
        shown = track(playing, title, total, console=console, transient=True, disable=not console.is_terminal)
        try:
            for record in shown:
                records.append(record)
        except KeyboardInterrupt:
            return records, True
    return records, False


def interruption(played: int, match: DuplicateMatch, count: int) -> Text:
    """Says what a match that Ctrl+C stopped has kept, and how to go on."""
    return Text(
        "Stopped after {games} of {total}. What was played is kept: run the same command again to go on.",
        games=plural("{n} game", "{n} games", played),
        total=match.deals(count) * match.games_of_a_deal,
    )


def in_json(match: DuplicateMatch, score: Standing) -> str:
    """The score as one JSON object in a line.

    The lists ``wins`` and ``points``, and those in ``ms``, have one entry for each of ``seats``; a win shared
    by n players counts 1/n, and ``draws`` counts the games with shared wins. ``points`` are means per game,
    ``ms`` are milliseconds of CPU time per move with a choice. ``interval`` is the 95 % interval of the share
    of games that the first player wins, from 0 to 1.
    """
    return json.dumps(
        {
            "game": match.key,
            "seats": match.contenders,
            "games": score.games,
            "wins": [round(wins, 4) for wins in score.wins],
            "draws": score.draws,
            "points": [round(points, 4) for points in score.points],
            "interval": [round(bound, 4) for bound in score.intervals[0]],
            "ms": {
                "median": [round(ms, 3) for ms in score.median_ms],
                "worst": [round(ms, 3) for ms in score.worst_ms],
            },
        }
    )


def print_score(match: DuplicateMatch, score: Standing, say: Speech) -> None:
    """Prints a row for each player, then how the games were dealt and counted."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    console.print(_table(match, score, say))
    for text in _notes(match, score):
        console.print(say(text), markup=False, soft_wrap=not console.is_terminal)


def _table(match: DuplicateMatch, score: Standing, say: Speech) -> Table:
    cells: Sequence[tuple[str, Callable[[int], str]]] = (
        (say(Text("wins")), lambda contender: f"{round(score.wins[contender], 1):g}"),
        ("%", lambda contender: _percent(score.wins[contender] / score.games)),
        (say(Text("interval")), lambda contender: "–".join(map(_percent, score.intervals[contender]))),
        (say(Text("points")), lambda contender: f"{score.points[contender]:.2f}"),
        (say(Text("ahead by")), lambda contender: f"{score.margins[contender]:+.2f}"),
        ("ms", lambda contender: f"{score.median_ms[contender]:.2f}"),
        (say(Text("at most")), lambda contender: f"{score.worst_ms[contender]:.2f}"),
    )
    table = Table(say(Text("player")), box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading, _ in cells:
        table.add_column(heading, justify="right", no_wrap=True)
    labels: Mapping[str, Text] = {level: record.label for level, record in LEVELS.items()}
    for contender, level in enumerate(match.contenders):
        table.add_row(f"{contender + 1} · {say(labels[level])}", *(cell(contender) for _, cell in cells))
    return table


def _notes(match: DuplicateMatch, score: Standing) -> Sequence[Text]:
    games, moves = plural("{n} game", "{n} games", score.games), plural("{n} move", "{n} moves", score.moves)
    shared = plural("{n} shared win", "{n} shared wins", score.draws)
    notes = [
        Text("{games} ({shared}), {moves}", games=games, shared=shared, moves=moves),
        Text("Each deal was played from every seat.") if match.swaps else Text("Every game was a new deal."),
        Text("In 95 of 100 such matches the interval holds the true percentage."),
        Text("Points and ms (milliseconds of CPU time) are per game and per move with a choice."),
    ]
    if score.cut:
        notes.append(
            plural(
                "{n} endless game was cut off as a draw.",
                "{n} endless games were cut off as draws.",
                score.cut,
            )
        )
    return *notes, Text("seed: {seed}", seed=match.seed)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
