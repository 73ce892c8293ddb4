"""The launches of a plan as one graph of the driver, whose nodes are given new parameters where those move."""

# Note [Graphs of launches]
# The second call of a plan makes a graph of its launches, node by node, from the records that it launches them by; so a
# graph needs no capture, and whoever links a plan anew makes nothing but new parameters. A call compares the addresses
# that it writes into parameters with those that are there, so it knows which nodes are to be told of others; there is
# no declaration by which an array would have to stay where it is. Where most of them moved the call launches
# one kernel after the other, as without a graph, and the nodes are told once the addresses stay.
#
# The nodes form a chain. Intermediates share memory by the order of the launches, so edges for true dependencies would
# also have to say who overwrites what nobody reads any more; and the kernels of a plan mostly fill the device.

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from ...cpu.plan import issue_table as at

if TYPE_CHECKING:
    from ..driver import Gpu
    from .call_table import IssueTable

FEWEST_LAUNCHES = 4
"""Plans of fewer launches have no graph. A launch takes a driver some 2 microseconds, a graph's some 5 and a tenth for
each node, by what others report."""
MOST_MOVED = 0.5
"""The part of the launches whose parameters may have changed in a call that the graph makes: telling a node costs about
half of what a launch does."""


class LaunchGraph:
    """The graph of the launches of a table, with the parameters that are there now. Errors: CudaError."""

    def __init__(self, device: Gpu, table: IssueTable) -> None:
        self._device = device
        self._graph, self.executable = ctypes.c_void_p(), ctypes.c_void_p()
        device.call("cuGraphCreate", ctypes.byref(self._graph), ctypes.c_uint(0))
        try:
            self._add_nodes(table)
            device.call(
                "cuGraphInstantiateWithFlags", ctypes.byref(self.executable), self._graph, ctypes.c_ulonglong(0)
            )
        except BaseException:
            self.destroy()
            raise

    def _add_nodes(self, table: IssueTable) -> None:
        first, count = int(table[at.ISSUE_LAUNCHES]), int(table[at.ISSUE_LAUNCH_COUNT])
        before = (ctypes.c_void_p * 1)()
        for k in range(count):
            position = first + k * at.LAUNCH_WORDS
            node, parameters = ctypes.c_void_p(), ctypes.c_void_p(int(table.ctypes.data) + 8 * position)
            number = ctypes.c_size_t(min(k, 1))
            self._device.call(
                "cuGraphAddKernelNode_v2", ctypes.byref(node), self._graph, before if k else None, number, parameters
            )
            before[0] = node
            table[position + at.LAUNCH_NODE], table[position + at.LAUNCH_MOVED] = node.value, 0
        table[at.ISSUE_STALE] = 0

    def destroy(self) -> None:
        """Gives back what the driver holds; calls that were launched are not disturbed."""
        if self.executable:
            self._device.given("cuGraphExecDestroy", self.executable)
        self._device.given("cuGraphDestroy", self._graph)
