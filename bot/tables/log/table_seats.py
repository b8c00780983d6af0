"""Folds the entries about seats and their clocks, about the owner, absent players and questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from bot.model.ids import PersonId
from bot.model.tables import Entry, News, PastQuestions, Player, Question
from bot.tables.log.table_state import TableState
from bot.tables.turn_clock import Turn
from engines.game import Event, Level, Name, Result, Seat, Text, plural
from engines.values import replace


@dataclass(frozen=True)
class TableSeats(TableState):
    """A table's state, with the steps of its log that change seats, clocks and questions."""

    def _at_level(self, level: Level) -> tuple[Player, ...]:
        """The players, with all computers at this level."""
        return tuple(
            replace(player, level=level) if player.is_computer else player for player in self.players
        )

    def _owned(self, entry: Entry) -> Self:
        """The table with the owner that an entry names, or none; remembers an owner who has left the game."""
        owner = str(entry.body["owner"]) or None
        displaced = None
        if self.started and entry.person is None:
            displaced = self.displaced or self.owner
        return self._with(owner=owner, displaced=None if displaced == owner else displaced)

    def _seated(self, player: Player) -> Self:
        return self._with(players=(*self.players, player))

    def _unseated(self, seat: Seat) -> Self:
        """The table without a seat: later seats and their cuts move down by one.

        What the previous game has handed on, such as the dealer, is dropped, since it names seats.
        """
        cuts = tuple((cutter - (cutter > seat), words) for cutter, words in self.cuts if cutter != seat)
        players = self.players[:seat] + self.players[seat + 1 :]
        leaver = self.players[seat].person
        acted = {person: at for person, at in self.acted_at.items() if person != leaver}
        # The tally is of those who have played together: it ends when one of them leaves.
        tally = {} if leaver in self.tally else self.tally
        return self._with(players=players, cuts=cuts, carried={}, acted_at=acted, tally=tally)

    def _kicked(self, seat: Seat, level: Level | None) -> Self:
        """The table after a kick: without the seat before the start, later with a computer in it."""
        person = self.players[seat].person
        assert person is not None
        table = self._with(kicked=(*self.kicked, person))
        if self.started:
            return table._changed(seat, level=level, kicked=True)._present(seat)
        return table._unseated(seat)

    def _changed(self, seat: Seat, player: Player | None = None, **fields: Any) -> Self:
        """The table with another player in a seat, or with changed fields of the player."""
        player = player or replace(self.players[seat], **fields)
        return self._with(players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def _asking(self, entry: Entry) -> Self:
        """The table after a person has asked the players a question."""
        body: Mapping[str, Any] = entry.body
        seat, person = entry.seat, entry.person
        assert seat is not None
        assert person is not None
        question = Question(
            entry.n, body["what"], seat, person, body["name"], entry.at, entry.at + body["patience"],
            self.stamp, body.get("to", 0),
        )  # fmt: skip
        asked = dict(self.asked)
        if self.question and self.question.kind == "sit":
            # It gives way unanswered.
            displaced = self.question.person
            asked[displaced] = replace(asked[displaced], for_seat=asked[displaced].for_seat - 1)
        before = asked.get(person)
        for_seat = (before.for_seat if before else 0) + (question.kind == "sit")
        asked[person] = PastQuestions(for_seat, entry.at, self.stamp)
        return self._with(question=question, asked=asked)

    def _voted(self, entry: Entry) -> Self:
        """The table after a vote; one without a person closes the question, which is not granted."""
        question = self.question
        if question is None:
            return self
        if entry.person is None:
            return self._with(question=None, **self._news_fields(entry.n, self._refusal(question, entry.at)))
        votes = {**question.votes, entry.person: bool(entry.body["yes"])}
        return self._with(question=replace(question, votes=votes))

    def _refusal(self, question: Question, at: float) -> tuple[Event, ...]:
        """The news why a question is not granted."""
        if at >= question.lapses:
            return (Event(Text("There was no answer in time."), None),)
        against = [
            seat
            for seat, player in enumerate(self.players)
            if player.person is not None and question.votes.get(player.person) is False
        ]
        said = plural("{who} says no.", "{who} say no.", len(against), who=tuple(map(Name, against)))
        return (Event(said, None),) if against else ()

    def _taken(self, entry: Entry) -> Self:
        """The table after a person has taken a computer's seat, or one that a computer held for a player."""
        body: Mapping[str, Any] = entry.body
        seat, person = entry.seat, entry.person
        assert seat is not None
        assert person is not None
        before = self.players[seat]
        former = {other: held for other, held in self.former.items() if other != person}
        if before.person is not None:
            former[before.person] = seat
        asked = {other: past for other, past in self.asked.items() if other != person}
        player = Player(body["name"], person=person)
        # A player without a name was forgotten.
        nameless = Text("Player {n}", n=seat + 1)
        new, old = player.name or nameless, before.name or nameless
        took = Event(Text("{new} takes over from {old}.", new=new, old=old), None)
        table = self._occupied(seat, player, entry.at)
        if seconds := body.get("clock", 0):
            # From now on turns have a clock; all clocks begin now.
            table = table._with(turn_seconds=seconds)._ticking(entry.at, None)
        return table._with(former=former, asked=asked, **table._news_fields(entry.n, (took,)))

    def _stands(self, question: Question) -> bool:
        """Whether the reason for a question still stands after the last entry."""
        if not self.is_playing or question.person in self.kicked:
            return False
        player = self.players[question.seat]
        if question.kind == "sit":
            return player.is_computer and all(question.person != other.person for other in self.players)
        holds = player.person == question.person and not player.is_computer
        return holds and (question.kind == "end" or self.stamp == question.stamp)

    def _without_question(self, question: Question, entry: Entry) -> Self:
        """The table without a question that has lost its reason by an entry.

        Players are told if a move has closed a question about taking a move back, and the game goes on.
        """
        if question.kind != "undo" or entry.kind not in ("move", "timeout") or not self.is_playing:
            return self._with(question=None)
        event = Event(Text("Play has gone on, so no move is taken back."), None)
        return self._with(question=None, **self._news_fields(entry.n, (event,)))

    def _occupied(self, seat: Seat, player: Player, at: float) -> Self:
        """The table after a person has taken a seat during the game, or has shown that they are not away.

        In a frozen game all clocks begin anew. Else only a person who is new to the seat gets a new clock: a
        player who leaves and comes back gains no time.
        """
        is_new = self.players[seat].person != player.person
        table = self._changed(seat, player)._present(seat)
        if self.is_frozen:
            return table._thawed(at)
        return table._ticking(at, table.turn, restarts=seat) if is_new else table

    def _present(self, seat: Seat) -> Self:
        """The table with the player in a seat no longer away."""
        if seat not in self.away:
            return self
        return self._with(away={other: since for other, since in self.away.items() if other != seat})

    def _shown_presence(self, person: PersonId, at: float) -> Self:
        """The table after a person has caused an entry, so that they are not away."""
        seats = [seat for seat in self.away if self.players[seat].person == person]
        if not seats:
            return self
        table = self._present(seats[0])
        return table._thawed(at) if self.is_frozen else table

    def _thawed(self, at: float) -> Self:
        """The frozen table after a player has come back: all clocks and the others' absences begin anew."""
        return self._with(away=dict.fromkeys(self.away, at))._ticking(at, None)

    def _ticking(self, at: float, before: Turn | None, **change: Any) -> Self:
        """The table with the clocks of its present state; those of the turn ``before``, if given, go on."""
        if self.state is None:
            return self
        turn = Turn(at, self.state, before, **change)
        if turn.is_deep:
            turn.clocks(self.publicly_awaited)
        return self._with(turn=turn)

    def publicly_awaited(self, state: Any) -> tuple[Seat, ...]:
        """The seats for which the game waits in a state, as far as the public may know."""
        return self.game.awaited(self.game.view(state, None)).must

    def _forfeited(self, seat: Seat) -> Self:
        """The table after a player has lost by giving up their seat: the others win, without points."""
        winners = tuple(other for other in range(len(self.players)) if other != seat)
        text = Text("{who} has left the game, so the others win.", who=Name(seat))
        return self._with(result=Result((0,) * len(self.players), winners, text), away={})

    def _news_fields(self, n: int, events: Sequence[Event]) -> dict[str, Any]:
        """The fields for news and announcements, with the events of entry ``n`` added."""
        announced = (event for event in events if event.keep and event.to is None)
        return {
            "news": self.news.plus(*(News(n, event) for event in events)),
            "announcements": self.announcements.plus(*announced),
        }
