"""Leads a player through a guided first hand; remembers which guides were played or declined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from adapters.terminal.setup import Setup
from bot.pages.menus.menu_items import Menu, MenuItem
from bot.tables.log.snapshots import target
from bot.tables.table import Table
from bot.thinking.query import Query
from bot.thinking.thinker import Thinker
from engines import games
from engines.game import Guide, IllegalMove, Move, Seat, Step, Text
from engines.values import replace

PLAYER: Seat = 0
"""The seat of the player who is guided."""
SKIP = frozenset(("skip", "saltar"))
"""The lines that leave a guide; the game goes on."""
GO_ON = Text("Press Enter to go on. “skip” leaves the guide.")
"""Said after a step that asks for no move, unless it is the last; refuses a move at any such step."""
GUIDE_LEFT = Text("You have left the guide. Play on as you like.")


class GuidedHand:
    """How far a game has come in its guide, found from the number of moves made and the steps read."""

    def __init__(self, guide: Guide, settle: Callable[[], object] = lambda: None) -> None:
        self._steps: dict[int, list[Step]] = {}
        """By the number of moves made before them, the steps that the player reads one after the other."""
        self._moves: list[str] = []
        """The moves of all seats, in their order."""
        self._replies: dict[int, str] = {}
        """By the number of moves made before them, the moves of the other seats."""
        self._read: dict[int, int] = {}
        """By the number of moves made, how many steps without a move the player has read."""
        self._settle = settle
        """Called when the guide ends, but not if `resume` ends it."""
        self.is_over = False
        for step in guide.steps:
            self._steps.setdefault(len(self._moves), []).append(step)
            self._moves += [step.move] if step.move else []
            for reply in step.replies:
                self._replies[len(self._moves)] = reply
                self._moves.append(reply)

    def resume(self, table: Table, deal: Table) -> None:
        """Goes on in a resumed game; ends if its seats, house rules or moves are not those of the guide.

        ``deal`` is the guide's table before the first move.
        """
        for n, move in enumerate(self._moves[: moves_made(table)]):
            seats = [seat for seat in deal.active() if (seat != PLAYER) == (n in self._replies)]
            deal = deal.play(seats[0], move)
        alone = all(player.is_computer for player in table.players[1:])
        self.is_over = not alone or (deal.options, deal.state) != (table.options, table.state)

    def step(self, table: Table) -> Step | None:
        """The step that the player reads now; None while others reply, and when the guide is over."""
        if self.is_over:
            return None
        made = moves_made(table)
        steps, read = self._steps.get(made, []), self._read.get(made, 0)
        return steps[read] if read < len(steps) else None

    def explanation(self, table: Table) -> Text | None:
        """The sentence of a step that asks for no move, until the player has read it; None at other steps."""
        step = self.step(table)
        return step.text if step and not step.move else None

    def prompt(self, table: Table) -> Text:
        """The sentence that tells how to go on from the current step, which asks for no move."""
        made = moves_made(table)
        is_last = made == len(self._moves) and self._read.get(made, 0) == len(self._steps[made]) - 1
        return Text("Press Enter to play on.") if is_last else GO_ON

    def request(self, table: Table) -> Move | None:
        """The move that the current step asks for, if any."""
        step = self.step(table)
        return Move.parse(step.move) if step and step.move else None

    def read_on(self, table: Table) -> None:
        """Notes that the player has read the current step, which asks for no move.

        The last step of the guide ends it.
        """
        made = moves_made(table)
        self._read[made] = self._read.get(made, 0) + 1
        if made == len(self._moves) and self._read[made] == len(self._steps[made]):
            self.leave()

    def leave(self) -> None:
        """Ends the guide; the game goes on freely."""
        self.is_over = True
        self._settle()

    def check(self, table: Table, action: str, label: Callable[[Move], str]) -> None:
        """Raises `IllegalMove` for an illegal move, and for one with other effects than the guide asks for.

        At a step that asks for no move it raises `IllegalMove` for every move. Checks nothing once the guide
        is over. ``label`` names a move as menus do.
        """
        if self.is_over:
            return
        game, state = table.game, table.state
        after = game.act(state, PLAYER, action)[1]
        if self.explanation(table):
            raise IllegalMove("guided", GO_ON)
        if (move := self.request(table)) and after != game.apply(state, PLAYER, move)[0]:
            reason = game.reason(table.view(PLAYER), move)
            raise IllegalMove(
                "guided", Text("For now, choose “{move}”. {reason}", move=label(move), reason=reason)
            )

    def reply(self, table: Table) -> Move | None:
        """The next move of another seat; None if the guide leaves it free."""
        reply = None if self.is_over else self._replies.get(moves_made(table))
        return Move.parse(reply) if reply else None


def marked(menu: Menu, move: Move | None) -> int | None:
    """The index of the item that makes a move or leads to it; None if there is none."""
    if move is None:
        return None
    indices = [n for n, item in enumerate(menu.items) if _leads_to(item, move)]
    whole = [n for n in indices if menu.items[n].done]
    return next(iter([*whole, *indices]), None)


def _leads_to(item: MenuItem, move: Move) -> bool:
    """Whether an item is the move or begins it; words of a free choice may come in any order."""
    verb, *words = item.words
    # A menu may group moves by their first word alone, without the verb.
    if item.words == move.words[:1] and not item.done:
        return True
    here, there = set(words), set(move.words)
    return verb == move.verb and (here == there if item.done else here <= there)


class GuidedThinker:
    """Makes the moves of a guide for the computers, and asks another thinker for all others."""

    def __init__(self, thinker: Thinker, reply: Callable[[], Move | None]) -> None:
        self._thinker = thinker
        self._reply = reply

    async def choose(self, query: Query) -> Move:
        return self._reply() or await self._thinker.choose(query)

    async def estimate(self, query: Query) -> Mapping[Move, float] | None:
        return await self._thinker.estimate(query)

    def warm(self) -> None:
        self._thinker.warm()

    async def close(self) -> None:
        await self._thinker.close()


class GuideMemory:
    """The games whose guides were played or declined, stored in a file with one key on each line."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._settled: set[str] = set()

    def is_settled(self, key: str) -> bool:
        """Whether the guide of a game was played or declined."""
        with suppress(OSError, UnicodeError):
            self._settled.update(self._file.read_text("utf-8").split())
        return key in self._settled

    def settle(self, key: str) -> None:
        """Notes that a guide was played or declined; only for this run if the file cannot be written."""
        if self.is_settled(key):
            return
        self._settled.add(key)
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text("".join(f"{game}\n" for game in sorted(self._settled)), "utf-8")


