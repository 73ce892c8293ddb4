"""Kernel text to loaded kernel: from memory, else from disk, else by compiling. Each text is compiled once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from threading import RLock
from time import perf_counter, sleep

from ....core.config import config
from ....core.errors import KernelError
from ....core.records import dataclass
from ...disk_cache.claims import PAUSE, Patience
from ...disk_cache.kernel_store import KernelStore, content_key
from . import compiler
from .fingerprint import code_fingerprint
from .kernel_object import KernelObject, from_bytes, to_bytes
from .loader import NO_SYMBOLS, LoadedKernel, load


@dataclass(slots=True)
class KernelStatistics:
    """Counts and times of the kernels that this process compiled or loaded. Units: seconds."""

    compiled: int = 0
    loaded: int = 0
    """Kernels found on disk."""
    compile_seconds: float = 0.0
    load_seconds: float = 0.0
    """Linking, of compiled kernels too."""


@dataclass(slots=True)
class _Cell:
    """One text's place in memory; its lock makes other threads wait for the first. A signal's handler does not."""

    lock: RLock = field(default_factory=RLock)
    kernel: LoadedKernel | None = None


statistics = KernelStatistics()
_cells: dict[str, _Cell] = {}
_stores: dict[Path, KernelStore] = {}
_table_lock = RLock()
_build_lock = RLock()
"""Held while a kernel is compiled and linked, so that no process is forked from the middle of that. See `_in_child`."""
MOST_HELPERS = 7
"""Threads that compile beside the one that asks, at most."""
_helpers_locks = tuple(RLock() for _ in range(MOST_HELPERS))
"""Each of these threads holds one while it compiles."""
_behind_lock = RLock()
"""The one of a thread that compiles what is needed later."""
_BEFORE_FORK = (*_helpers_locks, _behind_lock, _build_lock, _table_lock)


def get_kernel(text: str, folder: Path | None = None) -> LoadedKernel:
    """The loaded kernel of `text`; `folder` holds the disk cache, by default the one that `gl.config` names.

    Errors: KernelError when the text does not compile or its object does not load.
    """
    return obtain(_key(text), partial(compiler.compile_source, text), folder)


def prepare(texts: Iterable[str], tell: Callable[[int], None] = lambda _: None) -> None:
    """Have the kernels of these texts in memory. Those that are on no disk are compiled on several threads at once.

    tell: is called now and then with how many are found or begun. Where a text does not compile, `get_kernel` says so.
    """
    found, wanted = 0, list[str]()
    for text in dict.fromkeys(texts):
        tell(found)
        if known(text) is None and not _on_disk(text):
            wanted.append(text)
        else:
            found += 1
    if not wanted:
        return
    from .compile_together import compile_together

    started, disk = perf_counter(), store()
    compiled: set[str] = set()

    def make(text: str, alone: bool) -> KernelObject | KernelError | None:
        def compile_here() -> KernelObject:
            compiled.add(text)
            return compiler.compile_source(text)

        try:
            return _made(disk, _disk_key(_key(text)), compile_here, alone)
        except KernelError as error:
            return error

    objects = compile_together(wanted, _build_lock, _helpers_locks, lambda begun: tell(found + begun), make)
    with _table_lock:
        statistics.compile_seconds += perf_counter() - started
    for text, made in objects.items():
        if not isinstance(made, KernelError):
            _put(_key(text), made, text in compiled)


def _on_disk(text: str) -> bool:
    """Whether the disk has the kernel, which is then in memory."""
    return _obtain(_key(text), None, None, NO_SYMBOLS, _build_lock) is not None


def known(text: str) -> LoadedKernel | None:
    """The kernel of `text`, if this process has it."""
    cell = _cells.get(_key(text))
    return cell.kernel if cell is not None else None


def _key(text: str) -> str:
    """The text that names a kernel among all that were made: that of another compiler is another one."""
    return text if config.kernel_compiler == "llvm" else f"# by {config.kernel_compiler}\n{text}"


def loaded_bytes() -> int:
    """Bytes of the objects that all kernels in memory were loaded from."""
    with _table_lock:
        return sum(cell.kernel.nbytes for cell in _cells.values() if cell.kernel is not None)


def obtain(
    text: str,
    compile_text: Callable[[], KernelObject],
    folder: Path | None = None,
    symbols: Mapping[str, int] = NO_SYMBOLS,
    *,
    behind: bool = False,
) -> LoadedKernel:
    """The loaded code that `text` determines, compiled by `compile_text` when neither memory nor disk has it.

    behind: no other thread is to wait with its own kernels until this one is compiled.
    """
    found = _obtain(text, compile_text, folder, symbols, _behind_lock if behind else _build_lock)
    assert found is not None
    return found


def _obtain(
    text: str,
    compile_text: Callable[[], KernelObject] | None,
    folder: Path | None,
    symbols: Mapping[str, int],
    compiling: RLock,
) -> LoadedKernel | None:
    """The loaded code that `text` determines; without a `compile_text`, None where neither memory nor disk has it."""
    with _table_lock:
        cell = _cells.setdefault(text, _Cell())
    if cell.kernel is not None:
        return cell.kernel
    with cell.lock:
        if cell.kernel is None:
            with _build_lock:
                disk, key = store(folder), _disk_key(text)
                cell.kernel = _from_disk(disk, key, symbols)
            if cell.kernel is None and compile_text is not None:
                made = _made_once(disk, key, compile_text, compiling)
                with _build_lock:
                    cell.kernel = _timed_load(made, symbols)
        return cell.kernel


def _put(text: str, made: KernelObject, is_ours: bool) -> None:
    """Has in memory what `prepare` has made, or another process."""
    with _table_lock:
        cell = _cells.setdefault(text, _Cell())
    with cell.lock:
        if cell.kernel is None:
            with _build_lock:
                cell.kernel = _timed_load(made, NO_SYMBOLS)
            with _table_lock:
                statistics.compiled += is_ours
                statistics.loaded += not is_ours


def _made_once(disk: KernelStore, key: str, compile_text: Callable[[], KernelObject], compiling: RLock) -> KernelObject:
    """The object that `compile_text` gives, here or in another process that is about it already."""
    was_compiled = False

    def compile_here() -> KernelObject:
        nonlocal was_compiled
        was_compiled = True
        return _timed_compile(compile_text)

    patience = Patience()
    while True:
        alone = patience.is_over()
        with compiling:
            made = _made(disk, key, compile_here, alone)
        if made is None:
            sleep(PAUSE)
            continue
        if not was_compiled:
            with _table_lock:
                statistics.loaded += 1
        return made


def _made(disk: KernelStore, key: str, compile_text: Callable[[], KernelObject], alone: bool) -> KernelObject | None:
    """The object that `compile_text` gives, which is on disk then; None while another process is about it.

    alone: whether it is compiled here, whoever else is about it.
    """
    with disk.claim(key) as is_ours:
        if not (is_ours or alone):
            return None
        payload = disk.read(key)  # another process may just have made it
        if payload is not None:
            try:
                return from_bytes(payload)
            except ValueError:
                disk.discard(key)
        made = compile_text()
        disk.write(key, to_bytes(made))
        return made


def _disk_key(text: str) -> str:
    return content_key(text.encode(), code_fingerprint())


def store(folder: Path | None = None) -> KernelStore:
    """The disk store of `folder`, or of the folder that the settings name."""
    if folder is None:
        folder = config.cache_folder
    with _table_lock:
        if folder not in _stores:
            _stores[folder] = KernelStore(folder)
        return _stores[folder]


def forget() -> None:
    """Drop the memory of loaded kernels and stores, so that the next request reads the disk. For tests and tools."""
    with _table_lock:
        _cells.clear()
        _stores.clear()


def _before_fork() -> None:
    """Waits for the kernels that other threads are building: their locks, and the compiler's, would stay locked."""
    for lock in _BEFORE_FORK:
        lock.acquire()


