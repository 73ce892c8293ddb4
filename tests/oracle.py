"""The oracle: a function run plainly and the same function jitted, on copies of the same inputs, must not differ.

    from oracle import check
    check(lambda x: x[1:] + 1, np.arange(6.0), expect="compiled")

What is compared, for each of several calls: structure, types, values, dtypes, shapes, strides, flags, aliasing among
results and inputs, inputs written to, the state of generators of random numbers, exceptions with their traceback lines,
warnings. Floating-point warnings are left out (see docs/decisions.md). NaNs count as equal whatever their sign and
payload.
"""

from __future__ import annotations

import copy
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.lib.array_utils import byte_bounds
from reference_plan import bytes_of, compile_to_reference

import guardlift as gl
from guardlift.core.events import Event
from guardlift.frontend import state_of
from guardlift.ops.registry import OPS

Array = np.ndarray[Any, Any]
PACKAGE = Path(str(gl.__file__)).resolve().parent
SUMS = frozenset({"sum", "prod", "matmul", "scatter_add"})
EXTREMES = frozenset({"maximum", "minimum", "max", "min"})
"""Functions that give one of two zeros by NumPy's vector instructions and the place in the array."""
SUM_TOLERANCE = {2: 1e-2, 4: 2e-6, 8: 4e-15}
"""For sums and products, whose order of additions is free: of the largest magnitude in the result, by item size.

Sums of float16 along any axis but the last NumPy rounds at each step, where a plan rounds once."""


@dataclass
class Outcome:
    """The outcome of one call."""

    value: Any = None
    error: BaseException | None = None
    warned: list[tuple[type, str, str, int]] = field(default_factory=list)


@dataclass
class Report:
    """The outcome of the jitted function over all calls; `results` are its values, for further assertions."""

    events: list[Event]
    entries: list[Any]
    results: list[Any]

    @property
    def compiles(self) -> int:
        return sum(event.kind in ("compile", "recompile") for event in self.events)

    @property
    def breaks(self) -> list[str]:
        """The codes of all graph breaks."""
        return [event.break_code for event in self.events if event.kind == "break"]

    @property
    def op_names(self) -> set[str]:
        graphs = [entry.details["graph"] for entry in self.entries if "graph" in entry.details]
        return {node.op.name for graph in graphs for node in graph.nodes}


def check(
    function: Callable[..., Any],
    *args: Any,
    calls: int = 2,
    ulp: int = 4,
    rtol: float | None = None,
    expect: str | None = None,
    recompiles: int = 0,
    backend: str = "numba",
    **kwargs: Any,
) -> Report:
    """The report of the jitted run, after comparing it with the plain one, call by call.

    calls:      how often both are called with their own copy of the inputs; the first compiles, the later ones hit.
    ulp, rtol:  how far floats may differ when the graph holds an operation that is not exact; an exact graph gives
                equal bits. `rtol` is relative to the largest magnitude in an array; it replaces the tolerance for sums.
    expect:     "compiled" fails on any break, "broken" without one, "plain" on any compiled entry; None takes either.
    recompiles: how many compiles after the first one are right, when `expect` is "compiled".
    backend:    "numba", or "reference" for the graph run in NumPy: much quicker, and it tests the tracer alone.
                The variable GUARDLIFT_ORACLE, if set, replaces it everywhere: a slow run of all checks through kernels.
    """
    backend = os.environ.get("GUARDLIFT_ORACLE", backend)
    jitted = gl.jit(function)
    (plain_args, plain_kwargs), (jit_args, jit_kwargs) = (copied((args, kwargs)) for _ in range(2))
    plain_inputs, jit_inputs = arrays_in((plain_args, plain_kwargs)), arrays_in((jit_args, jit_kwargs))
    pairs: list[tuple[Outcome, Outcome]] = []
    with under(backend):
        for number in range(calls):
            pair = run(function, plain_args, plain_kwargs), run(jitted, jit_args, jit_kwargs)
            pairs.append(pair)
            report = _report(jitted, pairs)
            same = Comparison(_tolerance(report, ulp, rtol), f"call {number + 1}", plain_inputs, jit_inputs)
            same.outcomes(*pair)
            same.written((plain_args, plain_kwargs), (jit_args, jit_kwargs))
            _check_events(report, [plain for plain, _ in pairs], expect)
    for number, pair in enumerate(pairs):
        Comparison(
            _tolerance(report, ulp, rtol), f"call {number + 1}, seen at the end", plain_inputs, jit_inputs
        ).outcomes(*pair)
    if expect == "compiled":
        assert report.compiles == 1 + recompiles, f"compiled {report.compiles} times:\n{_told(report)}"
    return report


