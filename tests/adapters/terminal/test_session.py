"""Sessions at one terminal: seats, the keyboard's player, refused lines, rematches, resumed games."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from adapters.terminal import typed_lines
from adapters.terminal.session import Session, resumed_session
from adapters.terminal.setup import Setup
from bot.pages.menus.move_reading import typed
from bot.settings.choices import Language
from bot.tables.log.commitment import ChosenSeed, CommittedSeed, seed_of
from bot.tables.table import Table
from engines import games
from engines.game import IllegalMove, Seat
from engines.values import replace
from tests import luck
from tests.support.clock import VirtualClock
from tests.support.tables import choose

ALONE = Setup("casino", players=3, names=("Ana",), seed="S")
SHARED = Setup("casino", players=3, names=("Ana", "Beto"), seed="S")
THREE = Setup("casino", players=3, names=("Ana", "Beto", "Carla"))


async def play_on(session: Session, moves: int = 1000) -> None:
    """Moves for the awaited seats, computers included, until the table's stamp is ``moves`` or the end."""
    rng = luck.rng(session.table.stamp)
    while not session.table.result and session.table.stamp < moves:
        table = session.table
        seat = table.active()[0]
        move = str(choose(session.game, table.state, seat, "easy", rng))
        await session._change(partial(Table.play, seat=seat, action=move))


def asking(setup: Setup, holder: Seat) -> Session:
    """A session whose three of hearts is in the holder's hand."""
    sessions = (Session(replace(setup, seed=str(n))) for n in range(99))
    return next(
        session
        for session in sessions
        if session.table.state.phase == "exchange" and session.table.active() == (holder,)
    )


def test_people_sit_first_and_computers_take_the_other_seats() -> None:
    session = Session(replace(SHARED, level="easy"))
    assert [(player.name, player.level) for player in session.table.players] == [
        ("Ana", None),
        ("Beto", None),
        ("Lola", "easy"),
    ]
    assert session.people == (0, 1)


def test_no_computer_takes_the_name_of_a_person() -> None:
    assert [player.name for player in Session(replace(ALONE, names=("lola",))).table.players][1:] == [
        "Beto",
        "Nina",
    ]


@pytest.mark.parametrize(("setup", "shared"), [(ALONE, False), (SHARED, True)], ids=["alone", "shared"])
def test_a_keyboard_is_shared_where_several_people_play(setup: Setup, shared: bool) -> None:
    assert Session(setup).shared == shared


def test_words_deal_the_game_and_no_words_seal_it() -> None:
    given = Session(ALONE)
    assert given.table.seed_source == ChosenSeed("S")
    assert given.table.state == games()["casino"].new(3, seed_of("S"), {})
    assert isinstance(Session(replace(ALONE, seed=None)).table.seed_source, CommittedSeed)


def test_an_empty_seed_is_a_chosen_seed_too() -> None:
    assert Session(replace(ALONE, seed="")).table.seed_source == ChosenSeed("")


@pytest.mark.parametrize(
    ("cut", "cuts"),
    [("my words", ((0, "my words"),)), (None, ()), ("", ()), ("  \u200b", ()), ("x" * 99, ((0, "x" * 64),))],
)
def test_the_first_person_cuts(cut: str | None, cuts: tuple[tuple[int, str], ...]) -> None:
    assert Session(replace(ALONE, seed=None, cut=cut)).table.cuts == cuts


def test_where_only_computers_play_nobody_cuts() -> None:
    assert Session(replace(ALONE, names=(), seed=None, cut="my words")).table.cuts == ()


def test_house_rules_reach_the_game() -> None:
    assert Session(replace(ALONE, options={"steal_with": "off"})).table.state.options["steal_with"] == "off"


def test_the_session_says_names_in_its_language_and_letters() -> None:
    say = Session(replace(SHARED, locale="es", letters=True)).say
    assert (say.name(1), say.name(2), say.locale, say.letters) == ("Beto", "Lola", "es", True)


