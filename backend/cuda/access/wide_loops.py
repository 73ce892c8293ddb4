"""Loops whose threads take several neighbouring elements at once, with accesses of up to 16 bytes."""

# Note [Wide accesses]
# An access of 16 bytes needs an address that is a multiple of 16. Addresses of arguments are known in a call only: a
# view may begin anywhere. So the text has two loops, one behind the other: the first goes over groups of elements, the
# second over what is left, one by one. How many groups there are is asked of the addresses and strides as they are,
# once for each thread: none where one of them does not fit. So no guard is needed, and whatever a call brings, the
# elements are the same. Whether a text has two loops is decided when a call is planned, from sizes, strides and
# offsets: where those cannot fit, or there is little to do, the text has the second loop alone.

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ....core.dtypes import DType
from ....core.records import dataclass
from ....loop_ir.ir import (
    Access,
    Amount,
    CheckedIndex,
    ColumnReduction,
    Fail,
    InnerLoop,
    Kernel,
    Let,
    Load,
    Loop,
    Ordered,
    Statement,
    Store,
    walk,
)
from ....loop_ir.passes.dce import names_read
from ....loop_ir.passes.rename import renamed, renamed_access
from ....loop_ir.printer import print_access, print_terms
from ....loop_ir.source_text import expression_text, loaded, memory_code, stored

WIDE_WORD = re.compile(r"\b(load|store)_(\d+)_([a-z]\d+)\b")
"""A word for several elements: whether it loads, how many they are, and the code of their dtype."""
ACCESS_BYTES = 16
"""Units: bytes of the widest access."""
MOST_BYTES = 32
"""Units: bytes of the widest elements of a group."""
WIDE_FROM = 4096
"""Elements of a kernel below which each thread takes one."""
MOST_VALUES = 256
"""Values that a group computes, above which it is made smaller: each costs time to compile."""


@dataclass(frozen=True, slots=True)
class WideLoop:
    """The innermost loop of a kernel that maps elements, with what of its body goes by groups.

    wide: the accesses that do.   varying: the names of the body that differ from element to element."""

    loop: Loop
    wide: frozenset[Access]
    varying: frozenset[str]

    @property
    def pointers(self) -> set[int]:
        return {access.pointer for access in self.wide}


def wide_loop(kernel: Kernel) -> WideLoop | None:
    """None where the innermost loop does not map, or steps through an operand by more than one element."""
    loops = [each for each in walk(kernel.body) if isinstance(each, (Loop, Ordered, InnerLoop, ColumnReduction))]
    if not loops or not all(isinstance(each, Loop) for each in loops):
        return None
    if any(inner not in walk(outer.body) for outer, inner in zip(loops, loops[1:])):  # type: ignore[union-attr]
        return None
    loop = loops[-1]
    assert isinstance(loop, Loop)
    if not all(isinstance(each, (Let, CheckedIndex, Fail, Store)) for each in loop.body):
        return None
    varying = varying_names(loop.var, loop.body)
    wide = set[Access]()
    for access in loads_and_stores(loop.body):
        steps = [amount for var, amount in access.terms if var == loop.var]
        if steps not in ([], [1]):
            return None
        if steps and not any(var in varying for var, _ in access.terms if var != loop.var):
            wide.add(access)
    return WideLoop(loop, frozenset(wide), frozenset(varying)) if wide else None


def loads_and_stores(statements: Iterable[Statement]) -> Iterator[Access]:
    """The places that statements load from and store to; those inside a loop are for themselves."""
    for each in statements:
        if isinstance(each, Store):
            yield each.access
        elif isinstance(each, Let) and isinstance(each.expression, Load):
            yield each.expression.access


def varying_names(var: str, body: Iterable[Statement], *given: str) -> set[str]:
    """The names of statements in a loop that depend on its variable, or on names that are `given` for each element."""
    found = {var, *given}
    for each in body:
        if isinstance(each, (Let, CheckedIndex)) and not found.isdisjoint(names_read(each)):
            found.add(each.name)
    return found - {var}


