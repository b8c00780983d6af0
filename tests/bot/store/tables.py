"""Batches of made-up tables, with listings folded from the log by independent, simple code; a real table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.model.batches import Batch, Taken
from bot.model.ids import GameId, PersonId
from bot.model.places import Place
from bot.model.tables import Entry, Json, Listing, Player, Seated, Status
from bot.storage import Store
from bot.tables.table import Table
from engines.game import Level
from engines.values import replace

CHAT = Place("telegram", "-100", "7")


def folded(game: GameId, entries: Sequence[Entry], place: Place = CHAT, number: int = 1) -> Listing:
    """Folds a log into its listing.

    An `end` entry with `scores` sets scores and winners, an `undo` makes the game count for nobody.
    """
    seats: list[Seated] = []
    status: Status = "lobby"
    for entry in entries:
        match entry.kind:
            case "join":
                seats.append(
                    Seated(len(seats), Player(str(entry.body.get("name", "Nemo")), person=entry.person))
                )
            case "computer":
                level: Level = "normal" if entry.body.get("level") == "normal" else "easy"
                seats.append(Seated(len(seats), Player("Robot", level)))
            case "leave":
                left = (seated for seated in seats if seated.seat != entry.seat)
                seats = [replace(one, seat=seat) for seat, one in enumerate(left)]
            case "hold" | "kick":
                at = entry.seat or 0
                player = replace(seats[at].player, level="normal", kicked=entry.kind == "kick")
                seats[at] = replace(seats[at], player=player)
            case "start":
                status = "playing"
            case "end":
                status = "over"
                seats = [_scored(seated, entry.body.get("scores")) for seated in seats]
            case _:
                pass
    opened = entries[0]
    key = str(opened.body.get("game", "casino"))
    instants = (opened.at, entries[-1].at)
    listing = Listing(
        game, place, number, key, 3, status, opened.person, tuple(seats), len(entries), *instants
    )
    undone = any(entry.kind == "undo" for entry in entries)
    return replace(listing, uncounted="taken_back") if undone else listing


def _scored(seated: Seated, scores: object) -> Seated:
    if not isinstance(scores, Sequence):
        return seated
    return replace(seated, score=scores[seated.seat], won=scores[seated.seat] == max(scores))


class Tale:
    """A table as one writer knows it: keeps the log accepted so far, and makes the next batches."""

    def __init__(
        self,
        game: GameId = "a0",
        place: Place = CHAT,
        number: int = 1,
        *,
        key: str = "casino",
        owner: PersonId | None = "ana",
        at: float = 1000.0,
    ) -> None:
        self.game, self.place, self.number = game, place, number
        self.entries: tuple[Entry, ...] = ()
        self.at = at
        self._opening = Entry(0, "open", None, owner, {"game": key}, at)

    @property
    def listing(self) -> Listing:
        return folded(self.game, self.entries, self.place, self.number)

    def opened(self, delivery: str = "", seed: bytes | None = None, words: str | None = None) -> Batch:
        return replace(self.batch(self._opening, delivery=delivery), server_seed=seed, seed_words=words)

    def next(
        self,
        *kinds: str,
        person: PersonId | None = None,
        delivery: str = "",
        at: float | None = None,
        **body: Json,
    ) -> Batch:
        """A batch of an entry for each kind, all of the first seat, numbered after the log."""
        n, when = len(self.entries), self.at if at is None else at
        new = (
            Entry(n + i, kind, 0, person, body, when)  # type: ignore[arg-type]
            for i, kind in enumerate(kinds)
        )
        return self.batch(*new, delivery=delivery)

    def batch(self, *new: Entry, delivery: str = "") -> Batch:
        entries = (*self.entries, *new)
        return Batch(new, folded(self.game, entries, self.place, self.number), delivery)

    def follow(self, batches: Iterable[Batch]) -> None:
        """Puts accepted batches into the writer's log, each in place of all entries from its first on."""
        for batch in batches:
            self.entries = (*self.entries[: batch.entries[0].n], *batch.entries)


async def told(store: Store, tale: Tale, batch: Batch) -> None:
    """Appends a batch to the store, asserts that it is accepted, and follows it."""
    assert await store.append(batch) == Taken()
    tale.follow([batch])


def played(at: float, number: int) -> Table:
    """The table of a game that Bo's seat gave up if the number is odd, else Ana's; the entry names Bo."""
    table = Table.open("casino", number=number, clock=0).dated(0, at).at(at)
    for person in ("ana", "bo"):
        table = table.sit(Player(person, person=person))
    return table.start().add("forfeit", number % 2, person="bo")
