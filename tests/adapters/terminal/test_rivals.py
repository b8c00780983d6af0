"""The score between the same players: of all games, of a match, and on another day."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.terminal.guide import guided
from adapters.terminal.plain.table import PlainTable, PlayerQuit
from adapters.terminal.rivals import PastGames, first_to_from, identities, score_captions, title
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.model.tables import Listing, Match, Player
from bot.settings.choices import Language
from bot.storage import Store
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from engines.game import Seat
from engines.values import replace
from tests import luck
from tests.adapters.terminal.screen import Person, playing
from tests.support.clock import VirtualClock

ALONE = Setup("cardlebones", 2, ("Ana",), pace=0)
TWO = Setup("cardlebones", 2, ("Ana", "Beto"), pace=0)
LOLA = Player("Lola", "normal")


def won(
    *winners: Seat, players: Sequence[Player] = (Player("Ana"), LOLA), key: str = "cardlebones"
) -> Listing:
    """The listing of a finished game that these seats have won."""
    table = Table.open(key)
    for player in players:
        table = table.sit(player)
    seats = [replace(seated, won=seated.seat in winners, score=1) for seated in table.listing.seats]
    return replace(table.listing, status="over", seats=tuple(seats))


def past(*listings: Listing, match: Match | None = None) -> PastGames:
    past = PastGames()
    for listing in listings:
        past.note_stored(listing, match)
    return past


@pytest.mark.parametrize(
    ("listings", "wins"),
    [
        ((), [0, 0]),
        ((won(0), won(0), won(1)), [2, 1]),
        ((won(0, players=(LOLA, Player("ANA"))), won(0)), [1, 1]),
        ((won(0, 1), won(1)), [0, 1]),
        ((replace(won(0), uncounted="guided"), won(1)), [0, 1]),
        ((won(0, key="casino"), won(0, players=(Player("Ana"), replace(LOLA, level="hard")))), [0, 0]),
        ((won(0, players=(Player("Ana"), LOLA, Player("Beto"))),), [0, 0]),
    ],
)
def test_a_score_counts_the_games_of_the_same_players(listings: Sequence[Listing], wins: list[int]) -> None:
    assert list(past(*listings).wins("cardlebones", [Player("Ana"), LOLA]).values()) == wins


def test_players_without_names_are_told_apart_by_their_seats() -> None:
    assert identities([Player(""), Player(""), Player("", "easy")]) == ("#0", "#1", "#2/easy")


def test_a_match_goes_on_until_it_is_decided() -> None:
    players, match = [Player("Ana"), LOLA], Match(2, {"ana": 1, "lola/normal": 0})
    assert past(won(0), won(0), match=match).match("cardlebones", players, 2) == match
    assert past(won(0), won(0), match=match).match("cardlebones", players, 3) == Match(
        3, {"ana": 2, "lola/normal": 0}
    )
    decided = past(won(0), won(0), won(0), match=match)
    assert decided.match("cardlebones", players, 2) == Match(2, {"ana": 3, "lola/normal": 0})
    assert decided.match("cardlebones", players, 0) is None


def score_lines(
    setup: Setup, listings: Sequence[Listing], match: Match | None = None, undone: bool = False
) -> list[str]:
    """The captions of the score after these games, at a table that has no result of its own."""
    session = Session(setup)
    table = replace(session.table, match=match, taken_back=undone)
    say = Speech(setup.locale, tuple(player.name for player in table.players))
    return [say(text) for text in score_captions(past(*listings), table)]


@pytest.mark.parametrize(("locale", "score"), [("en", "You and Lola: 2–1."), ("es", "Tú y Lola: 2–1.")])
def test_a_player_reads_their_own_wins_first(locale: Language, score: str) -> None:
    assert score_lines(replace(ALONE, locale=locale), [won(0), won(0), won(1)]) == [score]


def test_after_a_first_game_there_is_no_score_yet() -> None:
    assert score_lines(ALONE, [won(0)]) == []


def test_people_and_more_than_two_players_have_their_names() -> None:
    people = [Player("Ana"), Player("Beto")]
    assert score_lines(TWO, [won(seat, players=people) for seat in (0, 1, 1)]) == ["Ana and Beto: 1–2."]
    three = [Player("Ana"), LOLA, Player("Beto", "normal")]
    setup = Setup("casino", 3, ("Ana",))
    games = [won(0, players=three, key="casino"), won(2, players=three, key="casino")]
    assert score_lines(setup, games) == ["Games won: Ana (1), Lola (0), and Beto (1)."]


@pytest.mark.parametrize(
    ("games", "lines"),
    [
        ([won(0)], ["First to 2. You and Lola: 1–0."]),
        ([won(0), won(1), won(0)], ["First to 2. You and Lola: 2–1.", "You win the match!"]),
        ([won(1), won(1)], ["First to 2. You and Lola: 0–2.", "Lola wins the match!"]),
    ],
)
def test_the_score_of_a_match_is_told_from_its_first_game(games: list[Listing], lines: list[str]) -> None:
    assert score_lines(ALONE, games, Match(2, {"ana": 0, "lola/normal": 0})) == lines


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (Match(3, {"ana": 0, "lola/normal": 0}), "Cardlebones, first to 3 wins: 2–1"),
        (Match(3, {"ana": 1, "lola/normal": 1}), "Cardlebones, first to 3 wins: 1–0"),
        (None, "Cardlebones"),
    ],
)
def test_the_title_of_a_game_of_a_match_tells_the_score(match: Match | None, expected: str) -> None:
    table = replace(Session(ALONE).table, match=match)
    assert Speech()(title(past(won(0), won(1), won(0)), table)) == expected


def test_a_match_begins_anew_and_all_games_count_on() -> None:
    match = Match(3, {"ana": 1, "lola/normal": 1})
    lines = ["First to 3. You and Lola: 1–0.", "All games. You and Lola: 2–1."]
    assert score_lines(ALONE, [won(0), won(1), won(0)], match) == lines


@pytest.mark.parametrize("games", [[], [won(0)]])
def test_a_game_with_a_move_taken_back_says_that_it_does_not_count(games: list[Listing]) -> None:
    assert score_lines(ALONE, games, undone=True) == ["This game doesn't count: a move was taken back."]


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "This game doesn't count: it began with a guided hand."),
        ("es", "Esta partida no cuenta: empezó con una mano guiada."),
    ],
)
def test_a_game_with_a_guided_hand_says_that_it_does_not_count(locale: Language, expected: str) -> None:
    assert score_lines(guided(replace(ALONE, locale=locale)), [won(0)]) == [expected]


@pytest.mark.parametrize(
    ("line", "wins"),
    [
        ("first to 5", 5),
        ("First to 12", 12),
        ("a 3", 3),
        ("hasta 7", 7),
        ("5", 0),
        ("first to x", 0),
        ("yes", 0),
    ],
)
def test_a_match_is_asked_for_in_words(line: str, wins: int) -> None:
    assert first_to_from(line) == wins


def played(setup: Setup, *after: str, store: WriteBehindStore | None = None) -> tuple[Session, list[str]]:
    """Plays in line mode; returns the session, and the ids of the games after which another was offered.

    The offers are answered with ``after``.
    """
    session = Session(setup, VirtualClock(), store, past=store.past if store else None)
    answers, asked = iter(after), list[str]()

    def read() -> str:
        if session.table.result is None:
            return "1\n"
        asked.append(session.table.id)
        return next((f"{answer}\n" for answer in answers), "")

    with suppress(PlayerQuit):
        asyncio.run(PlainTable(session, read, store=store).run())
    return session, asked


def test_line_by_line_each_rematch_tells_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    session, _ = played(replace(ALONE, seed="S"), "yes", "yes", "no")
    wins = list(session.past.wins("cardlebones", session.table.players).values())
    assert sum(wins) == 3
    printed = capsys.readouterr().out
    assert printed.count("You and Lola: ") == 2
    assert f"You and Lola: {wins[0]}–{wins[1]}." in printed


def test_line_by_line_the_question_for_another_game_begins_a_match(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session, _ = played(replace(ALONE, seed="S"), "first to 1", "no")
    assert session.table.match is not None
    assert sum(session.table.match.before.values()) == 1
    printed = capsys.readouterr().out
    assert "Cardlebones, first to 1 win: 0–0\n" in printed
    assert "First to 1. You and Lola: " in printed
    assert printed.count(" the match!\n") == 1


def store_over(file: Store) -> WriteBehindStore:
    """A write-behind store over another store, which stands for the file."""

    async def opened(url: str) -> Store:
        return file

    return WriteBehindStore(Path("games"), VirtualClock(), opened)


def test_the_score_and_an_undecided_match_are_kept_for_another_day(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, setup = MemoryStore(), replace(ALONE, seed="S", first_to=9)
    first, _ = played(setup, "yes", "no", store=(store := store_over(file)))
    store.finish()
    store = store_over(file)
    store.wait_until_read()
    again, _ = played(replace(setup, seed="T"), "no", store=store)
    store.finish()
    assert again.table.match == first.table.match == Match(9, {"ana": 0, "lola/normal": 0})
    wins = list(again.past.wins("cardlebones", again.table.players).values())
    assert sum(wins) == 3
    assert f"First to 9. You and Lola: {wins[0]}–{wins[1]}." in capsys.readouterr().out


async def end(person: Person) -> None:
    """Plays the game on the screen to its end."""
    await person.fast_forward(luck.rng(person.table.session.table.id))


async def test_the_end_screen_tells_the_score_and_begins_matches() -> None:
    people = [Player("Ana"), Player("Beto")]
    async with playing(TWO) as person:
        for listing in (won(0, players=people), won(1, players=people)):
            person.table.session.past.note_stored(listing, None)
        await end(person)
        assert "Ana and Beto: " in person.text()
        await person.type("first to 1")
        assert "Cardlebones, first to 1 win: 0–0" in person.text()
        await end(person)
        # A draw decides nothing.
        while " wins the match!" not in person.text():
            assert "First to 1. Ana and Beto: 0–0." in " ".join(person.text().split())
            await person.press("1", "enter")
            await end(person)
        assert "First to 1. Ana and Beto: " in " ".join(person.text().split())
