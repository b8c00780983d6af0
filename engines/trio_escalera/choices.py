"""Lists the words that may follow while a player composes a movement card by card.

A removal, in this module, is a set of cards that can leave a whole group so that only whole groups remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, product

from engines.cards import RANKS, SUITS, Card, is_card
from engines.melds import Ace, rank_bits
from engines.trio_escalera.groups import Arc, Group, arcs, count_broken_pieces, is_whole, melds
from engines.trio_escalera.state import State


def next_words(state: State, verb: str, words: Sequence[str]) -> Iterator[str]:
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


def _cards_after(state: State, target: Group | None, words: Sequence[str]) -> Iterator[Card]:
    """The cards that may be named next in a movement to the group ``target``, None for a new one."""
    lying = target.cards if target else ()
    within = [card for card in within_reach(state) if card not in lying]
    if not all(is_card(word) and Card(word) in within for word in words) or len(set(words)) < len(words):
        return
    rest = [card for card in within if card not in words]
    named = tuple(map(Card, words))
    joining = melds(state.ace).joining((*lying, *named), rest)
    if state.options["strict"] == "off":
        yield from joining
        return
    group_of = {card: group for group in state.groups if group is not target for card in group.cards}
    completable: set[Card] = set()
    for card in joining:
        if card not in completable:
            completable.update(_complete_movement(group_of, state.ace, lying, (*named, card), joining))
        if card in completable:
            yield card


GroupOf = Mapping[Card, Group]
"""The group of each card on the table that is not in the destination."""


def _complete_movement(
    group_of: GroupOf, ace: Ace, lying: tuple[Card, ...], named: tuple[Card, ...], rest: Sequence[Card]
) -> tuple[Card, ...]:
    """The cards of a movement that uses those named and leaves every group whole; empty if there is none.

    Called only under the option ``strict``, by which all groups are whole before every movement.
    """
    card, enlarged = named[-1], (*lying, *named)
    if is_whole(enlarged, ace) and _stay_whole(group_of, named, ace):
        return named
    more = [other for other in rest if other not in named]
    completed: tuple[Card, ...] = ()
    if len({other.rank for other in enlarged}) == 1:
        completed = _complete_set(
            group_of, ace, lying, named, [other for other in more if other.rank == card.rank]
        )
    # Two cards that differ only in the back can be in one set, never in one run.
    if (
        not completed
        and len({other.suit for other in enlarged}) == 1
        and rank_bits(enlarged).bit_count() == len(enlarged)
    ):
        completed = _complete_run(
            group_of, ace, lying, named, [other for other in more if other.suit == card.suit]
        )
    return completed


def _complete_set(
    group_of: GroupOf, ace: Ace, lying: tuple[Card, ...], named: tuple[Card, ...], rest: Sequence[Card]
) -> tuple[Card, ...]:
    """`_complete_movement` for a set; ``rest`` are the other cards of its rank.

    Tries every removal from the sets on the table, each time with all cards of ``rest`` outside these sets
    that leave their group whole.
    """
    sets = [group for group in _groups_of(group_of, (*named, *rest)) if melds(ace).is_set(group.cards)]
    in_sets = _cards_of(sets)
    kept = tuple(card for card in named if card not in in_sets)
    if not _stay_whole(group_of, kept, ace):
        return ()
    free = tuple(card for card in rest if card not in in_sets and _stay_whole(group_of, (card,), ace))
    for removals in product(*(_removals(group, ace, named) for group in sets)):
        cards = (*kept, *free, *(card for _, removal in removals for card in removal))
        if melds(ace).is_set((*lying, *cards)):
            return cards
    return ()


def _complete_run(
    group_of: GroupOf, ace: Ace, lying: tuple[Card, ...], named: tuple[Card, ...], rest: Sequence[Card]
) -> tuple[Card, ...]:
    """`_complete_movement` for a run; ``rest`` are the other cards of its suit.

    Tries every removal from the runs on the table, for every run that the movement could make.
    """
    runs = [group for group in _groups_of(group_of, (*named, *rest)) if melds(ace).is_run(group.cards)]
    in_runs = _cards_of(runs)
    kept = tuple(card for card in named if card not in in_runs)
    if not _stay_whole(group_of, kept, ace):
        return ()
    outside = (card for card in rest if card not in in_runs)
    free = {card.number - 1: card for card in outside if _stay_whole(group_of, (*kept, card), ace)}
    fixed = (*lying, *kept)
    removals = [_removals(run, ace, named) for run in runs]
    fixed_ranks, reach, wanted = (
        rank_bits(fixed),
        rank_bits((*lying, *named, *rest)),
        rank_bits((*lying, *named)),
    )
    for arc in _runs_between(wanted, reach, ace):
        removed = _choose_removals(removals, arc.bits & ~fixed_ranks, sum(1 << rank for rank in free))
        if removed is not None:
            left = arc.bits & ~rank_bits((*fixed, *removed))
            return (*named, *removed, *(card for rank, card in free.items() if left >> rank & 1))
    return ()


def _runs_between(wanted: int, reach: int, ace: Ace) -> Iterator[Arc]:
    """Every possible run that has all ranks ``wanted`` and only ranks within ``reach``, both as bits."""
    return (arc for arc in arcs(ace) if not wanted & ~arc.bits and not arc.bits & ~reach)


def _choose_removals(
    removals: Sequence[Sequence[tuple[int, tuple[Card, ...]]]], wanted: int, free: int
) -> tuple[Card, ...] | None:
    """The cards of one removal from each run that together supply the ranks ``wanted`` (bits), none twice.

    Ranks that are ``free`` (bits) need not be supplied. None if none fit.
    """
    if not removals:
        return None if wanted & ~free else ()
    for ranks, removal in removals[0]:
        if not ranks & ~wanted:
            rest = _choose_removals(removals[1:], wanted & ~ranks, free)
            if rest is not None:
                return (*removal, *rest)
    return None


def _groups_of(group_of: GroupOf, cards: Sequence[Card]) -> list[Group]:
    """The groups in which some of the cards lie."""
    return list({group_of[card].name: group_of[card] for card in cards if card in group_of}.values())


def _cards_of(groups: Sequence[Group]) -> frozenset[Card]:
    return frozenset(card for group in groups for card in group.cards)


def _stay_whole(group_of: GroupOf, gone: Sequence[Card], ace: Ace) -> bool:
    """Whether the groups on the table stay whole, in one or more pieces, without the cards ``gone``."""
    return all(_stays_whole(group.cards, gone, ace) for group in _groups_of(group_of, gone))


def _stays_whole(cards: Sequence[Card], gone: Sequence[Card], ace: Ace) -> bool:
    return not count_broken_pieces(tuple(cards), frozenset(cards).intersection(gone), ace)


def _removals(group: Group, ace: Ace, named: Sequence[Card]) -> list[tuple[int, tuple[Card, ...]]]:
    """The removals from a whole group that contain all its named cards, each with its ranks as bits."""
    wanted = {card for card in named if card in group.cards}
    return [
        (ranks, removal) for ranks, removal in every_removal(group.cards, ace) if wanted.issubset(removal)
    ]


@lru_cache(maxsize=1024)
def every_removal(cards: tuple[Card, ...], ace: Ace) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """Every removal from a whole group, each with its ranks as bits; the first one is empty."""
    run = melds(ace).is_run(cards)
    places = _spare_places(len(cards), ace) if run else _subsets(len(cards))
    removals = (tuple(cards[place] for place in chosen) for chosen in places)
    return tuple(
        (rank_bits(removal), removal) for removal in removals if run or _stays_whole(cards, removal, ace)
    )


@cache
def _spare_places(length: int, ace: Ace) -> tuple[tuple[int, ...], ...]:
    """The removals from a run of this length, as places in the run; small ones first."""
    line = next(arc.ranks for arc in arcs(ace) if len(arc.ranks) == length)
    model = tuple(Card(RANKS[rank] + SUITS[0]) for rank in line)
    return tuple(
        places for places in _subsets(length) if _stays_whole(model, [model[n] for n in places], ace)
    )


def _subsets(n: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(n), size) for size in range(n + 1))
