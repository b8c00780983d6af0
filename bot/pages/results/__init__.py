"""Pages about finished games and about people: history, replay, analysis, leaderboard, profile."""
