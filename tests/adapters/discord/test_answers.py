"""Answers on Discord: private to the sender, in time, and despite Discord's errors."""

from __future__ import annotations

from math import ceil
from typing import Any

import discord
import pytest
from simcord.results import InteractionResult

from adapters.discord.answers import TOKEN_LIFE
from bot.inbox.dispatcher import Dispatcher
from bot.ports import Caller, Reply
from bot.tables.turn_clock import ALERT_AFTER
from tests.adapters.discord.world import Player, Shown, SimulatedClock, World, actions, buttons, opened


def text_of(result: InteractionResult) -> str:
    """The text of an interaction's ephemeral answers."""
    answers = [result.response, *result.followups]
    return "\n".join(answer.content for answer in answers if answer and answer.ephemeral)


async def seated(
    world: World, key: str = "casino", locale: str = "en-US", **given: Any
) -> tuple[Player, Player]:
    """Opens a table and seats two players."""
    ana, bob = world.player("Ana", locale), world.player("Bob", locale)
    await ana.types("new", game=key, **given)
    await bob.presses(world.public_panel, "Join")
    return ana, bob


async def playing(
    world: World, key: str = "casino", locale: str = "en-US", **given: Any
) -> tuple[Player, Player]:
    """Starts a game of two players; the player whose turn it is comes first."""
    ana, bob = await seated(world, key, locale, **given)
    await ana.presses(world.public_panel, "Start")
    turn = await world.awaited((ana, bob))
    return (ana, bob) if turn is ana else (bob, ana)


def requests(world: World, method: str, ending: str = "") -> list[Any]:
    """The bot's requests of a method whose path has this ending."""
    return [
        request
        for request in world.env.http_requests
        if request.method == method and request.path.endswith(ending)
    ]


async def test_a_command_is_answered_to_its_sender_alone() -> None:
    async with opened() as world:
        result = await world.player("Ana").types("new", game="casino")
        assert text_of(result) == "Your table is open. The others press Join."


async def test_the_table_is_shown_to_all_in_one_message() -> None:
    async with opened() as world:
        await seated(world)
        shown = [message for message in world.channel.history() if not message.flags.ephemeral]
        assert [message.content.splitlines()[0] for message in shown] == ["Casino, table 1"]


async def test_a_player_who_joins_gets_a_panel_by_private_message() -> None:
    async with opened() as world:
        _, bob = await seated(world)
        assert "You have a seat." in bob.panel.content


async def test_a_lobby_in_the_private_chat_keeps_its_buttons_on_every_page() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        await ana.types_alone("new", game="casino")
        result = await ana.types_alone("computers")
        assert result.response
        await ana.presses(result.response, "+")
        assert r"\(computer\)" in result.response.content
        labels = [button["label"] for button in buttons(ana.panel)]
        assert [button["label"] for button in buttons(result.response)] == labels


async def test_the_answer_to_join_and_the_panel_link_to_each_other() -> None:
    async with opened() as world:
        ana, bob = world.player("Ana"), world.player("Bob", "es-ES")
        result = await ana.types("new", game="casino")
        assert result.response
        assert buttons(result.response)[0]["url"] == ana.panel.jump_url
        result = await bob.presses(world.public_panel, "Join")
        [answer] = [one for one in (result.response, *result.followups) if one and one.ephemeral]
        assert buttons(answer)[0]["label"] == "Abrir nuestro chat privado"
        assert buttons(answer)[0]["url"] == bob.panel.jump_url
        assert bob.panel.content.startswith(f"[Casino, mesa 1]({world.public_panel.jump_url})")


async def test_a_button_that_changes_the_table_edits_it_as_its_answer() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        before = len(world.env.http_requests)
        await ana.presses(world.public_panel, "+ Computer")
        sent = [(request.method, request.path.split("/")[1]) for request in world.env.http_requests[before:]]
        assert sent[0] == ("POST", "interactions")
        assert ("PATCH", "channels") not in [
            (request.method, request.path.split("/")[1])
            for request in world.env.http_requests[before:]
            if str(world.channel.id) in request.path
        ]


