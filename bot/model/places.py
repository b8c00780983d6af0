"""Places: channels, their threads and private chats; and the settings of places."""

from __future__ import annotations

from typing import Literal, Self

from bot.model.ids import PersonId
from bot.settings.choices import Language
from engines.values import Value, replace


class Place(Value):
    """A channel, a thread or a private chat, by its platform's ids; for settings also a server."""

    platform: str
    chat: str
    thread: str = ""


HOME = Place("terminal", "home")
"""The only place of a terminal."""

Openers = Literal["everyone", "moderators", "nobody"]


class Room(Value):
    """A place and its settings.

    If a channel's ``language``, ``openers``, ``clock`` or ``threads`` is None, the server's applies. A thread
    takes these four from its channel, whatever it stores itself.
    """

    place: Place
    community: str = ""
    """The id of the server or group that the place belongs to; each has its own leaderboard."""
    private: bool = False
    """Whether it is a chat with one person."""
    language: Language | None = None
    openers: Openers | None = None
    """The people who may open tables."""
    clock: int | None = None
    """Seconds of a turn at new tables; 0 is no clock, and `USUAL_CLOCK` each game's own."""
    threads: bool | None = None
    """Whether each new table gets a thread of its own; of a thread, whether the bot opened it for a table."""
    barred: tuple[PersonId, ...] = ()
    """The people whom moderators have barred from its tables."""
    wishes: tuple[PersonId, ...] = ()
    """The people who are told when a table opens."""
    channel: str = ""
    """The chat of the channel that it is a thread of; empty if it is a channel itself."""
    server: str = ""
    """The `Place.chat` under which the settings of its server are stored; empty if it belongs to none."""
    spoken: Language | None = None
    """The language of the place according to its platform."""
    asked: bool = False
    """Whether a player has been asked which language its tables should speak."""

    @property
    def around(self) -> tuple[Place, ...]:
        """The places that contain it, the nearest first: the channel of a thread, then the server."""
        return tuple(Place(self.place.platform, chat) for chat in (self.channel, self.server) if chat)

    def without_wish(self, person: PersonId) -> Self:
        """The room whose ``wishes`` do not have a person."""
        return replace(self, wishes=tuple(wisher for wisher in self.wishes if wisher != person))

    @property
    def is_own_thread(self) -> bool:
        """Whether it is a thread that the bot has opened for a table."""
        return bool(self.channel and self.threads)

    @property
    def channel_place(self) -> Place:
        """The channel: the place itself, or the one that it is a thread of."""
        return Place(self.place.platform, self.channel) if self.channel else self.place

    @property
    def outermost(self) -> Place:
        """The widest place whose settings apply here: the server or group, else the channel."""
        return self.around[-1] if self.around else self.place

    def moved(self, chat: str, there: Room | None) -> Room:
        """The room after its chat has got a new id, merged with ``there``, the room with that id, if any.

        If both have a setting, this room's is kept. A late press in the old chat stores an empty room under
        the old id; when that room is moved too, the settings that were moved first are kept.
        """
        there = there or Room(self.place)
        return replace(
            self,
            place=replace(self.place, chat=chat),
            community=chat if self.community == self.place.chat else self.community,
            channel=chat if self.channel == self.place.chat else self.channel,
            language=self.language or there.language,
            openers=self.openers or there.openers,
            clock=there.clock if self.clock is None else self.clock,
            threads=there.threads if self.threads is None else self.threads,
            barred=tuple(dict.fromkeys((*self.barred, *there.barred))),
            wishes=tuple(dict.fromkeys((*self.wishes, *there.wishes))),
            asked=self.asked or there.asked,
        )


USUAL_CLOCK = -1
"""The `Room.clock` of a place that has chosen each game's own clock; None would take the server's."""


class RoomSettings(Value):
    """The settings that apply in a place."""

    language: Language | None = None
    is_chosen: bool = False
    """Whether the language is stored in a `Room.language`; else it is what the platform says, or unknown.

    It is stored if a person has chosen it, or if it was learnt from the first opener.
    """
    openers: Openers = "everyone"
    clock: int | None = None
    """Seconds of a turn at new tables; None for each game's own."""
    threads: bool = False
    barred: frozenset[PersonId] = frozenset()
    """The people who are barred from the tables of the place or of a place around it."""
    wishes: tuple[PersonId, ...] = ()
    """The people who are told when a table opens in the place, or in a place around it."""
