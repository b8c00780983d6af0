"""Receives updates by webhook: Telegram sends them to an HTTP server of the bot."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from socket import create_server
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from telegram import Bot, Update
from telegram.error import BadRequest, NetworkError, RetryAfter
from telegram.ext import Application

from adapters.telegram.transport import trimmed
from bot.ports import Clock, NotAdmitted

log = logging.getLogger(__name__)

_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_WAIT = 5.0
"""Seconds until the next try to set the webhook."""
_LARGEST = 1_000_000
"""The most bytes of a request's body that are accepted."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """The public address of the webhook, and the host and port where the server listens behind a proxy."""

    url: str
    host: str = "127.0.0.1"
    port: int = 8080


@contextlib.asynccontextmanager
async def listening(
    application: Application[Any, Any, Any, Any, Any, Any],
    clock: Clock,
    webhook: Webhook,
    kinds: Sequence[str],
) -> AsyncIterator[asyncio.Task[None]]:
    """Serves the webhook during the block; puts updates of these ``kinds`` into the application's queue.

    Yields the server's task. Telegram keeps the updates that come after the block for a day. Raises
    `NotAdmitted` if the port is taken or Telegram rejects the address.
    """
    secret = secret_of(application.bot.token)

    async def receive(request: Request) -> Response:
        if not hmac.compare_digest(request.headers.get(_HEADER, "").encode(), secret.encode()):
            return Response(status_code=403)
        if int(request.headers.get("content-length", "0")) > _LARGEST:
            return Response(status_code=413)
        try:
            update = Update.de_json(trimmed(json.loads(await request.body())), application.bot)
        except (ValueError, TypeError, KeyError, AttributeError):
            return Response(status_code=400)
        await application.update_queue.put(update)
        return Response()

    app = Starlette(routes=[Route(urlsplit(webhook.url).path or "/", receive, methods=["POST"])])
    server = _Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
    # Uvicorn would exit the program if the port is taken, so the socket is opened here.
    try:
        listener = create_server((webhook.host, webhook.port))
    except OSError as taken:
        reason = f"Nothing can listen at {webhook.host}, port {webhook.port}: {taken.strerror}"
        raise NotAdmitted(reason) from None
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not await _is_set(application.bot, webhook.url, secret, kinds):
            await clock.sleep(_WAIT)
        yield serving
    finally:
        server.should_exit = True
        await serving


def secret_of(token: str) -> str:
    """The secret that Telegram sends with each request, a digest of the token that does not reveal it."""
    return hmac.new(token.encode(), b"sobremesa webhook", hashlib.sha256).hexdigest()


async def _is_set(bot: Bot, url: str, secret: str, kinds: Sequence[str]) -> bool:
    """Sets the webhook; False if Telegram cannot be reached. Raises `NotAdmitted`."""
    try:
        await bot.set_webhook(url, secret_token=secret, allowed_updates=kinds)
    except BadRequest as refused:
        raise NotAdmitted(f"Telegram does not take TELEGRAM_WEBHOOK_URL: {refused.message}") from None
    except (NetworkError, RetryAfter) as error:
        log.warning("the bot could not set its webhook; trying again: %s", error.message)
        return False
    return True


class _Server(uvicorn.Server):
    """A uvicorn server that leaves signals to `adapters.serve`."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
