"""Positions: a written position is read again, and nothing else is read."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

from engines.cards import Card, UnknownCard, cards
from engines.position import Alias, BadPosition, Reference, Transient, dump, iter_cards, load
from engines.values import Value


class Inner(Value):
    pair: tuple[Card, Card]
    value: int


class Outer(Value, kw_only=True):
    hands: tuple[tuple[Card, ...], ...]
    builds: tuple[Inner, ...] = ()
    drawn: Card | None = None
    turn: int = 0
    phase: str = "play"
    open: bool = False
    best: Inner | None = None
    latest: Reference[Card | None] = None
    number: Annotated[int, Alias("hand")] = 1
    seed: Transient[bytes] = b""
    options: Transient[dict[str, str]]


OPTIONS = {"attack": "board"}
SMALL: dict[str, Any] = {"hands": [["10H"], []]}
FULL: dict[str, Any] = {
    "hands": [["10H", "AS"], []],
    "builds": [{"pair": ["4H", "6C"], "value": 10}],
    "drawn": "KSr",
    "turn": 1,
    "phase": "exchange",
    "open": True,
    "best": {"pair": ["2C", "3C"], "value": 5},
    "latest": "10H",
    "hand": 3,
}


def read(position: dict[str, Any]) -> Outer:
    return load(Outer, position, options=OPTIONS)


def test_a_position_is_read_by_the_types() -> None:
    assert read(FULL) == Outer(
        hands=(cards("10H AS"), ()),
        builds=(Inner((Card("4H"), Card("6C")), 10),),
        drawn=Card("KSr"),
        turn=1,
        phase="exchange",
        open=True,
        best=Inner((Card("2C"), Card("3C")), 5),
        latest=Card("10H"),
        number=3,
        options=OPTIONS,
    )


def test_a_position_read_and_written_is_the_same() -> None:
    assert dump(read(FULL)) == FULL


def test_a_missing_field_takes_its_default() -> None:
    assert dump(read(SMALL)) == {
        "hands": [["10H"], []],
        "builds": [],
        "drawn": None,
        "turn": 0,
        "phase": "play",
        "open": False,
        "best": None,
        "latest": None,
        "hand": 1,
    }


def test_a_transient_field_is_not_written() -> None:
    position = dump(Outer(hands=((),), seed=b"secret", options=OPTIONS))
    assert set(position) == {"hands", "builds", "drawn", "turn", "phase", "open", "best", "latest", "hand"}


def test_a_transient_field_is_given_from_outside() -> None:
    assert load(Outer, SMALL, options=OPTIONS, seed=b"secret").seed == b"secret"


def test_cards_are_written_as_plain_strings() -> None:
    written = dump(cards("10H"))
    assert [type(card) for card in written] == [str]


def test_tuples_are_read_as_lists_are() -> None:
    assert read({"hands": (("10H",), ())}) == read(SMALL)


def test_a_field_of_another_type_is_refused_by_its_name() -> None:
    with pytest.raises(BadPosition, match=r"^turn: 'one' does not fit$"):
        read({**SMALL, "turn": "one"})


@pytest.mark.parametrize(
    "wrong",
    [
        {"turn": True},
        {"turn": 1.0},
        {"turn": None},
        {"open": 1},
        {"open": "yes"},
        {"phase": 1},
        {"phase": None},
        {"hands": "10H"},
        {"hands": ["10H"]},
        {"hands": None},
        {"hands": {"0": ["10H"]}},
        {"hands": [[10]]},
        {"hands": [[None]]},
        {"drawn": 10},
        {"drawn": ["10H"]},
        {"builds": {"pair": ["4H", "6C"], "value": 10}},
        {"builds": [["4H", "6C"]]},
        {"builds": [{"pair": ["4H"], "value": 4}]},
        {"builds": [{"pair": ["4H", "6C", "AS"], "value": 11}]},
        {"builds": [{"pair": ["4H", "6C"]}]},
        {"builds": [{"pair": ["4H", "6C"], "value": 10, "owner": 0}]},
        {"best": 5},
        {"number": 2},
        {"colour": "red"},
        {"options": {}},
        {"seed": "00"},
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadPosition):
        read({**SMALL, **wrong})


def test_unknown_fields_are_named() -> None:
    with pytest.raises(BadPosition, match=r"^no such field: colour, size$"):
        read({**SMALL, "size": 1, "colour": 2})


def test_a_field_without_a_default_must_be_there() -> None:
    with pytest.raises(BadPosition, match="hands"):
        read({"turn": 1})


def test_a_spelling_of_no_card_is_an_unknown_card() -> None:
    with pytest.raises(UnknownCard, match="11H"):
        read({"hands": [["11H"]]})


def test_the_cards_of_a_position_are_found_where_they_lie() -> None:
    assert sorted(iter_cards(read(FULL))) == sorted(["10H", "AS", "4H", "6C", "KSr", "2C", "3C"])


def test_a_card_that_lies_twice_is_found_twice() -> None:
    assert list(iter_cards(read({"hands": [["10H"], ["10H"]]}))) == ["10H", "10H"]
