"""The fake groups refuse what the real platform refuses, one clause a test."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from bot.model import Account, Place
from bot.ports import Caller, Forbidden, Gone, Key, Later, Page, Reply, Unreachable
from tests.platforms.groups import Groups
from tests.platforms.records import Guest
from tests.support.clock import VirtualClock

ANA, BEN = Account("groups", "ana", "A"), Account("groups", "ben", "B")
HELLO = Page(("Hello",))


@dataclass
class Parrot:
    """A dispatcher that answers what it is told to, after some time."""

    clock: VirtualClock
    reply: Reply = field(default_factory=Reply)
    takes: float = 0.0
    lasting: bool = False
    """Whether all messages are tables' own."""
    heard: list[tuple[str, str, str]] = field(default_factory=list)
    """Who sent what, and which delivery it was."""

    async def press(
        self, caller: Caller, data: str, delivery: str, *, own: bool = False, answer: str = ""
    ) -> Reply:
        await self.clock.sleep(self.takes)
        return self._hear(caller, data, delivery)

    async def command(self, caller: Caller, name: str, given: Mapping[str, str], delivery: str) -> Reply:
        return self._hear(caller, name, delivery)

    async def words(self, caller: Caller, text: str, delivery: str) -> Reply:
        return self._hear(caller, text, delivery)

    async def arrive(self, caller: Caller, payload: str, delivery: str) -> Reply:
        return self._hear(caller, f"start {payload}", delivery)

    async def shows_table(self, data: str, message: str) -> bool:
        return self.lasting

    def _hear(self, caller: Caller, what: str, delivery: str) -> Reply:
        self.heard.append((caller.place.chat, what, delivery))
        return self.reply


@dataclass
class Scene:
    groups: Groups
    clock: VirtualClock
    dispatcher: Parrot
    square: Place
    ana: Guest
    ben: Guest


@pytest.fixture
def scene() -> Scene:
    clock = VirtualClock()
    groups, dispatcher = Groups(clock), Parrot(clock)
    groups.user("ana", opened=True), groups.user("ben")
    groups.dispatcher = dispatcher  # type: ignore[assignment]
    square = groups.group("square", "ana", "ben")
    return Scene(groups, clock, dispatcher, square, Guest(groups, "ana", "Ana"), Guest(groups, "ben", "Ben"))


def keys(*labels: str) -> tuple[Key, ...]:
    return tuple(Key(label, f"d{n}{label[:9]}") for n, label in enumerate(labels))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page(("x" * 4097,)), id="a text of 4,097 characters"),
        pytest.param(Page(("x" * 4090,), "1"), id="the pre element counts"),
        pytest.param(Page(("&" * 820,)), id="escapes count"),
        pytest.param(Page(rows=(keys("a"),)), id="no text"),
        pytest.param(Page(("x",), rows=tuple(keys(*"abcdefgh") for _ in range(13))), id="104 buttons"),
        pytest.param(Page(("x",), rows=(keys(*"abcdefghi"),)), id="nine buttons in a row"),
        pytest.param(Page(("x",), rows=((),)), id="an empty row"),
        pytest.param(Page(("x",), rows=((Key("y", "d" * 65),),)), id="data of 65 bytes"),
        pytest.param(Page(("x",), rows=((Key("y", "ñ" * 33),),)), id="bytes count, not characters"),
        pytest.param(Page(("x",), rows=((Key("y"),),)), id="data of none"),
        pytest.param(Page(("x",), rows=((Key("y", "d", "https://a.example"),),)), id="a link with data"),
        pytest.param(Page(("x",), rows=(keys(" "),)), id="a blank label"),
        pytest.param(Page(("x",), rows=(keys("y" * 65),)), id="a label of 65 characters"),
    ],
)
async def test_refused(scene: Scene, page: Page) -> None:
    with pytest.raises(AssertionError):
        await scene.groups.post(scene.square, page)
    assert len(scene.groups.faults.found) == 1


