"""The export of a table that is over: its log and its seed, for players to check and replay."""

from __future__ import annotations

import json

from bot.ports import File
from bot.tables.table import Table


def record(table: Table) -> File:
    """A JSON file of a table that is over: its log, its seed, and the JSON that the deal was made from."""
    assert table.may_show_seed
    entries = [
        {
            "n": entry.n,
            "kind": entry.kind,
            "seat": entry.seat,
            "at": entry.at,
            **({"body": {**entry.body}} if entry.body else {}),
        }
        for entry in table.entries
    ]
    result = table.result
    whole = {
        "game": table.key,
        "revision": table.revision,
        "id": table.id,
        "players": [
            {"name": player.name, "computer": player.is_computer and not player.person}
            for player in table.players
        ],
        "options": dict(table.options),
        "seal": table.seed_source.commitment,
        "seed": table.seed_source.opened(),
        "deal": table.deal,
        "result": result.to_json() if result and not table.ended else None,
        "ended": table.ended or None,
        "taken_back": table.taken_back,
        "log": entries,
    }
    text = json.dumps(whole, ensure_ascii=False, indent=1)
    return File(f"{table.key}-{table.id}.json", text.encode())
