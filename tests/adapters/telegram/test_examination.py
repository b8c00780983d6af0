"""The doctor's findings about the token, the bot's settings, its webhook and its rights in groups."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import pytest
from lo_bot_api_emulator import ApiRefusal
from telegram import (
    AcceptedGiftTypes,
    ChatMemberAdministrator,
    ChatMemberRestricted,
    ChatPermissions,
    TelegramObject,
)

from adapters.shared.clock import AsyncioClock
from adapters.shared.finding import Finding
from adapters.telegram import TelegramSettings
from bot.i18n import Speech
from tests.adapters.telegram.emulator import BOT, BOT_ID, TOKEN, Emulator, refusing
from tests.adapters.telegram.world import GROUP, served

pytestmark = pytest.mark.real

HOOK = "https://cards.example/telegram"
say = Speech()


def rights(kind: type[TelegramObject], **given: Any) -> dict[str, Any]:
    """The given fields of an API object, and 0 for all others that the library needs but user and status."""
    parameters = inspect.signature(kind).parameters.values()
    needed = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    return {**{name: 0 for name in needed if name not in ("user", "status")}, **given}


class Service(Emulator):
    """The emulator, which also answers the questions of an examination."""

    def __init__(self) -> None:
        super().__init__()
        self.me: dict[str, Any] = {"can_join_groups": True, "can_read_all_group_messages": False}
        self.hook: dict[str, Any] = {"url": "", "has_custom_certificate": False, "pending_update_count": 3}
        self._update_queues.info = lambda token: self.hook
        self.membership: dict[str, Any] = {"status": "member"}
        """The bot's membership in the group, as an API object without its user."""
        self.refusals = list[ApiRefusal]()
        """The answers to the next getChat requests, the last of them first."""
        self.allowed = True
        """Whether members of the group may write."""

    def validate(self, method: str, fields: dict[str, Any], uploads: dict[str, Any]) -> Any:
        match method:
            case "getMe":
                return {**super().validate(method, fields, uploads), **self.me}
            case "getWebhookInfo":
                # The update queues answer it.
                return None
            case "getChat" if self.refusals:
                raise self.refusals.pop()
            case "getChat":
                if fields["chat_id"] not in (str(GROUP), "@cards"):
                    raise ApiRefusal("Bad Request: chat not found")
                return {
                    "id": GROUP, "type": "supergroup", "title": "Friday cards",
                    "accent_color_id": 0, "max_reaction_count": 11,
                    "permissions": rights(ChatPermissions, can_send_messages=self.allowed),
                    "accepted_gift_types": rights(AcceptedGiftTypes),
                }  # fmt: skip
            case "getChatMember":
                return {"user": {"id": BOT_ID, "is_bot": True, "first_name": BOT}, **self.membership}
        return super().validate(method, fields, uploads)


async def examined(service: Service, *places: str, token: str = TOKEN, hook: str = "") -> Sequence[Finding]:
    async with served(service) as url:
        given = {"telegram_token": token, "telegram_api_url": url, "telegram_webhook_url": hook or None}
        return await TelegramSettings.model_validate({**given, "telegram_webhook_port": 0}).examine(places)


def spoken(findings: Sequence[Finding]) -> list[str]:
    return [f"{finding.severity}: {say(finding.text)}" for finding in findings]


@pytest.mark.parametrize(
    ("word", "is_place"),
    [
        ("-1001234567890", True),
        ("@cards", True),
        ("123456789012345678", False),
        ("cards", False),
        ("", False),
    ],
)
def test_a_group_is_named_by_its_id_or_its_name(word: str, is_place: bool) -> None:
    assert TelegramSettings().is_place(word) is is_place


async def test_a_bot_as_it_should_be_is_well() -> None:
    assert spoken(await examined(service := Service())) == [
        f"ok: Telegram accepts the token. The bot is called @{BOT}.",
        "ok: This machine's clock agrees with that of Telegram.",
        "ok: The bot can be added to groups.",
        "ok: Group privacy is on: the bot hears only commands and replies.",
        "ok: The bot fetches its updates. Waiting: 3.",
    ]
    assert service.book.polls == []


async def test_a_token_that_is_refused_is_a_problem() -> None:
    service = Service()
    service.book.faults.append(refusing("getMe", "Unauthorized", 401))
    assert spoken(await examined(service)) == [
        "problem: Telegram doesn't accept TELEGRAM_TOKEN. Create a new token, and set it there."
    ]


async def test_a_malformed_token_is_a_problem_and_not_shown() -> None:
    (line,) = spoken(await examined(Service(), token="hush"))
    assert line.startswith("problem: TELEGRAM_TOKEN isn't a token")
    assert "hush" not in line


async def test_without_a_network_the_reason_is_said_without_the_token() -> None:
    given = {"telegram_token": TOKEN, "telegram_api_url": "http://127.0.0.1:1"}
    (line,) = spoken(await TelegramSettings.model_validate(given).examine(()))
    assert line.startswith("problem: Telegram can't be reached (no connection).")
    assert TOKEN not in line


