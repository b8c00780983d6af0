"""Requests to the Bot API: files, proxies, errors without the token, responses cut to what is read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress

import pytest
from aiohttp import web
from telegram import InputFile
from telegram.error import BadRequest, NetworkError, TelegramError, TimedOut
from telegram.request import RequestData
from telegram.request._requestparameter import RequestParameter

from adapters.telegram import transport
from adapters.telegram.transport import AioRequest, Sending

pytestmark = pytest.mark.real

Answer = Callable[[web.Request], object]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    transport._proxy.cache_clear()
    yield
    transport._proxy.cache_clear()


@asynccontextmanager
async def asking(seen: list[tuple[str, str, bytes]]) -> AsyncIterator[tuple[AioRequest, str]]:
    """An `AioRequest` and the URL of a server that records in `seen` each path, content type and body."""

    async def hear(request: web.Request) -> web.Response:
        seen.append((request.path_qs, request.content_type, await request.read()))
        return web.Response(text="{}")

    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", hear)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    request = AioRequest(2, 5.0)
    await request.initialize()
    try:
        yield request, f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await request.shutdown()
        await runner.cleanup()


def given(**fields: object) -> RequestData:
    return RequestData([RequestParameter.from_input(name, value) for name, value in fields.items()])


async def test_parameters_go_as_json() -> None:
    seen: list[tuple[str, str, bytes]] = []
    async with asking(seen) as (request, url):
        asked = given(a="ñ", b=1, c={"d": True})
        assert await request.do_request(f"{url}/x", "POST", asked) == (200, b"{}")
    assert seen == [("/x", "application/json", '{"a":"ñ","b":1,"c":{"d":true}}'.encode())]


async def test_half_of_a_surrogate_goes_as_json() -> None:
    seen: list[tuple[str, str, bytes]] = []
    async with asking(seen) as (request, url):
        await request.do_request(f"{url}/x", "POST", given(a="\ud83d", b=1))
    assert seen == [("/x", "application/json", b'{"a": "\\ud83d", "b": 1}')]


async def test_plain_parameters_of_a_call_go_as_json() -> None:
    seen: list[tuple[str, str, bytes]] = []
    async with asking(seen) as (_, url):
        request = Sending(1, 5.0)
        await request.initialize()
        with pytest.raises(NetworkError, match="not from the Bot API"):
            await request.call(f"{url}/x", {"a": "ñ", "b": 1})
        await request.shutdown()
    assert seen == [("/x", "application/json", '{"a":"ñ","b":1}'.encode())]


async def test_a_file_goes_in_a_form_of_parts() -> None:
    seen: list[tuple[str, str, bytes]] = []
    async with asking(seen) as (request, url):
        await request.do_request(f"{url}/x", "POST", given(a="1", document=InputFile(b"log", "log.txt")))
    (_, kind, body), *_ = seen
    assert kind == "multipart/form-data"
    assert b'name="a"' in body
    assert b'filename="log.txt"' in body
    assert b"\r\nlog\r\n" in body


async def test_no_error_holds_the_address() -> None:
    async with asking([]) as (request, _):
        with pytest.raises(NetworkError) as raised:
            await request.do_request("http://127.0.0.1:1/bot42:secret/getMe", "POST")
    assert raised.value.message == "no network? ClientConnectorError"


async def test_closed_connections_are_an_error_like_others() -> None:
    with pytest.raises(NetworkError, match="closed"):
        await AioRequest().do_request("http://127.0.0.1:1/", "POST")


async def test_a_request_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_SLACK", 0.0)
    async with asking([]) as (request, url):
        with pytest.raises(TimedOut):
            await request.do_request(url, "POST", read_timeout=1e-9)


@asynccontextmanager
async def answered(*parts: bytes) -> AsyncIterator[tuple[AioRequest, str]]:
    """An `AioRequest`, and the URL of a server that answers each request with these bytes and hangs up.

    Without bytes it never answers. A client may hang up before its request has arrived.
    """
    done, hearing = asyncio.Event(), set[asyncio.Task[None] | None]()

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hearing.add(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            if not parts:
                await done.wait()
            writer.writelines(parts)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    request = AioRequest(1, 5.0)
    server = await asyncio.start_server(hear, "127.0.0.1", 0)
    await request.initialize()
    try:
        yield request, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/bot42:secret/getMe"
    finally:
        done.set()
        await request.shutdown()
        await asyncio.gather(*filter(None, hearing))
        server.close()
        await server.wait_closed()


def response(body: bytes, status: str = "200 OK", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\nContent-Length: {size}\r\n\r\n".encode() + body


async def failure(*parts: bytes) -> TelegramError:
    """The error that these bytes of a response cause; fails if it holds the token."""
    async with answered(*parts) as (request, url):
        with pytest.raises(TelegramError) as raised:
            await request.post(url)
    assert "secret" not in str(raised.value)
    return raised.value


async def test_a_response_that_breaks_off_is_a_network_error() -> None:
    error = await failure(response(b'{"ok":', length=100))
    assert (type(error), error.message) == (NetworkError, "ClientPayloadError")


async def test_a_connection_closed_before_the_response_is_a_network_error() -> None:
    error = await failure(b"")
    assert (type(error), error.message) == (NetworkError, "ServerDisconnectedError")


async def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_SLACK", 0.0)
    async with answered() as (request, url):
        with pytest.raises(TimedOut):
            await request.post(url, read_timeout=0.01)


async def test_a_request_waits_for_a_free_connection_only_as_long_as_it_may() -> None:
    async with answered() as (request, url):
        first = asyncio.create_task(request.post(url))
        await asyncio.sleep(0)
        with pytest.raises(TimedOut):
            await request.post(url, read_timeout=None, pool_timeout=0.01)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)


async def test_a_response_that_is_too_large_is_a_network_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_MOST_BYTES", 20)
    error = await failure(response(b'{"ok":true,"result":1}'))
    assert (type(error), error.message) == (NetworkError, "the response is too large")


@pytest.mark.parametrize("body", [b"<p>/bot42:secret/getMe</p>", b"[" * 100_000, b""])
async def test_a_response_that_is_not_json_is_a_network_error(
    body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    error = await failure(response(body))
    assert (type(error), error.message) == (NetworkError, "the response is not JSON")
    assert "secret" not in caplog.text


@pytest.mark.parametrize("body", [b"[1]", b"{}", b"null"])
async def test_json_that_is_no_response_is_a_network_error(body: bytes) -> None:
    error = await failure(response(body))
    assert (type(error), error.message) == (NetworkError, "the response is not from the Bot API")


async def test_the_page_of_a_proxy_is_in_no_error() -> None:
    error = await failure(response(b"<p>/bot42:secret/getMe</p>", "502 Bad Gateway"))
    assert (type(error), error.message) == (NetworkError, "Bad Gateway (502)")


async def test_a_refusal_of_telegram_keeps_its_reason() -> None:
    error = await failure(response(b'{"ok":false,"description":"chat not found"}', "400 Bad Request"))
    assert (type(error), error.message) == (BadRequest, "chat not found")


async def test_no_redirect_is_followed() -> None:
    error = await failure(response(b"", "302 Found\r\nLocation: http://127.0.0.1:1/"))
    assert (type(error), error.message) == (NetworkError, "Found (302)")


async def test_bytes_that_are_not_utf_8_are_replaced() -> None:
    async with answered(response(b'{"ok":true,"result":"a\xff"}')) as (request, url):
        assert str(await request.post(url)) == "a\ufffd"


async def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str, bytes]] = []
    async with asking(seen) as (request, url):
        monkeypatch.setenv("http_proxy", url)
        await request.do_request("http://telegram.invalid/x", "POST")
    assert [path for path, _, _ in seen] == ["/x"]


def test_of_a_sent_message_only_its_id_its_date_and_its_chat_are_kept() -> None:
    parsed = Sending.parse_json_payload(
        b'{"ok":true,"result":{"message_id":3,"date":1,"chat":{"id":-5,"type":"group","title":"x"},"text":"long"}}'
    )
    assert parsed == {
        "ok": True,
        "result": {"message_id": 3, "date": 1, "chat": {"id": -5, "type": "group"}},
    }


def test_of_a_message_that_was_edited_nothing_is_kept() -> None:
    parsed = Sending.parse_json_payload(
        b'{"ok":true,"result":{"message_id":3,"date":1,"edit_date":2,"chat":{"id":-5,"type":"group"},"text":"x"}}'
    )
    assert parsed == {"ok": True, "result": True}
