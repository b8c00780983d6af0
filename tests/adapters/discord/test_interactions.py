"""The event of a press, before and after the library reads it."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from adapters.discord.client import TableClient
from adapters.discord.interactions import trimmed
from tests.support.clock import VirtualClock

ANA = {"id": "5", "username": "ana", "discriminator": "0", "avatar": None, "global_name": None}
BUTTON = {"type": 2, "style": 1, "label": "Join", "custom_id": "x"}
MESSAGE = {
    "id": "77",
    "channel_id": "25",
    "type": 0,
    "flags": 64,
    "content": "A table",
    "author": ANA,
    "mentions": [ANA],
    "components": [{"type": 1, "components": [BUTTON]}],
}
PRESS: dict[str, Any] = {
    "id": "1",
    "token": "t",
    "application_id": "1",
    "type": 3,
    "version": 1,
    "channel": {"id": "25", "type": 1, "recipients": [ANA]},
    "user": ANA,
    "message": MESSAGE,
    "data": {"component_type": 2, "custom_id": "x"},
    "attachment_size_limit": 1000,
}


def test_only_the_buttons_of_a_pressed_message_are_left_out() -> None:
    assert trimmed(PRESS) == {**PRESS, "message": {**MESSAGE, "components": []}}


def test_a_command_has_no_message() -> None:
    command = {name: value for name, value in PRESS.items() if name != "message"}
    assert trimmed(command) == command


async def test_the_library_reads_no_button_of_a_pressed_message(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[discord.Interaction] = []
    client = TableClient(VirtualClock())
    monkeypatch.setattr(client._connection, "dispatch", lambda _, interaction: read.append(interaction))
    client._connection.parsers["INTERACTION_CREATE"](PRESS)
    assert read[0].message
    assert (read[0].message.id, read[0].message.flags.ephemeral) == (77, True)
    assert read[0].message.components == []
