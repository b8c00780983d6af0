"""Parses and checks the arguments about a game; a wrong one raises `WrongArgument`."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.shared.wrong_argument import WrongArgument
from bot.i18n import Speech
from bot.model.tables import Refused
from bot.nearest import did_you_mean, nearest, with_choices
from bot.pages.seat_counts import players_caption
from bot.settings.choices import LANGUAGES
from bot.tables.log.table_state import AnyGame
from bot.tables.names.levels import LEVELS, level_named
from bot.tables.names.parsing import game_named
from engines import games
from engines.game import Text, allows
from engines.levels import Level


def game_argument(name: str) -> AnyGame:
    """The game with this key or English title, or the only one whose key or title begins with ``name``."""
    try:
        return game_named(name, Speech("en"))
    except Refused:
        keys = {key: key for key in games()}
        keys |= {Speech(tag)(game.title): key for key, game in games().items() for tag in LANGUAGES}
        # The error lists keys, since titles with blanks need quotes on a command line.
        unknown = Text("There is no game “{name}”.", name=name)
        raise WrongArgument(with_choices(unknown, name, keys)) from None


def seats_of(game: AnyGame, players: int | None, humans: int = 1) -> int:
    """The number of seats: ``players`` if given, else the fewest of the game, or as many as there are humans.

    Refuses a number of seats that the game does not allow, and fewer seats than humans.
    """
    seats = max(game.seats[0], humans) if players is None else players
    if seats not in game.seats:
        raise WrongArgument(
            Text(
                "{game} is for {players}, not {n}.",
                game=game.title,
                players=players_caption(game.seats),
                n=seats,
            )
        )
    if humans > seats:
        raise WrongArgument(
            Text(
                "{humans} people need {humans} seats, but there are {seats}: change --players or --humans.",
                humans=humans,
                seats=seats,
            )
        )
    return seats


def levels_of(
    game: AnyGame, seats: str | None, players: int | None, level: Level | None
) -> tuple[Level, ...]:
    """The level of each seat of a match: as ``seats`` lists them, else ``level`` or normal in every seat."""
    if seats is None:
        return (level or "normal",) * seats_of(game, players)
    if players is not None or level is not None:
        raise WrongArgument(Text("--seats names all seats and levels: leave out --players and --level."))
    levels = tuple(_level(word.strip()) for word in seats.split("," if "," in seats else None))
    seats_of(game, len(levels))
    return levels


def _level(word: str) -> Level:
    if level := level_named(word):
        return level
    unknown = Text("There is no level “{level}”.", level=word or "–")
    raise WrongArgument(with_choices(unknown, word, {level: level for level in LEVELS}))


def option_arguments(game: AnyGame, given: Sequence[str]) -> dict[str, str]:
    """The house rules by name, parsed from arguments of the form ``rule=value``."""
    options = {}
    for pair in given:
        option, _, value = pair.partition("=")
        if not allows(game.options, option, value):
            raise WrongArgument(_no_rule(pair, game))
        options[option] = value
    return options


def _no_rule(pair: str, game: AnyGame) -> Text:
    """The refusal of a ``rule=value`` that a game does not have: names one that it resembles, else all."""
    name, _, value = pair.partition("=")
    unknown = Text("There is no house rule “{rule}”.", rule=pair)
    rules = {option.name: option for option in game.options}
    if near := nearest(name, rules):
        values = rules[near].values
        if meant := value if value in values else nearest(value, values):
            return did_you_mean(unknown, f"{near}={meant}")
    if not rules:
        return Text("{game} has no house rules.", game=game.title)
    known = ", ".join(f"{rule.name}={'|'.join(rule.values)}" for rule in game.options)
    return Text("{reason} Choose: {choices}.", reason=unknown, choices=known)
