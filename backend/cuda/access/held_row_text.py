"""The text of a row whose elements a team keeps in registers: see Note [Rows in registers] in `held_rows`."""

from __future__ import annotations

from dataclasses import field

from ....core.records import dataclass
from ....loop_ir.ir import Access, CheckedIndex, InnerLoop, Kernel, Let, Load, LoopReduction, Statement, Store
from ....loop_ir.passes.dce import names_read
from ....loop_ir.passes.rename import renamed_access
from ....loop_ir.printer import print_access, print_terms
from ....loop_ir.reductions import identity
from ....loop_ir.source_text import literal, loaded, memory_code, stored
from ..kernel_writer import KernelWriter, before
from ..reductions import DeviceReduction
from ..team_reductions import merge_team
from .held_rows import WARP, HeldRows
from .rest_of_row import RestOfRow
from .wide_loops import alignment_test, renamed_statement, statement_lines


def fits_text(kernel: Kernel, found: HeldRows, held: int, wide: int, warp: bool, longer: int = 0) -> str:
    """The text that asks whether a row is as long, and lies, as it was planned.

    longer: the threads of the block, where rows are longer than what is held."""
    threads = str(WARP) if warp else "cuda.blockDim.x"
    least = f"{threads} * {held - wide}" if held > wide else "0"
    tests = [f"({found.extent} > {least})", f"({found.extent} <= {threads} * {held})"]
    if longer:
        tests = [f"({threads} == {longer})", f"({found.extent} > {longer * held})"]
    if wide > 1:
        tests += [
            f"(({found.extent} & {wide - 1}) == 0)",
            f"({alignment_test(kernel, found.touched, found.var, wide)})",
        ]
    return " & ".join(tests)


