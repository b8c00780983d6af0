"""run.py: what it does with its arguments, when it makes .venv again, and what the lock files contain."""

import ast
import hashlib
import os
import re
import runpy
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

import run

SOURCE = Path(run.__file__)
PIN = re.compile(r"^(\S+==\S+(?: ;.*)?) \\$", re.MULTILINE)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Returns a checkout with two locks, to play and to test, and a .venv with a Python but no stamp."""
    (tmp_path / run.PLAY_LOCK).write_text("rich==1\n")
    (tmp_path / run.TEST_LOCK).write_text("rich==1\npytest==9\n")
    run.venv_python(tmp_path).parent.mkdir(parents=True)
    run.venv_python(tmp_path).symlink_to(sys.executable)
    return tmp_path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Lists the calls that main() makes; none of them has an effect."""
    seen: list[tuple[object, ...]] = []

    def note(name: str, root: Path, argument: object) -> int:
        seen.append((name, argument))
        return 0

    for name in ("set_up", "play", "check"):
        monkeypatch.setattr(run, name, partial(note, name))
    return seen


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lists the steps of a set-up; none of them makes or installs anything."""
    seen: list[str] = []
    monkeypatch.setattr(run, "make_venv", lambda _: seen.append("venv"))
    monkeypatch.setattr(run, "install", lambda _, lock: seen.append(lock))
    return seen


@pytest.mark.parametrize(
    "words", [[], ["play"], ["simulate", "casino", "--players", "3"], ["--help"], ["play", "test"]]
)
def test_words_go_to_the_program_unchanged(words: list[str], calls: list[tuple[object, ...]]) -> None:
    assert run.main(words) == 0
    assert calls == [("set_up", run.PLAY_LOCK), ("play", words)]


def test_the_word_test_runs_the_checks(calls: list[tuple[object, ...]]) -> None:
    assert run.main(["test", "-k", "casino"]) == 0
    assert calls == [("set_up", run.TEST_LOCK), ("check", ["-k", "casino"])]


@pytest.mark.parametrize("error", [run.SetUpError("no pip here"), PermissionError("not yours")])
def test_a_failed_set_up_is_told_in_one_line(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(root: Path, lock: str) -> None:
        raise error

    monkeypatch.setattr(run, "set_up", fail)
    assert run.main(["play"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(error) in err


def test_an_older_python_is_told_that_it_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 14, "final", 0))
    monkeypatch.setenv("SOBREMESA_LANGUAGE", "en")
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, and this is Python 3\.10"):
        runpy.run_path(str(SOURCE))


@pytest.mark.parametrize(
    ("variables", "is_spanish"),
    [
        ({"LANG": "es_MX.UTF-8"}, True),
        ({"SOBREMESA_LANGUAGE": "es", "LC_ALL": "C.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "es_ES.UTF-8"}, False),
        ({"LC_ALL": "", "LANG": "es_ES.UTF-8"}, True),
        ({}, False),
    ],
)
def test_the_set_up_speaks_the_language_of_the_environment(
    variables: Mapping[str, str], is_spanish: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SOBREMESA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert run.said(run.DONE, seconds=2) == ("… listo en 2 s." if is_spanish else "… done in 2 s.")


def test_every_sentence_of_the_set_up_is_also_in_spanish() -> None:
    for english, spanish in run.SPANISH.items():
        assert english != spanish
        assert re.findall(r"\{\w*\}", english) == re.findall(r"\{\w*\}", spanish)
    spoken = set(re.findall(r"said\((\w+)[,)]", SOURCE.read_text("utf-8")))
    assert {getattr(run, name) for name in spoken} == set(run.SPANISH)


def test_an_older_python_can_parse_the_whole_file() -> None:
    ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_run_needs_the_standard_library_only() -> None:
    nodes = list(ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8"))))
    imported = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert "hashlib" in imported
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_the_program_is_safe_from_files_of_the_players_folder(checkout: Path) -> None:
    command = run.program(checkout, ["play", "casino"])
    assert command == [str(run.venv_python(checkout)), "-P", "-m", "adapters", "play", "casino"]


@pytest.mark.parametrize(("before", "extra"), [(None, ""), ("", ""), ("/mine", os.pathsep + "/mine")])
def test_the_checkout_comes_first_on_the_path(
    before: str | None, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if before is not None:
        monkeypatch.setenv("PYTHONPATH", before)
    assert run.environment(Path("/checkout"))["PYTHONPATH"] == f"{Path('/checkout')}{extra}"


def test_help_texts_name_run_py_by_the_path_that_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["games/run.py", "play"])
    assert run.environment(Path("/checkout"))["SOBREMESA_COMMAND"] == "python3 games/run.py"


def test_uv_gets_pips_index_and_pip_ignores_the_users_user_option() -> None:
    env = run.installers({"PIP_INDEX_URL": "mirror", "PIP_USER": "1", "PIP_PROXY": "proxy"})
    assert (env["UV_DEFAULT_INDEX"], env["PIP_USER"], env["PIP_PROXY"]) == ("mirror", "0", "proxy")


def test_uvs_own_settings_are_kept() -> None:
    env = run.installers({"PIP_INDEX_URL": "mirror", "UV_DEFAULT_INDEX": "own", "UV_SYSTEM_CERTS": "false"})
    assert (env["UV_DEFAULT_INDEX"], env["UV_SYSTEM_CERTS"]) == ("own", "false")


def test_what_was_set_up_is_ready(checkout: Path, steps: list[str]) -> None:
    run.set_up(checkout, run.PLAY_LOCK)
    assert steps == ["venv", run.PLAY_LOCK]
    assert run.ready(checkout, run.PLAY_LOCK)
    assert not run.ready(checkout, run.TEST_LOCK)


def test_a_second_start_does_nothing(
    checkout: Path, steps: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run.write_stamp(checkout, [run.PLAY_LOCK])
    run.set_up(checkout, run.PLAY_LOCK)
    assert steps == []
    assert capsys.readouterr() == ("", "")
    assert not (checkout / ".venv.lock").exists(), "it waits for others"


def test_who_can_test_can_play(checkout: Path, steps: list[str]) -> None:
    run.set_up(checkout, run.TEST_LOCK)
    run.set_up(checkout, run.PLAY_LOCK)
    assert steps == ["venv", run.TEST_LOCK]


def test_a_changed_lock_is_installed_over_the_old_one(checkout: Path, steps: list[str]) -> None:
    run.write_stamp(checkout, [run.PLAY_LOCK])
    (checkout / run.PLAY_LOCK).write_text("rich==2\n")
    run.set_up(checkout, run.PLAY_LOCK)
    assert steps == [run.PLAY_LOCK]


def test_playing_after_the_locks_changed_leaves_the_tests_to_be_set_up(
    checkout: Path, steps: list[str]
) -> None:
    run.write_stamp(checkout, [run.PLAY_LOCK, run.TEST_LOCK])
    (checkout / run.PLAY_LOCK).write_text("rich==2\n")
    run.set_up(checkout, run.PLAY_LOCK)
    assert not run.ready(checkout, run.TEST_LOCK)


def test_a_venv_without_a_stamp_is_made_anew(checkout: Path, steps: list[str]) -> None:
    run.set_up(checkout, run.PLAY_LOCK)
    assert steps[0] == "venv"


def test_a_venv_whose_python_is_gone_is_made_anew(checkout: Path, steps: list[str]) -> None:
    run.venv_python(checkout).unlink()
    run.venv_python(checkout).symlink_to(checkout / "gone")
    run.write_stamp(checkout, [run.PLAY_LOCK])
    run.set_up(checkout, run.PLAY_LOCK)
    assert steps[0] == "venv"


def test_a_venv_of_another_python_is_made_anew(
    checkout: Path, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.write_stamp(checkout, [run.PLAY_LOCK])
    monkeypatch.setattr(sysconfig, "get_platform", lambda: "another machine")
    run.set_up(checkout, run.PLAY_LOCK)
    assert steps[0] == "venv"


def test_a_failed_set_up_leaves_no_stamp(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(root: Path, lock: str) -> None:
        raise run.SetUpError

    monkeypatch.setattr(run, "install", fail)
    run.write_stamp(checkout, [run.PLAY_LOCK])
    with pytest.raises(run.SetUpError):
        run.make(checkout, run.TEST_LOCK)
    assert run.read_stamp(checkout) == []


def test_one_at_a_time_changes_the_venv(checkout: Path) -> None:
    with (checkout / ".venv.lock").open("w") as mine:
        with run.alone(checkout):
            assert not run.take(mine.fileno())
        assert run.take(mine.fileno())


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Lists the commands of the checks; mypy and pytest fail."""
    seen: list[tuple[str, ...]] = []

    def fake(root: Path, command: Sequence[str], *arguments: str) -> int:
        seen.append((*command, *arguments))
        return {"mypy": 2, "pytest": 1}.get(command[1], 0)

    monkeypatch.setattr(run, "python", fake)
    return seen


