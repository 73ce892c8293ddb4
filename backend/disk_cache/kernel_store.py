"""A content-addressed store of bytes on disk: written atomically, checked on reading, kept small, never fatal.

The store holds native code, so a folder that somebody else could write to is not used at all.
"""

from __future__ import annotations

import os
import stat
import struct
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from hashlib import blake2b
from pathlib import Path

from ...core.records import dataclass
from .claims import PAUSE, Patience, claimed
from .disk_budget import WRITING, DiskBudget, used

MAGIC = b"GLIFTKRN"
VERSION = 1
SUFFIX = ".kernel"
_KEY_BYTES = 20
_CHECK_BYTES = 16
_HEADER = struct.Struct(f"<8sI{_KEY_BYTES}s{_CHECK_BYTES}sQ")  # magic, version, key, checksum, payload bytes


def content_key(*parts: bytes) -> str:
    """The name of what is determined by `parts`, as hexadecimal digits. The division into parts counts."""
    digest = blake2b(digest_size=_KEY_BYTES)
    for part in parts:
        digest.update(struct.pack("<Q", len(part)))
        digest.update(part)
    return digest.hexdigest()


@dataclass(slots=True)
class KernelStore:
    """Files `KEY.kernel`, or with another suffix, under `folder`, which is made with mode 0700 when first needed.

    `refused` says why the folder is not used, or is empty. Reading then finds nothing and writing does nothing.
    """

    folder: Path
    suffix: str = SUFFIX
    magic: bytes = MAGIC
    refused: str = field(default="", init=False)
    _ready: bool = field(default=False, init=False, repr=False)

    def read(self, key: str) -> bytes | None:
        """The payload stored under `key`, or None when there is none that can be trusted."""
        if not self._usable():
            return None
        try:
            with open(self._path(key), "rb") as file:
                if _why_refused(os.fstat(file.fileno()), str(self._path(key))):
                    return None
                content = file.read()
                used(file.fileno())
        except OSError:
            return None
        return _unwrapped(content, key, self.magic)

    def write(self, key: str, payload: bytes) -> bool:
        """Whether the payload is on disk now; a reader sees all of it or nothing."""
        if not self._usable():
            return False
        import tempfile  # for which Python loads more than all else that a process needs which only reads

        temporary = ""
        content = _wrapped(payload, key, self.magic)
        try:
            descriptor, temporary = tempfile.mkstemp(prefix=WRITING, dir=self.folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.replace(temporary, self._path(key))
        except OSError as error:
            self.refused = f"writing to {self.folder} failed: {error}"
            if temporary:
                _remove(temporary)
            return False
        _budget(self.folder).written(len(content))
        return True

    def claim(self, key: str) -> AbstractContextManager[bool]:
        """A context that gives whether this process may make what lies under `key`: see Note [Claims] in `claims`."""
        return claimed(self.folder, key) if self._usable() else nullcontext(True)

    def made_once(
        self, key: str, make: Callable[[], bytes], read: Callable[[str], bytes | None] | None = None
    ) -> bytes:
        """The payload under `key`; where there is none, what `make` gives, here or in a process that is about it.

        read: gives a payload that may be taken, or None; by default any that is there.
        """
        read = self.read if read is None else read
        patience = Patience()
        while True:
            alone = patience.is_over()
            with self.claim(key) as is_ours:
                payload = read(key)
                if payload is not None:
                    return payload
                if is_ours or alone:
                    payload = make()
                    self.write(key, payload)
                    return payload
            time.sleep(PAUSE)

    def why_refused(self, key: str) -> str:
        """Why a file under `key` that is there is not read, or an empty string."""
        if not self._usable():
            return self.refused
        try:
            return _why_refused(os.stat(self._path(key)), str(self._path(key)))
        except OSError:
            return ""

    def discard(self, key: str) -> None:
        """Forget the payload under `key`, if there is one."""
        if self._usable():
            _remove(str(self._path(key)))

    def keys(self) -> list[str]:
        """The keys of all files that are there, the newest first; whether they can be trusted, reading finds out."""
        if not self._usable():
            return []
        found: list[tuple[float, str]] = []
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(self.suffix):
                        found.append((entry.stat().st_mtime, entry.name.removesuffix(self.suffix)))
        except OSError:
            pass  # a file that has gone meanwhile, or the folder
        return [key for _, key in sorted(found, reverse=True) if len(key) == 2 * _KEY_BYTES]

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{self.suffix}"

    def _usable(self) -> bool:
        if not self._ready:
            self.refused = _prepare(self.folder)
            self._ready = True
        return not self.refused


_budgets: dict[Path, DiskBudget] = {}
"""By folder: all kinds of files in it share one."""


def _budget(folder: Path) -> DiskBudget:
    return _budgets.setdefault(folder, DiskBudget(folder))


def _prepare(folder: Path) -> str:
    """Why `folder` cannot hold native code for this user, or an empty string; makes the folder."""
    if not folder.is_absolute():
        return f"{folder} is not an absolute path"  # as when the user has no home folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.stat()
    except OSError as error:
        return f"{folder} cannot be made: {error}"
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder} is not a folder"
    return _why_refused(status, str(folder))


def _why_refused(status: os.stat_result, name: str) -> str:
    """Why a folder or a file is not trusted, or an empty string: others may have put something there."""
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return f"{name} belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{name} can be written by others (mode {stat.S_IMODE(status.st_mode):o})"
    return ""


def _wrapped(payload: bytes, key: str, magic: bytes) -> bytes:
    name = bytes.fromhex(key)
    return _HEADER.pack(magic, VERSION, name, _checksum(name, payload), len(payload)) + payload


def _unwrapped(content: bytes, key: str, expected: bytes) -> bytes | None:
    """The payload, when magic, version, key, length and checksum all agree."""
    if len(content) < _HEADER.size:
        return None
    magic, version, name, checksum, length = _HEADER.unpack_from(content)
    payload = content[_HEADER.size :]
    if magic != expected or version != VERSION or name.hex() != key or length != len(payload):
        return None
    return payload if _checksum(name, payload) == checksum else None


def _checksum(name: bytes, payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_CHECK_BYTES, key=name).digest()


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass  # already gone, or not ours to remove: the file is never trusted either way
