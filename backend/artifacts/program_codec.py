"""Programs of launch plans as plain data: texts of kernels, and numbers."""

from __future__ import annotations

from typing import Any

from ...core.records import dataclass
from ...graph.bodies import body_of
from ...graph.node import Graph
from ...ops.call_outs import CALL_OUT
from ...ops.conds import COND
from ...ops.loops import LOOP
from ...ops.regions import REGION
from ..compiled_program import CompiledProgram
from .step_codec import check_steps, read_steps, written_steps

_SIZES = ("shape", "stride", "value")


class NotWholeError(ValueError):
    """Data that no program was written as."""


def why_not(graph: Graph) -> str:
    """The reason why no other process can use the program of a graph (it holds addresses of this one); else empty."""
    for node in graph.nodes:
        if node.op is LOOP:
            why = why_not(body_of(node))
            if why:
                return why
        if node.op is COND:
            return "it has a branch on the data of a tensor"
        if node.op is CALL_OUT:
            return f"it calls {node.attr('function')}"
        if node.op is REGION:
            sizes = node.attr("sizes")
            assert isinstance(sizes, tuple)
            called = [each[1] for each in sizes if each[0] not in _SIZES]
            if called:
                return f"a loop in it calls {called[0]}"
    return ""


# -- writing ----------------------------------------------------------------------------------------------------------
def written(program: CompiledProgram) -> dict[str, Any] | None:
    """A program as data; None for one with a step that only this process can run."""
    return written_steps(
        program.steps, program.temporaries, program.arena_nbytes, large=program.large, moving=program.moving
    )


# -- reading ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Reading:
    """A program that was read, and whose numbers have been checked; its kernels are not loaded yet."""

    data: dict[str, Any]

    def program(self) -> CompiledProgram:
        """The program. Errors: KernelError when a kernel neither loads nor compiles."""
        data = self.data
        return CompiledProgram(
            read_steps(data), tuple(map(tuple, data["temporaries"])), data["arena"], data["large"], data["moving"]
        )


def read(data: Any, operands: int) -> Reading:
    """The program in what `written` gave for a plan with so many inputs and outputs. Errors: NotWholeError."""
    try:
        check_steps(data, operands)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise NotWholeError(f"{type(error).__name__}: {error}") from error
    return Reading(data)
