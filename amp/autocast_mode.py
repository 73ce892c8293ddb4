"""`autocast`: a part of a program whose products compute in a narrow dtype, and whose losses in float32."""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from ..autograd.modes import F, ModeContext
from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import GuardliftError
from ..core.names.import_paths import names_of
from ..tensor.autocast import AUTOCAST, DEFAULT, AutocastState, DeviceAutocast, put_autocast, state_of

NARROW = (dtypes.bfloat16, dtypes.float16)
KINDS = ("cpu", "cuda")


class AutocastArgumentError(GuardliftError, ValueError):
    """An argument of autocast has a type that it cannot work with."""


class AutocastDeviceError(GuardliftError, RuntimeError):
    """Autocast was asked for on a device that it does not know."""


def is_autocast_available(device_type: str) -> bool:
    """Whether there is autocast for a kind of device. Errors: AutocastArgumentError for what is no str."""
    _check_text(device_type)
    return device_type in KINDS


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on in this thread, for a kind of device."""
    return _on(device_type).enabled


def get_autocast_dtype(device_type: str) -> DType:
    """The dtype of autocast for a kind of device: bfloat16 on the CPU, float16 on CUDA, or what a context has said."""
    return _on(device_type).dtype


class autocast(ModeContext):  # noqa: N801
    """A context, or a decorator, under which products compute in `dtype` and losses in float32.

    device_type: "cpu" or "cuda", the devices whose tensors it is about.   dtype: bfloat16 on the CPU and float16 on
    CUDA, if nothing is said.   enabled: False turns it off inside.   cache_enabled: whether the cast of a parameter is
    kept until the outermost context ends; as around it, if nothing is said.
    Which function computes in what, `guardlift.tensor.autocast_lists` lists.
    Errors: AutocastArgumentError (a ValueError) for a device_type that is no str, AutocastDeviceError (a RuntimeError)
    for another device. Any other dtype than bfloat16 and float16 gives a warning, and autocast stays off.
    """

    __slots__ = ("_cache_enabled", "_enabled", "before", "device", "fast_dtype")

    def __init__(
        self, device_type: str, dtype: DType | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        if not is_autocast_available(device_type):
            raise unknown_device(device_type)
        self.device = device_type
        self._cache_enabled = _now().cache_enabled if cache_enabled is None else bool(cache_enabled)
        if enabled and self.fast_dtype not in NARROW:
            warnings.warn(unsupported_dtype(device_type, self.fast_dtype), stacklevel=2)
            enabled = False
        self._enabled = bool(enabled)
        self.before: list[AutocastState | None] = []

    def __enter__(self) -> autocast:
        self.before.append(AUTOCAST.state)
        put_autocast(inside(_now(), self.device, self._enabled, self.fast_dtype, self._cache_enabled))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        put_autocast(self.before.pop())

    def clone(self) -> AbstractContextManager[Any]:
        """Another one of the same settings."""
        return autocast(self.device, self.fast_dtype, self._enabled, self._cache_enabled)

    def __call__(self, function: F) -> F:
        """`function` under this autocast. Errors: TypeError for what cannot be called."""
        if not callable(function):
            raise TypeError(
                f"autocast(...)(function) takes something to call, got {type(function).__name__}; "
                "as a context it is written `with gl.autocast(...):`"
            )
        return super().__call__(function)


def inside(
    around: AutocastState, device: str, enabled: bool, dtype: DType, cache_enabled: bool
) -> AutocastState | None:
    """The state inside of a context, whose own state is that `around` but for the device it is about."""
    mine = DeviceAutocast(enabled, dtype)
    cpu, cuda = (mine, around.cuda) if device == "cpu" else (around.cpu, mine)
    return state_of(cpu, cuda, cache_enabled)


def unknown_device(device_type: str) -> AutocastDeviceError:
    """The error for a kind of device without autocast."""
    return AutocastDeviceError(f"there is no autocast for device_type {device_type!r}; it is 'cpu' or 'cuda'")


def unsupported_dtype(device_type: str, dtype: DType) -> str:
    """The text of the warning for a dtype that is not narrow."""
    return (
        f"In {device_type.upper()} autocast, but the target dtype {dtype} is not supported. Disabling autocast. "
        "It supports bfloat16 and float16"
    )


def _check_text(device_type: Any) -> None:
    if not isinstance(device_type, str):
        raise AutocastArgumentError(f"device_type is a str, 'cpu' or 'cuda', got {type(device_type).__name__}")


def _now() -> AutocastState:
    return AUTOCAST.state or DEFAULT


def _on(device_type: str) -> DeviceAutocast:
    if not is_autocast_available(device_type):
        raise unknown_device(device_type)
    return _now().on(device_type)


__getattr__ = names_of("amp", __name__)  # custom_fwd and custom_bwd
