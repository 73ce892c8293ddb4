"""Builtins that compare words of memory, and the versions of dicts and classes that they are for."""

from __future__ import annotations

import numpy as np
import pytest

from guardlift.backend.cpu.plan.word_checks import dicts_have_versions, type_place, version_place, word_check


def test_words_that_are_as_they_were_ask_nobody() -> None:
    words, asked = np.arange(3), list[int]()
    check = word_check([words.ctypes.data + 8 * k for k in range(3)], lambda number: bool(asked.append(number)))
    assert check() is True and check() is True
    assert asked == []


def test_a_word_that_changed_is_looked_at_once() -> None:
    words, asked = np.arange(3), list[int]()

    def look(number: int) -> bool:
        asked.append(number)
        return words[number] != 9

    check = word_check([words.ctypes.data + 8 * k for k in range(3)], look)
    words[1], words[2] = 5, 6
    assert check() is True and check() is True
    assert asked == [1, 2]
    words[0] = 9
    assert check() is False and check() is False
    assert asked == [1, 2, 0, 0]


def test_what_looking_raises_leaves_the_check() -> None:
    words = np.arange(1)

    def look(number: int) -> bool:
        raise KeyboardInterrupt

    check = word_check([words.ctypes.data], look)
    words[0] = 4
    with pytest.raises(KeyboardInterrupt):
        check()
    words[0] = 0
    assert check() is True


def test_the_version_of_a_class_is_looked_at_as_long_as_it_is_none() -> None:
    words, asked = np.array([0]), list[int]()

    def look(number: int) -> bool:
        asked.append(int(words[0]))
        return True

    check = word_check([words.ctypes.data], look, numbered=True)
    check(), check()
    words[0] = 7
    check(), check()
    words[0] = 1 << 32  # other facts of the class, beside a version that is none
    check(), check()
    assert asked == [0, 0, 7, 1 << 32, 1 << 32]


def test_this_python_numbers_the_writes_to_dicts() -> None:
    assert dicts_have_versions()
    owner = {"a": 1}
    check = word_check([version_place(owner)], lambda number: False)
    assert owner["a"] == 1 and len(owner) == 1 and check()
    owner["b"] = 2
    assert not check()


def test_the_type_of_an_object_is_a_word() -> None:
    class First:
        pass

    class Second:
        pass

    thing = First()
    check = word_check([type_place(thing)], lambda number: False)
    assert check()
    thing.__class__ = Second  # type: ignore[assignment]
    assert not check()
