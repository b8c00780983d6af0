"""Every action of a button has a command: computers, house rules, the deal, the log, the seat taken back."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import get_args

import pytest

from bot.inbox.arguments.commands import COMMANDS
from bot.ports import Action, Caller
from bot.tables.log.commitment import CommittedSeed
from engines import games
from engines.values import replace
from tests.support.games import every_game
from tests.support.harness import BotHarness, bot_harness, key, keys, text
from tests.support.platform import ROOMY

COMMAND_OF: dict[str, str] = {
    **dict.fromkeys(("move", "sure", "done", "pick", "add", "drop", "page", "top"), "play"),
    **dict.fromkeys(("add_computer", "remove_computer"), "computers"),
    **dict.fromkeys(("house_rules", "set_rule"), "options"),
    "leave_sure": "leave",
    "end_sure": "end",
    "show": "table",
    "set_clock": "clock",
    **dict.fromkeys(("agree", "refuse"), "vote"),
    "back": "return",
    "help": "rules",
    "export": "log",
    "open": "new",
    "set": "settings",
    **dict.fromkeys(("command", "commands"), "help"),
    **dict.fromkeys(("board", "boards"), "leaderboard"),
    "unwatch": "watch",
    **dict.fromkeys(("place", "speak"), "channel"),
}
"""The commands of the actions that have another name."""


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def opened(bot: BotHarness, key: str = "casino") -> Caller:
    """The owner of a new table, who alone sits at it."""
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game=key)
    return ana


async def ended(bot: BotHarness) -> Caller:
    """A player whose table was closed."""
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    await bot.end(ana)
    return ana


def test_every_action_has_a_command() -> None:
    names = {command.name for command in COMMANDS}
    assert {action for action in get_args(Action) if COMMAND_OF.get(action, action) not in names} == set()


async def test_of_several_words_for_hints_or_for_the_pace_the_last_counts(bot: BotHarness) -> None:
    rules = "hints=yes hints=no hints=yes pace=fast pace=instant pace=fast"
    await bot.say(bot.caller("Ana"), "new", game="casino", rules=rules)
    table = await bot.table()
    assert (table.hints, table.pace) == (True, "fast")


@pytest.mark.parametrize(("before", "number"), [(0, 2), (2, 1), (2, 0), (1, 1)])
async def test_computers_sets_how_many_computers_sit_at_the_table(
    bot: BotHarness, before: int, number: int
) -> None:
    ana = await opened(bot)
    await bot.say(ana, "computers", number=str(before))
    reply = await bot.say(ana, "computers", number=str(number))
    assert reply.notice == f"Computers at the table: {number}."
    players = (await bot.table()).players
    assert [player.is_computer for player in players] == [False, *[True] * number]


async def test_computers_refuses_more_than_the_game_has_seats(bot: BotHarness) -> None:
    ana = await opened(bot)
    assert (await bot.say(ana, "computers", number="3")).notice == "There is only room for 2 computers."
    assert (await bot.say(ana, "computers", number="many")).notice.startswith("How many computers?")
    assert len((await bot.table()).players) == 1


async def test_computers_without_a_number_offers_to_add_or_remove_one(bot: BotHarness) -> None:
    ana = await opened(bot)
    page = (await bot.say(ana, "computers")).page
    await bot.press(ana, key(page, "+").data)
    assert [player.is_computer for player in (await bot.table()).players] == [False, True]


CASINO = games()["casino"].options[0]
RULES = (
    "The house rules are: “Build a stolen card with”, “Top card after a capture”, “3♥ exchange”, "
    "“Capture everything that matches”, “Computers”, “Computers' pace”, and “Hints”."
)
VALUES = "“Build a stolen card with” can be: a hand card, a loose card, nothing (no stealing)."
TABLE = "table"


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("steal_with table", "en"),
        ("steal_with=table", "en"),
        ("steal with: table", "en"),
        ("LABEL: VALUE", "en"),
        ("LABEL VALUE", "es"),
    ],
)
async def test_options_sets_a_house_rule_by_its_key_or_by_its_label(
    bot: BotHarness, line: str, language: str
) -> None:
    ana = replace(bot.caller("Ana"), locale=language)
    await bot.say(ana, "new", game="casino")
    say = await bot.dispatcher.people.say_to(await bot.person(ana), ana.place)
    line = line.replace("LABEL", say(CASINO.text)).replace("VALUE", say(CASINO.values[TABLE]))
    reply = await bot.say(ana, "options", rule=line)
    assert (await bot.table()).options == {"steal_with": "table"}
    assert say(CASINO.values[TABLE]) in text(reply.page) + keys(reply.page)[0].label


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("jokers on", RULES),
        ("steal_with", VALUES),
        ("steal_with fire", VALUES),
    ],
)
async def test_options_names_the_house_rules_or_the_values_there_are(
    bot: BotHarness, line: str, reason: str
) -> None:
    ana = await opened(bot)
    assert (await bot.say(ana, "options", rule=line)).notice == reason
    assert (await bot.table()).options == {}


@every_game
@pytest.mark.parametrize("language", ["en", "es"])
async def test_every_value_of_every_house_rule_can_be_typed_by_its_label(
    bot: BotHarness, key: str, language: str
) -> None:
    ana = replace(bot.caller("Ana"), locale=language)
    await bot.say(ana, "new", game=key)
    say = await bot.dispatcher.people.say_to(await bot.person(ana), ana.place)
    for option in games()[key].options:
        for value, label in option.values.items():
            await bot.say(ana, "options", rule=f"{say(option.text)}: {say(label)}")
            assert (await bot.table()).options[option.name] == value


async def test_options_without_a_rule_shows_all(bot: BotHarness) -> None:
    ana = await opened(bot)
    labels = [button.label for button in keys((await bot.say(ana, "options")).page)]
    assert [label.partition(":")[0] for label in labels] == [
        *(option.text.message for option in games()["casino"].options),
        "Computers",
        "Computers' pace",
        "Hints",
    ]


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("pace fast", "en"),
        ("pace=fast", "es"),
        ("Computers' pace: Fast", "en"),
        ("Computers’ pace fast", "en"),
        ("computers pace fast", "es"),
        ("ritmo de las máquinas rápido", "es"),
    ],
)
async def test_options_sets_the_pace_of_computers(bot: BotHarness, line: str, language: str) -> None:
    ana = replace(bot.caller("Ana"), locale=language)
    await bot.say(ana, "new", game="casino")
    assert (await bot.table()).pace == "natural"
    reply = await bot.say(ana, "options", rule=line)
    assert (await bot.table()).pace == "fast"
    for pace in ("instant", "natural", "fast"):
        button = next(key for key in keys(reply.page) if "pace" in key.data)
        reply = await bot.press(ana, button.data)
        assert (await bot.table()).pace == pace


async def test_a_pace_without_its_value_is_not_taken_for_a_level(bot: BotHarness) -> None:
    ana = await opened(bot)
    assert (await bot.say(ana, "options", rule="Computers' pace")).notice == RULES


async def test_a_new_table_has_the_pace_that_its_rules_name(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino", rules="pace=fast, steal_with=table")
    table = await bot.table()
    assert (table.pace, table.options) == ("fast", {"steal_with": "table"})


WARNING = "With four or more a round without a stop is long."


async def test_of_a_rule_that_suits_the_number_of_players_badly_its_owner_is_warned(
    bot: BotHarness, throw_in: object
) -> None:
    ana = bot.caller("Ana")
    assert (await bot.say(ana, "new", game="throw_in", players="4")).page is None
    assert WARNING not in text((await bot.say(ana, "options")).page)
    assert WARNING in text((await bot.say(ana, "options", rule="stop no")).page)
    beto = bot.caller("Beto")
    assert WARNING in text((await bot.say(beto, "new", game="throw_in", players="4", rules="stop=no")).page)


async def test_of_a_rule_that_suits_few_players_well_nobody_is_warned(
    bot: BotHarness, throw_in: object
) -> None:
    ana = bot.caller("Ana")
    assert (await bot.say(ana, "new", game="throw_in", players="3", rules="stop=no")).page is None
    assert WARNING not in text((await bot.say(ana, "options")).page)
    for name in ("Beto", "Carla", "Dora"):
        await bot.say(bot.caller(name), "join")
    assert WARNING in text((await bot.say(ana, "options")).page)


async def test_check_and_log_show_the_last_game(bot: BotHarness) -> None:
    ana = await ended(bot)
    assert "SHA-256" in text((await bot.say(ana, "check")).page)
    file = (await bot.say(ana, "log")).file
    assert file is not None
    assert json.loads(file.content)["game"] == "casino"


async def test_check_and_log_keep_a_running_game_secret(bot: BotHarness) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    source = (await bot.table()).seed_source
    assert isinstance(source, CommittedSeed)
    checked = text((await bot.say(ana, "check")).page)
    assert source.commitment in checked.replace("\n", "").replace(" ", "")
    assert source.opened() not in checked.replace("\n", "").replace(" ", "")
    logged = await bot.say(ana, "log")
    assert (logged.notice, logged.page, logged.file) == ("No game has ended here yet.", None, None)


async def test_the_log_is_a_page_where_there_are_no_files(bot: BotHarness) -> None:
    ana = await ended(bot)
    bot.platform.limits = replace(ROOMY, files=False, text=350)
    first = (await bot.say(ana, "log")).page
    assert "Fingerprint: " in text(first)
    following = (await bot.press(ana, key(first, "›").data)).page
    assert text(following) != text(first)
    assert key(following, "‹").data.endswith(":log:0")


async def test_return_takes_the_seat_back(bot: BotHarness) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    await bot.leave(ana)
    assert (await bot.table()).players[0].is_held
    assert (await bot.say(ana, "return")).notice == "You have your seat back."
    assert not (await bot.table()).players[0].is_held


async def test_computers_and_house_rules_are_completed(bot: BotHarness) -> None:
    ana = await opened(bot)
    complete = bot.dispatcher.complete
    found = await complete(ana, "computers", "number", "", {})
    assert [suggestion.value for suggestion in found] == ["0", "1", "2"]
    found = await complete(ana, "options", "rule", "", {})
    assert {suggestion.value for suggestion in found} >= {f"steal_with={value}" for value in CASINO.values}


async def test_the_owner_of_a_lobby_chooses_how_well_its_computers_play(bot: BotHarness) -> None:
    ana = await opened(bot)
    await bot.say(ana, "computers", number="1")
    page = (await bot.say(ana, "options")).page
    assert key(page, "Computers").label == "Computers: normal"
    page = (await bot.press(ana, key(page, "Computers").data)).page
    assert key(page, "Computers").label == "Computers: hard"
    table = await bot.table()
    assert (table.level, [player.level for player in table.players]) == ("hard", [None, "hard"])
    page = (await bot.press(ana, key(page, "Computers").data)).page
    assert key(page, "Computers").label == "Computers: easy"
    await bot.say(ana, "options", rule="computers normal")
    assert (await bot.table()).level == "normal"
    assert key((await bot.type(ana, "computers hard")).page, "Computers").label == "Computers: hard"
    assert (await bot.table()).level == "hard"
    assert key((await bot.type(ana, "computers 2 easy")).page, "Computers").label == "Computers: easy"
    assert [player.level for player in (await bot.table()).players] == [None, "easy", "easy"]
    refused = await bot.say(ana, "computers", level="perfect")
    assert refused.notice == "“level” can't be “perfect”. Choose: easy, normal, hard."
    await bot.say(ana, "computers", number="1", level="normal")
    assert (await bot.table()).level == "normal"
    beto = bot.caller("Beto")
    await bot.press(beto, f"{table.id}:0:join")
    refused = await bot.press(beto, key(page, "Computers").data)
    assert refused.notice == "Only Ana can do that: the table is theirs."
    assert (await bot.table()).level == "normal"
