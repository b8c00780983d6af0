"""Makes random numbers in tests reproducible: they follow from the test's name and a setting.

The setting is the environment variable ``SOBREMESA_TEST_SEED``. Within `of`, generators seeded with the
name replace the system's entropy and ``uuid.uuid4``; so ``secrets``, ``random`` and ``random.Random()``
without a seed are reproducible too.
"""

from __future__ import annotations

import hashlib
import os
import random
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

import hypothesis
from hypothesis.internal.constants_ast import Constants

SETTING = "SOBREMESA_TEST_SEED"
_unpatched_seed = random.Random.seed


class ThreadError(RuntimeError):
    """A thread other than the main one asks for entropy; pass it a generator, since threads have no order."""


def shift() -> str:
    """The value of the setting, by default 0; each value gives every test other random numbers."""
    return os.environ.get(SETTING) or "0"


def seed(*names: object) -> int:
    """A seed of 64 bits that follows from the setting and these names."""
    spelled = "\0".join(map(str, (shift(), *names)))
    return int.from_bytes(hashlib.sha256(spelled.encode()).digest()[:8], "big")


def shared(*names: object) -> random.Random:
    """A generator for values that several tests share; it follows from the setting and these names alone."""
    return random.Random(seed(*names))


def name(*names: object) -> str:
    """The name of the running test and these names, joined into one."""
    return "\0".join(map(str, (*_running[-1:], *names)))


def rng(*names: object) -> random.Random:
    """A generator that follows from the running test's name, and from these names."""
    return shared(name(*names))


_running: list[str] = []
"""The names of the `of` blocks that are active, the innermost last."""


@contextmanager
def of(name: str) -> Iterator[None]:
    """Makes all random numbers in the main thread follow from a name during the block."""
    stream, ids, kept = shared(name, "entropy"), shared(name, "ids"), random.getstate()

    def entropy(size: int) -> bytes:
        if threading.current_thread() is not threading.main_thread():
            raise ThreadError
        return stream.randbytes(size)

    def identify() -> uuid.UUID:
        # openskill draws an id for each rating, in a store's thread too: ids must not use up `stream`.
        return uuid.UUID(int=ids.getrandbits(128), version=4)

    def seed_generator(self: random.Random, a: int | str | bytes | None = None, version: int = 2) -> None:
        _unpatched_seed(self, entropy(32) if a is None else a, version)

    with (
        mock.patch("os.urandom", entropy),
        mock.patch("random._urandom", entropy),
        mock.patch("uuid.uuid4", identify),
        mock.patch.object(random.Random, "seed", seed_generator),
        mock.patch("random.seed", lambda *given: seed_generator(_module, *given)),
        # Hypothesis also tries constants of the modules imported so far, which depend on earlier tests.
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
