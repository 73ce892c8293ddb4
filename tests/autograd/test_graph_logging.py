"""Lines that a backward pass writes to the logger of `autograd.graph`."""

from __future__ import annotations

import logging
import re
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import graph

spec = pytest.mark.spec
NAME = f"{gl.__name__}.autograd.graph"


class Both(graph.Node):
    """A node with two outputs, of which the first is its input."""

    __slots__ = ()
    outputs = 2

    def apply(self, gradients: Any) -> Any:
        return (gradients[0],)


def lines(caplog: Any) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == NAME]


def executed(caplog: Any) -> list[str]:
    return [re.match(r"Executing: <(\w+)", each)[1] for each in lines(caplog)]  # type: ignore[index]


@spec("S4.60")
def test_each_node_writes_a_line_in_the_order_of_execution(caplog: Any) -> None:
    a = gl.ones(2, 3, requires_grad=True)
    product = a * 2
    quotient = product / 3
    total, copy = quotient.sum(), product.clone()
    with caplog.at_level(logging.DEBUG, NAME):
        gl.autograd.backward((total, copy), (None, gl.ones(2, 3)))
    assert executed(caplog) == ["CloneBackward0", "SumBackward0", "DivBackward0", "MulBackward0", "AccumulateGrad"]
    assert {each.levelno for each in caplog.records} == {logging.DEBUG}


@spec("S4.60")
def test_a_line_shows_dtype_and_shape_of_each_gradient(caplog: Any) -> None:
    a = gl.ones(2, 3, requires_grad=True)
    b = gl.tensor(np.ones(4), requires_grad=True)
    with caplog.at_level(logging.DEBUG, NAME):
        a.sum().backward()
        (b * 2).backward(gl.tensor(np.ones(4)))
    found = [each.split(" with grad_outputs: ")[1] for each in lines(caplog)]
    assert found == ["[f32[]]", "[f32[2, 3]]", "[f64[4]]", "[f64[4]]"]
    assert re.fullmatch(
        r"Executing: <SumBackward0 object at 0x[0-9a-f]+> with grad_outputs: \[f32\[\]\]", lines(caplog)[0]
    )


@spec("S4.60")
def test_a_gradient_that_is_not_there_shows_as_none(caplog: Any) -> None:
    x = gl.ones(2, requires_grad=True)
    node = Both((graph.get_gradient_edge(x)[:2],))
    y, z = (gl.autograd.attach(gl.ones(2), node, number) for number in (0, 1))
    with caplog.at_level(logging.DEBUG, NAME):
        y.sum().backward()
    assert z.grad_fn is node
    assert lines(caplog)[1].endswith("with grad_outputs: [f32[2],None]")


@spec("S4.60")
def test_only_nodes_that_run_write_a_line(caplog: Any) -> None:
    a, b = gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True)
    middle = a * 2
    with caplog.at_level(logging.DEBUG, NAME):
        gl.autograd.grad((middle * b).sum(), (middle,))
    assert executed(caplog) == ["SumBackward0", "MulBackward0"]


@spec("S4.60")
def test_nothing_is_written_or_registered_at_other_levels(caplog: Any) -> None:
    a = gl.ones(2, requires_grad=True)
    total = (a * 2).sum()
    with caplog.at_level(logging.INFO, NAME):
        total.backward()
    assert lines(caplog) == []
    assert total.grad_fn.prehooks is None


@spec("S4.60")
@pytest.mark.parametrize("fails", [False, True])
def test_the_hooks_that_write_are_gone_afterwards(caplog: Any, fails: bool) -> None:
    a = gl.ones(2, requires_grad=True)
    product = a * 2
    total = product.sum()
    seen: list[Any] = []
    product.grad_fn.register_prehook(seen.append)

    def fail(_gradient: gl.Tensor) -> None:
        raise KeyError("on purpose")

    handle = product.register_hook(fail)
    if not fails:
        handle.remove()
    accumulator = product.grad_fn.next_functions[0][0]
    with caplog.at_level(logging.DEBUG, NAME):
        if fails:
            with pytest.raises(KeyError):
                total.backward(retain_graph=True)
        else:
            total.backward(retain_graph=True)
    handle.remove()
    assert [len(each.prehooks) for each in (total.grad_fn, product.grad_fn, accumulator)] == [0, 1, 0]
    caplog.clear()
    total.backward()
    assert lines(caplog) == [] and len(seen) == (1 if fails else 2)


@spec("S4.60")
def test_logging_keeps_no_gradient_from_being_taken_over(caplog: Any) -> None:
    results = []
    for level in (logging.INFO, logging.DEBUG):
        a = gl.ones(3, requires_grad=True)
        pointers: list[int] = []

        def look(gradients: Any, pointers: list[int] = pointers) -> None:
            pointers.append(gradients[0].data_ptr())

        held = graph.get_gradient_edge(a)
        held.node.register_prehook(look)
        with caplog.at_level(level, NAME):
            (a * 2).sum().backward()
        results.append(a.grad.data_ptr() == pointers[0])
    assert results == [True, True]