async def test_a_move_is_answered_with_the_panel_it_was_pressed_on() -> None:
    async with opened() as world:
        ana, _ = await playing(world)
        before = len(world.env.http_requests)
        await ana.clicks(ana.panel, actions(ana.panel, "pick", "move")[0])
        sent = world.env.http_requests[before:]
        assert [one.json["type"] for one in sent if one.json and "type" in one.json] == [7]


async def test_a_refusal_is_told_to_its_sender_alone() -> None:
    async with opened() as world:
        await playing(world)
        result = await world.player("Eve").presses(world.public_panel, "My hand")
        assert text_of(result) == "You have no seat at this table."


async def test_my_hand_is_shown_to_its_holder_alone() -> None:
    async with opened() as world:
        ana, _ = await playing(world)
        result = await ana.presses(world.public_panel, "My hand")
        assert result.response is not None
        assert result.response.ephemeral
        assert actions(result.response.message, "pick", "move")


async def test_a_press_on_an_ephemeral_page_replaces_it() -> None:
    async with opened() as world:
        ana, _ = await playing(world)
        result = await ana.presses(world.public_panel, "My hand")
        assert result.response
        before = result.response.content
        again = await ana.clicks(result.response, actions(result.response.message, "pick", "move")[0])
        assert not again.followups
        assert result.response.content != before


def listed(message: Shown) -> list[dict[str, Any]]:
    """The options of a message's lists."""
    return [button for button in buttons(message) if "chooser" in button]


async def with_list(world: World, locale: str = "en-US") -> Player:
    """Plays until the awaited player's panel has a list of options; that player."""
    players = await playing(world, "casino", locale)
    for _ in range(40):
        player = await world.awaited(players)
        assert player
        if listed(player.panel):
            return player
        await player.clicks(player.panel, actions(player.panel, "move", "pick")[0])
    raise AssertionError("no page had a list")


async def test_an_option_chosen_from_a_list_is_carried_out() -> None:
    async with opened() as world:
        player = await with_list(world)
        chosen, before = listed(player.panel)[0], await world.table()
        await player.clicks(player.panel, chosen)
        made = next(entry for entry in (await world.table()).entries[len(before.entries) :])
        assert f":{made.body['move']}" in chosen["custom_id"]


async def test_a_list_works_on_an_ephemeral_page() -> None:
    async with opened() as world:
        player = await with_list(world)
        page = (await player.presses(world.public_panel, "My hand")).response
        assert page
        before = page.content
        result = await player.clicks(page, listed(page)[0])
        assert not result.followups
        assert page.content != before


async def test_a_list_works_after_a_restart() -> None:
    async with opened() as world:
        player = await with_list(world)
        await world.restart()
        before = player.panel.content
        await player.clicks(player.panel, listed(player.panel)[0])
        assert player.panel.content != before


async def test_a_list_speaks_the_language_of_its_reader() -> None:
    async with opened() as world:
        player = await with_list(world, "es-ES")
        rows: Any = player.panel.components
        choosers = [one for row in rows for one in row.to_dict()["components"] if "options" in one]
        titles = [chooser["placeholder"] for chooser in choosers]
        assert titles == ["Más jugadas …"]


async def test_every_option_of_a_list_is_read_for_hidden_cards() -> None:
    async with opened() as world:
        await playing(world)
        table = await world.table()
        held = table.state.hands[0][0]
        option = {"label": f"Throw {held}", "value": f"{table.id}:0:move:throw {held}"}
        chooser = {"type": 3, "custom_id": "choose:00000000", "placeholder": "2 more", "options": [option]}
        body = {"content": "", "components": [{"type": 1, "components": [chooser]}]}
        with pytest.raises(AssertionError, match=f"'{held}'"):
            world.request_reader.read("PATCH", f"/channels/{world.channel.id}/messages/1", body)
        world.scan.faults.found.clear()


