"""`save` and `load`."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from . import archive, pytorch
from .decode import Decoder
from .encode import Encoder
from .errors import EmptyFileError, FileFormatError, UnsavableError
from .placing import placed


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2) -> None:
    """Writes an object to a file: a path, or anything with `write`.

    It may be made of None, bools, numbers, strings, bytes, lists, tuples, dicts, ordered dicts, counters, deques, sets,
    tensors, parameters, sparse tensors, NumPy's arrays and numbers, dtypes, devices and generators: state dicts of
    modules, optimizers and schedulers, and states of random numbers, are. Objects that are met twice come back as one,
    and tensors that share memory share it again; of a view, the whole memory is written. History, gradients and hooks
    of tensors are left out. Nothing is pickled; the two last parameters are taken and change nothing.
    A path holds the old file or the whole new one at any time, whatever happens.
    Errors: UnsavableError, a TypeError, for anything else in the object, with its place; then nothing was written.
    """
    encoder = Encoder()
    try:
        tree = encoder.tree(obj)
        archive.text_of(tree)
    except RecursionError:
        raise UnsavableError("the object is nested too deeply for a file; save its parts in a list") from None
    if hasattr(f, "write"):
        archive.write(f, tree, encoder.memories)
        return
    with replacing(os.fspath(f)) as file:
        archive.write(file, tree, encoder.memories)


@contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """A file that takes the place of that at `path` when the block ends well, and else leaves no trace."""
    target = os.path.realpath(path)
    before = os.stat(target) if os.path.exists(target) else None
    if before is not None and not stat.S_ISREG(before.st_mode):
        with open(target, "wb") as file:  # a pipe or a device: nothing that could be replaced
            yield file
        return
    folder, name = os.path.split(target)
    fresh = os.path.join(folder, f".{name[:100]}.{os.urandom(8).hex()}.part")
    with open(fresh, "xb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if before is not None:
                os.chmod(fresh, stat.S_IMODE(before.st_mode))
            os.replace(fresh, target)
        except BaseException:
            os.unlink(fresh)
            raise


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
) -> Any:
    """The object that `save` wrote; nothing in a file is ever executed, whatever `weights_only` says.

    f: a path, or a file to read at any place. map_location: where tensors are to lie, in place of where they lay: a
    device, a dict from device names to devices, or a function of a memory (a tensor of one axis) and the name of its
    device that gives a tensor on another, or None. mmap: read elements when they are used, from the file at a path;
    it must not be changed meanwhile.
    A file of PyTorch's is read by PyTorch, if that is installed, with `weights_only` passed on (True unless given).
    Errors: FileFormatError, a RuntimeError, for a file that is damaged or of another form, EmptyFileError, an EOFError,
        for one without contents; RuntimeError where a device is not there, which names `map_location` as the remedy.
    """
    if hasattr(f, "read"):
        if mmap:
            raise ValueError("f must be a path for mmap=True: a file object has no memory to be mapped")
        return _loaded(f, map_location, weights_only, None)
    with open(os.fspath(f), "rb") as file:
        return _loaded(file, map_location, weights_only, archive.map_file if mmap else None)


def _loaded(file: IO[bytes], map_location: Any, weights_only: bool | None, mapping: Callable[..., Any] | None) -> Any:
    if not (hasattr(file, "seekable") and file.seekable()):
        file = io.BytesIO(file.read())
    start = file.tell()
    begins = file.read(64)
    file.seek(start)
    if not begins:
        raise EmptyFileError("Ran out of input: the file has no contents; it was cut off, or never written")
    if pytorch.is_pytorch(file, begins):
        return pytorch.load(file, begins, map_location, weights_only)
    if not begins.startswith(b"PK\x03\x04"):
        raise FileFormatError(
            f"the file begins with {bytes(begins[:8])!r}, which neither gl.save nor torch.save writes; "
            "gl.utils.safetensors.load_file reads .safetensors, np.load reads .npy and .npz"
        )
    found = archive.Archive(file, None if mapping is None else mapping(file))
    return rebuilt(found, map_location)


def rebuilt(found: archive.Archive, map_location: Any) -> Any:
    """The object of an archive, with its tensors where they are to lie."""
    tensors = archive.building(lambda: set(_memories_of_tensors(found.tree)))
    memories: list[Any] = list(found.memories)
    for number in tensors & set(range(len(memories))):
        memories[number] = placed(memories[number], found.devices[number], map_location)
    return archive.building(lambda: Decoder(memories).value(found.tree))


def _memories_of_tensors(tree: Any) -> Iterator[int]:
    """The numbers of the memories that tensors of a tree see."""
    pending = [tree]
    while pending:
        each = pending.pop()
        if isinstance(each, list):
            pending += each
        elif isinstance(each, dict):
            pending += each.values()
            if isinstance(each.get("tensor"), int):
                yield each["tensor"]
