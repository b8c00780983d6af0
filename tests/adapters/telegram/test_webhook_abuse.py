"""Hostile requests to the webhook: too large, half sent, too many, unreadable, from strangers."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest

from adapters.telegram.webhook import Webhook, secret_of
from tests.adapters.telegram.emulator import TOKEN
from tests.adapters.telegram.world import GROUP, World, opened
from tests.support.loop_time import idle_time_skipped

pytestmark = pytest.mark.real

SECRET = f"X-Telegram-Bot-Api-Secret-Token: {secret_of(TOKEN)}"
HEAD = "POST /telegram HTTP/1.1\r\nHost: x\r\n"
CHUNKED = "Transfer-Encoding: chunked"
IN_TIME = 5.5
"""Seconds of the event loop within which everything half sent is answered or closed."""

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def world(webhook: Webhook) -> AsyncIterator[World]:
    async with opened(webhook=webhook) as world:
        yield world


class Client:
    """Sends requests to the webhook, whole and in part."""

    def __init__(self, webhook: Webhook) -> None:
        self._webhook = webhook
        self._writers: list[asyncio.StreamWriter] = []

    async def connect(self, begun: str = "") -> Stream:
        """A connection on which the first bytes of a request are sent."""
        reader, writer = await asyncio.open_connection(self._webhook.host, self._webhook.port)
        self._writers.append(writer)
        writer.write(begun.encode())
        return reader, writer

    async def post(self, *headers: str, body: bytes = b"") -> str:
        """Sends a request; returns the head of the answer."""
        reader, writer = await self.connect(HEAD + "\r\n".join([*headers, "", ""]))
        writer.write(body)
        return await answer_on(reader)

    async def deliver(self, body: bytes) -> str:
        """Sends a body as Telegram does; returns the head of the answer."""
        return await self.post(SECRET, f"Content-Length: {len(body)}", body=body)

    async def close(self) -> None:
        """Closes all connections."""
        for writer in self._writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@pytest.fixture
async def client(world: World, webhook: Webhook) -> AsyncIterator[Client]:
    client = Client(webhook)
    yield client
    await client.close()


async def answer_on(reader: asyncio.StreamReader) -> str:
    """The head of an answer in lower case; empty if the connection is closed without one."""
    lines = []
    while (line := await reader.readline()).strip():
        lines.append(line.decode().strip().casefold())
    return "\n".join(lines)


async def still_serving(world: World) -> None:
    """Fails unless the bot still takes updates."""
    await world.player(1, "Ana").writes("/new casino", GROUP)
    assert "Casino, table 1" in world.public_panel().plain


def update(number: int, **message: Any) -> bytes:
    content = {"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}, **message}
    return json.dumps({"update_id": number, "message": content}).encode()


def nested(depth: int) -> bytes:
    """An update with a message in reply to one in reply to one, and so on."""
    message = '{"message_id":1,"date":1,"chat":{"id":1,"type":"private"},"reply_to_message":'
    return ('{"update_id":1,"message":' + message * depth + "null" + "}" * (depth + 1)).encode()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b"1" * 100_000, id="long number"),
        pytest.param(b"\xff\xfe{}", id="no text"),
        pytest.param(b'{"update_id": 1}x', id="more than JSON"),
        pytest.param(b'{"message": {}}', id="no number"),
        pytest.param(b'{"update_id": 1, "message": 5}', id="no message"),
        pytest.param(b'{"update_id": 1, "callback_query": [[]]}', id="no press"),
        pytest.param(update(1, date=10**20), id="late date"),
        pytest.param(update(1, date=-(10**12)), id="early date"),
        pytest.param(update(1, date=float("inf")), id="infinite date"),
        pytest.param(update(1, date="now"), id="no date"),
        pytest.param(nested(900), id="deep replies"),
    ],
)
async def test_an_update_that_cannot_be_read_is_taken_and_logged_once_without_its_content(
    world: World, client: Client, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    assert "200 ok" in await client.deliver(body)
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == 1
    assert "cannot be read" in logged[0]
    assert len(logged[0]) < 150
    await still_serving(world)


def held_by_server() -> int:
    """The bytes held by the code of the webhook, its libraries and asyncio, the test's client included."""
    modules = ("adapters/telegram/webhook.py", "starlette/*", "uvicorn/*", "h11/*", "asyncio/*")
    filters = [tracemalloc.Filter(True, f"*/{module}") for module in modules]
    snapshot = tracemalloc.take_snapshot().filter_traces(filters)
    return sum(statistic.size for statistic in snapshot.statistics("filename"))


