"""Reads the settings of the program's host from the environment and ``.env``, and says which are invalid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings

from adapters.shared.finding import Finding, problem
from adapters.shared.platform_settings import InvalidSetting
from adapters.shared.wrong_argument import WrongArgument
from engines.game import Text

_Settings = TypeVar("_Settings", bound=BaseSettings)

_CLOSED = Text("The bot may not read the file .env. Give it the right to.")
_NOT_UTF8 = Text("The file .env isn't UTF-8 text. Save it as UTF-8.")


def read_settings(kind: type[_Settings]) -> _Settings:
    """Reads settings from the environment and ``.env``.

    Raises `WrongArgument` if ``.env`` cannot be read or a setting is invalid. The error names the invalid
    settings, and why checks of ours refuse them, but not their values, which may be secret.
    """
    try:
        return kind()
    except PermissionError:
        raise WrongArgument(_CLOSED) from None
    except UnicodeDecodeError:
        raise WrongArgument(_NOT_UTF8) from None
    except ValidationError as error:
        wrong = tuple(
            Text("{setting} ({reason})", setting=_name(fault), reason=why)
            if (why := _why(fault))
            else Text("{setting}", setting=_name(fault))
            for fault in error.errors()
        )
        raise WrongArgument(
            Text("These settings aren't valid: {settings}. .env.example explains them.", settings=wrong)
        ) from None


def examined_settings(kind: type[_Settings]) -> tuple[_Settings, Sequence[Finding]]:
    """Reads settings like `read_settings`; an invalid one becomes a finding and gets its default value.

    A ``.env`` that cannot be read becomes a finding too: the settings then come from the environment alone.
    """
    findings = list[Finding]()
    source: dict[str, Any] = {}
    try:
        kind()
    except (PermissionError, UnicodeDecodeError) as error:
        findings.append(problem(_CLOSED if isinstance(error, PermissionError) else _NOT_UTF8))
        source["_env_file"] = None
    except ValidationError:
        pass
    try:
        return kind(**source), findings
    except ValidationError as error:
        wrong = error.errors()
    for fault in wrong:
        if why := _why(fault):
            message = Text(
                "{setting} isn't valid ({reason}). .env.example explains it.",
                setting=_name(fault),
                reason=why,
            )
        else:
            message = Text("{setting} isn't valid. .env.example explains it.", setting=_name(fault))
        findings.append(problem(message))
    fields = {str(fault["loc"][0]) for fault in wrong}
    defaults = {field: kind.model_fields[field].get_default(call_default_factory=False) for field in fields}
    return kind(**source, **defaults), findings


def _name(wrong: ErrorDetails) -> str:
    """The name of an invalid setting, as in the environment."""
    return str(wrong["loc"][0]).upper()


def _why(wrong: ErrorDetails) -> Text | None:
    """Why a check of ours refuses a setting; None for a library's check, which has no `Text`."""
    error = wrong.get("ctx", {}).get("error")
    return error.reason if isinstance(error, InvalidSetting) else None
