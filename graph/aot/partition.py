"""Divides forward values into those kept for the backward graph and those computed again there, by a minimum cut.

::

    %0 = matmul(%x, %w)      kept         backward reads %1 and %2. Both are made of %0 alone at little cost, so that
    %1 = tanh(%0)            again        to keep %0 keeps both; %1 would do as well, but only %0 is written to memory
    %2 = multiply(%1, %1)    again        in any case.

Each forward value is an edge as wide as keeping it costs, from what it is made of to what reads it; values that cannot
be computed again are sources, the readers in backward are the sink. What the cut goes through is kept.
Source: the recomputation of AOTAutograd's partitioner, "Min-cut optimal(*) recomputation", PyTorch developer forum,
2022; the cut itself is networkx's.
"""

# Note [Inputs that nothing reads]
# To keep an input and compute again from it is to rely on its not being written until backward, which the program
# itself did not rely on where no derivative reads that input: there eager mode allows the write, and of one that NumPy
# makes nobody knows. So such inputs are kept only where a budget asks for less memory, as a checkpoint would do it.

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from functools import lru_cache

from ...core.config import config
from ...core.records import dataclass
from ...core.sizes import hinted, is_symbolic
from ...core.types import TensorType
from ...ops.activations import ALIAS
from ...ops.movement import EXPAND, PERMUTE, RESHAPE
from ...ops.registry import PLACEHOLDER, Composite, Contraction, Creation, Movement, OpDef, Pointwise, Reduction
from ..builder import GraphBuilder
from ..node import Attrs, Node
from .cut import NEVER, Network, needed
from .decisions import Decision, Question, decided
from .emitter import GraphEmitter

NO_SMALLER = (ALIAS, EXPAND, PERMUTE, RESHAPE)
"""Ops that give the elements of their operand, no fewer of them."""
CHEAP = 32.0
"""Units: additions an element. Up to so many, a pointwise op costs about as much as to write and read its result."""
ROUNDS = 12
"""The most bounds on what may be computed again that are tried to get below a budget."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on one value that backward needs. kept: saved; otherwise it is computed again from what is kept.

    nbytes: of the value.   cost: of computing it, in additions an element; infinite where it is not done.
    """

    node: Node
    kept: bool
    nbytes: int
    cost: float


@dataclass(frozen=True, slots=True)
class Partition:
    """The values to keep, in program order, and how each candidate was decided.

    nbytes: of what is kept, but for memory that is there anyway.
    """

    kept: tuple[Node, ...]
    verdicts: tuple[Verdict, ...]
    nbytes: int

    def table(self, name: Callable[[Node], str]) -> str:
        """A line for each candidate; `name` says what a node is called."""
        rows = [
            f"{name(each.node):24} {each.node.op.name:16} {'kept' if each.kept else 'again':6} {each.nbytes:>14,} bytes"
            f"  cost {each.cost:g}"
            for each in self.verdicts
        ]
        return "\n".join([*rows, f"{self.nbytes:,} bytes kept"])


def partition(
    inputs: Sequence[Node],
    nodes: Sequence[Node],
    read: Collection[Node],
    *,
    materialised: Container[Node] = (),
    static: Container[Node] = (),
    exact: Container[Node] = (),
) -> Partition:
    """The partition of a forward graph of which backward reads `read`: the values to keep, and those to compute again.

    materialised: nodes whose values are in memory anyway, as results are. static: inputs whose memory is there anyway.
    exact: values whose memory may be written before backward has done with it: they are kept as they are, if they are
    read, and but for views nothing is computed from them again.
    `config.activation_memory_budget` says how much of what this keeps by default may be kept; `config.must_save` and
    `config.must_recompute` name ops that are treated so whatever they cost.
    """
    order = {node: k for k, node in enumerate((*inputs, *nodes))}
    free = {node for node in _made_again(inputs, nodes) if node not in exact}
    direct = _kept_directly(read, free)
    budget = config.activation_memory_budget
    forced = bool(config.must_save or config.must_recompute)
    small = sum(map(bytes_of, direct)) < config.partition_from
    if small and budget >= 1.0 and not forced:
        return _decided(direct, order, free, {}, static)
    search = _CutSearch(order, nodes, read, free, direct, _in_memory(nodes, materialised), static, exact)
    return search.partition(decided(search.question(), search.allows, search.decision))


