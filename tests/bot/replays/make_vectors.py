"""Makes the test vectors: files of finished games of every kind, from fixed seeds.

Run it for a new game, a new revision of one, or a new member (key) of the format of game files:
``python -m tests.bot.replays.make_vectors``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bot.model.tables import Entry, Json, Player
from bot.replays.export import game_file
from bot.replays.game_file import GameFile, written
from bot.tables import lobby
from bot.tables.log.commitment import ChosenSeed, CommittedSeed, SeedSource
from bot.tables.table import Table
from bot.tables.undo import taken_back
from engines import games

VECTORS = Path(__file__).with_name("vectors")
_NAMES = ("Ana", "Beto", "Carla", "Dario", "Ema", "Fede")
_CUTS = ((1, "two words"), (0, 'ñandú "quoted" \\ ♠ 🎲'), (1, "last"))
_OPENED_AT = 1_763_000_000.0


class Vector(NamedTuple):
    """A game to be played from a fixed seed."""

    name: str
    key: str
    seats: int
    options: Mapping[str, str] = {}
    cuts: Sequence[tuple[int, str]] = ()
    carry: Mapping[str, Json] = {}
    source: SeedSource | None = None


def vectors() -> Iterator[Vector]:
    """Every game without cuts and with cuts; games after an earlier one, under house rules and from words.

    Only games that carry something on are dealt after an earlier one.
    """
    for key, game in games().items():
        least, most = game.seats[0], game.seats[-1]
        yield Vector(f"{key}-alone", key, least)
        yield Vector(f"{key}-cuts", key, most, cuts=_CUTS)
        if handed_on := dict(game.carry(game.new(least, b"any", {}))):
            yield Vector(f"{key}-carry", key, least, carry={**handed_on, "dealer": 1}, cuts=_CUTS[:1])
    yield Vector("casino-auto", "casino", 3, {"exchange": "auto"})
    yield Vector("casino-words", "casino", 2, source=ChosenSeed("breakfast, mañana"))
    yield Vector("svoi-mirrored", "svoi", 2, {"mirrored_deal": "on"})
    yield Vector("svoi-sixes", "svoi", 2, {"sixes_to_owner": "on"})
    yield Vector("boathouse-hands", "boathouse", 3, {"hands": "2"})
    yield Vector("trio_escalera-hand", "trio_escalera", 3, {"hand_size": "5", "strict": "on"})


def played(vector: Vector) -> Table:
    """The table of a vector, played to its end by computers for people."""
    table = started(vector)
    while table.status != "over":
        table = moved(table)
    return table


def started(vector: Vector) -> Table:
    """The table of a vector after the deal."""
    table = _opened(vector)
    for seat in range(vector.seats):
        table = table.sit(Player(_NAMES[seat], person=f"p{seat}"))
    for seat, words in vector.cuts:
        table = lobby.cut(table, f"p{seat}", words)
    return table.start("p0")


def moved(table: Table) -> Table:
    """The table after one move of a computer for a player."""
    seat, game = table.active()[0], table.game
    moves = tuple(game.moves(table.state, seat))
    move = game.think(game.view(table.state, seat), moves, Random(len(table.entries)))
    return table.at(table.now + 1).play(seat, str(move))


def odd_ends() -> Iterator[tuple[str, Table]]:
    """Games that did not go straight to their end."""
    vector = Vector("cardlebones-undo", "cardlebones", 2, cuts=_CUTS[:1])
    table = moved(moved(moved(started(vector))))
    table = moved(taken_back(table, table.entries[-1].seat or 0))
    table = table.add("hold", 0, person="p0", level="hard")
    table = moved(table).add("take", 0, person="p9", name="Zoe")
    while table.status != "over":
        table = moved(table)
    yield vector.name, table
    vector = Vector("casino-forfeit", "casino", 2)
    yield vector.name, moved(started(vector)).add("forfeit", 1, person="p1")
    vector = Vector("svoi-closed", "svoi", 2)
    table = moved(moved(moved(started(vector))))
    yield vector.name, table.time_out(table.active()[0]).add("end", reason="agreed")
    vector = Vector("casino-undealt", "casino", 2)
    table = _opened(vector).sit(Player(_NAMES[0], person="p0"))
    yield vector.name, table.add("end", reason="closed")


def _opened(vector: Vector) -> Table:
    """The table of a vector before anyone sits down."""
    seed_source = vector.source or CommittedSeed(vector.name.encode().ljust(32, b"."))
    return Table(seed_source).at(_OPENED_AT).after(_opening(vector, seed_source))


def _opening(vector: Vector, seed_source: SeedSource) -> Entry:
    """The first entry of a table, with an id that follows from the vector's name."""
    entry = Table.open(
        vector.key,
        dict(vector.options),
        seed_source=seed_source,
        owner="p0",
        carry=dict(vector.carry),
        carried_by=vector.seats if vector.carry else 0,
    ).entries[0]
    game = f"{Random(vector.name).getrandbits(40):010x}"
    return Entry(0, "open", None, "p0", {**entry.body, "id": game}, _OPENED_AT)


def files() -> Iterator[tuple[str, GameFile]]:
    """All vectors, by name."""
    for vector in vectors():
        yield vector.name, game_file(played(vector))
    for name, table in odd_ends():
        yield name, game_file(table)


if __name__ == "__main__":
    for path in VECTORS.glob("*.json"):
        path.unlink()
    for name, file in files():
        (VECTORS / f"{name}.json").write_bytes(written(file))
