"""Cardlebones: fill a 3x3 board, and knock your opponent's cards off theirs."""

from engines.cardlebones import brain, screen
from engines.cardlebones.rules import CardlebonesRules, State, View
from engines.game import Game


class Cardlebones(CardlebonesRules):
    """The game whole: its rules, its look and its computer player."""

    draw = staticmethod(screen.draw)
    label = staticmethod(screen.label)
    think = staticmethod(brain.think)


game: Game[State, View] = Cardlebones()
