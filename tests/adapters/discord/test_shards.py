"""Shards: which of them a process serves, and how they log in, over unmodified discord.py on the loopback."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path

import pytest

from adapters.discord import DiscordSettings, sharded_client
from adapters.discord.callers import KEY
from adapters.discord.platform import DiscordPlatform
from adapters.discord.sharded_client import ShardedClient
from adapters.discord.shards import Shards
from adapters.shared.clock import AsyncioClock
from bot.app import running
from bot.storage import Store, StoreError
from bot.store.memory.store import MemoryStore
from bot.store.sql import SqlStore
from tests import luck
from tests.adapters.discord.test_wire import button, public_panel, table
from tests.adapters.discord.wire import CHANNEL, Wire, listening, point_at, slowed_down
from tests.support.forked import Forked, run_program
from tests.support.hurry import HURRY

PAUSE = 0.3
"""Seconds between two logins in these tests."""
PASSED = "passed"
"""The file in which processes note when they pass the gate to log in."""


@pytest.mark.parametrize(
    ("words", "ids", "count"),
    [("0-3/8", [0, 1, 2, 3], 8), ("4-7/8", [4, 5, 6, 7], 8), ("7/8", [7], 8), (" 0/1 ", [0], 1)],
)
def test_shards_are_named_by_the_first_the_last_and_how_many_there_are(
    words: str, ids: list[int], count: int
) -> None:
    shards = Shards.parse(words)
    assert (shards.ids, shards.count) == (ids, count)


@pytest.mark.parametrize(
    "words", ["", "8", "0-3", "3-0/8", "0-8/8", "8/8", "a-b/c", "-1/8", "0-3/8/9", "0/0"]
)
def test_other_words_name_no_shards(words: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        Shards.parse(words)


def test_a_setting_that_names_no_shards_is_refused() -> None:
    assert DiscordSettings.model_validate({"discord_shards": "all"}).discord_shards == "all"
    with pytest.raises(ValueError, match="discord_shards"):
        DiscordSettings.model_validate({"discord_shards": "0-8/8"})


@asynccontextmanager
async def process(store: Store, shards: Shards | None = None) -> AsyncIterator[ShardedClient]:
    """Runs a process of the bot that serves some shards; it may not be connected yet."""
    client = ShardedClient(AsyncioClock(), shards)
    platform = DiscordPlatform("a.token.x", AsyncioClock(), client)
    async with running(store, AsyncioClock(), {KEY: platform}, rng=luck.rng(), pace=0.0) as dispatcher:
        task = asyncio.create_task(platform.run(dispatcher))
        try:
            yield client
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    monkeypatch.setattr(sharded_client, "_IDENTIFY_PAUSE", PAUSE)
    async with listening(monkeypatch) as wire:
        yield wire


def logins(wire: Wire) -> list[tuple[int, int]]:
    """The numbers of the shards that have identified, each with the count."""
    return [tuple(handshake["d"]["shard"]) for handshake in wire.handshakes if handshake["op"] == 2]


@pytest.mark.real
async def test_without_a_setting_there_are_as_many_shards_as_discord_recommends(wire: Wire) -> None:
    wire.shards = 2
    async with process(MemoryStore()):
        await wire.until_handshakes(2)
    assert set(logins(wire)) == {(0, 2), (1, 2)}


@pytest.mark.real
async def test_a_process_serves_the_shards_that_are_named(wire: Wire) -> None:
    async with process(MemoryStore(), Shards.parse("1-2/4")):
        await wire.until_handshakes(2)
    assert set(logins(wire)) == {(1, 4), (2, 4)}


@pytest.mark.real
async def test_shards_of_all_processes_log_in_one_after_another(wire: Wire) -> None:
    handshakes_before = list[int]()
    """The number of handshakes before each pass of the gate, in order."""

    class Noting(MemoryStore):
        async def pass_gate(self, gate: str, now: float, seconds: float) -> float:
            if not (wait := await super().pass_gate(gate, now, seconds)):
                at.append(now)
                handshakes_before.append(len(wire.handshakes))
            return wait

    store, at = Noting(), list[float]()
    async with AsyncExitStack() as processes:
        for words in ("0-1/4", "2-3/4"):
            await processes.enter_async_context(process(store, Shards.parse(words)))
        await wire.until_handshakes(4)
    assert set(logins(wire)) == {(0, 4), (1, 4), (2, 4), (3, 4)}
    # Each login had passed the gate before, and the gate was closed for a pause after each.
    assert len(at) == 4
    assert all(handshakes <= passes for passes, handshakes in enumerate(handshakes_before))
    assert all(later >= earlier + PAUSE for earlier, later in pairwise(at))


@pytest.mark.real
async def test_shards_log_in_even_if_the_store_fails_at_first(wire: Wire) -> None:
    class Failing(MemoryStore):
        failures = 1

        async def pass_gate(self, gate: str, now: float, seconds: float) -> float:
            if self.failures:
                self.failures -= 1
                raise StoreError("OperationalError")
            return await super().pass_gate(gate, now, seconds)

    async with process(store := Failing()):
        await wire.until_handshakes(1)
    assert store.failures == 0


@pytest.mark.real
async def test_a_table_is_opened_and_joined_over_each_shard(wire: Wire) -> None:
    wire.shards = 2
    async with process(MemoryStore()) as client:
        await wire.until_handshakes(2)
        for n, wire.shard in enumerate((0, 1), 1):
            await wire.command("5", "new", game="casino")
            await wire.until("POST", f"/channels/{CHANNEL}/messages", n)
            shown = public_panel(wire)
            assert f"table {n}" in shown["content"]
            token = await wire.press("6", button(shown, "join"), shown)
            [answer] = await wire.until("POST", f"/{token}/")
            assert "already" not in str(answer.body)
        assert client.is_connected


@pytest.mark.real
async def test_a_shard_whose_connection_drops_resumes_and_takes_what_it_missed(wire: Wire) -> None:
    wire.shards = 2
    async with process(MemoryStore()):
        await wire.until_handshakes(2)
        wire.shard = 1
        await wire.drop(shard=1)
        token = await wire.command("5", "new", game="casino")
        handshakes = await wire.until_handshakes(3)
        await wire.until("POST", f"/{token}/")
    assert handshakes[-1]["op"] == 6
    assert handshakes[-1]["d"]["session_id"] == "1"


@pytest.mark.real
async def test_a_failure_to_learn_the_shards_is_a_failed_login_that_is_tried_again(
    wire: Wire, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.shared.network.reconnect._FIRST_PAUSE", 0.01)
    wire.faults["GET", "/gateway/bot"] = [lambda: slowed_down(99.0)]
    async with process(MemoryStore()):
        await wire.until_handshakes(1)
    assert "Discord cannot be reached (RateLimited)" in caplog.text


@pytest.mark.real
async def test_too_few_shards_are_told_of(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    wire.shards = 3
    async with process(MemoryStore(), Shards.parse("0-1/2")):
        await wire.until_handshakes(2)
    assert "Discord recommends 3 shards, and DISCORD_SHARDS has only 2" in caplog.text


def run_shards(address: str, settings: dict[str, str], folder: Path) -> None:
    """Runs the program, with a server as its Discord; notes when it passes the gate to log in."""
    pass_gate = SqlStore.pass_gate

    async def noted(store: SqlStore, gate: str, now: float, seconds: float) -> float:
        wait = await pass_gate(store, gate, now, seconds)
        if not wait and "identify" in gate:
            with (folder / PASSED).open("a") as file:
                file.write(f"{now}\n")
        return wait

    with pytest.MonkeyPatch.context() as patch:
        point_at(address, patch)
        patch.setattr(sharded_client, "_IDENTIFY_PAUSE", PAUSE)
        patch.setattr(SqlStore, "pass_gate", noted)
        run_program(settings, folder, hurried=HURRY)


def passed(folder: Path) -> list[float]:
    """When processes have passed the gate to log in, in order."""
    return sorted(map(float, (folder / PASSED).read_text().splitlines()))


@pytest.mark.real
async def test_processes_with_shards_of_their_own_log_in_one_after_another_and_play_one_game(
    wire: Wire, new_postgres: Callable[[], Awaitable[str]], tmp_path: Path
) -> None:
    wire.shards = 4
    settings = {
        "DATABASE_URL": await new_postgres(),
        "DISCORD_TOKEN": "a.token.x",
        "TELEGRAM_TOKEN": "",
        "TAVERN_PORT": "",
    }
    first, second, again = (
        Forked(run_shards, wire.address, {**settings, "DISCORD_SHARDS": shards}, tmp_path)
        for shards in ("0-1/4", "2-3/4", "0-1/4")
    )
    for one in (first, second):
        one.start()
    await wire.until_handshakes(4)
    assert set(logins(wire)) == {(0, 4), (1, 4), (2, 4), (3, 4)}
    assert len(passed(tmp_path)) == 4
    assert all(later >= earlier + PAUSE for earlier, later in pairwise(passed(tmp_path)))
    wire.shard = 0
    shown = await table(wire)
    first.kill()
    assert await first.wait() == -signal.SIGKILL
    wire.shard = 2
    for user, action in (("6", "join"), ("5", "start")):
        token = await wire.press(user, button(shown, action), shown)
        await wire.until("POST", f"/{token}/")
    # The other process edits the public panel, and sends the cards to the private chat of user 6.
    await wire.until("PATCH", f"/{token}/messages/@original")
    await wire.until("POST", "/channels/26/messages")
    again.start()
    await wire.until_handshakes(6)
    assert set(logins(wire)[4:]) == {(0, 4), (1, 4)}
    assert len(passed(tmp_path)) == 6
    for one in (second, again):
        one.terminate()
        assert await one.wait() == 0
