"""What the piles of earlier turns tell: positions that come again, and cards that all have seen move.

Both players act in turn, one action each, so a row of piles says who laid and who took what.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.cards import Card
from engines.game import Seat
from engines.svoi.deck import Pile


def occurrences(past: Sequence[Pile], pile: Pile) -> int:
    """How often the present position has come up, this time included (rule 8).

    Where the pile is the same and one hand is the same, the other hand is too. So it is enough to
    follow what the player who acted last has laid and taken since.
    """
    if pile not in past:
        return 1
    count, later = 1, pile
    moved: set[Card] = set()
    for back, earlier in enumerate(reversed(past), 1):
        if back % 2:
            # Cards come and go at the top alone, so the higher pile begins with the lower one.
            moved.symmetric_difference_update(later[len(earlier) :] or earlier[len(later) :])
        elif earlier == pile and not moved:
            count += 1
        later = earlier
    return count


def has_come(past: Sequence[Pile], pile: Pile, times: int) -> bool:
    """Whether the present position has come up so many times."""
    # The same player is to play again only after every other turn.
    return past[len(past) % 2 :: 2].count(pile) >= times - 1 and occurrences(past, pile) >= times


def follow(past: Sequence[Pile], pile: Pile, turn: Seat) -> tuple[dict[Card, Seat], dict[Card, Seat]]:
    """Who was first to lay each card that was ever laid, and who holds those that were taken."""
    first: dict[Card, Seat] = {}
    taken: dict[Card, Seat] = {}
    for i, before in enumerate(past):
        after = past[i + 1] if i + 1 < len(past) else pile
        seat = (turn + len(past) - i) % 2
        for card in set(after) - set(before):
            first.setdefault(card, seat)
            taken.pop(card, None)
        taken |= dict.fromkeys(set(before) - set(after), seat)
    return first, taken
