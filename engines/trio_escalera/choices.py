"""Lists the words that may follow while a player composes a movement card by card.

A gift, in this module, is a set of cards that can leave a whole group so that only whole groups remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, product

from engines.cards import RANKS, SUITS, Card, is_card
from engines.melds import Ace
from engines.trio_escalera.groups import Arc, Group, arcs, bits, broken_without, is_whole, melds
from engines.trio_escalera.state import State


def following(state: State, verb: str, words: Sequence[str]) -> Iterator[str]:
    """The words that may come next after a verb and some words, so that a legal movement remains possible.

    Cards of the hand come first, then those of the table, group by group.
    """
    if not state.movements_left:
        return
    if verb == "lay":
        yield from _cards_after(state, None, words)
    elif verb == "add" and state.on[state.turn]:
        if not words:
            yield from (group.name for group in state.groups if any(_cards_after(state, group, ())))
        elif group := state.table.find(words[0]):
            yield from _cards_after(state, group, words[1:])


def within_reach(state: State) -> tuple[Card, ...]:
    """The cards that a movement may use: hand cards first, then table cards."""
    hand = state.hands[state.turn]
    if not state.on[state.turn] or state.options["table_moves"] == "off":
        return hand
    return hand + tuple([card for group in state.groups for card in group.cards])


def _cards_after(state: State, into: Group | None, words: Sequence[str]) -> Iterator[Card]:
    lying = into.cards if into else ()
    within = [card for card in within_reach(state) if card not in lying]
    if not all(is_card(word) and Card(word) in within for word in words) or len(set(words)) < len(words):
        return
    rest = [card for card in within if card not in words]
    said = tuple(map(Card, words))
    joining = melds(state.ace).joining((*lying, *said), rest)
    if state.options["strict"] == "off":
        yield from joining
        return
    home = {card: group for group in state.groups if group is not into for card in group.cards}
    leading: set[Card] = set()
    for card in joining:
        if card not in leading:
            leading.update(_way(home, state.ace, lying, (*said, card), joining))
        if card in leading:
            yield card


Home = Mapping[Card, Group]
"""The group of each card on the table that is not in the destination."""


def _way(
    home: Home, ace: Ace, lying: tuple[Card, ...], said: tuple[Card, ...], rest: Sequence[Card]
) -> tuple[Card, ...]:
    """The cards of a movement that uses those named and leaves every group whole; empty if there is none.

    The option ``strict`` needs it; under that option all groups are whole before every movement.
    """
    card, whole = said[-1], (*lying, *said)
    if is_whole(whole, ace) and _spared(home, said, ace):
        return said
    more = [other for other in rest if other not in said]
    way: tuple[Card, ...] = ()
    if len({one.rank for one in whole}) == 1:
        way = _way_to_set(home, ace, lying, said, [one for one in more if one.rank == card.rank])
    # Two cards that differ only in the back can be in one set, never in one run.
    if not way and len({one.suit for one in whole}) == 1 and bits(whole).bit_count() == len(whole):
        way = _way_to_run(home, ace, lying, said, [one for one in more if one.suit == card.suit])
    return way


def _way_to_set(
    home: Home, ace: Ace, lying: tuple[Card, ...], said: tuple[Card, ...], rest: Sequence[Card]
) -> tuple[Card, ...]:
    """Tries every gift of the sets on the table, with all other cards of the rank that may be moved."""
    sets = [group for group in _homes(home, (*said, *rest)) if melds(ace).is_set(group.cards)]
    in_sets = _cards_of(sets)
    fixed = tuple(card for card in said if card not in in_sets)
    if not _spared(home, fixed, ace):
        return ()
    free = tuple(card for card in rest if card not in in_sets and _spared(home, (card,), ace))
    for gifts in product(*(_gifts(group, ace, said) for group in sets)):
        cards = (*fixed, *free, *(card for _, gift in gifts for card in gift))
        if melds(ace).is_set((*lying, *cards)):
            return cards
    return ()


def _way_to_run(
    home: Home, ace: Ace, lying: tuple[Card, ...], said: tuple[Card, ...], rest: Sequence[Card]
) -> tuple[Card, ...]:
    """Tries every gift of the runs on the table, for every run that the movement could make."""
    runs = [group for group in _homes(home, (*said, *rest)) if melds(ace).is_run(group.cards)]
    in_runs = _cards_of(runs)
    kept = tuple(card for card in said if card not in in_runs)
    if not _spared(home, kept, ace):
        return ()
    outside = (card for card in rest if card not in in_runs)
    free = {card.number - 1: card for card in outside if _spared(home, (*kept, card), ace)}
    fixed = (*lying, *kept)
    gifts = [_gifts(run, ace, said) for run in runs]
    there, reach, wanted = bits(fixed), bits((*lying, *said, *rest)), bits((*lying, *said))
    for arc in _runs_between(wanted, reach, ace):
        given = _give(gifts, arc.bits & ~there, sum(1 << rank for rank in free))
        if given is not None:
            left = arc.bits & ~bits((*fixed, *given))
            return (*said, *given, *(card for rank, card in free.items() if left >> rank & 1))
    return ()


def _runs_between(wanted: int, reach: int, ace: Ace) -> Iterator[Arc]:
    """Every possible run that has all ranks ``wanted`` and only ranks within ``reach``, both bits."""
    return (arc for arc in arcs(ace) if not wanted & ~arc.bits and not arc.bits & ~reach)


def _give(
    gifts: Sequence[Sequence[tuple[int, tuple[Card, ...]]]], wanted: int, free: int
) -> tuple[Card, ...] | None:
    """The cards of one gift from each run that together supply the ranks ``wanted`` (bits), none twice.

    Ranks that are ``free`` (bits) need not be supplied. None if no gifts fit.
    """
    if not gifts:
        return None if wanted & ~free else ()
    for ranks, gift in gifts[0]:
        if not ranks & ~wanted:
            rest = _give(gifts[1:], wanted & ~ranks, free)
            if rest is not None:
                return (*gift, *rest)
    return None


def _homes(home: Home, cards: Sequence[Card]) -> list[Group]:
    return list({home[card].name: home[card] for card in cards if card in home}.values())


def _cards_of(groups: Sequence[Group]) -> frozenset[Card]:
    return frozenset(card for group in groups for card in group.cards)


def _spared(home: Home, gone: Sequence[Card], ace: Ace) -> bool:
    """Whether the groups on the table stay whole, in one or more pieces, without the cards ``gone``."""
    return all(_leaves_whole(group.cards, gone, ace) for group in _homes(home, gone))


def _leaves_whole(cards: Sequence[Card], gone: Sequence[Card], ace: Ace) -> bool:
    return not broken_without(tuple(cards), frozenset(cards).intersection(gone), ace)


def _gifts(group: Group, ace: Ace, said: Sequence[Card]) -> list[tuple[int, tuple[Card, ...]]]:
    """The gifts of a whole group that contain all its named cards, each with its ranks as bits."""
    wanted = {card for card in said if card in group.cards}
    return [(ranks, gift) for ranks, gift in _every_gift(group.cards, ace) if wanted.issubset(gift)]


@lru_cache(maxsize=1024)
def _every_gift(cards: tuple[Card, ...], ace: Ace) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """Every gift of a whole group, each with its ranks as bits; the first gift is empty."""
    run = melds(ace).is_run(cards)
    places = _spare_places(len(cards), ace) if run else _subsets(len(cards))
    gifts = (tuple(cards[place] for place in some) for some in places)
    return tuple((bits(gift), gift) for gift in gifts if run or _leaves_whole(cards, gift, ace))


@cache
def _spare_places(length: int, ace: Ace) -> tuple[tuple[int, ...], ...]:
    """The gifts of a run of this length, as places in the run; small gifts first."""
    line = next(arc.ranks for arc in arcs(ace) if len(arc.ranks) == length)
    model = tuple(Card(RANKS[rank] + SUITS[0]) for rank in line)
    return tuple(
        places for places in _subsets(length) if _leaves_whole(model, [model[n] for n in places], ace)
    )


def _subsets(n: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(n), size) for size in range(n + 1))
