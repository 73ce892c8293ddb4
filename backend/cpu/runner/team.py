"""Steps that are shared out: what the caller of a kernel and the threads of its team do. See `team`.

A part of the runner's source, as `runner` says. `serve` is the life of a helper, compiled by itself.
"""

# Note [A team]
# One job at a time is offered to the team; who comes with another meanwhile does it alone. A job is cut in chunks, and
# who takes part takes chunk after chunk until none is left, the caller too. Each is a share of what is left, so chunks
# become smaller, and all end at about the same time: with chunks of one size, of which a thread takes a few, threads
# wait for one that has begun its last chunk late. A helper takes part by counting itself in
# while the door is open. The caller shuts the door once no chunk is left, and waits for those inside: for a chunk at
# most. A helper that the system did not run meanwhile finds the door shut: nobody has waited for it. With OpenMP, where
# the caller waits for everybody, a kernel of 0.1 ms took 4 ms on a busy machine.
#
# A helper that has nothing to do looks at the ticket, which changes with each job, for a moment; then between two looks
# it lets others have its core, for longer than eager operations follow one another; and then it sleeps. It says so
# before it looks for the last time, and the caller changes the ticket before it asks who sleeps: so one of the two sees
# the other.
#
# A helper that is awake is in the midst of a job after a fraction of a microsecond, one that sleeps after some tens of
# them, and to wake it costs the caller some. So small jobs are offered to who is awake. One that is not worth it alone
# wakes somebody where a few have gone by in the meantime: more will follow.

# The functions below are typed by Numba, not by annotations. Constants come from `table_layout` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

import platform
import signal
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.extending import intrinsic

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_i64
from ..plan.table_layout import *
from .checks import WORD, base, external, stack_block

inner = linked()
semaphore_post = external("sem_post", types.int32, WORD)
semaphore_wait = external("sem_wait", types.int32, WORD)
give_way = external("sched_yield", types.int32)
sleep = external("usleep", types.int32, types.int32)
fill_signals = external("sigfillset", types.int32, WORD)
leave_out_signal = external("sigdelset", types.int32, WORD, types.int32)
signal_mask = external("pthread_sigmask", types.int32, types.int32, WORD, WORD)
hold_gil = external("PyGILState_Ensure", types.int32)
let_go_of_gil = external("PyGILState_Release", types.void, types.int32)
check_signals = external("PyErr_CheckSignals", types.int32)
signal_set = stack_block(128)
SIG_BLOCK = int(signal.SIG_BLOCK)
FAULTS = tuple(map(int, (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP)))

ORDER = "seq_cst"
LOOKS = 2000
"""Looks of a helper at the ticket, and of the caller at the door, before they give way."""
LAST_LOOKS = 1000
"""Looks of a helper at the ticket before it sleeps, between which it gives way: about half a millisecond."""
UNHEARD = 8
"""Small jobs that nobody was awake for, of which the last one wakes helpers."""
SLEEPS = 128
"""Times that the caller sleeps at the door before it looks for signals, where the job can end early."""
_PAUSES = {"x86_64": ("llvm.x86.sse2.pause",), "aarch64": ("llvm.aarch64.hint", ir.Constant(ir.IntType(32), 1))}
"""The hint to each processor that this thread only waits: an LLVM intrinsic and its operands. Others have none."""


@intrinsic  # type: ignore[untyped-decorator]
def call_kernel(typingctx: Any, address: Any, addresses: Any, sizes: Any, start: Any, stop: Any) -> Any:
    """The status of the kernel at `address`, run over start .. stop."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(values[0], ir.FunctionType(word, [word] * 4).as_pointer())
        return builder.call(function, values[1:])

    return WORD(WORD, WORD, WORD, WORD, WORD), codegen


def changing(operation: str) -> Any:
    """The intrinsic `(address, amount)` that changes the word there in one go, and gives what it was."""

    @intrinsic  # type: ignore[untyped-decorator]
    def changed(typingctx: Any, address: Any, amount: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            place = builder.inttoptr(values[0], values[1].type.as_pointer())
            return builder.atomic_rmw(operation, place, values[1], ORDER)

        return WORD(WORD, WORD), codegen

    return changed


fetch_add, fetch_and, fetch_or, exchange = map(changing, ("add", "and", "or", "xchg"))


@intrinsic  # type: ignore[untyped-decorator]
def look(typingctx: Any, address: Any) -> Any:
    """The word at `address`, as the last one wrote it."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load_atomic(builder.inttoptr(values[0], ir.IntType(64).as_pointer()), ORDER, 8)

    return WORD(WORD), codegen


