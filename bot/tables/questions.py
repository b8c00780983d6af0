"""Questions that a running game's players decide: who sits in, whether it ends or a move is taken back.

A table has one open question at a time. Each transition returns the table after it or raises `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import ceil

from bot.i18n import safe_name
from bot.model.ids import PersonId
from bot.model.tables import Question, QuestionKind, Refused
from bot.tables import undo
from bot.tables.seating import WAS_KICKED, holders, must_be_invited, playing_seat, unique_name, with_owner
from bot.tables.table import Table
from bot.tables.turn_clock import DAY, is_correspondence
from engines.game import Seat, Text, plural

PATIENCE = 120.0
"""Seconds after which a question that is not decided is closed."""
LONG_PATIENCE = float(DAY)
"""`PATIENCE` where a turn may last a day or more."""
ASK_AGAIN = 120.0
"""Seconds from a question that is not granted until the same person may ask another at the table."""
SIT_QUESTIONS = 3
"""How often a person may ask for a seat in one game without being let in."""

CLOSED = Text("That question is closed.")
"""The refusal of an answer that comes too late."""


def ask_to_sit(
    table: Table, person: PersonId, name: str, seat: Seat | None = None, tokens: Collection[str] = ()
) -> Table:
    """The table after a person has asked for a seat that a computer plays.

    People who have held a seat in this game, and so seen its cards, may ask only for that seat.
    """
    table.must_be_playing()
    if person in table.kicked:
        raise Refused(WAS_KICKED)
    if table.seat_of(person) is not None:
        raise Refused(Text("You already have a seat at this table."))
    must_be_invited(table, person, tokens)
    free = free_seats(table)
    if person in table.former:
        free = tuple(seat for seat in free if seat == table.former[person])
        if not free:
            raise Refused(Text("You've held another seat in this game, so you can only watch it."))
    if not free or seat not in (None, *free):
        raise Refused(Text("Only a computer's seat can be taken. Wait for the next game."))
    wanted = free[0] if seat is None else seat
    if all(seat in table.away or player.is_computer for seat, player in enumerate(table.players)):
        raise Refused(Text("None of the players is there to let you in."))
    return ask(table, person, wanted, "sit", name=name)


def ask_to_end(table: Table, person: PersonId) -> Table:
    """The table after a player has asked all others to end the game; ended if there are no others."""
    return ask(table, person, playing_seat(table, person), "end")


def ask_to_take_back(table: Table, person: PersonId) -> Table:
    """The table after a player has asked all others to take back the player's last move.

    Against computers alone it is taken back at once. Raises `Dropped` if that needs the whole log.
    """
    seat = playing_seat(table, person)
    to = undo.last_move(table, seat)
    if _is_alone(table, person):
        return undo.taken_back(table, seat)
    return ask(table, person, seat, "undo", to=to)


def ask(
    table: Table, person: PersonId, seat: Seat, kind: QuestionKind, *, name: str = "", to: int = 0
) -> Table:
    """The table after a question, decided at once if there is nobody to ask.

    ``to``, for ``undo`` alone, is the number of the move's entry. Raises `Refused` for a person who asks too
    often, and while another question is open; an open question to sit in gives way to one of another kind.
    """
    table.must_be_playing()
    table = lapse(table)
    _must_be_free(table, person, kind)
    _must_not_repeat(table, person, kind)
    called = name or table.players[seat].name
    table = table.add("ask", seat, person=person, what=kind, name=called, to=to, patience=patience(table))
    return decide(table)


def vote(table: Table, person: PersonId, n: int, yes: bool) -> Table:
    """The table after a player's answer to the question of entry ``n``, which may decide it.

    Raises `Refused` also if another question or none is open: an old button never answers a new question.
    """
    playing_seat(table, person)
    question = open_question(table)
    if question is None or question.n != n:
        raise Refused(CLOSED)
    if person == question.person:
        raise Refused(Text("That's your own question: the others answer it."))
    if person in question.votes:
        raise Refused(Text("You've already answered."))
    return decide(table.add("vote", table.seat_of(person), person=person, yes=yes))


def decide(table: Table) -> Table:
    """The table with its question carried out or closed, if the answers of those still asked decide it."""
    table = lapse(table)
    if (question := table.question) is None:
        return table
    match verdict(table, question):
        case True:
            return _EFFECTS[question.kind](table, question)
        case False:
            return close(table)
    return table


def lapse(table: Table) -> Table:
    """The table without its question, if the time for answers is over."""
    return close(table) if table.question and table.now >= table.question.lapses else table


def close(table: Table) -> Table:
    """The table after its question was closed without being granted: a vote entry without a person."""
    return table.add("vote", yes=False)


def open_question(table: Table) -> Question | None:
    """The question that can still be answered at the table's time; None if there is none."""
    question = table.question
    return question if question and table.now < question.lapses else None


