"""The start of a region: what its trace and its frame hold there, so that it can be evaluated once more from there."""

# Note [Evaluating a region once more]
# What a loop's iteration does to its variables is often learned only when the iteration has been evaluated: that a sum
# that starts as 0.0 holds a NumPy scalar behind the first iteration, say. The trace could be made anew with that
# knowledge, and was; a function of many loops was then traced as many times. A region that has changed nothing but its
# own frame's variables and stack is begun anew by itself. Nodes that it has added to the graph are of no use any more,
# and go with all others that nobody uses; guards stay, as facts that were asked for. Whatever else it may have done is
# looked for (see `purity`), and makes the whole trace begin anew.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ..purity import TraceSnapshot

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...regions.builder import Region
    from ...tracing.inputs import Input
    from ...values.base import Value


@dataclass
class RegionStart:
    """The state of a trace and its frame before a region.

    state: what the evaluation must leave as it is.   sizes: what the trace has relied on of symbolic sizes.
    read:  the inputs that are not written.           written: how many array inputs are.
    """

    frame: Frame
    position: int
    line: int
    instructions: int
    variables: dict[str, Value | None]
    stack: list[Value | None]
    state: TraceSnapshot
    sizes: dict[Any, Any]
    read: list[Input]
    written: int

    @classmethod
    def of(cls, frame: Frame) -> RegionStart:
        """The present state of a frame and its trace."""
        trace = frame.trace
        return cls(
            frame, frame.position, frame.line, trace.progress.instructions, dict(frame.variables), list(frame.stack),
            TraceSnapshot.of(trace), dict(trace.facts.sizes.relied),
            [each for each in trace.inputs.entries if not each.writeable], len(trace.inputs.written),
        )  # fmt: skip

    def come_back(self, region: Region) -> bool:
        """Lets the trace and the frame hold what they held; False where nothing but a new trace can."""
        frame, trace = self.frame, self.frame.trace
        met = trace.inputs.storages[len(self.state.storages) :]
        if trace.progress.split_at is not None or trace.iterations or trace.deferred is not None:
            return False
        if trace.facts.sizes.relied != self.sizes or any(each.input is not None for each in met):
            return False
        if frame.handling is not None or frame.keyword_names:
            return False
        for each in self.read:
            each.writeable = False
        trace.inputs.written = trace.inputs.written[: self.written]
        if not self.state.holds(trace):
            return False
        del trace.inputs.storages[len(self.state.storages) :]
        trace.region = None
        trace.progress.instructions = self.instructions
        for iterator, stood in reversed(region.spent):
            iterator.stand(stood)
        frame.position, frame.line, frame.returned = self.position, self.line, None
        frame.variables, frame.stack[:] = dict(self.variables), self.stack
        return True
