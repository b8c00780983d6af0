"""Renders pages: as one message with buttons, as lines of text, at a width."""
