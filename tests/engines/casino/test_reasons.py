"""What Casino says about a move is true, and the points of a move are those that it scores."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.i18n import Speech
from engines.casino.state import State, pile_score
from engines.game import Move, Seat
from tests import luck
from tests.engines.casino.games import deals, states
from tests.engines.casino.positions import CASINO, load, position
from tests.support.positions import Position

SAY = Speech("en", ("Ana", "Ben"))


def reason(start: Position, move: str, seat: Seat = 0, **options: str) -> str:
    return SAY(CASINO.reason(CASINO.view(load(start, **options), seat), Move.parse(move)))


@pytest.mark.parametrize(
    ("start", "move", "sentence"),
    [
        (position(hands=["2H", "9D"], loose="2S 7H"), "capture 2H 2S", "Wins 2♠: 1 point."),
        (position(hands=["AH 3D", "9D"], loose="AS"), "capture AH AS", "Wins A♥ and A♠: 2 points."),
        (
            position(hands=["8C 3D", "9D"], loose="8S 2H", piles=["3S 4S 5S 6S", ""]),
            "capture 8C 8S",
            "Wins 8♣ and 8♠, which scores 1 point.",
        ),
        (
            position(hands=["8C 3D", "9D"], loose="8H"),
            "capture 8C 8H",
            "Clears the table and leaves nothing to capture.",
        ),
        (
            position(hands=["8C 3D", "9D"], loose="9H", builds=["5H+3C"]),
            "capture 8C 5H+3C",
            "Takes the whole build: 5♥ and 3♣.",
        ),
        (position(hands=["8C 3D", "9D"], loose="9H 8S"), "capture 8C 8S", "Wins 8♠: 1 spade."),
        (
            position(hands=["8C 3D", "9D"], loose="9H 8H"),
            "capture 8C 8H",
            "Takes 8♥ before another player can.",
        ),
        (
            position(hands=["8C 3D", "9D"], loose="9H 8H", piles=["", "8S 8D"]),
            "capture 8C 8H",
            "Wins 2 cards.",
        ),
        (
            position(hands=["8C 5D", "9D"], loose="3H", piles=["", "8S 8D 8H"]),
            "build 5D 3H",
            "Builds 8, which only you can take.",
        ),
        (
            position(hands=["8C 5D", "9D"], loose="3H"),
            "build 5D 3H",
            "Builds 8, to take with 8♣ in a later turn.",
        ),
        (
            position(hands=["8C 7D", "9D"], loose="AH"),
            "build 7D AH",
            "Builds 8 with A♥, to take with 8♣.",
        ),
        (
            position(hands=["8C 7D", "9D"], piles=["", "AC AH"]),
            "steal-build 7D AH",
            "Ben loses A♥, which is worth a point.",
        ),
        (
            position(hands=["8C 5D", "9D"], piles=["", "3C 3H"]),
            "steal-build 5D 3H",
            "Ben loses 3♥, and you can take the build with 8♣.",
        ),
        (
            position(hands=["8C 5D", "9D"], piles=["8D 8S 8H", "3C 3H"]),
            "steal-build 5D 3H",
            "Ben loses 3♥, and only you can take the 8.",
        ),
        (
            position(hands=["8C 5D", "9D"], piles=["8D 8S 8H", ""]),
            "throw 8C",
            "Nobody else has a card that captures 8♣.",
        ),
        (position(hands=["8C 8D", "9D"]), "throw 8C", "If 8♣ stays there, you can take it with 8♦."),
        (
            position(hands=["8C 7D", "9D"]),
            "throw 8C",
            "8♣ isn't a spade and scores nothing, so it's no great loss.",
        ),
        (position(hands=["8S 7D", "9D"]), "throw 8S", "8♠ is a spade, but scores nothing by itself."),
        (position(hands=["AS 7D", "9D"]), "throw AS", "Keeps your other cards for captures and builds."),
        (position(hands=["AS", "9D"]), "throw AS", "A♠ is the only card you have."),
        (
            position(hands=["AS", ""], loose="5H", last_capturer=0),
            "throw AS",
            "You made the last capture, so all cards on the table are yours.",
        ),
        (
            position(hands=["5S", ""], loose="5H AD AC"),
            "capture 5S 5H",
            "Takes all that's left: 2 points.",
        ),
    ],
)
def test_a_move_has_its_reason(start: Position, move: str, sentence: str) -> None:
    assert reason(start, move) == sentence


@pytest.mark.parametrize(
    ("starter", "answer", "sentence"),
    [
        ("AD", "yes", "A♦ scores a point, and 3♥ doesn't."),
        ("5S", "yes", "5♠ is a spade, and 3♥ isn't."),
        ("5D", "yes", "You get 5♦ and know where 3♥ lies."),
        ("AD", "no", "A♦ stays on the table, where you may capture it."),
        ("5D", "no", "5♦ is worth no more than 3♥."),
    ],
)
def test_the_exchange_has_reasons(starter: str, answer: str, sentence: str) -> None:
    start = position(hands=["3H 5C", "9S 7H", "4D 6C"], loose=starter, phase="exchange")
    assert reason(start, f"exchange {answer}") == sentence


def scored(before: State, move: Move, seat: Seat) -> int:
    """The points that a move adds to its player's pile."""
    after, _ = CASINO.apply(before, seat, move)
    return pile_score(after.piles[seat]) - pile_score(before.piles[seat])


@pytest.mark.parametrize("seats", [2, 3])
def test_the_worth_of_a_move_is_what_it_scores(seats: int) -> None:
    rng = luck.rng(seats)
    for deal in islice(deals(rng, seats), 12):
        for state, seat, moves in states(deal, rng):
            view = CASINO.view(state, seat)
            assert [CASINO.worth(view, move) for move in moves] == [
                scored(state, move, seat) for move in moves
            ]


def test_reasons_are_true() -> None:
    rng, checked = luck.rng(), set[str]()
    for deal in islice(deals(rng, 2, 3), 12):
        for state, seat, moves in states(deal, rng):
            view, imagined = CASINO.view(state, seat), CASINO.imagine(CASINO.view(state, seat), rng)
            for move in moves:
                sentence = CASINO.reason(view, move)
                after, _ = CASINO.apply(imagined, seat, move)
                rivals = [hand for owner, hand in enumerate(after.hands) if owner != seat]
                values = {card.number for hand in rivals for card in hand}
                if "only you can take" in sentence.message:
                    checked.add("only you")
                    assert after.builds[-1].value not in values
                    assert after.builds[-1].value in [card.number for card in after.hands[seat]]
                if sentence.message.startswith("Nobody else"):
                    checked.add("nobody else")
                    assert after.loose[-1].number not in values
                if sentence.message.startswith("Clears"):
                    checked.add("clears")
                    assert not after.loose
                    assert not after.builds
                if "point" in sentence.message and "{n}" in sentence.message:
                    checked.add("points")
                    assert sentence.count == scored(imagined, move, seat) > 0
    assert checked == {"only you", "nobody else", "clears", "points"}
