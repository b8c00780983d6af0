"""The reads of leaderboards and profiles in the memory store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.model.ids import PersonId
from bot.model.leaderboards import (
    FORM,
    FORM_IN,
    RECENT,
    RIVALS,
    Leaderboard,
    LeaderboardLine,
    LeaderboardPage,
    Profile,
    Rival,
    ranked,
)
from bot.model.people import Person
from bot.model.results import PlayerResult
from bot.store.memory.endings import MemoryEndings

PeopleById = Mapping[PersonId, Person]


def leaderboard_rows(
    endings: MemoryEndings,
    people: PeopleById,
    leaderboard: Leaderboard,
    reader: PersonId,
    first: int,
    count: int,
) -> LeaderboardPage:
    """The lines of a leaderboard from ``first`` on, and the reader's line."""
    lines = [line for line in _lines(endings, people, leaderboard) if not _is_hidden(people, line.person)]
    whole = ranked(lines, leaderboard)
    shown = whole[first : first + count]
    own = next((line for line in whole if line.person == reader), None)
    return LeaderboardPage(tuple(shown), own, len(whole) > first + count)


def _lines(endings: MemoryEndings, people: PeopleById, leaderboard: Leaderboard) -> Iterable[LeaderboardLine]:
    """The lines of a leaderboard, not yet ranked; hidden people have lines too."""
    period = "" if leaderboard.is_by_rating else leaderboard.period
    tallies = {
        one.person: one
        for one in endings.tallies.values()
        if (one.scope, one.period, one.key) == (leaderboard.scope, period, leaderboard.key)
        and one.alone == leaderboard.counts_alone
    }
    ratings = {person: rating for (person, key), rating in endings.ratings.items() if key == leaderboard.key}
    for person in ratings if leaderboard.is_by_rating and not leaderboard.scope else tallies:
        tally = tallies.get(person)
        yield LeaderboardLine(
            rank=0,
            person=person,
            name=_name(people, person),
            games=tally.games if tally else 0,
            wins=tally.wins if tally else 0,
            gained=0 if leaderboard.is_by_rating or not tally else tally.gained,
            rating=ratings.get(person) if leaderboard.is_by_rating else None,
            form=_form(endings, leaderboard, person),
        )


def _form(endings: MemoryEndings, leaderboard: Leaderboard, person: PersonId) -> tuple[bool, ...]:
    """Whether a person won each of their last games of a leaderboard's kind, the latest at the end.

    Only their last `FORM_IN` games are searched.
    """
    last = endings.results_of(person)[-FORM_IN:]
    won = [
        one.won
        for one in last
        if one.counts and one.alone == leaderboard.counts_alone and leaderboard.key in ("", one.key)
    ]
    return tuple(won[-FORM:])


def game_with_most_wins(endings: MemoryEndings, scope: str, keys: Sequence[str]) -> str:
    """The game of ``keys`` with the most wins of one person in a scope, games against computers left out.

    Empty if none was played there.
    """
    wins = [
        (one.wins, one.key)
        for one in endings.tallies.values()
        if one.scope == scope and not one.period and one.key in keys and not one.alone
    ]
    return max(wins, default=(0, ""))[1]


def profile(
    endings: MemoryEndings, people: PeopleById, person: PersonId, reader: PersonId, keys: Sequence[str]
) -> Profile:
    """The profile of a person, for a reader who may be that person."""
    tallies = (
        one
        for one in endings.tallies.values()
        if one.person == person and not one.scope and not one.period and one.key in ("", *keys)
    )
    recent = endings.results_of(person)[-RECENT:]
    return Profile(
        tuple(tallies),
        endings.ratings_of(person),
        tuple(one for one in recent if one.counts),
        _rivals(endings, people, person, reader),
    )


def _rivals(
    endings: MemoryEndings, people: PeopleById, person: PersonId, reader: PersonId
) -> tuple[Rival, ...]:
    """The people, hidden ones left out, whom a person met most often, and how the person fared against them.

    If the reader is another person: the person of the profile alone, and how the reader fared against them.
    """
    met: dict[PersonId, list[tuple[PlayerResult, PlayerResult]]] = {}
    for mine in endings.results_of(reader):
        for theirs in endings.results(mine.game):
            if mine.counts and theirs.counts and theirs.person != reader:
                met.setdefault(theirs.person, []).append((mine, theirs))
    if reader != person:
        met = {person: met[person]} if person in met else {}
    else:
        met = {one: games for one, games in met.items() if not _is_hidden(people, one)}
    most = sorted(met.items(), key=lambda item: (-len(item[1]), item[0]))[:RIVALS]
    return tuple(
        Rival(
            one,
            _name(people, one),
            games=len(games),
            ahead=sum(mine.place < theirs.place for mine, theirs in games),
            behind=sum(mine.place > theirs.place for mine, theirs in games),
        )
        for one, games in most
    )


def _name(people: PeopleById, person: PersonId) -> str:
    return people[person].name if person in people else ""


def _is_hidden(people: PeopleById, person: PersonId) -> bool:
    return person in people and people[person].hidden
