"""Tickets: the last block to be through with its part of a result finishes that, in the same launch."""

# Note [Tickets]
# Each block stores its part in the device's memory and takes a ticket: one thread of it adds 1 to a word. Whoever gets
# the last ticket knows that all parts are there, and merges them by their numbers, in an order in which the number of
# the block that does it plays no part. So a result has the same bits in each run and on each device.
#
# The addition is a release of what the block has stored (its threads have come to a barrier before) and an acquisition
# of what the blocks before it have. The last one turns the word to zero again, so no launch has to do that first. A
# kernel that stops since a check has failed may leave a word in between; whoever sees the failure clears all of them,
# and until then nothing of the plan runs.

from __future__ import annotations

TICKET_BYTES = 4
"""Bytes of a word that counts blocks."""
TAKE_TICKET = "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;"
"""The instruction that counts a word on, from 0 to a limit and to 0 again, and gives its value before."""


def ticket_lines(place: str, first_thread: str) -> list[str]:
    """The lines by which a block takes a ticket of `count`; `is_last` is then whether it was the last one, to all of
    its threads. place: the number of the word, as text; first_thread: what is true of one thread of the block."""
    return [
        "ticket = int64(-1)",
        "cuda.syncthreads()",
        f"if {first_thread}:",
        f"    ticket = take_ticket(tickets + {TICKET_BYTES} * {place}, count)",
        "is_last = cuda.syncthreads_or(int32(ticket == count - 1))",
    ]
