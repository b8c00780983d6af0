"""The sentences of the bot and the adapters that count or join, in a text to be read.

A sentence with a plural is said with one and with two; each of the others with the examples in `JOINED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from bot.i18n import Speech
from bot.pages.seat_counts import players_caption
from bot.settings.choices import Language
from engines import games
from engines.game import Arg, Name, Text, plural
from tests.golden import assert_golden
from tests.words import ROOT, extracted, folders

GOLDEN = Path(__file__).parent / "golden"
FOLDERS = [folder for folder in folders() if folder.relative_to(ROOT).parts[0] in ("bot", "adapters")]
NAMES = ("Ana", "Luis", "Iván")
CASINO, TRIO = (games()[key].title for key in ("casino", "trio_escalera"))

JOINED: Mapping[str, Iterable[Mapping[str, Arg]]] = {
    "Which game? You can play {games}.": [{"games": (CASINO, TRIO)}],
    "There are several tables: {tables}. Say which one.": [
        {"tables": (Text("{n} ({game})", n=1, game=CASINO), Text("{n} ({game})", n=3, game=TRIO))}
    ],
    "The house rules are: {rules}.": [
        {"rules": tuple(Text("“{label}”", label=rule.text) for rule in games()["casino"].options[:2])}
    ],
    "{reason} The house rules are: {rules}. Type a word of one and a word of its value: “{example}”.": [
        {
            "reason": Text("There is no house rule “{rule}”.", rule="jokers=no"),
            "rules": tuple(
                Text("“{label}” ({values})", label=rule.text, values="a, b")
                for rule in games()["casino"].options[:2]
            ),
            "example": "a=b",
        }
    ],
    "{who} win.": [{"who": (Name(0), Name(1))}, {"who": (Name(0), Name(1), Name(2))}],
    "{who} win the match!": [{"who": (Name(0), Name(1))}],
    "First to {n}. {score}": [
        {"n": n, "score": Text("You and {who}: {n}–{m}.", who=Name(1), n=n, m=1)} for n in (1, 2)
    ],
    "{who} and {other}: {n}–{m}.": [{"who": Name(0), "other": Name(1), "n": 12, "m": 9}],
    "You and {who}: {n}–{m}.": [{"who": Name(1), "n": 12, "m": 9}],
    "“{option}” must be at least {n}.": [{"option": "--humans", "n": 1}],
    "“{option}” must be at most {n}.": [{"option": "--first-to", "n": 99}],
    "{game} is for {players}, not {n}.": [
        {"game": game.title, "players": players_caption(game.seats), "n": 1} for game in games().values()
    ],
    "{who} are thinking …": [{"who": (Name(0), Name(1))}],
    "Waiting for {who}.": [{"who": (Name(0), Name(1))}, {"who": (Name(0), Name(1), Name(2))}],
    "Games won: {tally}.": [
        {"tally": tuple(Text("{who} ({n})", who=Name(seat), n=seat) for seat in seats)}
        for seats in (range(1), range(2), range(3))
    ],
    "Not answered yet: {who}.": [{"who": (Name(0),)}, {"who": (Name(0), Name(2))}],
    "{game} is for {players}.": [
        {"game": game.title, "players": players_caption(game.seats)} for game in games().values()
    ],
    "Players: {players}.": [{"players": (Name(0), Name(1))}, {"players": (Name(0), Name(1), Name(2))}],
    "For {players}; computers take the free seats.": [
        {"players": players_caption(seats)} for seats in (range(2, 3), range(2, 4), range(2, 7))
    ],
    "{games} ({shared}), {moves}": [
        {
            "games": plural("{n} game", "{n} games", n),
            "shared": plural("{n} shared win", "{n} shared wins", n),
            "moves": plural("{n} move", "{n} moves", n),
        }
        for n in (1, 2)
    ],
    "Stopped after {games} of {total}. What was played is kept: run the same command again to go on.": [
        {"games": plural("{n} game", "{n} games", n), "total": 400} for n in (1, 2)
    ],
    "Computers at the table: {n}.": [{"n": 0}, {"n": 1}, {"n": 2}],
    "That's too long: cut with at most {n} characters.": [{"n": 64}],
    "You typed {card} {n} times.": [{"card": "7♣", "n": 3}],
}
"""The sentences without a plural of their own that join or count, with what they may say."""
UNCOUNTED = frozenset(
    (
        "Name {n}", "Player {n}", "There is no table {n} here.", "There is no {n} in the menu.",
        "There is no table {n} here, and the clock can't be {n}. {limits}",
        "I've lost track of what {n} meant. These are your choices now.", "{game}, table {n}",
        "Your turn: {game}, table {n}.", "{who}, it's your turn: {game}, table {n}.", "after {n} s",
        "in {n} s", "{who} ({n})", "you ({n})", "{n}. {who}: {move}", "{n} ({game})", "{n} players",
        "{n} or {m} players",
        "{n} to {m} players", "House rules: {rules}.", "Step {n} of {m}", "Step {n} of {total}: {move}",
        "Step {n} comes after the end of the game.",
        "Step {n} is no legal move: {who} {move}.", "Step {n} is no move of this game.",
        "Step {n} names a seat that doesn't exist.", "Step {n} takes back a move that was not made yet.",
        "it has more than {n} MB", "{file} isn't a backup, or is damaged (line {n}: {reason})",
        "this program reads only version {n} of the format",
    )
)  # fmt: skip
"""The sentences in which no word has to agree in number, since ``n`` is a name or counts s or MB, and parts
of sentences that are shown whole.
"""


def catalogs() -> Iterator[Catalog]:
    """The sentences of the bot and of each adapter."""
    return map(extracted, FOLDERS)


def counted() -> list[tuple[str, str]]:
    """The sentences that have a plural, sorted."""
    return sorted(
        {
            (message.id[0], message.id[1])
            for catalog in catalogs()
            for message in catalog
            if isinstance(message.id, tuple)
        }
    )


def said(say: Speech) -> Iterator[str]:
    """Each sentence, one a line: those with a plural, then those of `JOINED`."""
    for one, many in counted():
        for n in (1, 2):
            both = (Name(0), Name(1))
            who: Arg = both if one.startswith("A draw") else both[:n] if "says no" in one else Name(1)
            known: dict[str, Arg] = {
                "who": who, "platform": "Telegram", "move": "10♦ × 10♠", "cards": "8♠",
                "file": "sobremesa.db", "seconds": 10, "game": "Casino", "score": "2–1",
            }  # fmt: skip
            fields = {name: value for name, value in known.items() if f"{{{name}}}" in one}
            yield say(plural(one, many, n, **fields))
    for message, examples in sorted(JOINED.items()):
        for example in examples:
            yield say(Text(message, **example))


@pytest.mark.parametrize("locale", ["en", "es"])
def test_every_sentence_that_counts_or_joins_agrees_in_number(locale: Language) -> None:
    assert_golden(GOLDEN / f"sentences_{locale}.txt", "\n".join(said(Speech(locale, NAMES))))


def test_no_sentence_that_counts_or_joins_is_left_out() -> None:
    """A sentence with one of some usual fields for counts and for several names is read above, or exempt."""
    messages = {one.id for catalog in catalogs() for one in catalog if isinstance(one.id, str) and one.id}
    fields = (
        "{n}",
        "{m}",
        "{games}",
        "{tables}",
        "{rules}",
        "{players}",
        "{moves}",
        "{who} are",
        "{who} win.",
    )
    counting = {message for message in messages if any(field in message for field in fields)}
    assert counting - UNCOUNTED - set(JOINED) == set()
    assert set(JOINED) | UNCOUNTED <= messages
    assert len(counted()) >= 10
