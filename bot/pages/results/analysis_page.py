"""The pages of the analysis of a game: its progress, and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest

from bot.i18n import Speech
from bot.pages.composer import Composer
from bot.pages.long_text import cost
from bot.pages.results.sparkline import chances_line
from bot.ports import Limits, Page, PagePanel
from bot.table_service.analysis_jobs import AnalysisJob, moves_at
from bot.tables.analysis import Analysis, Judged, PlayedMove
from bot.tables.table import Table
from engines.drawing import cut, pad
from engines.game import IllegalMove, Move, Name, Seat, Text, plural

COSTLIEST = 3
"""How many moves are listed for one player at most: those that cost most."""
_LISTED_LOSS = 0.02
"""The least loss, in chance to win, of a move that is listed."""
_SETBACK = 0.15
"""The least drop of a loser's chance between two of their decisions that is mentioned."""
_NAME_WIDTH = 8
"""The width in cells of the name in front of a player's bars."""
_BARS_HEAD = Text("Chances to win, from the deal to the end:")
"""The line above the bars."""
_VERDICTS: tuple[tuple[float, Text, Callable[[Seat], Text]], ...] = (
    (
        0.005,
        Text("A hard computer would hardly have played better than you."),
        lambda seat: Text("A hard computer would hardly have played better than {who}.", who=Name(seat)),
    ),
    (
        0.02,
        Text("You played well: few moves cost you anything."),
        lambda seat: Text("{who} played well: few moves cost anything.", who=Name(seat)),
    ),
    (
        0.05,
        Text("You played soundly, with a few expensive moves."),
        lambda seat: Text("{who} played soundly, with a few expensive moves.", who=Name(seat)),
    ),
    (
        1.0,
        Text("A hard computer would often have chosen other moves."),
        lambda seat: Text("A hard computer would often have chosen other moves than {who}.", who=Name(seat)),
    ),
)
"""By the greatest average loss of a decision: the verdict on the reader, and that on another player."""


def progress_page(table: Table, job: AnalysisJob, say: Speech, limits: Limits) -> Page:
    """The progress of an analysis, with a key to ask again."""
    return _page_to_ask_again(table, progress(job), say, limits)


def progress(job: AnalysisJob) -> Text:
    """The progress of an analysis."""
    return Text("I'm looking back at the game: {percent}%.", percent=job.percent)


async def finished_page(
    table: Table, job: AnalysisJob, reader: Seat | None, say: Speech, limits: Limits
) -> Page:
    """The page of a finished or failed analysis of a whole table. Lets other tasks run meanwhile."""
    if (analysis := job.analysis) is None:
        return failed_page(table, say, limits)
    seats = shown_seats(table, analysis, reader)
    wanted = [judged for seat in seats for judged in costliest(analysis, seat)]
    if turned := setback(table, analysis, seats[0]) if seats == (reader,) else None:
        wanted.append(turned[0])
    shown = await moves_at(table, wanted)
    return analysis_page(table, analysis, shown, reader, say, limits)


def failed_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The page of a failed analysis."""
    return _page_to_ask_again(table, Text("I couldn't look back at this game. Try again later."), say, limits)


def _page_to_ask_again(table: Table, sentence: Text, say: Speech, limits: Limits) -> Page:
    """A sentence about an analysis, with a key to ask for it again."""
    composer = Composer(table, say, limits)
    look_again = composer.keys((Text("Look again"), "analyse", "plain"))
    return Page.note(composer.title, say(sentence), keys=(look_again,))


def costliest(analysis: Analysis, seat: Seat, most: int = COSTLIEST) -> Sequence[Judged]:
    """A player's most expensive moves, in game order; of the same mistake repeated, only the first."""
    judged = [move for move in analysis.of(seat) if move.loss >= _LISTED_LOSS]
    alike = {(move.best, move.before, move.after): move for move in reversed(judged)}
    return sorted(nlargest(most, alike.values(), key=lambda move: move.loss), key=lambda move: move.n)


def setback(table: Table, analysis: Analysis, seat: Seat) -> tuple[Judged, float] | None:
    """A loser's decision after which their chance fell most until their next one, and the chance at that one.

    After the last decision it falls to 0. None if it fell little, if the seat did not lose or had no
    decision, if the game was cut short, or if some decisions were not judged.
    """
    judged, result = analysis.of(seat), table.result
    if result is None or table.ended or seat in result.winners:
        return None
    if not judged or len(analysis.judged) < analysis.decisions:
        return None
    found = list(zip(judged, [*(later.before for later in judged[1:]), 0.0], strict=True))
    worst = max(found, key=lambda pair: pair[0].after - pair[1])
    return worst if worst[0].after - worst[1] >= _SETBACK else None


def shown_seats(table: Table, analysis: Analysis, reader: Seat | None) -> tuple[Seat, ...]:
    """The seats that a page covers: the reader's if it has judged decisions, else all that have some."""
    if reader is not None and analysis.of(reader):
        return (reader,)
    return tuple(seat for seat in range(len(table.players)) if analysis.of(seat))


