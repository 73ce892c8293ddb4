"""Values that are made once for all threads."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from guardlift.core.once import once


def test_threads_that_come_first_at_once_get_the_same_result() -> None:
    together = threading.Barrier(8)

    @once
    def made(name: str) -> list[str]:
        time.sleep(0.01)
        return [name]

    def ask(name: str) -> list[str]:
        together.wait()
        return made(name)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, ["a", "b"] * 4))
    assert len({id(each) for each in found}) == 2
    assert found[0] is made("a") and found[1] is made("b")


def test_what_raises_is_tried_again() -> None:
    calls = []

    @once
    def made(name: str) -> str:
        calls.append(name)
        if len(calls) == 1:
            raise ValueError(name)
        return name

    try:
        made("a")
    except ValueError:
        pass
    assert made("a") == made("a") == "a" and calls == ["a", "a"]
