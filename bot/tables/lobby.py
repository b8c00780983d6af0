"""The actions of people at a table besides moves: joining, leaving, house rules, cuts, kicks, rematches …

Each action takes a table and returns the table after it, or raises `Refused` with a reason.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import ceil
from typing import NoReturn

from bot.i18n import visible
from bot.model.ids import PersonId
from bot.model.results import is_draw
from bot.model.tables import Player, Refused
from bot.settings.choices import Pace
from bot.tables.log.commitment import CUT_LENGTH
from bot.tables.names.computer_names import computers
from bot.tables.questions import decide
from bot.tables.seating import (
    WAS_KICKED,
    holders,
    must_be_invited,
    owner_name,
    seat_of,
    unique_name,
    with_owner,
)
from bot.tables.table import FOLLOWED, Table
from engines import games
from engines.game import Level, Name, Seat, Text, allows, option_warnings, plural
from engines.values import replace

OWNER_ABSENT_AFTER = 120.0
"""Seconds without an entry by the owner after which any player may start before `has_all_people`."""
MOST_CUTS = 2
"""The most cuts of one player. A common limit would let one player use it up and so cut last."""


def join(table: Table, person: PersonId, name: str, tokens: Collection[str] = ()) -> Table:
    """The table with a person in the next seat; if all seats are taken, the first computer player leaves.

    A person for whom a computer holds a seat gets it back, as in `come_back`. A table with guests is only
    for its owner and for people with one of the guests' tokens.
    """
    table.must_be_open()
    if (seat := table.seat_of(person)) is not None:
        return come_back(table, person) if table.players[seat].is_held else _refuse_second_seat()
    must_be_lobby(table)
    if person in table.kicked:
        raise Refused(WAS_KICKED)
    must_be_invited(table, person, tokens)
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
    return table.sit(Player(unique_name(table, name), person=person))


def leave(table: Table, person: PersonId) -> Table:
    """The table after a player has left: without the seat before the start, later as in `give_up_seat`."""
    seat = seat_of(table, person)
    table.must_be_open()
    if table.status == "playing":
        if table.players[seat].is_held:
            raise Refused(Text("A computer is already playing for you."))
        return give_up_seat(table, seat, person)
    return _closed_if_empty(table.add("leave", seat, person=person))


def give_up_seat(table: Table, seat: Seat, person: PersonId | None = None) -> Table:
    """The table after a player has left a running game or was away for too long.

    A computer holds the seat, or the player loses the game if `Table.vanish` is ``forfeit``.
    """
    if table.vanish == "forfeit":
        return table.add("forfeit", seat, person=person)
    return decide(with_owner(table.add("hold", seat, person=person, level=table.level)))


def come_back(table: Table, person: PersonId) -> Table:
    """The table with a player back in the seat that a computer held for them.

    An owner who had left owns the table again, unless it was handed over meanwhile. If a computer still plays
    for the owner, the returning player becomes the owner.
    """
    seat = seat_of(table, person)
    table.must_be_playing()
    if table.players[seat].kicked:
        raise Refused(WAS_KICKED)
    if not table.players[seat].is_held:
        raise Refused(Text("You already have your seat."))
    table = table.add("back", seat, person=person)
    return table.add("owner", owner=person) if table.displaced == person else with_owner(table)


def add_computer(table: Table, person: PersonId) -> Table:
    """The table with one more computer player; any player may add one."""
    must_be_lobby(table)
    seat_of(table, person)
    if len(table.players) >= table.game.seats[-1]:
        raise Refused(Text("There is no free seat."))
    return _with_computers(table, len(table.players) + 1)


def remove_computer(table: Table, person: PersonId) -> Table:
    """The table without its last computer player; any player may remove one."""
    must_be_lobby(table)
    seat_of(table, person)
    seats = [seat for seat, player in enumerate(table.players) if player.is_computer]
    if not seats:
        raise Refused(Text("There is no computer at the table."))
    return table.add("dismiss", seats[-1], person=person)


def set_computers(table: Table, person: PersonId, number: int) -> Table:
    """The table with ``number`` computer players; any player may set that."""
    must_be_lobby(table)
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
    must_be_lobby(table)
    must_own(table, person)
    if not allows(table.game.options, option, value):
        raise Refused(Text("There is no house rule “{rule}”.", rule=f"{option}={value}"))
    if table.options.get(option) == value:
        return table
    return table.add("option", person=person, option=option, value=value)


def set_level(table: Table, person: PersonId, level: Level) -> Table:
    """The table with its computers at the level that its owner has chosen."""
    must_be_lobby(table)
    must_own(table, person)
    return table if level == table.level else table.add("option", person=person, level=level)


def set_pace(table: Table, person: PersonId, pace: Pace) -> Table:
    """The table whose computers move as fast as its owner has chosen."""
    must_be_lobby(table)
    must_own(table, person)
    return table if pace == table.pace else table.add("option", person=person, pace=pace)


def set_hints(table: Table, person: PersonId, hints: bool) -> Table:
    """The table with hints allowed or forbidden, as its owner has chosen."""
    must_be_lobby(table)
    must_own(table, person)
    return table if hints == table.hints else table.add("option", person=person, hints=hints)


def warnings(table: Table) -> tuple[Text, ...]:
    """Warnings about house rules that do not suit the number of players, if the game began now."""
    seats = max(len(table.players), table.planned_seats, table.game.seats[0])
    return option_warnings(table.game.options, table.options, seats)


def cut(table: Table, person: PersonId, words: str) -> Table:
    """The table after a cut with these words; drops invisible characters, since all players see the words."""
    seat = cutting_seat(table, person)
    seen = visible(words)
    if not seen:
        raise Refused(Text("Cut the deck with a few words of your own."))
    if len(seen) > CUT_LENGTH:
        raise Refused(Text("That's too long: cut with at most {n} characters.", n=CUT_LENGTH))
    return table.add("cut", seat, person=person, words=seen)


def cutting_seat(table: Table, person: PersonId) -> Seat:
    """The seat of a player who may cut the deck now. Raises `Refused`."""
    must_be_lobby(table)
    seat = seat_of(table, person)
    if [cutter for cutter, _ in table.cuts].count(seat) >= MOST_CUTS:
        raise Refused(
            plural(
                "You have already cut {n} time. That's all you get.",
                "You have already cut {n} times. That's all you get.",
                MOST_CUTS,
            )
        )
    return seat


def start(table: Table, person: PersonId, *, moderator: bool = False) -> Table:
    """The table after the deal, closed if its rules are old.

    Computers take the free seats among those that were planned, or that the game needs. Until
    `has_all_people`, only a player who is the owner or a moderator may start; any player once the owner is
    absent.
    """
    must_be_lobby(table)
    seat_of(table, person)
    if not (may_keep_order(table, person, moderator=moderator) or has_all_people(table)):
        _owner_must_be_absent(table)
    if table.outdated:
        return table.add("end", reason="updated")
    return _with_computers(table, max(table.planned_seats, table.game.seats[0])).start(person)


def has_all_people(table: Table) -> bool:
    """Whether people sit in all seats that were planned, or, if none were, in all that the game has."""
    return len(holders(table)) >= (table.planned_seats or table.game.seats[-1])


def hand_over(table: Table, seat: Seat, person: PersonId, *, moderator: bool) -> Table:
    """The table with another owner: a person with a seat, for whom no computer plays."""
    must_keep_order(table, person, moderator=moderator)
    table.must_be_open()
    heir = table.players[seat]
    if heir.person is None:
        raise Refused(Text("{who} is a computer. Choose a player.", who=Name(seat)))
    if heir.is_computer:
        raise Refused(Text("A computer is playing for {who}. Choose another player.", who=Name(seat)))
    return table if heir.person == table.owner else table.add("owner", person=person, owner=heir.person)


def kick(table: Table, seat: Seat, person: PersonId, *, moderator: bool) -> Table:
    """The table after a kick; the kicked player may not come back."""
    must_keep_order(table, person, moderator=moderator)
    table.must_be_open()
    player = table.players[seat]
    if player.person is None:
        raise Refused(Text("{who} is a computer. Any player can remove it before the start.", who=Name(seat)))
    if player.person == person:
        raise Refused(Text("You can't remove yourself. To go, leave the table."))
    if player.kicked:
        return table
    if table.status == "playing":
        kicked = table.add("kick", seat, person=person, level=player.level or table.level)
        return decide(with_owner(kicked))
    return _closed_if_empty(table.add("kick", seat, person=person))


def end(table: Table, person: PersonId, *, moderator: bool) -> Table:
    """The table closed by its owner or a moderator, also a damaged one."""
    must_keep_order(table, person, moderator=moderator)
    table.must_not_be_over()
    return table.add("end", person=person, reason="stopped")


def rematch(
    table: Table, person: PersonId, number: int, *, without: Collection[PersonId] = ()
) -> tuple[Table, Table]:
    """The table with an entry for its rematch, and the new table, with the same players in their order.

    The person who asks owns the new table and gets a seat even if a computer holds theirs; other players
    whose seats computers hold are left out, and so are the people in ``without``.
    """
    seat = seat_of(table, person)
    if table.players[seat].kicked:
        raise Refused(WAS_KICKED)
    table.must_be_over()
    if table.followed:
        raise Refused(FOLLOWED)
    if table.key not in games():
        raise Refused(Text("This game can no longer be played here."))
    back = replace(table.players[seat], level=None)
    players = (*table.players[:seat], back, *table.players[seat + 1 :])
    staying = [player for player in players if not player.is_held and player.person not in without]
    people = {player.person for player in staying}
    same_people = all(player.person in people for player in table.players if player.person)
    carries = len(staying) == len(table.players) and table.state is not None and not table.ended
    new = Table.open(
        table.key,
        {name: value for name, value in table.options.items() if allows(table.game.options, name, value)},
        place=table.place,
        number=number,
        planned_seats=table.planned_seats,
        level=table.level,
        hints=table.hints,
        pace=table.pace,
        owner=person,
        carry=table.game.carry(table.state) if carries else None,
        carried_by=len(table.players) if carries else 0,
        follows=table.id,
        clock=table.clock,
        vanish=table.vanish,
        guests=table.guests,
        kicked=table.kicked,
        tally=tally_of(table) if same_people and not table.former else None,
    )
    for player in staying:
        new = new.sit(player)
    return table.add("rematch", person=person, game=new.id), new


def must_keep_order(table: Table, person: PersonId, *, moderator: bool) -> None:
    """Raises `Refused` for a person who is neither the owner of the table nor a moderator."""
    if not may_keep_order(table, person, moderator=moderator):
        raise Refused(Text("Only {who} or a moderator can do that.", who=owner_name(table)))


def tally_of(table: Table) -> Mapping[PersonId, int]:
    """How many games of a series of rematches each player has won, this one included if it counts.

    A draw counts for none.
    """
    seats = table.listing.seats
    counts = table.uncounted is None and not is_draw(seated.won for seated in seats)
    wins = {seated.player.person: counts and seated.won for seated in seats if seated.player.person}
    return {person: table.tally.get(person, 0) + won for person, won in wins.items()}


def may_keep_order(table: Table, person: PersonId, *, moderator: bool) -> bool:
    """Whether a person may kick players, close the table and the like: its owner and moderators may."""
    return moderator or person == table.owner


def _with_computers(table: Table, seats: int) -> Table:
    """The table with computers in the free seats up to this number of seats."""
    missing = seats - len(table.players)
    taken = [player.name for player in table.players]
    for player in computers(max(missing, 0), table.level, taken):
        table = table.sit(player)
    return table


def _closed_if_empty(table: Table) -> Table:
    """The table in the lobby, closed if no people are left at it; else with an owner if it needs one."""
    return with_owner(table) if holders(table) else table.add("end", reason="empty")


def must_be_lobby(table: Table) -> None:
    """Raises `Refused` unless the table is a lobby."""
    table.must_be_open()
    if table.status == "playing":
        raise Refused(Text("The game has already begun."))


def must_own(table: Table, person: PersonId) -> None:
    """Raises `Refused` for a person who does not own the table."""
    if person != table.owner:
        raise Refused(Text("Only {who} can do that: the table is theirs.", who=owner_name(table)))


def _owner_must_be_absent(table: Table) -> None:
    """Raises `Refused` if an owner with a seat has acted within the last `OWNER_ABSENT_AFTER` seconds."""
    owner_seat = None if table.owner is None else table.seat_of(table.owner)
    if owner_seat is None or table.owner is None:
        return
    wait = table.acted_at.get(table.owner, table.opened) + OWNER_ABSENT_AFTER - table.now
    if wait > 0:
        raise Refused(
            plural(
                "Seats are still free, so {who} starts; or you, in {n} second.",
                "Seats are still free, so {who} starts; or you, in {n} seconds.",
                ceil(wait),
                who=Name(owner_seat),
            )
        )


def _refuse_second_seat() -> NoReturn:
    raise Refused(Text("You already have a seat at this table."))
