"""Hits and misses of the artifact cache, counted and explained: `gl.artifact_counters`, `gl.artifact_misses`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..backend.artifacts.counters import ArtifactCounters
    from ..backend.artifacts.miss_reasons import ArtifactMiss


def artifact_counters() -> dict[str, ArtifactCounters]:
    """The artifacts that this process has found on disk, counted by kind; each has `hit`, `miss`, `save` and `bypass`.

    Kinds: "entry", whole entries, with which a function is not even traced; "graph", what calls run; "backward", what
    the backward of compiled forwards runs; "cut", what such a forward keeps for its backward.

    A hit of "entry" is a function whose first call was answered so. Of the others one is counted for each graph that is
    compiled, and one for each time a cut is looked for; what a process has in memory anyway is not looked for. A bypass
    is an artifact that cannot be found again by what is known of it; it counts as nothing else. `artifact_misses` says
    why.
    """
    from ..backend.artifacts.counters import counters

    return counters()


def artifact_misses() -> tuple[ArtifactMiss, ...]:
    """The last 64 misses and bypasses of this process, the oldest first, each with its `kind`, `about` and `reason`.

    The reason of a miss is what differs from the nearest artifact that was on disk: the graph, the layout of the call,
    the hooks, their `user_cache_hash`, a setting, a version. Reads the heads of files, so it takes a moment.
    """
    from ..backend.artifacts.miss_reasons import misses

    return misses()
