"""Looking back at finished games by command and by key: each is analysed once, and the analysis is kept."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping

import pytest

from bot.inbox.handlers.finished_games.analyses import PROGRESS_EVERY
from bot.model.people import Account
from bot.ports import Caller, Page
from bot.store.memory.store import MemoryStore
from bot.table_service.analysis_jobs import Analyses
from bot.thinking.query import Query
from engines.game import Move
from tests.support.harness import BotHarness, bot_harness, key, offers, text
from tests.support.judging import Judge, finish, use


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        use(opened.dispatcher, Judge())
        yield opened


async def finished(bot: BotHarness, *names: str, game: str = "cardlebones") -> list[Caller]:
    """Begins a game for these people and plays it to its end; the players."""
    callers = await bot.begin(game, *names)
    await finish(bot.dispatcher.service, await bot.table())
    await bot.clock.advance(30)
    return callers


def last(bot: BotHarness, caller: Caller) -> str:
    """The text of the last message in a player's private chat."""
    return text(bot.platform.pages(f"alone:{caller.user}")[-1])


@pytest.mark.parametrize("name", ["analyse", "analizar"])
async def test_an_analysis_comes_to_the_private_chat(bot: BotHarness, name: str) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    before = len((await bot.table()).entries)
    reply = await bot.say(ana, name)
    assert reply.notice == "I'm looking back at the game. You'll get it in our private chat."
    shown = last(bot, ana)
    assert "Chances to win, from the deal to the end:" in shown
    assert "Your chance: " in shown
    assert "These moves cost you most:" in shown
    assert "Better: " in shown
    assert len((await bot.table()).entries) == before


async def test_the_next_who_asks_gets_it_at_once_and_speaks_spanish(bot: BotHarness) -> None:
    ana, beto = await finished(bot, "Ana", "Beto")
    judge = use(bot.dispatcher, Judge())
    await bot.say(ana, "analyse")
    asked = judge.asked
    await bot.say(beto, "language", language="es")
    reply = await bot.say(beto, "analyse")
    assert reply.public
    assert "Probabilidad de ganar" in text(reply.page)
    assert "Las jugadas que más te costaron:" in text(reply.page)
    assert judge.asked == asked


