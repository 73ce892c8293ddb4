"""The lines by which a kernel that multiplies stores its results, or maps them before. See Note [Epilogues]."""

# Note [Staged results]
# Sums lie in registers, whose numbers no loop can have, so what is done with them would be written once for each of a
# thread's 64 sums. Instead the threads of a block put a few rows of sums after the other into shared memory, where
# operands were, and each takes groups of neighbouring columns from there: stores are written once, a map twice, for a
# group and for one element, and what threads read and store lies side by side. It takes fewer registers, too: 128 and
# not 155 where tensor cores multiply. A group is taken at once where its addresses allow it, which is asked once a
# kernel: Note [Wide accesses].

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....core.dtypes import DType, bool_, float32
from ....core.records import dataclass, replace
from ....loop_ir.ir import Access, Apply, Kernel, Let, Load, Loop, Statement, Store
from ....loop_ir.source_text import cast_text, literal, memory_code
from ..access.wide_loops import (
    WideLoop,
    alignment_test,
    group_lines,
    loads_and_stores,
    statement_lines,
    varying_names,
)

RESULT = "product"
"""The name of the element of the result that is mapped."""


@dataclass(frozen=True, slots=True)
class Epilogue:
    """A map over each element of a product's result.

    kernel: a map with a loop over lines in which is one over columns.   result: its pointer that is the product's
    result, which lies in memory only if it is `kept`.   sizes: what the kernel's are."""

    kernel: Kernel
    result: int
    kept: bool
    sizes: tuple[int, ...]

    @property
    def pointers(self) -> tuple[int, ...]:
        """The pointers whose addresses the kernel takes."""
        return tuple(k for k in range(len(self.kernel.pointers)) if k != self.result)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The parameters that are these addresses."""
        return tuple(f"a{k}" for k in self.pointers)

    @property
    def size_names(self) -> tuple[str, ...]:
        """The parameters behind all others."""
        return tuple(f"s{k}" for k in range(self.kernel.sizes))

    @property
    def _loops(self) -> tuple[Loop, Loop]:
        """The loops over lines and over columns, the body of which reads the result from a register."""
        (lines,) = self.kernel.body
        assert isinstance(lines, Loop)
        (columns,) = lines.body
        assert isinstance(columns, Loop)
        return lines, replace(columns, body=tuple(map(self._from_register, columns.body)))

    def _from_register(self, each: Statement) -> Statement:
        if isinstance(each, Let) and isinstance(each.expression, Load):
            if each.expression.access.pointer == self.result:
                return replace(each, expression=Apply("{0}", (RESULT,)))
        return each

    @property
    def variables(self) -> tuple[str, str]:
        """The names of the variables that count lines and columns."""
        lines, columns = self._loops
        return lines.var, columns.var

    def _wide(self) -> frozenset[Access]:
        """The accesses that go by groups of columns."""
        _, columns = self._loops
        found = loads_and_stores(columns.body)
        return frozenset(access for access in found if (columns.var, 1) in access.terms)

    def pointer_lines(self) -> Iterator[str]:
        """The lines that make pointers of addresses."""
        for k in self.pointers:
            yield f"p{k} = pointer_{memory_code(self.kernel.pointers[k])}(a{k})"

    def width_line(self, group: int) -> str:
        """The line that asks whether groups of so many can be taken at once."""
        wide = self._wide()
        test = alignment_test(self.kernel, wide, self.variables[1], group) if wide else literal(True, bool_)
        return f"maps_wide = {test}"

    @property
    def added_row(self) -> tuple[int, int, int] | None:
        """The pointers of a row that is added to each row, in float32, and of where the sum is stored, and the steps
        from line to line there; None where the map is another."""
        lines, columns = self._loops
        lets = {each.name: each.expression for each in columns.body if isinstance(each, Let)}
        stores = [each for each in columns.body if isinstance(each, Store)]
        if self.kept or len(lets) != 3 or len(stores) != 1 or any(each is not float32 for each in self.kernel.pointers):
            return None
        total, access = lets.get(stores[0].value), stores[0].access
        if not isinstance(total, Apply) or total.text != "({0} + {1})" or len(set(total.operands)) != 2:
            return None
        added = [lets.get(name) for name in total.operands]
        rows = [each.access for each in added if isinstance(each, Load)]
        results = [each for each in added if isinstance(each, Apply) and each.operands == (RESULT,)]
        step = dict(access.terms).get(lines.var, 0)
        if (
            len(rows) != 1
            or len(results) != 1
            or rows[0].terms != ((columns.var, 1),)
            or (columns.var, 1) not in access.terms
        ):
            return None
        return rows[0].pointer, access.pointer, self.sizes[int(str(step)[1:])] if isinstance(step, str) else step

    def for_group(self, values: Sequence[str]) -> list[str]:
        """The lines that map neighbours, whose first column the variable says. values: of the result."""
        _, columns = self._loops
        varying = varying_names(columns.var, columns.body, RESULT)
        count = len(values)
        found = WideLoop(columns, self._wide(), frozenset(varying))
        given = [f"{RESULT}_{k} = {value}" for k, value in enumerate(values)]
        return given + group_lines(self.kernel, found, count)

    def for_one(self, value: str) -> list[str]:
        """The lines that map one element. value: of the result."""
        _, columns = self._loops
        return [f"{RESULT} = {value}", *(line for each in columns.body for line in statement_lines(each))]


@dataclass(frozen=True, slots=True)
class Staged:
    """Rows of sums in shared memory, from where a block maps and stores them.

    tile: the array.   line: the elements from a row there to the next.   rows, columns: how many there are.
    row: text of the row of the result that a row of these is, of ``{0}``.   block: its threads."""

    tile: str
    line: int
    rows: int
    columns: int
    row: str
    thread: str
    block: int
    group: int
    summed: DType
    c: DType

    def lines(self, epilogue: Epilogue | None) -> Iterator[str]:
        """The lines by which the threads of a block map and store what they have put there."""
        groups = self.columns // self.group
        cast = cast_text(self.summed, self.c) if self.c is not self.summed else "{0}"
        names = [f"sum_{k}" for k in range(self.group)]
        results = [cast.format(name) for name in names]
        code = self.summed.code
        place = f"cell // {groups} * {self.line} + cell % {groups} * {self.group}"
        yield f"cell = {self.thread}"
        yield f"while cell < {self.rows * groups}:"
        yield f"    r = row + {self.row.format(f'(cell // {groups})')}"
        yield f"    q = column + cell % {groups} * {self.group}"
        yield "    if (r < m) & (q < n):"
        yield f"        {', '.join(names)} = shared_load_{self.group}_{code}({self.tile}, {place})"
        if epilogue is None or epilogue.kept:
            yield "        into = cuda.blockIdx.y * c_part + matrix * c_step + r * c_line + q"
            given = f"pc, into, n - q, c_wide, {', '.join(results)}"
            yield f"        store_up_to_{self.group}_{memory_code(self.c)}({given})"
        if epilogue is not None:
            one = cast.format(f"shared_element_{code}({self.tile}, {place} + one)")
            yield from ("        " + line for line in self._mapped(epilogue, results, one))
        yield f"    cell += {self.block}"

    def _mapped(self, epilogue: Epilogue, results: Sequence[str], one: str) -> Iterator[str]:
        """The lines that map a group of results. one: text of the one whose place in the group is `one`."""
        line, column = epilogue.variables
        yield f"{line} = matrix * m + r"
        yield f"if maps_wide & (n - q >= {self.group}):"
        yield f"    {column} = q"
        yield from ("    " + each for each in epilogue.for_group(results))
        yield "else:"
        yield f"    for one in range({self.group}):"
        yield f"        {column} = q + one"
        yield f"        if {column} < n:"
        yield from ("            " + each for each in epilogue.for_one(one))