@dataclass(slots=True)
class HeldRow:
    """A row that is written with its elements in registers, in one thread's view.

    private: the pointers to what need not be stored. shared: the elements that lie in shared memory, of a row that is
    longer than what is held: see Note [The rest of a row] in `rest_of_row`.
    memory: what lies at each place of the row, as far as the thread knows, element by element."""

    writer: KernelWriter
    found: HeldRows
    held: int
    wide: int
    warp: bool
    private: tuple[int, ...]
    shared: int = 0
    memory: dict[Access, list[str]] = field(default_factory=dict)
    copies: list[dict[str, str]] = field(init=False)
    rest: RestOfRow | None = None

    def __post_init__(self) -> None:
        if self.shared:
            self.rest = RestOfRow(
                *(self.writer, self.found, self.writer.launch_grid.threads, self.held, self.wide, self.shared),
                *(self.private, self._reads_index),
            )
            self.writer.shared += self.rest.declarations()
        self.copies = [{self.found.var: f"{self.found.var}_{k}"} for k in range(self.held)]

    @property
    def groups(self) -> int:
        return self.held // self.wide

    def start(self) -> None:
        """The places of the thread's groups."""
        writer, var = self.writer, self.found.var
        first = "lane" if self.wide == 1 else f"lane * {self.wide}"
        for c in range(self.groups):
            apart = f" + cuda.blockDim.x * {self.wide * c}"
            if self.warp or self.rest is not None:  # steps that the compiler knows need no registers
                apart = f" + {(WARP if self.warp else writer.launch_grid.threads) * self.wide * c}"
            writer.put(f"{var}_at_{c} = int32({first}{apart if c else ''})")
        if self.rest is None:
            last = f"{var}_at_{self.groups - 1}"
            writer.put(f"{var}_inside = {last} < {self.found.extent}")
            writer.put(f"{last} = {last} if {var}_inside else int32(0)")
        else:
            self.rest.start()
        if any(
            self._reads_index(each) for inner in self.found.inner_loops for each in (*inner.body, *inner.reductions)
        ):
            places = ((k, f"{var}_at_{k // self.wide}", k % self.wide) for k in range(self.held))
            writer.put_all(f"{var}_{k} = {place} + {further}" for k, place, further in places)

    def _reads_index(self, each: Statement | LoopReduction) -> bool:
        """Whether an element's index is asked for, other than to load or store it."""
        if isinstance(each, LoopReduction):
            return self.found.var in (each.value, each.position)
        return not self._touches(each) and self.found.var in names_read(each)

    def _touches(self, each: Statement) -> bool:
        if isinstance(each, Let) and isinstance(each.expression, Load):
            return each.expression.access in self.found.touched
        return isinstance(each, Store)

    def inner_loop(self, inner: InnerLoop) -> None:
        """The lines of one loop over the row."""
        others = [each for each in inner.body if isinstance(each, Let) and isinstance(each.expression, Load)]
        before(self.writer, reads=not all(self._touches(each) for each in others))
        for each in inner.body:
            self._statement(each)
        reductions = [self._reduced(each) for each in inner.reductions]
        if self.rest is not None:
            self.rest.inner_loop(inner, reductions)
        later = self.found.inner_loops[self.found.inner_loops.index(inner) + 1 :]
        again = {each.access for one in later for each in one.body if isinstance(each, Store)}
        last = {each.access: each for each in inner.body if isinstance(each, Store) and each.access not in again}
        for each in last.values():
            if each.access.pointer not in self.private:
                self._store(each)
        if reductions:
            merge_team(self.writer, reductions)
            self.writer.put_all(line for how in reductions for line in how.finish())

    def _statement(self, each: Statement) -> None:
        if isinstance(each, Store):
            self.memory[each.access] = [names.get(each.value, each.value) for names in self.copies]
        elif isinstance(each, Let) and isinstance(each.expression, Load) and self._touches(each):
            access = each.expression.access
            if access not in self.memory:
                self.memory[access] = self._load(each, access)
            for names, name in zip(self.copies, self.memory[access], strict=True):
                names[each.name] = name
        elif self.found.varying.union((self.found.var,)).isdisjoint(names_read(each)):
            self.writer.put_all(statement_lines(each))
        else:
            for k, names in enumerate(self.copies):
                if isinstance(each, (Let, CheckedIndex)):
                    names[each.name] = f"{each.name}_{k}"
                self.writer.put_all(statement_lines(renamed_statement(each, names)))

    def _at(self, access: Access, group: int) -> Access:
        return renamed_access(access, {self.found.var: f"{self.found.var}_at_{group}"})

    def _load(self, each: Let, access: Access) -> list[str]:
        """The names of the elements, loaded."""
        found, code = [f"{each.name}_{k}" for k in range(self.held)], memory_code(each.dtype)
        for c in range(self.groups):
            names, place = found[c * self.wide : (c + 1) * self.wide], self._at(access, c)
            if self.wide == 1:
                self.writer.put(f"{names[0]} = {loaded(print_access(place), each.dtype)}")
                continue
            held = [f"{name}_byte" for name in names] if each.dtype.is_bool else names
            call = f"load_{self.wide}_{code}(p{place.pointer}, {print_terms(place.terms)})"
            self.writer.put(f"{', '.join(held)} = {call}")
            if each.dtype.is_bool:
                self.writer.put_all(
                    f"{name} = {loaded(byte, each.dtype)}" for name, byte in zip(names, held, strict=True)
                )
        return found

    def _store(self, each: Store) -> None:
        """Stores the elements, those in the row."""
        values = [stored(value, each.dtype) for value in self.memory[each.access]]
        for c in range(self.groups):
            some, place = values[c * self.wide : (c + 1) * self.wide], self._at(each.access, c)
            line = f"{print_access(place)} = {some[0]}"
            if self.wide > 1:
                code = memory_code(each.dtype)
                line = f"store_{self.wide}_{code}(p{place.pointer}, {print_terms(place.terms)}, {', '.join(some)})"
            is_last = c == self.groups - 1 and self.rest is None
            self.writer.put_all([f"if {self.found.var}_inside:", f"    {line}"] if is_last else [line])

    def _reduced(self, reduction: LoopReduction) -> DeviceReduction:
        """The reduction, its part of this thread in its variables."""
        name, dtype, writer = reduction.name, reduction.value_dtype, self.writer
        how = DeviceReduction(name, reduction.combine, dtype, reduction.dtype, in_pairs=True)
        values = [names.get(reduction.value, reduction.value) for names in self.copies]
        if how.searches:
            writer.put_all(how.start())
            for value, names in zip(values, self.copies, strict=True):
                writer.put_all(how.update(value, names.get(reduction.position, reduction.position)))
            return how
        if reduction.combine in ("sum", "prod") and self.rest is None:
            nothing, last = literal(identity(reduction.combine, dtype), dtype), self.held - self.wide
            inside = f"{self.found.var}_inside"
            values[last:] = [f"({value} if {inside} else {nothing})" for value in values[last:]]
        ((result, _),), (lines, made) = how.parts, how.paired_lines(values, name)
        writer.put_all([*lines, f"{result} = {made}"])
        return how
