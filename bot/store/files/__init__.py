"""Backups, and what the doctor and a terminal ask of a database file."""
