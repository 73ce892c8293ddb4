"""Graph modules: a captured graph as other people's backends see it, in the words of PyTorch's FX.

::

    def forward(self, x):                # module.code; module.graph.nodes are
        weight = self.weight             #   placeholder x, get_attr weight,
        matmul = ops.matmul(x, weight)   #   call_function matmul,
        return (matmul,)                 #   output
"""

from __future__ import annotations

import keyword
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import PurePath
from typing import Any

import numpy as np

from ..core.records import dataclass
from ..core.types import contiguous_strides
from ..ops.call_outs import CALL_OUT, CALL_RESULT
from ..ops.conds import COND, COND_RESULT
from ..ops.loops import LOOP, LOOP_RESULT
from ..ops.regions import REGION, REGION_RESULT
from .interpreter import branched, called, looped, region_runner
from .node import Graph, Node
from .passes import run_passes
from .printer import format_attribute, format_type, value_names

Array = np.ndarray[Any, Any]

PLACEHOLDER, GET_ATTR, CALL_FUNCTION, OUTPUT = "placeholder", "get_attr", "call_function", "output"
"""The values that `ModuleNode.op` may have."""


@dataclass(slots=True, eq=False)
class ModuleNode:
    """One node of a graph module. Backends read it; changing it changes nothing.

    op:     placeholder, get_attr, call_function or output.
    name:   an identifier of its own.
    target: the function called: one of guardlift's ops, which has a `name`, `operator.getitem` after a function that
        gives several arrays, or a function without a name of ours (NumPy's, say); else the name of the argument or of
        the attribute, or "output".
    args, kwargs: of the call, with nodes for values. The output's one argument is the tuple of all results.
    users:  the nodes that it is an argument of.
    meta:   `type` (prints as ``f32[2, 3]``), `dtype` (NumPy's), `shape`, `strides` (in elements: of placeholders and
        attributes as they lie in memory, else row-major) and `location` (file, line and function of the user's code, or
        None); of placeholders `kind` as well: array, float, int, bool or numpy_scalar. The output's meta is empty.
    """

    op: str
    name: str
    target: Any
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    users: dict[ModuleNode, None] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return self.name

    @property
    def all_input_nodes(self) -> list[ModuleNode]:
        """The nodes among its arguments, each once."""
        parts = self.args[0] if self.op == OUTPUT else self.args
        return list(dict.fromkeys(each for each in parts if isinstance(each, ModuleNode)))

    def format_node(self) -> str:
        """Its line of the printed graph."""
        if self.op == OUTPUT:
            results = ", ".join(each.name for each in self.args[0])
            return f"return ({results}{',' if len(self.args[0]) == 1 else ''})"
        place = self.meta["location"]
        line = f", {PurePath(place.file).name}:{place.line}" if place is not None else ""
        return f"{self.name} = {self._expression()}  # {format_type(self.meta['type'])}{line}"

    def _expression(self) -> str:
        if self.op == PLACEHOLDER:
            return "placeholder"
        if self.op == GET_ATTR:
            return f"self.{self.target}"
        if self.target is operator.getitem:
            return f"{self.args[0]}[{self.args[1]}]"
        given = [*map(str, self.args), *(f"{key}={format_attribute(value)}" for key, value in self.kwargs.items())]
        return f"{getattr(self.target, 'text', '') or 'ops.' + self.target.name}({', '.join(given)})"


@dataclass(frozen=True, slots=True, eq=False)
class ModuleGraph:
    """The nodes of a module, in an order in which they can be run: arguments and attributes, calls, the output."""

    nodes: tuple[ModuleNode, ...]

    def find_nodes(self, *, op: str, target: Any = None) -> list[ModuleNode]:
        """The nodes with this op and, unless it is None, this target."""
        return [each for each in self.nodes if each.op == op and (target is None or each.target is target)]

    def __iter__(self) -> Iterator[ModuleNode]:
        return iter(self.nodes)

    def __str__(self) -> str:
        return "\n".join(["graph:", *(f"    {each.format_node()}" for each in self.nodes)])


