"""Connects the bot to Telegram, over python-telegram-bot."""

import os

# Makes python-telegram-bot return times as timedelta, and keeps it from warning that it will soon do so.
os.environ.setdefault("PTB_TIMEDELTA", "true")
