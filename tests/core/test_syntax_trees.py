"""Syntax trees made by several threads at once."""

from __future__ import annotations

import ast
import gc
import threading
import time

import pytest

from guardlift.core.threads import parsed

TEXT = "def f(x):\n" + "".join(f"    y{k} = (x + {k}) * (x - {k}) if x else [x, {{x: ({k}, x)}}]\n" for k in range(40))


class Cycle:
    """Garbage whose end lets another thread run."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        time.sleep(0)


def test_threads_that_parse_while_memory_is_collected() -> None:
    wanted, failed = ast.dump(ast.parse(TEXT)), []

    def parse(parse_text: object) -> None:
        try:
            for _ in range(15):
                Cycle()
                assert callable(parse_text) and ast.dump(parse_text(TEXT)) == wanted
        except BaseException as error:
            failed.append(error)

    before = gc.get_threshold()
    gc.set_threshold(50, 2, 2)
    try:
        # The third one stands for code of other people, which takes no lock of ours; what it meets is not ours to mend.
        threads = [threading.Thread(target=parse, args=(parsed,)) for _ in range(2)]
        other = threading.Thread(target=lambda: [_quietly(TEXT) for _ in range(15)])
        for each in (*threads, other):
            each.start()
        for each in (*threads, other):
            each.join()
    finally:
        gc.set_threshold(*before)
    assert not failed


def _quietly(text: str) -> None:
    try:
        Cycle()
        ast.parse(text)
    except SystemError:
        pass


def test_errors_are_those_of_python() -> None:
    with pytest.raises(SyntaxError):
        parsed("def f(:")
    assert isinstance(parsed("1 + x", mode="eval"), ast.Expression)
