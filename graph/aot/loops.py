"""The derivative of a loop: a loop that goes the other way, over the gradients of what is carried.

::

    %0 = loop(%h, %xs, %w)      h' = f(h, x, w)         %5 = loop(%dh, %zero, %hs, %xs, %w) backwards
    %1 = loop_result(%0, 0)                      =>         dh', dw' = dh df/dh, dw + dh df/dw
    %2 = loop_result(%0, 1)     all h, saved

What is the same in all iterations has its gradient added up as something carried, or made behind the loop by a product
over all of them (`loop_products`); scanned arrays have theirs given row by row. Of what an iteration computes, `saves`
says which values the forward loop gives for it, a row for each iteration; a loop that does not give them (that of
another derivative) is run once more, and gives them then.
"""

# Note [Order of the sums]
# In eager mode the gradient of a weight is a sum over iterations, the last one first, and within an iteration in the
# order of the backward pass. So each iteration begins with what has been added up as the first cotangent of the
# weight. What comes from behind the loop is added at the end, where eager mode would have begun with it: sums may
# differ in their last bits.

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from ...core.records import dataclass
from ..bodies import add_loop, body_of, count
from ..builder import GraphBuilder
from ..node import Graph, Node
from .emitter import GraphEmitter
from .inner_backward import input_like, made_from, needed
from .loop_products import Product, over_all, products_in
from .partition import partition


@dataclass(frozen=True, slots=True, eq=False)
class LoopTapeStep:
    """A loop as a backward pass sees it: see `custom_nodes.TapeStep`."""

    loop: Node
    outputs: tuple[Node, ...]

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.loop.inputs

    def pulled(
        self, f: GraphEmitter, cotangents: Sequence[Node | None], wanted: Sequence[bool]
    ) -> Sequence[Node | None]:
        """The cotangents of the operands that are wanted, as results of a new loop."""
        indices = [node.attr("index") for node in self.outputs]
        given = {k: each for k, each in zip(indices, cotangents, strict=True) if each is not None}
        if not given:
            return [None] * len(self.inputs)
        return _LoopBackward(self, given, wanted).write(f)  # type: ignore[arg-type]


def saves(body: Graph, carried: int, scanned: int, tracked: Collection[int]) -> tuple[Node, ...]:
    """The values of an iteration that backward needs, and that neither rows nor what is the same in all iterations
    give.

    tracked: the numbers of the inputs of the body through which gradients go, at the beginning.
    """
    backward = _IterationBackward(body, carried, scanned, tracked, range(len(body.outputs)))
    return tuple(node for node in backward.kept() if node not in body.inputs[carried:])


class _IterationBackward:
    """The backward pass through one iteration.

    active:   the numbers of the inputs that a gradient may get to, in any round.
    tangents: of the results with a cotangent, by index, the input of the backward body that stands for it.
    totals:   the same for what has been added up for an input that is the same in all iterations.
    found:    the gradients of inputs.   after: what they are made of.
    """

    def __init__(
        self, body: Graph, carried: int, scanned: int, tracked: Collection[int], given: Collection[int]
    ) -> None:
        from .vjp import gradients

        self.body, self.carried, self.scanned = body, carried, scanned
        self.active = _active_inputs(body, carried, tracked)
        builder = GraphBuilder()
        builder.inputs, builder.nodes = list(body.inputs), list(body.nodes)
        self.f = GraphEmitter(builder)
        self.tangents = {
            index: input_like(node, f"tangent_{index}")
            for index, node in enumerate(body.outputs)
            if node.type.dtype.is_differentiable and (index in self.active if index < carried else index in given)
        }
        first = carried + scanned
        self.totals = {k: input_like(body.inputs[k], f"total_{k}") for k in sorted(self.active) if k >= first}
        # See Note [Order of the sums].
        roots = [(body.inputs[k], total) for k, total in self.totals.items()]
        roots += [(body.outputs[index], tangent) for index, tangent in self.tangents.items()]
        leaves = [body.inputs[k] for k in sorted(self.active)]
        self.found = gradients(self.f, roots, leaves, set(body.nodes))
        self.gradients = {k: self.found[body.inputs[k]] for k in self.active if body.inputs[k] in self.found}
        for k in sorted(self.active):
            if k < carried and k not in self.gradients:
                self.gradients[k] = self.f.constant(0.0, body.inputs[k])
        self.forward = {*body.inputs, *body.nodes}
        self.after = needed(builder.nodes, self.gradients.values(), self.forward)

    def wanted(self) -> set[Node]:
        """The values of the iteration itself that are read."""
        return self.forward.intersection(chain(self.gradients.values(), *(node.inputs for node in self.after)))

    def kept(self) -> tuple[Node, ...]:
        """The values of an iteration that are kept, the rest being computed again."""
        body, same = self.body, self.body.inputs[self.carried + self.scanned :]
        found = partition(body.inputs, body.nodes, self.wanted(), materialised=set(body.outputs), static=set(same))
        return found.kept

    def follows_from(self, kept: Collection[Node]) -> bool:
        """Whether all that is read can be made of what is kept."""
        return all(node in kept or not node.is_input for node in self._below(kept))

    def _below(self, kept: Collection[Node]) -> set[Node]:
        met: set[Node] = set()
        waiting = list(self.wanted())
        while waiting:
            node = waiting.pop()
            if node not in met:
                met.add(node)
                waiting.extend(() if node in kept else node.inputs)
        return met