@intrinsic  # type: ignore[untyped-decorator]
def replaced(typingctx: Any, address: Any, before: Any, after: Any) -> Any:
    """Whether the word at `address` was `before`; it is `after` then."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = builder.inttoptr(values[0], values[1].type.as_pointer())
        return builder.extract_value(builder.cmpxchg(place, values[1], values[2], ORDER), 1)

    return types.boolean(WORD, WORD, WORD), codegen


@intrinsic  # type: ignore[untyped-decorator]
def pause(typingctx: Any) -> Any:
    """Nothing, for some cycles."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        for name, *operands in filter(None, [_PAUSES.get(platform.machine())]):
            kind = ir.FunctionType(ir.VoidType(), [each.type for each in operands])
            builder.call(get_or_insert_function(builder.module, kind, name), operands)
        return context.get_dummy_value()

    return types.void(), codegen


own_addresses = stack_block(8 * SHARED_OPERANDS)


@inner
def signal_raised():
    """Whether a handler of a signal that has arrived raised an error. Who asks may be without the GIL."""
    held = hold_gil()
    raised = check_signals()
    let_go_of_gil(held)
    return raised != 0


# -- a job -------------------------------------------------------------------------------------------------------------
@inner
def run_job(team_address, job_address):
    """The status of a job, once all its chunks are done: by a team, or alone while the team has another one."""
    team = pointer_i64(team_address)
    job = pointer_i64(job_address)
    job[JOB_NEXT] = 0
    job[JOB_STATUS] = 0
    helpers = min(team[TEAM_THREADS], job[JOB_CHUNKS]) - 1
    if helpers < 1 or not replaced(team_address + 8 * TEAM_TAKEN, 0, 1):
        work(job_address)
        return job[JOB_STATUS]
    door = team_address + 8 * TEAM_DOOR
    exchange(team_address + 8 * TEAM_JOB, job_address)
    exchange(team_address + 8 * TEAM_ROOM, DOOR_OPEN + helpers)
    exchange(door, DOOR_OPEN)
    fetch_add(team_address + 8 * TEAM_TICKET, 1)
    for _ in range(sleepers_to_wake(team, helpers, job[JOB_WAKES])):
        semaphore_post(team_address + 8 * TEAM_SEMAPHORE)
    work(job_address)
    fetch_and(door, ~DOOR_OPEN)
    looks = 0
    asks = job[JOB_ASKS] != 0
    while look(door) != 0:
        looks += 1
        if looks < LOOKS:
            pause()
        elif looks < 2 * LOOKS:
            give_way()
        else:
            sleep(50)  # a thread of the highest priority gives way to nobody
            if asks and looks % SLEEPS == 0 and signal_raised():
                fetch_or(job_address + 8 * JOB_STATUS, 2)
                asks = False
    exchange(team_address + 8 * TEAM_TAKEN, 0)
    return look(job_address + 8 * JOB_STATUS)


@inner
def sleepers_to_wake(team, helpers, wakes):
    """The number of helpers to wake, who has the team: as many as are of use beside those that are awake."""
    sleepers = look(team[TEAM_SELF] + 8 * TEAM_SLEEPERS)
    missing = min(helpers, helpers - (team[TEAM_THREADS] - 1 - sleepers))
    if missing < 1:
        return 0
    if wakes == 0:
        team[TEAM_UNHEARD] += 1
        if team[TEAM_UNHEARD] < UNHEARD:
            return 0
    team[TEAM_UNHEARD] = 0
    return min(missing, sleepers)


@inner
def work(job_address):
    """Nothing, once no chunk of the job is left to take."""
    job = pointer_i64(job_address)
    start = next_chunk(job_address)
    while start < job[JOB_EXTENT] and (job[JOB_ASKS] == 0 or look(job_address + 8 * JOB_STATUS) == 0):
        stop = end_of_chunk(job, start)
        if job[JOB_ROWS] == 0:
            status = call_kernel(job[JOB_KERNEL], job[JOB_ADDRESSES], job[JOB_SIZES], start, stop)
        else:
            status = run_rows(job, start, stop)
        if status != 0:
            fetch_or(job_address + 8 * JOB_STATUS, status)
        start = next_chunk(job_address)


