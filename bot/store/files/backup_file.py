"""Reads a backup file. It may be forged, since anybody can compute its checksum; faults raise `StoreError`.

Every line is bounded in size and checked against the schema; `restore` reads the whole file once before it
writes anything into a store.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import stat
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.file_errors import file_error_text, quoted
from bot.i18n import safe_name
from bot.model.panels import Watch
from bot.model.people import AlertTiming, HandOrder
from bot.model.places import Openers
from bot.model.results import Unrated
from bot.model.tables import EntryKind, Status
from bot.settings.choices import ForcedMoves, Language, SuggestedMoves
from bot.storage import StoreError
from bot.store.schema import TRANSIENT, Base
from engines.game import Level, Pictures, Text
from engines.values import Value

FORMAT = 1
"""The format of the file, in its first line; the schema of the rows has a revision of its own."""


class _Refusal(ValueError):
    """Why a check of ours refuses a value."""

    def __init__(self, why: Text) -> None:
        super().__init__()
        self.why = why


class BackupLimits(Value):
    """Limits on a backup that is restored; a real backup stays far below them."""

    line: int = 1 << 20
    """Bytes of a line."""
    rows: int = 200_000_000
    unpacked: int = 1 << 36
    """Bytes of all lines."""
    ratio: int = 200
    """Unpacked bytes for each byte of the file; a real backup has about ten."""
    spared: int = 1 << 22
    """Unpacked bytes up to which the ratio does not matter."""


class Head(Value):
    """The first line."""

    revision: str
    """The revision of the schema that the rows have."""


class Columns(Value):
    """The line before the rows of a table."""

    table: str
    columns: tuple[str, ...]


class BackupRow(Value):
    """A row, whose values have the types of its columns; bytes are in hexadecimal digits."""

    values: tuple[Any, ...]


BackupLine = Head | Columns | BackupRow

_LARGEST = 2**31 - 1
"""The largest integer of a column in PostgreSQL."""
_LATEST = 253_402_300_799.0
"""The last second of the year 9999, in seconds since 1970."""
_MOST_DEPTH = 16
"""The most lists and objects within each other in the body of a log entry or of an analysis."""
_MOST_QUOTED = 40
"""The most characters of a key that a refusal quotes."""
_NO_JSON = Text("it isn't valid JSON")
_NO_OBJECT = Text("it isn't a JSON object")
_TOO_DEEP = Text("it is too deep")


def _body(text: str) -> str:
    """Checks the body of a log entry or of an analysis, which is a JSON object."""
    if not isinstance(value := _parse(text), dict):
        raise _Refusal(_NO_OBJECT)
    if _is_deeper(value, _MOST_DEPTH):
        raise _Refusal(_TOO_DEEP)
    return text


def _draft(text: str) -> str:
    """Checks a draft; the oldest have no ``asked``, and before revision 0024 watchers have the stamp -1."""
    try:
        _DRAFT.validate_json(text, strict=True)
    except ValidationError:
        raise _Refusal(Text("it isn't a draft")) from None
    return text


Count = Annotated[int, Field(ge=0, le=_LARGEST)]
Number = Annotated[int, Field(ge=1, le=_LARGEST)]
Score = Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]
Mean = Annotated[float, Field(ge=-1000.0, le=1000.0, allow_inf_nan=False)]
Deviation = Annotated[float, Field(gt=0.0, le=1000.0, allow_inf_nan=False)]
Time = Annotated[float, Field(ge=0.0, le=_LATEST, allow_inf_nan=False)]
Id = Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]
Words = Annotated[str, Field(max_length=2000)]
PersonIds = Annotated[str, Field(max_length=20_000)]
_Stamp = Annotated[int, Field(ge=-1, le=_LARGEST)]
_DRAFT: TypeAdapter[Any] = TypeAdapter(
    tuple[_Stamp, tuple[Words, ...], Count] | tuple[_Stamp, tuple[Words, ...], Count, bool]
)

COLUMNS: Mapping[str, Mapping[str, Any]] = {
    "game": {
        "id": Id, "platform": Words, "chat": Words, "thread": Words, "number": Count, "key": Words,
        "revision": Count, "status": Status, "owner": Words, "entries": Count, "opened": Time,
        "changed": Time, "server_seed": Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None,
        "seed_words": str | None, "due": Time | None, "uncounted": Words,
    },
    "entry": {
        "game": Id, "n": Count, "kind": EntryKind, "seat": Count | None, "person": Words,
        "body": Annotated[str, AfterValidator(_body)], "at": Time, "delivery": Words | None,
    },
    "seat": {
        "game": Id, "seat": Count, "name": Words, "level": Level | None, "person": Words, "kicked": bool,
        "score": Score | None, "won": bool,
    },
    "analysis": {"game": Id, "body": Annotated[str, AfterValidator(_body)]},
    "ending": {"number": Number, "game": Id, "settled": bool},
    "result": {
        "game": Id, "person": Words, "seat": Count, "key": Words, "number": Number, "ended": Time,
        "channel": Words, "server": Words, "place": Number, "score": Score, "won": bool, "alone": bool,
        "counts": bool, "unrated": Unrated | Literal[""], "mu_before": Mean | None,
        "sigma_before": Deviation | None, "mu_after": Mean | None, "sigma_after": Deviation | None,
    },
    "rating": {
        "person": Words, "key": Words, "mu": Mean, "sigma": Deviation, "games": Number, "changed": Time,
        "shown": Score,
    },
    "tally": {
        "scope": Words, "period": Annotated[str, Field(pattern=r"^(\d{4}-(\d{2}|W\d{2}))?$")], "key": Words,
        "person": Words, "alone": bool, "games": Number, "wins": Count, "gained": Score,
    },
    "panel": {
        "game": Id, "reader": Words, "message": Words, "draft": Annotated[str, AfterValidator(_draft)],
        "wanted": Count, "sent": Count, "announced": Count, "told": Count,
        "called": Time, "alert": Words, "aloud": bool, "watch": Watch,
    },
    "room": {
        "platform": Words, "chat": Words, "thread": Words, "community": Words, "private": bool,
        "language": Language | None, "openers": Openers | Literal[""],
        "barred": PersonIds, "wishes": PersonIds,
        "channel": Words, "server": Words, "spoken": Language | Literal[""],
        "clock": Annotated[int, Field(ge=-1, le=_LARGEST)] | None, "threads": bool | None, "asked": bool,
    },
    "person": {
        "id": Words, "name": Words, "language": Language | None, "order": HandOrder, "letters": bool,
        "careful": bool, "calls": AlertTiming,
        "quiet": Annotated[str, Field(pattern=r"^(\d{1,2}-\d{1,2})?$")],
        "zone": Annotated[int, Field(ge=-48, le=56)] | None, "region": Words, "pictures": Pictures,
        "forced": ForcedMoves, "hidden": bool, "suggestions": SuggestedMoves, "alias": Words,
    },
    "account": {"platform": Words, "user": Words, "person": Words, "reachable": bool},
}  # fmt: skip
"""The type of each column of each table that is in a backup."""

_TABLES = {table.name: table for table in Base.metadata.sorted_tables if table not in TRANSIENT}
"""The tables that are in a backup, by name."""


class _Object(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _HeadLine(_Object):
    sobremesa: Literal["backup"]
    format: int
    revision: Annotated[str, Field(pattern=r"^[0-9]{4}$")]


class _ColumnsLine(_Object):
    table: str
    columns: list[str]


class _ClosingLine(_Object):
    rows: int
    sha256: str


_AnyObject = TypeVar("_AnyObject", bound=_Object)


def read(path: Path, limits: BackupLimits) -> Iterator[BackupLine]:
    """The lines of a backup, checked, without its last line, which must count its rows and hash its lines.

    Raises `StoreError` for a file that cannot be read, is no whole backup or is beyond the limits.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(Text("{file} isn't a file", file=str(path)))
        with gzip.open(path, "rb") as packed:
            yield from _Reader(path, limits, found.st_size).lines(packed)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise StoreError(Text("{file} isn't a backup, or is damaged", file=str(path))) from None
    except OSError as error:
        raise StoreError(
            Text("{file} can't be read: {reason}", file=str(path), reason=file_error_text(error))
        ) from None