async def test_a_stale_press_on_an_ephemeral_page_shows_why_and_the_current_menu() -> None:
    async with opened() as world:
        ana, bob = await playing(world)
        result = await ana.presses(world.public_panel, "My hand")
        assert result.response
        stale = actions(result.response.message, "pick", "move")[0]
        while await world.awaited((ana, bob)) is ana:
            wanted = actions(ana.panel, "move") or actions(ana.panel, "pick")
            await ana.clicks(ana.panel, wanted[0])
        await ana.clicks(result.response, stale)
        why = result.response.content.splitlines()[0]
        assert why.startswith(("That menu was out of date", "That has already been done"))


async def test_a_cut_asks_for_words_first() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        form = await ana.presses(world.public_panel, "Cut")
        assert form.modal is not None
        await ana.fills(form, "by moonlight")
        assert "by moonlight" in world.public_panel.content


async def test_a_form_that_is_never_sent_is_not_kept() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        await ana.presses(world.public_panel, "Cut")
        assert world.client._connection._view_store._modals == {}


async def test_a_form_that_was_opened_before_a_restart_is_taken() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        form = await ana.presses(world.public_panel, "Cut")
        await world.restart()
        await ana.fills(form, "by moonlight")
        assert "by moonlight" in world.public_panel.content


async def test_every_button_works_after_a_restart() -> None:
    async with opened() as world:
        ana, bob = await seated(world)
        await world.restart()
        await ana.presses(world.public_panel, "Start")
        player = await world.awaited((ana, bob))
        assert player
        await world.restart()
        before = player.panel.content
        await player.clicks(player.panel, actions(player.panel, "pick", "move")[0])
        assert player.panel.content != before


async def test_the_log_of_a_game_that_is_over_comes_as_a_file() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        await ana.presses(world.public_panel, "Start")
        for _ in range(2):
            await ana.types("end")
        result = await ana.presses(world.public_panel, "Log")
        assert result.response
        assert [attachment.filename.rpartition(".")[2] for attachment in result.response.attachments] == [
            "json"
        ]


async def test_an_empty_answer_leaves_no_message() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        await ana.types_alone("new", game="casino")
        assert len(requests(world, "DELETE", "@original")) == 1


async def test_a_table_in_the_chat_with_the_bot() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        await ana.types_alone("new", game="casino")
        await ana.presses(ana.panel, "Start")
        assert actions(ana.panel, "pick", "move")


async def test_a_move_typed_in_the_chat_with_the_bot() -> None:
    async with opened() as world:
        ana, _ = await playing(world)
        table = await world.table()
        move = str(next(iter(table.game.moves(table.state, table.active()[0]))))
        await ana.member.user.send_dm(move)
        await world.clock.advance(1.5)
        assert (await world.table()).stamp == 1


async def test_words_that_are_no_move_are_answered() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        await ana.member.user.send_dm("hello")
        last = ana.member.user.dm_channel.last_message
        assert last
        assert "Open a table" in last.content


class SlowDispatcher(Dispatcher):
    """A dispatcher that lets so many seconds pass before it handles a press or a command."""

    def __init__(self, dispatcher: Dispatcher, clock: SimulatedClock, seconds: float) -> None:
        super().__init__(
            dispatcher._store,
            dispatcher.service,
            dispatcher.people,
            dispatcher.panels,
            dispatcher.drafts,
            dispatcher.platforms,
        )
        self._clock, self._seconds = clock, seconds

    async def press(self, caller: Caller, data: str, delivery: str, **more: Any) -> Reply:
        await self._clock.sleep(self._seconds)
        return await super().press(caller, data, delivery, **more)

    async def command(self, caller: Caller, name: str, given: Any, delivery: str) -> Reply:
        await self._clock.sleep(self._seconds)
        return await super().command(caller, name, given, delivery)


def slow(world: World, seconds: float) -> None:
    assert world.client.dispatcher
    world.client.set_dispatcher(SlowDispatcher(world.client.dispatcher, world.clock, seconds))


