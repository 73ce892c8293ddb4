"""The facts that a trace relies on about inference tensors, which are neither saved nor written outside of the mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....autograd.inference import InferenceCounter
from ....autograd.modes import MODES
from ....backend.call_layout import PathStep
from ....core.records import replace
from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Named, WeakSource
from ....guards.tensors import TensorIs
from ...breaks import RAISES, TENSOR_FEATURE
from .input_tensors import is_known_gradient

if TYPE_CHECKING:
    from ...tracing.inputs import Input
    from ...tracing.trace import Trace
    from .autograd_identity import AutogradIdentity

INFERENCE = Named(Attribute(ConstantSource(MODES, "inference mode"), "inference"), "gl.is_inference_mode_enabled()")
NAME = "an inference tensor"
SAVED = "RuntimeError: Inference tensors cannot be saved for backward"
WRITTEN = "RuntimeError: Inplace update to inference tensor outside InferenceMode is not allowed"


def origin(root: AutogradIdentity) -> AutogradIdentity:
    """The root that says whether a tensor is an inference tensor: one from before the call, or one that it makes."""
    root = root.counter or root
    while root.like is not None:
        root = root.like.counter or root.like
    return root


def is_inference(root: AutogradIdentity) -> bool:
    """Whether it is one. Of a tensor from before the call nothing is relied on."""
    known = origin(root)
    return bool(known.real._counter.inference) if known.real is not None else known.inference


def refuse_saving(trace: Trace, root: AutogradIdentity) -> None:
    """Relies on a tensor, which is saved for backward, being no inference tensor. Errors: a break where it is one."""
    if is_inference(root):
        raise RAISES.stop(error=SAVED)
    rely_on_plain(trace, root)


def rely_on_plain(trace: Trace, root: AutogradIdentity) -> None:
    """Relies on a tensor being no inference tensor, which it is not now."""
    known = origin(root)
    source = known.source
    if known.real is None or known.relied_on or source is None or isinstance(source, WeakSource):
        return  # of a tensor known by identity that never changes
    known.relied_on = True
    entry = known.storage.input
    own = [each for each in trace.facts.guards if isinstance(each, TensorIs) and each.source == source]
    if entry is not None and entry.passed == source and entry.access_path is not None and len(own) == 1:
        _ask_on_the_way(trace, entry, own[0])
        return
    place = Named(Attribute(Attribute(source, "_counter"), "inference"), f"{source}.is_inference()")
    trace.guard(Is, place, expected=False)


def _ask_on_the_way(trace: Trace, entry: Input, guard: TensorIs) -> None:
    """Has the plan look at the kind of the counter on its way to the array."""
    assert entry.access_path is not None and guard.checked_by != "owner"
    *before, last = entry.access_path.links
    asked: PathStep = replace(last, unlike=(("_counter", InferenceCounter),))
    entry.access_path = replace(entry.access_path, links=(*before, asked))
    told = replace(guard, unlike=(("_counter", InferenceCounter, NAME),))
    trace.facts.guards = {(told if each is guard else each): None for each in trace.facts.guards}


def relies_on_count(trace: Trace, root: AutogradIdentity) -> bool:
    """Whether a write to a tensor is counted, which the call relies on.

    A gradient of a leaf known by identity is not asked: there may be thousands.
    Errors: a break for an inference tensor outside of inference mode.
    """
    known = origin(root)
    if known.real is not None and trace.deferred is not None and trace.deferred.leaves_to_call(known):
        return True
    inference = is_inference(root)
    if inference and not trace.tape.inference:
        raise RAISES.stop(error=WRITTEN)
    if inference and trace.deferred is not None:
        raise TENSOR_FEATURE.stop(feature="a write to an inference tensor in a backward() outside of the call")
    if known.source is None or not is_known_gradient(known.source):
        rely_on_kind(trace, root)
    if inference:
        rely_on_mode(trace)
    return not inference


def rely_on_kind(trace: Trace, root: AutogradIdentity) -> None:
    """Relies on a tensor being an inference tensor, or none, as it is."""
    known = origin(root)
    if known.real is not None and known.source is not None and not isinstance(known.source, WeakSource):
        place = Named(Attribute(Attribute(known.source, "_counter"), "inference"), f"{known.source}.is_inference()")
        trace.guard(Is, place, expected=is_inference(root))


def rely_on_mode(trace: Trace) -> None:
    """Relies on inference mode being on or off around the call, as it is."""
    trace.guard(Is, INFERENCE, expected=trace.tape.initial_inference)
