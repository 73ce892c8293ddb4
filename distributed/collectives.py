"""The collectives: functions that all processes of a group call together, over tensors and NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..core.devices.arrays import ARRAY_TYPES
from ..tensor.tensor import Tensor
from .backend import Array, StartedRequest
from .errors import CollectiveArgumentError, CollectiveMismatchError, CollectiveTypeError
from .process_group import ProcessGroup
from .program_group import the_group
from .reduce_op import ReduceOp, averaged, reducible
from .started import form_of, start_all_reduce, start_broadcast
from .work import Work

Value = Any
"""A tensor or a NumPy array."""


def all_reduce(
    tensor: Value, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Combines `tensor` of all processes, in place on each; the work where `async_op`, else None.

    Half floats are added as float32 and rounded once.
    Errors: CollectiveMismatchError on every process where shapes, dtypes or operations differ; TypeError for what is no
        tensor or array, or has no such operation; DistTimeoutError.
    """
    where = the_group(group)
    return _all_reduce(where.number, where.size, tensor, op, async_op)


def _all_reduce(group: int, size: int, tensor: Value, op: ReduceOp, async_op: bool) -> Work | None:
    """The tracer has a rule for this function: see `distributed.in_plan`."""
    array = array_of(tensor, "all_reduce")
    sent, kind = reducible(array, op)
    work = start_all_reduce(group, array, sent, op, kind, lambda: put(tensor, averaged(sent, op, size)))
    return _answer(work, async_op)


