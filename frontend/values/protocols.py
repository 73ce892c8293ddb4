"""Each protocol by which a room of the frontend asks the rooms above it, and the function or table that implements it.

Imports in `frontend/` run one way, from the top of its order of rooms to the bottom. A value still has to answer
`array[key]`, and what that means is said in `numpy/`, above values. Such calls go through this table: an entry finds
what implements it when it is first used. No other import that points up is hidden in a function; a test holds the
folder against that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ...graph.node import Node
    from ..breaks import Unwinding
    from ..regions.numbers.ranges import IterationSpace
    from ..tracing.rules import Rule
    from .base import Value
    from .numbers.computed import ComputedNumber
    from .numbers.input_scalar import InputNumber

_FRONTEND = __name__.removesuffix(".values.protocols")

R = TypeVar("R")


class Above(Generic[R]):
    """A function or table that a module above defines under a name: ``Above("numpy.indexing", "get_item")``."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name
        self._found: Any = None

    def load(self) -> Any:
        """The function or the table itself; its module is imported when it is first asked for."""
        if self._found is None:
            self._found = getattr(import_module(f"{_FRONTEND}.{self.module}"), self.name)
        return self._found

    def __call__(self, *args: Any, **kwargs: Any) -> R:
        made: R = self.load()(*args, **kwargs)
        return made


# Python's meanings.
truth: Above[bool] = Above("python.operators", "truth")
equal: Above[bool] = Above("python.operators", "equal")
identical: Above[bool] = Above("python.operators", "identical")
compare: Above[Value] = Above("python.operators", "compare")
unary_by_dunder: Above[Value] = Above("python.dunder_operators", "operate_unary")
operate_by_dunder: Above[Value] = Above("python.dunder_operators", "operate")
compare_by_dunder: Above[Value] = Above("python.dunder_operators", "compare")
is_declined: Above[bool] = Above("python.dunder_operators", "is_declined")
is_or_equals_by_dunder: Above[bool] = Above("python.dunder_operators", "is_or_equals")
is_or_equals: Above[bool] = Above("python.container_operators", "is_or_equals")
as_index: Above[int] = Above("python.conversions", "as_index")
as_hash: Above[Value] = Above("python.conversions", "as_hash")
as_text: Above[Value] = Above("python.conversions", "as_text")
construct: Above[Value] = Above("python.object_construction", "construct")
call_native: Above[Value] = Above("python.builtin_subclass_methods", "call_native")
resolve_call_error: Above[Unwinding] = Above("python.builtin_errors", "resolve_call_error")
resolve_method_error: Above[Unwinding] = Above("python.builtin_errors", "resolve_method_error")
iterator_method: Above[Value] = Above("python.iteration", "IteratorMethod")
SEQUENCE_METHODS: Above[Any] = Above("python.sequence_methods", "METHODS")

# NumPy's meanings.
get_array_item: Above[Value] = Above("numpy.indexing", "get_item")
set_array_item: Above[None] = Above("numpy.indexing", "set_item")
assigned_value: Above[Node] = Above("numpy.indexing", "assigned")
where: Above[Value] = Above("numpy.selection", "where")
set_shape: Above[bool] = Above("numpy.views", "set_shape")
array_attribute: Above[Value] = Above("numpy.methods", "attribute")
outside_number: Above[InputNumber | None] = Above("numpy.outside_numbers", "outside_number")
host_number: Above[ComputedNumber] = Above("numpy.methods", "host_number")
array_operator: Above[Value] = Above("numpy.ufuncs", "array_operator")
array_unary: Above[Value] = Above("numpy.ufuncs", "array_unary")
array_sum: Above[Value] = Above("numpy.reductions", "sum")
call_ufunc: Above[Value] = Above("numpy.ufuncs", "call_ufunc")
ufunc_operand: Above[Value] = Above("numpy.ufuncs", "as_operand")
ufunc_operand_node: Above[Node] = Above("numpy.ufuncs", "operand_node")
kernel_dtype: Above[Any] = Above("numpy.ufuncs", "supported")
power_of_elements: Above[Any] = Above("numpy.powers", "power_of_elements")
UFUNC_OPERATORS: Above[Any] = Above("numpy.ufuncs", "OPERATORS")
is_wider_number: Above[bool] = Above("numpy.creation", "is_wider_number")
called_method: Above[Rule | None] = Above("numpy.callouts.names", "method")
find_called: Above[Rule | None] = Above("numpy.callouts.names", "find_called")
RANDOM_METHODS: Above[Any] = Above("numpy.random", "METHODS")
PYTHON_RANDOM_METHODS: Above[Any] = Above("python.stdlib.random_rules", "METHODS")
draw_before_plan: Above[Value] = Above("numpy.callouts.before_plan", "drawn_before_plan")
LEGACY_RANDOM_METHODS: Above[Any] = Above("numpy.legacy_random", "METHODS")

# PyTorch's meanings.
get_tensor_item: Above[Value] = Above("tensors.surface.functions", "get_item")
set_tensor_item: Above[None] = Above("tensors.surface.functions", "set_item")
tensor_operator: Above[Value] = Above("tensors.surface.functions", "operator")
tensor_unary: Above[Value] = Above("tensors.surface.functions", "unary")
tensor_attribute: Above[Value] = Above("tensors.surface.attributes", "attribute")
set_tensor_attribute: Above[None] = Above("tensors.surface.attributes", "set_attribute")
tensor_item: Above[Value] = Above("tensors.surface.attributes", "item")
space_over_parts_of: Above[IterationSpace | None] = Above("tensors.surface.parts", "space_over")
check_unobserved: Above[None] = Above("tensors.surface.dispatch", "check_unobserved")
sparse_attribute: Above[Value] = Above("tensors.surface.sparse_methods", "attribute")
init_group: Above[Value] = Above("tensors.optim.init_group", "InitGroup")
OWN_INITS: Above[Any] = Above("tensors.optim.init_group", "OWN_INITS")

# Regions and control flow.
computed_unary: Above[Value] = Above("regions.standalone", "operate_unary")
computed_operator: Above[Value | None] = Above("regions.standalone", "operate")
computed_comparison: Above[Value | None] = Above("regions.standalone", "compare")
power_of_numbers: Above[Value] = Above("regions.numbers.powers", "power")
region_array_attribute: Above[Value] = Above("regions.arrays.functions", "attribute")
region_rule_of: Above[Rule | None] = Above("regions.arrays.functions", "rule_of")
picked_from: Above[Value | None] = Above("regions.arrays.tables", "picked_from")
call_in_region: Above[Value] = Above("regions.arrays.functions", "call")
may_be_native: Above[bool] = Above("control_flow.elements.enter", "may_be_native")
may_be_loop_node: Above[bool] = Above("control_flow.elements.enter", "may_be_loop_node")

# Calls, and entry code.
inline: Above[Value] = Above("interpreter.inline", "inline")
rebuild_function: Above[str] = Above("codegen.functions", "rebuild_function")
rebuild_method: Above[str] = Above("codegen.functions", "rebuild_method")
rebuild_generator: Above[str] = Above("codegen.generators", "rebuilt")
call_site: Above[Any] = Above("dispatch.jitted_callees", "CallSite")
