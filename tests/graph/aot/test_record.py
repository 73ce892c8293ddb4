"""The stages of ahead-of-time graphs as they are told: in order, under the right titles, with names that agree."""

from __future__ import annotations

import json
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of
from guardlift.graph.aot.record import AotRecord

hooks_of, inlineable = gl.autograd.graph.saved_tensors_hooks, gl.autograd.graph.inlineable
MODE = "saved_tensors_hooks_filtering_mode"


@inlineable
def pack(tensor: gl.Tensor) -> Any:
    return tensor.dtype, tensor.to(gl.float8_e4m3fn), tensor.size(0)


@inlineable
def unpack(packed: Any) -> gl.Tensor:
    dtype, value, _ = packed
    return value.to(dtype)


@inlineable
def same(tensor: gl.Tensor) -> gl.Tensor:
    return tensor


def loss_of(x: gl.Tensor, w: gl.Tensor) -> gl.Tensor:
    return ((x @ w).tanh() @ w).square().mean()


def compiled(pair: Any = (pack, unpack), **settings: Any) -> tuple[AotRecord, Any]:
    """The record of a jitted forward under these hooks, and its compiled forward graph."""
    f = gl.jit(loss_of)
    with gl.config.patch(**settings), hooks_of(*pair):
        f(gl.ones(4, 4, requires_grad=True), gl.ones(4, 4, requires_grad=True)).backward()
    (entry,) = state_of(f).entries
    (found,) = entry.details["aot"]
    return found, entry.details["graph"]


TITLES = [
    "forward graph before saved-tensor hooks are inlined",
    "backward graph before saved-tensor hooks are inlined",
    "pack hook of matmul_1",
    "unpack hook of matmul_1",
    "pack hook of tanh",
    "unpack hook of tanh",
    "forward graph with saved-tensor hooks",
    "backward graph with saved-tensor hooks",
    "forward graph as it is compiled",
    "backward graph as it is compiled",
]


@pytest.mark.spec("S2.50", "S11.01")
def test_every_stage_is_there_once_in_order_and_is_what_its_title_says() -> None:
    found, forward = compiled()
    stages = found.stages(forward)
    assert sorted(each.title for each in stages) == sorted(TITLES)
    assert [each.title for each in stages if "hook of" not in each.title] == [t for t in TITLES if "hook of" not in t]
    texts = {each.title: each.text() for each in stages}
    assert "cast" not in texts[TITLES[0]] and "cast" not in texts[TITLES[1]]
    assert "tangent_0" not in texts[TITLES[0]] and "tangent_0" in texts[TITLES[1]]
    assert texts["pack hook of tanh"].splitlines()[-1] == "  return tanh_hook_1"
    assert "tanh_hook_1: f8e4m3fn[4, 4] [4, 1] cpu" in texts["unpack hook of tanh"]
    assert texts[TITLES[6]].splitlines()[-1].startswith("  return mean, ")
    assert "tanh: f32[4, 4]" in texts[TITLES[1]].split("tangent_0")[0]
    assert "tanh: f32[4, 4]" not in texts[TITLES[7]].split("tangent_0")[0]


@pytest.mark.spec("S2.20", "S2.23", "S2.24", "S2.25", "S11.02")
def test_what_pack_gave_is_called_after_the_value_and_its_place_and_both_graphs_agree() -> None:
    found, _ = compiled()
    told = json.loads(found.as_json())
    packed = {name for name in told["kept"] if "_hook_" in name}
    assert packed == {"tanh_hook_1", "matmul_1_hook_1"}
    assert told["backward inputs"] == [*told["kept"], "tangent_0"]
    backward = next(each["text"] for each in told["dumps"] if each["title"] == TITLES[7])
    casts = [line for line in backward.splitlines() if "cast(tanh_hook_1" in line]
    assert len(casts) == 1  # two nodes read the value, which is unpacked once


