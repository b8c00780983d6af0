"""The pages that list finished games: with their results, or without, to choose one and watch it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.i18n import Speech
from bot.model.ids import PersonId
from bot.model.tables import Listing, Uncounted
from bot.pages.long_text import neighbours
from bot.ports import Key, Page
from bot.tables.names.titles import title_of
from bot.times.local_time import day_and_time
from engines.game import Name, Text
from engines.values import replace

PAGE = 6
"""The most games of a page."""
_UNCOUNTED: Mapping[Uncounted, Text] = {
    "taken_back": Text("Moves were taken back, so it doesn't count."),
    "guided": Text("It was a guided hand and doesn't count."),
}


def history_page(
    listed: Sequence[Listing],
    page: int,
    hidden: Iterable[PersonId],
    say: Speech,
    *,
    key: str,
    more: bool | None,
) -> Page:
    """One page of the last games, with their winners; ``page`` counts from 0.

    ``more`` tells whether a page follows; with None, the page has no keys to others. ``key`` is the
    `Listing.key` to which the list is limited, or empty; ``hidden`` people have no names.
    """
    head = Text("The last games. Choose one to watch it again.")
    return _page(listed, page, hidden, say, head, history_line, _page_keys("all", page, key, more))


def replays_page(
    listed: Sequence[Listing],
    page: int,
    hidden: Iterable[PersonId],
    say: Speech,
    *,
    key: str,
    more: bool | None,
) -> Page:
    """One page of the last games without their results, and the question which one to watch again."""
    head = Text("Which game do you want to watch again?")
    return _page(listed, page, hidden, say, head, played_label, _page_keys("watch", page, key, more))


def _page(
    listed: Sequence[Listing],
    page: int,
    hidden: Iterable[PersonId],
    say: Speech,
    head: Text,
    line: Callable[[Listing, frozenset[PersonId], Speech], str],
    page_keys: tuple[Key, ...],
) -> Page:
    if not listed:
        # The games of a later page may have been forgotten since its key was drawn.
        nothing = Text("There are no earlier games.") if page else Text("No game has been played here yet.")
        return Page.note(say(nothing), keys=(page_keys,) if page else ())
    hidden_people = frozenset(hidden)
    lines = [f"{PAGE * page + n}. {line(listing, hidden_people, say)}" for n, listing in enumerate(listed, 1)]
    return Page.note(say(head), *lines, keys=(_numbered(listed, page, say), page_keys))


def _numbered(listed: Sequence[Listing], page: int, say: Speech) -> tuple[Key, ...]:
    """A key for each game, with its number; on a phone it has no room for players, whom the text names."""
    return tuple(
        Key(f"{PAGE * page + n}. {title_of(listing.key, say)}", "replay", "", listing.game, offer=True)
        for n, listing in enumerate(listed, 1)
    )


def _page_keys(mode: str, page: int, key: str, more: bool | None) -> tuple[Key, ...]:
    """The keys to the pages before and after; none if ``more`` is None."""
    if more is None:
        return ()
    pages = page + 1 + more
    labels: Mapping[int, str] = {page - 1: "‹", page + 1: "›"}
    return tuple(Key(labels[n], "history", f"{mode} {n} {key}".strip()) for n, _ in neighbours(page, pages))


def history_line(listing: Listing, hidden: frozenset[PersonId], say: Speech) -> str:
    """A game: when it ended, who played, the points, who won, and why it does not count."""
    names = _names(listing, hidden, say)
    who = ", ".join(
        f"{name} ({seated.score})" if seated.score is not None else name
        for name, seated in zip(names, listing.seats, strict=True)
    )
    when = day_and_time(listing.changed, say.zone, say.locale)
    head = f"{title_of(listing.key, say)}, {when}: {who}."
    sentences, winners = list[Text](), tuple(Name(seated.seat) for seated in listing.seats if seated.won)
    if len(winners) == len(listing.seats):
        sentences.append(Text("A draw."))
    elif winners:
        won = Text("{who} wins.", who=winners[0]) if len(winners) == 1 else Text("{who} win.", who=winners)
        sentences.append(won)
    if listing.uncounted:
        sentences.append(_UNCOUNTED[listing.uncounted])
    return " ".join((head, *map(replace(say, names=names), sentences)))


def played_label(listing: Listing, hidden: frozenset[PersonId], say: Speech) -> str:
    """A game without its result."""
    when = day_and_time(listing.changed, say.zone, say.locale).removesuffix(" (UTC)")
    return f"{title_of(listing.key, say)}, {when}: {', '.join(_names(listing, hidden, say))}"


def _names(listing: Listing, hidden: frozenset[PersonId], say: Speech) -> tuple[str, ...]:
    """The players' names; a number for those without one."""
    shown = ("" if seated.player.person in hidden else seated.player.name for seated in listing.seats)
    speech = replace(say, names=tuple(shown))
    return tuple(map(speech.name, range(len(listing.seats))))
