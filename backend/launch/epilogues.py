"""Products whose results are mapped as they are stored: on a device, maps behind a product join it."""

# Note [Epilogues]
# A map of a product's result that goes through all of it, each element once, needs no launch of its own: whoever sums
# an element can map it, and stores what comes of it instead. The map's loops become two, over the lines of the result
# (rows of all matrices, one after the other) and over its columns, whatever they were. Several maps behind one another
# become one, in which later ones find in a register what earlier ones store. What nobody else reads is not stored.
#
# A map joins where nothing can tell: what it stores is no memory that the product reads, or an argument's (a kernel
# behind a failed check must not write to these, and products do not ask); nothing in between touches what is moved.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from ...core.records import dataclass, replace
from ...loop_ir.ir import Access, Amount, IndexValue, Kernel, Let, Load, Loop, Statement, Store, walk
from ...loop_ir.passes.rename import renamed
from ..evaluate.buffers import Buffer
from ..lowering.lower import BoundKernel, Pointer
from ..schedule.calls import Call, NamedKernel
from ..schedule.matmul import ProductCall, batch_form, matrix_form
from .calls import KernelCall, kernel_call

LINE, COLUMN = "i0", "i1"
"""The variables of the loops over lines and columns."""
MOST_STATEMENTS = 64
"""Statements of an epilogue; a kernel has each of them several times."""

Alias = Callable[[Buffer, Buffer], bool]


@dataclass(frozen=True, slots=True)
class MappedProductCall(Call):
    """A product, and a map over each element of its result. See Note [Epilogues].

    map: over lines and columns of the result.   kept: whether the result itself is stored as well."""

    product: ProductCall
    map: KernelCall
    kept: bool

    @property
    def result(self) -> int:
        """The pointer of the map that is the product's result."""
        buffers = [pointer.buffer for pointer in self.map.bound.pointers]
        return buffers.index(self.product.result.buffer)

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        result = self.product.result.buffer
        found = dict.fromkeys((*self.product.buffers, *self.map.buffers))
        return tuple(each for each in found if self.kept or each is not result)

    @property
    def work(self) -> int:
        return self.product.work + self.map.work

    @property
    def settings(self) -> frozenset[str]:
        return self.product.settings

    @property
    def kernel(self) -> NamedKernel:
        return self.map.kernel

    def describe(self) -> list[str]:
        return [*self.product.describe(), *(f"  as it is stored: {line}" for line in self.map.describe())]


def join_maps(calls: Sequence[Call], alias: Alias) -> tuple[Call, ...]:
    """The calls, with maps behind products joined to them. alias: whether two buffers may share memory."""
    found, place = list(calls), 0
    while place < len(found):
        product = found[place]
        if isinstance(product, ProductCall) and (joined := _joined(found, place, product, alias)) is not None:
            found = joined
        place += 1
    return tuple(found)


def _joined(calls: list[Call], place: int, product: ProductCall, alias: Alias) -> list[Call] | None:
    """The calls, with the product at `place` joined by the maps behind it; None where none can join it."""
    lines = _lines_of(product)
    if lines is None:
        return None
    made, taken = _JoinedMap(product, *lines, alias), list[int]()
    result = product.result.buffer
    for k in range(place + 1, len(calls)):
        call = calls[k]
        touched = [each for each in call.buffers if each is result or each in made.stored]
        if not touched:
            continue
        between = [calls[j] for j in range(place + 1, k) if j not in taken]
        if not isinstance(call, KernelCall) or not _may_move(call, between, alias) or not made.takes(call):
            break
        taken.append(k)
    if not taken:
        return None
    used = Counter(each for k, call in enumerate(calls) if k != place and k not in taken for each in set(call.buffers))
    private = {each for each in (result, *made.stored) if each.place == "temporary" and not used[each]}
    bound = made.bound(private)
    joined = MappedProductCall(product, kernel_call(bound, "map"), kept=result not in private)
    rest = [call for k, call in enumerate(calls) if k not in taken]
    rest[place] = joined
    return rest