def check_each(
    function: Callable[..., Any],
    rows: list[tuple[Any, ...]],
    *,
    expect: str | None = "compiled",
    backend: str = "reference",
    **options: Any,
) -> None:
    """`check` for `function` on every row of arguments, cheaply: the rows that raise nothing share one trace.

    Rows that raise plainly are checked one by one; so are all of them when the shared trace fails, to name the row.
    """
    quiet, loud = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row in rows:
            (loud if run(function, *copied((row, {}))).error is not None else quiet).append(row)
    for row in loud:
        check(function, *row, backend=backend, **options)

    if not quiet:
        return
    try:
        with gl.config.patch(recompile_limit=max(len(quiet), gl.config.recompile_limit)):
            check(
                _calling(function, quiet),
                [each for row in quiet for each in row],
                expect=expect,
                backend=backend,
                **options,
            )
    except AssertionError:
        for row in quiet:
            try:
                check(function, *row, expect=expect, backend=backend, **options)
            except AssertionError as error:
                raise AssertionError(f"on {', '.join(map(_brief, row))}: {error}") from None
        raise


def check_in_turn(
    function: Callable[..., Any],
    rows: Sequence[tuple[Any, ...]],
    tolerance: Tolerance,
    *,
    backend: str = "numba",
    dynamic: bool | None = None,
) -> Report:
    """The report of one jitted function that was called with each row of arguments in turn, on copies of its own.

    Each call is compared with a plain one as in `check`, when it returns and again behind all calls. Breaks are free.
    """
    jitted = gl.jit(dynamic=dynamic)(function)
    pairs: list[tuple[Outcome, Outcome]] = []
    inputs: list[tuple[Any, Any]] = []
    comparisons: list[Comparison] = []
    with under(os.environ.get("GUARDLIFT_ORACLE", backend)):
        for number, row in enumerate(rows):
            plain, jit = copied(row), copied(row)
            same = Comparison(tolerance, f"call {number + 1}", arrays_in(plain), arrays_in(jit))
            pairs.append((run(function, plain, {}), run(jitted, jit, {})))
            same.outcomes(*pairs[-1])
            same.written(plain, jit)
            inputs.append((plain, jit))
            comparisons.append(replace(same, label=f"{same.label}, seen at the end"))
    for same, pair, (plain, jit) in zip(comparisons, pairs, inputs, strict=True):
        same.outcomes(*pair)
        same.written(plain, jit)
    report = _report(jitted, pairs)
    _check_events(report, [plain for plain, _ in pairs], None)
    return report


def _calling(function: Callable[..., Any], rows: list[tuple[Any, ...]]) -> Callable[..., Any]:
    """A function of one flat list that gives `[function(*row) for row in rows]`; a flat list needs few guards."""
    calls, place = [], 0
    for row in rows:
        calls.append(f"function({', '.join(f'values[{place + k}]' for k in range(len(row)))})")
        place += len(row)
    namespace: dict[str, Any] = {"function": function}
    exec(f"def every(values):\n    return [{', '.join(calls)}]", namespace)
    return namespace["every"]  # type: ignore[no-any-return]


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)} strides {value.strides}"
    return f"{type(value).__name__} {value!r}"


@contextmanager
def under(backend: str) -> Iterator[None]:
    """A context with every check of the tracer on, and the back end chosen."""
    with ExitStack() as stack:
        stack.enter_context(gl.config.patch(raise_internal_errors=True, verify_graphs=True))
        if backend == "reference":
            stack.enter_context(patch("guardlift.backend.compile.compile_graph", compile_to_reference))
        else:
            assert backend == "numba", backend
        yield


