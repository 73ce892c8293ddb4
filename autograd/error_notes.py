"""Notes on a backward that fails: which forward operation the failing node is of, and who wrote what it saved."""

from __future__ import annotations

import traceback
import warnings
from typing import TYPE_CHECKING, Any

from ..core.user_line import user_frame
from ..tensor.mutations import writes_since
from ..tensor.version import VersionCounter

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor
    from .node import Node


class _Anomaly:
    """Whether anomaly mode is on, for all threads."""

    __slots__ = ("check_nan", "enabled")

    def __init__(self) -> None:
        self.enabled = False
        self.check_nan = True

    def annotate(self, node: Any) -> None:
        """Notes in the metadata of a fresh node where the user made it, and the node whose backward made it."""
        if node is None or "traceback_" in node.metadata:
            return
        frame, _ = user_frame()
        node.metadata["traceback_"] = traceback.format_stack(frame)
        from .engine import current_task  # the engine runs nodes, and asks here whether to check them

        task = current_task()
        if task is not None and task.current is not None:
            node.metadata["parent_"] = task.current


ANOMALY = _Anomaly()


def explain(node: Node, error: Exception) -> None:
    """Warns with the traceback of the forward call that made `node`, whose backward has failed with `error`.

    The user's line becomes a note of the error.
    """
    text, lines = f"Error detected in {node.name()}.", _forward(node)
    if not lines:
        text += (
            " No forward pass information available. Enable detect anomaly during forward pass for more information."
        )
    else:
        text += f" Traceback of forward call that caused the error:\n{''.join(lines)}"
        error.add_note(f"This is the backward of {node.name()}, which was recorded here:\n{lines[-1].rstrip()}")
    parent = (node._metadata or {}).get("parent_")
    while parent is not None:
        text += f"\nPrevious calculation was induced by {parent.name()}."
        text += f" Traceback of forward call that induced the previous calculation:\n{''.join(_forward(parent))}"
        parent = (parent._metadata or {}).get("parent_")
    frame, _ = user_frame()
    if frame is not None:
        registry = frame.f_globals.setdefault("__warningregistry__", {})
        warnings.warn_explicit(text, UserWarning, frame.f_code.co_filename, frame.f_lineno, registry=registry)


def _forward(node: Node) -> list[str]:
    return (node._metadata or {}).get("traceback_", [])


def modified(tensor: Tensor, version: int, origin: str) -> str:
    """A note that `tensor`, saved at `version`, was written since.   origin: what it is, between commas, or empty."""
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{tensor.dtype} tensor {list(tensor.shape)}]{origin} is at version {tensor._counter.value}; expected version "
        f"{version} instead."
    )


def how_to_find_the_write(counter: VersionCounter, version: int) -> str:
    """Who has written the memory of `counter` since `version`, if that was recorded; otherwise how to find out."""
    writes = writes_since(counter, version)
    if writes:
        return f"Since it was saved it has been written: {'; '.join(writes)}. Clone it before, or compute out of place"
    advice = (
        "It was written after it had been saved: look for an in-place operation (a method whose name ends in _, an "
        "assignment to a part) after its use, and clone it there or compute out of place"
    )
    if ANOMALY.enabled:
        return (
            f"{advice}. The traceback shown above is that of the forward operation that saved it; the write was done "
            "in there or later"
        )
    return (
        f"{advice}. gl.autograd.set_detect_anomaly(True) shows the forward operation that saved it, "
        "gl.config.record_mutations = 8 the writes"
    )