@pytest.mark.spec("S2.23", "S2.24")
def test_hooks_that_give_back_what_they_are_given_add_no_node() -> None:
    found, forward = compiled((same, same), **{MODE: "all"})
    stages = {each.title: each for each in found.stages(forward)}
    before, after = stages[TITLES[1]].graph, stages[TITLES[7]].graph
    assert [node.op for node in after.nodes] == [node.op for node in before.nodes]
    assert not any("_hook_" in name for name in found.names().values() if name in json.loads(found.as_json())["kept"])
    assert json.loads(found.as_json())["kept"][:2] == ["x", "w"]


@pytest.mark.spec("S2.51")
def test_the_record_parses_and_tells_what_was_decided() -> None:
    found, forward = compiled()
    told = json.loads(found.as_json(forward))
    assert sorted(each["title"] for each in told["dumps"]) == sorted(TITLES)
    assert told["mode"] == "donated"
    assert sorted(told["packed"]) == ["matmul_1", "tanh"]
    assert told["plain"] == ["x", "w"]
    assert told["peak of backward without hooks"] >= told["peak of backward"] > 0
    assert told["bytes kept without hooks"] - told["bytes kept"] == 2 * 16 * 3
    assert "4 rows" not in told["partition"] and "bytes kept" in told["partition"]


@pytest.mark.spec("S2.50")
def test_a_line_tells_the_users_line_and_what_is_needed_no_longer() -> None:
    found, _ = compiled()
    text = found.stages()[0].text()
    line = next(each for each in text.splitlines() if each.strip().startswith("tanh:"))
    assert line.strip().startswith("tanh: f32[4, 4] [4, 1] cpu = tanh(matmul)  # test_record.py:")
    assert "return ((x @ w).tanh() @ w).square().mean()" in line
    assert line.endswith("last use of matmul")


@pytest.mark.spec("S10.01")
def test_packing_stands_right_behind_its_value_and_unpacking_right_before_its_first_reader() -> None:
    found, forward = compiled()
    names = [node.op.name for node in forward.nodes]
    assert names.index("cast") == names.index("tanh") + 1
    backward = found.pair.backward
    for place, node in enumerate(backward.nodes):
        if node.op.name == "cast":
            readers = [k for k, each in enumerate(backward.nodes) if node in each.inputs]
            assert all(backward.nodes[k].op.name in ("full", "alias", "permute") for k in range(place + 1, readers[0]))


@pytest.mark.usefixtures("log_on_stderr")
def test_the_log_shows_all_of_it(capfd: pytest.CaptureFixture[str]) -> None:
    with gl.config.patch(logs=("aot_graphs",)):
        compiled()
    told = capfd.readouterr().err
    for title in TITLES:
        assert told.count(f"guardlift aot_graphs: {title}\n") == 1
    assert "bytes without hooks" in told


def test_a_layer_without_hooks_has_a_record_too() -> None:
    layer = nn.Linear(3, 3)
    f = gl.jit(lambda x: layer(x).tanh())
    f(gl.ones(2, 3)).sum().backward()
    (entry,) = state_of(f).entries
    (found,) = entry.details["aot"]
    assert found.bytes_kept == found.bytes_without_hooks == 2 * 2 * 3 * 4
    assert len(found.stages(entry.details["graph"])) == 6


def test_explain_says_what_backward_keeps_and_holds() -> None:
    gl.manual_seed(0)
    model = nn.Sequential(*(layer for _ in range(6) for layer in (nn.Linear(8, 8), nn.Tanh())))
    x = gl.randn(32, 8)

    def forward() -> Any:
        return gl.jit(lambda x: model(x).square().mean())

    packed, plain = forward(), forward()
    with hooks_of(pack, unpack):
        packed(x)
    plain(x)
    (found,) = gl.explain(packed).entries[0].backward
    assert found.kept < 0.5 * found.kept_without_hooks and found.peak < 0.7 * found.peak_without_hooks
    assert f"keeps {found.kept:,} bytes ({found.kept_without_hooks:,} without hooks) for backward" in str(
        gl.explain(packed)
    )
    (unpacked,) = gl.explain(plain).entries[0].backward
    assert unpacked.peak == found.peak_without_hooks == unpacked.peak_without_hooks
    assert "without hooks" not in str(gl.explain(plain)) and "for backward, which holds about" in str(gl.explain(plain))
