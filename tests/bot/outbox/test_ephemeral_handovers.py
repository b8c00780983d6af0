"""Hands in ephemeral messages at two processes: the next keeper of the chat goes on with them."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import pytest

from adapters.shared.rendering.message import as_message
from bot.model.places import Place
from bot.outbox.handovers import SETTLED
from bot.ports import EPHEMERAL, Caller, Gone, Page
from engines.values import replace
from tests.bot.outbox.test_two_processes import Pair, pair
from tests.support.harness import ALONE, PLACE
from tests.support.platform import ROOMY, FakePlatform
from tests.support.records import Message


class Group(FakePlatform):
    """A platform with ephemeral messages, which are edited though their reader's private chat is closed."""

    def open_alone(self, place: Place, user: str) -> Message:
        """Shows a user an ephemeral message without a card."""
        page = as_message(Page.note("Just a moment …"), self.limits)
        payload = self._payload(page)
        message = Message(f"{EPHEMERAL}{next(self._numbers)}", None, user, page, *payload, beside=place)
        self._record("ephemeral", None, user, payload)
        self.messages.put(message)
        return message

    def _check_editable(self, message: Message) -> None:
        if message.beside is None:
            super()._check_editable(message)
        elif not message.alive:
            raise Gone


@pytest.fixture
async def two() -> AsyncIterator[Pair]:
    async with pair(Group(limits=replace(ROOMY, gap=0.0))) as opened:
        yield opened


async def shown(two: Pair) -> tuple[str, list[Caller], Message]:
    """A table, its players, and the hand of Beto, whose private chat is closed, in an ephemeral message."""
    assert isinstance(two.platform, Group)
    two.platform.shut("beto-square")
    game, people = await two.begin(key="casino")
    await two.clock.advance(10)
    hand = two.platform.open_alone(PLACE, people[1].user)
    assert await two.a.dispatcher.show_ephemeral(people[1], game, hand.id)
    return game, people, hand


async def right(two: Pair, game: str, people: list[Caller]) -> str:
    """The drawing of Beto's page as it should be."""
    table, person = await two.table(game), await two.a.person(people[1])
    say = await two.a.dispatcher.people.say_to(person, PLACE, table)
    seat = table.seat_of(person)
    return table.game.draw(table.game.view(table.state, seat), say, 28)


def are_current(hand: Message, stamp: int) -> bool:
    """Whether all moves that the buttons of a page offer are of this stamp."""
    moves = [button.data.split(":") for button in hand.buttons if ":move:" in button.data]
    return all(move[1] == str(stamp) for move in moves)


async def test_the_next_keeper_of_a_chat_shows_the_hand_in_the_same_message(two: Pair) -> None:
    game, people, hand = await shown(two)
    for n in range(6):
        # In turns, so that each process reads the panel that the other has changed.
        await two.move(two.both[(n + 1) % 2], game, people)
        await two.clock.advance(0.5)
        assert hand.page.drawing == await right(two, game, people)
        assert are_current(hand, (await two.table(game)).stamp)
    assert hand.alive
    assert two.platform.pages(ALONE + people[1].user) == [hand.page]


async def test_a_keeper_goes_on_with_the_hand_of_one_that_was_killed(two: Pair) -> None:
    game, people, hand = await shown(two)
    await two.move(two.a, game, people)
    # The next edit of the killed process never arrives.
    two.lines[0].late = 1e9
    await two.move(two.a, game, people)
    old = hand.page.drawing
    await two.move(two.b, game, people)
    await two.clock.advance(SETTLED + 1)
    assert old != hand.page.drawing == await right(two, game, people)


async def test_a_late_edit_of_the_former_keeper_does_not_stay_on_a_hand(two: Pair) -> None:
    game, people, hand = await shown(two)
    two.lines[0].late = 2.5
    await two.move(two.a, game, people)
    await two.move(two.b, game, people)
    await two.clock.advance(0.5)
    two.lines[0].late = 0.0
    assert hand.page.drawing == await right(two, game, people)
    await two.clock.advance(2.2)
    assert hand.page.drawing != await right(two, game, people)
    await two.clock.advance(SETTLED)
    assert hand.page.drawing == await right(two, game, people)


async def test_the_next_keeper_moves_the_hand_to_the_private_chat_that_was_opened(two: Pair) -> None:
    game, people, hand = await shown(two)
    two.platform.closed.clear()
    alone = replace(people[1], place=Place("wall", ALONE + people[1].user), private=True)
    await two.b.dispatcher.arrive(alone, two.b.delivery())
    await two.move(two.b, game, people)
    await two.clock.advance(SETTLED + 1)
    assert not hand.alive
    (page,) = two.platform.pages(ALONE + people[1].user)
    assert page.drawing == await right(two, game, people)


async def test_a_hand_that_vanished_is_not_posted_where_others_read(
    two: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.outbox")
    game, people, hand = await shown(two)
    two.platform.lose(hand)
    posted = len(two.platform.messages)
    await two.move(two.b, game, people)
    await two.clock.advance(SETTLED + 1)
    assert "a private panel was not sent: Unreachable (the private chat is closed)" in caplog.text
    assert len(two.platform.messages) == posted
    assert two.platform.pages(ALONE + people[1].user) == []


async def test_a_hand_goes_on_in_its_message_if_it_cannot_be_shown_in_another(two: Pair) -> None:
    game, people, hand = await shown(two)
    assert isinstance(two.platform, Group)
    other = two.platform.open_alone(PLACE, people[1].user)
    two.platform.lose(other)
    assert not await two.a.dispatcher.show_ephemeral(people[1], game, other.id)
    for process in two.both:
        await two.move(process, game, people)
        await two.clock.advance(SETTLED + 1)
        assert hand.page.drawing == await right(two, game, people)
    assert hand.alive
