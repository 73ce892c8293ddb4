"""`compiled_memory()`: how much memory compiled code takes, by function, and what it keeps for results."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..core.events import plural
from ..core.records import dataclass
from ..core.user_line import line_text

if TYPE_CHECKING:
    from ..frontend.dispatch.state import FunctionState


@dataclass(frozen=True, slots=True)
class FunctionMemory:
    """The memory that one jitted function takes. Units: bytes.

    entries: those that calls may fit.   plans: tables of plans, and the memory that they keep between calls for
    intermediates.   code: bytecode, and the text of guards.   graphs: what is kept for reports and for entries to come;
    the records of nodes, without what several have in common.
    """

    name: str
    file: str
    line: int
    entries: int
    plans: int
    code: int
    graphs: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.plans + self.code + self.graphs

    def __str__(self) -> str:
        counted = plural(self.entries, "entry", "entries")
        parts = f"{counted}; plans {self.plans}, code {self.code}, graphs {self.graphs}"
        return f"{self.total:>10}  {self.name}  {line_text(self.file, self.line)}: {parts}"


@dataclass(frozen=True, slots=True)
class CompiledMemory:
    """The memory that all jitted functions which are alive take, the largest first. Units: bytes.

    kernels: native code, which functions share and which stays until the process ends.
    results: memory of large results that have died, kept for those to come: at most `gl.config.large_result_cache`.
    results_reused: large results that got such memory, of `results_made` in all since the process began.
    Memory of the user's tensors and arrays, which plans may keep alive, is not in it.
    """

    functions: tuple[FunctionMemory, ...]
    kernels: int
    results: int = 0
    results_reused: int = 0
    results_made: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        return self.kernels + self.results + sum(each.total for each in self.functions)

    def __str__(self) -> str:
        reused = f"{self.results_reused} of {plural(self.results_made, 'large result')} got such memory"
        lines = [
            f"{self.total:>10}  bytes in all",
            f"{self.kernels:>10}  kernels",
            f"{self.results:>10}  kept for large results; {reused}",
            *map(str, self.functions),
        ]
        return "\n".join(lines)


def compiled_memory() -> CompiledMemory:
    """The memory that compiled code takes now, by function (see `CompiledMemory`). ``gl.reset()`` frees it.

    Native code apart; what is shared by several functions is counted with each.
    """
    from ..backend.cpu.compiler import kernels
    from ..backend.cpu.plan.result_memory import result_memory
    from ..frontend.dispatch.registry import live_states

    found = [_of(state) for state in live_states()]
    results = result_memory()
    return CompiledMemory(
        tuple(sorted(found, key=lambda each: each.total, reverse=True)),
        kernels.loaded_bytes(),
        results.kept,
        results.reused,
        results.reused + results.new,
    )


def memory_summary() -> str:
    """`compiled_memory()` as text, one row for each kind of memory and each function. Units: bytes."""
    return str(compiled_memory())


def _of(state: FunctionState) -> FunctionMemory:
    from ..frontend.dispatch.memory_budget import code_bytes, graph_bytes, plan_bytes

    with state.lock:
        entries = list(state.entries)
        artifacts = list(state.artifacts)
        assert state.function is not None
        code = sys.getsizeof(state.function.__code__) + sum(map(code_bytes, entries))
        plans = sum(plan_bytes(state, entry) for entry in entries)
    graphs = {id(graph): graph for each in artifacts for graph in (each.traced, each.graph)}
    for entry in entries:
        graphs |= {id(graph): graph for graph in (entry.details.get("traced"), entry.details.get("graph")) if graph}
    return FunctionMemory(
        state.original.__qualname__,
        *state.place,
        sum(not entry.plain and not entry.stale for entry in entries),
        plans,
        code,
        sum(map(graph_bytes, graphs.values())),
    )


def reset() -> None:
    """Drop what was compiled for every function: entries, history and artifacts. Calls compile anew.

    What is kept for large results is freed. Kernels stay: native code is never unloaded, so they are found again and
    not loaded twice.
    """
    from ..backend.cpu.plan.result_memory import free_result_memory
    from .testing import forget

    forget()
    free_result_memory()
