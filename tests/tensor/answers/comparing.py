"""The differences of two answers to one question, as short words: `error`, `value dtype`, `memory` and so on."""

from __future__ import annotations

from typing import Any

import numpy as np

TOLERANCES = {"float16": 2e-3, "bfloat16": 1.6e-2, "float32": 2e-5, "float64": 1e-10}
"""Relative to the size of an element, or of the largest finite one where that is more: sums are in another order."""


def differences(found: dict[str, Any], expected: dict[str, Any], coarse: str = "float64") -> list[str]:
    """The words for what differs; none if nothing does.

    coarse: the dtype with the fewest digits that a float among the operands has.
    """
    if "error" in expected or "error" in found:
        return [] if _same_error(found.get("error"), expected.get("error")) else ["error"]
    words = _lists("value", found["values"], expected["values"], coarse)
    for part in ("first", "second"):
        if words:
            break  # what follows from another value is no difference of its own
        words = _parts(part, found.get(part), expected.get(part), coarse)
    return words or ([] if all(map(_same_memory, found["memory"], expected["memory"])) else ["memory"])


def _same_memory(found: str, expected: str) -> bool:
    """Whether it is the same. What is a view of a hidden intermediate value in PyTorch does not have to be one."""
    return found == expected or (found == "own" and expected == "view of its own")


def _same_error(found: str | None, expected: str | None) -> bool:
    """Whether what catches the one catches the other."""
    if found is None or expected is None:
        return found is expected
    return expected.split()[0] in found.split()


def _parts(part: str, found: Any, expected: Any, coarse: str) -> list[str]:
    if found is None and expected is None:
        return []
    if isinstance(found, str) or isinstance(expected, str):
        return [] if isinstance(found, str) and isinstance(expected, str) else [f"{part} error"]
    if found is None or expected is None:
        # No graph at all says the same as one in which nothing is reached.
        given = found if expected is None else expected
        return [] if all(each is None for each in given) else [f"{part} missing" if found is None else f"{part} extra"]
    return _lists(part, found, expected, coarse)


def _lists(part: str, found: list[Any], expected: list[Any], coarse: str) -> list[str]:
    if len(found) != len(expected):
        return [f"{part} count"]
    for one, other in zip(found, expected, strict=True):
        words = _results(part, one, other, coarse)
        if words:
            return words
    return []


def _results(part: str, found: Any, expected: Any, coarse: str) -> list[str]:
    if not (isinstance(found, dict) and isinstance(expected, dict)):
        if found is None and expected is not None:
            return [f"{part} none"]
        same = type(found) is type(expected) and found == expected
        return [] if same else [f"{part} result"]
    for aspect in ("dtype", "shape", "tracked"):
        if found[aspect] != expected[aspect]:
            return [f"{part} {aspect}"]
    if not _near(found["array"], expected["array"], found["dtype"], _tolerance(part, found["dtype"], coarse)):
        return [f"{part} elements"]
    if found["strides"] != expected["strides"] and (part == "value" or (part == "first" and not found["strides"])):
        return [f"{part} strides"]  # but a gradient that PyTorch only expands may be written out
    return [f"{part} zeros"] if part == "value" and _other_zeros(found["array"], expected["array"]) else []


def _other_zeros(found: Any, expected: Any) -> bool:
    """Whether a zero is negative on one side alone."""
    zeros = (found == 0) & (expected == 0)
    return found.dtype.kind == "f" and bool((np.signbit(found[zeros]) != np.signbit(expected[zeros])).any())


def _tolerance(part: str, dtype: str, coarse: str) -> float:
    """Derivatives of halves lose digits at each step, and where those are lost is nobody's meaning."""
    digits = max(TOLERANCES.get(dtype, 0.0), TOLERANCES[coarse])
    return digits * {"value": 1, "first": 4, "second": 16}[part] if digits > 1e-3 else digits


def _near(found: Any, expected: Any, dtype: str, tolerance: float) -> bool:
    if dtype not in TOLERANCES:
        return np.array_equal(found, expected)
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(found)):
        return False
    if not np.array_equal(found[~finite], expected[~finite], equal_nan=True):
        return False
    size = np.abs(expected[finite])
    bound = tolerance * np.maximum(size, size[size < 1e6].max(initial=0.1))
    return bool((np.abs(found[finite] - expected[finite]) <= bound).all())
