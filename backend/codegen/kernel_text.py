"""Loop IR to the text of a Numba kernel for the CPU.

The text defines `kernel(addresses, sizes, start, stop)`; it depends on the structure of the loops alone. The names it
uses (casts, pointer makers, scalar functions) are bound by the compiler, and have stand-ins in NumPy for the tests.
"""

from __future__ import annotations

from ...loop_ir.ir import (
    Accumulate,
    Amount,
    Assign,
    Break,
    CheckedIndex,
    ColumnReduction,
    Continue,
    Count,
    Fail,
    If,
    InnerLoop,
    Invoke,
    Kernel,
    Leave,
    Let,
    Loop,
    LoopReduction,
    Ordered,
    Repeat,
    Statement,
    Store,
    Variable,
    walk,
)
from ...loop_ir.printer import print_access
from ...loop_ir.reductions import BLOCK, ReductionText, position_let, reduction_text, step
from ...loop_ir.source_text import Lines, cast_name, expression_text, invocation, loaded, memory_code, stored
from .fills import is_strided_fill, put_strided_fill
from .unroll import ROWS, can_take_rows_together, narrow, row_copy

COLUMN_BLOCK = 4096
"""Columns that are reduced together, row by row: enough for the memory to stream, few enough for the first caches."""
ROUNDS = 1 << 14
"""Rounds after which a kernel asks for signals."""
ROUNDS_OF_LOOPS = 16
"""Rounds for which one of a loop around others counts."""


def kernel_text(kernel: Kernel) -> str:
    """Python source that defines `kernel`; deterministic."""
    writer = Lines()
    number = len(kernel.pointers)
    for k, dtype in enumerate(kernel.pointers):
        memory = f"_{k}_of_{number}" if kernel.noalias else ""
        writer.put(f"p{k} = pointer_{memory_code(dtype)}{memory}(addresses[{k}])")
    for k in range(kernel.sizes):
        writer.put(f"s{k} = sizes[{k}]")
    if kernel.can_fail:
        writer.put("status = 0")
    if any(isinstance(each, (Count, Repeat)) for each in walk(kernel.body)):
        writer.put(f"rounds = {ROUNDS}")
    if kernel.asks:
        writer.put(f"failed = addresses[{number}]")
        writer.interrupted = "ends_early(failed)"
    _body(writer, kernel.body)
    writer.put("return status" if kernel.can_fail else "return 0")
    return "def kernel(addresses, sizes, start, stop):\n" + "\n".join(writer.lines) + "\n"


def _body(writer: Lines, body: tuple[Statement, ...]) -> None:
    for each in body:
        _statement(writer, each)


def _statement(writer: Lines, each: Statement) -> None:
    match each:
        case Let(name, dtype, expression):
            writer.put(f"{name} = {expression_text(expression, dtype)}")
        case CheckedIndex(name, value, size):
            writer.put(f"{name} = int64({value})")
            writer.put(f"{name} = {name} + {size} if {name} < 0 else {name}")
            writer.put(f"status |= int64(({name} < 0) | ({name} >= {size}))")
            writer.put(f"{name} = {name} if ({name} >= 0) & ({name} < {size}) else int64(0)")
        case Fail(condition):
            writer.put(f"status |= int64({condition})" if condition else "status = 1")
        case Store(access, value, dtype):
            writer.put(f"{print_access(access)} = {stored(value, dtype)}")
        case Accumulate(access, combine, value, dtype):
            reduced = step(combine, dtype, loaded(print_access(access), dtype), value)
            writer.put(f"{print_access(access)} = {stored(reduced, dtype)}")
        case Loop(var, extent, inner, parallel) | Ordered(var, extent, inner, parallel):
            writer.put(f"for {var} in range({'start, stop' if parallel else extent}):")
            _nested(writer, inner)
        case InnerLoop():
            _inner_loop(writer, each)
        case ColumnReduction():
            _columns(writer, each)
        case _:
            _control(writer, each)


