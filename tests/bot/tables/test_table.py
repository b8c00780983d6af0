"""A table: its state follows from its log, a refused move changes nothing, and news depend on the reader."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from bot.i18n import Speech
from bot.model.tables import Entry, News, Player, Refused
from bot.pages.captions import news_lines
from bot.tables.log.commitment import ChosenSeed, CommittedSeed, SeedSource, seed_source_of
from bot.tables.log.history import History
from bot.tables.table import MOST_TURN_MOVES, Table
from bot.tables.turn_clock import Idle
from engines import games
from engines.game import Awaited, Event, Game, IllegalMove, Text
from engines.values import replace
from tests import luck
from tests.engines.playing import house_rules
from tests.support.games import every_game
from tests.support.games.throw_in.rules import State, View
from tests.support.services import throwing_in
from tests.support.tables import choose


def seated(key: str, players: int = 0, options: dict[str, str] | None = None, words: str = "S") -> Table:
    """A table before the deal, with people only."""
    table = Table.open(key, options, seed_source=ChosenSeed(words))
    for name in ("Ana", "Beto", "Carla", "Dora")[: players or games()[key].seats[0]]:
        table = table.sit(Player(name))
    return table


def dealt(key: str, players: int = 0, options: dict[str, str] | None = None, words: str = "S") -> Table:
    return seated(key, players, options, words).start()


def play_on(table: Table, moves: int = 1000, rng: random.Random | None = None) -> Table:
    """Lets easy computers move for random seats until the game is over or its stamp is `moves`; the table."""
    rng = rng or luck.rng(table.stamp)
    while not table.result and table.stamp < moves:
        seat = rng.choice(table.active())
        table = table.play(seat, str(choose(table.game, table.state, seat, "easy", rng)))
    return table


def written(entries: Sequence[Entry]) -> list[Entry]:
    """The entries as they come back from a store."""
    return [replace(entry, body=json.loads(json.dumps(entry.body, ensure_ascii=False))) for entry in entries]


@pytest.mark.parametrize(
    "seed_source", [ChosenSeed("S"), CommittedSeed(b"x" * 32)], ids=["chosen", "committed"]
)
@every_game
def test_replaying_the_log_gives_an_equal_table(key: str, seed_source: SeedSource) -> None:
    rules = house_rules(games()[key]) if seed_source == ChosenSeed("S") else [{}]
    for options in rules:
        table = Table.open(key, options, seed_source=seed_source).sit(Player("Ana"))
        for _ in games()[key].seats[1:]:
            table = table.sit(Player("Lola", "easy"))
        while len(table.players) < games()[key].seats[0]:
            table = table.sit(Player("Nina", "normal"))
        table = table.add("cut", 0, words="¡ñ 🂡!").start()
        table = play_on(table, 5)
        table = play_on(table.time_out(table.active()[0])).dated(3, 1234.5)
        assert table.seed_source == seed_source
        assert Table.replay(written(table.entries), seed_source) == table


@every_game
def test_every_beginning_of_the_log_is_the_table_at_that_time(key: str) -> None:
    table = dealt(key)
    seen = [table]
    while not table.result:
        table = play_on(table, table.stamp + 1)
        seen.append(table)
    start = len(table.entries) - table.stamp
    replayed = [
        Table.replay(table.entries[:n], table.seed_source) for n in range(start, len(table.entries) + 1)
    ]
    assert replayed == seen


def test_entries_are_numbered_from_nought_and_news_names_its_entry() -> None:
    table = play_on(dealt("casino"))
    assert [entry.n for entry in table.entries] == list(range(len(table.entries)))
    assert {piece.n for piece in table.news} == {e.n for e in table.entries if e.kind in ("start", "move")}


def test_the_log_spells_a_move_in_its_one_way() -> None:
    table = dealt("cardlebones")
    table = table.play(table.active()[0], "PLACE A1")
    assert table.entries[-1].body == {"move": "place a1"}


def test_the_log_names_the_person_who_moved_and_nobody_for_a_computer() -> None:
    table = Table.open("cardlebones", seed_source=ChosenSeed("S"))
    table = play_on(table.sit(Player("Ana", person="p-ana")).sit(Player("Lola", "easy")).start())
    movers = {(entry.seat, entry.person) for entry in table.entries if entry.kind == "move"}
    assert movers == {(0, "p-ana"), (1, None)}


@every_game
def test_what_happens_makes_another_table_and_the_first_is_as_it_was(key: str) -> None:
    table = dealt(key)
    same = Table.replay(written(table.entries), table.seed_source)
    assert play_on(table, 3) != table
    assert table == same


def test_the_log_can_be_dated_without_another_change() -> None:
    table = seated("casino", 2)
    dated = table.dated(1, 12.5)
    assert [entry.at for entry in dated.entries] == [0.0, 12.5, 12.5]
    assert dated.dated(1, 0.0) == table


def test_the_deal_has_the_time_of_its_entry() -> None:
    table = dealt("casino")
    n = next(n for n, entry in enumerate(table.entries) if entry.kind == "start")
    assert table.dated(n, 12.5).dealt == 12.5
    assert play_on(table.dated(0, 12.5)).dated(n + 1, 20.0).dealt == 12.5


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("", "unknown-action"),
        ("fly", "unknown-action"),
        ("throw 1S", "unknown-card"),
        ("throw 11S", "unknown-card"),
        ({"type": "throw", "playerId": "p9", "handCard": "AS"}, "not-your-seat"),
        ({}, "not-your-seat"),
    ],
)
def test_a_refused_play_changes_nothing(action: str | dict[str, str], code: str) -> None:
    table = dealt("casino")
    before = Table.replay(table.entries, table.seed_source)
    with pytest.raises(IllegalMove) as refusal:
        table.play(table.active()[0], action)
    assert refusal.value.code == code
    assert table == before


@every_game
def test_who_is_not_awaited_is_refused_and_nothing_changes(key: str) -> None:
    table = dealt(key)
    awaited = table.active()[0]
    move = str(next(iter(table.game.moves(table.state, awaited))))
    before = Table.replay(table.entries, table.seed_source)
    for seat in range(len(table.players)):
        if seat != awaited:
            with pytest.raises(IllegalMove, match="not-your-turn"):
                table.play(seat, move)
    assert table == before


@every_game
def test_after_the_end_nobody_is_awaited_and_nothing_can_be_played(key: str) -> None:
    table = play_on(dealt(key))
    before = Table.replay(table.entries, table.seed_source)
    with pytest.raises(Refused, match=r"The game is over\."):
        table.play(0, str(table.entries[-1].body["move"]))
    with pytest.raises(Refused, match=r"The game is over\."):
        table.time_out(0)
    assert (table.active(), table.awaited(None).must, table.status) == ((), (), "over")
    assert table == before


def test_before_the_start_nothing_can_be_played() -> None:
    table = seated("casino")
    with pytest.raises(Refused, match=r"The cards haven't been dealt yet\."):
        table.play(0, "throw AS")
    with pytest.raises(Refused, match=r"The cards haven't been dealt yet\."):
        table.time_out(0)


def test_at_a_table_that_was_closed_nothing_can_be_played() -> None:
    table = dealt("cardlebones").add("end", reason="stopped")
    assert (table.status, table.may_show_seed, table.active(), table.awaited(None).must) == (
        "over",
        True,
        (),
        (),
    )
    with pytest.raises(Refused, match=r"This table is closed\."):
        table.play(0, "place a1")


def test_the_seal_is_opened_at_the_end_and_not_before() -> None:
    table = dealt("cardlebones")
    assert (seated("cardlebones").may_show_seed, table.may_show_seed, play_on(table).may_show_seed) == (
        False,
        False,
        True,
    )


@pytest.mark.parametrize("players", [0, 1, 4])
@every_game
def test_start_with_a_wrong_number_raises_and_changes_nothing(key: str, players: int) -> None:
    table = Table.open(key, seed_source=ChosenSeed("S"))
    for name in "ABCDEFGH"[: players if players < games()[key].seats[0] else games()[key].seats[-1] + 1]:
        table = table.sit(Player(name))
    with pytest.raises(ValueError, match="players"):
        table.start()
    assert (table.state, table.status) == (None, "lobby")


def test_start_with_an_unknown_option_raises_and_changes_nothing() -> None:
    table = seated("casino", options={"steal_with": "magnet"})
    with pytest.raises(ValueError, match="steal_with=magnet"):
        table.start()
    assert (table.state, table.status) == (None, "lobby")


def test_after_a_refused_start_another_player_can_sit_and_the_game_begins() -> None:
    table = seated("casino", 1)
    with pytest.raises(ValueError, match="not 1"):
        table.start()
    assert table.sit(Player("Beto")).start().state is not None


def test_an_unknown_game_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Table.open("tarot")


def test_seats_are_given_in_order() -> None:
    table = Table.open("casino").sit(Player("Ana", person="p-ana")).sit(Player("Lola", "easy"))
    assert [entry.seat for entry in table.entries] == [None, 0, 1]
    assert table.players == (Player("Ana", person="p-ana"), Player("Lola", "easy"))
    assert [table.seat_of(person) for person in ("p-ana", "p-beto", "")] == [0, None, None]


def test_cuts_are_kept_in_the_order_given_seat_by_seat() -> None:
    table = seated("casino")
    for seat, words in ((1, "last of all"), (0, "first"), (1, "again")):
        table = table.add("cut", seat, words=words)
    assert table.cuts == ((1, "last of all"), (0, "first"), (1, "again"))
    seats = json.loads(table.start().deal)["seats"]
    assert seats == [{"seat": 0, "cuts": ["first"]}, {"seat": 1, "cuts": ["last of all", "again"]}]


def test_the_stamp_counts_moves_not_entries() -> None:
    table = dealt("cardlebones")
    assert (table.stamp, len(table.entries)) == (0, 4)


def test_the_stamp_grows_by_one_a_move_and_a_timeout() -> None:
    table = dealt("cardlebones")
    table = table.play(table.active()[0], "place a1")
    assert table.stamp == 1
    assert table.time_out(table.active()[0]).stamp == 2


def test_the_stamp_is_as_it_was_after_who_comes_and_goes() -> None:
    table = dealt("cardlebones").add("hold", 0, level="easy").add("back", 0)
    assert table.stamp == 0


class Lingering(type(games()["cardlebones"])):  # type: ignore[misc]
    """Cardlebones with turns of three placements, in which seat 0 alone is awaited and acts for both."""

    def turns(self, state: Any) -> int:
        return int(state.turns) // 3

    def awaited(self, view: Any) -> Awaited:
        return Awaited((0,))

    def timeout(self, state: Any, seat: int) -> Any:
        return super().timeout(state, state.turn)

    def may_act(self, state: Any, seat: int, verb: str) -> bool:
        return True

    def perform(self, state: Any, seat: int, action: Any) -> Any:
        return super().perform(state, state.turn, action)

    def check(self, state: Any, seat: int, action: Any) -> None:
        super().check(state, state.turn, action)


def test_time_out_acts_up_to_the_end_of_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dealt("cardlebones")
    monkeypatch.setattr(Table, "game", Lingering())
    table = table.time_out(0)
    assert [entry.kind for entry in table.entries[4:]] == ["timeout"] * 2
    table = table.time_out(0)
    assert [(entry.kind, entry.seat) for entry in table.entries[4:]] == [("timeout", 0)] * 5


def test_a_turn_that_never_ends_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dealt("cardlebones")
    monkeypatch.setattr(Table, "game", Lingering())
    long = replace(table.play(0, "place a1"), turn_lengths={0: MOST_TURN_MOVES - 2}).play(0, "place a2")
    assert (long.turn_lengths, [entry.kind for entry in long.entries[4:]]) == ({}, ["move", "move"])
    monkeypatch.setattr(Lingering, "turns", lambda game, state: int(state.turns) // 4)
    longer = replace(table.play(0, "place a1"), turn_lengths={0: MOST_TURN_MOVES - 1}).play(0, "place a2")
    assert [entry.kind for entry in longer.entries[4:]] == ["move", "move", "timeout"]


@every_game
def test_timeouts_alone_end_the_game(key: str) -> None:
    table = dealt(key, games()[key].seats[-1])
    seats = len(table.players)
    while not table.result:
        table = table.time_out(table.required()[0])
    assert {entry.kind for entry in table.entries[seats + 2 :]} == {"timeout"}


def test_private_news_is_told_to_its_seat_only() -> None:
    table = dealt("casino", 3)
    news = History(
        [
            News(4, Event(Text("to all"), None)),
            News(4, Event(Text("to seat {n}", n=0), 0)),
            News(5, Event(Text("to seat {n}", n=1), 1)),
        ]
    )
    table = replace(table, news=news)
    heard = {seat: [line.text for line in news_lines(table, 0, seat, Speech())] for seat in (None, 0, 1, 2)}
    assert heard == {
        None: ["to all"],
        0: ["to all", "to seat 0"],
        1: ["to all", "to seat 1"],
        2: ["to all"],
    }


def test_news_that_was_told_is_left_out() -> None:
    table = dealt("cardlebones")
    told = len(table.news)
    table = table.play(table.active()[0], "place a1")
    say = Speech("en", ("Ana", "Beto"))
    new = news_lines(table, told, 0, say)
    assert (len(new), new) == (len(table.news) - told, news_lines(table, 0, 0, say)[told:])
    assert new[0].text.endswith(" in a1.")
    assert news_lines(table, len(table.news), 0, say) == ()


def test_nobody_is_awaited_before_the_start() -> None:
    assert seated("casino").active() == ()


def test_the_seat_whose_turn_it_is_is_awaited() -> None:
    table = dealt("casino")
    while not table.result:
        (seat,) = table.active()
        assert seat == table.state.turn
        table = play_on(table, table.stamp + 1)


def exchange_table() -> Table:
    """A table of three at the phase in which the holder of the three of hearts may exchange it."""
    tables = (dealt("casino", 3, words=str(n)) for n in range(20))
    return next(table for table in tables if table.state.phase == "exchange")


def test_the_holder_of_a_secret_alone_is_active_and_the_public_awaits_all() -> None:
    table = exchange_table()
    assert len(table.active()) == 1
    assert table.awaited(None).must == (0, 1, 2)


def test_public_deciders_are_no_secret_and_nobody_waits_for_who_may_act(throw_in: Game[State, View]) -> None:
    table = throwing_in(throw_in, "7H", "7S", "9S", "8D")
    assert table.awaited(None) == Awaited((1, 2, 3), (0,))
    assert (table.active(), table.required()) == ((0, 1, 2, 3), (1, 2, 3))


def test_the_seat_required_in_secret_is_the_one_with_something_to_decide() -> None:
    table = exchange_table()
    assert table.required() == table.active()


def test_the_clock_moves_until_nobody_waits_for_the_seat(throw_in: Game[State, View]) -> None:
    table = throwing_in(throw_in, "7H", "7S", "9S", "8D").time_out(2)
    assert [(entry.kind, entry.seat) for entry in table.entries[-2:]] == [("start", None), ("timeout", 2)]
    assert table.time_out(2) == table.time_out(0) == table
    assert table.awaited(None).must == (1, 3)


def test_the_moves_of_a_turn_are_counted_by_seat(throw_in: Game[State, View]) -> None:
    table = throwing_in(throw_in, "7H 8H", "7S 9S", "9H", "8D")
    table = replace(table.play(0, "throw 7H"), turn_lengths={0: MOST_TURN_MOVES})
    assert table.play(1, "throw 7S").entries[-1].kind == "move"
    last = replace(table, turn_lengths={1: MOST_TURN_MOVES - 1}).play(1, "throw 7S").entries[-2:]
    assert [(entry.kind, entry.seat) for entry in last] == [("move", 1), ("timeout", 1)]


def test_all_but_the_loser_are_listed_as_winners(throw_in: Game[State, View]) -> None:
    table = throwing_in(throw_in, "9S", "7S", "").play(1, "throw 7S")
    assert [(seated.score, seated.won) for seated in table.listing.seats] == [
        (-1, False),
        (0, True),
        (0, True),
    ]


def test_acted_is_when_a_person_last_did_something() -> None:
    table = Table.open("casino", owner="p-ana").sit(Player("Ana", person="p-ana")).dated(0, 5.0)
    table = table.sit(Player("Beto", person="p-beto")).dated(2, 7.0)
    assert [table.acted(person) for person in ("p-ana", "p-beto", "p-eva")] == [5.0, 7.0, None]


def test_the_listing_of_a_table_that_is_played_has_no_scores() -> None:
    table = dealt("cardlebones").dated(0, 3.0)
    listing = table.listing
    assert (listing.game, listing.place, listing.number) == (table.id, table.place, 1)
    assert (listing.key, listing.revision, listing.status) == ("cardlebones", table.revision, "playing")
    assert (listing.entries, listing.opened, listing.changed) == (4, 3.0, 3.0)
    assert [(seated.seat, seated.player, seated.score, seated.won) for seated in listing.seats] == [
        (0, Player("Ana"), None, False),
        (1, Player("Beto"), None, False),
    ]


def test_a_table_is_due_a_little_after_it_awaits_a_computer() -> None:
    table = seated("svoi", 1).sit(Player("Lola", "easy"))
    table, waits = table.start(), set[bool]()
    for _ in range(20):
        table = table.dated(0, 1000.0)
        waits.add(1 in table.required())
        assert table.listing.due == (1005.0 if 1 in table.required() else 1000.0 + Idle().unclocked)
        table = play_on(table, 1)
    assert waits == {True, False}
    assert play_on(table).due is None


def test_a_lobby_is_due_when_it_is_idle() -> None:
    assert seated("svoi", 1).dated(0, 1000.0).due == 1000 + 1800


def test_the_listing_of_a_finished_game_has_scores_and_winners() -> None:
    table = play_on(dealt("cardlebones"))
    assert table.result is not None
    seats = [(seated.score, seated.won) for seated in table.listing.seats]
    assert seats == [(score, seat in table.result.winners) for seat, score in enumerate(table.result.scores)]
    assert any(won for _, won in seats)


def test_whose_seat_a_computer_holds_at_the_end_has_not_won() -> None:
    table = Table.open("cardlebones", seed_source=ChosenSeed("S"))
    for name in ("ana", "beto"):
        table = table.sit(Player(name, person=name))
    table = table.start().add("hold", 0, level="easy").add("hold", 1, level="easy")
    assert [seated.won for seated in play_on(table).listing.seats] == [False, False]


def test_a_game_that_was_stopped_has_no_scores() -> None:
    table = dealt("cardlebones").add("end", reason="stopped")
    assert [(seated.score, seated.won) for seated in table.listing.seats] == [(None, False)] * 2


def older(table: Table) -> Table:
    """The same table, its log marked with the rules' previous revision."""
    opening = table.entries[0]
    marked = replace(opening, body={**opening.body, "revision": table.revision - 1})
    return Table.replay((marked, *table.entries[1:]), table.seed_source)


