"""The command that runs the bots: its messages, and how it stops."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from adapters.command_line.cli import app
from adapters.hosting.registry import required_settings
from adapters.hosting.serve import bounds_of, serve
from adapters.shared.platform_settings import Served
from bot.inbox.dispatcher import Dispatcher
from bot.ports import NotAdmitted
from bot.settings.host_settings import Settings
from bot.storage import StoreError
from bot.store import open_store
from bot.table_service.bounds import Bounds
from tests.support.clock import VirtualClock
from tests.support.platform import FakePlatform


class IdlePlatform(FakePlatform):
    """A platform that runs until it is cancelled, or fails, and receives no delivery."""

    def __init__(self, key: str = "quiet", fault: Exception | None = None) -> None:
        super().__init__()
        self.key, self.fault = key, fault
        self.dispatcher: Dispatcher | None = None
        self.begun, self.ended = asyncio.Event(), False
        self.is_connected = fault is None

    async def run(self, dispatcher: Dispatcher) -> None:
        self.dispatcher = dispatcher
        self.begun.set()
        try:
            if self.fault:
                raise self.fault
            await asyncio.Event().wait()
        finally:
            self.ended = True


def settings(folder: Path, **given: Any) -> Settings:
    return Settings.model_validate({"database_url": str(folder / "tables.db"), **given})


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Runs each test in an empty folder, without the developer's tokens and language setting."""
    monkeypatch.chdir(tmp_path)
    for name in (*required_settings(), "SOBREMESA_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    yield
    root = logging.getLogger()
    for handler in root.handlers[:]:
        # The stream of a command that was run here is closed.
        if type(handler) is logging.StreamHandler:
            root.removeHandler(handler)


def test_a_host_who_sets_nothing_has_the_default_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    assert bounds_of(Settings()) == Bounds()


def test_without_a_token_it_says_which_are_missing() -> None:
    result = CliRunner().invoke(app, ["run", "--lang", "en"])
    assert result.exit_code == 1
    assert f"no chat to join yet. Set {', '.join(required_settings())} (one is enough) in" in result.output


@pytest.mark.parametrize("lang", ["en", "es"])
def test_without_a_token_it_says_in_which_file_it_looked(lang: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["run", "--lang", lang])
    assert f" {tmp_path / '.env'} o" in result.output


def test_a_setting_that_a_check_refuses_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_SHARDS", "several")
    result = CliRunner().invoke(app, ["run"])
    assert result.exit_code == 2
    text = " ".join(result.output.replace("│", " ").split())
    assert "aren't valid: DISCORD_SHARDS (shards are written like 0-3/8). .env.example explains them." in text


def test_without_a_token_the_missing_ones_are_named_in_spanish_too() -> None:
    result = CliRunner().invoke(app, ["run", "--lang", "es"])
    assert required_settings()[0] in result.output
    assert "no chat to join" not in result.output


def test_a_platform_whose_token_is_set_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []

    async def serve(platforms: Sequence[Served], *_: object) -> None:
        served.extend(platform.key for platform in platforms)

    monkeypatch.setattr("adapters.hosting.serve.serve", serve)
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    CliRunner().invoke(app, ["run"], catch_exceptions=False)
    assert served == ["discord"]


_UNUSABLE = {
    "en": "The database file {file} can't be used (it isn't a file of games). ",
    "es": "No se puede usar el archivo {file} de la base de datos (no es un archivo de partidas). ",
}


@pytest.mark.parametrize("language", _UNUSABLE)
def test_a_bad_store_file_is_said_in_words_and_in_the_language_of_the_settings(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TAVERN_PORT", "4000")
    monkeypatch.setenv("SOBREMESA_LANGUAGE", language)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///notes.txt")
    Path("notes.txt").write_text("Buy bread.\n" * 100)
    result = CliRunner().invoke(app, ["run"], catch_exceptions=False)
    assert result.exit_code == 1
    assert result.output.startswith(_UNUSABLE[language].format(file=tmp_path / "notes.txt"))


def test_a_rarer_error_of_the_store_is_said_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(*_: object) -> None:
        raise StoreError("process 7 serves from tables.db already")

    monkeypatch.setattr("adapters.hosting.serve.serve", serve)
    monkeypatch.setenv("TAVERN_PORT", "4000")
    result = CliRunner().invoke(app, ["run"], catch_exceptions=False)
    assert result.exit_code == 1
    assert result.output.endswith(": process 7 serves from tables.db already\n")


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("DISCORD_TOKEN", "Un token son tres palabras con puntos entre ellas: "),
        ("TELEGRAM_TOKEN", "Un token es un número, dos puntos y letras: "),
    ],
)
def test_a_malformed_token_is_refused_in_the_language_of_the_host(
    setting: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def serve(platforms: Sequence[Served], *_: object) -> None:
        # Neither platform reaches the dispatcher before its login.
        await platforms[0].run(cast("Dispatcher", None))

    monkeypatch.setattr("adapters.hosting.serve.serve", serve)
    monkeypatch.setenv(setting, "nonsense")
    result = CliRunner().invoke(app, ["run", "--lang", "es"], catch_exceptions=False)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{setting} no es un token. {reason}cópialo otra vez de")


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_stops_everything_in_good_order(kind: signal.Signals, tmp_path: Path) -> None:
    one, other = IdlePlatform("one"), IdlePlatform("other")
    serving = asyncio.create_task(serve([one, other], settings(tmp_path), VirtualClock(stopped=True)))
    await one.begun.wait()
    await other.begun.wait()
    os.kill(os.getpid(), kind)
    await serving
    assert one.ended
    assert other.ended


async def test_a_process_that_is_stopped_gives_its_leases_back(tmp_path: Path) -> None:
    one = IdlePlatform("one")
    serving = asyncio.create_task(serve([one], given := settings(tmp_path), VirtualClock(stopped=True)))
    await one.begun.wait()
    assert one.dispatcher
    process, clock = one.dispatcher.service.leases.process, one.dispatcher.service.clock
    assert set(await one.dispatcher.service._store.beat(process, clock.now())) == {process}
    os.kill(os.getpid(), signal.SIGTERM)
    await serving
    store = await open_store(given.database_url.get_secret_value())
    try:
        assert list(await store.beat("next", clock.now())) == ["next"]
    finally:
        await store.close()


async def test_all_platforms_have_one_dispatcher(tmp_path: Path) -> None:
    one, other = IdlePlatform("one"), IdlePlatform("other")
    serving = asyncio.create_task(serve([one, other], settings(tmp_path), VirtualClock(stopped=True)))
    await asyncio.gather(one.begun.wait(), other.begun.wait())
    assert one.dispatcher is other.dispatcher
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


async def test_where_no_platform_lets_the_bot_in_the_program_ends_with_the_first_reason(
    tmp_path: Path,
) -> None:
    barred = [IdlePlatform("one", NotAdmitted("no entry")), IdlePlatform("other", NotAdmitted("nor here"))]
    with pytest.raises(NotAdmitted, match="no entry"):
        await serve(barred, settings(tmp_path), VirtualClock(stopped=True))


async def test_the_reason_of_the_only_platform_is_left_to_the_caller(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NotAdmitted, match="no entry"):
        await serve(
            [IdlePlatform("one", NotAdmitted("no entry"))], settings(tmp_path), VirtualClock(stopped=True)
        )
    assert "no entry" not in caplog.text


async def test_of_two_reasons_at_once_the_log_has_the_second(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    barred = [IdlePlatform("one", NotAdmitted("no entry")), IdlePlatform("other", NotAdmitted("nor here"))]
    with pytest.raises(NotAdmitted, match="no entry"):
        await serve(barred, settings(tmp_path), VirtualClock(stopped=True))
    logged = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert logged == ["the bot stopped serving other: nor here; nothing is left to serve"]


@pytest.mark.parametrize("fault", [NotAdmitted("no entry"), RuntimeError("hidden: 7S")])
async def test_a_platform_that_fails_does_not_end_the_other(fault: Exception, tmp_path: Path) -> None:
    barred, other = IdlePlatform("one", fault), IdlePlatform("other")
    serving = asyncio.create_task(serve([barred, other], settings(tmp_path), VirtualClock(stopped=True)))
    await asyncio.gather(barred.begun.wait(), other.begun.wait())
    await asyncio.sleep(0)
    assert (barred.ended, other.ended) == (True, False)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    assert other.ended


async def test_the_platforms_still_served_are_named_in_their_order(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    barred, others = IdlePlatform("one", NotAdmitted("no entry")), [IdlePlatform(key) for key in "bdcaef"]
    serving = asyncio.create_task(serve([barred, *others], settings(tmp_path), VirtualClock(stopped=True)))
    await asyncio.gather(*(platform.begun.wait() for platform in (barred, *others)))
    await asyncio.sleep(0)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    logged = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert logged == ["the bot stopped serving one: no entry; still serving b and d and c and a and e and f"]


async def test_a_platform_that_fails_is_told_of_at_once_and_at_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    barred, other = IdlePlatform("one", NotAdmitted("no entry")), IdlePlatform("other")
    serving = asyncio.create_task(serve([barred, other], settings(tmp_path), VirtualClock(stopped=True)))
    await asyncio.gather(barred.begun.wait(), other.begun.wait())
    await asyncio.sleep(0)
    logged = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert logged == ["the bot stopped serving one: no entry; still serving other"]
    os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(NotAdmitted, match="no entry"):
        await serving