def guide_question(key: str) -> Text:
    """The question with which a game's guide is offered."""
    return Text(
        "Learn {game} first? A guided hand takes about five minutes.",
        game=games()[key].title,
    )


def offers_guide(setup: Setup, memory: GuideMemory) -> bool:
    """Whether a game's guide is offered before its deal: to a player alone, without special wishes.

    A special wish is a house rule other than the default, a chosen seed, a cut or the guide itself. A guide
    that was played or declined is not offered again.
    """
    game = games()[setup.key]
    defaults = {option.name: option.default for option in game.options}
    usual = all(defaults.get(name) == value for name, value in setup.options.items())
    is_free = usual and setup.seed is None and setup.cut is None and not setup.guided
    alone = len(setup.names) == 1
    return bool(game.guide and alone and is_free and not memory.is_settled(setup.key))


def guided(setup: Setup) -> Setup:
    """The setup of a game's guided first hand. The game must have a guide."""
    guide = games()[setup.key].guide
    assert guide
    return replace(
        setup,
        players=guide.seats,
        names=setup.names[:1],
        options=guide.options,
        seed=guide.seed_words,
        cut=None,
        guided=True,
    )


def moves_made(table: Table) -> int:
    """The number of moves at a table, without those that were taken back."""
    made: list[int] = []
    for entry in table.entries:
        if entry.kind in ("move", "timeout"):
            made.append(entry.n)
        elif entry.kind == "undo":
            made = [n for n in made if n < target(entry)]
    return len(made)


def guided_hand(setup: Setup, guides: GuideMemory | None, *, resumed: bool) -> GuidedHand | None:
    """The guide with which a new game begins, or a resumed one began; None for a game without one."""
    guide = games()[setup.key].guide
    if guide is None or not (setup.seed == guide.seed_words if resumed else setup.guided):
        return None
    return GuidedHand(guide, partial(guides.settle, setup.key)) if guides else GuidedHand(guide)
