"""Questions at a running table: who may ask what, who decides, and how a question ends. One rule per test."""

from __future__ import annotations

import random
from functools import partial

import pytest

from bot.i18n import Speech
from bot.model.ids import PersonId
from bot.model.tables import QuestionKind, Refused
from bot.tables import lobby, questions
from bot.tables.questions import ASK_AGAIN, PATIENCE, SIT_QUESTIONS, ask_to_end, ask_to_sit, vote
from bot.tables.seating import holders
from bot.tables.table import Table
from engines.game import Seat
from engines.values import replace
from tests import luck
from tests.bot.tables import test_lobby
from tests.bot.tables.test_lobby import ANA, BETO, DORA, EVA, kinds, lobby_of, why
from tests.bot.tables.test_table import play_on
from tests.support.news import news_for

RITA, SAM = "p-rita", "p-sam"
IN_GAME = "You already have a seat at this table."

game_of = partial(test_lobby.game_of, key="trio_escalera")


def later(table: Table, seconds: float) -> Table:
    return table.at(table.now + seconds)


def asked(kind: QuestionKind = "end", *people: str) -> Table:
    """A game in which Ana, who owns it, has asked to end it, or Rita for the seat of its computer."""
    people = people or (ANA, BETO, EVA)
    table = game_of(*people, planned_seats=len(people) + (kind == "sit"))
    return ask_to_sit(table, RITA, "Rita") if kind == "sit" else ask_to_end(table, ANA)


def number(table: Table) -> int:
    assert table.question
    return table.question.n


def answered(table: Table, person: PersonId, yes: bool = True) -> Table:
    return vote(table, person, number(table), yes)


def test_questions_of_another_kind_do_not_count_against_one_for_a_seat() -> None:
    table = game_of(ANA, BETO)
    for _ in range(SIT_QUESTIONS):
        table = answered(ask_to_end(later(play_on(table, table.stamp + 1), ASK_AGAIN), BETO), ANA, False)
    table = answered(ask_to_sit(lobby.leave(table, BETO), RITA, "Rita"), ANA)
    table = lobby.leave(table, RITA)
    assert ask_to_sit(later(table, ASK_AGAIN), BETO, "Beto").question


def test_a_game_ends_when_all_agree() -> None:
    table = answered(answered(asked(), BETO), EVA)
    assert (table.ended, table.question) == ("agreed", None)


def test_one_refusal_keeps_the_game_going() -> None:
    table = answered(asked(), BETO, False)
    assert (table.status, table.question) == ("playing", None)


def test_a_player_among_computers_ends_the_game_at_once() -> None:
    assert ask_to_end(game_of(ANA, planned_seats=2), ANA).ended == "agreed"


def test_a_player_whose_seat_a_computer_holds_is_not_asked() -> None:
    table = lobby.leave(game_of(ANA, BETO), BETO)
    assert ask_to_end(table, ANA).ended == "agreed"


def test_the_last_who_was_asked_leaves_and_the_question_is_decided() -> None:
    table = answered(asked(), BETO)
    after = lobby.leave(table, EVA)
    assert (after.ended, kinds(after, table)) == ("agreed", ["hold", "end"])


def test_nobody_answers_their_own_question() -> None:
    assert why(lambda: answered(asked(), ANA)) == "That's your own question: the others answer it."


def test_nobody_answers_twice() -> None:
    table = answered(asked(), BETO)
    assert why(lambda: answered(table, BETO, False)) == "You've already answered."


@pytest.mark.parametrize("person", [RITA, DORA])
def test_a_person_without_a_seat_answers_nothing(person: PersonId) -> None:
    assert why(lambda: answered(asked(), person)) == "You have no seat at this table."


def test_a_player_whose_seat_a_computer_holds_answers_nothing() -> None:
    table = lobby.leave(asked(), BETO)
    assert why(lambda: answered(table, BETO)) == "A computer is playing for you. Take your seat back first."


