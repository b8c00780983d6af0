"""Receives updates by webhook: Telegram sends them to an HTTP server of the bot."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import logging
from collections.abc import AsyncIterator, Sequence
from functools import partial
from urllib.parse import unquote, urlsplit

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from telegram import Bot
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter

from adapters.shared.finding import token_refused
from adapters.shared.network.http_server import HttpServer
from adapters.shared.network.listener import open_listener
from adapters.shared.network.reconnect import NotReached, until_reached
from adapters.telegram.failures import NAME, SETTING
from adapters.telegram.polling import Handle
from adapters.telegram.received import Received, read
from bot.errors import origin
from bot.file_errors import quoted
from bot.ports import Clock, NotAdmitted
from bot.seldom_log import SeldomLog
from engines.game import Text
from engines.values import Value

log = logging.getLogger(__name__)

_HEADER = "X-Telegram-Bot-Api-Secret-Token"
"""The header in which Telegram sends the secret."""
_MOST_BODY_BYTES = 1_000_000
"""The most bytes of a request's body that are kept; an update is far smaller."""
_BODY_TIMEOUT = 5.0
"""Seconds that the body of a request may take to arrive."""
_MOST_AT_ONCE = 100
"""The most requests that are handled at the same time, and that Telegram sends at the same time."""
_RETRY_AFTER = "1"
"""Seconds after which a request that came when there were too many should be sent again."""
_CLOSE = {"Connection": "close"}
"""Makes the server close the connection instead of reading the rest of the request."""


class Webhook(Value):
    """The public address of the webhook, and the host and port where the server listens behind a proxy.

    The address begins with http or https and names a host.
    """

    url: str
    host: str = "127.0.0.1"
    port: int = 8080


@contextlib.asynccontextmanager
async def listening(
    bot: Bot, clock: Clock, webhook: Webhook, kinds: Sequence[str], handle: Handle
) -> AsyncIterator[asyncio.Task[None]]:
    """Serves the webhook during the block; handles updates of these ``kinds``.

    Yields the server's task. Telegram keeps the updates that come after the block for a day. Any number
    of processes may serve the same address behind a balancer: each sets the same webhook, and none
    deletes it. Raises `NotAdmitted` if nothing can listen at the port, or Telegram rejects the address or
    the token.
    """
    secret = secret_of(bot.token)
    endpoint = _Endpoint(bot, clock, secret, handle)
    # The server decodes the paths of requests too.
    path = unquote(urlsplit(webhook.url).path) or "/"
    app = Starlette(routes=[Route(path, endpoint.receive, methods=["POST"])])
    listener = open_listener(webhook.host, webhook.port, "TELEGRAM_WEBHOOK_PORT")
    server = HttpServer(app)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await until_reached(NAME, partial(_set_webhook, bot, webhook.url, secret, kinds), clock)
        yield serving
    finally:
        server.should_exit = True
        await serving


def secret_of(token: str) -> str:
    """The secret that Telegram sends with each request, a digest of the token that does not reveal it."""
    return hmac.new(token.encode(), b"sobremesa webhook", hashlib.sha256).hexdigest()


async def _set_webhook(bot: Bot, url: str, secret: str, kinds: Sequence[str]) -> None:
    """Sets the webhook.

    Raises `NotReached` if Telegram cannot be reached or asks to wait, `NotAdmitted` if it refuses.
    """
    try:
        await bot.set_webhook(url, secret_token=secret, allowed_updates=kinds, max_connections=_MOST_AT_ONCE)
    except InvalidToken:
        raise NotAdmitted(token_refused(NAME, SETTING).text) from None
    except BadRequest as refused:
        raise NotAdmitted(
            Text(
                "{platform} doesn't accept {setting} ({reason}).",
                platform=NAME,
                setting="TELEGRAM_WEBHOOK_URL",
                reason=quoted(refused.message),
            )
        ) from None
    except (NetworkError, RetryAfter) as error:
        raise NotReached(f"its webhook is not set: {error.message}") from None


class _Endpoint:
    """Answers the requests to the webhook.

    An update is answered with 200 once it is handled. Any other answer makes Telegram send it again, so one
    that cannot be read, which Telegram would send for ever, is answered with 200 too.
    """

    def __init__(self, bot: Bot, clock: Clock, secret: str, handle: Handle) -> None:
        self._bot = bot
        self._secret = secret.encode()
        self._handle = handle
        self._handling = 0
        """The number of requests that are being handled."""
        self._strangers = SeldomLog(clock, log, logging.WARNING)
        self._unreadable = SeldomLog(clock, log, logging.ERROR)

    async def receive(self, request: Request) -> Response:
        """Answers a request; it is refused before its body is read unless it has Telegram's secret."""
        if not hmac.compare_digest(request.headers.get(_HEADER, "").encode(), self._secret):
            self._strangers.log("the webhook got a request without Telegram's secret")
            return Response(status_code=403, headers=_CLOSE)
        if self._handling >= _MOST_AT_ONCE:
            return Response(status_code=503, headers={**_CLOSE, "Retry-After": _RETRY_AFTER})
        self._handling += 1
        try:
            async with asyncio.timeout(_BODY_TIMEOUT):
                body = await _body_of(request)
        except (TimeoutError, ClientDisconnect):
            return Response(status_code=408, headers=_CLOSE)
        else:
            if update := self._parsed(body):
                await self._handle(update)
            return Response()
        finally:
            self._handling -= 1

    def _parsed(self, body: bytes | None) -> Received | None:
        """The update in a body; None if it cannot be read, which is logged without its content."""
        if body is None:
            self._unreadable.log(f"the webhook got an update of more than {_MOST_BODY_BYTES} bytes")
            return None
        try:
            return read(json.loads(body), self._bot)
        except Exception as error:
            # Text that nests too deep and numbers out of range raise errors of many types.
            self._unreadable.log(f"the webhook got an update that cannot be read: {origin(error)}")
            return None


async def _body_of(request: Request) -> bytes | None:
    """The body of a request; None if it is too large.

    A body that is too large is read to its end and dropped: Telegram reads the answer only after that.
    """
    body, size = bytearray(), 0
    async for part in request.stream():
        size += len(part)
        if size > _MOST_BODY_BYTES:
            body.clear()
        else:
            body += part
    return bytes(body) if size <= _MOST_BODY_BYTES else None
