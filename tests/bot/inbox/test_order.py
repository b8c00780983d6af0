"""Keeping order at tables: guests, questions to the players, confirmations, bars, news of new tables."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.inbox.arguments.commands import command_named
from bot.inbox.arguments.typed_arguments import arguments
from bot.inbox.confirming import HOLDS
from bot.model.tables import Refused
from bot.ports import Caller, Later
from bot.store.memory.store import MemoryStore
from bot.table_service.bounds import Bounds
from bot.tables.names.parsing import guests_from
from engines.values import replace
from tests.support.harness import BotHarness, bot_harness, key, keys, offers, text
from tests.support.stores import live_tables


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def names(bot: BotHarness) -> list[str]:
    return [player.name for player in (await bot.table()).players]


@pytest.mark.parametrize(
    ("line", "people"),
    [
        ("@ana @Luis", ("@ana", "@luis")),
        ("@ana,@luis @ANA", ("@ana", "@luis")),
        ("<@12> <@!34>", ("<@12>", "<@34>")),
        ("with:@ana con:<@12>", ("@ana", "<@12>")),
        ("", ()),
    ],
)
def test_mentions_name_the_guests(line: str, people: tuple[str, ...]) -> None:
    assert guests_from(line) == people


@pytest.mark.parametrize("line", ["ana", "@", "<@>", "@ana<@12>", "<@12", "joe@ana"])
def test_other_words_name_nobody(line: str) -> None:
    with pytest.raises(Refused):
        guests_from(line)


@pytest.mark.parametrize("line", ["casino 3 @ana @luis order=on", "casino 3 with:@ana @luis order=on"])
def test_mentions_stand_before_the_rules_of_a_typed_line(line: str) -> None:
    new = command_named("new")
    assert new
    given = arguments(new, line)
    assert (guests_from(given.pop("with")), given) == (
        ("@ana", "@luis"),
        {"game": "casino", "players": "3", "rules": "order=on"},
    )


async def test_only_guests_join_a_table_with_invitations(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", **{"game": "casino", "with": "@beto"})
    assert "Only for those who were invited." in text(bot.public_panel())
    refused = await bot.say(bot.caller("Eva"), "join")
    assert refused.notice == "This table is only for the players who were invited."
    await bot.say(bot.caller("Beto"), "join")
    assert await names(bot) == ["Ana", "Beto"]


async def test_another_name_makes_no_guest(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", **{"game": "casino", "with": "<@beto>"})
    eva = replace(bot.caller("Eva"), name="Beto", username="<@beto>")
    assert (await bot.say(eva, "join")).notice == "This table is only for the players who were invited."
    await bot.say(bot.caller("Beto"), "join")
    assert await names(bot) == ["Ana", "Beto"]


async def test_the_opener_comes_back_though_another_player_owns_the_table(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", **{"game": "casino", "with": "@beto"})
    await bot.say(bot.caller("Beto"), "join")
    await bot.say(ana, "leave")
    await bot.say(ana, "join")
    assert await names(bot) == ["Beto", "Ana"]


async def test_a_table_for_two_is_full_when_the_guest_has_come(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", **{"game": "casino", "with": "@beto"})
    await bot.say(bot.caller("Beto"), "join")
    await bot.say(bot.caller("Beto"), "start")
    assert (await bot.table()).status == "playing"


async def test_who_joins_first_does_not_start_before_the_friends_come(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    eva = bot.caller("Eva")
    await bot.say(eva, "join")
    refused = await bot.press(eva, f"{(await bot.table()).id}:0:start")
    assert refused.notice == "Seats are still free, so Ana starts; or you, in 120 seconds."
    await bot.clock.advance(120)
    await bot.press(eva, f"{(await bot.table()).id}:0:start")
    assert (await bot.table()).status == "playing"


@pytest.mark.parametrize("tables", [1, 2])
async def test_a_number_that_no_seat_can_have_is_that_of_the_table_to_sit_at(
    bot: BotHarness, tables: int
) -> None:
    callers = [bot.caller(name) for name in ("Ana", "Beto", "Carla")]
    for number, owner in enumerate(callers, 1):
        await bot.say(owner, "new", game="casino", players="2")
        await bot.press(owner, f"{(await bot.table(number)).id}:0:start")
    for number, owner in enumerate(callers, 1):
        if number <= 3 - tables:
            for _ in ("ask", "confirm"):
                await bot.say(owner, "end", table=str(number))
    third = await bot.table(3)
    await bot.type(bot.caller("Rita"), "/sit 3")
    third = await bot.dispatcher.service.table(third.id)
    assert third.question
    assert third.question.name == "Rita"


async def test_more_guests_than_seats_are_refused(bot: BotHarness) -> None:
    reply = await bot.say(bot.caller("Ana"), "new", **{"game": "svoi", "with": "@beto @eva"})
    assert reply.notice == "Svoi Kozyri is for two players."


async def with_computer(bot: BotHarness) -> tuple[Caller, Caller]:
    """The two players of a game with one computer."""
    ana, beto = await bot.begin("casino", "Ana", "Beto", players="3")
    return ana, beto


async def asked(bot: BotHarness) -> tuple[Caller, Caller, Caller]:
    """The two players of a game, and a person who has asked for the seat of its computer."""
    ana, beto = await with_computer(bot)
    rita = bot.caller("Rita")
    reply = await bot.press(rita, key(bot.public_panel(), "Sit in").data)
    assert reply.notice == "I've asked the players. You'll get a seat if they agree."
    return ana, beto, rita


async def test_a_person_sits_in_with_one_press_and_one_answer(bot: BotHarness) -> None:
    ana, _, rita = await asked(bot)
    for page in (bot.public_panel(), bot.panel(ana)):
        assert "Rita would like to play in place of " in text(page)
        assert "Not answered yet: Ana and Beto." in text(page)
    reply = await bot.press(ana, key(bot.panel(ana), "Agree").data)
    assert reply.notice == "Your answer counts."
    assert "Rita" in await names(bot)
    assert "Rita takes over from" in text(bot.public_panel())
    assert offers(bot.public_panel(), "agree") == offers(bot.panel(ana), "agree") == []
    table = await bot.table()
    is_awaited = table.seat_of(await bot.person(rita)) in table.active()
    assert offers(bot.panel(rita), "move" if is_awaited else "leave")


async def test_the_public_panel_takes_answers_of_players_alone(bot: BotHarness) -> None:
    _, beto, rita = await asked(bot)
    no = key(bot.public_panel(), "No").data
    assert (await bot.press(bot.caller("Eva"), no)).notice == "You have no seat at this table."
    assert (await bot.press(rita, no)).notice == "You have no seat at this table."
    await bot.press(beto, no)
    assert (await bot.press(beto, no)).notice == "That question is closed."
    assert "Rita" not in await names(bot)


async def test_an_answered_question_leaves_the_page_of_the_player(bot: BotHarness) -> None:
    _, beto, _ = await asked(bot)
    await bot.say(bot.caller("Ana"), "owner", player="Ana")
    await bot.press(beto, key(bot.panel(beto), "Agree").data)
    assert offers(bot.panel(beto), "agree") == []
    assert "Not answered yet: Ana." in text(bot.panel(beto))


async def test_an_old_button_answers_no_other_question(bot: BotHarness) -> None:
    ana, beto, _ = await asked(bot)
    old = key(bot.panel(beto), "Agree").data
    await bot.press(ana, key(bot.panel(ana), "No").data)
    await bot.say(beto, "end")
    assert (await bot.press(ana, old)).notice == "That question is closed."
    assert (await bot.table()).status == "playing"


async def test_a_player_ends_the_game_with_the_others(bot: BotHarness) -> None:
    ana, beto = await with_computer(bot)
    reply = await bot.say(beto, "end")
    assert reply.notice == "I've asked the others. The game ends if all agree."
    assert "Beto would like to end this game now." in text(bot.public_panel())
    await bot.say(ana, "vote", answer="yes")
    assert (await bot.table()).ended == "agreed"
    assert "The players agreed to end the game." in text(bot.public_panel())


async def test_a_vote_without_an_answer_shows_the_question(bot: BotHarness) -> None:
    ana, beto = await with_computer(bot)
    assert (await bot.say(ana, "vote")).notice == "There is no open question at this table."
    await bot.say(beto, "end")
    page = (await bot.say(ana, "vote")).page
    assert "Beto would like to end this game now." in text(page)
    assert (
        await bot.say(ana, "vote", answer="perhaps")
    ).notice == "“answer” can't be “perhaps”. Choose: yes, no."
    await bot.press(ana, key(page, "Agree").data)
    assert (await bot.table()).ended == "agreed"


async def test_an_answer_is_typed(bot: BotHarness) -> None:
    _, beto = await with_computer(bot)
    await bot.say(beto, "end")
    await bot.type(bot.caller("Ana", private=True), "Agree")
    assert (await bot.table()).ended == "agreed"


async def test_a_spanish_player_reads_the_question_in_spanish(bot: BotHarness) -> None:
    ana = bot.caller("Ana", locale="es")
    await bot.say(ana, "new", game="casino", players="3")
    beto = bot.caller("Beto", locale="es")
    await bot.say(beto, "join")
    await bot.say(ana, "start")
    assert (await bot.say(beto, "terminar")).notice == (
        "Ya se lo pregunté a los demás. La partida termina si todos están de acuerdo."
    )
    assert "Beto propone terminar esta partida." in text(bot.panel(ana))
    assert "Falta la respuesta de Ana." in text(bot.panel(ana))
    await bot.press(ana, key(bot.panel(ana), "De acuerdo").data)
    assert "Los jugadores acordaron terminar la partida." in text(bot.panel(ana))


async def test_leaving_a_running_game_asks_once(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    reply = await bot.say(ana, "leave")
    assert text(reply.page).startswith("Leave in mid-game? A computer plays on for you")
    assert not (await bot.table()).players[0].is_held
    await bot.press(ana, key(reply.page, "Yes, leave").data)
    assert (await bot.table()).players[0].is_held


async def asked_to_close(bot: BotHarness, sender: Caller) -> bool:
    """Whether the sender of the command is asked, and the table stays open."""
    reply = await bot.say(sender, "end")
    is_asked = reply.page is not None
    if is_asked:
        assert text(reply.page).startswith("Close Casino, table 1? Nobody wins the game.")
    assert is_asked == ((await bot.table()).status == "playing")
    return is_asked


async def test_the_owner_who_closes_a_running_game_is_asked_once(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    assert await asked_to_close(bot, ana)
    assert not await asked_to_close(bot, ana)


async def test_each_who_may_close_a_running_game_is_asked(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    assert await asked_to_close(bot, ana)
    assert await asked_to_close(bot, mod(bot))
    assert not await asked_to_close(bot, mod(bot))


async def test_no_other_player_is_asked_whether_to_close_the_table(bot: BotHarness) -> None:
    _, beto = await with_computer(bot)
    reply = await bot.press(beto, f"{(await bot.table()).id}:0:end")
    assert (reply.notice, reply.page) == ("Only Ana or a moderator can do that.", None)


async def test_after_some_minutes_the_command_asks_again(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    assert await asked_to_close(bot, ana)
    await bot.clock.advance(HOLDS + 1)
    assert await asked_to_close(bot, ana)


async def test_the_command_that_comes_twice_confirms_nothing(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    for _ in range(2):
        await bot.dispatcher.command(ana, "end", {}, "wall:once")
        assert (await bot.table()).status == "playing"


async def test_the_command_sent_again_confirms_that_its_sender_leaves(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    await bot.say(ana, "leave")
    assert not (await bot.table()).players[0].is_held
    await bot.say(ana, "leave")
    assert (await bot.table()).players[0].is_held


@pytest.mark.parametrize("command", ["leave", "end"])
async def test_the_key_of_a_table_pressed_twice_confirms_nothing(bot: BotHarness, command: str) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    await bot.say(ana, "new", game="svoi")
    which = key((await bot.say(ana, command)).page, "Casino 1")
    for _ in range(2):
        assert offers((await bot.press(ana, which.data)).page, f"{command}_sure")
    table = await bot.table(1)
    assert (table.status, table.players[0].is_held) == ("playing", False)


async def test_a_question_whether_to_close_a_table_is_not_answered_by_leaving_it(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    await bot.say(ana, "end")
    await bot.say(ana, "leave")
    assert not (await bot.table()).players[0].is_held


OLD = "That question is old, so I'm asking again."


async def test_an_old_question_whether_to_leave_is_asked_again(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    old = key((await bot.say(ana, "leave")).page, "Yes, leave").data
    await bot.clock.advance(HOLDS + 1)
    again = (await bot.press(ana, old)).page
    assert text(again).startswith(OLD)
    assert not (await bot.table()).players[0].is_held
    await bot.press(ana, key(again, "Yes, leave").data)
    assert (await bot.table()).players[0].is_held


async def test_who_has_come_back_since_is_asked_again_whether_they_leave(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    yes = key((await bot.say(ana, "leave")).page, "Yes, leave").data
    await bot.clock.advance(2)
    await bot.press(ana, yes)
    await bot.say(ana, "return")
    assert text((await bot.press(ana, yes)).page).startswith(OLD)
    assert not (await bot.table()).players[0].is_held


async def test_who_has_moved_since_is_asked_again_whether_they_leave(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    yes = key((await bot.say(mover, "leave")).page, "Yes, leave").data
    await bot.clock.advance(2)
    await bot.press(mover, offers(bot.panel(mover), "move")[0].data)
    assert text((await bot.press(mover, yes)).page).startswith(OLD)
    assert not any(player.is_held for player in (await bot.table()).players)


async def test_a_question_of_the_lobby_whether_to_end_closes_no_game(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="svoi")
    await bot.say(beto, "join")
    table = await bot.table()
    yes = key((await bot.press(ana, f"{table.id}:0:end")).page, "Yes, close it").data
    await bot.clock.advance(5)
    await bot.say(beto, "start")
    again = (await bot.press(ana, yes)).page
    assert text(again).startswith(OLD)
    assert (await bot.table()).status == "playing"
    await bot.press(ana, key(again, "Yes, close it").data)
    assert (await bot.table()).status == "over"


@pytest.mark.parametrize("asked", ["", "²", "9" * 200, "-1", "1e9", "999999999999", "0"])
async def test_a_forged_time_of_a_question_leaves_no_game(bot: BotHarness, asked: str) -> None:
    ana, _ = await with_computer(bot)
    leave = key((await bot.say(ana, "leave")).page, "Yes, leave").data
    end = key((await bot.say(ana, "end")).page, "Yes, close it").data
    await bot.press(ana, f"{leave.rpartition(' ')[0]} {asked}")
    await bot.press(ana, f"{end.rpartition(':')[0]}:{asked}")
    table = await bot.table()
    assert (table.players[0].is_held, table.status) == (False, "playing")
    await bot.press(ana, end)
    assert (await bot.table()).status == "over"


async def test_nobody_leaves_by_the_question_of_another_player(bot: BotHarness) -> None:
    ana, beto = await with_computer(bot)
    reply = await bot.say(ana, "leave")
    refused = await bot.press(beto, key(reply.page, "Yes, leave").data)
    assert refused.notice == "That question was for another player."
    assert not any(player.is_held for player in (await bot.table()).players)


async def test_a_lobby_is_left_at_once(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    assert (await bot.say(ana, "leave")).notice == "You've left."


async def test_a_table_is_handed_over(bot: BotHarness) -> None:
    ana, beto = await with_computer(bot)
    assert (await bot.say(ana, "owner", player="Beto")).notice == "The table belongs to Beto now."
    assert (await bot.table()).owner == await bot.person(beto)
    refused = (await bot.say(ana, "kick", player="Beto")).notice
    assert refused == "Only Beto or a moderator can do that."


def mod(bot: BotHarness) -> Caller:
    return bot.caller("Mia", moderator=True)


async def test_who_removes_a_player_is_told_whom(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    assert (await bot.say(ana, "kick", player="2")).notice == "Beto has been removed."


async def test_a_moderator_bars_a_person_from_the_tables_of_the_place(bot: BotHarness) -> None:
    ana, beto = await with_computer(bot)
    reply = await bot.say(mod(bot), "bar", player="ana")
    assert reply.notice == "Ana is barred from the tables here."
    table = await bot.table()
    assert (table.players[0].kicked, table.owner) == (True, await bot.person(beto))
    expected = "A moderator has barred you from the tables here."
    assert (await bot.say(ana, "new", game="casino")).notice == expected
    assert (await bot.say(ana, "sit")).notice == expected
    await bot.end(beto)
    assert (await bot.say(ana, "rematch")).notice == expected
    await bot.say(beto, "rematch")
    assert (await bot.say(ana, "join")).notice == expected
    assert "Ana" not in await names(bot)


async def test_a_username_bars_its_user_and_no_player_of_that_name(bot: BotHarness) -> None:
    ana, beto = await with_computer(bot)
    await bot.say(replace(beto, username="Ana"), "hand")
    await bot.say(replace(ana, username="queen"), "hand")
    await bot.say(mod(bot), "bar", player="@ANA")
    assert [player.kicked for player in (await bot.table()).players] == [False, True, False]


async def test_a_person_who_is_barred_while_they_ask_is_not_let_in(bot: BotHarness) -> None:
    ana, _, rita = await asked(bot)
    agree = key(bot.panel(ana), "Agree").data
    await bot.say(mod(bot), "bar", player="<@rita>")
    assert (await bot.press(ana, agree)).notice == "That question is closed."
    assert (await bot.table()).seat_of(await bot.person(rita)) is None


async def test_the_question_of_another_person_outlives_a_bar(bot: BotHarness) -> None:
    ana, _, rita = await asked(bot)
    await bot.say(mod(bot), "bar", player="<@beto>")
    await bot.press(ana, key(bot.panel(ana), "Agree").data)
    assert (await bot.table()).seat_of(await bot.person(rita)) is not None


async def test_of_two_tables_with_a_seat_the_own_one_is_closed(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    for opener, other in ((ana, beto), (beto, ana)):
        await bot.say(opener, "new", game="casino")
        n = str(len(await live_tables(bot.store)))
        await bot.say(other, "join", table=n)
    assert (await bot.say(beto, "end")).notice == "The table is closed."
    assert [table.number for table in await bot.store.tables(ana.place)] == [1]


async def test_a_barred_person_is_let_back_in_by_a_button(bot: BotHarness) -> None:
    ana, _ = await with_computer(bot)
    assert (await bot.say(mod(bot), "unbar")).notice == "Nobody is barred from the tables here."
    await bot.say(mod(bot), "bar", player="<@ana>")
    page = (await bot.say(mod(bot), "unbar")).page
    data = key(page, "Ana").data
    assert (await bot.press(ana, data)).notice == "Only a moderator can do that."
    assert (await bot.press(mod(bot), data)).notice == "Ana may play here again."
    assert (await bot.press(mod(bot), data)).notice == "That person isn't barred here."
    assert (await bot.say(ana, "new", game="svoi")).done


@pytest.mark.parametrize("player", ["<@ana>", "<@!ana>", "@ana", "Ana"])
async def test_a_barred_person_is_let_back_in_by_a_mention_or_by_name(bot: BotHarness, player: str) -> None:
    ana, _ = await with_computer(bot)
    await bot.say(mod(bot), "bar", player="<@ana>")
    assert (await bot.say(mod(bot), "unbar", player=player)).notice == "Ana may play here again."
    assert (await bot.say(ana, "new", game="svoi")).done


async def test_a_name_that_barred_people_share_is_a_choice_between_them(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    for user in ("beto", "carla", "zoe"):
        await bot.say(replace(bot.caller(user), name="Zoe" if user == "zoe" else "Beto"), "join")
        await bot.say(mod(bot), "bar", player=f"<@{user}>")
    page = (await bot.say(mod(bot), "unbar", player="beto")).page
    assert [one.label for one in keys(page)] == ["Beto", "Beto"]
    for one in keys(page):
        assert (await bot.press(mod(bot), one.data)).notice == "Beto may play here again."
    assert (await bot.say(mod(bot), "unbar", player="beto")).notice == "Nobody called beto is barred here."


async def test_a_name_lets_only_its_person_back_in(bot: BotHarness) -> None:
    ana, beto = await with_computer(bot)
    for player in ("<@ana>", "<@beto>"):
        await bot.say(mod(bot), "bar", player=player)
    assert (await bot.say(mod(bot), "unbar", player="Zoe")).notice == "Nobody called Zoe is barred here."
    assert (await bot.say(mod(bot), "unbar", player="Beto")).notice == "Beto may play here again."
    assert (await bot.say(beto, "new", game="svoi")).done
    assert "barred you" in (await bot.say(ana, "new", game="svoi")).notice


async def test_a_name_of_two_players_bars_neither(bot: BotHarness) -> None:
    callers = [bot.caller("Ana"), replace(bot.caller("Eva"), name="Ana")]
    for caller in callers:
        await bot.say(caller, "new", game="casino")
    assert (await bot.say(mod(bot), "bar", player="Ana")).notice == (
        "Several players are called Ana. Mention the one you mean."
    )
    for caller in callers:
        assert (await bot.say(caller, "new", game="svoi")).done


@pytest.mark.parametrize("command", ["bar", "unbar"])
async def test_only_moderators_bar(bot: BotHarness, command: str) -> None:
    ana, _ = await with_computer(bot)
    assert (await bot.say(ana, command, player="Beto")).notice == "Only a moderator can do that."


async def test_nobody_bars_a_stranger_or_themselves(bot: BotHarness) -> None:
    await with_computer(bot)
    assert (await bot.say(mod(bot), "bar", player="Zoe")).notice == (
        "Nobody at the tables here is called Zoe."
    )
    await bot.say(mod(bot), "new", game="svoi")
    assert (await bot.say(mod(bot), "bar", player="Mia")).notice == "You can't bar yourself."


async def test_a_person_who_wishes_is_told_of_a_new_table(bot: BotHarness) -> None:
    rita = bot.caller("Rita")
    await bot.type(bot.caller("Rita", private=True), "hello")
    reply = await bot.say(rita, "notify")
    assert reply.notice.startswith("I'll tell you in private when a table opens here.")
    await bot.say(bot.caller("Ana"), "new", game="casino")
    await bot.clock.advance(5)
    assert text(bot.panel(rita)).startswith("A table has opened: Casino, table 1.")
    await bot.press(rita, key(bot.panel(rita), "Join").data)
    assert await names(bot) == ["Ana", "Rita"]


async def told_of_tables(bot: BotHarness, rita: Caller) -> int:
    """Lets five seconds pass; returns how many invitations stand in a person's private chat."""
    await bot.clock.advance(5)
    return sum("A table has opened" in text(page) for page in bot.platform.pages(f"alone:{rita.user}"))


