"""The lines of a kernel in the making: which loops are spread over the grid, and where the threads of a team wait."""

from __future__ import annotations

from dataclasses import field

from ...core.records import dataclass
from ...loop_ir.ir import Kernel
from ...loop_ir.source_text import Lines
from .launch_grid import LaunchGrid

THREAD_AXES = (
    ("cuda.grid(1)", "cuda.gridsize(1)"),
    ("cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y", "cuda.gridDim.y * cuda.blockDim.y"),
    ("cuda.blockIdx.z", "cuda.gridDim.z"),
)
"""First index and step of a loop whose iterations threads share out, along x, y and z."""
TEAM_AXES = (
    ("cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y", "cuda.gridDim.x * cuda.blockDim.y"),
    ("cuda.blockIdx.y", "cuda.gridDim.y"),
    ("cuda.blockIdx.z", "cuda.gridDim.z"),
)
"""First index and step of a loop where a team does one iteration, along x, y and z. A team's threads lie along x."""
ROWS_AXES = (
    ("cuda.blockIdx.x * cuda.blockDim.x", "cuda.gridDim.x * cuda.blockDim.x"),
    ("cuda.blockIdx.y", "cuda.gridDim.y"),
    ("cuda.blockIdx.z", "cuda.gridDim.z"),
)
"""First index and step of a loop over columns, along x, y and z.

Along x, these are the first column of a block, and the step to the next block of columns."""


def _in_parts(axes: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The axes of a grid in which `count` blocks that follow one another along x have a part each."""
    (first, step), *rest = axes
    x, width = "cuda.blockIdx.x", "cuda.gridDim.x"
    return (first.replace(x, f"{x} // count"), step.replace(width, f"{width} // count")), *rest


@dataclass(frozen=True, slots=True)
class Team:
    """The threads that make one result, as far as the text of a kernel depends on them.

    axes:          first index and step of the loops that are spread over the grid.
    shares:        whether they share out an inner loop, and merge their parts.
    wait:          the line at which they wait for each other.
    across_warps:  whether they are of several warps, so that parts go through shared memory.
    by_parts:      whether several blocks share its work, and the last of them merges their parts.
    """

    axes: tuple[tuple[str, str], ...] = TEAM_AXES
    shares: bool = True
    wait: str = "cuda.syncthreads()"
    across_warps: bool = True
    by_parts: bool = False


TEAMS = {
    "thread": Team(THREAD_AXES, shares=False),
    "rows": Team(ROWS_AXES, shares=False),
    "warp": Team(wait="join_warp()", across_warps=False),
    "block": Team(),
    "grid": Team((("cuda.blockIdx.x // count", "cuda.gridDim.x // count"), *TEAM_AXES[1:]), by_parts=True),
    "owners": Team(THREAD_AXES, shares=False),
    "tiles": Team(THREAD_AXES, shares=False),
    "row parts": Team(_in_parts(ROWS_AXES), shares=False, by_parts=True),
}
"""Every team of a `LaunchGrid`, by name."""


@dataclass(slots=True, kw_only=True)
class KernelWriter(Lines):
    """The lines so far, and what those to come depend on. `shared` are the lines that declare shared memory."""

    kernel: Kernel
    launch_grid: LaunchGrid
    shared: list[str] = field(default_factory=list)
    axis: int = 0
    """Loops still to be spread over the grid; the last of them takes x."""
    in_inner_loop: bool = False
    """Whether each thread of a team now does iterations of its own."""
    in_row: bool = False
    """Whether the statements of a row are written that a team keeps in registers."""
    read: bool = False
    """Whether a team has read memory since its last barrier."""
    wrote: bool = False

    @property
    def team(self) -> Team:
        return TEAMS[self.launch_grid.team]

    def index(self, value: str) -> str:
        """An index over the grid, of 32 bits where those do.

        They may wrap around for all that a compiler knows, so none divides to learn how often a loop goes round."""
        return value if self.launch_grid.far else f"int32({value})"

    @property
    def in_team(self) -> bool:
        return self.team.shares and not self.in_inner_loop


def before(writer: KernelWriter, reads: bool = False, writes: bool = False) -> None:
    """A barrier of the team where what comes next would race with what came before."""
    if not writer.in_team:
        return
    if writer.wrote or (writer.read and writes):
        barrier(writer)
    writer.read, writer.wrote = writer.read or reads, writer.wrote or writes


def barrier(writer: KernelWriter) -> None:
    """Lets the threads of a team wait for each other."""
    writer.put(writer.team.wait)
    writer.read = writer.wrote = False


def store_result(writer: KernelWriter, line: str) -> None:
    """A store of a row's result, made by one thread of the team."""
    if not writer.in_team:
        writer.put(line)
        return
    if writer.read:
        barrier(writer)
    writer.wrote = True
    writer.put_all(["if lane == 0:", f"    {line}"])
