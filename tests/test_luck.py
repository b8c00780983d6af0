"""Random numbers in a test follow from its name, and change with the setting."""

from __future__ import annotations

import ast
import random
import secrets
import subprocess
import sys
import threading
import uuid
from pathlib import Path
from typing import TypeGuard

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.shared.clock import AsyncioClock
from tests import luck

TESTS = Path(__file__).parent


def draws() -> list[object]:
    """One random value from every source."""
    own = random.Random(1)
    own.seed()
    return [
        luck.rng().random(),
        luck.rng("one of several").random(),
        secrets.token_bytes(8),
        secrets.token_hex(8),
        secrets.randbelow(2**64),
        uuid.uuid4(),
        random.Random().random(),
        random.Random(None).random(),
        random.SystemRandom().random(),
        random.random(),
        own.random(),
    ]


def drawn(name: str) -> list[object]:
    with luck.of(name):
        return draws()


def examples(name: str) -> list[int]:
    """The examples that hypothesis tries in a test of this name."""
    tried = []

    @given(st.integers())
    def trial(number: int) -> None:
        tried.append(number)

    luck.choose_examples(trial, name)
    with luck.of(name):
        trial()
    return tried


def test_luck_follows_from_the_name() -> None:
    assert drawn("a test") == drawn("a test")
    assert examples("a test") == examples("a test")
    assert luck.shared("a", 1).random() == luck.shared("a", 1).random()


def test_another_name_has_other_luck_from_every_source() -> None:
    for one, other in zip(drawn("a test"), drawn("another test"), strict=True):
        assert one != other
    assert examples("a test") != examples("another test")
    assert luck.shared("a", 1).random() != luck.shared("a", 2).random()


def test_the_setting_shifts_every_source(monkeypatch: pytest.MonkeyPatch) -> None:
    before, tried, number = drawn("a test"), examples("a test"), luck.shared("a").random()
    monkeypatch.setenv(luck.SETTING, f"{luck.shift()} and on")
    for one, other in zip(before, drawn("a test"), strict=True):
        assert one != other
    assert examples("a test") != tried
    assert luck.shared("a").random() != number


def test_every_test_has_the_luck_of_its_name(request: pytest.FixtureRequest) -> None:
    assert draws() == drawn(request.node.nodeid)


@given(st.integers())
def test_hypothesis_has_the_luck_of_the_test(number: int) -> None:
    name = "tests/test_luck.py::test_hypothesis_has_the_luck_of_the_test"
    assert vars(test_hypothesis_has_the_luck_of_the_test)["_hypothesis_internal_use_seed"] == luck.seed(name)


def test_the_luck_of_a_test_ends_with_it() -> None:
    outside = random.getstate()
    drawn("a test")
    assert random.getstate() == outside


def test_a_thread_that_draws_without_a_generator_of_its_own_fails() -> None:
    raised: list[Exception] = []

    def draw() -> None:
        try:
            secrets.token_hex(8)
        except luck.ThreadError as error:
            raised.append(error)

    with luck.of("a test"):
        thread = threading.Thread(target=draw)
        thread.start()
        thread.join()
    assert len(raised) == 1


def test_time_is_invented_but_in_real_tests() -> None:
    clock = AsyncioClock()
    assert (clock.now(), clock.now()) == (1_000_000_000.0, 1_000_000_001.0)


async def test_a_wait_in_real_time_is_an_error() -> None:
    with pytest.raises(AssertionError, match="real"):
        await AsyncioClock().sleep(0.001)


PROCESSES = {"crash", "fleet.py"}
"""The folder and the module, beside those of real tests, that may sleep: they run bots in other processes."""


def test_no_test_sleeps_but_real_ones() -> None:
    """Files without tests of real processes and sockets call `asyncio.sleep` only with 0."""
    sources = {path: path.read_text("utf-8") for path in sorted(TESTS.rglob("*.py"))}
    asleep = [
        f"{path.relative_to(TESTS)}:{call.lineno}"
        for path, source in sources.items()
        if "sleep" in source and "pytest.mark.real" not in source
        if not PROCESSES & {path.name, path.parent.name}
        for call in filter(is_sleep, ast.walk(ast.parse(source)))
        if ast.unparse(call.args[0]) != "0"
    ]
    assert asleep == []


FIXED = {
    "adapters/terminal/test_app.py",
    "bot/pages/test_analysis_page.py",
    "bot/pages/test_table_page.py",
    "bot/table_service/test_computers.py",
    "test_luck.py",
    "test_ratings.py",
}
"""The files that need particular luck: for golden files, figures in documents, or the seed of a query.

`test_luck.py` seeds a generator only to seed it again.
"""


def test_no_test_has_fixed_luck_but_where_a_deal_is_meant() -> None:
    """Other files draw from `luck.rng`, or from a generator whose seed is an argument."""
    seeded = {
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if "Random" in (source := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Random", "random.Random")
        if any(isinstance(argument, ast.Constant) for argument in node.args)
    }
    assert seeded == FIXED


def is_sleep(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "asyncio.sleep"


@pytest.mark.real
def test_sets_have_the_same_order_in_every_process() -> None:
    printed = subprocess.check_output([sys.executable, "-c", "print(hash('a name'))"], text=True)
    assert int(printed) == hash("a name")