async def test_many_tables_are_told_of_once(bot: BotHarness) -> None:
    rita = bot.caller("Rita")
    await bot.type(bot.caller("Rita", private=True), "hello")
    await bot.say(rita, "notify")
    for game in ("casino", "svoi", "casino"):
        await bot.say(bot.caller("Ana"), "new", game=game)
    assert await told_of_tables(bot, rita) == 1


@pytest.mark.parametrize(
    ("locale", "name", "expected"),
    [
        ("en", "Friday *cards* #lobby", "A table has opened in Friday *cards* #lobby: Casino, table 1."),
        ("es", "Viernes", "Se abrió una mesa en Viernes: Casino, mesa 1. ¿Juegas?"),
        ("en", "\u202eX\n@everyone " + "g" * 99, f"A table has opened in X @everyone {'g' * 27}…: Casino"),
    ],
)
async def test_an_invitation_names_its_place(bot: BotHarness, locale: str, name: str, expected: str) -> None:
    rita = bot.caller("Rita", locale=locale)
    await bot.type(bot.caller("Rita", private=True, locale=locale), "hello")
    await bot.say(rita, "notify")
    await bot.say(replace(bot.caller("Ana"), place_name=name), "new", game="casino")
    await bot.clock.advance(5)
    assert text(bot.panel(rita)).startswith(expected)