async def test_a_slow_command_is_acknowledged_first_and_answered_later() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        slow(world, 60)
        result = await ana.types("help")
        assert result.deferred
        await world.clock.advance(60)
        assert "Card games for friends" in text_of(result)


async def test_a_slow_press_is_acknowledged_first_and_answered_later() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        slow(world, 60)
        result = await ana.presses(world.public_panel, "Rules")
        assert result.acknowledged
        await world.clock.advance(120)
        assert [answer.ephemeral for answer in result.followups] == [True]


async def test_a_slow_press_that_changes_the_table_changes_it_later() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        slow(world, 60)
        await ana.presses(world.public_panel, "+ Computer")
        await world.clock.advance(120)
        assert "3. " in world.public_panel.content


async def test_each_person_is_answered_in_turn_and_waits_for_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened() as world:
        ana, bob = await seated(world)
        assert world.client.dispatcher
        dispatcher = world.client.dispatcher
        begun, press, command = list[tuple[str, str]](), dispatcher.press, dispatcher.command

        async def slow_press(caller: Caller, data: str, *given: Any, **named: Any) -> Reply:
            begun.append((caller.name, "press"))
            await world.clock.sleep(60)
            return await press(caller, data, *given, **named)

        async def noted_command(caller: Caller, *given: Any) -> Reply:
            begun.append((caller.name, "command"))
            return await command(caller, *given)

        monkeypatch.setattr(dispatcher, "press", slow_press)
        monkeypatch.setattr(dispatcher, "command", noted_command)
        await ana.presses(world.public_panel, "Rules")
        waiting = await ana.types("help")
        await bob.types("help")
        assert begun == [("Ana", "press"), ("Bob", "command")]
        assert waiting.deferred
        await world.clock.advance(60)
        assert begun == [("Ana", "press"), ("Bob", "command"), ("Ana", "command")]
        assert "Card games for friends" in text_of(waiting)


async def test_the_token_of_a_press_is_not_used_after_a_quarter_of_an_hour() -> None:
    async with opened() as world:
        ana, bob = await seated(world)
        await ana.presses(world.public_panel, "+ Computer")
        await world.clock.advance(15 * 60)
        before = len(world.env.http_requests)
        await bob.types("leave")
        patches = [
            request.path.split("/")[1]
            for request in world.env.http_requests[before:]
            if request.method == "PATCH"
        ]
        assert set(patches) == {"channels"}


async def test_an_answer_that_took_a_quarter_of_an_hour_is_not_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "adapters.discord.answers")
    async with opened() as world:
        ana, bob = await seated(world)
        eve = world.player("Eve")
        slow(world, 15 * 60)
        await ana.presses(world.public_panel, "Rules")
        await bob.types("help")
        # This one has an empty answer: only its placeholder would be deleted.
        await eve.types_alone("new", game="casino")
        before = len(world.env.http_requests)
        await world.clock.advance(16 * 60)
        assert caplog.messages == ["an interaction expired before the bot answered it"] * 2
        assert "1. Eve" in eve.panel.content
        assert [
            request.path for request in world.env.http_requests[before:] if "/webhooks/" in request.path
        ] == []


async def test_a_press_that_comes_too_late_for_an_answer_still_counts() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        world.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062, times=None)
        await ana.presses(world.public_panel, "+ Computer")
        await world.clock.advance(5)
        assert "3. " in world.public_panel.content


async def test_a_press_that_was_acknowledged_elsewhere_still_changes_the_table(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        world.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=40060)
        await ana.presses(world.public_panel, "+ Computer")
        await world.clock.advance(5)
        assert "3. " in world.public_panel.content
        assert caplog.messages == [], "the edit did not fail: it was made with the token"


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (429, 30046), (400, 50083)])
async def test_a_table_whose_message_cannot_be_edited_is_posted_anew(status: int, code: int) -> None:
    async with opened() as world:
        _, bob = await seated(world)
        old = world.public_panel.id
        await world.clock.advance(16 * 60)
        world.env.inject_error("PATCH", f"/channels/{world.channel.id}/messages/*", status=status, code=code)
        await bob.types("leave")
        assert world.public_panel.id != old


