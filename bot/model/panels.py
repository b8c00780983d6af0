"""Panels: the messages that a table keeps up to date, their drafts, and alerts."""

from __future__ import annotations

from typing import Literal

from bot.model.ids import GameId, PersonId, ReaderId
from bot.model.leases import Lease
from engines.values import Value, replace


class Notification(Value):
    """Addresses a message that is no panel: a turn alert or, as an `Invitation`, the news of a new table."""

    person: PersonId
    aloud: bool = False
    """Whether the message names the player in the table's chat; else it is private."""


class Invitation(Notification):
    """Addresses a private message that tells a person of a new table."""

    place_name: str = ""
    """The name of the table's place as its members know it; empty if it is unknown."""


class Draft(Value):
    """A reader's unfinished move: the words picked so far and the page of the menu."""

    stamp: int = 0
    """The table's stamp when the draft last changed; a later move of its reader or a take-back voids it."""
    path: tuple[str, ...] = ()
    """The words picked so far."""
    page: int = 0
    """The page of the menu, from 0."""
    asked: bool = False
    """Whether the path is a whole move that its reader is asked to confirm."""


PanelKey = tuple[GameId, ReaderId]
"""A panel's table and reader."""

Watch = Literal["none", "on", "ended"]
"""Whether a reader without a seat watches the table; ``ended`` once they have stopped."""


class PanelRecord(Value):
    """The stored state of a panel: its message, its draft, and whether the message is up to date."""

    game: GameId
    reader: ReaderId
    """`PUBLIC` for the message in the table's place."""
    message: str = ""
    """The platform's id of the message; empty while there is none."""
    draft: Draft = Draft()
    wanted: int = 0
    """The newest version of the panel: grows with every change that the message must show."""
    sent: int = 0
    """The version that the message shows; the panel is dirty while ``wanted`` differs."""
    announced: int = 0
    """Only of the public panel: the number of events that were posted in messages of their own."""
    told: int = 0
    """How many pieces of the table's news its reader is done with: delivered, or not meant for them."""
    notified_at: float = 0.0
    """When its reader was last notified of a deal or a turn, or could not be; seconds since 1970."""
    alert: str = ""
    """The platform's id of the last turn alert; empty once it is deleted."""
    aloud: bool = False
    """Whether that alert names the player in the table's chat; else it is private."""
    watch: Watch = "none"
    """Whether its reader watches the table on this panel; once they have stopped, the message is deleted."""

    @property
    def is_watched(self) -> bool:
        """Whether its reader watches the table on it now."""
        return self.watch == "on"

    def marked(self, given: PanelRecord, wanted: int) -> PanelRecord:
        """This panel at the version ``wanted``, with what `Store.mark_dirty` stores of the ``given`` one."""
        return replace(self, draft=given.draft, announced=given.announced, watch=given.watch, wanted=wanted)


class Marked(Value):
    """The verdict on a panel that was to be marked dirty."""

    panel: PanelRecord
    """The panel as it is stored now."""
    taken: bool = True
    """Whether the change is stored; False if the panel is no longer at the expected version."""
    lease: Lease | None = None
    """The lease of the table's chat, which the keeper now holds; None without a keeper or a table, and if not
    ``taken``.
    """
