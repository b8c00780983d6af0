"""Runs a match, in one process or in several, and stores each game as soon as it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeAlias

from bot.matches.playing import DuplicateMatch, GameRecord, Seating, play
from bot.matches.results import ResultsFile

EndedGames: TypeAlias = Generator[GameRecord, None, None]
"""The records of games, each yielded as soon as its game has ended."""

_MOST_PROCESSES = 61
"""The most processes that Python can wait for on Windows."""


def usual_jobs() -> int:
    """One process less than the machine has cores, so that it stays usable; at least one."""
    return max(1, (os.cpu_count() or 1) - 1)


def run(match: DuplicateMatch, seating: Seating, count: int, results: ResultsFile, jobs: int) -> EndedGames:
    """Yields at least ``count`` games in whole deals: first those on disk, then each new one once stored.

    Closing the iterator, as Ctrl+C does, stops the games that are being played; the stored ones stay.
    """
    wanted = range(match.deals(count) * match.games_of_a_deal)
    known = results.read()
    yield from (known[number] for number in wanted if number in known)
    missing = [number for number in wanted if number not in known]
    played = _in_turn(match, seating, missing) if jobs == 1 else _at_once(match, seating, missing, jobs)
    for record in played:
        results.append(record)
        yield record


def _in_turn(match: DuplicateMatch, seating: Seating, numbers: Sequence[int]) -> EndedGames:
    for number in numbers:
        yield play(match, seating, number)


def _at_once(match: DuplicateMatch, seating: Seating, numbers: Sequence[int], jobs: int) -> EndedGames:
    others = set(multiprocessing.active_children())
    # Forking a process in which threads run, such as a progress bar's, may lock it for ever.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(numbers), _MOST_PROCESSES) or 1, context, _begin_work)
    try:
        for done in as_completed([pool.submit(play, match, seating, number) for number in numbers]):
            yield done.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown()


def _begin_work() -> None:
    """Lets only the parent process obey Ctrl+C, which a terminal sends to all; has this one end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process once its parent has ended: the queue of a pool does not tell that it was killed."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