def run(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
    """The outcome of calling `function`, errors and warnings included."""
    outcome = Outcome()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome.value = function(*args, **kwargs)
        except Exception as error:
            outcome.error = error
    outcome.warned = [
        (each.category, str(each.message), each.filename, each.lineno) for each in caught if not _left_out(each)
    ]
    return outcome


def _left_out(warning: warnings.WarningMessage) -> bool:
    """Whether the plain and the jitted run may differ in this warning: floating-point ones, and ours of a break."""
    if issubclass(warning.category, gl.GraphBreakWarning):
        return True
    text = str(warning.message)
    return issubclass(warning.category, RuntimeWarning) and (
        " encountered in " in text
        or text in ("Mean of empty slice", "Mean of empty slice.")
        or text.startswith("Degrees of freedom")
    )


def _report(jitted: Any, pairs: list[tuple[Outcome, Outcome]]) -> Report:
    state = state_of(jitted)
    events, entries = (state.history, state.entries) if state is not None else ([], [])
    return Report(list(events), list(entries), [outcome.value for _, outcome in pairs])


def _tolerance(report: Report, ulp: int, rtol: float | None) -> Tolerance:
    names = report.op_names
    if all(OPS[name].exact for name in names):
        return Tolerance(zeros=bool(names & EXTREMES))
    return Tolerance(ulp, rtol, sums=bool(names & SUMS), zeros=True)


def _check_events(report: Report, plain: list[Outcome], expect: str | None) -> None:
    breaks = report.breaks
    assert not {"B900", "B902"} & {*breaks}, _told(report)
    if "B304" in breaks:
        assert any(outcome.error is not None for outcome in plain), (
            f"the plain run raises nothing, yet:\n{_told(report)}"
        )
    if expect == "compiled":
        assert not breaks and report.compiles, f"was to compile:\n{_told(report)}"
    elif expect == "plain":
        assert not report.compiles, f"was to run plainly:\n{_told(report)}"
        assert breaks, "was to run plainly, and recorded no break"
    elif expect == "broken":
        assert breaks, "was to break the graph"
    else:
        assert expect is None, f"expect={expect!r}: compiled, plain, broken or None"


def _told(report: Report) -> str:
    return "\n".join(
        f"  {event.kind} {event.text or [reason.text for reason in event.reasons]}" for event in report.events
    )


# Copies of inputs.
def copied(inputs: Any) -> Any:
    """A deep copy in which arrays keep their layout, flags and owners, and share memory as the originals do."""
    memo: dict[int, Any] = {}
    owners: dict[int, Array] = {}
    for array in arrays_in(inputs):
        memo[id(array)] = _copied_array(array, owners, memo)
    return copy.deepcopy(inputs, memo)


def _copied_array(array: Array, owners: dict[int, Array], memo: dict[int, Any]) -> Array:
    if type(array) is not np.ndarray or array.dtype.hasobject:
        return copy.deepcopy(array, memo)
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    assert owner.base is None, "an input over foreign memory: the oracle cannot copy it"
    if id(owner) not in owners:
        owners[id(owner)] = made = np.empty_like(owner, subok=False)
        assert _strides(made) == _strides(owner), "an owner whose memory is not dense"
        made[...] = owner
        made.flags.writeable = owner.flags.writeable
    made = owners[id(owner)]
    if owner is not array:
        offset = _address(array) - _address(owner) if array.size else 0
        made = np.ndarray(array.shape, array.dtype, bytes_of(made), offset, array.strides)
        made.flags.writeable = array.flags.writeable
    return made


def arrays_in(value: Any) -> list[Array]:
    """Every array in a structure of containers and plain objects, each once, in order of discovery."""
    found: list[Array] = []
    seen: set[int] = set()

    def visit(each: Any) -> None:
        if id(each) in seen or isinstance(each, (type, FunctionType)):
            return
        seen.add(id(each))
        if isinstance(each, np.ndarray):
            found.append(each)
        elif isinstance(each, dict):
            for part in each.values():
                visit(part)
        elif isinstance(each, (list, tuple, set, frozenset)):
            for part in each:
                visit(part)
        elif hasattr(each, "__dict__") and not isinstance(each, type(np)):
            visit(vars(each))

    visit(value)
    return found


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


# Comparison.
@dataclass(frozen=True)
class Tolerance:
    """The distance by which floats may differ: bit for bit by default. `zeros`: the sign of a zero is free."""

    ulp: int = 0
    rtol: float | None = None
    sums: bool = False
    zeros: bool = False

    def close(self, plain: Array, jitted: Array) -> Any:
        """A mask of where two arrays of one dtype and shape agree; of complex numbers, both parts have to."""
        if plain.dtype.kind == "c":
            return self.close(plain.real, jitted.real) & self.close(plain.imag, jitted.imag)
        if plain.dtype.kind != "f" or plain.dtype.itemsize not in (2, 4, 8):
            return np.asarray(plain == jitted) | (np.asarray(plain != plain) & np.asarray(jitted != jitted))
        equal = (plain == jitted) & ((np.signbit(plain) == np.signbit(jitted)) | self.zeros)
        equal |= np.isnan(plain) & np.isnan(jitted)
        if not self.ulp and self.rtol is None:
            return np.asarray(equal)
        finite = np.isfinite(plain) & np.isfinite(jitted)
        one, two = (np.where(finite, each, 0).astype(np.longdouble) for each in (plain, jitted))
        allowed: Any = self.ulp * np.spacing(np.abs(np.where(finite, plain, 1))).astype(np.float64)
        if self.rtol is not None or self.sums:
            share = self.rtol if self.rtol is not None else SUM_TOLERANCE[plain.dtype.itemsize]
            allowed = np.maximum(allowed, share * float(np.abs(one).max(initial=0.0)))
        return np.asarray(equal | (finite & (np.abs(one - two) <= allowed)))


@dataclass
class Comparison:
    """One comparison of a plain call with a jitted one; fails with the place where they differ."""

    tolerance: Tolerance
    label: str
    plain_inputs: list[Array]
    jit_inputs: list[Array]

    def outcomes(self, plain: Outcome, jitted: Outcome) -> None:
        self.errors(plain.error, jitted.error)
        assert plain.warned == jitted.warned, f"{self.label}: warnings {plain.warned} plainly, {jitted.warned} jitted"
        self.values(plain.value, jitted.value, "result")
        left, right = arrays_in(plain.value), arrays_in(jitted.value)
        self.sharing([*self.plain_inputs, *left], [*self.jit_inputs, *right])

    def written(self, plain: Any, jitted: Any) -> None:
        """Compare the inputs after the call."""
        self.values(plain, jitted, "inputs")

    def errors(self, plain: BaseException | None, jitted: BaseException | None) -> None:
        if (plain is None) != (jitted is None) or plain is not None and type(plain) is not type(jitted):
            shown = "".join(traceback.format_exception(jitted)) if jitted is not None else ""
            raise AssertionError(f"{self.label}: raised {plain!r} plainly, {jitted!r} jitted\n{shown}")
        if plain is None or jitted is None:
            return
        assert str(plain) == str(jitted), f"{self.label}: said {plain} plainly, {jitted} jitted"
        frames = _frames(jitted)
        ours = [each for each in frames if each[0].startswith("<guards") or _is_ours(Path(each[0]))]
        assert not ours, f"{self.label}: guardlift shows in the traceback: {ours}"
        assert _frames(plain) == frames, f"{self.label}: frames {_frames(plain)} plainly, {frames} jitted"
        self.errors(plain.__cause__, jitted.__cause__)
        self.errors(plain.__context__, jitted.__context__)

    def values(self, plain: Any, jitted: Any, path: str) -> None:
        self.at(path, "type", type(plain), type(jitted))
        if isinstance(plain, np.ndarray):
            self.arrays(plain, jitted, path)
        elif isinstance(plain, np.generic):
            self.at(path, "dtype", plain.dtype, jitted.dtype)
            self.elements(np.asarray(plain), np.asarray(jitted), path)
        elif isinstance(plain, float):
            self.elements(np.float64(plain), np.float64(jitted), path)
        elif isinstance(plain, np.flatiter):
            self.at(path, "place", plain.index, jitted.index)
            self.values(plain.base, jitted.base, f"{path}: its array")
        elif isinstance(plain, np.random.Generator):
            self.values(plain.bit_generator.state, jitted.bit_generator.state, f"{path}: its state")
        elif isinstance(plain, np.random.RandomState):
            states = (each.get_state(legacy=False) for each in (plain, jitted))
            self.values(*states, f"{path}: its state")
        elif isinstance(plain, (list, tuple)):
            self.at(path, "length", len(plain), len(jitted))
            for k, (one, two) in enumerate(zip(plain, jitted, strict=True)):
                self.values(one, two, f"{path}[{k}]")
        elif isinstance(plain, dict):
            self.at(path, "keys", list(plain), list(jitted))
            for key in plain:
                self.values(plain[key], jitted[key], f"{path}[{key!r}]")
        elif (
            hasattr(plain, "__dict__")
            and not isinstance(plain, (type, FunctionType))
            and type(plain).__eq__ is object.__eq__
        ):
            self.values(vars(plain), vars(jitted), path)
        else:
            self.at(path, "value", plain, jitted)

    def at(self, path: str, what: str, plain: Any, jitted: Any) -> None:
        assert plain == jitted, f"{self.label}: {path}: {what} {plain!r} plainly, {jitted!r} jitted"

    def arrays(self, plain: Array, jitted: Array, path: str) -> None:
        self.at(path, "dtype", plain.dtype, jitted.dtype)
        self.at(path, "shape", plain.shape, jitted.shape)
        self.at(path, "strides", _strides(plain), _strides(jitted))
        for flag in ("c_contiguous", "writeable", "aligned"):
            self.at(path, f"flag {flag}", getattr(plain.flags, flag), getattr(jitted.flags, flag))
        self.elements(plain, jitted, path)

    def elements(self, plain: Any, jitted: Any, path: str) -> None:
        good = self.tolerance.close(np.asarray(plain), np.asarray(jitted))
        if not good.all():
            where = np.argwhere(~good)[0] if good.ndim else ()
            one, two = plain[tuple(where)], jitted[tuple(where)]
            raise AssertionError(
                f"{self.label}: {path}{list(map(int, where)) or ''}: {one!r} plainly, {two!r} jitted"
                f" ({int((~good).sum())} of {good.size} differ)\n{plain!r}\n{jitted!r}"
            )

    def sharing(self, plain: list[Array], jitted: list[Array]) -> None:
        self.at("arrays", "count", len(plain), len(jitted))
        first = len(self.plain_inputs)
        for k in range(first, len(plain)):
            self.at(f"array {k - first} of the result", "base", _base(plain, k), _base(jitted, k))
        for k, other in sorted(_near(plain) | _near(jitted)):
            if k >= first:
                name = f"inputs' array {other}" if other < first else f"array {other - first} of the result"
                place = f"array {k - first} of the result and {name}"
                self.at(place, "sharing", _sharing(plain[k], plain[other]), _sharing(jitted[k], jitted[other]))


def _is_ours(file: Path) -> bool:
    """Whether a file belongs to the package, whose root folder holds the tests as well."""
    if not file.is_absolute() or not file.resolve().is_relative_to(PACKAGE):
        return False
    first = file.resolve().relative_to(PACKAGE).parts[0]
    return not first.startswith((".venv", ".cache")) and first not in ("tests", "examples", "docs", "benchmarks")


def _frames(error: BaseException) -> list[tuple[str, int | None, str]]:
    found = [(frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    found = [each for each in found if each[0] != __file__]
    if isinstance(error, UnboundLocalError) and sys.version_info < (3, 12) and found:
        found[-1] = (found[-1][0], None, found[-1][2])  # 3.11 tells, once warm, the line of the instruction before
    return found


def _strides(array: Array) -> tuple[int, ...]:
    return tuple(step if size > 1 and array.size else 0 for step, size in zip(array.strides, array.shape, strict=True))


def _base(arrays: list[Array], k: int) -> Any:
    base = arrays[k].base
    if base is None:
        return None
    return next((place for place, each in enumerate(arrays) if each is base), type(base).__name__)


def _near(arrays: list[Array]) -> set[tuple[int, int]]:
    """The pairs, the later first, that may share memory or are one object: the bytes they span meet."""
    spans = sorted((*byte_bounds(each), k) for k, each in enumerate(arrays))
    found: set[tuple[int, int]] = set()
    open_: list[tuple[int, int]] = []
    for low, high, k in spans:
        open_ = [(end, other) for end, other in open_ if end >= low]
        found.update((max(k, other), min(k, other)) for _, other in open_)
        open_.append((high, k))
    return found


def _sharing(one: Array, two: Array) -> Any:
    """Whether two arrays are one object, or share memory at which distance."""
    if one is two:
        return "the same object"
    if one.dtype.hasobject or two.dtype.hasobject or not np.may_share_memory(one, two):
        return "nothing"
    try:
        shared = np.shares_memory(one, two, max_work=10_000)
    except np.exceptions.TooHardError:
        shared = True
    return f"memory, {_address(one) - _address(two)} bytes on" if shared else "nothing"


__all__ = ["Report", "Tolerance", "arrays_in", "check", "check_each", "check_in_turn", "copied", "run", "under"]