def test_an_old_button_does_not_answer_a_new_question() -> None:
    first = asked()
    table = later(play_one(answered(first, BETO, False)), ASK_AGAIN)
    table = ask_to_end(table, ANA)
    assert why(lambda: vote(table, BETO, number(first), True)) == "That question is closed."


def test_an_answer_after_the_time_is_refused() -> None:
    table = later(asked(), PATIENCE)
    assert why(lambda: answered(table, BETO)) == "That question is closed."


def test_a_question_is_closed_when_its_time_is_over() -> None:
    table = asked()
    assert questions.lapse(later(table, PATIENCE - 1)).question == table.question
    assert questions.lapse(later(table, PATIENCE)).question is None


def test_a_second_question_is_refused_while_one_is_open() -> None:
    assert (
        why(lambda: ask_to_end(asked(), BETO)) == "Ana has just asked something. Answer that first, then ask."
    )


def test_a_stranger_asks_nothing_while_another_one_waits() -> None:
    assert (
        why(lambda: ask_to_sit(asked("sit"), SAM, "Sam"))
        == "Rita has just asked something. Answer that first, then ask."
    )


def test_a_player_who_asks_again_is_told_that_the_question_is_still_open() -> None:
    assert (
        why(lambda: ask_to_end(play_one(asked("end", ANA, BETO, EVA)), ANA))
        == "Your last question is still open. Wait until the others have answered."
    )


def test_all_are_told_that_a_question_was_not_answered_in_time() -> None:
    table = questions.lapse(later(asked(), PATIENCE))
    assert news_for(table, None)[-1].text.message == "There was no answer in time."


def test_all_are_told_who_would_not_let_a_person_sit_in() -> None:
    table = answered(answered(asked("sit", ANA, BETO, EVA), BETO, False), EVA, False)
    said = Speech("en", ("Ana", "Beto", "Eva", "Lola"))(news_for(table, None)[-1].text)
    assert said == "Beto and Eva say no."


def test_a_lapsed_question_gives_way_to_a_new_one() -> None:
    table = ask_to_end(later(asked(), PATIENCE), BETO)
    assert table.question
    assert table.question.person == BETO


def test_a_lapsed_question_is_not_granted_when_those_who_were_asked_leave() -> None:
    table = lobby.leave(later(asked("end", ANA, BETO), PATIENCE), BETO)
    assert (table.status, table.question) == ("playing", None)


def test_a_player_asks_though_a_stranger_has_asked() -> None:
    table = ask_to_end(asked("sit"), BETO)
    assert table.question
    assert table.question.kind == "end"


def play_one(table: Table) -> Table:
    """The table after one move of any player."""
    seat = table.active()[0]
    return table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))


def test_a_refused_question_is_not_asked_again_before_the_next_move() -> None:
    table = later(answered(asked(), BETO, False), ASK_AGAIN)
    assert why(lambda: ask_to_end(table, ANA)) == "You've just asked. Ask again after the next move."
    assert ask_to_end(play_one(table), ANA).question


def test_a_refused_question_is_not_asked_again_for_two_minutes() -> None:
    table = play_one(answered(asked(), BETO, False))
    assert why(lambda: ask_to_end(later(table, ASK_AGAIN - 1), ANA)) == (
        "You've just asked. Ask again in 1 second."
    )
    assert ask_to_end(later(table, ASK_AGAIN), ANA).question


def test_a_question_ends_with_the_game() -> None:
    assert play_on(asked()).question is None


def test_a_question_ends_when_its_asker_leaves() -> None:
    assert lobby.leave(asked(), ANA).question is None


def test_a_question_does_not_come_back_with_its_asker() -> None:
    assert lobby.come_back(lobby.leave(asked(), ANA), ANA).question is None


def test_the_owner_alone_lets_a_person_sit_in() -> None:
    table = answered(asked("sit"), ANA)
    assert [player.person for player in table.players] == [ANA, BETO, EVA, RITA]
    assert not table.players[3].is_computer


