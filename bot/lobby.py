"""Who sits at a table: opening, joining, leaving, computers, cuts, and who may do what.

Each function makes a table of a table, or raises `Refused` with a reason.
"""

from __future__ import annotations

from bot.brains import computers
from bot.fair import CUT_LENGTH
from bot.i18n import NAME_WIDTH
from bot.model import PersonId, Player, Refused
from bot.table import Table
from engines.game import Name, Seat, Text, plural

CUTS = 12
"""The most cuts that a table takes."""


def join(table: Table, person: PersonId, name: str) -> Table:
    """The table with a person in a seat: the next one, or one that a computer has."""
    if (seat := table.seat_of(person)) is not None:
        return come_back(table, person) if table.players[seat].is_away else _already()
    _must_be_lobby(table)
    if len(table.players) >= table.game.seats[-1]:
        free = next((n for n, player in enumerate(table.players) if player.is_computer), None)
        if free is None:
            raise Refused(
                plural(
                    "The table is full: this game has {n} seat.",
                    "The table is full: this game has {n} seats.",
                    len(table.players),
                )
            )
        table = table.add("dismiss", free, person=person)
    return table.sit(Player(_distinct(table, name), person=person))


def leave(table: Table, person: PersonId) -> Table:
    """The table without a person: before the start their seat is gone, later a computer has it."""
    seat = seat_of(table, person)
    if table.status == "over":
        raise Refused(Text("This table is closed."))
    if table.status == "playing":
        if table.players[seat].is_away:
            raise Refused(Text("A computer player has your seat already."))
        return _orphaned(table.add("away", seat, person=person, level=table.level), person)
    table = table.add("leave", seat, person=person)
    return _orphaned(table, person) if any(_people(table)) else table.add("end", reason="empty")


def come_back(table: Table, person: PersonId) -> Table:
    """The table with a person in the seat that a computer has held for them."""
    seat = seat_of(table, person)
    table.must_be_playing()
    if table.players[seat].kicked:
        raise Refused(Text("You were asked to leave this table."))
    if not table.players[seat].is_away:
        raise Refused(Text("You are in your seat already."))
    return table.add("back", seat, person=person)


def add_computer(table: Table, person: PersonId) -> Table:
    """The table with one more computer player."""
    _must_be_lobby(table)
    seat_of(table, person)
    if len(table.players) >= table.game.seats[-1]:
        raise Refused(Text("There is no free seat."))
    return _filled(table, len(table.players) + 1)


def remove_computer(table: Table, person: PersonId) -> Table:
    """The table without its last computer player."""
    _must_be_lobby(table)
    seat_of(table, person)
    seats = [seat for seat, player in enumerate(table.players) if player.is_computer]
    if not seats:
        raise Refused(Text("There is no computer player at the table."))
    return table.add("dismiss", seats[-1], person=person)


def set_option(table: Table, person: PersonId, option: str, value: str) -> Table:
    """The table with another house rule."""
    _must_be_lobby(table)
    _must_own(table, person)
    if value not in table.game.options.get(option, ()):
        raise Refused(Text("This game has no house rule {rule}.", rule=f"{option}={value}"))
    return table.add("option", person=person, option=option, value=value)


def cut(table: Table, person: PersonId, words: str) -> Table:
    """The table with words of a person in the shuffle; everybody sees them, so none may be invisible."""
    _must_be_lobby(table)
    seat = seat_of(table, person)
    seen = "".join(char for char in words if char.isprintable() or char.isspace())
    seen = " ".join(seen.split())
    if not seen:
        raise Refused(Text("Cut the deck with a few words."))
    if len(seen) > CUT_LENGTH:
        raise Refused(Text("A cut has at most {n} characters.", n=CUT_LENGTH))
    if len(table.cuts) >= CUTS:
        raise Refused(Text("The deck is cut often enough."))
    return table.add("cut", seat, person=person, words=seen)


def start(table: Table, person: PersonId) -> Table:
    """The table dealt, with computer players in the seats that are still empty."""
    _must_be_lobby(table)
    seat_of(table, person)
    table = _filled(table, max(table.wanted, table.game.seats[0]))
    if table.outdated:
        return table.add("end", reason="updated")
    return table.add("start", person=person)


