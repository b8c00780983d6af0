"""The results of matches on disk, so that a later run goes on where an earlier one stopped."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import platformdirs

import engines
from bot.matches import playing
from bot.matches.playing import DuplicateMatch, GameRecord
from engines import games


def results_folder() -> Path:
    """Where matches are kept: a folder in the cache of the operating system's user."""
    return platformdirs.user_cache_path("sobremesa", appauthor=False) / "matches"


def source_hash(key: str, further: Iterable[Path] = ()) -> str:
    """A hash of the source of a game, of what games share, of the play of matches, and of further files."""
    shared = Path(engines.__file__).parent
    own = Path(inspect.getfile(type(games()[key]))).parent
    hashed = hashlib.sha256()
    for file in (*sorted(shared.glob("*.py")), *sorted(own.rglob("*.py")), Path(playing.__file__), *further):
        hashed.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return hashed.hexdigest()


class ResultsFile:
    """The games of one match in a file: one JSON object a line, the first of which describes the match.

    The file's name follows from the match and from the source: changed code begins another file. A line that
    cannot be read, such as one whose writer was killed, is left out: its game is played again.
    """

    def __init__(self, folder: Path, match: DuplicateMatch, source: str) -> None:
        self._header = msgspec.json.encode({**_described(match), "source": source}, order="sorted")
        digest = hashlib.sha256(self._header).hexdigest()[:16]
        self.path = folder / f"{match.key}-{'-'.join(match.contenders)}-{digest}.jsonl"

    def read(self) -> Mapping[int, GameRecord]:
        """The games that have been played, by number."""
        records: dict[int, GameRecord] = {}
        if self.path.exists():
            for line in self.path.read_bytes().splitlines():
                try:
                    record = msgspec.json.decode(line, type=GameRecord)
                except msgspec.DecodeError:
                    continue
                records.setdefault(record.number, record)
        return records

    def append(self, record: GameRecord) -> None:
        """Writes a game on a line of its own, also after a line whose writer was killed."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            if file.tell() == 0:
                file.write(self._header + b"\n")
            else:
                file.seek(-1, os.SEEK_END)
                if file.read() != b"\n":
                    file.write(b"\n")
            file.write(msgspec.json.encode(record) + b"\n")

    def clear(self) -> None:
        """Deletes the file."""
        self.path.unlink(missing_ok=True)


def _described(match: DuplicateMatch) -> Mapping[str, object]:
    """All that the games of a match follow from, but for the source."""
    return {
        "game": match.key,
        "contenders": match.contenders,
        "options": dict(match.options),
        "seed": match.seed,
        "swaps": match.swaps,
    }
