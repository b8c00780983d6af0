"""The wheel has every file, and once installed it plays without the checkout in an empty home folder."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from adapters.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engines", "bot", "adapters")

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the wheel, built as an installer does but with the libraries that are installed."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-P", "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*build, "--directory", folder], cwd=ROOT, check=True, timeout=100)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the program `sobremesa` of an environment into which only the wheel was installed.

    The libraries are those of the tests, behind the wheel on the path, so that no network is needed.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name == "posix")
    paths = sysconfig.get_paths(scheme="venv", vars={"base": str(folder), "platbase": str(folder)})
    libraries = sysconfig.get_path("purelib")
    (Path(paths["purelib"]) / "libraries.pth").write_text(libraries, encoding="utf-8")
    python = Path(paths["scripts"]) / "python"
    subprocess.run([python, "-P", "-m", "installer", wheel], env=bare(), check=True, timeout=100)
    return Path(paths["scripts"]) / "sobremesa"


def bare(**variables: str) -> dict[str, str]:
    """Returns environment variables without paths of the checkout or settings of the developer."""
    return {"PATH": os.defpath, "PYTHONWARNINGS": "error", **variables}


def spanish_sentences() -> set[str]:
    """Returns the adapters' translations without placeholders, which appear on the screen unchanged."""
    found = set()
    for path in ROOT.glob("adapters/**/locale/es.po"):
        with path.open("rb") as file:
            catalogue = read_po(file, locale="es")
        plain = (message.string for message in catalogue if message.id and message.id != message.string)
        found |= {text for text in plain if isinstance(text, str) and text and "{" not in text}
    return found


def test_the_wheel_holds_every_module_translation_and_rule_book(wheel: Path) -> None:
    here = [path for package in PACKAGES for path in (ROOT / package).rglob("*.*") if path.is_file()]
    # Other tests may be writing bytecode meanwhile.
    wanted = {path.relative_to(ROOT).as_posix() for path in here if path.parent.name != "__pycache__"}
    assert {Path(name).name for name in wanted} >= {"es.po", "RULES.md", "RULES.es.md", "cli.py", "tables.py"}
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == wanted


def test_the_wheel_says_what_it_is_and_under_which_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = zipfile.Path(archive) / f"{wheel.name.partition('-py3')[0]}.dist-info"
        metadata = (about / "METADATA").read_text(encoding="utf-8").splitlines()
        assert (about / "licenses" / "LICENSE").is_file()
    assert {
        "Name: sobremesa",
        f"Version: {VERSION}",
        "License-Expression: MIT",
        "Requires-Python: >=3.11",
    } <= set(metadata)


@pytest.mark.parametrize("typed", ["1\nquit\n", "quit\n", ""])
def test_the_installed_program_plays_casino_in_spanish(typed: str, program: Path, tmp_path: Path) -> None:
    command = [str(program), "play", "casino", "--plain", "--lang", "es", "--seed", "x"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=bare(HOME=str(tmp_path)),
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert [text for text in spanish_sentences() if text in done.stdout]
    assert list(tmp_path.iterdir()) == []
