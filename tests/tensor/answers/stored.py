"""The table of answers as one compressed file: an index in JSON, and the elements of all results in one row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

PLACE = Path(__file__).parent / "torch.npz"
_KEPT_AS = {"float16": "float32", "bfloat16": "float32"}


def write(origin: str, answers: dict[str, dict[str, Any]]) -> None:
    """Writes all `answers`, by the names of their cases; `origin` says who gave them."""
    blob = bytearray()
    places: dict[bytes, int] = {}
    index = {name: _packed(answer, blob, places) for name, answer in answers.items()}
    text = json.dumps({"origin": origin, "answers": index}, separators=(",", ":")).encode()
    np.savez_compressed(PLACE, index=np.frombuffer(text, np.uint8), elements=np.frombuffer(bytes(blob), np.uint8))


def read() -> tuple[str, dict[str, dict[str, Any]]]:
    """The origin, and the answers as they were given to `write`."""
    with np.load(PLACE) as file:
        kept = json.loads(file["index"].tobytes())
        elements = file["elements"].tobytes()
    return kept["origin"], {name: _unpacked(each, elements) for name, each in kept["answers"].items()}


def _packed(found: Any, blob: bytearray, places: dict[bytes, int]) -> Any:
    if isinstance(found, list):
        return [_packed(each, blob, places) for each in found]
    if not isinstance(found, dict):
        return found
    if "array" not in found:
        return {name: _packed(each, blob, places) for name, each in found.items()}
    data = found["array"].tobytes()
    place = places.get(data)
    if place is None:
        place = places[data] = len(blob)
        blob += data
    strides = found["strides"] if isinstance(found["strides"], bool) else list(found["strides"])
    return {"of": [found["dtype"], list(found["shape"]), strides, int(found["tracked"]), place]}


def _unpacked(kept: Any, elements: bytes) -> Any:
    if isinstance(kept, list):
        return [_unpacked(each, elements) for each in kept]
    if not isinstance(kept, dict):
        return kept
    if "of" not in kept:
        return {name: _unpacked(each, elements) for name, each in kept.items()}
    dtype, shape, strides, tracked, place = kept["of"]
    kind = np.dtype(_KEPT_AS.get(dtype, dtype))
    count = int(np.prod(shape, dtype=np.int64))
    array = np.frombuffer(elements, kind, count, place).reshape(shape) if count else np.zeros(shape, kind)
    strides = strides if isinstance(strides, bool) else tuple(strides)
    return {"dtype": dtype, "shape": tuple(shape), "strides": strides, "tracked": bool(tracked), "array": array}
