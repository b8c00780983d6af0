"""The adapters to Discord, Telegram and the terminal, one folder each, and the command line."""