async def test_a_body_without_end_is_read_and_dropped(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("adapters.telegram.webhook._BODY_TIMEOUT", 30.0)
    reader, writer = await client.connect(f"{HEAD}{SECRET}\r\n{CHUNKED}\r\n\r\n")
    piece = b"%x\r\n%s\r\n" % (1 << 16, b"x" * (1 << 16))
    held = []
    tracemalloc.start()
    # 960 pieces of 64 KiB are 60 MiB.
    for n in range(960):
        writer.write(piece)
        await writer.drain()
        if n % 96 == 0:
            held.append(held_by_server())
    writer.write(b"0\r\n\r\n")
    answer = await answer_on(reader)
    tracemalloc.stop()
    assert "200 ok" in answer
    assert max(held) < 8 << 20
    assert [record.getMessage() for record in caplog.records] == [
        "the webhook got an update of more than 1000000 bytes"
    ]
    await still_serving(world)


async def test_a_stranger_is_refused_before_the_body_is_read(
    world: World, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for header in ("Content-Length: 60000000", CHUNKED):
        answer = await client.post("X-Telegram-Bot-Api-Secret-Token: x", header)
        assert "403 forbidden" in answer
        assert "connection: close" in answer
    assert [record.getMessage() for record in caplog.records] == [
        "the webhook got a request without Telegram's secret"
    ]
    await still_serving(world)


@pytest.mark.parametrize(
    ("begun", "answer"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("POST /telegram HT", "", id="half a line"),
        pytest.param(HEAD, "", id="half a head"),
        pytest.param(f"{HEAD}{SECRET}\r\nContent-Length: 50\r\n\r\n{{", "408", id="half a body"),
        pytest.param(f"{HEAD}{SECRET}\r\n{CHUNKED}\r\n\r\n5\r\n{{", "408", id="half a chunk"),
        pytest.param(f"{HEAD}Content-Length: 50\r\n\r\n{{", "403", id="half a stranger's body"),
        pytest.param("GET /telegram HTTP/1.1\r\nHost: x\r\n\r\nGET /", "405", id="a request and half a head"),
        pytest.param("\0" * 100, "400", id="no HTTP"),
    ],
)
async def test_a_connection_that_sends_half_a_request_is_closed_in_time(
    world: World, client: Client, begun: str, answer: str
) -> None:
    with idle_time_skipped():
        begin = asyncio.get_running_loop().time()
        streams = [await client.connect(begun) for _ in range(100)]
        answers = await asyncio.gather(*(answer_on(reader) for reader, _ in streams))
        await asyncio.gather(*(reader.read() for reader, _ in streams))
        assert asyncio.get_running_loop().time() - begin < IN_TIME
    assert [one.split()[1:2] for one in answers] == [[answer] if answer else []] * 100
    await still_serving(world)


async def test_a_body_that_drips_is_not_waited_for(world: World, client: Client) -> None:
    reader, writer = await client.connect(f"{HEAD}{SECRET}\r\nContent-Length: 5000\r\n\r\n")
    answer = asyncio.create_task(answer_on(reader))
    with idle_time_skipped():
        for _ in range(20):
            writer.write(b" ")
            await asyncio.sleep(IN_TIME / 20)
    assert answer.done()
    assert "408" in await answer


async def test_connections_that_send_nothing_leave_room_for_telegram(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.shared.network.http_server._HEAD_TIMEOUT", 30.0)
    monkeypatch.setattr("adapters.shared.network.http_server._MOST_CONNECTIONS", 20)
    idle = [await client.connect() for _ in range(60)]
    await still_serving(world)
    # The oldest is closed whenever 20 are open: 41 of the 60, and one more for Telegram's own connection.
    await asyncio.gather(*(reader.read() for reader, _ in idle[:41]))


async def test_while_the_most_updates_are_handled_telegram_is_asked_to_send_again(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram.webhook._MOST_AT_ONCE", 1)
    stored, ana = asyncio.Event(), world.player(1, "Ana")
    append = world.store.append

    async def late(batch: Any) -> Any:
        await stored.wait()
        return await append(batch)

    monkeypatch.setattr(world.store, "append", late)
    body = json.dumps({"update_id": 5, "message": ana.message("/new casino", GROUP)}).encode()
    first = asyncio.create_task(client.deliver(body))
    await world.quiet()
    refused = await client.deliver(update(6))
    assert "503 service unavailable" in refused
    assert "retry-after: 1" in refused
    # The first is not answered before its commit.
    assert not first.done()
    stored.set()
    assert "200 ok" in await first
    assert "200 ok" in await client.deliver(update(6))
    await world.quiet()
    assert "Casino, table 1" in world.public_panel().plain
