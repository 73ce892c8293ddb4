"""The interface of a backend, which moves bytes between processes, and the table of those that are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from .errors import CollectiveArgumentError

Array = np.ndarray[Any, Any]


class StartedRequest(Protocol):
    """A communication that has been started."""

    def test(self) -> bool:
        """Whether it is done; called again and again, it also moves the communication on. Never blocks."""
        ...


class CollectiveBackend(Protocol):
    """One way to move bytes between the processes of a program.

    Each method starts a communication and returns at once. All processes call the same methods in the same order, from
    one thread; shapes and dtypes have been compared beforehand. Arrays are row-major NumPy arrays in the host's memory
    (tensors of a device are copied there and back), of integers, float32, float64 and complex numbers (halves and bools
    come as float32 and bytes), and stay alive until the request is done.
    `op` is "sum", "max", "min" or "product".

    A backend may have a method ``subgroup(ranks)``, called by all processes at once, which gives the backend of a group
    of some of them, with their places in `ranks` as their numbers, and None to the others. Without it there is no
    `new_group`. It may block until all have called it.

    A backend may have a method ``reduce_scatter(array, rows, op)``, which fills `array` with row `rank` of `rows`,
    combined with those of all processes. Shapes: rows [size, *s], array [*s]. Without it all rows are reduced on all
    processes.
    """

    rank: int
    """The number of this process, from 0."""
    size: int
    """The number of processes."""

    def all_reduce(self, array: Array, op: str) -> StartedRequest:
        """Combine `array` of all processes, in place on each."""
        ...

    def reduce(self, array: Array, root: int, op: str) -> StartedRequest:
        """Combine `array` of all processes, in place on `root` alone."""
        ...

    def broadcast(self, array: Array, root: int) -> StartedRequest:
        """Fill `array` with that of `root`."""
        ...

    def all_gather(self, rows: Array, array: Array) -> StartedRequest:
        """Fill row k of `rows` with `array` of process k. Shapes: rows [size, *s], array [*s]."""
        ...

    def gather(self, rows: Array | None, array: Array, root: int) -> StartedRequest:
        """Fill row k of `rows`, which only `root` has, with `array` of process k."""
        ...

    def scatter(self, array: Array, rows: Array | None, root: int) -> StartedRequest:
        """Fill `array` with row `rank` of `rows`, which only `root` has."""
        ...

    def barrier(self) -> StartedRequest:
        """A request that is done when all processes have called this."""
        ...

    def send(self, array: Array, to: int, tag: int) -> StartedRequest:
        """Send `array` to one process."""
        ...

    def receive(self, array: Array, source: int, tag: int) -> StartedRequest:
        """Fill `array` with what one process sends."""
        ...

    def abort(self, code: int) -> None:
        """End all processes of the program, this one with exit code `code`."""
        ...

    def close(self) -> None:
        """Give up what the backend holds; the process goes on."""
        ...


_BACKENDS: dict[str, Callable[[], CollectiveBackend]] = {}


def register_backend(name: str, make: Callable[[], CollectiveBackend]) -> None:
    """Adds a backend that `init_process_group(name)` then makes by calling `make`."""
    _BACKENDS[name.lower()] = make


def make_backend(name: str) -> CollectiveBackend:
    """A new backend of that name. Errors: CollectiveArgumentError for a name that nobody has registered."""
    if name.lower() not in _BACKENDS:
        known = ", ".join(map(repr, _BACKENDS))
        raise CollectiveArgumentError(
            f"there is no backend {name!r}; there are {known}, and register_backend(name, make) adds one"
        )
    return _BACKENDS[name.lower()]()


def _make_mpi() -> CollectiveBackend:
    from .mpi_backend import MPIBackend  # mpi4py initialises MPI when it is imported

    return MPIBackend()


def _make_self() -> CollectiveBackend:
    from .self_backend import SelfBackend  # not needed where MPI is

    return SelfBackend()


register_backend("mpi", _make_mpi)
register_backend("self", _make_self)
