"""The commands of a host: run the bot, examine it, and look after what it has stored."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

import typer

from adapters.command_line.arguments.parameters import BackupFile, Lang
from adapters.command_line.asynchronous import completed
from adapters.command_line.printing import tell

Result = TypeVar("Result")


def run(lang: Lang = None) -> None:
    """Run the bot on every platform whose token is set.

    Ctrl+C stops it. The tokens come from the environment or from a file .env; if none is set, this says
    which ones it looks for. Tables, players and results are stored in DATABASE_URL.
    """
    from adapters.command_line.languages import locale_of
    from adapters.hosting.doctor import nothing_set
    from adapters.hosting.host_settings import read_settings
    from adapters.hosting.logs import log_to_stderr
    from adapters.hosting.registry import platforms, required_settings
    from adapters.hosting.serve import serve
    from adapters.shared.clock import AsyncioClock
    from bot.i18n import Speech
    from bot.settings.host_settings import Settings

    settings, clock = read_settings(Settings), AsyncioClock()
    say = Speech(locale_of(lang, settings.sobremesa_language))
    read = [read_settings(platform) for platform in platforms().values()]
    served = [platform.start(clock) for platform in read if platform.is_set]
    if not served:
        tell(say(nothing_set(required_settings())), err=True)
        raise typer.Exit(1)
    log_to_stderr(settings)

    url = settings.database_url.get_secret_value()
    completed(_with_store(url, serve(served, settings, clock)), say)


def doctor(
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CHAT", help="The ids of chats, or their @names: says what the bot may do in them."
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    """Say what is wrong with settings, database, tokens or clock.

    The bot may be running. Nothing is changed. The exit code is 1 if there is a problem.
    """
    from adapters.command_line.languages import locale_of
    from adapters.hosting.doctor import SEVERITIES, examine
    from adapters.hosting.host_settings import examined_settings
    from adapters.hosting.registry import platforms
    from bot.i18n import Speech
    from bot.settings.host_settings import Settings

    settings, invalid = examined_settings(Settings)
    say = Speech(locale_of(lang, settings.sobremesa_language))
    examined, found = [], list(invalid)
    for platform in platforms().values():
        platform_settings, findings = examined_settings(platform)
        examined.append(platform_settings)
        # An unreadable .env is a finding for each kind of settings, and told once.
        found += [finding for finding in findings if finding not in found]

    async def report() -> bool:
        healthy = True
        async for severity, text in examine(settings, examined, places or (), found):
            healthy = healthy and severity != "problem"
            tell(f"{say(SEVERITIES[severity]):<9} {say(text)}")
        return healthy

    if not completed(report(), say):
        raise typer.Exit(1)


def backup(file: BackupFile, lang: Lang = None) -> None:
    """Save everything the bot has stored in one new file.

    The bot may go on running. DATABASE_URL, in the environment or in .env, says where it stores things.
    The file holds the cards of running games: keep it to yourself.
    """
    from adapters.command_line.languages import locale_of
    from adapters.hosting.host_settings import read_settings
    from bot.i18n import Speech
    from bot.settings.host_settings import Settings
    from bot.store.files.backup import backup
    from engines.game import plural

    settings = read_settings(Settings)
    say = Speech(locale_of(lang, settings.sobremesa_language))
    url = settings.database_url.get_secret_value()
    rows = completed(_with_store(url, backup(url, file)), say)
    typer.echo(say(plural("{n} row saved.", "{n} rows saved.", rows)))


def restore(file: BackupFile, lang: Lang = None) -> None:
    """Fill a new, empty store from a backup, all or nothing.

    DATABASE_URL says where; it may be another kind of database than the one that was saved.
    """
    from adapters.command_line.languages import locale_of
    from adapters.hosting.host_settings import read_settings
    from bot.i18n import Speech
    from bot.settings.host_settings import Settings
    from bot.store.files.backup import restore
    from engines.game import plural

    settings = read_settings(Settings)
    say = Speech(locale_of(lang, settings.sobremesa_language))
    url = settings.database_url.get_secret_value()
    rows = completed(_with_store(url, restore(url, file)), say)
    typer.echo(say(plural("{n} row restored.", "{n} rows restored.", rows)))


def ratings(lang: Lang = None) -> None:
    """Work out all ratings and leaderboards anew, from the logs of the finished games.

    The bot may go on running; until this is done, leaderboards lack the later games. DATABASE_URL says
    where things are stored. docs/ratings.md has the arithmetic.
    """
    from adapters.command_line.languages import locale_of
    from adapters.hosting.host_settings import read_settings
    from adapters.hosting.rating_rebuild import rebuild
    from bot.i18n import Speech
    from bot.settings.host_settings import Settings
    from engines.game import plural

    settings = read_settings(Settings)
    say = Speech(locale_of(lang, settings.sobremesa_language))
    url = settings.database_url.get_secret_value()
    games = completed(_with_store(url, rebuild(url)), say)
    typer.echo(say(plural("{n} game worked out anew.", "{n} games worked out anew.", games)))


async def _with_store(url: str, work: Coroutine[Any, Any, Result]) -> Result:
    """Awaits work on the store at an address; raises `NotAdmitted` if the store cannot be used.

    A `StoreError` for which `unusable_store` has no words is raised as it is.
    """
    from adapters.hosting.doctor import unusable_store
    from bot.ports import NotAdmitted
    from bot.storage import StoreError

    try:
        return await work
    except StoreError as error:
        if why := unusable_store(url, error):
            raise NotAdmitted(why) from None
        raise
