"""Settings, in one object: `config`. Each is read once from its `GUARDLIFT_*` variable, and can be patched in code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import SettingValueError, UnknownSettingError
from .records import dataclass, field_names, replace


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default. A value is never changed in place; patching swaps the whole record."""

    disable: bool = False
    """`jit` returns functions that run as plain Python."""
    recompile_limit: int = 8
    """Times one function may be compiled, for entries that are in use, before misses run as plain Python."""
    entry_limit: int = 256
    """Entries one function may collect in all, those counted that share code with another."""
    large_result_cache: int = 256 << 20
    """Bytes of memory of large results that is kept when they die, for those that come after them; 0 keeps none."""
    cuda_limit: int = 0
    """Bytes of a GPU's memory that tensors and compiled code may hold in all; 0 for as many as there are."""
    cuda_checks: str = "each call"
    """Who waits for a call on a GPU whose indices are checked: ``"each call"``, or ``"late"``, whoever reads something
    next; an index out of range is the same `gl.cuda.LateCheckError` of every read then."""
    float32_matmul_precision: str = "highest"
    """The way of matrix products of float32 on a GPU: ``"highest"``, in float32; with ``"high"`` or ``"medium"``
    elements are rounded to TF32, to 11 bits, before they are multiplied, and summed in float32."""
    deterministic_algorithms: bool = True
    """Add floats that are scattered on a GPU in one order, so that each run gives the same bits; off, in any order."""
    memory_limit: int = 0
    """Bytes that entries may take in all, before those used least lately are dropped; 0 for no limit."""
    lift_constants: bool = True
    """Make the memory of tensors known by identity a part of the plan; off, each call fetches and checks them."""
    relift: bool = True
    """Replace an entry whose assumption broke, at no cost to the limit; off, the one compiled instead counts as new."""
    relift_limit: int = 32
    """Entries replaced in a row, each after less time than compiling it took, before it is done less often."""
    error_on_recompile: bool = False
    """Raise `RecompileError` when a function that has an entry compiles again."""
    unroll_limit: int = 64
    """Iterations of a loop over a known range that are traced one by one; over parameters and layers all are."""
    native_loops: bool = True
    """Trace a loop over elements of arrays once, and run it as one kernel; off, it is unrolled or left to Python."""
    tensor_loops: bool = True
    """Trace a loop over a range that computes with tensors once, as one node; off, it is unrolled or left to Python."""
    loop_from: int = 8
    """Rounds from which on it is one node; shorter loops are unrolled."""
    tensor_conds: bool = True
    """Trace both arms of a branch on the data of a tensor, as one node; off, such a branch breaks the graph."""
    dynamic_sizes: bool = True
    """Compile a function for all sizes of an array once the array comes with a second one, and for all strides once it
    has come with several; off, for each size and each layout."""
    backend: str = "numba"
    """Who runs what functions compute that are jitted without a `backend` of their own: see `gl.list_backends`."""
    kernel_compiler: str = "llvm"
    """The way from the text of a kernel to native code: ``"llvm"``, guardlift's own emitter of LLVM IR, or ``"numba"``,
    for a GPU Numba CUDA, which is slower and to which the emitter is held."""
    ptxas: str = ""
    """The program that assembles a GPU's kernels; empty means nvJitLink, else the `ptxas` on the PATH."""
    compile_threads: int = 0
    """Threads on which distinct CPU kernels are compiled at once; 0 for as many as the process may use cores."""
    trace_limit: int = 100_000
    """Instructions that one trace evaluates at most."""
    guard_limit: int = 1024
    """Facts that one trace relies on at most."""
    trace_without_arrays: bool = False
    """Make entries also for calls without any array work: their guards, and the statements that rebuild the result."""
    raise_internal_errors: bool = False
    """Let an error inside guardlift reach the caller instead of running the call as plain Python."""
    inline_limit: int = 64
    """Depth to which calls of Python functions are inlined."""
    on_limit: str = "generalise"
    """The way to keep to limits: ``"generalise"`` makes sizes that change symbolic, and runs calls that fit no
    entry as plain Python; ``"eager"`` does the latter alone; ``"error"`` raises `RecompileError`."""
    while_compiling: str = "wait"
    """The way of a call that fits no entry while another thread compiles: ``"wait"`` or run ``"plain"``."""
    under_tracing: str = "plain"
    """The way of a call while a debugger, `sys.settrace` or coverage is active: ``"plain"`` or ``"jit"``."""
    num_threads: int = 0
    """Threads that large kernels on the CPU run on; 0 for as many as OMP_NUM_THREADS says, else as there are cores."""
    logs: tuple[str, ...] = ()
    """Kinds of events that are logged: recompiles, guards, graphs, aot_graphs, kernels, breaks, hints, or all. The
    logger of one is `guardlift.recompiles`, and so on; standard error has it where the program handles none."""
    status_line: bool = True
    """Say on standard error, if that is a terminal, what is being compiled while that takes long."""
    cache_dir: str = ""
    """Folder of the caches of kernels and artifacts; empty means `guardlift` in the user's cache folder."""
    cache_limit: int = 1 << 30
    """Bytes that both caches may take on disk, before the files used least lately are deleted; 0 for no limit."""
    artifact_cache: bool = True
    """Keep on disk, beside kernels, what graphs became, so that another process need not work it out again."""
    entry_cache: bool = True
    """Keep there, too, whole entries of functions whose every guard can be written down, so that another process traces
    them no more; only where `artifact_cache` is on."""
    verify_graphs: bool = False
    """Check every graph after each pass."""
    eager_kernels: bool = True
    """Compute with kernels, in eager mode on the CPU too, what takes NumPy several passes over long arrays: softmax,
    norms, convolutions and their gradients, steps of optimizers. Convolutions, pools and what else is compiled for each
    set of sizes do so for the first twelve that they meet. Off, NumPy computes all of it."""
    activation_memory_budget: float = 1.0
    """The part that a compiled forward may keep for its backward, of what it keeps by default; at 0 it computes
    all again that can be."""
    must_save: tuple[str, ...] = ()
    """Names of ops whose results are never computed again for a backward."""
    must_recompute: tuple[str, ...] = ()
    """Names of ops whose results are never kept for a backward, where they can be computed again."""
    partition_from: int = 1 << 20
    """Bytes that a forward would keep for its backward, from which on it is asked what to compute again instead."""
    hook_guard: str = "structure"
    """The pairs of inlined saved-tensor hooks that are one pair to compiled code: ``"structure"``, functions of equal
    code, or ``"id"``, the same function objects."""
    saved_tensors_hooks_filtering_mode: str = "donated"
    """The values that inlined hooks pack, of all that compiled code saves: ``"donated"``, those whose memory goes then;
    ``"no_static"``, all but parameters and other memory that is part of the plan; ``"all"``."""
    record_mutations: int = 0
    """In-place operations remembered for each memory, the last ones, to name them when one spoils a backward pass."""
    check_assumptions: bool = False
    """Let entries compiled from now on ask at every call whether all they assume of modules and optimizers holds."""