def reduce(
    tensor: Value, dst: int, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Combines `tensor` of all processes in place on the process `dst`; the others keep theirs. See `all_reduce`."""
    where = the_group(group)
    root = where.rank_of(dst, "dst")
    sent, kind = reducible(array_of(tensor, "reduce"), op)

    def store() -> None:
        if where.rank == root:
            put(tensor, averaged(sent, op, where.size))

    return _answer(
        where.submit(
            f"reduce(dst={root}, {op.name}, {form(tensor)})",
            lambda: where.backend.reduce(sent, root, kind),
            store,
            bytes=sent.nbytes,
        ),
        async_op,
    )


def broadcast(tensor: Value, src: int, group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """Fills `tensor` with that of the process `src`; the work where `async_op`, else None.

    Errors: as of `all_reduce`.
    """
    where = the_group(group)
    return _broadcast(where.number, where.rank_of(src, "src"), tensor, async_op)


def _broadcast(group: int, root: int, tensor: Value, async_op: bool) -> Work | None:
    """The tracer has a rule for this function: see `distributed.in_plan`."""
    sent = array_of(tensor, "broadcast").copy(order="C")
    return _answer(start_broadcast(group, sent, root, lambda: put(tensor, sent)), async_op)


def all_gather(
    tensor_list: list[Value], tensor: Value, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Fills place k of the list with `tensor` of process k; the work where `async_op`, else None.

    Errors: ValueError for a list of another length than there are processes, or tensors of other shapes or dtypes; as
        of `all_reduce`.
    """
    where = the_group(group)
    _check_list(tensor_list, tensor, where, "tensor_list")
    sent = _bytes_of(array_of(tensor, "all_gather"))
    rows = np.empty((where.size, sent.size), np.uint8)

    def store() -> None:
        for each, row in zip(tensor_list, rows, strict=True):
            put(each, _of_bytes(row, each))

    return _answer(
        where.submit(
            f"all_gather({form(tensor)})", lambda: where.backend.all_gather(rows, sent), store, bytes=sent.nbytes
        ),
        async_op,
    )


def all_gather_into_tensor(
    output_tensor: Value, input_tensor: Value, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Fills `output_tensor` with `input_tensor` of all processes one behind the other; the work where `async_op`.

    Shapes: input [n, *s], output [size * n, *s] or [size, n, *s].
    Errors: ValueError for another shape or dtype; as of `all_reduce`.
    """
    where = the_group(group)
    given, wanted = array_of(input_tensor, "all_gather_into_tensor"), array_of(output_tensor, "all_gather_into_tensor")
    joined = (where.size * given.shape[0], *given.shape[1:]) if given.ndim else (where.size,)
    if wanted.shape not in (joined, (where.size, *given.shape)) or wanted.dtype != given.dtype:
        raise CollectiveArgumentError(
            f"output_tensor is {form(output_tensor)}; of {where.size} inputs {form(input_tensor)} it has to have the "
            f"shape {list(joined)} or {[where.size, *given.shape]}, and their dtype"
        )
    sent = _bytes_of(given)
    rows = np.empty((where.size, sent.size), np.uint8)
    return _answer(
        where.submit(
            f"all_gather({form(input_tensor)})",
            lambda: where.backend.all_gather(rows, sent),
            lambda: put(output_tensor, _of_bytes(rows.reshape(-1), output_tensor)),
            bytes=sent.nbytes,
        ),
        async_op,
    )


def gather(
    tensor: Value,
    gather_list: list[Value] | None = None,
    dst: int = 0,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Fills place k of `gather_list`, which the process `dst` alone gives, with `tensor` of process k.

    Errors: ValueError for a list on another process, none on `dst`, or one that does not fit; as of `all_reduce`.
    """
    where = the_group(group)
    root, sent = where.rank_of(dst, "dst"), _bytes_of(array_of(tensor, "gather"))
    _check_owner(gather_list, where, root, "gather_list")
    if gather_list is not None:
        _check_list(gather_list, tensor, where, "gather_list")
    rows = np.empty((where.size, sent.size), np.uint8) if where.rank == root else None

    def store() -> None:
        for each, row in zip(gather_list or (), () if rows is None else rows, strict=True):
            put(each, _of_bytes(row, each))

    return _answer(
        where.submit(
            f"gather(dst={root}, {form(tensor)})",
            lambda: where.backend.gather(rows, sent, root),
            store,
            bytes=sent.nbytes,
        ),
        async_op,
    )


def scatter(
    tensor: Value,
    scatter_list: list[Value] | None = None,
    src: int = 0,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Fills `tensor` of process k with place k of `scatter_list`, which the process `src` alone gives.

    Errors: ValueError for a list on another process, none on `src`, or one that does not fit; as of `all_reduce`.
    """
    where = the_group(group)
    root, got = where.rank_of(src, "src"), _bytes_of(array_of(tensor, "scatter"))
    _check_owner(scatter_list, where, root, "scatter_list")
    rows: Array | None = None
    if scatter_list is not None:
        _check_list(scatter_list, tensor, where, "scatter_list")
        rows = np.stack([_bytes_of(array_of(each, "scatter")) for each in scatter_list])
    return _answer(
        where.submit(
            f"scatter(src={root}, {form(tensor)})",
            lambda: where.backend.scatter(got, rows, root),
            lambda: put(tensor, _of_bytes(got, tensor)),
            bytes=got.nbytes,
        ),
        async_op,
    )


def reduce_scatter(
    output: Value,
    input_list: list[Value],
    op: ReduceOp = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Fills `output` of process k with place k of the lists of all processes, combined; the work where `async_op`.

    A backend without `reduce_scatter`, one of somebody else's, moves as much as for an `all_reduce` of the whole list.
    Errors: ValueError for a list that does not fit; as of `all_reduce`.
    """
    where = the_group(group)
    _check_list(input_list, output, where, "input_list")
    rows = np.stack([array_of(each, "reduce_scatter") for each in input_list])
    return _reduce_scatter(output, rows, op, where, async_op, f"reduce_scatter({op}, {form(output)})")


def reduce_scatter_tensor(
    output: Value,
    input: Value,
    op: ReduceOp = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Fills `output` of process k with part k of `input` of all processes, combined. See `reduce_scatter`.

    Shapes: output [n, *s], input [size * n, *s] or [size, n, *s].
    """
    where = the_group(group)
    wanted, given = array_of(output, "reduce_scatter_tensor"), array_of(input, "reduce_scatter_tensor")
    joined = (where.size * wanted.shape[0], *wanted.shape[1:]) if wanted.ndim else (where.size,)
    if given.shape not in (joined, (where.size, *wanted.shape)) or wanted.dtype != given.dtype:
        raise CollectiveArgumentError(
            f"input is {form(input)}; for {where.size} outputs {form(output)} it has to have the shape {list(joined)} "
            f"or {[where.size, *wanted.shape]}, and their dtype"
        )
    rows = given.reshape(where.size, *wanted.shape)
    return _reduce_scatter(output, rows, op, where, async_op, f"reduce_scatter({op}, {form(output)})")


def _reduce_scatter(
    output: Value, rows: Array, op: ReduceOp, where: ProcessGroup, async_op: bool, description: str
) -> Work | None:
    sent, kind = reducible(rows, op)
    direct = getattr(where.backend, "reduce_scatter", None)
    own = sent[where.rank] if direct is None else np.empty(sent.shape[1:], sent.dtype)

    def start() -> StartedRequest:
        return where.backend.all_reduce(sent, kind) if direct is None else direct(own, sent, kind)

    work = where.submit(description, start, lambda: put(output, averaged(own, op, where.size)), bytes=sent.nbytes)
    return _answer(work, async_op)


def barrier(group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """Waits until all processes have called it; the work where `async_op`, else None. Errors: DistTimeoutError."""
    where = the_group(group)
    return _answer(where.submit("barrier()", where.backend.barrier), async_op)


def send(tensor: Value, dst: int, group: ProcessGroup | None = None, tag: int = 0) -> None:
    """Sends `tensor` to the process `dst`, which calls `recv`; waits until it has arrived.

    Errors: CollectiveMismatchError on both where the receiver expects another shape or dtype; as of `all_reduce`.
    """
    _between_two(tensor, dst, tag, the_group(group), is_sender=True)


def recv(tensor: Value, src: int, group: ProcessGroup | None = None, tag: int = 0) -> int:
    """The rank `src`, after `tensor` was filled with what that process sends. Errors: as of `send`."""
    _between_two(tensor, src, tag, the_group(group), is_sender=False)
    return src


def _between_two(tensor: Value, other: int, tag: int, where: ProcessGroup, is_sender: bool) -> None:
    """Compares what both mean, and then moves it."""
    told_rank, other = other, where.rank_of(other, "dst" if is_sender else "src")
    if other == where.rank:
        raise CollectiveArgumentError(
            f"rank {told_rank} is this process itself, which cannot be both ends of a message"
        )
    mine = form(tensor).encode()[:256].ljust(256, b"\0")
    told, got = np.frombuffer(mine, np.uint8).copy(), np.empty(256, np.uint8)
    moved = _bytes_of(array_of(tensor, "send" if is_sender else "recv"))
    word = f"{'send to' if is_sender else 'recv from'} rank {other}, {form(tensor)}"

    def submit(start: Callable[[], Any], bytes: int = 0) -> Work:
        return where.submit(word, start, bytes=bytes, is_between_two=True)

    def tell() -> None:
        submit(lambda: where.backend.send(told, other, 2 * tag)).wait()

    def ask() -> None:
        submit(lambda: where.backend.receive(got, other, 2 * tag)).wait()

    for step in (tell, ask) if is_sender else (ask, tell):
        step()
    if got.tobytes() != mine:
        theirs = got.tobytes().rstrip(b"\0").decode(errors="replace")
        sent, wanted = (form(tensor), theirs) if is_sender else (theirs, form(tensor))
        sender, receiver = (where.rank, other) if is_sender else (other, where.rank)
        raise CollectiveMismatchError(
            f"rank {sender} sends {sent}, and rank {receiver} expects {wanted}; nothing was sent: give both one shape "
            f"and dtype"
        )
    if is_sender:
        submit(lambda: where.backend.send(moved, other, 2 * tag + 1), moved.nbytes).wait()
        return
    submit(lambda: where.backend.receive(moved, other, 2 * tag + 1), moved.nbytes).wait()
    put(tensor, _of_bytes(moved, tensor))


# -- values and their bytes --------------------------------------------------------------------------------------------
def array_of(value: Value, function: str) -> Array:
    """The elements as a NumPy array. Errors: CollectiveTypeError for what is no tensor or array of numbers."""
    array = value._array if isinstance(value, Tensor) else value
    if not isinstance(array, ARRAY_TYPES) or array.dtype == object:
        raise CollectiveTypeError(f"{function} takes tensors and NumPy arrays of numbers, got {type(value).__name__}")
    return array if isinstance(array, np.ndarray) else np.asarray(value.detach().cpu()._array)


def put(value: Value, array: Array) -> None:
    """Writes elements into a tensor or an array."""
    if not isinstance(value, Tensor):
        value[...] = array
        return
    with no_grad():
        value.copy_(Tensor._wrap(array.astype(value._array.dtype, copy=False)))


def form(value: Value) -> str:
    """The dtype and the shape in words: ``float32[3, 4]``."""
    return form_of(array_of(value, "a collective"))


def _bytes_of(array: Array) -> Array:
    """A copy of the elements as a vector of bytes."""
    return np.array(array, order="C").reshape(-1).view(np.uint8) if array.size else np.empty(0, np.uint8)


def _of_bytes(bytes: Array, like: Value) -> Array:
    array = array_of(like, "a collective")
    return bytes.view(array.dtype).reshape(array.shape)


def _answer(work: Work, async_op: bool) -> Work | None:
    if async_op:
        return work
    work.wait()
    return None


def _check_list(values: Sequence[Value], like: Value, where: ProcessGroup, argument: str) -> None:
    if len(values) != where.size:
        raise CollectiveArgumentError(
            f"{argument} has {len(values)} entries; it has to have one for each of {where.size} processes"
        )
    for place, each in enumerate(values):
        if form(each) != form(like):
            raise CollectiveArgumentError(
                f"{argument}[{place}] is {form(each)}, and the tensor is {form(like)}; give all one form"
            )


def _check_owner(values: list[Value] | None, where: ProcessGroup, root: int, argument: str) -> None:
    if (values is not None) != (where.rank == root):
        problem = "is missing" if where.rank == root else "was given"
        raise CollectiveArgumentError(f"{argument} {problem} on rank {where.rank}; rank {root} alone gives it")
