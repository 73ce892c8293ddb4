"""The Tensor: a thin record over a NumPy array, with what autograd and the compiler need to know beside it.

What it can do lives in the modules of the surface (`arithmetic`, `reductions`, `shaping`, ...), whose functions are its
methods.
"""

# Note [Storage and views]
# `_array` is the host's view of the elements, of a tensor on a device too (see `core/devices/arrays.py`). `_storage` is
# the array that owns the memory, one object for a tensor and all its views, which is how two tensors are known to share
# memory. A view made while grad mode was on also keeps `_base`, the tensor at the root, and `_path`, the movement ops
# that lead from the base to it, as (op, attrs, the path before it): a write through the view has to become part of the
# base's history, and a write elsewhere part of the view's. `_seen` is the version at which the view's `_node` was
# right. A view made under `no_grad` has a `_base` and no `_path`; what `detach` and `.data` give has neither.

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import dtypes
from ..core.devices import HOST, Device
from ..core.dtypes import DType
from ..core.fresh_objects import WAITING, FreshForm
from ..core.watch import Watchers
from ..core.watched_slots import changing_tensor, set_grad
from . import tape
from .version import UncountedError, VersionCounter

if TYPE_CHECKING:
    from .operator_types import Operators as _Operators
else:
    _Operators = object

Array = np.ndarray[Any, Any]
_new = object.__new__
new_counter: Callable[[], VersionCounter] = VersionCounter
"""Makes the counter of a fresh tensor; see `count_with`."""
_follow: Callable[[Callable[[], VersionCounter]], None] | None = None
"""Told of what makes counters, once native code makes tensors."""
DTYPES = {each.numpy: each for each in (*dtypes.ALL, *dtypes.NARROW, *dtypes.COMPLEX)}
"""By NumPy's dtype: that of the tensors over such arrays, found with no call in between."""
FLOAT_KINDS = "fV"
"""NumPy's kinds of the floats that tensors hold: bfloat16 and one float8 are raw bytes to it."""
DIFFERENTIABLE_KINDS = FLOAT_KINDS + "c"
"""NumPy's kinds of the elements that have gradients."""


