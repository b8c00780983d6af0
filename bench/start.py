"""Measures the start of the program: `--help` and the first screen of `play`, each with a yardstick.

``python -m bench.start [--runs N] [--json]``. The yardsticks are ``import typer`` and a Textual app that only
shows a word. Each run of a command is followed by one of its yardstick, so that both see the same load of the
machine. The medians of CPU time decide; those of elapsed time are shown beside them. For a first screen a
command runs in a terminal of its own until a word of that screen is there, and is killed. POSIX only.
"""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from adapters.command_line.games.first_paint import TITLE

ROOT = Path(__file__).resolve().parent.parent
_PATIENCE = 60.0
"""The seconds after which a screen that has not appeared, or a command that has not ended, is an error."""
_EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("Ready.")

Empty().run()
"""
"""The program that is the yardstick of a first screen."""


class ProcessTime(NamedTuple):
    """How long a process ran, in seconds: the CPU time that it used, and the time on the clock."""

    cpu: float
    elapsed: float


class Trial(NamedTuple):
    """A command of the program and its yardstick, as arguments of Python."""

    command: Sequence[str]
    yardstick: Sequence[str]
    word: str = ""
    """The words on the command's first screen at which it is killed; empty if the command ends by itself."""
    yardstick_word: str = ""
    bound: float = 1.5
    """How many times the CPU time of its yardstick the command may take."""


TRIALS: Mapping[str, Trial] = {
    "--help": Trial(("-m", "adapters", "--help"), ("-c", "import typer")),
    "play, its title": Trial(("-m", "adapters", "play"), ("-c", _EMPTY), TITLE, "Ready."),
    "play, its games": Trial(("-m", "adapters", "play"), ("-c", _EMPTY), "Trío y Escalera", "Ready."),
    "the same, in Spanish": Trial(
        ("-m", "adapters", "play", "--lang", "es"), ("-c", _EMPTY), "Trío y Escalera", "Ready."
    ),
}


def main(
    runs: Annotated[int, typer.Option(min=1, help="Runs of each command.")] = 15,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as one JSON object.")] = False,
) -> None:
    """Measures all trials; the exit code is 1 if a command takes longer than its bound."""
    figures = {name: measured(trial, runs) for name, trial in TRIALS.items()}
    if as_json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(
                f"{name:<20} CPU {figure['cpu']:.3f} s, {figure['cpu_ratio']:.2f} of its yardstick's; "
                f"elapsed {figure['elapsed']:.3f} s, {figure['elapsed_ratio']:.2f}; "
                f"at most {TRIALS[name].bound}"
            )
    if any(figures[name]["cpu_ratio"] > trial.bound for name, trial in TRIALS.items()):
        raise typer.Exit(1)


def measured(trial: Trial, runs: int) -> dict[str, float]:
    """The medians of a command's seconds, and their ratios to the medians of its yardstick.

    The first run of each is not counted.
    """
    with tempfile.TemporaryDirectory() as home:
        environment = _environment(home)
        timed(trial.command, trial.word, environment)
        timed(trial.yardstick, trial.yardstick_word, environment)
        ours, theirs = list[ProcessTime](), list[ProcessTime]()
        for _ in range(runs):
            ours.append(timed(trial.command, trial.word, environment))
            theirs.append(timed(trial.yardstick, trial.yardstick_word, environment))
    return {
        "cpu": statistics.median(run.cpu for run in ours),
        "cpu_ratio": _ratio([run.cpu for run in ours], [run.cpu for run in theirs]),
        "elapsed": statistics.median(run.elapsed for run in ours),
        "elapsed_ratio": _ratio([run.elapsed for run in ours], [run.elapsed for run in theirs]),
    }


def timed(arguments: Sequence[str], word: str, environment: Mapping[str, str]) -> ProcessTime:
    """Runs Python in a terminal of its own until a word is on the screen; without a word, to its end.

    Raises `RuntimeError` if the word, or the end, does not come, or if Python then fails.
    """
    begun = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        os.execve(sys.executable, [sys.executable, *arguments], dict(environment))
    try:
        os.set_blocking(terminal, False)
        _read_until(terminal, word)
        elapsed = time.monotonic() - begun
        if word:
            os.kill(process, signal.SIGKILL)
        _, status, usage = os.wait4(process, 0)
    finally:
        os.close(terminal)
    if not word and status:
        raise RuntimeError(f"{arguments} failed")
    return ProcessTime(usage.ru_utime + usage.ru_stime, elapsed)


def _read_until(terminal: int, word: str) -> None:
    """Reads what a process writes until a word of it, or without a word until its end.

    Raises `RuntimeError` if that does not come.
    """
    seen, until = b"", time.monotonic() + _PATIENCE
    while not (word and word.encode() in seen):
        if not select.select([terminal], [], [], max(0.0, until - time.monotonic()))[0]:
            raise RuntimeError(f"{word or 'the end'} did not come")
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            # Linux reports the end of a terminal as an error.
            data = b""
        if not data:
            if word:
                raise RuntimeError(seen.decode(errors="replace"))
            return
        seen += data


def _ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    return statistics.median(ours) / statistics.median(theirs)


def _environment(home: str) -> Mapping[str, str]:
    """An environment without settings, in an empty home folder."""
    return {
        "PATH": os.defpath,
        "HOME": home,
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLUMNS": "100",
        "LINES": "30",
        "PYTHONPATH": str(ROOT),
    }


if __name__ == "__main__":
    typer.run(main)
