"""The settings of a host and of games at a terminal, and the values that settings may have."""