def _lines_of(product: ProductCall) -> tuple[int, int] | None:
    """The lines and columns of a product whose result is dense; None for another, and where sizes are not known."""
    view = product.result
    if not all(type(size) is int for size in (*view.shape, *view.strides, view.offset)):
        return None
    *_, m, n = view.shape
    (batch, step), form = batch_form(view), matrix_form(view)
    if form is None or form[1] or (m > 1 and form[0] != n) or (batch > 1 and step != m * n):
        return None
    return batch * m, n


def _may_move(call: KernelCall, between: Iterable[Call], alias: Alias) -> bool:
    """Whether a call does the same in front of those between."""
    writes = {pointer.buffer for pointer in _written(call)}
    for other in between:
        theirs = {each.buffer for each in _written(other)} if isinstance(other, KernelCall) else set(other.buffers)
        if any(alias(a, b) for a in writes for b in other.buffers):
            return False
        if any(alias(a, b) for a in theirs for b in call.buffers):
            return False
    return True


def _written(call: KernelCall) -> list[Pointer]:
    return [call.bound.pointers[k] for k in call.bound.kernel.written()]


Strides = tuple[int, int]
"""The steps from a line to the next, and from a column to the next."""


@dataclass(slots=True)
class _JoinedMap:
    """The map that kernels behind a product have made so far."""

    product: ProductCall
    lines: int
    columns: int
    alias: Alias
    pointers: list[Pointer] = field(default_factory=list)
    body: list[tuple[Statement, Strides | None]] = field(default_factory=list)
    """Statements without terms, and the strides of those that have some; a constant of an index is a number."""
    held: dict[tuple[Pointer, Strides], str] = field(default_factory=dict)
    """The names that hold what lies at these places."""
    stored: set[Buffer] = field(default_factory=set)
    work: int = 0
    kernels: int = 0

    def takes(self, call: KernelCall) -> bool:
        """Whether the map of a kernel has been added; if not, nothing has changed."""
        bound = call.bound
        statements = _flat(bound.kernel)
        if statements is None or not bound.kernel.noalias or len(self.body) + len(statements) > MOST_STATEMENTS:
            return False
        writes = {pointer.buffer for pointer in _written(call)}
        if any(each.place == "input" or each is self.product.result.buffer for each in writes):
            return False
        read = (self.product.left.buffer, self.product.right.buffer, *(pointer.buffer for pointer in self.pointers))
        if any(self.alias(one, other) for one in writes for other in read):
            return False
        split = _split_of(bound, self.product, self.lines, self.columns)
        if split is None:
            return False
        body, held = list[tuple[Statement, Strides | None]](), dict(self.held)
        names: dict[str, str] = {}
        pointers, stored = list(self.pointers), set(self.stored)
        for each in statements:
            if isinstance(each, Let):
                names[each.name] = f"u{self.kernels}{each.name}" if self.kernels else each.name
            made = self._statement(bound, each, names, held, split, pointers)
            if made is None:
                return False
            if made[0] is not None:
                body.append((made[0], made[1]))
                if isinstance(made[0], Store):
                    stored.add(pointers[made[0].access.pointer].buffer)
        self.body += body
        self.held, self.pointers, self.stored = held, pointers, stored
        self.work += bound.work
        self.kernels += 1
        return True

    @property
    def _whole(self) -> Strides:
        """The steps through the product's result."""
        return self.columns if self.lines > 1 else 0, 1 if self.columns > 1 else 0

    def _statement(
        self,
        bound: BoundKernel,
        each: Statement,
        names: dict[str, str],
        held: dict[tuple[Pointer, Strides], str],
        split: _Split,
        pointers: list[Pointer],
    ) -> tuple[Statement | None, Strides | None] | None:
        """A statement over lines and columns, with its strides; without a statement where its value is known.

        None where it cannot be one."""
        expression = each.expression if isinstance(each, Let) else None
        if isinstance(expression, Load) or isinstance(each, Store):
            access = expression.access if isinstance(expression, Load) else each.access  # type: ignore[union-attr]
            strides, pointer = split.strides(access.terms), bound.pointers[access.pointer]
            if strides is None:
                return None
            key = pointer, strides
            if isinstance(each, Store):
                held[key] = names.get(each.value, each.value)
                return Store(Access(_number(pointers, pointer)), held[key], each.dtype), strides
            assert isinstance(each, Let)
            if key in held:
                names[each.name] = held[key]
                return None, None
            elsewhere = pointer.buffer is self.product.result.buffer and strides != self._whole
            if elsewhere or pointer.buffer in self.stored:
                return None  # the element of another thread
            held[key] = names[each.name]
            return Let(names[each.name], each.dtype, Load(Access(_number(pointers, pointer)))), strides
        assert isinstance(each, Let) and expression is not None
        if isinstance(expression, IndexValue):
            strides = split.strides(expression.terms)
            constant = split.amount(expression.constant)
            return None if strides is None else (Let(names[each.name], each.dtype, IndexValue((), constant)), strides)
        return Let(names[each.name], each.dtype, renamed(expression, names)), None

    def bound(self, private: set[Buffer]) -> BoundKernel:
        """The kernel. private: the buffers that need not be stored."""
        sizes, terms = [self.columns], dict[Strides, tuple[tuple[str, Amount], ...]]()

        def size(value: int) -> str:
            sizes.append(value)
            return f"s{len(sizes) - 1}"

        def terms_of(strides: Strides) -> tuple[tuple[str, Amount], ...]:
            if strides not in terms:
                line, column = strides
                amounts = [(LINE, size(line))] if line else []
                terms[strides] = (*amounts, *([(COLUMN, 1 if column == 1 else size(column))] if column else []))
            return terms[strides]

        result = self.product.result.buffer
        gone = {k for k, each in enumerate(self.pointers) if each.buffer in private and each.buffer is not result}
        numbers = {k: n for n, k in enumerate(k for k in range(len(self.pointers)) if k not in gone)}
        body: list[Statement] = []
        for each, strides in self.body:
            if strides is None:
                body.append(each)
            elif isinstance(each, Store):
                if each.access.pointer not in gone:
                    access = Access(numbers[each.access.pointer], terms_of(strides))
                    body.append(replace(each, access=access))
            elif isinstance(each, Let) and isinstance(each.expression, Load):
                access = Access(numbers[each.expression.access.pointer], terms_of(strides))
                body.append(replace(each, expression=Load(access)))
            elif isinstance(each, Let) and isinstance(each.expression, IndexValue):
                constant = each.expression.constant
                assert isinstance(constant, int)
                index = IndexValue(terms_of(strides), size(constant) if constant else 0)
                body.append(replace(each, expression=index))
        pointers = tuple(self.pointers[k] for k in numbers)
        inner = Loop(COLUMN, "s0", tuple(body))
        dtypes = tuple(each.buffer.dtype for each in pointers)
        kernel = Kernel(dtypes, len(sizes), (Loop(LINE, "", (inner,), parallel=True),), noalias=True)
        return BoundKernel(kernel, pointers, tuple(sizes), self.lines, self.work)


