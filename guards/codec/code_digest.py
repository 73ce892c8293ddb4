"""Digests of code objects: two with one digest do the same, at the same lines of the same file."""

from __future__ import annotations

import types
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

_BYTES = 20


def code_digest(code: types.CodeType) -> str:
    """A digest of all that a code object says: its instructions, constants, names, flags, lines and handlers."""
    state = blake2b(digest_size=_BYTES)
    for part in _parts(code):
        data = part if type(part) is bytes else str(part).encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.hexdigest()


def with_inner(codes: Iterator[types.CodeType] | set[types.CodeType]) -> set[types.CodeType]:
    """These code objects and all that they make functions and classes of."""
    found: set[types.CodeType] = set()
    pending = [*codes]
    while pending:
        code = pending.pop()
        if code not in found:
            found.add(code)
            pending += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return found


def _parts(code: types.CodeType) -> Iterator[str | bytes]:
    yield from ("code", code.co_filename, str(code.co_firstlineno), code.co_name, code.co_qualname)
    yield from map(str, (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags))
    for names in (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars):
        yield str(len(names))
        yield from names
    yield from (code.co_code, code.co_linetable, code.co_exceptiontable)
    for constant in code.co_consts:
        yield from _constant(constant)


def _constant(value: Any) -> Iterator[str | bytes]:
    """The parts of a constant, its type first: 1, 1.0 and True are equal, and so are 0.0 and -0.0."""
    kind = type(value)
    yield kind.__name__
    if kind is types.CodeType:
        yield from _parts(value)
    elif kind is tuple:
        yield str(len(value))
        for each in value:
            yield from _constant(each)
    elif kind is frozenset:
        yield str(len(value))
        yield from sorted("\0".join(map(str, _constant(each))) for each in value)
    elif kind is slice:
        for each in (value.start, value.stop, value.step):
            yield from _constant(each)
    elif kind is int:
        yield hex(value)
    else:
        yield value if kind in (str, bytes) else repr(value)
