"""Whole launch plans as plain data, for calls that need no graph any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.errors import NotWritable
from ..call_layout import AccessPath, PathStep
from ..cpu.plan import plan
from .step_codec import check_steps, need, numbers, read_steps, written_steps

_BARE: dict[str, type[plan.FloatInput | plan.IntInput | plan.BoolInput]] = {
    "float": plan.FloatInput,
    "int": plan.IntInput,
    "bool": plan.BoolInput,
}
_BARE_NAMES = {kind: name for name, kind in _BARE.items()}


# -- writing ----------------------------------------------------------------------------------------------------------
def written_plan(
    launch: plan.LaunchPlan, number_of: Callable[[Any], int], write_object: Callable[[Any], Any]
) -> dict[str, Any]:
    """A plan as data. number_of: the number by which a reader finds an object that calls pass.

    write_object: gives the way by which a reader finds one that slots on the way to an array hold.

    Errors: NotWritable.
    """
    if len(launch.constants) or launch.checks:
        raise NotWritable("its plan works on memory of this process")
    steps = written_steps(
        launch.steps, launch.temporaries, launch.arena_nbytes, large=launch.release_gil, moving=launch.moving
    )
    if steps is None:
        raise NotWritable("it calls a function by its address in this process")
    return {
        "inputs": [_written_input(each, number_of, write_object) for each in launch.inputs],
        "outputs": [_written_output(each) for each in launch.outputs],
        "steps": steps,
        "disjoint": [list(each) for each in launch.disjoint],
        "unwrap": launch.unwrap,
        "check_errstate": launch.check_errstate,
    }


def _dtype(dtype: np.dtype[Any]) -> str:
    """The text of a dtype. Errors: NotWritable for one that only a library brings, which NumPy takes for bytes."""
    again = np.dtype(dtype.str)
    if again != dtype or again.num != dtype.num:
        raise NotWritable(f"an array of {dtype}")
    return dtype.str


def _written_input(each: plan.Input, number_of: Callable[[Any], int], write_object: Callable[[Any], Any]) -> list[Any]:
    if type(each) is plan.ArrayInput and not each.static_address and not each.subscribed:
        path = None if each.access_path is None else _written_path(each.access_path, write_object)
        return ["array", _dtype(each.dtype), *map(list, (each.shape, each.strides)), each.writeable, each.written, path]
    if type(each) is plan.NumpyScalarInput:
        return ["scalar", _dtype(each.dtype)]
    if type(each) is plan.ObjectInput:
        return ["object", number_of(each.value)]
    if type(each) in _BARE_NAMES:
        return [_BARE_NAMES[type(each)]]  # type: ignore[index]
    raise NotWritable("its plan works on memory of this process")


def _written_path(path: AccessPath, write_object: Callable[[Any], Any]) -> list[Any]:
    if path.owner:
        raise NotWritable("its plan starts from an object of this process")
    return [
        [
            write_object(step.kind),
            [[slot, write_object(held)] for slot, held in step.same],
            step.slot,
            [[slot, write_object(kind)] for slot, kind in step.unlike],
        ]
        for step in path.links
    ]


def _written_output(each: plan.Output) -> list[Any]:
    if type(each) is plan.FreshOutput:
        return ["fresh", _dtype(each.dtype), list(each.shape), list(each.strides)]
    if type(each) is plan.ScalarOutput:
        return ["scalar", _dtype(each.dtype)]
    if type(each) is plan.ViewOutput:
        return ["view", _dtype(each.dtype), each.base, list(each.shape), list(each.strides), each.offset]
    assert type(each) is plan.InputOutput
    return ["input", each.input]


# -- reading ----------------------------------------------------------------------------------------------------------
def read_plan(data: Any, objects: Sequence[Any], read_object: Callable[[Any], Any]) -> plan.LaunchPlan:
    """The plan in what `written_plan` gave; `objects` are those that calls pass, by number.

    Errors: KeyError, TypeError, ValueError, IndexError for other data; KernelError when a kernel does not compile.
    """
    parts = {"inputs", "outputs", "steps", "disjoint", "unwrap", "check_errstate"}
    need(type(data) is dict and set(data) == parts, "the parts of a plan")
    inputs = tuple(_read_input(each, objects, read_object) for each in data["inputs"])
    outputs = tuple(_read_output(each, inputs, len(data["outputs"])) for each in data["outputs"])
    steps = data["steps"]
    check_steps(steps, len(inputs) + len(outputs))
    need(type(data["unwrap"]) is type(data["check_errstate"]) is bool, "a flag of a plan")
    disjoint = tuple((first, second) for first, second in (numbers(each, 0, len(inputs)) for each in data["disjoint"]))
    return plan.LaunchPlan(
        inputs,
        outputs,
        tuple(map(tuple, steps["temporaries"])),
        steps["arena"],
        (),
        read_steps(steps),
        disjoint,
        data["unwrap"],
        steps["large"],
        check_errstate=data["check_errstate"],
        moving=steps["moving"],
    )


def _read_input(each: list[Any], objects: Sequence[Any], read_object: Callable[[Any], Any]) -> plan.Input:
    kind, *rest = each
    if kind == "array":
        dtype, shape, strides, writeable, written, links = rest
        need(type(writeable) is type(written) is bool and len(shape) == len(strides), "an input")
        path = None if links is None else AccessPath(False, tuple(_read_step(link, read_object) for link in links))
        return plan.ArrayInput(np.dtype(dtype), _sizes(shape), tuple(numbers(strides)), writeable, written, path)
    if kind == "scalar":
        return plan.NumpyScalarInput(np.dtype(rest[0]))
    if kind == "object":
        return plan.ObjectInput(objects[numbers(rest, 0, len(objects))[0]])
    need(kind in _BARE and not rest, "an input")
    return _BARE[kind]()


def _read_step(link: list[Any], read_object: Callable[[Any], Any]) -> PathStep:
    kind, same, slot, unlike = link
    held = tuple((name, read_object(each)) for name, each in same)
    others = tuple((name, read_object(each)) for name, each in unlike)
    step = PathStep(read_object(kind), held, slot, others)
    need(isinstance(step.kind, type) and all(type(name) is str for name in (slot, *(n for n, _ in held))), "a path")
    return step


def _read_output(each: list[Any], inputs: Sequence[plan.Input], count: int) -> plan.Output:
    kind, *rest = each
    if kind == "fresh":
        dtype, shape, strides = rest
        need(len(shape) == len(strides), "an output")
        return plan.FreshOutput(np.dtype(dtype), _sizes(shape), tuple(numbers(strides)))
    if kind == "scalar":
        return plan.ScalarOutput(np.dtype(rest[0]))
    if kind == "view":
        dtype, base, shape, strides, offset = rest
        numbers([base], 0, len(inputs) + count)
        return plan.ViewOutput(base, np.dtype(dtype), _sizes(shape), tuple(numbers(strides)), numbers([offset])[0])
    need(kind == "input", "an output")
    return plan.InputOutput(numbers(rest, 0, len(inputs))[0])


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple(numbers(shape, 0))
