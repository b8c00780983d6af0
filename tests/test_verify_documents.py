"""docs/verify.md and docs/verify.html check a deal without our code: both are run here on the test vectors.

The page is run with node and in headless Chromium, each only on a machine that has it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bot.replays.checks import findings
from bot.replays.frames import game_seed
from bot.replays.game_file import BYTES, FORMAT, MOST_STEPS, VERSION, GameFile, RecordedStep, read, written
from bot.tables.log.commitment import canonical
from tests.bot.replays.make_vectors import VECTORS
from tests.words import ROOT

DOCUMENT, PAGE = ROOT / "docs" / "verify.md", ROOT / "docs" / "verify.html"
PATHS = sorted(VECTORS.glob("*.json"))
DEALT = [path for path in PATHS if read(path.read_bytes()).line]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell")
"""The names under which Chromium is installed."""
PATIENCE = 60
"""The seconds that node or Chromium may take."""


def program() -> str:
    """The Python of the document."""
    return "\n".join(re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL))


def forged() -> Iterator[tuple[str, bytes]]:
    """Vectors in each of which one thing about the deal was changed, each after its name."""
    for path in DEALT:
        whole = json.loads(path.read_bytes())
        yield f"{path.stem}: id", _with(whole, id="0123456789")
        yield f"{path.stem}: options", _with(whole, options={**whole["options"], "other": "on"})
        cut = [{**whole["seats"][0], "cuts": ["other"]}, *whole["seats"][1:]]
        yield f"{path.stem}: cuts", _with(whole, seats=cut)
        if whole["seed"]:
            yield f"{path.stem}: seed", _with(whole, seed="0" * 64)
            yield f"{path.stem}: fingerprint", _with(whole, commitment="0" * 64)
            line = json.dumps(json.loads(whole["line"]))
            yield f"{path.stem}: blanks in the line", _with(whole, line=line)
        position = whole["position"]
        if position.get("hands"):
            first, second, *rest = position["hands"]
            hands = [[second[0], *first[1:]], [first[0], *second[1:]], *rest]
            yield f"{path.stem}: hands", _with(whole, position={**position, "hands": hands})
        if len(position.get("stock", ())) > 1:
            one, two, *more = position["stock"]
            yield f"{path.stem}: stock", _with(whole, position={**position, "stock": [two, one, *more]})
        who = "dealer" if "dealer" in position else "turn"
        yield f"{path.stem}: start", _with(whole, position={**position, who: 1 - min(position[who], 1)})


def _with(whole: Mapping[str, Any], **members: Any) -> bytes:
    return json.dumps({**whole, **members}).encode()


def run_program(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the document's Python prints about a file. Raises what it raises."""
    monkeypatch.setattr(sys, "argv", ["check.py", str(path)])
    out = StringIO()
    with redirect_stdout(out):
        exec(compile(program(), "check.py", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def test_the_document_has_a_check_in_about_thirty_lines() -> None:
    first, *_ = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert 20 < len([line for line in first.splitlines() if line.strip()]) <= 34
    assert not re.search(r"import.*(bot|engines|adapters)", program())


@pytest.mark.parametrize("path", DEALT, ids=lambda path: path.stem)
def test_the_program_of_the_document_proves_a_vector(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = read(path.read_bytes())
    printed = run_program(path, monkeypatch)
    assert str(file.commitment) in printed
    for hand in (file.position or {}).get("hands", ()):
        assert set(hand) <= set(printed.split())


def test_the_program_of_the_document_finds_what_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "forged.json"
    for name, content in forged():
        path.write_bytes(content)
        try:
            run_program(path, monkeypatch)
        except AssertionError:
            continue
        pytest.fail(name)


def without_words() -> bytes:
    """A vector without the words of its cut, as after the player who cut was forgotten."""
    whole = json.loads((VECTORS / "casino-cuts.json").read_bytes())
    seed = game_seed(read((VECTORS / "casino-cuts.json").read_bytes())).hex()
    seats = [{**seat, "cuts": ["" for _ in seat["cuts"]]} for seat in whole["seats"]]
    line = json.loads(whole["line"])
    line["seats"] = [{**seat, "cuts": ["" for _ in seat["cuts"]]} for seat in line["seats"]]
    return _with(whole, seats=seats, line=canonical(line), game_seed=seed)


def test_without_the_words_of_a_cut_ours_checks_the_rest_and_the_documents_program_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list(findings(read(without_words())))
    assert [one.verdict for one in found] == ["ok", "open", "ok", "ok", "ok"]
    path = tmp_path / "forgotten.json"
    path.write_bytes(without_words())
    with pytest.raises(AssertionError, match="nothing to check"):
        run_program(path, monkeypatch)


def test_the_document_states_every_member_and_bound() -> None:
    text = DOCUMENT.read_text("utf-8")
    for kind in (GameFile, RecordedStep):
        assert all(f"`{name}`" in text for name in kind.__struct_fields__ if name != "clock"), kind
    assert f'`"{FORMAT}"`, `{VERSION}`' in text
    assert f"{BYTES >> 20} MB" in text
    assert f"{MOST_STEPS:,} steps" in text


def test_the_page_asks_for_nothing_from_the_network() -> None:
    page = PAGE.read_text("utf-8")
    assert "default-src 'none'" in page
    assert not re.findall(
        r"https?://|<link|<img|\bsrc=|\bimport\b|\bfetch\(|XMLHttpRequest|crypto\.subtle", page
    )


def test_the_page_says_everything_in_both_languages() -> None:
    page = PAGE.read_text("utf-8")
    assert page.count("data-en=") == page.count("data-es=") > 2


def checks_of_node(texts: list[str]) -> list[list[dict[str, str]]]:
    """What the page's script finds in some files, run with node."""
    script = re.search(r'<script id="check">(.*?)</script>', PAGE.read_text("utf-8"), re.DOTALL)
    assert script
    run = 'process.stdout.write(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(check)))'
    node = shutil.which("node")
    assert node
    done = subprocess.run(
        [node, "-e", f"{script[1]}\n{run}"],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    found: list[list[dict[str, str]]] = json.loads(done.stdout)
    return found


needs_node = pytest.mark.skipif(not shutil.which("node"), reason="no node on this machine: page not run")


@needs_node
def test_the_page_proves_every_vector() -> None:
    for path, found in zip(PATHS, checks_of_node([path.read_text("utf-8") for path in PATHS]), strict=True):
        file = read(path.read_bytes())
        assert {one["verdict"] for one in found} == {"ok"}, path.stem
        shown = "\n".join(one["en"] for one in found)
        assert (file.commitment or file.words or "") in shown
        assert all(words in shown for seat in file.seats for words in seat.cuts)
        for hand in (file.position or {}).get("hands", ()):
            cards = [card.translate(str.maketrans("SHDC", "♠♥♦♣")) for card in hand]
            assert set(cards) <= set(shown.split())


@needs_node
def test_the_page_says_what_is_open() -> None:
    (found,) = checks_of_node([without_words().decode()])
    assert [one["verdict"] for one in found] == ["ok", "open", "ok", "ok", "ok", "ok", "ok", "ok", "ok"]


@needs_node
def test_the_page_finds_what_was_changed() -> None:
    names, contents = zip(*forged(), strict=True)
    for name, found in zip(names, checks_of_node([content.decode() for content in contents]), strict=True):
        assert found[-1]["verdict"] == "wrong", name


@needs_node
def test_the_page_answers_whatever_it_is_given() -> None:
    texts = ["", "[]", "null", "[" * 50_000, '{"format": "sobremesa game", "version": 1}', "\0"]
    for path in PATHS:
        whole = json.loads(path.read_bytes())
        for member in whole:
            for junk in (None, 1, "x", [], {}, [None] * 3, {"dealer": "x"}):
                texts.append(json.dumps({**whole, member: junk}))
    # Members that the page ignores may hold anything, so this asserts only that it answers.
    assert all(found for found in checks_of_node(texts))


def browser() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.mark.real
@pytest.mark.skipif(not browser(), reason="no Chromium on this machine: the page was not shown in one")
def test_chromium_shows_the_page_from_a_file(tmp_path: Path) -> None:
    vector = (VECTORS / "casino-cuts.json").read_text("utf-8")
    # As if the file had been dropped on the page.
    step = f"choose(new File([{json.dumps(vector)}], 'game.json'));"
    page = PAGE.read_text("utf-8").replace("</html>", f"<script>{step}</script></html>")
    (tmp_path / "verify.html").write_text(page, "utf-8")
    shown = _dumped(tmp_path / "verify.html", tmp_path)
    assert 'class="ok"' in shown
    assert 'class="wrong"' not in shown
    assert "two words" in shown
    assert "It stays on your computer" in shown


def _dumped(page: Path, folder: Path) -> str:
    """The page as Chromium shows it, opened from a file without the network."""
    words = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--lang=en",
        "--virtual-time-budget=2000",
        f"--user-data-dir={folder / 'profile'}",
    )
    chromium = browser()
    assert chromium
    done = subprocess.run(
        [chromium, *words, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=PATIENCE
    )
    return done.stdout


def test_a_file_is_written_as_the_document_says() -> None:
    for path in PATHS:
        assert written(read(path.read_bytes())) == path.read_bytes()