def test_the_owner_alone_refuses_a_person_who_would_sit_in() -> None:
    table = answered(answered(asked("sit"), BETO), ANA, False)
    assert (table.seat_of(RITA), table.question) == (None, None)


def test_a_majority_lets_a_person_sit_in() -> None:
    table = answered(answered(asked("sit"), BETO), EVA)
    assert table.seat_of(RITA) == 3


def away(table: Table, seat: Seat) -> Table:
    """The table after a player has let a turn run out."""
    while seat not in table.away:
        [mover] = table.required()
        table = table.time_out(mover, late=mover == seat)
    return table


def test_a_player_who_is_away_lets_nobody_in() -> None:
    table = answered(ask_to_sit(away(game_of(ANA, BETO, EVA, planned_seats=4), 2), RITA, "Rita"), BETO, False)
    # Beto is half of the players who are there.
    assert (table.seat_of(RITA), table.question) == (None, None)


def test_no_game_is_ended_without_a_player_who_is_away() -> None:
    table = answered(ask_to_end(away(game_of(ANA, BETO, EVA), 2), ANA), BETO)
    assert (table.status, bool(table.question)) == ("playing", True)
    assert answered(table, EVA).ended == "agreed"


def test_half_of_the_players_is_no_majority() -> None:
    table = answered(asked("sit", ANA, BETO), BETO)
    assert (table.seat_of(RITA), bool(table.question)) == (None, True)
    assert answered(asked("sit", ANA, BETO), BETO, False).question is None


def test_the_second_person_at_a_table_brings_the_clock_of_the_game() -> None:
    table = later(asked("sit", ANA), 10_000)
    assert (table.turn_seconds, table.public_deadlines) == (0, {})
    after = answered(ask_to_sit(questions.lapse(table), RITA, "Rita"), ANA)
    assert after.turn_seconds == after.game.turn_seconds > 0
    assert all(at > table.now for at in after.public_deadlines.values())
    assert Table.replay(after.entries, after.seed_source).turn_seconds == after.turn_seconds


def test_a_table_whose_clock_was_turned_off_stays_without_one() -> None:
    table = lobby.start(replace(lobby_of(ANA), clock=0, planned_seats=2, key="trio_escalera"), ANA)
    assert answered(ask_to_sit(table, RITA, "Rita"), ANA).turn_seconds == 0


def test_all_are_told_who_took_over() -> None:
    table = answered(asked("sit"), ANA)
    [event] = news_for(table, None, len(asked("sit").news))
    assert event.text.message == "{new} takes over from {old}."
    assert event.text.args["new"] == "Rita"


def test_a_player_who_took_over_and_was_forgotten_is_named_by_the_seat() -> None:
    # Whoever is forgotten has no name in the log any more.
    table = asked("sit").add("take", 3, person="1234", name="")
    [event] = news_for(table, None, len(asked("sit").news))
    assert Speech("en")(event.text).startswith("Player 4 takes over from ")


def test_nobody_sits_in_where_all_players_have_left() -> None:
    table = lobby.leave(game_of(ANA, planned_seats=2), ANA)
    assert why(lambda: ask_to_sit(table, RITA, "Rita")) == "None of the players is there to let you in."


def test_nobody_sits_in_twice() -> None:
    assert why(lambda: ask_to_sit(answered(asked("sit"), ANA), RITA, "Rita")) == IN_GAME


def test_a_player_asks_for_no_second_seat() -> None:
    assert why(lambda: ask_to_sit(game_of(ANA, BETO, planned_seats=3), BETO, "Beto")) == IN_GAME


def test_a_full_table_has_no_seat_to_take() -> None:
    assert why(lambda: ask_to_sit(game_of(ANA, BETO), RITA, "Rita")) == (
        "Only a computer's seat can be taken. Wait for the next game."
    )


