"""Groups: what one kernel computes; and the choice of the group that a new root joins.

A *root* is a value that is stored, or reduced. A group's position is its place in the order of execution, so a root may
join any group at or after the last one it depends on. Inside a group values pass in registers, at one index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from ...core.records import dataclass
from ...core.types import TensorType
from ...graph.node import Graph, Node
from ..call_layout import CallLayout
from ..evaluate.buffers import Buffer, BufferView, dense_view
from ..evaluate.expressions import Conflict, Evaluator, KernelValue, Place
from ..evaluate.index_algebra import Affine, Domain, NeedSplit, NotAffine, domain_of, squeezed
from .calls import ScheduledStep
from .reduction_forms import is_shared_out, orientation

if TYPE_CHECKING:
    from ..compile import CompiledGraph
    from .foreach_rows import Segments
    from .loop_nest import Nest

CompileBody = Callable[[Graph, CallLayout], "CompiledGraph"]
"""Compiles the body of a loop or a branch."""

LOOK_BACK = 8
"""Steps, counted from the last, that a new root tries to join."""
MOST_BUFFERS = 24
"""Buffers of one kernel; a wider one is slow."""
MOST_OVERLAP_CHECKS = 120
"""Pairs of buffers, one of them written, in one kernel: LLVM vectorises a loop that needs up to 128 such checks."""
MOST_ROOTS = 32
"""Values that one kernel stores or reduces."""
MOST_ITEMS = 256
"""Lets of one kernel: what Numba compiles in about a third of a second."""


@dataclass(slots=True, eq=False)
class GroupRoot:
    """`value` over all its elements, stored to `targets`; with `combine`, reduced over the domain axes `axes` first.

    `defines`: the node that others may read from a register. `source`: read this memory instead of evaluating `value`.
    `level`: "full" when it has the group's domain, "kept" when it has what the group's reductions leave of it."""

    value: Node
    targets: tuple[BufferView, ...]
    defines: Node | None = None
    source: BufferView | None = None
    combine: str = ""
    axes: tuple[int, ...] = ()
    level: str = "full"
    disjoint: bool = False
    scratch: BufferView | None = None
    """The place of the extremes so far, for an argmax or argmin over columns."""
    needs: list[GroupRoot] = field(default_factory=list)
    """Roots of the same group that it reads from registers."""
    horizon: int = 0
    """The time of its entry: it sees the places that had been given by then, and none of those given later."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape


@dataclass(slots=True, eq=False)
class Group(ScheduledStep):
    """One kernel: kind "map", "row" (reduces over inner loops), "column" (reduces over outer loops) or "scatter".

    `operands` has the base of a scatter."""

    kind: str
    dims: tuple[int, ...]
    axes: tuple[int, ...]
    domain: Domain
    position: int
    roots: list[GroupRoot] = field(default_factory=list)
    reads: set[tuple[Buffer, Affine]] = field(default_factory=set)
    operands: tuple[BufferView, ...] = ()
    scatter: tuple[Node, ...] = ()
    scatter_axis: int = 0
    items: int = 0
    horizon: int = 0
    nest: Nest | None = None
    """The result of `loop_nest.evaluated`, while the group is as it was then."""

    @property
    def kept(self) -> tuple[int, ...]:
        """The domain axes that reductions keep."""
        return tuple(axis for axis in range(len(self.dims)) if axis not in self.axes)

    @property
    def kept_dims(self) -> tuple[int, ...]:
        return tuple(self.dims[axis] for axis in self.kept)

    def loads(self, places: GivenPlaces) -> set[Buffer]:
        """See `ScheduledStep`."""
        from .loop_nest import buffers_read, evaluated

        return buffers_read(evaluated(self, places))


@dataclass(slots=True, eq=False)
class Schedule:
    """The state of scheduling one graph; `steps` is the result, in order of execution."""

    graph: Graph
    layout: CallLayout
    nodes: list[Node]
    """Inputs, then every node that some result needs, in program order."""
    order: dict[Node, int]
    users: dict[Node, list[int]]
    """Positions in the graph of the users of each node; `len(order)` and above stand for the final writes."""
    targets: dict[Node, list[BufferView]]
    aliases: Mapping[Buffer, frozenset[Buffer]]
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer | None, ...]
    forced: frozenset[Node]
    compile_body: CompileBody
    """Compiles the bodies of loops and branches: graphs of their own."""
    places: dict[Node, BufferView] = field(default_factory=dict)
    depth: dict[Node, int] = field(default_factory=dict)
    steps: list[ScheduledStep] = field(default_factory=list)
    temporaries: list[Buffer] = field(default_factory=list)
    written: dict[Buffer, int] = field(default_factory=dict)
    read: dict[Buffer, int] = field(default_factory=dict)
    delivered: set[Node] = field(default_factory=set)
    """Nodes that all their outputs hold."""
    flat: dict[Node, Segments] = field(default_factory=dict)
    """Vectors of segments, not all of them in memory. See Note [Foreach kernels]."""
    sinks: set[Node] = field(default_factory=set)
    """Segments that only go to writes and outputs."""
    read_flat: set[Node] = field(default_factory=set)
    """Flat nodes that are needed as vectors."""
    now: int = 0

    @property
    def groups(self) -> Iterator[Group]:
        """The steps that compute roots."""
        return (step for step in self.steps if isinstance(step, Group))

    def alias(self, first: Buffer, second: Buffer) -> bool:
        """Whether the two may share memory."""
        return first is second or second in self.aliases.get(first, ())


