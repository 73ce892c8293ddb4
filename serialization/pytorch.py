"""Files that PyTorch wrote, read by PyTorch where it is installed."""

from __future__ import annotations

import zipfile
from collections import OrderedDict
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any

import numpy as np

from ..core.devices import Device
from ..core.dtypes import DType
from ..core.strided import within
from ..tensor import Tensor
from ..tensor.parameter import Parameter
from ..tensor.sparse import sparse_coo_tensor
from .decode import BY_NAME
from .errors import FileFormatError, UnsavableError
from .placing import placed

OLD_BEGINNING = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""The bytes with which PyTorch's files began before they were zips."""


def is_pytorch(file: IO[bytes], begins: bytes) -> bool:
    """Whether a file is one of PyTorch's; it is left where it stands."""
    if begins.startswith(OLD_BEGINNING):
        return True
    if not begins.startswith(b"PK"):
        return False
    start = file.tell()
    try:
        with zipfile.ZipFile(file) as archive:
            return any(name.endswith("/data.pkl") for name in archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False
    finally:
        file.seek(start)


def load(file: IO[bytes], begins: bytes, map_location: Any, weights_only: bool | None) -> Any:
    """The object in a file of PyTorch's, with tensors of ours.

    Errors: FileFormatError where PyTorch is not installed; PyTorch's own where it cannot read the file; UnsavableError
        for what is in the file and has no counterpart here, with its place.
    """
    if find_spec("torch") is None:
        raise FileFormatError(
            "the file was written by PyTorch, which alone can read it and is not installed; install torch, or save the "
            "weights as .safetensors there and read them with gl.utils.safetensors.load_file"
        )
    torch = import_module("torch")

    places: dict[int, str] = {}

    def noted(storage: Any, location: str) -> Any:
        places[storage.data_ptr()] = location
        return storage

    only = True if weights_only is None else weights_only
    return Conversion(torch, places, map_location).value(torch.load(file, map_location=noted, weights_only=only), "")


class Conversion:
    """The counterparts of objects of PyTorch, by identity."""

    def __init__(self, torch: Any, places: dict[int, str], map_location: Any) -> None:
        self.torch = torch
        self.places = places
        self.map_location = map_location
        self._made: dict[int, tuple[Any, Any]] = {}
        self._memories: dict[int, Tensor] = {}

    def value(self, given: Any, place: str) -> Any:
        """The counterpart of an object.   place: where it is in the whole, for errors."""
        if given is None or type(given) in (bool, int, float, complex, str, bytes):
            return given
        if id(given) in self._made:
            return self._made[id(given)][1]
        if isinstance(given, (list, set)):
            made: Any = []
            if type(given) is list:
                self._made[id(given)] = given, made
            made += [self.value(each, f"{place}[{number}]") for number, each in enumerate(given)]
            made = set(made) if isinstance(given, set) else made
        elif isinstance(given, dict):
            made = type(given)() if type(given) in (dict, OrderedDict) else {}
            self._made[id(given)] = given, made
            for key, each in given.items():
                made[self.value(key, f"{place} (key {key!r})")] = self.value(each, f"{place}[{key!r}]")
        else:
            made = self._other(given, place)
        self._made[id(given)] = given, made
        return made

    def _other(self, given: Any, place: str) -> Any:
        torch = self.torch
        if isinstance(given, torch.Tensor):
            return self._tensor(given, place)
        if type(given) in (tuple, torch.Size):
            return tuple(self.value(each, f"{place}[{number}]") for number, each in enumerate(given))
        if isinstance(given, torch.dtype) and str(given).removeprefix("torch.") in BY_NAME:
            return BY_NAME[str(given).removeprefix("torch.")]
        if isinstance(given, torch.device):
            return Device(str(given))
        if isinstance(given, (np.ndarray, np.generic)):
            return given
        kind = type(given)
        raise UnsavableError(
            f"the object{place} in the file is of class {kind.__module__}.{kind.__qualname__}, which has no "
            "counterpart here; save a state_dict() in PyTorch"
        )

    def _tensor(self, given: Any, place: str) -> Tensor:
        torch = self.torch
        given = given.resolve_conj().resolve_neg()  # whose memory holds the numbers that it shows
        name = str(given.dtype).removeprefix("torch.")
        if name not in BY_NAME or given.layout not in (torch.strided, torch.sparse_coo):
            raise UnsavableError(
                f"the object{place} in the file is a tensor of {given.dtype}, {given.layout}, which has no counterpart"
            )
        if given.layout is torch.sparse_coo:
            places, values = self._tensor(given._indices(), place), self._tensor(given._values().detach(), place)
            tracked, merged = given.requires_grad, given.is_coalesced()
            return sparse_coo_tensor(places, values, tuple(given.shape), requires_grad=tracked, is_coalesced=merged)
        dtype = BY_NAME[name]
        memory = self._memory(given.untyped_storage(), dtype)
        strides = tuple(step * dtype.itemsize for step in given.stride())
        offset = given.storage_offset() * dtype.itemsize if given.numel() else 0
        array = within(memory._array, tuple(given.shape), dtype.numpy, offset, strides)
        result = memory._alias()
        result._array = array
        if isinstance(given, torch.nn.Parameter):
            made = Parameter(result, requires_grad=given.requires_grad)
            made._counter = memory._counter
            return made
        return result.requires_grad_() if given.requires_grad else result

    def _memory(self, storage: Any, dtype: DType) -> Tensor:
        """The bytes of a storage, copied once, as a tensor where they are to lie."""
        found = self._memories.get(storage.data_ptr()) if storage.nbytes() else None
        if found is None:
            kept = self.torch.empty(0, dtype=self.torch.uint8).set_(storage).numpy().copy()
            kept = kept.view(dtype.numpy) if kept.nbytes % dtype.itemsize == 0 else kept
            device = self.places.get(storage.data_ptr(), str(storage.device))
            found = self._memories[storage.data_ptr()] = placed(kept, device, self.map_location)
        return found
