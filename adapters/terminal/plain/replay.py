"""Steps through a finished game line by line, without control characters: for pipes and screen readers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from adapters.shared.rendering.wrapping import reflowed
from adapters.terminal.saved_games.replaying import scene
from bot.i18n import Speech, folded
from bot.replays.films import Film
from engines.game import Text

WIDTH = 80
"""The most columns of a line."""
_QUIT = frozenset(("quit", "exit", "q", "salir"))
"""The words with which the player quits."""
_MOST_DIGITS = 6
"""The most digits of a typed step; a longer number is refused."""
_STEPS: Mapping[str, Callable[[int, int], int]] = {
    **dict.fromkeys(("", "on", "n", "sigue"), lambda n, last: n + 1),
    **dict.fromkeys(("back", "b", "p", "atras"), lambda n, last: n - 1),
    **dict.fromkeys(("first", "inicio"), lambda n, last: 0),
    **dict.fromkeys(("last", "fin"), lambda n, last: last),
}
"""By typed word: the number of the position to show, from those of the present and the last position."""


def replay_plainly(film: Film, say: Speech, read: Callable[[], str] | None = None) -> None:
    """Prints positions of a film with frames until the player quits or the input ends.

    ``read`` returns a line, or an empty string at the end; by default it reads standard input.
    """
    read, n = read or sys.stdin.readline, 0
    _print(film, n, say)
    goes_on = Text("Enter goes on. You can also type: back, first, last, a number, quit.")
    print("\n".join(reflowed(say(goes_on), WIDTH)))
    while line := read():
        typed = folded(line)
        if typed in _QUIT:
            return
        if step := _STEPS.get(typed):
            n = step(n, film.last)
        elif typed.isdecimal() and len(typed) <= _MOST_DIGITS:
            n = int(typed)
        else:
            words = line.strip()[:40]
            unknown = Text(
                "I don't know “{words}”. Enter goes on, “back” goes back, “quit” ends.", words=words
            )
            print("\n".join(reflowed(say(unknown), WIDTH)))
            continue
        n = max(0, min(n, film.last))
        _print(film, n, say)


def _print(film: Film, n: int, say: Speech) -> None:
    """Prints a position; the table is drawn in its shortest form."""
    shown = scene(film, n, say, WIDTH, height=1)
    for sentence in (shown.heading, *shown.sentences):
        print("\n".join(reflowed(sentence, WIDTH)))
    print(shown.drawing)
    for hand in shown.hands:
        print("\n".join(reflowed(hand, WIDTH)))
