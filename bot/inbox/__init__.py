"""Inbox: presses, commands and private messages, each answered to its sender."""
