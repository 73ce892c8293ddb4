"""The loggers ``guardlift.recompiles`` and its like, and what writes their messages where no program has set up any.

Imported, and `logging` with it, at the first message.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

from ...core.user_line import cells_named

PARENT = logging.getLogger("guardlift")
"""The logger above all of ours."""


class _StandardError(logging.Handler):
    """Writes messages to standard error, each line with its kind in front, unless the program handles them itself."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one message; what goes wrong meanwhile is told as `logging` tells it, and never raised."""
        if handled_elsewhere(record.name):
            return
        try:
            title = record.name.replace(".", " ")
            lines = [f"{title}: {line}\n" for line in record.getMessage().split("\n")]
            sys.stderr.write("".join(lines))
            sys.stderr.flush()
        except Exception:
            self.handleError(record)


def handled_elsewhere(name: str) -> bool:
    """Whether the program handles the messages of a logger itself."""
    ours = (*PARENT.handlers, *logging.getLogger(name).handlers)
    own = any(not isinstance(each, _StandardError) for each in ours)
    return own or PARENT.propagate and bool(logging.getLogger().handlers)


def send(kind: str, lines: Sequence[str]) -> None:
    """Give the lines, as one message of level INFO, to the logger of one kind."""
    if not any(isinstance(each, _StandardError) for each in PARENT.handlers):
        PARENT.addHandler(_StandardError())
        if PARENT.level == logging.NOTSET:
            PARENT.setLevel(logging.INFO)  # whoever names a kind in the settings wants to see it
    PARENT.getChild(kind).info("%s", cells_named("\n".join(lines)))
