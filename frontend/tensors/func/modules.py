"""Calls of modules with other tensors in place of their own, while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....func.modules import called_with, replaced_places
from ...breaks import RAISES, TENSOR_FEATURE
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.dicts import DictValue
from ...values.containers.sequences import TupleValue
from ...values.tensors.tensor import TensorValue
from ...values.tensors.watched_modules import LayerValue, ModulePut, put_key
from ..surface.module_tree import layers_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(called_with)
def trace_called_with(
    trace: Trace, module: Value, given: Value, args: Value, kwargs: Value, tie_weights: Value, strict: Value
) -> Value:
    """The call, during which the attributes of the module are those that are given."""
    if not (isinstance(module, LayerValue) and isinstance(given, DictValue)):
        raise TENSOR_FEATURE.stop(feature="functional_call of something else than a module")
    if not (isinstance(args, TupleValue) and isinstance(kwargs, DictValue)):
        raise TENSOR_FEATURE.stop(feature="functional_call with arguments that are no tuple and dict")
    layers = {id(each.value): each for each in layers_of(trace, module)}
    places = replaced_places(
        module.value, _natively(given), bool(tie_weights.constant(trace)), bool(strict.constant(trace))
    )
    pending, before = trace.effects.pending, dict(trace.effects.pending)
    for (owner, _, name), value in places:
        key = id(owner), put_key(name)
        if key in pending:
            raise TENSOR_FEATURE.stop(feature=f"functional_call of a module whose {name} the call has set")
        put = Constant(None) if value is None else value
        pending[key] = ModulePut(layers[id(owner)].source, name, put, lent=True)
    try:
        return module.call(trace, args.items, dict(kwargs.items))
    finally:
        for (owner, _, name), _ in places:
            pending.pop((id(owner), put_key(name)), None)
        assert pending.keys() >= before.keys()


def _natively(given: DictValue) -> dict[str, TensorValue | None]:
    found: dict[str, TensorValue | None] = {}
    for name, value in given.items.items():
        if type(name) is not str or not (isinstance(value, TensorValue) or _is_none(value)):
            raise RAISES.stop(error=f"TypeError: {name!r} is not given a Tensor")
        found[name] = value if isinstance(value, TensorValue) else None
    return found


def _is_none(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None
