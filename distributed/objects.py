"""Collectives of any objects that pickle takes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from .collectives import all_gather, broadcast
from .errors import CollectiveArgumentError
from .process_group import ProcessGroup
from .program_group import the_group


def all_gather_object(object_list: list[Any], obj: Any, group: ProcessGroup | None = None) -> None:
    """Fills place k of the list with `obj` of process k, pickled there and unpickled here.

    Only for programs that trust each other: unpickling runs what was sent.
    Errors: ValueError for a list of another length than there are processes; what pickle raises.
    """
    where = the_group(group)
    if len(object_list) != where.size:
        raise CollectiveArgumentError(
            f"object_list has {len(object_list)} entries; it has to have one for each of {where.size} processes"
        )
    mine = np.frombuffer(pickle.dumps(obj), np.uint8)
    sizes = [np.zeros(1, np.int64) for _ in range(where.size)]
    all_gather(sizes, np.array([mine.size], np.int64), group)
    longest = max(int(each[0]) for each in sizes)
    filled = np.zeros(longest, np.uint8)
    filled[: mine.size] = mine
    rows = [np.empty(longest, np.uint8) for _ in range(where.size)]
    all_gather(rows, filled, group)
    object_list[:] = [pickle.loads(row[: int(size[0])].tobytes()) for row, size in zip(rows, sizes, strict=True)]


def broadcast_object_list(object_list: list[Any], src: int = 0, group: ProcessGroup | None = None) -> None:
    """Fills the list with the objects of that of the process `src`, pickled there and unpickled here.

    Only for programs that trust each other: unpickling runs what was sent.
    Errors: ValueError where the lists have several lengths; what pickle raises.
    """
    where = the_group(group)
    is_sender = where.rank == where.rank_of(src, "src")
    mine = pickle.dumps(object_list) if is_sender else b""
    told = np.array([len(mine), len(object_list)], np.int64)
    broadcast(told, src, group)
    sent = np.frombuffer(mine, np.uint8).copy() if is_sender else np.empty(int(told[0]), np.uint8)
    broadcast(sent, src, group)
    if len(object_list) != told[1]:
        raise CollectiveArgumentError(
            f"object_list has {len(object_list)} entries here and {int(told[1])} on rank {src}; give all one length"
        )
    object_list[:] = pickle.loads(sent.tobytes())