class _CutSearch:
    """The search for the values to keep."""

    def __init__(
        self,
        order: dict[Node, int],
        nodes: Sequence[Node],
        read: Collection[Node],
        free: Container[Node],
        direct: Collection[Node],
        in_memory: Container[Node],
        static: Container[Node],
        exact: Container[Node],
    ) -> None:
        self.order, self.nodes, self.read = order, nodes, read
        self.free, self.in_memory, self.static, self.exact = free, in_memory, static, exact
        self.fixed = _fixed(order, exact, free)
        # See Note [Inputs that nothing reads]; what is to be computed again by name may need them.
        self.barred = (
            set() if config.must_recompute else {node for node in order if node.is_input and node not in direct}
        )

    def question(self) -> Question:
        """The question that the cut is to decide."""

        def numbers(among: Container[Node]) -> tuple[int, ...]:
            return tuple(k for node, k in self.order.items() if node in among)

        flags = map(numbers, (self.read, self.in_memory, self.static, self.exact))
        return Question(tuple(node for node in self.order if node.is_input), tuple(self.nodes), *flags)

    def decision(self) -> Decision:
        """The cut that the settings ask for."""

        def below(bound: float, barred: Container[Node] = ()) -> set[Node]:
            network = Network(self.order, self.free, self.costs(bound), self.in_memory, self.static, barred, bytes_of)
            return network.cut(self.read)

        used = CHEAP
        found = default = below(CHEAP, self.barred)
        limit = config.activation_memory_budget * self.nbytes(default)
        for bound in (CHEAP, *_bounds(self.nodes)):
            if self.nbytes(found) <= limit:
                break
            found, used = below(bound), bound
        if found is not default:
            found = self._filled(found, default, used, limit)
        return Decision(tuple(sorted(map(self.order.__getitem__, found))), used)

    def _filled(self, found: set[Node], default: set[Node], bound: float, limit: float) -> set[Node]:
        """`found` with what would be kept by default besides, the dearest first, as far as the limit lets it be."""
        costs = {node: cost * bytes_of(node) for node, cost in self.costs(bound).items() if cost < NEVER}
        kept, nbytes = set(found), self.nbytes(found)
        more = [node for node in self.nodes if node in default and node not in found and node in costs]
        for node in sorted(more, key=lambda each: (-costs[each], bytes_of(each))):
            if node in self.static or nbytes + bytes_of(node) <= limit:
                kept.add(node)
                nbytes += 0 if node in self.static else bytes_of(node)
        return kept

    def allows(self, decision: Decision) -> bool:
        """Whether backward can be computed from what a decision keeps, without relying on more than a search would."""
        values = list(self.order)
        if list(decision.kept) != sorted({number for number in decision.kept if 0 <= number < len(values)}):
            return False
        kept = {values[number] for number in decision.kept}
        costs = self.costs(decision.bound)
        if any(node in self.free for node in kept):
            return False
        if config.activation_memory_budget >= 1.0 and (decision.bound > CHEAP or kept & self.barred):
            return False
        made = needed(self.read, lambda node: node not in kept) - kept
        return all(node in self.free or costs.get(node, NEVER) < NEVER for node in made)

    def partition(self, decision: Decision) -> Partition:
        """A decision about these values."""
        values = list(self.order)
        kept = [values[number] for number in decision.kept]
        return _decided(kept, self.order, self.free, self.costs(decision.bound), self.static)

    def costs(self, bound: float) -> dict[Node, float]:
        """The cost of computing each node again; `NEVER` where that is above `bound` or not allowed."""
        return {node: NEVER if node in self.fixed else _cost(node, bound) for node in self.nodes}

    def nbytes(self, kept: Iterable[Node]) -> int:
        """The bytes of what is kept, but for memory that is there anyway."""
        return sum(bytes_of(node) for node in kept if node not in self.static)


