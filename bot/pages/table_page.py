"""The pages of a table, each built only from the view of its reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bot.i18n import Speech
from bot.model.ids import GameId, PersonId
from bot.model.panels import Draft
from bot.pages.captions import (
    SHORT_COMMITMENT,
    closing_caption,
    commitment_captions,
    deal_captions,
    result_captions,
    seed_captions,
    shown_seed,
    turn_caption,
)
from bot.pages.clock_page import lobby_captions, presence_captions
from bot.pages.composer import Composer, KeySpec
from bot.pages.deadlines import deadline_of
from bot.pages.long_text import text_page
from bot.pages.menus.rows import setting_label
from bot.pages.player_page import playing_page, public_move_keys
from bot.pages.question_parts import question_keys, question_lines
from bot.pages.results.rating_captions import rating_captions
from bot.pages.seat_counts import players_caption
from bot.pages.wording import either
from bot.ports import Action, Key, Limits, Page, PagePanel
from bot.tables.lobby import tally_of, warnings
from bot.tables.names.levels import LEVELS
from bot.tables.names.paces import PACES
from bot.tables.names.titles import table_title
from bot.tables.questions import free_seats
from bot.tables.seating import owner_name
from bot.tables.table import DAMAGED, SHOWN_NEWS, UPDATED, Table
from engines.game import Name, Seat, Text
from engines.values import replace


def public_page(
    table: Table,
    say: Speech,
    limits: Limits,
    link: str = "",
    *,
    since: int | None = None,
    announced: bool = False,
) -> Page:
    """The page of the public panel; ``link`` opens the private chat.

    ``since`` is the index of the latest piece of news with which the page may begin; None if it is unknown.
    ``announced`` means that news worth a message of its own has one.
    """
    composer = Composer(table, say, limits, announced)
    if _cannot_go_on(table):
        return _stopped_page(composer)
    match table.status:
        case "lobby":
            page = _lobby_page(composer)
        case "playing":
            page = _game_page(composer, since)
        case "over":
            page = _end_page(composer, None, since)
    if link and table.status != "over":
        page = replace(page, keys=(*page.keys, (Key(say(Text("Open our private chat")), url=link),)))
    return page


def private_page(
    table: Table,
    person: PersonId,
    say: Speech,
    limits: Limits,
    draft: Draft,
    *,
    watches: bool = False,
    alone: bool = False,
    since: int | None = None,
) -> Page:
    """The page of a person's private panel; ``alone`` if the table has no public panel.

    A person without a seat sees the table if they watch it: ``watches``.

    ``since`` is the index of the latest piece of news with which the page may begin; None if it is unknown.
    """
    composer, seat = Composer(table, say, limits), table.seat_of(person)
    if seat is None:
        return watcher_page(composer, since) if watches else _no_seat_page(composer, person)
    if _cannot_go_on(table):
        return _stopped_page(composer)
    if table.status == "lobby":
        return _lobby_page(composer) if alone else _seated_page(composer)
    if table.status == "over":
        return _end_page(composer, seat, since)
    if table.players[seat].is_held:
        return _away_page(composer, seat)
    return playing_page(composer, seat, draft, since)


def snapshot_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The page of a table as it is now: the public page with a key to look at it again."""
    return _watched(Composer(table, say, limits), _LOOK_AGAIN, None)


def watcher_page(composer: Composer, since: int | None) -> Page:
    """The page of a watcher's panel, which follows the table: the public page with a key to stop."""
    return _watched(composer, _STOP_WATCHING, since)


def _watched(composer: Composer, spec: KeySpec, since: int | None) -> Page:
    """The public page with the key ``spec``, and one to join or sit in.

    At a table that is over or can't go on, it has only those of the public page's keys in `_END_ACTIONS`.
    """
    table = composer.table
    page = public_page(table, composer.say, composer.limits, since=since)
    if table.status == "over" or _cannot_go_on(table):
        end_keys = tuple(key for group in page.keys for key in group if key.action in _END_ACTIONS)
        return replace(page, keys=(end_keys,))
    join = (_JOIN,) if table.status == "lobby" else (_SIT,) if free_seats(table) else ()
    return replace(page, keys=(composer.keys(spec, *join),))


