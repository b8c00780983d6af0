"""Captions on the clock of a table and on absent players, and the page on which the owner sets the clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.i18n import Speech
from bot.model.ids import PersonId
from bot.model.tables import Vanish
from bot.pages.composer import Composer
from bot.ports import Key, Limits, Page
from bot.tables.seating import owner_name
from bot.tables.table import Table
from bot.tables.turn_clock import DAY, is_correspondence
from engines.game import Name, Text, plural
from engines.values import replace

CLOCKS = (0, 30, 60, 90, 120, 300, DAY, 3 * DAY, 7 * DAY)
"""The seconds of a turn that are offered, 0 for no clock; others can be typed."""
USUAL = "usual"
"""The word of a key for the clock that a game has if none is chosen."""
VANISH_CHOICES: Mapping[str, Text] = {"computer": Text("a computer plays on"), "forfeit": Text("they lose")}
"""The fate of players who vanish, in the autocomplete of commands."""

_VANISH_SENTENCES: Mapping[Vanish, Text] = {
    "computer": Text("If you vanish, a computer plays on."),
    "forfeit": Text("If you vanish, you lose."),
}
"""The fate of players who vanish, in sentences that fit a button."""


def clock_caption(seconds: int) -> Text:
    """How long a turn may last."""
    if not seconds:
        return Text("no clock")
    if is_correspondence(seconds):
        return plural("{n} day a turn", "{n} days a turn", seconds // DAY)
    return plural("{n} second a turn", "{n} seconds a turn", seconds)


def clock_sentence(seconds: int) -> Text:
    """How long a turn may last, in a sentence."""
    if not seconds:
        return Text("There is no clock.")
    return Text("Clock: {clock}.", clock=clock_caption(seconds))


def lobby_captions(table: Table) -> Iterator[Text]:
    """The clock of a lobby, and the rule for players who vanish, unless it is the default."""
    yield _lobby_clock(table)
    if table.vanish == "forfeit":
        yield Text("Anyone who leaves the game loses.")


def _lobby_clock(table: Table) -> Text:
    """The clock of a lobby."""
    if table.clock is not None:
        return clock_sentence(table.clock)
    usual = clock_caption(table.game.turn_seconds)
    return Text("Clock: {clock}, if several people play.", clock=usual)


def presence_captions(table: Table) -> Iterator[Text]:
    """The players of a running game who are away, or whose seats computers hold; whether it waits for all."""
    for seat, player in enumerate(table.players):
        if player.is_held:
            yield Text("A computer is playing for {who}.", who=Name(seat))
        elif seat in table.away:
            yield Text("{who} is away.", who=Name(seat))
    if table.is_frozen:
        yield Text("All players are gone, so the game waits for them.")


def clock_page(table: Table, reader: PersonId, say: Speech, limits: Limits) -> Page:
    """The page on which the owner of a lobby chooses its clock; other readers only see it."""
    lines = [_lobby_clock(table), _VANISH_SENTENCES[table.vanish]]
    if reader != table.owner:
        return Page.note(
            *map(say, lines), say(Text("Only {who} can change the clock.", who=owner_name(table)))
        )
    composer = Composer(table, say, limits)
    chosen = USUAL if table.clock is None else str(table.clock)
    keys = [_clock_key(composer, USUAL, say(Text("as usual")), table.vanish)]
    keys += [_clock_key(composer, str(n), say(_short(n)), table.vanish) for n in CLOCKS]
    other: Vanish = "computer" if table.vanish == "forfeit" else "forfeit"
    change = (_clock_key(composer, chosen, say(_VANISH_SENTENCES[other]).rstrip("."), other, offer=False),)
    page = Page.note(*map(say, lines), keys=(tuple(keys), change))
    return replace(page, more=say(Text("Clock")))


def _short(seconds: int) -> Text:
    """How long a turn may last, on a button."""
    if not seconds:
        return Text("no clock")
    if is_correspondence(seconds):
        return plural("{n} day", "{n} days", seconds // DAY)
    return Text("{seconds} s", seconds=seconds)


def _clock_key(composer: Composer, clock: str, label: str, vanish: Vanish, *, offer: bool = True) -> Key:
    """A key that sets a clock and the fate of players who vanish."""
    return composer.key("set_clock", f"{clock} {vanish}", label, offer=offer)
