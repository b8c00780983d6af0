"""Tables: their state folded from a log of entries, their players, their store-backed service."""
