"""A chat room over TCP as a `bot.ports.Platform`: text only, with no edits, no ids, no buttons and no files.

The first line of a guest is their name: ``Ana``, or ``Ana es`` for Spanish. Of the lines after it, one that
begins with ``!`` goes to the bot in the room, one that begins with ``"`` is said to the room, and any other
goes to the bot in private.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import StreamReader, StreamWriter
from dataclasses import dataclass, field

from adapters.shared.network.listener import open_listener
from adapters.shared.rendering.lines import as_lines
from adapters.shared.rendering.wrapping import wrapped
from bot.inbox.dispatcher import Dispatcher
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import Caller, Limits, Page, Reply, Unreachable

log = logging.getLogger(__name__)

KEY = "tavern"
ROOM = Place(KEY, "room")

# The core words its sentences and its pages for these limits. A fingerprint, which has 64 characters, is to
# stay in one line.
LIMITS = Limits(text=2000, width=64, height=1, sign="!", gap=0.0, edits=False, buttons=False, files=False)
_MOST_UNREAD = 200_000
"""The most bytes that wait for a guest who reads too slowly; then the guest is sent away."""


@dataclass(eq=False)
class Guest:
    """A connection, and what was shown to it."""

    name: str
    locale: str
    writer: StreamWriter
    shown: dict[str, Page] = field(default_factory=dict)
    """The page shown last under each title, so that only what is new is printed."""

    def caller(self, place: Place) -> Caller:
        """The guest as the sender of a line to a place: the room, or the guest's private chat."""
        alone = place != ROOM
        user = self.name.casefold()
        return Caller(user, self.name, place, "" if alone else KEY, alone, self.locale, username=user)

    def show(self, page: Page, sign: str = "") -> None:
        """Prints a page as `as_lines` renders it after the page shown last under the same title.

        ``sign`` stands before the numbers of its keys.
        """
        title = sign + (page.panels[0].title if page.panels else "")
        self.print(as_lines(page, self.shown.get(title), LIMITS.width, sign))
        self.shown[title] = page

    def print(self, lines: list[str]) -> None:
        """Writes lines without waiting until the guest reads them; sends away one who reads too slowly."""
        self.writer.write("".join(f"{line}\n" for line in lines).encode())
        if self.writer.transport.get_write_buffer_size() > _MOST_UNREAD:
            self.writer.transport.abort()


class Tavern:
    """The room and its guests."""

    key = KEY
    limits = LIMITS
    reached = True

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self.is_connected = False
        self._guests: dict[str, Guest] = {}
        """The guests who are here, by user id."""

    # The core may post before `run` is called, or while nobody is here: that is no error. The ids of
    # messages mean nothing: a platform without edits is never asked to edit one, and `delete`, which is
    # asked for turn alerts, can do nothing to a printed line.
    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        """Shows a page to everybody in the room."""
        for guest in self._guests.values():
            guest.show(page, LIMITS.sign)
        return "line"

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        """Shows a page to one guest; raises `Unreachable` if the guest is not here."""
        if (guest := self._guests.get(account.user)) is None:
            raise Unreachable
        guest.show(page)
        return "line"

    async def edit(self, message: str, page: Page) -> None:
        """Does nothing."""

    async def delete(self, message: str) -> None:
        """Does nothing."""

    def link(self) -> str:
        """Always empty: a guest has both chats in one window."""
        return ""

    def message_link(self, message: str, community: str = "") -> str:
        """Always empty: both chats are in one window."""
        return ""

    async def run(self, dispatcher: Dispatcher) -> None:
        """Lets guests in until it is cancelled. Raises `NotAdmitted` if nothing can listen at the port."""

        async def serve(reader: StreamReader, writer: StreamWriter) -> None:
            try:
                await self._serve(dispatcher, reader, writer)
            except (ConnectionError, ValueError):
                # The guest is gone, or has sent a line longer than asyncio reads.
                pass
            finally:
                writer.close()

        listener = open_listener(*self._address, "TAVERN_PORT")
        server = await asyncio.start_server(serve, sock=listener)
        self.is_connected = True
        log.info("serving the chat room at %s, port %s", *self._address)
        try:
            await server.serve_forever()
        finally:
            self.is_connected = False
            for guest in self._guests.values():
                guest.writer.close()

    async def _serve(self, dispatcher: Dispatcher, reader: StreamReader, writer: StreamWriter) -> None:
        """Reads a guest's lines; each is answered before the next is read, so they stay in order.

        Sends away a guest without a name, or with the name of a guest who is here.
        """
        name, _, locale = _text(await reader.readline()).partition(" ")
        guest, user = Guest(name, locale, writer), name.casefold()
        if not name or user in self._guests:
            return
        self._guests[user] = guest
        own = Place(KEY, f"@{user}")
        try:
            # The guest can be reached again: the bot shows the tables at which they play.
            self._answer(guest, await dispatcher.arrive(guest.caller(own), ""))
            while line := await reader.readline():
                text = _text(line)
                if text.startswith('"'):
                    self._say(guest, text[1:])
                    continue
                place = ROOM if text.startswith(LIMITS.sign) else own
                # A line has no id, and TCP delivers it once: the delivery is empty.
                reply = await dispatcher.line(guest.caller(place), text, "")
                self._answer(guest, reply, LIMITS.sign if reply.here and place == ROOM else "")
        finally:
            del self._guests[user]

    def _say(self, speaker: Guest, text: str) -> None:
        for guest in self._guests.values():
            guest.print([f"{speaker.name}: {text}"])

    def _answer(self, guest: Guest, reply: Reply, sign: str = "") -> None:
        """Prints a reply for its sender alone, whole, since the sender has asked for it.

        ``sign`` stands before the numbers of keys that work only in the room.
        """
        notice = wrapped(reply.notice, LIMITS.width) if reply.notice else []
        page = as_lines(reply.page, None, LIMITS.width, sign) if reply.page else []
        # A page may begin with the notice.
        guest.print(page if page[: len(notice)] == notice else [*notice, *page])


def _text(line: bytes) -> str:
    """A line without control characters, which could change another guest's screen."""
    return "".join(filter(str.isprintable, line.decode(errors="replace").strip()))
