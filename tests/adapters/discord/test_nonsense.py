"""Forged interactions, and those of old clients and unusual places: each gets a polite private answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.inbox.arguments.commands import COMMANDS
from bot.pages.callback_data import CallbackData
from tests.adapters.discord.test_wire import button, public_panel, served, table
from tests.adapters.discord.wire import AUTOCOMPLETE, Wire, listening, user_of

pytestmark = pytest.mark.real

EPHEMERAL = 64
"""Discord's flag of a message that only the user who caused it sees."""
LONGEST = "♠" * 6000
"""The longest text that Discord accepts in a command option, 6000 characters."""


async def answer_to(wire: Wire, token: str) -> str:
    """The text of the answer to an interaction; asserts that it is ephemeral and fits a message."""
    answer = (await wire.until("POST", f"/{token}/"))[0].body
    if answer["type"] == 6:
        # A press that was only acknowledged is answered in a follow-up message.
        answer = {"type": 4, "data": (await wire.until("POST", f"/webhooks/1/{token}"))[0].body}
    assert answer["type"] == 4
    assert answer["data"]["flags"] & EPHEMERAL
    assert len(answer["data"]["content"]) <= 2000
    return str(answer["data"]["content"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("hello", "That no longer works."),
        ("choose:0123abcd", "That no longer works."),
        ("x" * 100, "That no longer works."),
        ("0123456789:0:join", "That table doesn't exist."),
        ("0000000000:0:rules casino", "That no longer works."),
        ("0000000000:0:set:nonsense on", "There is no setting “nonsense”"),
        ("{game}:0:nonsense", "That no longer works."),
        ("{game}:0:set_rule:9 9", "That no longer works."),
        ("{game}:999999:move:throw AS", "You have no seat at this table."),
        ("{game}:0:log", "The game isn't over yet."),
        ("{game}:0:check", "Fingerprint: "),
        ("{game}:0:unwatch", "You've stopped watching this table."),
        ("{game}:0:hand:\u202e\x00", "You have no seat at this table."),
    ],
)
async def test_a_forged_button_is_answered(data: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        press = CallbackData.parse(button(shown, "join"))
        assert press
        token = await wire.press("6", data.format(game=press.game), shown)
        assert (await answer_to(wire, token)).startswith(words)


@pytest.mark.parametrize("typed", [[], [""], ["  "], ["\u200b"]])
async def test_a_form_without_words_cuts_nothing(typed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        before = public_panel(wire)["content"]
        fields = [{"type": 18, "component": {"type": 4, "custom_id": "w", "value": line}} for line in typed]
        form = {"custom_id": button(shown, "cut"), "components": fields}
        token = await wire.interaction("5", {"type": 5, "data": form, "message": shown})
        assert "a few words of your own" in await answer_to(wire, token)
        assert public_panel(wire)["content"] == before


@pytest.mark.parametrize("values", [[], ["nonsense"], ["x" * 100]])
async def test_a_forged_choice_is_answered(values: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        chosen = {"component_type": 3, "custom_id": "choose:0123abcd", "values": values}
        token = await wire.interaction("6", {"type": 3, "data": chosen, "message": shown})
        assert await answer_to(wire, token) == "That no longer works."


@pytest.mark.parametrize("name", [command.name for command in COMMANDS if command.parameters])
async def test_the_longest_options_are_answered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = next(command.parameters for command in COMMANDS if command.name == name)
    async with listening(monkeypatch) as wire, served(wire):
        await table(wire)
        token = await wire.command("6", name, **{parameter.name: LONGEST for parameter in parameters})
        assert await answer_to(wire, token)


async def test_a_command_that_we_have_no_longer_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        token = await wire.command("6", "poker", stakes="high")
        assert await answer_to(wire, token) == "There is no command “/poker stakes”. /help lists them all."


async def test_an_option_that_we_have_no_longer_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        token = await wire.command("6", "new", stakes="high")
        assert await answer_to(wire, token) == "Which game?"


async def test_options_of_a_client_that_knows_the_old_commands_are_understood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        await table(wire)
        kicked = await wire.command("5", "kick", player="user6")
        assert await answer_to(wire, kicked) == "Nobody at that table is called user6."
        numbered = await wire.command("5", "computers", number="0")
        assert await answer_to(wire, numbered) == "Computers at the table: 0."
        opened = await wire.command("6", "new", **{"game": "Casino", "players": "2", "with": "@user7"})
        assert await answer_to(wire, opened) == "Your table is open. The others press Join."


async def test_options_of_a_client_that_knows_the_old_commands_are_completed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        for name, known, begun, values in (
            ("new", "game", "card", ["cardlebones"]),
            ("new", "players", "3", ["3"]),
            ("vote", "answer", "", ["yes", "no"]),
        ):
            token = await wire.command("6", name, AUTOCOMPLETE, **{known: begun})
            answer = (await wire.until("POST", f"/{token}/"))[0].body
            assert [choice["value"] for choice in answer["data"]["choices"]] == values


async def test_every_completion_of_a_flood_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        await table(wire)
        begun = ["", "casino", LONGEST, "\\", "1e999", "{n}", "%s"]
        asked = [(command.name, known.name) for command in COMMANDS for known in command.parameters]
        tokens = await asyncio.gather(
            *(
                wire.command("6", name, AUTOCOMPLETE, **{known: words})
                for name, known in asked
                for words in begun
            )
        )
        answers = [(await wire.until("POST", f"/{token}/"))[0].body for token in tokens]
        assert {answer["type"] for answer in answers} == {8}
        assert max(len(answer["data"]["choices"]) for answer in answers) <= 25


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"custom_id": "nonsense", "components": []}, "That no longer works."),
        ({"custom_id": "{cut}"}, "You have no seat at this table."),
        ({"custom_id": "{cut}", "components": [{"type": 18}]}, "You have no seat at this table."),
        (
            {"custom_id": "{cut}", "components": [{"type": 18, "component": {"type": 4, "value": LONGEST}}]},
            "You have no seat at this table.",
        ),
    ],
)
async def test_a_forged_form_is_answered(
    sent: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        data = {"components": [], **sent, "custom_id": sent["custom_id"].format(cut=button(shown, "cut"))}
        for message in ({"message": shown}, {}):
            token = await wire.interaction("6", {"type": 5, "data": data, **message})
            assert (await answer_to(wire, token)).startswith(words)


async def test_words_to_cut_with_that_are_too_long_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        field = {"type": 18, "component": {"type": 4, "custom_id": "x", "value": LONGEST}}
        data = {"custom_id": button(shown, "cut"), "components": [field]}
        token = await wire.interaction("5", {"type": 5, "data": data, "message": shown})
        assert await answer_to(wire, token)
        assert "♠♠♠" not in public_panel(wire)["content"]


async def test_in_a_group_chat_without_the_bot_no_table_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        group = {"id": "77", "type": 3, "recipients": [], "name": None, "icon": None, "owner_id": "5"}
        options = [{"name": "game", "type": 3, "value": "casino"}]
        data = {"id": "1", "name": "new", "type": 1, "options": options}
        origin = {"guild_id": None, "channel_id": "77", "channel": group, "context": 2, "user": user_of("5")}
        token = await wire.interaction("5", {"type": 2, "data": data, **origin})
        assert (await answer_to(wire, token)).startswith("I'm not allowed to write here")
