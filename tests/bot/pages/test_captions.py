"""The captions before, during and after a game."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bot.i18n import Speech
from bot.model.tables import Player
from bot.pages.captions import deal_captions, result_captions, seed_captions, turn_caption
from bot.settings.choices import Language
from bot.tables.log.commitment import ChosenSeed, CommittedSeed
from bot.tables.table import Table
from engines.game import Awaited, Game, Level, Name, Result, Seat, Text
from tests.bot.tables.test_table import play_on
from tests.support.games.throw_in.rules import State, View
from tests.support.services import throwing_in

SEED = b"\x07" * 32
NAMES = ("Ana", "Beto", "Carla")
POINTS = ["Points: Ana (5), Beto (3), and Carla (1)."]


def table(seed_source: ChosenSeed | CommittedSeed, *cuts: tuple[int, str]) -> Table:
    table = Table.open("cardlebones", seed_source=seed_source)
    for name in NAMES[:2]:
        table = table.sit(Player(name))
    for seat, words in cuts:
        table = table.add("cut", seat, words=words)
    return table.start()


def sentences(texts: Sequence[Text], locale: Language = "en") -> list[str]:
    return list(map(Speech(locale, NAMES), texts))


def test_a_deal_from_a_committed_seed_shows_its_commitment_and_the_cuts_in_their_order() -> None:
    assert sentences(
        list(deal_captions(table(CommittedSeed(SEED), (1, "{0} *b*"), (0, "last"), (1, "no, I"))))
    ) == [
        f"Fingerprint: {hashlib.sha256(SEED).hexdigest()}",
        "Beto cut the deck: {0} *b*",
        "Ana cut the deck: last",
        "Beto cut the deck: no, I",
    ]


def test_where_nobody_cut_it_is_said() -> None:
    assert sentences(list(deal_captions(table(CommittedSeed(SEED)))))[1:] == [
        "Nobody cut the deck; only the house shuffled it."
    ]


def test_a_deal_from_words_names_them() -> None:
    assert sentences(list(deal_captions(table(ChosenSeed("S"))))) == ["Dealt from your own seed: S"]


def test_nothing_said_before_the_end_gives_the_seed_away() -> None:
    assert SEED.hex() not in repr(list(deal_captions(table(CommittedSeed(SEED), (0, "cut")))))


def test_the_seal_is_opened_with_all_that_is_needed_to_check_it() -> None:
    played = play_on(table(CommittedSeed(SEED), (0, "ñ")))
    assert sentences(list(seed_captions(played))) == [
        f"The seed of the shuffle was: {SEED.hex()}",
        "Its SHA-256 is the fingerprint you saw. Its HMAC-SHA256 with this line gave the deal:",
        played.deal,
    ]


def test_words_are_opened_as_they_are() -> None:
    assert sentences(list(seed_captions(table(ChosenSeed("a “b”"))))) == [
        "The cards were dealt from the SHA-256 of “a “b””."
    ]


def finished(*scores: int) -> Any:
    return SimpleNamespace(result=Result.of(scores))


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((7, 4), ["Ana wins with 7 points.", "Beto has 4 points."]),
        ((0, 1), ["Beto wins with 1 point.", "Ana has 0 points."]),
        ((3, 5, 1), ["Beto wins with 5 points.", "Points: Ana (3) and Carla (1)."]),
        ((-4, -1), ["Beto wins with -1 points.", "Ana has -4 points."]),
        ((5, 5), ["A draw: Ana and Beto have 5 points each."]),
        ((1, 0, 1), ["A draw: Ana and Carla have 1 point each.", "Beto has 0 points."]),
        ((2, 2, 2), ["A draw: Ana, Beto, and Carla have 2 points each."]),
    ],
)
def test_the_outcome(scores: tuple[int, ...], expected: list[str]) -> None:
    assert sentences(list(result_captions(finished(*scores)))) == expected


def own(scores: tuple[int, ...], winners: tuple[int, ...], text: Text | None = None) -> Any:
    return SimpleNamespace(result=Result(scores, winners, text))


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        (
            own((0, -3, 0), (0, 2), Text("{who} is left with cards.", who=Name(1))),
            ["Beto is left with cards.", "Ana and Carla win."],
        ),
        (own((1, 2), (0,), Text("Over.")), ["Over.", "Ana wins."]),
        (own((1, 2), (), Text("Over.")), ["Over.", "Nobody wins."]),
        (own((5, 3), (1,)), ["Beto wins with 3 points.", "Ana has 5 points."]),
        (own((5, 3, 1), (1, 2)), ["Beto and Carla win.", *POINTS]),
        (own((5, 3, 1), ()), ["Nobody wins.", *POINTS]),
    ],
)
def test_winners_are_whom_the_game_names_in_its_own_words(played: Any, expected: list[str]) -> None:
    assert sentences(list(result_captions(played))) == expected


@pytest.mark.parametrize(
    ("level", "reader", "expected"),
    [
        (None, None, "Waiting for Beto and Carla."),
        (None, 0, "You can play too, Ana."),
        (None, 1, "Your turn, Beto."),
        ("easy", None, "Beto and Carla are thinking …"),
    ],
)
def test_everybody_who_is_publicly_awaited_is_named(
    level: Level | None, reader: Seat | None, expected: str, throw_in: Game[State, View]
) -> None:
    table = throwing_in(throw_in, "7H", "7S", "9S", level=level)
    assert sentences([turn_caption(table, reader)]) == [expected]


def test_no_computer_is_said_to_think_while_all_players_are_gone() -> None:
    begun = Table.open("cardlebones", seed_source=ChosenSeed("S"))
    begun = begun.sit(Player("Ana", person="ana")).sit(Player("Beto", level="easy")).start()
    awaited = begun if begun.state.turn == 1 else play_on(begun, begun.stamp + 1)
    gone = dataclasses.replace(awaited, away={0: 0.0})
    captions = sentences([turn_caption(table, None) for table in (awaited, gone)])
    assert captions == ["Beto is thinking …", "Beto's turn."]


def test_where_it_is_a_secret_who_is_awaited_nobody_is_named_even_if_it_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt = table(ChosenSeed("S"))
    monkeypatch.setattr(type(dealt.game), "awaited", lambda self, view: Awaited((view.turn,), secret=True))
    assert sentences([turn_caption(dealt, None)]) == ["Waiting …"]
    assert sentences([turn_caption(dealt, 1 - dealt.state.turn)]) == ["Waiting …"]


def test_the_outcome_in_spanish_names_everybody() -> None:
    captions = sentences(list(result_captions(finished(3, 3, 1))), "es")
    assert len(captions) == 2
    assert "Ana y Beto" in captions[0]
    assert "Carla" in captions[1]
    assert captions != sentences(list(result_captions(finished(3, 3, 1))))


def test_a_real_game_has_an_outcome() -> None:
    played = play_on(table(ChosenSeed("S")))
    assert played.result is not None
    assert len(sentences(list(result_captions(played)))) in (1, 2)
