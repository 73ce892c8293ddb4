"""The text of what a row has beyond the elements that its team keeps in registers."""

# Note [The rest of a row]
# A block of 512 threads keeps 28,672 float32 in registers. What a longer row has beyond is gone over by loops, in which
# thread number t takes group number t of the rest, and each group that lies a team's groups behind it: the same ones in
# each loop, so that no thread needs what another one has. Of the rest, the first part lies in shared memory from the
# first loop that touches it on, as much as a kernel may have without asking (48 KB, less what merges need); what lies
# behind that is loaded and stored again by each loop, and is in the GPU's cache if anything is. Values of which the
# last is read before the first of others is made lie in the same places: a softmax needs one array, not two.
# A round of a loop takes several groups, so that many accesses are under way at a time; single groups follow. The sums
# of a round are taken in pairs, and are added to that of the thread's registers.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from ....core.dtypes import DType
from ....core.records import dataclass
from ....loop_ir.ir import Access, CheckedIndex, InnerLoop, Let, Load, LoopReduction, Statement, Store
from ....loop_ir.passes.dce import names_read
from ....loop_ir.passes.rename import renamed_access
from ....loop_ir.printer import print_access, print_terms
from ....loop_ir.source_text import cast_name, loaded, memory_code, stored
from ..kernel_writer import KernelWriter
from ..reductions import DeviceReduction
from .held_rows import HeldRows, SharedPlaces, shared_places
from .wide_loops import renamed_statement, statement_lines

AT_ONCE = 8
"""Elements that a thread takes in a round."""


