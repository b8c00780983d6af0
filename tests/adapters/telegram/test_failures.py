"""Failures on Telegram: rate limits, a kicked bot, lost messages, moved groups, late or repeated updates."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from math import ceil
from typing import Any

import pytest
from lo_bot_api_emulator import ApiRefusal

from adapters.shared.patience import PATIENCE
from bot.outbox.handovers import SETTLED
from bot.ports import Gone, Later, Page, Reply
from tests.adapters.telegram.emulator import TOKEN, Emulator, refusing
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, NetworkClock, World, opened, played, tells_end
from tests.support.simulation import AccountStore

pytestmark = pytest.mark.real

NEW = -1009


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


async def test_an_edit_that_telegram_puts_off_shows_the_newest_page_later(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    await world.pass_(10)
    faults, begun = world.emulator.book.faults, len(world.emulator.book.calls)
    faults.append(refusing("editMessageText", "Too Many Requests: retry after 20", 429, retry_after=20))
    await bob.presses(world.public_panel(), "Join")
    await world.pass_(15)
    await world.player(3, "Cat").presses(world.public_panel(), "Join")
    assert "Bob" not in world.public_panel().plain
    await world.pass_(10)
    assert ("Bob" in world.public_panel().plain, "Cat" in world.public_panel().plain) == (True, True)
    calls = world.emulator.book.calls[begun:]
    assert [call.method for call in calls if call.chat == GROUP] == ["editMessageText"] * 2


async def test_an_answer_that_telegram_puts_off_is_given_later(world: World) -> None:
    ana = world.player(1, "Ana", opened=False)

    def fault(method: str, fields: Mapping[str, Any]) -> ApiRefusal | None:
        late = ApiRefusal("Too Many Requests", 429, {"retry_after": 3})
        return late if method == "sendMessage" and int(fields["chat_id"]) == GROUP else None

    world.emulator.book.faults.append(fault)
    await ana.writes("/new nonsense", GROUP)
    assert world.shown(GROUP) == []
    await world.pass_(5)
    assert "Which game?" in world.shown(GROUP)[-1].plain


async def test_an_edit_that_would_change_nothing_counts_as_made(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    await world.pass_(10)
    table = await world.table()
    begun = len(world.emulator.book.calls)
    await world.dispatcher.panels.requests.resend(table, "")
    await world.pass_(200)
    assert [call.method for call in world.emulator.book.calls[begun:]] == ["editMessageText"]
    assert len(world.shown(GROUP)) == 1


async def test_a_message_that_is_gone_is_written_anew(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    old = world.public_panel()
    await world.pass_(10)
    old.alive = False
    await bob.presses(old, "Join")
    await world.pass_(10)
    assert "Bob" in world.public_panel().plain


async def test_where_the_bot_is_thrown_out_of_the_group_the_game_goes_on_in_private_chats(
    world: World,
) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    world.emulator.book.faults += [_kicked] * 500
    await played(world, ana, bob)
    assert (await world.table()).status == "over"


async def test_a_group_that_has_thrown_us_out_is_not_written_to_again_and_again(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    await world.pass_(10)
    world.emulator.book.faults += [_kicked] * 50
    before = len(world.emulator.book.calls)
    await world.dispatcher.panels.requests.resend(await world.table(), "")
    await world.pass_(200)
    assert [call.chat for call in world.emulator.book.calls[before:]] == [GROUP]
    assert "the bot may not post in its chat" in caplog.text


async def test_a_group_that_becomes_a_supergroup_keeps_its_tables(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    world.emulator.book.moved[GROUP] = NEW
    message = ana.message("", GROUP)
    del message["text"]
    await world.happens({"message": {**message, "migrate_to_chat_id": NEW}})
    await world.pass_(10)
    assert "Cardlebones, table 1" in world.public_panel(NEW).plain
    await played(world, ana, bob, chat=NEW)
    assert (await world.table(NEW)).status == "over"


async def test_a_refused_edit_may_be_the_first_sign_of_a_supergroup(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    world.emulator.book.moved[GROUP] = NEW
    mover = ana if ana.can("move") else bob
    await mover.presses(mover.panel, mover.can("move")[0])
    await world.pass_(20)
    assert "Cardlebones, table 1" in world.public_panel(NEW).plain


async def test_an_alert_left_behind_in_a_group_that_moved_is_not_deleted(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob, "cardlebones", clock="60")
    if bob.seat(table := await world.table()) in table.active():
        await bob.writes(f"/play {next(iter(table.game.moves(table.state, 1)))}", GROUP)
    await world.pass_(100)
    await ana.presses(ana.panel, ana.can("move")[0])
    await world.pass_(25)
    (call,) = (one for one in world.shown(GROUP) if "it's your turn" in one.html)
    world.emulator.book.moved[GROUP] = NEW
    message = ana.message("", GROUP)
    del message["text"]
    await world.happens({"message": {**message, "migrate_to_chat_id": NEW}})
    await world.pass_(10)
    begun = len(world.emulator.book.calls)
    move = next(iter((table := await world.table(NEW)).game.moves(table.state, 1)))
    await bob.writes(f"/play {move}", NEW)
    await world.pass_(60)
    assert [one.method for one in world.emulator.book.calls[begun:] if one.chat == GROUP] == []
    assert call.alive
    # While a process does not know that the group has moved, its messages there count as gone.
    with pytest.raises(Gone):
        await world.platform.delete(f"{GROUP}/{call.id}")


async def test_an_update_from_the_supergroup_alone_moves_its_tables(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    message = ana.message("", NEW)
    del message["text"]
    await world.happens({"message": {**message, "migrate_from_chat_id": GROUP}})
    await world.pass_(10)
    assert "Casino, table 1" in world.public_panel(NEW).plain


async def test_two_updates_of_one_move_to_a_supergroup_move_its_tables_once(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    for key, value, chat in (("migrate_to_chat_id", NEW, GROUP), ("migrate_from_chat_id", GROUP, NEW)):
        message = ana.message("", chat)
        del message["text"]
        await world.happens({"message": {**message, key: value}})
    assert (await world.table(NEW)).number == 1


async def test_a_press_too_late_to_be_answered_counts_and_shows_the_table(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    query = bob.query(world.public_panel(), world.public_panel().button("Join").data)
    world.emulator.book.queries.clear()
    await world.happens({"callback_query": query})
    await world.pass_(10)
    assert "Bob" in world.public_panel().plain


async def test_a_press_too_late_to_be_answered_shows_the_table_though_nothing_has_changed(
    world: World,
) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    await world.pass_(10)
    query = ana.query(world.public_panel(), world.public_panel().button("Rules").data)
    world.emulator.book.queries.clear()
    begun = len(world.emulator.book.calls)
    await world.happens({"callback_query": query})
    await world.pass_(10)
    calls = world.emulator.book.calls[begun:]
    assert [call.method for call in calls if call.chat == GROUP] == ["editMessageText"]


async def test_presses_while_the_bot_is_stopped_are_heard_after_its_start() -> None:
    emulator, store, clock = Emulator(), AccountStore(), NetworkClock()
    async with opened(emulator, store, clock) as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
        await dealt(world, ana, bob, "cardlebones")
        table = await world.table()
        mover = ana if ana.seat(table) in table.active() else bob
        button = mover.can("move")[0]
        first, second = (mover.query(mover.panel, button.data) for _ in range(2))
    emulator.book.queries.clear()
    for query in (first, second):
        await emulator.enqueue_update({"callback_query": query}, token=TOKEN)
    async with opened(emulator, store, clock) as world:
        await world.pass_(10)
        assert (await world.table()).stamp == 1


async def test_an_update_that_comes_twice_is_handled_once(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    table = await world.table()
    mover = ana if ana.seat(table) in table.active() else bob
    query = mover.query(mover.panel, mover.can("move")[0].data)
    number = await world.happens({"callback_query": query})
    await world.emulator.send_again({"update_id": number, "callback_query": query})
    await world.quiet()
    assert (await world.table()).stamp == 1


async def test_a_stale_press_is_refused_in_private(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    table = await world.table()
    mover, other = (ana, bob) if ana.seat(table) in table.active() else (bob, ana)
    panel, (first, second, *_) = mover.panel, mover.can("move")
    await mover.presses(panel, first)
    await world.pass_(5)
    await other.presses(other.panel, other.can("move")[0])
    await world.pass_(5)
    here = len(world.shown(GROUP))
    await mover.presses(panel, second)
    assert "already been done" in mover.told or "out of date" in mover.told
    assert len(world.shown(GROUP)) == here


async def test_a_press_is_answered_though_sending_takes_long(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    fill(world, 2)
    # The press is answered after PATIENCE seconds, while the private message still waits for its turn.
    await bob.presses(world.public_panel(), "Join")
    assert world.emulator.book.answers == []
    await world.pass_(PATIENCE)
    assert [user for user, _ in world.emulator.book.answers] == [2]
    assert bob.alone() == []
    await world.pass_(5)
    assert len((await world.table()).players) == 2


async def test_a_panel_waits_for_the_rate_limit_no_longer_than_its_page_is_right(world: World) -> None:
    await world.player(1, "Ana").writes("/new casino", GROUP)
    await world.quiet()
    fill(world, ceil(SETTLED) + 1)
    # A later edit could overwrite a panel that another process, which takes the chat, shows meanwhile.
    with pytest.raises(Later):
        await world.platform.edit(f"{GROUP}/{world.public_panel().id}", Page.note("outdated"))
    await world.pass_(10)
    assert "outdated" not in world.public_panel().plain


def slow(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the dispatcher take three seconds over every press."""
    press = world.dispatcher.press

    async def slowly(*given: Any, **named: Any) -> Reply:
        await world.clock.sleep(3)
        return await press(*given, **named)

    monkeypatch.setattr(world.dispatcher, "press", slowly)


