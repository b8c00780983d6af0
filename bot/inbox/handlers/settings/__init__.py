"""Handlers of settings: those of a person, and those of a place."""
