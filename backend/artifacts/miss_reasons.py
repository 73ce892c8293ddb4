"""Why artifacts were not found: what differs from the stored one that comes nearest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.records import dataclass
from ...core.user_line import cells_named
from .counters import Missed, remembered
from .keys import Request
from .store import stored_before

_WORDS = {
    "graph": "the graph differs",
    "layout": "the layout of the call differs",
    "hooks": "the hooks differ",
    "function": "its code differs",
}


@dataclass(frozen=True, slots=True)
class ArtifactMiss:
    """An artifact that was looked for in vain, or one that was none to look for (`bypass`).

    kind: "graph", "backward", "cut" or "entry".   about: whose it was.
    reason: what differs from the nearest one on disk.
    """

    kind: str
    about: str
    reason: str
    bypass: bool = False

    def __str__(self) -> str:
        return f"{'bypass' if self.bypass else 'miss'} of the {self.kind} of {self.about}: {self.reason}"


def misses() -> tuple[ArtifactMiss, ...]:
    """The last misses and bypasses of this process, the oldest first. It reads the heads of stored files."""
    return tuple(_explained(each) for each in remembered())


def _explained(each: Missed) -> ArtifactMiss:
    if each.request is None:
        return ArtifactMiss(each.kind, cells_named(each.about), each.why, bypass=True)
    return ArtifactMiss(each.kind, cells_named(each.about), each.why or _difference(each.request, each.time))


def _difference(request: Request, moment: int) -> str:
    """The difference, in words, from the nearest request that was there: the same function's rather than another's."""
    best: tuple[tuple[bool, int], list[str], str] | None = None
    for key, head in stored_before(request.kind, moment):
        if key == request.key:
            continue
        found = differences(head["parts"], request.parts)
        nearness = head.get("about") == request.about, -len(found)
        if best is None or nearness > best[0]:
            best = nearness, found, str(head.get("about"))
    if best is None:
        return "none of its kind was stored"
    return f"{', '.join(best[1])} (beside that of {best[2]})"


def differences(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """The differences between the parts of two keys, in words."""
    found = []
    for name, value in wanted.items():
        before = stored.get(name)
        if before == value:
            continue
        if name in _WORDS:
            found.append(_WORDS[name])
        elif isinstance(value, dict):
            old = before if isinstance(before, dict) else {}
            found += [
                f"{_word(name)} {each}: {_short(old.get(each))} -> {_short(value.get(each))}"
                for each in sorted({*old, *value})
                if old.get(each) != value.get(each)
            ]
        else:
            found.append(f"{name}: {_short(before)} -> {_short(value)}")
    return found


def _word(part: str) -> str:
    return {"settings": "setting", "versions": "version", "options": "option"}[part]


def _short(value: Any) -> str:
    text = repr(value)
    return f"{text[:9]}...'" if type(value) is str and len(value) > 32 else text