@pytest.mark.parametrize(
    ("status", "words"), [(502, "Bad Gateway"), (403, "Forbidden: go away"), (409, "Conflict: other one")]
)
async def test_an_error_of_the_server_is_no_fault_of_the_network(status: int, words: str) -> None:
    service = Service()
    service.book.faults.append(refusing("getMe", words, status))
    (line,) = spoken(await examined(service))
    assert line.startswith("problem: Telegram answers with an error (“")
    assert words.split(": ")[-1] in line


async def test_an_error_about_one_group_hides_no_finding() -> None:
    service = Service()
    service.refusals.append(ApiRefusal("Internal Server Error", 500))
    lines = spoken(await examined(service, str(GROUP)))
    assert len(lines) == 6
    assert lines[-1].startswith("problem: Telegram answers with an error (")


async def test_a_group_that_has_become_a_supergroup_is_examined_there() -> None:
    service = Service()
    service.refusals.append(
        ApiRefusal(
            "Bad Request: group chat was upgraded to a supergroup chat", 400, {"migrate_to_chat_id": GROUP}
        )
    )
    last = spoken(await examined(service, "-4321"))[-1]
    assert last == "ok: Friday cards: the bot has the permission “Send Messages”."


async def test_a_bot_that_may_join_no_group_is_a_problem() -> None:
    service = Service()
    service.me["can_join_groups"] = False
    assert spoken(await examined(service))[2].startswith("problem: The bot can't be added to groups.")


async def test_a_bot_that_hears_everything_is_a_warning() -> None:
    service = Service()
    service.me["can_read_all_group_messages"] = True
    assert spoken(await examined(service))[3].startswith("warning: Group privacy is off")


async def test_a_web_hook_that_is_not_wanted_is_a_warning() -> None:
    service = Service()
    service.hook["url"] = HOOK
    assert spoken(await examined(service))[-1].startswith("warning: Telegram still has a web hook.")


async def test_a_web_hook_that_works_is_well() -> None:
    service = Service()
    service.hook["url"] = HOOK
    assert spoken(await examined(service, hook=HOOK))[-3:] == [
        "ok: The bot can listen at 127.0.0.1:0.",
        "ok: The web hook's address is one that Telegram accepts.",
        "ok: Updates come by the web hook. Waiting: 3.",
    ]


async def test_a_web_hook_that_is_not_set_yet_is_a_warning() -> None:
    assert spoken(await examined(Service(), hook=HOOK))[-1].startswith("warning: The web hook isn't set")


@pytest.mark.parametrize(("age", "severity"), [(60, "problem"), (7200, "ok")])
async def test_a_failed_delivery_to_the_web_hook_is_a_problem_for_an_hour(age: int, severity: str) -> None:
    service = Service()
    service.hook |= {
        "url": HOOK,
        "last_error_date": int(AsyncioClock().now()) - age,
        "last_error_message": "Connection refused",
    }
    last = (await examined(service, hook=HOOK))[-1]
    assert last.severity == severity
    assert ("(“Connection refused”)" in say(last.text)) is (severity == "problem")


@pytest.mark.parametrize("url", ["http://cards.example/x", "https://cards.example:8081/x"])
async def test_an_address_that_telegram_does_not_take_is_a_problem(url: str) -> None:
    lines = [line for line in spoken(await examined(Service(), hook=url)) if line.startswith("problem")]
    assert lines == [
        (
            "problem: TELEGRAM_WEBHOOK_URL must begin with https:// and have one of these ports: "
            "80, 88, 443, 8443."
        )
    ]


@pytest.mark.parametrize("place", [str(GROUP), "@cards"])
async def test_a_group_in_which_the_bot_may_write_is_well(place: str) -> None:
    assert (
        spoken(await examined(Service(), place))[-1]
        == "ok: Friday cards: the bot has the permission “Send Messages”."
    )


@pytest.mark.parametrize(
    ("membership", "allowed", "severity"),
    [
        ({"status": "member"}, False, "problem"),
        (
            rights(
                ChatMemberRestricted,
                status="restricted",
                can_react_to_messages=False,
                can_send_messages=False,
            ),
            True,
            "problem",
        ),
        (
            rights(
                ChatMemberRestricted, status="restricted", can_react_to_messages=False, can_send_messages=True
            ),
            False,
            "ok",
        ),
        (rights(ChatMemberAdministrator, status="administrator"), False, "ok"),
        ({"status": "left"}, True, "problem"),
        ({"status": "kicked", "until_date": 0}, True, "problem"),
    ],
)
async def test_the_bots_permissions_in_a_group_follow_from_its_membership(
    membership: dict[str, Any], allowed: bool, severity: str
) -> None:
    service = Service()
    service.membership, service.allowed = membership, allowed
    assert (await examined(service, str(GROUP)))[-1].severity == severity


async def test_a_group_that_is_not_there_is_a_problem() -> None:
    assert "can't see -100999" in spoken(await examined(Service(), "-100999"))[-1]