def test_a_player_who_is_there_keeps_the_seat_that_a_stranger_asks_for() -> None:
    assert why(lambda: ask_to_sit(game_of(ANA, BETO, planned_seats=3), RITA, "Rita", 1)) == (
        "Only a computer's seat can be taken. Wait for the next game."
    )


def test_a_person_gets_the_seat_they_asked_for() -> None:
    table = lobby.leave(game_of(ANA, BETO, EVA, planned_seats=4), BETO)
    assert answered(ask_to_sit(table, RITA, "Rita", 1), ANA).seat_of(RITA) == 1


def test_a_held_seat_is_taken_after_those_of_computers() -> None:
    table = lobby.leave(game_of(ANA, BETO, EVA, planned_seats=4), BETO)
    assert questions.free_seats(table) == (3, 1)


def test_a_player_whose_seat_was_taken_gets_no_other() -> None:
    table = lobby.leave(game_of(ANA, BETO, EVA), BETO)
    table = answered(ask_to_sit(table, RITA, "Rita"), ANA)
    table = lobby.leave(table, EVA)
    assert (table.seat_of(BETO), dict(table.former)) == (None, {BETO: 1})
    assert why(lambda: ask_to_sit(table, BETO, "Beto")) == (
        "You've held another seat in this game, so you can only watch it."
    )


def test_a_player_whose_seat_was_taken_may_get_the_same_back() -> None:
    table = lobby.leave(game_of(ANA, BETO, EVA), BETO)
    table = lobby.leave(answered(ask_to_sit(table, RITA, "Rita"), ANA), RITA)
    table = answered(ask_to_sit(later(table, ASK_AGAIN), BETO, "Beto"), ANA)
    assert (table.seat_of(BETO), dict(table.former)) == (1, {RITA: 1})


def test_a_kicked_player_does_not_sit_in() -> None:
    table = lobby.kick(game_of(ANA, BETO, EVA), 1, ANA, moderator=False)
    assert why(lambda: ask_to_sit(table, BETO, "Beto")) == (
        "You were removed from this table, so you can't come back."
    )


def test_a_kicked_player_does_not_sit_in_after_their_seat_was_taken() -> None:
    table = lobby.kick(game_of(ANA, BETO, EVA), 1, ANA, moderator=False)
    table = lobby.leave(answered(ask_to_sit(table, RITA, "Rita"), ANA), RITA)
    assert why(lambda: ask_to_sit(table, BETO, "Beto")) == (
        "You were removed from this table, so you can't come back."
    )


def test_a_question_for_a_seat_ends_when_its_player_returns() -> None:
    table = ask_to_sit(lobby.leave(game_of(ANA, BETO, EVA), BETO), RITA, "Rita")
    assert lobby.come_back(table, BETO).question is None


def test_a_stranger_asks_three_times_at_the_most() -> None:
    table = asked("sit")
    for _ in range(SIT_QUESTIONS - 1):
        table = ask_to_sit(later(answered(table, ANA, False), ASK_AGAIN), RITA, "Rita")
    table = later(answered(table, ANA, False), 10 * ASK_AGAIN)
    assert why(lambda: ask_to_sit(table, RITA, "Rita")) == (
        "You have asked often enough. Join when this game is over."
    )


def test_a_question_for_a_seat_that_gave_way_to_another_is_not_counted() -> None:
    table = asked("sit")
    for _ in range(SIT_QUESTIONS):
        table = answered(ask_to_end(play_one(table), ANA), BETO, False)
        table = ask_to_sit(later(table, ASK_AGAIN), RITA, "Rita")
    assert table.question


def test_a_question_for_a_seat_that_lapsed_unnoticed_is_counted_and_told() -> None:
    table = asked("sit")
    for _ in range(SIT_QUESTIONS - 1):
        table = ask_to_sit(later(table, PATIENCE + ASK_AGAIN), RITA, "Rita")
    assert [
        event.text.message for event in news_for(table, None) if "answer in time" in event.text.message
    ] == ["There was no answer in time."] * 2
    with pytest.raises(Refused, match="often enough"):
        ask_to_sit(later(table, PATIENCE + ASK_AGAIN), RITA, "Rita")


