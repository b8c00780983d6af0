"""Posts and edits the messages of panels: those of tables, and those of players and watchers."""
