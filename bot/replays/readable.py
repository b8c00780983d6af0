"""A finished game as a text that names moves and scores, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.i18n import Speech, safe_name
from bot.ports import File
from bot.replays.films import Film
from bot.replays.frames import Frame, changed_rules, points_of
from bot.replays.game_file import LATEST, GameFile, RecordedResult
from bot.tables.names.titles import title_of
from bot.times.local_time import day_and_time
from engines.game import Name, Text
from engines.values import replace


def readable(film: Film, say: Speech) -> Iterator[str]:
    """The lines of a text about a game, in a reader's language."""
    file = film.file
    say = replace(say, names=tuple(safe_name(seat.name) for seat in file.seats))
    yield heading(file, say)
    yield say(Text("Players: {players}.", players=tuple(map(Name, range(len(file.seats))))))
    if rules := changed_rules(file):
        yield say(Text("House rules: {rules}.", rules="; ".join(map(say, rules))))
    yield from map(say, _deal(file))
    yield ""
    yield from _moves(film, say)
    yield ""
    last = film.frames[-1] if film.frames else None
    # A seat may have another player at the end.
    at_end = replace(say, names=tuple(map(safe_name, last.names))) if last else say
    yield from map(at_end, result_texts(file, last))


def as_text_file(film: Film, say: Speech) -> File:
    """The text as people download it."""
    file = film.file
    return File(f"{file.game}-{file.id}.txt", ("\n".join(readable(film, say)) + "\n").encode())


def heading(file: GameFile, say: Speech) -> str:
    """The title of the game, and the time of its last step if cards were dealt."""
    # In a forged file the steps' times have no limit, and the sum may lie beyond all dates.
    end = min(file.dealt + max((0.0, *(step.at for step in file.steps))), LATEST)
    day = day_and_time(end, say.zone, say.locale) if file.dealt else ""
    return ", ".join(filter(None, (safe_name(title_of(file.game, say), 40), day)))


def frame_sentences(frame: Frame, say: Speech) -> tuple[str, ...]:
    """The public events of a step as sentences, with the names of the players at that step."""
    say = replace(say, names=tuple(map(safe_name, frame.names)))
    return tuple(say(event.text) for event in frame.events if event.to is None)


def result_texts(file: GameFile, last: Frame | None) -> Iterator[Text]:
    """The game's own sentence on the end, if any, the winners, and the points unless all have none.

    Without a result, only says so.
    """
    if file.result is None:
        yield Text("The table was closed before the game ended.")
        return
    if last is not None and last.result is not None and last.result.text:
        yield last.result.text
    yield _winners(file.result)
    if any(file.result.scores):
        yield points_text(file.result.scores)


def points_text(points: Sequence[int]) -> Text:
    """The points of each seat."""
    scores = tuple(Text("{who} ({n})", who=Name(seat), n=n) for seat, n in enumerate(points))
    return Text("Points: {scores}.", scores=scores)


def _deal(file: GameFile) -> Iterator[Text]:
    if file.words is not None:
        yield Text("Dealt from your own seed: {seed}", seed=file.words)
    elif file.commitment:
        yield Text("Fingerprint: {commitment}", commitment=file.commitment)
        yield Text("The seed of the shuffle was: {seed}", seed=file.seed or "")
    for seat, one in enumerate(file.seats):
        for words in one.cuts:
            yield Text("{who} cut the deck: {words}", who=Name(seat), words=words)


def _moves(film: Film, say: Speech) -> Iterator[str]:
    """The opening, then a line for each step: its number, its public events and new points.

    Without frames, a line for each move.
    """
    if not film.frames:
        for n, step in enumerate(film.file.steps, 1):
            if step.move:
                yield say(Text("{n}. {who}: {move}", n=n, who=Name(step.seat), move=step.move))
        return
    before: tuple[int, ...] = ()
    for frame in film.frames:
        told, points = frame_sentences(frame, say), points_of(film.file, frame)
        if points != before and any(points) and frame.result is None:
            told = (*told, say(points_text(points)))
        before = points
        yield " ".join((f"{frame.n}.", *told)) if frame.n else "\n".join(told)


def _winners(result: RecordedResult) -> Text:
    match result.winners:
        case ():
            return Text("Nobody wins.")
        case (winner,):
            return Text("{who} wins.", who=Name(winner))
        case _:
            return Text("{who} win.", who=tuple(map(Name, result.winners)))