def house_rules_page(table: Table, reader: PersonId, say: Speech, limits: Limits) -> Page:
    """A lobby's house rules, its computers' level and pace, and hints; each key sets one to its next value.

    House rules that suit the number of players badly have a warning. Readers who may change none are told
    who may, and have no keys.
    """
    is_owner, setting_lines = reader == table.owner, []

    def key(name: Text, value: Text, words: str, *, offer: bool = False) -> Key:
        label, line = setting_label(say(name), say(value), limits)
        setting_lines.append(line if is_owner else line or label)
        return Key(label, "set_rule", words, table.id, table.stamp, offer=offer)

    rules = []
    for n, option in enumerate(table.game.options):
        values, value = list(option.values), table.options.get(option.name, option.default)
        following = (values.index(value) + 1) % len(values)
        rules.append(key(option.text, option.values[value], f"{n} {following}", offer=True))
    levels = list(LEVELS)
    level = levels[(levels.index(table.level) + 1) % len(levels)]
    paces = list(PACES)
    pace = paces[(paces.index(table.pace) + 1) % len(paces)]
    common = (
        key(Text("Computers"), LEVELS[table.level].label, f"{LEVEL} {level}"),
        key(Text("Computers' pace"), PACES[table.pace].label, f"{PACE} {pace}"),
        key(Text("Hints"), YES_OR_NO[table.hints], f"{HINTS} {'no' if table.hints else 'yes'}"),
    )
    head = either(
        limits,
        Text("House rules. Press a button to change one."),
        Text("House rules. Type a number to change one."),
    )
    if not is_owner:
        head = Text("House rules. Only {who} can change them.", who=owner_name(table))
    lines = (*filter(None, setting_lines), *map(say, warnings(table)))
    return Page.note(say(head), *lines, keys=(tuple(rules), common) if is_owner else ())


def computers_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The page on which a player adds or removes computer players."""
    number = sum(player.is_computer for player in table.players)
    keys = Composer(table, say, limits).keys(_ADD_COMPUTER, _REMOVE_COMPUTER)
    return Page.note(say(Text("Computers at the table: {n}.", n=number)), keys=(keys,))


def cut_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The offer to cut the deck of a lobby."""
    return Page.note(say(_CUT_OFFER), keys=(Composer(table, say, limits).keys(_CUT),))


def close_page(table: Table, say: Speech, limits: Limits, words: str, before: Sequence[str] = ()) -> Page:
    """The question whether to close a table, below the lines ``before``; ``words`` are those of its key."""
    composer = Composer(table, say, limits)
    question = say(Text("Close {table}? Nobody wins the game.", table=composer.title))
    yes = composer.key("end_sure", words, say(Text("Yes, close it")), "main")
    return Page.note(*before, question, keys=((yes,),))


def check_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The page that explains how to check a deal: the whole commitment, and the seed once it may be shown.

    A key copies the seed, where a key can.
    """
    dealt = deal_captions(table) if table.started else commitment_captions(table)
    captions = (dealt, seed_captions(table)) if table.may_show_seed else (dealt,)
    panels = tuple(PagePanel("", tuple(map(say, texts))) for texts in captions)
    if not (table.may_show_seed and limits.copies):
        return Page(panels=panels)
    return Page(panels=panels, keys=((Key(say(Text("Copy the seed")), copy=shown_seed(table)),),))


def log_lines(table: Table, say: Speech) -> Sequence[str]:
    """How the cards of a table that is over were shuffled, its public events, and its result, if any."""
    events = (piece.event.text for piece in table.news if piece.event.to is None)
    result = () if table.ended or table.result is None else result_captions(table)
    return tuple(map(say, (*deal_captions(table), *events, *result)))


def log_page(game: GameId, lines: Sequence[str], number: int, limits: Limits) -> Page:
    """One page of the events of a table that is over."""
    page = text_page("\n".join(lines), number, "log", "", limits, game)
    panels = tuple(PagePanel(panel.title, panel.lines, folds=True) for panel in page.panels)
    return replace(page, panels=panels)


def rules_page(key: str, help_text: str, number: int, say: Speech, limits: Limits) -> Page:
    """One page of a game's rules, which are Markdown; ``number`` counts from 0."""
    return text_page(say.spelled(_unmarked(help_text)), number, "rules", key, limits)


def _lobby_page(composer: Composer) -> Page:
    """The lobby: the game, its players and house rules, and the commitment."""
    table, say, game = composer.table, composer.say, composer.table.game
    lines = [say(game.pitch), *_player_lines(table, say)]
    planned = table.planned_seats
    seats = range(planned, planned + 1) if planned else game.seats
    if len(table.players) < seats[-1]:
        lines.append(
            say(Text("For {players}; computers take the free seats.", players=players_caption(seats)))
        )
    lines += map(say, lobby_captions(table))
    lines += _tally_lines(table, table.tally, say)
    if table.guests:
        lines.append(say(Text("Only for those who were invited.")))
    if changed := _changed_rules(table):
        lines.append(say(Text("House rules: {rules}.", rules="; ".join(map(say, changed)))))
    commitment = PagePanel("", tuple(map(say, commitment_captions(table, SHORT_COMMITMENT))))
    keys = (
        composer.keys(_JOIN, _START, _CUT),
        composer.keys(_ADD_COMPUTER, _REMOVE_COMPUTER, _LEAVE),
        composer.keys((Text("House rules"), "house_rules", "plain"), _CLOCK, _RULES, _CHECK),
    )
    panels = (PagePanel(composer.title, tuple(lines)), commitment)
    return Page("lobby", panels=panels, status=(say(_CUT_OFFER),), keys=keys)


