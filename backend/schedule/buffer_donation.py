"""Intermediates of one kernel that may live in the memory of its results.

A softmax keeps `exp(x - max)` between two inner loops over a row. The result overwrites it element by element, so it is
kept in the result's own memory: one pass less through the caches, and no arena.
"""

from __future__ import annotations

from ..evaluate.buffers import Buffer, BufferView
from .groups import Group, GroupRoot, Schedule
from .loop_nest import inner_loops_of


def share_memory(schedule: Schedule, readers: dict[Buffer, set[int]]) -> None:
    """Move intermediates that only later inner loops of their own kernel read into the memory of a later result.

    `readers` gives the positions of the groups that load from each buffer, and is kept up to date."""
    for group in schedule.groups:
        if group.kind != "row":
            continue
        taken: set[Buffer] = set()
        inner_loops = inner_loops_of(group)
        for root in group.roots:
            if not _is_private(group, root, readers):
                continue
            home = next((view for view in _later_results(group, root, inner_loops) if view.buffer not in taken), None)
            if home is not None and root.defines is not None:
                taken.add(home.buffer)
                readers.setdefault(home.buffer, set()).add(group.position)
                root.targets, group.nest = (home,), None
                schedule.places[root.defines] = home


def _is_private(group: Group, root: GroupRoot, readers: dict[Buffer, set[int]]) -> bool:
    if root.combine or root.level != "full" or len(root.targets) != 1:
        return False
    buffer = root.targets[0].buffer
    return buffer.place == "temporary" and readers.get(buffer) == {group.position}


def _later_results(group: Group, root: GroupRoot, inner_loops: dict[GroupRoot, int]) -> list[BufferView]:
    """Views of this layout that are written after, or while, `root` is read for the last time."""
    users = [each for each in group.roots if root in each.needs]
    last = max((inner_loops[each] for each in users), default=0)
    own = root.targets[0]
    return [
        other.targets[0]
        for other in group.roots
        if not other.combine
        and other.level == "full"
        and len(other.targets) == 1
        and other.targets[0].buffer.place != "input"
        and inner_loops[other] >= last
        and inner_loops[other] > inner_loops[root]
        and other.targets[0].buffer.dtype is own.buffer.dtype
        and (other.targets[0].shape, other.targets[0].strides) == (own.shape, own.strides)
    ]
