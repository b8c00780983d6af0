"""Draws the end of a hand of Boathouse Rum: the payments, and what each player was left with."""

from __future__ import annotations

from engines.boathouse.state import Settlement, View
from engines.boathouse.texts import ending, meld_in_short
from engines.drawing import Lines, columns, panel, wrap_sentences
from engines.game import Name, Say, Text

TWO_PANELS = 100
"""The least width at which the panels of hand and stock stand side by side.

From it on, those of the players and of the end of a hand are closed too.
"""


def last_hand(view: View, say: Say, width: int) -> Lines:
    """The end of the hand that was settled last, if the view has one."""
    return _hand_end(view.settled, view, say, width) if view.settled else []


def last_hand_in_words(view: View, say: Say, width: int) -> Lines:
    """As `last_hand`, in a sentence."""
    return _hand_end_in_words(view.settled, say, width) if view.settled else []


def _hand_end_in_words(settled: Settlement, say: Say, width: int) -> Lines:
    """The end of a hand and its payments, in a sentence."""
    paid = tuple(
        Text("{who} {payment}", who=Name(seat), payment=f"{payment:+d}")
        for seat, payment in enumerate(settled.payments)
    )
    sentence = Text("Hand {n}: {end} {paid}.", n=settled.hand_number, end=ending(settled), paid=paid)
    return wrap_sentences([sentence], say, width)


def _hand_end(settled: Settlement, view: View, say: Say, width: int) -> Lines:
    """The end of a hand: the payments, and each player's remaining cards (rules 11 to 13)."""
    head = ["", say(Text("left")), say(Text("points")), say(Text("Total"))]
    table = [head]
    for seat, division in enumerate(settled.divisions):
        payment = f"{settled.payments[seat]:+d}"
        table.append([say.name(seat), str(division.points), payment, f"{view.ledger[seat]:+d}"])
    lines = [*wrap_sentences([ending(settled)], say, width), *columns(table, width)]
    for seat, division in enumerate(settled.divisions):
        if division.unmatched:
            cards = " ".join(map(say.card, say.arrange(division.unmatched)))
            lines += wrap_sentences(
                [Text("{who}, unmatched: {cards}", who=Name(seat), cards=cards)], say, width
            )
        if division.melds:
            melds = " + ".join(meld_in_short(meld, say) for meld in division.melds)
            lines += wrap_sentences(
                [Text("{who}, melds in hand: {cards}", who=Name(seat), cards=melds)], say, width
            )
    title = Text("end of hand {n}", n=settled.hand_number)
    return panel(say(title), lines, width, closed=width >= TWO_PANELS)
