"""The fake guild refuses what the real platform refuses, one clause a test."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from bot.model import Account, Place
from bot.ports import Caller, Chooser, File, Forbidden, Gone, Key, Later, Page, Reply, Suggestion, Unreachable
from tests.platforms.guild import Guild
from tests.platforms.records import Guest
from tests.support.clock import VirtualClock

ANA, BEN = Account("guild", "ana", "A"), Account("guild", "ben", "B")
HELLO = Page(("Hello",))


@dataclass
class Parrot:
    """A dispatcher that answers what it is told to, after some time."""

    clock: VirtualClock
    reply: Reply = field(default_factory=Reply)
    takes: float = 0.0
    question: str = ""
    heard: list[tuple[str, bool]] = field(default_factory=list)

    async def press(
        self, caller: Caller, data: str, delivery: str, *, own: bool = False, answer: str = ""
    ) -> Reply:
        self.heard.append((data + answer, own))
        await self.clock.sleep(self.takes)
        return self.reply

    async def command(self, caller: Caller, name: str, given: Mapping[str, str], delivery: str) -> Reply:
        return self.reply

    async def asks(self, caller: Caller, data: str) -> str:
        return self.question

    async def complete(self, *_: object) -> list[Suggestion]:
        return [Suggestion("x" * 200, str(n)) for n in range(30)]


@dataclass
class Scene:
    guild: Guild
    clock: VirtualClock
    dispatcher: Parrot
    square: Place
    ana: Guest
    ben: Guest


@pytest.fixture
def scene() -> Scene:
    clock = VirtualClock()
    guild, dispatcher = Guild(clock), Parrot(clock)
    guild.member("ana"), guild.member("ben")
    guild.dispatcher = dispatcher  # type: ignore[assignment]
    square = guild.channel("square", "ana", "ben")
    return Scene(guild, clock, dispatcher, square, Guest(guild, "ana", "Ana"), Guest(guild, "ben", "Ben"))


def keys(*labels: str) -> tuple[Key, ...]:
    return tuple(Key(label, f"d{n}{label[:9]}") for n, label in enumerate(labels))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page(("x" * 2001,)), id="content of 2,001 characters"),
        pytest.param(Page(("x" * 1990,), "1234"), id="the code block counts"),
        pytest.param(Page(("*" * 1001,)), id="escapes count"),
        pytest.param(Page((), "a ``` b"), id="a drawing that ends its code block"),
        pytest.param(Page(), id="nothing in it"),
        pytest.param(Page(("x",), rows=tuple(keys(str(n)) for n in range(6))), id="six rows"),
        pytest.param(Page(("x",), rows=(keys(*"abcdef"),)), id="six buttons in a row"),
        pytest.param(Page(("x",), rows=((),)), id="an empty row"),
        pytest.param(Page(("x",), rows=(keys("y" * 81),)), id="a label of 81 characters"),
        pytest.param(Page(("x",), rows=(keys(" "),)), id="a blank label"),
        pytest.param(Page(("x",), rows=((Key("y", "d" * 101),),)), id="a custom id of 101 characters"),
        pytest.param(Page(("x",), rows=((Key("y"),),)), id="a custom id of none"),
        pytest.param(Page(("x",), rows=((Key("y", "d"), Key("z", "d")),)), id="a custom id twice"),
        pytest.param(Page(("x",), rows=((Key("y", "d", "https://a.example"),),)), id="a link with an id"),
        pytest.param(Page(("x",), rows=((Key("y", url="tg://x"),),)), id="a link to another protocol"),
        pytest.param(Page(("x",), chooser=Chooser("", keys("a", "b"))), id="a list without a name"),
        pytest.param(Page(("x",), chooser=Chooser("more", ())), id="a list of nothing"),
        pytest.param(Page(("x",), chooser=Chooser("more", keys(*map(str, range(26))))), id="26 options"),
        pytest.param(
            Page(("x",), chooser=Chooser("more", (Key("y", url="https://a.b"),))), id="a link to choose"
        ),
        pytest.param(
            Page(("x",), rows=(keys("a"),), chooser=Chooser("more", keys("a"))),
            id="a button and an option alike",
        ),
        pytest.param(
            Page(("x",), rows=tuple(keys(str(n)) for n in range(5)), chooser=Chooser("more", keys("a"))),
            id="a list below five rows",
        ),
    ],
)
async def test_refused(scene: Scene, page: Page) -> None:
    with pytest.raises(AssertionError):
        await scene.guild.post(scene.square, page)
    assert len(scene.guild.faults.found) == 1


async def test_what_is_just_within_the_limits_is_taken(scene: Scene) -> None:
    rows = tuple(tuple(Key("y" * 80, f"{n}{m}".ljust(100, "d")) for n in range(5)) for m in range(5))
    await scene.guild.post(scene.square, Page(("x" * 1987,), "1234", rows=rows))
    scene.guild.faults.none()
    assert len(scene.guild.sent[0].raw) == 2000


async def test_a_fault_is_kept_though_its_error_is_swallowed(scene: Scene) -> None:
    with pytest.raises(AssertionError):
        await scene.guild.post(scene.square, Page())
    with pytest.raises(AssertionError):
        scene.guild.faults.none()


async def test_people_read_what_was_escaped_for_them(scene: Scene) -> None:
    await scene.guild.post(scene.square, Page(("- *A* [x](y) #1", "# > `z`"), "(A♠)\\", ("_",)))
    assert scene.guild.sent[0].plain == "- *A* [x](y) #1\n# > `z`\n\n(A♠)\\\n\n_"


async def test_a_message_in_a_channel_is_seen_by_its_members_only(scene: Scene) -> None:
    scene.guild.member("carla")
    await scene.guild.post(scene.square, HELLO)
    assert [len(scene.guild.seen_by(user)) for user in ("ana", "ben", "carla")] == [1, 1, 0]


async def test_a_whisper_is_seen_by_one(scene: Scene) -> None:
    scene.guild.members["ana"].met = True
    await scene.guild.whisper(ANA, HELLO)
    assert [len(guest.seen()) for guest in (scene.ana, scene.ben)] == [1, 0]


async def test_nobody_is_written_to_who_never_used_the_bot(scene: Scene) -> None:
    with pytest.raises(AssertionError, match="never used"):
        await scene.guild.whisper(ANA, HELLO)


async def test_a_user_may_refuse_private_messages(scene: Scene) -> None:
    scene.guild.member("ana", closed=True)
    scene.guild.members["ana"].met = True
    with pytest.raises(Unreachable):
        await scene.guild.whisper(ANA, HELLO)


async def test_a_channel_may_be_closed_to_us(scene: Scene) -> None:
    scene.guild.channels[scene.square].closed = True
    with pytest.raises(Forbidden):
        await scene.guild.post(scene.square, HELLO)


async def test_a_deleted_message_is_gone(scene: Scene) -> None:
    message = await scene.guild.post(scene.square, HELLO)
    scene.guild.lose(scene.guild.messages[message])
    with pytest.raises(Gone):
        await scene.guild.edit(message, HELLO)


async def test_deleting_twice_is_no_error(scene: Scene) -> None:
    message = await scene.guild.post(scene.square, HELLO)
    await scene.guild.delete(message)
    await scene.guild.delete(message)
    assert scene.ana.seen() == []


async def test_the_sixth_sending_into_a_channel_in_five_seconds_has_to_wait(scene: Scene) -> None:
    message = await scene.guild.post(scene.square, HELLO)
    for _ in range(4):
        await scene.guild.edit(message, HELLO)
    with pytest.raises(Later) as later:
        await scene.guild.post(scene.square, HELLO)
    await scene.clock.sleep(later.value.seconds)
    await scene.guild.post(scene.square, HELLO)
    assert scene.guild.laters == 1


async def test_an_answer_among_others_is_seen_by_its_reader_only(scene: Scene) -> None:
    scene.dispatcher.reply = Reply("Not now.", HELLO)
    await scene.ana.command(scene.square, "hand")
    assert [[message.plain for message in guest.seen()] for guest in (scene.ana, scene.ben)] == [
        ["Not now.\nHello"],
        [],
    ]


async def test_a_press_on_a_page_in_passing_takes_its_place(scene: Scene) -> None:
    scene.dispatcher.reply = Reply(page=Page(("1",), rows=(keys("Next"),)))
    await scene.ana.command(scene.square, "hand")
    scene.dispatcher.reply = Reply(page=Page(("2",)))
    await scene.ana.press_label("Next")
    assert ([message.plain for message in scene.ana.seen()], scene.dispatcher.heard) == (
        ["2"],
        [("d0Next", True)],
    )


async def test_a_press_on_the_board_is_answered_beside_it(scene: Scene) -> None:
    await scene.guild.post(scene.square, Page(("board",), rows=(keys("Hand"),)))
    scene.dispatcher.reply = Reply(page=HELLO)
    await scene.ana.press_label("Hand")
    assert ([message.plain for message in scene.ana.seen()], scene.dispatcher.heard) == (
        ["board", "Hello"],
        [("d0Hand", False)],
    )


@pytest.mark.parametrize("minutes", [14, 16])
async def test_a_page_in_passing_can_be_changed_for_fifteen_minutes(scene: Scene, minutes: int) -> None:
    scene.dispatcher.reply = Reply(page=HELLO)
    await scene.ana.command(scene.square, "hand")
    await scene.clock.sleep(minutes * 60)
    with suppress(Gone):
        await scene.guild.edit(scene.ana.seen()[0].id, Page(("new",)))
    assert scene.ana.seen()[0].plain == ("new" if minutes < 15 else "Hello")


@pytest.mark.parametrize(("takes", "faults"), [(2.9, 0), (3.1, 1)])
async def test_an_interaction_is_answered_within_three_seconds(
    scene: Scene, takes: float, faults: int
) -> None:
    await scene.guild.post(scene.square, Page(("board",), rows=(keys("Hand"),)))
    scene.dispatcher.takes = takes
    with suppress(AssertionError):
        await scene.ana.press_label("Hand")
    assert len(scene.guild.faults.found) == faults


async def test_a_press_while_nobody_is_at_home_is_lost(scene: Scene) -> None:
    await scene.guild.post(scene.square, Page(("board",), rows=(keys("Hand"),)))
    scene.guild.dispatcher = None
    await scene.ana.press_label("Hand")
    scene.guild.dispatcher = scene.dispatcher  # type: ignore[assignment]
    assert scene.dispatcher.heard == []


@pytest.mark.parametrize(("answer", "heard"), [("", []), ("ace", [("d0Cutace", False)])])
async def test_a_button_that_asks_opens_a_window(
    scene: Scene, answer: str, heard: list[tuple[str, bool]]
) -> None:
    await scene.guild.post(scene.square, Page(("board",), rows=(keys("Cut"),)))
    scene.dispatcher.question = "Words"
    await scene.ana.press_label("Cut", answer)
    assert scene.dispatcher.heard == heard


async def test_an_option_of_a_list_is_pressed_like_a_button(scene: Scene) -> None:
    page = Page(("board",), rows=(keys("a"),), chooser=Chooser("2 more", keys("b", "c")))
    await scene.guild.post(scene.square, page)
    await scene.ana.press_label("c")
    assert [data for data, _ in scene.dispatcher.heard] == [page.chooser.keys[1].data if page.chooser else ""]


async def test_no_guest_presses_what_they_do_not_see(scene: Scene) -> None:
    scene.guild.members["ana"].met = True
    message = scene.guild.messages[await scene.guild.whisper(ANA, Page(("x",), rows=(keys("Hand"),)))]
    with pytest.raises(AssertionError, match="do not see"):
        await scene.ben.press(message, message.buttons[0])


async def test_no_guest_presses_what_was_never_there(scene: Scene) -> None:
    message = scene.guild.messages[await scene.guild.post(scene.square, Page(("x",), rows=(keys("Hand"),)))]
    other = scene.guild.messages[await scene.guild.post(scene.square, Page(("x",), rows=(keys("Rules"),)))]
    with pytest.raises(AssertionError, match="never there"):
        await scene.ana.press(message, other.buttons[0])


async def test_a_slow_phone_presses_what_was_there(scene: Scene) -> None:
    message = scene.guild.messages[await scene.guild.post(scene.square, Page(("x",), rows=(keys("Old"),)))]
    old = message.buttons[0]
    await scene.guild.edit(message.id, Page(("x",), rows=(keys("New"),)))
    await scene.ana.press(message, old)
    assert scene.dispatcher.heard == [("d0Old", False)]


async def test_at_most_25_suggestions_of_at_most_100_characters(scene: Scene) -> None:
    found = await scene.guild.complete("ana", scene.square, "new", "game", "", {})
    assert (len(found), {len(one.label) for one in found}) == (25, {100})


async def test_a_file_is_read_by_whoever_asked_for_it(scene: Scene) -> None:
    scene.dispatcher.reply = Reply(file=File("log.json", b"{}"))
    await scene.ana.command(scene.square, "log")
    assert [(sent.how, sent.user, sent.plain) for sent in scene.guild.sent] == [("file", "ana", "{}")]


async def test_leaving_a_channel_ends_seeing_it(scene: Scene) -> None:
    await scene.guild.post(scene.square, HELLO)
    scene.guild.dispatcher = None
    await scene.ana.go_away(scene.square)
    assert scene.ana.seen() == []
