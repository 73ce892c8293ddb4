"""Programs as data: what is read is what was written, and numbers that no program has are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from backend.graph_cases import layout_for, sample_graph, strided
from graph.test_bodies import SQUARE, STATE, recurrent_body

from guardlift.backend.artifacts.program_codec import NotWholeError, read, why_not, written
from guardlift.backend.call_layout import CallLayout, InputLayout
from guardlift.backend.compile import compile_graph
from guardlift.backend.compiled_program import CompiledProgram
from guardlift.backend.cpu.compiler import kernels
from guardlift.backend.cpu.compiler.loader import LoadedKernel
from guardlift.backend.cpu.plan.plan import ForeachStep, GemmOperand, GemmStep, KernelStep, LoopBegin, LoopEnd
from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.bodies import add_loop
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph, Node, Write
from guardlift.ops import OPS
from guardlift.ops.call_outs import CALL_OUT
from guardlift.ops.regions import REGION
from guardlift.ops.registry import Composite, Structural

NAMES = sorted(name for name, op in OPS.items() if not isinstance(op.lower, Structural | Composite))


@pytest.fixture(autouse=True)
def no_native_code(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kernels that are only their text: nothing here is run."""
    made: dict[str, LoadedKernel] = {}
    monkeypatch.setattr(kernels, "get_kernel", lambda text: made.setdefault(text, LoadedKernel(1, "kernel", text)))
    monkeypatch.setattr(kernels, "known", made.get)
    yield


