"""Processes that share a PostgreSQL database: no player notices, even if one of them is killed.

If their versions differ, the older process leaves the tables of the newer one alone, and the newer one closes
the tables of older rules once the older has stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest

from bot.tables.table import UPDATED
from engines.cards import Card
from engines.trio_escalera.groups import melds
from tests import luck
from tests.bot.crash.child import CHATS, PEOPLE
from tests.bot.crash.processes import (
    BotProcess,
    World,
    begun,
    check,
    move_of,
    opened,
    remember,
    send_again,
    settled,
    shows,
)
from tests.support.long import LONG

pytestmark = [pytest.mark.real, pytest.mark.timeout(14_400 if LONG else 400)]
KILLS = 300 if LONG else 3
ALTERNATIONS = 30 if LONG else 4
TAPS = 50 if LONG else 2
PRESSES = 200 if LONG else 20
PUBLIC_PANELS = 30
NEWER = "A newer version of the bot"

NewPostgres = Callable[[], Awaitable[str]]
NewWorld = Callable[..., World]


async def posted(world: World, chat: str, before: int) -> Mapping[str, Any]:
    """The first page of the message after the first ``before`` ones in a chat.

    Asserts that it is the only new one.
    """
    await world.until(f"a message in {chat}", lambda: len(world.posted[chat]) > before)
    assert len(world.posted[chat]) == before + 1
    return world.posted[chat][before]


async def alternate(world: World, bots: Sequence[BotProcess], chat: str, people: Sequence[str]) -> None:
    """Moves at one process and asks for the public panel at the other, in turns."""
    game = await begun(world, bots[0], chat, *people, game="casino", players="2")
    for n in range(ALTERNATIONS):
        one, other = bots[n % 2], bots[1 - n % 2]
        await one.ask(move_of(world, chat, game, await one.look(game)))
        before = len(world.posted[chat])
        watched = await other.ask(world.press("carla", chat, f"{game}:0:watch"))
        await other.ask(world.command("carla", chat, "table"))
        truth = await one.look(game)
        assert truth["public_panel"]["drawing"] == watched["page"]["drawing"]
        assert shows(await posted(world, chat, before), truth["public_panel"])


async def test_the_table_at_one_process_after_a_move_at_the_other_is_the_truth(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    chats = [f"c{n}" for n in range(4)]
    people = [f"{name}{n}" for n in range(4) for name in ("ana", "beto")]
    world = new_world(await new_postgres(), chats=chats, people=[*people, "carla"])
    bots = await world.processes({}, {})
    await asyncio.gather(
        *(alternate(world, bots, chat, people[2 * n : 2 * n + 2]) for n, chat in enumerate(chats))
    )
    check(world, await settled(*bots))


async def play(world: World, bots: Sequence[BotProcess], chat: str, game: str, made: list[str]) -> None:
    """Presses at processes in turns; every fifth press goes to both."""
    while len(made) < PRESSES:
        n = len(made)
        table = await bots[n % 2].look(game)
        if table["status"] == "over":
            return
        if not table["legal"]:
            await asyncio.sleep(0.02)
            continue
        press = move_of(world, chat, game, table)
        at = bots if n % 5 == 0 else [bots[n % 2]]
        answers = await asyncio.gather(*(bot.ask(press) for bot in at))
        assert "" in [answer["notice"] for answer in answers]
        made.append(press["data"].rpartition(":")[2])


async def test_presses_in_turns_at_two_processes_are_all_made_once_and_shown(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    chats = ("square", "park", "plaza")
    world = new_world(await new_postgres(), chats=chats, slow=0.03)
    bots = await world.processes({}, {})
    games, made = {}, {}
    for chat, key in zip(chats, ("casino 3", "boathouse 3", "svoi 2"), strict=True):
        game, players = key.split()
        games[chat] = await begun(world, bots[0], chat, *PEOPLE[:2], game=game, players=players)
        made[chat] = list[str]()
    await asyncio.gather(*(play(world, bots, chat, games[chat], made[chat]) for chat in chats))
    tables = await settled(*bots)
    check(world, tables)
    for chat, game in games.items():
        log = tables[game]["log"]
        assert [body["move"] for _, kind, _, person, body in log if kind == "move" and person] == made[chat]
    assert [await bot.stop() for bot in bots] == [0, 0]


async def test_two_processes_that_start_on_thirty_unsent_panels_post_thirty(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    chats, people = [f"c{n:02}" for n in range(PUBLIC_PANELS)], [f"u{n}" for n in range(PUBLIC_PANELS)]
    world = new_world(await new_postgres(), chats=chats, people=people)
    former = await world.process(mute=True)
    await asyncio.gather(
        *(begun(world, former, *at, game="casino", players="2") for at in zip(chats, people, strict=True))
    )
    await former.kill()
    assert not any(world.posted[chat] for chat in chats)
    bots = await world.processes({}, {})
    tables = await settled(*bots)
    check(world, tables)
    assert len(tables) == PUBLIC_PANELS
    assert {chat: len(world.posted[chat]) for chat in chats} == dict.fromkeys(chats, 1)
    looks = [[await bot.look(game) for game in tables] for bot in bots]
    assert all(one["keeps"] != other["keeps"] for one, other in zip(*looks, strict=True))


async def to_computer(world: World, bot: BotProcess, chat: str, game: str) -> None:
    """Moves at a process whose computer players are slow, until the table waits for one of them."""
    while not (table := await bot.look(game))["computers"]:
        await bot.ask(move_of(world, chat, game, table))


async def test_work_that_a_killed_process_owed_is_done_once_by_the_others(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    chats = [f"c{n}" for n in range(6)]
    world = new_world(await new_postgres(), chats=chats)
    *others, killed = await world.processes({}, {}, {"mute": True, "pace": 1000.0})
    # Another process posts the public panels of some tables; the other tables have none.
    games = [
        await opened(world, others[0] if n % 2 else killed, chat, "ana", game="casino", players="2")
        for n, chat in enumerate(chats)
    ]
    await world.until("the panels", lambda: all(world.posted[chat] for chat in chats[1::2]))
    for chat, game in zip(chats, games, strict=True):
        await killed.ask(world.command("ana", chat, "start"))
        await to_computer(world, killed, chat, game)
    await killed.kill()
    assert not any(world.posted[chat] for chat in chats[::2])
    check(world, await settled(*others))
    assert [len(world.posted[chat]) for chat in chats] == [1] * len(chats)


async def tap(world: World, bots: Sequence[BotProcess], chat: str) -> bool:
    """Taps the cards of a meld at two processes at the same time; returns whether the hand had a meld."""
    rules = {"game": "trio_escalera", "players": "2", "rules": "hand_size=12"}
    game = await begun(world, bots[0], chat, *PEOPLE[:2], **rules)
    table = await bots[1].look(game)
    (user,) = table["legal"]
    head = f"{game}:{table['stamp']}"
    await bots[1].ask(world.press(user, chat, f"{head}:pick:lay"))
    words = [
        key["data"].rpartition(":")[2]
        for panel in (await bots[0].dump())[game]["panels"].values()
        for row in panel["page"]["rows"]
        for key in row
        if ":add:" in key["data"]
    ]
    # Cards of different melds would not go together in one draft.
    meld = next(melds("low_or_high").melds_in([Card(word) for word in words]), ())
    for round_ in range(TAPS if meld else 0):
        for action, path in (("add", ["lay", *sorted(meld)]), ("drop", ["lay"])):
            taps = [world.press(user, chat, f"{head}:{action}:{card}") for card in meld]
            await asyncio.gather(*(bots[(n + round_) % 2].ask(one) for n, one in enumerate(taps)))
            panels = (await bots[0].dump())[game]["panels"]
            (draft,) = [panel["draft"][1] for panel in panels.values() if panel["draft"][1]]
            assert [draft[0], *sorted(draft[1:])] == path
    return bool(meld)


async def test_words_of_a_draft_tapped_at_two_processes_add_up(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    chats = [f"c{n}" for n in range(40)]
    world = new_world(await new_postgres(), chats=chats, slow=0.03)
    bots = await world.processes({}, {})
    at = iter(chats)
    # Every second hand has a meld.
    while not await tap(world, bots, next(at)):
        pass
    check(world, await settled(*bots))


def are_given_up(world: World, *games: str) -> bool:
    """Whether the log tells of each of these tables that a process could not resume it."""
    return all(any(f"table {game} cannot be resumed" in line for line in world.logged) for game in games)


async def test_an_older_version_leaves_tables_to_the_newer_one(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    chats = ("square", "park", "plaza", "hill")
    world = new_world(await new_postgres(), chats=chats)
    old, new = await world.processes({"lacks": "cut"}, {"revised": "casino"})
    revised = await begun(world, new, "square", "ana", game="casino", players="2")
    cut = await opened(world, new, "park", "ana", "beto", game="svoi", players="2")
    await new.ask(world.command("beto", "park", "cut", words="deep"))
    for chat, game in (("square", revised), ("park", cut)):
        for command in ("watch", "table", "leave"):
            answer = await old.ask(world.command("ana", chat, command))
            assert answer["notice"].startswith(NEWER)
        answer = await old.ask(world.press("ana", chat, f"{game}:0:start"))
        assert answer["notice"].startswith(NEWER)
    await old.ask(world.command("beto", "park", "watch"))
    await new.ask(world.command("beto", "park", "leave"))
    shared = await begun(world, new, "plaza", "carla", "beto", game="boathouse", players="2")
    await old.ask(move_of(world, "plaza", shared, await old.look(shared)))
    tables = await settled(new)
    check(world, tables)
    await new.kill()
    # A newer process leaves pending work at both tables: a computer's move, a public panel after a join.
    killed = await world.process(revised="casino", mute=True, pace=1000.0)
    await to_computer(world, killed, "square", revised)
    await killed.ask(world.command("carla", "park", "join"))
    await killed.kill()
    await world.until("the older process to give up the work", lambda: are_given_up(world, revised, cut))
    answer = await old.ask(world.command("ana", "square", "watch"))
    assert answer["notice"].startswith(NEWER)
    newest = await world.process(revised="casino")
    assert (await newest.ask(world.command("ana", "park", "start")))["notice"] in (
        "",
        "The cards have been dealt.",
    )
    # A newer process does the work though the older one lives.
    check(world, await settled(newest))
    assert await old.stop() == 0


def closed_by_update(world: World, chat: str) -> bool:
    """Whether a message in a chat tells that an update has ended its table's game."""
    return any(UPDATED.message in line for page in world.shown(chat) for line in page["above"])