class _Reader:
    """Reads the lines of one file, once."""

    def __init__(self, path: Path, limits: BackupLimits, size: int) -> None:
        self._path = path
        self._limits = limits
        self._most_bytes = min(limits.unpacked, max(limits.spared, limits.ratio * size))
        self._digest = hashlib.sha256()
        self._unpacked = self._line = self._rows = 0
        """The bytes and the lines that were read, and the rows among these."""
        self._tables: set[str] = set()
        self._columns: tuple[str, ...] = ()
        self._row: TypeAdapter[Any] | None = None
        """Checks a row of the current table."""

    def lines(self, packed: gzip.GzipFile) -> Iterator[BackupLine]:
        data = self._next(packed)
        yield self._head(data)
        while data := self._next(packed):
            if data.startswith(b"["):
                yield self._checked_row(data)
            elif b'"sha256"' in data:
                self._close(data, packed)
                return
            else:
                yield self._table(data)
        raise StoreError(Text("{file} is damaged: its end is missing", file=str(self._path)))

    def _next(self, packed: gzip.GzipFile) -> bytes:
        """The next line; empty at the end of the file."""
        data = packed.readline(self._limits.line + 1)
        self._line += 1
        self._unpacked += len(data)
        if len(data) > self._limits.line:
            raise self._fault(Text("the line is too long"))
        if self._unpacked > self._most_bytes:
            raise self._fault(Text("the file is far larger when unpacked than a backup is"))
        return data

    def _head(self, data: bytes) -> Head:
        """Reads the first line."""
        self._digest.update(data)
        head = self._object(data) if data else {}
        if head.get("sobremesa") != "backup" or isinstance(head.get("format"), bool):
            raise StoreError(Text("{file} isn't a backup", file=str(self._path)))
        if isinstance(head.get("format"), int) and head["format"] > FORMAT:
            raise StoreError(
                Text("{file} was made by a newer Sobremesa: install that one", file=str(self._path))
            )
        return Head(self._valid(_HeadLine, head).revision)

    def _table(self, data: bytes) -> Columns:
        """Reads the line before the rows of a table."""
        self._digest.update(data)
        line = self._valid(_ColumnsLine, self._object(data))
        if line.table in self._tables:
            raise self._fault(Text("the table comes twice"))
        if line.table not in COLUMNS:
            raise self._fault(Text("there is no such table in a backup"))
        known, columns = COLUMNS[line.table], tuple(line.columns)
        keys = {column.name for column in _TABLES[line.table].primary_key}
        if not keys <= set(columns) <= set(known) or len(set(columns)) < len(columns):
            raise self._fault(Text("the table has other columns"))
        self._tables.add(line.table)
        self._columns = columns
        types = tuple(known[column] for column in columns)
        self._row = TypeAdapter(tuple[types], config=ConfigDict(strict=True))  # type: ignore[valid-type]
        return Columns(line.table, columns)

    def _checked_row(self, data: bytes) -> BackupRow:
        self._digest.update(data)
        self._rows += 1
        if self._rows > self._limits.rows:
            raise self._fault(Text("there are too many rows"))
        if self._row is None:
            raise self._fault(Text("a row of no table"))
        try:
            return BackupRow(self._row.validate_json(data))
        except ValidationError as error:
            raise self._fault(self._reason(error)) from None

    def _close(self, data: bytes, packed: gzip.GzipFile) -> None:
        """Checks that the last line counts the rows and hashes the lines before it, and is the last."""
        closing = self._valid(_ClosingLine, self._object(data))
        if closing.rows != self._rows or closing.sha256 != self._digest.hexdigest():
            raise StoreError(
                Text("{file} is damaged: its contents have changed since it was made", file=str(self._path))
            )
        if self._next(packed):
            raise self._fault(Text("something comes after the end"))

    def _object(self, data: bytes) -> dict[str, Any]:
        try:
            value = _parse(data.decode())
        except UnicodeDecodeError:
            raise self._fault(_NO_JSON) from None
        except _Refusal as refusal:
            raise self._fault(refusal.why) from None
        if not isinstance(value, dict):
            raise self._fault(_NO_OBJECT)
        return value

    def _valid(self, kind: type[_AnyObject], value: Mapping[str, Any]) -> _AnyObject:
        try:
            return kind.model_validate(value)
        except ValidationError as error:
            raise self._fault(self._reason(error)) from None

    def _reason(self, error: ValidationError) -> Text:
        """The fault, after its column or key if it has one, but without the value, which may be secret.

        A fault that only the library finds is quoted in its words.
        """
        fault = error.errors(include_url=False, include_input=False)[0]
        refusal = fault.get("ctx", {}).get("error")
        why = refusal.why if isinstance(refusal, _Refusal) else quoted(fault["msg"])
        match fault["loc"]:
            case (int(column), *_) if column < len(self._columns):
                return Text("{column}: {reason}", column=self._columns[column], reason=why)
            case (str(key), *_):
                # As JSON, since a forged key may be invisible.
                spelled = safe_name(json.dumps(key[:_MOST_QUOTED]), _MOST_QUOTED)
                return Text("{column}: {reason}", column=spelled, reason=why)
        return why

    def _fault(self, reason: Text) -> StoreError:
        return StoreError(
            Text(
                "{file} isn't a backup, or is damaged (line {n}: {reason})",
                file=str(self._path),
                n=self._line,
                reason=reason,
            )
        )


def _parse(text: str) -> Any:
    """Parses JSON that has no key twice, no `NaN` or `Infinity` and no integer far too long for a database.

    Raises `_Refusal`.
    """
    try:
        return _JSON.decode(text)
    except json.JSONDecodeError:
        raise _Refusal(_NO_JSON) from None
    except RecursionError:
        raise _Refusal(_TOO_DEEP) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Refusal(Text("a name occurs twice in it"))
    return found


def _integer(digits: str) -> int:
    if len(digits) > len(str(-(2**63))):
        raise _Refusal(Text("a number is too large"))
    return int(digits)


def _refuse_constant(name: str) -> Any:
    raise _Refusal(Text("{word} isn't a number in JSON", word=name))


_JSON = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_constant=_refuse_constant)


def _is_deeper(value: Any, most: int) -> bool:
    """Whether a value has more than ``most`` lists and objects within each other."""
    if not isinstance(value, dict | list):
        return False
    inside = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_is_deeper(one, most - 1) for one in inside)
