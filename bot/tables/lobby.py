"""Who sits at a table: opening, joining, leaving, computers, cuts, and who may do what.

Each function makes a table of a table, or raises `Refused` with a reason.
"""

from __future__ import annotations

from dataclasses import replace

from bot.i18n import NAME_WIDTH
from bot.model import PersonId, Player, Refused
from bot.tables.commitment import CUT_LENGTH
from bot.tables.computers import computers
from bot.tables.table import Table
from engines import games
from engines.game import Name, Seat, Text, allows, plural

CUTS = 2
"""The most cuts of one player: whoever used up those of all could cut last."""


_SENT_AWAY = Text("You were asked to leave this table.")


def join(table: Table, person: PersonId, name: str) -> Table:
    """The table with a person in a seat: the next one, or one that a computer has."""
    table.must_be_open()
    if (seat := table.seat_of(person)) is not None:
        return come_back(table, person) if table.players[seat].is_away else _already()
    _must_be_lobby(table)
    if person in table.barred:
        raise Refused(_SENT_AWAY)
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
    table.must_be_open()
    if table.status == "playing":
        if table.players[seat].is_away:
            raise Refused(Text("A computer player has your seat already."))
        return _orphaned(table.add("away", seat, person=person, level=table.level))
    return _deserted(table.add("leave", seat, person=person))


def come_back(table: Table, person: PersonId) -> Table:
    """The table with a person in the seat that a computer has held for them.

    It is theirs if everybody else has gone, whoever opened it too.
    """
    seat = seat_of(table, person)
    table.must_be_playing()
    if table.players[seat].kicked:
        raise Refused(_SENT_AWAY)
    if not table.players[seat].is_away:
        raise Refused(Text("You are in your seat already."))
    return _orphaned(table.add("back", seat, person=person))


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
    if not allows(table.game.options, option, value):
        raise Refused(Text("This game has no house rule {rule}.", rule=f"{option}={value}"))
    return table.add("option", person=person, option=option, value=value)


def cut(table: Table, person: PersonId, words: str) -> Table:
    """The table with words of a person in the shuffle; everybody sees them, so none may be invisible."""
    _must_be_lobby(table)
    seat = seat_of(table, person)
    seen = visible(words)
    if not seen:
        raise Refused(Text("Cut the deck with a few words."))
    if len(seen) > CUT_LENGTH:
        raise Refused(Text("A cut has at most {n} characters.", n=CUT_LENGTH))
    if [who for who, _ in table.cuts].count(seat) >= CUTS:
        raise Refused(plural("You have cut {n} time already.", "You have cut {n} times already.", CUTS))
    return table.add("cut", seat, person=person, words=seen)


def visible(words: str) -> str:
    """Words in one line, without what nobody would see."""
    return " ".join("".join(char for char in words if char.isprintable() or char.isspace()).split())


def start(table: Table, person: PersonId) -> Table:
    """The table dealt, with computer players in the seats that are still empty."""
    _must_be_lobby(table)
    seat_of(table, person)
    if table.outdated:
        return table.add("end", reason="updated")
    table = _filled(table, max(table.wanted, table.game.seats[0]))
    return table.add("start", person=person)


def kick(table: Table, seat: Seat, person: PersonId, *, moderator: bool) -> Table:
    """The table without whoever sits in a seat, who may not come back to it."""
    _must_keep_order(table, person, moderator=moderator)
    table.must_be_open()
    player = table.players[seat]
    if player.person is None:
        raise Refused(Text("{who} is a computer player.", who=Name(seat)))
    if player.person == person:
        raise Refused(Text("To go yourself, leave the table."))
    if table.status == "playing":
        return _orphaned(table.add("kick", seat, person=person, level=player.level or table.level))
    return _deserted(table.add("kick", seat, person=person))


def end(table: Table, person: PersonId, *, moderator: bool) -> Table:
    """The table closed, whatever was being played."""
    _must_keep_order(table, person, moderator=moderator)
    table.must_be_open()
    return table.add("end", person=person, reason="stopped")


def rematch(table: Table, person: PersonId, number: int) -> tuple[Table, Table]:
    """The table, and a new one where those who are still there sit as before, with what this game hands on.

    The new one belongs to whoever asked for it, who is there, even if a computer has played for them.
    """
    seat = seat_of(table, person)
    if table.players[seat].kicked:
        raise Refused(_SENT_AWAY)
    if table.status != "over":
        raise Refused(Text("The game is not over."))
    if table.followed:
        raise Refused(Text("There is a rematch already."))
    if table.key not in games():
        raise Refused(Text("This game is not played here any more."))
    back = replace(table.players[seat], level=None)
    players = (*table.players[:seat], back, *table.players[seat + 1 :])
    staying = [player for player in players if not player.is_away]
    whole = len(staying) == len(table.players) and table.state is not None and not table.ended
    new = Table.open(
        table.key,
        {name: value for name, value in table.options.items() if allows(table.game.options, name, value)},
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


def playing_seat(table: Table, person: PersonId) -> Seat:
    """The seat in which a person may play now; refuses with the reason why they may not.

    Whether it is their turn is for the game to say.
    """
    seat = seat_of(table, person)
    table.must_be_playing()
    if table.players[seat].kicked:
        raise Refused(_SENT_AWAY)
    if table.players[seat].is_away:
        raise Refused(Text("A computer player has your seat. Take it back first."))
    return seat


def may_keep_order(table: Table, person: PersonId, *, moderator: bool) -> bool:
    """Whether a person may kick others and close the table: whoever opened it, or a moderator."""
    return moderator or person == table.owner


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


def _orphaned(table: Table) -> Table:
    """Hands the table on where its owner has gone and somebody else is there, or may not come back."""
    heirs = _people(table)
    kicked = any(player.kicked and player.person == table.owner for player in table.players)
    if table.owner in heirs or not (heirs or kicked):
        return table
    return table.add("owner", owner=heirs[0] if heirs else "")


def _deserted(table: Table) -> Table:
    """Closes a table in the lobby that everybody has left, or hands it on."""
    return _orphaned(table) if _people(table) else table.add("end", reason="empty")


def _must_be_lobby(table: Table) -> None:
    table.must_be_open()
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
