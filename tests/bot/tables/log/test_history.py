"""A history grows without touching those before it, and says which of its items it has dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tables.log.history import Dropped, History


def test_a_longer_history_leaves_the_shorter_as_it_was() -> None:
    short = History("ab")
    long = short.plus("c", "d")
    assert (tuple(short), tuple(long)) == (("a", "b"), ("a", "b", "c", "d"))


def test_two_histories_may_grow_from_one() -> None:
    short = History("ab")
    assert (tuple(short.plus("c")), tuple(short.plus("d"))) == (("a", "b", "c"), ("a", "b", "d"))
    assert tuple(short) == ("a", "b")


def test_the_beginning_of_a_history_may_grow_differently() -> None:
    whole = History("abc")
    assert tuple(whole.upto(1).plus("x")) == ("a", "x")
    assert tuple(whole) == ("a", "b", "c")


def test_appending_copies_nothing() -> None:
    history = History("ab")
    assert history.plus("c").plus("d")._items is history._items


def test_dropped_items_keep_their_indexes_and_are_missed() -> None:
    late = History("abcd").last(2)
    assert (len(late), late.first, late[2], late[-1], late[2:], late[4:]) == (4, 2, "c", "d", ("c", "d"), ())
    for wanted in (lambda: late[1], lambda: late[1:], lambda: tuple(late), lambda: late.upto(1)):
        with pytest.raises(Dropped):
            wanted()
    with pytest.raises(IndexError):
        late[4]


def test_the_items_in_memory_come_in_reverse_before_dropped_ones_are_missed() -> None:
    late = reversed(History("abcd").last(2))
    assert [next(late), next(late)] == ["d", "c"]
    with pytest.raises(Dropped):
        next(late)


def test_a_history_finds_items_of_its_own_part_by_a_key_that_never_falls() -> None:
    whole = History("abbd")
    late = whole.last(3)
    assert [late.first_from(ord(letter), ord) for letter in "abcde"] == [1, 1, 3, 3, 4]
    assert [whole.upto(2).first_from(ord(letter), ord) for letter in "abd"] == [0, 1, 2]


def test_histories_are_equal_in_length_and_in_what_both_have() -> None:
    whole = History("abcd")
    assert whole.last(1) == whole == whole.last(3)
    assert whole.last(2) != History("abxd")
    assert whole.last(1) != whole.upto(3)
    assert whole == ("a", "b", "c", "d")
    assert whole.last(0) == History("wxyz")


@given(st.lists(st.tuples(st.sampled_from(("plus", "last", "upto")), st.integers(0, 6)), max_size=20))
def test_a_history_is_like_a_tuple_whose_first_items_may_be_missing(steps: list[tuple[str, int]]) -> None:
    history, first = History[int](), 0
    model: tuple[int, ...] = ()
    seen = [(history, model, first)]
    for step, n in steps:
        match step:
            case "plus":
                history, model = history.plus(*range(n)), (*model, *range(n))
            case "last":
                history, first = history.last(n), max(first, len(model) - n)
            case _ if n >= first:
                history, model = history.upto(n), model[:n]
        seen.append((history, model, first))
    for one, all_items, missing in seen:
        assert (len(one), one.first, one[missing:]) == (len(all_items), missing, all_items[missing:])
