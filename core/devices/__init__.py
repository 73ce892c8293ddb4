"""Devices by name: `cpu`, the host's memory, and `cuda`, the first NVIDIA GPU, or Numba's simulator of one."""

from __future__ import annotations

import re
from typing import Any

CPU = "cpu"
CUDA = "cuda:0"
_NAMES = re.compile(r"(cpu|cuda)(?::(0|[1-9]\d*))?")


class Device(str):
    """The place of elements, as PyTorch's `device`: ``Device("cuda")``, ``Device("cuda", 0)``, ``Device("cuda:0")``.

    It is its own name, so that it compares with strings; `type` and `index` are the parts of that.
    Errors: RuntimeError for a name that no device has.
    """

    __slots__ = ("index", "type")

    type: str
    """The kind: cpu or cuda."""
    index: int | None  # type: ignore[assignment]
    """The number of the device among those of its kind; None for whichever is in use."""

    def __new__(cls, type: Any, index: int | None = None) -> Device:
        """Errors: TypeError for what is no string."""
        if not isinstance(type, str):
            raise TypeError(f"a device is named by a string such as 'cuda:0', got {type.__class__.__name__}")
        parts = _NAMES.fullmatch(type)
        if parts is None or (index is not None and parts[2] is not None):
            raise RuntimeError(f"Expected one of cpu, cuda device type at start of device string: {type}")
        if index is None and parts[2] is not None:
            index = int(parts[2])
        self = super().__new__(cls, parts[1] if index is None else f"{parts[1]}:{index}")
        object.__setattr__(self, "type", parts[1])
        object.__setattr__(self, "index", index)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"attribute {name!r} of a device is not writable; make another device")

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type={self.type!r}{index})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Device, (str(self),)


HOST = Device("cpu")
FIRST_CUDA = Device("cuda", 0)


def resolved(device: Any) -> Device:
    """The device on which tensors lie that are put on `device`, a name or a Device.

    Errors: RuntimeError where there is no such device, TypeError for what names none.
    """
    if device is HOST or device == CPU:
        return HOST
    wanted = device if isinstance(device, Device) else Device(device)
    if wanted.index:
        raise RuntimeError(f"there is no device {str(wanted)!r}: of {wanted.type} there is number 0 alone")
    return HOST if wanted.type == "cpu" else FIRST_CUDA


def cuda_device(index: Any = None) -> Any:
    """The GPU of a number, or the one in use for None; a device or its name as it is."""
    return Device("cuda", index) if index is None or isinstance(index, int) else index


device = Device
"""The name of `Device` for users."""
