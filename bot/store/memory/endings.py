"""The ends of games in the memory store: numbered in order, and settled into results, ratings and tallies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from bot.model.ids import GameId, PersonId
from bot.model.results import Ending, PlayerResult, ScopeKind, Tally, Unsettled, tally_scope
from bot.ratings import Rating
from bot.store.settling import DAY, Settlement, candidates, day_of, settled
from engines.values import replace


class TallyKey(NamedTuple):
    """The fields of a `Tally` that tell it from others."""

    scope: str
    period: str
    key: str
    person: PersonId
    alone: bool


class MemoryEndings:
    """The results, ratings and tallies of a `MemoryStore`."""

    def __init__(self) -> None:
        self._order: list[GameId] = []
        """The games in the order in which they ended."""
        self._settled = 0
        """The number of these games that are settled, from the front."""
        self._results: dict[GameId, tuple[PlayerResult, ...]] = {}
        self._games_of: defaultdict[PersonId, list[GameId]] = defaultdict(list)
        """The settled games of each person."""
        self.ratings: dict[tuple[PersonId, str], Rating] = {}
        """By person and game key."""
        self.tallies: dict[TallyKey, Tally] = {}

    def end(self, ending: Ending, scopes: tuple[str, str]) -> None:
        """Numbers a game that has ended, and settles it unless earlier ones are unsettled."""
        is_next = self._settled == len(self._order)
        self._order.append(ending.game)
        if is_next:
            self.settle(len(self._order), ending, scopes)

    def settle(self, number: int, ending: Ending | None, scopes: tuple[str, str]) -> bool:
        """Settles a game if it is the first unsettled one; returns whether it was.

        A game without an ending, or without finishes, gets no results.
        """
        if number != self._settled + 1 or number > len(self._order):
            return False
        self._settled = number
        if ending and ending.finishes:
            people = candidates(ending)
            before = {one: rating for one in people if (rating := self.ratings.get((one, ending.key)))}
            self._add(ending.key, settled(ending, number, scopes, before, self._rated_on(ending, people)))
        return True

    def unsettle(self) -> int:
        """Deletes the results, ratings and tallies of all games; returns the number of games."""
        self._settled = 0
        for each in (self._results, self._games_of, self.ratings, self.tallies):
            each.clear()
        return len(self._order)

    def unsettled(self, limit: int) -> Unsettled:
        left = self._order[self._settled :]
        return Unsettled(tuple(enumerate(left[:limit], self._settled + 1)), len(left))

    def results(self, game: GameId) -> Sequence[PlayerResult]:
        return sorted(self._results.get(game, ()), key=lambda result: (result.seat, result.person))

    def ratings_of(self, person: PersonId) -> Mapping[str, Rating]:
        return {key: rating for (one, key), rating in self.ratings.items() if one == person}

    def move(self, platform: str, chat: str, new: str) -> None:
        """Gives the results and tallies of a chat the chat's new id."""
        old, moved = f"{platform}/{chat}", f"{platform}/{new}"
        for game, results in self._results.items():
            if results[0].channel == old:
                server = moved if results[0].server == old else results[0].server
                self._results[game] = tuple(replace(one, channel=moved, server=server) for one in results)
        for kind in get_args(ScopeKind):
            scope = tally_scope(kind, old)
            for old_key in [key for key in self.tallies if key.scope == scope]:
                self._count(replace(self.tallies.pop(old_key), scope=tally_scope(kind, moved)))

    def rename(self, person: PersonId, alias: PersonId) -> None:
        """Gives the results, ratings and tallies of a person to an alias."""
        games = self._games_of.pop(person, [])
        for game in games:
            self._results[game] = tuple(
                replace(one, person=alias) if one.person == person else one for one in self._results[game]
            )
        # The alias has games already if one ended after its log was rewritten.
        self._games_of[alias] = sorted(
            (*self._games_of[alias], *games), key=lambda game: self._results[game][0].number
        )
        for who, key in [one for one in self.ratings if one[0] == person]:
            self.ratings[alias, key] = self.ratings.pop((who, key))
        for old in [one for one in self.tallies if one.person == person]:
            self._count(replace(self.tallies.pop(old), person=alias))

    def purge(self, month: str, week: str, most: int) -> int:
        """Deletes at most ``most`` tallies of months and weeks before these; returns how many."""
        periods = ((key, key.period) for key in self.tallies if key.period)
        old = [key for key, period in periods if period < (week if "W" in period else month)][:most]
        for key in old:
            del self.tallies[key]
        return len(old)

    def results_of(self, person: PersonId) -> list[PlayerResult]:
        """The results of a person, in the order in which the games ended."""
        games = self._games_of.get(person, ())
        return [one for game in games for one in self._results[game] if one.person == person]

    def _add(self, key: str, done: Settlement) -> None:
        self._results[done.results[0].game] = done.results
        for result in done.results:
            self._games_of[result.person].append(result.game)
        for person, rating in done.ratings.items():
            self.ratings[person, key] = rating
        for tally in done.tallies:
            self._count(tally)

    def _count(self, added: Tally) -> None:
        """Adds the numbers of a tally to those of the stored one."""
        key = TallyKey(added.scope, added.period, added.key, added.person, added.alone)
        old = self.tallies.get(key, replace(added, games=0, wins=0, gained=0))
        self.tallies[key] = replace(
            old, games=old.games + added.games, wins=old.wins + added.wins, gained=old.gained + added.gained
        )

    def _rated_on(self, ending: Ending, people: Sequence[PersonId]) -> int:
        """The number of rated games that exactly these people have had on the day of a game."""
        if not people:
            return 0
        day = day_of(ending.ended)
        that_day = (
            {one.person for one in self._results[game] if not one.unrated}
            for game in self._games_of[people[0]]
            if day <= self._results[game][0].ended < day + DAY
        )
        return sum(rated == set(people) for rated in that_day)
