"""Draws messages as a chat shows them, as SVG: the page of the group beside the page of one player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from adapters.shared.rendering.message import Button, Message
from engines.drawing import cells
from engines.game import MoveStyle

# All sizes are in pixels.
_WIDTH = 400
"""The width of each of the two sides."""
_GAP = 24
"""The width of the gap between the sides, and of the margins beside them."""
_MARGIN = 16
"""The height of the margins above and below."""
_LINE = 20
"""The height of a line of a sentence."""
_DRAWING_LINE = 17
"""The height of a line of a drawing."""
_CELL = 7.8
"""The width of a cell of a drawing."""
_LETTER = 7.2
"""The mean width of a letter of a sentence."""
_BUTTON = 32
"""The height of a button."""
_SPACE = 6
"""The space between two buttons."""
_SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


@dataclass(frozen=True, slots=True)
class ChatLook:
    """The colours of a chat, and how it lays out buttons."""

    group: str
    """The heading of the group's side."""
    private: str
    """The heading of the player's side."""
    ground: str
    """The background of the picture."""
    bubble: str
    """The background of a message."""
    block: str
    """The background of a drawing."""
    words: str
    """The colour of text."""
    faint: str
    """The colour of headings."""
    buttons: Mapping[MoveStyle, str]
    wide: bool
    """Whether the buttons of a row share its whole width."""
    bold: bool
    """Whether the first line of a message is bold."""
    radius: int
    """How round the corners of buttons are."""


LOOKS: Mapping[str, ChatLook] = {
    "discord": ChatLook(
        group="# card-night",
        private="Direct message: only Ana sees it",
        ground="#313338",
        bubble="#313338",
        block="#2b2d31",
        words="#dbdee1",
        faint="#949ba4",
        buttons={"plain": "#4e5058", "main": "#5865f2", "finish": "#248046", "danger": "#da373c"},
        wide=False,
        bold=False,
        radius=4,
    ),
    "telegram": ChatLook(
        group="Friday cards (group)",
        private="Private chat: only Ana sees it",
        ground="#0e1621",
        bubble="#182533",
        block="#131d28",
        words="#f5f5f5",
        faint="#8fa3b5",
        buttons={"plain": "#2b3b4b", "main": "#3d75a8", "finish": "#3f8f55", "danger": "#a8403d"},
        wide=True,
        bold=True,
        radius=8,
    ),
}


def chat_picture(platform: str, public_panel: Message, page: Message) -> str:
    """The page of the group and that of a player, side by side, as SVG."""
    look = LOOKS[platform]
    left, left_height = _side(look, look.group, public_panel)
    right, right_height = _side(look, look.private, page)
    width = 2 * _WIDTH + 3 * _GAP
    height = max(left_height, right_height) + 2 * _MARGIN
    title = f"{platform.title()}: {public_panel.above[0] if public_panel.above else ''}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" font-size="14"'
        f' font-family="{_SANS}" role="img"><title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height:g}" rx="10" fill="{look.ground}"/>\n'
        f'<g transform="translate({_GAP} {_MARGIN})">\n{left}</g>\n'
        f'<g transform="translate({2 * _GAP + _WIDTH} {_MARGIN})">\n{right}</g>\n</svg>\n'
    )


def _side(look: ChatLook, heading: str, message: Message) -> tuple[str, float]:
    """One message under the heading of its chat, as SVG, and its height."""
    parts = [_words(0, 15, heading, look.faint), _words(12, 50, "Sobremesa", look.words, bold=True)]
    top = 28.0
    y = top + 26
    for n, line in enumerate(_wrapped(message.above)):
        y += _LINE
        parts.append(_words(12, y, line, look.words, bold=look.bold and n == 0))
    if message.drawing:
        drawing, height = _drawing(look, message.drawing, y + 8)
        parts.append(drawing)
        y += height + 8
    below = (*message.below, *((message.deadline.sentence,) if message.deadline else ()))
    for line in _wrapped(below):
        y += _LINE
        parts.append(_words(12, y, line, look.words))
    y += 12
    bottom = y
    for row in message.rows:
        parts.append(_row(look, row, y))
        y += _BUTTON + _SPACE
    if message.select:
        parts.append(_row(look, (Button(f"{message.select.title} ▾"),), y))
        y += _BUTTON + _SPACE
    bubble = f'<rect y="{top:g}" width="{_WIDTH}" height="{bottom - top:g}" rx="12" fill="{look.bubble}"/>\n'
    return bubble + "".join(parts), y


def _drawing(look: ChatLook, drawing: str, y: float) -> tuple[str, float]:
    lines = drawing.split("\n")
    height = len(lines) * _DRAWING_LINE + 14
    box = f'<rect x="12" y="{y:g}" width="{_WIDTH - 24}" height="{height}" rx="6" fill="{look.block}"/>\n'
    style = f'font-family="{_MONO}" font-size="13" fill="{look.words}" style="white-space: pre"'
    texts = (
        f'<text x="22" y="{y + 19 + n * _DRAWING_LINE:g}" textLength="{cells(line) * _CELL:.1f}">'
        f"{escape(line)}</text>\n"
        for n, line in enumerate(lines)
        if line
    )
    return f'{box}<g {style} xml:space="preserve">\n{"".join(texts)}</g>\n', height


def _row(look: ChatLook, row: Sequence[Button], y: float) -> str:
    share = (_WIDTH - _SPACE * (len(row) - 1)) / len(row)
    x, parts = 0.0, list[str]()
    for button in row:
        width = share if look.wide else len(button.label) * _LETTER + 28
        colour = look.buttons[button.style]
        parts.append(
            f'<rect x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{_BUTTON}"'
            f' rx="{look.radius}" fill="{colour}"/>'
            f'<text x="{x + width / 2:.1f}" y="{y + 21:g}" text-anchor="middle" fill="#ffffff">'
            f"{escape(button.label)}</text>\n"
        )
        x += width + _SPACE
    return "".join(parts)


def _wrapped(lines: Sequence[str]) -> list[str]:
    width = int((_WIDTH - 24) / _LETTER)
    return [part for text in lines for line in text.split("\n") for part in wrap(line, width) or [""]]


def _words(x: float, y: float, words: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}"{weight}>{escape(words)}</text>\n'
