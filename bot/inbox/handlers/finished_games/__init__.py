"""Handlers about finished games: replays and analyses, the leaderboard and profiles."""
