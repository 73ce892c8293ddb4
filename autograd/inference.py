"""Inference mode: nothing is recorded, and the tensors made in it can never become part of a graph."""

# Note [What makes an inference tensor]
# Its version counter, which has no count: outside of inference mode whoever asks it for one gets an error. So a write
# and saving for backward, which both ask, refuse such a tensor without a test of their own, and views share the
# property as they share the counter. What makes the counters of fresh tensors is exchanged while some thread is in
# inference mode, so nobody else pays.

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from ..tensor.tensor import Array, Tensor, count_with
from ..tensor.version import UncountedError, VersionCounter
from .modes import MODES, ModeContext

_LOCK = threading.RLock()
_threads = 0
"""The number of threads in inference mode."""


class InferenceCounter(VersionCounter):
    """Stands where the version counter of a tensor is, and counts nothing."""

    inference = True

    @property
    def value(self) -> int:  # type: ignore[override]
        """0 in inference mode, where it is asked for before a write. Errors: UncountedError outside of it."""
        if not MODES.inference:
            raise UncountedError(
                "Inplace update to inference tensor outside InferenceMode is not allowed: the tensor was made under "
                "gl.inference_mode(), so nothing can tell that it is written. Write to a clone() of it, or write "
                "inside gl.inference_mode()"
            )
        return 0

    @value.setter
    def value(self, new: int) -> None:
        """Nothing: writes are not counted."""

    def fresh(self) -> VersionCounter:
        """Another one."""
        return InferenceCounter()

    def __repr__(self) -> str:
        return "InferenceCounter()"


def _counter_for_this_thread() -> VersionCounter:
    return InferenceCounter() if MODES.inference else VersionCounter()


def made_in(array: Array, inference: bool, requires_grad: bool, count: int) -> Tensor:
    """A leaf over `array` as it is made in inference mode or outside of it, after `count` writes that were counted."""
    tensor = Tensor._wrap(array)
    tensor._counter, tensor._requires_grad = InferenceCounter() if inference else VersionCounter(), requires_grad
    tensor._counter.value = count
    return tensor


def put_modes(inference: bool, grad_enabled: bool) -> None:
    """Sets inference mode, and what `is_grad_enabled()` says, in this thread from now on."""
    _switch(inference, grad_enabled and not inference, grad_enabled and inference)


@contextmanager
def under_modes(inference: bool, grad_enabled: bool) -> Iterator[None]:
    """A context with these modes, as `put_modes` sets them; at its end those of before are there again."""
    before = MODES.inference, MODES.grad_enabled, MODES.asked
    put_modes(inference, grad_enabled)
    try:
        yield
    finally:
        _switch(*before)


def is_inference(input: Tensor) -> bool:
    """Whether a tensor was made in inference mode, or is a view of one that was."""
    return input._counter.inference


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode."""
    return MODES.inference


def _switch(inference: bool, grad_enabled: bool, asked: bool) -> None:
    """Sets the three modes of this thread."""
    global _threads
    if inference is not MODES.inference:
        with _LOCK:
            _threads += 1 if inference else -1
            MODES.inference = inference
            count_with(_counter_for_this_thread if _threads else VersionCounter)
    MODES.grad_enabled, MODES.asked = grad_enabled, asked


class inference_mode(ModeContext):  # noqa: N801
    """A context, or a decorator, in which nothing is recorded and fresh tensors are inference tensors.

    Such a tensor has no version, and outside it is neither written nor saved for backward. With `mode` False the
    context turns inference mode off, and grad mode on.
    """

    __slots__ = ("before", "mode")

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> Any:
        """The context, or the decorated function."""
        context = super().__new__(cls)
        if not callable(mode):
            return context
        context.__init__()  # type: ignore[misc]
        return context(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = bool(mode)
        self.before: list[tuple[bool, bool, bool]] = []

    def __enter__(self) -> None:
        self.before.append((MODES.inference, MODES.grad_enabled, MODES.asked))
        _switch(self.mode, not self.mode, False)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _switch(*self.before.pop())

    def clone(self) -> inference_mode:
        """Another one of the same mode."""
        return inference_mode(self.mode)  # type: ignore[no-any-return]
