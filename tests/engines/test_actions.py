"""Actions: the two spellings of a record, words and message, follow from its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import pytest

from engines.actions import Action, Cards, InMessage, MessageFields, Sum, parse_words
from engines.cards import Card, by_rank, cards
from engines.game import IllegalMove, Move, refuse

PACK = frozenset(cards("10H 2S 3S AS 6D 4C"))


def read_card(spelling: str) -> Card:
    if spelling.upper() not in PACK:
        refuse("unknown-card", "?")
    return Card(spelling)


class Throw(Action):
    """One card."""

    verb: ClassVar = "throw"
    hand_card: Card


class Beat(Action):
    """A card, and perhaps another one."""

    verb: ClassVar = "beat"
    card: Card
    next: Card | None = None


class Draw(Action):
    """One of two words."""

    verb: ClassVar = "draw"
    source: Literal["stock", "pile"]


class Add(Action):
    """A name, and cards in canonical order."""

    verb: ClassVar = "add"
    group: str
    cards: tuple[Card, ...]


class Lay(Action):
    """Cards in an order of the game's own."""

    verb: ClassVar = "lay"
    cards: Annotated[tuple[Card, ...], Cards(by_rank)]


class Capture(Action):
    """A card, and cards that are one word."""

    verb: ClassVar = "capture"
    hand_card: Card
    build: Annotated[tuple[Card, ...], Sum()]


class Exchange(Action):
    """Yes or no."""

    verb: ClassVar = "exchange"
    accept: bool


class Build(Action):
    """A card, and a claim that only a message makes."""

    verb: ClassVar = "build"
    card: Card
    build_value: Annotated[int | None, InMessage(int)] = None


class Take(Action):
    """Nothing but the verb."""

    verb: ClassVar = "take"


SPELLED: list[tuple[Action, str, dict[str, Any]]] = [
    (Throw(Card("10H")), "throw 10H", {"handCard": "10H"}),
    (Beat(Card("10H")), "beat 10H", {"card": "10H"}),
    (Beat(Card("10H"), Card("2S")), "beat 10H 2S", {"card": "10H", "next": "2S"}),
    (Draw("pile"), "draw pile", {"source": "pile"}),
    (
        Add("trio_0", cards("2S 3S 10H")),
        "add trio_0 2S 3S 10H",
        {"group": "trio_0", "cards": ["2S", "3S", "10H"]},
    ),
    (Lay(cards("AS 2S 10H")), "lay AS 2S 10H", {"cards": ["AS", "2S", "10H"]}),
    (Capture(Card("10H"), cards("6D 4C")), "capture 10H 6D+4C", {"handCard": "10H", "build": ["6D", "4C"]}),
    (Exchange(True), "exchange yes", {"accept": True}),
    (Exchange(False), "exchange no", {"accept": False}),
    (Build(Card("4C")), "build 4C", {"card": "4C"}),
    (Take(), "take", {}),
]
every = pytest.mark.parametrize(("action", "text", "fields"), SPELLED, ids=[text for _, text, _ in SPELLED])


@every
def test_an_action_is_written_and_read_in_words(action: Action, text: str, fields: dict[str, Any]) -> None:
    assert str(action.to_move()) == text
    for spelling in (text, text.lower(), text.upper()):
        assert type(action).from_words(spelling.split()[1:], read_card) == action


@every
def test_an_action_is_written_and_read_as_a_message(
    action: Action, text: str, fields: dict[str, Any]
) -> None:
    assert action.to_message({}) == fields
    assert type(action).from_message(MessageFields(fields, read_card)) == action


@every
def test_a_word_or_a_field_too_many_is_malformed(action: Action, text: str, fields: dict[str, Any]) -> None:
    more = MessageFields({**fields, "more": 1}, read_card)
    assert code(lambda: type(action).from_message(more)) == "unknown-action"
    words = [*text.split()[1:], "2S", "XX"]
    takes_more = type(action) in (Add, Lay)
    assert code(lambda: type(action).from_words(words, read_card)) == (
        "unknown-card" if takes_more else "unknown-action"
    )


def code(act: Callable[[], object]) -> str:
    with pytest.raises(IllegalMove) as refused:
        act()
    return refused.value.code


def kind_of(text: str) -> type[Action]:
    """The action with the verb of a text."""
    return next(type(action) for action, spelling, _ in SPELLED if spelling.split()[0] == text.split()[0])


