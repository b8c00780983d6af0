"""/privacy and /forget: who is hidden, and what is left of a person who is forgotten."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial

import pytest

from bot.i18n import Speech
from bot.model.batches import Stored
from bot.model.ids import GameId
from bot.model.people import Person
from bot.pages.table_page import check_page
from bot.replays.checks import findings
from bot.replays.export import game_file
from bot.replays.game_file import read, written
from bot.storage import StoreError, Unreadable
from bot.store.memory.store import MemoryStore
from bot.table_service.forgetting import ForgetRequest, Forgetter
from bot.table_service.stored import table_of
from bot.tables.table import Table
from tests.support.clock import settle
from tests.support.harness import BotHarness, bot_harness, key
from tests.support.harness import text as shown
from tests.support.platform import ROOMY


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def text(bot: BotHarness, name: str, command: str, **given: str) -> str:
    """The page that a command shows a person in their private chat."""
    reply = await bot.say(bot.caller(name, private=True), command, **given)
    return shown(reply.page)


async def forgets(bot: BotHarness, name: str) -> str:
    """Forgets a person, who confirms it; the last page."""
    caller = bot.caller(name, private=True)
    reply = await bot.say(caller, "forget")
    return shown((await bot.press(caller, key(reply.page, "Yes").data, replaceable=True)).page)


def kept(bot: BotHarness) -> str:
    """What the store holds of tables, panels, places, people, analyses and results, as text."""
    assert isinstance(bot.store, MemoryStore)
    store = bot.store
    tables = [(each.listing, each.entries) for each in store._tables.by_id.values()]
    rows = (store._panels._panels, store._rooms, store._accounts, store._people, store._analyses)
    return repr((tables, rows, vars(store._endings)))


async def test_a_person_hides_and_shows_themselves(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    assert "Others find you" in await text(bot, "Ana", "privacy")
    assert "You are hidden" in await text(bot, "Ana", "privacy", listed="oculta")
    assert (await bot.store.person(await bot.person(ana)) or Person("", "")).hidden
    assert "Others find you" in await text(bot, "Ana", "privacy", listed="shown")
    assert not (await bot.store.person(await bot.person(ana)) or Person("", "", hidden=True)).hidden


async def test_one_press_hides_a_person(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    page = (await bot.say(ana, "privacy")).page
    assert "You are hidden" in shown((await bot.press(ana, key(page, "Hide").data, replaceable=True)).page)
    assert (await bot.store.person(await bot.person(ana)) or Person("", "")).hidden


async def test_an_unknown_word_neither_hides_nor_shows(bot: BotHarness) -> None:
    for listed, is_hidden in (("shown", False), ("hidden", True)):
        await text(bot, "Ana", "privacy", listed=listed)
        reply = await bot.say(bot.caller("Ana"), "privacy", listed="maybe")
        assert reply.notice == "“listed” can't be “maybe”. Choose: shown, hidden."
        person = await bot.store.person(await bot.person(bot.caller("Ana")))
        assert person
        assert person.hidden is is_hidden


async def test_a_person_is_not_forgotten_before_they_confirm_it(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Bo")
    await bot.say(bot.caller("Ana", private=True), "forget")
    assert "ana" in kept(bot)
    assert "I've forgotten you" in await forgets(bot, "Ana")


async def test_only_the_person_who_was_asked_is_forgotten(bot: BotHarness) -> None:
    asked = (await bot.say(bot.caller("Ana", private=True), "forget")).page
    reply = await bot.press(bot.caller("Bo", private=True), key(asked, "Yes").data)
    assert reply.notice == "That question was for another player."
    assert await bot.store.account("wall", "ana")
    assert await bot.store.account("wall", "bo")


async def test_an_old_question_asks_again(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    asked = (await bot.say(ana, "forget")).page
    await bot.clock.advance(400)
    again = await bot.press(ana, key(asked, "Yes").data, replaceable=True)
    assert "asking again" in shown(again.page)
    assert await bot.store.account("wall", "ana")


async def test_nothing_of_a_forgotten_moderator_who_had_no_seat_is_left(bot: BotHarness) -> None:
    mod = bot.caller("Mod", moderator=True)
    ana, bo = bot.caller("Ana"), bot.caller("Bo")
    await bot.say(ana, "new", game="casino")
    await bot.press(bo, f"{(await bot.table()).id}:0:join")
    await bot.say(mod, "owner", player="Bo")
    await bot.say(mod, "kick", player="Ana")
    table = await bot.table()
    await bot.say(mod, "end")
    person = await bot.person(mod)
    entries = (await bot.dispatcher.service.table(table.id)).entries
    assert {entry.kind for entry in entries if entry.person == person} == {"owner", "kick", "end"}
    await forgets(bot, "Mod")
    assert person not in kept(bot)


async def test_nothing_of_a_forgotten_person_is_left_in_rematches_that_bar_them(bot: BotHarness) -> None:
    ana, bo, eva = (bot.caller(name) for name in ("Ana", "Bo", "Eva"))
    await bot.begin("casino", "Ana", "Bo", "Eva")
    person = await bot.person(bo)
    await bot.say(ana, "kick", player="Bo")
    for _ in range(2):
        await bot.end(ana)
        await bot.say(ana, "rematch")
        await bot.press(eva, f"{(await bot.table()).id}:0:join")
        await bot.press(ana, f"{(await bot.table()).id}:0:start")
        assert person in (await bot.table()).kicked
    await forgets(bot, "Bo")
    assert person not in kept(bot)


async def test_nothing_of_a_forgotten_person_is_left(bot: BotHarness) -> None:
    ana, bo = bot.caller("Ana"), bot.caller("Bo")
    await bot.say(ana, "notify")
    await bot.say(bo, "new", game="casino", **{"with": "@ana <@ana>"})
    table = await bot.table()
    await bot.press(ana, f"{table.id}:0:join")
    await bot.say(ana, "cut", words="my secret words")
    await bot.press(bo, f"{table.id}:0:start")
    person = await bot.person(ana)
    await forgets(bot, "Ana")
    left = kept(bot).casefold()
    assert [word for word in ("ana", person, "secret words") if word in left] == []


async def test_a_running_game_goes_on_without_the_forgotten_players_name(bot: BotHarness) -> None:
    callers = await bot.begin("casino", "Ana", "Bo")
    gone = await bot.to_play(callers)
    await forgets(bot, gone.name)
    table = await bot.table()
    seat = callers.index(gone)
    assert [player.name for player in table.players] == ["Ana" if seat else "", "" if seat else "Bo"]
    assert table.players[seat].is_computer
    public_panel = shown(bot.public_panel())
    assert gone.name not in public_panel
    assert f"Player {seat + 1}" in public_panel
    await bot.clock.advance(60)
    assert (await bot.table()).stamp > table.stamp


async def test_a_game_is_replayed_though_the_words_of_its_cut_are_forgotten(bot: BotHarness) -> None:
    ana, bo = bot.caller("Ana"), bot.caller("Bo")
    await bot.say(bo, "new", game="casino", clock="off")
    table = await bot.table()
    await bot.press(ana, f"{table.id}:0:join")
    await bot.say(ana, "cut", words="my secret words")
    await bot.press(bo, f"{table.id}:0:start")
    before = await bot.table()
    await forgets(bot, "Ana")
    stored = await bot.store.load(table.id)
    assert stored is not None
    after = table_of(stored)
    assert after.state == before.state
    assert '"cuts":["my secret words"]' in before.deal
    assert '"cuts":[""]' in after.deal
    over = after.at(0.0).add("end", reason="stopped")
    assert "forgotten with their words" in shown(check_page(over, Speech(), ROOMY))


async def test_a_game_is_replayed_though_two_players_who_had_cut_are_forgotten(bot: BotHarness) -> None:
    ana, bo = bot.caller("Ana"), bot.caller("Bo")
    await bot.say(bo, "new", game="casino", clock="off")
    table = await bot.table()
    await bot.press(ana, f"{table.id}:0:join")
    for caller in (ana, bo):
        await bot.say(caller, "cut", words=f"words of {caller.name}")
    await bot.press(bo, f"{table.id}:0:start")
    before = await bot.table()
    for name in ("Ana", "Bo"):
        await forgets(bot, name)
        stored = await bot.store.load(table.id)
        assert stored is not None
        assert table_of(stored).state == before.state


async def test_no_seed_is_kept_for_a_forgotten_player_who_has_not_cut(bot: BotHarness) -> None:
    ana, bo = bot.caller("Ana"), bot.caller("Bo")
    await bot.say(bo, "new", game="casino", clock="off")
    table = await bot.table()
    await bot.press(ana, f"{table.id}:0:join")
    await bot.say(bo, "cut", words="words of Bo")
    await bot.press(bo, f"{table.id}:0:start")
    await forgets(bot, "Ana")
    [start] = [entry for entry in (await bot.table()).entries if entry.kind == "start"]
    assert "seed" not in start.body


async def test_the_export_of_a_finished_game_names_no_forgotten_player(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Bo")
    running = (await bot.table()).id
    await bot.dispatcher.service.change(running, lambda table: table.add("end", reason="stopped"))
    await forgets(bot, "Ana")
    file = game_file(await bot.dispatcher.service.whole(running))
    assert [seat.name for seat in file.seats] == ["", "Bo"]
    assert "Ana" not in written(file).decode()


async def test_the_file_of_a_game_whose_cut_is_forgotten_leaves_only_the_cuts_open(bot: BotHarness) -> None:
    ana, bo = bot.caller("Ana"), bot.caller("Bo")
    await bot.say(bo, "new", game="casino", clock="off")
    table = await bot.table()
    await bot.press(ana, f"{table.id}:0:join")
    await bot.say(ana, "cut", words="my secret words")
    await bot.press(bo, f"{table.id}:0:start")
    await bot.dispatcher.service.change(table.id, lambda table: table.add("end", reason="stopped"))
    await forgets(bot, "Ana")
    file = game_file(await bot.dispatcher.service.whole(table.id))
    assert read(written(file)) == file
    verdicts = [finding.verdict for finding in findings(file)]
    assert verdicts.count("open") == 1
    assert "wrong" not in verdicts


async def test_a_forgotten_person_comes_back_as_a_stranger(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "settings", setting="order", value="suit")
    await bot.begin("casino", "Ana", "Bo")
    await forgets(bot, "Ana")
    person = await bot.store.person(await bot.person(ana))
    assert person == Person(await bot.person(ana), "Ana", "en")
    assert await bot.store.tables_of(person.id) == []


async def test_the_games_of_a_private_chat_are_forgotten_with_it(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    await bot.say(ana, "new", game="casino")
    [listing] = await bot.store.tables(ana.place)
    await forgets(bot, "Ana")
    assert await bot.store.tables(ana.place) == []
    assert await bot.store.room(ana.place) is None
    stored = await bot.store.load(listing.game)
    assert stored is not None
    assert stored.listing.status == "over"
    assert [entry.kind for entry in stored.entries].count("end") == 1
    assert "ana" not in stored.listing.place.chat


async def test_all_games_of_a_private_chat_are_forgotten_with_it(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    for game in ("casino", "cardlebones"):
        await bot.say(ana, "new", game=game)
        await bot.say(ana, "start")
        [listing] = await bot.store.tables(ana.place)
        await bot.dispatcher.service.change(listing.game, lambda table: table.add("end", reason="stopped"))
    assert len(await bot.store.finished(place=ana.place, count=9)) == 2
    await forgets(bot, "Ana")
    assert await bot.store.finished(place=ana.place) == []
    assert ana.place.chat not in kept(bot)


async def test_forgetting_that_was_broken_off_anywhere_is_finished_when_it_is_repeated(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, store = bot.caller("Ana", private=True), bot.store
    await bot.say(ana, "new", game="casino")
    person, games = await bot.person(ana), []
    for is_over in (True, True, False):
        await bot.begin("casino", "Ana", "Bo")
        table = await bot.table()
        games.append(table.id)
        if is_over:
            gone = partial(Table.add, kind="forfeit", seat=1, person=table.players[1].person)
            await bot.dispatcher.service.change(table.id, gone)
    writes = _Writes()
    for name in ("save_person", "append", "rewrite", "forget"):
        monkeypatch.setattr(store, name, writes.limited(getattr(store, name)))
    broken, forgetter = 0, Forgetter(bot.store, bot.dispatcher.service)
    while await store.account("wall", "ana"):
        # The first try saves the alias, with the person and by itself. Each later one saves it by itself,
        # and then does one write more of what the tries before left.
        writes.left = 2
        with suppress(StoreError):
            await forgetter.forget(ForgetRequest(person, frozenset(), ana.place), lambda: None, 60)
            break
        broken += 1
        assert broken < 30
    assert broken > 2 + len(games)
    assert await store.account("wall", "ana") is None
    left = kept(bot).casefold()
    assert [word for word in ("ana", person) if word in left] == []
    seated = [
        one.player for game in games for one in (await bot.dispatcher.service.table(game)).listing.seats
    ]
    assert len({player.person for player in seated if player.name != "Bo"}) == 1
    writes.left = 99


async def test_a_table_that_cannot_be_read_keeps_nobody_from_being_forgotten(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await bot.begin("casino", "Ana", "Bo")
    await bot.begin("cardlebones", "Ana", "Bo")
    tables, store = [await bot.table(number) for number in (1, 2)], bot.store
    broken, fine = sorted(table.id for table in tables)
    load, tail = store.load, store.tail

    async def unreadable(game: GameId, *n: int) -> Stored | None:
        if game == broken:
            raise Unreadable("a page of the file is damaged")
        return await (tail(game, *n) if n else load(game))

    monkeypatch.setattr(store, "load", unreadable)
    monkeypatch.setattr(store, "tail", unreadable)
    person = await bot.person(bot.caller("Ana"))
    assert await Forgetter(store, bot.dispatcher.service).forget(
        ForgetRequest(person, frozenset()), lambda: None, 60
    )
    stored = await load(fine)
    assert stored is not None
    assert person not in repr((stored.listing, stored.entries))
    assert await store.account("wall", "ana") is None
    assert broken in caplog.text


async def test_no_table_at_rest_is_packed_with_one_of_a_forgotten_person(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Bo")
    table, ana = await bot.table(), await bot.person(bot.caller("Ana"))
    cache = bot.dispatcher.service._commits.cache
    slot = cache.slot(table.id)
    slot.rest(cache._examples)
    assert ana.encode() in slot.example
    await Forgetter(bot.store, bot.dispatcher.service).forget(
        ForgetRequest(ana, frozenset()), lambda: None, 60
    )
    assert cache._examples == {}


async def test_each_call_is_told_when_a_person_is_forgotten_once(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bot.begin("casino", "Ana", "Bo")
    writes = _Writes()
    monkeypatch.setattr(bot.store, "forget", writes.limited(bot.store.forget))
    writes.left = 1
    wish, told = ForgetRequest(await bot.person(bot.caller("Ana")), frozenset()), list[str]()
    forgetter = Forgetter(bot.store, bot.dispatcher.service)
    calls = [forgetter.forget(wish, partial(told.append, name), 60) for name in ("first", "second")]
    assert await asyncio.gather(*calls) == [True, True]
    assert told == ["first", "second"]


async def test_a_failure_that_comes_too_late_for_the_sender_is_logged_without_its_message(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    request = ForgetRequest(await bot.person(bot.caller("Ana")), frozenset())
    gate, forgetter = asyncio.Event(), Forgetter(bot.store, bot.dispatcher.service)

    async def fails(*given: object) -> object:
        await gate.wait()
        raise StoreError("Ana holds 10H")

    monkeypatch.setattr(bot.store, "games_naming", fails)
    assert not await forgetter.forget(request, lambda: None, 0)
    gate.set()
    await settle()
    # A task whose error nobody has asked for is logged with its message when it is collected.
    gc.collect()
    assert [record.name for record in caplog.records] == ["bot.table_service.forgetting"]
    assert "10H" not in caplog.text


class _Writes:
    """Limits the writes of a store: ``left`` more succeed, then each fails as if the process were killed."""

    left = 99

    def limited(self, write: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        async def limited(*args: object, **named: object) -> object:
            self.left -= 1
            if self.left < 0:
                raise StoreError("killed")
            return await write(*args, **named)

        return limited


@pytest.mark.parametrize("times", [1, 2])
async def test_two_players_of_one_game_are_forgotten(bot: BotHarness, times: int) -> None:
    await bot.begin("casino", "Ana", "Bo")
    game = (await bot.table()).id
    for name in ("Ana", "Bo")[:times]:
        await forgets(bot, name)
    stored = await bot.store.load(game)
    assert stored is not None
    assert [seated.player.name for seated in stored.listing.seats] == ["", "Bo" if times == 1 else ""]
    assert table_of(stored).listing.seats == stored.listing.seats
