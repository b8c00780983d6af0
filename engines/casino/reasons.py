"""Says in one sentence why a move in Casino is good, and counts the points that it scores at once."""

from __future__ import annotations

from engines.cards import Card, without
from engines.casino.state import Cards, View, owner, pile_score, scores_alone, unseen_cards
from engines.game import Move, Name, Text, plural


def worth(view: View, move: Move) -> int:
    """The points that a move scores at once: for single cards, for spades, for the number of cards."""
    if view.seat is None or not (won := _won(view, move)):
        return 0
    pile = view.piles[view.seat]
    return pile_score((*pile, *won)) - pile_score(pile)


def reason(view: View, move: Move) -> Text:
    """The sentence that says why a move is good."""
    match move.verb, move.words:
        case "capture", _:
            return _capture(view, move)
        case "build", (card, partner):
            return _build(view, Card(card), Card(partner))
        case "steal-build", (card, stolen):
            return _steal(view, Card(card), Card(stolen))
        case "exchange", (answer,):
            return _exchange(view.loose[0], accepts=answer == "yes")
        case _:
            return _throw(view, move, Card(move.words[0]))


def _taken(view: View, move: Move) -> Cards:
    """The cards that a capture takes from the table."""
    card, target = Card(move.words[0]), move.words[1]
    if target != "all":
        return tuple(map(Card, target.split("+")))
    built = (part for build in view.builds if build.value == card.number for part in build.cards)
    return (*(loose for loose in view.loose if loose.number == card.number), *built)


def _won(view: View, move: Move) -> Cards:
    """The cards that a move wins, the hand card first; the last move may win the rest too (rule 11)."""
    if move.verb == "capture":
        won = (Card(move.words[0]), *_taken(view, move))
        return (*won, *without(_lying(view), *won)) if _is_last(view) else won
    if move.verb == "throw" and _is_last(view) and view.last_capturer == view.seat:
        return (Card(move.words[0]), *_lying(view))
    return ()


def _lying(view: View) -> Cards:
    """All cards on the table, loose or in builds."""
    return (*view.loose, *(card for build in view.builds for card in build.cards))


def _is_last(view: View) -> bool:
    """Whether the reader holds the last card of the game."""
    return len(view.hand) == 1 == sum(view.hand_sizes) + view.stock_size


def _capture(view: View, move: Move) -> Text:
    won, points = _won(view, move), worth(view, move)
    if points and _is_last(view):
        return plural("Takes all that's left: {n} point.", "Takes all that's left: {n} points.", points)
    single = tuple(filter(scores_alone, won))
    if single and points == len(single):
        return plural("Wins {cards}: {n} point.", "Wins {cards}: {n} points.", points, cards=single)
    if points:
        return plural(
            "Wins {cards}, which scores {n} point.",
            "Wins {cards}, which scores {n} points.",
            points,
            cards=won,
        )
    taken = _taken(view, move)
    if not without(_lying(view), *taken):
        return Text("Clears the table and leaves nothing to capture.")
    if "+" in move.words[1]:
        return Text("Takes the whole build: {cards}.", cards=taken)
    if spades := tuple(card for card in won if card.suit == "S"):
        return plural("Wins {cards}: {n} spade.", "Wins {cards}: {n} spades.", len(spades), cards=spades)
    if _unseen_of(view, won[0].number):
        return Text("Takes {cards} before another player can.", cards=taken)
    return plural("Wins {n} card.", "Wins {n} cards.", len(won))


def _unseen_of(view: View, value: int) -> int:
    """The number of cards of a value that the reader does not see."""
    return sum(card.number == value for card in unseen_cards(view))


def _capturing_card(view: View, value: int, *played: Card) -> Card | None:
    """A hand card of a value, apart from those that are played; None if there is none."""
    return next((card for card in without(view.hand, *played) if card.number == value), None)


def _build(view: View, card: Card, partner: Card) -> Text:
    value = card.number + partner.number
    if not _unseen_of(view, value):
        return Text("Builds {value}, which only you can take.", value=value)
    own = _capturing_card(view, value, card) or card
    single = tuple(filter(scores_alone, (card, partner)))
    if single:
        return Text("Builds {value} with {cards}, to take with {card}.", value=value, cards=single, card=own)
    return Text("Builds {value}, to take with {card} in a later turn.", value=value, card=own)


def _steal(view: View, card: Card, stolen: Card) -> Text:
    robbed = owner(view, stolen)
    assert robbed is not None
    if scores_alone(stolen):
        return Text("{who} loses {card}, which is worth a point.", who=Name(robbed), card=stolen)
    value = card.number + stolen.number
    if not _unseen_of(view, value):
        return Text(
            "{who} loses {card}, and only you can take the {value}.",
            who=Name(robbed),
            card=stolen,
            value=value,
        )
    own = _capturing_card(view, value, card) or card
    return Text(
        "{who} loses {stolen}, and you can take the build with {card}.",
        who=Name(robbed),
        stolen=stolen,
        card=own,
    )


def _throw(view: View, move: Move, card: Card) -> Text:
    if _won(view, move):
        return Text("You made the last capture, so all cards on the table are yours.")
    if len(view.hand) == 1:
        return Text("{card} is the only card you have.", card=card)
    if not _unseen_of(view, card.number):
        return Text("Nobody else has a card that captures {card}.", card=card)
    if other := _capturing_card(view, card.number, card):
        return Text("If {card} stays there, you can take it with {next}.", card=card, next=other)
    if not scores_alone(card) and card.suit != "S":
        return Text("{card} isn't a spade and scores nothing, so it's no great loss.", card=card)
    if not scores_alone(card):
        return Text("{card} is a spade, but scores nothing by itself.", card=card)
    return Text("Keeps your other cards for captures and builds.")


def _exchange(starter: Card, *, accepts: bool) -> Text:
    better = scores_alone(starter) or starter.suit == "S"
    if accepts and scores_alone(starter):
        return Text("{card} scores a point, and 3♥ doesn't.", card=starter)
    if accepts and better:
        return Text("{card} is a spade, and 3♥ isn't.", card=starter)
    if accepts:
        return Text("You get {card} and know where 3♥ lies.", card=starter)
    if better:
        return Text("{card} stays on the table, where you may capture it.", card=starter)
    return Text("{card} is worth no more than 3♥.", card=starter)
