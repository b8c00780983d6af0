"""Trío y Escalera: go out by building trios and runs on a table that everybody may rearrange."""

from engines.game import Game
from engines.trio_escalera import brain, screen
from engines.trio_escalera.rules import TrioEscaleraRules
from engines.trio_escalera.state import State, View


class TrioEscalera(TrioEscaleraRules):
    """The game whole: its rules, its look and its computer player."""

    draw = staticmethod(screen.draw)
    label = staticmethod(screen.label)
    think = staticmethod(brain.think)


game: Game[State, View] = TrioEscalera()
