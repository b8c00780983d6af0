"""How commands run: suggestions while one is typed, checks of its arguments, questions for missing ones."""
