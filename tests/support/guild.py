"""A strict fake of a platform like Discord: servers with channels, interactions, ephemeral messages.

Its limits come from the vendor's documentation and not from the adapter, whose constants may be wrong.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from adapters.shared.rendering.message import Button as Shown
from adapters.shared.rendering.message import Message as Rendered
from adapters.shared.rendering.message import Select, reply_message
from bot.inbox.dispatcher import Dispatcher
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import Clock, Gone, Later, Limits, Reply, Suggestion
from engines.values import replace
from tests.support.platform import FakePlatform, Payload
from tests.support.records import Button, Delay, Message, Wire, at_once

CONTENT = 2000
"""Characters of a text."""
ROWS = 5
"""Rows of buttons and select menus of a message."""
ROW = 5
"""Buttons of a row."""
LABEL = 80
"""Characters of a button's label."""
CUSTOM_ID = 100
"""Characters of a button's data."""
URL = 512
"""Characters of a button's link."""
OPTIONS = 25
"""Options of a select menu, and suggestions."""
OPTION = 100
"""Characters of a suggestion's label, and of its value."""
PLACEHOLDER = 150
"""Characters of a select menu's title."""
FILE = 10 * 1024 * 1024
"""Bytes of a file."""
ANSWER_WITHIN = 3.0
"""Seconds within which an interaction must be answered."""
TOKEN_LIFE = 15 * 60.0
"""Seconds for which the token of an interaction is valid."""
NONCE_LIFE = 300.0
"""Seconds for which the nonce of a message is checked for uniqueness: "the past few minutes"."""
BURST = 5
"""Messages, edits and deletions that a channel accepts within `WINDOW` seconds."""
WINDOW = 5.0

_MARKUP = re.compile(r"([\\*_~|`\[\]()])|^(#{1,3} |-# |[-+] |>)", re.MULTILINE)
_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")
_FENCE = "```"
_JOINER = "\N{WORD JOINER}"