async def test_the_awaited_player_has_the_keyboard_and_nobody_while_computers_play() -> None:
    session = Session(replace(SHARED, options={"exchange": "off"}))
    seen = set()
    while not session.table.result:
        turn = session.table.state.turn
        assert session.at_keyboard() == (None if turn == 2 else turn)
        seen.add(session.at_keyboard())
        await play_on(session, session.table.stamp + 1)
    assert seen == {None, 0, 1}
    assert session.at_keyboard() is None


@pytest.mark.parametrize("holder", [0, 1, 2])
async def test_where_the_holder_is_secret_each_person_is_asked_in_turn(holder: Seat) -> None:
    session = asking(SHARED, holder)
    asked = []
    while (seat := session.at_keyboard()) is not None:
        asked.append(seat)
        if session.game.choices(session.table.state, seat).words:
            await session.play(seat, "exchange no")
        else:
            await session.note_asked(seat)
        if len(asked) == 2:
            break
    assert asked == [0, 1]


def test_who_plays_alone_has_the_keyboard_while_a_computer_may_decide() -> None:
    session = asking(ALONE, 1)
    assert session.at_keyboard() == 0


async def test_after_a_secret_the_turns_go_on() -> None:
    session = asking(THREE, 0)
    await session.play(0, "exchange no")
    for seat in (1, 2):
        assert session.at_keyboard() == seat
        await session.note_asked(seat)
    assert session.table.state.phase == "play"
    assert session.at_keyboard() == session.table.state.turn


async def test_a_secret_answer_is_kept_until_everybody_was_asked() -> None:
    session = asking(THREE, 0)
    await session.play(0, "exchange yes")
    assert (session.table.stamp, session.table.state.phase) == (0, "exchange")
    await session.note_asked(1)
    await session.note_asked(2)
    assert (session.table.stamp, session.table.state.phase) == (1, "play")


async def test_a_forbidden_answer_is_refused_at_once() -> None:
    session = asking(THREE, 0)
    with pytest.raises(IllegalMove):
        await session.play(1, "exchange yes")
    assert session.at_keyboard() == 0


async def test_a_computer_with_the_secret_waits_until_the_people_were_asked() -> None:
    session = asking(replace(SHARED, pace=0), 2)
    session.begin()
    for seat in (0, 1):
        for _ in range(20):
            await asyncio.sleep(0)
        assert session.table.stamp == 0
        await session.note_asked(seat)
    await session.changed(len(session.table.entries))
    assert session.table.state.phase == "play"
    await session.end()


async def test_computers_play_once_the_session_has_begun() -> None:
    clock = VirtualClock()
    # Both computers move before Ana.
    session = Session(replace(ALONE, options={"exchange": "off"}, seed="x", pace=3.0), clock)
    assert session.table.active() == (1,)
    task = session.begin()
    while session.at_keyboard() is None:
        await session.changed(len(session.table.entries))
    assert session.table.active() == (0,)
    assert not task.done()
    assert [2 <= pause <= 4 for pause in clock.slept] == [True, True]
    await session.end()
    assert task.cancelled()


async def test_after_the_end_no_computer_plays() -> None:
    clock = VirtualClock(stopped=True)
    session = Session(ALONE, clock)
    session.begin()
    await clock.settle()
    # The computer is about to move.
    assert clock.slept
    await session.end()
    await session.end()
    await clock.advance(60)
    assert session.table.stamp == 0


async def test_an_end_before_the_beginning_does_no_harm() -> None:
    session = Session(ALONE)
    await session.end()
    assert session.table.stamp == 0


async def test_a_rematch_seats_the_same_players_at_a_new_table() -> None:
    session = Session(ALONE)
    await play_on(session)
    old = session.table
    await session.rematch()
    assert session.table.id != old.id
    assert session.table.follows == old.id
    assert session.table.players == old.players
    assert session.table.stamp == 0
    assert session.table.result is None


