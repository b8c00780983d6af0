"""The commands, declared once for all platforms, with their English and Spanish names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Literal

from bot.choices import Language
from bot.model.places import Openers
from bot.pages.callback_data import is_game
from bot.tables.levels import level_named
from bot.tables.parsing import clock_word, vanish_word
from engines.game import Text

ParameterKind = Literal[
    "game", "players", "rules", "level", "table", "words", "move", "player", "scope", "language", "reader",
    "setting", "value", "openers", "computers", "option", "clock", "vanish", "answer", "seat",
    "people", "barred", "person", "threads", "extent", "listed", "played", "period",
    "order",
]  # fmt: skip
"""The kinds of parameters: a kind decides which typed words fit, and which values autocomplete suggests."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a command."""

    name: str
    spanish: str
    about: Text
    kind: ParameterKind
    required: bool = False
    rest: bool = False
    """Whether it takes all remaining words of a typed line."""
    many: bool = False
    """Whether it takes all words in a row that fit it."""

    @property
    def names(self) -> tuple[str, str]:
        """Its English and its Spanish name."""
        return self.name, self.spanish

    def called(self, language: Language) -> str:
        """Its name in a language."""
        return self.spanish if language == "es" else self.name


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its names, its description for players and its parameters."""

    name: str
    spanish: str
    about: Text
    parameters: tuple[Parameter, ...] = ()
    public: bool = True
    """Whether it is offered in public places, not only in private chats."""
    personal: bool = False
    """Whether its answer is for its sender alone: it may reveal their cards, or shows their settings."""
    moderators: bool = False
    """Whether only moderators may use it."""

    def called(self, language: Language) -> str:
        """Its name in a language."""
        return self.spanish if language == "es" else self.name


_TABLE = Parameter("table", "mesa", Text("The number of the table, if there are several"), "table")
_CLOCK = Parameter("clock", "reloj", Text("How long a turn lasts: 60, 90s, 2days or off"), "clock")
_VANISH = Parameter(
    "vanish", "ausencia", Text("If a player vanishes: computer plays on, or forfeit"), "vanish"
)
_GAME = Parameter("game", "juego", Text("Which game"), "game")
_LEVEL = Parameter("level", "nivel", Text("How well the computers play: easy, normal or hard"), "level")

COMMANDS: tuple[Command, ...] = (
    Command(
        "new",
        "nueva",
        Text("Open a table"),
        (
            Parameter("game", "juego", Text("Which game"), "game", required=True),
            Parameter(
                "players", "jugadores", Text("How many seats; computers take the free ones"), "players"
            ),
            _LEVEL,
            _CLOCK,
            _VANISH,
            Parameter("with", "con", Text("Only these people may join: @ana @luis"), "people", many=True),
            Parameter("rules", "reglas", Text("House rules, for example: option=value"), "rules", rest=True),
        ),
    ),
    Command("join", "unirse", Text("Sit down at a table"), (_TABLE,)),
    Command(
        "cut",
        "cortar",
        Text("Cut the deck with words of your own"),
        (
            Parameter(
                "words",
                "palabras",
                Text("Any words you like; everyone sees them"),
                "words",
                required=True,
                rest=True,
            ),
        ),
    ),
    Command(
        "computers",
        "maquinas",
        Text("Choose how many computers play"),
        (Parameter("number", "cuantas", Text("How many computers"), "computers"), _LEVEL, _TABLE),
    ),
    Command(
        "options",
        "opciones",
        Text("See the house rules, or change one"),
        (Parameter("rule", "regla", Text("A house rule and its value"), "option", rest=True), _TABLE),
    ),
    Command("clock", "reloj", Text("See how long a turn lasts, or choose it"), (_CLOCK, _VANISH, _TABLE)),
    Command("start", "empezar", Text("Deal the cards"), (_TABLE,)),
    Command("hand", "mano", Text("See your cards (only you see them)"), (_TABLE,), personal=True),
    Command(
        "play",
        "jugar",
        Text("Make a move by typing it"),
        (Parameter("move", "jugada", Text("The move"), "move", required=True, rest=True), _TABLE),
        personal=True,
    ),
    Command("hint", "pista", Text("Get a hint for your move (only you see it)"), (_TABLE,), personal=True),
    Command("undo", "deshacer", Text("Take back your last move"), (_TABLE,)),
    Command("table", "mesa", Text("Post the table again at the bottom"), (_TABLE,)),
    Command("watch", "mirar", Text("Watch a table without playing"), (_TABLE,)),
    Command("leave", "salir", Text("Leave; a computer plays on for you"), (_TABLE,)),
    Command("return", "regresar", Text("Take your seat back from the computer"), (_TABLE,)),
    Command(
        "sit",
        "sentarse",
        Text("Play in place of a computer, if the players agree"),
        (Parameter("seat", "asiento", Text("Whose place"), "seat"), _TABLE),
    ),
    Command(
        "vote",
        "votar",
        Text("Answer what another player has asked"),
        (Parameter("answer", "respuesta", Text("Yes or no"), "answer"), _TABLE),
    ),
    Command(
        "kick",
        "echar",
        Text("Remove a player from your table"),
        (Parameter("player", "jugador", Text("The player"), "player", required=True), _TABLE),
    ),
    Command(
        "owner",
        "anfitrion",
        Text("Hand your table over to another player"),
        (Parameter("player", "jugador", Text("The player"), "player", required=True), _TABLE),
    ),
    Command("end", "terminar", Text("Close your table, or ask the others to end the game"), (_TABLE,)),
    Command(
        "bar",
        "vetar",
        Text("For moderators: bar a person from the tables here"),
        (Parameter("player", "jugador", Text("The player"), "person", required=True),),
        moderators=True,
    ),
    Command(
        "unbar",
        "readmitir",
        Text("For moderators: let a barred person play again"),
        (Parameter("player", "jugador", Text("The player"), "barred"),),
        moderators=True,
    ),
    Command("notify", "avisar", Text("Get a message when a table opens here, or stop it")),
    Command("rematch", "revancha", Text("Play the last game again")),
    Command("check", "comprobar", Text("Check the deal of the last game")),
    Command(
        "analyse",
        "analizar",
        Text("Look back at the last game: which moves cost you most"),
        (Parameter("table", "mesa", Text("The id of another game that is over"), "table"),),
    ),
    Command("history", "historial", Text("See the last games here and who won"), (_GAME,)),
    Command(
        "replay",
        "repeticion",
        Text("Watch a finished game again, move by move"),
        (
            Parameter(
                "game",
                "partida",
                Text("Its number in the history, its id, or which game"),
                "played",
                rest=True,
            ),
        ),
    ),
    Command("log", "registro", Text("See every move of the last game")),
    Command("rules", "reglas", Text("Read the rules of a game"), (_GAME,)),
    Command(
        "leaderboard",
        "clasificacion",
        Text("See who has won most"),
        (
            _GAME,
            Parameter("scope", "donde", Text("This channel, this server, or everywhere"), "scope"),
            Parameter("period", "periodo", Text("All time, this month, or this week"), "period"),
            Parameter("order", "orden", Text("By rating, by wins, or by games played"), "order"),
        ),
    ),
    Command(
        "profile",
        "perfil",
        Text("See your games, wins and ratings, or those of another player"),
        (Parameter("player", "jugador", Text("The player"), "person"),),
    ),
    Command(
        "language",
        "idioma",
        Text("Choose your language, or this channel's"),
        (
            Parameter("language", "idioma", Text("English or Spanish"), "language", required=True),
            Parameter("for", "para", Text("For you, or for this channel"), "reader"),
        ),
    ),
    Command(
        "settings",
        "ajustes",
        Text("Your settings: sorting, suits, confirming, reminders"),
        (
            Parameter("setting", "ajuste", Text("The setting to change"), "setting"),
            Parameter("value", "valor", Text("The new value"), "value", rest=True),
        ),
        personal=True,
    ),
    Command(
        "privacy",
        "privacidad",
        Text("What I know about you; hide yourself from leaderboards"),
        (Parameter("listed", "visible", Text("Whether others find you there: shown or hidden"), "listed"),),
        personal=True,
    ),
    Command("forget", "olvidar", Text("Let me forget you: your name, settings and words"), personal=True),
    Command(
        "channel",
        "canal",
        Text("For moderators: settings of the tables in this channel, or in all channels"),
        (
            Parameter("language", "idioma", Text("English or Spanish"), "language"),
            Parameter(
                "openers", "abren", Text("Who may open tables: everyone, moderators, nobody"), "openers"
            ),
            _CLOCK,
            Parameter("threads", "hilos", Text("Whether each table gets a thread"), "threads"),
            Parameter("where", "donde", Text("In this channel, or everywhere"), "extent"),
        ),
        moderators=True,
    ),
    Command("help", "ayuda", Text("See what you can do here")),
)


def command(name: str) -> Command | None:
    """The command with this English or Spanish name; None if there is none."""
    meant = name.casefold()
    return next((one for one in COMMANDS if meant in (one.name, one.spanish)), None)


def arguments(one: Command, line: str) -> dict[str, str]:
    """The arguments in a typed line: each word goes to the next parameter that it fits.

    A parameter's name may stand before its word, as in “/channel openers nobody”. Parameters that a word does
    not fit are left out, and words after the last parameter are dropped.
    """
    names = {name for parameter in one.parameters for name in parameter.names}
    words, given = line.split(), {}
    for parameter in one.parameters:
        if not words:
            break
        if parameter.rest:
            given[parameter.name] = " ".join(words)
            break
        if len(words) > 1 and words[0].casefold() in names:
            if words[0].casefold() not in parameter.names:
                continue
            del words[0]
        most = len(words) if parameter.many else 1
        fitting = list(takewhile(partial(_fits, parameter.kind), words[:most]))
        if fitting:
            given[parameter.name] = " ".join(fitting)
            del words[: len(fitting)]
    return given


def openers_of(word: str) -> Openers | None:
    """The group that may open tables, by its English or Spanish name; None for an unknown name."""
    return _OPENERS_WORDS.get(word.strip().casefold())


_OPENERS_WORDS: dict[str, Openers] = {
    "everyone": "everyone", "todos": "everyone", "cualquiera": "everyone",
    "moderators": "moderators", "moderadores": "moderators", "nobody": "nobody", "nadie": "nobody",
}  # fmt: skip


def is_everywhere(word: str) -> bool:
    """Whether a word means all channels of a server; “todos” already means that everyone opens tables."""
    return word.strip().casefold() in ("everywhere", "server", "servidor")


SCOPE_WORDS: Mapping[str, str] = {
    "channel": "channel", "canal": "channel", "server": "server", "servidor": "server",
    "everywhere": "everywhere", "todas": "everywhere", "group": "server", "grupo": "server",
}  # fmt: skip
PERIOD_WORDS: Mapping[str, str] = {
    "all": "all", "todo": "all", "month": "month", "mes": "month", "week": "week", "semana": "week",
}  # fmt: skip
ORDER_WORDS: Mapping[str, str] = {
    "rating": "rating", "puntuación": "rating", "puntuacion": "rating", "wins": "wins", "victorias": "wins",
    "games": "games", "partidas": "games",
}  # fmt: skip
"""The words of a leaderboard: of each value the English one, the Spanish one, then others.

