"""Handlers about a table: opening, joining and leaving it, what is decided there, and watching it."""
