"""Checks whether the bot may post, and a sender play or open tables, in a place."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.model.places import Place, RoomSettings
from bot.model.tables import Refused
from engines.game import Text


def must_allow_posting(context: Context) -> None:
    """Raises `Refused` if the bot may not post in the sender's place, also before a rematch elsewhere."""
    if context.caller.cannot_post:
        raise Refused(
            Text(
                "I'm not allowed to write here. Ask a moderator to let me, or open the table somewhere else."
            )
        )


async def must_be_welcome(context: Context, place: Place) -> RoomSettings:
    """The settings of a place; raises `Refused` if the sender is barred from its tables."""
    settings = await context.people.newest_settings(place)
    if context.person.id in settings.barred:
        raise Refused(Text("A moderator has barred you from the tables here."))
    return settings


def must_allow_games(context: Context, settings: RoomSettings, place: Place) -> None:
    """Raises `Refused` if the settings of a place do not let the sender open tables there.

    Whether senders are moderators is known only in the place from which they send.
    """
    if place != context.caller.place:
        _must_allow_games_elsewhere(settings)
        return
    if settings.openers == "nobody":
        raise Refused(Text("Nobody may open tables here. Ask a moderator where to play."))
    if settings.openers == "moderators" and not context.caller.moderator:
        raise Refused(Text("Only moderators may open tables here. Ask one of them."))


def _must_allow_games_elsewhere(settings: RoomSettings) -> None:
    """Raises `Refused` if the settings of another place let only moderators open tables there, or nobody."""
    if settings.openers == "nobody":
        raise Refused(Text("Nobody may open tables there. Ask a moderator where to play."))
    if settings.openers == "moderators":
        raise Refused(Text("Only a moderator can open the rematch, in the table's chat."))


async def must_be_allowed_to_open(context: Context) -> RoomSettings:
    """The settings of the sender's place; raises `Refused` if the sender may not open a table there."""
    settings = await must_be_welcome(context, context.caller.place)
    if not context.caller.private:
        must_allow_games(context, settings, context.caller.place)
    return settings
