"""The code objects that try one entry for a call. They have no body: what an entry leaves, the waiting frame runs."""

from __future__ import annotations

import types
import weakref

PROBES: weakref.WeakSet[types.CodeType] = weakref.WeakSet()
"""All that there are. The frame of the call itself is the next one outside, behind frames of guardlift's."""
