"""The tables of the database; `bot.model` explains their values."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Index, MetaData, literal_column, text
from sqlmodel import Field, SQLModel

from bot.model.tables import SEATLESS_KINDS

_CONVENTION = {
    "pk": "%(table_name)s_pkey",
    "fk": "%(table_name)s_%(column_0_name)s_fkey",
    "uq": "%(table_name)s_%(column_0_name)s_key",
    "ix": "%(table_name)s_%(column_0_name)s_idx",
}
"""The names of keys and indexes."""
OVER: ColumnElement[str] = literal_column("'over'")
"""The status of a table that is over; no parameter, so that SQLite sees which indexes a query may use."""
_NAMING_KINDS = f"kind IN ({', '.join(map(repr, SEATLESS_KINDS))})"
NAMING: ColumnElement[bool] = literal_column(_NAMING_KINDS)
"""The entries of the `SEATLESS_KINDS`; spelled as in their index, so that SQLite uses it."""
GAINED = text("gained <> 0 AND period <> ''")
"""The tallies on a leaderboard by rating gained; spelled as in their index, so that SQLite uses it."""
# The conditions of the other partial indexes.
_NAMING = text(_NAMING_KINDS)
_LIVE, _OVER = text("status <> 'over'"), text("status = 'over'")
_DUE = text("due IS NOT NULL")
_HIDDEN = text("hidden")
_DATED = text("period <> ''")
_PERSONAL = text("reader <> ''")
_UNSETTLED = text("NOT settled")


class Base(SQLModel):
    """The base of all tables: it names keys and indexes by rule, so that migrations can name them."""

    metadata = MetaData(naming_convention=_CONVENTION)


class GameRow(Base, table=True):
    __tablename__ = "game"
    __table_args__ = (
        Index(
            "game_number_idx", "platform", "chat", "thread", "number", unique=True, sqlite_where=_LIVE,
            postgresql_where=_LIVE,
        ),
        Index("game_owner_idx", "owner", sqlite_where=_LIVE, postgresql_where=_LIVE),
        Index("game_place_idx", "platform", "chat", "thread"),
        Index("game_live_idx", "id", sqlite_where=_LIVE, postgresql_where=_LIVE),
        Index(
            "game_over_idx", "platform", "chat", "thread", "changed", sqlite_where=_OVER,
            postgresql_where=_OVER,
        ),
        Index("game_due_idx", "due", sqlite_where=_DUE, postgresql_where=_DUE),
    )  # fmt: skip

    id: str = Field(primary_key=True)
    platform: str
    chat: str
    thread: str
    number: int
    key: str
    revision: int
    status: str
    owner: str
    entries: int
    """Number of entries in the log; a batch is stored only if it begins at this number."""
    opened: float
    changed: float
    server_seed: bytes | None = Field(default=None, repr=False)
    seed_words: str | None = Field(default=None, repr=False)
    due: float | None = None
    uncounted: str = ""


class EntryRow(Base, table=True):
    __tablename__ = "entry"
    __table_args__ = (Index("entry_person_idx", "person", sqlite_where=_NAMING, postgresql_where=_NAMING),)

    game: str = Field(primary_key=True, foreign_key="game.id")
    n: int = Field(primary_key=True)
    kind: str
    seat: int | None = None
    person: str
    body: str
    """Canonical JSON."""
    at: float
    delivery: str | None = Field(default=None, unique=True)
    """The delivery that caused a batch, in the row of the batch's first entry only."""


class SeatRow(Base, table=True):
    __tablename__ = "seat"

    game: str = Field(primary_key=True, foreign_key="game.id")
    seat: int = Field(primary_key=True)
    name: str
    level: str | None = None
    person: str = Field(index=True)
    kicked: bool
    score: int | None = None
    won: bool


class AnalysisRow(Base, table=True):
    __tablename__ = "analysis"

    game: str = Field(primary_key=True, foreign_key="game.id")
    body: str
    """JSON, as `bot.tables.analysis` writes it."""


class EndingRow(Base, table=True):
    """The number of a game, in the order in which games ended or were adopted, and whether it is settled."""

    __tablename__ = "ending"
    __table_args__ = (
        Index("ending_unsettled_idx", "number", sqlite_where=_UNSETTLED, postgresql_where=_UNSETTLED),
    )

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    game: str = Field(foreign_key="game.id", unique=True)
    settled: bool


class ResultRow(Base, table=True):
    __tablename__ = "result"
    __table_args__ = (
        # A covering index for the results of a person's last games.
        Index("result_person_idx", "person", "ended", "key", "alone", "counts", "won"),
        Index("result_channel_idx", "channel", "ended"),
    )

    game: str = Field(primary_key=True, foreign_key="game.id")
    person: str = Field(primary_key=True)
    seat: int
    key: str
    number: int
    ended: float
    channel: str
    server: str
    place: int
    score: int
    won: bool
    alone: bool
    counts: bool
    unrated: str
    """Empty if the game is rated for the person."""
    mu_before: float | None = None
    sigma_before: float | None = None
    mu_after: float | None = None
    sigma_after: float | None = None


