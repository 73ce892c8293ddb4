"""The results of a custom function's forward, as its caller gets them: results of a step of the tape.

The rules are those of `autograd/function_outputs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ops.activations import ALIAS
from ...breaks import INPLACE_HISTORY, RAISES, TENSOR_FEATURE
from ...values.arrays.array import ArrayValue, Storage
from ...values.arrays.view_steps import Step
from ...values.base import Value
from ...values.tensors.autograd_identity import AutogradIdentity, FunctionView
from ...values.tensors.inference_mode import relies_on_count
from ...values.tensors.tensor import LEAF_WRITTEN, TensorValue, detached

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from .custom_context import ContextValue


class Outputs:
    """The tensors that one call of forward was given and marked, while its results are placed.

    recorded: the results that are differentiable get a recorded node of their own.   older: memory from before it.
    """

    def __init__(
        self, trace: Trace, ctx: ContextValue, given: list[Value], *, recorded: bool, older: Sequence[Storage]
    ) -> None:
        self.trace = trace
        self.recorded = recorded
        self.inputs = [each for each in given if isinstance(each, TensorValue)]
        self.dirty = [each for each in ctx.tensors("dirty_tensors") if isinstance(each, TensorValue)]
        self.constant = ctx.tensors("non_differentiable")
        self.saved = ctx.tensors("to_save")
        self.older = older
        self.attached: list[TensorValue] = []

    def place(self, results: list[Value], *, separate: bool) -> list[Value]:
        """The values that the caller gets. separate: there is a `setup_context`.

        Errors: a break where eager mode raises, or the history of another tensor would change.
        """
        self._check_written(results)
        if self.recorded and separate:
            self._check_saved(results)
        self._count_writes()
        return [self._placed(each) if isinstance(each, TensorValue) else each for each in results]

    def _check_written(self, results: list[Value]) -> None:
        """Sees to it that writes were marked and may be recorded."""
        for x in self.dirty:
            if not _contains(results, x):
                raise RAISES.stop(error="RuntimeError: Some elements marked as dirty were not returned as output.")
            if not _contains(self.inputs, x):
                raise TENSOR_FEATURE.stop(feature="ctx.mark_dirty() with a tensor that is no argument, a warning")
            if not self._differentiable(x):
                continue
            if x.requires_grad and x.root.leaf:
                raise RAISES.stop(error=LEAF_WRITTEN)
            storage = x.array.storage
            if x.array.path or storage.input is not None or any(each is not x.root for each in storage.roots):
                raise INPLACE_HISTORY.stop(name=x.describe())
        for x in self.inputs:
            unmarked = x.root.silently_written and not _contains(self.dirty, x)
            if unmarked:
                raise INPLACE_HISTORY.stop(name=x.describe())
            x.root.silently_written = False

    def _check_saved(self, results: list[Value]) -> None:
        """Errors: a break for an argument that is returned as it is, and saved by `setup_context`."""
        for x in self.saved:
            if isinstance(x, TensorValue) and _contains(results, x) and _contains(self.inputs, x):
                if self._differentiable(x) and not _contains(self.dirty, x):
                    raise RAISES.stop(error="RuntimeError: A input that has been returned as-is is being saved")

    def _count_writes(self) -> None:
        """Moves on the version of what was marked as written."""
        for x in self.dirty:
            storage, counted = x.array.storage, x.root.counter or x.root
            if storage.input is not None and not storage.version:
                raise TENSOR_FEATURE.stop(feature="ctx.mark_dirty() with a tensor that was not written")
            counted.bumps += relies_on_count(self.trace, counted)
            storage.version += 1
            storage.reads.clear()

    def _placed(self, x: TensorValue) -> TensorValue:
        """`x` itself where it can be the result, else another tensor over its memory."""
        is_input = _contains(self.inputs, x)
        written = is_input and _contains(self.dirty, x)
        if not self._differentiable(x):
            if x.requires_grad:
                return detached(x)
            return _another(self.trace, x, x.root) if is_input and not written else x
        if _contains(self.attached, x):
            raise TENSOR_FEATURE.stop(feature="one tensor as two results of a custom autograd.Function")
        self.attached.append(x)
        with self.trace.no_grad():
            value = x.read()
        with self.trace.recording():
            node = self.trace.add(ALIAS, value)
        older = x.requires_grad and (x.root.leaf or x.array.storage in self.older)
        storage = x.array.storage
        others = any(each is not x.root and not each.detached for each in storage.roots)
        fresh = not x.array.path and storage.input is None and not others
        if written or (fresh and not is_input and not older):
            x.begin_history(node)
            return x
        path = _shortened(x.array)
        view = FunctionView(node, path, storage.version)
        root = AutogradIdentity(storage, True, False, counter=x.root.counter or x.root, view=view)
        storage.roots.append(root)
        result = _another(self.trace, x, root)
        result.array = ArrayValue(storage, path, x.array.fake)
        return result

    def _differentiable(self, x: TensorValue) -> bool:
        return self.recorded and x.dtype.is_differentiable and not _contains(self.constant, x)


def _another(trace: Trace, x: TensorValue, root: AutogradIdentity) -> TensorValue:
    """Another tensor over all of the memory that `x` sees."""
    from ....tensor import Tensor

    array = ArrayValue(x.array.storage, x.array.path, x.array.fake)
    return TensorValue(trace, array, root, Tensor)


def _shortened(array: ArrayValue) -> tuple[Step, ...]:
    """The path of a view; none where it sees its memory as that lies there."""
    whole = array.storage.fake
    same = array.fake.shape == whole.shape and array.fake.strides == whole.strides
    return () if same else array.path


def _contains(tensors: list[TensorValue] | list[Value], x: Value) -> bool:
    return any(each is x for each in tensors)