@pytest.mark.parametrize(
    "text",
    [
        "throw",
        "beat",
        "draw",
        "draw XX",
        "add trio_0",
        "lay",
        "capture 10H",
        "exchange",
        "exchange maybe",
        "take 10H",
    ],
)
def test_too_few_too_many_or_unknown_words_are_malformed(text: str) -> None:
    assert code(lambda: kind_of(text).from_words(text.split()[1:], read_card)) == "unknown-action"


@pytest.mark.parametrize(
    "text", ["throw XX", "beat 10H XX", "add trio_0 XX", "lay 10H XX", "capture 10H 6D+", "build all"]
)
def test_a_word_that_is_no_card_is_an_unknown_card(text: str) -> None:
    assert code(lambda: kind_of(text).from_words(text.split()[1:], read_card)) == "unknown-card"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Throw, {}),
        (Throw, {"hand_card": "10H"}),
        (Throw, {"handCard": ["10H"]}),
        (Beat, {"card": "XX", "next": 2}),
        (Draw, {"source": "hand"}),
        (Add, {"cards": ["10H"]}),
        (Add, {"group": "trio_0", "cards": []}),
        (Add, {"group": "trio_0", "cards": ["XX", 1]}),
        (Add, {"group": "trio_0", "cards": "10H"}),
        (Exchange, {"accept": "yes"}),
        (Exchange, {"accept": 1}),
        (Build, {"card": "4C", "buildValue": "10"}),
        (Build, {"card": "XX", "buildValue": True}),
    ],
    ids=str,
)
def test_a_message_of_another_shape_is_malformed(kind: type[Action], fields: dict[str, Any]) -> None:
    assert code(lambda: kind.from_message(MessageFields(fields, read_card))) == "unknown-action"


def test_a_malformed_message_with_an_unknown_card_is_refused_as_malformed() -> None:
    assert (
        code(lambda: Beat.from_message(MessageFields({"card": "XX", "more": 1}, read_card)))
        == "unknown-action"
    )
    assert (
        code(lambda: Beat.from_message(MessageFields({"card": "XX", "next": "2S"}, read_card)))
        == "unknown-card"
    )


@pytest.mark.parametrize("fields", [{"card": "10H"}, {"card": "10H", "next": None}], ids=str)
def test_a_card_may_be_left_out_of_a_message(fields: dict[str, Any]) -> None:
    assert Beat.from_message(MessageFields(fields, read_card)) == Beat(Card("10H"))


def test_a_claim_is_read_from_a_message_alone() -> None:
    claimed = Build.from_message(MessageFields({"card": "4C", "buildValue": 10}, read_card))
    assert (claimed, claimed.to_move()) == (Build(Card("4C"), 10), Move("build", ("4C",)))
    assert claimed.to_message({}) == {"card": "4C", "buildValue": 10}


def test_cards_named_in_any_order_are_the_same_action() -> None:
    assert Lay.from_words(["10H", "AS", "2S"], read_card) == Lay(cards("AS 2S 10H"))


def test_words_read_twice_give_the_same_object() -> None:
    assert parse_words(Throw, ("10H",), read_card) is parse_words(Throw, ("10H",), read_card)


def message(**fields: Any) -> MessageFields:
    return MessageFields(fields)


def test_a_field_is_taken_by_its_type() -> None:
    assert message(row=2).required("row", int) == 2


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, int),
        (1, bool),
        (0, bool),
        (1.0, int),
        ("1", int),
        (None, int),
        (None, str),
        (["10H"], str),
        ("x", dict),
    ],
)
def test_a_field_of_another_type_is_malformed(value: Any, kind: type[Any]) -> None:
    with pytest.raises(IllegalMove, match=r"^unknown-action$"):
        message(field=value).required("field", kind)


def test_a_missing_field_is_malformed() -> None:
    with pytest.raises(IllegalMove, match=r"^unknown-action$"):
        message().required("row", int)


def test_false_is_a_value() -> None:
    assert message(accept=False).required("accept", bool) is False


@pytest.mark.parametrize("fields", [{}, {"value": None}], ids=["missing", "null"])
def test_a_field_that_may_be_left_out(fields: dict[str, Any]) -> None:
    read = message(**fields)
    assert read.optional("value", int) is None
    read.end()


def test_a_field_that_may_be_left_out_has_its_type_all_the_same() -> None:
    with pytest.raises(IllegalMove, match=r"^unknown-action$"):
        message(value="10").optional("value", int)


@pytest.mark.parametrize("more", [{"extra": 1}, {"extra": None}], ids=str)
def test_a_field_too_many_is_malformed(more: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove, match=r"^unknown-action$"):
        message(**more).end()
