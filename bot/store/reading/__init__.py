"""Reads tables, people, leaderboards and finished games."""
