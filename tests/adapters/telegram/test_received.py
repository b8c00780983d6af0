"""Updates as they are read: presses with data and message by the bot's own reader, others by the library."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Bot, Update

from adapters.telegram.polling import _read
from adapters.telegram.received import Press, PressedChat, Sender, read

BOT = Bot("123:TEST")
CHAT = {"id": -5, "type": "supergroup", "title": "The club"}
MESSAGE = {"message_id": 3, "date": 1, "chat": CHAT, "text": "x"}
QUERY = {
    "id": "7",
    "from": {"id": 5, "is_bot": False, "first_name": "Ana"},
    "chat_instance": "1",
    "data": "x",
    "message": MESSAGE,
}
SENDER = Sender(5, "Ana", None, None)
PLACE = PressedChat(-5, "supergroup", "The club")


def pressed(**fields: Any) -> dict[str, Any]:
    """The update of a press: `QUERY`, with these fields added or replaced."""
    return {"update_id": 1, "callback_query": {**QUERY, **fields}}


def test_a_press_has_its_sender_data_and_place() -> None:
    assert read(pressed(), BOT) == Press(1, "7", SENDER, "x", PLACE, 3)


def test_a_press_has_all_names_and_the_language_of_its_sender() -> None:
    user = {**QUERY["from"], "last_name": "Sol", "username": "ana_sol", "language_code": "es"}  # type: ignore[dict-item]
    press = read(pressed(**{"from": user}), BOT)
    assert isinstance(press, Press)
    assert press.sender == Sender(5, "Ana Sol", "es", "ana_sol")


def test_names_that_are_no_strings_are_left_out() -> None:
    user = {**QUERY["from"], "last_name": 1, "username": 2, "language_code": ["es"]}  # type: ignore[dict-item]
    chat = {**CHAT, "title": 3}
    press = read(pressed(**{"from": user}, message={**MESSAGE, "chat": chat}), BOT)
    assert isinstance(press, Press)
    assert (press.sender, press.chat) == (SENDER, PressedChat(-5, "supergroup", None))


@pytest.mark.parametrize(("is_topic", "thread"), [(True, "4"), (False, "")])
def test_only_a_message_of_a_topic_has_a_thread(is_topic: bool, thread: str) -> None:
    message = {**MESSAGE, "is_topic_message": is_topic, "message_thread_id": 4}
    assert read(pressed(message=message), BOT) == Press(1, "7", SENDER, "x", PLACE, 3, thread)


def test_a_press_of_an_ephemeral_message_has_both_its_ids() -> None:
    press = read(pressed(message={**MESSAGE, "ephemeral_message_id": 9}), BOT)
    assert isinstance(press, Press)
    assert (press.message, press.ephemeral, press.ephemeral_message) == ("-5/3", 9, "@-5/5/9")


@pytest.mark.parametrize("missing", ["data", "message"])
def test_the_library_reads_a_press_without_data_or_message(missing: str) -> None:
    query = {name: value for name, value in QUERY.items() if name != missing}
    update = read({"update_id": 1, "callback_query": query}, BOT)
    assert isinstance(update, Update)
    assert update.callback_query
    assert update.callback_query.id == "7"


def test_an_update_that_cannot_be_read_costs_only_itself(caplog: pytest.LogCaptureFixture) -> None:
    bad = {
        "update_id": 1,
        "message": {"message_id": 3, "date": 10**20, "chat": {"id": 5, "type": "group"}, "text": "a secret"},
    }
    good = {**pressed(), "update_id": 2}
    assert _read([bad, good], BOT) == [Update(1), Press(2, "7", SENDER, "x", PLACE, 3)]
    assert "cannot read an update (1 of 2 that came)" in caplog.text
    assert "secret" not in caplog.text