@dataclass(slots=True)
class RestOfRow:
    """The rest of a row in one thread's view, behind `held` elements of each of the block's threads.

    shared: the elements of it that lie in shared memory. private: the pointers to what nobody else reads."""

    writer: KernelWriter
    found: HeldRows
    threads: int
    held: int
    wide: int
    shared: int
    private: tuple[int, ...]
    reads_index: Callable[[Statement | LoopReduction], bool]
    places: SharedPlaces = field(init=False)

    def __post_init__(self) -> None:
        self.places = shared_places(self.found)

    def declarations(self) -> list[str]:
        """The lines that declare shared memory."""
        names = {name: dtype for name, dtype in self.places.dtypes.items() if self.shared}
        return [f"    {name} = cuda.shared.array({self.shared}, {_memory_name(each)})" for name, each in names.items()]

    def start(self) -> None:
        """Says how far the part in shared memory goes."""
        var, extent = self.found.var, self.found.extent
        if self.shared:
            far = self.held * self.threads + self.shared
            self.writer.put(f"{var}_far = int32({far} if {extent} > {far} else {extent})")

    def inner_loop(self, inner: InnerLoop, reductions: Sequence[DeviceReduction]) -> None:
        """The lines of one loop over the rest. reductions: with what the thread has of its registers."""
        var, extent = self.found.var, self.found.extent
        self.writer.put(f"{var}_next = int32({self.held * self.threads} + lane * {self.wide})")
        for in_shared, end in ((True, f"{var}_far"), (False, str(extent))) if self.shared else ((False, str(extent)),):
            for groups in dict.fromkeys((max(1, AT_ONCE // self.wide), 1)):
                step = self.threads * self.wide
                last = f" + {step * (groups - 1)}" if groups > 1 else ""
                self.writer.put(f"while {var}_next{last} < {end}:")
                self.writer.depth += 1
                _RestRound(self, inner, groups, in_shared).put(reductions)
                self.writer.put(f"{var}_next = int32({var}_next + {step * groups})")
                self.writer.depth -= 1


@dataclass(slots=True)
class _RestRound:
    """Several groups of the rest, in one loop over it. memory: what lies at their places, as far as the thread knows,
    element by element."""

    rest: RestOfRow
    inner: InnerLoop
    groups: int
    in_shared: bool
    memory: dict[Access, list[str]] = field(default_factory=dict)
    copies: list[dict[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        var = self.rest.found.var
        self.copies = [{var: f"{var}_r{k}"} for k in range(self.groups * self.rest.wide)]

    @property
    def number(self) -> int:
        """The number of the loop."""
        return self.rest.found.inner_loops.index(self.inner)

    def put(self, reductions: Sequence[DeviceReduction]) -> None:
        """Writes the lines."""
        rest, var = self.rest, self.rest.found.var
        writer, wide = rest.writer, rest.wide
        for c in range(self.groups):
            further = f" + {rest.threads * wide * c}" if c else ""
            writer.put(f"{var}_r_at_{c} = int32({var}_next{further})")
            if self.in_shared:
                writer.put(f"{var}_r_in_{c} = int32({var}_r_at_{c} - {rest.held * rest.threads})")
        if any(rest.reads_index(each) for each in (*self.inner.body, *self.inner.reductions)):
            places = ((k, f"{var}_r_at_{k // wide}", k % wide) for k in range(len(self.copies)))
            writer.put_all([f"{var}_r{k} = {place} + {further}" for k, place, further in places])
        for each in self.inner.body:
            self._statement(each)
        for how, reduction in zip(reductions, self.inner.reductions, strict=True):
            self._reduce(how, reduction)

    def _statement(self, each: Statement) -> None:
        found = self.rest.found
        if isinstance(each, Store):
            made = self.memory[each.access] = [names.get(each.value, each.value) for names in self.copies]
            if self.in_shared and self.rest.places.needed_after(each.access, self.number):
                self._keep(each.access, made, each.dtype)
            if not self.in_shared or self._is_for_others(each.access):
                self._store(each.access, made, each.dtype)
        elif isinstance(each, Let) and isinstance(each.expression, Load) and each.expression.access in found.touched:
            access = each.expression.access
            if access not in self.memory:
                self.memory[access] = self._load(each, access)
            for names, name in zip(self.copies, self.memory[access], strict=True):
                names[each.name] = name
        elif found.varying.union((found.var,)).isdisjoint(names_read(each)):
            self.rest.writer.put_all(statement_lines(each))
        else:
            for k, names in enumerate(self.copies):
                if isinstance(each, (Let, CheckedIndex)):
                    names[each.name] = f"{each.name}_r{k}"
                self.rest.writer.put_all(statement_lines(renamed_statement(each, names)))

    def _is_for_others(self, access: Access) -> bool:
        """Whether somebody reads what this loop leaves, when the row is done."""
        return access.pointer not in self.rest.private and not self.rest.places.stored_after(access, self.number)

    def _by_groups(self, names: list[str]) -> list[tuple[int, list[str]]]:
        wide = self.rest.wide
        return [(c, names[c * wide : (c + 1) * wide]) for c in range(self.groups)]

    def _at(self, access: Access, group: int) -> Access:
        return renamed_access(access, {self.rest.found.var: f"{self.rest.found.var}_r_at_{group}"})

    def _load(self, each: Let, access: Access) -> list[str]:
        """The names of the elements, loaded."""
        places, writer = self.rest.places, self.rest.writer
        found, code = [f"{each.name}_r{k}" for k in range(len(self.copies))], memory_code(each.dtype)
        kept = self.in_shared and places.is_there(access, self.number)
        for c, names in self._by_groups(found):
            place = self._at(access, c)
            start = f"{self.rest.found.var}_r_in_{c}"
            array = places.names.get(access, "")
            if self.rest.wide == 1:
                text = f"{array}[{start}]" if kept else print_access(place)
                writer.put(f"{names[0]} = {loaded(text, each.dtype)}")
                continue
            held = [f"{name}_byte" for name in names] if each.dtype.is_bool else names
            near = f"shared_load_{len(names)}_{code}({array}, int64({start}))"
            far = f"load_{len(names)}_{code}(p{place.pointer}, {print_terms(place.terms)})"
            writer.put(f"{', '.join(held)} = {near if kept else far}")
            if each.dtype.is_bool:
                writer.put_all([f"{name} = {loaded(byte, each.dtype)}" for name, byte in zip(names, held, strict=True)])
        if self.in_shared and not kept and places.needed_after(access, self.number):
            self._keep(access, found, each.dtype)
        return found

    def _keep(self, access: Access, names: list[str], dtype: DType) -> None:
        """Stores the elements in shared memory."""
        array, writer = self.rest.places.names[access], self.rest.writer
        for c, some in self._by_groups([stored(name, dtype) for name in names]):
            start = f"{self.rest.found.var}_r_in_{c}"
            code = memory_code(dtype)
            line = f"{array}[{start}] = {some[0]}"
            if len(some) > 1:
                line = f"shared_store_{len(some)}_{code}({array}, int64({start}), {', '.join(some)})"
            writer.put(line)

    def _store(self, access: Access, names: list[str], dtype: DType) -> None:
        """Stores the elements in memory."""
        for c, some in self._by_groups([stored(name, dtype) for name in names]):
            place, code = self._at(access, c), memory_code(dtype)
            line = f"{print_access(place)} = {some[0]}"
            if len(some) > 1:
                line = f"store_{len(some)}_{code}(p{place.pointer}, {print_terms(place.terms)}, {', '.join(some)})"
            self.rest.writer.put(line)

    def _reduce(self, how: DeviceReduction, reduction: LoopReduction) -> None:
        """Takes the elements in."""
        values = [names.get(reduction.value, reduction.value) for names in self.copies]
        if how.searches:
            for value, names in zip(values, self.copies, strict=True):
                self.rest.writer.put_all(how.update(value, names.get(reduction.position, reduction.position)))
            return
        lines, made = how.paired_lines(values, f"{how.name}_r")
        self.rest.writer.put_all([*lines, *how.update(made)])


def _memory_name(dtype: DType) -> str:
    return "uint8" if dtype.is_bool else cast_name(dtype)
