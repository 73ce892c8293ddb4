"""Slices of `ModuleList` and `Sequential` in jitted functions: part of the graph, and as new as in eager mode."""

from __future__ import annotations

from typing import Any

import pytest
from frontend.tensors.scenario import normal

import guardlift as gl
from guardlift import nn


class Stack(nn.Module):
    """Layers in a list and in a sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(4)])
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))


def all_but_the_last(m: Any, x: Any) -> Any:
    for layer in m.layers[:-1]:
        x = layer(x).relu()
    return m.layers[-1](x)


def backwards(m: Any, x: Any) -> Any:
    for layer in m.layers[::-1]:
        x = layer(x)
    return x


def pairs(m: Any, x: Any) -> Any:
    for number, (one, other) in enumerate(zip(m.layers[:-1], m.layers[1:])):
        x = one(x) + other(x) * number
    return x


def called(m: Any, x: Any) -> Any:
    return m.body[:2](x) + m.body[1:](x)


def slices_of_slices(m: Any, x: Any) -> Any:
    part = m.layers[1:]
    if part and len(part[1:]) == 2:
        x = part[1:][0](x) * len(part)
    return part[-1](x)


def parameters_of_each(m: Any, x: Any) -> Any:
    return x + sum(p.sum() for layer in m.layers[:2] for p in layer.parameters())


@pytest.mark.parametrize("program", [all_but_the_last, backwards, pairs, called, slices_of_slices, parameters_of_each])
def test_slices_are_part_of_the_graph(program: Any) -> None:
    model, x = Stack(), normal(3, 4)
    jitted = gl.jit(program, fullgraph=True)
    for _ in range(2):
        grads = []
        for function in (program, jitted):
            model.zero_grad()
            out = function(model, x)
            out.sum().backward()
            grads.append([out.detach(), *(p.grad for p in model.parameters() if p.grad is not None)])
        assert len(grads[0]) == len(grads[1])
        for one, other in zip(*grads, strict=True):
            assert (one - other).abs().max().item() < 1e-4
    assert gl.explain(jitted).compiles == 1
    model.layers[1] = nn.Linear(4, 4)
    assert (jitted(model, x) - program(model, x)).abs().max().item() < 1e-4


def test_a_slice_that_is_returned_is_a_new_container() -> None:
    model = Stack()
    f = gl.jit(lambda x: (model.layers[:2], model.body[1:], x + 1))
    first, second = f(gl.ones(2)), f(gl.ones(2))
    assert type(first[0]) is nn.ModuleList and type(first[1]) is nn.Sequential
    assert first[0] is not second[0]
    assert list(first[0]) == list(model.layers[:2])


def test_classes_with_a_slicing_of_their_own_are_asked() -> None:
    class Own(nn.ModuleList):
        def __getitem__(self, index: Any) -> Any:
            return super().__getitem__(0)

    layers = Own([nn.Linear(4, 4), nn.Linear(4, 4)])
    f = gl.jit(lambda x: layers[1:](x))
    x = normal(3, 4)
    assert (f(x) - layers[1:](x)).abs().max().item() < 1e-6


def test_what_a_slice_does_not_do_in_the_graph_is_left_to_python() -> None:
    model, x = Stack(), normal(3, 4)

    def f(x: Any) -> Any:
        return x + sum(p.sum() for p in model.layers[:2].parameters())

    assert (gl.jit(f)(x) - f(x)).abs().max().item() < 1e-5
