"""Completes a typed line: a group's letter becomes its name, and cards get the backs left out.

``KC`` means ``KCr`` where the player cannot mean the other K♣, or where either card has the same effect. The
location of a card, in this module, is the name of its group, and the empty name for a card in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain, cycle, islice

from engines.cards import BACKS, Card, UnknownCard
from engines.trio_escalera.checks import is_legal
from engines.trio_escalera.choices import every_removal, within_reach
from engines.trio_escalera.state import Add, Lay, State, View, group_name, known_state, movement
from engines.values import replace

Cards = tuple[Card, ...]
Removals = Mapping[frozenset[Card], Sequence[frozenset[Card]]]
"""For each group, by its cards, the sets of named cards that can leave it so that whole groups remain."""


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

    Ambiguous cards are left out. If no combination of candidates is legal, takes the first one, which prefers
    hand cards, so that the refusal gives the true reason.
    """
    with_back = [card for card in named if card.back]
    faces = Counter(card for card in named if not card.back)
    candidates = {face: _candidates(state, into, face, times, with_back) for face, times in faces.items()}
    first = {face: found[:1] for face, found in candidates.items()}
    meant = (*with_back, *chain.from_iterable(found[0] for found in candidates.values()))
    # All combinations are legal or none is, except for what they leave of other groups (option ``strict``).
    lenient = replace(state, options={**state.options, "strict": "off"})
    if not is_legal(lenient, state.turn, movement(meant, into)):
        candidates = first
    elif state.options["strict"] == "on":
        candidates = _leaving_whole_groups(state, into, with_back, candidates) or first
    return {face: iter(found[0]) for face, found in candidates.items() if len(found) == 1}


def _leaving_whole_groups(
    state: State, into: str | None, with_back: Sequence[Card], candidates: Mapping[Card, list[Cards]]
) -> dict[Card, list[Cards]]:
    """Those candidates with which a combination leaves every other group whole; empty if none does."""
    clear = {*with_back, *chain.from_iterable(found[0] for found in candidates.values() if len(found) == 1)}
    either = {face: {card for (card,) in found} for face, found in candidates.items() if len(found) > 1}
    every = clear.union(*either.values())
    removals: Removals = {
        frozenset(group.cards): [
            frozenset(removal)
            for _, removal in every_removal(group.cards, state.ace)
            if every.issuperset(removal)
        ]
        for group in state.groups
        if group.name != into and not every.isdisjoint(group.cards)
    }
    removals = _taking(removals, clear, clear)
    # A face is judged alone if its cards lie in groups without another card that is or may be meant: together
    # with the others, each such face would double the combinations.
    beside = [every & cards for cards in removals]
    tied = [
        face
        for face, found in either.items()
        if any(named & found and not named <= found for named in beside)
    ]
    possible: dict[Card, list[Cards]] = {}
    for face, found in either.items():
        others = [either[other] for other in tied if other != face] if face in tied else []
        possible[face] = [(card,) for card in found if _leave_whole(_taking(removals, {card}, found), others)]
    return {**candidates, **possible} if all(removals.values()) and all(possible.values()) else {}


def _leave_whole(removals: Removals, either: Sequence[Set[Card]]) -> bool:
    """Whether one card of each set in ``either`` can be taken so that every group stays whole."""
    if not all(removals.values()) or not either:
        return all(removals.values())
    found, *others = either
    return any(_leave_whole(_taking(removals, {card}, found), others) for card in found)


def _taking(removals: Removals, meant: Set[Card], found: Set[Card]) -> Removals:
    """The removals that take from each group its cards ``meant``, and none of the other cards ``found``."""
    return {
        cards: [removal for removal in sets if removal & found == here] if cards & found else sets
        for cards, sets in removals.items()
        for here in [cards & meant]
    }


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