No game's name begins with one of them.
"""
_BOARD_WORDS = {"scope": SCOPE_WORDS, "period": PERIOD_WORDS, "order": ORDER_WORDS}


def is_hidden_word(word: str) -> bool | None:
    """Whether a word hides its sender from leaderboards; None for an unknown word."""
    return _HIDDEN_WORDS.get(word.strip().casefold())


_HIDDEN_WORDS = dict.fromkeys(("hidden", "oculto", "oculta"), True)
_HIDDEN_WORDS |= dict.fromkeys(("shown", "visible"), False)


def is_yes(word: str) -> bool | None:
    """Whether a word agrees, in English or Spanish; None for an unknown word."""
    return _ANSWERS.get(word.strip().casefold())


_ANSWERS = dict.fromkeys(("yes", "y", "agree", "sí", "si", "s"), True) | dict.fromkeys(("no", "n"), False)


def _fits(kind: ParameterKind, word: str) -> bool:
    if kind == "players":
        return word.isdecimal() and not clock_word(word)
    if kind == "computers":
        return word.isdecimal()
    if kind in ("clock", "vanish"):
        return (clock_word(word) if kind == "clock" else vanish_word(word)) is not None
    if kind == "table":
        return word.isdecimal() or is_game(word)
    if kind in _BOARD_WORDS:
        return word.casefold() in _BOARD_WORDS[kind]
    if kind == "game":
        return not any(word.casefold() in words for words in _BOARD_WORDS.values())
    if kind in ("openers", "language"):
        return (openers_of(word) is not None) == (kind == "openers")
    if kind == "people":
        return "@" in word
    if kind == "threads":
        return word in ("on", "off")
    if kind == "extent":
        return is_everywhere(word)
    if kind == "listed":
        return is_hidden_word(word) is not None
    if kind == "answer":
        return is_yes(word) is not None
    return kind != "level" or level_named(word) is not None
