"""The group of all processes of the program: started and ended, asked for ranks, and divided into smaller groups."""

from __future__ import annotations

import atexit
import os
import sys
import types
from collections.abc import Sequence
from datetime import timedelta
from importlib.util import find_spec
from typing import Any

from ..core.records import replace
from .backend import make_backend
from .errors import DistError, WorldSizeError
from .process_group import CommunicationStatistics, ProcessGroup

DEFAULT_TIMEOUT = timedelta(minutes=30)
_group: ProcessGroup | None = None


def is_available() -> bool:
    """True: a program of one process needs no MPI; `is_mpi_available` tells of several."""
    return True


def is_mpi_available() -> bool:
    """Whether mpi4py is installed; whether it finds an MPI library is only seen when it is imported."""
    return find_spec("mpi4py") is not None


def is_initialized() -> bool:
    """Whether there is a process group."""
    return _group is not None


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
) -> None:
    """Starts the communication of this process with the others that the same launcher has started.

    backend: "mpi", "self" or a name given to `register_backend`; None is "mpi" under an MPI launcher, else "self".
    timeout: how long a communication may take until those who wait get an error; half an hour unless given.
    world_size, rank: what is expected, where given; the launcher decides.
    An exception that nobody catches ends all processes of the program from now on, after its traceback.
    Errors: MissingMPIError without mpi4py or its MPI; WorldSizeError for another number of processes than expected;
        ValueError for an `init_method` other than "env://" and for backends nobody has registered; DistError for a
        second group.
    """
    global _group
    if _group is not None:
        raise DistError("there is a process group already; destroy_process_group() ends it")
    if init_method not in (None, "env://"):
        raise WorldSizeError(
            f"init_method is {init_method!r}; processes are found by their launcher: start them by `mpirun -n N`"
        )
    if timeout is not None and timeout <= timedelta(0):
        raise WorldSizeError(f"timeout is {timeout}; it has to be longer than nothing")
    name = (backend or ("mpi" if _is_launched() else "self")).lower()
    made = make_backend(name)
    if world_size not in (-1, made.size):
        raise WorldSizeError(
            f"world_size is {world_size}, and the backend {name!r} has {made.size} process{'es' * (made.size > 1)}: "
            f"start the program by `mpirun -n {world_size} python ...`, or leave world_size out"
        )
    if rank not in (-1, made.rank):
        raise WorldSizeError(
            f"rank is {rank}, and the launcher has made this process number {made.rank}: leave rank out"
        )
    _group = ProcessGroup(made, name, DEFAULT_TIMEOUT if timeout is None else timeout)
    if made.size > 1:
        _watch_for_the_end(_group)


def _is_launched() -> bool:
    names = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS")
    return any(each in os.environ for each in names)


def _watch_for_the_end(group: ProcessGroup) -> None:
    """Makes an exception that nobody catches, and a group that has failed, end all processes."""
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: types.TracebackType | None) -> None:
        before(kind, error, traceback)
        if _group is group and os.getpid() == group._process:
            sys.stdout.flush()
            print(
                f"rank {group.rank} ends all processes, since nobody caught its {kind.__name__}",
                file=sys.stderr,
                flush=True,
            )
            group.backend.abort(1)

    def at_exit() -> None:
        if _group is group and os.getpid() == group._process and group.has_failed:
            sys.stdout.flush()
            sys.stderr.flush()
            group.backend.abort(1)  # MPI would wait for the others for good

    sys.excepthook = hook
    atexit.register(at_exit)


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """Ends the communication of this process, or of one of its groups. Errors: DistError where there is none."""
    global _group
    ended = the_group(group)
    ended.close()
    if ended is _group or group is None:
        _group = None


class GroupMember:
    """Values that stand for groups where there is none."""

    WORLD = None
    """Stands for the group of all processes."""
    NON_GROUP_MEMBER: Any = "this process is no member of the group"
    """The answer of `new_group` on processes that are no members."""


def new_group(
    ranks: Sequence[int] | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: None = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
) -> Any:
    """A group of some of the processes, which collectives take as `group`; `GroupMember.NON_GROUP_MEMBER` on others.

    All processes call it, members or not, with the same ranks and in the same order.
    ranks: the members, by their ranks among all, which `src` and `dst` still are; the place of each is its rank in the
        group. All unless given.
    timeout: as of `init_process_group`; that of the group of all unless given.
    backend: that of the group of all.
    Errors: ValueError for ranks that no process has or that stand there twice, and for another backend; DistError
        where the backend makes no such groups; CollectiveMismatchError, on every process, where the ranks differ.
    """
    whole = the_group()
    if backend not in (None, whole.name) or pg_options is not None or use_local_synchronization:
        raise WorldSizeError(
            f"new_group makes groups of the backend {whole.name!r}, by all processes together, without options; got "
            f"backend={backend!r}, pg_options={pg_options!r}, use_local_synchronization={use_local_synchronization}"
        )
    found = whole.subgroup(range(whole.size) if ranks is None else ranks, timeout)
    return GroupMember.NON_GROUP_MEMBER if found is None else found


def get_process_group_ranks(group: ProcessGroup | None) -> list[int]:
    """The ranks of the group's members among all processes, in the order of their ranks in the group."""
    return list(the_group(group).ranks)


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """The rank in the group of a process. Errors: ValueError for one that is no member."""
    return the_group(group).rank_of(global_rank, "global_rank")


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """The rank among all processes of a member. Errors: ValueError for a rank that the group does not have."""
    ranks = the_group(group).ranks
    if not 0 <= group_rank < len(ranks):
        raise WorldSizeError(f"group_rank is {group_rank}; the group has the ranks 0 to {len(ranks) - 1}")
    return ranks[group_rank]


def the_group(group: Any = None) -> ProcessGroup:
    """The group itself, or that of the program. Errors: DistError where there is none, or this process is not in it."""
    if group is GroupMember.NON_GROUP_MEMBER:
        raise DistError(
            "this process is no member of the group: let only its members call, as those where "
            "dist.get_rank(group) >= 0"
        )
    if group is not None:
        return group  # type: ignore[no-any-return]
    if _group is None:
        raise DistError("there is no process group; call gl.distributed.init_process_group() first")
    return _group


def get_rank(group: ProcessGroup | None = None) -> int:
    """The number of this process in the group, from 0; -1 for a process that is no member."""
    if group is GroupMember.NON_GROUP_MEMBER:
        return -1
    return the_group(group).rank


def get_world_size(group: ProcessGroup | None = None) -> int:
    """The number of processes in the group; -1 for a process that is no member."""
    if group is GroupMember.NON_GROUP_MEMBER:
        return -1
    return the_group(group).size


def get_backend(group: ProcessGroup | None = None) -> str:
    """The name of the backend."""
    return the_group(group).name


def statistics(group: ProcessGroup | None = None) -> CommunicationStatistics:
    """The figures of the group's communications so far, and of the time that the program waited for them."""
    return replace(the_group(group).figures)
