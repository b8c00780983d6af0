"""Performs a placement: the card goes into its cell, attacks, and may end the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.cardlebones import texts
from engines.cardlebones.state import CELLS, DECK, Board, Cell, Place, Placement, State, cards_on
from engines.cards import RANKS, Card
from engines.game import Event, Seat

_CARDS_OF_RANK = {rank: frozenset(card for card in DECK if card.rank == rank) for rank in RANKS}


def perform(state: State, seat: Seat, action: Place) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal placement, and the events that announce it (rules 4 to 7)."""
    card = state.drawn
    assert card is not None
    boards, emptied = attack(state.boards, seat, action.cell, card, state.options)
    removed = _cards_at(state.boards[1 - seat], emptied) if emptied else ()
    stock, over = state.stock, is_full(boards[0]) or is_full(boards[1]) or not state.stock
    after = State(
        boards=boards,
        drawn=None if over else stock[0],
        stock=stock if over else stock[1:],
        discard=state.discard + removed,
        turn=1 - seat,
        turns=state.turns + 1,
        options=state.options,
        last=Placement(seat, action.cell, emptied),
    )
    return after, _announce(after, seat, card, action.cell, removed)


def attack(
    boards: Sequence[Board], seat: Seat, cell: Cell, card: Card, options: Mapping[str, str]
) -> tuple[tuple[Board, ...], tuple[Cell, ...]]:
    """Both boards after the seat's card is placed and attacks, and the opponent's cells that it emptied."""
    own, other = set_cell(boards[seat], cell, card), boards[1 - seat]
    alike = _CARDS_OF_RANK[card.rank]
    emptied: tuple[Cell, ...] = ()
    # Most attacks find no card of their rank, which `isdisjoint` tells sooner than a look at every cell.
    if not alike.isdisjoint(cards_on(other)):
        emptied = tuple(at for at, lying in zip(CELLS, cards_on(other), strict=True) if lying in alike)
        if options["attack_scope"] == "column":
            emptied = tuple(at for at in emptied if at.column == cell.column)
        for at in emptied:
            other = set_cell(other, at, None)
    return ((own, other) if seat == 0 else (other, own)), emptied


def set_cell(board: Board, cell: Cell, card: Card | None) -> Board:
    """A copy of the board with the card in the cell; None empties the cell."""
    columns, (column, row) = list(board), cell
    changed = list(columns[column])
    changed[row] = card
    columns[column] = tuple(changed)
    return tuple(columns)


def is_full(board: Board) -> bool:
    """Whether every cell of the board has a card."""
    return None not in cards_on(board)


def _cards_at(board: Board, cells: Sequence[Cell]) -> tuple[Card, ...]:
    cards = (board[cell.column][cell.row] for cell in cells)
    return tuple(card for card in cards if card)


def _announce(
    after: State, seat: Seat, card: Card, cell: Cell, removed: tuple[Card, ...]
) -> tuple[Event, ...]:
    """The events of a placement: the card and its cell, the cards removed, then the next card or the end."""
    placed = texts.placement(seat, card, cell)
    if after.drawn:
        next_up = texts.draw(after.turn, after.drawn)
    else:
        # Only in a loaded position can the opponent's board be the full one.
        full = next((owner for owner in (seat, 1 - seat) if is_full(after.boards[owner])), None)
        next_up = texts.no_stock() if full is None else texts.full_board(full)
    return (placed, texts.attack(1 - seat, removed), next_up) if removed else (placed, next_up)
