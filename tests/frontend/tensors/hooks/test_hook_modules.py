"""Inlined saved-tensor hooks as attributes of the modules that other people's backends get."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.graph.module import GraphModule
from guardlift.graph.verifier import verify

graph = gl.autograd.graph
MODE = "saved_tensors_hooks_filtering_mode"
PACK, UNPACK = "saved_tensors_hooks_pack_0", "saved_tensors_hooks_unpack_0"


@graph.inlineable
def pack(tensor: gl.Tensor) -> Any:
    return tensor.to(gl.float16), tensor.shape[0]


@graph.inlineable
def unpack(packed: Any) -> gl.Tensor:
    return packed[0].to(gl.float32)


def layer(x: gl.Tensor, w: gl.Tensor) -> gl.Tensor:
    return (x @ w).tanh().sin().sum()


def arguments() -> tuple[gl.Tensor, gl.Tensor]:
    return gl.full((3, 4), 0.5, requires_grad=True), gl.full((4, 2), 0.25, requires_grad=True)


def modules_of(f: Callable[..., Any], pair: Any = None, mode: str = "all", jitted: Any = None) -> list[GraphModule]:
    """The modules that a backend gets for a forward and its backward."""
    found: list[GraphModule] = []

    def backend(module: GraphModule, examples: Any) -> Any:
        found.append(module)
        return module

    with gl.config.patch(**{MODE: mode}), graph.saved_tensors_hooks(*pair) if pair else nullcontext():
        out = gl.jit(f, backend=backend)(*arguments())
    if out.requires_grad:
        out.backward()
    return found


@pytest.mark.spec("S2.10")
def test_the_module_has_the_graphs_of_the_hooks_and_does_not_call_them() -> None:
    forward, backward = modules_of(layer, (pack, unpack))
    for module in (forward, backward):
        packs, unpacks = getattr(module, PACK), getattr(module, UNPACK)
        for each in (packs, unpacks):
            assert isinstance(each, GraphModule)
            verify(each.ir)
            assert not any(node.target in (each, PACK, UNPACK) for node in module.graph.nodes)
        casts = [node.kwargs["dtype"] for node in packs.graph.find_nodes(op="call_function") if "dtype" in node.kwargs]
        assert casts == [gl.float16] * 3
        values = [np.ones(node.meta["shape"], np.float32) for node in packs.graph.find_nodes(op="placeholder")]
        assert [each.shape for each in values] == [(3, 2), (4, 2), (3, 4)]
        packed = packs(*values)
        assert [each.dtype for each in packed] == [np.float16] * 3
        for one, other in zip(unpacks(*packed), values, strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == np.float32


@pytest.mark.spec("S2.10")
def test_other_forms_of_the_module_have_them_too() -> None:
    forward, _ = modules_of(layer, (pack, unpack))
    again = forward.primitives()
    assert getattr(again, PACK).code == getattr(forward, PACK).code
    assert getattr(again, UNPACK).code == getattr(forward, UNPACK).code


def test_they_are_there_where_nothing_is_packed() -> None:
    (forward, _) = modules_of(lambda x, w: (x * 2.0).sum() + (w * 2.0).sum(), (pack, unpack))
    assert getattr(forward, PACK)() == getattr(forward, UNPACK)() == []


def test_without_hooks_and_with_plain_ones_they_are_not_there() -> None:
    for pair in (None, (lambda tensor: tensor, lambda packed: packed)):
        for module in modules_of(layer, pair):
            assert not hasattr(module, PACK) and not hasattr(module, UNPACK)


def test_a_whole_step_has_them_and_so_has_a_context_inside_under_its_number() -> None:
    def step(x: gl.Tensor, w: gl.Tensor) -> gl.Tensor:
        layer(x, w).backward()
        return x.grad

    def inside(x: gl.Tensor, w: gl.Tensor) -> gl.Tensor:
        with graph.saved_tensors_hooks(pack, unpack):
            return layer(x, w)

    (whole,) = modules_of(step, (pack, unpack))
    assert len(getattr(whole, PACK).graph.find_nodes(op="placeholder")) == 3
    forward, _ = modules_of(inside)
    assert not hasattr(forward, PACK)
    assert len(forward.saved_tensors_hooks_pack_1.graph.find_nodes(op="placeholder")) == 3


def test_a_tensor_of_the_users_that_hooks_read_is_an_input_of_theirs() -> None:
    table = gl.full((2,), 3.0)

    @graph.inlineable
    def scaled(tensor: gl.Tensor) -> gl.Tensor:
        return tensor * table.sum()

    @graph.inlineable
    def unscaled(packed: gl.Tensor) -> gl.Tensor:
        return packed / table.sum()

    forward, _ = modules_of(lambda x, w: layer(x, w), (scaled, unscaled), mode="donated")
    packs, unpacks = getattr(forward, PACK), getattr(forward, UNPACK)
    assert sorted(node.meta["shape"] for node in packs.graph.find_nodes(op="placeholder")) == [(2,), (3, 2)]
    verify(packs.ir)
    verify(unpacks.ir)


def test_entries_that_differ_in_nothing_but_hooks_have_modules_of_their_own() -> None:
    found: list[GraphModule] = []

    def backend(module: GraphModule, examples: Any) -> Any:
        found.append(module)
        return module

    jitted = gl.jit(lambda x, w: (x * 2.0).sum() + (w * 2.0).sum(), backend=backend)
    jitted(*arguments())
    with graph.saved_tensors_hooks(pack, unpack):
        jitted(*arguments())
    assert [hasattr(module, PACK) for module in found] == [False, True]
