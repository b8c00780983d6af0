"""Receives updates by a web hook."""

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

from bot.ports import Clock, NotAdmitted

log = logging.getLogger(__name__)

_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_WAIT = 5.0
"""Seconds until the next try to set the web hook."""
_LARGEST = 1_000_000
"""Bytes of the largest body that is read."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """The public address of the web hook, and the address that the server listens on behind it."""

    url: str
    host: str = "127.0.0.1"
    port: int = 8080


@contextlib.asynccontextmanager
async def listening(
    application: Application[Any, Any, Any, Any, Any, Any],
    clock: Clock,
    webhook: Webhook,
    heard: Sequence[str],
) -> AsyncIterator[asyncio.Task[None]]:
    """Serves the web hook while the block lasts; Telegram keeps later updates for a day.

    The task is the server's. Raises `NotAdmitted`.
    """
    secret = secret_of(application.bot.token)

    async def take(request: Request) -> Response:
        if not hmac.compare_digest(request.headers.get(_HEADER, "").encode(), secret.encode()):
            return Response(status_code=403)
        if int(request.headers.get("content-length", "0")) > _LARGEST:
            return Response(status_code=413)
        try:
            update = Update.de_json(json.loads(await request.body()), application.bot)
        except (ValueError, TypeError, KeyError, AttributeError):
            return Response(status_code=400)
        await application.update_queue.put(update)
        return Response()

    app = Starlette(routes=[Route(urlsplit(webhook.url).path or "/", take, methods=["POST"])])
    server = _Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
    # Uvicorn would exit the program where the port is taken.
    try:
        door = create_server((webhook.host, webhook.port))
    except OSError as taken:
        reason = f"Nothing can listen at {webhook.host}, port {webhook.port}: {taken.strerror}"
        raise NotAdmitted(reason) from None
    serving = asyncio.create_task(server.serve(sockets=[door]))
    try:
        while not await _is_set(application.bot, webhook.url, secret, heard):
            await clock.sleep(_WAIT)
        yield serving
    finally:
        server.should_exit = True
        await serving


def secret_of(token: str) -> str:
    """The secret by which Telegram's requests are known; the token does not follow from it."""
    return hmac.new(token.encode(), b"sobremesa webhook", hashlib.sha256).hexdigest()


async def _is_set(bot: Bot, url: str, secret: str, heard: Sequence[str]) -> bool:
    """Sets the web hook; False where Telegram cannot be reached."""
    try:
        await bot.set_webhook(url, secret_token=secret, allowed_updates=heard)
    except BadRequest as refused:
        raise NotAdmitted(f"Telegram does not take TELEGRAM_WEBHOOK_URL: {refused.message}") from None
    except (NetworkError, RetryAfter) as error:
        log.warning("Telegram cannot be told where to bring the news: %s", error.message)
        return False
    return True


class _Server(uvicorn.Server):
    """A server that does not handle signals, which `adapters.serve` does."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
