"""The module `autograd.graph`, and the grad modes."""

from __future__ import annotations

import pytest

import guardlift as gl
from guardlift.autograd import graph, is_grad_enabled, set_grad_enabled

behaviour = pytest.mark.behaviour


def same(value: gl.Tensor) -> gl.Tensor:
    return value


@behaviour("S4.21")
def test_increment_version_makes_saved_tensors_stale() -> None:
    a, b = gl.ones(1, requires_grad=True), gl.ones(1, requires_grad=True)
    y = a * b
    graph.increment_version(a)
    graph.increment_version([b, b])
    assert (a._version, b._version) == (1, 2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


@behaviour("S4.30")
def test_entering_hooks_while_they_are_disabled_gives_the_message() -> None:
    with graph.disable_saved_tensors_hooks("outer message"):
        with pytest.raises(RuntimeError, match="^outer message$"), graph.saved_tensors_hooks(same, same):
            pass
        with graph.disable_saved_tensors_hooks("inner message"):
            with pytest.raises(RuntimeError, match="^inner message$"), graph.saved_tensors_hooks(same, same):
                pass
        with pytest.raises(RuntimeError, match="^outer message$"), graph.saved_tensors_hooks(same, same):
            pass
    with graph.saved_tensors_hooks(same, same):
        pass


@behaviour("S4.30")
def test_disabling_while_hooks_are_in_force_gives_the_message_at_once() -> None:
    with graph.saved_tensors_hooks(same, same):
        with pytest.raises(RuntimeError, match="^not now$"), graph.disable_saved_tensors_hooks("not now"):
            pass
    with graph.saved_tensors_hooks(same, same):
        pass


def test_grad_modes_nest_and_come_back() -> None:
    a = gl.ones(1, requires_grad=True)
    with gl.no_grad():
        assert not (a * 2).requires_grad
        with gl.enable_grad():
            assert (a * 2).requires_grad
        assert not is_grad_enabled()
    with pytest.raises(KeyError), gl.no_grad():
        raise KeyError
    assert is_grad_enabled()


def test_grad_modes_decorate_functions() -> None:
    a = gl.ones(1, requires_grad=True)

    @gl.no_grad()
    def called(depth: int) -> bool:
        """What it is for."""
        return called(depth - 1) if depth else (a * 2).requires_grad

    @gl.no_grad
    def bare() -> bool:
        return (a * 2).requires_grad

    assert (called(3), bare(), is_grad_enabled()) == (False, False, True)
    assert (called.__name__, called.__doc__) == ("called", "What it is for.")
    with gl.no_grad():
        assert gl.enable_grad()(lambda: is_grad_enabled())()


def test_set_grad_enabled_works_at_once_and_as_a_context() -> None:
    with set_grad_enabled(False):
        assert not is_grad_enabled()
    assert is_grad_enabled()
    set_grad_enabled(False)
    assert not is_grad_enabled()
    set_grad_enabled(True)