def _control(writer: Lines, each: Statement) -> None:
    """The statements of regions."""
    match each:
        case Variable(name, dtype, value) | Assign(name, dtype, value):
            writer.put(f"{name} = {cast_name(dtype)}({value})")
        case Count(var, start, stop, step, inner, parallel):
            if parallel and (start, step) == (0, 1):
                writer.put(f"for {var} in range(start, stop):")
            elif parallel:
                writer.put(f"for {var}_round in range(start, stop):")
                writer.put(f"    {var} = int64({start} + {var}_round * {step})")
            else:
                writer.put(f"for {var} in range({start}, {stop}, {step}):")
            if any(isinstance(each, (Count, Repeat, InnerLoop)) for each in walk(inner)):
                _ask(writer, ROUNDS_OF_LOOPS)
            _nested(writer, inner)
        case Repeat(inner):
            writer.put("while True:")
            _ask(writer, 1)
            _nested(writer, inner)
        case If(condition, then, otherwise):
            writer.put(f"if {condition}:")
            _nested(writer, then)
            if otherwise:
                writer.put("else:")
                _nested(writer, otherwise)
        case Break():
            writer.put("break")
        case Continue():
            writer.put("continue")
        case Leave():
            writer.put("return 1")
        case Invoke(name, _, _, _):
            writer.put(f"{name} = {invocation(each)}" if name else invocation(each))


def _ask(writer: Lines, weight: int) -> None:
    """Asks in some of a loop's rounds whether a signal's handler has raised: a region may run for long, or for ever."""
    writer.put(f"    rounds -= {weight}")
    writer.put("    if rounds <= 0:")
    writer.put(f"        rounds = {ROUNDS}")
    writer.put(f"        if {writer.interrupted}:")
    writer.put("            return 2")


def _nested(writer: Lines, body: tuple[Statement, ...]) -> None:
    writer.depth += 1
    _body(writer, body)
    if not body:
        writer.put("pass")
    writer.depth -= 1


def _inner_loop(writer: Lines, inner_loop: InnerLoop) -> None:
    """The loops of an `InnerLoop`, with the innermost cut in blocks where a reduction wants partial results."""
    if is_strided_fill(inner_loop):
        put_strided_fill(writer, inner_loop)
        writer.depth += 1
        _points(writer, inner_loop)
        writer.depth -= 1
    else:
        _points(writer, inner_loop)


def _points(writer: Lines, inner_loop: InnerLoop) -> None:
    reductions = [(reduction, reduction_text(inner_loop, reduction)) for reduction in inner_loop.reductions]
    outer = [var for var, _ in inner_loop.loops[:-1]]
    writer.put_all(line for reduction, how in reductions for line in how.start(reduction.name, outer))
    depth = writer.depth
    for var, extent in inner_loop.loops[:-1]:
        writer.put(f"for {var} in range({extent}):")
        writer.depth += 1
    var, extent = inner_loop.loops[-1]
    blocked = any(how.in_blocks for _, how in reductions)
    if blocked:
        writer.put(f"for {var}_block in range(0, {extent}, {BLOCK}):")
        writer.depth += 1
        writer.put_all(
            line for reduction, how in reductions for line in how.start_block(reduction.name, f"{var}_block")
        )
    writer.put(f"for {var} in range({_block_range(f'{var}_block', extent) if blocked else extent}):")
    writer.depth += 1
    _body(writer, inner_loop.body)
    writer.put_all(line for reduction, how in reductions for line in how.update(reduction.name, reduction.value, var))
    if not inner_loop.body and not reductions:
        writer.put("pass")
    writer.depth -= 1
    if blocked:
        writer.put_all(
            line for reduction, how in reductions for line in how.end_block(reduction.name, f"{var}_block", outer)
        )
    writer.depth = depth
    writer.put_all(line for reduction, how in reductions for line in how.finish(reduction.name))
    for reduction, how in reductions:
        if how.searched:
            _search(writer, inner_loop, reduction, how)


