"""The page of a replay: one position of a finished game with the hands of all, and keys to step."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Speech, safe_name
from bot.pages.callback_data import parse_number
from bot.pages.long_text import cost, text_page
from bot.ports import Key, Limits, Page, PagePanel
from bot.replays.films import Film
from bot.replays.frames import Frame, hands_of
from bot.replays.readable import frame_sentences, heading, readable, result_texts
from engines import games
from engines.cards import Card
from engines.game import Text
from engines.values import replace

_STEP_KEYS: Sequence[tuple[str, Text]] = (
    ("first", Text("First")),
    ("back", Text("Back")),
    ("on", Text("Next")),
    ("last", Text("Last")),
)
"""The words of the keys that step, and their labels."""


def replay_page(film: Film, n: int, say: Speech, limits: Limits) -> Page:
    """The position after ``n`` steps of a film with frames; the result is told with the last step only."""
    frame = film.frames[max(0, min(n, film.last))]
    say = replace(say, names=tuple(map(safe_name, frame.names)))
    game = games()[film.file.game]
    drawn = game.draw(game.view(frame.state, None), say, limits.width, limits.height).split("\n")
    sentences = frame_sentences(frame, say)
    if frame.n == film.last:
        sentences += tuple(map(say, result_texts(film.file, frame)))
    head = f"{heading(film.file, say)}. {say(step_caption(film, frame))}."
    room = limits.text - limits.markup - sum(map(cost, (head, *drawn)))
    hands = _fitting(hand_lines(film, frame, say), room)
    sentences = _fitting(sentences, room - sum(map(cost, hands)))
    panels = (
        PagePanel(head, tuple(sentences)),
        PagePanel("", tuple(drawn), wraps=False),
        PagePanel("", hands),
    )
    shown = tuple(panel for panel in panels if panel.title or panel.lines)
    return Page(panels=shown, keys=_keys(film, frame, say))


def moves_page(film: Film, number: int, say: Speech, limits: Limits) -> Page:
    """One page of the moves of a game that cannot be shown, since its rules have changed."""
    text = "\n".join(readable(film, say))
    return text_page(text, number, "replay", "moves", limits, film.file.id)


def step_caption(film: Film, frame: Frame) -> Text:
    """The number of the step shown, and of the last one."""
    return Text("Step {n} of {m}", n=frame.n, m=film.last)


def hand_lines(film: Film, frame: Frame, say: Speech) -> tuple[str, ...]:
    """The hand of each player, sorted as at the table; none in a game without hands."""
    game, state = games()[film.file.game], frame.state
    hands = [
        game.arrange(game.view(state, seat), map(Card, hand), say)
        for seat, hand in enumerate(hands_of(game, state))
    ]
    return tuple(
        f"{say.name(seat)}: {' '.join(map(say.card, hand)) or '–'}" for seat, hand in enumerate(hands)
    )


def frame_after(words: str, film: Film) -> int | None:
    """The number of the frame that a key with these words leads to; None for words that no such key has.

    The number may lie beyond the ends of the film.
    """
    verb, _, number = words.partition(" ")
    n = parse_number(number) if number else 0
    if n is None:
        return None
    leads = {"first": 0, "back": n - 1, "on": n + 1, "last": film.last, "at": n, "": 0}
    return leads.get(verb)


def _keys(film: Film, frame: Frame, say: Speech) -> tuple[tuple[Key, ...], ...]:
    """The keys that step, all of them on every page so that none moves; and those of the whole game."""
    steps = tuple(Key(say(label), "replay", f"{verb} {frame.n}", film.file.id) for verb, label in _STEP_KEYS)
    whole = (
        Key(say(Text("As a text")), "export", "text", film.file.id),
        Key(say(Text("As a file")), "export", "json", film.file.id),
        Key(say(Text("Check the deal")), "check", "", film.file.id),
    )
    return steps, whole


def _fitting(lines: Sequence[str], room: int) -> tuple[str, ...]:
    """The first lines that a message has room for."""
    fitting = []
    for line in lines:
        room -= cost(line)
        if room < 0:
            break
        fitting.append(line)
    return tuple(fitting)
