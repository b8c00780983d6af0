"""What the house says around a game: how it was dealt, how it ended, and how to check both."""

from __future__ import annotations

from collections.abc import Iterator

from bot.fair import Given
from bot.table import Table
from engines.game import Name, Text, plural


def dealt(table: Table) -> Iterator[Text]:
    """How the cards were shuffled, once they are dealt."""
    if isinstance(table.luck, Given):
        yield Text("Dealt from the seed you gave: {seed}", seed=table.luck.words)
        return
    yield Text("The shuffle is sealed: {commitment}", commitment=table.luck.commitment or "")
    for seat, words in table.cuts:
        yield Text("{who} cut the deck: {words}", who=Name(seat), words=words)
    if not table.cuts:
        yield Text("Nobody cut: dealt by the house alone.")


def outcome(table: Table) -> Iterator[Text]:
    """Who has won."""
    assert table.result is not None
    scores, winners = table.result.scores, table.result.winners
    best, names = scores[winners[0]], tuple(map(Name, winners))
    if len(winners) == 1:
        yield plural("{who} wins with {n} point.", "{who} wins with {n} points.", best, who=names[0])
    else:
        yield plural(
            "A draw: {who} have {n} point each.", "A draw: {who} have {n} points each.", best, who=names
        )
    for seat, score in enumerate(scores):
        if seat not in winners:
            yield plural("{who} has {n} point.", "{who} has {n} points.", score, who=Name(seat))


def opened(table: Table) -> Iterator[Text]:
    """The seed, and how anybody can deal the game again with it."""
    if isinstance(table.luck, Given):
        yield Text("The game seed is the SHA-256 of “{seed}”.", seed=table.luck.words)
        return
    yield Text("The seal is opened. The seed was: {seed}", seed=table.luck.opened())
    yield Text("Its SHA-256 is the seal you saw. HMAC-SHA256 of it with this line gave the deal:")
    yield Text("{line}", line=table.deal)
