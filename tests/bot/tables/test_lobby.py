"""Seats and permissions at a table: one rule per test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.i18n import NAME_WIDTH, Speech
from bot.model.places import Place
from bot.model.tables import Player, Refused
from bot.tables import lobby
from bot.tables.lobby import OWNER_ABSENT_AFTER
from bot.tables.log.commitment import CUT_LENGTH, ChosenSeed
from bot.tables.table import Table
from engines import games
from engines.game import Result
from engines.values import replace
from tests.bot.tables.test_table import older, play_on

ANA, BETO, EVA, DORA = "p-ana", "p-beto", "p-eva", "p-dora"
NAMES = {ANA: "Ana", BETO: "Beto", EVA: "Eva", DORA: "Dora"}


def lobby_of(*people: str, key: str = "casino", planned_seats: int = 0) -> Table:
    """A table before the start at which these people sit; the first is its owner."""
    table = Table.open(
        key,
        place=Place("wall", "square"),
        number=2,
        planned_seats=planned_seats,
        owner=people[0],
        seed_source=ChosenSeed("S"),
    )
    for person in people:
        table = lobby.join(table, person, NAMES[person])
    return table


def game_of(*people: str, key: str = "casino", planned_seats: int = 0) -> Table:
    """A started table with these people."""
    return lobby.start(lobby_of(*people, key=key, planned_seats=planned_seats), people[0])


def over(*people: str) -> Table:
    return play_on(game_of(*people))


def why(change: Callable[[], object]) -> str:
    """The reason why a change is refused; asserts that it is."""
    with pytest.raises(Refused) as refusal:
        change()
    return Speech("en", tuple(NAMES.values()))(refusal.value.reason)


def people(table: Table) -> list[str | None]:
    return [player.person for player in table.players]


def kinds(table: Table, since: Table) -> list[str]:
    """The kinds of the entries added since an earlier version of the table."""
    return [entry.kind for entry in table.entries[len(since.entries) :]]


def full() -> Table:
    return lobby_of(ANA, BETO, EVA)


def test_who_joins_has_the_next_seat() -> None:
    table = lobby_of(ANA, BETO)
    assert table.players == (Player("Ana", person=ANA), Player("Beto", person=BETO))


def test_nobody_joins_twice() -> None:
    assert why(lambda: lobby.join(lobby_of(ANA), ANA, "Ana")) == "You already have a seat at this table."


def test_a_full_table_takes_nobody() -> None:
    said = why(lambda: lobby.join(full(), DORA, "Dora"))
    assert said == "The table is full: this game has 3 seats."


def test_at_a_full_table_a_person_takes_a_computers_place() -> None:
    before = lobby.add_computer(lobby.add_computer(lobby_of(ANA), ANA), ANA)
    table = lobby.join(before, BETO, "Beto")
    assert people(table) == [ANA, None, BETO]
    assert kinds(table, before) == ["dismiss", "join"]


def test_a_computer_does_not_give_way_while_there_is_a_seat() -> None:
    table = lobby.join(lobby.add_computer(lobby_of(ANA), ANA), BETO, "Beto")
    assert people(table) == [ANA, None, BETO]
    assert len(table.players) == 3


def test_nobody_joins_a_game_that_has_begun() -> None:
    assert why(lambda: lobby.join(game_of(ANA, BETO), EVA, "Eva")) == "The game has already begun."


@pytest.mark.parametrize("person", [ANA, EVA])
def test_nobody_joins_a_game_that_is_over(person: str) -> None:
    assert why(lambda: lobby.join(over(ANA, BETO), person, "X")) == "The game is over."


@pytest.mark.parametrize("person", [ANA, EVA])
def test_nobody_joins_a_closed_table(person: str) -> None:
    closed = lobby.end(lobby_of(ANA), ANA, moderator=False)
    assert why(lambda: lobby.join(closed, person, "X")) == "This table is closed."


def test_to_join_is_to_come_back_for_whoever_has_a_seat_that_a_computer_holds() -> None:
    away = lobby.leave(game_of(ANA, BETO), BETO)
    assert kinds(lobby.join(away, BETO, "Beto"), away) == ["back"]


def test_two_of_a_name_are_told_apart() -> None:
    table = lobby.join(lobby.join(lobby_of(ANA), BETO, "ANA"), EVA, "Ana")
    assert [player.name for player in table.players] == ["Ana", "ANA 2", "Ana 3"]


def test_a_long_name_that_is_told_apart_keeps_its_number() -> None:
    long = "A" * NAME_WIDTH
    table = lobby.join(lobby.join(Table.open("casino"), ANA, long), BETO, long)
    assert table.players[1].name == "A" * (NAME_WIDTH - 2) + " 2"


def test_who_leaves_before_the_start_leaves_no_seat_and_the_others_move_up() -> None:
    before = full()
    table = lobby.leave(before, BETO)
    assert people(table) == [ANA, EVA]
    assert kinds(table, before) == ["leave"]


def test_the_cuts_move_up_with_their_players_and_those_of_who_leaves_are_gone() -> None:
    table = full()
    for person in (EVA, BETO, ANA):
        table = lobby.cut(table, person, f"by {person}")
    assert lobby.leave(table, BETO).cuts == ((1, "by p-eva"), (0, "by p-ana"))


def test_where_the_last_person_leaves_the_table_is_closed() -> None:
    table = lobby.leave(lobby.add_computer(lobby_of(ANA), ANA), ANA)
    assert (table.status, table.ended) == ("over", "empty")


def test_who_leaves_a_game_leaves_the_seat_to_a_computer_at_once() -> None:
    before = game_of(ANA, BETO)
    table = lobby.leave(before, BETO)
    assert table.players[1] == Player("Beto", "normal", BETO)
    assert (table.state, table.stamp, kinds(table, before)) == (before.state, before.stamp, ["hold"])


def test_the_computer_plays_as_well_as_was_asked_for() -> None:
    table = replace(game_of(ANA, BETO), level="easy")
    assert lobby.leave(table, BETO).players[1].level == "easy"


def test_who_has_left_a_game_has_nothing_more_to_leave() -> None:
    away = lobby.leave(game_of(ANA, BETO), BETO)
    assert why(lambda: lobby.leave(away, BETO)) == "A computer is already playing for you."


def test_where_all_have_left_the_table_stays_open_with_its_owner() -> None:
    table = lobby.leave(lobby.leave(game_of(ANA, BETO), BETO), ANA)
    assert (table.status, table.owner) == ("playing", ANA)
    assert play_on(table).result is not None


def test_nobody_leaves_without_a_seat() -> None:
    assert why(lambda: lobby.leave(lobby_of(ANA), BETO)) == "You have no seat at this table."


def test_nobody_leaves_a_game_that_is_over() -> None:
    assert why(lambda: lobby.leave(over(ANA, BETO), ANA)) == "The game is over."


def test_who_comes_back_has_the_seat_again() -> None:
    before = game_of(ANA, BETO)
    table = lobby.come_back(lobby.leave(before, BETO), BETO)
    assert table.players == before.players


def test_who_is_there_does_not_come_back() -> None:
    assert why(lambda: lobby.come_back(game_of(ANA, BETO), ANA)) == "You already have your seat."


def test_nobody_comes_back_to_a_game_that_is_over() -> None:
    table = play_on(lobby.leave(game_of(ANA, BETO), BETO))
    assert why(lambda: lobby.come_back(table, BETO)) == "The game is over."


def test_nobody_comes_back_without_a_seat() -> None:
    assert why(lambda: lobby.come_back(game_of(ANA, BETO), EVA)) == "You have no seat at this table."


@pytest.mark.parametrize("make", [lobby_of, game_of])
def test_who_owned_the_table_and_leaves_hands_it_to_the_next(make: Callable[..., Table]) -> None:
    assert lobby.leave(make(ANA, BETO, EVA), ANA).owner == BETO


def test_the_table_is_not_handed_to_a_player_who_has_left() -> None:
    table = lobby.leave(game_of(ANA, BETO, EVA), BETO)
    assert lobby.leave(table, ANA).owner == EVA


def test_nothing_is_handed_on_where_another_leaves() -> None:
    before = game_of(ANA, BETO)
    assert kinds(lobby.leave(before, BETO), before) == ["hold"]


def test_who_comes_back_to_a_table_where_nobody_is_owns_it() -> None:
    table = lobby.leave(lobby.leave(game_of(ANA, BETO), BETO), ANA)
    assert lobby.come_back(table, BETO).owner == BETO


def test_who_comes_back_to_their_own_table_still_owns_it() -> None:
    away = lobby.leave(lobby.leave(game_of(ANA, BETO), BETO), ANA)
    assert kinds(lobby.come_back(away, ANA), away) == ["back"]


@pytest.mark.parametrize("make", [lobby_of, game_of])
@pytest.mark.parametrize("person", [BETO, DORA, ""])
def test_a_stranger_or_another_player_kicks_nobody(make: Callable[..., Table], person: str) -> None:
    said = why(lambda: lobby.kick(make(ANA, BETO, EVA), 2, person, moderator=False))
    assert said == "Only Ana or a moderator can do that."


@pytest.mark.parametrize(("person", "moderator"), [(ANA, False), (DORA, True)])
def test_who_is_kicked_before_the_start_has_no_seat_and_cannot_sit_down_again(
    person: str, moderator: bool
) -> None:
    table = lobby.kick(lobby.cut(full(), BETO, "mine"), 1, person, moderator=moderator)
    assert (people(table), table.cuts) == ([ANA, EVA], ())
    assert (
        why(lambda: lobby.join(table, BETO, "Beto"))
        == "You were removed from this table, so you can't come back."
    )
    assert people(lobby.join(table, DORA, "Dora")) == [ANA, EVA, DORA]


@pytest.mark.parametrize(("person", "moderator"), [(ANA, False), (DORA, True)])
def test_who_is_kicked_from_a_game_leaves_the_seat_to_a_computer_for_good(
    person: str, moderator: bool
) -> None:
    before = game_of(ANA, BETO)
    table = lobby.kick(before, 1, person, moderator=moderator)
    assert table.players[1] == Player("Beto", "normal", BETO, kicked=True)
    assert (table.state, table.stamp) == (before.state, before.stamp)
    assert (
        why(lambda: lobby.come_back(table, BETO))
        == "You were removed from this table, so you can't come back."
    )
    assert (
        why(lambda: lobby.join(table, BETO, "Beto"))
        == "You were removed from this table, so you can't come back."
    )


def test_who_has_left_can_be_kicked_too() -> None:
    table = lobby.kick(lobby.leave(game_of(ANA, BETO), BETO), 1, ANA, moderator=False)
    assert table.players[1].kicked


def test_a_computer_is_not_kicked() -> None:
    table = lobby.add_computer(lobby_of(ANA), ANA)
    assert (
        why(lambda: lobby.kick(table, 1, ANA, moderator=False))
        == "Beto is a computer. Any player can remove it before the start."
    )


def test_nobody_kicks_themselves() -> None:
    said = why(lambda: lobby.kick(lobby_of(ANA, BETO), 0, ANA, moderator=True))
    assert said == "You can't remove yourself. To go, leave the table."


@pytest.mark.parametrize("make", [lobby_of, game_of])
def test_an_owner_who_is_kicked_owns_nothing_more(make: Callable[..., Table]) -> None:
    assert lobby.kick(make(ANA, BETO), 0, DORA, moderator=True).owner == BETO


def test_an_owner_who_is_kicked_from_a_game_with_nobody_left_may_keep_no_order() -> None:
    table = lobby.kick(game_of(ANA), 0, DORA, moderator=True)
    assert (table.owner, lobby.may_keep_order(table, ANA, moderator=False)) == (None, False)


def test_where_the_last_person_is_kicked_before_the_start_the_table_is_closed() -> None:
    assert lobby.kick(lobby_of(ANA), 0, DORA, moderator=True).ended == "empty"


def test_nobody_is_kicked_when_the_game_is_over() -> None:
    said = why(lambda: lobby.kick(over(ANA, BETO), 1, ANA, moderator=False))
    assert said == "The game is over."


@pytest.mark.parametrize("make", [lobby_of, game_of])
@pytest.mark.parametrize(("person", "moderator"), [(ANA, False), (DORA, True)])
def test_who_opened_the_table_or_a_moderator_closes_it(
    make: Callable[..., Table], person: str, moderator: bool
) -> None:
    table = lobby.end(make(ANA, BETO), person, moderator=moderator)
    assert (table.status, table.ended, table.may_show_seed) == ("over", "stopped", True)


@pytest.mark.parametrize("person", [BETO, DORA, ""])
def test_nobody_else_closes_it(person: str) -> None:
    said = why(lambda: lobby.end(game_of(ANA, BETO), person, moderator=False))
    assert said == "Only Ana or a moderator can do that."


def test_a_table_is_closed_once() -> None:
    closed = lobby.end(lobby_of(ANA), ANA, moderator=False)
    assert why(lambda: lobby.end(closed, ANA, moderator=False)) == "This table is closed."


def test_a_player_adds_and_removes_computers() -> None:
    table = lobby.add_computer(lobby.add_computer(lobby_of(ANA), ANA), ANA)
    assert [player.name for player in table.players] == ["Ana", "Lola", "Beto"]
    assert [player.name for player in lobby.remove_computer(table, ANA).players] == ["Ana", "Lola"]


def test_a_computer_has_a_name_that_nobody_has() -> None:
    table = lobby.add_computer(lobby.join(Table.open("casino"), ANA, "lola"), ANA)
    assert table.players[1].name == "Beto"


@pytest.mark.parametrize("change", [lobby.add_computer, lobby.remove_computer])
def test_only_who_sits_at_the_table_changes_its_computers(change: Callable[[Table, str], Table]) -> None:
    table = lobby.add_computer(lobby_of(ANA), ANA)
    assert why(lambda: change(table, BETO)) == "You have no seat at this table."


@pytest.mark.parametrize("change", [lobby.add_computer, lobby.remove_computer])
def test_no_computer_comes_or_goes_in_a_game(change: Callable[[Table, str], Table]) -> None:
    assert why(lambda: change(game_of(ANA), ANA)) == "The game has already begun."


def test_there_are_no_more_computers_than_seats() -> None:
    assert why(lambda: lobby.add_computer(full(), ANA)) == "There is no free seat."


def test_where_there_is_no_computer_none_is_removed() -> None:
    said = why(lambda: lobby.remove_computer(lobby_of(ANA, BETO), ANA))
    assert said == "There is no computer at the table."


def test_who_opened_the_table_sets_the_house_rules() -> None:
    table = lobby.set_option(lobby_of(ANA, BETO), ANA, "steal_with", "off")
    assert table.options == {"steal_with": "off"}
    assert lobby.start(table, ANA).state.options["steal_with"] == "off"


@pytest.mark.parametrize("person", [BETO, DORA, ""])
def test_nobody_else_sets_them(person: str) -> None:
    said = why(lambda: lobby.set_option(lobby_of(ANA, BETO), person, "steal_with", "off"))
    assert said == "Only Ana can do that: the table is theirs."


def test_house_rules_are_settled_when_the_game_begins() -> None:
    said = why(lambda: lobby.set_option(game_of(ANA, BETO), ANA, "steal_with", "off"))
    assert said == "The game has already begun."


@pytest.mark.parametrize(("option", "value"), [("steal_with", "magnet"), ("magnet", "on")])
def test_a_house_rule_that_the_game_has_not_is_refused(option: str, value: str) -> None:
    said = why(lambda: lobby.set_option(lobby_of(ANA), ANA, option, value))
    assert said == f"There is no house rule “{option}={value}”."


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  two\n words\t", "two words"),
        ("x" * CUT_LENGTH, "x" * CUT_LENGTH),
        ("<@123> *bold* `tick`", "<@123> *bold* `tick`"),
        ("\x1b[31mred\x9b\u202e\u200b", "[31mred"),
        ("bad \udcff byte", "bad byte"),
    ],
)
def test_a_cut_is_one_line_that_can_be_shown_as_it_is(given: str, kept: str) -> None:
    assert lobby.cut(lobby_of(ANA, BETO), BETO, given).cuts == ((1, kept),)


@pytest.mark.parametrize("words", ["", " \n", "\u200b\u202e"])
def test_a_cut_is_something_to_see(words: str) -> None:
    assert why(lambda: lobby.cut(lobby_of(ANA), ANA, words)) == "Cut the deck with a few words of your own."


def test_a_cut_is_short() -> None:
    said = why(lambda: lobby.cut(lobby_of(ANA), ANA, "x" * (CUT_LENGTH + 1)))
    assert said == f"That's too long: cut with at most {CUT_LENGTH} characters."


def test_nobody_can_use_up_the_cuts_of_the_others() -> None:
    table = lobby_of(ANA, BETO)
    for n in range(lobby.MOST_CUTS):
        table = lobby.cut(table, ANA, str(n))
    assert (
        why(lambda: lobby.cut(table, ANA, "once more")) == "You have already cut 2 times. That's all you get."
    )
    assert lobby.cut(table, BETO, "last").cuts[-1] == (1, "last")


def test_only_who_sits_at_the_table_cuts() -> None:
    assert why(lambda: lobby.cut(lobby_of(ANA), BETO, "mine")) == "You have no seat at this table."


def test_nobody_cuts_when_the_cards_are_dealt() -> None:
    assert why(lambda: lobby.cut(game_of(ANA, BETO), ANA, "late")) == "The game has already begun."


@pytest.mark.parametrize(("planned_seats", "computers"), [(0, 1), (2, 1), (3, 2)])
def test_at_the_start_computers_take_the_empty_seats(planned_seats: int, computers: int) -> None:
    table = game_of(ANA, planned_seats=planned_seats)
    assert [player.is_computer for player in table.players] == [False, *[True] * computers]
    assert table.status == "playing"


@pytest.mark.parametrize(("planned_seats", "people"), [(0, (ANA, BETO, EVA)), (2, (ANA, BETO))])
def test_any_player_starts_a_full_table(planned_seats: int, people: tuple[str, ...]) -> None:
    assert lobby.start(lobby_of(*people, planned_seats=planned_seats), BETO).status == "playing"


def test_a_computer_does_not_fill_the_seat_of_a_friend_who_may_still_come() -> None:
    table = lobby.add_computer(lobby_of(ANA, BETO), BETO)
    assert why(lambda: lobby.start(table, BETO)).startswith("Seats are still free, so Ana starts")


def test_the_owner_starts_a_table_with_free_seats() -> None:
    assert lobby.start(lobby_of(ANA, BETO), ANA).status == "playing"


def test_another_player_starts_it_when_the_owner_has_done_nothing_for_two_minutes() -> None:
    table = lobby_of(ANA, BETO)
    assert why(lambda: lobby.start(table.at(OWNER_ABSENT_AFTER - 1), BETO)) == (
        "Seats are still free, so Ana starts; or you, in 1 second."
    )
    assert lobby.start(table.at(OWNER_ABSENT_AFTER), BETO).status == "playing"


def test_what_the_owner_does_puts_that_off() -> None:
    table = lobby.set_option(lobby_of(ANA, BETO).at(100.0), ANA, "steal_with", "off").at(OWNER_ABSENT_AFTER)
    assert why(lambda: lobby.start(table, BETO)).endswith("or you, in 100 seconds.")


def test_a_moderator_with_a_seat_starts_it() -> None:
    assert lobby.start(lobby_of(ANA, BETO), BETO, moderator=True).status == "playing"


def test_the_owner_hands_the_table_over() -> None:
    assert lobby.hand_over(game_of(ANA, BETO), 1, ANA, moderator=False).owner == BETO


@pytest.mark.parametrize("person", [BETO, EVA])
def test_nobody_else_hands_it_over(person: str) -> None:
    said = why(lambda: lobby.hand_over(game_of(ANA, BETO), 1, person, moderator=False))
    assert said == "Only Ana or a moderator can do that."


def test_a_table_is_not_handed_over_to_a_computer() -> None:
    table = game_of(ANA, BETO, planned_seats=3)
    assert why(lambda: lobby.hand_over(table, 2, ANA, moderator=False)).endswith("Choose a player.")
    table = lobby.leave(table, BETO)
    assert why(lambda: lobby.hand_over(table, 1, ANA, moderator=False)) == (
        "A computer is playing for Beto. Choose another player."
    )


def test_a_rematch_counts_the_games_won() -> None:
    _, new = lobby.rematch(replace(over(ANA, BETO), result=Result.of((7, 4))), BETO, 3)
    assert new.tally == {ANA: 1, BETO: 0}
    second = replace(play_on(lobby.start(new, BETO)), result=Result.of((4, 7)))
    again = lobby.rematch(second, ANA, 4)[1]
    assert again.tally == {ANA: 1, BETO: 1}


def test_a_draw_is_a_win_for_nobody() -> None:
    drawn = replace(over(ANA, BETO), result=Result.of((7, 7)))
    assert lobby.tally_of(drawn) == {ANA: 0, BETO: 0}


def test_a_win_that_some_of_the_players_share_is_one_for_each_of_them() -> None:
    shared = replace(over(ANA, BETO, EVA), result=Result.of((7, 4, 7)))
    assert lobby.tally_of(shared) == {ANA: 1, BETO: 0, EVA: 1}


def test_a_game_that_a_computer_has_won_for_a_player_is_not_theirs() -> None:
    old = over(ANA, BETO)
    assert old.result
    winner = old.result.winners[0]
    held = replace(old.players[winner], level="easy")
    old = replace(old, players=(*old.players[:winner], held, *old.players[winner + 1 :]))
    assert lobby.tally_of(old)[str(held.person)] == 0


def test_a_game_that_was_stopped_counts_for_nobody() -> None:
    old = lobby.end(game_of(ANA, BETO), ANA, moderator=False)
    assert lobby.rematch(old, BETO, 3)[1].tally == {ANA: 0, BETO: 0}


def test_the_games_won_are_counted_anew_when_one_of_the_players_leaves() -> None:
    new = lobby.rematch(over(ANA, BETO), BETO, 3)[1]
    assert new.tally
    assert lobby.leave(new, ANA).tally == {}
    assert lobby.rematch(over(ANA, BETO), BETO, 3, without={ANA})[1].tally == {}


def test_a_player_who_was_kicked_stays_out_of_the_rematch() -> None:
    old = play_on(lobby.kick(game_of(ANA, BETO, EVA), 1, ANA, moderator=False))
    new = lobby.rematch(old, EVA, 3)[1]
    assert people(new) == [ANA, EVA]
    assert why(lambda: lobby.join(new, BETO, "Beto")).startswith("You were removed")


def test_a_rematch_keeps_the_clock_and_what_becomes_of_those_who_vanish() -> None:
    old = play_on(lobby.start(replace(lobby_of(ANA, BETO), clock=90, vanish="forfeit"), ANA))
    new = lobby.rematch(old, BETO, 3)[1]
    assert (new.clock, new.vanish) == (90, "forfeit")


def test_a_stranger_does_not_start_a_game() -> None:
    assert why(lambda: lobby.start(lobby_of(ANA, BETO), EVA)) == "You have no seat at this table."


def test_a_game_starts_once() -> None:
    assert why(lambda: lobby.start(game_of(ANA, BETO), ANA)) == "The game has already begun."


def test_a_table_of_older_rules_is_closed_instead_of_dealt() -> None:
    before = older(lobby_of(ANA))
    table = lobby.start(before, ANA)
    assert (table.ended, kinds(table, before)) == ("updated", ["end"])


def test_a_rematch_seats_the_same_players_at_a_new_table_of_the_same_kind() -> None:
    table = play_on(lobby.start(lobby.set_option(lobby_of(ANA, BETO), ANA, "steal_with", "off"), ANA))
    old, new = lobby.rematch(table, BETO, 5)
    assert (new.key, new.options, new.place, new.number) == (table.key, table.options, table.place, 5)
    assert (new.players, new.owner, new.status) == (table.players, BETO, "lobby")
    assert (new.follows, old.followed) == (table.id, new.id)
    assert new.id != table.id


def test_a_rematch_takes_over_what_the_game_hands_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(games()["casino"]), "carry", lambda game, state: {"dealer": 1})
    _, new = lobby.rematch(over(ANA, BETO), ANA, 1)
    assert (new.carried, new.carried_by) == ({"dealer": 1}, 2)


def test_who_has_left_before_the_end_is_not_seated_and_nothing_is_handed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(games()["casino"]), "carry", lambda game, state: {"dealer": 1})
    _, new = lobby.rematch(play_on(lobby.leave(game_of(ANA, BETO, EVA), BETO)), ANA, 1)
    assert people(new) == [ANA, EVA]
    assert (new.carried, new.carried_by) == ({}, 0)


def test_who_asks_for_a_rematch_is_there_again() -> None:
    _, new = lobby.rematch(play_on(lobby.leave(game_of(ANA, BETO, EVA), BETO)), BETO, 1)
    assert new.players == (Player("Ana", person=ANA), Player("Beto", person=BETO), Player("Eva", person=EVA))


def test_where_somebody_leaves_the_rematch_nothing_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(games()["casino"]), "carry", lambda game, state: {"dealer": 1})
    _, new = lobby.rematch(over(ANA, BETO), ANA, 1)
    assert lobby.join(lobby.leave(new, BETO), EVA, "Eva").carried == {}


def test_a_game_that_was_stopped_hands_nothing_on() -> None:
    _, new = lobby.rematch(lobby.end(game_of(ANA, BETO), ANA, moderator=False), ANA, 1)
    assert (people(new), new.carried_by) == ([ANA, BETO], 0)


def test_there_is_one_rematch() -> None:
    old, _ = lobby.rematch(over(ANA, BETO), ANA, 1)
    assert why(lambda: lobby.rematch(old, BETO, 2)) == "There's already a table for the rematch."


def test_there_is_no_rematch_of_a_running_game() -> None:
    assert why(lambda: lobby.rematch(game_of(ANA, BETO), ANA, 1)) == "The game isn't over yet."


def test_a_stranger_asks_for_no_rematch() -> None:
    said = why(lambda: lobby.rematch(over(ANA, BETO), EVA, 1))
    assert said == "You have no seat at this table."


def test_who_was_kicked_asks_for_no_rematch_and_is_not_seated() -> None:
    table = play_on(lobby.kick(game_of(ANA, BETO), 1, ANA, moderator=False))
    assert (
        why(lambda: lobby.rematch(table, BETO, 1))
        == "You were removed from this table, so you can't come back."
    )
    assert people(lobby.rematch(table, ANA, 1)[1]) == [ANA]


def test_a_rematch_leaves_out_house_rules_that_are_no_more() -> None:
    table = replace(over(ANA, BETO), options={"steal_with": "off", "magnet": "on"})
    assert lobby.rematch(table, ANA, 1)[1].options == {"steal_with": "off"}


def test_there_is_no_rematch_of_a_game_that_is_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    table = lobby.end(lobby_of(ANA), ANA, moderator=False)
    monkeypatch.setattr("bot.tables.lobby.games", dict)
    assert why(lambda: lobby.rematch(table, ANA, 1)) == "This game can no longer be played here."


def test_who_came_and_went_is_told_by_the_log_alone() -> None:
    table = lobby.cut(lobby.kick(full(), 2, ANA, moderator=False), BETO, "cut")
    table = lobby.start(lobby.add_computer(table, BETO), ANA)
    table = lobby.come_back(lobby.leave(table, ANA), ANA)
    table = lobby.kick(table, 1, ANA, moderator=False)
    assert Table.replay(table.entries, table.seed_source) == table


def test_an_owner_who_comes_back_owns_the_table_again() -> None:
    table = lobby.leave(game_of(ANA, BETO), ANA)
    assert table.owner == BETO
    assert lobby.come_back(table, ANA).owner == ANA


def test_an_owner_who_comes_back_does_not_own_a_table_that_was_handed_over() -> None:
    table = lobby.hand_over(lobby.leave(game_of(ANA, BETO, EVA), ANA), 2, BETO, moderator=False)
    assert lobby.come_back(table, ANA).owner == EVA
