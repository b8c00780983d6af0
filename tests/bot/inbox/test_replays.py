"""The history of a place and the replay of a finished game, by commands and keys."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.i18n import Speech
from bot.pages.captions import result_captions
from bot.pages.table_page import public_page
from bot.ports import NO_GAME, Caller, Page
from bot.replays.game_file import read
from bot.tables.table import Table
from engines.values import replace
from tests.support.games import every_game
from tests.support.harness import PLACE, BotHarness, bot_harness, key, keys, offers, text
from tests.support.judging import finish
from tests.support.platform import ROOMY


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def finished(bot: BotHarness, *names: str, game: str = "cardlebones") -> tuple[list[Caller], Table]:
    """A game of these people that is over."""
    callers = await bot.begin(game, *names)
    table = await bot.table()
    await finish(bot.dispatcher.service, table)
    await bot.clock.advance(30)
    return callers, await bot.dispatcher.service.table(table.id)


def labels(page: Page | None) -> list[str]:
    return [button.label for button in keys(page)]


async def stepped(bot: BotHarness, caller: Caller, page: Page | None, label: str) -> Page:
    """The page after a press on a key of a history or a replay."""
    reply = await bot.press(caller, key(page, label).data)
    assert reply.page is not None
    return reply.page


async def test_the_history_tells_the_last_games_first_and_who_won(bot: BotHarness) -> None:
    (ana, _), first = await finished(bot, "Ana", "Beto")
    _, second = await finished(bot, "Ana", "Beto", game="casino")
    reply = await bot.say(ana, "history")
    lines = text(reply.page).splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["1. Casino", "2. Cardlebones"]
    for line, table in zip(lines[1:], (second, first), strict=True):
        assert table.result is not None
        told = "A draw." if len(table.result.winners) > 1 else "wins."
        assert line.endswith(told)
        for player, score in zip(table.players, table.result.scores, strict=True):
            assert f"{player.name} ({score})" in line
    assert [button.data.split(":")[0] for button in offers(reply.page, "replay")] == [second.id, first.id]
    only = await bot.say(ana, "history", game="cardlebones")
    assert [button.data.split(":")[0] for button in offers(only.page, "replay")] == [first.id]


async def test_neither_a_rematch_nor_a_forgotten_player_moves_a_game_in_the_history(bot: BotHarness) -> None:
    (ana, _), first = await finished(bot, "Ana", "Beto")
    await finished(bot, "Ana", "Dora", game="casino")
    before = text((await bot.say(ana, "history")).page)
    await bot.clock.advance(7200)
    await bot.press(ana, f"{first.id}:{first.stamp}:rematch")
    after = await bot.dispatcher.service.table(first.id)
    assert (after.entries[-1].kind, after.entries[-1].at) == ("rematch", bot.clock.now())
    dora = bot.caller("Dora", private=True)
    asked = (await bot.say(dora, "forget")).page
    await bot.press(dora, key(asked, "Yes").data, replaceable=True)
    assert text((await bot.say(ana, "history")).page) == before.replace("Dora", "Player 2")


async def test_a_place_without_a_game_has_no_history(bot: BotHarness) -> None:
    for name in ("history", "historial", "replay", "repeticion"):
        reply = await bot.say(bot.caller("Ana"), name)
        assert text(reply.page).strip() == "No game has been played here yet."


async def test_a_later_page_whose_games_are_gone_leads_back(bot: BotHarness) -> None:
    (ana, _), _ = await finished(bot, "Ana", "Beto")
    page = (await bot.press(ana, f"{NO_GAME}:0:history:all 1")).page
    assert text(page).strip() == "There are no earlier games."
    assert "Cardlebones" in text((await bot.press(ana, key(page, "‹").data)).page)


async def test_the_history_has_pages(bot: BotHarness) -> None:
    tables = []
    for _ in range(8):
        (ana, _), table = await finished(bot, "Ana", "Beto")
        tables.append(table.id)
    page = (await bot.say(ana, "history")).page
    assert [button.data.split(":")[0] for button in offers(page, "replay")] == tables[:1:-1]
    page = await stepped(bot, ana, page, "›")
    assert [button.data.split(":")[0] for button in offers(page, "replay")] == tables[1::-1]
    assert text(page).splitlines()[1].startswith("7. Cardlebones")
    page = await stepped(bot, ana, page, "‹")
    assert [button.data.split(":")[0] for button in offers(page, "replay")] == tables[:1:-1]
    for forged in ("history:all 99999", "history:none 0", "history:all x", "history", "history:all 0 nogame"):
        reply = await bot.press(ana, f"0000000000:0:{forged}")
        assert (reply.notice, reply.page) == ("That no longer works.", None)


async def test_the_history_counts_from_one(bot: BotHarness) -> None:
    (ana, _), _ = await finished(bot, "Ana", "Beto")
    for number in ("0", "2"):
        reply = await bot.say(ana, "replay", game=number)
        assert reply.notice == f"There is no game {number} in the history here."


async def test_in_private_a_person_reads_of_their_own_games(bot: BotHarness) -> None:
    (ana, _), table = await finished(bot, "Ana", "Beto")
    await finished(bot, "Eva", "Fede")
    there = await bot.say(bot.caller(ana.name, private=True), "history")
    assert [button.data.split(":")[0] for button in offers(there.page, "replay")] == [table.id]
    assert "yet" in text((await bot.say(bot.caller("Nora", private=True), "history")).page)


async def test_a_bare_replay_offers_games_without_their_results(bot: BotHarness) -> None:
    (ana, _), table = await finished(bot, "Ana", "Beto")
    page = (await bot.say(ana, "replay")).page
    head, line = text(page).strip().splitlines()
    assert head == "Which game do you want to watch again?"
    assert line.startswith("1. Cardlebones, ")
    assert line.endswith(": Ana, Beto")
    assert [button.label for button in offers(page, "replay")] == ["1. Cardlebones"]
    page = await stepped(bot, ana, page, "Cardlebones")
    assert f"Step 0 of {len(table.entries) - 4}." in text(page)


@every_game
async def test_a_game_is_watched_step_by_step_to_its_end(bot: BotHarness, key: str) -> None:
    names = ("Ana", "Beto")
    (ana, _), table = await finished(bot, *names, game=key)
    assert table.result is not None
    page = (await bot.say(ana, "replay", game=table.id)).page
    assert "wins" not in text(page)
    seen = {text(page)}
    last = sum(entry.kind in ("move", "timeout") for entry in table.entries)
    for n in range(1, min(last, 12) + 1):
        page = await stepped(bot, ana, page, "Next")
        assert f"Step {n} of {last}." in text(page)
        seen.add(text(page))
    assert len(seen) == min(last, 12) + 1
    page = await stepped(bot, ana, page, "Last")
    assert f"Step {last} of {last}." in text(page)
    assert "win" in text(page)
    assert text(await stepped(bot, ana, page, "Next")) == text(page)
    back = await stepped(bot, ana, page, "Back")
    assert f"Step {last - 1} of {last}." in text(back)
    page = await stepped(bot, ana, back, "First")
    assert text(page) in seen
    assert f"Step 0 of {last}." in text(page)


async def test_the_hands_of_all_are_shown(bot: BotHarness) -> None:
    (ana, _), table = await finished(bot, "Ana", "Beto", game="casino")
    page = (await bot.say(ana, "replay", game="1")).page
    hands = [line for line in text(page).splitlines() if line.startswith(("Ana: ", "Beto: "))]
    assert [len(line.split()) for line in hands] == [11, 11]
    assert table.state is not None


async def test_the_last_game_of_a_kind_is_found_by_its_name(bot: BotHarness) -> None:
    (ana, _), first = await finished(bot, "Ana", "Beto", game="svoi")
    await finished(bot, "Ana", "Beto")
    for named in ("svoi", "2", first.id):
        page = (await bot.say(ana, "replay", game=named)).page
        assert text(page).startswith("Svoi Kozyri, ")
    assert (await bot.say(ana, "replay", game="casino")).notice == "Casino hasn't been played here yet."
    assert (await bot.say(ana, "replay", game="9")).notice == "There is no game 9 in the history here."
    assert (await bot.say(ana, "replay", game="0123456789")).notice == "That table doesn't exist."


async def test_a_running_game_is_shown_to_nobody(bot: BotHarness) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    for words in ("replay", "replay:last 0", "export:json", "export:text", "export:text 1"):
        reply = await bot.press(ana, f"{table.id}:0:{words}")
        assert (reply.notice, reply.page, reply.file) == ("The game isn't over yet.", None, None)
    assert (await bot.say(ana, "replay", game=table.id)).notice == "The game isn't over yet."
    assert "yet" in text((await bot.say(ana, "history")).page)


async def test_a_table_that_was_never_dealt_has_no_replay(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    await bot.press(ana, f"{table.id}:0:leave")
    reply = await bot.press(ana, f"{table.id}:0:replay")
    assert reply.notice == "No cards were dealt at that table."
    assert "yet" in text((await bot.say(ana, "history")).page)


async def test_forged_keys_of_a_replay_are_refused(bot: BotHarness) -> None:
    (ana, _), table = await finished(bot, "Ana", "Beto")
    for words in ("jump 3", "on x", "on 99999999"):
        reply = await bot.press(ana, f"{table.id}:0:replay:{words}")
        assert (reply.notice, reply.page) == ("That no longer works.", None)
    assert "Step 0 of" in text((await bot.press(ana, f"{table.id}:0:replay:at")).page)
    far = await bot.press(ana, f"{table.id}:0:replay:on 999999")
    assert f"Step {len(table.entries) - 4} of" in text(far.page)


async def test_a_game_is_taken_away_as_a_text_and_as_a_file(bot: BotHarness) -> None:
    (ana, _), table = await finished(bot, "Ana", "Beto")
    assert table.result is not None
    page = (await bot.say(ana, "replay", game="1")).page
    as_text = (await bot.press(ana, key(page, "As a text").data)).file
    assert as_text is not None
    assert as_text.name == f"cardlebones-{table.id}.txt"
    lines = as_text.content.decode().splitlines()
    assert "Players: Ana and Beto." in lines
    assert lines[-1] == f"Points: Ana ({table.result.scores[0]}) and Beto ({table.result.scores[1]})."
    as_file = (await bot.press(ana, key(page, "As a file").data)).file
    assert as_file is not None
    assert read(as_file.content).id == table.id


async def test_a_game_of_older_rules_keeps_its_result_in_the_history_and_in_its_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with bot_harness() as bot:
        (ana, _), table = await finished(bot, "Ana", "Beto")
        history = text((await bot.say(ana, "history")).page)
        panel, sent = bot.public_panel(), len(bot.platform.pages(PLACE.chat))
        as_text = (await bot.press(ana, f"{table.id}:0:export:text")).file
        as_file = (await bot.press(ana, f"{table.id}:0:export:json")).file
    monkeypatch.setattr(type(table.game), "revision", table.revision + 1)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        assert "place" in text((await again.press(ana, f"{table.id}:0:replay")).page)
        text_now = (await again.press(ana, f"{table.id}:0:export:text")).file
        file_now = (await again.press(ana, f"{table.id}:0:export:json")).file
        await again.clock.advance(60)
        assert text((await again.say(ana, "history")).page) == history
        assert (len(again.platform.pages(PLACE.chat)), again.public_panel()) == (sent, panel)
    assert as_text
    assert text_now
    assert text_now.content.decode().splitlines()[-1] == as_text.content.decode().splitlines()[-1]
    assert as_file
    assert file_now
    assert read(file_now.content) == replace(read(as_file.content), position=None)


async def test_the_page_of_a_game_that_ended_under_older_rules_has_its_result(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana, _), table = await finished(bot, "Ana", "Beto")
    monkeypatch.setattr(type(table.game), "revision", table.revision + 1)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        say = Speech("en", names=("Ana", "Beto"))
        page = public_page(await again.table(), say, ROOMY)
        assert all(say(caption) in text(page) for caption in result_captions(table))
        assert labels(page) == ["Rematch", "Replay", "Log", "Check the deal"]
        await again.press(ana, key(page, "Rematch").data)
        assert (await again.table()).follows == table.id
        stored = await again.store.load(table.id)
        assert stored
        assert stored.listing == replace(table.listing, entries=table.listing.entries + 1)


async def test_a_replay_speaks_the_language_of_its_reader(bot: BotHarness) -> None:
    (_, beto), _ = await finished(bot, "Ana", "Beto", game="casino")
    await bot.say(beto, "language", language="es")
    page = (await bot.say(beto, "repeticion", game="1")).page
    assert "Paso 0 de" in text(page)
    assert labels(page)[:4] == ["Inicio", "Atrás", "Siguiente", "Fin"]
    assert "Las últimas partidas" in text((await bot.say(beto, "historial")).page)


async def test_the_page_of_the_end_leads_to_the_replay(bot: BotHarness) -> None:
    (ana, _), _ = await finished(bot, "Ana", "Beto")
    reply = await bot.press(ana, key(bot.public_panel(), "Replay").data)
    assert "Step 0 of" in text(reply.page)


async def test_hidden_people_have_no_names_in_lists_replays_and_files(bot: BotHarness) -> None:
    (ana, beto), table = await finished(bot, "Ana", "Beto")
    await bot.say(ana, "privacy", listed="hidden")
    listed = text((await bot.say(beto, "history")).page)
    offered = text((await bot.say(beto, "replay")).page)
    page = (await bot.say(beto, "replay", game="1")).page
    last = text(await stepped(bot, beto, page, "Last"))
    actions = ("export:text", "export:json", "log")
    files = [(await bot.press(beto, f"{table.id}:0:{action}")).file for action in actions]
    suggested = "".join(
        suggestion.label for suggestion in await bot.dispatcher.complete(beto, "replay", "game", "", {})
    )
    told = [listed, offered, text(page), last, suggested, *(file.content.decode() for file in files if file)]
    assert len(told) == 8
    assert not any("Ana" in one for one in told)
    assert all("Beto" in one for one in told)
    assert "Player 1" in last
    # The sender alone reads a private chat.
    alone = bot.caller("Ana", private=True)
    for command in ("history", "replay"):
        page = (await bot.say(alone, command)).page
        assert "Ana" in text(page) + "".join(labels(page))
    await bot.say(ana, "privacy", listed="shown")
    assert "Ana" in text((await bot.say(beto, "replay", game="1")).page)


async def test_hidden_people_have_no_names_in_the_pages_of_the_log_and_of_the_deal(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="cardlebones", clock="off")
    lobby = await bot.table()
    await bot.press(beto, f"{lobby.id}:0:join")
    await bot.say(ana, "cut", words="seven waves")
    await bot.press(ana, f"{lobby.id}:0:start")
    await bot.leave(ana)
    await finish(bot.dispatcher.service, await bot.table())
    pages = (f"{lobby.id}:0:log:0", f"{lobby.id}:0:check")
    before = [text((await bot.press(beto, data)).page) for data in pages]
    assert all("Ana" in page for page in before)
    await bot.say(ana, "privacy", listed="hidden")
    hidden = [text((await bot.press(beto, data)).page) for data in pages]
    assert not any("Ana" in page for page in hidden)
    assert all("seven waves" in page for page in hidden)


async def test_forgotten_people_have_no_names_either(bot: BotHarness) -> None:
    (ana, beto), table = await finished(bot, "Ana", "Beto")
    assert "Ana" in text((await bot.say(beto, "replay", game=table.id)).page)
    asked = await bot.say(ana, "forget")
    await bot.press(ana, offers(asked.page, "forget")[0].data)
    pages = [text((await bot.say(beto, name)).page) for name in ("history", "replay")]
    pages.append(text((await bot.say(beto, "replay", game=table.id)).page))
    assert not any("Ana" in page for page in pages)
    assert "Player" in pages[-1]


async def test_a_game_being_typed_is_suggested(bot: BotHarness) -> None:
    (ana, _), table = await finished(bot, "Ana", "Beto")
    found = await bot.dispatcher.complete(ana, "replay", "game", "card", {})
    assert [suggestion.value for suggestion in found] == [table.id]
    assert found[0].label.endswith("Ana, Beto")
