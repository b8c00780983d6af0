"""What games, tables, levels, paces and computer players are called, and how their names are read."""
