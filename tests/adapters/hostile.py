"""Names and words that try to be markup, mentions, links or control codes on some platform."""

from __future__ import annotations

from hypothesis import strategies as st

from bot.i18n import safe_name, visible
from bot.tables.log.commitment import CUT_LENGTH

PIECES = (
    "@everyone", "@here", "<@123456789012345678>", "<@&1>", "<#1>", "<:x:1>", "<t:1>", "</new:1>", "<b>",
    "</b>", "</pre>", "&lt;", "&", "**", "__", "~~", "||", "`", "```", "\\", "# ", "> ", "- ", "-# ",
    "[a](b)", "http://", "https://a.co", "a.co", "t.me/x", "discord.gg/x", "discord.com/invite/x",
    ":smile:", ":a:b:", "@ana_bot", "#tag", "$USD", "/weather", "10.0.0.1", "a@b.co", "[bold]", "[/]",
    "[red on blue]", "[@click=app.quit]x[/]", "\x1b[31m", "\x9b2J", "\x00", "\r\n", "\u202e", "\u2066",
    "\u200b", "\u2028", "{0}", "Ana", "í", "李", " ", "é\u0301\u0301\u0301",
)  # fmt: skip

_hostile = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=6).map("".join)
names = _hostile.map(safe_name).filter(bool)
"""Names as the core hands them to an adapter."""
cuts = _hostile.map(lambda words: visible(words)[:CUT_LENGTH]).filter(bool)
"""Words of a cut, likewise; they may be longer than names, so whole addresses fit."""