def test_every_check_runs_after_a_failure(
    commands: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.check(Path(), []) == 1
    assert commands == [*(command for _, command in run.CHECKS), run.WHOLE_SUITE]
    outcomes = re.findall(r"── (.+): (passed|failed, exit code \d)", capsys.readouterr().out)
    assert outcomes == [
        ("ruff check", "passed"),
        ("ruff format", "passed"),
        ("mypy", "failed, exit code 2"),
        ("lint-imports", "passed"),
    ]


def test_arguments_run_the_tests_alone(commands: list[tuple[str, ...]]) -> None:
    assert run.check(Path(), ["-k", "casino"]) == 1
    assert commands == [("-m", "pytest", "-k", "casino")]


def test_a_failed_check_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "python", lambda root, command, *_: int("mypy" in command))
    assert run.check(Path(), []) == 1


def pins(lock: str) -> set[str]:
    """Returns the packages that a lock pins, with versions and markers."""
    return set(PIN.findall((run.ROOT / lock).read_text(encoding="utf-8")))


def test_the_tests_lock_adds_to_the_one_for_playing() -> None:
    assert pins(run.PLAY_LOCK)
    assert pins(run.PLAY_LOCK) < pins(run.TEST_LOCK)


@pytest.mark.parametrize("lock", [run.PLAY_LOCK, run.TEST_LOCK, run.UV_LOCK])
def test_a_lock_is_pins_and_hashes_and_names_no_host(lock: str) -> None:
    lines = (run.ROOT / lock).read_text(encoding="utf-8").splitlines()
    hashed = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")
    assert [line for line in lines if not PIN.match(line) and not hashed.fullmatch(line)] == []


