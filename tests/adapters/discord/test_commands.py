"""The slash commands registered with Discord, in both languages."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import discord
import pytest
from discord import AppCommandOptionType

from adapters.discord.commands import synchronise
from adapters.discord.failures import TOO_LATE
from adapters.discord.options import options_of
from bot.inbox.arguments.commands import COMMANDS
from bot.inbox.handlers.settings.preferences import PREFERENCES
from engines import games
from tests.adapters.discord.test_answers import playing, seated, text_of
from tests.adapters.discord.world import World, actions, buttons, opened

ENGLISH = [command.name for command in COMMANDS]


def registered(world: World) -> Mapping[str, Any]:
    """The commands that the bot registered, by name."""
    put = next(request for request in world.env.http_requests if request.method == "PUT")
    assert isinstance(put.json, list)
    return {command["name"]: command for command in put.json}


async def test_every_command_is_made_known() -> None:
    async with opened() as world:
        assert list(registered(world)) == ENGLISH


@pytest.mark.parametrize("locale", ["es-ES", "es-419"])
async def test_every_command_has_its_spanish_name(locale: str) -> None:
    async with opened() as world:
        names = [command["name_localizations"][locale] for command in registered(world).values()]
        assert names == [command.spanish for command in COMMANDS]


async def test_every_parameter_has_its_spanish_name() -> None:
    async with opened() as world:
        named = {
            option["name"]: option["name_localizations"]["es-ES"]
            for command in registered(world).values()
            for option in command["options"]
        }
        assert named == {
            name: known.spanish for command in COMMANDS for name, known in options_of(command).items()
        }


async def test_no_command_is_for_group_chats_without_the_bot() -> None:
    async with opened() as world:
        contexts = {tuple(command["contexts"]) for command in registered(world).values()}
        assert contexts == {(0, 1), (0,)}


async def test_only_what_is_for_moderators_alone_is_hidden_from_others() -> None:
    async with opened() as world:
        hidden = {name: one["default_member_permissions"] for name, one in registered(world).items()}
        manage_messages = discord.Permissions(manage_messages=True).value
        assert {name: value for name, value in hidden.items() if value is not None} == dict.fromkeys(
            ("bar", "unbar", "channel"), manage_messages
        )


async def test_a_moderator_sees_the_commands_for_moderators() -> None:
    async with opened() as world:
        mia = world.moderator("Mia")
        result = await mia.types("channel", language="es")
        assert text_of(result) == "The tables of this channel:"
        assert result.response
        assert [button for button in buttons(result.response.message) if "Español" in button["label"]]


async def test_other_members_do_not_see_the_commands_for_moderators() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        assert "channel" not in ana.member.available_commands(world.channel)
        assert "kick" in ana.member.available_commands(world.channel)


def option(world: World, command: str, name: str) -> Mapping[str, Any]:
    """An option of a registered command."""
    found: Mapping[str, Any] = next(
        one for one in registered(world)[command]["options"] if one["name"] == name
    )
    return found


@pytest.mark.parametrize(
    ("command", "name", "values"),
    [
        ("new", "game", tuple(games())),
        ("new", "level", ("easy", "normal", "hard")),
        ("new", "vanish", ("computer", "forfeit")),
        ("leaderboard", "scope", ("channel", "server", "everywhere")),
        ("leaderboard", "period", ("all", "month", "week")),
        ("leaderboard", "order", ("rating", "wins", "games")),
        ("language", "language", ("en", "es")),
        ("language", "for", ("me", "channel")),
        ("vote", "answer", ("yes", "no")),
        ("channel", "openers", ("everyone", "moderators", "nobody")),
        ("settings", "setting", tuple(PREFERENCES)),
    ],
)
async def test_fixed_values_are_choices(command: str, name: str, values: tuple[str, ...]) -> None:
    async with opened() as world:
        declared = option(world, command, name)
        assert declared["type"] == AppCommandOptionType.string.value
        assert tuple(choice["value"] for choice in declared["choices"]) == values
        assert not declared.get("autocomplete")


async def test_choices_have_spanish_names() -> None:
    async with opened() as world:
        [yes, _] = option(world, "vote", "answer")["choices"]
        assert (yes["name"], yes["name_localizations"]["es-ES"]) == ("yes", "sí")
        named = {choice["name"] for choice in option(world, "language", "language")["choices"]}
        assert named == {"English", "Español"}


@pytest.mark.parametrize(
    ("command", "name"),
    [("kick", "player"), ("owner", "player"), ("bar", "player"), ("unbar", "player"), ("new", "with")],
)
async def test_players_are_picked_among_the_members(command: str, name: str) -> None:
    async with opened() as world:
        assert option(world, command, name)["type"] == AppCommandOptionType.user.value


async def test_as_many_guests_are_picked_as_a_game_has_other_seats() -> None:
    async with opened() as world:
        user = AppCommandOptionType.user.value
        pickers = [
            parameter["name"]
            for parameter in registered(world)["new"]["options"]
            if parameter["type"] == user
        ]
        most = max(game.seats[-1] for game in games().values())
        assert pickers == ["with", *(f"with{n}" for n in range(2, most))]


@pytest.mark.parametrize(("command", "name"), [("new", "players"), ("computers", "number")])
async def test_numbers_have_bounds(command: str, name: str) -> None:
    async with opened() as world:
        seats = [n for game in games().values() for n in (game.seats[0], game.seats[-1])]
        bounds = (min(seats), max(seats)) if name == "players" else (0, max(seats) - 1)
        declared = option(world, command, name)
        assert declared["type"] == AppCommandOptionType.integer.value
        assert (declared["min_value"], declared["max_value"]) == bounds


async def test_the_number_of_players_is_completed_for_the_game_that_was_chosen() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        offered = await ana.member.autocomplete(world.channel, "new", "players", "", game="casino")
        assert [choice["value"] for choice in offered] == list(games()["casino"].seats)
        offered = await ana.member.autocomplete(world.channel, "new", "players", "")
        assert len(offered) > len(games()["casino"].seats)


async def test_a_completion_that_comes_too_late_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    async with opened() as world:
        ana = world.player("Ana")
        world.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=TOO_LATE)
        await ana.member.autocomplete(world.channel, "new", "players", "")
    assert [(record.levelname, record.getMessage().partition(",")[0]) for record in caplog.records] == [
        ("WARNING", "the bot could not complete an option: NotFound")
    ]


async def test_the_log_names_the_cause_of_a_command_without_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise KeyError("5S 10H")

    async with opened() as world:
        monkeypatch.setattr(world.client, "command", fail)
        await world.player("Ana").member.slash(world.channel, "help")
        # At its end the simulation raises the errors that were recorded since `errors` was last read.
        assert len(world.env.errors) == 1
    [record] = caplog.records
    assert record.getMessage().startswith("the bot could not answer a command: KeyError, test_commands.py:")
    assert "10H" not in caplog.text


async def test_the_values_of_a_setting_are_completed() -> None:
    async with opened() as world:
        eva = world.player("Eva", locale="es-ES")
        offered = await eva.member.autocomplete(world.channel, "settings", "value", "", setting="order")
        assert [(choice["name"], choice["value"]) for choice in offered] == [
            ("por valor", "rank"), ("por palo", "suit")
        ]  # fmt: skip
        zones = await eva.member.autocomplete(world.channel, "settings", "value", "", setting="zone")
        assert "+1" in [choice["value"] for choice in zones]


async def test_every_parameter_but_free_words_is_completed_chosen_or_picked() -> None:
    async with opened() as world:
        options = [option for command in registered(world).values() for option in command["options"]]
        plain = {
            parameter["name"]
            for parameter in options
            if not (
                parameter.get("autocomplete")
                or parameter.get("choices")
                or parameter["type"] == AppCommandOptionType.user.value
            )
        }
        assert plain == {"words"}


async def test_commands_that_have_not_changed_are_not_sent_again() -> None:
    async with opened() as world:
        await world.restart()
        assert len([request for request in world.env.http_requests if request.method == "PUT"]) == 1


async def test_commands_that_have_changed_are_sent_again() -> None:
    async with opened() as world:
        command = world.client.tree.get_command("help")
        assert command is not None
        world.client.tree.remove_command("help")
        assert await synchronise(world.client.tree)


@pytest.mark.parametrize(
    ("command", "option", "known"),
    [
        ("vote", "answer", {"description": "Your vote"}),
        ("vote", "answer", {"choices": [{"name": "yes", "value": "yes"}]}),
        ("vote", "answer", {"min_value": 1, "max_value": 2}),
        ("cut", "words", {"choices": [{"name": "yes", "value": "yes"}]}),
        ("cut", "words", {"autocomplete": True}),
    ],
)
async def test_a_command_that_discord_knows_otherwise_is_sent_again(
    command: str, option: str, known: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as world:
        theirs = copy.deepcopy(dict(registered(world)))
        options = {one["name"]: one for one in theirs[command]["options"]}
        options[option] |= known
        request = world.client.http.request

        async def answer(route: discord.http.Route, **given: Any) -> Any:
            return list(theirs.values()) if route.method == "GET" else await request(route, **given)

        monkeypatch.setattr(world.client.http, "request", answer)
        assert await synchronise(world.client.tree)


async def test_no_description_of_a_command_is_too_long() -> None:
    async with opened() as world:
        lengths = [
            len(command["description_localizations"].get(locale, command["description"]))
            for command in registered(world).values()
            for locale in ("es-ES", "en-US")
        ]
        assert max(lengths) <= 100


@pytest.mark.parametrize("name", ENGLISH)
async def test_every_command_is_answered(name: str) -> None:
    async with opened() as world:
        _, bob = await seated(world)
        given: Mapping[str, Mapping[str, Any]] = {
            "new": {"game": "casino"}, "cut": {"words": "by moonlight"}, "play": {"move": "nonsense"},
            "kick": {"player": bob.member}, "owner": {"player": bob.member}, "bar": {"player": bob.member},
            "language": {"language": "es"},
        }  # fmt: skip
        role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
        roles = [role] if next(command for command in COMMANDS if command.name == name).moderators else []
        eve = world.player("Eve", roles=roles)
        result = await eve.types(name, **given.get(name, {}))
        assert text_of(result)


async def test_house_rules_are_completed_for_the_game_that_was_chosen() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        key = next(key for key, game in games().items() if game.options)
        offered = await ana.member.autocomplete(world.channel, "new", "rules", "", game=key)
        options = {choice["value"].partition("=")[0] for choice in offered}
        rules = {option.name for option in games()[key].options if len(option.values) > 1}
        assert options == rules | {"pace", "hints"}


async def test_no_more_moves_are_completed_than_discord_shows() -> None:
    async with opened() as world:
        players = await playing(world, "svoi")
        for _ in range(40):
            player = await world.awaited(players)
            assert player
            table = await world.table()
            if len(list(table.game.moves(table.state, table.active()[0]))) > 25:
                break
            await player.clicks(player.panel, actions(player.panel, "move", "pick")[0])
        else:
            raise AssertionError("nobody had so many moves")
        assert len(await player.member.autocomplete(world.channel, "play", "move", "")) == 25


async def test_the_table_speaks_the_language_of_the_server() -> None:
    async with opened() as world:
        world.server_locale = "es-ES"
        await world.player("Ana").types("new", game="casino")
        assert "Captura cartas" in world.public_panel.content


async def test_each_sender_is_answered_in_their_own_language() -> None:
    async with opened() as world:
        await seated(world)
        result = await world.player("Eva", locale="es-419").types("rules", game="casino")
        assert result.response
        assert "Casino de 40 cartas" in result.response.content


async def test_a_moderator_of_one_channel_is_none_of_the_server() -> None:
    async with opened() as world:
        mia = world.player("Mia")
        own = discord.PermissionOverwrite(manage_messages=True)
        channel = world.guild.create_text_channel("mias", overwrites={mia.member: own})
        result = await mia.types("channel", channel, openers="nobody", where="everywhere")
        assert text_of(result) == "You moderate only this channel. Ask a moderator of the whole server."
        result = await mia.types("channel", channel, openers="nobody")
        assert text_of(result).startswith("The tables of this channel")
        role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
        mod = world.player("Mo", roles=[role])
        result = await mod.types("channel", channel, openers="moderators", where="everywhere")
        assert "all channels" in text_of(result)


async def test_a_bare_command_is_answered_with_buttons() -> None:
    async with opened() as world:
        ana, bob = world.player("Ana"), world.player("Bob")
        result = await ana.types("new")
        assert result.response
        await ana.clicks(
            result.response.message,
            next(button for button in buttons(result.response.message) if button["label"] == "Casino"),
        )
        await bob.presses(world.public_panel, "Join")
        asked = await ana.types("kick")
        assert asked.response
        (only,) = buttons(asked.response.message)
        assert only["label"] == "Bob"
        await ana.clicks(asked.response.message, only)
        assert [player.name for player in (await world.table()).players] == ["Ana"]
