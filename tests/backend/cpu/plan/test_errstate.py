import itertools
import sys
import threading

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.plan import errstate
from guardlift.backend.cpu.plan.errstate import accept_current, accepts_current, variable
from guardlift.backend.cpu.plan.plan import LaunchPlan, build
from guardlift.backend.cpu.plan.table_layout import STATE_BITS


@pytest.fixture
def function():
    yield build(LaunchPlan(check_errstate=True))
    accept_current()


@pytest.fixture
def unreadable(monkeypatch):
    """As where NumPy's objects are not as they are expected: each state is accepted by itself."""
    bits = errstate._words[STATE_BITS]
    assert bits, "the masks of this NumPy can be read"
    errstate._words[STATE_BITS] = 0
    yield
    errstate._words[STATE_BITS] = bits


def test_the_default_state_is_accepted_from_the_start(function):
    assert function() is None


def test_every_state_that_only_warns_and_ignores_is_accepted(function):
    for modes in itertools.product(("ignore", "warn"), repeat=4):
        with np.errstate(**dict(zip(("divide", "over", "under", "invalid"), modes, strict=True))):
            assert function() is None and accepts_current()


def test_the_same_block_entered_again_is_no_miss():
    jitted, x = gl.jit(lambda x: x / 2 + 1), np.ones(3)
    sized = gl.jit(lambda x: x / 2 + 1, dynamic=True)
    for size in range(2, 12):
        with np.errstate(all="ignore"):
            jitted(x)
            sized(np.ones(size))
        jitted(x)
    assert gl.explain(jitted).calls.misses == gl.explain(sized).calls.misses == 1


def test_a_changed_state_is_refused_until_accepted(function, unreadable):
    with np.errstate(over="ignore"):
        assert function() is NotImplemented and not accepts_current()
        assert accept_current()
        assert function() is None and accepts_current()
    assert function() is NotImplemented
    assert accept_current()
    assert function() is None


@pytest.mark.parametrize("mode", ["raise", "call", "log", "print"])
@pytest.mark.parametrize("kind", ["divide", "over", "under", "invalid"])
def test_a_state_that_python_code_would_notice_is_never_accepted(function, mode, kind):
    with np.errstate(call=lambda *_: None, **{kind: mode}):
        assert not accept_current() and not accepts_current()
        assert function() is NotImplemented
    assert function() is None


def test_a_new_state_at_the_address_of_an_old_one_is_not_taken_for_it(function, unreadable):
    for _ in range(50):
        with np.errstate(over="ignore"):
            assert accept_current()
        with np.errstate(over="raise"):
            assert function() is NotImplemented


def test_another_thread_has_a_state_of_its_own(function, unreadable):
    seen = []
    with np.errstate(over="ignore"):
        accept_current()
        thread = threading.Thread(target=lambda: seen.append(function()))
        thread.start()
        thread.join()
    assert seen == [NotImplemented]


def test_a_plan_that_does_not_check_runs_under_any_state():
    with np.errstate(all="raise"):
        assert build(LaunchPlan())() is None


def test_looking_at_the_state_leaks_no_reference(function):
    state = variable.get()
    before = sys.getrefcount(state)
    for _ in range(1000):
        function()
    assert sys.getrefcount(state) == before