class Tensor(_Operators):
    """An n-dimensional array that remembers how it was computed, as PyTorch's does."""

    __slots__ = (
        "__weakref__",
        "_accumulator",
        "_array",
        "_base",
        "_counter",
        "_grad",
        "_hooks",
        "_marked",
        "_node",
        "_output_nr",
        "_path",
        "_requires_grad",
        "_seen",
        "_storage",
        "_watchers",
    )

    _array: Array
    _storage: Array
    _requires_grad: bool
    _node: Any
    _output_nr: int
    _grad: Tensor | None
    _base: Tensor | None
    _path: tuple[Any, ...] | None
    _seen: int
    _counter: VersionCounter
    _hooks: Any
    _accumulator: Any
    _watchers: Watchers | None
    _marked: bool
    """Whether a change of it is counted: it is, or was, a gradient that somebody reads (see `core.watched_slots`)."""

    __hash__ = object.__hash__

    def __init__(self, *arguments: Any, data: Any = None, device: Any = None) -> None:
        from .constructors import constructed  # which makes tensors

        _become(self, constructed("Tensor", None, arguments, data, device))

    @staticmethod
    def _wrap(array: Array, counter: VersionCounter | None = None) -> Tensor:
        """A fresh tensor that owns `array`, which nobody else writes to, unless it shares their `counter`."""
        self = _new(Tensor)
        self._array = self._storage = array
        self._requires_grad = self._marked = False
        self._output_nr = self._seen = 0
        self._counter = new_counter() if counter is None else counter
        self._node = self._grad = self._base = self._path = self._hooks = self._accumulator = self._watchers = None
        return self

    def _alias(self) -> Tensor:
        """A tensor over the same memory and version counter, with no history: what `detach` gives."""
        alias = Tensor._wrap(self._array, self._counter)
        alias._storage = self._storage
        return alias

    # What it is.

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of its axes."""
        return self._array.shape

    @property
    def ndim(self) -> int:
        """Number of its axes."""
        return self._array.ndim

    @property
    def dtype(self) -> DType:
        """Its element type."""
        return DTYPES[self._array.dtype]

    @property
    def device(self) -> Device:
        """The device on which its elements lie."""
        return HOST if type(self._array) is np.ndarray else self._array.device  # type: ignore[return-value]

    @property
    def data(self) -> Tensor:
        """A tensor over the same memory, without history and with a version counter of its own.

        Writes through it go unnoticed.
        """
        alias = self._alias()
        alias._counter = self._counter.fresh()
        return alias

    @data.setter
    def data(self, new: Any) -> None:
        if not isinstance(new, Tensor):
            raise TypeError(f"Tensor.data takes a Tensor, got {type(new).__name__}")
        if self._requires_grad and new._array.dtype.kind not in DIFFERENTIABLE_KINDS:
            raise RuntimeError(
                f"data set to a tensor that requires gradients must be floating point or complex, got {new.dtype}"
            )
        with changing_tensor(self, "data", "its .data was replaced"):
            self._array = new._array
            self._storage = new._storage

    # What autograd knows of it. `guardlift.autograd` adds the methods that need the tape (see `autograd.methods`).

    @property
    def requires_grad(self) -> bool:
        """Whether operations on it are recorded."""
        return self._requires_grad or (self._path is not None and self._base._requires_grad)  # type: ignore[union-attr]

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    @property
    def is_leaf(self) -> bool:
        """Whether it was not computed from something that requires grad."""
        return self.grad_fn is None

    @property
    def grad_fn(self) -> Any:
        """The node that computes the gradients of what it was computed from; None for a leaf."""
        return self._node if self._path is None else tape.tape.current_node(self)

    @property
    def output_nr(self) -> int:
        """The number of this result among those of its `grad_fn`."""
        return self._output_nr

    @property
    def _version(self) -> int:
        """The number of in-place operations that its memory has seen; views and what `detach` gives share the count.

        Errors: RuntimeError for an inference tensor.
        """
        if self._counter.inference:
            raise RuntimeError("Inference tensors do not track version counter: this one was made in inference mode")
        return self._counter.value

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward passes have accumulated in it."""
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None and not _is_plain_grad(self, value):
            _check_grad(self, value)
        set_grad(self, value)

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Itself, with operations on it recorded from now on, or no longer.

        Errors: RuntimeError for a tensor that is not a leaf, and for one of integers or bools.
        """
        if requires_grad and self._array.dtype.kind not in DIFFERENTIABLE_KINDS:
            raise RuntimeError(
                f"only Tensors of floating point and complex dtype can require gradients, this one is {self.dtype}"
            )
        if not requires_grad and not self.is_leaf:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        if self._requires_grad != requires_grad and self.is_leaf:
            if requires_grad:
                self._check_may_require_grad()
            with changing_tensor(self, "requires_grad", f"requires_grad was set to {requires_grad}"):
                self._requires_grad = requires_grad
        return self

    def _check_may_require_grad(self) -> None:
        try:
            self._counter.value  # noqa: B018
        except UncountedError:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed: it was made "
                "under gl.inference_mode(); let a clone() of it require grad"
            ) from None

    def detach(self) -> Tensor:
        """A tensor over the same memory, with the same version counter, without history."""
        return self._alias()


def count_with(make: Callable[[], VersionCounter]) -> None:
    """From now on `make` makes the counters of fresh tensors."""
    global new_counter
    new_counter = make
    if _follow is not None:
        _follow(make)


def _make_natively(wrap: Callable[..., Tensor], follow: Callable[[Callable[[], VersionCounter]], None]) -> None:
    global _follow
    _follow = follow
    follow(new_counter)
    Tensor._wrap = wrap  # type: ignore[method-assign]


WAITING.append(
    FreshForm(Tensor, lambda: Tensor._wrap(np.zeros(())), ("_array", "_storage"), "_counter", _make_natively)
)


def _fill_slots(self: Tensor, array: Array) -> None:
    """Makes `self`, an object of a subclass that exists already, a tensor over `array`, as `Tensor._wrap` makes one."""
    _become(self, Tensor._wrap(array))


def _become(self: Tensor, fresh: Tensor) -> None:
    """Makes an object without slots yet what another tensor is, which nobody has seen."""
    for slot in Tensor.__slots__:
        if slot != "__weakref__":
            setattr(self, slot, getattr(fresh, slot))


def _is_plain_grad(owner: Tensor, value: Any) -> bool:
    """Whether a gradient surely passes `_check_grad`."""
    if type(value) is not Tensor or value is owner:
        return False
    array, own = value._array, owner._array
    return array.dtype is own.dtype and array.shape == own.shape and type(array) is type(own)


def _check_grad(owner: Tensor, value: Any) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is owner:
        raise RuntimeError("can't assign Variable as its own grad")
    if value.dtype is not owner.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype {value.dtype} to a tensor with dtype {owner.dtype}; "
            "convert it with .to() first"
        )
    if value.device != owner.device:
        raise RuntimeError(f"attempting to assign a gradient on {value.device} to a tensor on {owner.device}")
    if value.shape != owner.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size {list(value.shape)} to a tensor of size {list(owner.shape)}. "
            "Please ensure that the gradient and the tensor are the same size"
        )
