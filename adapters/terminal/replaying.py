"""A position of a replay as lines of text, for the full screen and for line mode."""

from __future__ import annotations

from datetime import datetime

from bot.i18n import Speech, safe_name
from bot.pages.replay_page import hand_lines, step_caption
from bot.replays.films import Film
from bot.replays.readable import frame_sentences, heading, result_texts
from engines import games
from engines.values import Value, replace


def local_zone() -> int:
    """The distance of this machine's clock from UTC, in quarters of an hour."""
    offset = datetime.now().astimezone().utcoffset()
    return int(offset.total_seconds() // 900) if offset else 0


class Scene(Value):
    """What a position shows: the game and the step, the sentences, the drawing, the hands."""

    heading: str
    sentences: tuple[str, ...]
    drawing: str
    hands: tuple[str, ...]


def scene(film: Film, n: int, say: Speech, width: int, height: int | None) -> Scene:
    """The position after ``n`` steps of a film with frames, within ``height`` lines if possible.

    The drawing is at most ``width`` cells wide. A height of 1 asks for its shortest form, for screen readers.
    """
    frame = film.frames[max(0, min(n, film.last))]
    say = replace(say, names=tuple(map(safe_name, frame.names)))
    sentences = frame_sentences(frame, say)
    if frame.n == film.last:
        sentences += tuple(map(say, result_texts(film.file, frame)))
    hands = hand_lines(film, frame, say)
    rows_left = 1 if height == 1 or height is None else max(3, height - len(sentences) - len(hands) - 1)
    game = games()[film.file.game]
    drawing = game.draw(
        game.view(frame.state, None), replace(say, starred=game.scoring), width, rows_left if height else None
    )
    return Scene(f"{heading(film.file, say)}. {say(step_caption(film, frame))}.", sentences, drawing, hands)
