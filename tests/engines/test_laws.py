"""The laws of the engine contract, over every game found, every number of seats and every house rule."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines import games
from engines.cards import Card, is_card
from engines.drawing import PHONE, cells
from engines.game import Event, IllegalMove, Move, Seat, Text
from engines.values import Value, fields_of, replace
from tests import luck
from tests.engines.playing import (
    AnyGame,
    Setup,
    awaited,
    cards_in,
    cards_named,
    declared,
    label,
    sample,
    setups,
    some_states,
    some_steps,
    spelled,
    states,
    steps,
)
from tests.golden import ROOT
from tests.support.games.throw_in import rules as throw_in

NAMES = ("Ana", "Bartolomé Sánchez", "李小龍", "d", "Eva", "Федор")
WIDTHS = (28, 29, 34, 40, 55, 80, 100, 109, 120, 200)

MANY, FEW = 40, 12
"""The most states or steps of a game that most laws look at besides the first and last; costly ones at few.

In the long mode they look at all.
"""

GAMES = {**games(), throw_in.game.key: throw_in.game}
"""The games found, and one in which several may act at once."""
TABLES = [table for game in GAMES.values() for table in setups(game)]


# The scope has pytest run the tests of a table one after the other, so that one worker plays its games.
every_table = pytest.mark.parametrize("table", TABLES, ids=label, scope="module")
PROTOCOLS = sorted((ROOT / "engines").glob("*/PROTOCOL.md"))
every_game = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))


def test_there_are_games() -> None:
    assert len(games()) >= 2
    assert all(key == game.key for key, game in games().items())


def phrases(table: Setup, state: Any, seat: Seat, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Everything that choices lets a seat spell, but for wide verbs."""
    following, done = table.game.choices(state, seat, words)
    if done:
        yield words
    for word in following:
        if words or word not in table.game.wide:
            yield from phrases(table, state, seat, (*words, word))


@every_table
def test_choices_spell_the_moves(table: Setup) -> None:
    for state in some_states(table, luck.rng(), MANY):
        for seat in range(table.seats):
            moves = list(table.game.moves(state, seat))
            listed = [move for move in moves if move.verb not in table.game.wide]
            chosen = [Move(verb, tuple(words)) for verb, *words in phrases(table, state, seat)]
            assert sorted(map(str, chosen)) == sorted(map(str, listed))
            assert len(set(moves)) == len(moves)


wide_tables = pytest.mark.parametrize(
    "table", [table for table in TABLES if table.game.wide], ids=label, scope="module"
)


@wide_tables
def test_choices_lead_to_every_suggested_move(table: Setup) -> None:
    for state in some_states(table, luck.rng(), FEW):
        for seat in range(table.seats):
            for move in table.game.moves(state, seat):
                words = (move.verb, *move.words)
                for n in range(len(words)):
                    assert words[n] in table.game.choices(state, seat, words[:n]).words
                assert table.game.choices(state, seat, words).done


@wide_tables
def test_what_choices_spell_with_a_wide_verb_is_accepted_in_any_order(table: Setup) -> None:
    rng = luck.rng()
    for state in some_states(table, rng, FEW):
        for seat in range(table.seats):
            for _ in range(3):
                if move := spelled(table, state, seat, rng):
                    after = table.game.apply(state, seat, move)
                    named = [word for word in move.words if is_card(word)]
                    others = [word for word in move.words if word not in named]
                    shuffled = Move(move.verb, (*others, *rng.sample(named, len(named))))
                    assert table.game.apply(state, seat, shuffled) == after


@every_table
def test_every_move_is_accepted(table: Setup) -> None:
    for state in some_states(table, luck.rng(), FEW):
        for seat in range(table.seats):
            for move in table.game.moves(state, seat):
                table.game.apply(state, seat, move)
                assert move.verb in table.game.verbs


@every_table
def test_what_choices_do_not_spell_is_refused(table: Setup) -> None:
    rng = luck.rng()
    for step in some_steps(table, rng, MANY):
        seen = {word for seat in range(table.seats) for word in words_around(table, step.before, seat)}
        vocabulary = sorted(seen | set(cards_in(step.before)))
        for seat in range(table.seats):
            for _ in range(3):
                move = Move(
                    rng.choice(table.game.verbs),
                    tuple(rng.choice(vocabulary) for _ in range(rng.randrange(4))),
                )
                assert accepts(table, step.before, seat, move) == spells(table, step.before, seat, move)


