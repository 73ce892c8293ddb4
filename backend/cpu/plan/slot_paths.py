"""The ways to arrays through objects, as words of a plan's table."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....core.errors import KernelError
from . import table_layout as at
from .encoder import refuse
from .plan import ArrayInput, Input, LaunchPlan
from .slot_offsets import slot_offset

if TYPE_CHECKING:
    from ...call_layout import AccessPath


def is_owned(given: Input) -> bool:
    """Whether it is an array reached from an owner: no argument of the call."""
    return isinstance(given, ArrayInput) and given.access_path is not None and given.access_path.owner


def check_access_paths(plan: LaunchPlan, owners: Sequence[object]) -> None:
    """Nothing, when every access path can be followed and each owner is of the type that its first link names.

    Errors: KernelError otherwise.
    """
    starts = []
    for given in plan.inputs:
        if isinstance(given, ArrayInput) and given.subscribed and not is_owned(given):
            refuse("an input is subscribed that is not reached from an owner")
        if isinstance(given, ArrayInput) and given.access_path is not None:
            if not given.access_path.links or not given.access_path.links[-1].slot:
                refuse("the last link of an access path has no slot where the array is")
            starts += [given.access_path] * given.access_path.owner
    for access_path in plan.checks:
        if not access_path.owner or not access_path.links or access_path.links[-1].slot:
            refuse("a check has an owner, and its last link no slot to follow")
    starts += plan.checks
    if len(starts) != len(owners):
        raise KernelError(f"the plan has {len(starts)} access paths with an owner, got {len(owners)} owners")
    for number, (access_path, owner) in enumerate(zip(starts, owners, strict=True)):
        wanted, found = access_path.links[0].kind, type(owner)
        if found is not wanted:
            raise KernelError(f"owner {number} must be exactly a {wanted.__qualname__}, got a {found.__qualname__}")
        if not found.__weakrefoffset__:
            raise KernelError(f"owner {number} is a {found.__qualname__}, to which there are no weak references")


def access_path_words(access_path: AccessPath, owner: object, reached: int, named: Callable[[Any], int]) -> list[int]:
    """The path for `access_path`; what it reaches goes to frame word `reached`. `named` keeps what it is given alive.

    Errors: KernelError when a class has no such slot.
    """
    start = named(weakref.ref(owner)) if access_path.owner else 0
    words = [0, start, reached, len(access_path.links)]
    for number, link in enumerate(access_path.links):
        if not link.slot and number < len(access_path.links) - 1:
            refuse(f"an access path ends at link {number}, which has no slot, of {len(access_path.links)}")
        pairs = len(link.same) + len(link.unlike)
        words += [named(link.kind), slot_offset(link.kind, link.slot) if link.slot else 0, pairs]
        for name, content in link.same:
            words += [slot_offset(link.kind, name), named(content)]
        for name, kind in link.unlike:
            words += [slot_offset(link.kind, name) | at.PAIR_UNLIKE, named(kind)]
    words[at.PATH_LENGTH] = len(words)
    return words


def access_path_of_argument(
    access_path: AccessPath, reached: int, array: list[int], named: Callable[[Any], int]
) -> list[int]:
    """The record of an argument that leads to an array, whose own record is `array`."""
    path = access_path_words(access_path, None, reached, named)
    return [at.INPUT_CHASED, 0, named(access_path.links[0].kind), array[at.INPUT_WORD], *path, *array]
