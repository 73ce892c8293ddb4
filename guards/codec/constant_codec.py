"""Constants of Python as plain data: each gives the very type, value and sign of zero again."""

from __future__ import annotations

from typing import Any

from ...core.errors import NotWritable

_SINGLETONS: dict[str, Any] = {
    "None": None,
    "True": True,
    "False": False,
    "Ellipsis": Ellipsis,
    "NotImplemented": NotImplemented,
}


def is_singleton(value: object) -> bool:
    """Whether there is one such object in every process, by the language."""
    return any(value is each for each in _SINGLETONS.values())


def written_constant(value: Any) -> list[Any]:
    """A constant as data. Errors: NotWritable for anything else."""
    for name, each in _SINGLETONS.items():
        if value is each:
            return ["only", name]
    kind = type(value)
    if kind is int:
        return ["int", hex(value)]
    if kind is float:
        return ["float", value.hex()]
    if kind is complex:
        return ["complex", value.real.hex(), value.imag.hex()]
    if kind is str:
        return ["str", value]
    if kind is bytes:
        return ["bytes", value.hex()]
    if kind is tuple:
        return ["tuple", *map(written_constant, value)]
    raise NotWritable(f"a value of type {kind.__qualname__}, which is no constant")


def read_constant(data: list[Any]) -> Any:
    """The constant in what `written_constant` gave. Errors: KeyError, ValueError, TypeError for other data."""
    kind, *rest = data
    if kind == "only":
        return _SINGLETONS[rest[0]]
    if kind == "int":
        return int(rest[0], 16)
    if kind == "float":
        return float.fromhex(rest[0])
    if kind == "complex":
        return complex(float.fromhex(rest[0]), float.fromhex(rest[1]))
    if kind == "str" and type(rest[0]) is str:
        return rest[0]
    if kind == "bytes":
        return bytes.fromhex(rest[0])
    if kind == "tuple":
        return tuple(map(read_constant, rest))
    raise ValueError(f"no constant is of kind {kind!r}")
