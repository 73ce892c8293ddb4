"""Communication between the processes of one program, under the names of `torch.distributed`.

A backend moves the bytes: "mpi" is mpi4py, "self" a program of one process; others are added by `register_backend`.
"""

from typing import TYPE_CHECKING

from ..core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .backend import CollectiveBackend, StartedRequest, register_backend
    from .collectives import (
        all_gather,
        all_gather_into_tensor,
        all_reduce,
        barrier,
        broadcast,
        gather,
        recv,
        reduce,
        reduce_scatter,
        reduce_scatter_tensor,
        scatter,
        send,
    )
    from .errors import (
        CollectiveMismatchError,
        DistBackendError,
        DistError,
        DistTimeoutError,
        MissingMPIError,
        WorldSizeError,
    )
    from .objects import all_gather_object, broadcast_object_list
    from .process_group import CommunicationStatistics, ProcessGroup
    from .program_group import (
        GroupMember,
        destroy_process_group,
        get_backend,
        get_global_rank,
        get_group_rank,
        get_process_group_ranks,
        get_rank,
        get_world_size,
        init_process_group,
        is_available,
        is_initialized,
        is_mpi_available,
        new_group,
        statistics,
    )
    from .reduce_op import ReduceOp
    from .work import Work

__all__ = [
    "CollectiveBackend",
    "CollectiveMismatchError",
    "CommunicationStatistics",
    "DistBackendError",
    "DistError",
    "DistTimeoutError",
    "GroupMember",
    "MissingMPIError",
    "ProcessGroup",
    "ReduceOp",
    "StartedRequest",
    "Work",
    "WorldSizeError",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_object",
    "all_reduce",
    "barrier",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_available",
    "is_initialized",
    "is_mpi_available",
    "new_group",
    "recv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "register_backend",
    "scatter",
    "send",
    "statistics",
]

__getattr__, __dir__ = lazy_names(__name__)