def _in_parent() -> None:
    for lock in reversed(_BEFORE_FORK):
        lock.release()


def _in_child() -> None:
    """Forgets the cells of kernels not yet made: the threads that hold their locks do not exist in the child."""
    for text in [text for text, cell in _cells.items() if cell.kernel is None]:
        del _cells[text]
    _in_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)


def _from_disk(disk: KernelStore, key: str, symbols: Mapping[str, int]) -> LoadedKernel | None:
    payload = disk.read(key)
    if payload is None:
        return None
    try:
        kernel = _timed_load(from_bytes(payload), symbols)
    except (ValueError, KernelError):
        disk.discard(key)  # whole, but not loadable here: compile anew
        return None
    with _table_lock:
        statistics.loaded += 1
    return kernel


def _timed_compile(compile_text: Callable[[], KernelObject]) -> KernelObject:
    started = perf_counter()
    kernel_object = compile_text()
    with _table_lock:
        statistics.compiled += 1
        statistics.compile_seconds += perf_counter() - started
    return kernel_object


def _timed_load(kernel_object: KernelObject, symbols: Mapping[str, int]) -> LoadedKernel:
    started = perf_counter()
    kernel = load(kernel_object, symbols)
    with _table_lock:
        statistics.load_seconds += perf_counter() - started
    return kernel
