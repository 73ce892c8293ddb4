"""The artifact cache as programs meet it: what is found again on disk, what is not, and why."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend import state_of

hooks_of = gl.autograd.graph.saved_tensors_hooks
inlineable = gl.autograd.graph.inlineable
MODE = "saved_tensors_hooks_filtering_mode"
THRESHOLD = 4


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty cache, and every value asked whether it is kept."""
    with gl.config.patch(cache_dir=str(tmp_path / "cache"), artifact_cache=True):
        yield tmp_path / "cache"


def two_layers(x: gl.Tensor, w: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
    return ((x @ w).tanh() @ v).sin().sum()


def arguments() -> list[gl.Tensor]:
    rng = np.random.default_rng(5)
    return [
        gl.tensor(rng.normal(size=shape), dtype=gl.float32, requires_grad=True) for shape in [(5, 4), (4, 3), (3, 2)]
    ]


def gradients(f: Callable[..., Any], pair: Any = None) -> list[np.ndarray]:
    tensors = arguments()
    with hooks_of(*pair) if pair else nullcontext():
        out = f(*tensors)
    out.backward()
    return [each.grad.numpy() for each in tensors]


class Counting:
    """The growth of the counters of a kind since."""

    def __init__(self, kind: str = "backward") -> None:
        self.kind = kind
        self.before = gl.artifact_counters()[kind]

    @property
    def more(self) -> dict[str, int]:
        now = gl.artifact_counters()[self.kind]
        found = {name: getattr(now, name) - getattr(self.before, name) for name in ("hit", "miss", "save", "bypass")}
        return {name: count for name, count in found.items() if count}


def compiled(f: Callable[..., Any], pair: Any = None, kind: str = "backward") -> dict[str, int]:
    """The counts of a new compile of `f`, which gives no wrong gradients."""
    counting = Counting(kind)
    found = gradients(gl.jit(f), pair)
    for one, other in zip(found, gradients(f, pair), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    return counting.more


NEW, FOUND = {"miss": 1, "save": 1}, {"hit": 1}


def narrowing(user_cache_hash: str | None) -> tuple[Any, Any]:
    """New hooks, of one text, that ask an opaque function."""

    @gl.wrap(user_cache_hash=user_cache_hash)
    def is_narrowed(tensor: gl.Tensor) -> bool:
        return tensor.numel() >= THRESHOLD

    @inlineable
    def pack(tensor: gl.Tensor) -> Any:
        return (tensor.to(gl.float16), True) if is_narrowed(tensor) else (tensor, False)

    @inlineable
    def unpack(packed: Any) -> gl.Tensor:
        return packed[0].to(gl.float32) if packed[1] else packed[0]

    return pack, unpack


def counts_of(run: Callable[[], Any], *kinds: str) -> list[dict[str, int]]:
    """The counts of a run by kind, with no memory of earlier ones."""
    gl.reset()
    counting = [Counting(kind) for kind in kinds]
    run()
    return [each.more for each in counting]


def recurrent(x: gl.Tensor, w: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
    state = x
    for _ in range(12):
        state = (state @ w @ w.t()).tanh()
    return (state @ w @ v).sum()


@pytest.mark.spec("S2.41")
def test_loops_over_tensors_are_found_on_disk() -> None:
    def run() -> None:
        f = gl.jit(recurrent, fullgraph=True)
        for one, other in zip(gradients(f), gradients(recurrent), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)

    assert counts_of(run, "graph", "backward") == [NEW, NEW]
    assert counts_of(run, "graph", "backward") == [FOUND, FOUND]


@pytest.mark.spec("S2.41")
@pytest.mark.parametrize(("function", "cuts"), [(two_layers, 2), (recurrent, 4)])
def test_plans_for_symbolic_sizes_are_found_on_disk_by_the_sizes_they_are_bound_to(function: Any, cuts: int) -> None:
    def run() -> None:
        f = gl.jit(function)
        for rows in (5, 3, 7):
            _, w, v = arguments()
            x = gl.tensor(np.random.default_rng(rows).normal(size=(rows, 4)), dtype=gl.float32, requires_grad=True)
            for call in (f, function):
                found = call(x, w, v)
                found.backward()
            assert np.isfinite(x.grad.numpy()).all()
            np.testing.assert_allclose(found.item(), f(x, w, v).item(), rtol=1e-4, atol=1e-5)
        events = [event.kind for event in gl.explain(f).events]
        assert events == ["compile", "recompile"]

    with gl.config.patch(partition_from=0):
        each = counts_of(run, "graph", "backward", "cut")
        assert each == [{"miss": 3, "save": 3}, {"miss": 3, "save": 3}, {"miss": cuts, "save": cuts}]
        assert counts_of(run, "graph", "backward", "cut") == [{"hit": 3}, {"hit": 3}, {"hit": cuts}]


def test_a_cut_of_symbolic_sizes_is_that_of_the_sizes_of_the_traced_call() -> None:
    def run(*rows: int) -> Callable[[], None]:
        def calls() -> None:
            f = gl.jit(two_layers)
            _, w, v = arguments()
            for each in rows:
                f(gl.ones(each, 4).requires_grad_(), w, v).backward()

        return calls

    with gl.config.patch(partition_from=0):
        assert counts_of(run(5, 3), "cut") == [{"miss": 2, "save": 2}]
        assert counts_of(run(3, 6), "cut") == [{"hit": 1, "miss": 1, "save": 1}]


@pytest.mark.spec("S2.41")
def test_hooks_with_opaque_functions_are_found_by_their_graphs_and_hashes() -> None:
    f = two_layers
    tolerance = {MODE: "all"}
    for counted in ("backward", "graph"):
        sequence = [(None, NEW), ("h", NEW), ("h", FOUND), ("h2", NEW), (None, {"bypass": 1})]
        with gl.config.patch(cache_dir=gl.config.cache_dir + counted, hook_guard="id", **tolerance):
            found = []
            for k, (given, _) in enumerate(sequence):
                counting = Counting(counted)
                gl.reset()
                gradients(gl.jit(f), narrowing(given) if k else None)
                found.append(counting.more)
        assert found == [wanted for _, wanted in sequence]


@pytest.mark.spec("S2.42")
def test_two_pairs_of_the_same_operations_are_two_frames_and_one_artifact() -> None:
    def pair() -> tuple[Any, Any]:
        return inlineable(lambda t: t * 0.5), inlineable(lambda t: t * 2.0)

    other = inlineable(lambda tensor: tensor * 0.5), inlineable(lambda kept: kept * 2.0)
    with gl.config.patch(hook_guard="id"):
        f = gl.jit(two_layers)
        counting = Counting()
        gradients(f, pair())
        assert counting.more == NEW
        gradients(f, pair())
        gradients(f, other)
        events = [event.kind for event in gl.explain(f).events]
    assert len(events) == 3 and set(events) <= {"compile", "recompile", "relink"}
    assert counting.more == {**NEW, "hit": 2}
    assert len(gl.explain(f).entries) == 3


@pytest.mark.spec("S2.40")
def test_an_opaque_function_decides_for_each_value() -> None:
    @gl.wrap
    def is_large(tensor: gl.Tensor) -> bool:
        return tensor.numel() >= 12 and tensor.dtype is gl.float32

    @inlineable
    def pack(tensor: gl.Tensor) -> Any:
        return tensor.to(gl.float16) if is_large(tensor) else tensor

    @inlineable
    def unpack(packed: gl.Tensor) -> gl.Tensor:
        return packed.to(gl.float32)

    with gl.config.patch(**{MODE: "all"}):
        f = gl.jit(two_layers)
        found = gradients(f, (pack, unpack))
        wanted = gradients(two_layers, (pack, unpack))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=1e-4)
    assert gl.explain(f).breaks == ()
    (entry,) = state_of(f).entries
    packings = entry.details["aot"][0].pair.packings
    narrowed = {each.node.shape: each.kept[0].type.dtype is gl.float16 for each in packings}
    assert narrowed == {(5, 4): True, (4, 3): True, (5, 3): True, (3, 2): False, (5, 2): False}


# -- what is a part of the key ----------------------------------------------------------------------------------------
def halving(factor: float) -> tuple[Any, Any]:
    if factor == 0.5:
        return inlineable(lambda t: t * 0.5), inlineable(lambda t: t * 2.0)
    return inlineable(lambda t: t * 0.25), inlineable(lambda t: t * 4.0)


def other_layers(x: gl.Tensor, w: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
    return ((x @ w).exp() @ v).sin().sum()


CHANGES: dict[str, tuple[dict[str, Any], Callable[..., Any], Any, str]] = {
    "graph": ({}, other_layers, None, "the graph differs"),
    "hooks": ({}, two_layers, (0.25,), "the graph differs, the hooks differ"),
    "budget": ({"activation_memory_budget": 0.5}, two_layers, (0.5,), "setting activation_memory_budget: 1.0 -> 0.5"),
    "must_save": ({"must_save": ("tanh",)}, two_layers, (0.5,), "setting must_save: [] -> ['tanh']"),
    "must_recompute": ({"must_recompute": ("exp",)}, two_layers, (0.5,), "setting must_recompute: [] -> ['exp']"),
    "partition_from": ({"partition_from": 1 << 30}, two_layers, (0.5,), "setting partition_from: 1048576 -> "),
    "mode": ({MODE: "no_static"}, two_layers, (0.5,), f"setting {MODE}: 'donated' -> 'no_static'"),
}


@pytest.mark.spec("S2.41")
@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_is_a_miss_that_says_what(name: str) -> None:
    settings, f, pair, reason = CHANGES[name]
    before = None if pair is None else halving(0.5)
    assert compiled(two_layers, before) == NEW
    with gl.config.patch(**settings):
        assert compiled(f, None if pair is None else halving(*pair)) == NEW
        said = [each for each in gl.artifact_misses() if each.kind == "backward"][-1].reason
        assert compiled(f, None if pair is None else halving(*pair)) == FOUND
    assert reason in said
    assert compiled(two_layers, before) == FOUND


def test_other_shapes_are_another_graph() -> None:
    def f(x: gl.Tensor) -> gl.Tensor:
        return x.tanh().sin().sum()

    found = []
    for shape in ((3, 4), (4, 3), (3, 4)):
        gl.reset()
        counting = Counting()
        gl.jit(f)(gl.ones(*shape, requires_grad=True))
        found.append(counting.more)
    assert found == [NEW, NEW, FOUND]


@pytest.mark.spec("S2.41")
def test_a_bypass_names_the_opaque_function_and_the_hash_says_what_it_was() -> None:
    with gl.config.patch(**{MODE: "all"}):
        compiled(two_layers, narrowing("first"))
        compiled(two_layers, narrowing("second"))
        said = [each for each in gl.artifact_misses() if each.kind == "backward"][-1]
        assert "user_cache_hash: [['pack', 'first']] -> [['pack', 'second']]" in said.reason and not said.bypass
        assert compiled(two_layers, narrowing(None)) == {"bypass": 1}
    said = [each for each in gl.artifact_misses() if each.kind == "backward"][-1]
    assert said.bypass and "is_narrowed, which gl.wrap has made opaque without a user_cache_hash" in said.reason


def test_the_users_lines_and_names_are_no_part_of_the_key() -> None:
    def one(x: gl.Tensor, w: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
        return ((x @ w).tanh() @ v).sin().sum()

    def other(rows: gl.Tensor, first: gl.Tensor, second: gl.Tensor) -> gl.Tensor:
        hidden = (rows @ first).tanh()
        return (hidden @ second).sin().sum()

    for kind in ("graph", "backward"):
        with gl.config.patch(cache_dir=gl.config.cache_dir + kind):
            assert compiled(one, kind=kind) == NEW
            assert compiled(other, kind=kind) == FOUND


# -- cuts -------------------------------------------------------------------------------------------------------------
def test_what_a_cut_has_decided_is_found_again_under_any_hooks() -> None:
    with gl.config.patch(partition_from=0):
        assert compiled(two_layers, kind="cut") == NEW
        assert compiled(two_layers, kind="cut") == FOUND
        assert compiled(two_layers, halving(0.5), kind="cut") == FOUND
        with gl.config.patch(activation_memory_budget=0.25):
            assert compiled(two_layers, kind="cut") == NEW
            said = [each for each in gl.artifact_misses() if each.kind == "cut"][-1].reason
            assert said.startswith("setting activation_memory_budget: 1.0 -> 0.25 (beside that of ")
    assert compiled(two_layers, kind="cut") == {}


# -- processes --------------------------------------------------------------------------------------------------------
PROGRAM = """
import sys
import guardlift as gl
from guardlift import nn
from guardlift.backend import lowered as lowering

gl.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
opt = gl.optim.SGD(model.parameters(), lr=0.1)
lowered = []
usual = lowering.lower
lowering.lower = lambda *given: lowered.append(1) or usual(*given)

def step(x):
    opt.zero_grad()
    loss = model(x).sin().sum()
    loss.backward()
    opt.step()
    return loss

x = gl.randn(5, 4)
with gl.config.patch(partition_from=0):
    loss = gl.jit(lambda x: model(x).sin().sum())(x)
    loss.backward()
    total = gl.jit(step)(x)
print(total.item().hex(), len(lowered), "networkx" in sys.modules, "numba" in sys.modules)
counters = gl.artifact_counters()
print(sum(each.hit for each in counters.values()), sum(each.miss for each in counters.values()))
"""


def processes(count: int, folder: Path) -> list[list[str]]:
    """The lines that so many processes print that run at once."""
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(folder), "GUARDLIFT_ARTIFACT_CACHE": "1"}
    command = [sys.executable, "-P", "-c", PROGRAM]
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    return [each.communicate(timeout=300)[0].split() for each in running]


@pytest.mark.slow
def test_another_process_lowers_nothing_and_searches_no_cut(tmp_path: Path) -> None:
    (first,) = processes(1, tmp_path / "cache")
    (later,) = processes(1, tmp_path / "cache")
    assert first[1:] == ["3", "True", "False", "0", "4"]
    assert later == [first[0], "0", "False", "False", "4", "0"]


@pytest.mark.slow
def test_processes_that_run_at_once_over_one_folder_share_what_they_make(tmp_path: Path) -> None:
    """Nobody knows who comes first to which artifact: one of the two made it, or both did."""
    (one, other) = processes(2, tmp_path / "cache")
    (later,) = processes(1, tmp_path / "cache")
    assert one[0] == other[0]
    for hits, misses in (one[4:], other[4:]):
        assert int(hits) + int(misses) == 4
    assert int(one[1]) + int(other[1]) >= 3
    assert int(one[5]) + int(other[5]) >= 4
    assert later == [one[0], "0", "False", "False", "4", "0"]
