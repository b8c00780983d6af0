"""The melds and lay-offs that `layings` finds, against the rules of melds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.boathouse.layings import bits, lay_offs, melds_in
from engines.boathouse.state import DECK, MELDS, TableMeld, in_canonical_order, points
from engines.cards import Card
from engines.game import Move

# Few ranks, round the corner, so that many cards fit each other.
CLOSE = [card for card in DECK if card.rank in ("Q", "K", "A", "2", "3", "4")]
hands = st.one_of(
    st.lists(st.sampled_from(DECK), max_size=26, unique=True),
    st.lists(st.sampled_from(CLOSE), max_size=16, unique=True),
    st.lists(st.sampled_from([card for card in DECK if card.suit in "SH"]), max_size=20, unique=True),
)


@settings(max_examples=200, deadline=None)
@given(hand=hands)
def test_every_meld_of_a_hand_is_found_once(hand: list[Card]) -> None:
    expected = [Move("meld", in_canonical_order(meld)) for meld in MELDS.melds_in(hand)]
    assert sorted(map(str, (one.move for one in melds_in(bits(hand))))) == sorted(map(str, expected))


@settings(max_examples=200, deadline=None)
@given(hand=hands, data=st.data())
def test_every_lay_off_is_found_once(hand: list[Card], data: st.DataObject) -> None:
    melds = sorted(MELDS.melds_in(hand))
    if not melds:
        return
    meld = data.draw(st.sampled_from(melds))
    rest = [card for card in hand if card not in meld]
    expected = [
        Move("layoff", ("meld_3", *in_canonical_order(added))) for added in MELDS.lay_offs(meld, rest)
    ]
    found = lay_offs(bits(rest), [TableMeld("meld_3", meld, 0)])
    assert sorted(map(str, (one.move for one in found))) == sorted(map(str, expected))


@settings(max_examples=50, deadline=None)
@given(hand=hands)
def test_a_laying_knows_its_cards_and_points(hand: list[Card]) -> None:
    for one in melds_in(bits(hand)):
        cards = tuple(map(Card, one.move.words))
        assert (one.cards, one.points) == (bits(cards), sum(map(points, cards)))
