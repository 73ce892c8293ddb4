"""The backend of MPI, through mpi4py, which is imported when it is first used: that initialises MPI."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

from .backend import Array
from .errors import DistBackendError, MissingMPIError, WorldSizeError

_WORLD_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS")
_OPS = {"sum": "SUM", "max": "MAX", "min": "MIN", "product": "PROD"}


@cache
def mpi() -> Any:
    """The module `mpi4py.MPI`, which initialises MPI. Errors: MissingMPIError where it cannot be imported."""
    try:
        return import_module("mpi4py.MPI")
    except (ImportError, RuntimeError) as error:  # RuntimeError: mpi4py is there, and finds no MPI library
        raise MissingMPIError(
            f"the backend 'mpi' needs mpi4py and an MPI library, and importing mpi4py failed: {error}\n"
            "Install both with `pip install 'guardlift[mpi]'` (mpi4py and Open MPI as wheels); on a cluster, take "
            "mpi4py alone (`pip install mpi4py`) beside the MPI that is there. To run in one process: "
            "init_process_group('self')"
        ) from error


def launched_size() -> int | None:
    """The number of processes that the MPI launcher of this process says it has started; None without one."""
    return next((int(os.environ[each]) for each in _WORLD_SIZES if os.environ.get(each, "").isdigit()), None)


class _Pending:
    """A communication of MPI. Errors: DistBackendError, from `test`."""

    def __init__(self, request: Any) -> None:
        self._request = request

    def test(self) -> bool:
        try:
            return bool(self._request.Test())
        except mpi().Exception as error:
            raise DistBackendError(f"MPI failed: {error}") from error


class MPIBackend:
    """All processes that one mpirun has started.

    Errors: WorldSizeError where the launcher is that of another MPI, so that each process believes to be alone;
        DistBackendError for an MPI that only the main thread may call.
    """

    def __init__(self, comm: Any = None) -> None:
        """comm: a communicator of some of the processes; all of them by default."""
        if comm is not None:
            self._mpi, self._comm = mpi(), comm
            self.rank, self.size = comm.Get_rank(), comm.Get_size()
            return
        MPI = self._mpi = mpi()  # noqa: N806
        world = MPI.COMM_WORLD
        told = launched_size()
        if told is not None and told != world.Get_size():
            raise WorldSizeError(
                f"mpirun has started {told} processes, and mpi4py sees {world.Get_size()}: the launcher belongs to "
                f"another MPI than mpi4py uses ({MPI.Get_library_version().splitlines()[0]}). Start the program with "
                "the mpirun of that one"
            )
        if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
            raise DistBackendError(
                "this MPI was initialised for calls from the main thread alone; set mpi4py.rc.thread_level = "
                "'multiple' before mpi4py.MPI is imported"
            )
        self._comm = world.Dup()  # messages of the user's own use of MPI are not ours
        self.rank = self._comm.Get_rank()
        self.size = self._comm.Get_size()

    def subgroup(self, ranks: tuple[int, ...]) -> MPIBackend | None:
        """See `CollectiveBackend`."""
        is_member = self.rank in ranks
        place = ranks.index(self.rank) if is_member else 0
        comm = self._comm.Split(0 if is_member else self._mpi.UNDEFINED, place)
        return MPIBackend(comm) if is_member else None

    def all_reduce(self, array: Array, op: str) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Iallreduce(self._mpi.IN_PLACE, array, getattr(self._mpi, _OPS[op])))

    def reduce(self, array: Array, root: int, op: str) -> _Pending:
        """See `CollectiveBackend`."""
        if self.rank == root:
            return _Pending(self._comm.Ireduce(self._mpi.IN_PLACE, array, getattr(self._mpi, _OPS[op]), root))
        return _Pending(self._comm.Ireduce(array, None, getattr(self._mpi, _OPS[op]), root))

    def reduce_scatter(self, array: Array, rows: Array, op: str) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Ireduce_scatter_block(rows, array, getattr(self._mpi, _OPS[op])))

    def broadcast(self, array: Array, root: int) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Ibcast(array, root))

    def all_gather(self, rows: Array, array: Array) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Iallgather(array, rows))

    def gather(self, rows: Array | None, array: Array, root: int) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Igather(array, rows, root))

    def scatter(self, array: Array, rows: Array | None, root: int) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Iscatter(rows, array, root))

    def barrier(self) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Ibarrier())

    def send(self, array: Array, to: int, tag: int) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Isend(array, to, tag))

    def receive(self, array: Array, source: int, tag: int) -> _Pending:
        """See `CollectiveBackend`."""
        return _Pending(self._comm.Irecv(array, source, tag))

    def abort(self, code: int) -> None:
        """See `CollectiveBackend`."""
        self._mpi.COMM_WORLD.Abort(code)

    def close(self) -> None:
        """See `CollectiveBackend`. MPI itself is finalised by mpi4py when the process ends."""
        if not self._mpi.Is_finalized():
            self._comm.Free()