async def test_a_message_that_was_edited_too_often_is_taken_away() -> None:
    async with opened() as world:
        _, bob = await seated(world)
        old = world.public_panel.id
        await world.clock.advance(16 * 60)
        world.env.inject_error("PATCH", f"/channels/{world.channel.id}/messages/*", status=429, code=30046)
        await bob.types("leave")
        assert [message.id for message in world.channel.history() if message.components] == [
            world.public_panel.id
        ]
        assert world.public_panel.id != old


@pytest.mark.parametrize(
    ("locale", "words", "ends"),
    [
        ("en-US", "Your turn: Casino, table 1.", "Turn ends"),
        ("es-ES", "Te toca: Casino, mesa 1.", "El turno acaba"),
    ],
)
async def test_a_player_who_does_nothing_is_alerted_by_a_new_message_that_replies_to_their_panel(
    locale: str, words: str, ends: str
) -> None:
    async with opened() as world:
        player, _ = await playing(world, locale=locale)
        table, panel = await world.table(), player.panel
        (at,) = map(ceil, table.deadlines.values())
        assert panel.content.endswith(f"{ends} <t:{at}:R>.")
        before = len(world.env.http_requests)
        await world.clock.advance(ALERT_AFTER)
        (alert,) = (
            message for message in player.member.user.dm_channel.history() if words in message.content
        )
        assert alert.content == f"{words}\n{ends} <t:{at}:R>."
        assert alert.reference
        assert alert.reference.message_id == panel.id
        posts = [request.path for request in world.env.http_requests[before:] if request.method == "POST"]
        assert len(posts) == 1, "an edit would notify nobody"
        await player.clicks(player.panel, actions(player.panel, "pick", "move")[0])
        assert words not in "".join(message.content for message in player.member.user.dm_channel.history())


async def test_where_the_bot_may_not_read_earlier_messages_an_alert_replies_to_none() -> None:
    async with opened() as world:
        player, _ = await playing(world)
        channel = player.member.user.dm_channel
        world.env.inject_error("POST", f"/channels/{channel.id}/messages", status=400, code=160002)
        await world.clock.advance(ALERT_AFTER)
        (alert,) = (message for message in channel.history() if "Your turn: Casino" in message.content)
        assert alert.reference is None


@pytest.mark.parametrize("code", [50278, 10013])
async def test_a_computer_plays_for_a_player_who_has_left_the_server(code: int) -> None:
    async with opened() as world:
        player, other = await playing(world)
        await world.clock.advance(120)
        path = f"/channels/{other.member.user.dm_channel.id}/messages"
        world.env.inject_error("POST", path, status=403, code=code, times=None)
        while await world.awaited((player, other)) is player:
            await player.clicks(
                player.panel, (actions(player.panel, "move") or actions(player.panel, "pick"))[0]
            )
            if (await world.table()).stamp:
                break
        await world.clock.advance(ALERT_AFTER + 2)
        away = [one.name for one in (await world.table()).players if one.is_held]
        assert away == [other.member.name.title()]


async def test_a_table_whose_message_is_gone_at_the_press_on_it_is_posted_anew() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        old = world.public_panel
        await world.clock.advance(5)
        world.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10008)
        await ana.presses(old, "+ Computer")
        await world.clock.advance(5)
        assert world.public_panel.id != old.id


async def test_who_takes_no_private_messages_is_told_where_their_cards_are() -> None:
    async with opened() as world:
        ana, bob = world.player("Ana"), world.player("Bob")
        await ana.types("new", game="casino")
        world.close_messages(bob)
        result = await bob.presses(world.public_panel, "Join")
        assert "Press “My hand” at the table" in text_of(result)


