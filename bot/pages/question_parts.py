"""The lines and keys on a table's pages that ask its players a question."""

from __future__ import annotations

from bot.i18n import safe_name
from bot.model.tables import Question
from bot.pages.composer import Composer
from bot.ports import Key
from bot.tables.questions import unanswered
from engines.game import Name, Seat, Text


def question_lines(composer: Composer) -> tuple[str, ...]:
    """The open question and the players who have not answered it; empty without one."""
    question, say = composer.table.question, composer.say
    if question is None:
        return ()
    missing = tuple(map(Name, unanswered(composer.table, question)))
    return say(_caption(question)), say(Text("Not answered yet: {who}.", who=missing))


def question_keys(composer: Composer, reader: Seat | None = None) -> tuple[Key, ...]:
    """The keys that answer the open question: for a player who must answer it, or on the public page.

    Each names the question, so that it never answers a later one.
    """
    question = composer.table.question
    if question is None or (reader is not None and reader not in unanswered(composer.table, question)):
        return ()
    n, say = str(question.n), composer.say
    return (
        composer.key("agree", n, say(Text("Agree")), "main"),
        composer.key("refuse", n, say(Text("No"))),
    )


def _caption(question: Question) -> Text:
    """The question as a sentence."""
    who = safe_name(question.name)
    match question.kind:
        case "sit":
            return Text("{who} would like to play in place of {seat}.", who=who, seat=Name(question.seat))
        case "undo":
            return Text("{who} would like to take back their last move, and all moves since.", who=who)
        case "end":
            return Text("{who} would like to end this game now.", who=who)
