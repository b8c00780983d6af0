"""Takes moves by their cards, which a player clicks on the drawing or picks with the arrows."""

from __future__ import annotations

from textual import events
from textual.widgets import Static

from adapters.terminal import typed_lines
from adapters.terminal.drawn_cards import find_at
from adapters.terminal.table_screen.play import TablePlay
from adapters.terminal.widgets import ButtonGrid, TextPane
from bot.pages.menus.menu_items import Words
from engines.cards import Card, is_card
from engines.game import Text, plural


class TableCards(TablePlay):
    """Picks the cards of the drawing for a move; the menu has the moves with all of them."""

    _cursor = ""
    """The word that the arrows have picked, which the next arrow replaces; empty if there is none."""

    async def on_click(self, event: events.Click) -> None:
        """Picks the card, cell or group under the mouse."""
        static = self.query_one("#table > Static", Static)
        if not self.query_one("#table", TextPane).region.contains(event.screen_x, event.screen_y):
            return
        line, column = event.screen_y - static.region.y, event.screen_x - static.region.x
        if (drawn := find_at(self._found, line, column)) is not None:
            self._cursor = ""
            await self._pick(drawn.word)

    async def _pick(self, word: str) -> None:
        """Picks a card with those picked before, or alone if no move has them all.

        While a move of a wide verb is composed, a card that may follow becomes its next word. A second click
        on a picked card presses the only item of the menu, or puts the card back if there are several.
        """
        seat, picks, stamp = self.reader, self._moves.picks, self.session.table.stamp
        if seat is None or not self._can_pick(seat):
            return
        path = self._moves.path
        composing = bool(path) and path[0] in self.game.wide
        if composing and word in self.game.choices(self.session.table.state, seat, path).words:
            self._moves.go((*path, word))
            self._tell_path()
            return
        if word in picks.words:
            items = self._moves.menu(seat).items
            if len(items) == 1:
                await self._press(seat, stamp, items[0])
            else:
                self._show_picks(tuple(picked for picked in picks.words if picked != word))
            return
        before = tuple(picked for picked in path if is_card(picked)) or picks.words
        for words in (*(((*before, word),) if word not in before else ()), (word,)):
            if word in picks.pickable(seat, words[:-1]):
                self._show_picks(words)
                return
        self.notify_player(Text("You can't play {card} right now.", card=self._spoken(word)))
        self._refused = True

    def _open(self, words: Words) -> None:
        if words and all(map(is_card, words)):
            self._cursor = ""
            self._show_picks(words)
        else:
            super()._open(words)

    def _show_picks(self, words: Words) -> None:
        """Shows the moves with the picked cards, and says how to go on."""
        self._moves.pick(words)
        self.notify_player(self._how_to_go_on(), calm=True, reworded=self._how_to_go_on)

    def _how_to_go_on(self) -> Text | None:
        """What the reader can do with the picked cards; None without a reader, cards or a move with them."""
        words = self._moves.picks.words
        if self.reader is None or not words:
            return None
        menu = self._moves.menu(self.reader)
        items = menu.items
        if menu.begun and len(items) > 1:
            return typed_lines.begun(self.session, self.reader, menu)
        if len(items) == 1 and not items[0].done:
            return Text("{move} …: pick another card.", move=items[0].label)
        if len(items) == 1:
            return Text("{move}: press Enter, or click again.", move=items[0].label)
        if not items:
            return None
        return plural(
            "{n} move with {cards}: choose one, or pick another card.",
            "{n} moves with {cards}: choose one, or pick another card.",
            len(items),
            cards=" + ".join(map(self._spoken, words)),
        )

    def _spoken(self, word: str) -> str:
        """A card, or the name that the drawing gives a cell or a group."""
        if is_card(word):
            return self.session.say.card(Card(word))
        assert self.reader is not None
        names = self._moves.picks.names(self.reader)
        return next((name for name, known in names.items() if known == word), word)

    def _walk(self, step: int) -> bool:
        """Moves the arrows' pick to the next card that goes with the others; False if there is none.

        False also while words are picked in the menu.
        """
        seat, picks = self.reader, self._moves.picks
        if seat is None or not self._found or self._moves.path:
            return False
        walking = picks.words[-1:] == (self._cursor,)
        fixed = picks.words[:-1] if walking else picks.words
        pickable = picks.pickable(seat, fixed)
        candidates = [word for word in dict.fromkeys(drawn.word for drawn in self._found) if word in pickable]
        candidates = [word for word in candidates if word not in fixed]
        if not candidates:
            return False
        if walking and self._cursor in candidates:
            at = (candidates.index(self._cursor) + step) % len(candidates)
        else:
            at = 0 if step > 0 else -1
        self._cursor = candidates[at]
        self._show_picks((*fixed, self._cursor))
        return True

    def _keep_cursor(self) -> None:
        """Keeps the card to which the arrows have led: the next arrow adds a card instead of replacing it."""
        if self._moves.picks.words and self._cursor:
            self._cursor = ""
            self._show_picks(self._moves.picks.words)

    def _steer(self, key: str) -> None:
        """Obeys an arrow key: in the menu, on the drawing, or among the lines typed before."""
        menu = self.query_one("#menu", ButtonGrid)
        if key in ("left", "right"):
            if menu.is_steered or not self._walk(1 if key == "right" else -1):
                menu.move(key)
        elif key == "down":
            self._recall_newer() if self._recall.is_on(self._typist()) else menu.move("down")
        elif menu.is_steered and not menu.is_in_first_row:
            menu.move("up")
        elif menu.is_steered and self._moves.shown:
            # Up from the first row leaves the menu; buttons that are no moves stay highlighted.
            menu.highlight(None)
        else:
            self._recall_older()
