"""Checkpoints: what a function saves for backward is not kept, but computed again when backward asks for it."""

# Note [How a checkpoint works]
# Its forward runs under a pair of saved-tensor hooks: pack gives a placeholder, unpack looks up what a second run of
# the function saved in the same place. The second run happens when the first placeholder is unpacked in a backward
# pass; what it saves is kept with that pass, each tensor until it is unpacked. Arguments are saved as an
# operation saves them: under the hooks around the checkpoint, and with a check that nobody wrote to them. So a
# checkpoint within another one keeps nothing either: its arguments are placeholders of the outer one.

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from ..core.records import dataclass
from ..tensor.autocast import AUTOCAST, put_autocast
from ..tensor.random import get_rng_state, set_rng_state
from ..tensor.tensor import Tensor
from ..tensor.version import VersionCounter
from .engine import GraphTask, current_task
from .error_notes import modified
from .hook_contexts import saved_tensors_hooks
from .modes import MODES, enable_grad
from .node import Gradients, Node
from .saved import SavedTensor

Contexts = Callable[[], tuple[AbstractContextManager[Any], AbstractContextManager[Any]]]


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function did not save what the first one saved."""


class _Enough(BaseException):  # noqa: N818  (no error: it ends a run early, past `except Exception` of the user's)
    def __init__(self, run: _Run) -> None:
        self.run = run


class _AskingGradients(Node):
    """Stands for the node that asks for a saved argument, which never becomes its history."""

    __slots__ = ()

    def apply(self, gradients: Gradients) -> Gradients:
        """Errors: AssertionError, always."""
        raise AssertionError("it is no part of a graph")


_ASKING = _AskingGradients(())


def no_contexts() -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    """Two contexts that do nothing."""
    return nullcontext(), nullcontext()


@dataclass(frozen=True, slots=True)
class _Facts:
    """Facts about a tensor that was saved in the first run: enough to tell whether the second one agrees."""

    shape: tuple[int, ...]
    dtype: Any
    device: str
    counter: VersionCounter
    version: int

    @staticmethod
    def of(tensor: Tensor) -> _Facts:
        return _Facts(tensor.shape, tensor.dtype, tensor.device, tensor._counter, tensor._counter.value)

    def differs(self, other: _Facts) -> bool:
        """Whether a tensor of the second run cannot be the one of the first."""
        if (self.shape, self.dtype, self.device) != (other.shape, other.dtype, other.device):
            return True
        return self.counter is other.counter and self.version != other.version

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)} on {self.device} at version {self.version}"


@dataclass(frozen=True, slots=True)
class _Found:
    """A tensor that the second run saved, and its version then."""

    saved: Tensor
    version: int

    def tensor(self) -> Tensor:
        """The tensor. Errors: RuntimeError if it has been written since."""
        if self.saved._counter.value != self.version:
            origin = ", which was saved in a checkpointed function,"
            raise RuntimeError(f"{modified(self.saved, self.version, origin)} Clone it there before it is written")
        return self.saved


class _Placeholder:
    """The placeholder that is kept instead of a saved tensor: its number among those that the function saves."""

    __slots__ = ("__weakref__", "frame", "number")

    def __init__(self, frame: _Frame, number: int) -> None:
        self.frame = frame
        self.number = number


class _Frame:
    """One call of a checkpointed function, and how to run it again."""

    def __init__(self, again: Callable[[], None], early_stop: bool, checked: bool) -> None:
        self.again = again
        self.early_stop = early_stop
        self.checked = checked
        self.places: list[weakref.ref[_Placeholder]] = []
        self.facts: list[_Facts] = []
        self.complete = False
        """Whether the first run has come to its end."""
        self.found: weakref.WeakKeyDictionary[GraphTask, dict[int, _Found]] = weakref.WeakKeyDictionary()
        """By backward pass: what the second run saved and nobody has asked for yet."""

    def pack(self, tensor: Tensor) -> _Placeholder:
        """The placeholder that is kept for a tensor that the first run saves."""
        place = _Placeholder(self, len(self.places))
        self.places.append(weakref.ref(place))
        self.facts.append(_Facts.of(tensor))
        return place

    def take(self, number: int) -> Tensor:
        """The tensor that the function saves as number `number`, computed again unless this backward pass has it."""
        task = current_task()
        if task is None:
            return _Run(self, {number}).found[number].tensor()
        found = self.found.get(task)
        if found is None:
            wanted = {each for each, place in enumerate(self.places) if place() is not None}
            found = self.found[task] = _Run(self, wanted).found
        elif number not in found:
            found.update(_Run(self, {number}).found)
        return found.pop(number).tensor()


def _unpack(place: _Placeholder) -> Tensor:
    return place.frame.take(place.number)


class _Run:
    """A second run of the function, which collects those of the tensors it saves that are `wanted`, by number."""

    def __init__(self, frame: _Frame, wanted: set[int]) -> None:
        self.frame = frame
        self.found: dict[int, _Found] = {}
        self._wanted = wanted
        self._last = max(wanted)
        self._count = 0
        try:
            with saved_tensors_hooks(self._collect, _as_it_is), enable_grad():
                frame.again()
        except _Enough as enough:
            if enough.run is not self:
                raise
        self._check()

    def _collect(self, tensor: Tensor) -> Tensor:
        number, self._count = self._count, self._count + 1
        frame = self.frame
        if number < len(frame.facts) and frame.checked:
            now = _Facts.of(tensor)
            if frame.facts[number].differs(now):
                raise CheckpointError(_disagreement(number, frame.facts[number], now))
        if tensor.requires_grad:
            tensor = tensor.detach()  # a result kept as it is would make a cycle with its own node
        if number in self._wanted:
            self.found[number] = _Found(tensor, tensor._counter.value)
        if frame.early_stop and number == self._last:
            raise _Enough(self)
        return tensor

    def _check(self) -> None:
        """Errors: CheckpointError if less was saved than is wanted, or, in a whole run, not as much as before."""
        expected = len(self.frame.facts)
        whole = not self.frame.early_stop and self.frame.complete
        if self._count <= self._last or (whole and self._count != expected):
            raise CheckpointError(
                "checkpoint: A different number of tensors was saved during the original forward and recomputation: "
                f"{expected} then, {self._count} now. The function has to do the same when it is run again: look for "
                "what depends on a counter, on global state or on a generator other than the default one"
            )


def _disagreement(number: int, before: _Facts, now: _Facts) -> str:
    return (
        "checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass. "
        f"Tensor at position {number}: saved {before}, recomputed {now}. The function has to do the same when it is "
        "run again, and what it reads must not be written in between; determinism_check='none' leaves this unchecked"
    )


def _as_it_is(tensor: Tensor) -> Tensor:
    return tensor


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool = False,
    preserve_rng_state: bool = True,
    early_stop: bool = True,
    determinism_check: str = "default",
    context_fn: Contexts = no_contexts,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``; what it saves for backward is dropped, and computed again in backward.

    preserve_rng_state: the second run draws the same random numbers from the default generator as the first.
    early_stop: the second run ends as soon as it has saved what backward needs.
    determinism_check: "default" compares shapes, dtypes and versions of what both runs save, "none" only counts.
    context_fn: gives two contexts, one around the first run and one around the second.
    Errors: ValueError for another form of checkpoint or another check; in backward CheckpointError if the runs differ.
    """
    _check_options(use_reentrant, determinism_check)
    around_first, around_second = context_fn()
    if not MODES.grad_enabled:
        with around_first:
            return function(*args, **kwargs)
    kept = _kept((args, kwargs))
    state = get_rng_state() if preserve_rng_state else None
    autocast = AUTOCAST.state

    def again() -> None:
        positional, named = _given(kept)
        with _random_state(state), _under_autocast(autocast), around_second:
            function(*positional, **named)

    frame = _Frame(again, early_stop, checked=determinism_check == "default")
    with saved_tensors_hooks(frame.pack, _unpack), around_first:
        result = function(*args, **kwargs)
    frame.complete = True
    return result


