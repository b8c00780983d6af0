"""The actions of people at a table besides moves: joining, leaving, computers, cuts, kicks, rematches.

Each action takes a table and returns the table after it, or raises `Refused` with a reason.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.i18n import NAME_WIDTH, visible
from bot.model import PersonId, Player, Refused
from bot.tables.commitment import CUT_LENGTH
from bot.tables.computers import computers
from bot.tables.table import Table
from engines import games
from engines.game import Name, Seat, Text, allows, plural

CUTS = 2
"""The most cuts that one player may make. A common limit would let one player use it up and so cut last."""


_SENT_AWAY = Text("You were removed from this table, so you can't come back.")


def join(table: Table, person: PersonId, name: str) -> Table:
    """The table with a person in the next seat, in place of a computer player if the table is full."""
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
    return table.sit(Player(_unique(table, name), person=person))


def leave(table: Table, person: PersonId) -> Table:
    """The table after a player has left: without the seat before the start, later with a computer in it."""
    seat = seat_of(table, person)
    table.must_be_open()
    if table.status == "playing":
        if table.players[seat].is_away:
            raise Refused(Text("A computer is already playing for you."))
        return _with_owner(table.add("away", seat, person=person, level=table.level))
    return _closed_if_empty(table.add("leave", seat, person=person))


def come_back(table: Table, person: PersonId) -> Table:
    """The table with a player back in the seat that a computer held for them.

    If the owner of the table is still away, the returning player becomes the owner.
    """
    seat = seat_of(table, person)
    table.must_be_playing()
    if table.players[seat].kicked:
        raise Refused(_SENT_AWAY)
    if not table.players[seat].is_away:
        raise Refused(Text("You already have your seat."))
    return _with_owner(table.add("back", seat, person=person))


def add_computer(table: Table, person: PersonId) -> Table:
    """The table with one more computer player; any player may add one."""
    _must_be_lobby(table)
    seat_of(table, person)
    if len(table.players) >= table.game.seats[-1]:
        raise Refused(Text("There is no free seat."))
    return _with_computers(table, len(table.players) + 1)


def remove_computer(table: Table, person: PersonId) -> Table:
    """The table without its last computer player; any player may remove one."""
    _must_be_lobby(table)
    seat_of(table, person)
    seats = [seat for seat, player in enumerate(table.players) if player.is_computer]
    if not seats:
        raise Refused(Text("There is no computer at the table."))
    return table.add("dismiss", seats[-1], person=person)


def set_computers(table: Table, person: PersonId, number: int) -> Table:
    """The table with so many computer players; any player may set that."""
    _must_be_lobby(table)
    seat_of(table, person)
    computer_seats = [seat for seat, player in enumerate(table.players) if player.is_computer]
    people = len(table.players) - len(computer_seats)
    if number > (room := table.game.seats[-1] - people):
        raise Refused(
            plural("There is only room for {n} computer.", "There is only room for {n} computers.", room)
            if room
            else Text("There is no free seat.")
        )
    for seat in reversed(computer_seats[number:]):
        table = table.add("dismiss", seat, person=person)
    return _with_computers(table, people + number)


def set_option(table: Table, person: PersonId, option: str, value: str) -> Table:
    """The table with a house rule set by its owner."""
    _must_be_lobby(table)
    _must_own(table, person)
    if not allows(table.game.options, option, value):
        raise Refused(Text("This game has no house rule {rule}.", rule=f"{option}={value}"))
    if table.options.get(option) == value:
        return table
    return table.add("option", person=person, option=option, value=value)


def cut(table: Table, person: PersonId, words: str) -> Table:
    """The table after a cut; invisible characters are dropped, since all players are shown its words."""
    _must_be_lobby(table)
    seat = seat_of(table, person)
    seen = visible(words)
    if not seen:
        raise Refused(Text("Cut the deck with a few words of your own."))
    if len(seen) > CUT_LENGTH:
        raise Refused(Text("That's too long: cut with at most {n} characters.", n=CUT_LENGTH))
    if [who for who, _ in table.cuts].count(seat) >= CUTS:
        raise Refused(
            plural(
                "You have already cut {n} time. That's all you get.",
                "You have already cut {n} times. That's all you get.",
                CUTS,
            )
        )
    return table.add("cut", seat, person=person, words=seen)


def start(table: Table, person: PersonId) -> Table:
    """The table after the deal, with computer players in empty seats; closed if its rules are outdated."""
    _must_be_lobby(table)
    seat_of(table, person)
    if table.outdated:
        return table.add("end", reason="updated")
    table = _with_computers(table, max(table.planned_seats, table.game.seats[0]))
    return table.add("start", person=person)


def kick(table: Table, seat: Seat, person: PersonId, *, moderator: bool) -> Table:
    """The table after a kick; the kicked player may not come back."""
    _must_keep_order(table, person, moderator=moderator)
    table.must_be_open()
    player = table.players[seat]
    if player.person is None:
        raise Refused(Text("{who} is a computer. Any player can remove it before the start.", who=Name(seat)))
    if player.person == person:
        raise Refused(Text("You can't remove yourself. To go, leave the table."))
    if player.kicked:
        return table
    if table.status == "playing":
        return _with_owner(table.add("kick", seat, person=person, level=player.level or table.level))
    return _closed_if_empty(table.add("kick", seat, person=person))


def end(table: Table, person: PersonId, *, moderator: bool) -> Table:
    """The table closed by its owner or a moderator, also a damaged one."""
    _must_keep_order(table, person, moderator=moderator)
    table.must_not_be_over()
    return table.add("end", person=person, reason="stopped")


def rematch(
    table: Table, person: PersonId, number: int, *, without: Collection[PersonId] = ()
) -> tuple[Table, Table]:
    """The table with an entry for its rematch, and the new table, with the same players in their order.

    The person who asks owns the new table and gets a seat even if away; other players who are away
    are left out, and so are the people in ``without``.
    """
    seat = seat_of(table, person)
    if table.players[seat].kicked:
        raise Refused(_SENT_AWAY)
    if table.status != "over":
        raise Refused(Text("The game isn't over yet."))
    if table.followed:
        raise Refused(Text("There's already a table for the rematch."))
    if table.key not in games():
        raise Refused(Text("This game can no longer be played here."))
    back = replace(table.players[seat], level=None)
    players = (*table.players[:seat], back, *table.players[seat + 1 :])
    staying = [player for player in players if not player.is_away and player.person not in without]
    whole = len(staying) == len(table.players) and table.state is not None and not table.ended
    new = Table.open(
        table.key,
        {name: value for name, value in table.options.items() if allows(table.game.options, name, value)},
        place=table.place,
        number=number,
        planned_seats=table.planned_seats,
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
        raise Refused(_SENT_AWAY)
    if table.players[seat].is_away:
        raise Refused(Text("A computer is playing for you. Take your seat back first."))
    return seat


def may_keep_order(table: Table, person: PersonId, *, moderator: bool) -> bool:
    """Whether a person may kick players and close the table: its owner and moderators may."""
    return moderator or person == table.owner


def _unique(table: Table, name: str) -> str:
    """A name not yet taken at the table, since readers could not tell two equal names apart in the news."""
    taken = {player.name.casefold() for player in table.players}
    if not name or name.casefold() not in taken:
        return name
    short = name[: NAME_WIDTH - 2].rstrip()
    return next(f"{short} {n}" for n in range(2, len(taken) + 3) if f"{short} {n}".casefold() not in taken)


def _with_computers(table: Table, seats: int) -> Table:
    missing = seats - len(table.players)
    taken = [player.name for player in table.players]
    for player in computers(max(missing, 0), table.level, taken):
        table = table.sit(player)
    return table


def _people(table: Table) -> list[PersonId]:
    """The people who are not away, by seat."""
    return [player.person for player in table.players if player.person and not player.is_computer]


def _with_owner(table: Table) -> Table:
    """Makes the first person who is not away the owner, if the owner is away, has left or was kicked."""
    heirs = _people(table)
    kicked = any(player.kicked and player.person == table.owner for player in table.players)
    if table.owner in heirs or not (heirs or kicked):
        return table
    return table.add("owner", owner=heirs[0] if heirs else "")


def _closed_if_empty(table: Table) -> Table:
    """Closes a table in the lobby if no people are left at it; else gives it an owner if it needs one."""
    return _with_owner(table) if _people(table) else table.add("end", reason="empty")


def _must_be_lobby(table: Table) -> None:
    table.must_be_open()
    if table.status == "playing":
        raise Refused(Text("The game has already begun."))


def _must_own(table: Table, person: PersonId) -> None:
    if person != table.owner:
        raise Refused(Text("Only the player who opened the table can do that."))


def _must_keep_order(table: Table, person: PersonId, *, moderator: bool) -> None:
    if not may_keep_order(table, person, moderator=moderator):
        raise Refused(Text("Only the player who opened the table can do that, or a moderator."))


def _already() -> Table:
    raise Refused(Text("You already have a seat at this table."))
