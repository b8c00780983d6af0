"""The fake platform refuses what a real one refuses."""

from __future__ import annotations

import pytest

from bot.ports import Gone, Page
from tests.support.platform import FakePlatform


async def test_a_message_can_be_deleted_once() -> None:
    platform = FakePlatform()
    message = await platform.post(platform.place("square"), Page.note("Hello"))
    await platform.delete(message)
    assert platform.chats() == []
    with pytest.raises(Gone):
        await platform.delete(message)
    assert platform.requests == ["post square", "delete"]
