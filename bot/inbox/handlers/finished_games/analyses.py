"""Handlers that analyse a finished game, by command and by a key of its page."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from bot.inbox.context import Context
from bot.inbox.handlers.tables.table_commands import last_table
from bot.inbox.lookup import Arguments, NoTable, listing_of
from bot.model.tables import Refused
from bot.pages.callback_data import is_game
from bot.pages.results.analysis_page import finished_page, progress_page
from bot.ports import Page, Reply
from bot.table_service.analysis_jobs import AnalysisJob
from bot.tables.table import Table
from engines.game import Text

PROGRESS_EVERY = 5.0
"""The fewest seconds between two edits that show the progress of an analysis."""


async def analyse(context: Context, table: Table) -> Reply:
    """Shows the sender the analysis of a game, or its progress until it is finished."""
    context = context.at(table)
    job = await context.analyses.ask(table, context.person.id)
    if job.is_over:
        return Reply(page=await _result_page(context, table, job), public=True)
    account = await context.people.account_of(context.person.id, context.platform.key)
    pages = _progress_pages(context, table, job)
    if account and account.reachable and await context.followed.follow(account, table.id, pages):
        is_in_sight = context.caller.private and context.platform.limits.edits
        notice = Text("I'm looking back at the game. You'll get it in our private chat.")
        return Reply("" if is_in_sight else context.say(notice), done=True, public=True)
    return Reply(page=progress_page(table, job, context.say, context.platform.limits), public=True)


async def analyse_command(context: Context, arguments: Arguments) -> Reply:
    """Analyses the game whose id is typed, or without one that of `last_table`.

    Raises `Refused` if that game cannot be analysed, as while it is not over; a typed number is that of an
    open table.
    """
    typed = arguments.get("table", "").strip()
    if is_game(typed):
        return await analyse(context, await context.service.table(typed))
    if typed:
        try:
            listing = await listing_of(context, arguments, lambda _listing: True)
        except NoTable:
            raise Refused(Text("There is no table {n} here.", n=typed)) from None
        return await analyse(context, await context.service.table(listing.game))
    return await analyse(context, await last_table(context))


async def _progress_pages(context: Context, table: Table, job: AnalysisJob) -> AsyncGenerator[Page]:
    """Yields the progress of an analysis whenever it has grown, if messages are edited, then its result."""
    say, limits = context.say, context.platform.limits
    shown = -1
    while not job.is_over:
        if limits.edits and job.percent != shown:
            shown = job.percent
            yield progress_page(table, job, say, limits)
        await job.wait(context.service.clock, PROGRESS_EVERY)
    yield await _result_page(context, table, job)


async def _result_page(context: Context, table: Table, job: AnalysisJob) -> Page:
    """The page of an analysis that is finished or has failed."""
    whole = await context.service.whole(table.id)
    reader = table.seat_of(context.person.id)
    return await finished_page(whole, job, reader, context.say, context.platform.limits)