def _seated_page(composer: Composer) -> Page:
    """The page of a player who waits for the start."""
    table, say = composer.table, composer.say
    cards_come = Text("You have a seat. Your cards come here when the game starts.")
    sentence = say(
        cards_come if table.game.hidden else Text("You have a seat. The game comes here when it starts.")
    )
    lines = (sentence, *_player_lines(table, say))
    keys = (composer.keys(_START, _CUT, _LEAVE),)
    return Page("lobby", panels=(PagePanel(composer.title, lines),), keys=keys)


def _game_page(composer: Composer, since: int | None) -> Page:
    """The public page during a game."""
    table, say = composer.table, composer.say
    away = tuple(map(say, presence_captions(table)))
    sit = (_SIT,) if free_seats(table) else ()
    hand = Text("My hand") if table.game.hidden else Text("Play in private")
    return Page(
        "waiting",
        composer.news(None, max(len(table.news) - SHOWN_NEWS, 0), since),
        (composer.drawing(None, composer.title),),
        (*question_lines(composer), *away, say(turn_caption(table, None))),
        (
            public_move_keys(composer),
            composer.keys((hand, "hand", "main" if table.game.hidden else "plain"), _RULES, _LEAVE),
            composer.keys(*sit),
            question_keys(composer),
        ),
        deadline=deadline_of(table, None, say),
    )


def _end_page(composer: Composer, seat: Seat | None, since: int | None) -> Page:
    """The page of a table that is over: its result, or how it was closed, and its last state.

    One line if it has neither a result nor a state. The state of a game that was finished under older rules
    can't be shown.
    """
    table, say = composer.table, composer.say
    has_result = table.result is not None and not table.ended
    if table.state is None and not has_result:
        return Page.note(f"{composer.title}: {say(closing_caption(table))}")
    how = [say(text) for text in result_captions(table)] if has_result else [say(closing_caption(table))]
    if has_result:
        how += map(say, rating_captions(table, seat))
    news = composer.news(seat, max(len(table.news) - SHOWN_NEWS, 0), since) if has_result else ()
    is_drawn = table.state is not None
    panel = composer.drawing(seat, composer.title) if is_drawn else PagePanel(composer.title, ())
    rematch = () if table.followed else (_REMATCH,)
    look_back = (_LOOK_BACK,) if has_result and is_drawn else ()
    past = composer.keys(_REPLAY, (Text("Log"), "log", "plain"), _CHECK)
    keys = (composer.keys(*rematch, *look_back), past)
    tally = _tally_lines(table, tally_of(table), say) if has_result and table.follows else ()
    return Page("over", news, (panel,), (*how, *tally), keys)


def _away_page(composer: Composer, seat: Seat) -> Page:
    """The page of a player whose seat a computer plays."""
    sentence = composer.say(Text("A computer is playing for you."))
    panels = (PagePanel(composer.title, (sentence,)), composer.drawing(None))
    if composer.table.players[seat].kicked:
        return Page("waiting", panels=panels)
    return Page("waiting", panels=panels, keys=(composer.keys((Text("Take my seat back"), "back", "main")),))


def _cannot_go_on(table: Table) -> bool:
    """Whether a table is damaged, or its running game was begun under older rules and can't be replayed."""
    return table.damaged or (table.status == "playing" and table.state is None)


def _stopped_page(composer: Composer) -> Page:
    """The page of a table that cannot go on."""
    sentence = UPDATED
    if composer.table.damaged:
        sentence = DAMAGED if composer.table.status == "over" else _DAMAGED_AND_OPEN
    return Page.note(composer.title, composer.say(sentence))


def broken_page(table: Table, say: Speech) -> Page:
    """The page of a table whose game cannot be shown."""
    sentence = say(Text("Something is wrong with this game, so it can't be shown now. Other tables go on."))
    return Page.note(say(table_title(table.game.title, table.number)), sentence)


