"""Serving others: finds the platforms, runs them, watches over them, and says what is wrong."""
