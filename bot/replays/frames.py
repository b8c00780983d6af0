"""Plays the game of a file again: the position after each of its steps, and the events that it caused."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator
from typing import Any

from bot.i18n import safe_name
from bot.replays.game_file import GameFile, RecordedStep
from bot.tables.log.commitment import seed_of
from bot.tables.log.table_state import AnyGame
from engines import games
from engines.game import Event, IllegalMove, Name, Result, Seat, Text
from engines.values import Value


class NotPlayable(ValueError):
    """The file cannot be played: `reason` is a sentence for the reader.

    ``n`` is the number of the step that cannot be played, from 1; 0 if the cards cannot even be dealt.
    """

    def __init__(self, reason: Text, n: int = 0) -> None:
        super().__init__(reason.message)
        self.reason = reason
        self.n = n


class Frame(Value):
    """The game after some of its steps."""

    n: int
    """The steps made so far."""
    state: Any
    events: tuple[Event, ...]
    """The events that the last step caused; those of the opening at the beginning."""
    names: tuple[str, ...]
    """The names of the players by seat."""
    result: Result | None = None
    """None before the end."""


def game_of(file: GameFile) -> AnyGame:
    """The game of a file. Raises `NotPlayable` if it is unknown, or if its rules have changed since."""
    game = games().get(file.game)
    if game is None:
        raise NotPlayable(Text("This version of the program doesn't know the game {game}.", game=file.game))
    if game.revision != file.revision:
        raise NotPlayable(Text("An update has changed the rules, so this game can't be played again."))
    return game


def game_seed(file: GameFile) -> bytes:
    """The seed of the game, from which all its cards follow."""
    if file.game_seed is not None:
        return bytes.fromhex(file.game_seed)
    if file.seed is None:
        return seed_of(file.words or "")
    return hmac.digest(bytes.fromhex(file.seed), file.line.encode(), "sha256")


def frames(file: GameFile) -> Iterator[Frame]:
    """The game after each of its steps, from the deal on; nothing if it was never dealt.

    A file may be forged. Raises `NotPlayable` if its cards cannot be dealt, and at the first step that the
    rules do not allow.
    """
    if not file.line:
        return
    game = game_of(file)
    frame = _dealt(game, file)
    before: list[Any] = []
    yield frame
    for step in file.steps:
        if step.seat >= len(file.seats):
            raise NotPlayable(Text("Step {n} names a seat that doesn't exist.", n=frame.n + 1), frame.n + 1)
        if frame.result is not None and step.player is None:
            raise NotPlayable(Text("Step {n} comes after the end of the game.", n=frame.n + 1), frame.n + 1)
        before.append(frame.state)
        frame = _after(game, frame, step, before)
        yield frame


def position_of(game: AnyGame, state: Any) -> dict[str, Any]:
    """A state as a position in the game's notation, hidden cards included, with the types that JSON has."""
    position: dict[str, Any] = json.loads(json.dumps(game.dump(state)))
    return position


def hands_of(game: AnyGame, state: Any) -> tuple[tuple[str, ...], ...]:
    """The cards of each hand; empty in a game without hands."""
    return tuple(map(tuple, game.dump(state).get("hands", ())))


def first_deal(file: GameFile) -> dict[str, Any] | None:
    """The position after the first deal: in a game with hands, the first in which a player has cards.

    None if there is none. Raises `NotPlayable` as `frames` does.
    """
    for frame in frames(file):
        game = games()[file.game]
        hands = hands_of(game, frame.state)
        if any(hands) or not hands:
            return position_of(game, frame.state)
    return None


def _dealt(game: AnyGame, file: GameFile) -> Frame:
    names = tuple(seat.name for seat in file.seats)
    try:
        state = game.new(len(file.seats), game_seed(file), file.options, file.carry or None)
        return Frame(0, state, game.opening(state), names, game.result(state))
    except Exception:
        # Only a forged file has house rules or a dealer with which a game cannot begin.
        raise NotPlayable(Text("No game can be dealt with these players and house rules.")) from None


def _after(game: AnyGame, frame: Frame, step: RecordedStep, before: list[Any]) -> Frame:
    """The frame after a step; ``before`` has the states before this step and before each earlier one.

    Raises `NotPlayable`.
    """
    n, who = frame.n + 1, Name(step.seat)
    if step.player is not None:
        return _with_player(frame, step, step.player, n)
    if step.forfeit:
        winners = tuple(seat for seat in range(len(frame.names)) if seat != step.seat)
        sentence = Text("{who} has left the game, so the others win.", who=who)
        result = Result((0,) * len(frame.names), winners, sentence)
        return Frame(n, frame.state, (Event(sentence, None),), frame.names, result)
    if step.undo is not None:
        if step.undo >= n - 1:
            raise NotPlayable(Text("Step {n} takes back a move that was not made yet.", n=n), n)
        sentence = Text("{who} took a move back.", who=who)
        return Frame(n, before[step.undo], (Event(sentence, None),), frame.names)
    try:
        move, state, events = game.act(frame.state, step.seat, step.move)
    except IllegalMove as illegal:
        sentence = Text("Step {n} is no legal move: {who} {move}.", n=n, who=who, move=step.move)
        raise NotPlayable(Text("{told} {reason}", told=sentence, reason=illegal.reason), n) from None
    except Exception:
        raise NotPlayable(Text("Step {n} is no move of this game.", n=n), n) from None
    if str(move) != step.move:
        raise NotPlayable(Text("Step {n} is no move of this game.", n=n), n)
    if step.clock:
        events = (Event(Text("The clock moves for {who}.", who=who), None), *events)
    return Frame(n, state, events, frame.names, game.result(state))


def _with_player(frame: Frame, step: RecordedStep, player: str, n: int) -> Frame:
    """The frame after a change of who plays a seat: a computer for its player, the player again, another."""
    seat: Seat = step.seat
    old, who = frame.names[seat], Name(seat)
    names = (*frame.names[:seat], player, *frame.names[seat + 1 :])
    if step.computer:
        sentence = Text("A computer plays on for {who}.", who=who)
    elif player == old:
        sentence = Text("{who} has the seat back.", who=who)
    elif player and old:
        sentence = Text("{new} takes over from {old}.", new=safe_name(player), old=safe_name(old))
    else:
        sentence = Text("Another person plays for {who} now.", who=who)
    return Frame(n, frame.state, (Event(sentence, None),), names, frame.result)


def changed_rules(file: GameFile) -> tuple[Text, ...]:
    """The house rules of a file that differ from their defaults, each with its value."""
    options = games()[file.game].options if file.game in games() else ()
    return tuple(
        Text("{rule}: {value}", rule=option.text, value=option.values[value])
        for option in options
        if (value := file.options.get(option.name, option.default)) != option.default
        and value in option.values
    )


def points_of(file: GameFile, frame: Frame) -> tuple[int, ...]:
    """The points of each seat after a frame, as all players know them; empty while there are none."""
    game = games()[file.game]
    return game.points(game.view(frame.state, None))