class Guild(FakePlatform):
    """The fake platform; all its channels belong to one server."""

    key = "guild"
    limits = Limits(
        text=CONTENT, rows=ROWS, row_keys=ROW, keys=ROWS * ROW, label=LABEL, data=CUSTOM_ID, choices=OPTIONS
    )

    def __init__(self, clock: Clock, wire: Wire = lambda sent: None, delay: Delay = at_once) -> None:
        super().__init__(clock=clock, wire=wire, delay=delay)
        self.laters = 0
        """How often a request exceeded the limit of a channel."""
        self.notices: list[tuple[str, str]] = []
        """The notices of replies to presses and commands: the user and the text."""
        self.remembers = NONCE_LIFE
        self._sendings: dict[str, deque[float]] = {}
        """The times of the requests of the last `WINDOW` seconds that `BURST` counts, by the channel's id."""

    async def press(self, user: str, message: Message, data: str, answer: str = "") -> None:
        """Delivers a press; it is lost while the bot is stopped."""
        place = message.place or message.beside or self.home(user)
        if (dispatcher := self._interaction(user)) is None:
            return
        begun = self.clock.now()
        caller = self.caller(user, place)
        if not answer and await dispatcher.asks(caller, data):
            # The button has opened a modal, and the user has closed it.
            return
        ephemeral = message if message.beside else None
        reply = await dispatcher.press(
            caller, data, self._delivery(), replaceable=bool(ephemeral), answer=answer
        )
        self._in_time(begun)
        await self.delay()
        self._answer(user, place, reply, data + answer, ephemeral)

    async def command(self, user: str, place: Place, name: str, given: dict[str, str]) -> None:
        if (dispatcher := self._interaction(user)) is None:
            return
        begun = self.clock.now()
        reply = await dispatcher.command(self.caller(user, place), name, given, self._delivery())
        self._in_time(begun)
        await self.delay()
        self._answer(user, place, reply, " ".join(given.values()), None)

    async def write(self, user: str, text: str) -> None:
        if (dispatcher := self._interaction(user)) is None:
            return
        reply = await dispatcher.line(self.caller(user, self.home(user)), text, self._delivery())
        if page := reply_message(reply, self.limits):
            self._show(user, page, text)

    async def complete(
        self, user: str, place: Place, name: str, parameter: str, begun: str, given: dict[str, str]
    ) -> Sequence[Suggestion]:
        if (dispatcher := self._interaction(user)) is None:
            return ()
        found = await dispatcher.complete(self.caller(user, place), name, parameter, begun, given)
        offered = [replace(one, label=one.label[:OPTION]) for one in found if len(one.value) <= OPTION]
        text = "\n".join(f"{one.label} {one.value}" for one in offered[:OPTIONS])
        in_reply_to = " ".join((begun, *given.values()))
        self._record("suggest", None, user, (text, text, ()), in_reply_to)
        return offered[:OPTIONS]

    async def open_chat(self, user: str) -> None:
        """Lets the user receive private messages again; the bot is told nothing."""
        self.closed.discard(user)

    async def go_away(self, user: str, place: Place) -> None:
        self.places[place.chat].discard(user)
        if dispatcher := self.dispatcher:
            await dispatcher.depart(self.caller(user, place))

    def _interaction(self, user: str) -> Dispatcher | None:
        """The dispatcher for an interaction of a user, whom the bot then knows; None while it is stopped."""
        if dispatcher := self.dispatcher:
            self.senders.add(user)
        return dispatcher

    def _in_time(self, begun: float) -> None:
        late = self.clock.now() - begun
        self.faults.unless(late <= ANSWER_WITHIN, f"answered after {late} s, and the token was dead")

    def _answer(
        self, user: str, place: Place, reply: Reply, in_reply_to: str, ephemeral: Message | None
    ) -> None:
        """Shows a reply: one with a page in the pressed ephemeral message, if any; any other in a new one."""
        if reply.file:
            self.faults.unless(len(reply.file.content) <= FILE, "a file is larger than 10 MiB")
            text = reply.file.content.decode()
            self._record("file", None, user, (text, text, ()), in_reply_to)
        page = reply_message(reply, self.limits)
        if page is None:
            return
        if reply.notice:
            self.notices.append((user, reply.notice))
        if ephemeral and reply.page:
            ephemeral.token_at = self.clock.now()
            self._change("answer", ephemeral, page, self._payload(page), in_reply_to)
        elif place == self.home(user):
            self._show(user, page, in_reply_to)
        else:
            message = self._show(user, page, in_reply_to)
            message.beside, message.token_at = place, self.clock.now()

    def _show(self, user: str, page: Rendered, in_reply_to: str) -> Message:
        """Shows a page to one user."""
        return self._new("answer", None, user, page, self._payload(page), in_reply_to)

    def _check_user(self, user: str) -> None:
        self.faults.unless(user in self.users, f"there is no user {user}")
        super()._check_user(user)

    def _check_editable(self, message: Message) -> None:
        if message.beside and self.clock.now() - message.token_at > TOKEN_LIFE:
            raise Gone
        if not (message.beside and message.alive):
            super()._check_editable(message)

    def _community(self, place: Place) -> str:
        return "server"

    def _payload(self, page: Rendered, mention: Account | None = None) -> Payload:
        check = self.faults.unless
        raw, plain, rows = super()._payload(page, mention)
        check(raw.count(_FENCE) in (0, 2), "a drawing ends its code block")
        ids = [button.data for row in rows for button in row if not button.url]
        check(len(ids) == len(set(ids)), f"two buttons of one custom id: {sorted(ids)}")
        return raw, plain, rows

    def _options(self, select: Select) -> tuple[Button, ...]:
        self.faults.unless(len(select.title) <= PLACEHOLDER, f"a list is called {select.title!r}")
        return super()._options(select)

    def _button(self, key: Shown) -> Button:
        link = not key.url or (re.fullmatch(r"https?://\S+", key.url) and len(key.url) <= URL)
        self.faults.unless(link, f"a link is {key.url!r}")
        return super()._button(key)

    def _marked_up(self, page: Rendered, mention: Account | None) -> str:
        name = f"<@{mention.user}>" if mention else ""
        # A name in a drawing may hold backticks, of which only three in a row end the block.
        drawing = re.sub("`(?=``)", "`" + _JOINER, page.drawing)
        block = f"{_FENCE}\n{drawing}\n{_FENCE}" if drawing else ""
        parts = [name, _escape("\n".join(page.above)), block, _escape("\n".join(page.below))]
        return "\n".join(part for part in parts if part)

    def _visible(self, raw: str) -> str:
        parts = enumerate(raw.split(_FENCE))
        return "".join(
            _ESCAPED.sub(r"\1", part) if n % 2 == 0 else part.replace(_JOINER, "") for n, part in parts
        )

    def _pace(self, place: Place | None) -> None:
        if place is None:
            return
        now, sendings = self.clock.now(), self._sendings.setdefault(place.chat, deque())
        while sendings and now - sendings[0] >= WINDOW:
            sendings.popleft()
        if len(sendings) >= BURST:
            self.laters += 1
            raise Later(max(sendings[0] + WINDOW - now, 0.001))
        sendings.append(now)

    def _delivery(self) -> str:
        return f"{self.key}:{next(self._numbers)}"


def _escape(text: str) -> str:
    """The text with every character of markup escaped."""
    return _MARKUP.sub(lambda found: "\\" + found[0], text)