def kick(table: Table, seat: Seat, person: PersonId, *, moderator: bool) -> Table:
    """The table without whoever sits in a seat, who may not come back to it."""
    _must_keep_order(table, person, moderator=moderator)
    if table.status == "over":
        raise Refused(Text("This table is closed."))
    player = table.players[seat]
    if not player.person:
        raise Refused(Text("{who} is a computer player.", who=Name(seat)))
    if player.person == person:
        raise Refused(Text("To go yourself, leave the table."))
    if table.status == "playing":
        return table.add("kick", seat, person=person, level=player.level or table.level)
    return table.add("leave", seat, person=person)


def end(table: Table, person: PersonId, *, moderator: bool) -> Table:
    """The table closed, whatever was being played."""
    _must_keep_order(table, person, moderator=moderator)
    if table.status == "over":
        raise Refused(Text("This table is closed."))
    return table.add("end", person=person, reason="stopped")


def rematch(table: Table, person: PersonId, number: int) -> tuple[Table, Table]:
    """The table, and a new one where those who are still there sit as before, with what this game hands on.

    The new one belongs to whoever asked for it.
    """
    seat_of(table, person)
    if table.status != "over":
        raise Refused(Text("The game is not over."))
    if table.followed:
        raise Refused(Text("There is a rematch already."))
    staying = [player for player in table.players if not player.is_away]
    whole = len(staying) == len(table.players) and table.state is not None and not table.ended
    new = Table.open(
        table.key,
        table.options,
        place=table.place,
        number=number,
        wanted=table.wanted,
        level=table.level,
        owner=person,
        carry=table.game.carry(table.state) if whole else None,
        carried_by=len(table.players) if whole else 0,
        follows=table.id,
    )
    for player in staying:
        new = new.sit(player)
    return table.add("rematch", person=person, game=new.id), new


def seat_of(table: Table, person: PersonId) -> Seat:
    """The seat of a person; refuses whoever has none."""
    if (seat := table.seat_of(person)) is None:
        raise Refused(Text("You have no seat at this table."))
    return seat


def may_keep_order(table: Table, person: PersonId, *, moderator: bool) -> bool:
    """Whether a person may kick others and close the table: whoever opened it, or a moderator."""
    return moderator or (bool(person) and person == table.owner)


def _distinct(table: Table, name: str) -> str:
    """A name that nobody at the table has: two of the same name could not be told apart in the news."""
    taken = {player.name.casefold() for player in table.players}
    if not name or name.casefold() not in taken:
        return name
    short = name[: NAME_WIDTH - 2].rstrip()
    return next(f"{short} {n}" for n in range(2, len(taken) + 3) if f"{short} {n}".casefold() not in taken)


def _filled(table: Table, seats: int) -> Table:
    missing = seats - len(table.players)
    taken = [player.name for player in table.players]
    for player in computers(max(missing, 0), table.level, taken):
        table = table.sit(player)
    return table


def _people(table: Table) -> list[PersonId]:
    """The people who play themselves, in the order of seats."""
    return [player.person for player in table.players if player.person and not player.is_computer]


def _orphaned(table: Table, owner: PersonId) -> Table:
    """Hands the table on where its owner has gone and somebody else is there."""
    heirs = [person for person in _people(table) if person != owner]
    if table.owner == owner and heirs:
        return table.add("owner", owner=heirs[0])
    return table


def _must_be_lobby(table: Table) -> None:
    if table.status == "over":
        raise Refused(Text("This table is closed."))
    if table.status == "playing":
        raise Refused(Text("The game has begun."))


def _must_own(table: Table, person: PersonId) -> None:
    if person != table.owner:
        raise Refused(Text("Only who opened the table may do that."))


def _must_keep_order(table: Table, person: PersonId, *, moderator: bool) -> None:
    if not may_keep_order(table, person, moderator=moderator):
        raise Refused(Text("Only who opened the table may do that, or a moderator."))


def _already() -> Table:
    raise Refused(Text("You have a seat at this table already."))
