"""Attention in graphs for a device: one step for it, one for its gradients, with the meaning of the composites."""

from __future__ import annotations

import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.vjp import gradients
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.passes import run_passes
from guardlift.ops import OPS
from guardlift.ops.attention import ATTENTION
from guardlift.ops.registry import Sample

NAMES = [op.name for op in ATTENTION.values()]


def graph_of(sample: Sample, name: str, device: str) -> Graph:
    """Attention of a sample and its gradients, for a device."""
    builder = GraphBuilder()
    types = [TensorType(each.shape, dtypes.held(each.dtype), device) for each in sample.args]
    nodes = [builder.input(type, f"x{k}") for k, type in enumerate(types)]
    f = GraphEmitter(builder)
    result = f.apply(OPS[name], *nodes, **dict(sample.attrs))
    recorded = frozenset(builder.nodes)
    found = gradients(f, [(result, f.sin(result))], set(nodes[:3]), recorded)
    return run_passes(builder.finish([result, *(found[each] for each in nodes[:3])]), verify=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_for_a_device_has_one_step_for_attention_and_one_for_all_gradients(name: str) -> None:
    for sample in OPS[name].samples():
        wide = sample.args[0].dtype == np.float64
        here, there = (graph_of(sample, name, device) for device in ("cpu", "cuda:0"))
        steps = [node.op.name for node in there.nodes if node.op.name in ("loop", "fused_attention")]
        assert set(steps) == {"loop"} if wide else steps == ["fused_attention"]
        assert sum(node.op.name == "fused_attention_gradients" for node in there.nodes) == (not wide)
        assert not any(node.op.name.startswith("fused") for node in here.nodes)
        for one, other in zip(run_reference(here, sample.args), run_reference(there, sample.args), strict=True):
            np.testing.assert_allclose(other, one, 1e-5, 1e-6)


def test_the_second_result_tells_the_largest_score_and_what_stands_beside_it() -> None:
    q, k = np.array([[[1.0, 0.0]]], np.float32), np.array([[[2.0, 0.0], [4.0, 9.0]]], np.float32)
    builder = GraphBuilder()
    nodes = [builder.input(TensorType(each.shape, dtypes.float32, "cuda:0"), f"x{n}") for n, each in enumerate((q, k))]
    mask = builder.input(TensorType((1, 1, 2), dtypes.bool_, "cuda:0"), "mask")
    attrs = {"scale": 0.5, "causal": False, "masked": True, "dropped": False}
    token = builder.add(OPS["fused_attention"], *nodes, nodes[1], mask, **attrs)
    result = builder.add(OPS["fused_attention_result"], token, index=1, shape=(1, 1, 2), dtype=dtypes.float32)
    graph = builder.finish([result])
    (found,) = run_reference(graph, [q, k, np.array([[[True, True]]])])
    np.testing.assert_allclose(found[0, 0], [2.0, 1 / (1 + np.exp(-1.0))], 1e-6)
    (nothing,) = run_reference(graph, [q, k, np.array([[[False, False]]])])
    assert nothing.tolist() == [[[0.0, 1.0]]]
