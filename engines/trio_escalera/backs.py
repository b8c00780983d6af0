"""Completes a typed line: a group's letter becomes its name, and cards get the backs left out.

``KC`` means ``KCr`` where the player cannot mean the other K♣, or where either card has the same effect. The
location of a card, in this module, is the name of its group, and the empty name for a card in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, cycle, islice, product

from engines.cards import BACKS, Card, UnknownCard
from engines.trio_escalera.checks import is_legal
from engines.trio_escalera.choices import within_reach
from engines.trio_escalera.state import Add, Lay, State, View, group_name, known_state, movement

_MOST_AMBIGUOUS = 4
"""The most ambiguous cards whose combinations are tried; with more, the player must name the backs."""

Cards = tuple[Card, ...]


def complete(view: View, verb: str, words: Sequence[str]) -> tuple[str, ...]:
    """Completes the words after a verb: names the group, and adds the backs that are clear."""
    group_words = {Lay.verb: 0, Add.verb: 1}.get(verb)
    if group_words is None or view.seat != view.turn:
        return tuple(words)
    named = [_read(word) for word in words[group_words:]]
    group = [view.group_called(words[0])] if group_words and words else []
    into = group_name(group[0]) if group else None
    resolved = _resolve(known_state(view), into, [card for card in named if card])
    completed = (
        next(resolved[card]) if card in resolved else word
        for card, word in zip(named, words[group_words:], strict=True)
    )
    return (*group, *completed)


def _read(word: str) -> Card | None:
    try:
        return Card(word)
    except UnknownCard:
        return None


def _resolve(state: State, into: str | None, named: Sequence[Card]) -> Mapping[Card | None, Iterator[Card]]:
    """Maps each card named without a back to the cards meant, one for each time that it is named.

    Ambiguous cards are left out. Tries every combination of candidates; if none is legal, takes the first,
    which prefers hand cards, so that the refusal gives the true reason.
    """
    with_back = [card for card in named if card.back]
    faces = Counter(card for card in named if not card.back)
    candidates = {face: _candidates(state, into, face, times, with_back) for face, times in faces.items()}
    if sum(len(found) > 1 for found in candidates.values()) > _MOST_AMBIGUOUS:
        candidates = {face: found for face, found in candidates.items() if len(found) == 1}
    every = list(product(*candidates.values()))
    legal = [
        meant
        for meant in every
        if is_legal(state, state.turn, movement((*with_back, *chain.from_iterable(meant)), into))
    ]
    decided = zip(candidates, zip(*(legal or every[:1]), strict=True), strict=True)
    return {face: iter(meant[0]) for face, meant in decided if len(set(meant)) == 1}


def _candidates(
    state: State, into: str | None, face: Card, times: int, with_back: Sequence[Card]
) -> list[Cards]:
    """The cards that ``face``, a card without a back, may mean if it is named ``times`` times.

    There is one candidate if the card is named more than once, or if all cards that it may mean have one
    location. Of two cards in the hand the drawn one is meant, since it must be placed (rule 11).
    """
    both = [Card(face + back) for back in BACKS]
    if times > 1:
        return [tuple(islice(cycle(both), times))]
    locations = _locations(state)
    reachable = _reachable(
        state,
        [card for card in both if card not in with_back and _may_join(into, locations.get(card))] or both,
    )
    reachable.sort(key=lambda card: (card not in state.hands[state.turn], card != state.drawn))
    alike = len({locations.get(card) for card in reachable}) == 1
    return [(card,) for card in (reachable[:1] if alike else reachable)]


def _may_join(into: str | None, location: str | None) -> bool:
    """Whether a card of this location is not yet in the group to which the movement adds."""
    return into is None or location != into


def _reachable(state: State, cards: list[Card]) -> list[Card]:
    """Those of the cards that a movement may use; if none, those in hand or on the table; if none, all."""
    reach, locations = within_reach(state), _locations(state)
    within = [card for card in cards if card in reach]
    return within or [card for card in cards if card in locations] or cards


def _locations(state: State) -> Mapping[Card, str]:
    """The location of each card on the table and in the hand: its group's name, or the empty name."""
    lying = {card: group.name for group in state.groups for card in group.cards}
    return lying | dict.fromkeys(state.hands[state.turn], "")