def words_around(table: Setup, state: Any, seat: Seat) -> set[str]:
    return {word for move in list(table.game.moves(state, seat))[:50] for word in move.words}


def accepts(table: Setup, state: Any, seat: Seat, move: Move) -> bool:
    try:
        table.game.apply(state, seat, move)
    except IllegalMove:
        return False
    return True


def spells(table: Setup, state: Any, seat: Seat, move: Move) -> bool:
    return table.game.choices(state, seat, (move.verb, *move.words)).done


@every_table
def test_the_awaited_are_those_who_have_choices(table: Setup) -> None:
    """Every seat that has choices is named; a seat without any is named only where that is a secret."""
    for state in some_states(table, luck.rng(), MANY):
        deciding = set(awaited(table, state))
        for reader in (None, *range(table.seats)):
            must, may, secret = table.game.awaited(table.game.view(state, reader))
            assert sorted({*must, *may}) == sorted((*must, *may))
            assert deciding <= {*must, *may}
            assert secret or {*must, *may} <= deciding
            assert reader is None or (reader in deciding) == (reader in (*must, *may))


@every_table
def test_the_public_knows_who_must_act_unless_that_is_secret(table: Setup) -> None:
    """Clocks follow the public view: it names all seats that must act, and no other unless that is secret."""
    for state in some_states(table, luck.rng(), MANY):
        public = table.game.awaited(table.game.view(state, None))
        own = seats_that_must_act(table, state)
        assert set(own) <= set(public.must)
        assert public.secret or sorted(own) == sorted(public.must)


@every_table
def test_a_game_goes_on_exactly_while_a_seat_must_act_and_a_seat_has_choices(table: Setup) -> None:
    for state in states(table, luck.rng()):
        goes_on = table.game.result(state) is None
        assert bool(table.game.awaited(table.game.view(state, None)).must) == goes_on
        assert bool(awaited(table, state)) == goes_on


@every_table
def test_timeouts_alone_end_the_game(table: Setup) -> None:
    state, turns = table.begin(), 0
    while table.game.result(state) is None:
        seat = seats_that_must_act(table, state)[0]
        before = table.game.turns(state)
        for _ in range(50):
            state, _events = table.game.apply(state, seat, table.game.timeout(state, seat))
            if table.game.turns(state) != before or seat not in seats_that_must_act(table, state):
                break
        else:
            pytest.fail("a turn of timeouts does not end")
        turns += 1
        assert turns < 3000, "timeouts alone do not end the game"


def seats_that_must_act(table: Setup, state: Any) -> list[Seat]:
    """The seats that must act, each by its own view."""
    views = (table.game.view(state, seat) for seat in range(table.seats))
    return [seat for seat, view in enumerate(views) if seat in table.game.awaited(view).must]


@every_table
def test_cards_are_conserved(table: Setup) -> None:
    last: set[Card] = set()
    for state in states(table, luck.rng()):
        position = table.game.dump(state)
        mentions = declared(table.game.key, "MENTIONS")
        dumped = [word for word in nested_values(position, mentions) if is_card(str(word))]
        # A field of a single card may say which of the cards in a list it is.
        for word in position.values():
            if isinstance(word, str) and dumped.count(word) == 2:
                dumped.remove(word)
        assert len(dumped) == len(set(dumped))
        assert not last or set(dumped) == last
        assert set(dumped) == cards_in(state)
        last = set(dumped)


def nested_values(value: Any, left_out: Container[str] = ()) -> Iterator[Any]:
    """Every value in a position that is no list or object, without those of the fields in ``left_out``."""
    if isinstance(value, dict):
        value = [inside for name, inside in value.items() if name not in left_out]
    if isinstance(value, list):
        for inside in value:
            yield from nested_values(inside, left_out)
    else:
        yield value


@every_table
def test_questions_change_nothing(table: Setup) -> None:
    say = Speech("en", NAMES)
    for state in some_states(table, luck.rng(), FEW):
        before = repr(state)
        ask_questions(table, state, say)
        assert repr(state) == before