def _number(pointers: list[Pointer], pointer: Pointer) -> int:
    if pointer not in pointers:
        pointers.append(pointer)
    return pointers.index(pointer)


def _flat(kernel: Kernel) -> list[Statement] | None:
    """The statements of a kernel that maps, without its loops; None for another."""
    found: list[Statement] = []
    body = kernel.body
    while True:
        loops = [each for each in body if isinstance(each, Loop)]
        rest = [each for each in body if not isinstance(each, Loop)]
        if len(loops) > 1 or not all(isinstance(each, Let if loops else (Let, Store)) for each in rest):
            return None
        if loops and body[-1] is not loops[0]:
            return None
        found += rest
        if not loops:
            return found
        body = loops[0].body


@dataclass(frozen=True, slots=True)
class _Split:
    """Loops of a kernel that are those over lines, and those over columns, outermost first, with their extents."""

    sizes: tuple[int, ...]
    lines: tuple[tuple[str, int, int], ...]
    """Variable, extent, and how many of the variable a step of it is: a loop may be a part of one."""
    columns: tuple[tuple[str, int, int], ...]
    still: frozenset[str]
    """The variables of loops of one round."""

    def amount(self, amount: Amount) -> int:
        """The value of an amount."""
        return amount if isinstance(amount, int) else self.sizes[int(amount[1:])]

    def strides(self, terms: Iterable[tuple[str, Amount]]) -> Strides | None:
        """The steps of what has these terms, from line to line and from column to column; None where it has others."""
        by_var = {var: self.amount(amount) for var, amount in terms if var not in self.still}
        if not by_var.keys() <= {var for var, _, _ in (*self.lines, *self.columns)}:
            return None
        found = []
        for loops in (self.lines, self.columns):
            steps = [by_var.get(var, 0) * unit for var, _, unit in loops]
            for (outer, inner), (_, extent, _) in zip(zip(steps, steps[1:]), loops[1:]):
                if outer != inner * extent:
                    return None
            found.append(steps[-1] if steps else 0)
        return found[0], found[1]