async def test_a_table_of_older_rules_is_closed_once_its_process_has_stopped(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    world = new_world(await new_postgres())
    old = await world.process()
    game = await begun(world, old, "square", "ana", "beto", game="casino", players="2")
    new = await world.process(revised="casino")
    # Before its first claim it makes tables of older rules due; the work of a claim ends before the next one.
    claims = new.heard["claim"]
    await world.until("claims of the newer process", lambda: new.heard["claim"] >= claims + 2)
    answer = await old.ask(move_of(world, "square", game, await old.look(game)))
    assert answer["notice"] == ""
    assert await old.stop() == 0
    # Nobody asks for the table, which would close it: the keeper of the newer process must.
    await world.until("the table to be closed", lambda: closed_by_update(world, "square"))
    tables = await settled(new)
    check(world, tables)
    assert tables[game]["log"][-1][4]["reason"] == "updated"


async def test_two_processes_of_which_one_is_killed_go_on_where_they_were(
    new_postgres: NewPostgres, new_world: NewWorld
) -> None:
    rng = luck.rng("kills")
    world = new_world(await new_postgres(), slow=0.01)
    bots, commits = await world.processes({}, {}), 0
    # Random deliveries alone may deal no cards before the last kill.
    await begun(world, bots[0], "square", "ana", game="casino", players="2")
    for round_ in range(KILLS):
        for _ in range(rng.randrange(6, 20)):
            rng.choice(bots).send(world.anything(PEOPLE, CHATS))
            await asyncio.sleep(rng.uniform(0, 0.02))
        tables = await settled(*bots)
        check(world, tables)
        rng.shuffle(bots)
        killed, other = bots
        match round_ % 3:
            case 0:
                killed.kill_at = ("commit", killed.heard["commit"] + rng.randrange(1, 6))
            case 1:
                killed.kill_at = ("answer", killed.heard["answer"] + rng.randrange(1, 4))
            case 2:
                remember(world, tables)
        if killed.kill_at:
            for _ in range(20):
                rng.choice(bots).send(world.anything(PEOPLE, CHATS))
            await asyncio.sleep(rng.uniform(0, 0.5))
        await killed.kill()
        commits += killed.heard["commit"]
        if rng.random() < 0.5:
            check(world, await settled(other))
        bots = [await world.process(), other]
        tables = await settled(*bots)
        check(world, tables)
        print(f"restarted after kill {round_ + 1}: {len(world.logs)} tables, {commits} commits")
        world.drafts.clear()
        await send_again(world, tables, *bots)
    assert world.scanned > 0
    assert [await bot.stop() for bot in bots] == [0, 0]
