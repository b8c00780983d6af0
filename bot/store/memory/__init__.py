"""The store in memory, which is lost with its process; the terminal copies its games to a file."""
