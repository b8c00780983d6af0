"""Names for messages that must not be sent twice, even if two processes send them."""

from __future__ import annotations

from hashlib import sha256

_LENGTH = 24
"""The characters of a name: few enough for every platform."""


def once(*parts: object) -> str:
    """The name of a message: equal for equal parts in every process, else different."""
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:_LENGTH]
