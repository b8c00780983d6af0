"""The menu of moves: groups legal moves into buttons, and reads typed words as moves."""