def temporary(schedule: Schedule, type: TensorType, order: tuple[int, ...] | None = None) -> BufferView:
    """A view of a new intermediate, row-major or with the axes in `order`."""
    buffer = Buffer("temporary", len(schedule.temporaries), type.dtype, type.size)
    schedule.temporaries.append(buffer)
    return dense_view(buffer, type.shape, order)


def canonical(group: Group, root: GroupRoot, domain: Domain) -> Place:
    """The index at which a group has the result of one of its roots."""
    if root.combine:
        assert root.defines is not None
        return domain.of_shape(root.defines.shape, group.kept)
    return domain.of_shape(root.shape, group.kept if root.level == "kept" else None)


def evaluate_root(evaluator: Evaluator, root: GroupRoot, place: Place) -> KernelValue:
    """The value of a root; afterwards others of the kernel find it in a register."""
    if root.source is not None:
        return evaluator.load(root.source, place)
    if root.defines is root.value and not root.combine and root.value not in evaluator.places:
        return evaluator.derive(root.value, place)
    return evaluator.value(root.value, place)


def alone(schedule: Schedule, root: GroupRoot) -> tuple[Evaluator, Domain]:
    """A trial evaluation of `root` in a kernel of its own. Values that no index can reach are realised on the way."""
    domain = domain_of(root.shape)
    while True:
        evaluator = Evaluator(schedule.places, nothing_local)
        try:
            evaluate_root(evaluator, root, domain.of_shape(root.shape))
        except NeedSplit as need:
            domain.split(need.var, need.size)
        except NotAffine as found:
            from .schedule import realise_reshape

            assert isinstance(found.node, Node)
            realise_reshape(schedule, found.node)
            domain = domain_of(root.shape)
        else:
            return evaluator, domain


def nothing_local(node: Node, place: Place) -> KernelValue | None:
    """None: for an evaluator that finds no values but those in memory."""
    return None


def add_root(
    schedule: Schedule,
    root: GroupRoot,
    own_group: bool = False,
    by_itself: tuple[Evaluator, Domain] | None = None,
) -> Group | None:
    """The group that computes `root` from now on; None when it has no elements.

    by_itself: what `alone` gave for this root just now, if it was asked.
    """
    if root.value.type.size == 0:
        return None
    evaluator, domain = by_itself or alone(schedule, root)
    if root.defines is root.value and root.value in schedule.places:
        root.defines = None  # a reshape that got a place on the way: this root is a copy of it
    kind = orientation(evaluator, root) if root.combine else "map"
    earliest = earliest_position(schedule, root, evaluator)
    if not own_group:
        for step in reversed(schedule.steps[max(earliest, len(schedule.steps) - LOOK_BACK, 0) :]):
            if isinstance(step, Group) and _join(schedule, step, root, kind):
                return step
    group = Group(kind, squeezed(root.shape), root.axes, domain, len(schedule.steps))
    schedule.steps.append(group)
    commit(schedule, group, root, evaluator)
    return group


def commit(schedule: Schedule, group: Group, root: GroupRoot, evaluator: Evaluator) -> None:
    """Enters `root` in `group`, and notes what it reads and writes."""
    root.horizon = len(schedule.places)
    group.nest = None
    group.roots.append(root)
    group.reads |= evaluator.read
    group.items += len(evaluator.items)
    note(schedule, group.position, [buffer for buffer, _ in evaluator.read], [view.buffer for view in root.targets])


def add_step(schedule: Schedule, step: ScheduledStep, reads: list[Buffer], writes: list[Buffer]) -> None:
    """Append a step that no root joins."""
    note(schedule, len(schedule.steps), reads, writes)
    schedule.steps.append(step)


def note(schedule: Schedule, position: int, reads: list[Buffer], writes: list[Buffer]) -> None:
    """Notes what a step at `position` reads and writes."""
    for buffer in reads:
        schedule.read[buffer] = max(schedule.read.get(buffer, -1), position)
    for buffer in writes:
        schedule.written[buffer] = max(schedule.written.get(buffer, -1), position)


def earliest_position(schedule: Schedule, root: GroupRoot, evaluator: Evaluator) -> int:
    """The first position where all that `root` reads is written, and all that it overwrites has been read."""
    earliest = 0
    for buffer, _ in evaluator.read:
        earliest = max(earliest, schedule.written.get(buffer, 0))
    for view in root.targets:
        for other in (view.buffer, *schedule.aliases.get(view.buffer, ())):
            earliest = max(earliest, schedule.written.get(other, 0), schedule.read.get(other, 0))
    return earliest


