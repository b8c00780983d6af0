"""Connects the bot to Discord, over discord.py."""
