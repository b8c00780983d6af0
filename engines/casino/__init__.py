"""40-card Casino: capture what lies on the table, build what you will capture next."""

from engines.casino import brain, screen
from engines.casino.rules import CasinoRules
from engines.casino.state import State, View
from engines.game import Game


class Casino(CasinoRules):
    """The game whole: its rules, its look and its computer player."""

    draw = staticmethod(screen.draw)
    label = staticmethod(screen.label)
    think = staticmethod(brain.think)


game: Game[State, View] = Casino()
