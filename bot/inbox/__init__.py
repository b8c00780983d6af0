"""Inbox: presses, commands and words from platforms, each answered to its sender alone."""