async def test_a_page_asked_for_by_a_press_is_shown_however_late(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    slow(world, monkeypatch)
    before = len(bob.alone())
    await bob.presses(world.public_panel(), "Rules")
    await world.pass_(1)
    assert bob.told == ""
    await world.pass_(5)
    assert len(bob.alone()) == before + 1


async def test_a_refusal_is_told_however_late(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    await bob.presses(world.public_panel(), "Join")
    slow(world, monkeypatch)
    await world.happens({"callback_query": bob.query(world.public_panel(), "x" * 64)})
    await world.pass_(5)
    assert bob.alone()[-1].plain == "That no longer works."


async def test_edits_that_fail_at_the_server_are_made_later(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    world.emulator.book.faults += [refusing("editMessageText", "Bad Gateway", 502) for _ in range(3)]
    await played(world, ana, bob)
    await world.pass_(60)
    assert tells_end(world.public_panel())


async def test_menus_that_cannot_be_set_stop_nothing() -> None:
    emulator = Emulator()
    emulator.book.faults.append(refusing("setMyCommands", "Internal Server Error", 500))
    async with opened(emulator) as world:
        ana = world.player(1, "Ana")
        await ana.writes("/new casino", GROUP)
        assert "Casino, table 1" in world.public_panel().plain


async def test_a_restart_in_the_middle_changes_nothing() -> None:
    emulator, store, clock = Emulator(), AccountStore(), NetworkClock()
    async with opened(emulator, store, clock) as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob", "es")
        await dealt(world, ana, bob)
        table = await world.table()
        public_panel, panels = world.public_panel().id, (ana.panel.id, bob.panel.id)
    async with opened(emulator, store, clock) as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob", "es")
        assert (await world.table()).entries == table.entries
        await played(world, ana, bob)
        assert (await world.table()).status == "over"
        assert (world.public_panel().id, (ana.panel.id, bob.panel.id)) == (public_panel, panels)


async def test_a_table_that_was_not_sent_shows_the_way_to_our_chat_after_a_restart(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with opened() as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
        await ana.writes("/new casino", GROUP)
        await world.pass_(10)
        world.emulator.book.faults += [refusing("editMessageText", "Bad Gateway", 502)] * 2
        await bob.presses(world.public_panel(), "Join")
        assert "Bob" not in world.public_panel().plain
    world.emulator.book.faults.clear()
    async with opened(world.emulator, world.store, world.clock, late=True) as world:
        await world.pass_(20)
        assert "Bob" in world.public_panel().plain
        assert world.public_panel().button("Open our private chat").url
    assert "could not send" not in caplog.text


def fill(world: World, seconds: int) -> None:
    """Uses up the rate limiter's overall quota, 30 messages a second, for the next seconds."""
    pace = world.platform._limiter
    now = world.clock.now()
    for second in range(seconds):
        for _ in range(30):
            pace._overall.take(now + second, now)


def _kicked(method: str, fields: object) -> ApiRefusal | None:
    assert isinstance(fields, dict)
    chat = str(fields.get("chat_id", ""))
    return (
        ApiRefusal("Forbidden: bot was kicked from the supergroup chat", 403) if chat == str(GROUP) else None
    )
