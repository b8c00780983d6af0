"""The backs that a typed line leaves out: written out where they are clear, else left to the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest

from engines.cards import Card
from engines.game import IllegalMove
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import DECK, State
from tests import luck
from tests.engines.trio_escalera.positions import position, reach, refusal

TABLE = {"trio_0": "KSr KHb KDb", "escalera_0": "9Cr 10Cr JCr QCr"}


def completed(state: State, line: str) -> str:
    verb, *words = line.split()
    return " ".join((verb, *game.complete(game.view(state, 0), verb, words)))


@pytest.mark.parametrize("spelling", ["KC", "kc", "K♣", "k♣\ufe0f"])
def test_the_one_card_in_hand_is_meant(spelling: str) -> None:
    assert completed(position("KCb 2Sb", TABLE), f"add trio_0 {spelling}") == "add trio_0 KCb"


def test_the_one_card_on_the_table_is_meant() -> None:
    state = position("6Hb 6Dr 2Cb", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr 8Sr 9Sb"})
    assert completed(state, "lay 6H 6D 6S") == "lay 6Hb 6Dr 6Sr"


def test_a_back_that_is_named_stays() -> None:
    assert completed(position("KCb KSb", TABLE), "add trio_0 KCr KS") == "add trio_0 KCr KSb"


def test_a_card_of_the_destination_cannot_be_meant() -> None:
    assert completed(position("KSb 2Sb", TABLE), "add trio_0 KS") == "add trio_0 KSb"
    assert completed(position("KSb 2Sb", TABLE), "add TRÍO_0 KS") == "add TRÍO_0 KSb"
    state = position("2Sb", {**TABLE, "trio_1": "KSb KHr KDr KCr"}, movements_left=0)
    assert completed(state, "add trio_0 KS") == "add trio_0 KSb"


def test_a_card_that_is_named_already_is_not_meant_again() -> None:
    state = position("KSb KCb 2Sb", {"escalera_0": "JSr QSr KSr"})
    assert completed(state, "lay KSr KS KC") == "lay KSr KSb KCb"
    assert completed(position("KSr KSb KCb KHr"), "lay KSr KS KC KH") == "lay KSr KSb KCb KHr"


def test_both_cards_are_meant_where_both_are_named() -> None:
    assert completed(position("7Sr 7Sb 7Hr 7Dr"), "lay 7S 7H 7S 7D") == "lay 7Sr 7Hr 7Sb 7Dr"


def test_before_opening_a_card_of_the_table_cannot_be_meant() -> None:
    table = {"escalera_0": "9Cr 10Cr JCr QCr KCr"}
    state = position("KSr KHb KCb 2Sb", table, on=False)
    assert completed(state, "lay KS KH KC") == "lay KSr KHb KCb"


def test_where_cards_leave_no_group_a_card_of_the_table_cannot_be_meant() -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"}, options={"table_moves": "off"})
    assert completed(state, "add trio_0 KC") == "add trio_0 KCb"


def test_of_two_in_hand_either_will_do() -> None:
    assert completed(position("KCr KCb 2Sb", TABLE), "add trio_0 KC") in ("add trio_0 KCr", "add trio_0 KCb")


@pytest.mark.parametrize("back", ["r", "b"])
def test_of_two_in_hand_the_drawn_one_is_meant(back: str) -> None:
    state = position("KCr KCb 2Sb", TABLE, drawn=f"KC{back}")
    assert completed(state, "add trio_0 KC") == f"add trio_0 KC{back}"


def test_of_two_in_one_group_either_will_do() -> None:
    state = position("JCb 2Sb", {"escalera_0": "8Cr 9Cr 10Cr", "trio_0": "QCr QCb QSr QHr"})
    assert refusal(state, completed(state, "add escalera_0 JC QC")) == ""


def test_a_choice_between_hand_and_table_is_left_to_the_player() -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert completed(state, "add escalera_0 KC") == "add escalera_0 KC"
    assert refusal(state, completed(state, "add escalera_0 KC")) == "unknown-card"


def test_a_choice_between_two_groups_is_left_to_the_player() -> None:
    table = {"trio_0": "5Hr 5Sr 5Dr 5Cr", "escalera_0": "3Hb 4Hb 5Hb 6Hb"}
    state = position("3Hr 4Hr 2Sb", table)
    assert completed(state, "lay 3H 4H 5H") == "lay 3H 4H 5H"
    assert completed(state, "lay 3Hr 4Hr 5H") == "lay 3Hr 4Hr 5H"
    assert completed(position("6Dr 7Dr 2Sb", {**table, "trio_1": "8Dr 8Sr 8Hr 8Cr"}), "lay 6D 7D 8D") == (
        "lay 6Dr 7Dr 8Dr"
    )


def test_only_the_cards_to_choose_are_left_to_the_player() -> None:
    state = position("KCb ACb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert completed(state, "add escalera_0 KC AC") == "add escalera_0 KC ACb"


def test_where_groups_must_stay_whole_the_card_that_may_leave_is_meant() -> None:
    table = {"trio_0": "5Hr 5Sr 5Dr 5Cr", "escalera_0": "4Hb 5Hb 6Hb"}
    state = position("3Hr 4Hr 2Sb", table, options={"strict": "on"})
    assert completed(state, "lay 3H 4Hr 5H") == "lay 3Hr 4Hr 5Hr"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("lay KC 2S", "not-a-group"),
        ("add trio_0 2S", "not-a-group"),
        ("add trio_9 KC", "no-such-group"),
        ("lay KC 7D 7H", "card-not-yours"),
        ("lay KC KC KC", "card-twice"),
        ("lay KC ZZ", "unknown-card"),
        ("lay", "unknown-action"),
        ("add trio_0", "unknown-action"),
        ("add", "unknown-action"),
    ],
)
def test_no_back_is_asked_for_where_any_is_refused(line: str, code: str) -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert refusal(state, completed(state, line)) == code


def test_where_any_back_is_refused_the_card_in_hand_is_meant() -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert completed(state, "lay KC 2S") == "lay KCb 2Sb"


def test_before_opening_a_card_of_the_table_is_refused_for_that() -> None:
    state = position("KSb KCb 2Sb", TABLE, on=False)
    assert refusal(state, completed(state, "lay KS KC KH")) == "player-off"


def test_a_card_that_must_stay_in_its_trio_is_not_meant_however_many_are_named() -> None:
    ranks = ["5", "6", "7", "8", "9"]
    trios = {f"trio_{n}": f"{rank}Hb {rank}Sb {rank}Db" for n, rank in enumerate(ranks)}
    hand = " ".join(f"{rank}Hr" for rank in ranks)
    state = position(f"{hand} 2Sb", trios, stock="", options={"strict": "on"})
    assert completed(state, "lay 5H 6H 7H 8H 9H") == f"lay {hand}"


def test_a_whole_run_is_meant_where_the_trios_must_stay_whole() -> None:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"]
    table = {
        "escalera_0": " ".join(f"{rank}Hr" for rank in ranks),
        **{f"trio_{n}": f"{rank}Hb {rank}Sb {rank}Db" for n, rank in enumerate(ranks)},
    }
    line = "lay KH " + " ".join(f"{rank}H" for rank in ranks)
    meant = "lay KHr " + " ".join(f"{rank}Hr" for rank in ranks)
    assert completed(position("KHr", table, stock="", options={"strict": "on"}), line) == meant


@pytest.mark.parametrize("strict", ["on", "off"])
def test_a_back_is_left_out_exactly_where_legal_ways_take_the_card_from_several_places(strict: str) -> None:
    rng, ambiguous, clear = luck.rng(), 0, 0
    for _ in range(150):
        state = crowded(rng, strict)
        line = some_line(state, rng)
        done = completed(state, " ".join(line)).split()
        ways = [way for way in every_way(line) if is_legal(state, way)]
        for n, word in enumerate(line[1:] if ways else (), 1):
            places = {place_of(state, way[n]) for way in ways}
            if Card(done[n]).back:
                assert places == {place_of(state, done[n])}
            else:
                assert done[n] == word
                assert len(places) > 1
        ambiguous += bool(ways) and not all(Card(word).back for word in done[1:])
        clear += is_legal(state, done)
    assert min(ambiguous, clear) > 2


def crowded(rng: Random, strict: str) -> State:
    """A position with a full table of cards in two suits or of four ranks, so that most lie there twice."""
    left = [card for card in DECK if card.suit in "SH" or card.rank in "4567"]
    groups: dict[str, str] = {}
    for n in range(200):
        group = a_group(left, rng)
        if len(group) >= 3 and len(groups) < 9:
            kind = "trio" if group[0].rank == group[1].rank else "escalera"
            groups[f"{kind}_{n}"] = " ".join(group)
            left = [card for card in left if card not in group]
    return position(" ".join(rng.sample(left, 8)), groups, stock="", options={"strict": strict})


def a_group(cards: Sequence[Card], rng: Random) -> list[Card]:
    """Cards of a random run or set, one of each rank or suit; if any are missing, no run or a smaller set."""
    suit, first, length = rng.choice("SH"), rng.randrange(1, 12), rng.randrange(3, 8)
    if rng.random() < 0.3:
        kinds = [[card for card in cards if (card.rank, card.suit) == (str(first), one)] for one in "SHDC"]
        return [rng.choice(kind) for kind in kinds if kind]
    wanted = range(first, min(first + length, 14))
    kinds = [[card for card in cards if card.suit == suit and card.number == number] for number in wanted]
    return [rng.choice(kind) for kind in kinds] if all(kinds) else []


def some_line(state: State, rng: Random) -> list[str]:
    """A movement to a new group, most of its cards without backs."""
    cards = [*state.hands[0], *(card for group in state.groups for card in group.cards)]
    while not (group := a_group(cards, rng)):
        pass
    return ["lay", *(card if rng.random() < 0.25 else card[:-1] for card in group)]


def is_legal(state: State, words: Sequence[str]) -> bool:
    try:
        game.act(state, 0, " ".join(words))
    except IllegalMove:
        return False
    return True


def every_way(line: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The line with the backs left out written out in every way."""
    return product([line[0]], *([word] if Card(word).back else [f"{word}r", f"{word}b"] for word in line[1:]))


def place_of(state: State, card: str) -> str:
    """The name of the card's group, or the empty name for a card in hand."""
    return next((group.name for group in state.groups if card in group.cards), "")


@pytest.mark.parametrize("line", ["draw", "end", "reset", "dance KC", "draw KC"])
def test_lines_without_a_movement_stay(line: str) -> None:
    assert completed(position("KCb 2Sb", TABLE), line) == line


def test_out_of_turn_nothing_is_written_out() -> None:
    state = reach(position("KCb 2Sb", TABLE), "draw", "end")
    assert completed(state, "add trio_0 KC") == "add trio_0 KC"


@pytest.mark.parametrize(
    "action",
    ["add trio_0 KC", {"type": "add", "playerId": "p1", "group": "trio_0", "cards": ["KC"]}],
    ids=["text", "message"],
)
def test_actions_of_programs_name_every_back(action: str) -> None:
    assert refusal(position("KCb 2Sb", TABLE), action) == "unknown-card"
