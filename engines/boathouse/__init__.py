"""Boathouse Rum: draw two cards, discard one, meld everything."""

from engines.boathouse import brain, screen, texts
from engines.boathouse.rules import BoathouseRules
from engines.boathouse.state import State, View
from engines.game import Game


class Boathouse(BoathouseRules):
    """The game whole: its rules, its look and its computer player."""

    draw = staticmethod(screen.draw)
    label = staticmethod(texts.label)
    think = staticmethod(brain.think)


game: Game[State, View] = Boathouse()
