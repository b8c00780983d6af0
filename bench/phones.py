"""The players of `bench.evening`: the pages on their phones, and the keys that they press."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from bot.inbox.dispatcher import Dispatcher
from bot.inbox.moves.menus import MENU_ACTIONS
from bot.model.people import Account
from bot.model.places import Place
from bot.pages.callback_data import data_of
from bot.ports import Action, Caller, Key, Limits, Page
from bot.tables.table import Table
from engines.game import Move
from tests.support.clock import VirtualClock

NAMES = ("Ana", "Benito", "Carla", "Dora", "Emilio", "Fernanda")
COMPOSED_SHARE = 1 / 4
"""The share of moves with a free choice of cards that players begin card by card, not with a whole move."""
MOST_PLANNED_PRESSES = 16
"""The presses for one goal after which a player makes any move that a button offers."""
_CHAT = "10"
"""The id of the group chat."""


class Phones:
    """A platform that keeps the pages on its users' phones."""

    reached = True

    def __init__(self, key: str, limits: Limits, clock: VirtualClock) -> None:
        self.key = key
        self.limits = limits
        self.sent_at: list[float] = []
        """When each message, edit and deletion reached the group."""
        self.group: dict[str, Page] = {}
        """The pages in the group by message, the oldest message first."""
        self.private: dict[str, dict[str, Page]] = {}
        """The pages in each user's private chat, likewise."""
        self._clock = clock
        self._numbers = count(1)

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        message = f"{place.chat}/{next(self._numbers)}"
        self.sent_at.append(self._clock.now())
        self.group[message] = page
        return message

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        message = f"{account.user}/{next(self._numbers)}"
        self.private.setdefault(account.user, {})[message] = page
        return message

    async def edit(self, message: str, page: Page) -> None:
        pages = self._chat(message)
        if pages is self.group:
            self.sent_at.append(self._clock.now())
        pages[message] = page

    async def delete(self, message: str) -> None:
        pages = self._chat(message)
        if pages is self.group:
            self.sent_at.append(self._clock.now())
        pages.pop(message, None)

    def link(self) -> str:
        return ""

    def message_link(self, message: str, community: str = "") -> str:
        return ""

    def answer(self, user: str, message: str, page: Page) -> None:
        """Shows the page of a reply in place of the pressed ``message``, or in a new message.

        It is a new one if ``message`` is empty or not in the user's private chat.
        """
        mine = self.private.setdefault(user, {})
        mine[message if message in mine else f"{user}/{next(self._numbers)}"] = page

    def _chat(self, message: str) -> dict[str, Page]:
        chat = message.partition("/")[0]
        return self.group if chat == _CHAT else self.private.setdefault(chat, {})


@dataclass
class Player:
    """A player who presses only keys that their pages and those of the group show."""

    user: str
    phones: Phones
    dispatcher: Dispatcher
    rng: random.Random
    acts: int = 0
    """Commands and presses so far."""
    presses: int = 0
    """Presses since their last move; `Evening` counts them, and a choice from a list as two."""
    goal: tuple[int, Move] | None = None
    """The table's stamp when they chose a move, and this move."""
    composes: bool = False
    """Whether their first press for the goal avoids keys that make a whole move."""
    taken: list[tuple[str, str]] = field(default_factory=list)
    """The action and the words of each press for the goal, which `Evening` adds."""

    @property
    def caller(self) -> Caller:
        place = Place(self.phones.key, _CHAT)
        return Caller(self.user, NAMES[int(self.user)], place, community="community", moderator=True)

    async def command(self, name: str, **given: str) -> None:
        self.acts += 1
        await self.dispatcher.command(self.caller, name, given, delivery="")

    async def press(self, message: str, key: Key) -> None:
        """Presses a key of a message, and shows the reply on the player's phone."""
        self.acts += 1
        data = data_of(key, self.phones.limits.data)
        reply = await self.dispatcher.press(self.caller, data, delivery="")
        if reply.page:
            pressed = "" if await self.dispatcher.shows_table(data, message) else message
            self.phones.answer(self.user, pressed, reply.page)

    async def do(self, action: Action) -> None:
        """Presses the newest key with this action, on the player's own pages before those of the group."""
        chats = (self.phones.group, self.phones.private.get(self.user, {}))
        shown = [
            (message, key) for pages in chats for message, page in pages.items() for key in page.numbered
        ]
        await self.press(*next(press for press in reversed(shown) if press[1].action == action))

    def menu(self, table: Table) -> tuple[str, Page] | None:
        """The player's newest message with a current menu of the table, and its page; None without one."""
        for message, page in reversed(self.phones.private.get(self.user, {}).items()):
            mine = (key for key in page.numbered if key.game == table.id and key.action in MENU_ACTIONS)
            if any(key.stamp == table.stamp for key in mine):
                return message, page
        return None

    def choose_key(self, page: Page, table: Table, seat: int) -> Key:
        """The key to press for the goal, a move that is chosen again once the table has changed.

        A random key if `_towards` has none. After `MOST_PLANNED_PRESSES` a random one that makes a move, or
        any if none does.
        """
        if self.goal is None or self.goal[0] != table.stamp:
            view, moves = table.view(seat), list(table.game.moves(table.state, seat))
            self.goal, self.taken = (table.stamp, table.game.think(view, moves, self.rng)), []
            self.composes = self.goal[1].verb in table.game.wide and self.rng.random() < COMPOSED_SHARE
        keys = [key for key in page.numbered if key.action in MENU_ACTIONS]
        if len(self.taken) >= MOST_PLANNED_PRESSES:
            whole = [key for key in keys if key.action in ("move", "done", "sure")]
            return self.rng.choice(whole or keys)
        if self.composes and not self.taken:
            keys = [key for key in keys if key.action != "move"] or keys
        return next(_towards(self.goal[1], keys, self.taken), self.rng.choice(keys))


def _towards(goal: Move, keys: Sequence[Key], taken: Sequence[tuple[str, str]]) -> Iterator[Key]:
    """The keys that lead to the move ``goal``, the best first; last ``done``, which may make another move.

    ``taken`` are the presses for the goal so far.
    """

    def of(*actions: str) -> list[Key]:
        return [key for key in keys if key.action in actions]

    yield from of("sure")
    yield from (key for key in of("move") if {*key.words.split()} == {goal.verb, *goal.words})
    chosen = {key.words for key in of("drop")}
    wanted = {goal.verb, *goal.words} - chosen
    yield from (key for key in of("add") if key.words in wanted)
    if not of("add", "drop") or not wanted - {goal.verb}:
        yield from of("done")
    steps = sorted(of("pick"), key=lambda key: _overlap(key.words, goal), reverse=True)
    yield from (key for key in steps if _overlap(key.words, goal) and ("pick", key.words) not in taken)
    onward = sorted(of("page"), key=lambda key: int(key.words), reverse=True)
    yield from (key for key in onward if ("page", key.words) not in taken)
    yield from of("done")


def _overlap(words: str, goal: Move) -> int:
    """How well the words of a key fit a move; 0 if one of them is not in it.

    2 for each word, but 1 for the verb alone, so that a key with a card comes first.
    """
    parts = words.split()
    goal_words = {*goal.words, goal.verb}
    if not parts or not set(parts) <= goal_words:
        return 0
    return 2 * len(parts) - (parts == [goal.verb])
