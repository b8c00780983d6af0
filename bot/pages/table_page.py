"""What a reader is shown of a table, as a page for any platform: built from that reader's view alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.i18n import Speech
from bot.model import Draft, PersonId
from bot.pages.captions import (
    closing_caption,
    commitment_captions,
    result_captions,
    seed_captions,
    turn_caption,
)
from bot.pages.layout import KeySpec, Pen, fitted, leaf, rows_of
from bot.pages.player_page import hand
from bot.ports import Key, Limits, Page
from bot.tables.table import Table
from engines.game import Name, Seat, Text

_NEWS = 6
"""Sentences of news at the table; a player's own page has all since they last acted."""


def board(table: Table, say: Speech, limits: Limits, link: str = "") -> Page:
    """The table as everybody at its place sees it; the link opens our chat with whoever follows it."""
    pen = Pen(table, say, limits)
    match table.status:
        case "lobby":
            page = _lobby(pen)
        case "playing":
            page = _play(pen)
        case "over":
            page = _end(pen, None)
    if link and table.status != "over":
        page = replace(page, rows=(*page.rows, (Key(say(Text("Open our private chat")), url=link),)))
    return fitted(page, limits)


def private(
    table: Table, person: PersonId, say: Speech, limits: Limits, draft: Draft, *, alone: bool = False
) -> Page:
    """The table as one player sees it; ``alone`` where there is no other message about it."""
    pen, seat = Pen(table, say, limits), table.seat_of(person)
    if seat is None:
        page = _stranger(pen)
    elif table.status == "lobby":
        page = _lobby(pen) if alone else _waiting_room(pen)
    elif table.status == "over":
        page = _end(pen, seat)
    elif table.players[seat].is_away:
        page = _away(pen, seat)
    else:
        page = hand(pen, seat, draft)
    return fitted(page, limits)


def onlooker(table: Table, say: Speech, limits: Limits) -> Page:
    """The table as somebody without a seat sees it."""
    page, pen = replace(board(table, say, limits), rows=()), Pen(table, say, limits)
    if table.status != "over":
        page = replace(page, rows=(pen.row((Text("Look again"), "watch", "plain")),))
    return fitted(page, limits)


def house_rules(table: Table, say: Speech, limits: Limits) -> Page:
    """The house rules of a table that has not begun; each button takes the next value of one."""
    game, pen = table.game, Pen(table, say, limits)
    keys = []
    for n, option in enumerate(game.options):
        values, value = list(option.values), table.options.get(option.name, option.default)
        following = (values.index(value) + 1) % len(values)
        label = f"{say(option.text)}: {say(option.values[value])}"
        keys.append(pen.key("rule", f"{n} {following}", label))
    head = say(Text("House rules: each button takes the next value. Only who opened the table may press."))
    return fitted(Page((head,), rows=rows_of(keys, limits, limits.rows)), limits)


def check(table: Table, say: Speech, limits: Limits) -> Page:
    """How anybody can check the deal of a table that is over."""
    return fitted(
        Page(tuple(map(say, commitment_captions(table))), below=tuple(map(say, seed_captions(table)))), limits
    )


def rules(key: str, help_text: str, number: int, say: Speech, limits: Limits) -> Page:
    """A page of a game's rules, from 0."""
    return leaf(say.spelled(_unmarked(help_text)), number, "rules", key, limits)


def _lobby(pen: Pen) -> Page:
    """Who sits there, what is played, how it will be dealt."""
    table, say, game = pen.table, pen.say, pen.table.game
    lines = [pen.title, say(game.pitch), *_seated(table, say)]
    if len(table.players) < game.seats[-1]:
        lines.append(say(_missing(game.seats)))
    if changed := _changed_rules(table):
        lines.append(say(Text("House rules: {rules}.", rules=changed)))
    below = [*map(say, commitment_captions(table))]
    below.append(say(Text("Cut the deck with words of your own: who doubts cuts last.")))
    keys = (
        pen.row((Text("Join"), "join", "main"), _START, _CUT),
        pen.row((Text("+ Computer"), "fill", "plain"), (Text("− Computer"), "thin", "plain"), _LEAVE),
        pen.row(*(((Text("House rules"), "house", "plain"),) if game.options else ()), _RULES),
    )
    return Page(tuple(lines), below=tuple(below), rows=keys)


def _waiting_room(pen: Pen) -> Page:
    """What somebody who has joined is told alone."""
    table, say = pen.table, pen.say
    told = say(Text("You have a seat. Your cards will come here when the game starts."))
    lines = (pen.title, told, *_seated(table, say))
    return Page(
        lines, below=tuple(map(say, commitment_captions(table))), rows=(pen.row(_START, _CUT, _LEAVE),)
    )


