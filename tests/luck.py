"""Luck in tests: every draw follows from a name, the test's, and from the setting ``SOBREMESA_TEST_SEED``.

Within `of`, the system's entropy is a stream that follows from the name, and with it whatever draws on it:
``secrets``, ``uuid``, ``random`` and ``random.Random()`` without a seed.
"""

from __future__ import annotations

import hashlib
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

import hypothesis
from hypothesis.internal.constants_ast import Constants

SETTING = "SOBREMESA_TEST_SEED"
_seed_generator = random.Random.seed


class ThreadError(RuntimeError):
    """A thread draws luck: which thread draws first would be chance, so it must be handed a generator."""


def shift() -> str:
    """The value of the setting; each gives every test other luck."""
    return os.environ.get(SETTING) or "0"


def seed(*names: object) -> int:
    """A seed of 64 bits that follows from the setting and these names."""
    spelled = "\0".join(map(str, (shift(), *names)))
    return int.from_bytes(hashlib.sha256(spelled.encode()).digest()[:8], "big")


def shared(*names: object) -> random.Random:
    """A generator for what several tests share: it follows from the setting and these names alone."""
    return random.Random(seed(*names))


def name(*names: object) -> str:
    """The name of something of the running test's own."""
    return "\0".join(map(str, (*_running[-1:], *names)))


def rng(*names: object) -> random.Random:
    """A generator of the running test's own; with names, one of several."""
    return shared(name(*names))


_running: list[str] = []
"""The names within whose luck this process is, the innermost last."""


@contextmanager
def of(name: str) -> Iterator[None]:
    """Makes every draw in this process follow from a name."""
    stream, kept = shared(name, "entropy"), random.getstate()

    def entropy(size: int) -> bytes:
        if threading.current_thread() is not threading.main_thread():
            raise ThreadError
        return stream.randbytes(size)

    def seed_generator(self: random.Random, a: int | str | bytes | None = None, version: int = 2) -> None:
        _seed_generator(self, entropy(32) if a is None else a, version)

    with (
        mock.patch("os.urandom", entropy),
        mock.patch("random._urandom", entropy),
        mock.patch.object(random.Random, "seed", seed_generator),
        mock.patch("random.seed", lambda *given: seed_generator(_module, *given)),
        # Hypothesis also tries constants of the modules imported so far: other ones after other tests.
        mock.patch("hypothesis.internal.conjecture.providers._get_local_constants", Constants),
    ):
        random.seed()
        _running.append(name)
        try:
            yield
        finally:
            _running.pop()
            random.setstate(kept)


_module: random.Random = random._inst
"""The generator behind the functions of the module ``random``."""


def choose_examples(test: Callable[..., object], name: str) -> None:
    """Makes the examples that hypothesis tries in a test follow from a name."""
    if hasattr(test, "hypothesis"):
        hypothesis.seed(seed(name))(test)
