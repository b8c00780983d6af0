"""Svoi Kozyri: two players, one open pile, and a trump suit for each of them."""

from engines.game import Game
from engines.svoi import brain, screen
from engines.svoi.rules import SvoiRules
from engines.svoi.state import State, View


class Svoi(SvoiRules):
    """The game whole: its rules, its look and its computer player."""

    draw = staticmethod(screen.draw)
    arrange = staticmethod(screen.arrange)
    label = staticmethod(screen.label)
    think = staticmethod(brain.think)


game: Game[State, View] = Svoi()
