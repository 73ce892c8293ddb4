"""The exits of a region's program for what `Fail` has noted: behind the innermost loop, so that its rounds stay alike.

A loop that may end in any round is not vectorised. One that goes on, and is left behind its end, is. That must do no
harm, so nothing in it may run for an unknown time.
"""

from __future__ import annotations

from ...core.records import replace
from ..ir import Count, Fail, If, InnerLoop, Leave, Repeat, Statement, walk

Body = tuple[Statement, ...]


def leaving_behind_loops(body: Body, *, waits: bool = False) -> Body:
    """The statements with each `Fail` of an innermost loop followed by leaving, behind the loop; others leave at once.

    `waits`: they stand in such a loop."""
    found: list[Statement] = []
    for each in body:
        if isinstance(each, Fail) and not waits:
            found.append(If(each.condition, (Leave(),)) if each.condition else Leave())
        elif isinstance(each, If):
            then, otherwise = (leaving_behind_loops(branch, waits=waits) for branch in (each.then, each.otherwise))
            found.append(replace(each, then=then, otherwise=otherwise))
        elif isinstance(each, (Count, Repeat, InnerLoop)):
            innermost = not isinstance(each, Repeat) and not _holds(each.body, (Count, Repeat))
            found.append(replace(each, body=leaving_behind_loops(each.body, waits=waits or innermost)))
            if innermost and not waits and _holds(each.body, Fail):
                found.append(If("status", (Leave(),)))
        else:
            found.append(each)
    return tuple(found)


def _holds(body: Body, kinds: type | tuple[type, ...]) -> bool:
    return any(isinstance(each, kinds) for each in walk(body))
