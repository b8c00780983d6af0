"""A stress run in virtual time: random users at many tables in many channels, with outages and losses."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from unittest import mock

from bot.model.places import Place
from bot.pages.callback_data import CallbackData
from bot.store.memory import leases as memory_leases
from bot.table_service import keeper
from bot.table_service.bounds import Bounds
from engines import games
from tests import luck
from tests.support.groups import Groups
from tests.support.laws import BAR_HOLDS_AFTER
from tests.support.mortal import Killed
from tests.support.players import MENU, Player, offers
from tests.support.records import Guest, Message
from tests.support.simulation import Platform, Simulation, guest, place

NAMES = (
    "Ana", "Benito", "*Carla*", "Dora_", "Emil `x`", "<b>Fe</b>", "@everyone", "Q♥ Queen", "José 🂡", "G" * 60,
    "\u202eHugo", "", "Inés", "Juan Luis", "K\u0301a", "lola", "[Mo](x)", "Nuño", "O'Dea & co", "7",
)  # fmt: skip
FORGED = (
    "", "x", "::", "0000000000:0:rules:nothing 0", "0000000000:0:set:careful on", "0000000000:0:set:order x",
    "{game}:0:move:throw AS", "{game}:{stamp}:move:throw KH", "{game}:{stamp}:sure:x", "{game}:{stamp}:done",
    "{game}:{stamp}:add:AS", "{game}:{stamp}:drop:AS", "{game}:{stamp}:page:99999", "{game}:{stamp}:top",
    "{game}:{stamp}:pick:#AAAAAAAAAA", "{game}:999999:move:draw", "{game}:0:set_rule:99 99", "{game}:0:start",
    "{game}:0:log", "{game}:0:check", "{game}:0:watch", "{game}:0:unwatch",
    "{game}:0:back", "{game}:0:remove_computer",
    "ffffffffff:0:join", "{game}:0:nonsense", "{game}:0:set_rule:0 0", "{game}:0:house_rules",
    "{game}:0:undo", "{game}:999999:undo", "{game}:{stamp}:move:¡ñ 🂡\n\x00",
)  # fmt: skip
TYPED = ("draw", "throw AS", "10♥", "place a1", "help", "¿qué?", "leave", "capture KS all", "end", "x" * 500)


CLOCKS = ("", "", "", "off", "15", "20", "20", "60", "1d", "7d", "14")
"""The clocks with which tables are opened; the last is refused."""
A_LONG_TIME = 40 * 86_400.0
"""Seconds after the last action of a user within which every table must be closed."""


@contextmanager
def long_pauses() -> Iterator[None]:
    """Lets keepers look for work every two minutes only, so that days pass in few steps."""
    with (
        mock.patch.object(memory_leases, "ALIVE", A_LONG_TIME),
        mock.patch.object(keeper, "BEAT_ALONE", 3600.0),
        mock.patch.object(keeper, "BEAT_EVERY", 3600.0),
        mock.patch.object(keeper, "CLAIM_EVERY", 120.0),
    ):
        yield


@dataclass
class StressRun:
    """A stress run; once there are ``tables`` tables, users open no more, except rematches."""

    simulation: Simulation
    rng: random.Random
    channels: int
    people: int
    """The number of users in each channel."""
    tables: int
    length: float
    """Seconds after which the users stop acting."""
    keys: Sequence[str] = ()
    """The keys of the games that are played; if empty, all games."""
    leaving: float = 1.0
    """The probability that a user leaves the channel at the end; the others do nothing more."""
    actions: Counter[str] = field(default_factory=Counter)
    """How often each action was done, by its name."""
    places: list[tuple[Platform, Place]] = field(default_factory=list)
    opened: int = 0
    """How often a user has sent the command that opens a table, without those who try it while barred."""
    users: list[RandomUser] = field(default_factory=list)

    def add_users(self) -> list[RandomUser]:
        """Adds the channels and their users; returns the users."""
        users = []
        for n in range(self.channels):
            platform = self.simulation.platforms[n % 2]
            guests = [self._guest(platform, f"{n}-{m}") for m in range(self.people)]
            where = place(platform, f"channel {n}", *guests)
            self.places.append((platform, where))
            users += [RandomUser(self, platform, where, guest, self._rng(guest)) for guest in guests]
        return users

    async def run(self) -> None:
        """Runs the users and the incidents; then users leave, each with the probability `leaving`.

        If all leave, time then passes until no game goes on, at most 200 minutes. Five more minutes pass in
        any case.
        """
        users, clock = self.add_users(), self.simulation.clock
        self.users = users
        until = clock.now() + self.length
        incidents = asyncio.create_task(self._incidents(until))
        await asyncio.gather(*(user.act_until(until) for user in users))
        await incidents
        for one in users:
            if self.rng.random() < self.leaving:
                with suppress(Killed):
                    await one.go_home()
        for _ in range(400):
            if self.leaving < 1.0 or not self.unfinished():
                break
            await clock.sleep(30)
        await clock.sleep(300)

    async def run_on(self) -> None:
        """Lets days pass without an action of a user until all tables are closed, at most `A_LONG_TIME`."""
        clock = self.simulation.clock
        until = clock.now() + A_LONG_TIME
        with long_pauses():
            await clock.sleep(10)
            while self.open_tables() and clock.now() < until:
                await clock.sleep(3600)
            await clock.sleep(600)

    def open_tables(self) -> list[str]:
        """The tables that are not over."""
        return [table.id for table in self.simulation.checker.tables.values() if table.status != "over"]

    def unfinished(self) -> list[str]:
        """The tables that are neither over nor frozen for lack of people; those of other games don't count.

        A user may have pressed a button that opens one, at which the users then seldom move.
        """
        keys, tables = self.keys or list(games()), self.simulation.checker.tables.values()
        waiting = [table for table in tables if table.status != "over" and not table.is_frozen]
        return [table.id for table in waiting if table.key in keys]

    def summary(self) -> str:
        """The figures of the run."""
        tables, guild, groups = (
            self.simulation.checker.tables.values(),
            self.simulation.guild,
            self.simulation.groups,
        )
        played = Counter(table.key for table in tables if table.result)
        return (
            f"{len(tables)} tables, {sum(table.stamp for table in tables)} moves, to the end {dict(played)}\n"
            f"{len(guild.sent)} payloads in the guild, {guild.laters} had to wait\n"
            f"{len(groups.sent)} in the groups, {groups.laters} and {groups.hurries} had to wait, "
            f"{groups.unmodified} changed nothing\n"
            f"{self.simulation.scan.read_with_cards} named cards\n"
            f"{self.simulation.laws.timeouts} turns ran out of time, {self.simulation.laws.alerts} alerts\n"
            f"{dict(self.kinds())}\n{dict(self.actions)}"
        )

    def kinds(self) -> Counter[str]:
        """How many entries of each kind the tables have in memory, and the reasons for their ends."""
        tables = self.simulation.checker.tables.values()
        kinds = Counter[str](entry.kind for table in tables for entry in table.entries[table.entries.first :])
        kinds.update(f"end: {table.ended}" for table in tables if table.ended)
        return kinds

    def _guest(self, platform: Platform, user: str) -> Guest:
        name, locale = self.rng.choice(NAMES), self.rng.choice(("en", "es", "pt-BR", ""))
        self.simulation.scan.know(name)
        one = guest(platform, user, name, locale=locale, opened=self.rng.random() < 0.7)
        moderator = self.rng.random() < 0.1
        platform.users[user].moderator = moderator
        return one

    def _rng(self, one: Guest) -> random.Random:
        return luck.rng(f"{self.rng.random()} {one.user}")

    async def _incidents(self, until: float) -> None:
        """Causes one incident after another: lost messages, bars, restarts, a group's migration …"""
        kinds = [self._lose_messages, self._lose_permission, self._bar, self._restart, self._upgrade]
        if self.simulation.size > 1:
            kinds[3:3] = [self._kill, self._replace, self._kill]
        gap = self.length / (len(kinds) * 2 + 1)
        for incident in (*kinds, *kinds[:-1]):
            await self.simulation.clock.sleep(gap)
            self.actions[incident.__name__] += 1
            await incident()

    async def _lose_messages(self) -> None:
        for platform, where in self.places:
            for message in platform.messages.at(where)[-2:]:
                platform.lose(message)

    async def _lose_permission(self) -> None:
        platform, where = self.rng.choice(self.places)
        platform.forbidden.add(where.chat)
        await self.simulation.clock.sleep(45)
        platform.forbidden.discard(where.chat)

    async def _bar(self) -> None:
        """Makes a moderator of each place bar all others for a while, who try to sit down all the same."""
        for home in dict.fromkeys(user.home for user in self.users):
            moderator, *others = [user for user in self.users if user.home == home]
            moderator.platform.users[moderator.guest.user].moderator = True
            for command in ("bar", "unbar"):
                for other in others:
                    with suppress(Killed):
                        await moderator.guest.command(
                            moderator.place, command, player=f"<@{other.guest.user}>"
                        )
                if command == "bar":
                    await self.simulation.clock.sleep(BAR_HOLDS_AFTER + 1)
                    for other in others:
                        await other.try_to_sit_down()
                    await self.simulation.clock.sleep(self.length / 60)

    async def _restart(self) -> None:
        await self.simulation.stop()
        await self.simulation.clock.sleep(20)
        await self.simulation.start()

    async def _kill(self) -> None:
        """Kills a process, and starts a new one after the others may have taken over its chats."""
        await self.simulation.kill_one(self.rng.choice(self.simulation.processes))
        await self.simulation.clock.sleep(self.rng.choice((0.1, 5, 20)))
        await self.simulation.start()

    async def _replace(self) -> None:
        """Stops a process and starts a new one, as at an update."""
        await self.simulation.stop_one(self.rng.choice(self.simulation.processes))
        await self.simulation.clock.sleep(self.rng.uniform(0.1, 5))
        await self.simulation.start()

    async def _upgrade(self) -> None:
        n = next(n for n, (platform, _) in enumerate(self.places) if isinstance(platform, Groups))
        platform, where = self.places[n]
        assert isinstance(platform, Groups)
        self.places[n] = platform, await platform.upgrade(where.chat, f"-100{where.chat}")


