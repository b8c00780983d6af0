"""The pages of a table, each built only from the view of its reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.i18n import Speech
from bot.model import Draft, PersonId
from bot.pages.captions import (
    closing_caption,
    commitment_captions,
    news_captions,
    result_captions,
    seed_captions,
    turn_caption,
)
from bot.pages.layout import Composer, KeySpec, fitted, rows_of, text_page
from bot.pages.player_page import playing_page
from bot.ports import Key, Limits, Page
from bot.tables.table import Table
from engines.game import Name, Seat, Text

_NEWS = 6
"""The most sentences of news on the public page; a player's page has all news since their last move."""


def public_page(table: Table, say: Speech, limits: Limits, link: str = "") -> Page:
    """The page of the public panel; ``link`` opens the private chat."""
    composer = Composer(table, say, limits)
    match table.status:
        case "lobby":
            page = _lobby_page(composer)
        case "playing":
            page = _game_page(composer)
        case "over":
            page = _end_page(composer, None)
    if link and table.status != "over":
        page = replace(page, rows=(*page.rows, (Key(say(Text("Open our private chat")), url=link),)))
    return fitted(page, limits)


def private_page(
    table: Table, person: PersonId, say: Speech, limits: Limits, draft: Draft, *, alone: bool = False
) -> Page:
    """The page of a player's private panel; ``alone`` if the table has no public panel."""
    composer, seat = Composer(table, say, limits), table.seat_of(person)
    if seat is None:
        page = _no_seat_page(composer)
    elif table.status == "lobby":
        page = _lobby_page(composer) if alone else _waiting_page(composer)
    elif table.status == "over":
        page = _end_page(composer, seat)
    elif table.players[seat].is_away:
        page = _away_page(composer, seat)
    else:
        page = playing_page(composer, seat, draft)
    return fitted(page, limits)


def watcher_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The page of a watcher: the public page, with no button but one to refresh it."""
    page, composer = replace(public_page(table, say, limits), rows=()), Composer(table, say, limits)
    if table.status != "over":
        page = replace(page, rows=(composer.key_row((Text("Look again"), "watch", "plain")),))
    return fitted(page, limits)


def house_rules_page(table: Table, say: Speech, limits: Limits) -> Page:
    """A lobby's house rules; each button sets one rule to its next value."""
    game, composer = table.game, Composer(table, say, limits)
    keys = []
    for n, option in enumerate(game.options):
        values, value = list(option.values), table.options.get(option.name, option.default)
        following = (values.index(value) + 1) % len(values)
        label = f"{say(option.text)}: {say(option.values[value])}"
        keys.append(composer.key("set_rule", f"{n} {following}", label))
    head = say(Text("House rules: each button takes the next value. Only who opened the table may press."))
    return fitted(Page((head,), rows=rows_of(keys, limits, limits.rows)), limits)


def check_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The page that explains how to check the deal of a table that is over."""
    return fitted(
        Page(tuple(map(say, commitment_captions(table))), below=tuple(map(say, seed_captions(table)))), limits
    )


def rules_page(key: str, help_text: str, number: int, say: Speech, limits: Limits) -> Page:
    """One page of a game's rules; ``number`` counts from 0."""
    return text_page(say.spelled(_unmarked(help_text)), number, "rules", key, limits)


def _lobby_page(composer: Composer) -> Page:
    """The lobby: the game, its players and house rules, and the commitment."""
    table, say, game = composer.table, composer.say, composer.table.game
    lines = [composer.title, say(game.pitch), *_player_lines(table, say)]
    if len(table.players) < game.seats[-1]:
        lines.append(say(_seat_count_caption(game.seats)))
    if changed := _changed_rules(table):
        lines.append(say(Text("House rules: {rules}.", rules=changed)))
    below = [*map(say, commitment_captions(table))]
    below.append(say(Text("Cut the deck with words of your own: who doubts cuts last.")))
    keys = (
        composer.key_row((Text("Join"), "join", "main"), _START, _CUT),
        composer.key_row(_ADD_COMPUTER, _REMOVE_COMPUTER, _LEAVE),
        composer.key_row(*(((Text("House rules"), "house_rules", "plain"),) if game.options else ()), _RULES),
    )
    return Page(tuple(lines), below=tuple(below), rows=keys)


def _waiting_page(composer: Composer) -> Page:
    """The page of a player who waits for the start."""
    table, say = composer.table, composer.say
    told = say(Text("You have a seat. Your cards will come here when the game starts."))
    lines = (composer.title, told, *_player_lines(table, say))
    return Page(
        lines,
        below=tuple(map(say, commitment_captions(table))),
        rows=(composer.key_row(_START, _CUT, _LEAVE),),
    )


