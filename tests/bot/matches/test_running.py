"""Matches in several processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.words import ROOT

PLAYING = """
import sys
from pathlib import Path
from bot.matches.playing import DuplicateMatch, computers
from bot.matches.results import ResultsFile
from bot.matches.running import run

if __name__ == "__main__":
    match = DuplicateMatch("cardlebones", ("easy", "easy"), {}, "killed")
    for record in run(match, computers, 1000, ResultsFile(Path(sys.argv[1]), match, ""), 2):
        print(record.number, flush=True)
"""
"""A program that plays a match in two more processes, and prints the number of each game."""


@pytest.mark.real
def test_the_processes_of_a_match_end_with_the_one_that_was_killed(tmp_path: Path) -> None:
    """The processes hold the output of the killed program open, so it ends only after the last of them."""
    program = tmp_path / "playing.py"
    program.write_text(PLAYING)
    started = [sys.executable, str(program), str(tmp_path)]
    with subprocess.Popen(
        started, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE
    ) as playing:
        assert playing.stdout
        assert playing.stdout.readline()
        playing.kill()
        playing.stdout.read()
