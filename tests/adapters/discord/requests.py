"""Passes what the bot's requests show, with their readers, to the scan for hidden cards."""

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

_EPHEMERAL = 64
"""The flag of an ephemeral message, which only one user sees."""
_NEW = (4, 5, 8, 9)
"""Types of interaction responses that edit no message: message, deferred message, autocomplete, form."""


@dataclass
class RequestReader:
    """Scans each request when the bot makes it."""

    scan: SecretScan
    user_of_chat: Callable[[str], str]
    """Returns the user of a private chat, by channel; empty for a public channel."""
    _interactions: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The payload of each interaction, by token."""
    _answered: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The reader and the channel of the first answer to each interaction, by token; no reader if public."""
    _followed_up_for_all: set[str] = field(default_factory=set)
    """The tokens of interactions that were answered by a further message that is not ephemeral."""

    def interaction(self, payload: Mapping[str, Any]) -> None:
        """Records an interaction, so that the reader of its answers is known."""
        self._interactions[payload["token"]] = payload

    def read(self, method: str, path: str, body: Any) -> None:
        """Scans a request of the bot; skips requests that show nothing to a reader."""
        if not isinstance(body, Mapping):
            return
        target = self._target(path.split("/")[1:], body)
        if target is None:
            return
        user, channel, token = target
        shown = body.get("data") or body
        raw = json.dumps(body, ensure_ascii=False)
        plain = "\n".join(_texts(shown))
        rows = tuple(
            tuple(button for component in row.get("components", ()) for button in _buttons(component))
            for row in shown.get("components") or ()
        )
        in_reply_to = json.dumps(self._interactions[token]["data"], ensure_ascii=False) if token else ""
        place = None if user else Place(KEY, channel)
        self.scan.read(KEY, Sent(0.0, f"{method} {path}", place, user, raw, plain, rows, in_reply_to))

    def _target(self, path: list[str], body: Mapping[str, Any]) -> tuple[str, str, str] | None:
        """The only reader (empty if public), the channel, and the token of the interaction answered.

        None for a request that neither writes a message in a channel nor answers an interaction.
        """
        match path:
            case ["channels", channel, "messages", *_]:
                return self.user_of_chat(channel), channel, ""
            case ["interactions", _, token, "callback"]:
                if body["type"] not in _NEW:
                    self._answered[token] = self._pressed(token)
                elif body["type"] > 5 or (body.get("data") or {}).get("flags", 0) & _EPHEMERAL:
                    self._answered[token] = self._sender(token)
                else:
                    self._answered[token] = self._place(token)
                return *self._answered[token], token
            case ["webhooks", _, token, "messages", "@original"]:
                return *self._answered[token], token
            case ["webhooks", _, token]:
                if body.get("flags", 0) & _EPHEMERAL:
                    return *self._sender(token), token
                self._followed_up_for_all.add(token)
                return *self._place(token), token
            case ["webhooks", _, token, "messages", _]:
                for_all = token in self._followed_up_for_all
                return *(self._place(token) if for_all else self._sender(token)), token
            case _:
                return None

    def _sender(self, token: str) -> tuple[str, str]:
        """The user of an interaction, as the only reader; no channel."""
        payload = self._interactions[token]
        user = payload.get("user") or payload["member"]["user"]
        return str(user["id"]), ""

    def _pressed(self, token: str) -> tuple[str, str]:
        """The reader and the channel of the message whose button was pressed."""
        if self._interactions[token].get("message", {}).get("flags", 0) & _EPHEMERAL:
            return self._sender(token)
        return self._place(token)

    def _place(self, token: str) -> tuple[str, str]:
        """The only reader (empty if public) and the channel in which an interaction took place."""
        payload = self._interactions[token]
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
    """The button itself; of a list, its title and each of its options, as buttons."""
    yield Button(component.get("label") or component.get("placeholder", ""), component.get("custom_id", ""))
    for option in component.get("options", ()):
        yield Button(f"{option['label']} {option.get('description', '')}", option["value"])


def _texts(shown: Mapping[str, Any]) -> Iterator[str]:
    """The content of a message, without escapes, and the names and values of autocomplete choices."""
    yield re.sub(r"\\(.)", r"\1", str(shown.get("content") or ""))
    for choice in shown.get("choices") or ():
        yield f"{choice['name']} {choice['value']}"