def test_a_player_whose_opponents_were_removed_after_a_question_need_not_wait() -> None:
    table = answered(asked("end", ANA, BETO), BETO, False)
    with pytest.raises(Refused):
        ask_to_end(table, ANA)
    assert ask_to_end(lobby.kick(table, 1, ANA, moderator=False), ANA).status == "over"


def test_a_player_may_ask_to_end_the_game_more_than_three_times() -> None:
    table = asked()
    for _ in range(SIT_QUESTIONS):
        table = ask_to_end(later(play_one(answered(table, BETO, False)), ASK_AGAIN), ANA)
    assert table.question


def test_nothing_is_asked_before_the_start() -> None:
    assert why(lambda: ask_to_end(lobby_of(ANA, BETO), ANA)) == "The cards haven't been dealt yet."


def _acted(table: Table, rng: random.Random, removed: set[PersonId]) -> Table:
    """The table after a random action; adds people who are kicked to ``removed``. Raises `Refused`."""
    person = rng.choice([ANA, BETO, EVA, DORA, RITA, SAM])
    n = rng.choice([table.question.n if table.question else 0, rng.randrange(len(table.entries))])
    action = rng.choice(
        [
            partial(ask_to_end, table, person),
            partial(ask_to_sit, table, person, person),
            partial(vote, table, person, n, rng.random() < 0.8),
            partial(vote, table, person, n, True),
            partial(lobby.leave, table, person),
            partial(lobby.come_back, table, person),
            partial(lobby.join, table, person, person),
            partial(play_one, table),
            partial(questions.lapse, later(table, rng.choice([1, PATIENCE]))),
        ]
    )
    if rng.random() < 0.05:
        seat = rng.randrange(len(table.players))
        after = lobby.kick(table, seat, person, moderator=rng.random() < 0.5)
        removed.update(player.person for player in after.players if player.kicked and player.person)
        return after
    return action()


def _check(table: Table, before: Table, removed: set[PersonId], held: dict[PersonId, int]) -> None:
    """Checks the laws of seats and questions at a running table."""
    people = [player.person for player in table.players if player.person]
    assert len(people) == len(set(people))
    for seat, player in enumerate(table.players):
        if player.person:
            assert held.setdefault(player.person, seat) == seat
            assert player.kicked or player.person not in removed
    assert not any(person in removed for person in holders(table))
    assert table.owner in (*holders(table), None) or not holders(table)
    if question := table.question:
        assert table.is_playing
        assert question.person not in removed
        assert before.question == question or table.entries[-1].kind in ("ask", "vote", "owner")
        player = table.players[question.seat]
        assert player.is_computer if question.kind == "sit" else player.person == question.person
        assert questions.verdict(table, question) is None


@pytest.mark.parametrize("run", range(40))
def test_laws_of_seats_and_questions(run: int) -> None:
    """Nobody holds two seats or returns after a kick; the owner is there; no question outlives its reason."""
    rng, closed = luck.rng(run), 0
    # Some games end before any question is closed.
    for _ in range(100):
        if closed:
            return
        table, removed, held = (
            game_of(ANA, BETO, EVA, planned_seats=4),
            set[PersonId](),
            dict[PersonId, int](),
        )
        for _ in range(400):
            try:
                after = _acted(table, rng, removed)
            except Refused:
                continue
            _check(after, table, removed, held)
            closed += table.question is not None and after.question is None
            table = after
            if table.status == "over":
                break
        replayed = Table.replay(table.entries[:], table.seed_source)
        assert replace(replayed, now=0.0) == replace(table, now=0.0)
    pytest.fail("no question is closed")
