"""Boathouse positions in short: ``position(hands=["4H 10C", "9D"], melds=["5H 6H 7H"])``."""

from __future__ import annotations

from collections.abc import Sequence

from engines import games
from engines.boathouse.state import State, View
from engines.game import Game, Seat
from tests.support.positions import Position, Positions

BOATHOUSE: Game[State, View] = games()["boathouse"]
POSITIONS = Positions(BOATHOUSE)
load, reach, play, scores = POSITIONS.load, POSITIONS.reach, POSITIONS.play, POSITIONS.scores
legal, refusal, refusal_reason = POSITIONS.legal, POSITIONS.refusal, POSITIONS.refusal_reason
events, news, public_news = POSITIONS.events, POSITIONS.news, POSITIONS.public_news
STOCK = "AC 10S 6D"


def position(
    *,
    hands: Sequence[str],
    stock: str = STOCK,
    pile: str = "4C",
    melds: Sequence[str] = (),
    turn: Seat = 0,
    phase: str = "play",
    barred: str = "",
    laid_before: Sequence[Seat] = (),
    laid_now: bool = False,
    thin_turns: int = 0,
    dealer: Seat | None = None,
    hand: int = 1,
    ledger: Sequence[int] = (),
) -> Position:
    """A position with all fields of the rule book; melds belong to the last seat."""
    seats = len(hands)
    return {
        "hands": [held.split() for held in hands],
        "stock": stock.split(),
        "pile": pile.split(),
        "melds": [
            {"name": f"meld_{n}", "cards": meld.split(), "by": seats - 1} for n, meld in enumerate(melds)
        ],
        "turn": turn,
        "phase": phase,
        "barred": barred.split(),
        "laid_before": [seat in laid_before for seat in range(seats)],
        "laid_now": laid_now,
        "thin_turns": thin_turns,
        "dealer": (turn - 1) % seats if dealer is None else dealer,
        "hand": hand,
        "ledger": list(ledger or [0] * seats),
    }
