"""The command that examines the settings, the database and the platforms, and says what is wrong."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection
from typer.testing import CliRunner

from adapters.command_line import cli
from adapters.command_line.asynchronous import completed
from adapters.hosting import doctor
from adapters.hosting.registry import platforms, required_settings
from adapters.shared import finding
from adapters.shared.finding import Finding, clock_finding, ok
from adapters.shared.platform_settings import PlatformSettings, Served
from bot.i18n import Speech
from bot.ports import Clock
from bot.settings.host_settings import Settings
from bot.store import open_store
from bot.store.connections.database import alembic, engines_at
from bot.store.files.damage import Damage
from bot.store.files.examination import StoreState, examine_store
from bot.store.schema import TABLES
from engines.game import Text
from tests.adapters.test_registry import SETTING_NAMES


class InnSettings(PlatformSettings):
    """A platform that is always set, and whose places begin with #."""

    key = "inn"
    required = "inn_token"
    inn_token: str | None = "hush"
    answer: tuple[Finding, ...] | Exception | None = (ok(Text("The inn is open.")),)
    """The findings of an examination, or its error; None if it never ends."""

    def is_place(self, word: str) -> bool:
        return word.startswith("#")

    async def examine(self, places: Sequence[str]) -> Sequence[Finding]:
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        assert isinstance(self.answer, tuple)
        return (*self.answer, *(ok(Text("{place} is open.", place=place)) for place in places))

    def start(self, clock: Clock) -> Served:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Runs each test in an empty folder, without settings, with output of 300 columns."""
    for name in SETTING_NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.chdir(tmp_path)


def served(monkeypatch: pytest.MonkeyPatch, inn: type[PlatformSettings] = InnSettings) -> None:
    """Makes the inn the only platform."""
    monkeypatch.setattr("adapters.hosting.registry.platforms", lambda: {"inn": inn})


def printed_lines(*words: str, code: int = 0, lang: str = "en") -> list[str]:
    """The lines of the command; asserts the exit code."""
    result = CliRunner().invoke(cli.app, ["doctor", "--lang", lang, *words])
    assert result.exit_code == code, result.output
    return result.output.splitlines()


def revision_of(file: Path, revision: str) -> None:
    """Brings a new store to a revision."""

    async def migrate() -> None:
        both = engines_at(str(file))
        try:
            await both.writes.transact(lambda connection: _migrate(connection, revision))
        finally:
            await both.close()

    asyncio.run(migrate())


def _migrate(connection: Connection, revision: str) -> None:
    connection.begin()
    command.upgrade(alembic(connection), revision)


def test_where_all_is_well_each_check_is_a_line_and_the_exit_code_is_0(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served(monkeypatch)
    assert printed_lines() == [
        f"ok        There is no database file {tmp_path / 'sobremesa.db'} yet. The first start creates it.",
        "ok        The inn is open.",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_host_without_settings_is_not_asked_to_serve_the_example() -> None:
    said = " ".join(printed_lines(code=1))
    for platform in platforms().values():
        assert (platform.required.upper() in said) is not platform.is_example


def test_a_reader_who_closes_the_pipe_is_told_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    async def report() -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        completed(report(), Speech("en"))
    assert capsys.readouterr() == ("", "")


def test_the_doctor_speaks_spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch)
    lines = printed_lines("nowhere", lang="es", code=1)
    assert lines[0].startswith("bien      Todavía no existe el archivo")
    assert lines[-1].startswith("problema  nowhere no es el identificador")


def test_without_a_platform_the_doctor_names_the_settings() -> None:
    (line,) = [line for line in printed_lines(code=1) if line.startswith("problem")]
    assert all(setting in line for setting in required_settings())


def test_a_place_is_examined_by_its_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch)
    assert printed_lines("#bar")[-1] == "ok        #bar is open."


@pytest.mark.parametrize("place", ["bar", "-100123", "@bar"])
def test_a_place_that_no_platform_knows_is_a_problem(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch)
    line = printed_lines(place, code=1)[-1]
    assert line.startswith(f"problem   {place} isn't the id of a chat.")


@pytest.mark.parametrize(
    ("place", "setting"),
    [("-100123", "TELEGRAM_TOKEN"), ("@bar", "TELEGRAM_TOKEN"), ("123456789012345678", "DISCORD_TOKEN")],
)
def test_a_place_whose_platform_is_not_set_names_the_setting(place: str, setting: str) -> None:
    assert printed_lines(place, code=1)[-1] == f"problem   {place} can't be examined without {setting}."


@pytest.mark.parametrize(
    ("name", "value", "lines"),
    [
        ("TAVERN_PORT", "99999", ["problem   TAVERN_PORT isn't valid. .env.example explains it."]),
        (
            "DISCORD_SHARDS",
            "foo",
            [
                (
                    "problem   DISCORD_SHARDS isn't valid (shards are written like 0-3/8). "
                    ".env.example explains it."
                )
            ],
        ),
        (
            "TELEGRAM_API_URL",
            "foo",
            [
                (
                    "problem   TELEGRAM_API_URL isn't valid (write an address like http://127.0.0.1:8081). "
                    ".env.example explains it."
                )
            ],
        ),
        *(
            (
                "TELEGRAM_WEBHOOK_URL",
                url,
                [
                    (
                        "problem   TELEGRAM_WEBHOOK_URL isn't valid (write an address like "
                        "https://cards.example/telegram). .env.example explains it."
                    )
                ],
            )
            for url in ("cards.example/telegram", "https://[cards/telegram", "https://", "x")
        ),
        ("SOBREMESA_LANGUAGE", "fr", ["problem   SOBREMESA_LANGUAGE isn't valid. .env.example explains it."]),
    ],
)
def test_an_invalid_setting_is_a_problem_and_the_rest_is_examined(
    name: str, value: str, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    told = printed_lines("#bar", code=1)
    assert told[: len(lines)] == lines
    assert told[len(lines)].startswith("ok        There is no database file")
    assert told[-1].startswith("problem   #bar isn't the id of a chat.")


def test_why_a_setting_is_invalid_is_told_in_spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_SHARDS", "foo")
    assert printed_lines(code=1, lang="es")[0].startswith("problema  DISCORD_SHARDS no es válido (los shards")


def test_a_file_of_settings_that_is_no_text_is_one_problem(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"SOBREMESA_NAME=\xff")
    problems = [line for line in printed_lines(code=1) if ".env" in line]
    assert problems[0] == "problem   The file .env isn't UTF-8 text. Save it as UTF-8."
    assert [line for line in problems[1:] if "UTF-8" in line] == []


@pytest.mark.parametrize("url", ["mysql://ana:hush@db/cards", "postgresql://ana:hush@db:port/cards"])
def test_an_address_that_no_store_has_is_a_problem(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch)
    monkeypatch.setenv("DATABASE_URL", url)
    assert printed_lines(code=1)[0].startswith("problem   DATABASE_URL isn't valid. Write the name of a file")


def test_a_platform_that_fails_shows_neither_its_token_nor_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(InnSettings):
        answer: tuple[Finding, ...] | Exception | None = RuntimeError("at hush")

    served(monkeypatch, Failing)
    line = printed_lines(code=1)[-1]
    assert line.startswith("problem   Inn couldn't be examined (RuntimeError, test_doctor.py:")
    assert "hush" not in line


def test_a_platform_that_does_not_answer_is_waited_for_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(InnSettings):
        answer: tuple[Finding, ...] | Exception | None = None

    served(monkeypatch, Silent)
    monkeypatch.setattr(doctor, "_EXAMINATION_TIMEOUT", 0.05)
    assert printed_lines(code=1)[-1].startswith("problem   Inn can't be reached (no answer within 0.05 s).")


def test_a_store_of_this_version_is_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served(monkeypatch)
    asyncio.run(_opened(tmp_path / "sobremesa.db"))
    assert printed_lines()[:2] == [
        "ok        The database answers, and its tables are up to date.",
        "ok        The database file isn't damaged.",
    ]


async def _opened(file: Path) -> None:
    await (await open_store(str(file))).close()


def test_a_store_of_an_older_version_is_a_warning_and_stays_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served(monkeypatch)
    revision_of(tmp_path / "sobremesa.db", "0003")
    for _ in range(2):
        assert printed_lines()[0].startswith("warning   The database is from an older version.")


def test_a_store_of_a_newer_version_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served(monkeypatch)
    asyncio.run(_opened(file := tmp_path / "sobremesa.db"))

    async def mark_newer() -> None:
        both = engines_at(str(file))
        await both.writes.transact(
            lambda connection: connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        )
        await both.close()

    asyncio.run(mark_newer())
    assert printed_lines(code=1)[0].startswith("problem   The database was last used by a newer version")


def test_an_empty_store_is_filled_by_the_first_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served(monkeypatch)
    (tmp_path / "sobremesa.db").touch()
    assert printed_lines()[0].startswith("ok        The database answers and has no tables yet.")


def test_a_file_that_is_no_store_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served(monkeypatch)
    (tmp_path / "sobremesa.db").write_text("nonsense " * 1000)
    file = tmp_path / "sobremesa.db"
    assert printed_lines(code=1)[0] == (
        f"problem   The database file {file} can't be used (it isn't a file of games). Change that, "
        "restore a backup, or set DATABASE_URL to another file."
    )
    assert printed_lines(code=1, lang="es")[0] == (
        f"problema  No se puede usar el archivo {file} de la base de datos (no es un archivo de partidas). "
        "Corrígelo, restaura una copia de seguridad o pon otro archivo en DATABASE_URL."
    )


def test_a_folder_in_the_place_of_a_store_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served(monkeypatch)
    (tmp_path / "sobremesa.db").mkdir()
    assert printed_lines(code=1)[0].startswith(
        f"problem   The database file {tmp_path / 'sobremesa.db'} can't be used (it is a folder)."
    )


def test_a_database_that_is_not_there_is_a_problem_and_its_address_a_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served(monkeypatch)
    monkeypatch.setenv("DATABASE_URL", "postgresql://ana:hush@127.0.0.1:1/cards")
    line = printed_lines(code=1)[0]
    assert line.startswith("problem   The database doesn't answer (nothing listens there).")
    assert "hush" not in line


def told_of(state: StoreState) -> list[str]:
    findings = [doctor._store_finding(state), *doctor._damage_findings(state)]
    return [f"{finding.severity}: {Speech('en')(finding.text)}" for finding in findings]


def test_a_file_that_cannot_be_made_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served(monkeypatch)
    (tmp_path / "file").touch()
    monkeypatch.setenv("DATABASE_URL", "file/tables.db")
    assert printed_lines(code=1)[0].startswith(
        f"problem   The database file {tmp_path / 'file' / 'tables.db'} can't be created (there is no such "
        "folder)."
    )


def test_a_file_that_was_moved_while_the_bot_runs_is_a_problem() -> None:
    (line,) = told_of(StoreState(missing=Path("/tables.db"), is_served=True))
    assert line.startswith("problem: The database file /tables.db was deleted or moved while the bot uses it")


def test_a_server_to_which_nothing_may_be_written_is_a_problem() -> None:
    (line,) = told_of(StoreState(read_only=True, ahead=0.0))
    assert line.startswith("problem: The database answers, but the bot may not write to it.")


@pytest.mark.parametrize(
    ("damage", "lines"),
    [
        (Damage(), ["ok: The database file isn't damaged."]),
        (
            Damage(is_complete=False),
            ["ok: No damage was found in the database file, but not all of it could be read in time."],
        ),
        (Damage(("entry", "seat"), games=1), ["and 1 table can't be read. The others go on."]),
        (Damage(("entry", "game"), games=1), ["where it holds tables. Restore a backup."]),
        (
            Damage(("entry", "panel"), games=1),
            ["and 1 table can't be read.", "where it holds tables. Restore"],
        ),
        (
            Damage(("entry", "tally", "person"), games=2),
            ["and 2 tables can't be read. The others go on.", "where it holds results and players. Restore"],
        ),
        (Damage(("game", "lease"), is_complete=False), ["where it holds tables and processes. Restore"]),
    ],
)
def test_the_loss_from_damaged_pages_is_told(damage: Damage, lines: list[str]) -> None:
    state = StoreState(tables="current", file=Path("/tables.db"), damage=damage)
    told = told_of(state)[1:]
    assert len(told) == len(lines)
    assert all(words in line for words, line in zip(lines, told, strict=True))


def test_all_tables_of_the_database_have_words() -> None:
    named = [name for _, names in doctor._TABLE_NAMES for name in names]
    assert sorted(named) == sorted([*TABLES, "alembic_version"])


def test_a_file_of_settings_that_may_not_be_read_is_one_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served(monkeypatch)
    (tmp_path / ".env").write_text("SOBREMESA_NAME=Ana")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr("pydantic_settings.sources.providers.dotenv.dotenv_values", refuse)
    told = [line for line in printed_lines(code=1) if ".env" in line]
    assert told == ["problem   The bot may not read the file .env. Give it the right to."]
    result = CliRunner().invoke(cli.app, ["run"])
    assert (result.exit_code, "may not read the file .env" in result.output) == (2, True)


async def test_a_missing_file_is_not_made(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "tables.db"
    assert await examine_store(str(file), lambda: 0.0) == StoreState(missing=file)
    assert not file.parent.exists()


@pytest.mark.parametrize(
    ("ahead", "severity"),
    [(0.0, "ok"), (2.0, "ok"), (-2.1, "warning"), (4.9, "warning"), (5.0, "problem"), (-900.0, "problem")],
)
def test_a_clock_is_judged_by_its_distance(ahead: float, severity: str) -> None:
    assert clock_finding(ahead, "the moon").severity == severity


def test_the_port_of_the_monitor_is_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("SOBREMESA_MONITOR_PORT", str(port))
        assert printed_lines()[1].startswith(f"warning   A program already listens at 127.0.0.1:{port}.")


def test_an_address_that_is_not_of_this_machine_is_a_problem() -> None:
    severity, text = finding.port_finding("203.0.113.1", 8080)
    assert severity == "problem"
    assert "(this machine has no such address)" in Speech("en")(text)


async def test_every_finding_is_yielded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Settings.model_validate({"database_url": "sobremesa.db"})
    found = [one async for one in doctor.examine(given, [InnSettings()], ["#a", "#b"])]
    assert [one.severity for one in found] == ["ok"] * 4
