"""Checks the file of a finished game: the commitment, the cuts, the deal, every move and the result."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal

from bot.replays.frames import Frame, NotPlayable, first_deal, frames, game_of
from bot.replays.game_file import GameFile, RecordedResult
from bot.tables.log.commitment import canonical
from engines.game import Name, Text, plural
from engines.values import Value

Verdict = Literal["ok", "wrong", "open"]
"""The verdict on a claim of a file: it holds, it does not, or it cannot be checked.

``open``: a player who cut was forgotten, or this program cannot deal the game, as when its rules changed.
"""

_FORGOTTEN = Text(
    "A player who cut was forgotten with their words, so nobody can check the deal against the cuts any more."
)


class CheckResult(Value):
    """The verdict on one claim of a file, in a sentence."""

    verdict: Verdict
    text: Text


def findings(file: GameFile) -> Iterator[CheckResult]:
    """Checks a file that may be forged, claim by claim; ends with the first that does not hold."""
    for check in (_commitment, _line, _deal, _moves):
        for finding in check(file):
            yield finding
            if finding.verdict == "wrong":
                return


def is_proved(found: list[CheckResult]) -> bool:
    """Whether every claim of a file holds."""
    return all(finding.verdict == "ok" for finding in found)


def _commitment(file: GameFile) -> Iterator[CheckResult]:
    if file.seed is None:
        if file.words is None or file.commitment is not None:
            yield CheckResult("wrong", Text("The file has no seed."))
        else:
            yield CheckResult("ok", Text("The cards were dealt from the words “{seed}”.", seed=file.words))
        return
    if file.commitment is None or file.words is not None:
        yield CheckResult("wrong", Text("The file has a secret seed, but no fingerprint of it."))
    elif hashlib.sha256(bytes.fromhex(file.seed)).hexdigest() != file.commitment:
        yield CheckResult("wrong", Text("The seed does not belong to the fingerprint."))
    else:
        sentence = Text("The seed belongs to the fingerprint {commitment}.", commitment=file.commitment)
        yield CheckResult("ok", sentence)


def _line(file: GameFile) -> Iterator[CheckResult]:
    """Checks that the hashed line says what the file says of the game, its seats and their cuts."""
    if not file.line:
        if file.steps or file.position or file.result:
            yield CheckResult("wrong", Text("The line from which the cards were dealt is missing."))
        else:
            yield CheckResult("ok", Text("No cards were dealt, so there is nothing more to check."))
        return
    if canonical(file.statement) != file.line:
        yield CheckResult("wrong", Text("The line that was hashed says something else than the file."))
        return
    if file.game_seed is not None:
        yield CheckResult("open", _FORGOTTEN)
        return
    if file.seed is None:
        return
    cuts = [(seat, words) for seat, player in enumerate(file.seats) for words in player.cuts]
    yield (
        CheckResult("ok", plural("{n} cut is part of the deal.", "{n} cuts are part of the deal.", len(cuts)))
        if cuts
        else CheckResult("ok", Text("Nobody cut the deck; only the house shuffled it."))
    )
    for seat, words in cuts:
        yield CheckResult("ok", Text("{who} cut the deck: {words}", who=Name(seat), words=words))


def _deal(file: GameFile) -> Iterator[CheckResult]:
    if not file.line:
        return
    try:
        game_of(file)
    except NotPlayable:
        # `_moves` says that the rules have changed, or that the game is unknown.
        return
    try:
        position = first_deal(file)
    except NotPlayable as refused:
        # Without a position, `_moves` says which step is illegal, or that no cards can be dealt.
        if file.position is not None:
            yield CheckResult("wrong", refused.reason)
        return
    if position != file.position:
        yield CheckResult("wrong", Text("The seed gives other cards than the file shows."))
    elif position is not None:
        yield CheckResult("ok", Text("The seed gives the cards that were dealt."))


def _moves(file: GameFile) -> Iterator[CheckResult]:
    if not file.line:
        return
    last: Frame | None = None
    try:
        for frame in frames(file):
            last = frame
    except NotPlayable as refused:
        yield CheckResult("wrong" if refused.n else "open", refused.reason)
        return
    assert last is not None
    moves = sum(bool(step.move) for step in file.steps)
    yield CheckResult("ok", plural("{n} move, and it is legal.", "{n} moves, and all are legal.", moves))
    yield _result(file, last)


def _result(file: GameFile, last: Frame) -> CheckResult:
    """The verdict on the result, after the last step."""
    if file.result is None:
        if file.ended is None or last.result is not None:
            return CheckResult("wrong", Text("The file has no result, though the game has one."))
        return CheckResult("ok", Text("The table was closed before the game ended."))
    found = last.result
    if found is None or file.result != RecordedResult(found.scores, found.winners):
        return CheckResult("wrong", Text("The moves lead to another result than the file's."))
    return CheckResult("ok", Text("The moves lead to the result."))
