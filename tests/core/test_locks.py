"""Locks across a fork."""

from __future__ import annotations

import os
import threading

import pytest

from guardlift.core.locks import ForkSafeLock


def held_by_a_thread(lock: ForkSafeLock) -> tuple[threading.Event, threading.Thread]:
    """Another thread holds the lock until the event is set."""
    holding, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            holding.set()
            leave.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait()
    return leave, thread


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_lock_that_a_thread_holds_is_free_in_a_forked_process() -> None:
    lock = ForkSafeLock()
    leave, thread = held_by_a_thread(lock)
    child = os.fork()
    if child == 0:
        threading.Timer(10.0, os._exit, [1]).start()
        with lock:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 0
    with lock:  # here it is free again since the thread let go of it
        pass


def test_a_lock_keeps_others_out() -> None:
    lock = ForkSafeLock()
    leave, thread = held_by_a_thread(lock)
    entered = threading.Event()

    def enter() -> None:
        with lock:
            entered.set()

    other = threading.Thread(target=enter)
    other.start()
    assert not entered.wait(0.05)
    leave.set()
    assert entered.wait(10.0)
    thread.join()
    other.join()
