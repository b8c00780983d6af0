"""Files of finished games: the examples in `vectors/` are read and proved; no hostile file does harm."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from bot.i18n import Speech
from bot.model.tables import Player
from bot.replays.checks import Verdict, findings, is_proved
from bot.replays.export import game_file
from bot.replays.frames import frames
from bot.replays.game_file import BYTES, GameFile, NotReadable, read, written
from bot.replays.readable import heading
from bot.tables.analysis import played_moves
from bot.tables.log.commitment import canonical
from bot.tables.table import Table
from engines.values import replace
from tests import luck
from tests.bot.replays.make_vectors import VECTORS, files, odd_ends, played, vectors

PATHS = sorted(VECTORS.glob("*.json"))
every_vector = pytest.mark.parametrize("name", [path.stem for path in PATHS])


def content(name: str) -> bytes:
    return (VECTORS / f"{name}.json").read_bytes()


def changed(name: str, **members: Any) -> GameFile:
    """The file of a vector with other members."""
    return read(json.dumps({**json.loads(content(name)), **members}).encode())


def verdicts(file: GameFile) -> list[Verdict]:
    return [finding.verdict for finding in findings(file)]


def last_sentence(file: GameFile) -> str:
    return list(findings(file))[-1].text.message


def test_the_vectors_are_those_of_make_vectors() -> None:
    assert {path.stem for path in PATHS} == {
        *(vector.name for vector in vectors()),
        *(name for name, _ in odd_ends()),
    }


@every_vector
def test_a_vector_reads_back_and_is_proved(name: str) -> None:
    file = read(content(name))
    assert written(file) == content(name)
    found = list(findings(file))
    assert is_proved(found)
    assert len(found) >= 2


def test_steps_tell_which_moves_the_clock_made_and_their_seconds_since_the_deal() -> None:
    table = Table.open("casino", {"exchange": "off"}, clock=60).at(70.0)
    for person in ("ana", "beto"):
        table = table.sit(Player(person.title(), person=person))
    table = table.at(100.0).start().at(130.0)
    seat = table.required()[0]
    table = table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))
    table = table.at(150.0).time_out(table.required()[0])
    steps = game_file(table.add("end", reason="stopped")).steps
    assert [(step.clock, step.at) for step in steps] == [(False, 30.0), (True, 50.0)]


@every_vector
def test_a_change_to_any_checked_member_is_found(name: str) -> None:
    whole = json.loads(content(name))
    other = "0" * 64
    changes: dict[str, Any] = {"seed": other, "commitment": other, "words": "mine"}
    # A file without a line is of a game that was not dealt, or from chosen words: nothing depends on these.
    if whole["line"]:
        changes |= {"id": "ffffffffff", "options": {"no": "such"}, "carry": {"dealer": 7}}
        changes |= {"revision": 99, "line": whole["line"] + " ", "result": {"scores": [1], "winners": [0]}}
        changes["seats"] = [*whole["seats"], {"name": "Eve", "cuts": []}]
        changes["position"] = {**whole["position"], "turn": 98}
        changes["steps"] = [*whole["steps"], {"seat": 0, "move": "throw AS"}]
        changes["game"] = "casino" if whole["game"] != "casino" else "svoi"
    for member, value in changes.items():
        assert not is_proved(list(findings(changed(name, **{member: value})))), member


def test_a_changed_cut_is_found() -> None:
    whole = json.loads(content("casino-cuts"))
    whole["seats"][0]["cuts"] = ["other words"]
    assert last_sentence(changed("casino-cuts", seats=whole["seats"])).startswith("The line that was hashed")
    whole["line"] = whole["line"].replace("two words", "two wards")
    whole["seats"] = json.loads(content("casino-cuts"))["seats"]
    whole["seats"][1]["cuts"][0] = "two wards"
    forged = changed("casino-cuts", seats=whole["seats"], line=whole["line"])
    assert verdicts(forged)[-1] == "wrong"


@pytest.mark.parametrize("name", ["casino-alone", "trio_escalera-hand", "svoi-alone", "boathouse-hands"])
def test_a_move_left_out_is_found(name: str) -> None:
    steps = json.loads(content(name))["steps"]
    for n in range(len(steps)):
        if n % 7 == 3:
            assert verdicts(changed(name, steps=steps[:n] + steps[n + 1 :]))[-1] == "wrong"
    assert verdicts(changed(name, steps=steps[:-1]))[-1] == "wrong"


@pytest.mark.parametrize("to", [3, 4, 10**6])
def test_a_move_that_was_not_made_yet_cannot_be_taken_back(to: int) -> None:
    steps = json.loads(content("cardlebones-undo"))["steps"]
    assert steps[3]["undo"] == 2
    steps[3]["undo"] = to
    file = changed("cardlebones-undo", steps=steps)
    assert last_sentence(file).startswith("Step {n} takes back a move that was not made yet.")


def test_the_file_of_another_revision_cannot_be_checked() -> None:
    whole = json.loads(content("casino-alone"))
    line = whole["line"].replace(f'"revision":{whole["revision"]}', '"revision":0')
    # Exported after the rules changed, a file has no position; exported before that, it has one.
    for position in (None, whole["position"]):
        file = changed("casino-alone", revision=0, line=line, position=position)
        assert verdicts(file)[-1] == "open"
        assert "update has changed the rules" in last_sentence(file)


def test_a_table_of_every_game_is_exported_with_all_its_moves() -> None:
    for vector in vectors():
        if vector.name.endswith("-cuts"):
            table = played(vector)
            moves = [entry.body["move"] for entry in table.entries if entry.kind in ("move", "timeout")]
            file = game_file(table)
            assert [step.move for step in file.steps] == moves
            assert list(frames(file))[-1].state == table.state
            assert list(file.seats[0].cuts) == [words for seat, words in table.cuts if seat == 0]


def test_steps_tell_of_undos_new_players_and_forfeits() -> None:
    ends = dict(odd_ends())
    file = game_file(ends["cardlebones-undo"])
    assert [step.undo for step in file.steps if step.undo is not None] == [2]
    assert [(step.player, step.computer) for step in file.steps if step.player] == [
        ("Ana", "hard"),
        ("Zoe", None),
    ]
    assert list(frames(file))[-1].names == ("Zoe", "Beto")
    assert list(frames(file))[-1].state == ends["cardlebones-undo"].state
    assert game_file(ends["casino-forfeit"]).steps[-1].forfeit


def test_the_words_of_a_seed_that_many_rematches_made_long_are_read() -> None:
    words = "seven tigers" + " again" * 100
    assert changed("cardlebones-alone", words=words).words == words


def test_a_game_is_dated_by_its_end_as_in_the_history() -> None:
    file = replace(game_file(dict(odd_ends())["cardlebones-undo"]), dealt=1_800_000_000.0)
    longer = replace(file, steps=(*file.steps, replace(file.steps[-1], at=3600.0)))
    dated = [heading(one, Speech()) for one in (file, longer)]
    assert dated == [f"Cardlebones, Fri 15 Jan, {time} (UTC)" for time in ("08:00", "09:00")]


def test_an_analysis_numbers_moves_as_the_replay_does() -> None:
    table = dict(odd_ends())["cardlebones-undo"]
    steps, moves = game_file(table).steps, list(played_moves(table))
    assert [(steps[move.number - 1].seat, steps[move.number - 1].move) for move in moves] == [
        (move.seat, str(move.move)) for move in moves
    ]
    assert len(moves) < len(steps)


def test_hidden_people_have_no_names() -> None:
    table = dict(odd_ends())["cardlebones-undo"]
    text = written(game_file(table, hidden=("p0", "p9"))).decode()
    assert "Ana" not in text
    assert "Zoe" not in text
    assert "Beto" in text
    assert is_proved(list(findings(read(text.encode()))))


def test_a_running_game_has_no_file() -> None:
    table = played(next(vectors()))
    running = Table.replay(table.entries[:-1], table.seed_source)
    assert running.status == "playing"
    with pytest.raises(AssertionError):
        game_file(running)


HOSTILE = {
    "nothing": b"",
    "bytes": bytes(range(256)),
    "no object": b"[1, 2]",
    "another format": b'{"format": "other"}',
    "another version": b'{"format": "sobremesa game", "version": 2}',
    "little": b'{"format": "sobremesa game", "version": 1}',
    "deep": b"[" * 100_000,
    "deep in the file": b'{"format": "sobremesa game", "carry": ' + b'{"a":' * 50_000,
    "long number": b'{"format": ' + b"9" * 10_000 + b"}",
    "not a number": b'{"format": "sobremesa game", "version": NaN}',
    "twice": b'{"format": "sobremesa game", "format": "sobremesa game"}',
    "too long": b" " * (BYTES + 1),
}
NO_JSON, OTHER = "it isn't valid JSON", "it's in another format"
WHY = {
    **dict.fromkeys(("nothing", "bytes", "deep", "deep in the file", "long number"), NO_JSON),
    **dict.fromkeys(("no object", "another format"), OTHER),
    "another version": "this program reads only version 1 of the format",
    "little": "something in it is wrong or missing (id)",
    "not a number": "NaN isn't a number in JSON",
    "twice": "a name occurs twice in it",
    "too long": f"it has more than {BYTES >> 20} MB",
}
"""Why each of `HOSTILE` is not read."""


@pytest.mark.parametrize("name", list(HOSTILE))
def test_what_is_no_game_file_is_not_read(name: str) -> None:
    with pytest.raises(NotReadable) as refusal:
        read(HOSTILE[name])
    assert Speech()(refusal.value.why) == WHY[name]


@pytest.mark.parametrize(
    ("members", "where"),
    [
        ({"seed": 7}, "$.seed"),
        ({"seed": "0" * 64 + "\n"}, "$.seed"),
        ({"seats": [{"name": "Ana"}]}, "$.seats[0].cuts"),
        ({"steps": [{"seat": 0, "move": "throw 7S", "forfeit": True}]}, "$.steps[0]"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_by_its_path_alone(members: dict[str, Any], where: str) -> None:
    with pytest.raises(NotReadable) as refusal:
        changed("casino-cuts", **members)
    assert Speech("es")(refusal.value.why) == f"algo está mal o falta ({where})"


def test_what_is_missing_in_a_file_is_told_by_its_name() -> None:
    with pytest.raises(NotReadable) as refusal:
        read(HOSTILE["little"])
    assert refusal.value.why.args["where"] == "id"


def test_characters_that_cannot_be_hashed_are_not_read() -> None:
    with pytest.raises(NotReadable):
        changed("casino-words", words="\ud800")


@pytest.mark.parametrize("at", [-1e308, -1e12, 1e12, 1e308])
def test_the_heading_has_a_date_whatever_the_times_of_the_steps(at: float) -> None:
    steps = [{**step, "at": at} for step in json.loads(content("casino-cuts"))["steps"]]
    assert heading(changed("casino-cuts", steps=steps), Speech()).startswith("Casino, ")


@pytest.mark.parametrize("dealt", [-1e12, 1e12, 1e308])
def test_a_deal_before_1970_or_after_the_latest_time_is_not_read(dealt: float) -> None:
    with pytest.raises(NotReadable):
        changed("casino-cuts", dealt=dealt)


@pytest.mark.parametrize(
    "more",
    [
        {"undo": 0}, {"player": "Zoe"}, {"forfeit": True}, {"move": ""}, {"computer": "easy"},
        {"move": "", "undo": 0, "clock": True},
    ],
)  # fmt: skip
def test_a_step_whose_members_do_not_belong_together_is_not_read(more: dict[str, Any]) -> None:
    first, *others = json.loads(content("casino-cuts"))["steps"]
    with pytest.raises(NotReadable):
        changed("casino-cuts", steps=[{**first, **more}, *others])


JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 0.5, "", "x", "a" * 3000, "♠\u202e\x00", [], {}, [None], {"a": None},
    ["x"] * 30, {"dealer": "x"}, {"dealer": -5}, {"dealer": None}, {"dealer": 10**20}, "throw",
    "capture AS", [[[]]],
)  # fmt: skip


def test_a_forged_file_is_refused_or_judged_without_a_traceback() -> None:
    rng = luck.rng("forged files")
    for path in PATHS:
        for _ in range(25):
            whole = json.loads(path.read_bytes())
            for _ in range(rng.randint(1, 3)):
                _forge(whole, rng)
            try:
                file = read(json.dumps(whole).encode())
            except NotReadable:
                continue
            # Some changes are allowed: names, times, and more in a game from chosen words or without a deal.
            assert all(finding.text.message for finding in findings(file))


def test_a_forged_carry_is_found_though_the_hashed_line_is_forged_to_match() -> None:
    carries: list[dict[str, Any]] = [{"dealer": dealer} for dealer in ("x", -1, 10**20, None)]
    for carry in (*carries, {"other": []}):
        for name in ("svoi-carry", "boathouse-carry"):
            file = changed(name, carry=carry)
            forged = changed(name, carry=carry, line=canonical(file.statement))
            assert verdicts(forged)[-1] == "wrong"


def _forge(whole: Any, rng: Random) -> None:
    """Replaces a random part of JSON by junk."""
    while True:
        if isinstance(whole, dict) and whole:
            key: Any = rng.choice(list(whole))
        elif isinstance(whole, list) and whole:
            key = rng.randrange(len(whole))
        else:
            return
        if isinstance(whole[key], (dict, list)) and whole[key] and rng.random() < 0.7:
            whole = whole[key]
            continue
        whole[key] = deepcopy(rng.choice(JUNK))
        return


def test_make_vectors_still_makes_games_that_are_proved() -> None:
    for _, file in files():
        assert is_proved(list(findings(file)))
