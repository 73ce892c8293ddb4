import gc
import os
import threading

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.rare_collections import RARELY, RareCollections


@pytest.fixture(autouse=True)
def thresholds():
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_the_last_thread_that_leaves_restores_the_threshold():
    entered, leave = threading.Event(), threading.Event()

    def other():
        with RareCollections():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with RareCollections():
        thread.start()
        assert entered.wait(10)
        assert gc.get_threshold() == (RARELY, 10, 10)
    assert gc.get_threshold() == (RARELY, 10, 10)
    leave.set()
    thread.join()
    assert gc.get_threshold() == (700, 10, 10)


def test_it_is_restored_after_an_error_and_after_an_inner_one():
    with pytest.raises(ValueError), RareCollections():
        with RareCollections():
            pass
        assert gc.get_threshold() == (RARELY, 10, 10)
        raise ValueError
    assert gc.get_threshold() == (700, 10, 10)


def test_what_the_program_has_set_stays():
    gc.set_threshold(0)
    with RareCollections():
        assert gc.get_threshold()[0] == 0
    gc.set_threshold(2 * RARELY)
    with RareCollections():
        assert gc.get_threshold()[0] == 2 * RARELY
    gc.set_threshold(700)
    with RareCollections():
        gc.set_threshold(50)
    assert gc.get_threshold()[0] == 50


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork processes")
def test_a_child_does_not_wait_for_threads_that_it_does_not_have():
    entered, leave = threading.Event(), threading.Event()

    def other():
        with RareCollections():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    assert entered.wait(10)
    child = os.fork()
    if not child:
        os._exit(0 if gc.get_threshold()[0] == 700 else 1)
    leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.fixture
def nothing_frozen(monkeypatch):
    frozen = gc.get_freeze_count()  # by the tests' own settings
    gc.unfreeze()
    monkeypatch.setattr(RareCollections, "_freezes", False)
    yield
    if frozen:
        gc.freeze()


def is_old(made):
    return any(each is made for each in gc.get_objects(generation=2))


def test_what_imports_leave_is_old_and_what_else_is_made_is_not(nothing_frozen):
    with RareCollections(is_import=True):
        imported = [[]]
    assert is_old(imported)
    with RareCollections():
        compiled = [[]]
        with RareCollections(is_import=True):
            pass
    assert not is_old(compiled)


def test_what_the_program_has_frozen_stays_frozen(nothing_frozen):
    gc.freeze()
    frozen = gc.get_freeze_count()
    with RareCollections(is_import=True):
        imported = [[]]
    assert gc.get_freeze_count() > frozen // 2  # some are dropped meanwhile
    assert not is_old(imported)
    gc.unfreeze()


def test_what_the_program_has_frozen_is_counted_once(nothing_frozen, monkeypatch):
    counted = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: counted.append(1) or len(counted))
    for _ in range(3):
        with RareCollections(is_import=True):
            pass
    assert len(counted) == 1


def test_a_first_call_collects_rarely_and_leaves_the_threshold_as_it_was():
    begun = 0

    def count(phase, facts):
        nonlocal begun
        begun += phase == "start"

    gl.jit(lambda x: x - 1)(np.ones(3))  # all that is imported
    gc.collect()
    gc.callbacks.append(count)
    try:
        jitted = gl.jit(lambda x: np.tanh(x) * 2 + x.sum(axis=0) - np.where(x > 0, x, 1 - x))
        jitted(np.ones((3, 4)))
    finally:
        gc.callbacks.remove(count)
    assert begun <= 2
    assert gc.get_threshold() == (700, 10, 10)
