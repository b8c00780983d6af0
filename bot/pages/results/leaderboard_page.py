"""The page of a leaderboard: some lines, the reader's own, and keys to other leaderboards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from bot.i18n import Speech, safe_name
from bot.model.leaderboards import FORM, ORDERS, PERIODS, LeaderboardLine, LeaderboardOrder, LeaderboardPage
from bot.pages.results.rating_captions import marked, signed
from bot.pages.results.sparkline import form
from bot.ports import Key, Keys, Limits, Page, PagePanel
from bot.settings.choices import Period
from bot.tables.names.levels import LEVELS
from bot.tables.names.titles import title_of
from engines import games
from engines.drawing import Lines, columns
from engines.game import Text
from engines.values import Value, replace

ROWS = 10
"""The lines of a page."""
LAST_PAGE = 99
"""The number of the last page that can be opened, counted from 0."""

Scope = Literal["channel", "server", "everywhere"]
"""Where the games were played that a leaderboard counts."""

SCOPES: Mapping[Scope, Text] = {
    "channel": Text("this channel"),
    "server": Text("this server"),
    "everywhere": Text("everywhere"),
}
PERIOD_NAMES: Mapping[Period, Text] = {
    "all": Text("all time"),
    "month": Text("this month"),
    "week": Text("this week"),
}
ORDER_NAMES: Mapping[LeaderboardOrder, Text] = {
    "rating": Text("rating"),
    "wins": Text("wins"),
    "games": Text("games played"),
}
_KEY_LABELS: Mapping[str, Text] = {
    "channel": Text("This channel"),
    "server": Text("This server"),
    "everywhere": Text("Everywhere"),
    "all": Text("All time"),
    "month": Text("This month"),
    "week": Text("This week"),
    "rating": Text("By rating"),
    "wins": Text("By wins"),
    "games": Text("By games played"),
}
"""The labels of the keys to other leaderboards."""


class LeaderboardChoice(Value):
    """The leaderboard that a reader has chosen, by a key's words or by the arguments of the command."""

    key: str = ""
    """The key of a game; empty for all games."""
    scope: Scope = "everywhere"
    period: Period = "all"
    order: LeaderboardOrder = "wins"
    alone: bool = False
    """Whether games against computers count, instead of those with other people."""
    page: int = 0
    """Counted from 0."""

    def spelled(self) -> str:
        """The choice as the words behind a key."""
        against = "computers" if self.alone else "people"
        return f"{self.key or '-'} {self.scope} {self.period} {self.order} {against} {self.page}"


def leaderboard_page(
    chosen: LeaderboardChoice,
    found: LeaderboardPage,
    scopes: Sequence[Scope],
    say: Speech,
    limits: Limits,
    *,
    all_empty: bool,
) -> Page:
    """The page of a leaderboard; ``scopes`` are those that the reader's place has, if any.

    ``all_empty`` says that neither this leaderboard nor any other that fits the reader's command has lines.
    """
    title = title_of(chosen.key, say) if chosen.key else say(Text("All games"))
    # A group is a server without channels.
    in_group = chosen.scope == "server" and "channel" not in scopes
    where = Text("this group") if in_group else SCOPES[chosen.scope]
    places = (say(where),) if scopes else ()
    head = ", ".join((title, *places, *_period(chosen, say)))
    keys: Keys = (_neighbour_keys(chosen, found), _other_keys(chosen, scopes, say))
    keys = tuple(filter(None, keys))
    if not found.lines:
        sentences = tuple(map(say, (no_lines(chosen, all_empty=all_empty), *_computers(chosen))))
        return Page(panels=(PagePanel(head, sentences),), keys=keys, more=_list_title(say))
    drawn = (say(_about(chosen)), *_table(chosen, found, say, limits.width))
    notes = [say(note) for note in (*_notes(found), *_computers(chosen))]
    panels = (PagePanel(head, drawn, wraps=False), *((PagePanel("", tuple(notes)),) if notes else ()))
    return Page(panels=panels, keys=keys, more=_list_title(say))


def games_page(chosen: LeaderboardChoice, say: Speech) -> Page:
    """The question which game's leaderboard to see."""
    others = [("", say(Text("All games"))), *((key, say(game.title)) for key, game in games().items())]
    keys = [_key(label, replace(chosen, key=key, page=0)) for key, label in others]
    return Page.note(say(Text("Which game?")), keys=(tuple(keys),))


def _period(chosen: LeaderboardChoice, say: Speech) -> tuple[str, ...]:
    """The words for the period in the title; none for all time."""
    return () if chosen.period == "all" else (say(PERIOD_NAMES[chosen.period]),)


def _about(chosen: LeaderboardChoice) -> Text:
    """Says by which value the lines are ranked."""
    if chosen.order == "rating":
        return Text("By rating") if chosen.period == "all" else Text("By rating gained")
    if chosen.order == "games":
        return Text("Games against computers") if chosen.alone else Text("Games against people")
    return Text("Wins against computers") if chosen.alone else Text("Wins against people")