@dataclass(frozen=True, slots=True)
class OpaqueCall:
    """A part of the user's program that is no op of ours, as a function of arrays that gives a tuple of arrays.

    text: what it is called in print.   Errors: ValueError where Python itself has to run the user's call.
    """

    text: str
    run: Callable[[Node, Sequence[Array]], list[Array]]
    node: Node

    @property
    def name(self) -> str:
        """The name of the op that the node applies."""
        return self.node.op.name

    def __call__(self, *operands: Array) -> tuple[Array, ...]:
        return tuple(self.run(self.node, operands))


def _target(node: Node) -> Any:
    if node.op is CALL_OUT:
        return OpaqueCall(str(node.attr("function")), called, node)
    if node.op is REGION:
        return OpaqueCall("region", region_runner(), node)
    if node.op is LOOP:
        return OpaqueCall("loop", looped, node)
    if node.op is COND:
        return OpaqueCall("cond", branched, node)
    return operator.getitem if node.op in (CALL_RESULT, REGION_RESULT, LOOP_RESULT, COND_RESULT) else node.op


def is_token(node: Node) -> bool:
    """Whether a node stands for several arrays, and has no value of its own."""
    return node.op in (CALL_OUT, REGION, LOOP, COND)


class GraphModule:
    """A captured graph: a pure function of arrays, called with one for each placeholder, in their order.

    It gives the list of its results, the graph's outputs first; behind them, for each array that the program writes in
    place, what that holds afterwards (`written` names them). Whoever called the backend copies these over the arrays.
    Tensors whose memory is part of the graph are attributes of the module, reached by get_attr nodes: read them at each
    call, since their values change. A node that nobody uses is there because it may raise.
    What saved-tensor hooks do that are part of the graph is there once more, as modules of their own that nobody calls
    (see `aot.hook_graphs`): whoever makes a key of a module should take them in.

    ir: the graph in guardlift's own form; `results` are those of its outputs and written values that the module gives.
    """

    def __init__(
        self,
        ir: Graph,
        attributes: Mapping[Node, Array] | None = None,
        strides: Mapping[Node, tuple[int, ...]] | None = None,
        kinds: Mapping[Node, str] | None = None,
        parts: Mapping[str, Graph] | None = None,
    ) -> None:
        self.ir = ir
        self._attributes = dict(attributes or {})
        self._layout = dict(strides or {}), dict(kinds or {})
        self.results = tuple(node for node in ir.results if not is_token(node))
        self._parts = dict(parts or {})
        for name, part in self._parts.items():
            setattr(self, name, GraphModule(part))
        self.views = _views(ir, self._attributes, *self._layout, {*RESERVED, *self._parts})
        self.graph = ModuleGraph((*self.views.values(), _output(self.results, self.views)))
        self.written = tuple(self.views[write.target].name for write in ir.writes)
        for node, array in self._attributes.items():
            setattr(self, self.views[node].target, array)
        self._steps, self._places = _steps(self.graph)

    def forward(self, *arrays: Array) -> list[Array]:
        """The results, by NumPy, a node at a time. They may be views of arguments, or share memory.

        Errors: TypeError for another number of arrays; what NumPy raises.
        """
        values: list[Any] = self.operands(arrays)
        with np.errstate(all="ignore"):
            for run, places, constants, kwargs, gives_tuple, last_used in self._steps:
                made = run(*[values[place] for place in places], *constants, **kwargs)
                values.append(made if gives_tuple else np.asarray(made))
                for place in last_used:
                    values[place] = None
        return [values[place] for place in self._places]

    __call__ = forward

    def operands(self, arrays: Sequence[Array]) -> list[Array]:
        """An array for each input of `ir`: those given, and the attributes. Errors: TypeError for another number."""
        if len(arrays) + len(self._attributes) != len(self.ir.inputs):
            raise TypeError(f"the graph takes {len(self.ir.inputs) - len(self._attributes)} arrays, got {len(arrays)}")
        given = iter(arrays)
        return [self._attributes[node] if node in self._attributes else next(given) for node in self.ir.inputs]

    def primitives(self) -> GraphModule:
        """The module of the function after all passes: composite ops expanded, constants folded, equal nodes merged."""
        return GraphModule(run_passes(self.ir), self._attributes, *self._layout, self._parts)

    @property
    def code(self) -> str:
        """The text of `forward`, to be read: `ops` are guardlift's; dtypes, and values like ``inf``, go by name."""
        arguments = "".join(f", {each.name}" for each in self.graph.find_nodes(op=PLACEHOLDER))
        body = "\n".join(f"    {each.format_node()}" for each in self.graph.nodes if each.op != PLACEHOLDER)
        return f"def forward(self{arguments}):\n{body}\n"

    def print_readable(self) -> str:
        """Prints `code`, and gives it."""
        print(self.code)
        return self.code

    def __repr__(self) -> str:
        return f"<GraphModule of {len(self.graph.nodes)} nodes>\n{self.code}"


