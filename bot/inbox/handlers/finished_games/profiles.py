"""Handlers that show the profile of the sender or of another player."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.inbox.handlers.finished_games.replays import last_games
from bot.inbox.handlers.tables.order_commands import person_named
from bot.inbox.lookup import Arguments
from bot.model.ids import PersonId
from bot.model.tables import Refused
from bot.pages.results.profile_page import profile_page
from bot.ports import Reply
from engines import games
from engines.game import Text

GAMES_SEARCHED = 100
"""How many of the last games are searched for players: for a typed name, and for suggestions."""


async def profile_command(context: Context, arguments: Arguments) -> Reply:
    """Shows the profile of the player who is named, or the sender's own."""
    typed = arguments.get("player", "").strip()
    if not typed:
        return await show_profile(context, context.person.id)
    played = await last_games(context, "", 0, GAMES_SEARCHED)
    return await show_profile(context, await person_named(context, typed, played))


async def show_profile(context: Context, person: PersonId) -> Reply:
    """Shows a profile. Raises `Refused` for that of another person who is hidden."""
    own = person == context.person.id
    shown = context.person if own else await context.people.person(person)
    if shown.hidden and not own:
        raise Refused(Text("That player's profile isn't open to others."))
    profile = await context.store.profile(person, context.person.id, list(games()))
    page = profile_page(shown, profile, context.say, context.platform.limits, own=own)
    return Reply(page=page, public=True)
