"""Facts about each CPython minor version that the tracer asks for. The only place that reads the version.

Each record states what changed since the one before it.
"""

from __future__ import annotations

import sys
from typing import Any

from ....core.errors import UnsupportedPythonError
from ....core.records import dataclass, replace


@dataclass(frozen=True)
class Dialect:
    """Facts about one CPython minor version's bytecode."""

    minor: int
    null_after_callable: bool
    """Calls push ``callable, NULL``; before, ``NULL, callable``."""
    for_iter_pops: bool
    """FOR_ITER itself pops an exhausted iterator; before END_FOR existed. Later the loop's exit block does."""
    end_for_pops: int
    """Values END_FOR pops."""
    exhausted_skips: int
    """Instructions behind its target that only clear away an exhausted iterator; FOR_ITER jumps over most of them."""
    send_pops: bool
    """SEND itself pops an iterator that is exhausted; before END_SEND existed."""
    throw_before_start_is_bare: bool
    """StopIteration thrown into a generator that has not started comes out as it is; before, as RuntimeError."""
    throws_three_parts: bool
    """`generator.throw(kind, value, traceback)` gives no warning."""
    subscript: tuple[str, Any]
    """The instruction of `a[b]`, and its argument. Decoded code has BINARY_SUBSCR on every version."""
    keywords_or_null: bool
    """CALL_FUNCTION_EX always has a slot for keywords, which may be NULL; before, its argument said so."""
    iterator_slots: int
    """The slots that the iterator of a loop or a `yield from` takes. Of two the upper is NULL in code of ours; in
    CPython's it may be the index of the next element of the list or tuple below."""
    exit_and_receiver: bool
    """A context has two slots, what the class has as `__exit__` and the manager; before, one with the bound method."""
    unhashable: str
    """The TypeError for a key without a hash: `{kind}` is its type, `{use}` what it was to be, `{error}` the reason."""
    tuples_ask_length: bool
    """A new tuple of the elements of an iterable, of the arguments of `f(*x)` too, asks for their number first."""
    missing_sets_item: bool
    """`defaultdict.__missing__` puts the new value in by the object's own `__setitem__`."""
    close_gives_value: bool
    """`generator.close()` gives what the generator returns on its way out."""


CPYTHON_311 = Dialect(
    minor=11,
    null_after_callable=False,
    for_iter_pops=True,
    end_for_pops=0,
    exhausted_skips=0,
    send_pops=True,
    throw_before_start_is_bare=False,
    throws_three_parts=True,
    subscript=("BINARY_SUBSCR", None),
    keywords_or_null=False,
    iterator_slots=1,
    exit_and_receiver=False,
    unhashable="{error}",
    tuples_ask_length=True,
    missing_sets_item=True,
    close_gives_value=False,
)
CPYTHON_312 = replace(
    CPYTHON_311,
    minor=12,
    for_iter_pops=False,
    end_for_pops=2,
    exhausted_skips=1,
    send_pops=False,
    throw_before_start_is_bare=True,
    throws_three_parts=False,
)
CPYTHON_313 = replace(
    CPYTHON_312, minor=13, null_after_callable=True, end_for_pops=1, exhausted_skips=2, close_gives_value=True
)
CPYTHON_314 = replace(
    CPYTHON_313,
    minor=14,
    subscript=("BINARY_OP", 26),
    keywords_or_null=True,
    exit_and_receiver=True,
    unhashable="cannot use {kind!r} as a {use} ({error})",
    tuples_ask_length=False,
    missing_sets_item=False,
)
CPYTHON_315 = replace(CPYTHON_314, minor=15, iterator_slots=2)

DIALECTS = {dialect.minor: dialect for dialect in (CPYTHON_311, CPYTHON_312, CPYTHON_313, CPYTHON_314, CPYTHON_315)}


def current() -> Dialect:
    """The dialect of the running interpreter. Errors: `UnsupportedPythonError` on a version without a record."""
    minor = sys.version_info.minor
    if minor not in DIALECTS:
        raise UnsupportedPythonError(
            f"guardlift reads bytecode, and knows that of CPython 3.{min(DIALECTS)} to 3.{max(DIALECTS)}; this is "
            f"{sys.version.split()[0]}. Run one of those, or set GUARDLIFT_DISABLE=1: then guardlift can be imported, "
            "and jitted functions run as plain Python."
        )
    return DIALECTS[minor]
