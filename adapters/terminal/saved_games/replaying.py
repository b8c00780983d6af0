"""A position of a replay as lines of text, for the full screen and for line mode."""

from __future__ import annotations

from adapters.shared.rendering.wrapping import wrapped
from bot.i18n import Speech, safe_name
from bot.pages.results.replay_page import hand_lines, step_caption
from bot.replays.films import Film
from bot.replays.readable import frame_sentences, heading, result_texts
from engines import games
from engines.values import Value, replace

_LEAST_ROOM = 3
"""The fewest lines that are left for the drawing, however many the sentences and hands take."""


class Scene(Value):
    """A position of a replay, as it is shown."""

    heading: str
    """The game and the step."""
    sentences: tuple[str, ...]
    """The news of the step; at the end also the result."""
    drawing: str
    hands: tuple[str, ...]
    """The hand of each player after the name, in lines that fit the width."""


def scene(film: Film, n: int, say: Speech, width: int, height: int | None) -> Scene:
    """The position after ``n`` steps of a film with frames, or the nearest one that it has.

    The drawing is at most ``width`` cells wide, and the whole at most ``height`` lines high if possible; None
    sets no limit. A height of 1 asks for the shortest drawing, for screen readers.
    """
    frame = film.frames[max(0, min(n, film.last))]
    say = replace(say, names=tuple(map(safe_name, frame.names)))
    sentences = frame_sentences(frame, say)
    if frame.n == film.last:
        sentences += tuple(map(say, result_texts(film.file, frame)))
    hands = tuple(line for hand in hand_lines(film, frame, say) for line in wrapped(hand, width))
    room = height
    if height is not None and height != 1:
        room = max(_LEAST_ROOM, height - len(sentences) - len(hands) - 1)
    game = games()[film.file.game]
    drawing = game.draw(game.view(frame.state, None), replace(say, starred=game.scoring), width, room)
    return Scene(f"{heading(film.file, say)}. {say(step_caption(film, frame))}.", sentences, drawing, hands)
