"""A compiled kernel as data: the object file and what is needed to load it."""

from __future__ import annotations

import struct

from ....core.records import dataclass

_FIELD = struct.Struct("<Q")


@dataclass(frozen=True, slots=True)
class KernelObject:
    """Native code of one function, relocatable, with the C symbol to call and the symbols it leaves open."""

    code: bytes
    symbol: str
    undefined: tuple[str, ...]
    source: str


def to_bytes(kernel: KernelObject) -> bytes:
    """The kernel as length-prefixed fields: symbol, undefined symbols (newline between), source, code."""
    fields = (kernel.symbol.encode(), "\n".join(kernel.undefined).encode(), kernel.source.encode(), kernel.code)
    return b"".join(_FIELD.pack(len(field)) + field for field in fields)


def from_bytes(payload: bytes) -> KernelObject:
    """The kernel that `to_bytes` wrote.

    Errors: ValueError when the fields do not add up to the payload.
    """
    fields, position = [], 0
    for _ in range(4):
        if position + _FIELD.size > len(payload):
            raise ValueError("kernel file ends inside a field length")
        (length,) = _FIELD.unpack_from(payload, position)
        position += _FIELD.size
        fields.append(payload[position : position + length])
        position += length
    if position != len(payload):
        raise ValueError(f"kernel fields say {position} bytes, the payload has {len(payload)}")
    symbol, undefined, source, code = fields
    return KernelObject(code, symbol.decode(), tuple(undefined.decode().split()), source.decode())
