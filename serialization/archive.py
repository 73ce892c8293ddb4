"""Zip files of arrays and one text: written in one go, and read with every byte checked."""

from __future__ import annotations

import json
import mmap
import struct
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from typing import IO, Any

import numpy as np

from .decode import BY_NAME
from .errors import FileFormatError

Array = np.ndarray[Any, Any]
TEXT = "guardlift.json"
FORM = 1
ALIGNMENT = 64
_LOCAL_HEADER = struct.Struct("<26xHH")
_DAMAGE = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    *(KeyError, IndexError, ValueError, TypeError, OverflowError, EOFError, AttributeError, RecursionError),
    *(NotImplementedError, RuntimeError, struct.error),
)
"""The errors that a file with wrong contents leads to, in this package and in those that read it."""


def write(file: IO[bytes], tree: Any, memories: Sequence[tuple[Array, dict[str, Any]]]) -> None:
    """Writes an archive from the place on where the file is."""
    about = {"form": FORM, "memories": [each for _, each in memories], "object": tree}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        _write_member(archive, TEXT, lambda member: member.write(text_of(about)), 0)
        for number, (array, _) in enumerate(memories):
            _write_member(archive, _member(number), partial(_write_array, array), array.nbytes)


def text_of(value: Any) -> bytes:
    """A tree as JSON. Errors: RecursionError for one that is too deep."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _member(number: int) -> str:
    return f"data/{number}.npy"


def _write_member(archive: zipfile.ZipFile, name: str, fill: Callable[[IO[bytes]], Any], size: int) -> None:
    """A member whose contents begin at a multiple of the alignment from the start of the archive."""
    info = zipfile.ZipInfo(name)  # with a date that never changes
    info.external_attr = 0o600 << 16
    large = size > 2**31 - 2**16
    assert archive.fp is not None
    start = archive.fp.tell() + 30 + len(name) + 4 + (20 if large else 0)
    gap = -start % ALIGNMENT
    info.extra = struct.pack("<HH", 0x476C, gap) + bytes(gap)
    with archive.open(info, "w", force_zip64=large) as member:
        fill(member)


def _write_array(array: Array, member: IO[bytes]) -> None:
    held = BY_NAME.get(array.dtype.name)
    plain = array.view(held.bits.numpy) if held is not None and held.is_narrow else array
    np.lib.format.write_array(member, np.ascontiguousarray(plain), allow_pickle=False)


class Archive:
    """An archive that was opened: its tree, and its memories as arrays of one axis."""

    def __init__(self, file: IO[bytes], mapped: mmap.mmap | None = None) -> None:
        """Errors: FileFormatError where anything in it is missing or damaged, or of a version that is not known."""
        self._mapped = mapped
        try:
            with zipfile.ZipFile(file) as archive:
                self._read(archive, file)
        except FileFormatError:
            raise
        except _DAMAGE as error:
            raise damaged(error) from error

    def _read(self, archive: zipfile.ZipFile, file: IO[bytes]) -> None:
        about = json.loads(self._bytes(archive, TEXT))
        if about["form"] != FORM:
            raise FileFormatError(
                f"the file is of form {about['form']!r}, and this version of guardlift reads form {FORM}; "
                "read it with the version that wrote it, or a newer one"
            )
        self.tree = about["object"]
        self.memories: list[Array] = []
        self.devices: list[str] = []
        for number, each in enumerate(about["memories"]):
            self.memories.append(self._array(archive, file, _member(number), each["dtype"]))
            self.devices.append(str(each.get("device", "cpu")))

    def _bytes(self, archive: zipfile.ZipFile, name: str) -> bytes:
        return archive.read(_stored(archive, name))

    def _array(self, archive: zipfile.ZipFile, file: IO[bytes], name: str, dtype: str) -> Array:
        info = _stored(archive, name)
        with archive.open(info) as member:
            shape, in_columns, kept = _header(member)
            count = int(np.prod(shape, dtype=object)) if shape else 1
            begins = member.tell()
            if len(shape) != 1 or in_columns or count * kept.itemsize != info.file_size - begins:
                raise FileFormatError(f"{name} has {info.file_size - begins} bytes, not those of shape {list(shape)}")
            place = self._place(info, file) + begins
            if self._mapped is not None and place % ALIGNMENT == 0 and count:
                found = np.frombuffer(self._mapped, kept, count, place)
            else:
                found = np.empty(count, kept)
                _read_into(member, found)
        held = BY_NAME.get(dtype)
        if held is not None and held.is_narrow and kept == held.bits.numpy:
            return found.view(held.numpy)
        if (dtype if held is None else held.numpy.str) != kept.str:
            raise FileFormatError(f"{name} has elements of dtype {kept}, and was to have {dtype[:60]}")
        return found

    def _place(self, info: zipfile.ZipInfo, file: IO[bytes]) -> int:
        """The place of a member's first byte in the file that is mapped."""
        if self._mapped is None:
            return 0
        name, extra = _LOCAL_HEADER.unpack_from(self._mapped, info.header_offset)
        return int(info.header_offset + _LOCAL_HEADER.size + name + extra)


def _stored(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    info = archive.getinfo(name)
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        raise FileFormatError(f"{name} is compressed, as no file that guardlift wrote is")
    return info


def _header(member: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(member)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, in_columns, kept = read(member)
    if kept.hasobject or kept.fields is not None or kept.kind == "V":
        raise FileFormatError(f"a member has elements of dtype {kept}, as no file that guardlift wrote has")
    return shape, in_columns, kept


def _read_into(member: IO[bytes], array: Array) -> None:
    rest = array.view(np.uint8).data if array.nbytes else memoryview(b"")
    while rest:
        part = member.read(min(len(rest), 1 << 24))
        if not part:
            raise FileFormatError("the file ends in the midst of an array")
        rest[: len(part)] = part
        rest = rest[len(part) :]
    member.read(1)  # at the end the sum over all bytes is compared


def damaged(error: BaseException) -> FileFormatError:
    """The error that tells of a file that cannot be right, for whatever its contents led to."""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return FileFormatError(
        f"the file is damaged or was not written by gl.save ({said}); nothing was loaded. Take another copy of it, or "
        "save it again"
    )


def building(build: Callable[[], Any]) -> Any:
    """The result of a function that reads what an archive says. Errors: FileFormatError for what it leads to."""
    try:
        return build()
    except FileFormatError:
        raise
    except _DAMAGE as error:
        raise damaged(error) from error


def map_file(file: IO[bytes]) -> mmap.mmap:
    """The memory of a file, in which writes stay private."""
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
