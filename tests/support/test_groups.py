"""The fake platform answers requests to the old id of a group as Telegram does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.model.places import Place
from bot.ports import Gone, Later, Page
from tests.support.clock import VirtualClock
from tests.support.groups import Groups

OLD, NEW = "-1", "-1001"
PAGE = Page.note("Hello")


class Told:
    """The part of a dispatcher that learns new ids."""

    def __init__(self) -> None:
        self.moves: list[tuple[str, str, str]] = []

    async def chat_moved(self, platform: str, chat: str, new: str) -> None:
        self.moves.append((platform, chat, new))


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (lambda groups, message: groups.post(Place("groups", OLD), PAGE), Later),
        (lambda groups, message: groups.edit(message, PAGE), Gone),
        (lambda groups, message: groups.delete(message), Gone),
    ],
    ids=["post", "edit", "delete"],
)
async def test_whoever_asks_at_an_old_id_learns_the_new_one(
    request_: Callable[[Groups, str], Awaitable[object]], error: type[Exception]
) -> None:
    groups = Groups(VirtualClock(stopped=True))
    groups.place(OLD, "ana")
    message = await groups.post(Place("groups", OLD), PAGE)
    # The bot is stopped, so that nothing else tells it.
    await groups.upgrade(OLD, NEW)
    groups.dispatcher = told = Told()  # type: ignore[assignment]
    with pytest.raises(error):
        await request_(groups, message)
    assert (told.moves, groups.refused) == ([("groups", OLD, NEW)], 1)
    assert await groups.post(Place("groups", NEW), PAGE)