def _game_page(composer: Composer) -> Page:
    """The public page during a game."""
    table, say = composer.table, composer.say
    news = news_captions(table.news[-_NEWS:], None, say)
    away = tuple(
        say(Text("A computer player has the seat of {who}.", who=Name(seat)))
        for seat, player in enumerate(table.players)
        if player.is_away
    )
    drawing = table.game.draw(table.view(None), say, composer.limits.width)
    keys = composer.key_row((Text("My hand"), "hand", "main"), _RULES, _LEAVE)
    return Page((composer.title, *news), drawing, (*away, say(turn_caption(table, None))), (keys,))


def _end_page(composer: Composer, seat: Seat | None) -> Page:
    """The page of a table that is over: its result and its seed."""
    table, say = composer.table, composer.say
    won = table.result is not None and not table.ended
    how = [say(text) for text in result_captions(table)] if won else [say(closing_caption(table))]
    news = news_captions(table.news[-_NEWS:], seat, say) if won else []
    drawing = ""
    if table.state is not None:
        drawing = table.game.draw(table.view(seat), say, composer.limits.width)
    # The line that reproduces the deal may not fit in a message; “Check the deal” shows it.
    seed = [say(text) for text in seed_captions(table)][:1]
    more = () if table.followed else (_REMATCH,)
    keys = composer.key_row(*more, (Text("Check the deal"), "check", "plain"), (Text("Log"), "log", "plain"))
    return Page((composer.title, *news), drawing, (*how, *seed), (keys,))


def _away_page(composer: Composer, seat: Seat) -> Page:
    """The page of a player whose seat a computer plays."""
    table, say = composer.table, composer.say
    drawing = table.game.draw(table.view(None), say, composer.limits.width)
    lines = (composer.title, say(Text("A computer player has your seat.")))
    keys = () if table.players[seat].kicked else composer.key_row((Text("Take my seat back"), "back", "main"))
    return Page(lines, drawing, rows=(keys,))


def _no_seat_page(composer: Composer) -> Page:
    """The page of a person without a seat."""
    lines = (composer.title, composer.say(Text("You have no seat at this table.")))
    keys = composer.key_row((Text("Join"), "join", "main")) if composer.table.status == "lobby" else ()
    return Page(lines, rows=(keys,))


_START: KeySpec = (Text("Start"), "start", "main")
_CUT: KeySpec = (Text("Cut"), "cut", "plain")
_LEAVE: KeySpec = (Text("Leave"), "leave", "plain")
_ADD_COMPUTER: KeySpec = (Text("+ Computer"), "add_computer", "plain")
_REMOVE_COMPUTER: KeySpec = (Text("− Computer"), "remove_computer", "plain")
_RULES: KeySpec = (Text("Rules"), "help", "plain")
_REMATCH: KeySpec = (Text("Rematch"), "rematch", "main")


def _seat_count_caption(seats: range) -> Text:
    """The sentence that says how many players a game takes."""
    if len(seats) == 1:
        return Text("For {n} players; computers take the seats that are missing.", n=seats[0])
    least, most = seats[0], seats[-1]
    return Text("For {n} to {m} players; computers take the seats that are missing.", n=least, m=most)


def _player_lines(table: Table, say: Speech) -> Iterator[str]:
    """The players, one a line."""
    for seat, player in enumerate(table.players):
        who = say.name(seat)
        if player.level == "easy":
            who = say(Text("{who}, a computer player (easy)", who=Name(seat)))
        elif player.level:
            who = say(Text("{who}, a computer player", who=Name(seat)))
        yield f"{seat + 1}. {who}"


def _changed_rules(table: Table) -> tuple[Text, ...]:
    """The house rules that differ from their defaults, each with its value."""
    return tuple(
        Text("{rule}: {value}", rule=option.text, value=option.values[value])
        for option in table.game.options
        if (value := table.options.get(option.name, option.default)) != option.default
    )


def _unmarked(text: str) -> str:
    """Markdown as plain text with one line for each paragraph and list item, since chats wrap lines."""
    lines: list[str] = []
    for line in text.replace("**", "").replace("`", "").splitlines():
        goes_on = bool(line.strip()) and not _BEGINS.match(line)
        if goes_on and lines and lines[-1].strip() and not lines[-1].startswith(("#", "|")):
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(line.lstrip("# ") if line.startswith("#") else line for line in lines).strip()


_BEGINS = re.compile(r"\s{4}|\s*(#|\||- |\* |>|\d+\.)")
"""Matches the start of a Markdown line that does not continue the line before."""
