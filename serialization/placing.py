"""The memories of a file as tensors, on the device that `map_location` names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.devices import resolved
from ..core.devices.host_or_device import on_device
from ..tensor import Tensor


def placed(array: np.ndarray[Any, Any], device: str, map_location: Any) -> Tensor:
    """A memory as a tensor where `map_location` wants it; by itself on the device where it lay.

    Errors: RuntimeError where there is no such device, TypeError where `map_location` is no place.
    """
    memory = Tensor._wrap(array)
    wanted = device
    if callable(map_location):
        answer = map_location(memory, device)
        if answer is not None:
            wanted = str(getattr(answer, "device", answer))
    elif isinstance(map_location, dict):
        wanted = map_location.get(device, device)
    elif map_location is not None:
        wanted = map_location
    try:
        place = resolved(wanted)
        return memory if place == "cpu" else Tensor._wrap(on_device(array, str(place)))
    except RuntimeError as error:
        if map_location is not None:
            raise
        raise RuntimeError(
            f"a tensor of the file lay on {device!r}, which is not there ({error}); "
            "load with map_location='cpu' to have it in the host's memory"
        ) from error
