"""The frozen values that all packages of the bot share, by what they are about."""
