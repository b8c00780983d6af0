"""Reads every raw request body, and knows who will: no card may stand there that its reader has not seen."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from bot.i18n import Speech
from bot.table import Table
from engines.cards import Card, is_card
from engines.game import Seat

_CARD = re.compile(r"(?<![0-9A-Za-z#])(10|[2-9AJQK])([♠♥♦♣SHDC])([rb]?)(?![0-9A-Za-z])")
_RULES = ":0:rules:"
"""Stands in the buttons of a page of rules, whose cards are examples."""
_PRIVATE = 64
"""The flag of a message that only one user sees."""
_REMEMBERED = 60
"""States of a table whose cards may still be told of, as news."""


@dataclass
class Watcher:
    """Who may read what, learnt from what goes over the wire."""

    seats: dict[str, Seat] = field(default_factory=dict)
    """By user."""
    chats: dict[str, str] = field(default_factory=dict)
    """The users who are alone with us, by channel."""
    seen: dict[Seat | None, deque[frozenset[Card]]] = field(default_factory=dict)
    bodies: int = 0
    """How many with a card in them were read."""
    _pressed: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Interactions, by token."""
    _first: dict[str, str] = field(default_factory=dict)
    """Who reads the first answer to an interaction, by token; empty for everybody."""

    def hear(self, table: Table, before: Table | None) -> None:
        """A table has changed: everybody has seen what their view shows."""
        if table.state is None:
            return
        for seat in (None, *range(len(table.players))):
            kept = self.seen.setdefault(seat, deque(maxlen=_REMEMBERED))
            view = table.game.view(table.state, seat)
            # A drawing names cards that the rules make known, wherever they are.
            kept.append(frozenset((*_faces(view), *_told(table.game.draw(view, Speech(), 28)))))

    def interaction(self, payload: Mapping[str, Any]) -> None:
        """Somebody has pressed or typed."""
        self._pressed[payload["token"]] = payload

    def read(self, method: str, path: str, body: Any) -> None:
        """A request of ours. Fails where it tells its readers too much."""
        reader = self._reader(method, path.split("/")[1:], body if isinstance(body, Mapping) else {})
        words = json.dumps(body, ensure_ascii=False)
        told = set() if _RULES in words else _told(words)
        self.bodies += bool(told)
        known = self.seen.get(self.seats.get(reader) if reader else None, ())
        hidden = told.difference(*known) if known else told
        assert not hidden, f"{hidden} told to {reader or 'everybody'} by {method} {path}: {body}"

    def _reader(self, method: str, path: list[str], body: Mapping[str, Any]) -> str:
        """The user who alone reads this; empty for everybody."""
        match path:
            case ["channels", channel, "messages", *_]:
                return self.chats.get(channel, "")
            case ["interactions", _, token, "callback"]:
                alone = body["type"] in (4, 5) and (body.get("data") or {}).get("flags", 0) & _PRIVATE
                if body["type"] in (8, 9):
                    return _user(self._pressed[token])
                self._first[token] = self._author(token) if alone else self._source(token)
                return self._first[token]
            case ["webhooks", _, token, "messages", "@original"]:
                return self._first[token]
            case ["webhooks", _, token]:
                return self._author(token) if body.get("flags", 0) & _PRIVATE else self._source(token)
            case _:
                return ""

    def _author(self, token: str) -> str:
        return _user(self._pressed[token])

    def _source(self, token: str) -> str:
        """Who reads the message that was pressed on."""
        payload = self._pressed[token]
        if payload.get("message", {}).get("flags", 0) & _PRIVATE:
            return self._author(token)
        return self.chats.get(payload["channel_id"], "")


def _user(payload: Mapping[str, Any]) -> str:
    user = payload.get("user") or payload["member"]["user"]
    return str(user["id"])


def _told(words: str) -> set[Card]:
    """All cards that are spelled, without their backs, which are drawn apart."""
    return {Card(rank + suit) for rank, suit, _ in _CARD.findall(words)}


def _faces(value: Any) -> Iterator[Card]:
    """All cards anywhere in a view, without their backs."""
    if isinstance(value, Card):
        yield Card(value.rank + value.suit)
    elif isinstance(value, str):
        found = (Card(word) for word in re.split(r"[^0-9A-Za-z]+", value) if is_card(word))
        yield from (Card(card.rank + card.suit) for card in found)
    elif is_dataclass(value):
        for each in fields(value):
            yield from _faces(getattr(value, each.name))
    elif isinstance(value, Mapping):
        yield from _faces(tuple(value.items()))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from _faces(one)
