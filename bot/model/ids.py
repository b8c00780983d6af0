"""The ids of tables, people, processes and readers."""

from __future__ import annotations

GameId = str
"""The id of a table and its game: ten hexadecimal digits, short enough for every platform's buttons."""
PersonId = str
"""The id of a person; each account on a platform is a person of its own."""
ProcessId = str
"""The id of a process of the bot: another one after each start, and after each uncertain claim."""
ReaderId = str
"""A `PersonId`, or `PUBLIC`."""
PUBLIC: ReaderId = ""
"""The reader of a table's public panel."""