class RatingRow(Base, table=True):
    __tablename__ = "rating"
    __table_args__ = (
        Index("rating_key_idx", "key", "shown", "person"),
        # Counts the people of a large server who rank above a person, without reading their rows.
        Index("rating_scope_idx", "key", "person", "shown"),
    )

    person: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    mu: float
    sigma: float
    games: int
    changed: float
    shown: int
    """The rating as a number that players see; stored so that an index can sort by it."""


class TallyRow(Base, table=True):
    __tablename__ = "tally"
    __table_args__ = (
        # A covering index for each order of a leaderboard: ranks are counted without reading rows.
        Index("tally_scope_idx", "scope", "period", "key", "alone", "wins", "games", "person"),
        Index("tally_games_idx", "scope", "period", "key", "alone", "games", "person"),
        Index(
            "tally_gained_idx", "scope", "period", "key", "alone", "gained", "person",
            sqlite_where=GAINED, postgresql_where=GAINED,
        ),
        Index("tally_period_idx", "period", sqlite_where=_DATED, postgresql_where=_DATED),
    )  # fmt: skip

    scope: str = Field(primary_key=True)
    period: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    person: str = Field(primary_key=True)
    alone: bool = Field(primary_key=True)
    games: int
    wins: int
    gained: int


class PanelRow(Base, table=True):
    __tablename__ = "panel"
    __table_args__ = (
        Index(
            "panel_unsent_idx", "game", sqlite_where=text("wanted <> sent"),
            postgresql_where=text("wanted <> sent"),
        ),
        Index("panel_reader_idx", "reader", sqlite_where=_PERSONAL, postgresql_where=_PERSONAL),
    )  # fmt: skip

    game: str = Field(primary_key=True)
    reader: str = Field(primary_key=True)
    message: str
    draft: str
    """Canonical JSON: stamp, path, page, asked."""
    wanted: int
    sent: int
    announced: int
    told: int
    called: float
    """`PanelRecord.notified_at`."""
    alert: str
    aloud: bool
    watch: str


class RoomRow(Base, table=True):
    __tablename__ = "room"

    platform: str = Field(primary_key=True)
    chat: str = Field(primary_key=True)
    thread: str = Field(primary_key=True)
    community: str
    private: bool
    language: str | None = None
    openers: str
    barred: str
    """The ids of people, with spaces between them."""
    wishes: str
    """The ids of people, with spaces between them."""
    channel: str
    server: str
    spoken: str
    clock: int | None = None
    threads: bool | None = None
    asked: bool


class PersonRow(Base, table=True):
    __tablename__ = "person"
    __table_args__ = (Index("person_hidden_idx", "id", sqlite_where=_HIDDEN, postgresql_where=_HIDDEN),)

    id: str = Field(primary_key=True)
    name: str
    language: str | None = None
    order: str
    letters: bool
    careful: bool
    calls: str
    """`Person.turn_alerts`."""
    quiet: str
    zone: int | None = None
    """The distance from UTC in quarters of an hour; None if ``region`` names the zone, or it is unknown."""
    region: str
    """The IANA name of the time zone; empty if it is not known."""
    pictures: str
    forced: str
    hidden: bool
    suggestions: str
    alias: str = ""
    """The id that replaces the person's own, once a forgetting has begun; else empty."""


class AccountRow(Base, table=True):
    __tablename__ = "account"

    platform: str = Field(primary_key=True)
    user: str = Field(primary_key=True)
    person: str = Field(index=True)
    reachable: bool


class ProcessRow(Base, table=True):
    __tablename__ = "process"

    id: str = Field(primary_key=True)
    started: float
    seen: float
    """The time of its last beat."""
    platforms: str = ""
    """The keys of the platforms that it serves, with spaces between them."""


class LeaseRow(Base, table=True):
    __tablename__ = "lease"

    platform: str = Field(primary_key=True)
    chat: str = Field(primary_key=True)
    process: str
    """The id of a process; empty once released. A lease is free too if its process is dead or has no row."""
    fence: int
    free_at: float


class GateRow(Base, table=True):
    """A gate of `bot.store.writing.gates`; the row ``alive`` is no gate, but the last beat of any process."""

    __tablename__ = "gate"

    name: str = Field(primary_key=True)
    free_at: float
    """When a process may pass the gate; in the row ``alive`` the time of the beat."""


class OutageRow(Base, table=True):
    __tablename__ = "outage"

    began: float = Field(primary_key=True)
    ended: float


TABLES = Base.metadata.tables
GAMES, ENTRIES, SEATS = TABLES["game"], TABLES["entry"], TABLES["seat"]
ANALYSES = TABLES["analysis"]
ENDINGS, RESULTS, RATINGS, TALLIES = TABLES["ending"], TABLES["result"], TABLES["rating"], TABLES["tally"]
PANELS, ROOMS, PEOPLE, ACCOUNTS = TABLES["panel"], TABLES["room"], TABLES["person"], TABLES["account"]
PROCESSES, LEASES, GATES = TABLES["process"], TABLES["lease"], TABLES["gate"]
OUTAGE_ROWS = TABLES["outage"]
TRANSIENT = (PROCESSES, LEASES, GATES, OUTAGE_ROWS)
"""The tables about processes only, which no backup contains."""