def _search(writer: Lines, inner_loop: InnerLoop, reduction: LoopReduction, how: ReductionText) -> None:
    """The first place, in the block that holds the extreme, where it is met."""
    var, extent = inner_loop.loops[-1]
    position = position_let(inner_loop, reduction)
    writer.put(f"if {reduction.name}_from >= 0:")
    writer.depth += 1
    writer.put_all(f"{each} = {reduction.name}_{each}" for each, _ in inner_loop.loops[:-1])
    writer.put(f"for {var} in range({_block_range(f'{reduction.name}_from', extent)}):")
    writer.depth += 1
    writer.put_all(how.found(reduction.name, var))
    writer.put(f"if {reduction.name}_found:")
    writer.depth += 1
    if position is not None:
        _statement(writer, position)
    writer.put_all([f"{reduction.name} = {reduction.position}", "break"])
    writer.depth -= 3


def _block_range(first: str, extent: Amount) -> str:
    return f"{first}, min({first} + {BLOCK}, {extent})"


def _rows_together(writer: Lines, columns: ColumnReduction, row: str, stop: str) -> None:
    """Whole groups of rows, each accumulator held in a register meanwhile."""
    var = columns.var
    writer.put(f"for {row} in range(0, {stop}, {ROWS}):")
    writer.depth += 1
    bodies = []
    for number in range(ROWS):
        names: dict[str, str] = {}
        writer.put(f"{row}_{number} = {row} + {number}")
        _body(writer, row_copy(columns.per_row, row, number, names))
        bodies.append(row_copy(columns.body, row, number, names))
    writer.put(f"for {var} in range({var}_block, {var}_end):")
    writer.depth += 1
    for body in bodies:
        _body(writer, tuple(each for each in body if isinstance(each, Let)))
    for k, copies in enumerate(zip(*([e for e in body if isinstance(e, Accumulate)] for body in bodies), strict=True)):
        one = copies[0]
        writer.put(f"h{k} = {loaded(print_access(one.access), one.dtype)}")
        writer.put_all(f"h{k} = {step(each.combine, each.dtype, f'h{k}', each.value)}" for each in copies)
        writer.put(f"{print_access(one.access)} = {stored(f'h{k}', one.dtype)}")
    writer.depth -= 2


def _columns(writer: Lines, columns: ColumnReduction) -> None:
    """Blocks of columns; in each, row by row, so that memory is read in order and the accumulators stay in L1."""
    var, extent = columns.var, columns.extent
    first, last = ("start", "stop") if columns.parallel else ("0", str(extent))
    writer.put(f"for {var}_block in range({first}, {last}, {COLUMN_BLOCK}):")
    writer.depth += 1
    writer.put(f"{var}_end = min({var}_block + {COLUMN_BLOCK}, {last})")
    if columns.before:
        writer.put(f"for {var} in range({var}_block, {var}_end):")
        _nested(writer, columns.before)
    depth = writer.depth
    for row, size in columns.rows[:-1]:
        writer.put(f"for {row} in range({size}):")
        writer.depth += 1
    row, size = columns.rows[-1]
    first_row = "0"
    if can_take_rows_together(columns):
        first_row = f"{row}_whole"
        few = f"{var}_end - {var}_block < {narrow(columns)} or {last} - {first} > {COLUMN_BLOCK}"
        writer.put(f"{first_row} = {size} - {size} % {ROWS} if {few} else 0")
        _rows_together(writer, columns, row, first_row)
    writer.put(f"for {row} in range({first_row}, {size}):")
    writer.depth += 1
    _body(writer, columns.per_row)
    writer.put(f"for {var} in range({var}_block, {var}_end):")
    _nested(writer, columns.body)
    writer.depth = depth
    if columns.after:
        writer.put(f"for {var} in range({var}_block, {var}_end):")
        _nested(writer, columns.after)
    writer.depth -= 1