async def test_where_the_bot_may_not_write_no_table_is_opened() -> None:
    async with opened() as world:
        overwrites: Any = {world.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
        quiet = world.guild.create_text_channel("quiet", overwrites=overwrites)
        result = await world.player("Ana").types("new", quiet, game="casino")
        assert text_of(result).startswith("I'm not allowed to write here")
        assert await world.table_or_none(quiet) is None


@pytest.mark.parametrize("code", [50001, 50013])
async def test_a_permission_that_is_lost_in_mid_game_costs_nothing_but_the_message(code: int) -> None:
    async with opened() as world:
        ana, bob = await playing(world, clock="off")
        await world.clock.advance(16 * 60)
        world.env.inject_error("PATCH", f"/channels/{world.channel.id}/*", status=403, code=code, times=None)
        while (await world.table()).stamp == 0:
            wanted = actions(ana.panel, "move") or actions(ana.panel, "pick")
            await ana.clicks(ana.panel, wanted[0])
        await world.clock.advance(60)
        refused = f"/channels/{world.channel.id}/messages/{world.public_panel.id}"
        assert len(requests(world, "PATCH", refused)) == 1, "what was refused is not sent again"
        assert stamp_of(world.public_panel) == 0
        assert stamp_of(ana.panel) == stamp_of(bob.panel) == (await world.table()).stamp == 1


async def test_what_a_player_types_mentions_nobody() -> None:
    async with opened() as world:
        ana, _ = await seated(world)
        await ana.types("cut", words="@everyone <@1> **loud**")
        bodies = [request.json for request in world.env.http_requests if isinstance(request.json, dict)]
        written = [text for body in bodies if "content" in (text := body.get("data") or body)]
        assert any("loud" in text["content"] for text in written)
        assert [text for text in written if text.get("allowed_mentions") != {"parse": []}] == []


async def test_a_player_who_takes_no_private_messages_is_alerted_by_name_in_the_channel() -> None:
    async with opened() as world:
        ana, bob = world.player("Ana"), world.player("Bob")
        for player in (ana, bob):
            world.close_messages(player)
        await ana.types("new", game="cardlebones")
        await bob.presses(world.public_panel, "Join")
        await ana.presses(world.public_panel, "Start")
        mover = await world.awaited((ana, bob))
        assert mover

        def alerts() -> list[str]:
            return [message.content for message in world.channel.history() if "your turn" in message.content]

        await world.clock.advance(ALERT_AFTER)
        (alert,) = alerts()
        assert alert.startswith(mover.member.mention)
        await mover.clicks(world.public_panel, actions(world.public_panel, "move")[0])
        assert alerts() == []


async def test_a_thread_is_a_place_of_its_own() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        start = await ana.member.send(world.channel, "cards here?")
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(name="Friday", message=start)
        place = next(one for one in world.channel.threads if one.id == thread.id)
        await ana.types("new", place, game="casino")
        assert (await world.table(place)).place.chat == str(thread.id)


async def test_a_thread_has_the_settings_of_its_channel() -> None:
    async with opened() as world:
        role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
        mia, ana = world.player("Mia", roles=[role]), world.player("Ana")
        await mia.types("channel", openers="moderators")
        start = await ana.member.send(world.channel, "cards here?")
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(name="Friday", message=start)
        place = next(one for one in world.channel.threads if one.id == thread.id)
        result = await ana.types("new", place, game="casino")
        assert text_of(result) == "Only moderators may open tables here. Ask one of them."


async def test_a_post_of_a_forum_is_a_place_of_its_own() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        forum = world.guild.create_forum_channel("card tables")
        channel = world.client.get_channel(forum.id)
        assert isinstance(channel, discord.ForumChannel)
        post = (await channel.create_thread(name="Friday", content="cards here?")).thread
        place = next(thread for thread in forum.threads if thread.id == post.id)
        await ana.types("new", place, game="casino")
        assert (await world.table(place)).place.chat == str(post.id)
        assert actions(world.last_page(place), "join")


async def test_the_text_chat_of_a_voice_channel_is_a_place_too() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        voice = world.guild.create_voice_channel("Kitchen")
        await ana.types("new", voice, game="casino")
        assert actions(world.last_page(voice), "join")


async def bury_and_leave(world: World, player: Player) -> None:
    """A player writes much below the table, then leaves it."""
    for _ in range(12):
        await player.member.send(world.channel, "and so on")
    await player.types("leave")
    await world.clock.advance(5)


async def test_the_table_moves_down_when_much_was_written_below_it() -> None:
    async with opened() as world:
        _, bob = await seated(world)
        old = world.public_panel.id
        await bury_and_leave(world, bob)
        assert world.public_panel.id > old


async def test_a_table_that_only_presses_have_edited_since_a_restart_moves_down_too() -> None:
    async with opened() as world:
        _, bob = await seated(world)
        await world.restart()
        old, eve = world.public_panel.id, world.player("Eve")
        before = len(world.env.http_requests)
        await eve.presses(world.public_panel, "Join")
        assert not [
            request
            for request in world.env.http_requests[before:]
            if request.path.endswith(f"/messages/{old}")
        ]
        await bury_and_leave(world, bob)
        assert world.public_panel.id > old


async def test_a_table_that_was_buried_after_a_restart_moves_down_with_the_first_change() -> None:
    async with opened() as world:
        _, bob = await seated(world)
        await world.restart()
        old = world.public_panel.id
        await bury_and_leave(world, bob)
        assert world.public_panel.id > old


async def hands_in_channel(world: World) -> tuple[tuple[Player, Shown], tuple[Player, Shown]]:
    """Starts a game of two players whose private chats are closed; shows each their hand in the channel."""
    world.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    players = await playing(world, clock="off")
    hands = [(await player.presses(world.public_panel, "My hand")).response for player in players]
    assert hands[0]
    assert hands[1]
    return (players[0], hands[0]), (players[1], hands[1])


async def plays(player: Player, page: Shown) -> None:
    """Makes the first move of a page."""
    if not actions(page, "move"):
        await player.clicks(page, actions(page, "pick")[0])
    await player.clicks(page, actions(page, "move")[0])


def stamp_of(page: Shown) -> int:
    """The stamp of a page's buttons."""
    return int(buttons(page)[0]["custom_id"].split(":")[1])


async def test_a_hand_in_the_channel_follows_the_moves_of_others() -> None:
    async with opened() as world:
        (ana, hand), (_, other) = await hands_in_channel(world)
        assert not actions(other, "pick", "move")
        await plays(ana, hand)
        assert actions(other, "pick", "move")
        assert stamp_of(hand) == stamp_of(other) == 1


async def test_a_hand_in_the_channel_has_no_link() -> None:
    async with opened() as world:
        await hands_in_channel(world)
        table, dispatcher = await world.table(), world.client.dispatcher
        assert table
        assert dispatcher
        readers = ("", *(player.person or "" for player in table.players))
        links = [await dispatcher.panels.links.link(table, reader) for reader in readers]
        assert [bool(link) for link in links] == [True, False, False]


async def test_a_hand_in_the_channel_comes_back_with_a_press_after_its_token_has_expired() -> None:
    async with opened() as world:
        (ana, _), (bob, other) = await hands_in_channel(world)
        await world.clock.advance(TOKEN_LIFE)
        again = (await ana.presses(world.public_panel, "My hand")).response
        assert again
        await plays(ana, again)
        assert (await world.table()).stamp > stamp_of(other)
        await bob.clicks(other, buttons(other)[0])
        assert stamp_of(other) == (await world.table()).stamp


async def test_a_second_hand_in_the_channel_takes_the_place_of_the_first() -> None:
    async with opened() as world:
        (ana, _), _ = await hands_in_channel(world)
        before = len(world.env.http_requests)
        await ana.presses(world.public_panel, "My hand")
        sent = [request.method for request in world.env.http_requests[before:] if "webhooks" in request.path]
        assert sent == ["PATCH", "DELETE"]