class _LoopBackward:
    """The loop that goes back over another one."""

    def __init__(self, step: LoopTapeStep, given: Mapping[int, Node], wanted: Sequence[bool]) -> None:
        self.loop, self.given = step.loop, given
        self.body, self.trips = body_of(step.loop), count(step.loop, "trips")
        self.carried, self.scanned = count(step.loop, "carried"), count(step.loop, "scanned")
        tracked = {k for k, needed in enumerate(wanted) if needed and step.inputs[k].type.dtype.is_differentiable}
        self.backward = _IterationBackward(self.body, self.carried, self.scanned, tracked, given.keys())
        results = {node.attr("index"): node for node in step.outputs}
        outputs = self.body.outputs
        self.sources: dict[Node, Node] = {
            outputs[index]: results[index] for index in range(self.carried, len(outputs)) if index in results
        }
        """The arrays that hold a value of each iteration, by that value."""
        self.sources |= dict(zip(self.body.inputs[self.carried :], self.loop.inputs[self.carried :], strict=True))

    def write(self, f: GraphEmitter) -> list[Node | None]:
        """The gradients of the loop's operands."""
        backward, carried, first = self.backward, self.carried, self.carried + self.scanned
        if not backward.follows_from(self.sources.keys()):
            self._recompute(f, backward.kept())
        held = [k for k in sorted(backward.active) if k < carried]
        rows = [k for k in sorted(backward.gradients) if carried <= k < first]
        same = set(self.body.inputs[first:])
        cotangents = [index for index in backward.tangents if index >= carried]
        known = self.sources | {backward.tangents[index]: self.given[index] for index in cotangents}
        later = {k: each for k, each in self._later().items() if same.isdisjoint(chain(*each))}
        totals = {k: each for k, each in backward.totals.items() if k not in later}
        given_rows = [backward.gradients[k] for k in rows]
        factors = [node for node in dict.fromkeys(chain(*chain(*later.values()))) if node not in {*known, *given_rows}]
        results = [backward.gradients[k] for k in (*held, *totals)] + given_rows + factors
        loads, nodes, made = made_from(self.sources.keys(), results)
        # Each input of the new body, with the operand that the new loop has for it.
        passed_on = [(backward.tangents[k], self._start(f, k)) for k in held]
        passed_on += [(total, f.constant(0.0, self.loop.inputs[k])) for k, total in totals.items()]
        by_iteration = [(loads[node], self.sources[node]) for node in loads if node not in same]
        by_iteration += [(backward.tangents[index], self.given[index]) for index in cotangents]
        fixed = [(loads[node], self.sources[node]) for node in loads if node in same]
        entering = [*passed_on, *by_iteration, *fixed]
        got = add_loop(
            f.builder,
            Graph(tuple(each for each, _ in entering), tuple(nodes), tuple(made)),
            [operand for _, operand in entering],
            trips=self.trips,
            carried=len(passed_on),
            scanned=len(by_iteration),
            reverse=not self.loop.attr("reverse"),
            location=self.loop.location,
        )
        found = {k: got[place] for place, k in enumerate((*held, *totals, *rows))}
        known |= {node: got[place] for place, node in enumerate((*given_rows, *factors), len(held) + len(totals))}
        for k, pairs in later.items():
            found[k] = over_all(f, [(known[left], known[right]) for left, right in pairs])
        return [found.get(k) for k in range(len(self.loop.inputs))]

    def _later(self) -> dict[int, list[Product]]:
        """The products of which totals are made behind the loop, by the number of the total's input."""
        backward = self.backward
        found = {k: products_in(backward.gradients[k], total) for k, total in backward.totals.items()}
        return {k: each for k, each in found.items() if each}

    def _start(self, f: GraphEmitter, k: int) -> Node:
        """The gradient of a carried value behind the last iteration."""
        return self.given[k] if k in self.given else f.constant(0.0, self.loop.inputs[k])

    def _recompute(self, f: GraphEmitter, kept: Sequence[Node]) -> None:
        """Lets a second loop like the first one give what is missing of each iteration."""
        missing = [node for node in kept if node not in self.sources]
        outputs = (*self.body.outputs[: self.carried], *missing)
        rerun = add_loop(
            f.builder,
            Graph(self.body.inputs, self.body.nodes, outputs),
            self.loop.inputs,
            trips=self.trips,
            carried=self.carried,
            scanned=self.scanned,
            reverse=bool(self.loop.attr("reverse")),
            location=self.loop.location,
            wanted=range(self.carried, len(outputs)),
        )
        self.sources.update(zip(missing, rerun.values(), strict=True))


def _active_inputs(body: Graph, carried: int, tracked: Collection[int]) -> set[int]:
    """The numbers of the body's inputs that a gradient may get to: also such that become so in a later iteration."""
    from .vjp import passed

    builder = GraphBuilder()
    builder.nodes = list(body.nodes)
    active = {k for k in tracked if body.inputs[k].type.dtype.is_differentiable}
    while True:
        ends = {body.inputs[k] for k in active}
        ways = passed(builder, body.outputs, ends, set(body.nodes)) | ends
        more = {
            k
            for k in range(carried)
            if k not in active and body.outputs[k] in ways and body.inputs[k].type.dtype.is_differentiable
        }
        if not more:
            return active
        active |= more
