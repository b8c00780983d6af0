"""Finds the platforms: each is a package in `adapters` that defines ``settings``. No list names them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

import adapters
from adapters.shared.platform_settings import PlatformSettings


@cache
def platforms() -> Mapping[str, type[PlatformSettings]]:
    """The settings class of each platform in `adapters`, by the platform's key, in the order of the keys."""
    return MappingProxyType(
        {found.key: found for found in sorted(_found(), key=lambda platform: platform.key)}
    )


def required_settings() -> tuple[str, ...]:
    """The environment variables, in capitals, of which a host must set at least one to serve a platform.

    That of a platform which is only an example is left out.
    """
    return tuple(platform.required.upper() for platform in platforms().values() if not platform.is_example)


def _found() -> Iterator[type[PlatformSettings]]:
    for package in pkgutil.iter_modules(adapters.__path__):
        if package.ispkg:
            module = importlib.import_module(f"{adapters.__name__}.{package.name}")
            # Packages without settings are no platforms: command_line, hosting, shared and terminal.
            if found := getattr(module, "settings", None):
                yield found
