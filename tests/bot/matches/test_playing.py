"""The games of a match: what is the same in all games of a deal, and what is timed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from bot.matches.playing import Contender, DuplicateMatch, computers, play
from bot.matches.scores import standing
from bot.tables.log.commitment import seed_of
from engines import games
from tests.bot.matches.players import First, RandomPlayer, Witness, match_of, random_players
from tests.support.games import every_game


def witnesses(match: DuplicateMatch, number: int) -> Sequence[Witness]:
    """Plays a game of a match; returns its contenders, who remember it."""
    players = [Witness() for _ in match.contenders]
    play(match, lambda _: players, number)
    return players


@every_game
def test_a_player_against_itself_wins_exactly_half(key: str) -> None:
    match = match_of(key)
    score = standing([play(match, random_players, number) for number in range(4)], match.games_of_a_deal)
    assert score
    assert score.wins == (2.0, 2.0)
    assert score.margins == (0.0, 0.0)
    low, high = score.intervals[0]
    assert low < 0.5 < high


@every_game
def test_a_game_among_computers_is_reproducible(key: str) -> None:
    match = DuplicateMatch(key, ("easy",) * games()[key].seats[-1], {}, "S", swaps=False)
    first, again, *others = (
        msgspec.structs.replace(play(match, computers, number), number=0, ms=()) for number in (0, 0, 1, 2, 3)
    )
    assert again == first
    assert any(other != first for other in others)
    assert first.moves > 0


def test_a_normal_computer_beats_one_that_plays_anything() -> None:
    def seating(match: DuplicateMatch) -> Sequence[Contender]:
        return [RandomPlayer(), *computers(DuplicateMatch(match.key, ("normal",), {}, match.seed))]

    match = match_of("casino")
    score = standing([play(match, seating, number) for number in range(10)], match.games_of_a_deal)
    assert score
    assert score.wins[1] > 7
    assert score.margins[1] > 0


def test_all_games_of_a_deal_have_the_same_cards_and_the_same_luck_in_each_seat() -> None:
    first, second = witnesses(match_of("casino"), 4), witnesses(match_of("casino"), 5)
    assert first[0].views[0].hand == second[1].views[0].hand
    assert [player.first_draw for player in first] == [player.first_draw for player in reversed(second)]


def test_another_deal_has_other_cards_and_other_luck() -> None:
    first, second = witnesses(match_of("casino"), 0), witnesses(match_of("casino"), 2)
    assert first[0].views[0].hand != second[0].views[0].hand
    assert len({player.first_draw for player in (*first, *second)}) == 4


def test_two_seats_have_different_luck() -> None:
    first, second = witnesses(match_of("casino"), 0)
    assert first.first_draw != second.first_draw


def test_a_deal_can_be_dealt_elsewhere_from_its_words() -> None:
    match, game = match_of("casino"), games()["casino"]
    assert [match.words(deal) for deal in range(3)] == ["S", "S:1", "S:2"]
    (seen, *_) = witnesses(match, 2)[0].views
    dealt = game.new(2, seed_of("S:1"), {})
    assert {*seen.hand} <= {*game.view(dealt, seen.seat).hand}


def test_contenders_rotate_through_all_seats() -> None:
    match = match_of("casino", 3)
    seats = [[player.views[0].seat for player in witnesses(match, number)] for number in range(3)]
    assert seats == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_scores_and_winners_are_those_of_contenders_not_of_seats() -> None:
    match = match_of("casino", 3)
    by_seat = [play(match, random_players, number) for number in range(3)]
    assert by_seat[1].scores == tuple(by_seat[0].scores[seat] for seat in (1, 2, 0))
    assert {seat for seat in range(3) if (seat + 1) % 3 in by_seat[0].winners} == set(by_seat[1].winners)


def test_without_swaps_every_game_is_a_new_deal() -> None:
    match = match_of("casino", swaps=False)
    assert match.games_of_a_deal == 1
    assert witnesses(match, 1)[0].views[0].hand != witnesses(match, 0)[0].views[0].hand
    assert [player.views[0].seat for player in witnesses(match, 1)] == [0, 1]


@pytest.mark.parametrize(("count", "seats", "deals"), [(1, 2, 1), (2, 2, 1), (400, 2, 200), (400, 3, 134)])
def test_games_are_rounded_up_to_whole_deals(count: int, seats: int, deals: int) -> None:
    assert match_of("casino", seats).deals(count) == deals


def test_a_move_without_a_choice_is_neither_asked_for_nor_timed() -> None:
    match = match_of("cardlebones")
    players = [Witness(), Witness()]
    record = play(match, lambda _: players, 0)
    assert min(players[0].move_counts + players[1].move_counts) == 2
    assert [len(ms) for ms in record.ms] == [len(player.move_counts) for player in players]
    assert sum(map(len, record.ms)) < record.moves


@pytest.mark.usefixtures("throw_in")
def test_only_seats_that_the_game_waits_for_are_asked() -> None:
    game = games()["throw_in"]
    # In the second deal a leader who could throw a card in sits before a player whom the game waits for.
    players = witnesses(match_of("throw_in", 3), 3)
    views = [view for player in players for view in player.views]
    assert any(min(game.awaited(view).may, default=view.seat) < view.seat for view in views)
    assert all(view.seat in game.awaited(view).must for view in views)


def test_a_game_without_an_end_is_cut_and_shared_by_all() -> None:
    record = play(match_of("casino"), lambda _: [First(), First()], 1, most_moves=3)
    assert (record.cut, record.moves, record.scores, record.winners) == (True, 3, (0, 0), (0, 1))