def test_a_log_of_older_rules_is_read_but_not_played() -> None:
    table = older(play_on(dealt("cardlebones"), 3))
    assert (table.outdated, table.state, table.result, table.stamp) == (True, None, None, 3)
    assert (table.status, table.active(), table.awaited(None).must) == ("playing", (), ())
    assert table.deal
    with pytest.raises(Refused, match="rules"):
        table.play(0, "place a1")


def test_a_log_of_a_game_that_is_no_more_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    table = play_on(dealt("cardlebones"), 3)
    monkeypatch.setattr("bot.tables.log.table_state.games", dict)
    read = Table.replay(table.entries, table.seed_source)
    assert (read.outdated, read.state, read.stamp, len(read.players)) == (True, None, 3, 2)
    assert read.listing.key == "cardlebones"


@pytest.mark.parametrize("handed", [{"dealer": 1}, {}])
def test_what_a_game_hands_on_is_taken_over_by_as_many_players_only(handed: dict[str, int]) -> None:
    for players, taken in ((2, handed), (3, {})):
        table = Table.open("casino", seed_source=ChosenSeed("S"), carry=handed, carried_by=2)
        for name in "ABC"[:players]:
            table = table.sit(Player(name))
        assert json.loads(table.start().deal)["carry"] == taken


@pytest.mark.parametrize("seed_source", [ChosenSeed("S"), ChosenSeed(""), CommittedSeed(b"x" * 32)], ids=str)
def test_a_seed_source_comes_back_from_what_a_store_keeps(seed_source: ChosenSeed | CommittedSeed) -> None:
    if isinstance(seed_source, ChosenSeed):
        assert seed_source_of(None, seed_source.words) == seed_source
    else:
        assert seed_source_of(seed_source.server_seed, None) == seed_source


def test_neither_seed_nor_hands_are_in_what_is_printed_of_a_table() -> None:
    table = dealt("casino", words="hush hush")
    printed = repr(Table.replay(table.entries, CommittedSeed(b"\x07" * 32))) + repr(table)
    assert "hush" not in printed
    assert "x07" not in printed
    assert (b"\x07" * 32).hex() not in printed
    assert "state" not in printed


def test_appending_to_a_table_copies_neither_its_log_nor_its_news() -> None:
    table = dealt("casino")
    after = table.play(table.active()[0], str(next(iter(table.game.moves(table.state, table.active()[0])))))
    assert after.entries._items is table.entries._items
    assert after.news._items is table.news._items
    assert (len(after.entries), len(table.entries)) == (5, 4)
