"""Clocks in virtual time: deadlines, time-outs, players who are away, outages, quiet hours, idle tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model.ids import PersonId
from bot.model.leases import Outage
from bot.model.places import Place
from bot.model.tables import Player, Refused
from bot.storage import StoreError
from bot.store.memory.store import MemoryStore
from bot.table_service.computers import ComputerPlayers, Manner
from bot.table_service.keeper import CLAIM_EVERY, Keeper
from bot.table_service.leases import Leases
from bot.table_service.service import TableService
from bot.tables import clocks, lobby
from bot.tables.awaiting_table import FROZEN_FOR
from bot.tables.log.commitment import ChosenSeed
from bot.tables.log.history import History
from bot.tables.table import Table
from bot.tables.turn_clock import CORRESPONDENCE_GRACE, DAY, GRACE, OLDEST_LOBBY, alert_times, is_allowed
from engines import games
from engines.game import Awaited, Game
from tests import luck
from tests.support.clock import VirtualClock
from tests.support.games import every_game
from tests.support.games.throw_in.rules import State, View
from tests.support.platform import FakePlatform

NOW = 1_000_000.0
NAMES = ("Ana", "Beto", "Carla", "Dora")


def lobby_of(key: str, people: int, robots: int = 0, *, words: str = "S", **given: Any) -> Table:
    """A lobby with people, whose ids are their names in small letters, and computers after them."""
    table = Table.open(key, owner="ana", seed_source=ChosenSeed(words), **given).dated(0, NOW).at(NOW)
    for name in NAMES[:people]:
        table = table.sit(Player(name, person=name.casefold()))
    for n in range(robots):
        table = table.sit(Player(f"Lola {n}", "easy"))
    return table


def dealt(key: str = "cardlebones", people: int = 2, robots: int = 0, **given: Any) -> Table:
    """A game that has just been dealt."""
    return lobby_of(key, people, robots, **given).start()


def secret(people: int = 3, **given: Any) -> Table:
    """Casino at the secret exchange, whose first seat alone has a decision."""
    tables = (dealt("casino", people, words=str(n), **given) for n in range(80))
    return next(table for table in tables if table.awaited(None).secret and table.required() == (0,))


def attended(table: Table, at: float, **given: Any) -> Table:
    """The table after what is due at a time."""
    return clocks.attend(table.at(at), **given)


def kinds(table: Table, before: Table) -> list[str]:
    return [entry.kind for entry in table.entries[len(before.entries) :]]


def first_move(table: Table) -> Table:
    """The table after the first legal move of a required seat."""
    seat = table.required()[0]
    return table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))


def whole_turn(table: Table) -> Table:
    """The table after the turn that is being played, by moves of its player."""
    turns, played = table.game.turns(table.state), table
    while played.is_playing and played.game.turns(played.state) == turns:
        played = first_move(played)
    return played


def replayed(table: Table) -> Table:
    """The table folded anew from its log."""
    return Table.replay(table.entries, table.seed_source).at(table.now)


@every_game
def test_several_people_have_the_clock_of_their_game(key: str) -> None:
    usual = {"boathouse": 90, "trio_escalera": 90}.get(key, 60)
    assert (dealt(key).turn_seconds, games()[key].turn_seconds) == (usual, usual)


def test_who_plays_computers_alone_has_no_clock_but_one_they_have_chosen() -> None:
    assert [dealt(people=1, robots=1, clock=clock).turn_seconds for clock in (None, 0, 30)] == [0, 0, 30]
    assert dealt(clock=0).deadlines == {}


@pytest.mark.parametrize(
    ("seconds", "allowed"),
    [
        *((0, True), (14, False), (15, True), (300, True), (301, False), (DAY - 1, False), (DAY, True)),
        *((DAY + 1, False), (7 * DAY, True), (8 * DAY, False), (-60, False)),
    ],
)
def test_a_clock_has_15_to_300_seconds_or_1_to_7_days(seconds: int, allowed: bool) -> None:
    assert is_allowed(seconds) is allowed


def test_the_first_turn_of_each_seat_is_double() -> None:
    table, lengths = dealt(clock=60), []
    for _ in range(4):
        (seat,) = table.required()
        lengths.append(table.deadlines[seat] - table.now)
        table = whole_turn(table)
    assert lengths == [120, 120, 60, 60]


def test_a_turn_of_days_is_never_double() -> None:
    table = dealt(clock=7 * DAY)
    assert list(table.deadlines.values()) == [NOW + 7 * DAY]
    assert table.idle_end > NOW + 7 * DAY


def test_no_action_inside_a_turn_winds_the_clock_up() -> None:
    table = dealt("boathouse", clock=60)
    (seat,) = table.required()
    after = first_move(table.at(NOW + 1))
    while after.game.turns(after.state) == table.game.turns(table.state):
        assert (after.required(), after.deadlines) == ((seat,), {seat: NOW + 120})
        after = first_move(after.at(after.now + 1))
    assert after.stamp > 1
    assert after.deadlines == {1 - seat: after.now + 120}


def test_who_leaves_and_comes_back_does_not_wind_their_clock_up() -> None:
    table = dealt("cardlebones", 2, clock=60)
    ((seat, deadline),) = table.deadlines.items()
    person = str(table.players[seat].person)
    for seconds in (30.0, 100.0):
        table = lobby.come_back(lobby.leave(table.at(NOW + seconds), person), person)
        assert table.deadlines == {seat: deadline}
    assert attended(table, deadline).away == {seat: deadline}


@pytest.mark.timeout(20)
def test_no_clock_runs_for_a_seat_that_need_not_move_by_its_own_view(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dealt("cardlebones", 2, clock=60)
    (seat,) = table.deadlines
    awaited, own = type(table.game).awaited, table.view(seat)
    public = awaited(table.game, table.view(None))

    def awaited_by(game: Game[Any, Any], view: Any) -> Awaited:
        return Awaited((), public.must) if view == own else awaited(game, view)

    monkeypatch.setattr(type(table.game), "awaited", awaited_by)
    table = table.without_answers()
    assert (table.awaited(None).must, table.deadlines) == ((seat,), {})
    assert kinds(attended(table, NOW + 120), table) == []


def test_another_person_who_sits_in_has_the_whole_clock() -> None:
    table = dealt("cardlebones", 2, clock=60)
    (seat,) = table.deadlines
    left = lobby.leave(table.at(NOW + 100.0), str(table.players[seat].person))
    taken = left.add("take", seat, person="carla", name="Carla")
    assert taken.deadlines == {seat: NOW + 100.0 + 120.0}


def test_a_turn_begins_for_all_who_must_when_turns_changes(throw_in: Game[State, View]) -> None:
    table = dealt("throw_in", 4, clock=60)
    for second in range(1, 60):
        before, table = table, first_move(table.at(NOW + second))
        if not table.is_playing:
            break
        same = table.game.turns(table.state) == table.game.turns(before.state)
        for seat, began in table.turn_began.items():
            assert began == (before.turn_began[seat] if same and seat in before.turn_began else table.now)
    assert table.stamp > 10


def test_a_clock_that_has_run_out_plays_the_games_move_and_its_player_is_away() -> None:
    table = dealt(clock=60)
    (seat,) = table.required()
    assert attended(table, NOW + 119.9) == table
    after = attended(table, NOW + 120)
    assert set(kinds(after, table)) == {"timeout"}
    assert (after.away, after.required()) == ({seat: NOW + 120}, (1 - seat,))
    assert "ran out of time" in after.news[-len(after.news) + len(table.news) :][0].event.text.message


def test_a_sign_of_a_player_who_was_away_at_the_end_is_no_entry() -> None:
    table = dealt(clock=60)
    late = attended(table, max(table.deadlines.values()))
    (away,) = late.away
    over = late.add("end", reason="stopped")
    assert clocks.show_presence(late, str(late.players[away].person)) is not late
    assert clocks.show_presence(over, str(over.players[away].person)) is over


def test_a_move_by_the_player_or_any_sign_of_them_ends_their_absence() -> None:
    table = dealt(clock=60)
    (seat,) = table.required()
    table = attended(table, NOW + 120)
    person = table.players[seat].person
    assert person is not None
    back = clocks.show_presence(table.at(NOW + 130), person)
    assert (back.away, back.deadlines) == ({}, table.deadlines)
    assert clocks.show_presence(back, person) is back
    moved = whole_turn(whole_turn(table.at(NOW + 130)))
    assert moved.away == {}


@pytest.mark.parametrize(("clock", "grace"), [(60, GRACE), (DAY, CORRESPONDENCE_GRACE)])
def test_a_computer_takes_the_seat_when_the_grace_is_over(clock: int, grace: float) -> None:
    table = dealt("casino", 3, clock=clock, options={"exchange": "off"})
    (seat,) = table.required()
    away = attended(table, NOW + (DAY if clock == DAY else 120))
    since = away.away[seat]
    while away.required() != (seat,) and away.now < since + grace:
        away = whole_turn(away)
    others = {who: since + 1.0 for who in away.away if who != seat}
    assert others == {}
    before = attended(away, since + grace - 1)
    assert not before.players[seat].is_held
    after = attended(before, since + grace)
    assert after.players[seat].is_held
    assert after.owner not in (None, after.players[seat].person)


def test_a_player_who_is_there_inherits_the_table_before_one_who_is_away() -> None:
    table = dealt("casino", 3, clock=60, options={"exchange": "off"})
    while 1 not in table.away:
        (seat,) = table.required()
        table = table.time_out(seat, late=seat == 1)
    after = lobby.leave(table, "ana")
    assert (table.owner, after.owner) == ("ana", "carla")
    assert lobby.leave(after, "carla").owner == "beto"


def test_where_to_vanish_is_to_forfeit_who_vanishes_loses() -> None:
    table = dealt("casino", 3, clock=60, vanish="forfeit", options={"exchange": "off"})
    (seat,) = table.required()
    away = attended(table, NOW + 120)
    while seat not in away.required():
        away = whole_turn(away)
    after = attended(away, NOW + 120 + GRACE)
    assert (kinds(after, away)[-1], after.status) == ("forfeit", "over")
    others = tuple(other for other in range(3) if other != seat)
    assert after.result is not None
    assert after.result.winners == others
    assert [(seated.won, seated.score) for seated in after.listing.seats] == [
        (n != seat, 0) for n in range(3)
    ]


def test_where_to_vanish_is_to_forfeit_who_leaves_loses_at_once() -> None:
    after = lobby.leave(dealt(clock=60, vanish="forfeit"), "ana")
    assert (after.status, [seated.won for seated in after.listing.seats]) == ("over", [False, True])


def run(table: Table, answers: Callable[[Table], Table] = lambda table: table, most: int = 4000) -> Table:
    """Attends to a table when it is due, at most ``most`` times, until it is over or frozen; returns it."""
    for _ in range(most):
        if table.status == "over" or table.is_frozen:
            break
        due = table.due
        assert due is not None
        table = answers(clocks.attend(table.at(max(due, table.now))))
        later = table.next_due(table.now + 5.0)
        if later is not None and table.due is not None and table.due <= table.now:
            table = clocks.attend(table.at(later))
    return table


@every_game
@pytest.mark.parametrize("clock", [15, 300, 7 * DAY])
def test_a_game_that_all_have_left_stands_still_and_is_closed_later(key: str, clock: int) -> None:
    table = run(dealt(key, clock=clock))
    assert table.is_frozen
    assert (table.deadlines, table.alert_times, table.grace_ends) == ({}, {}, {})
    assert table.awaited_computers() == ()
    assert attended(table, table.idle_end - 1) == table
    assert attended(table, table.idle_end).ended == "forgotten"


@every_game
def test_time_outs_end_each_game_if_nobody_plays_but_shows_that_they_are_there(key: str) -> None:
    table = dealt(key, clock=15)
    for _ in range(6000):
        if table.status == "over":
            break
        table = clocks.attend(table.at(min(table.deadlines.values())))
        for person in ("ana", "beto"):
            table = clocks.show_presence(table, person)
    assert table.result is not None
    assert not table.ended


@pytest.mark.parametrize("returns", [clocks.show_presence, lobby.come_back])
def test_the_first_who_comes_back_sets_a_frozen_game_going(
    returns: Callable[[Table, PersonId], Table],
) -> None:
    table = dealt("casino", 3, clock=60, options={"exchange": "off"})
    for person in ("beto", "carla"):
        table = lobby.leave(table, person)
    if returns is lobby.come_back:
        table = lobby.leave(table, "ana")
    else:
        while not table.is_frozen and table.required() != (0,):
            table = table.time_out(table.required()[0])
        table = attended(table, NOW + 200)
    assert table.is_frozen
    assert table.due == table.idle_end
    after = returns(table.at(NOW + 1000), "ana")
    assert not after.is_frozen
    assert after.due is not None
    assert set(after.turn_began.values()) <= {NOW + 1000}
    assert after.turn_began or after.awaited_computers()


def test_those_who_are_still_away_have_their_grace_anew_after_a_frozen_time() -> None:
    table = run(dealt("cardlebones", clock=60)).at(NOW + 5000)
    assert set(table.away) == {0, 1}
    after = clocks.show_presence(table, "ana")
    assert after.away == {1: NOW + 5000}
    assert not clocks.attend(after).players[1].is_held


def test_where_it_is_secret_who_must_move_nobody_is_marked() -> None:
    table = secret(clock=60)
    assert table.public_deadlines == dict.fromkeys(range(3), NOW + 120)
    assert table.deadlines == {0: NOW + 120}
    assert table.alert_times == {}
    after = attended(table, NOW + 120)
    assert after.away == {}
    assert "late" not in after.entries[-1].body
    assert after.state.phase == "play"


@pytest.mark.parametrize("seed", range(4))
def test_public_deadlines_tell_nothing_of_a_secret(seed: int) -> None:
    table, rng = secret(clock=60), luck.rng(seed)
    for moved in (table, table.add("hold", 1, level="easy"), table.add("credit", seconds=30.0)):
        imagined = moved.game.imagine(moved.view(None), rng)
        other = replayed(moved)
        object.__setattr__(other, "state", imagined)
        other._answers.views.clear()
        other._answers.awaited.clear()
        assert other.public_deadlines == moved.public_deadlines
        assert (other.deadline(None), other.alert_times) == (moved.deadline(None), moved.alert_times)
        for seat in range(3):
            same = moved.game.imagine(moved.view(seat), rng)
            object.__setattr__(other, "state", same)
            other._answers.views.clear()
            other._answers.awaited.clear()
            assert other.deadline(seat) == moved.deadline(seat)


def test_after_the_secret_phase_all_have_a_first_turn() -> None:
    table = secret(clock=60)
    table = table.play(0, str(next(iter(table.game.moves(table.state, 0)))))
    lengths = []
    for _ in range(3):
        lengths += [at - table.now for at in table.deadlines.values()]
        table = whole_turn(table)
    assert lengths == [120, 120, 120]


def test_an_outage_is_credited_once_and_only_as_far_as_the_turn_lasted() -> None:
    table = dealt(clock=60)
    (seat,) = table.required()
    outage = Outage(NOW - 1000, NOW + 500)
    after = attended(table, NOW + 501, outages=[outage])
    assert [entry.body for entry in after.entries[len(table.entries) :]] == [{"seconds": 500.0}]
    assert after.deadlines == {seat: NOW + 620}
    assert attended(after, NOW + 619, outages=[outage]) == after
    assert set(kinds(attended(after, NOW + 620, outages=[outage]), after)) == {"timeout"}


def test_the_end_of_a_grace_is_due_and_an_outage_puts_it_off() -> None:
    table = dealt("casino", 3, clock=300, options={"exchange": "off"})
    (seat,) = table.required()
    table = attended(table, NOW + 600).at(NOW + 700)
    end, outages = NOW + 600 + GRACE, [Outage(NOW + 610, NOW + 650)]
    assert table.away == {seat: NOW + 600}
    assert (table.next_due(NOW + 705), table.next_due(NOW + 705, outages)) == (end, end + 40)
    assert attended(table, end + 39).players[seat].is_held
    assert not attended(table, end + 39, outages=outages).players[seat].is_held
    assert attended(table, end + 40, outages=outages).players[seat].is_held


def test_an_outage_puts_off_the_end_of_idle_tables() -> None:
    lobby_ = lobby_of("svoi", 2)
    outage = [Outage(NOW + 10, NOW + 1010)]
    assert attended(lobby_, NOW + 2799, outages=outage).ended == ""
    assert lobby_.at(NOW + 2000).next_due(NOW + 2005, outage) == NOW + 2800
    assert attended(lobby_, NOW + 2800, outages=outage).ended == "forgotten"


def test_while_a_secret_is_kept_a_credit_is_for_all() -> None:
    after = attended(secret(clock=60), NOW + 300, outages=[Outage(NOW + 100, NOW + 290)])
    assert (after.entries[-1].kind, after.entries[-1].seat) == ("credit", None)
    assert set(after.public_deadlines.values()) == {NOW + 310}


def test_a_correspondence_deadline_in_quiet_hours_moves_to_their_end() -> None:
    table = dealt(clock=DAY)
    (seat,) = table.required()
    end = NOW + DAY + 3600

    def quiet(person: PersonId, at: float) -> float | None:
        return end if person == table.players[seat].person and at < end else None

    after = attended(table, NOW + DAY, quiet_until=quiet)
    assert (kinds(after, table), after.deadlines) == (["credit"], {seat: end})
    assert set(kinds(attended(after, end, quiet_until=quiet), after)) == {"timeout"}


def test_an_outage_of_a_day_leaves_a_player_their_quiet_hours() -> None:
    table = dealt(clock=DAY)
    (seat,) = table.required()
    outage, end = [Outage(NOW + 3600, NOW + 3600 + DAY)], NOW + 2 * DAY + 3600
    credited = attended(table, NOW + DAY + 3600, outages=outage)
    assert credited.deadlines == {seat: NOW + 2 * DAY}

    def quiet(person: PersonId, at: float) -> float | None:
        return end if at < end else None

    after = attended(credited, NOW + 2 * DAY, outages=outage, quiet_until=quiet)
    assert (kinds(after, credited), after.deadlines) == (["credit"], {seat: end})
    assert set(kinds(attended(after, end, outages=outage, quiet_until=quiet), after)) == {"timeout"}


def test_quiet_hours_that_change_all_the_time_hold_a_clock_for_a_day_and_no_longer() -> None:
    table = dealt(clock=DAY)
    after = table
    for hour in range(30):
        after = attended(after, NOW + DAY + hour * 3600, quiet_until=lambda person, at: at + 3600)
    assert kinds(after, table)[:25] == ["credit"] * 24 + ["timeout"]


def test_quiet_hours_of_all_players_cannot_put_off_a_secret_for_ever() -> None:
    table = secret(clock=DAY)
    after = attended(table, NOW + 7 * DAY, quiet_until=lambda person, at: at + 3600)
    assert after.state.phase == "play"


@pytest.mark.parametrize(
    ("given", "playing", "seconds"),
    [
        ({}, False, 1800),
        ({"clock": 60}, True, 7200),
        ({"clock": 0}, True, 3 * DAY),
        ({"clock": DAY}, True, 8 * DAY),
    ],
)
def test_a_table_is_closed_after_a_time_without_an_entry(
    given: dict[str, Any], playing: bool, seconds: float
) -> None:
    table = lobby_of("svoi", 2, **given)
    if playing:
        table = table.start().add("hold", 0, level="easy").add("hold", 1, level="easy")
    assert attended(table, NOW + seconds - 1) == table
    assert attended(table, NOW + seconds).ended == "forgotten"


@pytest.mark.parametrize(
    ("seconds", "after"), [(0, [20]), (30, [10]), (120, [20]), (2 * DAY, [20, DAY, 1.75 * DAY])]
)
def test_the_times_of_turn_alerts(seconds: int, after: list[float]) -> None:
    assert [at - NOW for at in alert_times(NOW, seconds)] == after


def test_only_the_owner_of_a_lobby_sets_its_clock() -> None:
    table = lobby_of("svoi", 2)
    with pytest.raises(Refused):
        clocks.set_clock(table, "beto", 60, "computer")
    with pytest.raises(Refused):
        clocks.set_clock(table, "ana", 10, "computer")
    after = clocks.set_clock(table, "ana", 30, "forfeit")
    assert (after.clock, after.vanish, replayed(after).clock) == (30, "forfeit", 30)
    assert clocks.set_clock(after, "ana", 30, "forfeit") is after
    with pytest.raises(Refused):
        clocks.set_clock(after.start(), "ana", 60, "computer")


STEPS = ("wait", "move", "leave", "return", "press", "due", "outage")


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(games())),
    st.sampled_from([None, 0, 15, DAY]),
    st.sampled_from(["computer", "forfeit"]),
    st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 2), st.floats(0, 400)), max_size=40),
)
def test_laws_of_running_clocks(
    key: str, clock: int | None, vanish: str, steps: list[tuple[str, int, float]]
) -> None:
    """Each open table is due; a replay knows the same clocks; no seat that a computer plays is away."""
    table, outages = dealt(key, clock=clock, vanish=vanish), list[Outage]()
    for step, number, seconds in steps:
        person = ("ana", "beto", "ana")[number]
        table = table.at(table.now + seconds)
        try:
            table = one_step(table, step, person, outages)
        except Refused:
            continue
        check(table)


def one_step(table: Table, step: str, person: PersonId, outages: list[Outage]) -> Table:
    match step:
        case "move" if table.required():
            seat = table.required()[0]
            return first_move(table) if not table.players[seat].is_computer else table.time_out(seat)
        case "leave":
            return lobby.leave(table, person)
        case "return":
            return lobby.come_back(table, person)
        case "press":
            return clocks.show_presence(table, person)
        case "outage":
            outages.append(Outage(table.now, table.now + 1000))
            return table.at(table.now + 1000)
        case "due" if (due := table.due) is not None:
            return clocks.attend(table.at(max(due, table.now)), outages)
    return table


def check(table: Table) -> None:
    if table.status == "over":
        assert table.due is None
        return
    assert table.due is not None
    assert table.due <= table.idle_end
    again = replayed(table)
    assert (again.deadlines, again.turn_began) == (table.deadlines, table.turn_began)
    assert (again.away, again.due, again.is_frozen) == (table.away, table.due, table.is_frozen)
    resting = table.at_rest()
    assert (resting.deadlines, resting.due) == (table.deadlines, table.due)
    for seat in table.away:
        assert not table.players[seat].is_computer
    if table.turn_seconds and not table.is_frozen and not table.awaited_computers():
        assert table.deadlines
    if table.is_frozen:
        assert (table.deadlines, table.awaited_computers()) == ({}, ())


class World:
    """Processes that share a store, with their keepers and computer players."""

    def __init__(self, *, shared: bool = True) -> None:
        self.store = MemoryStore(shared=shared)
        self.clock = VirtualClock(NOW, stopped=True)
        self.running: dict[str, tuple[Keeper, ComputerPlayers]] = {}

    async def start(self, name: str) -> TableService:
        """Starts a process."""

        async def mark_sent(table: Table) -> None:
            for panel in await self.store.panels(table.id):
                if panel.wanted != panel.sent:
                    await self.store.sent(
                        type(panel)(panel.game, panel.reader, "m", wanted=panel.wanted, sent=panel.wanted)
                    )

        service = TableService(self.store, self.clock, leases=Leases(name, shared=self.store.shared))
        computers = ComputerPlayers(service, Manner(luck.rng(name), 1.0))
        platform = FakePlatform()
        keeper = Keeper(self.store, service, {platform.key: platform}, mark_sent)
        self.running[name] = keeper, computers
        await keeper.start()
        await self.clock.settle()
        return service

    async def kill(self, name: str) -> None:
        """Stops a process as if it had died: it gives no lease back."""
        keeper, computers = self.running.pop(name)
        await keeper.stop()
        await computers.close()

    async def opened(self, service: TableService, **given: Any) -> Table:
        """A game of two that has just been dealt."""
        place = Place("wall", "square")

        def make(number: int) -> Table:
            table = Table.open("cardlebones", place=place, number=number, owner="ana", **given)
            return lobby.join(lobby.join(table, "ana", "Ana"), "beto", "Beto")

        table = await service.open(place, make)
        return await service.change(table.id, partial(lobby.start, person="ana"))

    async def log(self, table: Table) -> History[Any]:
        stored = await self.store.load(table.id)
        assert stored is not None
        return History(stored.entries)


@pytest.mark.parametrize("shared", [False, True])
async def test_the_keeper_carries_out_what_is_due(shared: bool) -> None:
    world = World(shared=shared)
    service = await world.start("a")
    table = await world.opened(service, clock=60)
    await world.clock.advance(119)
    assert len(await world.log(table)) == len(table.entries)
    await world.clock.advance(2 * CLAIM_EVERY)
    assert (await world.log(table))[-1].kind == "timeout"
    await world.clock.advance(120)
    assert (await service.table(table.id)).is_frozen
    frozen = len(await world.log(table))
    await world.clock.advance(7000)
    assert len(await world.log(table)) == frozen
    await world.clock.advance(300)
    assert (await world.log(table))[-1].body == {"reason": "forgotten"}


async def test_what_is_due_at_two_processes_happens_once() -> None:
    world = World()
    first, second = await world.start("a"), await world.start("b")
    table = await world.opened(first, clock=60)
    await second.table(table.id)
    await world.clock.advance(130)
    timeouts = [entry for entry in await world.log(table) if entry.kind == "timeout"]
    assert len(timeouts) == 1


async def test_a_deadline_outlives_its_process() -> None:
    world = World()
    first = await world.start("a")
    await world.start("b")
    table = await world.opened(first, clock=60)
    await world.clock.advance(60)
    await world.kill("a")
    await world.clock.advance(63)
    assert [entry.kind for entry in await world.log(table)][-1] == "timeout"


@pytest.mark.parametrize("shared", [False, True])
async def test_time_in_which_no_process_ran_is_credited(shared: bool) -> None:
    world = World(shared=shared)
    table = await world.opened(await world.start("a"), clock=60)
    await world.clock.advance(60)
    await world.kill("a")
    await world.clock.advance(3600)
    service = await world.start("b")
    await world.clock.advance(12)
    (credit,) = (entry for entry in await world.log(table) if entry.kind == "credit")
    assert 3600 <= credit.body["seconds"] <= 3606
    assert (await service.table(table.id)).away == {}
    await world.clock.advance(70)
    assert [entry.kind for entry in await world.log(table)].count("credit") == 1
    assert (await world.log(table))[-1].kind == "timeout"


@pytest.mark.parametrize("shared", [False, True])
async def test_time_in_which_the_store_failed_is_credited_though_a_claim_comes_before_the_next_beat(
    shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(shared=shared)
    table = await world.opened(await world.start("a"), clock=60)

    async def fail(*given: object) -> None:
        raise StoreError("down")

    await world.clock.advance(60.5)
    with monkeypatch.context() as down:
        down.setattr(world.store, "beat", fail)
        down.setattr(world.store, "claim", fail)
        await world.clock.advance(3600)
    await world.clock.advance(10)
    new = (await world.log(table))[len(table.entries) :]
    assert [entry.kind for entry in new] == ["credit"]
    assert 3600 <= new[0].body["seconds"] <= 3606


async def test_a_move_and_a_time_out_at_the_same_instant_are_one() -> None:
    world = World()
    first, second = await world.start("a"), await world.start("b")
    table = await world.opened(first, clock=60)
    (seat,) = table.required()
    await second.table(table.id)
    world.clock.time = NOW + 120
    turn = table.game.turns(table.state)

    def move(table: Table) -> Table:
        return first_move(table) if table.required() == (seat,) else table

    await second.change(table.id, move)
    await world.clock.advance(2)
    after = await first.table(table.id)
    moves = [entry for entry in after.entries if entry.kind in ("move", "timeout")]
    assert (len(moves), after.game.turns(after.state)) == (1, turn + 1)


async def test_a_held_seat_and_a_game_left_alone_wait_for_the_player() -> None:
    world = World()
    service = await world.start("a")
    table = await world.opened(service, clock=60)
    await service.change(table.id, partial(lobby.leave, person="ana"))
    await world.clock.advance(1000)
    after = await service.table(table.id)
    assert after.is_frozen
    assert set(after.away) == {1}
    await service.change(table.id, partial(lobby.come_back, person="ana"))
    await world.clock.advance(5)
    assert not (await service.table(table.id)).is_frozen


async def test_a_table_that_another_process_has_just_touched_is_not_forgotten() -> None:
    world = World()
    first, second = await world.start("a"), await world.start("b")
    table = await first.open(
        Place("wall", "square"), lambda n: lobby_of("svoi", 1, place=Place("wall", "square"), number=n)
    )
    await world.clock.advance(1799)
    await second.change(table.id, partial(lobby.add_computer, person="ana"))
    await world.clock.advance(100)
    assert (await first.table(table.id)).status == "lobby"
    await world.clock.advance(1710)
    assert (await first.table(table.id)).ended == "forgotten"


def test_a_lobby_that_people_come_to_and_leave_is_closed_some_hours_after_it_was_opened() -> None:
    table = lobby_of("casino", 1)
    for minutes in range(29, 10_000, 29):
        table = attended(table, NOW + minutes * 60)
        if table.status == "over":
            break
        came = table.seat_of("beto") is None
        table = lobby.join(table, "beto", "Beto") if came else lobby.leave(table, "beto")
        assert table.due == table.idle_end
    assert (table.ended, table.now) == ("forgotten", NOW + 377 * 60)
    assert table.entries[-2].at < NOW + OLDEST_LOBBY * 1800


def test_a_correspondence_game_that_all_have_left_is_closed_some_days_after_they_were_heard_of() -> None:
    table = dealt(clock=7 * DAY)
    while not table.is_frozen:
        table = attended(table, min(table.deadlines.values()))
    assert table.idle_end == table.changed + FROZEN_FOR
    assert attended(table, table.idle_end).ended == "forgotten"
