"""Locks across a fork."""

from __future__ import annotations

import ast
import os
import threading
from collections.abc import Iterator

import pytest
from repository.tree import ROOT, package_files

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


def conditions_under(node: ast.AST, locks: tuple[str, ...] = ()) -> Iterator[tuple[int, str]]:
    """The lines of comprehensions with a condition in the body of a `with` on a lock, in the same function."""
    for each in ast.iter_child_nodes(node):
        own = isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp, ast.ClassDef))
        under = () if own else locks
        if (
            under
            and isinstance(each, (ast.ListComp, ast.SetComp, ast.DictComp))
            and any(g.ifs for g in each.generators)
        ):
            yield each.lineno, under[-1]
        if isinstance(each, ast.With):
            held = [ast.unparse(item.context_expr) for item in each.items]
            under = (*under, *(text for text in held if "lock" in text.lower()))
        yield from conditions_under(each, under)


def test_nothing_is_raised_past_the_end_of_a_with_on_a_lock() -> None:
    """See [Locks and asynchronous exceptions]: since CPython 3.12 such a comprehension has a jump without a handler."""
    found, locks = [], 0
    for file in package_files():
        text = (ROOT / file).read_text("utf-8")
        locks += text.lower().count("lock:\n")
        if "lock" in text.lower().replace("block", ""):
            found += [(str(file), line, lock) for line, lock in conditions_under(ast.parse(text))]
    assert not found and locks > 50
    example = (
        "with LOCK:\n    kept = [each for each in listed if each]\n    other = sum(each for each in listed if each)\n"
    )
    assert list(conditions_under(ast.parse(example))) == [(2, "LOCK")]
