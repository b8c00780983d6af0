"""Taking moves back: the log keeps them, the game is as before them, and no older menu means anything."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import cast

import hypothesis
import pytest
from hypothesis import strategies

from bot.i18n import Speech
from bot.model.ids import PUBLIC, PersonId
from bot.model.leaderboards import Leaderboard
from bot.model.panels import Draft
from bot.model.places import HOME
from bot.model.tables import Entry, Player, Refused
from bot.pages.captions import news_lines
from bot.pages.menus.menu import resumed
from bot.pages.results.history_page import history_line
from bot.pages.table_page import private_page, public_page
from bot.replays.export import game_file
from bot.store.memory.store import MemoryStore
from bot.table_service.cache import UNUSED, TableCache
from bot.table_service.computers import ComputerPlayers, Manner
from bot.table_service.service import TableService
from bot.tables import lobby
from bot.tables.log.commitment import ChosenSeed, CommittedSeed, SeedSource
from bot.tables.log.history import Dropped
from bot.tables.log.snapshots import OwnMove
from bot.tables.names.computer_names import computers
from bot.tables.questions import ask_to_take_back as take_back
from bot.tables.questions import vote
from bot.tables.table import Table
from bot.tables.undo import may_take_back, moved_last, taken_back
from engines import games
from engines.game import Text
from engines.levels import Level
from engines.values import replace
from tests import luck
from tests.bot.tables.test_table import play_on, written
from tests.support.clock import VirtualClock
from tests.support.games import every_game
from tests.support.harness import rendered, text
from tests.support.news import news_for
from tests.support.platform import ROOMY
from tests.support.records import Sent
from tests.support.secret_scan import SecretScan
from tests.support.services import service_with
from tests.support.simulation import cards_held
from tests.support.tables import choose

ANA, BETO = "p-ana", "p-beto"


def with_computers(key: str, words: str = "S", seats: int = 0, level: Level = "easy") -> Table:
    """A game of one person against computers, in which the person has the first seat."""
    table = Table.open(key, owner=ANA, seed_source=ChosenSeed(words)).sit(Player("Ana", person=ANA))
    for computer in computers((seats or games()[key].seats[0]) - 1, level):
        table = table.sit(computer)
    return table.start()


def among_people(key: str, words: str = "S", seats: int = 0, seed_source: SeedSource | None = None) -> Table:
    """A game of people only."""
    table = Table.open(key, owner=ANA, seed_source=seed_source or ChosenSeed(words))
    for person in (ANA, BETO, *(f"p-{n}" for n in range(9)))[: seats or games()[key].seats[0]]:
        table = table.sit(Player(person[2:].title(), person=person))
    return table.start()


def moved_by(table: Table, seat: int = 0, most: int = 40) -> Table:
    """The table after the next move of a seat, and those of others before it: at most ``most`` in all."""
    rng = luck.rng(table.stamp)
    for _ in range(most):
        mover = seat if seat in table.active() else table.active()[0]
        table = played(table, mover, rng)
        if mover == seat:
            break
    return table


def played(table: Table, seat: int, rng: random.Random) -> Table:
    return table.play(seat, str(choose(table.game, table.state, seat, "easy", rng)))


def views(table: Table) -> list[object]:
    """What each seat and the public see."""
    return [table.view(seat) for seat in (None, *range(len(table.players)))]


def kinds(table: Table) -> list[str]:
    return [entry.kind for entry in table.entries]


def moves_since(table: Table, n: int) -> Sequence[Entry]:
    """The moves from an entry on that were not taken back."""
    standing: list[Entry] = []
    for entry in table.entries[n:]:
        if entry.kind == "undo":
            standing = [one for one in standing if one.n < cast(int, entry.body["to"])]
        else:
            standing.append(entry)
    return standing


def random_plays(table: Table, rng: random.Random, steps: int) -> Iterator[tuple[Table, Table]]:
    """A table before and after each of many random moves and take-backs."""
    for _ in range(steps):
        if table.result:
            return
        takers = [seat for seat in range(len(table.players)) if may_take_back(table, seat)]
        if takers and rng.random() < 0.3:
            after = taken_back(table, rng.choice(takers))
        elif rng.random() < 0.1 and (must := table.required()):
            after = table.time_out(must[0])
        else:
            after = played(table, rng.choice(table.active()), rng)
        yield table, after
        table = after


@hypothesis.given(
    strategies.sampled_from(list(games())), strategies.integers(0, 2**32), strategies.booleans()
)
@hypothesis.settings(max_examples=40, deadline=None)
def test_laws_of_take_backs_hold_in_every_game(key: str, number: int, alone: bool) -> None:
    rng = random.Random(number)
    seats = rng.choice(list(games()[key].seats))
    table = (with_computers if alone else among_people)(key, str(number), seats)
    past = {len(table.entries): table}
    for before, after in random_plays(table, rng, 30):
        past[len(after.entries)] = after
        if after.entries[-1].kind != "undo":
            continue
        to = after.entries[-1].body["to"]
        assert isinstance(to, int)
        then = past[to]
        # The game is as it was, and no card is lost.
        assert (after.state, views(after), after.awaited(None)) == (
            then.state,
            views(then),
            then.awaited(None),
        )
        assert after.turn_lengths == then.turn_lengths
        assert cards_held(after) == cards_held(then)
        # All menus from before it are outdated.
        assert all(after.acted_since(seat, before.stamp) for seat in range(seats))
        # The log replays to the same table.
        assert Table.replay(written(after.entries), after.seed_source) == after
        # The same moves lead to the same state, and the same views.
        again = after
        for entry in moves_since(before, to):
            assert entry.seat is not None
            again = again.add(entry.kind, entry.seat, person=entry.person, **entry.body)
        assert (again.state, views(again), again.turn_lengths) == (
            before.state,
            views(before),
            before.turn_lengths,
        )


@every_game
def test_a_table_at_rest_follows_a_take_back_or_misses_its_log(key: str) -> None:
    rng, outcomes = luck.rng(), set[str]()
    for number in range(100):
        table = among_people(key, str(number))
        rested = table.at_rest()
        for _, after in random_plays(table, rng, 25):
            tail = after.entries[len(rested.entries) :]
            is_undo = tail[-1].kind == "undo"
            try:
                for entry in tail:
                    rested = rested.after(entry)
            except Dropped:
                assert is_undo
                assert not rested.is_whole
                rested = after.at_rest()
                outcomes.add("missed")
            else:
                assert rested == after
                assert [piece.event for piece in rested.news[rested.news.first :]] == [
                    piece.event for piece in after.news[rested.news.first :]
                ]
                outcomes |= {"followed"} if is_undo else set()
                rested = after.at_rest() if rng.random() < 0.2 else rested
        if len(outcomes) == 2:
            return
    raise AssertionError(f"all take-backs are {outcomes}")


@every_game
def test_replies_are_taken_back_too(key: str) -> None:
    table, replies = with_computers(key), 0
    # In some games several moves of the player come before the first reply.
    while not replies:
        table = moved_by(table)
        while 0 not in table.active():
            table, replies = played(table, table.active()[0], luck.rng()), replies + 1
    before = Table.replay(table.entries[: table.own_moves[0].n], table.seed_source)
    after = take_back(table, ANA)
    assert after.state == before.state
    assert 0 in after.active()


@every_game
def test_a_second_take_back_goes_further_back(key: str) -> None:
    table = moved_by(moved_by(with_computers(key)))
    first = Table.replay(table.entries[: table.own_moves[0].n], table.seed_source)
    after = take_back(take_back(table, ANA), ANA)
    assert after.state == Table.replay(table.entries[: first.own_moves[0].n], table.seed_source).state
    with pytest.raises(Refused, match="no move to take back"):
        take_back(after, ANA)


def test_the_other_players_moves_are_still_taken_back_without_the_log() -> None:
    table = moved_by(moved_by(among_people("cardlebones"), 0), 1)
    after = taken_back(table, 1)
    assert after.snapshots.keys() == {after.own_moves[0].n}
    rested = replace(after, entries=after.entries.last(1))
    assert taken_back(rested, 0).state == taken_back(after, 0).state


def test_a_take_back_that_would_repeat_dropped_news_needs_the_whole_log() -> None:
    table = moved_by(with_computers("cardlebones"))
    with pytest.raises(Dropped):
        taken_back(replace(table, news=table.news.last(1)), 0)


def test_a_take_back_is_an_entry_and_the_log_keeps_what_was_taken_back() -> None:
    table = moved_by(with_computers("cardlebones"))
    n = table.own_moves[0].n
    after = take_back(table, ANA)
    assert after.entries[:-1] == table.entries
    last = after.entries[-1]
    assert (last.kind, last.seat, last.person, last.body) == ("undo", 0, ANA, {"to": n, "seen": True})


def test_the_stamp_counts_a_take_back() -> None:
    table = moved_by(with_computers("cardlebones"))
    after = take_back(table, ANA)
    assert after.stamp == table.stamp + 1
    assert after.moved_at == {0: after.stamp, 1: after.stamp}


def test_a_button_of_a_move_that_was_taken_back_was_not_carried_out() -> None:
    table = moved_by(with_computers("cardlebones"))
    assert table.move_at(table.stamp - 1) == table.entries[-1]
    after = take_back(table, ANA)
    assert after.move_at(table.stamp - 1) is None
    assert after.move_at(table.stamp) is None
    again = moved_by(after)
    assert again.move_at(after.stamp) == again.entries[-1]


def test_a_draft_from_before_a_take_back_is_void() -> None:
    table = moved_by(with_computers("casino"))
    while 0 not in table.active():
        table = played(table, table.active()[0], luck.rng())
    words = str(next(iter(table.game.moves(table.state, 0)))).split()
    draft = Draft(table.stamp, tuple(words), asked=True)
    assert resumed(table, 0, draft) == draft
    after = take_back(table, ANA)
    assert resumed(after, 0, draft) == Draft(after.stamp)


def test_news_of_what_was_taken_back_stay_and_the_take_back_repeats_the_move() -> None:
    table = moved_by(with_computers("cardlebones"))
    say = Speech("en", ("Ana", "Lola"))
    told = [line.text for line in news_lines(table, 0, None, say)]
    after = take_back(table, ANA)
    assert [line.text for line in news_lines(after, 0, None, say)] == [
        *told,
        f"Ana took this back: {told[-2]}",
        "Ana had already seen new cards.",
    ]
    assert len(after.announcements) == len(table.announcements)


def test_who_took_back_has_news_from_then_on_and_others_from_their_own_move() -> None:
    table = moved_by(moved_by(among_people("cardlebones"), 0), 1)
    after = taken_back(table, 0)
    mine = after.news[after.news_since_move(0) :]
    assert {piece.n for piece in mine} == {after.entries[-1].n}
    assert after.news_since_move(1) == table.news_since_move(1)


def test_the_log_says_that_the_player_had_drawn_and_seen_a_card() -> None:
    table = with_computers("boathouse")
    while "draw" not in str(next(iter(table.game.moves(table.state, 0)), "")):
        table = played(table, table.active()[0], luck.rng())
    table = table.play(0, str(next(move for move in table.game.moves(table.state, 0) if move.verb == "draw")))
    after = take_back(table, ANA)
    say = Speech("en", ("Ana", "Lola", "Tito"))
    assert after.entries[-1].body.get("seen") is True
    assert say(after.news[-1].event.text) == "Ana had already seen new cards."
    # A card that was thrown away is known to its player.
    moves = list(table.game.moves(table.state, 0))
    discarded = table.play(0, str(next(move for move in moves if move.verb == "discard")))
    assert "seen" not in take_back(discarded, ANA).entries[-1].body


def test_a_card_that_came_to_the_table_since_has_been_seen_too() -> None:
    # The next player draws at once, for all to see.
    table = moved_by(with_computers("cardlebones"), 0)
    assert take_back(table, ANA).entries[-1].body.get("seen") is True


def test_a_computers_move_is_never_taken_back_as_an_own_one() -> None:
    table = with_computers("cardlebones")
    while 0 in table.active():
        table = table.time_out(0)
    table = played(table, 1, luck.rng())
    assert table.own_moves == {}
    with pytest.raises(Refused, match="no move to take back"):
        take_back(table, ANA)


def test_a_move_by_the_clock_is_taken_back_with_the_own_move_before_it() -> None:
    table = moved_by(among_people("cardlebones"), 0)
    n = table.own_moves[0].n
    table = moved_by(table, 1)
    table = table.time_out(table.active()[0])
    assert taken_back(table, 0).entries[-1].body["to"] == n


def test_a_computer_that_held_the_seat_has_not_moved_for_its_player() -> None:
    table = moved_by(with_computers("cardlebones"), 0)
    own = table.own_moves
    table = lobby.leave(table, ANA)
    table = moved_by(moved_by(table, 1), 0)
    assert table.own_moves == own
    table = lobby.come_back(table, ANA)
    assert take_back(table, ANA).entries[-1].body["to"] == own[0].n


def test_a_person_who_has_sat_in_takes_no_move_of_their_predecessor_back() -> None:
    table = lobby.leave(moved_by(among_people("casino", seats=3), 0), ANA)
    table = table.add("take", 0, person="p-rita", name="Rita")
    assert not may_take_back(table, 0)
    with pytest.raises(Refused, match="no move to take back"):
        take_back(table, "p-rita")


def test_among_people_all_others_are_asked() -> None:
    table = moved_by(among_people("casino", seats=3), 0)
    asked = take_back(table, ANA)
    assert asked.question is not None
    assert (asked.question.kind, asked.state, asked.stamp) == ("undo", table.state, table.stamp)
    agreed = vote(asked, BETO, asked.question.n, True)
    assert (agreed.question, agreed.state) == (replace(asked.question, votes={BETO: True}), table.state)
    after = vote(agreed, "p-0", asked.question.n, True)
    assert after.question is None
    assert (after.entries[-1].kind, after.entries[-1].person, after.entries[-1].seat) == ("undo", ANA, 0)
    assert after.state == Table.replay(table.entries[: table.own_moves[0].n], table.seed_source).state
    assert Table.replay(written(after.entries), after.seed_source) == after
    # A request that was granted is not held against its sender.
    assert take_back(moved_by(after, 0), ANA).question


def test_one_no_refuses_a_take_back_and_a_move_closes_the_question() -> None:
    table = moved_by(among_people("casino", seats=3), 0)
    asked = take_back(table, ANA)
    assert asked.question is not None
    refused = vote(asked, BETO, asked.question.n, False)
    assert (refused.question, refused.state, refused.taken_back) == (None, table.state, False)
    assert public_news(refused)[-1] == "Beto says no."
    moved = moved_by(asked, 1)
    assert moved.question is None
    assert "Play has gone on, so no move is taken back." in public_news(moved)
    with pytest.raises(Refused, match="closed"):
        vote(moved, BETO, asked.question.n, True)


def public_news(table: Table) -> list[str]:
    """The news that everybody at the table knows, in English."""
    say = Speech("en", tuple(player.name for player in table.players))
    return [say(event.text) for event in news_for(table, None)]


def test_where_computers_hold_the_seats_of_all_others_nobody_is_asked() -> None:
    table = lobby.leave(moved_by(among_people("cardlebones"), 0), BETO)
    after = take_back(table, ANA)
    assert (kinds(after)[-2:], after.question) == (["ask", "undo"], None)


def test_who_has_left_or_has_no_seat_takes_nothing_back() -> None:
    table = moved_by(with_computers("cardlebones"))
    with pytest.raises(Refused, match="no seat"):
        take_back(table, BETO)
    with pytest.raises(Refused, match="Take your seat back first"):
        take_back(lobby.leave(table, ANA), ANA)


def test_a_game_that_is_over_is_not_taken_back() -> None:
    table = play_on(with_computers("cardlebones"))
    assert not may_take_back(table, 0)
    with pytest.raises(Refused, match="The game is over"):
        take_back(table, ANA)


def test_only_who_moved_last_is_offered_to_take_back() -> None:
    table = moved_by(among_people("cardlebones"), 0)
    assert [moved_last(table, seat) for seat in (0, 1)] == [True, False]
    table = moved_by(table, 1)
    assert [moved_last(table, seat) for seat in (0, 1)] == [False, True]
    assert [may_take_back(table, seat) for seat in (0, 1)] == [True, True]


def exchange() -> Table:
    """A game of Casino for three people whose first decision is secret: the exchange."""
    for n in range(100):
        table = Table.open("casino", {"exchange": "ask"}, seed_source=ChosenSeed(str(n)))
        for person in (ANA, BETO, "p-carla"):
            table = table.sit(Player(person[2:].title(), person=person))
        table = table.start()
        if table.awaited(None).secret:
            return table
    raise AssertionError("no deal with an exchange")


def test_a_secret_choice_is_not_taken_back() -> None:
    table = exchange()
    [holder] = table.active()
    table = table.play(holder, str(next(iter(table.game.moves(table.state, holder)))))
    assert table.entries[-1].body.get("secret") is True
    assert not may_take_back(table, holder)
    with pytest.raises(Refused, match="secret choice"):
        taken_back(table, holder)
    after = moved_by(table, table.active()[0])
    assert "secret" not in after.entries[-1].body


def test_a_game_with_moves_taken_back_counts_for_no_list_of_wins() -> None:
    table = play_on(take_back(moved_by(with_computers("cardlebones")), ANA))
    assert table.result is not None
    assert [seated.score for seated in table.listing.seats] == list(table.result.scores)
    assert table.listing.uncounted == "taken_back"
    line = history_line(table.listing, frozenset(), Speech("en"))
    assert line.endswith("Moves were taken back, so it doesn't count.")
    assert any(step.undo is not None for step in game_file(table).steps)
    fair = play_on(with_computers("cardlebones"))
    assert any(seated.won for seated in fair.listing.seats)
    assert fair.listing.uncounted is None
    assert "count" not in history_line(fair.listing, frozenset(), Speech("en"))
    assert all(step.undo is None for step in game_file(fair).steps)


def test_the_tally_of_the_rematches_does_not_count_a_game_with_a_take_back() -> None:
    fair = play_on(with_computers("cardlebones"))
    assert fair.result is not None
    won = replace(fair, result=fair.result._replace(winners=(0,)))
    assert (lobby.tally_of(won), lobby.tally_of(replace(won, taken_back=True))) == ({ANA: 1}, {ANA: 0})


@pytest.mark.parametrize("alone", [False, True])
async def test_the_leaderboard_does_not_count_a_game_with_a_take_back(alone: bool) -> None:
    source = CommittedSeed(b"S".ljust(32))
    people = among_people("cardlebones", seed_source=source)
    table = with_computers("cardlebones", level="normal") if alone else people

    async def on_the_leaderboard(*changes: Callable[[Table], Table]) -> list[PersonId]:
        """The people on the leaderboard after a game with these changes."""
        service = await service_with(table)
        for change in changes:
            await service.change(table.id, change)
        over = await service.change(table.id, play_on)
        assert over.status == "over"
        page = await service._store.leaderboard(Leaderboard(alone=alone, order="games"), "", 0, 9)
        return [line.person for line in page.lines]

    assert await on_the_leaderboard(moved_by) == ([ANA] if alone else [ANA, BETO])
    assert await on_the_leaderboard(moved_by, partial(taken_back, seat=0)) == []


@pytest.mark.parametrize("moves", [1, 2])
async def test_a_table_that_has_dropped_the_snapshot_is_read_whole(moves: int) -> None:
    """The cache keeps no table in use, so that each press finds the table at rest."""
    table = with_computers("casino")
    clock = VirtualClock()
    cache = TableCache(clock, in_use=0)
    service = TableService((await service_with(table, clock))._store, clock, cache=cache)
    for _ in range(4):
        table = await service.change(table.id, moved_by)
    wanted = await service.whole(table.id)
    for _ in range(moves):
        wanted = take_back(wanted, ANA)
        after = await service.change(table.id, partial(take_back, person=ANA))
    assert after.state == wanted.state
    assert (await TableService(service._store, clock).table(table.id)).state == wanted.state


async def test_a_log_that_was_read_whole_counts_in_the_memory_of_tables() -> None:
    clock = VirtualClock()
    cache = TableCache(clock, in_use=52_000)
    service = TableService(MemoryStore(), clock, cache=cache)
    short = await service.open(HOME, lambda number: replace(with_computers("cardlebones"), number=number))
    long = await service.open(HOME, lambda number: replace(with_computers("casino"), number=number))
    for _ in range(12):
        long = await service.change(long.id, moved_by)
    clock.time += UNUSED
    service.rest_unused()
    await service.change(long.id, partial(take_back, person=ANA))
    assert not any(slot.example for game, slot in cache.items() if game == long.id)
    await service.table(short.id)
    assert any(slot.example for game, slot in cache.items() if game == long.id)


async def test_another_process_follows_a_take_back_that_it_reads_as_a_tail() -> None:
    table = moved_by(moved_by(with_computers("casino")))
    one = await service_with(table)
    for most in (0, 10**6):
        clock = VirtualClock()
        other = TableService(one._store, clock, cache=TableCache(clock, in_use=most))
        known = await other.table(table.id)
        heard: list[tuple[Table, Table | None]] = []
        other.listen(lambda after, before, heard=heard: heard.append((after, before)))  # type: ignore[misc]
        after = await one.change(table.id, partial(take_back, person=ANA))
        caught_up = await other.catch_up(table.id)
        assert caught_up == after
        assert heard == [(after, known)]
        await one.change(table.id, moved_by)


async def test_a_move_loses_against_a_take_back_of_another_process() -> None:
    """The move was chosen for the state before: the process reads the take-back and judges the move anew."""
    table = moved_by(with_computers("cardlebones"))
    while 0 not in table.active():
        table = played(table, table.active()[0], luck.rng())
    one = await service_with(table)
    other = TableService(one._store, VirtualClock())
    stamp = (await other.table(table.id)).stamp
    await one.change(table.id, partial(take_back, person=ANA))

    def pressed(table: Table) -> Table:
        if table.acted_since(0, stamp):
            raise Refused(Text("That menu was out of date."))
        return moved_by(table)

    with pytest.raises(Refused, match="out of date"):
        await other.change(table.id, pressed)
    assert kinds(await other.table(table.id))[-1] == "undo"


async def test_a_computer_that_was_thinking_does_not_play_into_the_old_state(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = VirtualClock(stopped=True)
    table = with_computers("cardlebones")
    while 0 not in table.active():
        table = played(table, table.active()[0], luck.rng())
    service = await service_with(table, clock)
    players = ComputerPlayers(service, Manner(luck.rng(), 1.0))
    thinking = await service.change(table.id, moved_by)
    assert 1 in thinking.awaited_computers()
    after = await service.change(table.id, partial(take_back, person=ANA))
    assert after.awaited_computers() == ()
    await clock.advance(10)
    assert kinds(await service.table(table.id))[-2:] == ["move", "undo"]
    # If it had tried to, the game would have refused, and that would be logged.
    assert caplog.messages == []
    await service.change(table.id, moved_by)
    await clock.advance(10)
    assert kinds(await service.table(table.id))[-4:-1] == ["move", "undo", "move"]
    assert (await service.table(table.id)).entries[-1].seat == 1
    await players.close()


def clocked(seconds: int = 60) -> Table:
    """A game of two people with a clock, which was dealt at 100."""
    table = Table.open("cardlebones", owner=ANA, seed_source=ChosenSeed("S"), clock=seconds).at(100.0)
    for person in (ANA, BETO):
        table = table.sit(Player(person[2:].title(), person=person))
    return lobby.start(table, ANA)


def test_clocks_begin_anew_after_a_take_back() -> None:
    table = clocked()
    [first] = table.active()
    table = moved_by(table.at(130.0), first)
    assert table.turn_began == {1 - first: 130.0}
    after = taken_back(table.at(150.0), first)
    assert after.turn_began == {first: 150.0}
    assert (list(table.first_turns), list(after.first_turns)) == ([first], [])
    # It is the first turn of the seat again, which is double.
    assert after.deadlines == {first: 150.0 + 2 * 60}
    later = moved_by(moved_by(after.at(160.0), first).at(170.0), 1 - first)
    assert later.deadlines == {first: 170.0 + 60}
    assert Table.replay(written(after.entries), after.seed_source).deadlines == after.deadlines


def test_a_deadline_at_rest_is_as_it_was_after_a_take_back() -> None:
    table = clocked()
    after = taken_back(moved_by(table, table.active()[0]).at(150.0), table.active()[0])
    assert after.at_rest().deadlines == after.deadlines
    assert after.due == after.at_rest().due


def check_pages(table: Table) -> int:
    """Asserts that no page shows a card that its reader's view does not hold, apart from news.

    Returns how many pages named a card.
    """
    scan = SecretScan(lambda platform, person: person)
    scan.on_commit(table, None)
    say = Speech("en", tuple(player.name for player in table.players))
    for reader in (PUBLIC, *(player.person for player in table.players if player.person)):
        if reader == PUBLIC:
            page = rendered(public_page(table, say, ROOMY))
        else:
            page = rendered(private_page(table, reader, say, ROOMY, Draft()))
        place = table.place if reader == PUBLIC else None
        shown = "\n".join((text(page), *(button.label for row in page.rows for button in row)))
        scan.read("wall", Sent(0.0, "edit", place, reader, shown, shown))
    scan.faults.none()
    return scan.read_with_cards


@hypothesis.given(
    strategies.sampled_from(list(games())), strategies.integers(0, 2**32), strategies.booleans()
)
@hypothesis.settings(max_examples=20, deadline=None)
def test_no_page_shows_a_card_that_was_taken_back(key: str, number: int, alone: bool) -> None:
    """A page after a take-back is compared with the state after it alone."""
    seats = random.Random(number).choice(list(games()[key].seats))
    table = (with_computers if alone else among_people)(key, str(number), seats)
    for _, after in random_plays(table, random.Random(number), 20):
        if after.entries[-1].kind == "undo":
            assert check_pages(after) or not cards_held(after)


def test_a_secret_choice_takes_no_ones_key_away() -> None:
    """Else the key's absence would tell another player that the holder has decided."""
    table = exchange()
    [holder] = table.active()
    other = (holder + 1) % 3
    earlier = OwnMove(2, table.players[other].person, secret=False)
    table = replace(table, own_moves={other: earlier})
    assert moved_last(table, other)
    table = table.play(holder, str(next(iter(table.game.moves(table.state, holder)))))
    assert (moved_last(table, other), moved_last(table, holder)) == (True, False)
