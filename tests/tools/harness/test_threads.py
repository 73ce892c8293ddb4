from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from guardlift.tools.harness.threads import ThreadFamily


def run(function) -> threading.Thread:
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()
    return thread


def test_a_family_is_its_own_thread_and_those_started_inside_at_any_depth() -> None:
    found: list[threading.Thread] = []
    family = ThreadFamily()
    with family.open():
        child = run(lambda: found.append(run(lambda: None)))
        with ThreadPoolExecutor(1) as pool:
            found.append(pool.submit(threading.current_thread).result())
    assert threading.current_thread() in family and child in family
    assert all(each in family for each in found) and len(found) == 2


def test_threads_of_others_and_of_another_time_do_not_belong_to_it() -> None:
    other: list[threading.Thread] = []
    begin, done = threading.Event(), threading.Event()

    def elsewhere() -> None:
        begin.wait(60)
        other.append(run(lambda: None))
        done.set()

    stranger = threading.Thread(target=elsewhere, daemon=True)
    stranger.start()
    family = ThreadFamily()
    with family.open():
        begin.set()
        done.wait(60)
    stranger.join()
    late = run(lambda: None)
    assert stranger not in family and other[0] not in family and late not in family


def test_nothing_of_threads_is_replaced_afterwards() -> None:
    start = threading.Thread.start
    with ThreadFamily().open():
        assert threading.Thread.start is not start
        with ThreadFamily().open():
            pass
        assert threading.Thread.start is not start
    assert threading.Thread.start is start