def ask_questions(table: Setup, state: Any, say: Speech) -> None:
    game = table.game
    game.result(state), game.carry(state), game.turns(state), game.dump(state)
    for seat in (None, *range(table.seats)):
        view = game.view(state, seat)
        game.draw(view, say, 80), game.message(view), game.awaited(view), game.imagine(view, luck.rng())
        for move in () if seat is None else game.moves(state, seat):
            game.label(view, (move.verb, *move.words), say), game.write_json(state, seat or 0, move)


@every_table
def test_a_view_is_what_its_imagined_states_show(table: Setup) -> None:
    for number, state in enumerate(some_states(table, luck.rng(), MANY)):
        for seat in (None, *range(table.seats)):
            view = table.game.view(state, seat)
            imagined = table.game.imagine(view, luck.rng(number))
            assert table.game.view(imagined, seat) == view


@every_table
def test_what_cannot_be_deduced_is_imagined_in_several_ways(table: Setup) -> None:
    """If another seat sees some but not all cards unseen by one, its view differs in some imagined state."""
    game = table.game
    for state in some_states(table, luck.rng(), FEW):
        for seat in range(table.seats):
            view = game.view(state, seat)
            unseen = cards_in(state) - cards_in(view)
            for other in set(range(table.seats)) - {seat}:
                hidden = cards_in(game.view(state, other)) - cards_in(view)
                if hidden and len(unseen) > len(hidden):
                    guesses = (game.view(game.imagine(view, luck.rng(guess)), other) for guess in range(20))
                    assert any(guess != game.view(state, other) for guess in guesses)


@every_table
def test_everything_public_follows_from_the_public_view(table: Setup) -> None:
    game, say = table.game, Speech("es", NAMES)
    for number, state in enumerate(some_states(table, luck.rng(), MANY)):
        view = game.view(state, None)
        other = game.imagine(view, luck.rng(number))
        public = public_part(state, view)
        assert fields_of(public, state) == fields_of(public, view) == fields_of(public, other)
        assert game.turns(other) == game.turns(state)
        assert game.result(other) == game.result(state)
        assert game.message(game.view(other, None)) == game.message(view)
        assert game.awaited(game.view(other, None)) == game.awaited(view)
        assert game.draw(game.view(other, None), say, 80) == game.draw(view, say, 80)


def public_part(state: Value, view: Value) -> type[Value]:
    """The record that a game's state and its views have in common."""
    return next(kind for kind in type(state).__mro__ if issubclass(type(view), kind))


@every_game
def test_states_and_views_share_their_public_fields(game: AnyGame) -> None:
    state = game.new(game.seats[0], b"seed", {})
    view = game.view(state, None)
    assert public_part(state, view).__struct_fields__


@every_table
def test_hands_are_hidden_where_the_game_says_so(table: Setup) -> None:
    def seen(state: Any, reader: Seat | None) -> set[Card]:
        return cards_in(table.game.view(state, reader))

    own = False
    for state in some_states(table, luck.rng(), MANY):
        public = seen(state, None)
        own = own or any(seen(state, seat) != public for seat in range(table.seats))
    assert own == table.game.hidden


@every_table
def test_what_a_seat_is_answered_follows_from_its_view(table: Setup) -> None:
    game, rng = table.game, luck.rng()
    for number, state in enumerate(some_states(table, rng, FEW)):
        for seat in range(table.seats):
            other = game.imagine(game.view(state, seat), luck.rng(number))
            moves = list(game.moves(state, seat))
            assert list(game.moves(other, seat)) == moves
            assert game.choices(other, seat) == game.choices(state, seat)
            for move in rng.sample(moves, min(len(moves), 3)):
                words = (move.verb, *move.words)
                for n in range(1, len(words) + 1):
                    assert game.choices(other, seat, words[:n]) == game.choices(state, seat, words[:n])
            if game.choices(state, seat).words:
                assert game.timeout(other, seat) == game.timeout(state, seat)
            vocabulary = sorted(cards_in(state)) + sorted(words_around(table, state, seat)) + ["nonsense"]
            for verb in game.verbs:
                words = tuple(rng.choice(vocabulary) for _ in range(rng.randrange(4)))
                assert refusal(table, other, seat, Move(verb, words)) == refusal(
                    table, state, seat, Move(verb, words)
                )


