"""Hints by command, key and typed words: private, once a turn among people, off at tables that say so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.model.tables import Refused
from bot.pages.callback_data import digest
from bot.ports import Caller
from bot.table_service.hints import Hints
from bot.tables.table import Table
from bot.thinking.query import Query
from bot.thinking.thinker import InlineThinker
from engines import games
from engines.game import Move
from tests import luck
from tests.support.games import every_game
from tests.support.harness import BotHarness, bot_harness, key, offers, text
from tests.support.tables import dealt


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def against_computer(bot: BotHarness, game: str = "casino") -> Caller:
    """Begins a game of one person against a computer; the person, who must move."""
    [ana] = await bot.begin(game, "Ana")
    await bot.computers_move()
    return ana


@pytest.mark.parametrize("name", ["hint", "pista"])
async def test_a_command_gives_a_move_and_a_reason(bot: BotHarness, name: str) -> None:
    ana = await against_computer(bot)
    before = await bot.table()
    seat = before.active()[0]
    reply = await bot.say(ana, name)
    table = await bot.table()
    assert reply.page is not None
    assert (reply.public, reply.done) == (False, False)
    assert table.entries == before.entries
    [button] = offers(reply.page, "move")
    assert button.data.split(":")[3] in map(str, table.game.moves(table.state, seat))
    assert text(reply.page).startswith("Hint: ")
    assert len(text(reply.page).splitlines()) == 2


async def test_the_key_of_the_panel_gives_the_same_hint_and_its_key_plays_it(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    typed = await bot.say(ana, "hint")
    reply = await bot.press(ana, offers(bot.panel(ana), "hint")[0].data)
    assert text(reply.page) == text(typed.page)
    assert not reply.public
    before = await bot.table()
    await bot.press(ana, offers(reply.page, "move")[0].data, replaceable=True)
    table = await bot.table()
    played = table.entries[len(before.entries)]
    assert (played.kind, played.person) == ("move", await bot.person(ana))


async def test_the_key_plays_once_and_never_a_later_move(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    data = offers((await bot.say(ana, "hint")).page, "move")[0].data
    await bot.press(ana, data, replaceable=True)
    once = len((await bot.table()).entries)
    assert (await bot.press(ana, data, replaceable=True)).notice == "That has already been done."
    await bot.computers_move()
    later = len((await bot.table()).entries)
    assert (await bot.press(ana, data, replaceable=True)).notice == "That has already been done."
    assert len((await bot.table()).entries) == later > once


async def test_a_hint_for_a_position_that_has_passed_plays_nothing(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    stale = offers((await bot.say(ana, "hint")).page, "move")[0].data
    others = [button.data for button in offers(bot.panel(ana), "move") if button.data != stale]
    await bot.press(ana, others[0], replaceable=True)
    entries = len((await bot.table()).entries)
    reply = await bot.press(ana, stale, replaceable=True)
    assert reply.notice == "That menu was out of date. Here is the current one."
    assert len((await bot.table()).entries) == entries


async def test_a_hint_too_long_for_its_key_is_played_though_the_menu_has_no_such_move(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await against_computer(bot)
    [button] = offers((await bot.say(ana, "hint")).page, "move")
    game, stamp, action, words = button.data.split(":", 3)
    monkeypatch.setattr("bot.inbox.moves.presses.offered_moves", lambda *given: ())
    # As after a restart, the process remembers no hint.
    monkeypatch.setattr(bot.dispatcher, "_hints", Hints(InlineThinker()))
    await bot.press(ana, f"{game}:{stamp}:{action}:#{digest(words)}", replaceable=True)
    made = (await bot.table()).move_at(int(stamp))
    assert made is not None
    assert made.body["move"] == words


@pytest.mark.parametrize("line", ["hint", "/hint", "pista", "Pista"])
async def test_typed_words_ask_for_a_hint(bot: BotHarness, line: str) -> None:
    await against_computer(bot)
    reply = await bot.type(bot.caller("Ana", private=True), line)
    assert text(reply.page).startswith("Hint: ")


async def test_a_hint_speaks_the_language_of_its_reader(bot: BotHarness) -> None:
    await against_computer(bot)
    await bot.say(bot.caller("Ana", private=True), "language", language="es")
    reply = await bot.type(bot.caller("Ana", private=True), "pista")
    assert text(reply.page).startswith("Pista: ")
    assert [button.label for button in offers(reply.page, "move")] == ["Jugarla"]


async def test_nothing_is_posted_and_no_other_page_changes(bot: BotHarness) -> None:
    callers = await bot.begin("boathouse", "Ana", "Beto")
    mover = await bot.to_play(callers)
    before = {chat: list(bot.platform.pages(chat)) for chat in ("square", "alone:ana", "alone:beto")}
    said = await bot.say(mover, "hint")
    pressed = await bot.press(mover, offers(bot.panel(mover), "hint")[0].data)
    assert text(said.page) == text(pressed.page)
    assert {chat: list(bot.platform.pages(chat)) for chat in before} == before


async def test_among_people_a_turn_has_one_hint(bot: BotHarness) -> None:
    callers = await bot.begin("boathouse", "Ana", "Beto")
    mover = await bot.to_play(callers)
    first = await bot.say(mover, "hint")
    assert text((await bot.say(mover, "hint")).page) == text(first.page)
    draw = offers(first.page, "move")[0].data
    await bot.press(mover, draw, replaceable=True)
    table = await bot.table()
    assert (await bot.to_play(callers), table.stamp) == (mover, 1)
    reply = await bot.say(mover, "hint")
    assert (reply.notice, reply.page, reply.public) == ("You've had your hint for this turn.", None, False)


async def test_against_computers_a_turn_has_any_number(bot: BotHarness) -> None:
    ana = await against_computer(bot, "boathouse")
    await bot.press(ana, offers((await bot.say(ana, "hint")).page, "move")[0].data, replaceable=True)
    assert text((await bot.say(ana, "hint")).page).startswith("Hint: ")


async def test_the_next_turn_has_another_hint(bot: BotHarness) -> None:
    callers = await bot.begin("cardlebones", "Ana", "Beto")
    for _ in range(4):
        mover = await bot.to_play(callers)
        reply = await bot.say(mover, "hint")
        await bot.press(mover, offers(reply.page, "move")[0].data, replaceable=True)
    assert (await bot.table()).stamp == 4


async def test_only_the_player_whose_turn_it_is_gets_a_hint(bot: BotHarness) -> None:
    callers = await bot.begin("cardlebones", "Ana", "Beto")
    mover = await bot.to_play(callers)
    [other] = [caller for caller in callers if caller != mover]
    reply = await bot.say(other, "hint")
    assert (reply.notice, reply.page, reply.public) == ("It isn't your turn.", None, False)
    assert offers(bot.panel(other), "hint") == []
    table = await bot.table()
    pressed = await bot.press(other, f"{table.id}:{table.stamp}:hint")
    assert (pressed.notice, pressed.page, pressed.public) == ("It isn't your turn.", None, False)
    stranger = await bot.say(bot.caller("Eva"), "hint")
    assert stranger.notice == "You have no seat at this table."
    assert not stranger.public


async def test_no_hint_before_or_after_the_game(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    assert (await bot.say(ana, "hint")).notice.startswith("No table is open here.")
    await bot.say(ana, "new", game="cardlebones", level="normal", clock="off")
    table = await bot.table()
    assert (await bot.say(ana, "hint")).notice == "The cards haven't been dealt yet."
    await bot.press(ana, f"{table.id}:0:start")
    await bot.computers_move()
    hint = offers(bot.panel(ana), "hint")[0].data
    await bot.say(ana, "end")
    await bot.dispatcher.service.change(table.id, lambda table: table.add("end", reason="stopped"))
    assert (await bot.press(ana, hint)).notice == "This table is closed."


async def test_the_owner_of_a_lobby_can_turn_hints_off(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="cardlebones", level="normal", clock="off")
    table = await bot.table()
    page = (await bot.press(ana, f"{table.id}:0:house_rules")).page
    page = (await bot.press(ana, key(page, "Hints: yes").data)).page
    assert key(page, "Hints: no")
    assert "Hints: no" in text(bot.public_panel())
    await bot.press(ana, f"{table.id}:0:start")
    await bot.computers_move()
    assert offers(bot.panel(ana), "hint") == []
    reply = await bot.press(ana, f"{table.id}:{(await bot.table()).stamp}:hint")
    assert reply.notice == "There are no hints at this table."


@pytest.mark.parametrize("line", ["hints={}", "Hints: {}", "hints {}"])
@pytest.mark.parametrize(("no", "yes"), [("no", "yes"), ("off", "on"), ("n", "sí")])
async def test_the_rule_can_be_typed(bot: BotHarness, line: str, no: str, yes: str) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="cardlebones")
    await bot.say(ana, "options", rule=line.format(no))
    assert not (await bot.table()).hints
    await bot.say(ana, "options", rule=line.format(yes))
    assert (await bot.table()).hints


async def test_a_word_that_allows_no_hints_and_forbids_none_is_refused(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="cardlebones")
    refused = await bot.say(ana, "options", rule="hints maybe")
    assert refused.notice == "“hints” can't be “maybe”. Choose: yes, no."
    assert (await bot.table()).hints


async def test_the_rule_can_be_given_with_the_table_and_lasts_for_a_rematch(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino", rules="hints=no,multi_capture=on")
    table = await bot.table()
    assert (table.hints, table.options["multi_capture"]) == (False, "on")
    only_owner = await bot.say(bot.caller("Beto"), "options", rule="hints=yes")
    assert "Only Ana can do that" in only_owner.notice
    await bot.press(ana, f"{table.id}:0:start")
    await bot.dispatcher.service.change(table.id, lambda table: table.add("end", reason="stopped"))
    await bot.say(ana, "rematch")
    assert not (await bot.table()).hints


@every_game
async def test_a_hint_is_built_from_the_view_of_its_seat_alone(key: str) -> None:
    """Cards that the seat cannot see may be dealt anew: the hint stays the same."""
    rng, rules = luck.rng(f"hints {key}"), games()[key]
    table = Table.open(key, clock=0)
    for name in ("Ana", "Beto", "Eva", "Nico")[: rules.seats[0]]:
        table = table.add("join", len(table.players), person=name, name=name)
    table = table.start()
    for _ in range(12):
        seat = table.active()[0]
        found = await Hints(InlineThinker()).hint(table, seat)
        assert found.move in tuple(rules.moves(table.state, seat)) or found.move.verb in rules.wide
        imagined = rules.imagine(table.view(seat), rng)
        assert await Hints(InlineThinker()).hint(table._with(state=imagined), seat) == found
        table = table.play(seat, str(found.move))
        if table.result:
            break


class Noting(InlineThinker):
    """Notes the levels at which it is asked."""

    def __init__(self) -> None:
        self.levels = list[str]()

    async def choose(self, query: Query) -> Move:
        self.levels.append(query.level)
        return query.moves[0]


async def test_a_hint_is_a_hard_computers_move_which_is_thought_of_once() -> None:
    table = dealt("casino", "Ana", "Beto")
    thinker = Noting()
    hints = Hints(thinker)
    seat = table.active()[0]
    assert await hints.hint(table, seat) == await hints.hint(table, seat)
    assert thinker.levels == ["hard"]


class Gated(InlineThinker):
    """Chooses the first move; its first answer waits for the gate."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.asked = 0

    async def choose(self, query: Query) -> Move:
        self.asked += 1
        if self.asked == 1:
            await self.gate.wait()
        return query.moves[0]


async def test_a_hint_that_is_chosen_too_late_does_not_allow_a_second_one_in_the_next_turn() -> None:
    table = dealt("boathouse", "Ana", "Beto")
    [seat], thinker = table.active(), Gated()
    hints = Hints(thinker)
    late = asyncio.create_task(hints.hint(table, seat))
    await asyncio.sleep(0)
    turn = table.game.turns(table.state)
    while table.active() != (seat,) or table.game.turns(table.state) == turn:
        [mover] = table.active()
        table = table.play(mover, str(next(iter(table.game.moves(table.state, mover)))))
    await hints.hint(table, seat)
    thinker.gate.set()
    await late
    table = table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))
    with pytest.raises(Refused):
        await hints.hint(table, seat)


async def test_a_hint_follows_from_the_position_and_is_given_only_in_turn() -> None:
    table = dealt("boathouse", "Ana", "Beto")
    seat = table.active()[0]
    hints = Hints(InlineThinker())
    found = await hints.hint(table, seat)
    assert await hints.hint(table, seat) == await Hints(InlineThinker()).hint(table, seat) == found
    with pytest.raises(Refused):
        await hints.hint(table, 1 - seat)