@pytest.fixture
def installs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Lists the commands of an installation; none of them is run, and all succeed."""
    seen: list[tuple[str, ...]] = []

    def succeed(root: Path, command: Sequence[str], *, quiet: bool = False, **variables: str) -> bool:
        seen.append(tuple(command))
        return True

    monkeypatch.setattr(run, "succeeds", succeed)
    return seen


def test_uv_is_fetched_by_hash_alone(checkout: Path, installs: list[tuple[str, ...]]) -> None:
    (checkout / run.UV_LOCK).write_bytes((run.ROOT / run.UV_LOCK).read_bytes())
    assert run.install_with_uv(checkout, ["pip"], "python", ["rich"])
    fetch = installs[0]
    assert "--require-hashes" in fetch
    assert fetch[-2:] == ("--requirement", str(checkout / run.UV_LOCK))
    assert [word for word in fetch if "==" in word] == [], "only the lock names what is fetched"


def test_a_uv_that_is_there_already_is_not_fetched_again(
    checkout: Path, installs: list[tuple[str, ...]]
) -> None:
    (checkout / run.UV_LOCK).write_text("uv==1.2.3 \\\n    --hash=sha256:0\n")
    (checkout / ".venv" / "tools" / "uv-1.2.3.dist-info").mkdir(parents=True)
    assert run.install_with_uv(checkout, ["pip"], "python", ["rich"])
    # The only command is `python -m uv pip install …`.
    assert [command[2] for command in installs] == ["uv"]


def test_the_lock_of_uv_pins_nothing_else() -> None:
    assert [pin.partition("==")[0] for pin in pins(run.UV_LOCK)] == ["uv"]


def wheel(folder: Path) -> str:
    """Writes a wheel of a uv that does nothing; returns its SHA-256."""
    file = folder / "uv-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("uv/__init__.py", "")
        packed.writestr("uv/__main__.py", "")
        packed.writestr("uv-1.2.3.dist-info/METADATA", "Metadata-Version: 2.1\nName: uv\nVersion: 1.2.3\n")
        packed.writestr("uv-1.2.3.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr("uv-1.2.3.dist-info/RECORD", "")
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.real
@pytest.mark.parametrize("genuine", [True, False])
def test_only_a_uv_of_the_locked_hash_is_installed(
    genuine: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = wheel(tmp_path) if genuine else hashlib.sha256(wheel(tmp_path).encode()).hexdigest()
    (tmp_path / run.UV_LOCK).write_text(f"uv==1.2.3 \\\n    --hash=sha256:{digest}\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    run.make_venv(tmp_path)
    target = str(run.venv_python(tmp_path))
    assert run.install_with_uv(tmp_path, run.find_pip(tmp_path), target, []) == genuine
    assert (tmp_path / ".venv" / "tools" / "uv").exists() == genuine


@pytest.mark.real
def test_the_program_gets_stdin_folder_and_words_and_gives_its_exit_code(tmp_path: Path) -> None:
    root, folder = tmp_path / "a checkout", tmp_path / "elsewhere"
    (root / "adapters").mkdir(parents=True)
    folder.mkdir()
    # The program imports typing: it would end here if it imported from the player's folder.
    (folder / "typing.py").write_text("raise SystemExit('a file of the player')")
    (root / "run.py").write_bytes(SOURCE.read_bytes())
    (root / run.PLAY_LOCK).touch()
    (root / "adapters" / "__init__.py").touch()
    (root / "adapters" / "__main__.py").write_text(
        "import os, sys, typing; print(sys.argv[1:], os.path.basename(os.getcwd()), input()); sys.exit(7)"
    )
    run.make_venv(root)
    run.write_stamp(root, [run.PLAY_LOCK])
    command = [sys.executable, str(root / "run.py"), "play", "--seed", "two words"]
    done = subprocess.run(command, cwd=folder, input="hola\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (7, "")
    assert done.stdout == "['play', '--seed', 'two words'] elsewhere hola\n"
