"""Tables, players, words and time. Knows games only by their contract, and no platform."""
