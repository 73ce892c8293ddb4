"""Loop IR to the text of a Numba CUDA kernel.

The text defines `kernel(a0 …, s0 …, extent, failed)`: the addresses and the sizes of the CPU's tables, passed by value
(a launch copies its parameters into fast constant memory), the extent of the parallel loop, and the address of the
word that becomes 1 where a check fails. A kernel over a table takes the table's address and its number of rows instead
of addresses and extent; one that blocks share takes the address of their parts and of their tickets after the others,
and the number of parts after the extent. In the place of the address of a scalar may stand the scalar's own bytes.
Loops stride over the grid, so any launch gives the same result. Names (casts, pointer makers, scalar functions,
exchanges between threads) are bound by the compiler or by the simulator.
"""

from __future__ import annotations

from ...core.records import replace
from ...loop_ir.ir import (
    Access,
    Accumulate,
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
from ...loop_ir.ordered_sums import in_any_order
from ...loop_ir.printer import print_access
from ...loop_ir.reductions import step
from ...loop_ir.source_text import expression_text, loaded, memory_code, stored
from .access.held_row_text import HeldRow, fits_text
from .access.held_rows import held_rows
from .access.wide_loops import group_lines, groups_text, statement_lines, wide_loop
from .kernel_writer import KernelWriter, before, store_result
from .kernels.owners import owned_lines
from .kernels.part_merging import merge_column_parts, merge_row_parts, place_text
from .kernels.transposition import tile_lines
from .launch_grid import LaunchGrid
from .reductions import DeviceReduction
from .team_reductions import device_reduction, merge_rows, merge_team


def cuda_text(kernel: Kernel, launch_grid: LaunchGrid) -> str:
    """Python source that defines `kernel`; deterministic."""
    kernel = in_any_order(kernel) if launch_grid.atomic else kernel
    writer = KernelWriter(kernel=kernel, launch_grid=launch_grid)
    writer.axis = sum(_is_spread(each, launch_grid) for each in walk(kernel.body))
    if launch_grid.stops:
        writer.put_all([f"if {_has_failed(launch_grid)}:", "    return"])
    if launch_grid.team != "thread":
        writer.put("lane = cuda.threadIdx.x")
    if writer.team.by_parts:
        writer.put("part = cuda.blockIdx.x % count")
    if launch_grid.table:
        _table(writer)
    else:
        for k, dtype in enumerate(kernel.pointers):
            held = f"({dtype.code}_of_word(a{k}),)" if k in launch_grid.by_value else ""
            writer.put(f"p{k} = {held or f'pointer_{memory_code(dtype)}(a{k})'}")
        _whole(writer)
    addresses = ["table", "rows"] if launch_grid.table else [f"a{k}" for k in range(len(kernel.pointers))]
    addresses += ["parts", "tickets"] if writer.team.by_parts else []
    last = [] if launch_grid.table else ["extent", *["count"] * writer.team.by_parts]
    parameters = [*addresses, *(f"s{k}" for k in range(kernel.sizes)), *last, "failed"]
    return "\n".join([f"def kernel({', '.join(parameters)}):", *dict.fromkeys(writer.shared), *writer.lines]) + "\n"


def _has_failed(launch_grid: LaunchGrid) -> str:
    """Whether an earlier kernel has failed; where threads wait for each other, they also agree on that."""
    word = "pointer_i64(failed)[0] != 0"
    return word if launch_grid.team == "thread" else f"cuda.syncthreads_or(int32({word}))"


def _whole(writer: KernelWriter) -> None:
    """The body over the grid; without a loop, by the first thread or team alone."""
    if writer.launch_grid.team == "owners":
        owned_lines(writer, body_lines)
    elif writer.launch_grid.team == "tiles":
        tile_lines(writer, body_lines)
    elif writer.axis or writer.team.by_parts:
        body_lines(writer, writer.kernel.body)
    else:
        writer.put(f"if {writer.team.axes[0][0]} == 0:")
        _nested(writer, writer.kernel.body)


def _table(writer: KernelWriter) -> None:
    """The body for each row of the table: its extent, then an address for each pointer."""
    pointers = writer.kernel.pointers
    writer.put_all(["words = pointer_i64(table)", "row = cuda.blockIdx.y", "while row < rows:"])
    writer.depth += 1
    writer.put(f"first = row * {len(pointers) + 1}")
    writer.put("extent = words[first]")
    for k, dtype in enumerate(pointers):
        writer.put(f"a{k} = words[first + {k + 1}]")
        writer.put(f"p{k} = pointer_{memory_code(dtype)}(a{k})")
    _whole(writer)
    writer.put("row += cuda.gridDim.y")
    writer.depth -= 1


def _is_spread(each: Statement, launch_grid: LaunchGrid) -> bool:
    return isinstance(each, (Loop, ColumnReduction)) or (isinstance(each, Ordered) and each.var in launch_grid.spread)


def body_lines(writer: KernelWriter, body: tuple[Statement, ...]) -> None:
    """Appends the lines of each statement."""
    if writer.launch_grid.held and not writer.in_row and any(isinstance(each, InnerLoop) for each in body):
        _row_in_registers(writer, body)
        return
    depth = writer.depth
    for each in body:
        _statement(writer, each)  # after parts were merged, what follows is deeper: the last block alone does it
    writer.depth = depth


def _row_in_registers(writer: KernelWriter, body: tuple[Statement, ...]) -> None:
    """The statements of a row, with its elements in registers where it is as it was planned; else with loops."""
    kernel, grid = writer.kernel, writer.launch_grid
    found, warp = held_rows(kernel), grid.team == "warp"
    assert found is not None
    row = HeldRow(writer, found, grid.held, grid.wide, warp, grid.private, grid.shared)
    read, wrote, writer.in_row = writer.read, writer.wrote, True
    writer.put(f"if {fits_text(kernel, found, grid.held, grid.wide, warp, grid.threads if grid.shared else 0)}:")
    writer.depth += 1
    row.start()
    for each in body:
        if isinstance(each, InnerLoop):
            row.inner_loop(each)
        else:
            _statement(writer, each)
    writer.depth -= 1
    writer.read, read, writer.wrote, wrote = read, writer.read, wrote, writer.wrote
    writer.put("else:")
    _nested(writer, body)
    writer.read, writer.wrote, writer.in_row = writer.read or read, writer.wrote or wrote, False


def _nested(writer: KernelWriter, body: tuple[Statement, ...]) -> None:
    writer.depth += 1
    body_lines(writer, body)
    if not body:
        writer.put("pass")
    writer.depth -= 1


def _statement(writer: KernelWriter, each: Statement) -> None:
    match each:
        case Let(name, dtype, expression):
            if isinstance(expression, Load):
                before(writer, reads=True)
            writer.put(f"{name} = {expression_text(expression, dtype)}")
        case CheckedIndex() | Fail():
            writer.put_all(statement_lines(each))
        case Store(access, value, dtype):
            store_result(writer, f"{print_access(access)} = {stored(value, dtype)}")
        case Accumulate(access, _, value, dtype) if writer.launch_grid.atomic:
            pointer, index = print_access(access).removesuffix("]").split("[")
            writer.put(f"add_atomically_{memory_code(dtype)}({pointer}, {index}, {value})")
        case Accumulate(access, combine, value, dtype):
            reduced = step(combine, dtype, loaded(print_access(access), dtype), value)
            store_result(writer, f"{print_access(access)} = {stored(reduced, dtype)}")
        case Loop():
            _loop(writer, each)
        case Ordered():
            _ordered(writer, each)
        case InnerLoop():
            _inner_loop(writer, each)
        case ColumnReduction():
            (_columns if writer.launch_grid.team == "thread" else _shared_rows)(writer, each)


def _loop(writer: KernelWriter, loop: Loop) -> None:
    """A loop that strides over the grid; the fourth and further ones, from the innermost, run in each thread."""
    var, extent = loop.var, "extent" if loop.parallel else loop.extent
    writer.axis -= 1
    if writer.axis >= len(writer.team.axes):
        writer.put(f"for {var} in range({extent}):")
        _nested(writer, loop.body)
        return
    first, stride = writer.team.axes[writer.axis]
    if writer.launch_grid.wide > 1 and not writer.launch_grid.held and writer.axis == 0:
        first = _groups(writer, loop, extent)
    writer.put(f"{var} = {writer.index(first)}")
    writer.put(f"while {var} < {extent}:")
    _nested(writer, loop.body)
    writer.put(f"    {var} = {writer.index(f'{var} + {stride}')}")


def _groups(writer: KernelWriter, loop: Loop, extent: Amount) -> str:
    """The loop over groups of elements, and the first element of a thread among those that are left."""
    kernel, count = writer.kernel, writer.launch_grid.wide
    found = wide_loop(kernel)
    assert found is not None and found.loop == loop
    var, bits = loop.var, count.bit_length() - 1
    first, stride = writer.team.axes[0]
    writer.put(f"{var}_groups = {groups_text(kernel, found, count, extent)}")
    writer.put(f"{var}_group = {writer.index(first)}")
    writer.put(f"while {var}_group < {var}_groups:")
    writer.depth += 1
    writer.put(f"{var} = {var}_group << {bits}")
    writer.put_all(group_lines(kernel, found, count))
    writer.put(f"{var}_group = {writer.index(f'{var}_group + {stride}')}")
    writer.depth -= 1
    return f"({var}_groups << {bits}) + {first}"


def _ordered(writer: KernelWriter, ordered: Ordered) -> None:
    """The loops whose order does not matter over the grid, and in each thread the others, in order."""
    loops: list[Ordered] = []
    body: tuple[Statement, ...] = (ordered,)
    while len(body) == 1 and isinstance(body[0], Ordered):
        loops.append(body[0])
        body = body[0].body
    nest = body
    for loop in reversed([loop for loop in loops if loop.var not in writer.launch_grid.spread]):
        nest = (replace(loop, body=nest),)
    for loop in reversed([loop for loop in loops if loop.var in writer.launch_grid.spread]):
        nest = (Loop(loop.var, loop.extent, nest),)
    if isinstance(nest[0], Loop):
        _statement(writer, nest[0])
        return
    _in_order(writer, nest)


def _in_order(writer: KernelWriter, body: tuple[Statement, ...]) -> None:
    for each in body:
        if isinstance(each, Ordered):
            writer.put(f"for {each.var} in range({each.extent}):")
            writer.depth += 1
            _in_order(writer, each.body)
            writer.depth -= 1
        else:
            _statement(writer, each)


def _inner_loop(writer: KernelWriter, inner_loop: InnerLoop) -> None:
    """The loops of an `InnerLoop`, one of them shared out in the team, and the parts of its threads merged."""
    reductions = [(reduction, device_reduction(reduction)) for reduction in inner_loop.reductions]
    shares = writer.in_team
    inner = list(walk(inner_loop.body))
    before(
        writer,
        reads=any(isinstance(each, Let) and isinstance(each.expression, Load) for each in inner),
        writes=any(isinstance(each, Store) for each in inner),
    )
    writer.put_all(line for _, how in reductions for line in how.start())
    depth, writer.in_inner_loop = writer.depth, True
    ends: list[tuple[int, str]] = []
    for k, (var, extent) in enumerate(inner_loop.loops):
        if shares and k == writer.launch_grid.shared_loop:
            width = "cuda.blockDim.x"
            first, stride = ("lane", width)
            if writer.team.by_parts:
                first, stride = f"part * {width} + lane", f"count * {width}"
            writer.put(f"{var} = {writer.index(first)}")
            writer.put(f"while {var} < {extent}:")
            ends.append((writer.depth + 1, f"{var} = {writer.index(f'{var} + {stride}')}"))
        else:
            writer.put(f"for {var} in range({extent}):")
        writer.depth += 1
    body_lines(writer, inner_loop.body)
    writer.put_all(line for reduction, how in reductions for line in how.update(reduction.value, reduction.position))
    if not inner_loop.body and not reductions and not ends:
        writer.put("pass")
    for writer.depth, line in ends:
        writer.put(line)
    writer.depth, writer.in_inner_loop = depth, False
    if shares and reductions:
        merge_team(writer, [how for _, how in reductions])
    if writer.team.by_parts:
        merge_row_parts(writer, [how for _, how in reductions])
    writer.put_all(line for _, how in reductions for line in how.finish())


def _accumulators(columns: ColumnReduction) -> dict[Access, DeviceReduction]:
    """The accumulations that live in registers: those into one place of the column, started before the rows."""
    starts = {each.access for each in columns.before if isinstance(each, Store)}
    stored = {each.access for each in columns.body if isinstance(each, Store)}
    row_vars = {var for var, _ in columns.rows}
    found: dict[Access, DeviceReduction] = {}
    shared: set[Access] = set()
    for each in columns.body:
        if isinstance(each, Accumulate):
            if each.access in found:
                shared.add(each.access)
            if each.access in starts - stored and not row_vars & {var for var, _ in each.access.terms}:
                found[each.access] = DeviceReduction(f"h{len(found)}", each.combine, each.dtype, each.dtype)
    return {access: how for access, how in found.items() if access not in shared}


def _starts_left(columns: ColumnReduction, held: dict[Access, DeviceReduction]) -> tuple[Statement, ...]:
    """The statements before the rows, but for the starts of accumulators in registers."""
    stores = [each for each in columns.before if not (isinstance(each, Store) and each.access in held)]
    used = {each.value for each in stores if isinstance(each, Store)}
    return tuple(each for each in stores if not isinstance(each, Let) or each.name in used)


def _row(writer: KernelWriter, columns: ColumnReduction, held: dict[Access, DeviceReduction]) -> None:
    """One row of a column: its values, its stores, and what accumulators take in."""
    body_lines(writer, columns.per_row)
    for each in columns.body:
        if isinstance(each, Accumulate) and each.access in held:
            writer.put_all(held[each.access].update(each.value))
        else:
            _statement(writer, each)
    if not columns.per_row and not columns.body:
        writer.put("pass")


def _stored_reductions(writer: KernelWriter, held: dict[Access, DeviceReduction]) -> None:
    for access, how in held.items():
        writer.put_all(how.finish())
        writer.put(f"{print_access(access)} = {stored(how.name, how.value)}")


def _columns(writer: KernelWriter, columns: ColumnReduction) -> None:
    """A thread a column, its accumulators in registers."""
    var, held = columns.var, _accumulators(columns)
    writer.axis -= 1
    first, stride = writer.team.axes[0]
    writer.put(f"{var} = {first}")
    writer.put(f"while {var} < {'extent' if columns.parallel else columns.extent}:")
    writer.depth += 1
    body_lines(writer, _starts_left(columns, held))
    writer.put_all(line for how in held.values() for line in how.start())
    depth = writer.depth
    for row, size in columns.rows:
        writer.put(f"for {row} in range({size}):")
        writer.depth += 1
    _row(writer, columns, held)
    writer.depth = depth
    _stored_reductions(writer, held)
    body_lines(writer, columns.after)
    writer.put(f"{var} += {stride}")
    writer.depth -= 1


def _shared_rows(writer: KernelWriter, columns: ColumnReduction) -> None:
    """A thread a column and a slice of its rows; the parts of a column are merged in shared memory, halves in pairs."""
    var, held = columns.var, _accumulators(columns)
    extent = "extent" if columns.parallel else columns.extent
    writer.axis -= 1
    first, stride = writer.team.axes[0]
    writer.put(f"{var}_first = {first}")
    writer.put(f"while {var}_first < {extent}:")
    writer.depth += 1
    writer.put(f"{var} = {var}_first + lane")
    writer.put_all(line for how in held.values() for line in how.start())
    writer.put(f"if {var} < {extent}:")
    depth = writer.depth
    writer.depth += 1
    ends: list[tuple[int, str]] = []
    for k, (row, size) in enumerate(columns.rows):
        if k == writer.launch_grid.shared_loop:
            line, step = "cuda.threadIdx.y", "cuda.blockDim.y"
            if writer.team.by_parts:
                line, step = f"part * {step} + {line}", f"count * {step}"
            writer.put(f"{row} = {writer.index(line)}")
            writer.put(f"while {row} < {size}:")
            ends.append((writer.depth + 1, f"{row} = {writer.index(f'{row} + {step}')}"))
        else:
            writer.put(f"for {row} in range({size}):")
        writer.depth += 1
    _row(writer, columns, held)
    for writer.depth, end in ends:
        writer.put(end)
    writer.depth = depth
    merge_rows(writer, list(held.values()))
    if writer.team.by_parts:
        place = place_text(writer.kernel, (f"{var}_first", str(extent)))
        merge_column_parts(writer, list(held.values()), place, f"{var} < {extent}")
    writer.put(f"if ({var} < {extent}) & (cuda.threadIdx.y == 0):")
    writer.depth += 1
    _stored_reductions(writer, held)
    body_lines(writer, columns.after)
    writer.depth = depth
    writer.put(f"{var}_first += {stride}")
    writer.depth -= 1
