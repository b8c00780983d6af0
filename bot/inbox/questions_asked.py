"""Handlers of questions among the players of a running game, and of their answers."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.model import Refused
from bot.ports import Reply
from bot.tables import questions
from bot.tables.table import Table
from engines.game import Text


async def answer(context: Context, table: Table, n: int, yes: bool) -> Reply:
    """Answers the question of an entry for the sender.

    A person who has taken too many seats since they asked for one is not let in.
    """
    question, person = table.question, context.person.id
    if yes and question and question.kind == "sit" and await context.service.seats.is_full(question.person):
        raise Refused(Text("{who} already plays at too many tables.", who=question.name))
    after = await context.change(table, lambda table: questions.vote(table, person, n, yes))
    return await context.shown(after, context.say(Text("Your answer counts.")))
