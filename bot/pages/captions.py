"""Captions around a game: how it was dealt, whose turn it is, how it ended, how to check the deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.i18n import Speech
from bot.ports import NewsLine
from bot.tables.log.commitment import ChosenSeed
from bot.tables.table import UPDATED, Table
from engines.game import Name, Seat, Text, plural

SHORT_COMMITMENT = 32
"""How many digits of a commitment a lobby shows: so many that no second seed can be found for them."""


def news_lines(
    table: Table, start: int, reader: Seat | None, say: Speech, *, with_kept: bool = True
) -> tuple[NewsLine, ...]:
    """The news that a reader may know, from the piece ``start`` on.

    ``with_kept`` is whether the events that `Event.keep` marks are among them. Each piece caches its
    translations.
    """
    key = (say.locale, say.letters, say.names)
    lines = []
    for n, piece in enumerate(table.news[start:], start):
        if piece.event.to in (None, reader) and (with_kept or not piece.event.keep):
            if (caption := piece.sentences.get(key)) is None:
                caption = piece.sentences[key] = say(piece.event.text)
            lines.append(NewsLine(n, caption, piece.event.routine))
    return tuple(lines)


def commitment_captions(table: Table, digits: int | None = None) -> Iterator[Text]:
    """The commitment, or its first digits, and the cuts so far; or the seed that a player chose."""
    if isinstance(table.seed_source, ChosenSeed):
        yield Text("Dealt from your own seed: {seed}", seed=table.seed_source.words)
        return
    yield Text("Fingerprint: {commitment}", commitment=(table.seed_source.commitment or "")[:digits])
    for seat, words in table.cuts:
        # A player who was forgotten has left no words.
        if words:
            yield Text("{who} cut the deck: {words}", who=Name(seat), words=words)


def deal_captions(table: Table) -> Iterator[Text]:
    """The sentences on how the cards were shuffled."""
    yield from commitment_captions(table)
    if not table.cuts and not isinstance(table.seed_source, ChosenSeed):
        yield Text("Nobody cut the deck; only the house shuffled it.")


def result_captions(table: Table) -> Iterator[Text]:
    """The winners and the points; or the game's own sentence about its result, and the winners."""
    assert table.result is not None
    scores, winners, own = table.result
    if own:
        yield own
        yield _winners_caption(winners)
        return
    points = {scores[seat] for seat in winners}
    if len(points) != 1:
        yield _winners_caption(winners)
    elif len(winners) == 1:
        who = Name(winners[0])
        yield plural("{who} wins with {n} point.", "{who} wins with {n} points.", *points, who=who)
    else:
        names = tuple(map(Name, winners))
        yield plural(
            "A draw: {who} have {n} point each.", "A draw: {who} have {n} points each.", *points, who=names
        )
    others = [seat for seat in range(len(scores)) if seat not in winners or len(points) != 1]
    if len(others) == 1:
        who = Name(others[0])
        yield plural("{who} has {n} point.", "{who} has {n} points.", scores[others[0]], who=who)
    elif others:
        listed = tuple(Text("{who} ({n})", who=Name(seat), n=scores[seat]) for seat in others)
        yield Text("Points: {scores}.", scores=listed)


def _winners_caption(winners: Sequence[Seat]) -> Text:
    """The winners, without points."""
    match winners:
        case []:
            return Text("Nobody wins.")
        case [winner]:
            return Text("{who} wins.", who=Name(winner))
        case _:
            return Text("{who} win.", who=tuple(map(Name, winners)))


def shown_seed(table: Table) -> str:
    """The seed of a table that is over, as its players read it."""
    source = table.seed_source
    return source.words if isinstance(source, ChosenSeed) else source.opened()


def seed_captions(table: Table) -> Iterator[Text]:
    """The seed; if cards were dealt from it, also how players can check it, and how it gave the deal.

    How it gave the deal is left out if a player who cut was forgotten.
    """
    if isinstance(table.seed_source, ChosenSeed):
        yield Text("The cards were dealt from the SHA-256 of “{seed}”.", seed=shown_seed(table))
        return
    yield Text("The seed of the shuffle was: {seed}", seed=shown_seed(table))
    if not all(words for _, words in table.cuts):
        yield Text("Its SHA-256 is the fingerprint you saw.")
        yield Text(
            "A player who cut was forgotten with their words, so nobody can check the deal against the cuts "
            "any more."
        )
    elif table.deal:
        yield Text("Its SHA-256 is the fingerprint you saw. Its HMAC-SHA256 with this line gave the deal:")
        yield Text("{line}", line=table.deal)


def closing_caption(table: Table) -> Text:
    """Why a table was closed before its game was over."""
    match table.ended:
        case "empty":
            return Text("Everyone has left, so the table is closed.")
        case "forgotten":
            return Text("Nobody has played here for a long time, so the table is closed.")
        case "agreed":
            return Text("The players agreed to end the game.")
        case "updated":
            return UPDATED
        case _:
            return Text("The table was closed before the game ended.")


def turn_caption(table: Table, reader: Seat | None) -> Text:
    """Whose turn it is, as far as the reader may know it."""
    if table.status == "over":
        return Text("The game is over.")
    if reader is not None and reader in table.active():
        if reader in table.awaited(reader).must:
            return Text("Your turn, {who}.", who=Name(reader))
        return Text("You can play too, {who}.", who=Name(reader))
    must, _, secret = table.awaited(None)
    if secret or not must:
        return Text("Waiting …")
    # While all players are gone, computers wait too.
    thinking = not table.is_frozen and all(table.players[seat].is_computer for seat in must)
    if len(must) == 1:
        who = Name(must[0])
        return Text("{who} is thinking …", who=who) if thinking else Text("{who}'s turn.", who=who)
    names = tuple(map(Name, must))
    return Text("{who} are thinking …", who=names) if thinking else Text("Waiting for {who}.", who=names)
