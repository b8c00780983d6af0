"""Feeds each raw request body, with its readers, to the scan for hidden cards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from adapters.discord.callers import KEY
from bot.model.places import Place
from tests.support.records import Button, Sent
from tests.support.secret_scan import SecretScan

_PRIVATE = 64
"""The flag of an ephemeral message, which only one user sees."""
_FIRST = (4, 5, 8, 9)
"""Interaction response types that edit no existing message: message, deferred, autocomplete, form."""


@dataclass
class RequestReader:
    """Scans each request when the bot makes it."""

    scan: SecretScan
    user_of_chat: Callable[[str], str]
    """Returns the user of a private chat, by channel; empty for a public channel."""
    _heard: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The payload of each interaction, by token."""
    _answered: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The reader and the channel of the first answer to each interaction, by token; no reader if public."""

    def interaction(self, payload: Mapping[str, Any]) -> None:
        """Records an interaction, so that the reader of its answers is known."""
        self._heard[payload["token"]] = payload

    def read(self, method: str, path: str, body: Any) -> None:
        """Scans a request of the bot; skips requests that show nothing to a reader."""
        if not isinstance(body, Mapping):
            return
        where = self._reader(path.split("/")[1:], body)
        if where is None:
            return
        user, channel, token = where
        shown = body.get("data") or body
        raw = json.dumps(body, ensure_ascii=False)
        plain = "\n".join(_words(shown))
        rows = tuple(
            tuple(button for one in row.get("components", ()) for button in _buttons(one))
            for row in shown.get("components") or ()
        )
        heard = json.dumps(self._heard[token]["data"], ensure_ascii=False) if token else ""
        place = None if user else Place(KEY, channel)
        self.scan.read(KEY, Sent(0.0, f"{method} {path}", place, user, raw, plain, rows, heard))

    def _reader(self, path: list[str], body: Mapping[str, Any]) -> tuple[str, str, str] | None:
        """The only reader (empty if public), the channel, and the token of the interaction answered.

        None for a request that writes no message.
        """
        match path:
            case ["channels", channel, "messages", *_]:
                return self.user_of_chat(channel), channel, ""
            case ["interactions", _, token, "callback"]:
                alone = body["type"] in _FIRST and (
                    body["type"] > 5 or (body.get("data") or {}).get("flags", 0) & _PRIVATE
                )
                self._answered[token] = self._author(token) if alone else self._pressed(token)
                return *self._answered[token], token
            case ["webhooks", _, token, "messages", "@original"]:
                return *self._answered[token], token
            case ["webhooks", _, token]:
                alone = body.get("flags", 0) & _PRIVATE
                return *(self._author(token) if alone else self._pressed(token)), token
            case _:
                return None

    def _author(self, token: str) -> tuple[str, str]:
        payload = self._heard[token]
        user = payload.get("user") or payload["member"]["user"]
        return str(user["id"]), ""

    def _pressed(self, token: str) -> tuple[str, str]:
        """The reader and the channel of the message whose button was pressed."""
        payload = self._heard[token]
        if payload.get("message", {}).get("flags", 0) & _PRIVATE:
            return self._author(token)
        return self.user_of_chat(payload["channel_id"]), payload["channel_id"]


class Requests(list[Any]):
    """The simulation's list of requests; passes each appended request to `read`."""

    def __init__(self, before: Iterable[Any], read: Callable[[str, str, Any], None]) -> None:
        super().__init__(before)
        self._read = read

    def append(self, request: Any) -> None:
        super().append(request)
        self._read(request.method, request.path, request.json)


def _buttons(component: Mapping[str, Any]) -> Iterator[Button]:
    """A button; or a list, followed by each of its options."""
    yield Button(component.get("label") or component.get("placeholder", ""), component.get("custom_id", ""))
    for option in component.get("options", ()):
        yield Button(f"{option['label']} {option.get('description', '')}", option["value"])


def _words(shown: Mapping[str, Any]) -> Iterator[str]:
    """The visible text of a body, unescaped, and its autocomplete choices; buttons excluded."""
    yield re.sub(r"\\(.)", r"\1", str(shown.get("content") or ""))
    for choice in shown.get("choices") or ():
        yield f"{choice['name']} {choice['value']}"