def analysis_page(
    table: Table,
    analysis: Analysis,
    played: Mapping[int, PlayedMove],
    reader: Seat | None,
    say: Speech,
    limits: Limits,
) -> Page:
    """The page of an analysis, about the `shown_seats`; ``reader`` is None for a watcher.

    ``played`` has the moves of all `costliest` and of the `setback`, by the numbers of their entries.
    """
    writer = _Writer(table, analysis, played, say, limits.width)
    title = Composer(table, say, limits).title
    seats = shown_seats(table, analysis, reader)
    own = seats == (reader,)
    if not seats:
        return Page.note(title, say(Text("There was nothing to choose in this game.")))
    head = Text("Chances to win, from the deal to the end, in tenths:") if say.letters else _BARS_HEAD
    # Where a drawing has a single line, bars are left out: screen readers spell them out.
    has_bars = limits.height != 1
    above = (say(head), *(writer.bar(seat, named=not own) for seat in seats)) if has_bars else ()
    most = COSTLIEST
    lines = writer.lines(seats, own, most)
    while most > 1 and sum(map(cost, (title, *above, *lines))) > limits.text - limits.markup:
        most -= 1
        lines = writer.lines(seats, own, most)
    if not above:
        return Page(panels=(PagePanel(title, lines),))
    return Page(
        panels=(
            PagePanel(title, above[:1]),
            PagePanel("", above[1:], wraps=False),
            PagePanel("", lines),
        )
    )


class _Writer:
    """Writes an analysis in a reader's language."""

    def __init__(
        self, table: Table, analysis: Analysis, played: Mapping[int, PlayedMove], say: Speech, width: int
    ) -> None:
        self._table = table
        self._analysis = analysis
        self._played = played
        self._say = say
        self._width = width

    def bar(self, seat: Seat, *, named: bool) -> str:
        """The chances of a player over the game, after the player's name if it is ``named``."""
        chances = self._chances(seat)
        if not named:
            return chances_line(chances, self._width, letters=self._say.letters)
        name = pad(cut(self._say.name(seat), _NAME_WIDTH), _NAME_WIDTH)
        return f"{name} {chances_line(chances, self._width - _NAME_WIDTH - 1, letters=self._say.letters)}"

    def lines(self, seats: Iterable[Seat], own: bool, most: int) -> tuple[str, ...]:
        """The sentences about some players, with at most ``most`` moves of each."""
        lines = [self._say(text) for seat in seats for text in self._of(seat, own, most)]
        if self._table.uncounted == "guided":
            lines.insert(0, self._say(Text("It began with a guided hand, whose moves the guide chose.")))
        seen, decisions = len(self._analysis.judged), self._analysis.decisions
        if seen < decisions:
            lines.append(
                self._say(
                    Text(
                        "I looked at {seen} of {all} decisions, all through the game.",
                        seen=seen,
                        all=decisions,
                    )
                )
            )
        return tuple(lines)

    def _of(self, seat: Seat, own: bool, most: int) -> Iterator[Text]:
        """The sentences about a player, who may be the reader."""
        judged = self._analysis.of(seat)
        if not judged:
            return
        # The listed moves show the chance after them, so the highest and the lowest include it.
        chances = [round(100 * chance) for move in judged for chance in (move.before, move.after)]
        chances_shown = {"first": chances[0], "high": max(chances), "low": min(chances)}
        if own:
            yield Text("Your chance: {first}% at first, {high}% at best, {low}% at worst.", **chances_shown)
        else:
            who = Name(seat)
            yield Text(
                "{who}: {first}% at first, {high}% at best, {low}% at worst.", who=who, **chances_shown
            )
        costliest_moves = costliest(self._analysis, seat, most)
        costly = [text for move in costliest_moves if (text := self._costly(move))]
        if costly:
            mine = plural("This move cost you most:", "These moves cost you most:", len(costly))
            theirs = plural(
                "This move cost {who} most:", "These moves cost {who} most:", len(costly), who=Name(seat)
            )
            yield mine if own else theirs
        yield from costly
        if own and (turned := setback(self._table, self._analysis, seat)) and turned[0].n in self._played:
            yield Text(
                "After move {number}, luck or the others' play took you from {before}% to {after}%.",
                number=self._played[turned[0].n].number,
                before=round(100 * turned[0].after),
                after=round(100 * turned[1]),
            )
        lost = sum(move.loss for move in judged)
        seen_whole = len(self._analysis.judged) == self._analysis.decisions
        if own and seen_whole and not self._chances(seat)[-1] and 2 * lost < judged[0].before:
            yield Text("Luck and the others' play cost you more than your own moves.")
        average = lost / len(judged)
        mine, about = next((mine, about) for bound, mine, about in _VERDICTS if average <= bound)
        yield mine if own else about(seat)

    def _costly(self, judged: Judged) -> Text | None:
        """The sentence about a move that cost its player chances.

        None if the stored analysis does not fit the game.
        """
        if (played := self._played.get(judged.n)) is None:
            return None
        game, best = self._table.game, Move.parse(judged.best)
        try:
            # Not looked for in `moves`, which only suggests some of the legal moves of a wide verb.
            game.apply(played.state, played.seat, best)
        except IllegalMove:
            return None
        view = game.view(played.state, played.seat)
        label = {move: game.label(view, (move.verb, *move.words), self._say) for move in (played.move, best)}
        return Text(
            "{number}. {played} ({before}% → {after}%). Better: {best}. {reason}",
            number=played.number,
            played=label[played.move],
            before=round(100 * judged.before),
            after=round(100 * judged.after),
            best=label[best],
            reason=game.reason(view, best),
        )

    def _chances(self, seat: Seat) -> Sequence[float]:
        """The chance of a player before each of their judged decisions, and at the end of the game.

        For a game that was cut short, the last one is the chance after their last judged decision.
        """
        table, judged = self._table, self._analysis.of(seat)
        chances = [move.before for move in judged]
        if table.result is not None and not table.ended:
            winners = table.result.winners
            return [*chances, 1 / len(winners) if seat in winners else 0.0]
        return [*chances, judged[-1].after] if judged else chances