def refusal(session: Session, line: str) -> str:
    """The reason why a line of the player at the keyboard is refused."""
    seat = session.at_keyboard()
    assert seat is not None
    action = typed(session.game, session.table.state, seat, line, session.say)
    try:
        session.game.act(session.table.state, seat, action)[0]
    except IllegalMove as illegal:
        return session.say(typed_lines.reason(session, seat, action, illegal))
    raise AssertionError


@pytest.mark.parametrize(
    ("locale", "line", "expected"),
    [
        ("en", "throw", "After “Throw” you can type: "),
        ("es", "tirar", "Después de «Tirar» puedes escribir: "),
        ("en", "capture", "You can't play “Capture” right now. Try: throw "),
        ("es", "capturar", "Ahora no puedes jugar «Capturar». Prueba: tirar "),
        ("en", "99", "There is no 99 in the menu."),
        ("es", "99", "No hay ningún 99 en el menú."),
        ("en", "fly", "That isn't a move in this game. Try: throw "),
    ],
)
def test_the_refusal_of_a_line_says_why_it_is_no_move(locale: Language, line: str, expected: str) -> None:
    setup = Setup("casino", 2, ("Ana",), locale, {"exchange": "off"}, seed="x")
    assert refusal(Session(setup), line).startswith(expected)


@pytest.mark.parametrize(
    ("key", "seed", "locale", "line", "expected"),
    [
        (
            "boathouse",
            "x",
            "en",
            "draw",
            "After “Draw” you can type: from the stock. Try: draw stock",
        ),
        (
            "boathouse",
            "x",
            "es",
            "robar",
            "Después de «Robar» puedes escribir: del mazo. Prueba: robar mazo",
        ),
        (
            "casino",
            "k2",
            "es",
            "cambio si",
            "Esa jugada no existe en este juego. ¿Querías decir «cambiar si»?",
        ),
        ("casino", "k2", "es", "tirar 4H", "Ahora no puedes jugar «Tirar». Prueba: cambiar sí"),
        ("casino", "k2", "es", "cambiar", "Después de «Cambiar» puedes escribir: sí; no. Prueba: cambiar sí"),
    ],
)
def test_what_a_refusal_suggests_is_spelled_in_the_language_of_its_reader(
    key: str, seed: str, locale: Language, line: str, expected: str
) -> None:
    session = Session(Setup(key, 3, ("Ana", "Eva", "Leo"), locale, seed=seed))
    assert refusal(session, line) == expected


def test_all_that_may_follow_a_verb_is_named_as_buttons_name_it() -> None:
    session = Session(Setup("casino", 2, ("Ana",), options={"exchange": "off"}, seed="x"))
    choices = session.game.choices(session.table.state, 0, ("throw",)).words
    view = session.table.view(0)
    labels = "; ".join(session.game.label(view, (word,), session.say) for word in choices[:8])
    assert f"After “Throw” you can type: {labels} …" in refusal(session, "throw")


async def test_a_hint_for_the_first_move_is_none_in_the_rematch() -> None:
    session = Session(Setup("cardlebones", players=2, names=("Ana", "Beto"), seed="S"))
    await session.hint(session.table.active()[0])
    await play_on(session)
    await session.rematch()
    assert [session.hinted(seat) for seat in session.people] == [None, None]


async def test_a_rematch_is_another_deal_but_the_same_each_time() -> None:
    deals = []
    for _ in range(2):
        session = Session(ALONE)
        deals.append(session.table.state.hands)
        await session.rematch()
        deals.append(session.table.state.hands)
        await session.rematch()
        deals.append(session.table.state.hands)
    assert deals[:3] == deals[3:]
    assert len(set(deals)) == 3


async def test_a_game_with_a_committed_seed_is_followed_by_another_such_one() -> None:
    session = Session(replace(ALONE, seed=None))
    first = session.table.seed_source.commitment
    await session.rematch()
    assert session.table.seed_source.commitment not in (None, first)


