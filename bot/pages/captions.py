"""What the house says around a game: how it was dealt, how it ended, and how to check both."""

from __future__ import annotations

from collections.abc import Iterator

from bot.tables.commitment import ChosenSeed
from bot.tables.table import UPDATED, Table
from engines.game import Name, Seat, Text, plural


def commitment_captions(table: Table) -> Iterator[Text]:
    """What the deal depends on, as far as it is settled."""
    if isinstance(table.seed_source, ChosenSeed):
        yield Text("Dealt from the seed you gave: {seed}", seed=table.seed_source.words)
        return
    yield Text("The shuffle is sealed: {commitment}", commitment=table.seed_source.commitment or "")
    for seat, words in table.cuts:
        yield Text("{who} cut the deck: {words}", who=Name(seat), words=words)


def deal_captions(table: Table) -> Iterator[Text]:
    """How the cards were shuffled, once they are dealt."""
    yield from commitment_captions(table)
    if not table.cuts and not isinstance(table.seed_source, ChosenSeed):
        yield Text("Nobody cut: dealt by the house alone.")


def result_captions(table: Table) -> Iterator[Text]:
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


def seed_captions(table: Table) -> Iterator[Text]:
    """The seed, and how anybody can deal the game again with it."""
    if isinstance(table.seed_source, ChosenSeed):
        yield Text("The game seed is the SHA-256 of “{seed}”.", seed=table.seed_source.words)
        return
    yield Text("The seal is opened. The seed was: {seed}", seed=table.seed_source.opened())
    if table.deal:
        yield Text("Its SHA-256 is the seal you saw. HMAC-SHA256 of it with this line gave the deal:")
        yield Text("{line}", line=table.deal)


def closing_caption(table: Table) -> Text:
    """Why a table was closed before its game was over."""
    match table.ended:
        case "empty":
            return Text("Everybody has left: the table is closed.")
        case "forgotten":
            return Text("Nobody has done anything here for long: the table is closed.")
        case "updated":
            return UPDATED
        case _:
            return Text("The table was closed before the game was over.")


def turn_caption(table: Table, reader: Seat | None) -> Text:
    """Whose turn it is, as far as the reader may know."""
    if table.status == "over":
        return Text("The game is over.")
    if reader in table.active():
        return Text("Your turn, {who}.", who=Name(reader))
    waiting = table.awaited(None).must
    if len(waiting) != 1:
        return Text("The table waits.")
    if table.players[waiting[0]].is_computer:
        return Text("{who} is thinking…", who=Name(waiting[0]))
    return Text("{who} is to play.", who=Name(waiting[0]))
