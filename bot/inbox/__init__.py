"""Inbox: presses, commands and typed lines, each answered to its sender."""
