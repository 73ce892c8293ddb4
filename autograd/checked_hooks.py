"""The check of a pair of saved-tensor hooks: it compares a tensor with what unpack makes of what pack made of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.devices import Device
from ..core.devices.host_or_device import on_host
from ..core.dtypes import DType
from ..core.errors import GuardliftError
from ..core.records import dataclass
from ..tensor.ignored_errstate import ignoring_errstate
from ..tensor.narrow import widened
from ..tensor.tensor import Array, Tensor
from .save_info import SaveInfo


class HookCheckError(GuardliftError, RuntimeError):
    """Checked saved-tensor hooks do not give back what was saved, or the saved tensor has been written since."""


@dataclass(frozen=True, slots=True)
class Check:
    """The distance by which ``unpack(pack(tensor))`` may differ: ``atol + rtol * abs(tensor)``, by default 0.

    NaN is equal to NaN, and an infinity to itself alone. Errors: ValueError for a tolerance that is negative or NaN.
    """

    rtol: float = 0.0
    atol: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("rtol", self.rtol), ("atol", self.atol)):
            if not value >= 0:
                raise ValueError(f"Check takes tolerances of at least 0, got {name}={value}")


def check_of(check: Any) -> Check | None:
    """The check that ``check=...`` asks for. Errors: TypeError for anything but a bool, None and a `Check`."""
    if check is None or check is False:
        return None
    if check is True:
        return Check()
    if not isinstance(check, Check):
        raise TypeError(f"check is True, False, None or a Check(rtol=..., atol=...), got {type(check).__name__}")
    return check


def compare(check: Check, saved: Tensor, back: Tensor, info: SaveInfo, hooks: str) -> None:
    """Errors: HookCheckError where `back` is not what was `saved`, within the tolerance."""
    compare_form((saved.shape, saved.dtype, saved.device), back, info, hooks)
    expected, found = on_host(saved._array), on_host(back._array)
    wrong = ignoring_errstate(_outside, expected, found, check)
    if not wrong.any():
        return
    place = tuple(int(each) for each in np.argwhere(wrong)[0])
    raise HookCheckError(
        f"the saved-tensor hooks {hooks} change the value of {described(info)}: {int(wrong.sum())} of {wrong.size} "
        f"elements are outside rtol={check.rtol}, atol={check.atol}, the first at {list(place)}, which was "
        f"{expected[place]} and came back as {found[place]}. Let unpack_hook undo pack_hook, or allow more"
    )


def compare_form(saved: tuple[tuple[int, ...], DType, Device], back: Tensor, info: SaveInfo, hooks: str) -> None:
    """Errors: HookCheckError where `back` has another shape or dtype than was `saved`, or lies on another device."""
    shape, dtype, device = saved
    if (back.shape, back.dtype, back.device) == saved:
        return
    raise HookCheckError(
        f"the saved-tensor hooks {hooks} change the form of {described(info)}: {dtype} {list(shape)} on {device} came "
        f"back as {back.dtype} {list(back.shape)} on {back.device}. Let unpack_hook give back what pack_hook was given"
    )


def described(info: SaveInfo) -> str:
    """The save in words: argument, operation, node and line, as far as they are known."""
    text = f"{info.argument!r} of {info.op} ({info.node})" if info.node else "a saved tensor"
    line = info.user_line
    return text if line is None else f"{text} at {line}"


def _outside(expected: Array, found: Array, check: Check) -> Array:
    """The places at which `found` is not close to `expected`."""
    expected, found = widened(expected), widened(found)
    close = expected == found
    if expected.dtype.kind == "f":
        close |= np.isnan(expected) & np.isnan(found)
        finite = np.isfinite(expected)
        close |= finite & (np.abs(found - expected) <= check.atol + check.rtol * np.abs(expected))
    elif check.rtol or check.atol:
        wide = expected.astype(np.float64)
        close |= np.abs(found - wide) <= check.atol + check.rtol * np.abs(wide)
    return np.asarray(~close)
