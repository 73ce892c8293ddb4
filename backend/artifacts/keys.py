"""Requests for artifacts on disk: the parts of a key, each with a name, so that a miss can be explained."""

# Note [Keys of artifacts]
# An artifact is found by all that it was made of. The graph is the one that is compiled, so everything that decided how
# it looks (what is kept for backward, what hooks made of that) is in it. Two things stand in the key besides that
# change no graph: what the user says of functions that are opaque (`gl.wrap`), and the settings by which forward and
# backward were told apart, since a reader of the reasons looks for these. The user's lines and the names of values do
# not count: an artifact holds neither.

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.config import Settings, config
from ...core.records import dataclass, field_names
from ..disk_cache.kernel_store import content_key
from .seal import seal

if TYPE_CHECKING:
    from ...graph.digest import Line
    from .identity import BackendIdentity

FORMAT = 2
"""Goes up when files are written in another form."""
SETTINGS = (
    "activation_memory_budget",
    "must_save",
    "must_recompute",
    "partition_from",
    "saved_tensors_hooks_filtering_mode",
)
"""The settings by which a forward and a backward graph are told apart."""


NO_PART = frozenset(
    {
        "artifact_cache",
        "cache_dir",
        "cache_limit",
        "compile_threads",
        "disable",
        "entry_cache",
        "large_result_cache",
        "logs",
        "memory_limit",
        "status_line",
        "under_tracing",
    }
)
"""The settings that change nothing about an entry or a program. Any other one is part of the key of an entry."""


@dataclass(frozen=True, slots=True)
class Request:
    """An artifact as somebody looks for it. parts: by name, plain values that JSON gives back as they are."""

    kind: str
    about: str
    parts: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The name of its file."""
        text = json.dumps(self.parts, sort_keys=True)
        return content_key(self.kind.encode(), text.encode())


def request(identity: BackendIdentity, about_graph: Sequence[Line], about_call: Sequence[Line]) -> Request:
    """The request for an artifact of this identity.

    about_graph, about_call: lines that determine the graph, and how its call is laid out.

    Errors: NotComparable, where hooks cannot be told from others.
    """
    from ...graph.digest import digest

    parts = {
        "versions": versions(),
        "graph": digest(about_graph).hex(),
        "layout": digest(about_call).hex(),
        "hooks": identity.hooks.text(),
        "user_cache_hash": [list(each) for each in identity.hooks.hashes],
        "settings": settings() if identity.split else {},
    }
    return Request(identity.kind, identity.about, parts)


def settings(names: Iterable[str] = SETTINGS) -> dict[str, Any]:
    """These settings as they are now; those of splitting, unless told otherwise."""
    found = {name: getattr(config, name) for name in names}
    return {name: list(value) if type(value) is tuple else value for name, value in found.items()}


def every_setting() -> dict[str, Any]:
    """The settings that an entry or a program may depend on, as they are now."""
    return settings(name for name in field_names(Settings) if name not in NO_PART)


@cache
def versions() -> dict[str, Any]:
    """The versions that made this process's artifacts: form of files, NumPy, a digest of our code and the processor."""
    return {"format": FORMAT, "numpy": np.__version__, "code": seal().graphs.hex()}