def _no_seat_page(composer: Composer, person: PersonId) -> Page:
    """The page of a person without a seat, who may have asked for one."""
    question = composer.table.question
    if question and question.person == person:
        sentence = composer.say(Text("I've asked the players. You'll get a seat if they agree."))
    else:
        sentence = composer.say(Text("You have no seat at this table."))
    keys = composer.keys(_JOIN) if composer.table.status == "lobby" else ()
    return Page(panels=(PagePanel(composer.title, (sentence,)),), keys=(keys,))


LEVEL = "level"
"""In a `set_rule` key's words, stands for the computers' level, where a house rule has its index."""
PACE = "pace"
"""Likewise for the computers' pace."""
HINTS = "hints"
"""Likewise for whether players may ask for hints."""
YES_OR_NO: Mapping[bool, Text] = {True: Text("yes"), False: Text("no")}
_CUT_OFFER = Text("Cut the deck with words of your own; anyone suspicious may cut last.")
_DAMAGED_AND_OPEN = Text(
    "Something is wrong with this table, so it can't go on. Its owner or a moderator can close it."
)
_START: KeySpec = (Text("Start"), "start", "main")
_SIT: KeySpec = (Text("Sit in"), "sit", "plain")
_JOIN: KeySpec = (Text("Join"), "join", "main")
_LOOK_AGAIN: KeySpec = (Text("Look again"), "watch", "plain")
_STOP_WATCHING: KeySpec = (Text("Stop watching"), "unwatch", "plain")
_CUT: KeySpec = (Text("Cut"), "cut", "plain")
_LEAVE: KeySpec = (Text("Leave"), "leave", "plain")
_ADD_COMPUTER: KeySpec = (Text("+ Computer"), "add_computer", "plain")
_REMOVE_COMPUTER: KeySpec = (Text("− Computer"), "remove_computer", "plain")
_REPLAY: KeySpec = (Text("Replay"), "replay", "plain")
_END_ACTIONS: frozenset[Action] = frozenset(("analyse", "replay", "check", "log"))
"""The actions of a finished table's keys that watchers have too."""
_CHECK: KeySpec = (Text("Check the deal"), "check", "plain")
_CLOCK: KeySpec = (Text("Clock"), "clock", "plain")
_RULES: KeySpec = (Text("Rules"), "help", "plain")
_LOOK_BACK: KeySpec = (Text("Look back"), "analyse", "plain")
_REMATCH: KeySpec = (Text("Rematch"), "rematch", "main")


def _player_lines(table: Table, say: Speech) -> Iterator[str]:
    """The players, one a line."""
    for seat, player in enumerate(table.players):
        who = say.name(seat)
        if player.level:
            who = say(LEVELS[player.level].caption(seat))
        yield f"{seat + 1}. {who}"


def _tally_lines(table: Table, tally: Mapping[PersonId, int], say: Speech) -> tuple[str, ...]:
    """The games that each player has won so far; empty if nobody has won one."""
    counts = [
        (seat, tally.get(player.person, 0)) for seat, player in enumerate(table.players) if player.person
    ]
    if not any(games_won for _, games_won in counts):
        return ()
    listed = tuple(Text("{who} ({n})", who=Name(seat), n=games_won) for seat, games_won in counts)
    return (say(Text("Games won: {tally}.", tally=listed)),)


def _changed_rules(table: Table) -> tuple[Text, ...]:
    """The house rules, and the computers' pace and hints, that differ from their defaults, with values."""
    changed = tuple(
        Text("{rule}: {value}", rule=option.text, value=option.values[value])
        for option in table.game.options
        if (value := table.options.get(option.name, option.default)) != option.default
    )
    hints = () if table.hints else (Text("{rule}: {value}", rule=Text("Hints"), value=YES_OR_NO[False]),)
    label = PACES[table.pace].label
    pace = (Text("{rule}: {value}", rule=Text("Computers' pace"), value=label),)
    return (*changed, *(() if table.pace == "natural" else pace), *hints)


def _unmarked(text: str) -> str:
    """Markdown as plain text with one line for each paragraph and list item, since chats wrap lines."""
    lines: list[str] = []
    for line in text.replace("**", "").replace("`", "").splitlines():
        goes_on = bool(line.strip()) and not _BEGINS_LINE.match(line)
        if goes_on and lines and lines[-1].strip() and not lines[-1].startswith(("#", "|")):
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(line.lstrip("# ") if line.startswith("#") else line for line in lines).strip()


_BEGINS_LINE = re.compile(r"\s{4}|\s*(#|\||- |\* |>|\d+\.)")
"""Matches the start of a Markdown line that does not continue the line before."""
