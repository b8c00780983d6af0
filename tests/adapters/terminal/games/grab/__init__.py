"""Grab: simultaneous moves that can be secret and can conflict."""

from engines.game import Summary, Text

SUMMARY = Summary(Text("Grab"), Text("Grab the highest number."), range(2, 5))