def group_size(kernel: Kernel, found: WideLoop) -> int:
    """The elements that a thread takes at once; 1 where that gains nothing."""
    sizes = [kernel.pointers[pointer].itemsize for pointer in found.pointers]
    count = min(ACCESS_BYTES // min(sizes), MOST_BYTES // max(sizes))
    while count > 1 and count * len(found.loop.body) > MOST_VALUES:
        count //= 2
    return count


def alignment(dtype: DType, count: int) -> int:
    """The number of which the address of a group has to be a multiple. Units: bytes."""
    return min(ACCESS_BYTES, count * dtype.itemsize)


def strides_of(access: Access, var: str) -> list[Amount]:
    """The steps from a group to another one along the other loops."""
    return [amount for name, amount in access.terms if name != var]


def steps_fit(
    kernel: Kernel,
    accesses: Iterable[Access],
    var: str,
    count: int,
    known: Callable[[Amount], int],
    starts: Sequence[int],
) -> bool:
    """Whether groups along `var` lie at multiples of their bytes where all memory does.

    known: what an amount is. starts: of each pointer, in elements."""
    for access in accesses:
        dtype = kernel.pointers[access.pointer]
        steps = [starts[access.pointer], *map(known, strides_of(access, var))]
        if any(step * dtype.itemsize % alignment(dtype, count) for step in steps):
            return False
    return True


def alignment_test(kernel: Kernel, accesses: Iterable[Access], var: str, count: int) -> str:
    """The text that asks of addresses and strides whether groups along `var` lie at multiples of their bytes."""
    by_mask: dict[int, list[str]] = {}
    for access in sorted(accesses, key=lambda each: (each.pointer, print_access(each))):
        dtype = kernel.pointers[access.pointer]
        parts = by_mask.setdefault(alignment(dtype, count) - 1, [])
        size = f" * {dtype.itemsize}" if dtype.itemsize > 1 else ""
        parts += [f"a{access.pointer}", *(f"{step}{size}" for step in strides_of(access, var))]
    tests = [f"(({' | '.join(dict.fromkeys(parts))}) & {mask}) == 0" for mask, parts in by_mask.items()]
    return tests[0] if len(tests) == 1 else " & ".join(f"({each})" for each in tests)


def groups_text(kernel: Kernel, found: WideLoop, count: int, extent: Amount) -> str:
    """The text for the number of groups: as many as `extent` has, or none where one would not lie where it has to."""
    test = alignment_test(kernel, found.wide, found.loop.var, count)
    return f"{extent} >> {count.bit_length() - 1} if {test} else 0"


def group_lines(kernel: Kernel, found: WideLoop, count: int) -> list[str]:
    """The lines of the body for one group, whose first element the loop's variable says.

    What does not depend on the element is computed once. Stores come last, where they are known to change nothing
    that is loaded."""
    named = (found.loop.var, *found.varying)
    return _GroupBody(kernel, found, count, [{name: f"{name}_{k}" for name in named} for k in range(count)]).lines()


@dataclass(frozen=True, slots=True)
class _GroupBody:
    """A group of elements whose statements are written. copies: of each element the names of what varies."""

    kernel: Kernel
    found: WideLoop
    count: int
    copies: list[dict[str, str]]

    def lines(self) -> list[str]:
        """See `group_lines`."""
        var = self.found.loop.var
        body = self._loads_first()
        lines = [line for each in body for line in self._statement(each)]
        used = {name for each in body if not self._by_groups(each) for name in names_read(each)}
        numbered = [f"{var}_{k} = {var} + {k}" if k else f"{var}_0 = {var}" for k in range(self.count)]
        return (numbered if var in used else []) + lines

    def _loads_first(self) -> list[Statement]:
        """The body with each store behind the loads that it is known not to change."""
        done: list[Statement] = []
        waiting: list[Store] = []
        for each in self.found.loop.body:
            if isinstance(each, Store):
                waiting.append(each)
                continue
            if isinstance(each, Let) and isinstance(each.expression, Load):
                place = each.expression.access.pointer
                meets = [one for one in waiting if not self.kernel.noalias or one.access.pointer == place]
                done += meets
                waiting = [one for one in waiting if one not in meets]
            done.append(each)
        return done + waiting

    def _by_groups(self, each: Statement) -> bool:
        if isinstance(each, Let) and isinstance(each.expression, Load):
            return each.expression.access in self.found.wide
        return isinstance(each, Store) and each.access in self.found.wide

    def _statement(self, each: Statement) -> list[str]:
        if self._by_groups(each):
            return self._loads(each) if isinstance(each, Let) else self._stores(each)
        varies = not self.found.varying.union({self.found.loop.var}).isdisjoint(names_read(each))
        copies = self.copies if varies or isinstance(each, Store) else self.copies[:1]
        return [line for names in copies for line in statement_lines(renamed_statement(each, names))]

    def _loads(self, each: Let) -> list[str]:
        assert isinstance(each.expression, Load)
        access, code = each.expression.access, memory_code(each.dtype)
        names = [copy[each.name] for copy in self.copies]
        held = [f"{name}_byte" for name in names] if each.dtype.is_bool else names
        lines = [f"{', '.join(held)} = load_{self.count}_{code}(p{access.pointer}, {print_terms(access.terms)})"]
        if each.dtype.is_bool:
            lines += [f"{name} = {loaded(byte, each.dtype)}" for name, byte in zip(names, held, strict=True)]
        return lines

    def _stores(self, each: Statement) -> list[str]:
        assert isinstance(each, Store)
        values = [stored(copy.get(each.value, each.value), each.dtype) for copy in self.copies]
        code, access = memory_code(each.dtype), each.access
        return [f"store_{self.count}_{code}(p{access.pointer}, {print_terms(access.terms)}, {', '.join(values)})"]


def renamed_statement(each: Statement, names: dict[str, str]) -> Statement:
    """A statement of a body without loops, under new names."""
    match each:
        case Let(name, dtype, expression):
            return Let(names.get(name, name), dtype, renamed(expression, names))
        case CheckedIndex(name, value, size):
            return CheckedIndex(names.get(name, name), names.get(value, value), size)
        case Fail(condition):
            return Fail(names.get(condition, condition))
        case Store(access, value, dtype):
            return Store(renamed_access(access, names), names.get(value, value), dtype)
    raise AssertionError(each)


def statement_lines(each: Statement) -> list[str]:
    """The lines of a statement without loops, as one thread does it."""
    match each:
        case Let(name, dtype, expression):
            return [f"{name} = {expression_text(expression, dtype)}"]
        case CheckedIndex(name, value, size):
            return [
                f"{name} = int64({value})",
                f"{name} = {name} + {size} if {name} < 0 else {name}",
                f"if ({name} < 0) | ({name} >= {size}):",
                "    pointer_i64(failed)[0] = int64(1)",
                f"    {name} = int64(0)",
            ]
        case Fail(condition):
            failed = "pointer_i64(failed)[0] = int64(1)"
            return [f"if {condition}:", f"    {failed}"] if condition else [failed]
        case Store(access, value, dtype):
            return [f"{print_access(access)} = {stored(value, dtype)}"]
    raise AssertionError(each)