def free_seats(table: Table) -> tuple[Seat, ...]:
    """The seats of a running game that a person may take.

    Computers' own seats come first, then those of people for whom a computer plays.
    """
    if not table.is_playing:
        return ()
    seats = [seat for seat, player in enumerate(table.players) if player.is_computer]
    return tuple(sorted(seats, key=lambda seat: table.players[seat].is_held))


def asked_of(table: Table, question: Question) -> tuple[Seat, ...]:
    """The seats whose players decide a question, without the asker's.

    Players who are away are not asked who sits in. While they hold their seats, they are still asked whether
    the game is ended or a move taken back.
    """
    return tuple(
        seat
        for seat, player in enumerate(table.players)
        if player.person not in (None, question.person)
        and not player.is_computer
        and not (question.kind == "sit" and seat in table.away)
    )


def unanswered(table: Table, question: Question) -> tuple[Seat, ...]:
    """The seats whose players have not answered a question yet."""
    return tuple(
        seat for seat in asked_of(table, question) if table.players[seat].person not in question.votes
    )


def verdict(table: Table, question: Question) -> bool | None:
    """The decision on a question; None until the answers decide it.

    The owner's answer decides who sits in; before it, the yes of more than half does, or the no of half. All
    must agree to take a move back or to end the game.
    """
    people = [table.players[seat].person for seat in asked_of(table, question)]
    answers = [question.votes[who] for who in people if who is not None and who in question.votes]
    if question.kind != "sit":
        return False if False in answers else True if len(answers) == len(people) else None
    if table.owner and table.owner in people and table.owner in question.votes:
        return question.votes[table.owner]
    if answers.count(True) * 2 > len(people):
        return True
    return False if answers.count(False) * 2 >= len(people) else None


def patience(table: Table) -> float:
    """The seconds for which a question of the table waits for answers."""
    return LONG_PATIENCE if is_correspondence(table.turn_seconds) else PATIENCE


def _must_be_free(table: Table, person: PersonId, kind: QuestionKind) -> None:
    """Raises `Refused` while a question is open that one of this kind may not replace.

    Only a question to sit in is replaced, by one of another kind: a person without a seat must not keep the
    players from asking.
    """
    question = open_question(table)
    if question is None or (question.kind == "sit" and kind != "sit"):
        return
    if question.person == person:
        raise Refused(Text("Your last question is still open. Wait until the others have answered."))
    raise Refused(
        Text("{who} has just asked something. Answer that first, then ask.", who=safe_name(question.name))
    )


def may_ask_again(table: Table, seat: Seat) -> bool:
    """Whether all that the seat's player asked since the last move was granted, or nobody else has a seat."""
    person = table.players[seat].person or ""
    before = table.asked.get(person)
    return before is None or before.stamp != table.stamp or _is_alone(table, person)


def _is_alone(table: Table, person: PersonId) -> bool:
    """Whether no other person has a seat, even one that a computer plays; kicked people do not count."""
    return all(player.person in (None, person) or player.kicked for player in table.players)


def _must_not_repeat(table: Table, person: PersonId, kind: QuestionKind) -> None:
    """Raises `Refused` for a person who asks too soon or too often after a question that was not granted.

    A player whom nobody can refuse, since the others were removed, need not wait.
    """
    before = table.asked.get(person)
    if before is None or (kind != "sit" and _is_alone(table, person)):
        return
    if kind == "sit" and before.for_seat >= SIT_QUESTIONS:
        raise Refused(Text("You have asked often enough. Join when this game is over."))
    if kind != "sit" and before.stamp == table.stamp:
        raise Refused(Text("You've just asked. Ask again after the next move."))
    if (wait := before.at + ASK_AGAIN - table.now) > 0:
        raise Refused(
            plural(
                "You've just asked. Ask again in {n} second.",
                "You've just asked. Ask again in {n} seconds.",
                ceil(wait),
            )
        )


def _sit_in(table: Table, question: Question) -> Table:
    """The table after the asker has taken the seat; turns without a clock may get one now."""
    name = unique_name(table, question.name, but=question.seat)
    seconds = 0 if table.turn_seconds else table.clock_for(len(holders(table)) + 1)
    clock = {"clock": seconds} if seconds else {}
    return with_owner(table.add("take", question.seat, person=question.person, name=name, **clock))


def _end(table: Table, question: Question) -> Table:
    """The table closed by all its players."""
    return table.add("end", person=question.person, reason="agreed")


def _take_back(table: Table, question: Question) -> Table:
    """The table after the asker's last move was taken back; a move since would have closed the question."""
    return undo.taken_back(table, question.seat)


_EFFECTS: Mapping[QuestionKind, Callable[[Table, Question], Table]] = {
    "sit": _sit_in,
    "end": _end,
    "undo": _take_back,
}
"""The change to the table when a question of each kind is granted."""