@inner
def next_chunk(job_address):
    """The beginning of a chunk that is the caller's to do from now on; the end of the range where none is left."""
    job = pointer_i64(job_address)
    start = look(job_address + 8 * JOB_NEXT)
    while start < job[JOB_EXTENT] and not replaced(job_address + 8 * JOB_NEXT, start, end_of_chunk(job, start)):
        start = look(job_address + 8 * JOB_NEXT)
    return start


@inner
def end_of_chunk(job, start):
    """The end of the chunk that begins here: it is a share of what is left, in multiples of the least chunk."""
    least = job[JOB_CHUNK]
    left = (job[JOB_EXTENT] - start + least - 1) // least
    return min(start + least * ((left + job[JOB_SHARES] - 1) // job[JOB_SHARES]), job[JOB_EXTENT])


@inner
def run_rows(job, first, behind):
    """The status of a table's kernel over one chunk: from some element of a row to some element of another."""
    starts = pointer_i64(job[JOB_STARTS])
    row, element = starts[2 * first], starts[2 * first + 1]
    last, end = starts[2 * behind], starts[2 * behind + 1]
    count = job[JOB_OPERANDS]
    addresses = own_addresses()
    status = 0
    while row < last or (row == last and element < end):
        row_address = job[JOB_ROWS] + 8 * row * (1 + 2 * count)
        bind_row(row_address, addresses, count, pointer_i64(job[JOB_FRAME]), pointer_i64(job[JOB_WATCHED]))
        stop = end if row == last else pointer_i64(row_address)[0]
        status |= call_kernel(job[JOB_KERNEL], addresses, job[JOB_SIZES], element, stop)
        row += 1
        element = 0
    return status


@inner
def bind_row(row_address, addresses_address, count, frame, watched):
    """Nothing, once the addresses of a row's operands are laid out for the kernel."""
    row = pointer_i64(row_address)
    addresses = pointer_i64(addresses_address)
    for index in range(count):
        addresses[index] = base(frame, watched, row[1 + 2 * index]) + row[2 + 2 * index]


# -- a helper ----------------------------------------------------------------------------------------------------------
@inner
def leave_signals_to_python():
    """Nothing, once this thread takes no signals but those of its own faults: a crash is to be reported."""
    signals = signal_set()
    fill_signals(signals)
    for fault in FAULTS:
        leave_out_signal(signals, fault)
    signal_mask(SIG_BLOCK, signals, 0)


def serve(team):
    """The life of a helper: it takes part in the jobs of the team at this address as long as that is one."""
    leave_signals_to_python()
    team_address = team[TEAM_SELF]
    served = 0
    while look(team_address + 8 * TEAM_SELF) == team_address:
        served = next_ticket(team_address, served)
        if entered(team_address):
            work(look(team_address + 8 * TEAM_JOB))
            fetch_add(team_address + 8 * TEAM_DOOR, -1)
    return 0


@inner
def next_ticket(team_address, served):
    """The ticket, once it is another one than that of the job that was `served` last."""
    looks = 0
    ticket = look(team_address + 8 * TEAM_TICKET)
    while ticket == served:
        looks += 1
        if looks < LOOKS:
            pause()
        elif looks < LOOKS + LAST_LOOKS:
            give_way()
        else:
            fetch_add(team_address + 8 * TEAM_SLEEPERS, 1)
            if look(team_address + 8 * TEAM_TICKET) == served:
                semaphore_wait(team_address + 8 * TEAM_SEMAPHORE)
            fetch_add(team_address + 8 * TEAM_SLEEPERS, -1)
        ticket = look(team_address + 8 * TEAM_TICKET)
    return ticket


@inner
def entered(team_address):
    """Whether the door was open, and not as many inside as are of use; this helper counts as inside then."""
    door = team_address + 8 * TEAM_DOOR
    inside = look(door)
    while DOOR_OPEN <= inside < look(team_address + 8 * TEAM_ROOM):
        if replaced(door, inside, inside + 1):
            return True
        inside = look(door)
    return False
