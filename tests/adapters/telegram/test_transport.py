"""Requests to the Bot API: files, proxies, errors without the token, answers without the bot's own text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from telegram import InputFile
from telegram.error import NetworkError, TimedOut
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


async def test_what_is_asked_goes_as_json() -> None:
    seen: list[tuple[str, str, bytes]] = []
    async with asking(seen) as (request, url):
        assert await request.do_request(f"{url}/x", "POST", given(a="ñ")) == (200, b"{}")
    assert seen == [("/x", "application/json", b'{"a": "\\u00f1"}')]


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
        with pytest.raises(NetworkError) as told:
            await request.do_request("http://127.0.0.1:1/bot42:secret/getMe", "POST")
    assert told.value.message == "no network? ClientConnectorError"


async def test_closed_connections_are_an_error_like_others() -> None:
    with pytest.raises(NetworkError, match="closed"):
        await AioRequest().do_request("http://127.0.0.1:1/", "POST")


async def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_SLACK", 0.0)
    async with asking([]) as (request, url):
        with pytest.raises(TimedOut):
            await request.do_request(url, "POST", read_timeout=1e-9)


async def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str, bytes]] = []
    async with asking(seen) as (request, url):
        monkeypatch.setenv("http_proxy", url)
        await request.do_request("http://telegram.invalid/x", "POST")
    assert [path for path, _, _ in seen] == ["/x"]


def test_of_our_own_message_only_which_it_is_is_kept() -> None:
    told = Sending.parse_json_payload(
        b'{"ok":true,"result":{"message_id":3,"date":1,"chat":{"id":-5,"type":"group","title":"x"},"text":"long"}}'
    )
    assert told == {
        "ok": True,
        "result": {"message_id": 3, "date": 1, "chat": {"id": -5, "type": "group"}},
    }


def test_of_a_message_that_was_edited_nothing_is_kept() -> None:
    told = Sending.parse_json_payload(
        b'{"ok":true,"result":{"message_id":3,"date":1,"edit_date":2,"chat":{"id":-5,"type":"group"},"text":"x"}}'
    )
    assert told == {"ok": True, "result": True}
