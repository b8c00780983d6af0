"""Settings of a channel and of its server: what threads and channels take from the places around them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.model.places import Place, Room
from bot.ports import Caller
from engines.values import replace
from tests.support.harness import ALONE, PLACE, BotHarness, bot_harness, key, keys, rendered

SERVER = "server of the town"
THREAD = Place("wall", "park")
OTHER = Place("wall", "plaza")


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


def at(caller: Caller, place: Place, *, moderator: bool = False, room_locale: str = "") -> Caller:
    """The caller in a place of a server: a channel, or the thread of the usual channel."""
    channel = PLACE.chat if place == THREAD else ""
    return replace(
        caller, place=place, channel=channel, server=SERVER, moderator=moderator, room_locale=room_locale
    )


def public_panel(bot: BotHarness, place: Place) -> str:
    return "\n".join(bot.platform.pages(place.chat)[-1].above)


async def test_only_a_moderator_changes_the_settings_of_a_channel(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    for given in ({"language": "es"}, {"openers": "moderators"}, {"clock": "90"}):
        assert (await bot.say(ana, "channel", **given)).notice == "Only a moderator can change that."
    assert (await bot.press(ana, "0000000000:0:place:channel language es")).notice
    assert (await bot.store.room(PLACE) or Room(PLACE)).language is None


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"language": "klingon"}, "“language” can't be “klingon”. Choose: English, Spanish."),
        ({"openers": "fools"}, "“openers” can't be “fools”. Choose: everyone, moderators, nobody."),
        ({"clock": "1"}, "A turn can last 15 to 300 seconds"),
        ({"threads": "on"}, "There is no setting “threads” here."),
    ],
)
async def test_a_value_that_does_not_exist_changes_nothing(
    bot: BotHarness, given: dict[str, str], reason: str
) -> None:
    mia = replace(bot.caller("Mia"), moderator=True)
    reply = await bot.say(mia, "channel", **{"openers": "moderators", **given})
    assert reply.notice.startswith(reason)
    assert (await bot.dispatcher.people.settings(PLACE)).openers == "everyone"


@pytest.mark.parametrize(
    ("openers", "reason"),
    [
        ("moderators", "Only moderators may open tables here. Ask one of them."),
        ("nobody", "Nobody may open tables here. Ask a moderator where to play."),
    ],
)
@pytest.mark.parametrize("place", [PLACE, THREAD, OTHER])
async def test_the_right_to_open_tables_in_a_server_holds_in_its_channels_and_threads(
    bot: BotHarness, openers: str, reason: str, place: Place
) -> None:
    mia, ana = at(bot.caller("Mia"), PLACE, moderator=True), at(bot.caller("Ana"), place)
    await bot.say(mia, "channel", openers=openers, where="everywhere")
    assert (await bot.say(ana, "new", game="casino")).notice == reason
    assert not await bot.store.tables(place)


@pytest.mark.parametrize("openers", ["moderators", "nobody"])
async def test_only_those_who_may_open_tables_open_a_rematch(bot: BotHarness, openers: str) -> None:
    mia, ana = at(bot.caller("Mia"), PLACE, moderator=True), at(bot.caller("Ana"), PLACE)
    await bot.say(ana, "new", game="casino")
    await bot.say(mia, "join")
    table = await bot.table()
    await bot.say(ana, "end")
    await bot.say(mia, "channel", openers=openers, where="everywhere")
    refused = (await bot.press(ana, f"{table.id}:0:rematch")).notice
    assert "may open tables here" in refused
    assert not await bot.store.tables(PLACE)
    assert (await bot.press(mia, f"{table.id}:0:rematch")).done == (openers == "moderators")


@pytest.mark.parametrize(
    ("openers", "reason"),
    [
        (
            "moderators",
            "Only a moderator can open the rematch, in the table's chat.",
        ),
        ("nobody", "Nobody may open tables there. Ask a moderator where to play."),
    ],
)
async def test_a_rematch_asked_for_in_a_private_chat_is_refused_with_the_way_to_it(
    bot: BotHarness, openers: str, reason: str
) -> None:
    mia = at(bot.caller("Mia"), PLACE, moderator=True)
    await bot.say(mia, "new", game="casino")
    table = await bot.table()
    await bot.say(mia, "end")
    await bot.say(mia, "channel", openers=openers, where="everywhere")
    alone = bot.caller("Mia", private=True)
    assert (await bot.press(alone, f"{table.id}:0:rematch")).notice == reason


async def test_a_channel_may_have_its_own_setting_and_its_threads_take_that(bot: BotHarness) -> None:
    mia, ana = at(bot.caller("Mia"), PLACE, moderator=True), bot.caller("Ana")
    await bot.say(mia, "channel", openers="nobody", where="everywhere")
    await bot.say(mia, "channel", openers="everyone")
    for place in (PLACE, THREAD):
        await bot.say(at(ana, place), "new", game="casino")
        assert len(await bot.store.tables(place)) == 1
    await bot.say(at(ana, OTHER), "new", game="casino")
    assert not await bot.store.tables(OTHER)


async def test_a_thread_has_no_settings_but_those_of_its_channel(bot: BotHarness) -> None:
    mia = at(bot.caller("Mia"), THREAD, moderator=True)
    await bot.say(mia, "channel", openers="moderators")
    assert (await bot.dispatcher.people.settings(PLACE)).openers == "moderators"


async def test_a_table_has_the_clock_of_its_place_unless_its_owner_chooses(bot: BotHarness) -> None:
    mia, ana = at(bot.caller("Mia"), PLACE, moderator=True), at(bot.caller("Ana"), THREAD)
    await bot.say(mia, "channel", clock="2d", where="everywhere")
    await bot.say(ana, "new", game="casino")
    await bot.say(ana, "new", game="casino", clock="off")
    clocks = [
        (await bot.dispatcher.service.table(listing.game)).clock for listing in await bot.store.tables(THREAD)
    ]
    assert clocks == [2 * 86_400, 0]


async def test_a_public_panel_speaks_the_language_of_the_server_as_soon_as_that_changes(
    bot: BotHarness,
) -> None:
    mia, ana = (
        at(bot.caller("Mia"), OTHER, moderator=True),
        at(bot.caller("Ana"), THREAD, room_locale="en-US"),
    )
    await bot.say(ana, "new", game="casino")
    english = public_panel(bot, THREAD)
    await bot.say(mia, "channel", language="es", where="everywhere")
    await bot.clock.advance(5)
    assert public_panel(bot, THREAD) != english
    assert "mesa" in public_panel(bot, THREAD)


async def test_a_setting_is_a_button_that_goes_through_its_values(bot: BotHarness) -> None:
    mia = at(bot.caller("Mia"), PLACE, moderator=True)
    await bot.say(mia, "channel", openers="moderators", where="everywhere")
    page = (await bot.say(mia, "channel")).page
    seen = []
    for _ in range(4):
        button = key(page, "Who may open tables")
        seen.append(button.label)
        page = (await bot.press(mia, button.data, replaceable=True)).page
    assert seen == [
        "Who may open tables: moderators (as everywhere)",
        "Who may open tables: everyone",
        "Who may open tables: moderators",
        "Who may open tables: nobody",
    ]
    assert key(page, "Who may open tables").label == seen[0]
    everywhere = (await bot.press(mia, key(page, "all channels").data, replaceable=True)).page
    assert key(everywhere, "Who may open tables").label == seen[2]
    assert "all channels" in "\n".join(rendered(everywhere).above + rendered(everywhere).below)


async def test_a_place_without_a_server_has_one_page_of_settings(bot: BotHarness) -> None:
    mia = replace(bot.caller("Mia"), moderator=True)
    page = (await bot.say(mia, "channel")).page
    assert [button for button in keys(page) if "channel" in button.label] == []
    assert not [button for button in keys(page) if "(as everywhere)" in button.label]


async def test_who_is_barred_in_a_thread_is_barred_in_the_whole_server(bot: BotHarness) -> None:
    mia, eve = at(bot.caller("Mia"), THREAD, moderator=True), bot.caller("Eve")
    await bot.say(at(eve, OTHER), "new", game="casino")
    await bot.say(at(eve, THREAD), "new", game="casino")
    await bot.say(mia, "bar", player="Eve")
    for place in (PLACE, THREAD, OTHER):
        refused = await bot.say(at(eve, place), "new", game="casino")
        assert refused.notice == "A moderator has barred you from the tables here."
    tables = [*await bot.store.tables(OTHER), *await bot.store.tables(THREAD)]
    assert [seated.player.name for listing in tables for seated in listing.seats] == []
    await bot.say(mia, "unbar", player="Eve")
    await bot.say(at(eve, OTHER), "new", game="casino")
    assert await bot.store.tables(OTHER)


async def test_an_opener_whose_language_the_server_does_not_speak_is_asked_once(bot: BotHarness) -> None:
    ana = replace(at(bot.caller("Ana"), THREAD, room_locale="en-US"), locale="es-ES")
    reply = await bot.say(ana, "new", game="casino")
    assert "Mesa" not in public_panel(bot, THREAD)
    answer = key(reply.page, "Español")
    again = await bot.say(replace(ana, place=PLACE, channel=""), "new", game="casino")
    assert not again.page or not [button for button in keys(again.page) if button.label == "Español"]
    await bot.press(ana, answer.data, replaceable=True)
    await bot.clock.advance(5)
    assert (await bot.dispatcher.people.settings(THREAD)).language == "es"
    assert (await bot.dispatcher.people.settings(PLACE)).language == "es"
    assert (await bot.dispatcher.people.settings(OTHER)).language != "es"
    other = await bot.press(
        at(bot.caller("Bo"), PLACE), answer.data.replace(" es", " en").replace(":es", ":en")
    )
    assert other.notice == "Only a moderator can choose the language of the tables here."


async def test_nobody_is_asked_where_a_language_was_chosen_or_is_the_same(bot: BotHarness) -> None:
    mia = at(bot.caller("Mia"), PLACE, moderator=True)
    same = await bot.say(at(bot.caller("Ana"), OTHER, room_locale="en-US"), "new", game="casino")
    assert not same.page
    await bot.say(mia, "channel", language="en")
    eva = replace(at(bot.caller("Eva"), PLACE, room_locale="en-US"), locale="es-ES")
    assert not (await bot.say(eva, "new", game="casino")).page


async def test_who_wishes_to_be_told_in_a_channel_is_told_of_its_threads(bot: BotHarness) -> None:
    bo = at(bot.caller("Bo"), PLACE)
    await bot.say(replace(bo, place=Place("wall", "alone:bo"), private=True, channel="", server=""), "help")
    await bot.say(bo, "notify")
    await bot.say(at(bot.caller("Ana"), THREAD), "new", game="casino")
    await bot.clock.advance(5)
    assert "Will you play?" in "\n".join(bot.panel(bo).above)


async def test_nobody_outside_is_told_of_the_tables_of_a_thread_that_only_its_members_see(
    bot: BotHarness,
) -> None:
    bo, cleo = (at(bot.caller(name), place) for name, place in (("Bo", PLACE), ("Cleo", THREAD)))
    for one in (bo, cleo):
        alone = Place("wall", f"alone:{one.user}")
        await bot.say(replace(one, place=alone, private=True, channel="", server=""), "help")
        await bot.say(one, "notify")
    await bot.say(replace(at(bot.caller("Ana"), THREAD), members_only=True), "new", game="casino")
    await bot.clock.advance(5)
    assert "Will you play?" in "\n".join(bot.panel(cleo).above)
    assert not [
        page for page in bot.platform.pages(ALONE + bo.user) if "Will you play?" in "\n".join(page.above)
    ]


async def test_a_group_that_moves_keeps_its_threads_in_it(bot: BotHarness) -> None:
    ana = replace(bot.caller("Ana"), place=Place("wall", "square", "7"), channel="square")
    await bot.say(ana, "new", game="casino")
    await bot.store.move_chat("wall", "square", "supersquare")
    room = await bot.store.room(Place("wall", "supersquare", "7"))
    assert room is not None
    assert room.channel_place == Place("wall", "supersquare")


async def test_a_moderator_of_one_channel_decides_nothing_for_the_server(bot: BotHarness) -> None:
    mia = replace(at(bot.caller("Mia"), THREAD, moderator=True), only_here=True)
    eve = bot.caller("Eve")
    expected = "You moderate only this channel. Ask a moderator of the whole server."
    assert (await bot.say(mia, "channel", openers="nobody", where="everywhere")).notice == expected
    assert (await bot.press(mia, "0000000000:0:place:everywhere openers nobody")).notice == expected
    assert "all channels" not in [button.label for button in keys((await bot.say(mia, "channel")).page)]
    await bot.say(at(eve, OTHER), "new", game="casino")
    await bot.say(mia, "bar", player="<@eve>")
    assert [seated.player.name for listing in await bot.store.tables(OTHER) for seated in listing.seats] == [
        "Eve"
    ]
    for place in (PLACE, THREAD):
        refused = await bot.say(at(eve, place), "new", game="casino")
        assert refused.notice == "A moderator has barred you from the tables here."
