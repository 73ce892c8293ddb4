"""Access paths followed in Python: from an argument or an owner to the array that a call computes with."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...core.devices.host_or_device import kind_of
from ...core.errors import KernelError
from ...core.records import dataclass
from ..call_layout import AccessPath, CallLayout, InputLayout


def follow(access_path: AccessPath, start: object) -> object | None:
    """The object at the end of an access path, or its last one for a check; None where an object is not what it was."""
    found: Any = start
    for link in access_path.links:
        if type(found) is not link.kind:
            return None
        try:
            if any(_slot(found, name) is not value for name, value in link.same):
                return None
            if any(type(_slot(found, name)) is kind for name, kind in link.unlike):
                return None
            found = _slot(found, link.slot) if link.slot else found
        except AttributeError:  # the slot is not set
            return None
    return found  # type: ignore[no-any-return]


def laid_out(entry: InputLayout, argument: Any) -> Any:
    """The argument as an array in memory, or None when it is not laid out as the plan expects."""
    dtype, shape = entry.type.dtype.numpy, entry.type.shape
    if entry.kind in ("array", "lifted"):
        kind = kind_of(entry.type.device)
        if type(argument) is not kind or argument.dtype != dtype or argument.shape != shape:
            return None
        strides = tuple(stride * dtype.itemsize for stride in entry.strides)
        alike = all(a == b or n < 2 for a, b, n in zip(argument.strides, strides, shape, strict=True))
        fits = alike or argument.size == 0
        return argument if fits and argument.flags.aligned and argument.flags.writeable >= entry.writeable else None
    wanted = {"float": float, "int": int, "bool": bool, "numpy_scalar": dtype.type}[entry.kind]
    if type(argument) is not wanted:
        return None
    try:
        return np.array(argument, dtype)
    except OverflowError:
        return None


def _slot(owner: object, name: str) -> Any:
    """The object that a slot holds, past any `__getattribute__`."""
    return inspect.getattr_static(type(owner), name).__get__(owner)


@dataclass(frozen=True, slots=True)
class Owners:
    """The objects at which access paths with an owner start; nothing keeps them alive."""

    of_inputs: tuple[tuple[int, AccessPath, weakref.ref[Any]], ...]
    """(number of the input, access path, owner)"""
    of_checks: tuple[tuple[AccessPath, weakref.ref[Any]], ...]

    @classmethod
    def of(cls, layout: CallLayout, owners: Sequence[object]) -> Owners:
        """Errors: KernelError for too few or too many, or one of another type or without weak references."""
        owned = [
            (k, entry.access_path)
            for k, entry in enumerate(layout.inputs)
            if entry.access_path and entry.access_path.owner
        ]
        access_paths = [*(access_path for _, access_path in owned), *layout.checks]
        if len(access_paths) != len(owners):
            raise KernelError(
                f"the layout has {len(access_paths)} access paths with an owner, got {len(owners)} owners"
            )
        for number, (access_path, owner) in enumerate(zip(access_paths, owners, strict=True)):
            if type(owner) is not access_path.links[0].kind:
                raise KernelError(f"owner {number} is not of the type that its access path starts with")
            if not type(owner).__weakrefoffset__:
                raise KernelError(f"owner {number} is of a type to which there are no weak references")
        held = [weakref.ref(owner) for owner in owners]
        inputs = tuple((k, access_path, owner) for (k, access_path), owner in zip(owned, held, strict=False))
        return cls(inputs, tuple(zip(layout.checks, held[len(owned) :], strict=True)))

    @property
    def references(self) -> list[weakref.ref[Any]]:
        """All of them, in the order in which they were given."""
        return [*(owner for *_, owner in self.of_inputs), *(owner for _, owner in self.of_checks)]

    def arrays(self) -> Iterable[object | None]:
        """The array of each owned input now; None where the access path has changed, or the owner is gone."""
        return (follow(access_path, owner()) for _, access_path, owner in self.of_inputs)

    def hold(self) -> bool:
        """Whether all checks do."""
        return all(follow(access_path, owner()) is not None for access_path, owner in self.of_checks)