CHOICES = {
    "under_tracing": ("plain", "jit"),
    "on_limit": ("generalise", "eager", "error"),
    "hook_guard": ("structure", "id"),
    "saved_tensors_hooks_filtering_mode": ("donated", "no_static", "all"),
    "while_compiling": ("wait", "plain"),
    "kernel_compiler": ("llvm", "numba"),
    "cuda_checks": ("each call", "late"),
    "float32_matmul_precision": ("highest", "high", "medium"),
}
"""The values that settings with names for values take."""
ALL_LOGS = "all"
"""The name that stands for every kind of log."""
LOG_KINDS = frozenset({"recompiles", "guards", "graphs", "kernels", "breaks", "hints", "aot_graphs"})


def _parse_bool(text: str) -> bool:
    lowered = text.strip().lower()
    if lowered in ("1", "true", "yes", "on"):
        return True
    if lowered in ("", "0", "false", "no", "off"):
        return False
    raise ValueError("expected 1 or 0")


def _parse_names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


_PARSERS: dict[type, Callable[[str], object]] = {
    bool: _parse_bool,
    int: int,
    float: float,
    str: str,
    tuple: _parse_names,
}


def _check(name: str, value: object) -> object:
    expected = type(getattr(Settings(), name))
    if type(value) is not expected:
        raise SettingValueError(f"gl.config.{name} was set to {value!r}; it takes a value of type {expected.__name__}")
    if name == "logs":
        if ALL_LOGS in value:  # type: ignore[operator]
            return tuple(sorted(LOG_KINDS))
        unknown = _unknown_logs(value)  # type: ignore[arg-type]
        if unknown:
            raise SettingValueError(f"gl.config.logs names {unknown}")
    if name == "activation_memory_budget" and not 0.0 <= value <= 1.0:  # type: ignore[operator]
        raise SettingValueError(f"gl.config.{name} was set to {value!r}; it takes a part of the whole, 0.0 to 1.0")
    if name in ("num_threads", "compile_threads", "large_result_cache", "cuda_limit") and value < 0:  # type: ignore[operator]
        raise SettingValueError(f"gl.config.{name} was set to {value!r}; it takes 0 or more")
    check_choice(name, value, f"gl.config.{name} was set to")
    return value


