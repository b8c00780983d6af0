"""Fair deals: commitment, game seed and deck are recomputed as docs/verify.md says."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

import pytest

from bot.model.tables import Entry, Json, Player
from bot.pages.captions import seed_captions
from bot.tables.log.commitment import SEED_BYTES, ChosenSeed, CommittedSeed, SeedSource, canonical, seed_of
from bot.tables.table import Table
from engines import games
from tests import luck
from tests.bot.tables.test_table import play_on
from tests.engines.reference import SHORT_DECK, shuffled
from tests.support.games import every_game

SEED = bytes(range(32))


def log(
    *cuts: tuple[int, str],
    id: str = "f00d",
    options: Mapping[str, str] | None = None,
    carry: Mapping[str, Any] | None = None,
    computers: bool = False,
) -> list[Entry]:
    """The log of a table for two, up to and including the `start` entry."""
    revision = games()["casino"].revision
    chosen = {"game": "casino", "id": id, "revision": revision, "commitment": None, "number": 1, "seats": 2}
    place = {"place": ["terminal", "home", ""], "level": "easy", "carried_by": 2, "follows": ""}
    second = ("computer", {"name": "Lola", "level": "easy"}) if computers else ("join", {"name": "Beto"})
    kinds: list[tuple[Any, int | None, Any]] = [
        ("open", None, {**chosen, **place, "options": options or {}, "carry": carry or {}}),
        ("join", 0, {"name": "Ana"}),
        (second[0], 1, second[1]),
        *(("cut", seat, {"words": words}) for seat, words in cuts),
        ("start", None, {}),
    ]
    return [Entry(n, kind, seat, None, body) for n, (kind, seat, body) in enumerate(kinds)]


def dealt(entries: list[Entry], seed_source: SeedSource | None = None) -> Any:
    """The state after the deal."""
    return Table.replay(entries, seed_source or CommittedSeed(SEED)).state


def recomputed(server_seed: bytes, statement: str) -> list[str]:
    """The Casino deck for a server seed and a statement, computed as docs/verify.md says."""
    seed = hmac.new(server_seed, statement.encode("utf-8"), hashlib.sha256).digest()
    return shuffled(seed, "deck", SHORT_DECK)


def test_a_committed_seed_is_32_random_bytes() -> None:
    seeds = {CommittedSeed().server_seed for _ in range(50)}
    assert len(seeds) == 50
    assert {len(seed) for seed in seeds} == {SEED_BYTES} == {32}


def test_the_commitment_is_the_sha256_of_the_server_seed_and_stands_in_the_log() -> None:
    table = Table.open("casino", seed_source=CommittedSeed(SEED))
    assert table.entries[0].body["commitment"] == hashlib.sha256(SEED).hexdigest()


def test_words_give_their_sha256_as_the_game_seed() -> None:
    assert seed_of("¡ñandú!") == hashlib.sha256("¡ñandú!".encode()).digest()
    assert ChosenSeed("¡ñandú!").seed({"any": "table"}) == seed_of("¡ñandú!")
    assert ChosenSeed("x").commitment is None


def test_canonical_json_is_sorted_without_blanks_and_without_escapes() -> None:
    value: Json = {"seats": [{"seat": 0, "cuts": ['ñ "q" ♠']}], "carry": {"b": None, "a": True}, "n": 1}
    assert canonical(value) == (
        '{"carry":{"a":true,"b":null},"n":1,"seats":[{"cuts":["ñ \\"q\\" ♠"],"seat":0}]}'
    )


def test_the_hashed_statement_has_all_that_the_deal_depends_on() -> None:
    table = Table.replay(
        log((1, "Ñ"), (0, "a b"), (1, "z"), options={"steal_with": "off"}, carry={"dealer": 1}),
        CommittedSeed(SEED),
    )
    assert json.loads(table.deal) == {
        "game": "f00d",
        "key": "casino",
        "revision": games()["casino"].revision,
        "options": {"steal_with": "off"},
        "carry": {"dealer": 1},
        "seats": [{"seat": 0, "cuts": ["a b"]}, {"seat": 1, "cuts": ["Ñ", "z"]}],
    }
    assert table.deal == canonical(json.loads(table.deal))


def test_the_deal_is_recomputed_from_a_statement_written_out() -> None:
    state = dealt(log((1, "Ñ"), (0, "a b")))
    revision = games()["casino"].revision
    deck = recomputed(
        SEED,
        f'{{"carry":{{}},"game":"f00d","key":"casino","options":{{}},"revision":{revision},'
        '"seats":[{"cuts":["a b"],"seat":0},{"cuts":["Ñ"],"seat":1}]}',
    )
    assert [*state.hands[0], *state.hands[1], *state.stock] == deck


@pytest.mark.parametrize("words", ["S", "otra vez", "¡ñandú!"])
def test_a_deal_from_words_is_recomputed(words: str) -> None:
    state = dealt(log(), ChosenSeed(words))
    deck = [*state.hands[0], *state.hands[1], *state.stock]
    assert deck == shuffled(hashlib.sha256(words.encode()).digest(), "deck", SHORT_DECK)


@pytest.mark.parametrize(
    "other",
    [
        log((0, "other")),
        log((1, "cut")),
        log((0, "cut"), (1, "cut")),
        log((0, "cut"), (0, "cut")),
        log(),
        log((0, "cut"), id="beef"),
        # The default, and a dealer whom Casino ignores: only the statement differs, and so the shuffle.
        log((0, "cut"), options={"steal_with": "hand"}),
        log((0, "cut"), carry={"dealer": 0}),
    ],
    ids=["words", "seat", "one more seat", "twice", "none", "table id", "options", "carry"],
)
def test_another_cut_or_table_gives_another_deal(other: list[Entry]) -> None:
    assert dealt(other) != dealt(log((0, "cut")))


def test_another_server_seed_gives_another_deal() -> None:
    assert dealt(log(), CommittedSeed(SEED)) != dealt(log(), CommittedSeed(SEED[::-1]))


def test_computers_add_nothing_to_a_deal() -> None:
    assert dealt(log(computers=True)) == dealt(log())


def test_two_tables_with_one_seed_have_ids_of_their_own() -> None:
    assert (
        Table.open("casino", seed_source=CommittedSeed(SEED)).id
        != Table.open("casino", seed_source=CommittedSeed(SEED)).id
    )


@every_game
def test_the_seeds_show_nowhere_before_the_end(key: str) -> None:
    table = Table.open(key, seed_source=CommittedSeed(SEED))
    for name in "AB":
        table = table.sit(Player(name))
    table = table.add("cut", 0, words="cut").start()
    game_seed = hmac.new(SEED, table.deal.encode(), hashlib.sha256).digest()
    rng = luck.rng()
    while not table.result:
        views = [table.game.view(table.state, seat) for seat in (None, 0, 1)]
        shown = repr([table, table.seed_source, table.entries, table.news, table.state, table.deal, views])
        shown += json.dumps([table.game.dump(table.state), *(dict(entry.body) for entry in table.entries)])
        for secret in (SEED, game_seed):
            assert secret.hex() not in shown
            assert repr(secret)[2:-1] not in shown
        table = play_on(table, table.stamp + 1, rng)


def test_the_seed_that_is_shown_at_the_end_fits_the_commitment_and_the_deal() -> None:
    table = Table.open("casino", seed_source=CommittedSeed())
    for name in "AB":
        table = table.sit(Player(name))
    table = table.add("cut", 1, words="¡ñ!").start()
    first = [*table.state.hands[0], *table.state.hands[1], *table.state.stock]
    table = play_on(table)
    seed, _, line = list(seed_captions(table))
    revealed = bytes.fromhex(str(seed.args["seed"]))
    assert hashlib.sha256(revealed).hexdigest() == table.entries[0].body["commitment"]
    assert recomputed(revealed, str(line.args["line"])) == first


def test_words_that_were_given_are_told_at_the_end() -> None:
    table = play_on(Table.replay(log(), ChosenSeed("S")))
    assert [text.args for text in seed_captions(table)] == [{"seed": "S"}]