def _play(pen: Pen) -> Page:
    """The public table in mid-game."""
    table, say = pen.table, pen.say
    told = [say(event.text) for event in table.news_for(None, max(0, len(table.news) - _NEWS))]
    away = tuple(
        say(Text("A computer player has the seat of {who}.", who=Name(seat)))
        for seat, player in enumerate(table.players)
        if player.is_away
    )
    drawing = table.game.draw(table.view(None), say, pen.limits.width)
    keys = pen.row((Text("My hand"), "hand", "main"), _RULES, _LEAVE)
    return Page((pen.title, *told), drawing, (*away, say(turn_caption(table, None))), (keys,))


def _end(pen: Pen, seat: Seat | None) -> Page:
    """How a game ended, and the seed that it was dealt from."""
    table, say = pen.table, pen.say
    won = table.result is not None and not table.ended
    how = [say(text) for text in result_captions(table)] if won else [say(closing_caption(table))]
    told = [say(event.text) for event in table.news_for(seat, max(0, len(table.news) - _NEWS))] if won else []
    drawing = ""
    if table.state is not None:
        drawing = table.game.draw(table.view(seat), say, pen.limits.width)
    # The line that the deal came from is behind a button: it may be longer than a message.
    seed = [say(text) for text in seed_captions(table)][:1]
    more = () if table.followed else (_REMATCH,)
    keys = pen.row(*more, (Text("Check the deal"), "check", "plain"), (Text("Log"), "log", "plain"))
    return Page((pen.title, *told), drawing, (*how, *seed), (keys,))


def _away(pen: Pen, seat: Seat) -> Page:
    """What somebody sees whose seat a computer holds."""
    table, say = pen.table, pen.say
    drawing = table.game.draw(table.view(None), say, pen.limits.width)
    lines = (pen.title, say(Text("A computer player has your seat.")))
    keys = () if table.players[seat].kicked else pen.row((Text("Take my seat back"), "back", "main"))
    return Page(lines, drawing, rows=(keys,))


def _stranger(pen: Pen) -> Page:
    """What somebody sees who has left before the start, or never sat there."""
    lines = (pen.title, pen.say(Text("You have no seat at this table.")))
    keys = pen.row((Text("Join"), "join", "main")) if pen.table.status == "lobby" else ()
    return Page(lines, rows=(keys,))


_START: KeySpec = (Text("Start"), "start", "main")
_CUT: KeySpec = (Text("Cut"), "cut", "plain")
_LEAVE: KeySpec = (Text("Leave"), "leave", "plain")
_RULES: KeySpec = (Text("Rules"), "help", "plain")
_REMATCH: KeySpec = (Text("Rematch"), "rematch", "main")


def _missing(seats: range) -> Text:
    """How many may play."""
    if len(seats) == 1:
        return Text("For {n} players; computers take the seats that are missing.", n=seats[0])
    least, most = seats[0], seats[-1]
    return Text("For {n} to {m} players; computers take the seats that are missing.", n=least, m=most)


def _seated(table: Table, say: Speech) -> Iterator[str]:
    """The players, one a line."""
    for seat, player in enumerate(table.players):
        who = say.name(seat)
        if player.level == "easy":
            who = say(Text("{who}, a computer player (easy)", who=Name(seat)))
        elif player.level:
            who = say(Text("{who}, a computer player", who=Name(seat)))
        yield f"{seat + 1}. {who}"


def _changed_rules(table: Table) -> tuple[Text, ...]:
    """The house rules that are not as the game comes."""
    return tuple(
        Text("{rule}: {value}", rule=option.text, value=option.values[value])
        for option in table.game.options
        if (value := table.options.get(option.name, option.default)) != option.default
    )


def _unmarked(text: str) -> str:
    """Markdown as plain text, its paragraphs and list items one line each, as chats wrap them."""
    lines: list[str] = []
    for line in text.replace("**", "").replace("`", "").splitlines():
        goes_on = bool(line.strip()) and not _BEGINS.match(line)
        if goes_on and lines and lines[-1].strip() and not lines[-1].startswith(("#", "|")):
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(line.lstrip("# ") if line.startswith("#") else line for line in lines).strip()


_BEGINS = re.compile(r"\s{4}|\s*(#|\||- |\* |>|\d+\.)")
"""What a line begins with that does not go on from the one before."""