def _unknown_logs(names: tuple[str, ...]) -> str:
    """The names that are no kinds of logs, with those that are; empty where all are known."""
    unknown = ", ".join(sorted(map(str, set(names) - LOG_KINDS)))
    return unknown and f"{unknown}; known kinds: {', '.join(sorted(LOG_KINDS))}, or {ALL_LOGS}"


def check_choice(name: str, value: object, what: str) -> None:
    """Errors: `SettingValueError` for a value that a setting with names for values does not take."""
    choices = CHOICES.get(name, (value,))
    if value not in choices:
        listed = ", ".join(map(repr, choices[:-1]))
        raise SettingValueError(f"{what} {value!r}; it takes {listed} or {choices[-1]!r}")


def _known_logs(variable: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that are kinds of logs. A line on standard error tells of others: no program ends for them."""
    unknown = "" if ALL_LOGS in names else _unknown_logs(names)
    if unknown and sys.stderr is not None:
        print(f"guardlift: the variable {variable} names {unknown}", file=sys.stderr)
    return tuple(name for name in names if name in LOG_KINDS or name == ALL_LOGS)


def _from_environment(environment: dict[str, str]) -> Settings:
    values: dict[str, object] = {}
    for name in field_names(Settings):
        variable = f"GUARDLIFT_{name.upper()}"
        if variable not in environment:
            continue
        text = environment[variable]
        try:
            value = _PARSERS[type(getattr(Settings(), name))](text)
        except ValueError as error:
            raise SettingValueError(f"the variable {variable} holds {text!r}: {error}") from None
        if name == "logs":
            value = _known_logs(variable, value)  # type: ignore[arg-type]
        values[name] = _check(name, value)
    return Settings(**values)  # type: ignore[arg-type]


class Config:
    """The settings in force. Read a setting as an attribute; change settings for a while with `patch`.

    Errors: `UnknownSettingError` for a name that does not exist, `SettingValueError` for a value of the wrong type.
    """

    __slots__ = ("_followers", "_settings")
    _settings: Settings
    _followers: list[tuple[str, Callable[[Any], None]]]
    """Who is told of a setting when it changes, in code that has to act on it at once."""

    def __init__(self, settings: Settings) -> None:
        object.__setattr__(self, "_settings", settings)
        object.__setattr__(self, "_followers", [])

    def __getattr__(self, name: str) -> Any:
        raise UnknownSettingError(_unknown(name))

    def __setattr__(self, name: str, value: object) -> None:
        if name not in field_names(Settings):
            raise UnknownSettingError(_unknown(name))
        self._swap(replace(self._settings, **{name: _check(name, value)}))  # type: ignore[arg-type]

    def _swap(self, settings: Settings) -> None:
        """Puts `settings` in force, and tells those who follow one that changes."""
        before = self._settings
        object.__setattr__(self, "_settings", settings)
        for name, follower in self._followers:
            if getattr(settings, name) != getattr(before, name):
                follower(getattr(settings, name))

    def follow(self, name: str, follower: Callable[[Any], None]) -> None:
        """Calls `follower` with the value of a setting, now and whenever it changes."""
        self._followers.append((name, follower))
        try:
            follower(getattr(self, name))
        except BaseException:
            self._followers.remove((name, follower))
            raise

    @property
    def in_force(self) -> Settings:
        """The record of all settings, another one after each change."""
        return self._settings

    @contextmanager
    def patch(self, **changes: object) -> Iterator[None]:
        """A context in which the named settings have the given values; the old ones come back on leaving it."""
        for name, value in changes.items():
            if name not in field_names(Settings):
                raise UnknownSettingError(_unknown(name))
            changes[name] = _check(name, value)
        before = {name: getattr(self, name) for name in changes}
        try:
            self._swap(replace(self._settings, **changes))  # type: ignore[arg-type]
            yield
        finally:
            self._swap(replace(self._settings, **before))

    def __repr__(self) -> str:
        return repr(self._settings).replace("Settings", "gl.config", 1)

    @property
    def cache_folder(self) -> Path:
        """The folder in which compiled kernels and artifacts are kept."""
        if self.cache_dir:
            return Path(os.path.expanduser(self.cache_dir)).absolute()
        base = os.environ.get("XDG_CACHE_HOME", "")
        return Path(base if os.path.isabs(base) else os.path.expanduser("~/.cache")) / "guardlift"


def _unknown(name: str) -> str:
    return f"gl.config has no setting {name!r}; it has {', '.join(field_names(Settings))}"


def _setting(name: str) -> property:
    return property(lambda self: getattr(self._settings, name))


for _name in field_names(Settings):
    setattr(Config, _name, _setting(_name))

config = Config(_from_environment(dict(os.environ)))