async def test_a_rematch_takes_over_what_the_game_hands_on(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(ALONE)
    monkeypatch.setattr(type(session.game), "carry", lambda game, state: {"dealer": 2})
    await session.rematch()
    assert (session.table.carried, session.table.carried_by) == ({"dealer": 2}, 3)


async def test_a_rematch_asks_about_secrets_again() -> None:
    session = asking(THREE, 2)
    await session.note_asked(0)
    assert session.at_keyboard() == 1
    while True:
        await session.rematch()
        if session.table.state.phase == "exchange":
            break
    assert session.at_keyboard() == 0


def test_the_menu_bears_the_stamp_of_the_table() -> None:
    session = Session(replace(ALONE, options={"exchange": "off"}))
    seat = session.table.state.turn
    assert session.menu(seat, room=1).stamp == session.table.stamp
    assert {button.done for button in session.menu(seat, room=99).items} == {True}


def test_the_table_is_drawn_as_its_reader_sees_it() -> None:
    session = Session(ALONE)
    assert session.draw(0, 80) != session.draw(None, 80)
    assert max(map(len, session.draw(0, 40).splitlines())) <= 40


@pytest.mark.parametrize("seed", ["S", None], ids=["chosen", "committed"])
async def test_a_game_of_another_day_goes_on_as_it_was(seed: str | None) -> None:
    session = Session(replace(ALONE, seed=seed, options={"exchange": "off"}, level="easy"))
    await play_on(session, 7)
    defaults = Setup("", 0, ("X",), locale="es", pace=0.5)
    again = await resumed_session(defaults, session.table.id, session.service._store, VirtualClock())
    setup = again.setup
    assert (again.table, again.people, again.say.locale) == (session.table, (0,), "es")
    assert (setup.key, setup.players, setup.names, setup.level) == ("casino", 3, ["Ana"], "easy")
    assert (setup.seed, setup.options, setup.pace) == (seed, {"exchange": "off"}, 0.5)
    await play_on(again, 8)
    assert again.table.entries[:-1] == session.table.entries
    await play_on(again)
    await again.rematch()
    assert again.table.players == session.table.players


async def test_computers_play_on_in_a_game_of_another_day() -> None:
    session = Session(replace(ALONE, options={"exchange": "off"}))
    await play_on(session, 1)
    while session.at_keyboard() is not None:
        await play_on(session, session.table.stamp + 1)
    again = await resumed_session(session.setup, session.table.id, session.service._store, VirtualClock())
    again.begin()
    while again.at_keyboard() is None:
        await again.changed(len(again.table.entries))
    assert again.table.stamp > session.table.stamp
    await again.end()


async def test_a_secret_that_was_asked_on_another_day_is_asked_again() -> None:
    session = asking(THREE, 2)
    await session.note_asked(0)
    again = Session(session.setup, table=session.table)
    assert (session.at_keyboard(), again.at_keyboard()) == (1, 0)


@pytest.mark.parametrize(
    "line", ["place {card} {cell}", "place {card} to {cell}", "{card} {cell}", "place {cell}"]
)
def test_a_card_may_be_placed_in_the_words_of_its_button(line: str) -> None:
    session = Session(Setup("cardlebones", 2, ("Ana", "Eva"), seed="x"))
    seat = session.at_keyboard()
    assert seat is not None
    card = session.table.state.drawn
    action = line.format(card=card, cell="a3")
    assert typed(session.game, session.table.state, seat, action, session.say) == "place a3"


def test_an_example_goes_on_from_what_was_typed() -> None:
    session = Session(Setup("casino", 2, ("Ana", "Eva"), options={"exchange": "off"}, seed="x"))
    seat = session.at_keyboard()
    assert seat is not None
    last = list(session.game.moves(session.table.state, seat))[-1]
    assert typed_lines.example(session, seat, str(last)) == str(last)