def _level(group: Group, root: GroupRoot, kind: str) -> str | None:
    dims = squeezed(root.shape)
    if root.combine:
        if dims != group.dims:
            return None
        if group.kind == "map" or (group.kind == kind and group.axes == root.axes):
            return "full"
        return None
    if dims == group.dims:
        return "full"
    return "kept" if group.axes and dims == group.kept_dims else None


def _join(schedule: Schedule, group: Group, root: GroupRoot, kind: str) -> bool:
    """Whether `root` joined `group`; if not, nothing has changed."""
    if group.kind == "scatter" or len(group.roots) >= MOST_ROOTS:
        return False
    level = _level(group, root, kind)
    if level is None:
        return False
    used: list[GroupRoot] = []
    trial = _trial(schedule, group, root, level, used)
    if trial is None:
        return False
    evaluator, domain = trial
    if not _worth_it(group, root, used, evaluator) or not _in_order(schedule, group, root, evaluator):
        return False
    if root.combine and group.kind == "map":
        group.kind, group.axes = kind, root.axes
    root.level = level
    root.needs = list(dict.fromkeys(used))
    group.domain = domain
    commit(schedule, group, root, evaluator)
    return True


def _worth_it(group: Group, root: GroupRoot, used: list[GroupRoot], evaluator: Evaluator) -> bool:
    written = {view.buffer for each in (*group.roots, root) for view in each.targets}
    here = {buffer for buffer, _ in evaluator.read}
    read = here | {buffer for buffer, _ in group.reads}
    if too_many_buffers(read, written) or group.items + len(evaluator.items) > MOST_ITEMS:
        return False
    if root.combine and group.kind == "map" or root.level == "kept":
        return bool(used)
    return bool(used) or bool({buffer for buffer, _ in group.reads} & here)


def too_many_buffers(read: set[Buffer], written: set[Buffer]) -> bool:
    """Whether a kernel of these buffers would be too wide to be fast."""
    pairs = len(written) * (len(written) - 1) // 2 + len(written) * len(read - written)
    return len(read | written) > MOST_BUFFERS or pairs > MOST_OVERLAP_CHECKS


def _in_order(schedule: Schedule, group: Group, root: GroupRoot, evaluator: Evaluator) -> bool:
    if any(schedule.written.get(buffer, -1) >= group.position for buffer, _ in evaluator.read):
        return False
    for view in root.targets:
        for other in (view.buffer, *schedule.aliases.get(view.buffer, ())):
            touched = max(schedule.read.get(other, -1), schedule.written.get(other, -1))
            if touched > group.position or (touched == group.position and not root.disjoint):
                return False
            if touched == group.position and schedule.read.get(other, -1) == group.position:
                return False
    return True


def _trial(
    schedule: Schedule, group: Group, root: GroupRoot, level: str, used: list[GroupRoot]
) -> tuple[Evaluator, Domain] | None:
    """`root` evaluated inside `group`, over the domain refined for it; None when that cannot be."""
    domain = group.domain.copy()
    made = {each.defines: each for each in group.roots if each.defines is not None}
    late = group.kind == "column" or is_shared_out(schedule, group)
    shape, axes = root.shape, group.kept if level == "kept" else None
    was = len(domain.variables)
    while True:

        def local(node: Node, place: Place, domain: Domain = domain) -> KernelValue | None:
            maker = made.get(node)
            if maker is None:
                return None
            if place != canonical(group, maker, domain) or (maker.combine and level == "full" and late):
                raise Conflict
            if maker.level == "kept" and level == "full" and late:
                raise Conflict
            used.append(maker)
            return KernelValue("local", node.type.dtype, frozenset(var for entry in place for var, _ in entry.terms))

        evaluator = Evaluator(schedule.places, local)
        used.clear()
        try:
            evaluate_root(evaluator, root, domain.of_shape(shape, axes))
            if len(domain.variables) != was and not _still_valid(schedule, group, domain):
                return None
            return evaluator, domain
        except NeedSplit as need:
            domain.split(need.var, need.size)
        except (NotAffine, Conflict):
            return None


def _still_valid(schedule: Schedule, group: Group, domain: Domain) -> bool:
    """Whether the roots that are there already can be evaluated over the refined domain."""
    from .loop_nest import evaluate_group

    try:
        evaluate_group(group, domain.copy(), given_places(schedule))
    except (NotAffine, Conflict, NeedSplit):
        return False
    return True


@dataclass(frozen=True, slots=True)
class GivenPlaces:
    """The places given so far, in order; `before(k)` are the first k."""

    views: Mapping[Node, BufferView]
    ranks: Mapping[Node, int]
    horizon: int

    def __contains__(self, node: Node) -> bool:
        return self.ranks.get(node, self.horizon) < self.horizon

    def __getitem__(self, node: Node) -> BufferView:
        return self.views[node]

    def before(self, horizon: int) -> GivenPlaces:
        return GivenPlaces(self.views, self.ranks, horizon)


def given_places(schedule: Schedule) -> GivenPlaces:
    """All places given so far."""
    ranks = {node: k for k, node in enumerate(schedule.places)}
    return GivenPlaces(schedule.places, ranks, len(ranks))
