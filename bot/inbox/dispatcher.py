"""The dispatcher: finds the sender of a delivery, calls its handler, and returns the reply to the sender.

Other people learn of a change by what the outbox sends. A refused delivery changes nothing at a table, except
that its sender no longer counts as away.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from bot.errors import origin
from bot.i18n import Speech
from bot.inbox import buttons
from bot.inbox.allowances import Allowances, Rates, sender_of
from bot.inbox.commands.autocomplete import complete
from bot.inbox.commands.run_command import run_command
from bot.inbox.context import Context, Progress, Refusal
from bot.inbox.handlers.arriving import arrive, depart
from bot.inbox.lines import LineReader
from bot.inbox.moves.menus import Menus
from bot.inbox.pending_confirmations import PendingConfirmations
from bot.inbox.too_many import too_many_page
from bot.measures import moment
from bot.model.ids import PUBLIC, GameId, PersonId
from bot.model.people import Account
from bot.model.places import Place
from bot.model.tables import Refused
from bot.outbox.followed import Followed
from bot.outbox.panels import Panels
from bot.outbox.records.drafts import Drafts
from bot.pages.callback_data import CallbackData
from bot.people import People
from bot.ports import NO_GAME, Caller, Page, Platforms, Reply, Suggestion
from bot.recent import Recent
from bot.replays.films import Films
from bot.seldom_log import SeldomLog
from bot.storage import Store, StoreError, Uncertain
from bot.table_service.analysis_jobs import Analyses
from bot.table_service.bounds import TooManyTables
from bot.table_service.commits import Repeated
from bot.table_service.forgetting import Forgetter
from bot.table_service.hints import Hints
from bot.table_service.service import TableService
from bot.tables.lobby import cutting_seat
from bot.thinking.thinker import InlineThinker
from bot.times.delivery_deadline import answering
from engines.game import IllegalMove, Text
from engines.values import replace

log = logging.getLogger(__name__)

_SORRY = Text("Sorry, something went wrong. Look at the table, and try again if nothing has changed.")
_NOT_DONE = Text("That wasn't done: I can't save anything at the moment. Try again in a little while.")
_DONE = Text("That was done, but I couldn't finish my answer. Look at the table.")
_UNSURE = Text("I'm not sure whether that was done. Look at the table before you try again.")
_TOO_FAST = Text("You're going too fast for me. Try again in a few seconds.")
_PLACES_KEPT = 1000
"""How many people are remembered at most with the place in which they last asked for a leaderboard."""
_NOTICE_LENGTH = 900
"""The most characters of a notice; a refusal may repeat a long text that its sender typed."""


class Dispatcher:
    """Receives all deliveries from the adapters, and returns the replies to their senders."""

    def __init__(
        self,
        store: Store,
        service: TableService,
        people: People,
        panels: Panels,
        drafts: Drafts,
        platforms: Platforms,
        allowances: Allowances | None = None,
        hints: Hints | None = None,
        analyses: Analyses | None = None,
        followed: Followed | None = None,
        forgetter: Forgetter | None = None,
    ) -> None:
        self._store = store
        self.service = service
        self.people = people
        self.panels = panels
        self.drafts = drafts
        self.platforms = platforms
        self._allowances = allowances or Allowances()
        self._rates = Rates(self._allowances, service.clock)
        self._floods = SeldomLog(service.clock, log, logging.WARNING)
        self._failures = SeldomLog(service.clock, log, logging.INFO)
        self._confirmations = PendingConfirmations()
        self._leaderboard_places: Recent[PersonId, Place] = Recent(_PLACES_KEPT)
        self._menus = Menus(service.clock)
        self._lines = LineReader(self._menus)
        self._hints = hints or Hints(InlineThinker())
        self._analyses = analyses or Analyses(store, service, InlineThinker())
        self._films = Films(service)
        self._followed = followed or Followed(people, platforms, service.clock)
        self._forgetter = forgetter or Forgetter(store, service)
        panels.messages.listen(self._on_sent)

    async def press(
        self, caller: Caller, data: str, delivery: str, *, replaceable: bool = False, answer: str = ""
    ) -> Reply:
        """Answers a press on a button.

        ``replaceable`` means that the reply may replace the pressed page, which the sender alone sees.
        ``answer`` holds the words that the sender typed if the button `asks` for words.
        """
        # No button has longer data, so it is forged; it is not cut: its beginning could mean another action.
        data = data if len(data) <= self._allowances.text else ""
        words = self._allowances.read(answer)
        return await self._measured(
            "press",
            caller,
            delivery,
            lambda context: self._pressed(context, data, words),
            replaceable=replaceable,
        )

    async def command(self, caller: Caller, name: str, arguments: Mapping[str, str], delivery: str) -> Reply:
        """Answers a command; ``arguments`` are keyed by the English names of its parameters."""
        called, given = self._allowances.read(name), self._read_arguments(arguments)
        return await self._measured(
            "command", caller, delivery, lambda context: run_command(context, called, given)
        )

    async def line(self, caller: Caller, text: str, delivery: str) -> Reply:
        """Answers a typed line: a number or label of the keys offered last, a command, a move, a cut.

        A line from a public place is about the keys offered there; any other, about those that only its
        sender was offered. A command may have the `Limits.sign` before it, and must have it where the
        line could be a move, or where the sender was asked for words.
        """
        words = self._allowances.read(text)
        return await self._measured(
            "line", caller, delivery, lambda context: self._lines.read(context, words)
        )

    async def arrive(self, caller: Caller, delivery: str) -> Reply:
        """Answers a person who has opened the private chat."""
        return await self._measured("arrival", caller, delivery, arrive)

    async def depart(self, caller: Caller) -> None:
        """Removes a person who has left a chat from the tables of the chat, as `arriving.depart` does.

        Raises `StoreError`, since nobody waits for a reply; the adapter may then call it again.
        """
        self.service.measures.deliveries[caller.place.platform, "departure"] += 1
        if await self.people.account(caller.place.platform, caller.user):
            await depart(await self._context(caller, ""))

    async def complete(
        self, caller: Caller, name: str, parameter: str, begun: str, arguments: Mapping[str, str]
    ) -> Sequence[Suggestion]:
        """Suggestions for a parameter of a command that is being typed.

        Empty after an error, and for a sender who asks too often.
        """
        if not self._rates.suggestions.take(sender_of(caller)):
            return ()
        words, given = self._allowances.read(begun), self._read_arguments(arguments)
        try:
            return await complete(await self._context(caller, ""), name, parameter, words, given)
        except (Refused, IllegalMove):
            return ()
        except Exception as error:
            log.error("autocomplete failed on %s: %s", caller.place.platform, origin(error))
            return ()

    async def asks(self, caller: Caller, data: str) -> str:
        """The question that the sender must answer before the press is sent; empty if there is none.

        A button that is outdated or not for the sender asks nothing.
        """
        callback = CallbackData.parse(data)
        if callback is None or not buttons.asks_for_words(data):
            return ""
        try:
            context = await self._context(caller, "")
            cutting_seat(await self.service.table(callback.game), context.person.id)
        except (Refused, StoreError):
            # The press that follows will report why.
            return ""
        return context.say(buttons.CUT_QUESTION)

    async def shows_table(self, data: str, message: str) -> bool:
        """Whether a button's message is a panel of its table, which no reply may replace."""
        callback = CallbackData.parse(data)
        try:
            panels = await self._store.panels(callback.game) if callback else ()
        except StoreError:
            # Assumed, so that no panel is replaced by mistake.
            return True
        return any(panel.message == message for panel in panels)

    def count_message(self, place: Place) -> None:
        """Counts a message that a person has written in a place, whether to the bot or not.

        A public panel below which many were written is posted again at the bottom when it changes.
        """
        self.panels.public.count_message(place)

    async def show_ephemeral(self, caller: Caller, table: GameId, message: str) -> bool:
        """Shows the sender's page of a table, that of `Reply.hand_table`, in an ephemeral message.

        The page is a panel from then on: it is edited when the table changes. False if that fails, or if the
        table cannot be read.
        """
        try:
            person = await self.people.person_of(caller)
            return await self.panels.requests.show_ephemeral(
                await self.service.table(table), person.id, message
            )
        except (Refused, StoreError):
            return False

    async def refresh(self, data: str) -> None:
        """Sends the public panel of a button's table again, after a press that can no longer be answered.

        Does nothing if the table is unknown, damaged or kept by a newer version, or if the store fails.
        """
        callback = CallbackData.parse(data)
        if callback and callback.game != NO_GAME:
            with suppress(Refused, StoreError):
                await self.panels.requests.resend(await self.service.table(callback.game), PUBLIC)

    async def chat_moved(self, platform: str, chat: str, new: str) -> None:
        """Moves the tables and settings of a chat whose platform has given it another id.

        Raises `StoreError`, as `depart` does.
        """
        await self.service.move_chat(platform, chat, new)
        self.people.forget_rooms()

    async def pass_gate(self, gate: str, seconds: float) -> None:
        """Waits until a gate is open, passes it and closes it for some seconds. Raises `StoreError`."""
        clock = self.service.clock
        while wait := await self._store.pass_gate(gate, clock.now(), seconds):
            await clock.sleep(wait)

    async def _pressed(self, context: Context, data: str, words: str) -> Reply:
        """Answers a press; notes that the sender sees a panel that they press in the private chat."""
        if context.caller.private and (callback := CallbackData.parse(data)):
            self.panels.private_chats.see((callback.game, context.person.id))
        return await buttons.press(context, data, words)

    async def _measured(
        self,
        kind: str,
        caller: Caller,
        delivery: str,
        handler: Callable[[Context], Awaitable[Reply]],
        *,
        replaceable: bool = False,
    ) -> Reply:
        """As `_handled`; counts and times the delivery, and refuses that of a sender who goes too fast."""
        measures, began = self.service.measures, moment()
        measures.deliveries[caller.place.platform, kind] += 1
        if not self._rates.presses.take(sender_of(caller)):
            return self._too_fast(caller)
        try:
            with answering() as deadline:
                return await self._handled(
                    caller, delivery, handler, Progress(deadline), replaceable=replaceable
                )
        finally:
            measures.answers.since(began)

    async def _handled(
        self,
        caller: Caller,
        delivery: str,
        handler: Callable[[Context], Awaitable[Reply]],
        progress: Progress,
        *,
        replaceable: bool = False,
    ) -> Reply:
        """The reply of a handler; after an exception, its reason or an apology.

        After an error of the store, it says whether the delivery was carried out. Empty for a delivery that
        was carried out before.
        """
        context = None
        try:
            context = await self._context(caller, delivery, replaceable=replaceable, progress=progress)
            reply = await handler(context)
            self._remember_keys(context, reply)
        except Refusal as refusal:
            self._count(caller, "refused")
            reply = Reply(refusal.words, public=refusal.public)
        except (Refused, IllegalMove) as refused:
            if await progress.is_stored(self._store, delivery):
                self._count(caller, "repeated")
                return Reply()
            self._count(caller, "refused")
            say = self._speech(caller, context)
            reply = Reply(say(refused.reason), public=isinstance(refused, Refused))
            if context and isinstance(refused, TooManyTables):
                reply = replace(reply, page=too_many_page(context, refused))
                self._remember_keys(context, reply)
        except Repeated:
            self._count(caller, "repeated")
            return Reply()
        except StoreError as error:
            # The store itself logs why it fails, once.
            platform = caller.place.platform
            self._failures.log(f"the store failed during a delivery on {platform}: {origin(error)}")
            self._count(caller, "failed")
            what = await self._what_was_done(error, delivery, progress)
            return Reply(self._speech(caller, context)(what), public=True)
        except Exception as error:
            # The error's message may name hidden cards, so that only its origin is logged.
            log.error("the bot could not answer a delivery on %s: %s", caller.place.platform, origin(error))
            self._count(caller, "failed")
            return Reply(self._speech(caller, context)(_SORRY))
        return _shortened(reply)

    def _speech(self, caller: Caller, context: Context | None) -> Speech:
        """The speech of a sender; without a context, the one that is known without asking the store."""
        return context.say if context else self.people.known_speech(caller)

    def _remember_keys(self, context: Context, reply: Reply) -> None:
        """Remembers the keys of a reply's page, whose numbers and labels its receiver can type."""
        if reply.page:
            caller = context.caller
            account = Account(caller.place.platform, caller.user, context.person.id)
            self._menus.show(account, reply.page, caller.place if reply.here and not caller.private else None)

    async def _what_was_done(self, error: StoreError, delivery: str, progress: Progress) -> Text:
        """The sentence that says whether a delivery was carried out, after an error of the store."""
        if progress.committed:
            return _DONE
        if not isinstance(error, Uncertain):
            return _NOT_DONE
        # A commit that is not stored yet may still be on its way to the database.
        return _DONE if await progress.is_stored(self._store, delivery) else _UNSURE

    def _count(self, caller: Caller, outcome: str) -> None:
        """Counts the outcome of a delivery."""
        self.service.measures.outcomes[caller.place.platform, outcome] += 1

    def _too_fast(self, caller: Caller) -> Reply:
        """The reply to a sender who goes too fast; empty if they were just told. Asks no store."""
        self._count(caller, "limited")
        self._floods.log(f"a sender on {caller.place.platform} goes too fast and is not heard")
        if not self._rates.presses.should_tell(sender_of(caller)):
            return Reply()
        return Reply(self.people.known_speech(caller)(_TOO_FAST), quiet=True)

    def _read_arguments(self, arguments: Mapping[str, str]) -> Mapping[str, str]:
        """The arguments of a command, each as `Allowances.read` reads typed words."""
        return {name: self._allowances.read(words) for name, words in arguments.items()}

    def _on_sent(self, to: Account | Place, page: Page) -> None:
        """Remembers the keys of a page that was sent, if its readers can type them."""
        if isinstance(to, Account) or self.platforms[to.platform].limits.typed:
            self._menus.show(to, page)

    async def _context(
        self, caller: Caller, delivery: str, *, replaceable: bool = False, progress: Progress | None = None
    ) -> Context:
        if len(caller.name) > self._allowances.text:
            caller = replace(caller, name=self._allowances.read(caller.name))
        person, say = await self.people.sender(caller)
        platform = self.platforms[caller.place.platform]
        if not caller.cannot_post:
            await self.panels.admit(caller.place)
        return Context(
            self._store,
            self.service,
            self.people,
            self.panels,
            self.drafts,
            self._hints,
            self._analyses,
            self._forgetter,
            self._films,
            self._followed,
            platform,
            caller,
            person,
            say,
            delivery,
            replaceable,
            self._rates,
            progress or Progress(),
            self._confirmations,
            self._leaderboard_places,
        )


def _shortened(reply: Reply) -> Reply:
    """The reply with a notice of at most `_NOTICE_LENGTH` characters; a longer one is cut."""
    if len(reply.notice) <= _NOTICE_LENGTH:
        return reply
    return replace(reply, notice=reply.notice[: _NOTICE_LENGTH - 1] + "…")
