"""Implements the library's request class with aiohttp, which needs less CPU time than its default, httpx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import orjson
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from adapters.shared.network.failures import failure_name
from adapters.telegram.ephemeral import NUMBER

_SLACK = 5.0
"""Seconds added to a request's read timeout for the total time of the request."""
_MOST_BYTES = 16 * 2**20
"""The most bytes of a response; a hundred updates are far smaller."""
_MOST_LIMITS = 16
"""The most different time limits of requests that are cached."""
_FIELDS_READ = ("message_id", "date", "chat", NUMBER)
"""The fields that the library or the bot reads of an ephemeral message that was sent."""


class _Plain:
    """Parameters of a request that are JSON as they are, in place of the library's `RequestData`."""

    __slots__ = ("parameters",)
    contains_files = False

    def __init__(self, parameters: Mapping[str, object]) -> None:
        self.parameters = parameters


class AioRequest(BaseRequest):
    """A pool of connections to the Bot API."""

    __slots__ = ("_connections", "_session", "_timeout")

    def __init__(self, connections: int = 64, timeout: float = 10.0) -> None:
        self._connections = connections
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Seconds that a response may take by default."""
        return self._timeout

    async def initialize(self) -> None:
        """Opens the pool."""
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections, keepalive_timeout=60.0)
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": BaseRequest.USER_AGENT},
            )

    async def shutdown(self) -> None:
        """Closes the pool."""
        session, self._session = self._session, None
        if session:
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Sends a request; returns the status and the body of the response.

        Raises `TimedOut` or `NetworkError` without the address, since it contains the token. The time for
        writing is a part of the total time, which is the read timeout and `_SLACK`.
        """
        if self._session is None:
            raise NetworkError("the connections are closed")
        seconds = self._timeout if read_timeout is BaseRequest.DEFAULT_NONE else read_timeout
        limits = _limits(
            seconds and seconds + _SLACK,
            None if pool_timeout is BaseRequest.DEFAULT_NONE else pool_timeout,
            None if connect_timeout is BaseRequest.DEFAULT_NONE else connect_timeout,
        )
        request = self._session.request(
            method,
            url,
            data=request_data and _body(request_data),
            timeout=limits,
            proxy=_proxy(*urlsplit(url)[:2]),
            # A redirect would give the token to another host.
            allow_redirects=False,
        )
        try:
            answer = await request
            status, body = answer.status, await _read(answer)
        except TimeoutError:
            raise TimedOut from None
        except (aiohttp.ClientError, OSError) as error:
            raise NetworkError(failure_name(error)) from None
        return status, body if 200 <= status < 300 else _refusal(body)

    async def call(self, url: str, parameters: Mapping[str, object], seconds: float | None = None) -> Any:
        """The result of a method of the Bot API, called with plain parameters. Raises the library's errors.

        The methods of the library's `Bot` look for files, dates and objects of their own in each parameter,
        also in those left out. For the edits that a press causes, that search takes a twentieth of the
        press's CPU time. ``seconds`` is the read timeout; without it the pool's own holds.
        """
        return await self.post(url, cast(RequestData, _Plain(parameters)), seconds or self._timeout)

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The response; raises `NetworkError` if it is none of the Bot API."""
        # The library's own method writes a response that it cannot read into the log.
        try:
            response = _decoded(payload)
        except (ValueError, RecursionError):
            raise NetworkError("the response is not JSON") from None
        if not isinstance(response, dict) or not response.keys() & {"result", "description"}:
            raise NetworkError("the response is not from the Bot API")
        return response


class Sending(AioRequest):
    """The pool for sending; of a sent message that the API returns, the library parses only what it needs."""

    __slots__ = ()

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The response; of a sent message only the id and the date, of its chat only the id and the type.

        Of an edited message nothing is left, of an ephemeral one the `_FIELDS_READ`.
        """
        response = AioRequest.parse_json_payload(payload)
        match response:
            case {"result": {"message_id": _, "edit_date": _}}:
                # The API may also return True for an edit, so the library accepts it.
                response["result"] = True
            case {"result": {"ephemeral_message_id": _, "date": _, "chat": _} as sent}:
                response["result"] = {name: sent[name] for name in _FIELDS_READ if name in sent}
            case {"result": {"message_id": number, "date": date, "chat": {"id": chat, "type": kind}}}:
                response["result"] = {"message_id": number, "date": date, "chat": {"id": chat, "type": kind}}
        return response


@lru_cache(_MOST_LIMITS)
def _limits(total: float | None, pool: float | None, connect: float | None) -> aiohttp.ClientTimeout:
    """The time limits of a request in seconds; cached, since nearly all requests have the same."""
    return aiohttp.ClientTimeout(total=total, connect=pool, sock_connect=connect)


@cache
def _proxy(scheme: str, host: str) -> str | None:
    """The proxy that the environment sets for a host, if any; aiohttp would look it up for each request."""
    return None if proxy_bypass(host) else getproxies().get(scheme)


def _body(request_data: RequestData) -> aiohttp.BytesPayload | aiohttp.FormData:
    """The body of a request: JSON, or a multipart form if it has a file."""
    if not request_data.contains_files:
        # For plain bytes aiohttp would look through its kinds of payloads.
        return aiohttp.BytesPayload(_encoded(request_data.parameters), content_type="application/json")
    parts = aiohttp.FormData(quote_fields=False)
    for name, value in request_data.json_parameters.items():
        parts.add_field(name, value)
    for name, (filename, content, kind) in request_data.multipart_data.items():
        parts.add_field(name, content, filename=filename, content_type=kind)
    return parts


def _encoded(parameters: Mapping[str, object]) -> bytes:
    """The JSON of a request."""
    try:
        return orjson.dumps(parameters)
    except orjson.JSONEncodeError:
        # A text may hold half of a surrogate pair, which only json writes.
        return json.dumps(parameters).encode()


def _decoded(payload: bytes) -> Any:
    """The JSON of a response. Raises `ValueError` or `RecursionError`."""
    try:
        return orjson.loads(payload)
    except orjson.JSONDecodeError:
        # A text may hold half of a surrogate pair, and a proxy's page any bytes, which only json reads.
        return json.loads(payload.decode(errors="replace"))


async def _read(answer: aiohttp.ClientResponse) -> bytes:
    """The body of a response, at whose end aiohttp releases the connection; an error before that closes it.

    Raises `NetworkError` if the body is too large.
    """
    parts, size = [], 0
    try:
        while not answer.content.at_eof():
            parts.append(part := await answer.content.readany())
            size += len(part)
            if size > _MOST_BYTES:
                raise NetworkError("the response is too large")
    except BaseException:
        answer.close()
        raise
    return b"".join(parts)


def _refusal(body: bytes) -> bytes:
    """The body of an error, or one without a description in place of a page that is not from the Bot API.

    The library puts what it cannot read into its error, and the page of a proxy may hold the address.
    """
    try:
        AioRequest.parse_json_payload(body)
    except NetworkError:
        return b'{"description": ""}'
    return body