def _bounds(nodes: Iterable[Node]) -> list[float]:
    """Costs above `CHEAP` of what could be computed again, from low to high; of many, some at equal distances."""
    costs = sorted({cost for node in nodes if CHEAP < (cost := _cost(node, NEVER)) < NEVER})
    step = -(-len(costs) // ROUNDS) if costs else 1
    return costs[::-1][::step][::-1]


def _made_again(inputs: Iterable[Node], nodes: Iterable[Node]) -> set[Node]:
    """The values that backward makes itself in any case: constants, and views.

    Of views all but slices of what is no input: they may be much smaller than what they are cut from.
    """
    views = set(inputs)
    again: set[Node] = set()
    for node in nodes:
        view = (isinstance(node.op.lower, Movement) or node.op is ALIAS) and node.inputs[0] in views
        if view:
            views.add(node)
        if view or isinstance(node.op.lower, Creation) or node.op in NO_SMALLER:
            again.add(node)
    return again


def _fixed(nodes: Iterable[Node], exact: Container[Node], free: Container[Node]) -> set[Node]:
    """The nodes that are not computed again: the values `exact`, and what is computed from them or their views."""
    over: set[Node] = set()
    fixed: set[Node] = set()
    for node in nodes:
        reads = any(each in over for each in node.inputs)
        if node in exact or (reads and node in free):
            over.add(node)
        if node in exact or reads:
            fixed.add(node)
    return fixed


def _kept_directly(read: Iterable[Node], free: Container[Node]) -> set[Node]:
    """The nodes that have to be kept if nothing but what is free is made again."""
    return {node for node in needed(read, free.__contains__) if node not in free}


def _decided(
    kept: Collection[Node],
    order: dict[Node, int],
    free: Container[Node],
    costs: dict[Node, float],
    static: Container[Node],
) -> Partition:
    chosen = sorted(kept, key=order.__getitem__)
    candidates = {*chosen, *(node for node, cost in costs.items() if cost < NEVER and node not in free)}
    verdicts = tuple(
        Verdict(node, node in kept, bytes_of(node), costs.get(node, NEVER))
        for node in sorted(candidates, key=order.__getitem__)
    )
    return Partition(tuple(chosen), verdicts, sum(bytes_of(node) for node in chosen if node not in static))


def bytes_of(node: Node) -> int:
    """The bytes of a value; where sizes are symbolic, of that in the traced call."""
    return _hinted(node.type).nbytes


def _hinted(type: TensorType) -> TensorType:
    return type.with_shape(hinted(type.shape)) if is_symbolic(type.shape) else type


def _work_of(node: Node) -> float | None:
    attrs = tuple((name, hinted(value)) for name, value in node.attrs)
    return _work(node.op, attrs, tuple(_hinted(each.type) for each in node.inputs))


def _in_memory(nodes: Iterable[Node], materialised: Container[Node]) -> set[Node]:
    """Values that no kernel keeps to itself."""
    found = {node for node in nodes if node in materialised}
    for node in nodes:
        if _work_of(node) is None:
            found.add(node)
            found.update(node.inputs)
        elif isinstance(node.op.lower, Contraction):
            found.add(node)
            found.update(node.inputs)
        elif isinstance(node.op.lower, Reduction):
            found.add(node)
    return found


def _cost(node: Node, limit: float) -> float:
    """The cost of computing `node` again, in additions an element of it; `NEVER` above `limit`."""
    if node.op.name in config.must_save:
        return NEVER
    work = _work_of(node)
    if work is None:
        return NEVER
    each = work / max(_hinted(node.type).size, 1)
    return each if each <= limit or node.op.name in config.must_recompute else NEVER


@lru_cache(maxsize=4096)
def _work(op: OpDef, attrs: Attrs, types: tuple[TensorType, ...]) -> float | None:
    """The cost of an op in all, in additions; None where it cannot be run again (regions, calls of NumPy)."""
    lower = op.lower
    if isinstance(lower, Composite):
        emitter = GraphEmitter(GraphBuilder())
        lower.expand(emitter, *(Node(PLACEHOLDER, (), type) for type in types), **dict(attrs))
        parts = [_work(each.op, each.attrs, tuple(of.type for of in each.inputs)) for each in emitter.builder.nodes]
        return None if None in parts else sum(part for part in parts if part is not None)
    if op.may_raise:
        return None
    result = op.meta(*types, **dict(attrs)) if isinstance(lower, (Pointwise, Contraction)) else None
    if isinstance(lower, Pointwise):
        assert result is not None
        return lower.cost * result.size
    if isinstance(lower, (Movement, Creation)):
        return 0.0
    if isinstance(lower, Reduction):
        return 4.0 * types[0].size
    if isinstance(lower, Contraction):
        assert result is not None
        # Dear, however short its sums: it is a kernel of its own.
        return 2.0 * result.size * (types[0].shape[-1] + CHEAP)
    return None