def no_lines(chosen: LeaderboardChoice, *, all_empty: bool) -> Text:
    """Says why a leaderboard is empty."""
    if chosen.order == "rating":
        return Text("No game has been rated yet. Games that people begin among themselves are rated.")
    if all_empty:
        return Text("No game that counts has been finished yet.")
    if chosen.alone:
        return Text("No game against computers that counts has been finished yet.")
    return Text("No game against other people that counts has been finished yet.")


def _notes(found: LeaderboardPage) -> Sequence[Text]:
    """The meanings of the signs in the lines."""
    shown = [*found.lines, *((found.own,) if found.own else ())]
    if any(line.rating and line.rating.is_provisional for line in shown):
        return [Text("? means that the rating is still uncertain.")]
    return []


def _computers(chosen: LeaderboardChoice) -> Iterator[Text]:
    """The line with the ratings of a game's computers, which cannot be compared with people's."""
    ratings = games()[chosen.key].strengths if chosen.key in games() else ()
    if chosen.order == "rating" and chosen.period == "all" and ratings:
        listed = (
            Text("{level} {rating}", level=record.label, rating=str(rating))
            for record, rating in zip(LEVELS.values(), ratings, strict=True)
        )
        yield Text("Computers, among themselves: {ratings}.", ratings=tuple(listed))


def _table(chosen: LeaderboardChoice, found: LeaderboardPage, say: Speech, width: int) -> Lines:
    """The lines in columns; the reader's own stands below them if it is not among them."""
    own = found.own
    apart = [own] if own and all(line.person != own.person for line in found.lines) else []
    listed = [*found.lines, *apart]
    digits = max(len(str(line.rank)) for line in listed)
    heads = [" " * (digits + 3) + say(Text("name")), *_heads(chosen, say)]
    rows = [heads]
    for line in listed:
        mark = ">" if own and line.person == own.person else " "
        name = safe_name(line.name) or say(Text("a player"))
        numbers = _numbers(chosen, line)
        # Forms are flush right, so that everyone's latest game is in the last column.
        rows.append([f"{mark}{line.rank:>{digits}}. {name}", *numbers, form(line.form, say)])
    heads.append(say(Text("form"))[:FORM])
    drawn = columns(rows, width)
    if apart:
        drawn.insert(-1, " …")
    return drawn


def _heads(chosen: LeaderboardChoice, say: Speech) -> Sequence[str]:
    """The headings of the columns that `_numbers` fills."""
    # A rating needs no heading: the sentence above the lines names it.
    return [""] if chosen.order == "rating" else [say(Text("won")), say(Text("of"))]


def _numbers(chosen: LeaderboardChoice, line: LeaderboardLine) -> Sequence[str]:
    """The numbers of a line: its rating, the rating gained, or its wins and its games."""
    if chosen.order != "rating":
        return (str(line.wins), str(line.games))
    if line.rating is None:
        return (signed(line.gained),)
    return (marked(line.rating),)


def _neighbour_keys(chosen: LeaderboardChoice, found: LeaderboardPage) -> tuple[Key, ...]:
    """The keys to the pages before and after this one."""
    pages = []
    if chosen.page:
        pages.append(_page_key(chosen, chosen.page - 1, "‹ {}"))
    if found.more and chosen.page < LAST_PAGE:
        pages.append(_page_key(chosen, chosen.page + 1, "{} ›"))
    return tuple(pages)


def _page_key(chosen: LeaderboardChoice, page: int, label: str) -> Key:
    """A key to another page, which tells its ranks."""
    ranks = f"{page * ROWS + 1}–{(page + 1) * ROWS}"
    return _key(label.format(ranks), replace(chosen, page=page), offer=False)


def _other_keys(chosen: LeaderboardChoice, scopes: Sequence[Scope], say: Speech) -> tuple[Key, ...]:
    """The keys to leaderboards that differ from this one in one choice, and the key to other games."""
    first = replace(chosen, page=0)
    others: list[tuple[Text, LeaderboardChoice]] = []
    if chosen.order != "rating":
        label = Text("Against people") if chosen.alone else Text("Against computers")
        others.append((label, replace(first, alone=not chosen.alone)))
    # Only games among people are rated, so the key to the ratings may change ``alone`` as well.
    others += [
        (_KEY_LABELS[order], replace(first, order=order, alone=chosen.alone and order != "rating"))
        for order in ORDERS
        if order != chosen.order
    ]
    others += [
        (_KEY_LABELS[period], replace(first, period=period)) for period in PERIODS if period != chosen.period
    ]
    labels = {**_KEY_LABELS, "server": _KEY_LABELS["server"] if "channel" in scopes else Text("This group")}
    others += [(labels[scope], replace(first, scope=scope)) for scope in scopes if scope != chosen.scope]
    keys = [_key(say(label), other) for label, other in others]
    keys.append(Key(say(Text("Another game …")), "boards", chosen.spelled(), offer=True))
    return tuple(keys)


def _list_title(say: Speech) -> str:
    """The title of the list into which a platform may move the keys."""
    return say(Text("Other leaderboards"))


def _key(label: str, other: LeaderboardChoice, *, offer: bool = True) -> Key:
    """A key to another leaderboard."""
    return Key(label, "board", other.spelled(), offer=offer)