@dataclass
class RandomUser:
    """A user in a channel, who mostly plays and sometimes does other things at random."""

    stress: StressRun
    platform: Platform
    home: Place
    guest: Guest
    rng: random.Random
    vanished: bool = False
    """Whether the user has stopped acting, without leaving table or channel."""

    def __post_init__(self) -> None:
        self.player = Player(self.guest, self.rng)

    @property
    def place(self) -> Place:
        return self.platform.current(self.home)

    async def act_until(self, until: float) -> None:
        """Acts again and again, a few seconds apart, until the given time or until the user vanishes."""
        clock = self.stress.simulation.clock
        while clock.now() < until and not self.vanished:
            await clock.sleep(1 + self.rng.expovariate(1 / 6))
            with suppress(Killed):
                await self.act()

    async def act(self) -> None:
        """Does one thing: usually a move or an offered action, sometimes an odd or disruptive one."""
        odd = self.rng.random()
        if odd < 0.05:
            await self._do(self.rng.choice(self._odd_actions()))
        elif odd < 0.08:
            await self._do(self.rng.choice(self._disruptive_actions()))
        elif not await self._play():
            await self._do(self._press_table_button)

    async def try_to_sit_down(self) -> None:
        """Tries each way to a seat: the keys that they see, commands for tables 1 to 3, and a new table."""
        for action in ("join", "sit", "rematch"):
            with suppress(Killed):
                self.stress.actions[f"barred {action}"] += await self.player.do(action)
        for name in ("join", "sit"):
            for number in "123":
                with suppress(Killed):
                    await self.guest.command(self.place, name, table=number)
        with suppress(Killed):
            await self.guest.command(self.place, "new", game="cardlebones")

    async def go_home(self) -> None:
        """Leaves the channel, and so every table in it."""
        await self.guest.go_away(self.place)

    async def _do(self, action: Callable[[], Awaitable[object]]) -> None:
        self.stress.actions[action.__name__] += 1
        await action()

    def _odd_actions(self) -> list[Callable[[], Awaitable[object]]]:
        return [
            self._press_twice,
            self._press_old,
            self._take_back,
            self._watch,
            self._sit_in,
            self._answer_question,
            self._pause,
            self._choose_clock,
            self._forge,
            self._write,
            self._send_command,
            self._autocomplete,
        ]

    def _disruptive_actions(self) -> list[Callable[[], Awaitable[object]]]:
        return [
            self._leave,
            self._kick,
            self._stop,
            self._hand_over,
            self._bar,
            self._vanish,
            self._leave_channel,
            self._block_messages,
            self._open_chat,
            self._change_preference,
        ]

    async def _play(self) -> bool:
        """Presses a button of the move menu; False if they see no menu."""
        mine = [offered for offered in offers(self.guest) if offered.own and offered.callback.action in MENU]
        if not mine:
            return False
        await self._do(self._move)
        return True

    async def _move(self) -> None:
        pages = {
            offered.callback.game
            for offered in offers(self.guest)
            if offered.own and offered.callback.action in MENU
        }
        await self.player.move(self.rng.choice(sorted(pages)))

    async def _press_table_button(self) -> None:
        """Opens a table, or presses an offered button that is no move, such as Join, Start or Rematch."""
        if len(self.stress.simulation.checker.tables) < self.stress.tables and self.rng.random() < 0.2:
            self.stress.opened += 1
            keys = self.stress.keys or list(games())
            key = keys[self.stress.opened % len(keys)]
            players = str(self.rng.choice(list(games()[key].seats))) if self.rng.random() < 0.5 else ""
            level = self.rng.choice(("easy", "normal", ""))
            given = {"clock": self.rng.choice(CLOCKS), "vanish": self.rng.choice(("", "", "forfeit"))}
            if self.rng.random() < 0.1:
                given["with"] = " ".join(f"<@{user}>" for user in self._neighbours())
            await self.guest.command(self.place, "new", game=key, players=players, level=level, **given)
            return
        likely = (
            "join",
            "start",
            "hand",
            "back",
            "cut",
            "add_computer",
            "house_rules",
            "set_rule",
            "help",
            "rules",
            "rematch",
            "sit",
            "agree",
            "refuse",
        )
        offered = {one.callback.action: one for one in offers(self.guest) if self.rng.random() < 0.5}
        if actions := [action for action in likely if action in offered][: self.rng.choice((1, 2, 12))]:
            one = offered[self.rng.choice(actions)]
            self.stress.actions[one.callback.action] += 1
            await self.player.press(one, self.rng.choice(("", "¡corto!", "A♠ 10♥", "x" * 70)))
        if self.rng.random() < 0.02:
            await self.player.do(self.rng.choice(("check", "log", "remove_computer")))

    async def _press_twice(self) -> None:
        if able := list(offers(self.guest)):
            one = self.rng.choice(able[:12])
            await asyncio.gather(self.player.press(one), self.player.press(one))

    async def _press_old(self) -> None:
        if message := self._message():
            old = sorted(message.ever, key=lambda button: button.data)
            if old:
                await self.guest.press(message, self.rng.choice(old))

    async def _watch(self) -> None:
        """Watches a table, or stops watching it."""
        if self.rng.random() < 0.3 and await self.player.do("unwatch"):
            return
        await self.guest.command(self.place, "watch", table=self._number())

    async def _take_back(self) -> None:
        """Takes a move back, or answers whether another player may."""
        await self.player.do(self.rng.choice(("undo", "agree", "refuse")))

    async def _forge(self) -> None:
        if message := self._message():
            known = [callback for button in message.buttons if (callback := CallbackData.parse(button.data))]
            callback = self.rng.choice(known) if known else CallbackData("f" * 10, 0, "join")
            data = self.rng.choice(FORGED).format(game=callback.game, stamp=callback.stamp)
            await self.guest.forge(message, data)

    async def _write(self) -> None:
        await self.guest.write(self.rng.choice(TYPED))

    async def _send_command(self) -> None:
        name = self.rng.choice(
            (
                "join",
                "cut",
                "start",
                "hand",
                "play",
                "table",
                "watch",
                "rematch",
                "rules",
                "leaderboard",
                "help",
            )
        )
        await self.guest.command(self.place, name, words="corto", move=self.rng.choice(TYPED), table="1")

    async def _autocomplete(self) -> None:
        name, parameter = self.rng.choice(
            (("play", "move"), ("new", "game"), ("new", "rules"), ("join", "table"), ("kick", "player"))
        )
        given = {"game": self.rng.choice(list(games())), "table": "1"}
        await self.platform.complete(
            self.guest.user, self.place, name, parameter, self.rng.choice(("", "p")), given
        )

    async def _leave(self) -> None:
        """Leaves the table; mostly confirms it, as a running game asks."""
        await self.player.do("leave")
        if self.rng.random() < 0.7:
            await self.player.do("leave_sure")

    async def _kick(self) -> None:
        await self.guest.command(self.place, "kick", player=self.rng.choice("123"), table=self._number())

    async def _hand_over(self) -> None:
        await self.guest.command(self.place, "owner", player=self.rng.choice("123"), table=self._number())

    async def _bar(self) -> None:
        """Bars a user from the tables of the place, or lets one play again; refused unless a moderator."""
        name, player = self.rng.choice(("bar", "bar", "unbar")), self.rng.choice(self._neighbours())
        await self.guest.command(self.place, name, player=f"<@{player}>")

    async def _vanish(self) -> None:
        """Stops acting for good in three cases of ten, without leaving table or channel."""
        self.vanished = self.rng.random() < 0.3

    async def _pause(self) -> None:
        """Looks away for so long that a turn may run out, and sometimes the grace too."""
        await self.stress.simulation.clock.sleep(self.rng.choice((20, 70, 130, 260)))

    async def _sit_in(self) -> None:
        """Asks for a computer's seat in a running game."""
        await self.guest.command(
            self.place, "sit", seat=self.rng.choice(("", "1", "2")), table=self._number()
        )

    async def _answer_question(self) -> None:
        """Asks the others to end the game, or answers a question by words."""
        if self.rng.random() < 0.3:
            await self.guest.command(self.place, "end", table=self._number())
        else:
            await self.guest.command(self.place, "vote", answer=self.rng.choice(("yes", "no", "sí", "")))

    async def _choose_clock(self) -> None:
        given = {"clock": self.rng.choice(CLOCKS), "vanish": self.rng.choice(("", "forfeit", "computer"))}
        await self.guest.command(self.place, "clock", **given, table=self._number())

    def _neighbours(self) -> list[str]:
        """The users of the channel."""
        return sorted(self.platform.places[self.place.chat])

    async def _stop(self) -> None:
        """In one case of five, sends the command that ends a table, and again to confirm it."""
        if self.rng.random() < 0.2:
            number = self._number()
            for _ in range(2):
                await self.guest.command(self.place, "end", table=number)

    async def _leave_channel(self) -> None:
        """Leaves the channel, and returns after some time."""
        await self.guest.go_away(self.place)
        await self.stress.simulation.clock.sleep(self.rng.uniform(5, 120))
        self.platform.enter(self.guest.user, self.place)

    async def _block_messages(self) -> None:
        """Blocks private messages."""
        self.platform.shut(self.guest.user)

    async def _open_chat(self) -> None:
        """Opens the private chat, and so accepts private messages."""
        await self.guest.open_chat()

    async def _change_preference(self) -> None:
        """Changes their language or another preference."""
        name, values = self.rng.choice(
            (
                ("order", "rank suit"),
                ("letters", "on off"),
                ("careful", "on off"),
                ("calls", "soon away never"),
                ("quiet", "off 22-7"),
                ("zone", "+2 -3:30"),
            )
        )
        value = self.rng.choice(values.split())
        if self.rng.random() < 0.2:
            await self.guest.command(self.place, "language", language=self.rng.choice(("en", "es")))
        else:
            await self.guest.command(self.place, "settings", setting=name, value=value)

    def _message(self) -> Message | None:
        seen = self.guest.seen()
        return self.rng.choice(seen) if seen else None

    def _number(self) -> str:
        return self.rng.choice(("1", "2", "3", ""))


MANY = Bounds(person=100, place=100, seats=100, days=100)
"""Bounds far above those of the bot, for runs that open many tables."""
