"""The people in the seats of a table: who holds which, who may act in it, and who owns the table."""

from __future__ import annotations

from collections.abc import Collection

from bot.i18n import NAME_WIDTH, safe_name
from bot.model.ids import PersonId
from bot.model.tables import Refused
from bot.tables.table import Table
from engines.game import NOT_YOUR_TURN, Arg, IllegalMove, Name, Seat, Text

WAS_KICKED = Text("You were removed from this table, so you can't come back.")
"""The refusal of a person who was kicked."""


def seat_of(table: Table, person: PersonId) -> Seat:
    """The seat of a person. Raises `Refused` if they have none."""
    if (seat := table.seat_of(person)) is None:
        raise Refused(Text("You have no seat at this table."))
    return seat


def playing_seat(table: Table, person: PersonId) -> Seat:
    """The seat in which a person may play now. Raises `Refused` with the reason if they may not.

    Does not check whether it is their turn: the game does.
    """
    seat = seat_of(table, person)
    table.must_be_playing()
    if table.players[seat].kicked:
        raise Refused(WAS_KICKED)
    if table.players[seat].is_held:
        raise Refused(Text("A computer is playing for you. Take your seat back first."))
    return seat


def must_be_active(table: Table, seat: Seat) -> None:
    """Raises `IllegalMove` for a seat that has nothing to decide; in some games others may not learn that."""
    if seat not in table.active():
        raise IllegalMove("not-your-turn", NOT_YOUR_TURN)


def must_be_invited(table: Table, person: PersonId, tokens: Collection[str]) -> None:
    """Raises `Refused` for a person with these `Caller.tokens`, if a table is only for others."""
    if table.guests and person != table.owner and not set(tokens) & set(table.guests):
        raise Refused(Text("This table is only for the players who were invited."))


def owner_name(table: Table) -> Arg:
    """The owner of a table in a sentence: by name if they have a seat, else as the one who opened it."""
    seat = None if table.owner is None else table.seat_of(table.owner)
    if seat is None:
        return Text("the player who opened the table")
    return safe_name(table.players[seat].name) or Name(seat)


def unique_name(table: Table, name: str, *, but: Seat | None = None) -> str:
    """A name not yet taken at the table, since readers could not tell two equal names apart in the news.

    The name in the seat ``but`` counts as free.
    """
    taken = {player.name.casefold() for seat, player in enumerate(table.players) if seat != but}
    if not name or name.casefold() not in taken:
        return name
    short = name[: NAME_WIDTH - 2].rstrip()
    return next(f"{short} {n}" for n in range(2, len(taken) + 3) if f"{short} {n}".casefold() not in taken)


def holders(table: Table) -> list[PersonId]:
    """The people who hold their seats themselves, by seat."""
    return [player.person for player in table.players if player.person and not player.is_computer]


def with_owner(table: Table) -> Table:
    """Makes the first player who holds their seat the owner, if the owner holds none.

    A player who is away inherits only if all are. Without heirs, only a kicked owner loses the table.
    """
    away = {table.players[seat].person for seat in table.away}
    heirs = sorted(holders(table), key=lambda person: person in away)
    kicked = any(player.kicked and player.person == table.owner for player in table.players)
    if table.owner in heirs or not (heirs or kicked):
        return table
    return table.add("owner", owner=heirs[0] if heirs else "")
