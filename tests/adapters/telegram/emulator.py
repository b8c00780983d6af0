"""A Bot API on the loopback; stricter than the package that it extends, it parses markup too."""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from lo_bot_api_emulator import ApiRefusal, LoBotApiEmulator, updates
from lo_bot_api_emulator.updates import UpdateError, UpdateQueues

from bot.model.places import Place
from tests.adapters.telegram.ephemeral_rules import EphemeralRules
from tests.support.records import EVERYBODY_HERE, Button, Rows, Sent, Wire
from tests.support.waiting import Waiting

BOT_ID = 4242
TOKEN = f"{BOT_ID}:planted-token"
BOT = "sobremesa_bot"

_UNKNOWN_PARAMETERS = {"message_thread_id", "link_preview_options", "ephemeral_message_parameters"}
"""Parameters of the Bot API that the package does not know."""
_LINK = rf"tg://user\?id=[0-9]+|https://t\.me/{BOT}\?[^\"<>]+|https://t\.me/c/[0-9]+/[0-9]+"
_TAG = re.compile(
    rf"<(/?)(b|pre|a|tg-time|blockquote)"
    rf"((?: href=\"(?:{_LINK})\"| unix=\"[0-9]+\" format=\"r\"| expandable)?)>"
)
_HREF = re.compile(r'href="([^"]+)"')
_REACTIONS = ("👍", "👌", "🎉", "👀")
"""The reactions that the emulator accepts, some of those that Telegram lets bots set."""
_ENTITY = re.compile(r"&(?!lt;|gt;|amp;|quot;)")

updates.KINDS.update(("my_chat_member", "chat_member"))


@dataclass(slots=True)
class Shown:
    """A message that the bot has sent."""

    chat: int
    id: int
    thread: str
    html: str
    plain: str
    rows: Rows = ()
    alive: bool = True
    """Whether it has not been deleted."""
    answers: int = 0
    """The id of the message to which it is a reply; 0 for none."""
    asks: bool = False
    """Whether the message asks for a reply (force_reply)."""

    @property
    def links(self) -> list[str]:
        """The URLs of the links in the text."""
        return [html.unescape(one) for one in _HREF.findall(self.html)]

    @property
    def buttons(self) -> list[Button]:
        return [button for row in self.rows for button in row]

    def button(self, label: str) -> Button:
        """The first button whose label contains the words."""
        return next(button for button in self.buttons if label in button.label)


@dataclass(frozen=True, slots=True)
class Call:
    """A request that the bot has made; `at` is in the clock's seconds."""

    at: float
    method: str
    chat: int
    fields: Mapping[str, Any]


Fault = Callable[[str, Mapping[str, Any]], ApiRefusal | None]
"""Takes a request's method and fields; returns the refusal to answer with, or None."""


