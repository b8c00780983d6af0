"""Names for messages, and for gates, that two processes must not both send, or pass."""

from __future__ import annotations

from hashlib import sha256

_LENGTH = 24
"""The characters of a name: few enough for every platform."""


def once(*parts: object) -> str:
    """The name of a message or a gate: equal for equal parts in every process, else different."""
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:_LENGTH]