def same(one: Any, other: Any) -> bool:
    """Whether two steps are the same in every field."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if type(one) is not type(other):
        return False
    if hasattr(one, "__dataclass_fields__"):
        return all(same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def program_of(graph: Graph, arrays: Any, **layout: Any) -> tuple[CompiledProgram, int]:
    """The program of a graph, and how many inputs and outputs its plans have."""
    compiled = compile_graph(graph, layout_for(graph, arrays, **layout))
    return compiled.lazy.program, len(compiled.layout.inputs) + len(compiled.layout.outputs)


@pytest.mark.parametrize("name", NAMES)
def test_a_program_is_read_as_it_was_written(name: str) -> None:
    op = OPS[name]
    for k, sample in enumerate(op.samples()):
        arrays = [strided(array, k % 4) for array in sample.args]
        program, operands = program_of(sample_graph(op, sample), arrays)
        data = written(program)
        assert data is not None
        assert same(read(json.loads(json.dumps(data)), operands).program(), program)


def step_over_parameters() -> tuple[CompiledProgram, int]:
    """A program with a table, a product, kernels and temporaries."""
    builder = GraphBuilder()
    weights = [builder.input(TensorType(shape, dtypes.float32), f"w{k}") for k, shape in enumerate([(20, 30), (30,)])]
    x = builder.input(TensorType((500, 20), dtypes.float32), "x")
    product = builder.add(OPS["matmul"], x, weights[0])
    made = [builder.add(OPS["exp"], product), builder.add(OPS["sum"], builder.add(OPS["tanh"], product), axes=(0,))]
    joined = builder.add(OPS["join"], *weights)
    moved = builder.add(OPS["negative"], joined)
    parts = [builder.add(OPS["segment"], moved, start=0, shape=(20, 30))]
    parts.append(builder.add(OPS["segment"], moved, start=600, shape=(30,)))
    graph = builder.finish(made, [Write(weight, part) for weight, part in zip(weights, parts, strict=True)])
    arrays = [np.ones(node.shape, np.float32) for node in graph.inputs]
    return program_of(graph, arrays, lifted=(0, 1))


def test_tables_products_and_temporaries_are_read_as_they_were_written() -> None:
    program, operands = step_over_parameters()
    kinds = {type(step).__name__ for step in program.steps}
    assert "ForeachStep" in kinds and len(program.steps) > 2
    data = json.loads(json.dumps(written(program)))
    assert same(read(data, operands).program(), program)


def step_in_loops() -> tuple[CompiledProgram, int]:
    """A program with a loop in a loop, whose rounds have a product."""
    inner = GraphBuilder()
    h, w = inner.input(STATE, "h"), inner.input(SQUARE, "w")
    xs = inner.input(TensorType((5, 3, 4), dtypes.float64), "xs")
    made = add_loop(inner, recurrent_body(), [h, xs, w], trips=5, carried=1, scanned=1, reverse=True)
    body = inner.finish([inner.add(OPS["multiply"], made[0], h), made[1]])
    outer = GraphBuilder()
    operands = [outer.input(node.type, node.name) for node in body.inputs]
    graph = outer.finish(add_loop(outer, body, operands, trips=3, carried=1, scanned=0).values())
    return program_of(graph, [np.ones(node.shape) for node in graph.inputs])


def test_loops_are_read_as_they_were_written() -> None:
    program, operands = step_in_loops()
    kinds = [type(step) for step in program.steps]
    assert kinds.count(LoopBegin) == kinds.count(LoopEnd) == 2 and program.moving
    assert same(read(json.loads(json.dumps(written(program))), operands).program(), program)


def begin(data: dict[str, Any]) -> list[Any]:
    return next(step for step in data["steps"] if step[0] == "begin")  # type: ignore[no-any-return]


def end(data: dict[str, Any]) -> list[Any]:
    return next(step for step in data["steps"] if step[0] == "end")  # type: ignore[no-any-return]


CHANGES_OF_LOOPS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "fewer moving slots": lambda data: data.update(moving=data["moving"] - 1),
    "a number of moving slots that is a flag": lambda data: data.update(moving=True),
    "a counter that does not move": lambda data: begin(data).__setitem__(1, 0),
    "no round": lambda data: begin(data).__setitem__(2, 0),
    "a start of a slot that does not move": lambda data: begin(data)[3][0].__setitem__(0, 0),
    "a start at a slot that is not there": lambda data: begin(data)[3][0].__setitem__(1, 999),
    "a start of two numbers": lambda data: begin(data)[3][0].pop(),
    "a loop that does not end": lambda data: data["steps"].remove(end(data)),
    "a loop that has not begun": lambda data: data["steps"].remove(begin(data)),
    "the end of another loop": lambda data: end(data).__setitem__(1, begin(data)[1]),
    "a move of a slot that does not move": lambda data: end(data)[2][0].__setitem__(0, 0),
    "a turn of two slots": lambda data: end(data)[3][0].pop(),
    "a turn of a slot that is not there": lambda data: end(data)[3][0].__setitem__(0, 999),
}


@pytest.mark.parametrize("name", CHANGES_OF_LOOPS)
def test_loops_that_no_program_has_are_refused(name: str) -> None:
    program, operands = step_in_loops()
    data = json.loads(json.dumps(written(program)))
    CHANGES_OF_LOOPS[name](data)
    with pytest.raises(NotWholeError):
        read(data, operands)


def changed(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    data = json.loads(json.dumps(written(step_over_parameters()[0])))
    change(data)
    return data  # type: ignore[no-any-return]


def kernel(data: dict[str, Any]) -> list[Any]:
    return next(step for step in data["steps"] if step[0] == "kernel")  # type: ignore[no-any-return]


def table(data: dict[str, Any]) -> list[Any]:
    return next(step for step in data["steps"] if step[0] == "table")  # type: ignore[no-any-return]


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a part too few": lambda data: data.pop("arena"),
    "a part too many": lambda data: data.update(more=1),
    "a flag that is a number": lambda data: data.update(large=1),
    "an arena that is a flag": lambda data: data.update(arena=True),
    "a negative arena": lambda data: data.update(arena=-64),
    "a temporary beyond the arena": lambda data: data.update(temporaries=[[0, data["arena"] + 1]]),
    "a temporary of one number": lambda data: data.update(temporaries=[[0]]),
    "a text that is none": lambda data: data.update(texts=[3]),
    "a step of another kind": lambda data: kernel(data).__setitem__(0, "walk"),
    "a step too short": lambda data: kernel(data).pop(),
    "a text that is not there": lambda data: kernel(data).__setitem__(1, 99),
    "a slot that is not there": lambda data: kernel(data)[2][0].__setitem__(0, 99),
    "a slot of text": lambda data: kernel(data)[2][0].__setitem__(0, "0"),
    "a size that is a fraction": lambda data: kernel(data).__setitem__(3, [1.5]),
    "a negative extent": lambda data: kernel(data).__setitem__(4, -1),
    "a number beyond a word": lambda data: kernel(data).__setitem__(4, 2**63),
    "a table of fewer rows": lambda data: table(data)[3].pop(),
    "a table of shorter rows": lambda data: table(data)[4][0].pop(),
    "a table that names no slot": lambda data: table(data)[3][0].__setitem__(0, 99),
}


@pytest.mark.parametrize("name", CHANGES)
def test_numbers_that_no_program_has_are_refused(name: str) -> None:
    operands = step_over_parameters()[1]
    with pytest.raises(NotWholeError):
        read(changed(CHANGES[name]), operands)


@pytest.mark.parametrize("data", [None, [], 3, "x", {}, {"texts": []}])
def test_what_is_no_program_at_all_is_refused(data: Any) -> None:
    with pytest.raises(NotWholeError):
        read(data, 3)


def test_the_data_stays_as_it_was() -> None:
    program, operands = step_over_parameters()
    data = written(program)
    before = copy.deepcopy(data)
    read(data, operands).program()
    assert data == before


def test_what_calls_functions_by_their_address_is_not_written() -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((3,), dtypes.float64), "x")
    sizes: tuple[tuple[Any, ...], ...] = (("shape", 0, 0), ("function", "random_normal", 0))
    region = {"program": (), "written": (), "results": (), "leaves": True}
    plain = builder.add(REGION, x, sizes=sizes[:1], **region)
    assert why_not(Graph((x,), (plain,), ())) == ""
    calling = builder.add(REGION, x, sizes=sizes, **region)
    assert why_not(Graph((x,), (calling,), ())) == "a loop in it calls random_normal"
    assert CALL_OUT.name == "call_out"
    outer = GraphBuilder()
    state = outer.input(TensorType((3,), dtypes.float64), "x")
    add_loop(outer, Graph((x,), (calling,), (calling,)), [state], trips=3, carried=1, scanned=0)
    assert why_not(Graph((state,), tuple(outer.nodes), ())) == "a loop in it calls random_normal"


# What is kept of these, and what the key has in it, is listed by hand: a new field has to be written, read and keyed.
FIELDS: dict[type, str] = {
    CompiledProgram: "steps temporaries arena_nbytes large moving",
    KernelStep: "kernel slots sizes extent parallel_split",
    ForeachStep: "kernel slots offsets extents sizes parallel_split",
    GemmStep: "dtype m n k a b c batch",
    LoopBegin: "counter trip_count starts",
    LoopEnd: "counter moves double_buffers",
    GemmOperand: "slot leading offset transposed batch_stride",
    Graph: "inputs nodes outputs writes",
    Node: "op inputs type attrs name location",
    TensorType: "shape dtype device",
    CallLayout: "inputs outputs disjoint unwrap objects checks subscribed_checks ignores_errstate",
    InputLayout: "kind type strides writeable access_path subscribed static_address value address cell",
}


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_every_field_is_thought_of(kind: Any) -> None:
    assert " ".join(each.name for each in fields(kind)) == FIELDS[kind], (
        "see that backend/artifacts/program_codec.py writes and reads it, or that graph/digest.py and "
        "backend/call_layout.py make it a part of keys, then list it here"
    )


def test_a_step_of_another_kind_is_not_written() -> None:
    program, _ = step_over_parameters()
    assert written(replace(program, steps=(*program.steps, object()))) is None  # type: ignore[arg-type]