@pytest.mark.parametrize(("later", "invitations"), [(0, 0), (2, 1)])
async def test_nobody_is_invited_in_their_quiet_hours(bot: BotHarness, later: int, invitations: int) -> None:
    rita, hour = bot.caller("Rita"), int(bot.clock.now() // 3600 % 24)
    await bot.type(bot.caller("Rita", private=True), "hello")
    await bot.say(rita, "notify")
    await bot.say(rita, "settings", setting="zone", value="+0")
    await bot.say(rita, "settings", setting="quiet", value=f"{hour}-{(hour + 2) % 24}")
    await bot.clock.advance(later * 3600)
    await bot.say(bot.caller("Ana"), "new", game="casino")
    assert await told_of_tables(bot, rita) == invitations


async def test_a_restart_repeats_no_invitation_too_soon(bot: BotHarness) -> None:
    rita = bot.caller("Rita")
    await bot.type(bot.caller("Rita", private=True), "hello")
    await bot.say(rita, "notify")
    await bot.say(bot.caller("Ana"), "new", game="casino")
    assert await told_of_tables(bot, rita) == 1
    for minutes, invitations in ((5, 1), (11, 2)):
        await bot.clock.advance(minutes * 60)
        async with bot_harness(bot.store, bot.platform, bot.clock) as started:
            await started.say(started.caller("Ana"), "end", table="1")
            await started.say(started.caller("Ana"), "new", game="svoi")
            assert await told_of_tables(started, rita) == invitations
            await started.say(started.caller("Ana"), "end", table="1")


async def test_processes_share_the_invitations(bot: BotHarness) -> None:
    """A table for guests alone, of which nobody is told, does not count."""
    rita, store = bot.caller("Rita"), MemoryStore(shared=True)
    async with (
        bot_harness(store, bot.platform, bot.clock) as a,
        bot_harness(store, bot.platform, bot.clock) as b,
    ):
        await a.type(a.caller("Rita", private=True), "hello")
        await a.say(rita, "notify")
        await a.clock.advance(3600)
        await a.say(a.caller("Eva"), "new", **{"game": "casino", "with": "@beto"})
        for process, minutes, invitations in ((a, 0, 1), (b, 0, 1), (a, 5, 1), (b, 6, 2), (a, 0, 2)):
            await process.clock.advance(minutes * 60)
            await process.say(process.caller("Ana"), "new", game="svoi")
            assert await told_of_tables(process, rita) == invitations
            await process.say(process.caller("Ana"), "end", table="2")
        async with bot_harness(store, bot.platform, bot.clock) as started:
            await started.clock.advance(601)
            await started.say(started.caller("Eva"), "new", **{"game": "casino", "with": "@beto"})
        async with bot_harness(store, bot.platform, bot.clock) as started:
            await started.say(started.caller("Ana"), "new", game="svoi")
            assert await told_of_tables(started, rita) == 3


async def test_an_invitation_that_the_platform_wants_later_is_sent_later(bot: BotHarness) -> None:
    rita = bot.caller("Rita")
    await bot.type(bot.caller("Rita", private=True), "hello")
    await bot.say(rita, "notify")
    bot.platform.errors = [Later(2.0)] * 5
    await bot.say(bot.caller("Ana"), "new", game="casino")
    await bot.clock.advance(60)
    assert (bot.platform.errors, await told_of_tables(bot, rita)) == ([], 1)


async def test_a_person_who_takes_the_wish_back_is_told_no_more(bot: BotHarness) -> None:
    rita = bot.caller("Rita")
    await bot.type(bot.caller("Rita", private=True), "hello")
    await bot.say(rita, "notify")
    assert (await bot.say(rita, "notify")).notice == "I won't tell you any more when a table opens here."
    await bot.say(bot.caller("Ana"), "new", game="casino")
    assert await told_of_tables(bot, rita) == 0


async def test_nobody_is_told_of_a_table_for_guests_alone(bot: BotHarness) -> None:
    rita = bot.caller("Rita")
    await bot.type(bot.caller("Rita", private=True), "hello")
    await bot.say(rita, "notify")
    await bot.say(bot.caller("Ana"), "new", **{"game": "casino", "with": "@beto"})
    assert await told_of_tables(bot, rita) == 0


@pytest.mark.parametrize("thread", ["", "7"])
async def test_who_leaves_the_chat_is_told_no_more(bot: BotHarness, thread: str) -> None:
    rita, eva = bot.caller("Rita"), bot.caller("Eva")
    place = replace(rita.place, thread=thread)
    for caller in (rita, eva):
        await bot.type(bot.caller(caller.name, private=True), "hello")
        await bot.say(replace(caller, place=place), "notify")
    # Telegram tells of no topic when a member leaves.
    await bot.dispatcher.depart(rita)
    await bot.say(replace(bot.caller("Ana"), place=place), "new", game="casino")
    assert (await told_of_tables(bot, rita), await told_of_tables(bot, eva)) == (0, 1)


async def test_a_refusal_at_a_bound_offers_the_tables() -> None:
    async with bot_harness(bounds=Bounds(person=2)) as small:
        ana = small.caller("Ana")
        for _ in range(2):
            await small.say(ana, "new", game="casino")
        page = (await small.say(ana, "new", game="casino")).page
        assert "You already have 2 tables open. Close one of them first." in text(page)
        assert (await small.press(ana, key(page, "Go on: Casino, table 1").data)).notice == "Here it is."
        sure = (await small.press(ana, key(page, "Close: Casino, table 1").data)).page
        assert "Close Casino, table 1? Nobody wins the game." in text(sure)
        assert len(await live_tables(small.store)) == 2
        eva = small.caller("Eva")
        assert (await small.press(eva, key(sure, "Yes, close it").data)).notice.startswith(
            "Only Ana or a moderator"
        )
        await small.press(ana, key(sure, "Yes, close it").data)
        assert (await small.say(ana, "new", game="casino")).done


async def test_a_stranger_at_a_bound_is_not_offered_to_close_the_tables_of_others() -> None:
    async with bot_harness(bounds=Bounds(place=1)) as small:
        await small.say(small.caller("Ana"), "new", game="casino")
        page = (await small.say(small.caller("Eva"), "new", game="casino")).page
        assert (offers(page, "end"), offers(page, "leave")) == ([], [])
        page = (await small.say(mod(small), "new", game="casino")).page
        assert len(offers(page, "end")) == 1


async def test_seats_of_computers_are_completed(bot: BotHarness) -> None:
    await with_computer(bot)
    table = await bot.table()
    found = await bot.dispatcher.complete(bot.caller("Rita"), "sit", "seat", "", {})
    assert [(suggestion.label, suggestion.value) for suggestion in found] == [(table.players[2].name, "3")]
    answers = await bot.dispatcher.complete(bot.caller("Ana", locale="es"), "vote", "answer", "", {})
    assert {answer.value for answer in answers} == {"yes", "no"}
