"""The contract's own values, and what every game inherits: mostly checked on a small game made here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.i18n import Speech
from engines import games
from engines.actions import Action, player_id
from engines.cards import Card, cards
from engines.game import (
    Awaited,
    Choices,
    Event,
    IllegalMove,
    Move,
    Name,
    Option,
    Result,
    Seat,
    Text,
    allows,
    plural,
    refuse,
)
from engines.position import Transient
from engines.rules import Rules, rules_text
from engines.values import Value, replace
from tests import luck


class State(Value, kw_only=True):
    hands: tuple[tuple[Card, ...], ...] = ((), ())
    turn: Seat = 0
    turns: Transient[int] = 1
    options: Transient[Mapping[str, str]]
    result: Transient[Result | None] = None
    seat: Transient[Seat | None] = None


class Lay(Action):
    verb: ClassVar = "lay"
    # Only so that `wide` of the game is not empty: its moves are few, and `choices` lists them all.
    wide: ClassVar = True
    card: Card
    next: Card | None = None


class Pass(Action):
    verb: ClassVar = "pass"


class Boast(Action):
    verb: ClassVar = "boast"

    @classmethod
    def is_enabled(cls, options: Mapping[str, str]) -> bool:
        return options["colour"] == "blue"


class Toy(Rules[State, State, Lay | Pass | Boast]):
    """Players lay one card or two, as in ``lay 10H 2S``, and may ``pass`` at any time.

    The verb ``boast`` needs a house rule.
    """

    key = "toy"
    title = Text("Toy")
    pitch = Text("A toy.")
    seats = range(2, 4)
    options = (
        Option("speed", Text("Speed"), {"slow": Text("slow"), "fast": Text("fast")}),
        Option("colour", Text("Color"), {"red": Text("red"), "blue": Text("blue")}),
    )
    actions = (Lay, Pass, Boast)
    state_type = State
    pack = frozenset(cards("10H 2S"))

    def deal(
        self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None
    ) -> State:
        return State(hands=(cards("10H"), cards("2S")), options=options)

    def result(self, state: State) -> Result | None:
        return state.result

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        return (Move("lay", ("10H",)), Move("lay", ("10H", "2S")), Move("pass"))

    def may_act(self, state: State, seat: Seat, verb: str) -> bool:
        return seat == state.turn or verb == "pass"

    def check(self, state: State, seat: Seat, action: Lay | Pass | Boast) -> None:
        if isinstance(action, Lay) and action.card not in state.hands[seat]:
            refuse("not-in-hand", "{card} is not in your hand.", card=action.card)

    def perform(
        self, state: State, seat: Seat, action: Lay | Pass | Boast
    ) -> tuple[State, tuple[Event, ...]]:
        return replace(state, turn=1 - state.turn), (Event(Text(str(action)), None),)


TOY = Toy()
OPTIONS = {"speed": "slow", "colour": "red"}
STATE = TOY.new(2, b"", {})
OVER = replace(STATE, result=Result.of([1, 0]))


def refusal(state: State, seat: Seat, action: str | Mapping[str, Any]) -> str:
    with pytest.raises(IllegalMove) as refused:
        TOY.act(state, seat, action)
    return refused.value.code


def test_a_move_is_spelled_in_words() -> None:
    assert str(Move("capture", ("10S", "6D+4C"))) == "capture 10S 6D+4C"


def test_parse_reads_the_spelling() -> None:
    assert Move.parse("capture 10S 6D+4C") == Move("capture", ("10S", "6D+4C"))


def test_parse_takes_any_blanks() -> None:
    assert Move.parse("  draw \t\n stock ") == Move("draw", ("stock",))


def test_parse_changes_no_letters() -> None:
    assert Move.parse("THROW 10♥") == Move("THROW", ("10♥",))


@pytest.mark.parametrize("blank", ["", "  \n"])
def test_no_words_are_no_move(blank: str) -> None:
    with pytest.raises(ValueError, match="at least one word"):
        Move.parse(blank)


@settings(deadline=None)
@given(st.lists(st.from_regex(r"[a-z0-9+]+", fullmatch=True), min_size=1))
def test_parse_is_the_inverse_of_str(words: list[str]) -> None:
    move = Move(words[0], tuple(words[1:]))
    assert Move.parse(str(move)) == move


def test_a_text_is_its_message_and_arguments() -> None:
    text = Text("{who} throws {card}.", who=Name(1), card=Card("10H"))
    assert (text.message, text.args, text.many, text.count) == (
        "{who} throws {card}.",
        {"who": Name(1), "card": Card("10H")},
        "",
        1,
    )


def test_plural_counts() -> None:
    assert plural("{n} card", "{n} cards", 3, n_max=5) == Text("{n} card", "{n} cards", 3, n=3, n_max=5)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [([3, 1], (0,)), ([1, 3, 2], (1,)), ([2, 0, 2], (0, 2)), ([0, 0], (0, 1)), ([-5, -9], (0,))],
)
def test_winners_are_all_with_the_highest_score(scores: list[int], winners: tuple[int, ...]) -> None:
    assert Result.of(scores) == Result(tuple(scores), winners)


def test_a_result_is_written_as_the_rule_books_do() -> None:
    assert Result((7, 2), (0,)).to_json() == {"scores": [7, 2], "winners": [0]}


def test_a_refusal_is_a_value_error_that_shows_only_its_code() -> None:
    with pytest.raises(ValueError, match=r"^not-in-hand$"):
        refuse("not-in-hand", "{card} is not in your hand.", card=Card("10H"))


def test_a_refusal_has_a_reason_to_translate() -> None:
    with pytest.raises(IllegalMove) as refused:
        refuse("not-in-hand", "{card} is not in your hand.", card=Card("10H"))
    assert refused.value.reason == Text("{card} is not in your hand.", card=Card("10H"))


@pytest.mark.parametrize(("seat", "name"), [(0, "p1"), (5, "p6")])
def test_seats_count_from_0_and_player_ids_from_1(seat: int, name: str) -> None:
    assert player_id(seat) == name


@pytest.mark.parametrize(
    ("words", "choices"),
    [
        ((), Choices(("lay", "pass"), False)),
        (("lay",), Choices(("10H",), False)),
        (("lay", "10H"), Choices(("2S",), True)),
        (("lay", "10H", "2S"), Choices((), True)),
        (("pass",), Choices((), True)),
        (("fly",), Choices((), False)),
        (("lay", "10H", "2S", "2S"), Choices((), False)),
    ],
)
def test_choices_follow_from_the_moves(words: tuple[str, ...], choices: Choices) -> None:
    assert TOY.choices(STATE, 0, words) == choices


def test_options_left_out_take_their_first_value() -> None:
    assert TOY.resolve_options(2, {"colour": "blue"}) == {"speed": "slow", "colour": "blue"}


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (1, {}, "toy is for 2 to 3 players, not 1"),
        (4, {}, "toy is for 2 to 3 players, not 4"),
        (2, {"size": "big"}, "toy has no option size=big"),
        (2, {"speed": "blue"}, "toy has no option speed=blue"),
    ],
)
def test_seats_and_options_that_a_game_lacks_are_refused(
    seats: int, options: dict[str, str], reason: str
) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        TOY.resolve_options(seats, options)


def test_apply_does_what_act_does() -> None:
    assert TOY.act(STATE, 0, "lay 10H")[1:] == TOY.apply(STATE, 0, Move("lay", ("10H",)))


def test_apply_judges_too() -> None:
    with pytest.raises(IllegalMove, match=r"^not-in-hand$"):
        TOY.apply(STATE, 0, Move("lay", ("2S",)))


@pytest.mark.parametrize(
    "action",
    [
        "LAY 10♥",
        "  lay  10h ",
        {"type": "lay", "playerId": "p1", "card": "10H"},
        {"type": "LAY", "playerId": "P1", "card": "10♡"},
    ],
    ids=str,
)
def test_act_gives_the_one_spelling(action: str | Mapping[str, Any]) -> None:
    assert TOY.act(STATE, 0, action)[0] == Move("lay", ("10H",))


@pytest.mark.parametrize(
    "action",
    ["pass", "fly", "", {}, {"type": "pass", "playerId": "p1"}, {"type": "pass", "playerId": "p2"}],
    ids=str,
)
def test_game_over_comes_first(action: str | Mapping[str, Any]) -> None:
    assert refusal(OVER, 0, action) == "game-over"


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "lay", "card": "10H"},
        {"type": "lay", "playerId": "p1", "card": "10H"},
        {"type": "fly", "playerId": "p3"},
        {"type": "lay", "playerId": None, "card": "10H"},
        {"type": "lay", "playerId": 2, "card": "10H"},
        {"type": "lay", "playerId": ["p2"], "card": "10H"},
    ],
    ids=str,
)
def test_a_foreign_seat_comes_before_the_turn(message: Mapping[str, Any]) -> None:
    assert refusal(STATE, 1, message) == "not-your-seat"


@pytest.mark.parametrize(
    "action",
    ["lay 2S", "lay XX", "fly", "", {"type": "fly", "playerId": "p2"}, {"playerId": "p2"}],
    ids=str,
)
def test_the_turn_is_judged_before_the_words(action: str | Mapping[str, Any]) -> None:
    assert refusal(STATE, 1, action) == "not-your-turn"


def test_a_verb_that_may_come_out_of_turn_is_accepted() -> None:
    assert TOY.act(STATE, 1, "pass")[0] == Move("pass")


@pytest.mark.parametrize(
    "action",
    [
        "fly 10H",
        "",
        {"playerId": "p1"},
        {"type": None, "playerId": "p1", "card": "10H"},
        {"type": "lay", "playerId": "p1", "card": "XX", "more": 1},
    ],
    ids=str,
)
def test_a_malformed_action_comes_before_the_cards(action: str | Mapping[str, Any]) -> None:
    assert refusal(STATE, 0, action) == "unknown-action"


@pytest.mark.parametrize("word", ["XX", "3S", "all", "2Sr"])
def test_a_card_outside_the_pack_is_unknown(word: str) -> None:
    assert refusal(STATE, 0, f"lay {word}") == "unknown-card"


def test_the_games_own_refusals_come_last() -> None:
    assert refusal(STATE, 0, "lay 2S") == "not-in-hand"


def test_the_turn_is_awaited() -> None:
    assert TOY.awaited(replace(STATE, turn=1)) == Awaited((1,))


def test_nobody_is_awaited_after_the_end() -> None:
    assert TOY.awaited(OVER) == Awaited(())


def test_by_default_a_game_has_no_opening_and_no_carry() -> None:
    assert (TOY.opening(STATE), TOY.carry(STATE)) == ((), {})


def test_a_computer_takes_the_first_move_where_a_game_has_no_brain() -> None:
    assert TOY.think(STATE, TOY.moves(STATE, 0), luck.rng()) == Move("lay", ("10H",))


def test_a_position_takes_its_options_from_outside() -> None:
    assert TOY.load({"hands": [["10H"], ["2S"]]}, 2, {}) == STATE


def test_a_dump_is_the_position() -> None:
    assert TOY.dump(STATE) == {"hands": [["10H"], ["2S"]], "turn": 0}


@pytest.mark.parametrize("locale", ["es", "es_MX", "es-AR"])
def test_rules_are_read_in_the_language_asked_for(locale: str) -> None:
    assert rules_text("engines.casino", locale) == rules_text("engines.casino", "es")
    assert rules_text("engines.casino", locale) != rules_text("engines.casino", "en")


def test_rules_are_english_where_there_is_no_translation() -> None:
    assert rules_text("engines.casino", "fr_FR") == rules_text("engines.casino", "en")


def test_help_is_the_rules_in_the_readers_language() -> None:
    assert games()["casino"].help(Speech("es")) == rules_text("engines.casino", "es")


@pytest.mark.parametrize("key", ["cardlebones", "casino"])
def test_the_registry_finds_games_by_their_folder(key: str) -> None:
    assert games()[key].key == key


def test_the_registry_is_in_the_order_of_the_keys() -> None:
    assert list(games()) == sorted(games())


def test_a_verb_that_the_house_rules_do_not_have_is_unknown() -> None:
    assert refusal(STATE, 0, "boast") == "unknown-action"
    blue = replace(STATE, options={**OPTIONS, "colour": "blue"})
    assert TOY.act(blue, 0, "boast")[0] == Move("boast")


def test_verbs_follow_from_the_actions() -> None:
    assert (TOY.verbs, TOY.wide) == (("lay", "pass", "boast"), frozenset({"lay"}))


def test_a_house_rule_has_values_and_the_first_is_the_default() -> None:
    assert [option.default for option in TOY.options] == ["slow", "red"]
    pairs = [("speed", "fast"), ("speed", "blue"), ("size", "fast")]
    assert [allows(TOY.options, name, value) for name, value in pairs] == [True, False, False]


def test_the_highest_score_wins_where_a_game_names_no_winners() -> None:
    assert Result.of([3, 7, 7]) == Result((3, 7, 7), (1, 2))


def test_a_game_may_name_its_own_winners_and_its_own_sentence() -> None:
    lost = Result((0, 0, 0), (0, 2), Text("{who} is left with cards.", who=Name(1)))
    assert lost.to_json() == {"scores": [0, 0, 0], "winners": [0, 2]}


@pytest.mark.parametrize(
    ("hands", "fault"),
    [
        ([["3S"], []], "not in this pack: 3S"),
        ([["2S"], ["2S"]], "more than once: 2S"),
    ],
    ids=str,
)
def test_an_impossible_position_is_refused(hands: list[list[str]], fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}$"):
        TOY.load({"hands": hands}, 2, {})


def test_a_game_that_has_a_worth_values_all_verbs_unless_it_names_some() -> None:
    class Scoring(Toy):
        def worth(self, view: State, move: Move) -> int:
            return len(move.words)

    class ScoringByLaying(Scoring):
        valued = frozenset(("lay",))

    assert TOY.valued == frozenset()
    assert Scoring.valued == {"lay", "pass", "boast"}
    assert ScoringByLaying.valued == {"lay"}
