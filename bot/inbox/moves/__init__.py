"""Moves: pressed in a player's menu, typed, or chosen by the number of a key."""
