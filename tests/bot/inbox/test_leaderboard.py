"""Leaderboards and profiles by command and by their keys."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.model.places import Room
from bot.model.results import Ending, Finish
from bot.ports import NO_GAME, Caller, Reply
from engines.drawing import cells
from engines.values import replace
from tests.bot.store.test_results import between, end
from tests.support.harness import PLACE, BotHarness, bot_harness, key, keys
from tests.support.harness import text as shown
from tests.support.judging import finish

NAMES = ("Ana", "Beto", "Carlos Alberto", "Dora")
WIDTH = 28


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def season(bot: BotHarness, people: int = 4, games: int = 6) -> list[Caller]:
    """Stores games: the first person has beaten the second, the second the third, and so on, in rounds."""
    callers = [bot.caller(name) for name in (*NAMES, *(f"P{n}" for n in range(people)))[:people]]
    ids = [await bot.person(caller) for caller in callers]
    await bot.store.save_room(Room(PLACE, "town"))
    for n in range(games):
        one = n % (people - 1)
        game = between(f"{n:010x}", ids[one], ids[one + 1], ended=bot.clock.now() - games + n)
        await end(bot.store, replace(game, key="casino"), PLACE, n + 1)
    return callers


def page(reply: Reply) -> str:
    return shown(reply.page)


async def test_the_champion_of_the_channel_is_found_by_a_bare_command(bot: BotHarness) -> None:
    callers = await season(bot)
    lines = page(await bot.say(callers[0], "leaderboard")).splitlines()
    assert lines[:2] == ["All games, this channel", "Wins against people"]
    assert lines[3].startswith(">1. Ana")


async def test_a_channel_without_games_falls_back_on_the_leaderboard_of_its_server(bot: BotHarness) -> None:
    ana, *_ = await season(bot)
    plaza = replace(PLACE, chat="plaza")
    await bot.store.save_room(Room(plaza, "town"))
    head = page(await bot.say(replace(ana, place=plaza), "leaderboard")).splitlines()[:2]
    assert head == ["All games, this server", "Wins against people"]


@pytest.mark.parametrize("order", ["wins", "games"])
async def test_without_games_against_people_a_channel_shows_those_against_computers(
    bot: BotHarness, order: str
) -> None:
    ana, *_ = await season(bot)
    plaza = replace(PLACE, chat="plaza")
    await bot.store.save_room(Room(plaza, "town"))
    alone = Finish(await bot.person(ana), 0, 1, 3, won=True, alone=True)
    ending = Ending("f" * 10, "casino", bot.clock.now(), (alone,), "computers")
    await end(bot.store, ending, plaza)
    head = page(await bot.say(replace(ana, place=plaza), "leaderboard", order=order)).splitlines()[:2]
    assert head == ["All games, this channel", f"{order.capitalize()} against computers"]


async def test_keys_lead_to_the_other_leaderboards(bot: BotHarness) -> None:
    ana, *_ = await season(bot)
    first = (await bot.say(ana, "leaderboard")).page
    assert page(await bot.say(ana, "leaderboard")).splitlines()[1] == "Wins against people"
    abouts = {
        "Against computers": "No game against computers that counts has been finished yet.",
        "By games played": "Games against people",
    }
    for label, about in abouts.items():
        assert page(await bot.press(ana, key(first, label).data)).splitlines()[1] == about
    heads = {
        "Against computers": "All games, this channel",
        "By rating": "Casino, this channel",
        "By games played": "All games, this channel",
        "This month": "All games, this channel, this month",
        "This week": "All games, this channel, this week",
        "This server": "All games, this server",
        "Everywhere": "All games, everywhere",
    }
    for label, head in heads.items():
        assert page(await bot.press(ana, key(first, label).data)).splitlines()[0] == head
    chosen = (await bot.press(ana, key(first, "Another game").data)).page
    assert page(await bot.press(ana, key(chosen, "Casino").data)).splitlines()[0] == "Casino, this channel"


async def test_the_next_ranks_are_a_press_away_and_the_own_line_is_always_there(bot: BotHarness) -> None:
    callers = await season(bot, people=13, games=24)
    last = callers[-1]
    first = await bot.say(last, "leaderboard")
    assert page(first).splitlines()[-2].strip() == "…"
    assert page(first).splitlines()[-1].startswith(">13. ")
    second = await bot.press(last, key(first.page, "11–20").data)
    assert [line[:4] for line in page(second).splitlines()[-3:]] == [" 11.", " 12.", ">13."]
    assert page(await bot.press(last, key(second.page, "1–10").data)) == page(first)


@pytest.mark.parametrize(
    "words",
    [
        "", "x", "casino channel all wins people", "casino channel all wins people 100",
        "casino channel all wins people -1", "chess channel all wins people 0", "- moon all wins people 0",
        "- channel year wins people 0", "- channel all luck people 0", "- channel all wins cats 0",
    ],
)  # fmt: skip
async def test_forged_keys_are_refused(bot: BotHarness, words: str) -> None:
    for action in ("board", "boards"):
        reply = await bot.press(bot.caller("Ana"), f"{NO_GAME}:0:{action}:{words}")
        assert reply.notice == "That no longer works."


async def test_any_word_of_the_command_may_be_left_out(bot: BotHarness) -> None:
    ana, *_ = await season(bot)
    for line in ("/leaderboard casino week rating", "/clasificacion casino semana puntuación"):
        assert page(await bot.type(ana, line)).splitlines()[0] == "Casino, this channel, this week"
    assert (
        page(await bot.type(ana, "/leaderboard week")).splitlines()[0] == "All games, this channel, this week"
    )


async def test_a_wrong_word_is_told_the_right_ones(bot: BotHarness) -> None:
    reply = await bot.say(bot.caller("Ana"), "leaderboard", period="year")
    assert reply.notice == "“period” can't be “year”. Choose: all, month, week."
    luz = bot.caller("Luz", locale="es")
    words = {"period": "año", "order": "suerte", "scope": "luna"}
    notices = [(await bot.say(luz, "leaderboard", **{name: word})).notice for name, word in words.items()]
    assert notices == [
        "«periodo» no puede ser «año». Elige: todo, mes, semana.",
        "«orden» no puede ser «suerte». Elige: puntuación, victorias, partidas.",
        "«donde» no puede ser «luna». Elige: aquí, servidor, todas.",
    ]


async def test_a_group_that_is_its_own_server_is_called_a_group(bot: BotHarness) -> None:
    ana = replace(bot.caller("Ana"), community=PLACE.chat)
    await season(bot)
    await bot.store.save_room(Room(PLACE, PLACE.chat))
    later = between("ffffffffff", await bot.person(ana), await bot.person(bot.caller("Beto")))
    await end(bot.store, later, PLACE, 99)
    for scope in ("channel", "aquí", "server", "grupo"):
        reply = await bot.say(ana, "leaderboard", scope=scope)
        assert page(reply).splitlines()[0] == "All games, this group"
        assert "This channel" not in [button.label for button in keys(reply.page)]


async def test_who_is_hidden_is_on_no_leaderboard_and_has_no_profile_for_others(bot: BotHarness) -> None:
    ana, beto, *_ = await season(bot)
    await bot.say(ana, "privacy", listed="hidden")
    for caller in (ana, beto):
        assert "Ana" not in page(await bot.say(caller, "leaderboard"))
    assert "Ana" not in page(await bot.say(beto, "profile"))
    reply = await bot.say(beto, "profile", player="@ana")
    assert reply.notice == "That player's profile isn't open to others."
    assert "You are hidden" in page(await bot.say(ana, "profile"))


async def test_a_profile_compares_its_reader_with_the_player(bot: BotHarness) -> None:
    ana, beto, *_ = await season(bot)
    assert "You and Beto: 2–0." in page(await bot.say(ana, "profile"))
    assert "You and Ana: 0–2." in page(await bot.say(beto, "profile", player="@ana"))
    assert page(await bot.say(beto, "profile", player="@ana")).splitlines()[0] == "Ana"


@pytest.mark.parametrize(
    ("locale", "counted"),
    [
        (
            "en",
            (
                "A finished game counts unless moves were taken back or it was played against easy computers "
                "alone."
            ),
        ),
        (
            "es",
            (
                "Una partida terminada cuenta, salvo si se deshicieron jugadas o si fue solo contra máquinas "
                "fáciles."
            ),
        ),
    ],
)
async def test_a_profile_says_which_games_count(bot: BotHarness, locale: str, counted: str) -> None:
    ana, *_ = await season(bot)
    for caller in (ana, bot.caller("Zoe")):
        await bot.say(caller, "language", language=locale)
        assert counted in page(await bot.say(caller, "profile")).splitlines()


async def test_a_newcomers_profile_is_empty(bot: BotHarness) -> None:
    assert "No game that counts" in page(await bot.say(bot.caller("Zoe"), "profile"))


@pytest.mark.parametrize("locale", ["en", "es"])
@pytest.mark.parametrize("order", ["rating", "wins", "games"])
async def test_the_lines_fit_a_phone(bot: BotHarness, locale: str, order: str) -> None:
    await season(bot, people=13, games=24)
    caller = bot.caller("Zoe", locale=locale)
    replies = [
        await bot.say(caller, "leaderboard", order=order),
        await bot.say(caller, "profile", player="@ana"),
    ]
    for reply in replies:
        assert reply.page is not None
        drawn = [line for panel in reply.page.panels if not panel.wraps for line in panel.lines]
        assert len(drawn) > 3
        assert max(map(cells, drawn)) <= WIDTH


async def test_in_a_private_chat_the_leaderboard_is_of_everywhere(bot: BotHarness) -> None:
    await season(bot)
    reply = await bot.say(bot.caller("Ana", private=True), "leaderboard", scope="channel")
    assert page(reply).splitlines()[0] == "All games, everywhere"


async def test_keys_of_a_leaderboard_that_came_in_private_are_about_the_place_of_the_question(
    bot: BotHarness,
) -> None:
    ana, *_ = await season(bot)
    private = bot.caller("Ana", private=True)
    first = (await bot.say(ana, "leaderboard")).page
    month = await bot.press(private, key(first, "This month").data)
    assert page(month).splitlines()[0] == "All games, this channel, this month"
    await bot.say(private, "leaderboard")
    own = await bot.press(private, key(first, "This month").data)
    assert page(own).splitlines()[0] == "All games, everywhere, this month"


async def test_keys_of_a_leaderboard_say_if_the_place_of_the_question_is_forgotten(bot: BotHarness) -> None:
    ana, *_ = await season(bot)
    first, private = (await bot.say(ana, "leaderboard")).page, bot.caller("Ana", private=True)
    month = key(first, "This month").data
    assert (await bot.press(private, month)).notice == ""
    # As after a restart.
    bot.dispatcher._leaderboard_places.pop(await bot.person(ana))
    reply = await bot.press(private, month)
    assert reply.notice == "I no longer know where you asked, so this is the leaderboard of all places."
    assert page(reply).splitlines()[0] == "All games, everywhere, this month"
    assert (await bot.press(private, key(reply.page, "This week").data)).notice == ""


async def test_a_player_of_an_earlier_game_is_found_by_name(bot: BotHarness) -> None:
    for names in (("Ana", "Beto"), ("Ana", "Carla")):
        await bot.begin("cardlebones", *names)
        await finish(bot.dispatcher.service, await bot.table())
        await bot.clock.advance(30)
    for caller in (bot.caller("Ana"), bot.caller("Ana", private=True)):
        assert page(await bot.say(caller, "profile", player="beto")).splitlines()[0] == "Beto"
        reply = await bot.say(caller, "profile", player="Zoe")
        assert reply.notice == "Nobody called Zoe has played here lately."
        found = await bot.dispatcher.complete(caller, "profile", "player", "be", {})
        assert [suggestion.label for suggestion in found] == ["Beto"]
    await bot.say(bot.caller("Beto", private=True), "privacy", listed="hidden")
    assert not await bot.dispatcher.complete(bot.caller("Ana"), "profile", "player", "be", {})


async def test_the_favourite_game_was_played_more_often_than_any_other(bot: BotHarness) -> None:
    ana, beto = (await season(bot, people=2, games=2))[:2]
    ids = [await bot.person(one) for one in (ana, beto)]
    assert "Favourite" not in page(await bot.say(ana, "profile"))
    for n in (1, 2, 3):
        game = between(f"f{n:09x}", *ids, ended=bot.clock.now())
        await end(bot.store, replace(game, key="svoi"), PLACE, 2 + n)
        assert ("Favourite game: Svoi Kozyri." in page(await bot.say(ana, "profile"))) == (n == 3)
        assert ("Favourite game: Casino." in page(await bot.say(ana, "profile"))) == (n == 1)
