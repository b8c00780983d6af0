"""The file of a terminal's games, and what is shown of the games in it."""
