"""The score of the games between the same players at a terminal, and of a match between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bot.i18n import folded
from bot.model.ids import GameId
from bot.model.results import is_draw
from bot.model.tables import Listing, Match, Player, Uncounted
from bot.tables.table import Table
from engines.game import Name, Seat, Text, plural

LENGTHS = (2, 3, 5, 7, 10)
"""The lengths of matches that the lobby offers, in wins."""

_FIRST_TO = re.compile(r"(?:first to|match to|primero a|a|hasta) *(\d{1,2})")
"""Matches a line that asks for a match; its group is the number of wins."""
_UNCOUNTED: Mapping[Uncounted, Text] = {
    "taken_back": Text("This game doesn't count: a move was taken back."),
    "guided": Text("This game doesn't count: it began with a guided hand."),
}
_Rivals = tuple[str, frozenset[str]]
"""A game's key and the `identities` of its players."""


class PastGames:
    """The finished games of a terminal, and the last match of each group of players in each game.

    The store's thread adds the games of its file; the others were played since the program began.
    """

    def __init__(self) -> None:
        self._games: dict[GameId, Listing] = {}
        self._matches: dict[_Rivals, Match] = {}

    def note(self, table: Table) -> None:
        """Notes the match of a table, and the table itself once it has a result that counts."""
        if table.match:
            self._matches[_rivals(table.key, table.players)] = table.match
        if table.result and not table.uncounted:
            self._games[table.id] = table.listing

    def note_stored(self, listing: Listing, match: Match | None) -> None:
        """Notes a game of the file, if it counts; the latest must come first, since its match is kept."""
        if listing.uncounted:
            return
        self._games.setdefault(listing.game, listing)
        if match:
            self._matches.setdefault(_rivals(listing.key, _players(listing)), match)

    def wins(self, key: str, players: Sequence[Player]) -> Mapping[str, int]:
        """The games that each player has won against the others; a game that all have won counts for none."""
        rivals, wins = _rivals(key, players), dict.fromkeys(identities(players), 0)
        for listing in list(self._games.values()):
            if _rivals(listing.key, _players(listing)) == rivals and not is_draw(
                seated.won for seated in listing.seats
            ):
                for player, seated in zip(identities(_players(listing)), listing.seats, strict=True):
                    wins[player] += seated.won
        return wins

    def match(self, key: str, players: Sequence[Player], first_to: int) -> Match | None:
        """The match to ``first_to`` wins, None for 0.

        It is the players' last match if that has this length and is undecided, else a new one.
        """
        if not first_to:
            return None
        wins = self.wins(key, players)
        last = self._matches.get(_rivals(key, players))
        if last and last.first_to == first_to and not _winners(last, wins):
            return last
        return Match(first_to, wins)


def score_captions(past: PastGames, table: Table) -> Iterator[Text]:
    """After a game: why it does not count, if so; the score of the match; from two wins on, that of all."""
    wins = past.wins(table.key, table.players)
    if table.uncounted:
        yield _UNCOUNTED[table.uncounted]
    if table.match:
        yield from _match_captions(table.match, wins, table)
    # If nobody had a win before the match, the score of all games would repeat that of the match.
    if sum(wins.values()) > 1 and not (table.match and not any(table.match.before.values())):
        score = _score(table, tuple(wins.values()))
        yield Text("All games. {score}", score=score) if table.match else score


def title(past: PastGames, table: Table) -> Text:
    """The game; in a match also its length and the wins so far, those of an only person first."""
    if not table.match:
        return table.game.title
    wins, before = past.wins(table.key, table.players), table.match.before
    score = [wins[name] - before.get(name, 0) for name in identities(table.players)]
    if (me := _me(table)) is not None:
        score.insert(0, score.pop(me))
    return plural(
        "{game}, first to {n} win: {score}",
        "{game}, first to {n} wins: {score}",
        table.match.first_to,
        game=table.game.title,
        score="–".join(map(str, score)),
    )


def _match_captions(match: Match, wins: Mapping[str, int], table: Table) -> Iterator[Text]:
    names = identities(table.players)
    score = tuple(wins[name] - match.before.get(name, 0) for name in names)
    yield Text("First to {n}. {score}", n=match.first_to, score=_score(table, score))
    winners = [names.index(name) for name in _winners(match, wins)]
    if len(winners) == 1 and _me(table) == winners[0]:
        yield Text("You win the match!")
    elif len(winners) == 1:
        yield Text("{who} wins the match!", who=Name(winners[0]))
    elif winners:
        yield Text("{who} win the match!", who=tuple(map(Name, winners)))


def _score(table: Table, wins: Sequence[int]) -> Text:
    """The score of some games, such as "You and Lola: 12–9."."""
    me = _me(table)
    if len(wins) != 2:
        listed = tuple(Text("{who} ({n})", who=Name(seat), n=n) for seat, n in enumerate(wins))
        return Text("Games won: {tally}.", tally=listed)
    if me is None:
        return Text("{who} and {other}: {n}–{m}.", who=Name(0), other=Name(1), n=wins[0], m=wins[1])
    return Text("You and {who}: {n}–{m}.", who=Name(1 - me), n=wins[me], m=wins[1 - me])


def first_to_label(n: int) -> Text:
    """The length of a match, as choices name it."""
    return plural("first to {n} win", "first to {n} wins", n)


def first_to_from(line: str) -> int:
    """The length of the match that a typed line asks for, in wins; 0 for any other line."""
    match = _FIRST_TO.fullmatch(folded(line))
    return int(match[1]) if match else 0


def identities(players: Sequence[Player]) -> tuple[str, ...]:
    """What a player is known by in all games: the name, or ``#`` and the seat; and a computer's level."""
    names = (folded(player.name) or f"#{seat}" for seat, player in enumerate(players))
    return tuple(
        f"{name}/{player.level}" if player.level else name
        for name, player in zip(names, players, strict=True)
    )


def _winners(match: Match, wins: Mapping[str, int]) -> list[str]:
    """The players who have won a match; none before it is decided."""
    return [name for name, n in wins.items() if n - match.before.get(name, 0) >= match.first_to]


def _me(table: Table) -> Seat | None:
    """The only player at the keyboard; None if there are several, or only computers."""
    people = [seat for seat, player in enumerate(table.players) if not player.is_computer]
    return people[0] if len(people) == 1 else None


def _players(listing: Listing) -> list[Player]:
    return [seated.player for seated in listing.seats]


def _rivals(key: str, players: Sequence[Player]) -> _Rivals:
    return key, frozenset(identities(players))
