"""The page of a profile: games, wins, streaks, ratings, and how its person fares against others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.i18n import Speech, safe_name
from bot.model.leaderboards import Profile
from bot.model.people import Person
from bot.model.results import PlayerResult, Tally
from bot.pages.results.rating_captions import marked
from bot.pages.results.sparkline import sparkline
from bot.ports import Key, Keys, Limits, Page, PagePanel
from bot.tables.names.titles import title_of
from engines import games
from engines.drawing import Lines, columns
from engines.game import Text

_MOST_BARS = 10
"""The most bars of a rating's history."""
_COUNTED = Text(
    "A finished game counts unless moves were taken back or it was played against easy computers alone."
)
"""Says which games count."""


def profile_page(
    person: Person,
    profile: Profile,
    say: Speech,
    limits: Limits,
    *,
    own: bool,
    shared: bool = False,
    counted: Text = _COUNTED,
) -> Page:
    """The page of a person's profile.

    ``own`` if its reader is that person; ``shared`` if the reader may be any player, as at a terminal: the
    person is named, and the rivals are that person's. ``counted`` says which games count.
    """
    title = say(Text("Your profile")) if own else safe_name(person.name) or say(Text("a player"))
    keys: Keys = ((Key(say(Text("Leaderboard")), "command", "leaderboard"),),)
    if own:
        keys = ((*keys[0], Key(say(Text("Privacy")), "command", "privacy")),)
    if not profile.tallies:
        nothing = Text("No game that counts has been finished yet.")
        return Page(panels=(PagePanel(title, (say(nothing), say(counted))),), keys=keys)
    drawn: Lines = []
    for alone, about in ((False, Text("Against people")), (True, Text("Against computers"))):
        if rows := _rows(profile, alone, say):
            drawn += [*([""] if drawn else []), say(about), *columns(rows, limits.width)]
    history = tuple(_histories(profile, say))
    if history:
        drawn += ["", say(Text("Rating")), *columns(history, limits.width)]
    sentences = tuple(map(say, (counted, *_sentences(person, profile, own=own, shared=shared))))
    panels = (PagePanel(title, tuple(drawn), wraps=False), PagePanel("", sentences))
    return Page(panels=panels, keys=keys)


def _rows(profile: Profile, alone: bool, say: Speech) -> Sequence[Sequence[str]]:
    """The wins and games of each game, the most played first, below those of all if there are several."""
    tallies = [tally for tally in profile.tallies if tally.alone == alone]
    if not tallies:
        return []
    tallies.sort(key=lambda tally: (bool(tally.key), -tally.games, tally.key))
    if len(tallies) == 2:
        # The line of the only game would repeat that of all games.
        tallies = tallies[1:]
    heads = ["", say(Text("won")), say(Text("of"))]
    return [heads, *([_title(tally, say), str(tally.wins), str(tally.games)] for tally in tallies)]


def _title(tally: Tally, say: Speech) -> str:
    return title_of(tally.key, say) if tally.key else say(Text("All games"))


def _histories(profile: Profile, say: Speech) -> Iterator[Sequence[str]]:
    """For each game with a rating, the most played first: title, the course of the rating as bars, rating."""
    for key, rating in sorted((profile.ratings or {}).items(), key=lambda item: (-item[1].games, item[0])):
        values = [result.after.shown for result in profile.recent if result.key == key and result.after]
        yield title_of(key, say), sparkline(values, _MOST_BARS, say), marked(rating)


def _sentences(person: Person, profile: Profile, *, own: bool, shared: bool) -> Iterator[Text]:
    ratings = (profile.ratings or {}).values()
    if any(rating.is_provisional for rating in ratings):
        yield Text("? means that the rating is still uncertain.")
    among_people = [result for result in profile.recent if not result.alone]
    now, best = streaks(among_people or profile.recent)
    if best > 1:
        yield Text("Wins in a row: now {now}, at best {best}.", now=now, best=best)
    if favourite := _favourite(profile):
        yield Text(
            "Favourite game: {game}.", game=games()[favourite].title if favourite in games() else favourite
        )
    for rival in profile.rivals:
        name = safe_name(rival.name if own or shared else person.name) or Text("a player")
        ahead, behind = rival.ahead, rival.behind
        if shared:
            who = safe_name(person.name) or Text("a player")
            yield Text("{who} and {name}: {ahead}–{behind}.", who=who, name=name, ahead=ahead, behind=behind)
        else:
            yield Text("You and {name}: {ahead}–{behind}.", name=name, ahead=ahead, behind=behind)
    if own and person.hidden:
        yield Text("You are hidden: you are on no leaderboard, and in nobody else's profile.")


def _favourite(profile: Profile) -> str:
    """The key of the game played most; empty if only one game was played, or another one as often."""
    counts = Counter[str]()
    for tally in profile.tallies:
        counts[tally.key] += tally.games if tally.key else 0
    match (+counts).most_common(2):
        case [(key, most), (_, second)] if most > second:
            return key
    return ""


def streaks(results: Sequence[PlayerResult]) -> tuple[int, int]:
    """The lengths of the streak of wins at the end and of the longest one; the oldest game comes first."""
    now = best = 0
    for result in results:
        now = now + 1 if result.won else 0
        best = max(best, now)
    return now, best