def refusal(table: Setup, state: Any, seat: Seat, move: Move) -> str | None:
    try:
        table.game.act(state, seat, str(move))
    except IllegalMove as illegal:
        return illegal.code
    return None


@every_table
def test_events_name_only_cards_that_their_readers_see(table: Setup) -> None:
    before = Shown(table, table.begin())
    deck = cards_in(before.state)
    assert_named_cards_are_visible(deck, before, before, table.game.opening(before.state))
    for step in steps(table, luck.rng()):
        after = Shown(table, step.after)
        assert_named_cards_are_visible(deck, before, after, step.events)
        before = after


class Shown:
    """The cards that each reader sees of a state; each set is computed at most once."""

    def __init__(self, table: Setup, state: Any) -> None:
        self.table = table
        self.state = state
        self._seen: dict[Seat | None, set[Card]] = {}

    def seen(self, reader: Seat | None) -> set[Card]:
        if reader not in self._seen:
            self._seen[reader] = cards_in(self.table.game.view(self.state, reader))
        return self._seen[reader]


def assert_named_cards_are_visible(
    deck: set[Card], before: Shown, after: Shown, events: tuple[Event, ...]
) -> None:
    for event in events:
        # A group's letters may look like a card: AC is no card of a game whose cards have backs.
        if named := cards_named(event) & deck:
            for reader in (None, *range(before.table.seats)) if event.to is None else (event.to,):
                assert named <= before.seen(reader) | after.seen(reader)


@every_table
def test_replaying_the_log_gives_an_equal_state(table: Setup) -> None:
    played = list(steps(table, luck.rng()))
    state = table.begin()
    assert state == played[0].before
    for step in played:
        move, state, events = table.game.act(state, step.seat, str(step.move))
        assert (move, state, events) == (step.move, step.after, step.events)
    assert state == played[-1].after


@every_table
def test_a_position_can_be_written_and_read(table: Setup) -> None:
    game = table.game
    for state in some_states(table, luck.rng(), MANY):
        position = game.dump(state)
        assert json.loads(json.dumps(position)) == position
        assert game.dump(game.load(position, table.seats, table.options)) == position


@every_table
def test_a_position_with_a_negative_number_is_refused(table: Setup) -> None:
    for state in some_states(table, luck.rng(), FEW):
        position = table.game.dump(state)
        for name, value in position.items():
            if type(value) is int:
                with pytest.raises(ValueError, match=name):
                    table.game.load({**position, name: -1}, table.seats, table.options)


@every_table
def test_a_position_with_a_card_twice_in_any_field_is_refused(table: Setup) -> None:
    for state in some_states(table, luck.rng(), FEW):
        if table.game.result(state) is None:
            position = table.game.dump(state)
            for doubled in with_a_card_twice(position):
                with pytest.raises(ValueError, match=r"more than once|boards|builds|cards|melds"):
                    table.game.load(doubled, table.seats, table.options)


