"""Finished games as files: the format, the check that the deal was honest, the replay, the readable text."""
