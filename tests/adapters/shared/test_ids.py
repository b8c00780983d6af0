"""Ids of messages and deliveries."""

from __future__ import annotations

import pytest

from adapters.shared.ids import delivery_id, message_id, parse_message_id


@pytest.mark.parametrize(("chat", "number"), [(7, 1), (-100123, 45), (1 << 62, 1 << 62)])
def test_a_message_id_can_be_parsed(chat: int, number: int) -> None:
    assert parse_message_id(message_id(chat, number)) == (chat, number)


def test_the_ids_of_deliveries_of_two_platforms_or_two_numbers_differ() -> None:
    ids = [delivery_id("one", 1, 23), delivery_id("one", 12, 3), delivery_id("two", 1, 23)]
    assert ids == ["one:1:23", "one:12:3", "two:1:23"]
