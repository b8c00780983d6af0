"""The command handlers: each acts on the table meant, and answers in the sender's language."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator

import pytest

from bot.i18n import Speech
from bot.inbox.arguments.commands import COMMANDS, command_named
from bot.inbox.arguments.typed_arguments import arguments
from bot.model.people import mention_of
from bot.model.places import Place
from bot.pages.callback_data import CallbackData
from bot.pages.table_page import check_page
from bot.ports import NO_GAME, Caller, Reply
from bot.tables.log.commitment import CUT_LENGTH
from bot.tables.names.levels import LEVELS
from bot.times.local_time import time_of_day, weekday_and_time
from engines import games
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import PLACE, BotHarness, bot_harness, key, keys, text
from tests.support.secret_scan import spelled


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def test_new_opens_a_table_and_seats_its_sender(bot: BotHarness) -> None:
    reply = await bot.say(bot.caller("Ana"), "new", game="casino")
    table = await bot.table()
    assert reply.notice == "Your table is open. The others press Join."
    assert [player.name for player in table.players] == ["Ana"]
    assert table.owner == await bot.person(bot.caller("Ana"))


@pytest.mark.parametrize("name", ["casino", "Casino", "cas", "CASINO"])
async def test_a_game_is_named_by_its_key_its_title_or_their_beginning(bot: BotHarness, name: str) -> None:
    await bot.say(bot.caller("Ana"), "new", game=name)
    assert (await bot.table()).key == "casino"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"game": "chess"}, "Which game? You can play "),
        ({"game": "c"}, "Which game? You can play "),
        ({"game": "casino", "players": "9"}, "Casino is for two or three players."),
        ({"game": "casino", "players": "two"}, "Casino is for two or three players."),
        ({"game": "casino", "level": "perfect"}, "“level” can't be “perfect”. Choose: easy, normal, hard."),
        ({"game": "casino", "rules": "jokers=on"}, "There is no house rule “jokers=on”. The house rules "),
    ],
)
async def test_new_refuses_what_it_cannot_open(bot: BotHarness, given: dict[str, str], reason: str) -> None:
    reply = await bot.say(bot.caller("Ana"), "new", **given)
    assert reply.notice.startswith(reason)
    assert await bot.store.tables(PLACE) == []


async def test_new_takes_house_rules_seats_and_a_level(bot: BotHarness) -> None:
    option = games()["casino"].options[0]
    value = list(option.values)[1]
    await bot.say(
        bot.caller("Ana"), "new", game="casino", players="3", level="easy", rules=f"{option.name}={value}"
    )
    await bot.say(bot.caller("Ana"), "start")
    table = await bot.table()
    assert (table.options, [player.level for player in table.players]) == (
        {option.name: value},
        [None, "easy", "easy"],
    )


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("es", {"language": "es"}),
        ("moderadores", {"openers": "moderadores"}),
        ("English everyone", {"language": "English", "openers": "everyone"}),
        ("todos servidor", {"openers": "todos", "where": "servidor"}),
        ("es 90 everywhere", {"language": "es", "clock": "90", "where": "everywhere"}),
        ("openers nobody", {"openers": "nobody"}),
        ("reloj 30", {"clock": "30"}),
        ("language es threads on", {"language": "es", "threads": "on"}),
    ],
)
def test_the_settings_of_a_channel_can_be_typed(line: str, given: dict[str, str]) -> None:
    command = command_named("channel")
    assert command
    assert arguments(command, line) == given


async def test_where_several_tables_fit_a_command_asks_which(bot: BotHarness) -> None:
    for name in ("Ana", "Beto"):
        await bot.say(bot.caller(name), "new", game="casino")
    carla = bot.caller("Carla")
    asked = (await bot.say(carla, "join")).page
    assert text(asked).startswith("Which table?")
    assert [button.label for button in keys(asked)] == ["Casino 1: Ana", "Casino 2: Beto"]
    await bot.say(carla, "join", table="2")
    assert [player.name for player in (await bot.table(2)).players] == ["Beto", "Carla"]
    assert (await bot.say(carla, "join", table="7")).notice == "There is no table 7 here."


async def test_the_senders_own_table_comes_first(bot: BotHarness) -> None:
    for name in ("Ana", "Beto"):
        await bot.say(bot.caller(name), "new", game="casino")
    await bot.say(bot.caller("Beto"), "start")
    assert ((await bot.table(1)).started, (await bot.table(2)).started) == (False, True)


async def test_cut_shows_the_words_at_the_table(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    await bot.say(ana, "cut", words="tres tristes tigres")
    assert "Ana cut the deck: tres tristes tigres" in text(bot.public_panel())
    long = await bot.say(ana, "cut", words="x" * (CUT_LENGTH + 1))
    assert long.notice == f"That's too long: cut with at most {CUT_LENGTH} characters."


async def test_play_understands_words(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    table = await bot.table()
    card = str(table.state.hands[table.active()[0]][0]).lower()
    reply = await bot.say(mover, "play", move=f"throw {card}")
    assert (reply.notice[:18], (await bot.table()).stamp) == ("You played: Throw ", 1)


async def test_play_refuses_with_the_games_reason(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    reply = await bot.say(mover, "play", move="throw 11X")
    assert (reply.notice, (await bot.table()).stamp) == ("There is no 11X in this game.", 0)


async def test_words_in_the_private_chat_are_a_move(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    table = await bot.table()
    card = str(table.state.hands[table.active()[0]][0])
    await bot.dispatcher.line(bot.caller(mover.name, private=True), f"throw {card}", "w1")
    assert (await bot.table()).stamp == 1


async def test_words_in_the_private_chat_without_a_game_get_help(bot: BotHarness) -> None:
    reply = await bot.dispatcher.line(bot.caller("Ana", private=True), "hello?", "w1")
    assert "/new – Open a table" in text(reply.page)


async def test_leaving_hands_the_seat_to_a_computer_and_one_press_takes_it_back(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.leave(people[0])
    assert (await bot.table()).players[0].is_held
    assert "A computer is playing for Ana." in text(bot.public_panel())
    await bot.press(people[0], key(bot.panel(people[0]), "Take my seat back").data)
    assert not (await bot.table()).players[0].is_held


async def test_a_player_who_leaves_the_channel_leaves_their_seats(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.dispatcher.depart(people[1])
    assert [player.is_held for player in (await bot.table()).players] == [False, True]


async def test_no_game_ends_because_its_players_leave(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.leave(people[1])
    assert (await bot.table()).status == "playing"
    await bot.leave(people[0])
    await bot.clock.advance(600)
    table = await bot.table()
    assert (table.status, table.stamp) == ("playing", 0), "computers don't finish a game among themselves"
    await bot.press(people[0], key(bot.panel(people[0]), "Take my seat back").data)
    table = await bot.table()
    assert (table.is_frozen, len(table.required())) == (False, 1)


async def test_only_who_opened_a_table_or_a_moderator_kicks(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto", "Carla")
    refused = await bot.say(people[1], "kick", player="Carla")
    assert refused.notice == "Only Ana or a moderator can do that."
    await bot.say(people[0], "kick", player="carla")
    await bot.say(replace(people[2], moderator=True), "kick", player="2")
    assert [player.kicked for player in (await bot.table()).players] == [False, True, True]


async def test_a_table_that_never_started_leaves_one_line_and_its_seal_is_opened_by_check(
    bot: BotHarness,
) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    await bot.say(ana, "end")
    table = await bot.table()
    assert text(bot.public_panel()).strip() == "Casino, table 1: The table was closed before the game ended."
    assert not keys(bot.public_panel())
    checked = (await bot.say(ana, "check")).page
    assert f"The seed of the shuffle was: {table.seed_source.opened()}" in text(checked)


async def test_a_lobby_shows_the_first_digits_of_the_fingerprint_and_one_press_shows_all(
    bot: BotHarness,
) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    commitment = str((await bot.table()).seed_source.commitment)
    assert f"Fingerprint: {commitment[:32]}\n" in text(bot.public_panel()) + "\n"
    checked = (await bot.press(ana, key(bot.public_panel(), "Check the deal").data)).page
    assert f"Fingerprint: {commitment}" in text(checked)
    assert (await bot.table()).seed_source.opened() not in text(checked)


async def finished(bot: BotHarness) -> list[Caller]:
    """Begins a game for Ana and Beto and ends it by time-outs; the players."""
    people = await bot.begin("cardlebones", "Ana", "Beto")
    table = await bot.table()
    while table.status != "over":
        table = await bot.dispatcher.service.change(table.id, lambda t: t.time_out(t.active()[0]))
    await settle()
    return people


async def test_a_rematch_seats_the_same_people_and_belongs_to_who_asked_for_it(bot: BotHarness) -> None:
    people = await finished(bot)
    old = await bot.table()
    await bot.say(people[1], "rematch")
    new = await bot.table()
    assert (new.follows, [player.name for player in new.players]) == (old.id, ["Ana", "Beto"])
    assert new.owner == await bot.person(people[1])
    again = await bot.press(people[0], f"{old.id}:0:rematch")
    assert again.notice == "There's already a table for the rematch."


async def test_a_finished_game_can_be_taken_away_as_json(bot: BotHarness) -> None:
    people = await finished(bot)
    reply = await bot.press(people[0], key(bot.public_panel(), "Log").data)
    assert reply.file is not None
    whole = json.loads(reply.file.content)
    table = await bot.table()
    source = table.seed_source
    assert (whole["seed"], whole["commitment"]) == (source.opened(), source.commitment)
    moves = [entry.body["move"] for entry in table.entries if entry.kind in ("move", "timeout")]
    assert [step["move"] for step in whole["steps"]] == moves
    assert table.result
    assert whole["result"] == table.result.to_json()


async def test_anybody_can_check_the_deal_of_a_finished_game(bot: BotHarness) -> None:
    await finished(bot)
    reply = await bot.press(bot.caller("Zoe"), key(bot.public_panel(), "Check the deal").data)
    assert (await bot.table()).deal in text(reply.page)


async def test_the_leaderboard_counts_games_and_wins(bot: BotHarness) -> None:
    people = await finished(bot)
    table = await bot.table()
    assert table.result is not None
    lines = text((await bot.say(people[0], "leaderboard")).page).split("\n")
    assert lines[:2] == ["All games, this channel", "Wins against people"]
    rank, name, *numbers = lines[3].removeprefix(">").split()
    assert name in {table.players[seat].name for seat in table.result.winners}
    # A draw is a win for nobody.
    wins = ["0", "1", "▁"] if len(table.result.winners) == 2 else ["1", "1", "█"]
    assert [rank, *numbers] == ["1.", *wins]
    for scope, name in (("channel", "this channel"), ("server", "this server"), ("everywhere", "everywhere")):
        page = (await bot.say(people[0], "leaderboard", game="cardlebones", scope=scope)).page
        assert text(page).split("\n")[0] == f"Cardlebones, {name}"


async def test_watching_shows_the_table_and_no_hand(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    thrown = table.state.hands[table.active()[0]][0]
    await bot.say(await bot.to_play(people), "play", move=f"throw {thrown}")
    page = (await bot.press(bot.caller("Zoe"), f"{table.id}:0:watch")).page
    assert "your hand" not in text(page)
    assert spelled(text(page)) == {thrown}
    again = await bot.press(bot.caller("Zoe"), keys(page)[0].data)
    assert again.page == page


async def test_table_brings_the_panel_below_what_was_written(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.requests.clear()
    await bot.say(people[0], "table")
    assert bot.platform.requests == ["delete", "post square"]


@pytest.mark.parametrize("name", list(games()))
async def test_the_rules_can_be_leafed_through(bot: BotHarness, name: str) -> None:
    ana = bot.caller("Ana")
    page = (await bot.say(ana, "rules", game=name)).page
    leaves = [text(page)]
    while turns := [button for button in keys(page) if "›" in button.label]:
        page = (await bot.press(ana, turns[0].data)).page
        leaves.append(text(page))
    assert max(map(len, leaves)) < 2000
    _, *sections = re.findall(r"^#+ (.*)", games()[name].help(Speech("en")), re.MULTILINE)
    pages = "\n".join(leaves)
    assert [section for section in sections if section not in pages] == []
    assert len(sections) > 2


async def test_rules_without_a_game_ask_for_which(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    page = (await bot.say(ana, "rules")).page
    assert len(keys(page)) == len(games())
    assert "Casino" in text((await bot.press(ana, key(page, "Casino").data)).page)


async def test_a_language_is_chosen_by_a_person_or_for_a_channel(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    assert (await bot.say(ana, "language", language="Español")).notice == "Ahora hablamos español."
    assert (await bot.say(ana, "start")).notice.startswith("Aquí no hay")
    for word in ("channel", "canal", "aquí", "grupo"):
        refused = await bot.say(ana, "language", language="es", **{"for": word})
        assert refused.notice == "Solo un moderador puede elegir el idioma de las mesas de aquí."
    assert (
        await bot.say(ana, "language", language="klingon")
    ).notice == "«idioma» no puede ser «klingon». Elige: inglés, español."


async def test_a_hand_is_sorted_as_its_holder_likes(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.say(people[0], "settings", setting="order", value="suit")
    table = await bot.table()
    suits = [str(card)[-1] for card in table.state.hands[0]]
    marks = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
    drawn = bot.panel(people[0]).drawing.split("--- table")[0]
    shown = [mark for mark in drawn if mark in marks.values()]
    assert shown == [marks[suit] for suit in "SHCD" for _ in range(suits.count(suit))]


async def test_suits_are_letters_for_who_wants_them(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    page = (await bot.say(people[0], "settings")).page
    await bot.press(people[0], key(page, "Suits").data)
    assert not set("♠♥♦♣") & set(text(bot.panel(people[0])))
    assert set("♠♥♦♣") & set(text(bot.panel(people[1])))


async def test_cards_are_boxes_or_lines_for_who_wants_them(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    assert ".----." not in bot.panel(people[0]).drawing
    page = (await bot.say(people[0], "settings")).page
    page = (await bot.press(people[0], key(page, "Cards: boxes if few").data)).page
    assert ".----." in bot.panel(people[0]).drawing
    page = (await bot.press(people[0], key(page, "Cards: always boxes").data)).page
    assert ".----." not in bot.panel(people[0]).drawing
    page = (await bot.press(people[0], key(page, "Cards: always lines").data)).page
    assert key(page, "Cards").label == "Cards: boxes if few"


async def test_reminders_and_quiet_hours_are_set_by_buttons(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    page = (await bot.say(ana, "settings")).page
    labels = [button.label for button in keys(page)]
    assert labels[4:7] == [
        "Turn reminders: soon", "Quiet hours: none", f"Your local time: {time_of_day(bot.clock.now(), None)}",
    ]  # fmt: skip
    page = (await bot.press(ana, key(page, "Turn reminders").data)).page
    assert key(page, "Turn reminders").label == "Turn reminders: only when I'm away"
    page = (await bot.press(ana, key(page, "Quiet hours").data)).page
    assert text(page).startswith("What time is it for you?"), "who has no zone is asked for it first"
    assert len({button.label for button in keys(page)}) == len(keys(page)) == 24
    other = (await bot.say(ana, "settings", setting="letters", value="on")).page
    assert text(other).startswith("Your settings."), "who has no zone may change their other settings"
    page = (await bot.press(ana, key(page, weekday_and_time(bot.clock.now(), 8, "en")).data)).page
    assert key(page, "Quiet hours").label == "Quiet hours: 22:00–7:00"
    assert key(page, "local time").label == f"Your local time: {time_of_day(bot.clock.now(), 8)}"
    for label in ("23:00–8:00", "0:00–9:00", "none"):
        page = (await bot.press(ana, key(page, "Quiet hours").data)).page
        assert key(page, "Quiet hours").label == f"Quiet hours: {label}"
    page = (await bot.press(ana, key(page, "local time").data)).page
    assert text(page).startswith("What time is it for you?")


@pytest.mark.parametrize(
    ("locale", "country", "asked", "city", "zone"),
    [
        ("en", "Spain", "Where are you?", "Madrid", "Europe/Madrid"),
        ("es", "portugal", "¿Dónde estás?", "Lisboa", "Europe/Lisbon"),
    ],
)
async def test_a_country_with_several_times_offers_their_cities(
    bot: BotHarness, locale: str, country: str, asked: str, city: str, zone: str
) -> None:
    ana = bot.caller("Ana", locale=locale)
    page = (await bot.say(ana, "settings", setting="zone", value=country)).page
    assert text(page).startswith(asked)
    offer = key(page, city)
    time = weekday_and_time(bot.clock.now(), zone, locale)
    assert offer.label == f"{time} {city}"
    page = (await bot.press(ana, offer.data)).page
    person = await bot.store.person(await bot.person(ana))
    assert person
    assert person.zone == zone
    assert time_of_day(bot.clock.now(), zone) in text(page) or key(page, time_of_day(bot.clock.now(), zone))


async def test_a_city_of_two_words_is_typed(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    await bot.type(ana, "/settings zone new york")
    person = await bot.store.person(await bot.person(ana))
    assert person
    assert person.zone == "America/New_York"
    shown = f"Your local time: {time_of_day(bot.clock.now(), 'America/New_York')} (New York)"
    assert key((await bot.say(ana, "settings")).page, "local time").label == shown
    await bot.type(ana, "/settings zone utc")
    person = await bot.store.person(await bot.person(ana))
    assert person
    assert person.zone == 0


async def test_hours_and_zones_are_typed_too(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "settings", setting="zone", value="+5:30")
    page = (await bot.say(ana, "settings", setting="quiet", value="21:00–6:00")).page
    person = await bot.store.person(await bot.person(ana))
    assert person
    assert (person.quiet, person.zone) == ("21-6", 22)
    page = (await bot.press(ana, key(page, "Quiet hours: 21:00–6:00").data)).page
    assert key(page, "Quiet hours: none")
    refused = await bot.say(ana, "settings", setting="quiet", value="6-21")
    assert refused.notice == "“quiet” can't be “6-21”. Choose: none, 22-7, 23-8, 0-9."


@pytest.mark.parametrize(
    ("setting", "value", "reason"),
    [
        ("colour", "red", "There is no setting “colour”. Choose: order, letters, pictures, careful, calls, "),
        ("ordr", "suit", "There is no setting “ordr”. Did you mean “order”?"),
        ("order", "height", "“order” can't be “height”. Choose: value, suit."),
        ("forced", "sometimes", "“forced” can't be “sometimes”. Choose: open, always, never."),
    ],
)
async def test_settings_refuse_what_they_do_not_know(
    bot: BotHarness, setting: str, value: str, reason: str
) -> None:
    reply = await bot.say(bot.caller("Ana"), "settings", setting=setting, value=value)
    assert reply.notice.startswith(reason)


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("ajustes orden palo", "order", "suit"),
        ("ajustes mano por palo", "order", "suit"),
        ("settings order suit", "order", "suit"),
        ("ajustes avisos nunca", "turn_alerts", "never"),
        ("ajustes palos letras", "letters", True),
        ("settings reminders only when I'm away", "turn_alerts", "away"),
        ("ajustes zona Madrid", "zone", "Europe/Madrid"),
        ("ajustes silencio 22-7", "quiet", "22-7"),
        ("ajustes forzadas siempre", "forced", "always"),
        ("ajustes forzadas nunca", "forced", "never"),
        ("settings forced never", "forced", "never"),
        ("ajustes confirmar sí", "careful", True),
        ("ajustes cartas dibujadas", "pictures", "boxes"),
    ],
)
async def test_settings_may_be_typed_as_players_read_them(
    bot: BotHarness, line: str, field: str, value: str | bool
) -> None:
    ana = bot.caller("Ana", locale="es" if line[0] == "a" else "en")
    await bot.type(ana, f"/{line}")
    person = await bot.store.person(await bot.person(ana))
    assert getattr(person, field) == value


@pytest.mark.parametrize(("locale", "line"), [("en", "new chess 2 hard"), ("es", "nueva ajedrez 2 difícil")])
async def test_an_unknown_game_is_answered_by_all_games_and_the_rest_is_kept(
    bot: BotHarness, locale: str, line: str
) -> None:
    ana = bot.caller("Ana", locale=locale)
    page = (await bot.type(ana, f"/{line}")).page
    assert len(keys(page)) == len(games())
    await bot.press(ana, key(page, "Casino").data)
    table = await bot.table()
    assert (table.key, table.planned_seats, table.level) == ("casino", 2, "hard")


async def test_a_rematch_asked_for_in_the_private_chat_is_of_the_senders_last_game(bot: BotHarness) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    await bot.end(ana)
    over = await bot.table()
    await bot.say(bot.caller("Ana", private=True), "rematch")
    assert (await bot.table()).follows == over.id


async def test_the_fingerprint_of_a_running_game_can_be_asked_for(bot: BotHarness) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    assert text((await bot.say(ana, "check")).page) == text(check_page(table, Speech(), bot.platform.limits))


async def test_nobody_is_offered_to_bar_themselves(bot: BotHarness) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    page = (await bot.say(replace(ana, moderator=True), "bar")).page
    assert [button.label for button in keys(page)] == ["Beto"]


async def test_every_command_is_answered_also_where_it_makes_no_sense(bot: BotHarness) -> None:
    for one in COMMANDS:
        given = {parameter.name: "1" for parameter in one.parameters if parameter.required}
        for caller in (bot.caller("Ana"), bot.caller("Ana", private=True)):
            reply: Reply = await bot.say(caller, one.name, **given)
            assert reply.notice or reply.page or reply.file, one.name
            assert "Sorry" not in reply.notice


def test_commands_are_known_by_both_names() -> None:
    assert all(
        command_named(command.name) is command and command_named(command.spanish) is command
        for command in COMMANDS
    )
    assert len({name for command in COMMANDS for name in (command.name, command.spanish)}) == 2 * len(
        COMMANDS
    )


@pytest.mark.parametrize(
    ("name", "line", "given"),
    [
        ("new", "casino 3 easy multi_capture=on", {
            "game": "casino", "players": "3", "level": "easy", "rules": "multi_capture=on"}),
        ("new", "casino easy", {"game": "casino", "level": "easy"}),
        ("new", "casino a=b c=d", {"game": "casino", "rules": "a=b c=d"}),
        ("join", "2", {"table": "2"}),
        ("cut", "three sad tigers", {"words": "three sad tigers"}),
        ("play", "capture 6S 6H", {"move": "capture 6S 6H"}),
        ("kick", "Beto 2", {"player": "Beto", "table": "2"}),
        ("kick", "player Beto table 2", {"player": "Beto", "table": "2"}),
        ("kick", "player", {"player": "player"}),
        ("help", "", {}),
    ],
)  # fmt: skip
def test_a_typed_line_gives_each_word_to_its_parameter(name: str, line: str, given: dict[str, str]) -> None:
    command = command_named(name)
    assert command is not None
    assert arguments(command, line) == given


async def suggested(
    bot: BotHarness, caller: Caller, name: str, parameter: str, begun: str = "", **given: str
) -> list[str]:
    found = await bot.dispatcher.complete(caller, name, parameter, begun, given)
    return [suggestion.value for suggestion in found]


async def test_accents_may_be_left_out_of_what_is_being_typed(bot: BotHarness) -> None:
    ana = bot.caller("Ana", locale="es")
    for begun in ("dif", "dificil", "DIFÍ"):
        assert await suggested(bot, ana, "new", "level", begun) == ["hard"]


async def test_what_is_being_typed_is_completed(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    assert await suggested(bot, ana, "new", "game", "cas") == ["casino"]
    assert await suggested(bot, ana, "new", "players", game="casino") == ["2", "3"]
    assert sorted(await suggested(bot, ana, "new", "level")) == sorted(LEVELS)
    option = games()["casino"].options[0]
    value = list(option.values)[1]
    assert f"{option.name}={value}" in await suggested(bot, ana, "new", "rules", game="casino")
    assert await suggested(bot, ana, "new", "rules", game="nothing") == []
    assert await suggested(bot, ana, "nothing", "x") == []
    people = await bot.begin("casino", "Ana", "Beto")
    assert await suggested(bot, ana, "watch", "table") == ["1"]
    assert await suggested(bot, ana, "kick", "player", "be") == [mention_of(people[1].user)]
    assert await suggested(bot, ana, "kick", "player") == [mention_of(people[1].user)]
    mover = await bot.to_play(people)
    table = await bot.table()
    moves = list(map(str, table.game.moves(table.state, table.active()[0])))
    assert (await suggested(bot, mover, "play", "move"))[: len(moves)] == moves
    throws = await suggested(bot, mover, "play", "move", "throw")
    assert throws
    assert all(suggestion.startswith("throw") for suggestion in throws)
    assert await suggested(bot, bot.caller("Zoe"), "play", "move") == []


@pytest.mark.parametrize(("locale", "begun", "city"), [("en", "lond", "London"), ("es", "reino", "Londres")])
async def test_the_city_of_a_zone_is_completed(bot: BotHarness, locale: str, begun: str, city: str) -> None:
    ana = bot.caller("Ana", locale=locale)
    found = await bot.dispatcher.complete(ana, "settings", "value", begun, {"setting": "zone"})
    assert [(suggestion.value, suggestion.label.partition(" (")[0]) for suggestion in found] == [
        ("Europe/London", city)
    ]
    assert await suggested(bot, ana, "settings", "value", begun, setting="order") == []


async def test_the_settings_name_the_city_of_a_zone_in_the_senders_language(bot: BotHarness) -> None:
    ana = bot.caller("Ana", locale="es")
    await bot.say(ana, "settings", setting="zone", value="Europe/London")
    assert "(Londres)" in key((await bot.say(ana, "settings")).page, "hora local").label


async def test_tables_are_completed_by_game_and_people(bot: BotHarness) -> None:
    [ana, _] = await bot.begin("casino", "Ana", "Beto")
    await bot.say(bot.caller("Zoe"), "new", game="svoi")

    async def offered(caller: Caller, name: str, begun: str = "") -> list[tuple[str, str]]:
        found = await bot.dispatcher.complete(caller, name, "table", begun, {})
        return [(suggestion.label, suggestion.value) for suggestion in found]

    casino, svoi = ("Casino 1: Ana, Beto", "1"), ("Svoi Kozyri 2: Zoe", "2")
    assert await offered(ana, "play") == [casino]
    assert await offered(ana, "join") == [svoi]
    assert await offered(ana, "watch") == [casino, svoi]
    assert await offered(bot.caller("Zoe"), "watch") == [svoi, casino]
    assert await offered(ana, "watch", "beto") == [casino]


async def test_in_private_a_table_of_another_place_is_completed_too(bot: BotHarness) -> None:
    [ana, _] = await bot.begin("casino", "Ana", "Beto")
    elsewhere = replace(ana, place=Place("wall", "park"))
    await bot.say(elsewhere, "new", game="svoi", players="2")
    await bot.say(elsewhere, "start")
    found = await bot.dispatcher.complete(bot.caller("Ana", private=True), "play", "table", "", {})
    assert sorted(suggestion.label.partition(":")[0] for suggestion in found) == ["Casino 1", "Svoi Kozyri 1"]
    assert {suggestion.value for suggestion in found} == {
        listing.game for listing in await bot.store.tables_of(await bot.person(ana))
    }


async def test_moves_are_completed_at_the_only_table_that_waits(bot: BotHarness) -> None:
    [ana, beto] = people = await bot.begin("casino", "Ana", "Beto")
    await bot.say(ana, "new", game="cardlebones", clock="off")
    other = await bot.table(2)
    await bot.press(beto, f"{other.id}:0:join")
    await bot.press(ana, f"{other.id}:0:start")
    table = await bot.table()
    [seat] = table.active()
    if (await bot.table(2)).active() == (seat,):
        await bot.dispatcher.service.change(other.id, lambda table: table.time_out(seat))
    assert (await bot.table(2)).active() == (1 - seat,)
    moves = list(map(str, table.game.moves(table.state, seat)))
    assert (await suggested(bot, await bot.to_play(people), "play", "move"))[: len(moves)] == moves


async def test_a_bare_new_offers_the_games_and_a_press_opens_a_table(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    reply = await bot.say(ana, "new")
    assert reply.page is not None
    offers = [key for group in reply.page.keys for key in group]
    assert [key.words for key in offers] == list(games())
    await bot.press(ana, CallbackData(NO_GAME, 0, "open", "casino").spelled(100))
    assert (await bot.table()).key == "casino"


@pytest.mark.parametrize(
    ("locale", "typed", "meant"),
    [
        ("en", "strat", "There is no command “strat”. Did you mean “/start”?"),
        ("es", "repartri", "No hay ninguna orden «repartri». /ayuda las muestra todas."),
        ("es", "revancah", "No hay ninguna orden «revancah». ¿Querías decir «/revancha»?"),
        ("es", "mésás", "No hay ninguna orden «mésás». ¿Querías decir «/mesa»?"),
        ("es", "strat", "No hay ninguna orden «strat». ¿Querías decir «/empezar»?"),
    ],
)
async def test_a_mistyped_command_is_guessed(bot: BotHarness, locale: str, typed: str, meant: str) -> None:
    reply = await bot.say(replace(bot.caller("Ana"), locale=locale), typed)
    assert reply.notice == meant
