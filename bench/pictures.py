"""Draws the pictures of the README from real games: ``python -m bench.pictures`` writes docs/pictures.

``terminal.svg`` shows a game on the full screen, by Textual's own screenshots. ``discord.svg`` and
``telegram.svg`` show pages of a game as the chat's adapter renders them; frames and fonts only resemble the
chat's. The luck is fixed, so that two runs draw the same. `tests/bench/test_pictures.py` fails while a
picture is out of date.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest import mock

from textual.pilot import Pilot

from adapters.discord.pages import LIMITS as DISCORD
from adapters.shared.rendering.message import as_message
from adapters.telegram.pages import LIMITS as TELEGRAM
from adapters.terminal.app import TerminalApp
from adapters.terminal.setup import Setup
from adapters.terminal.table_screen.command_line import CommandLine
from adapters.terminal.widgets import ButtonGrid
from bench.chat_picture import chat_picture
from bench.evening import Evening
from bench.phones import Phones
from bot.app import running
from bot.ports import Limits
from bot.store.memory.store import MemoryStore
from tests.support.clock import VirtualClock

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SIZE = (84, 27)
"""The columns and lines of the terminal."""
SEED = "breakfast"
"""The words from which deals and luck follow."""
_SECONDS = 4
"""How long each frame of the terminal is shown."""
_SETTLED = 8
"""The number of pauses after which Textual has painted what was done."""
_PATIENCE = 100_000
"""The number of pauses after which a menu that is not shown is an error."""
_BEGIN = 1_700_000_000.0
"""The virtual time at which a game in a chat begins, in seconds since 1970."""
_FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_TERMINAL_MOVES = 4
"""The fewest moves of the player at the terminal before the capture that is typed."""
_CHAT_MOVES = 11
"""The fewest moves of both players before the pages of a chat are drawn."""


def pictures() -> Mapping[str, str]:
    """All pictures as SVG by file name."""
    return {
        "terminal.svg": asyncio.run(_terminal()),
        "discord.svg": asyncio.run(_chat("discord", DISCORD)),
        "telegram.svg": asyncio.run(_chat("telegram", TELEGRAM)),
    }


async def _terminal() -> str:
    """Frames of a game of Casino: the first turn, a capture that is typed, the table after it, the end."""
    setup = Setup("casino", 2, ["Ana"], seed=SEED, pace=0)
    app = TerminalApp(setup, setup)
    frames = list[str]()
    async with app.run_test(size=SIZE) as pilot:

        async def shoot() -> None:
            for _ in range(_SETTLED):
                await pilot.pause(0)
            frames.append(_compact(app.export_screenshot(title="sobremesa play casino")))

        await _settled(app, pilot)
        assert app.table
        session, line = app.table.session, app.table.query_one(CommandLine)
        line.cursor_blink = False
        await shoot()
        luck, made = random.Random(SEED), 0
        while session.table.result is None:
            moves = list(session.game.moves(session.table.state, 0))
            move = session.game.think(session.table.view(0), moves, luck)
            chosen = len(frames) == 1 and made >= _TERMINAL_MOVES and move.verb == "capture"
            if chosen:
                line.value = str(move)
                await shoot()
                line.value = ""
            await session.play(0, str(move))
            made += 1
            await _settled(app, pilot)
            if chosen:
                await shoot()
        await shoot()
    return _animated(frames, still=2)


async def _settled(app: TerminalApp, pilot: Pilot[None]) -> None:
    """Lets the computer play until the player at the keyboard has a menu, or the game is over."""
    for _ in range(_PATIENCE):
        if app.table and app.table.query_one("#menu", ButtonGrid).buttons:
            break
        await pilot.pause(0)
    else:
        raise AssertionError("no menu is shown")
    for _ in range(_SETTLED):
        await pilot.pause(0)


def _compact(svg: str) -> str:
    """A screenshot without the fonts that Textual would fetch from a host, and without what it does not need.

    No-break spaces become blanks, which programs without Textual's fonts and widths also show as blanks.
    """
    for needless in (
        r"<!--.*?-->",
        r"@font-face \{.*?\}",
        r'<clipPath id="[^"]*-line-\d+">.*?</clipPath>',
        r' clip-path="url\(#[^"]*-line-\d+\)"',
        r"<text [^>]*>\s*</text>",
        r"(?<=\n)\s*\n",
    ):
        svg = re.sub(needless, "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: (Fira Code|arial)[^;]*;", f"font-family: {_FONT};", svg)
    return svg.replace("line-height: ", "white-space: pre; line-height: ").replace("&#160;", " ")


def _animated(frames: Sequence[str], still: int) -> str:
    """One picture of several screenshots of one size, shown in turn.

    The frame ``still`` lies below the others: it is what programs show that do not animate pictures.
    """
    opening, _, _ = frames[0].partition(">")
    bodies = [frame.partition(">")[2].rpartition("</svg>")[0] for frame in frames]
    percent = 100 / len(frames)
    layers = [f"<g>{bodies[still]}</g>"]
    for n, body in enumerate(bodies):
        if n != still:
            layers.append(f'<g class="frame" style="animation-delay: {n * _SECONDS}s">{body}</g>')
    return (
        f'{opening} xml:space="preserve" role="img"><title>A game of Casino in a terminal</title><style>'
        f".frame {{ visibility: hidden; animation: turn {len(frames) * _SECONDS}s step-end infinite; }}"
        f"@keyframes turn {{ 0% {{ visibility: visible; }} {percent:g}% {{ visibility: hidden; }} }}"
        "@media (prefers-reduced-motion: reduce) { .frame { animation: none; } }"
        f"</style>{''.join(layers)}</svg>\n"
    )


async def _chat(platform: str, limits: Limits) -> str:
    """A game of Casino in a chat: the page of the group, and that of the player to move."""
    clock = VirtualClock(_BEGIN)
    phones = Phones(platform, limits, clock)
    luck = random.Random(SEED)
    with mock.patch("random._urandom", luck.randbytes), mock.patch("os.urandom", luck.randbytes):
        store, served = MemoryStore(), {platform: phones}
        async with running(store, clock, served, rng=luck, process="pictures") as dispatcher:
            evening = Evening(dispatcher, phones, clock, "casino", 2, luck)
            await evening.begin()
            while len(evening.presses) < _CHAT_MOVES or evening.table.active() != (0,):
                await evening.turn()
            *_, public_panel = phones.group.values()
            shown = evening.players[0].menu(evening.table)
            assert shown
            return chat_picture(platform, as_message(public_panel, limits), as_message(shown[1], limits))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8", newline="\n")
        print(f"{FOLDER / name}: {len(svg) // 1000} kB")


if __name__ == "__main__":
    main()