def _check_options(use_reentrant: bool, determinism_check: str) -> None:
    if use_reentrant:
        raise ValueError(
            "checkpoint(use_reentrant=True): there is only the form that is not reentrant, which does all that "
            "the other one does; leave use_reentrant out"
        )
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], got {determinism_check!r}")


@contextmanager
def _random_state(state: Tensor | None) -> Iterator[None]:
    """A context in which the default generator goes on from `state`; afterwards from where it was."""
    if state is None:
        yield
        return
    before = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(before)


@contextmanager
def _under_autocast(state: Any) -> Iterator[None]:
    """A context with autocast as it was."""
    before = AUTOCAST.state
    put_autocast(state)
    try:
        yield
    finally:
        put_autocast(before)


def _kept(value: Any) -> Any:
    """`value` with a record in place of each tensor in it, also in lists, tuples and dicts."""
    if isinstance(value, Tensor):
        return SavedTensor(value)
    if type(value) in (list, tuple):
        return type(value)(_kept(each) for each in value)
    return {key: _kept(each) for key, each in value.items()} if type(value) is dict else value


def _given(kept: Any) -> Any:
    """The value that `_kept` was given."""
    if isinstance(kept, SavedTensor):
        return kept.unpack(_ASKING)
    if type(kept) in (list, tuple):
        return type(kept)(_given(each) for each in kept)
    return {key: _given(each) for key, each in kept.items()} if type(kept) is dict else kept


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool = False, **options: Any
) -> Any:
    """`input` through all `functions` in turn, in `segments` parts, all but the last of them checkpointed.

    functions: a `Sequential`, or any iterable of callables.   options: those of `checkpoint`.
    Errors: ValueError for fewer than one segment.
    """
    steps = list(functions)
    if segments < 1:
        raise ValueError(f"checkpoint_sequential takes at least one segment, got {segments}")
    size = len(steps) // segments
    for number in range(segments - 1):
        part = steps[number * size : (number + 1) * size]
        input = checkpoint(_chained, part, input, use_reentrant=use_reentrant, **options)
    return _chained(steps[(segments - 1) * size :], input)


def _chained(steps: list[Callable[[Any], Any]], value: Any) -> Any:
    for step in steps:
        value = step(value)
    return value