@dataclass(slots=True)
class Book:
    """The emulator's own state, beside that of the package."""

    wire: Wire = lambda sent: None
    """Called with each text that the bot sends; an AssertionError that it raises is a broken rule."""
    now: Callable[[], float] = lambda: 0.0
    calls: list[Call] = field(default_factory=list)
    """Requests; getUpdates, getMe, setWebhook and deleteWebhook only where a fault has refused them."""
    polls: list[Mapping[str, Any]] = field(default_factory=list)
    """The fields of each getUpdates request but those that a fault or `wrong` has answered."""
    messages: dict[tuple[int, int], Shown] = field(default_factory=dict)
    opened: set[int] = field(default_factory=set)
    """Users who have opened the private chat with the bot."""
    admins: dict[int, list[int]] = field(default_factory=dict)
    """The users who administrate each chat."""
    moved: dict[int, int] = field(default_factory=dict)
    """The new chat id of each group that has become a supergroup, by old id."""
    queries: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Unanswered presses by query id: the user and the callback_data."""
    answers: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    """Answers to presses: the user, and the fields of answerCallbackQuery."""
    heard: dict[int, str] = field(default_factory=dict)
    """The last text or callback_data that each user has sent."""
    faults: list[Fault] = field(default_factory=list)
    """Faults to come; each is dropped once it has refused a request."""
    menus: dict[tuple[str, str], list[dict[str, str]]] = field(default_factory=dict)
    """The commands of each menu, by scope and language."""
    reactions: list[tuple[int, int, str]] = field(default_factory=list)
    """Reactions that the bot has set: chat, message id and emoji."""
    allows_reactions: bool = True
    """Whether groups allow reactions."""
    documents: list[tuple[int, str, bytes]] = field(default_factory=list)
    """Files that the bot has sent: chat, name and content."""
    broken: list[str] = field(default_factory=list)
    """Rules that the bot has broken, recorded here because it may ignore a refusal."""
    unanswered: int = 0
    """The number of requests in progress, getUpdates excluded."""
    wrong: list[Any] = field(default_factory=list)
    """What the next getUpdates return in place of updates, one after another."""
    raw: str = ""
    """The fields and files of the request that is being validated, as text."""


class Emulator(LoBotApiEmulator):  # type: ignore[misc]
    """The Bot API for one bot; records its requests and checks them against Telegram's rules."""

    def __init__(self) -> None:
        super().__init__(allow_insecure_loopback_webhooks=True, max_updates=100_000, max_assets=1000)
        self._update_queues = _Queues(record=self._record, max_updates=100_000, insecure_webhooks=True)
        self.book = Book()
        self.knows_tags = True
        """Whether the server knows the tags `tg-time`, which came with Bot API 9.5, and `blockquote`."""
        self.knows_buttons = True
        """Whether the server knows buttons that have a style or copy a text."""
        self.ephemeral = EphemeralRules()

    @property
    def fetched(self) -> bool:
        """Whether the bot has fetched every update; it may still handle some, and confirms them later."""
        left = self._update_queues._state(TOKEN).updates
        return all(update["update_id"] in self._update_queues.sent for update in left)

    async def send_again(self, update: dict[str, Any]) -> None:
        """Sends once more, with the same number, an update that the bot has handled."""
        queues = self._update_queues
        queues.sent.discard(update["update_id"])
        state = queues._state(TOKEN)
        async with state.condition:
            state.updates.append(update)
            state.condition.notify_all()

    async def handle(self, request: web.Request) -> web.Response:
        counts = request.match_info["method"] != "getUpdates"
        if not counts and self.book.wrong:
            return web.json_response({"ok": True, "result": self.book.wrong.pop(0)})
        self.book.unanswered += counts
        try:
            answer: web.Response = await super().handle(request)
            return answer
        finally:
            self.book.unanswered -= counts

    async def read_request(self, request: web.Request) -> tuple[dict[str, Any], dict[str, Any]]:
        given, uploads = await super().read_request(request)
        # The server keeps a value that is no text as its JSON.
        fields = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()
        }
        self.book.raw = "\n".join(map(str, fields.values()))
        if uploads:
            parts = (upload["data"].decode(errors="replace") for upload in uploads.values())
            self.book.raw = "\n".join((*map(str, fields.values()), *parts))
        return fields, uploads

    def validate(self, method: str, fields: dict[str, Any], uploads: dict[str, Any]) -> Any:
        book = self.book
        for fault in book.faults:
            if refusal := fault(method, fields):
                book.faults.remove(fault)
                book.calls.append(Call(book.now(), method, int(fields.get("chat_id", 0)), dict(fields)))
                raise refusal
        if method == "getUpdates":
            book.polls.append(dict(fields))
        if method in ("getUpdates", "getMe", "setWebhook", "deleteWebhook"):
            me = super().validate(method, fields, uploads)
            return {**me, "username": BOT, "id": BOT_ID} if method == "getMe" else me
        chat = int(fields.get("chat_id", 0))
        book.calls.append(Call(book.now(), method, chat, dict(fields)))
        match method:
            case "getChatAdministrators":
                return [
                    {"status": "creator", "user": _user(admin), "is_anonymous": False}
                    for admin in book.admins.get(chat, ())
                ]
            case "setMyCommands":
                return self._menu(fields, uploads)
            case "answerCallbackQuery":
                return self._answered(fields, uploads)
            case "setMessageReaction":
                return self._reaction_set(fields, chat)
            case "deleteMessage":
                return self._deleted(fields, uploads, chat)
            case "editEphemeralMessageText":
                return self._ephemeral_edited(fields)
            case "deleteEphemeralMessage":
                return self.ephemeral.deleted(fields)
            case "sendMessage" if user := self.ephemeral.receiver(fields, chat, book.now()):
                return self._ephemeral_sent(fields, chat, user)
            case "sendMessage" | "editMessageText" | "sendDocument":
                return self._written(method, fields, uploads, chat)
        raise ApiRefusal(f"{method} was not expected", 501)

    def _menu(self, fields: dict[str, Any], uploads: dict[str, Any]) -> Any:
        for command in json.loads(fields["commands"]):
            self._rule(re.fullmatch("[a-z0-9_]{1,32}", command["command"]), f"a command {command}")
            self._rule(1 <= len(command["description"]) <= 256, f"a description {command}")
        scope = json.loads(fields["scope"])["type"]
        self.book.menus[scope, fields.get("language_code", "")] = json.loads(fields["commands"])
        return super().validate("setMyCommands", fields, uploads)

    def _answered(self, fields: dict[str, Any], uploads: dict[str, Any]) -> Any:
        query = self.book.queries.pop(fields["callback_query_id"], None)
        if query is None:
            raise ApiRefusal("Bad Request: query is too old and response timeout expired")
        text = fields.get("text", "")
        self._rule(len(text.encode("utf-16-le")) // 2 <= 200, f"an answer of {len(text)}")
        url = fields.get("url", "")
        self._rule(not url or url.startswith(f"https://t.me/{BOT}?start="), f"an answer opens {url}")
        self.book.answers.append((query[0], dict(fields)))
        self._report(Sent(self.book.now(), "answer", None, str(query[0]), self.book.raw, text, (), query[1]))
        return super().validate("answerCallbackQuery", fields, uploads)

    def _reaction_set(self, fields: dict[str, Any], chat: int) -> bool:
        self._check_chat(chat)
        if not self.book.allows_reactions:
            raise ApiRefusal("Bad Request: REACTION_INVALID")
        for reaction in json.loads(fields["reaction"]):
            self._rule(
                reaction["type"] == "emoji" and reaction["emoji"] in _REACTIONS, f"a reaction {reaction}"
            )
            self.book.reactions.append((chat, int(fields["message_id"]), reaction["emoji"]))
        return True

    def _deleted(self, fields: dict[str, Any], uploads: dict[str, Any], chat: int) -> Any:
        self._check_chat(chat)
        shown = self.book.messages.get((chat, int(fields["message_id"])))
        if shown is None or not shown.alive:
            raise ApiRefusal("Bad Request: message to delete not found")
        shown.alive = False
        return super().validate("deleteMessage", fields, uploads)

    def _written(self, method: str, fields: dict[str, Any], uploads: dict[str, Any], chat: int) -> Any:
        book = self.book
        self._check_chat(chat)
        thread = str(fields.get("message_thread_id", ""))
        self._rule(not thread or chat < 0, "a topic in a chat of one")
        markup = json.loads(fields.get("reply_markup", "{}"))
        if asks := markup.pop("force_reply", False):
            self._rule(
                1 <= len(markup.pop("input_field_placeholder", "–")) <= 64, "what an empty field shows"
            )
        rows = self._rows(markup)
        known = {key: value for key, value in fields.items() if key not in _UNKNOWN_PARAMETERS}
        if markup.get("inline_keyboard", markup):
            known["reply_markup"] = json.dumps(markup)
        else:
            known.pop("reply_markup", None)
        plain = self._plain(fields)
        shown = None
        if method == "editMessageText":
            shown = book.messages.get((chat, int(fields["message_id"])))
            if shown is None or not shown.alive:
                raise ApiRefusal("Bad Request: message to edit not found")
            if (shown.html, shown.rows) == (fields["text"], rows):
                raise ApiRefusal("Bad Request: message is not modified: specified new message content…")
            thread = shown.thread
        result = super().validate(method, known, uploads)
        result["chat"]["type"] = "private" if chat > 0 else "supergroup"
        if method == "sendDocument":
            book.documents += [(chat, upload["filename"], upload["data"]) for upload in uploads.values()]
            plain = "\n".join(upload["data"].decode() for upload in uploads.values())
        elif shown:
            shown.html, shown.plain, shown.rows = fields["text"], plain, rows
        else:
            to = json.loads(fields.get("reply_parameters", "{}")).get("message_id", 0)
            shown = Shown(
                chat, result["message_id"], thread, fields["text"], plain, rows, answers=to, asks=asks
            )
            book.messages[chat, shown.id] = shown
        place = None if chat > 0 else Place("telegram", str(chat), thread)
        user, heard = (str(chat), book.heard.get(chat, "")) if chat > 0 else (EVERYBODY_HERE, "")
        self._report(Sent(book.now(), method, place, user, book.raw, plain, rows, heard))
        return result

    def _ephemeral_sent(self, fields: dict[str, Any], chat: int, user: int) -> dict[str, Any]:
        self._check_chat(chat)
        plain, rows = self._plain(fields), self._rows(json.loads(fields.get("reply_markup", "{}")))
        thread = str(fields.get("message_thread_id", ""))
        self._report_private("sendMessage", user, plain, rows)
        return self.ephemeral.sent(chat, user, thread, fields["text"], plain, rows)

    def _ephemeral_edited(self, fields: dict[str, Any]) -> bool:
        self._check_chat(int(fields["chat_id"]))
        rows = self._rows(json.loads(fields.get("reply_markup", "{}")))
        whisper = self.ephemeral.edited(fields, lambda: self._plain(fields), rows)
        self._report_private("editEphemeralMessageText", whisper.user, whisper.plain, rows)
        return True

    def _report_private(self, how: str, user: int, plain: str, rows: Rows) -> None:
        heard = self.book.heard.get(user, "")
        self._report(Sent(self.book.now(), how, None, str(user), self.book.raw, plain, rows, heard))

    def _rows(self, markup: dict[str, Any]) -> Rows:
        """The markup's buttons; removes from it what the package does not know: styles, buttons that copy."""
        for row in markup.get("inline_keyboard", ()):
            for button in row:
                if not self.knows_buttons and button.keys() & {"style", "copy_text"}:
                    raise ApiRefusal("Bad Request: can't parse inline keyboard button: unknown kind")
                style = button.pop("style", None)
                self._rule(style in (None, "primary", "success", "danger"), f"a style {style}")
                self._rule(button["text"].strip(), "a button without words")
                copied = button.get("copy_text", {"text": "–"})["text"]
                self._rule(1 <= len(copied) <= 256, f"a button copies {len(copied)} characters")
        rows = tuple(tuple(map(_button, row)) for row in markup.get("inline_keyboard", ()))
        if rows:
            # The package knows no buttons that copy.
            known = ([one for one in row if "copy_text" not in one] for row in markup["inline_keyboard"])
            markup["inline_keyboard"] = [row for row in known if row]
        return rows

    def _plain(self, fields: Mapping[str, Any]) -> str:
        """The text as people read it; checks that its HTML is complete and escaped."""
        text = fields.get("text", "")
        if not text:
            return ""
        self._rule(fields.get("parse_mode") == "HTML", "a text that is no HTML")
        for tag in ("tg-time", "blockquote") if not self.knows_tags else ():
            if f"<{tag}" in text:
                raise ApiRefusal(
                    f'Bad Request: can\'t parse entities: Unsupported start tag "{tag}" at byte offset 0'
                )
        within: list[str] = []
        for closing, tag, _ in _TAG.findall(text):
            if closing:
                self._rule(within and within.pop() == tag, f"</{tag}> closes nothing: {text}")
            else:
                self._rule("pre" not in within, f"<{tag}> within <pre>: {text}")
                within.append(tag)
        bare = _TAG.sub("", text)
        self._rule(not within, f"{within} left open: {text}")
        self._rule(not re.search("[<>]", bare) and not _ENTITY.search(bare), f"not escaped: {text}")
        return html.unescape(bare)

    def _check_chat(self, chat: int) -> None:
        """Refuses a request to a chat that has moved, or to a user who has not opened the private chat."""
        if chat in self.book.moved:
            raise ApiRefusal(
                "Bad Request: group chat was upgraded to a supergroup chat",
                400,
                {"migrate_to_chat_id": self.book.moved[chat]},
            )
        if chat > 0 and chat not in self.book.opened:
            raise ApiRefusal("Forbidden: bot can't initiate conversation with a user", 403)

    def _rule(self, kept: object, broken: str) -> None:
        """Notes a broken rule and refuses the request, unless ``kept`` is true."""
        if not kept:
            self.book.broken.append(broken)
            raise ApiRefusal(f"Bad Request: {broken}")

    def _report(self, sent: Sent) -> None:
        try:
            self.book.wire(sent)
        except AssertionError as error:
            self.book.broken.append(str(error))


class _Queues(UpdateQueues):  # type: ignore[misc]
    """Update queues as Telegram's: a new getUpdates ends the one before with 409 Conflict."""

    asked = 0

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.sent: set[int] = set()
        """The numbers of the updates that a getUpdates has returned."""

    async def poll(
        self, token: str, fields: dict[str, Any], *, disconnected: Callable[[], bool] = lambda: False
    ) -> Any:
        self.asked += 1
        mine, state = self.asked, self._state(token)
        waiting = Waiting("the getUpdates before this one to end")
        while state.polling:
            waiting.check()
            async with state.condition:
                state.condition.notify_all()
            await asyncio.sleep(0)
        try:
            found = await super().poll(
                token, fields, disconnected=lambda: mine != self.asked or disconnected()
            )
            self.sent.update(update["update_id"] for update in found)
            return found
        except asyncio.CancelledError:
            if mine == self.asked:
                raise
            raise UpdateError(
                "Conflict: terminated by other getUpdates request; "
                "make sure that only one bot instance is running",
                409,
            ) from None


def refusing(method: str, description: str, status: int = 400, **parameters: object) -> Fault:
    """A fault that refuses the next request of this method."""

    def fault(asked: str, fields: Mapping[str, Any]) -> ApiRefusal | None:
        return ApiRefusal(description, status, parameters or None) if asked == method else None

    return fault


def _button(one: Mapping[str, Any]) -> Button:
    copied = one.get("copy_text", {}).get("text", "")
    return Button(one["text"], one.get("callback_data", ""), one.get("url", ""), copied)


def _user(number: int) -> dict[str, Any]:
    return {"id": number, "is_bot": False, "first_name": "–"}