async def test_what_is_just_within_the_limits_is_taken(scene: Scene) -> None:
    rows = tuple(tuple(Key("y", f"{n}{m}".ljust(64, "d")) for n in range(8)) for m in range(12))
    await scene.groups.post(scene.square, Page(("x" * 4083,), "1", rows=rows))
    scene.groups.faults.none()
    assert len(scene.groups.sent[0].raw) == 4096


async def test_people_read_what_was_escaped_for_them(scene: Scene) -> None:
    await scene.groups.post(scene.square, Page(("<b> & A♠",), "> K♥", ("&lt;",)))
    assert scene.groups.sent[0].plain == "<b> & A♠\n\n> K♥\n\n&lt;"


async def test_a_whisper_is_seen_by_one(scene: Scene) -> None:
    await scene.groups.whisper(ANA, HELLO)
    assert [len(guest.seen()) for guest in (scene.ana, scene.ben)] == [1, 0]


async def test_nobody_is_written_to_who_has_not_opened_the_chat(scene: Scene) -> None:
    with pytest.raises(Unreachable):
        await scene.groups.whisper(BEN, HELLO)


async def test_nobody_is_written_to_who_has_blocked_us(scene: Scene) -> None:
    scene.groups.users["ana"].blocked = True
    with pytest.raises(Unreachable):
        await scene.groups.whisper(ANA, HELLO)


async def test_a_link_opens_the_chat_with_its_payload(scene: Scene) -> None:
    await scene.groups.post(scene.square, Page(("x",), rows=((Key("Open", url=scene.groups.link("t1")),),)))
    await scene.ben.press_label("Open")
    assert (scene.groups.users["ben"].opened, scene.dispatcher.heard) == (
        True,
        [("ben", "start t1", "groups:2")],
    )


@pytest.mark.parametrize("payload", ["x" * 65, "a b", "ñ", ""])
async def test_no_link_carries_everything(scene: Scene, payload: str) -> None:
    with pytest.raises(AssertionError):
        scene.groups.link(payload)


async def test_of_21_sendings_in_a_minute_the_last_has_to_wait_edits_counted(scene: Scene) -> None:
    message = await scene.groups.post(scene.square, HELLO)
    for n in range(19):
        await scene.clock.sleep(1)
        await scene.groups.edit(message, Page((str(n),)))
    with pytest.raises(Later) as later:
        await scene.groups.edit(message, HELLO)
    assert (scene.groups.laters, later.value.seconds) == (1, 41.0)


async def test_groups_have_twenty_sendings_each(scene: Scene) -> None:
    other = scene.groups.group("other", "ana")
    for place in (scene.square, other):
        for _ in range(20):
            await scene.clock.sleep(1)
            await scene.groups.post(place, HELLO)
    assert scene.groups.laters == 0


async def test_of_31_sendings_in_a_second_the_last_has_to_wait(scene: Scene) -> None:
    for _ in range(30):
        await scene.groups.whisper(ANA, HELLO)
    with pytest.raises(Later):
        await scene.groups.whisper(ANA, HELLO)
    assert (scene.groups.hurries, scene.groups.laters) == (1, 0)


async def test_an_edit_that_changes_nothing_is_no_error_and_counts(scene: Scene) -> None:
    message = await scene.groups.post(scene.square, HELLO)
    await scene.groups.edit(message, HELLO)
    assert (scene.groups.unmodified, len(scene.groups.sent)) == (1, 1)
    assert len(scene.groups.groups["square"].sendings) == 2


async def test_a_deleted_message_is_gone(scene: Scene) -> None:
    message = await scene.groups.post(scene.square, HELLO)
    scene.groups.lose(scene.groups.messages[message])
    with pytest.raises(Gone):
        await scene.groups.edit(message, Page(("x",)))


async def test_a_group_may_be_closed_to_us(scene: Scene) -> None:
    scene.groups.groups["square"].closed = True
    with pytest.raises(Forbidden):
        await scene.groups.post(scene.square, HELLO)


async def test_a_group_goes_on_under_another_name_without_its_messages(scene: Scene) -> None:
    await scene.groups.post(scene.square, HELLO)
    scene.groups.dispatcher = None
    new = await scene.groups.upgrade("square", "-100square")
    with pytest.raises(Forbidden):
        await scene.groups.post(scene.square, HELLO)
    await scene.groups.post(new, Page(("Here",)))
    assert [message.plain for message in scene.ana.seen()] == ["Here"]


