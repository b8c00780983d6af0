"""How computer players choose their moves: in this process, or in worker processes that see no state."""