def _split_of(bound: BoundKernel, product: ProductCall, lines: int, columns: int) -> _Split | None:
    """The loops of a kernel over the lines and the columns of a product's result, which it reads once and in full."""
    extents: list[tuple[str, int]] = []
    for each in walk(bound.kernel.body):
        if isinstance(each, Loop):
            extents.append((each.var, bound.extent if each.parallel else _amount(bound, each.extent)))
    result, reads = product.result, set[Access]()
    for each in walk(bound.kernel.body):
        if isinstance(each, Let) and isinstance(each.expression, Load):
            pointer = bound.pointers[each.expression.access.pointer]
            if pointer.buffer is result.buffer:
                if pointer.offset != result.offset:
                    return None
                reads.add(each.expression.access)
    if not reads:  # it maps what another map has made of the result
        reads = set(_reads(bound))
    for access in reads:
        steps = {var: _amount(bound, amount) for var, amount in access.terms}
        split = _nested(bound, [(var, extent, steps.get(var, 0)) for var, extent in extents], lines, columns)
        if split is not None:
            return split
    return None


def _reads(bound: BoundKernel) -> Iterable[Access]:
    for each in walk(bound.kernel.body):
        if isinstance(each, Let) and isinstance(each.expression, Load):
            yield each.expression.access


def _amount(bound: BoundKernel, amount: Amount) -> int:
    return amount if isinstance(amount, int) else bound.sizes[int(amount[1:])]


def _nested(bound: BoundKernel, loops: list[tuple[str, int, int]], lines: int, columns: int) -> _Split | None:
    """See `_split_of`. loops: variable, extent and the step in the result."""
    outer: list[tuple[str, int, int]] = []
    inner: list[tuple[str, int, int]] = []
    reach = 1
    for var, extent, step in sorted((each for each in loops if each[1] > 1), key=lambda each: each[2]):
        if step != reach:
            return None
        end = reach * extent
        if end <= columns:
            inner.insert(0, (var, extent, 1))
        elif reach >= columns:
            outer.insert(0, (var, extent, 1))
        elif columns % reach == 0 and end % columns == 0:
            unit = columns // reach
            inner.insert(0, (var, unit, 1))
            outer.insert(0, (var, end // columns, unit))
        else:
            return None
        reach = end
    still = frozenset(var for var, extent, _ in loops if extent == 1)
    return _Split(bound.sizes, tuple(outer), tuple(inner), still) if reach == lines * columns else None
