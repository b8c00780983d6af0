"""Sobremesa on Telegram."""

import os

# The library asks for this until its times are no longer plain numbers.
os.environ.setdefault("PTB_TIMEDELTA", "true")
