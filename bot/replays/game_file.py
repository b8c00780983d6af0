"""The file of a finished game: one JSON object with all that a check or a replay needs (docs/verify.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bot.model.tables import Json
from bot.ports import File
from engines.game import Level, Text
from engines.values import Value

FORMAT, VERSION = "sobremesa game", 1
BYTES = 4 << 20
"""The most bytes of a file that is read."""
MOST_STEPS = 20_000
"""The most steps of a game that is read."""

_Name = Annotated[str, Meta(max_length=200)]
_Word = Annotated[str, Meta(max_length=100)]
_SeedWords = Annotated[str, Meta(max_length=10_000)]
_Cut = Annotated[str, Meta(max_length=200)]
_Seat = Annotated[int, Meta(ge=0, le=99)]
_Number = Annotated[int, Meta(ge=0, le=10**6)]
LATEST = 10**11
"""The latest time that is read, in seconds since 1970: in the year 5138, which every time zone can show."""
_Time = Annotated[float, Meta(ge=0, le=LATEST)]
_Hex = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Json = dict[str, Any]


class NotReadable(ValueError):
    """The bytes are no game file, or too many; ``why`` is the end of a sentence for the reader."""

    def __init__(self, why: Text) -> None:
        super().__init__(why.message)
        self.why = why


class SeatRecord(Value, omit_defaults=True):
    """A seat at the deal."""

    name: _Name
    cuts: Annotated[tuple[_Cut, ...], Meta(max_length=100)]
    """The words of its cuts, in order, exactly as they were hashed."""
    computer: Level | None = None
    """The level of the computer that played it; None for a person."""


class RecordedStep(Value, omit_defaults=True):
    """One event after the deal: a move, moves taken back, a new player in a seat, a player who gave up."""

    seat: _Seat
    move: Annotated[str, Meta(max_length=2000)] = ""
    """The move as the game spells it; empty for another step."""
    clock: bool = False
    """Whether the clock made the move."""
    undo: _Number | None = None
    """The index of the first step that the player of the seat took back: the game goes on from there."""
    player: _Name | None = None
    """The name of whoever holds the seat from now on: a new player, or the same, as ``computer`` changes."""
    computer: Level | None = None
    """The level of the computer that plays for that player; None if they play themselves."""
    forfeit: bool = False
    """Whether the player of the seat left the game, so that the others won."""
    at: float = 0.0
    """Seconds since the deal."""

    def __post_init__(self) -> None:
        kinds = (bool(self.move), self.undo is not None, self.player is not None, self.forfeit)
        if sum(kinds) != 1 or (self.clock and not self.move) or (self.computer and self.player is None):
            raise ValueError("a step is one of move, undo, player, forfeit")


class RecordedResult(Value):
    """The result of a game that was played to its end."""

    scores: tuple[int, ...]
    winners: tuple[_Seat, ...]


class GameFile(Value, kw_only=True):
    """A finished game as it is written to a file and read from it."""

    format: str = FORMAT
    version: int = VERSION
    id: _Word
    game: _Word
    revision: _Number
    options: dict[_Word, _Word]
    carry: _Json
    """The facts that the game before handed on, such as the dealer."""
    seats: Annotated[tuple[SeatRecord, ...], Meta(max_length=20)]
    commitment: _Hex | None
    """The SHA-256 of the server seed, shown before the deal; None for a seed in words."""
    seed: _Hex | None
    """The server seed, opened after the game; None for a seed in words."""
    words: _SeedWords | None
    """The words that a player chose as the seed; None for a secret server seed."""
    line: Annotated[str, Meta(max_length=1 << 16)]
    """The canonical JSON from which the server seed makes the game seed; empty if no cards were dealt."""
    position: _Json | None
    """The rule book's position after the first deal; None without cards, or if the rules have changed."""
    steps: Annotated[tuple[RecordedStep, ...], Meta(max_length=MOST_STEPS)]
    result: RecordedResult | None
    """None if the game was closed before its end."""
    ended: _Word | None
    """Why the game was closed before its end; None if it was not."""
    dealt: _Time
    """The time of the deal, in seconds since 1970; 0 if no cards were dealt."""
    game_seed: _Hex | None = None
    """The game seed, if a player who cut was forgotten: it does not follow from the line any more.

    A file whose game seed is None has no such member.
    """

    @property
    def statement(self) -> Mapping[str, Json]:
        """Everything that the deal depends on besides the seed.

        Its canonical JSON must be `line`, if cards were dealt. Both lack the cuts of forgotten players.
        """
        return {
            "game": self.id,
            "key": self.game,
            "revision": self.revision,
            "options": self.options,
            "carry": self.carry,
            "seats": [{"seat": seat, "cuts": list(one.cuts)} for seat, one in enumerate(self.seats)],
        }


def as_download(file: GameFile) -> File:
    """The file as people download it: one step a line, so that a person can read it too."""
    return File(f"{file.game}-{file.id}.json", written(file))


def written(file: GameFile) -> bytes:
    """The JSON of a file, in UTF-8: a member, a seat and a step have a line each."""
    members: dict[str, Any] = msgspec.to_builtins(file)
    if file.game_seed is None:
        del members["game_seed"]
    lines = [f"{_json(name)}: {_member(name, value)}" for name, value in members.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def read(content: bytes) -> GameFile:
    """The game of a file that may be forged. Raises `NotReadable`."""
    if len(content) > BYTES:
        raise NotReadable(Text("it has more than {n} MB", n=BYTES >> 20))
    try:
        members = json.loads(content.decode(), object_pairs_hook=_unique, parse_constant=_no_number)
        if not isinstance(members, dict) or members.get("format") != FORMAT:
            raise NotReadable(Text("it's in another format"))
        if members.get("version") != VERSION:
            raise NotReadable(Text("this program reads only version {n} of the format", n=VERSION))
        file = msgspec.convert(members, GameFile)
        # Fails for half a character (a lone surrogate), which has no bytes to be hashed.
        written(file)
    except NotReadable:
        raise
    except (ValueError, RecursionError) as error:
        raise NotReadable(_why(error)) from None
    return file


def _member(name: str, value: object) -> str:
    if name not in ("steps", "seats") or not isinstance(value, (list, tuple)) or not value:
        return _json(value)
    return "[\n " + ",\n ".join(map(_json, value)) + "\n]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _why(error: Exception) -> Text:
    """Why a file cannot be read; its content stays out of it."""
    if isinstance(error, msgspec.ValidationError):
        return Text("something in it is wrong or missing ({where})", where=_path_in(str(error)))
    return Text("it isn't valid JSON")


def _path_in(message: str) -> str:
    """The path of the wrong or missing field, from a message of msgspec with names and paths in backticks."""
    quoted = message.split("`")[1::2]
    found = [*quoted[1:], quoted[0]] if " field `" in message else quoted[-1:]
    return ".".join(found)[:200] or "$"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises `NotReadable` for two members of one name, which programs read differently."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotReadable(Text("a name occurs twice in it"))
    return members


def _no_number(word: str) -> None:
    """Raises `NotReadable` for NaN and infinities, which Python would read."""
    raise NotReadable(Text("{word} isn't a number in JSON", word=word))