_OWN = frozenset(
    {"ir", "results", "views", "graph", "written", "_attributes", "_layout", "_parts", "_steps", "_places"}
)
RESERVED = frozenset(dir(GraphModule)) | _OWN | {"self", "ops"}
"""Names that no attribute of a module may have."""


def _views(
    ir: Graph,
    attributes: Mapping[Node, Array],
    strides: Mapping[Node, tuple[int, ...]],
    kinds: Mapping[Node, str],
    taken: set[str],
) -> dict[Node, ModuleNode]:
    printed = value_names(ir)
    views: dict[Node, ModuleNode] = {}
    for node in ir.inputs:
        name = _name(printed[node].removeprefix("%"), taken)
        op = GET_ATTR if node in attributes else PLACEHOLDER
        views[node] = ModuleNode(op, name, name, meta=_meta(node, strides))
        if op == PLACEHOLDER:
            views[node].meta["kind"] = kinds.get(node, "array")
    for node in ir.nodes:
        target, args = _target(node), tuple(views[each] for each in node.inputs)
        kwargs = {} if target is not node.op else node.kwargs
        given = (*args, node.attr("index")) if target is operator.getitem else args
        made = ModuleNode(CALL_FUNCTION, _name(node.op.name, taken), target, given, kwargs, _meta(node, strides))
        for each in made.all_input_nodes:
            each.users[made] = None
        views[node] = made
    return views


def _output(results: Sequence[Node], views: Mapping[Node, ModuleNode]) -> ModuleNode:
    made = ModuleNode(OUTPUT, OUTPUT, OUTPUT, (tuple(views[each] for each in results),))
    for each in made.all_input_nodes:
        each.users[made] = None
    return made


def _name(wanted: str, taken: set[str]) -> str:
    base = f"{wanted}_" if keyword.iskeyword(wanted) else wanted
    name, count = base, 0
    while name in taken:
        count += 1
        name = f"{base}_{count}"
    taken.add(name)
    return name


def _meta(node: Node, strides: Mapping[Node, tuple[int, ...]]) -> dict[str, Any]:
    lies = strides.get(node) or contiguous_strides(node.shape)
    return {
        "type": node.type,
        "dtype": node.type.dtype.numpy,
        "shape": node.shape,
        "strides": lies,
        "location": node.location,
    }


_Step = tuple[Callable[..., Any], list[int], tuple[int, ...], dict[str, Any], bool, list[int]]


def _steps(graph: ModuleGraph) -> tuple[list[_Step], list[int]]:
    """The calls in turn, with values by number, each with those that nobody needs after it; and the results."""
    numbers = {node: number for number, node in enumerate(graph.nodes)}
    last = {used: node for node in graph.nodes for used in node.all_input_nodes}
    steps: list[_Step] = []
    for node in graph.find_nodes(op=CALL_FUNCTION):
        run = getattr(node.target, "eager", node.target)
        places = [numbers[each] for each in node.args if isinstance(each, ModuleNode)]
        done = [numbers[each] for each in node.all_input_nodes if last[each] is node]
        steps.append((run, places, node.args[len(places) :], node.kwargs, isinstance(node.target, OpaqueCall), done))
    return steps, [numbers[each] for each in graph.nodes[-1].args[0]]