async def test_who_speaks_in_a_group_of_another_name_speaks_in_it(scene: Scene) -> None:
    scene.groups.dispatcher = None
    await scene.groups.upgrade("square", "-100square")
    scene.groups.dispatcher = scene.dispatcher  # type: ignore[assignment]
    await scene.ana.command(scene.square, "new")
    assert scene.dispatcher.heard == [("-100square", "new", "groups:2")]


@pytest.mark.parametrize(("length", "faults"), [(200, 0), (201, 1)])
async def test_an_alert_has_at_most_200_characters(scene: Scene, length: int, faults: int) -> None:
    await scene.groups.post(scene.square, Page(("x",), rows=(keys("Hand"),)))
    scene.dispatcher.reply = Reply(brief="x" * length)
    with suppress(AssertionError):
        await scene.ana.press_label("Hand")
    assert len(scene.groups.faults.found) == faults


@pytest.mark.parametrize(("takes", "faults"), [(9.0, 0), (11.0, 1)])
async def test_a_press_is_answered_before_it_is_too_old(scene: Scene, takes: float, faults: int) -> None:
    await scene.groups.post(scene.square, Page(("x",), rows=(keys("Hand"),)))
    scene.dispatcher.takes = takes
    with suppress(AssertionError):
        await scene.ana.press_label("Hand")
    assert len(scene.groups.faults.found) == faults


async def test_a_page_for_somebody_among_others_goes_to_the_private_chat_or_nowhere(scene: Scene) -> None:
    await scene.groups.post(scene.square, Page(("x",), rows=(keys("Hand"),)))
    scene.dispatcher.reply = Reply(page=HELLO, brief="A♠")
    await scene.ana.press_label("Hand")
    await scene.ben.press_label("Hand")
    told = [(sent.how, sent.user, sent.plain) for sent in scene.groups.sent[1:]]
    assert told == [("alert", "ana", "A♠"), ("answer", "ana", "Hello"), ("alert", "ben", "A♠")]


@pytest.mark.parametrize(("lasting", "seen"), [(False, ["2"]), (True, ["1", "2"])])
async def test_a_page_takes_the_place_of_what_was_pressed_on_but_never_of_a_table(
    scene: Scene, lasting: bool, seen: list[str]
) -> None:
    await scene.groups.whisper(ANA, Page(("1",), rows=(keys("Next"),)))
    scene.dispatcher.reply, scene.dispatcher.lasting = Reply(page=Page(("2",))), lasting
    await scene.ana.press_label("Next")
    assert [message.plain for message in scene.ana.seen()] == seen


@pytest.mark.parametrize(("open_", "seen"), [(False, []), (True, ["Hello"])])
async def test_an_answer_that_cannot_be_given_alone_is_given_before_all_only_if_they_may_see_it(
    scene: Scene, open_: bool, seen: list[str]
) -> None:
    scene.dispatcher.reply = Reply("Hello", open=open_)
    await scene.ben.command(scene.square, "new")
    assert [message.plain for message in scene.ana.seen()] == seen


async def test_an_update_may_be_delivered_twice_under_one_name(scene: Scene) -> None:
    scene.groups.twice = lambda: True
    await scene.ana.write("place a1")
    assert scene.dispatcher.heard == [("ana", "place a1", "groups:1")] * 2


async def test_what_happens_while_nobody_is_at_home_is_heard_later_in_order(scene: Scene) -> None:
    scene.groups.dispatcher = None
    await scene.ana.write("one")
    await scene.ben.command(scene.square, "two")
    assert scene.dispatcher.heard == []
    await scene.groups.come_home(scene.dispatcher)  # type: ignore[arg-type]
    assert [what for _, what, _ in scene.dispatcher.heard] == ["one", "two"]


async def test_writing_to_us_opens_the_chat(scene: Scene) -> None:
    await scene.ben.write("hello")
    await scene.groups.whisper(BEN, HELLO)
    assert [message.plain for message in scene.ben.seen()] == ["Hello"]
