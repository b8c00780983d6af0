"""The movements that are suggested: nearly all legal ones of hand cards alone, and few of table cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from engines.cards import Card
from engines.game import IllegalMove, Move
from engines.trio_escalera import moves
from engines.trio_escalera.brain import reach
from engines.trio_escalera.groups import melds
from engines.trio_escalera.moves import _MENDING_WORK
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import DECK, State
from tests import luck
from tests.engines.trio_escalera.positions import load

CLOSE = [card for card in DECK if card.rank in ("Q", "K", "A", "2", "3") and card.suit != "D"]
"""Cards of five ranks around the ace, so that many fit together."""
HAND = 8
EQUAL = 4
"""The most cards of one rank in hand of which every choice is suggested."""
WITH_A_LONE_SIX = """
3Db 4Dr 5Db, 5Hr 5Dr 5Cr, 8Hb 8Dr 8Db 8Cr, 7Sr 8Sb 9Sb, 3Sr 4Sb 5Sb 6Sr, 10Sb 10Db 10Cb, JSr QSr KSr,
ASr 2Sb 3Sb, JSb JDb JCb, 9Dr 10Dr JDr QDr KDb, 9Sr 9Db 9Cb, AHr AHb ADr ADb ACr ACb, 9Cr 10Cr JCr, 6Db,
7Hr 7Dr 7Cr 7Cb, 2Sr 2Hr 2Hb 2Dr, 10Hr JHb QHb, 4Hb 5Hb 6Hr, 7Hb 8Hr 9Hb 10Hb JHr, QSb QHr QDb, 4Cr 5Cb 6Cr,
5Sr 6Sb 7Sb
"""
"""Whole groups, and a lone 6♦ that fits into only one of them."""
RULES: tuple[dict[str, str], ...] = ({}, {"ace": "low"}, {"ace": "wrap"}, {"table_moves": "off"})


def position(options: dict[str, str], rng: random.Random) -> State:
    """A hand of cards that fit together well, and a few whole groups."""
    cards = rng.sample(CLOSE, len(CLOSE))
    while max(Counter(card.rank for card in cards[:HAND]).values()) > EQUAL:
        rng.shuffle(cards)
    hand, rest = cards[:HAND], cards[HAND:]
    groups: dict[str, list[Card]] = {}
    while len(groups) < 3 and (found := list(melds("low").melds_in(rest))):
        meld = rng.choice(found)
        groups[f"{'trio' if meld[0].rank == meld[1].rank else 'escalera'}_{len(groups)}"] = list(meld)
        rest = [card for card in rest if card not in meld]
    lying = [{"name": name, "cards": meld} for name, meld in groups.items()]
    return load({"hands": [hand, []], "groups": lying, "on": [True, False]}, **options)


def is_accepted(state: State, move: Move) -> bool:
    try:
        game.apply(state, state.turn, move)
    except IllegalMove:
        return False
    return True


def choices(state: State) -> Iterator[Move]:
    """Every choice of hand cards, laid and added to every group, legal or not."""
    hand = state.hands[state.turn]
    for cards in chain.from_iterable(combinations(hand, n) for n in range(1, len(hand) + 1)):
        yield Move("lay", cards)
        yield from (Move("add", (group.name, *cards)) for group in state.groups)


def look(move: Move) -> tuple[str, ...]:
    """A movement but for the backs of its cards: of two equal cards only one is suggested for a run."""
    group = move.words[: move.verb == "add"]
    return (*group, *sorted(Card(word).rank + Card(word).suit for word in move.words[len(group) :]))


@pytest.mark.parametrize("options", RULES, ids=lambda options: ",".join(options.values()) or "default")
def test_every_movement_of_hand_cards_is_suggested(options: dict[str, str]) -> None:
    rng = luck.rng()
    for state in [position(options, rng) for _ in range(20)]:
        hand = set(state.hands[0])
        listed = [move for move in game.moves(state, 0) if move.verb in game.wide]
        from_hand = {look(move) for move in listed if hand.issuperset(move.words[move.verb == "add" :])}
        assert from_hand == {look(move) for move in choices(state) if is_accepted(state, move)}


def test_no_suggestion_moves_a_whole_group() -> None:
    """The hand cards that join two runs can be added to the run that would move."""
    runs = {"escalera_0": "4Sr 5Sr 6Sr", "escalera_1": "8Sr 9Sr 10Sr"}
    lying = [{"name": name, "cards": cards.split()} for name, cards in runs.items()]
    joining = load({"hands": [["3Sr", "7Sr"], []], "groups": lying, "on": [True, False]})
    assert is_accepted(joining, Move.parse("add escalera_1 3Sr 4Sr 5Sr 6Sr 7Sr"))
    assert [str(move) for move in game.moves(joining, 0) if move.verb == "add"] == [
        "add escalera_0 3Sr 7Sr",
        "add escalera_0 3Sr",
        "add escalera_0 7Sr",
        "add escalera_1 7Sr",
    ]
    rng = luck.rng()
    for state in [position({}, rng) for _ in range(60)]:
        for move in game.moves(state, 0):
            assert not any(set(group.cards) <= set(move.words) for group in state.groups)


def test_a_broken_group_is_mended_in_one_way_only() -> None:
    """Laid anew together with the 7♦ it would be the same group."""
    lying = [
        {"name": "trio_0", "cards": ["7Hb", "7Cr"]},
        {"name": "escalera_0", "cards": ["4Dr", "5Db", "6Db", "7Db", "8Db", "9Dr", "10Dr"]},
    ]
    state = load({"hands": [["KSr"], []], "groups": lying, "on": [True, False]})
    assert is_accepted(state, Move.parse("lay 7Hb 7Db 7Cr"))
    assert [str(move) for move in game.moves(state, 0) if move.verb in game.wide] == ["add trio_0 7Db"]


def test_a_broken_group_is_moved_to_a_whole_one() -> None:
    lying = {"escalera_0": "7Sr 8Sr", "escalera_1": "9Sr 10Sr JSr", "trio_0": "6Sr 6Hr 6Dr 6Cr"}
    groups = [{"name": name, "cards": cards.split()} for name, cards in lying.items()]
    state = load({"hands": [["2Hr", "4Dr"], []], "groups": groups, "on": [True, False]})
    listed = set(map(str, game.moves(state, 0)))
    assert "add escalera_1 7Sr 8Sr" in listed
    assert is_accepted(state, Move.parse("add escalera_1 7Sr 8Sr"))
    assert not is_accepted(state, Move.parse("add trio_0 7Sr 8Sr"))


def test_the_search_for_a_way_to_mend_a_full_table_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed, weigh = 0, reach.SearchTable.weigh

    def counted_weigh(*args: object) -> reach.Weighed:
        nonlocal weighed
        weighed += 1
        return weigh(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(reach.SearchTable, "weigh", counted_weigh)
    lying = [
        {"name": f"trio_{n}", "cards": cards.split()} for n, cards in enumerate(WITH_A_LONE_SIX.split(","))
    ]
    full = load({"hands": [["KSb", "4Hr", "3Dr"], []], "groups": lying, "on": [True, False]})
    search_for_a_way_to_mend(full)
    assert 0 < weighed <= _MENDING_WORK
    monkeypatch.setattr(moves, "_MENDING_WORK", 10 * _MENDING_WORK)
    search_for_a_way_to_mend(full)
    assert weighed > 4 * _MENDING_WORK


def search_for_a_way_to_mend(state: State) -> None:
    moves._mending.cache_clear()
    moves._mending(state.hands[state.turn], None, state.table, state.ace, 3)
