"""The bot: tables, players, pages and messages. Knows games only by the engine contract, and no platform."""