async def test_watchers_read_of_all_players(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    await bot.say(ana, "analyse")
    shown = text((await bot.say(bot.caller("Eva"), "analyse")).page)
    assert "These moves cost Ana most:" in shown
    assert "These moves cost Beto most:" in shown


async def test_the_page_of_the_end_has_a_key(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    await bot.press(ana, offers(bot.public_panel(), "analyse")[0].data)
    assert "Your chance: " in last(bot, ana)
    reply = await bot.press(ana, key(bot.public_panel(), "Look back").data)
    assert "Your chance: " in text(reply.page)


async def test_another_game_is_named_by_its_id(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    first = await bot.table()
    await finished(bot, "Ana", "Beto", game="svoi")
    await bot.say(ana, "analyse")
    await bot.say(ana, "analyse", table=first.id)
    assert "Cardlebones" in last(bot, ana)


async def test_a_table_that_is_not_here_has_no_look_back(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    assert (await bot.say(ana, "analyse", table="7")).notice == "There is no table 7 here."


async def test_the_progress_of_a_look_back_is_edited_into_one_message(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    judge = use(bot.dispatcher, Judge(gated=True))
    await bot.say(ana, "analyse")
    pages = len(bot.platform.pages("alone:ana"))
    assert "I'm looking back at the game: 0%." in last(bot, ana)
    for _ in range(4):
        judge.gate.release()
    await bot.clock.advance(PROGRESS_EVERY)
    assert "I'm looking back at the game: 0%." not in last(bot, ana)
    assert "I'm looking back at the game: " in last(bot, ana)
    again = await bot.say(ana, "analyse")
    assert offers(again.page, "analyse")
    judge.open()
    await bot.clock.advance(PROGRESS_EVERY)
    assert "Your chance: " in last(bot, ana)
    assert len(bot.platform.pages("alone:ana")) == pages


@pytest.mark.parametrize("pause", [0, 50])
async def test_the_progress_of_a_look_back_never_falls_and_is_whole_only_at_the_end(
    bot: BotHarness, pause: int
) -> None:
    await finished(bot, "Ana", "Beto")
    seen = list[int]()

    class Watched(Judge):
        async def estimate(self, query: Query) -> Mapping[Move, float] | None:
            seen.append(job.percent)
            await bot.clock.sleep(pause)
            return await super().estimate(query)

    job = await Analyses(bot.store, bot.dispatcher.service, Watched()).ask(await bot.table())
    await bot.clock.advance(1000)
    assert job.analysis
    # With pauses, the time for judging is over before all decisions are judged.
    assert (len(job.analysis.judged) < job.analysis.decisions) is bool(pause)
    assert len(set(seen)) > 2
    assert seen == sorted(seen)
    assert max(seen) < 100


async def test_who_asks_twice_at_once_gets_one_message(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    judge, whisper = use(bot.dispatcher, Judge(gated=True)), bot.platform.whisper

    async def slow(account: Account, page: Page, *, once: str = "") -> str:
        await asyncio.sleep(0)
        return await whisper(account, page, once=once)

    monkeypatch.setattr(bot.platform, "whisper", slow)
    pages = len(bot.platform.pages("alone:ana"))
    replies = await asyncio.gather(bot.say(ana, "analyse"), bot.say(ana, "analyse"))
    assert len(bot.platform.pages("alone:ana")) == pages + 1
    assert [reply.page is None for reply in replies].count(True) == 1
    judge.open()


async def test_a_message_is_not_edited_while_nothing_changes(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    judge, edits, edit = use(bot.dispatcher, Judge(gated=True)), list[str](), bot.platform.edit

    async def noted(message: str, page: Page) -> None:
        edits.append(text(page))
        await edit(message, page)

    monkeypatch.setattr(bot.platform, "edit", noted)
    await bot.say(ana, "analyse")
    await bot.clock.advance(10 * PROGRESS_EVERY)
    assert edits == []
    judge.gate.release()
    await bot.clock.advance(10 * PROGRESS_EVERY)
    assert len(edits) == 1
    judge.open()


async def test_a_person_without_a_private_chat_asks_again_for_the_analysis(bot: BotHarness) -> None:
    await finished(bot, "Ana", "Beto")
    judge, eva = use(bot.dispatcher, Judge(gated=True)), bot.caller("Eva")
    page = (await bot.say(eva, "analyse")).page
    assert "I'm looking back at the game: 0%." in text(page)
    judge.open()
    await bot.clock.advance(PROGRESS_EVERY)
    page = (await bot.press(eva, offers(page, "analyse")[0].data, replaceable=True)).page
    assert "Ana: " in text(page)


async def test_a_look_back_is_kept_with_the_game_over_a_restart() -> None:
    store = MemoryStore()
    async with bot_harness(store) as bot:
        use(bot.dispatcher, Judge())
        ana, _ = await finished(bot, "Ana", "Beto")
        await bot.say(ana, "analyse")
        found = text((await bot.say(ana, "analyse")).page)
        game = (await bot.table()).id
    assert await store.analysis(game)
    async with bot_harness(store) as bot:
        judge = use(bot.dispatcher, Judge())
        assert text((await bot.say(bot.caller("Ana"), "analyse")).page) == found
        assert judge.asked == 0
        await store.save_analysis(game, '{"format": 0}')
        judge = use(bot.dispatcher, Judge())
        await bot.say(bot.caller("Ana"), "analyse")
        assert judge.asked > 0


async def test_a_restart_loses_nothing_but_work() -> None:
    store = MemoryStore()
    async with bot_harness(store) as bot:
        use(bot.dispatcher, Judge(gated=True))
        ana, _ = await finished(bot, "Ana", "Beto")
        await bot.say(ana, "analyse")
        stale = offers(bot.platform.pages("alone:ana")[-1], "analyse")[0].data
    assert "I'm looking back at the game: 0%." in last(bot, ana)
    async with bot_harness(store, bot.platform) as bot:
        use(bot.dispatcher, Judge())
        await bot.press(ana, stale, replaceable=True)
        assert "Your chance: " in last(bot, ana)


async def test_only_games_that_are_over_are_looked_back_at(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    assert (await bot.say(ana, "analyse")).notice == "No game has ended here yet."
    await bot.begin("cardlebones", "Ana", "Beto")
    table = await bot.table()
    assert (await bot.say(ana, "analyse", table="1")).notice == "The game isn't over yet."
    assert (await bot.press(ana, f"{table.id}:0:analyse")).notice == "The game isn't over yet."
    assert (await bot.say(ana, "analyse", table="0123456789")).notice == "That table doesn't exist."


async def test_a_table_without_a_deal_has_nothing_to_look_back_at(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="cardlebones")
    await bot.dispatcher.service.change(
        (await bot.table()).id, lambda table: table.add("end", reason="stopped")
    )
    assert (await bot.say(ana, "analyse")).notice == "No cards were dealt at that table."


async def test_a_game_of_older_rules_is_refused(bot: BotHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    table = await bot.table()
    monkeypatch.setattr(type(table.game), "revision", table.game.revision + 1)
    reply = await bot.say(ana, "analyse")
    assert reply.notice == "An update has changed the rules, so I can't look back at this game."


async def test_a_failure_costs_only_the_look_back(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")

    class Broken(Judge):
        async def estimate(self, query: Query) -> Mapping[Move, float] | None:
            raise RuntimeError

    use(bot.dispatcher, Broken())
    await bot.say(ana, "analyse")
    assert "I couldn't look back at this game." in last(bot, ana)
    use(bot.dispatcher, Judge())
    await bot.press(ana, offers(bot.platform.pages("alone:ana")[-1], "analyse")[0].data, replaceable=True)
    assert "Your chance: " in last(bot, ana)


async def test_a_look_back_without_chances_gives_up_soon(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")
    asked = list[str]()

    class Silent(Judge):
        async def estimate(self, query: Query) -> Mapping[Move, float] | None:
            asked.append(query.luck)
            return None

    use(bot.dispatcher, Silent())
    await bot.say(ana, "analyse")
    assert "I couldn't look back at this game." in last(bot, ana)
    assert len(asked) == 4


async def test_a_slow_look_back_judges_what_it_can_in_time(bot: BotHarness) -> None:
    ana, _ = await finished(bot, "Ana", "Beto")

    class Slow(Judge):
        async def estimate(self, query: Query) -> Mapping[Move, float] | None:
            await bot.clock.sleep(50)
            return await super().estimate(query)

    use(bot.dispatcher, Slow())
    await bot.say(ana, "analyse")
    await bot.clock.advance(1000)
    assert re.search(r"I looked at 5 of \d+ decisions, all through the game\.", last(bot, ana))


@pytest.mark.parametrize("bound", ["_MOST_WAITING", "_MOST_OF_ONE"])
async def test_while_many_games_wait_another_is_refused(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(f"bot.table_service.analysis_jobs.{bound}", 1)
    ana, _ = await finished(bot, "Ana", "Beto")
    first = (await bot.table()).id
    await finished(bot, "Ana", "Beto")
    use(bot.dispatcher, Judge(gated=True))
    await bot.say(ana, "analyse", table=first)
    reply = await bot.say(ana, "analyse")
    assert reply.notice == "I'm busy looking back at other games. Ask again in a few minutes."
    others = await bot.say(bot.caller("Beto"), "analyse")
    assert bool(others.notice.startswith("I'm busy")) is (bound == "_MOST_WAITING")
