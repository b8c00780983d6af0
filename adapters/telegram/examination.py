"""Examines the token, the clock, the bot's settings, its webhook and its rights in groups, for the host."""

from __future__ import annotations

import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from telegram import Bot, ChatFullInfo, ChatMember, ChatMemberAdministrator, ChatMemberRestricted, WebhookInfo
from telegram.constants import SUPPORTED_WEBHOOK_PORTS, ChatMemberStatus, ChatType
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, TelegramError, TimedOut

from adapters.shared.finding import (
    Finding,
    clock_finding,
    faulty,
    ok,
    permission_finding,
    place_unknown,
    port_finding,
    problem,
    token_accepted,
    token_refused,
    unreachable,
    warning,
)
from adapters.shared.network.failures import OFFLINE, clock_ahead_of, failure_text
from adapters.telegram.failures import NAME, NOT_A_TOKEN, SETTING
from adapters.telegram.platform import TOKEN, Options
from adapters.telegram.transport import AioRequest, Sending
from adapters.telegram.webhook import Webhook
from bot.file_errors import quoted
from engines.game import Text

_RECENT_SECONDS = 3600.0
"""The seconds after a failed delivery for which the webhook counts as faulty."""
_OUTSIDE = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
"""The statuses of a bot that is not in a group."""


async def examine(token: str, options: Options, places: Sequence[str]) -> Sequence[Finding]:
    """Examines the bot of a token, and these groups; fetches no updates."""
    if not TOKEN.fullmatch(token := token.strip()):
        return [problem(NOT_A_TOKEN)]
    api = options.api_url.rstrip("/")
    bot = Bot(token, f"{api}/bot", f"{api}/file/bot", request=Sending(), get_updates_request=AioRequest(1))
    findings = list[Finding]()
    try:
        await bot.initialize()
        findings.append(token_accepted(NAME, f"@{bot.username}"))
        if (ahead := await clock_ahead_of(api)) is not None:
            findings.append(clock_finding(ahead, NAME))
        findings += _examine_settings(bot)
        findings += _examine_webhook(await bot.get_webhook_info(), options.webhook)
        for place in places:
            findings += await _examine_chat(bot, place)
    except InvalidToken:
        findings.append(token_refused(NAME, SETTING))
    except TelegramError as error:
        findings.append(_failure(error))
    finally:
        await bot.shutdown()
    return findings


def _failure(error: TelegramError) -> Finding:
    name = type(error).__name__ if isinstance(error, TimedOut) else error.message
    if known := failure_text(name):
        return unreachable(NAME, known)
    # The words of the library or of the Bot API, which hold no address.
    return faulty(NAME, quoted(name.removeprefix(OFFLINE)))


def _examine_settings(bot: Bot) -> Sequence[Finding]:
    me = bot.bot
    joins = ok(Text("The bot can be added to groups."))
    if not me.can_join_groups:
        joins = problem(Text("The bot can't be added to groups. Allow it with /setjoingroups at @BotFather."))
    privacy = ok(Text("Group privacy is on: the bot hears only commands and replies."))
    if me.can_read_all_group_messages:
        privacy = warning(
            Text(
                "Group privacy is off: the bot receives everything that people write, and needs none of it. "
                "Turn it on with /setprivacy at @BotFather."
            )
        )
    return [joins, privacy]


def _examine_webhook(info: WebhookInfo, webhook: Webhook | None) -> Sequence[Finding]:
    waiting = info.pending_update_count
    if webhook is None:
        if info.url:
            return [
                warning(
                    Text(
                        "{platform} still has a web hook. The next start removes it and fetches updates.",
                        platform=NAME,
                    )
                )
            ]
        return [ok(Text("The bot fetches its updates. Waiting: {waiting}.", waiting=waiting))]
    findings = [port_finding(webhook.host, webhook.port), _examine_address(webhook.url)]
    if info.url != webhook.url:
        findings.append(
            warning(Text("The web hook isn't set at {platform} yet. The next start sets it.", platform=NAME))
        )
    elif info.last_error_date and time.time() - info.last_error_date.timestamp() < _RECENT_SECONDS:
        findings.append(
            problem(
                Text(
                    "{platform} can't deliver to the web hook ({reason}). Check your proxy and its "
                    "certificate. Waiting: {waiting}.",
                    platform=NAME,
                    reason=quoted(info.last_error_message or "?"),
                    waiting=waiting,
                )
            )
        )
    else:
        findings.append(ok(Text("Updates come by the web hook. Waiting: {waiting}.", waiting=waiting)))
    return findings


def _examine_address(url: str) -> Finding:
    """Judges whether the address of a webhook is one that Telegram accepts."""
    try:
        parts = urlsplit(url)
        fits = (
            parts.scheme == "https"
            and bool(parts.hostname)
            and (parts.port or 443) in SUPPORTED_WEBHOOK_PORTS
        )
    except ValueError:
        fits = False
    if fits:
        return ok(Text("The web hook's address is one that {platform} accepts.", platform=NAME))
    return problem(
        Text(
            "{setting} must begin with https:// and have one of these ports: {ports}.",
            setting="TELEGRAM_WEBHOOK_URL",
            ports=", ".join(str(port) for port in sorted(SUPPORTED_WEBHOOK_PORTS)),
        )
    )


async def _examine_chat(bot: Bot, place: str) -> Sequence[Finding]:
    """Examines whether the bot is in a group, and may write there."""
    try:
        chat = await bot.get_chat(place)
        own = await bot.get_chat_member(chat.id, bot.id)
    except ChatMigrated as moved:
        return await _examine_chat(bot, str(moved.new_chat_id))
    except (BadRequest, Forbidden):
        return [place_unknown(place)]
    if own.status in _OUTSIDE or chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
        return [place_unknown(place)]
    return [permission_finding(Text("Send Messages"), chat.title or place, given=_may_write(chat, own))]


def _may_write(chat: ChatFullInfo, own: ChatMember) -> bool:
    if isinstance(own, ChatMemberAdministrator):
        return True
    if isinstance(own, ChatMemberRestricted):
        return own.can_send_messages
    return chat.permissions is None or bool(chat.permissions.can_send_messages)
