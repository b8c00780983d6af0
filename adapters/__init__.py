"""The adapters to platforms, one folder each, the terminal, and the command line."""
