"""Artifacts as files: the parts of the key in plain sight, then what was made. What is not whole is not there."""

# Note [What is trusted]
# A file is taken when its checksum holds, the key that it names is the one looked for, and every part of the key is the
# very same; then what it holds is checked once more by whoever reads it. Anything else is a miss, and the file is
# written anew, at once or not at all, so that processes may share a folder. The checksum finds accidents. Against
# people the folder is guarded, as that of kernels is (it is the same one): who can write there can have this process
# run anything.

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...core.config import config
from ..disk_cache.kernel_store import KernelStore
from . import counters
from .counters import Missed, count
from .keys import Request

MAGIC = b"GLIFTART"
SUFFIX = ".artifact"
_stores: dict[Path, KernelStore] = {}


def store() -> KernelStore:
    """The files of the folder that the settings name."""
    folder = config.cache_folder
    if folder not in _stores:
        _stores.setdefault(folder, KernelStore(folder, SUFFIX, MAGIC))
    return _stores[folder]


def recall(request: Request) -> Any:
    """The artifact for this request, of this process or another; None where nothing is there that can be trusted."""
    payload = store().read(request.key)
    found = _unpacked(payload) if payload is not None else None
    if found is not None and found[0] == _head(request)["parts"]:
        return found[1]
    return None


def missed(request: Request, why: str = "") -> None:
    """Counts a miss. why: what is wrong with a file that is there."""
    is_there = os.path.exists(store().folder / f"{request.key}{SUFFIX}")
    why = why or store().why_refused(request.key) or ("its file is damaged" if is_there else "")
    count(request.kind, "miss")
    counters.note(Missed(request.kind, request.about, request, why, time.time_ns()))


def bypassed(kind: str, about: str, why: str) -> None:
    """Counts a bypass."""
    count(kind, "bypass")
    counters.note(Missed(kind, about, None, why, time.time_ns()))


def keep(request: Request, made: Any) -> None:
    """Writes what was made for a request. made: anything that JSON takes."""
    head = json.dumps(_head(request)).encode()
    if store().write(request.key, head + b"\n" + zlib.compress(json.dumps(made).encode(), 1)):
        count(request.kind, "save")


def stored_before(kind: str, moment: int, limit: int = 256) -> Iterator[tuple[str, dict[str, Any]]]:
    """The keys and heads of artifacts of this kind that were written before a moment, the newest first."""
    files = store()
    for key in files.keys():  # noqa: SIM118 (no dict)
        if limit <= 0:
            return
        try:
            written = os.stat(files.folder / f"{key}{SUFFIX}").st_mtime_ns
        except OSError:
            continue
        payload = files.read(key) if written <= moment else None
        head = _head_of(payload) if payload is not None else None
        if head is not None and head.get("kind") == kind:
            limit -= 1
            yield key, head


def _head(request: Request) -> dict[str, Any]:
    return {"kind": request.kind, "about": request.about, "parts": dict(request.parts)}


def _head_of(payload: bytes) -> dict[str, Any] | None:
    try:
        head = json.loads(payload.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return None
    return head if type(head) is dict and type(head.get("parts")) is dict else None


def _unpacked(payload: bytes) -> tuple[Any, Any] | None:
    head = _head_of(payload)
    if head is None:
        return None
    try:
        return head["parts"], json.loads(zlib.decompress(payload.partition(b"\n")[2]))
    except (ValueError, zlib.error, RecursionError):
        return None