def with_a_card_twice(value: Any) -> Iterator[Any]:
    """The value once for each list of cards in it, with the first of these cards again at the end."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield from ({**value, name: doubled} for doubled in with_a_card_twice(inside))
    elif isinstance(value, list):
        if value and all(isinstance(word, str) and is_card(word) for word in value):
            yield [*value, value[0]]
        for n, inside in enumerate(value):
            yield from ([*value[:n], doubled, *value[n + 1 :]] for doubled in with_a_card_twice(inside))


@every_table
def test_text_and_message_mean_the_same_move(table: Setup) -> None:
    game = table.game
    for step in some_steps(table, luck.rng(), MANY):
        message = game.write_json(step.before, step.seat, step.move)
        assert json.loads(json.dumps(message)) == message
        assert Move.parse(str(step.move)) == step.move
        assert game.act(step.before, step.seat, message)[0] == step.move
        assert game.act(step.before, step.seat, str(step.move).lower())[0] == step.move


@every_table
def test_a_message_for_another_seat_is_refused(table: Setup) -> None:
    for step in some_steps(table, luck.rng(), FEW):
        message = table.game.write_json(step.before, step.seat, step.move)
        for stranger in ({**message, "playerId": f"p{table.seats + 1}"}, {**message, "playerId": None}):
            with pytest.raises(IllegalMove, match=r"^not-your-seat$"):
                table.game.act(step.before, step.seat, stranger)


@every_table
def test_every_action_is_refused_after_the_end(table: Setup) -> None:
    *_, last = steps(table, luck.rng())
    for action in ("", "nonsense", str(last.move), {}, {"type": "nonsense", "playerId": "p9"}):
        with pytest.raises(IllegalMove, match=r"^game-over$"):
            table.game.act(last.after, last.seat, action)


@every_table
def test_scores_are_one_a_seat_and_winners_are_one_or_more_seats(table: Setup) -> None:
    *_, last = steps(table, luck.rng())
    result = table.game.result(last.after)
    assert result is not None
    assert len(result.scores) == table.seats
    assert result.winners, "shares of a win are divided by the number of winners"
    assert set(result.winners) <= set(range(table.seats))
    assert list(result.winners) == sorted(set(result.winners))


@every_table
def test_points_are_one_a_seat_and_those_of_the_result_at_the_end(table: Setup) -> None:
    *played, last = steps(table, luck.rng())
    result = table.game.result(last.after)
    assert result is not None
    for step in played[:: len(played) // FEW + 1]:
        assert len(table.game.points(table.game.view(step.after, None))) in (0, table.seats)
    assert table.game.points(table.game.view(last.after, None)) in ((), result.scores)


@every_table
def test_every_drawing_fits_in_every_language(table: Setup) -> None:
    rng = luck.rng()
    for state in some_states(table, rng, 3):
        for seat in (None, *range(table.seats)):
            view = table.game.view(state, seat)
            for locale, width, height in sample(product(LANGUAGES, WIDTHS, (None, 10)), rng, 8):
                assert_fits(table.game.draw(view, Speech(locale, NAMES), width, height), width)


@every_table
def test_every_drawing_fits_whatever_pictures_its_reader_prefers(table: Setup) -> None:
    for state in some_states(table, luck.rng(), 3):
        for seat in (None, *range(table.seats)):
            view = table.game.view(state, seat)
            assert_fits(table.game.draw(view, Speech("es", NAMES, pictures="boxes"), PHONE), PHONE)
            for width in (PHONE, max(WIDTHS)):
                lines = table.game.draw(view, Speech("es", NAMES, pictures="lines"), width)
                assert_fits(lines, width)
                assert "'---" not in lines, "a card is drawn as a box"


class Changing:
    """A `Say` that is no `Value`: it writes as the `Speech` in ``say``, which a test may replace."""

    def __init__(self, say: Speech) -> None:
        self.say = say

    def __call__(self, text: Text) -> str:
        return self.say(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.say, name)


@every_table
def test_a_say_that_changes_or_has_no_hash_writes_as_any_other(table: Setup) -> None:
    changing, later = Changing(Speech("en", NAMES)), Speech("es", NAMES[::-1], letters=True)
    for state in some_states(table, luck.rng(), 3):
        for seat in (None, *range(table.seats)):
            view = table.game.view(state, seat)
            moves = [] if seat is None else list(table.game.moves(state, seat))[:FEW]
            for say in (Speech("en", NAMES), later):
                changing.say = say
                listing = replace(say, names=list(say.names))  # type: ignore[arg-type]
                for other in (changing, listing):
                    for width in (PHONE, 80):
                        assert table.game.draw(view, other, width) == table.game.draw(view, say, width)
                    for move in moves:
                        words = (move.verb, *move.words)
                        assert table.game.label(view, words, other) == table.game.label(view, words, say)


def assert_fits(drawing: str, width: int) -> None:
    assert drawing.strip()
    assert max(map(cells, drawing.splitlines())) <= width
    assert drawing.replace("\n", "").isprintable()
    assert width > 28 or len(drawing) <= 1500


@every_table
def test_messages_name_only_cards_that_their_view_holds(table: Setup) -> None:
    game, seen = table.game, set()
    for state in some_states(table, luck.rng(), MANY):
        for reader in (None, *range(table.seats)):
            view = game.view(state, reader)
            message = game.message(view)
            named = cards_named(message)
            assert named <= cards_in(view)
            assert json.loads(json.dumps(message)) == message
            seen |= named
    assert seen


@every_table
def test_the_seed_shows_nowhere(table: Setup) -> None:
    for state in some_states(table, luck.rng(), FEW):
        shown = [repr(state), repr(table.game.dump(state))]
        shown += [repr(table.game.view(state, seat)) for seat in (None, *range(table.seats))]
        assert not any(repr(table.seed)[2:-1] in text or table.seed.hex() in text for text in shown)


@every_game
def test_states_and_views_are_frozen(game: AnyGame) -> None:
    state = game.new(game.seats[0], b"seed", {})
    for value in (state, game.view(state, 0)):
        with pytest.raises(AttributeError):
            value.turn = 1


@every_table
def test_every_move_and_its_beginnings_have_a_label_in_every_language(table: Setup) -> None:
    speeches = [Speech(locale, NAMES) for locale in LANGUAGES]
    for step in some_steps(table, luck.rng(), FEW):
        view = table.game.view(step.before, step.seat)
        for move in table.game.moves(step.before, step.seat):
            words = (move.verb, *move.words)
            labelled = [*(words[:n] for n in range(1, len(words) + 1)), *((word,) for word in words)]
            labels = [table.game.label(view, phrase, say) for phrase in labelled for say in speeches]
            assert all(label.strip() and "{" not in label for label in labels)


@every_game
def test_every_house_rule_has_words(game: AnyGame) -> None:
    names = [option.name for option in game.options]
    assert len(set(names)) == len(names)
    for option in game.options:
        assert len(option.values) > 1
        assert option.default == next(iter(option.values))
        for text in (option.text, *option.values.values()):
            assert all(Speech(locale)(text).strip() for locale in LANGUAGES)


@pytest.mark.parametrize("locale", LANGUAGES)
@every_game
def test_the_rules_are_there_in_every_language(game: AnyGame, locale: Any) -> None:
    rules = game.help(Speech(locale))
    assert rules.startswith("# ")
    assert game.help(Speech("en")) == rules or locale != "en"


@pytest.mark.parametrize("locale", LANGUAGES)
@every_game
def test_house_rules_are_explained_under_the_labels_of_their_buttons(game: AnyGame, locale: Any) -> None:
    say = Speech(locale)
    rules = game.help(say)
    assert [option.name for option in game.options if say(option.text) not in rules] == []


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.parent.name)
def test_house_rules_explain_every_value_under_its_label(protocol: Path, locale: Any) -> None:
    game, say = games()[protocol.parent.name], Speech(locale)
    for option in game.options:
        explained = game.help(say).split(f"- **{say(option.text)}**")[1].split("\n- ")[0].split("\n## ")[0]
        labels = [label for text in option.values.values() if not (label := say(text)).isdigit()]
        assert [label for label in labels if f"  - **{label}**: " not in explained] == []


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.parent.name)
def test_names_for_programs_stand_in_the_protocol_and_not_in_the_rules(protocol: Path) -> None:
    game, text = games()[protocol.parent.name], protocol.read_text("utf-8")
    named = [*(option.name for option in game.options), *game.verbs]
    assert [name for name in named if f"`{name}" not in text] == []
    assert [option.name for option in game.options if f"`{option.name}`" in game.help(Speech("en"))] == []


@pytest.mark.parametrize("locale", LANGUAGES)
@every_game
def test_the_rules_are_for_players(game: AnyGame, locale: Any) -> None:
    """They name no identifiers or messages, do not discuss their source, and have no heading on clocks."""
    rules = game.help(Speech(locale))
    assert re.findall(r"\w*_\w*|JSON|playerId|\bp[1-6]\b|[{}]", rules) == []
    assert re.findall(r"(?i)\b(?:the source|ruling|la fuente|criterio)\b", rules) == []
    assert re.findall(r"^#.*(?:clock|reloj|tiempo)", rules, re.MULTILINE) == []


@every_game
def test_rules_differ_between_languages(game: AnyGame) -> None:
    assert len({game.help(Speech(locale)) for locale in LANGUAGES}) == len(LANGUAGES)


@every_game
def test_wrong_seats_and_options_are_refused(game: AnyGame) -> None:
    for seats, options in (
        (game.seats[-1] + 1, {}),
        (game.seats[0] - 1, {}),
        (game.seats[0], {"no": "such"}),
    ):
        with pytest.raises(ValueError, match=game.key):
            game.new(seats, b"seed", options)


@every_game
@settings(max_examples=15, deadline=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
@given(seed=st.binary(min_size=1, max_size=40), number=st.integers())
def test_computers_end_every_game(game: AnyGame, seed: bytes, number: int) -> None:
    rng = luck.rng(number)
    table = Setup(game, rng.choice(game.seats), {}, seed)
    state = table.begin()
    for _ in range(3000):
        if game.result(state) is not None:
            break
        seat = awaited(table, state)[0]
        moves = list(game.moves(state, seat))
        move = game.think(game.view(state, seat), moves, rng)
        # For a wide verb `moves` only suggests some; `apply` refuses a move that is not legal.
        assert move in moves or move.verb in game.wide
        state, _ = game.apply(state, seat, move)
    assert game.result(state) is not None


@every_game
def test_the_same_seed_gives_the_same_game(game: AnyGame) -> None:
    seats = game.seats[0]
    assert game.new(seats, b"one", {}) == game.new(seats, b"one", {})
    assert game.new(seats, b"one", {}) != game.new(seats, b"two", {})


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@every_game
@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=40), json=JSON, number=st.integers(0, 99))
def test_whatever_is_sent_is_a_move_or_refused(game: AnyGame, text: str, json: Any, number: int) -> None:
    """Nonsense never raises anything but a refusal with a code and words."""
    table = Setup(game, game.seats[0], {}, b"seed")
    state = table.begin()
    seat = awaited(table, state)[0]
    fields = message_fields(game.key)
    head = {"playerId": f"p{seat + 1}", fields[number % len(fields)]: json}
    for action in (
        text,
        json,
        {"playerId": json, "type": text},
        {"playerId": f"p{seat + 1}", "type": json},
        *(f"{verb} {text}" for verb in game.verbs),
        *({"type": verb, **head} for verb in game.verbs),
    ):
        answer = read_or_refuse(game, state, seat, action)
        assert isinstance(answer, str) or answer in game.moves(state, seat) or answer.verb in game.wide


NESTED: list[Any] = []
for _ in range(10_000):
    NESTED = [NESTED]
JUNK: tuple[Any, ...] = (None, True, 3, 2.5, b"x", "", [], ["draw"], [[]], (), {1: 2})
NO_ACTIONS: dict[str, Any] = {
    **{repr(junk): junk for junk in JUNK},
    "nested": NESTED,
    "a huge number": 10**5000,
    "a huge text": "x" * 100_000,
}


@every_game
@pytest.mark.parametrize("junk", NO_ACTIONS.values(), ids=NO_ACTIONS)
def test_what_is_no_action_is_refused_as_malformed(game: AnyGame, junk: Any) -> None:
    table = Setup(game, game.seats[0], {}, b"seed")
    state = table.begin()
    seat = awaited(table, state)[0]
    head: dict[Any, Any] = {"playerId": f"p{seat + 1}", "type": game.verbs[0]}
    for action in ({**head, "type": junk}, {**head, "nonsense": junk}, {**head, 1: junk}):
        with pytest.raises(IllegalMove, match=r"^unknown-action$"):
            game.act(state, seat, action)
    with pytest.raises(IllegalMove, match=r"^not-your-seat$"):
        game.act(state, seat, {**head, "playerId": junk})
    with pytest.raises(IllegalMove, match=r"^(not-your-seat|unknown-action)$"):
        game.act(state, seat, junk)


@cache
def message_fields(key: str) -> list[str]:
    """The fields of the messages of a game's moves, without type and sender, and one that no message has."""
    game = GAMES[key]
    played = steps(Setup(game, game.seats[0], {}, b"seed"), luck.shared(game.key))
    messages = [game.write_json(step.before, step.seat, step.move) for step in played]
    fields = {field for message in messages for field in message}
    return sorted(fields - {"type", "playerId"} | {"nonsense"})


def read_or_refuse(game: AnyGame, state: Any, seat: Seat, action: Any) -> Move | str:
    try:
        return game.act(state, seat, action)[0]
    except IllegalMove as illegal:
        return illegal.code + Speech("es")(illegal.reason)
