"""The rules of Trío y Escalera; the numbers are those of ``RULES.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from engines.actions import Message, malformed, player_id
from engines.cards import BACKS, Card, UnknownCard
from engines.game import Choices, Event, IllegalMove, Move, Name, Option, Result, Seat, Text, plural, refuse
from engines.position import dump as write_position
from engines.rules import Rules
from engines.shuffle import Lots, shuffle
from engines.trio_escalera.checks import check_commit, check_end, check_movement
from engines.trio_escalera.choices import following
from engines.trio_escalera.groups import (
    Group,
    by_suit,
    lying,
    numbers_after,
    put_together,
)
from engines.trio_escalera.state import (
    DECK,
    Action,
    Commit,
    Movement,
    Plain,
    Rounds,
    State,
    View,
    placed_since_commit,
    sorted_hand,
)
from engines.trio_escalera.moves import movements
from engines.trio_escalera.texts import tell_dice, tell_movement, tell_split
from engines.values import put, replace

_PLAIN = ("draw", "reset", "end")


def starter(rounds: Sequence[Sequence[int]]) -> Seat:
    """The seat that starts: in each round those with the highest throw stay in (rule 2)."""
    seats = list(range(len(rounds[0])))
    for throws in rounds:
        highest = max(throws)
        seats = [seat for seat, throw in zip(seats, throws, strict=True) if throw == highest]
    return seats[0]


def throw_dice(seed: bytes, seats: int) -> Rounds:
    """The throws for the start, until one seat is left (rule 2)."""
    dice, left = Lots(seed, "dice"), seats
    rounds: list[tuple[int, ...]] = []
    while left > 1:
        rounds.append(tuple(dice.draw(6) + 1 for _ in range(left)))
        left = rounds[-1].count(max(rounds[-1]))
    return tuple(rounds)


def points(hand: Sequence[Card]) -> int:
    """What the cards of a hand count (rule 16)."""
    return sum(11 if card.rank == "A" else min(card.number, 10) for card in hand)


class TrioEscaleraRules(Rules[State, View, Action]):
    """The rules; `engines.trio_escalera` adds the look and the computer player."""

    key = "trio_escalera"
    title = Text("Trío y Escalera")
    pitch = Text("Get rid of your cards in trios and runs on a table that everybody may rearrange.")
    seats = range(2, 7)
    options = (
        Option(
            "table_moves", Text("Cards may be moved between groups"), {"on": Text("yes"), "off": Text("no")}
        ),
        Option(
            "ace",
            Text("The ace in an escalera"),
            {
                "low_or_high": Text("low or high"),
                "low": Text("low only"),
                "wrap": Text("also round the corner: K-A-2"),
            },
        ),
        Option(
            "movements",
            Text("Movements a turn"),
            {str(n): Text("{n}", n=n) for n in (5, *range(1, 5), *range(6, 11))},
        ),
        Option(
            "hand_size",
            Text("Cards dealt to each"),
            {str(n): Text("{n}", n=n) for n in (8, *range(5, 8), *range(9, 13))},
        ),
        Option(
            "strict",
            Text("Groups must be whole"),
            {"off": Text("when the turn ends"), "on": Text("after every movement")},
        ),
    )
    verbs: ClassVar = ("lay", "add", *_PLAIN)
    wide: ClassVar = frozenset({"lay", "add"})
    state_type = State
    twice = True
    pack = frozenset(DECK)

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> State:
        settled = self.settle(seats, options)
        size, shuffled = int(settled["hand_size"]), shuffle(seed, DECK)
        hands = (shuffled[seat * size : (seat + 1) * size] for seat in range(seats))
        rounds = throw_dice(seed, seats)
        return State(
            hands=tuple(map(sorted_hand, hands)),
            stock=shuffled[seats * size :],
            on=(False,) * seats,
            turn=starter(rounds),
            movements_left=int(settled["movements"]),
            rounds=rounds,
            options=settled,
        )

    def blank(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "on": (False,) * seats}

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        limit = int(self.settle(seats, options)["movements"])
        state = super().load({"movements_left": limit, **position}, seats, options)
        return replace(
            state,
            hands=tuple(map(sorted_hand, state.hands)),
            groups=tuple(Group(group.name, lying(group.cards, state.ace)) for group in state.groups),
            numbers=numbers_after(state.groups),
        )

    def opening(self, state: State) -> tuple[Event, ...]:
        deal = plural("Everybody gets {n} card.", "Everybody gets {n} cards.", len(state.hands[0]))
        starts = Text("{who} starts.", who=Name(state.turn))
        return tuple(Event(text, None) for text in (deal, *tell_dice(state.rounds), starts))

    def result(self, state: State) -> Result | None:
        return _result(state.points, tuple(map(len, state.hands)))

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        if seat != state.turn or state.points is not None:
            return ()
        plain = [Move(verb) for verb in ("end", "draw", "reset") if self._allows(state, seat, Plain(verb))]
        worth_making = [self.spell(movement) for movement in movements(state)]
        if not state.hands[seat]:
            return (*plain, *worth_making)
        return (*worth_making, *plain)

    def choices(self, state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        """Words for cards may be said in any order, as in `apply`; those of the hand are offered first."""
        if seat != state.turn or state.points is not None:
            return Choices((), False)
        if not words:
            verbs = (verb for verb in ("lay", "add", "end", "draw", "reset") if self._begins(state, verb))
            return Choices(tuple(verbs), False)
        try:
            self.judge_words(state, seat, words[0], words[1:])
            done = True
        except IllegalMove:
            done = False
        return Choices(tuple(following(state, words[0], words[1:])), done)

    def timeout(self, state: State, seat: Seat) -> Move:
        if state.commit:
            return Move("reset")
        idle = state.drawn is None and not state.placed
        return Move("draw" if idle and state.stock else "end")

    def from_words(self, state: State, verb: str, words: Sequence[str]) -> Action:
        match verb, words:
            case "lay", [_, *_]:
                return Movement(tuple(map(self.card, words)))
            case "add", [group, _, *_]:
                return Movement(tuple(map(self.card, words[1:])), _group_name(group))
            case verb, [] if verb in _PLAIN:
                return Plain(verb)
            case _:
                return malformed()

    def from_message(self, state: State, verb: str, message: Message) -> Action:
        said: tuple[str, ...] = ()
        if verb == "add":
            said = (message.take("group", str),)
        if verb in self.wide:
            named = message.take("cards", list)
            if not all(isinstance(card, str) for card in named):
                malformed()
            said += tuple(named)
        message.end()
        return self.from_words(state, verb, said)

    def card(self, spelling: str) -> Card:
        _refuse_without_back(spelling)
        return super().card(spelling)

    def spell(self, action: Action) -> Move:
        match action:
            case Plain(verb):
                return Move(verb)
            case Movement(cards, group):
                named = sorted(cards, key=by_suit)
                return Move("add", (group, *named)) if group else Move("lay", tuple(named))

    def check(self, state: State, seat: Seat, action: Action) -> None:
        match action:
            case Movement():
                check_movement(state, seat, action)
            case Plain("draw"):
                if state.drawn:
                    refuse("already-drawn", "You have drawn a card in this turn already.")
                if not state.stock:
                    refuse("stock-empty", "The stock is used up.")
                check_commit(state)
            case Plain("end"):
                check_commit(state)
                check_end(state, seat)
            case _:
                if not state.commit:
                    refuse("nothing-to-reset", "There are no movements to take back.")

    def perform(self, state: State, seat: Seat, action: Action) -> tuple[State, tuple[Event, ...]]:
        match action:
            case Movement():
                return _move(state, seat, action)
            case Plain("draw"):
                return _draw(state, seat)
            case Plain("end"):
                return _end(state, seat)
            case _:
                return _reset(state, seat)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            drawn=state.drawn if seat == state.turn else None,
            has_drawn=state.drawn is not None,
            hand_sizes=tuple(map(len, state.hands)),
            stock_size=len(state.stock),
            table=state.table,
            on=state.on,
            turn=state.turn,
            turns=state.turns,
            movements_left=state.movements_left,
            placed=state.placed,
            passes=state.passes,
            commit=state.commit,
            rounds=state.rounds,
            options=state.options,
            points=state.points,
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        seen = {*view.hand, *(card for group in view.table.groups for card in group.cards)}
        unseen = [card for card in DECK if card not in seen]
        rng.shuffle(unseen)
        hands = [
            view.hand if seat == view.seat else sorted_hand(tuple(unseen.pop() for _ in range(size)))
            for seat, size in enumerate(view.hand_sizes)
        ]
        drawn = view.drawn
        if view.has_drawn and drawn is None:
            # A card drawn by somebody else is in that hand, or among those placed since.
            drawn = rng.choice((*hands[view.turn], *placed_since_commit(view.table.groups, view.commit)))
        return State(
            hands=tuple(hands),
            stock=tuple(unseen),
            groups=view.table.groups,
            on=view.on,
            turn=view.turn,
            movements_left=view.movements_left,
            drawn=drawn,
            placed=view.placed,
            passes=view.passes,
            numbers=view.table.numbers,
            commit=view.commit,
            points=view.points,
            rounds=view.rounds,
            turns=view.turns,
            options=view.options,
        )

    def write_json(self, state: State, seat: Seat, move: Move) -> dict[str, Any]:
        head: dict[str, Any] = {"type": move.verb, "playerId": player_id(seat)}
        match self.from_words(state, move.verb, move.words):
            case Movement(cards, None):
                return {**head, "cards": list(cards)}
            case Movement(cards, group):
                return {**head, "group": group, "cards": list(cards)}
            case _:
                return head

    def message(self, view: View) -> dict[str, Any]:
        if view.seat is not None:
            return {"type": "hand", "playerId": player_id(view.seat), "hand": list(view.hand)}
        return {
            "type": "state",
            "turn": player_id(view.turn),
            "phase": "play",
            "handSizes": list(view.hand_sizes),
            "stockSize": view.stock_size,
            "groups": write_position(view.table.groups),
            "on": list(view.on),
            "movementsLeft": view.movements_left,
            "placed": view.placed,
            "passes": view.passes,
            "result": view.result and view.result.to_json(),
        }

    def _begins(self, state: State, verb: str) -> bool:
        """Whether any legal move begins with the verb."""
        if verb in self.wide:
            return any(following(state, verb, ()))
        return self._allows(state, state.turn, Plain(verb))

    def _allows(self, state: State, seat: Seat, action: Action) -> bool:
        try:
            self.check(state, seat, action)
        except IllegalMove:
            return False
        return True


def _refuse_without_back(spelling: str) -> None:
    try:
        card = Card(spelling)
    except UnknownCard:
        return
    if not card.back:
        red, blue = (f"{card}{back}" for back in BACKS)
        refuse(
            "unknown-card",
            "{card} could be either of two: write {red} for the red back, {blue} for the blue one.",
            card=card,
            red=red,
            blue=blue,
        )


def _group_name(word: str) -> str:
    """The group that a word means, in any case and with the accent that a phone may put on it."""
    return word.casefold().replace("í", "i")


def _move(state: State, seat: Seat, movement: Movement) -> tuple[State, tuple[Event, ...]]:
    table, destination, splits = put_together(state.table, movement.cards, movement.group, state.ace)
    hand = state.hands[seat]
    placed = tuple(card for card in destination.cards if card in movement.cards and card in hand)
    moved = tuple(card for card in destination.cards if card in movement.cards and card not in hand)
    after = replace(
        state,
        hands=put(state.hands, seat, tuple(card for card in hand if card not in placed)),
        groups=table.groups,
        numbers=table.numbers,
        on=put(state.on, seat, True),
        movements_left=state.movements_left - 1,
        placed=state.placed + len(placed),
        commit=state.commit or Commit(state.table, state.on, state.movements_left, state.placed),
    )
    said = tell_movement(seat, movement, destination.name, placed, moved, opens=not state.on[seat])
    return after, (Event(said, None), *(Event(tell_split(split), None) for split in splits))


def _draw(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    card, *stock = state.stock
    hand = sorted_hand((*state.hands[seat], card))
    after = replace(state, hands=put(state.hands, seat, hand), stock=tuple(stock), drawn=card, commit=None)
    told = Event(Text("{who} draws a card.", who=Name(seat)), None)
    return after, (told, Event(Text("You draw {card}.", card=card), seat))


def _reset(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    commit = state.commit
    assert commit is not None
    back = placed_since_commit(state.groups, commit)
    after = replace(
        state,
        hands=put(state.hands, seat, sorted_hand((*state.hands[seat], *back))),
        groups=commit.table.groups,
        numbers=commit.table.numbers,
        on=commit.on,
        movements_left=commit.movements_left,
        placed=commit.placed,
        commit=None,
    )
    return after, (Event(Text("{who} takes the movements back.", who=Name(seat)), None),)


def _end(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """On to the next seat, or to the end of the game (rules 14 to 16)."""
    seats, held = len(state.hands), len(state.hands[seat])
    passed = not state.placed and state.drawn is None
    after = replace(
        state,
        turn=(seat + 1) % seats,
        turns=state.turns + 1,
        movements_left=int(state.options["movements"]),
        drawn=None,
        placed=0,
        passes=state.passes + 1 if passed else 0,
        commit=None,
    )
    if not held:
        return _finish(after, Text("{who} has no cards left and wins.", who=Name(seat)))
    if after.passes >= seats:
        return _finish(after, Text("Everybody has passed and the stock is used up: the game is blocked."))
    if passed:
        return after, (Event(Text("{who} passes.", who=Name(seat)), None),)
    done = plural(
        "{who} ends the turn with {n} card.", "{who} ends the turn with {n} cards.", held, who=Name(seat)
    )
    return after, (Event(done, None),)


def _finish(state: State, why: Text) -> tuple[State, tuple[Event, ...]]:
    after = _count(state)
    assert after.points is not None
    counts = tuple(
        plural("{who} {n} point", "{who} {n} points", count, who=Name(seat))
        for seat, count in enumerate(after.points)
    )
    return after, (Event(why, None), Event(Text("Left in hand: {counts}.", counts=counts), None, keep=True))


def _count(state: State) -> State:
    return replace(state, points=tuple(map(points, state.hands)))


def _result(counted: Sequence[int] | None, sizes: Sequence[int]) -> Result | None:
    """The score (rules 15 to 17): who is out has the fewest points too, none."""
    if counted is None:
        return None
    best = min(zip(counted, sizes, strict=True))
    won = [held == best for held in zip(counted, sizes, strict=True)]
    prize = sum(count for count, winner in zip(counted, won, strict=True) if not winner)
    return Result.of([prize if winner else -count for count, winner in zip(counted, won, strict=True)])
