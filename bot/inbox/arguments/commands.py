"""The commands, declared once for all platforms, with their English and Spanish names."""

from __future__ import annotations

from typing import Literal

from bot.i18n import folded
from bot.settings.choices import Language
from engines.game import Text
from engines.values import Value

ParameterKind = Literal[
    "game", "players", "rules", "level", "table", "words", "move", "player", "scope", "language", "reader",
    "setting", "value", "openers", "computers", "option", "clock", "vanish", "answer", "seat",
    "people", "barred", "person", "threads", "extent", "hidden", "played", "period",
    "order",
]  # fmt: skip
"""The kinds of parameters: a kind decides which typed words fit, and which values autocomplete suggests."""


class Parameter(Value):
    """A parameter of a command."""

    name: str
    spanish: str
    about: Text
    kind: ParameterKind
    required: bool = False
    rest: bool = False
    """Whether it takes the remaining words of a typed line; house rules take only pairs, as ``high=ace``."""
    many: bool = False
    """Whether it takes several words, as many in a row as fit it."""
    also: tuple[str, ...] = ()
    """Other names that people may type for it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its English and its Spanish name, and others."""
        return self.name, self.spanish, *self.also

    def called(self, language: Language) -> str:
        """Its name in a language."""
        return self.spanish if language == "es" else self.name


class Command(Value):
    """A command: its names, its description for players and its parameters."""

    name: str
    spanish: str
    about: Text
    parameters: tuple[Parameter, ...] = ()
    personal: bool = False
    """Whether its answer is for its sender alone, since it may show their cards, settings or data."""
    moderators: bool = False
    """Whether platforms offer it to moderators only; its handler refuses all others."""

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
                "players",
                "jugadores",
                Text("How many seats; computers take the free ones"),
                "players",
                also=("seats", "asientos", "plazas"),
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
        Text("Choose your language, or that of the tables here"),
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
        (Parameter("listed", "visible", Text("Whether others find you there: shown or hidden"), "hidden"),),
        personal=True,
    ),
    Command("forget", "olvidar", Text("Let me forget you: your name, settings and words"), personal=True),
    Command(
        "channel",
        "canal",
        Text("For moderators: settings of the tables here"),
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
"""All commands, in the order of the help."""


def command_named(name: str) -> Command | None:
    """The command with this English or Spanish name, whatever its case and accents; None if there is none."""
    meant = folded(name)
    return next((command for command in COMMANDS if meant in (command.name, command.spanish)), None)
