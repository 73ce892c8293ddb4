"""Programs of graphs for a device on disk: what is read is what was written, and what does not fit is made anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backend.artifacts.test_store import forged
from backend.graph_cases import layout_for

from guardlift.backend.artifacts import store
from guardlift.backend.artifacts.counters import counters
from guardlift.backend.artifacts.identity import PLAIN
from guardlift.backend.cuda import kept_programs, program_codec
from guardlift.backend.cuda.launch_grid import DeviceLimits
from guardlift.backend.cuda.plan import CudaProgram, plan_of
from guardlift.backend.cuda.products import library_products
from guardlift.backend.cuda.products.launches import Matrices, Product
from guardlift.backend.cuda.products.tensor_tiles import TensorTiling
from guardlift.backend.cuda.products.tiles import LARGE, SMALL
from guardlift.core import dtypes
from guardlift.core.config import config
from guardlift.core.errors import NotWritable
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph, Write
from guardlift.graph.passes import run_passes
from guardlift.ops import OPS
from guardlift.ops.attention import ATTENTION

F32 = dtypes.float32


class Compiling:
    """A device that only plans; its kernels are their texts."""

    tilings = LARGE, SMALL
    tensor_tiling: TensorTiling | None = TensorTiling()
    has_libraries = False

    def __init__(self, **limits: int) -> None:
        self.limits = DeviceLimits(**limits)

    def load_all(self, texts: Any) -> dict[str, str]:
        return {text: text for text in texts}


DEVICE = Compiling()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(kept_programs, "current", lambda: DEVICE)
    with config.patch(cache_dir=str(tmp_path / "cache"), artifact_cache=True):
        yield tmp_path / "cache"


def graph_of(write: Callable[[GraphEmitter, Callable[..., Any]], Any], *, writes: bool = False) -> Graph:
    """A graph on the device. write: gives its results, or pairs of an input and what is written to it."""
    builder = GraphBuilder()

    def given(*shape: int, dtype: dtypes.DType = F32) -> Any:
        return builder.input(TensorType(shape, dtype, "cuda:0"), f"x{len(builder.inputs)}")

    made = write(GraphEmitter(builder, None), given)
    return run_passes(builder.finish([], [Write(*each) for each in made]) if writes else builder.finish(made))


def sums(f: Any, given: Any) -> list[Any]:
    """Long rows and columns, which blocks share, and intermediates."""
    x, w = given(4096, 256), given(256, 8)
    y = f.matmul(f.tanh(x), w)
    return [f.sum(x, axes=(0,)), f.softmax(x, axis=1), y]


def others(f: Any, given: Any) -> list[Any]:
    """Attention, a running sum, tiles in shared memory, and what half floats are."""
    q, k, v = given(6, 40, 16), given(6, 40, 16), given(6, 40, 16)
    attended = f.builder.add(ATTENTION[False, False], q, k, v, causal=True, scale=0.25, rows=16)
    a, b = given(200, 64, dtype=dtypes.float16), given(64, 300, dtype=dtypes.float16)
    product = f.matmul(*(f.cast(each, dtype=F32) for each in (a, b)))
    return [attended, f.cumsum(given(8, 50_000), axis=1), f.permute(f.exp(given(300, 500)), axes=(1, 0)), product]


def table(f: Any, given: Any) -> list[Any]:
    """A step over parameters of several sizes."""
    weights, grads = [given(20, 30), given(30)], [given(20, 30), given(30)]
    moved = f.builder.add(OPS["negative"], f.builder.add(OPS["join"], *grads))
    parts = [f.builder.add(OPS["segment"], moved, start=0, shape=(20, 30))]
    parts.append(f.builder.add(OPS["segment"], moved, start=600, shape=(30,)))
    return list(zip(weights, parts, strict=True))


def compiled(graph: Graph) -> Any:
    arrays = [np.ones(node.shape, node.type.dtype.numpy) for node in graph.inputs]
    layout = layout_for(graph, arrays)
    return kept_programs.compiled_for_device(graph, layout, PLAIN)


def counted(call: Callable[[], Any]) -> dict[str, int]:
    before = counters()["graph"]
    call()
    now = counters()["graph"]
    found = {name: getattr(now, name) - getattr(before, name) for name in ("hit", "miss", "save", "bypass")}
    return {name: count for name, count in found.items() if count}


def planned(graph: Graph) -> Any:
    return plan_of(compiled(graph), DEVICE)  # type: ignore[arg-type]


NEW, FOUND = {"miss": 1, "save": 1}, {"hit": 1}


@pytest.mark.parametrize("write", [sums, others, table], ids=lambda each: each.__name__)
def test_a_program_is_read_as_it_was_written_and_its_graph_is_not_lowered(write: Any) -> None:
    graph = graph_of(write, writes=write is table)
    made = planned(graph)
    found = compiled(graph)
    read = plan_of(found, DEVICE)  # type: ignore[arg-type]
    assert "lowered" not in vars(found.lazy) and "lowered" in vars(made.compiled.lazy)
    assert read.steps == made.steps and len(read.steps) >= 1 and read.kernels == made.kernels
    for name in ("written", "can_fail", "scratch", "tickets", "by_value"):
        assert getattr(read, name) == getattr(made, name), name
    assert found.temporaries == made.compiled.temporaries
    assert found.arena_nbytes == made.compiled.arena_nbytes
    assert "lowered" not in vars(found.lazy)
    assert found.describe() == made.compiled.describe(), "a report lowers the graph"
    data = json.loads(json.dumps(program_codec.written(made.compiled.lazy._found)))
    inputs, operands = len(graph.inputs), len(graph.inputs) + len(graph.outputs)
    assert program_codec.read(data, inputs, operands) == made.compiled.lazy._found


def test_a_program_is_for_one_kind_of_device_and_one_set_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(sums)
    assert counted(lambda: planned(graph)) == NEW and counted(lambda: planned(graph)) == FOUND
    with config.patch(cuda_checks="late"):
        assert counted(lambda: planned(graph)) == NEW
    with config.patch(artifact_cache=False):
        assert counted(lambda: planned(graph)) == {}
    larger = Compiling(row_threads=128, blocks=64)
    other = plan_of(compiled(graph), larger)  # type: ignore[arg-type]
    assert other.steps != planned(graph).steps, "the program on disk is for another device"
    monkeypatch.setattr(kept_programs, "current", lambda: larger)
    assert counted(lambda: plan_of(compiled(graph), larger)) == NEW  # type: ignore[arg-type]
    assert plan_of(compiled(graph), larger).steps == other.steps  # type: ignore[arg-type]
    monkeypatch.setattr(kept_programs, "generator", lambda: b"another source")
    assert counted(lambda: plan_of(compiled(graph), larger)) == NEW  # type: ignore[arg-type]


def first_step(made: Any) -> Any:
    """The first of the steps in a program as data: its kind, name, text, form, operands, numbers, sizes and flag."""
    return made[1][1]


FORGERIES: dict[str, Callable[[Any], Any]] = {
    "a slot that is not there": lambda made: first_step(made)[4][1].__setitem__(1, 99),
    "a slot below all": lambda made: first_step(made)[4][1].__setitem__(1, -2),
    "no text": lambda made: first_step(made).__setitem__(2, 7),
    "a number that is none": lambda made: first_step(made)[5].__setitem__(1, "7"),
    "no threads": lambda made: first_step(made)[6][2].__setitem__(1, 0),
    "too many threads": lambda made: first_step(made)[6][2].__setitem__(slice(1, 3), [1024, 2]),
    "a step of another kind": lambda made: first_step(made).__setitem__(0, "Product"),
    "a field too few": lambda made: first_step(made).pop(),
    "an intermediate beyond the arena": lambda made: made[7][1].__setitem__(1, made[8]),
    "an input that is not there": lambda made: made[2].append(5),
    "a library that is not there": lambda made: made.__setitem__(9, True),
    "no program": lambda made: ["tuple", 1],
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_file_that_is_wrong_is_a_miss_and_is_written_anew(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_codec, "has_library", lambda: False)
    graph = graph_of(sums)
    wanted = planned(graph).steps
    (path,) = folder.glob("*" + store.SUFFIX)
    before = path.read_bytes()
    forged(path, lambda parts, made: FORGERIES[name](made))
    assert path.read_bytes() != before
    assert counted(lambda: planned(graph)) == NEW
    assert planned(graph).steps == wanted


def test_a_product_of_the_library_is_made_anew_and_a_program_without_one_does_not_outlive_its_lack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Librarys(library_products.LibraryProduct):
        def __init__(self, product: Product, adds_row: bool = True) -> None:
            self.product, self.adds_row = product, adds_row

    form = Matrices(F32, 0, 512)
    product = Product(512, 512, 512, 1, form, form, form)
    empty = CudaProgram((), frozenset(), False, 0, False, 0, (), 0, True)
    monkeypatch.setattr(program_codec, "LibraryProduct", Librarys)
    monkeypatch.setattr(program_codec, "library_product", Librarys)
    monkeypatch.setattr(program_codec, "has_library", lambda: True)
    step = program_codec.CudaLibraryStep(Librarys(product), (program_codec.CudaOperand(0, 0),))  # type: ignore[arg-type]
    data = program_codec.written(replace(empty, steps=(step,)))
    (found,) = program_codec.read(data, 1, 1).steps
    assert found.product is not step.product and found.product.product == product  # type: ignore[union-attr]
    assert found.product.adds_row  # type: ignore[union-attr]
    monkeypatch.setattr(program_codec, "library_product", lambda product, adds_row: None)
    for each in (data, program_codec.written(replace(empty, library=False))):
        with pytest.raises(ValueError, match="library"):
            program_codec.read(each, 1, 1)


def test_steps_that_the_host_runs_are_not_kept() -> None:
    class OfTheHost:
        pass

    with pytest.raises(NotWritable, match="OfTheHost, which works on the host"):
        program_codec.written(CudaProgram((OfTheHost(),), frozenset(), False, 0, False, 0, (), 0))  # type: ignore[arg-type]
