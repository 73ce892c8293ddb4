"""Errors that a rule ends in: the program's, which Python then raises, or a mistake of ours."""

import functools
import types
import warnings

import numpy as np
import pytest
from frontend.tensors.scenario import broken

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.tracing import rules
from guardlift.frontend.tracing.rules import asked, checked_call


def forget_to_look(trace, x):
    return len(None)


def add_what_is_none(trace, x):
    return None + 1


def call_with_too_many(trace, x):
    return forget_to_look(trace, x, x)


def raise_as_python_does(trace, x):
    raise TypeError("only length-1 arrays can be converted")


def ask_python(trace, x):
    return asked(len, None)


def ask_numpy(trace, x):
    return np.squeeze(np.ones(1), 0.5)


def ask_for_a_loop(trace, x):
    return asked(np.sin.resolve_dtypes, (np.dtype("M8[s]"), None))


@pytest.fixture
def ruled(monkeypatch):
    """Gives a jitted function that calls `np.tril`, under this rule, as if a module of ours had it."""

    def make(rule):
        rules.load_rules()
        inside = types.FunctionType(rule.__code__, globals() | {"__name__": "guardlift.frontend.rules"})
        monkeypatch.setitem(rules._RULES, np.tril, functools.partial(checked_call, "tril", inside))
        return gl.jit(lambda x: np.tril(x) * 2.0)

    return make


def codes(function):
    return [event.break_code for event in state_of(function).history if event.kind == "break"]


MISTAKES = [forget_to_look, add_what_is_none, call_with_too_many]


@pytest.mark.parametrize("rule", MISTAKES)
def test_a_type_error_of_our_own_is_an_internal_error(rule, ruled):
    function = ruled(rule)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(function(np.ones((2, 2))), [[2.0, 0.0], [2.0, 2.0]])
    (told,) = broken(function)
    assert "TypeError" in told and codes(function) == ["B900"]


@pytest.mark.parametrize("rule", MISTAKES)
def test_it_reaches_the_caller_where_that_is_asked_for(rule, ruled):
    with gl.config.patch(raise_internal_errors=True), pytest.raises(TypeError, match="NoneType|positional"):
        ruled(rule)(np.ones((2, 2)))


@pytest.mark.parametrize("rule", [raise_as_python_does, ask_python, ask_numpy, ask_for_a_loop])
def test_what_a_rule_raises_or_is_told_is_the_programs_error(rule, ruled):
    with gl.config.patch(raise_internal_errors=True):
        function = ruled(rule)
        np.testing.assert_array_equal(function(np.ones((2, 2))), [[2.0, 0.0], [2.0, 2.0]])
    assert codes(function) == ["B304"]
