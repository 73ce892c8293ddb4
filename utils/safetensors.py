"""Files of tensors by name in the form of Hugging Face's safetensors, which any library reads. Nothing else is needed.

Eight bytes hold the length of the header, which is JSON; then come the header and the elements.
Source: github.com/huggingface/safetensors, "Format".
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices.host_or_device import on_host
from ..serialization.errors import FileFormatError, UnsavableError
from ..serialization.files import replacing
from ..serialization.placing import placed
from ..tensor import Tensor

__all__ = ["load", "load_file", "save", "save_file"]

_CODES = {
    "BOOL": dtypes.bool_,
    "U8": dtypes.uint8,
    "I8": dtypes.int8,
    "U16": dtypes.uint16,
    "I16": dtypes.int16,
    "U32": dtypes.uint32,
    "I32": dtypes.int32,
    "U64": dtypes.uint64,
    "I64": dtypes.int64,
    "F8_E4M3": dtypes.float8_e4m3fn,
    "F8_E5M2": dtypes.float8_e5m2,
    "F16": dtypes.float16,
    "BF16": dtypes.bfloat16,
    "F32": dtypes.float32,
    "F64": dtypes.float64,
    "C64": dtypes.complex64,
}
_CODE_OF = {dtype: code for code, dtype in _CODES.items()}
_LONGEST_HEADER = 100_000_000
ABOUT = "__metadata__"


def save_file(tensors: Mapping[str, Tensor], filename: Any, metadata: Mapping[str, str] | None = None) -> None:
    """Writes tensors by name to the file at a path, which holds the old contents or all of the new ones at any time.

    metadata: strings that go with them. Errors: those of `save`; then nothing was written.
    """
    header, arrays = _encoded(tensors, metadata)
    with replacing(os.fspath(filename)) as file:
        file.write(header)
        for array in arrays:
            file.write(array.tobytes())


def save(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a file that holds tensors by name.

    Errors: UnsavableError, a TypeError, for what is no tensor, or one of a dtype that the form does not know; for names
        and metadata that are no strings; and for tensors that share memory, which it cannot say: clone() them.
    """
    header, arrays = _encoded(tensors, metadata)
    return b"".join([header, *(array.tobytes() for array in arrays)])


def _encoded(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None) -> tuple[bytes, list[Any]]:
    """The length and the header, and the arrays in their order, the widest elements first, so that all are aligned."""
    _check(tensors, metadata)
    order = sorted(tensors, key=lambda name: (-tensors[name].dtype.itemsize, name))
    entries: dict[str, Any] = {} if metadata is None else {ABOUT: dict(metadata)}
    arrays, end = [], 0
    for name in order:
        tensor = tensors[name]
        arrays.append(on_host(tensor.detach()._array))
        start, end = end, end + arrays[-1].size * tensor.dtype.itemsize
        entries[name] = {
            "dtype": _CODE_OF[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [start, end],
        }
    text = json.dumps(entries, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, arrays


def _check(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None) -> None:
    seen: dict[int, str] = {}
    for name, tensor in tensors.items():
        if not isinstance(name, str) or name == ABOUT:
            raise UnsavableError(f"tensors are named by strings other than {ABOUT!r}, got {name!r}")
        if not isinstance(tensor, Tensor) or tensor.layout is not _rows():
            raise UnsavableError(
                f"{name!r} is {type(tensor).__name__}, and .safetensors files hold dense tensors alone"
            )
        if tensor.dtype not in _CODE_OF:
            raise UnsavableError(f"{name!r} has dtype {tensor.dtype}, which .safetensors files do not know")
        other = seen.setdefault(id(tensor._storage), name)
        if other != name and tensor._array.size:
            raise UnsavableError(
                f"{other!r} and {name!r} share memory, which .safetensors files cannot say; clone() one"
            )
    for key, value in (metadata or {}).items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise UnsavableError(f"metadata is made of strings, got {key!r}: {value!r}")


def _rows() -> Any:
    from ..tensor.layouts import strided

    return strided


def load_file(filename: Any, device: Any = "cpu") -> dict[str, Tensor]:
    """The tensors by name in the file at a path, on a device.

    Errors: FileFormatError, a RuntimeError, for a file that is damaged, cut off or of another form.
    """
    with open(os.fspath(filename), "rb") as file:
        return _decoded(file.read(), device)


def load(data: bytes) -> dict[str, Tensor]:
    """The tensors by name in the bytes of a file. Errors: as `load_file`."""
    return _decoded(data, "cpu")


def _decoded(data: bytes, device: Any) -> dict[str, Tensor]:
    try:
        found = _arrays(data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FileFormatError(
            f"the file is damaged, or no .safetensors file ({type(error).__name__}: {error})"
        ) from error
    return {name: placed(array, str(device), None) for name, array in found.items()}


def _arrays(data: bytes) -> dict[str, Any]:
    if len(data) < 8:
        raise ValueError(f"it has {len(data)} bytes, and the length of the header alone takes 8")
    length = int.from_bytes(data[:8], "little")
    if length > min(_LONGEST_HEADER, len(data) - 8):
        raise ValueError(f"its header would have {length} bytes, and {len(data) - 8} are there")
    header = json.loads(data[8 : 8 + length], object_pairs_hook=_without_doubles)
    elements = memoryview(data)[8 + length :]
    found, ends = {}, []
    for name, entry in header.items():
        if name == ABOUT:
            continue
        dtype, shape, (start, end) = _CODES[entry["dtype"]], tuple(entry["shape"]), entry["data_offsets"]
        if not all(type(each) is int and each >= 0 for each in (*shape, start, end)):
            raise ValueError(f"{name!r} has shape {shape} and places {start} to {end}")
        if end - start != math.prod(shape) * dtype.itemsize or end > len(elements):
            raise ValueError(f"{name!r} of shape {shape} lies at {start} to {end} of {len(elements)} bytes")
        found[name] = np.array(np.frombuffer(elements[start:end], np.uint8)).view(dtype.numpy).reshape(shape)
        ends.append((start, end))
    if [0, *(end for _, end in sorted(ends))] != [*(start for start, _ in sorted(ends)), len(elements)]:
        raise ValueError("its tensors overlap or leave gaps")
    return found


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands in it twice")
    return found
