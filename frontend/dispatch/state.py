"""The state of a jitted function beside its fast path: its entries, its history, and the pool that its code refers to.

Loaded when a function is first jitted, not with the package: the tracer behind it takes as long to import as NumPy.
"""

from __future__ import annotations

import sys
import threading
import types
from collections import ChainMap, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ...backend.plugins.registry import NUMBA, Backend
from ...core.asynchronous import lookup_failed
from ...core.config import config
from ...core.events import Event, plural
from ...core.package import is_ours
from ...core.rare_collections import RareCollections
from ...guards.entry import Entry
from ...guards.names import name_text
from ...guards.pool import Pool
from ...guards.sources import CELL, LOOKUP
from ..codegen.frame_state import FrameState, ResumePoint
from . import install
from .answers import LEFT, RUN_ORIGINAL, RaisedInContinuation
from .call_counts import CallCounter
from .pickling import teach_cloudpickle
from .recorded_entries import RecordedEntries, answer_from_disk, recorded
from .registry import register

if TYPE_CHECKING:
    from ...guards.code_object import CodeObjectBuilder
    from ..compile.artifacts import Artifacts
    from ..tracing.speculation import NotRegions
    from .shared_state import SharedState

_REST = 20.0
"""Times as long as a compile took, that a function whose entries all went stale at once waits for the next one."""


class FunctionState:
    """The state of one jitted function. Calling it answers a call that no entry fits: it is the pool's miss handler."""

    def __init__(
        self,
        original: types.FunctionType,
        fullgraph: bool,
        dynamic: bool | None = None,
        on_limit: str | None = None,
        backend: Backend = NUMBA,
    ) -> None:
        self._original = original
        self._calling: threading.local | None = None
        """The function of the call that is being answered, in each thread; see `shared_state`."""
        self.sharing: WeakSet[SharedState] = WeakSet()
        """The other functions that run its code."""
        self.place = written_at(original)
        """The file and the first line of the function that the user wrote."""
        self.backend = backend
        """Who runs its graphs."""
        self.fullgraph = fullgraph
        self.dynamic = dynamic
        """Whether sizes are symbolic; None: once they change."""
        self.asked_on_limit = on_limit
        self.function: types.FunctionType | None = None
        self._cell = types.CellType()
        self.pool = Pool((LOOKUP, self, RUN_ORIGINAL, NotImplemented, RaisedInContinuation, type, lookup_failed, LEFT))
        self.points = {0: ResumePoint(0)}
        """By position: the start of the function, and where compiled code takes over again behind graph breaks."""
        self.history: list[Event] = []
        self.repeated: Event | None = None
        """The last call beyond the limit that was explained; it stands for all later ones, once enough of them were."""
        self.refused: NotRegions = {}
        """Its loops that did not become native ones."""
        self.entering: set[tuple[int, int]] = set()
        """Threads, each with the position of the point that it is just being brought to."""
        self.logged_causes: set[object] = set()
        """The causes of misses beyond the limit that the log has told of."""
        self.told_of_part = False
        """Whether a warning has said that Python runs a part before a graph break."""
        self.is_callee = False
        """Whether compiled functions call it behind a graph break: their programs go on with its results."""
        self.numbers = 0
        """The number of entries that were begun; the next one's number."""
        self.given_up = False
        """Whether its code could not be put together, so that it stays plain Python."""
        self.newest: deque[types.CodeType] = deque(maxlen=16)
        """The code objects that try all present entries."""
        self.outdated = False
        """Whether the function's code does not have all entries yet."""
        self.lock = threading.RLock()
        self.busy = False
        """Whether this very function is being compiled."""
        self.recorded: RecordedEntries | None = None
        """Its entries of another process, until the first call looks at them."""
        self.told_of_miss = False
        """Whether it was counted that no entries of another process were there."""
        self.told_of_bypasses: set[str] = set()
        """Why entries of it were not written to disk, as far as it was counted."""
        self.calls_seen = 0
        """Calls that no entry served, and while somebody wants to see them, all calls."""
        self.watchers = 0
        """The number of those who want to see all calls at present: see `seen_calls`."""
        self.calls = CallCounter()
        self.serial = register(self)

    @property
    def original(self) -> Any:  # a FunctionType, which mypy would take for a method here
        """The function as the user wrote it: of those that share the state, the one whose call is being answered."""
        return getattr(self._calling, "original", self._original)

    @property
    def cell(self) -> types.CellType:
        """The cell in which the code of `original` finds the pool."""
        found: types.CellType = getattr(self._calling, "cell", self._cell)
        return found

    def becomes(self, function: types.FunctionType, cell: types.CellType) -> None:
        """Make `function`, whose code finds the pool in `cell`, the one that this is the state of."""
        self.function, self._cell = function, cell

    def show_pool(self) -> None:
        """Let the code of all its functions see the objects that the pool has now."""
        objects = self.pool.objects
        self._cell.cell_contents = objects
        for each in tuple(self.sharing):
            each.show(objects)

    def replace_code(self, code: types.CodeType) -> None:
        """Give all its functions this code."""
        if self.function is None:
            self.function = install.function_like(self._original, code, self._cell)
        else:
            self.function.__code__ = code
        for each in tuple(self.sharing):
            each.replace_code(code)

    @contextmanager
    def answering_for(self, original: types.FunctionType, cell: types.CellType) -> Iterator[None]:
        """A context in which this thread answers a call of another function that shares the state."""
        calling = self._calling
        if calling is None:
            calling = self._calling = threading.local()
        before = vars(calling).copy()
        calling.original, calling.cell = original, cell
        try:
            yield
        finally:
            vars(calling).clear()
            vars(calling).update(before)

    @cached_property
    def code_objects(self) -> CodeObjectBuilder:
        """The builder of the function's code objects."""
        from ...guards.code_object import CodeObjectBuilder

        return CodeObjectBuilder(self._original.__code__)

    @cached_property
    def artifacts(self) -> Artifacts:
        """Artifacts that were compiled for it, to be used again for traces that give the same graph."""
        from ..compile.artifacts import Artifacts

        return Artifacts()

    def __call__(self, *values: Any) -> Any:
        """The answer to a call that no entry fits: see `miss_handler.answer`."""
        return self.missed(values, sys._getframe(1).f_code)

    def missed(self, values: tuple[Any, ...], code: types.CodeType) -> Any:
        """The answer to a call of which this code found that no entry fits."""
        self.calls_seen += 1
        if self.recorded is not None:
            answered = answer_from_disk(self, values)
            if answered is not None:
                self.calls.answered += answered is not RUN_ORIGINAL
                return answered
        _prepare_to_compile()
        with RareCollections():
            from .miss_handler import answer

            return answer(self, values, code)

    def resume(self, position: int, stack: tuple[Any, ...], own_cells: Callable[[], Any] | None) -> Any:
        """The answer to the rest of a call, from a resume point where no entry fits: see `miss_handler.answer_at`.

        Called by the resume section of that point, in whose frame the local variables are found. `own_cells` is a
        function closed over the variables of the frame that are cells.
        """
        return self.resumed(position, stack, own_cells, sys._getframe(1))

    def resumed(
        self, position: int, stack: tuple[Any, ...], own_cells: Callable[[], Any] | None, frame: types.FrameType
    ) -> Any:
        """The answer to the rest of the call in `frame`."""
        with RareCollections():
            from .miss_handler import answer_at

            return answer_at(self, position, stack, own_cells, frame)

    def see_call(self) -> None:
        """Count a call. The function's code says so while somebody wants to see all calls, before it tries entries."""
        self.calls_seen += 1

    def refresh_code(self) -> None:
        """Give the function the code for its entries, unless a call is just going on in newer code than it has."""
        if self.outdated and not self.entering and not self.busy:
            from .miss_handler import assemble_safely

            with self.lock:
                assemble_safely(self)

    @property
    def on_limit(self) -> str:
        """The way in which it keeps to its limits, as `config.on_limit` says unless it was told."""
        return self.asked_on_limit or config.on_limit

    @property
    def entries(self) -> list[Entry]:
        """The entries of all points, those of the start first."""
        return [entry for position in sorted(self.points) for entry in self.points[position].entries]

    @property
    def misses_over_limit(self) -> int:
        """Calls, and resumptions, that fitted no entry after the limit was reached."""
        return sum(point.misses_over_limit for point in self.points.values())

    def entry_text(self) -> str:
        """The generated prologue, for reports."""
        return install.entry_text(self)

    def forget(self) -> None:
        """Drop all entries and the history, as if the function had not been called yet."""
        with self.lock:
            for entry in self.entries:
                self.pool.release(entry.pooled)
            self.points = {0: ResumePoint(0)}
            self.recorded = None
            install.install(self, self.points[0], [])
            install.assemble(self)
            self.history.clear()
            self.repeated = None
            self.told_of_part = False
            self.artifacts.clear()
            self.numbers = 0
            self.calls = CallCounter()

    def limit_reached(self, point: ResumePoint) -> str:
        """Why no more entries may be compiled for a point; empty while they may.

        Entries that share the code of another one do not count. Stale ones count only without `config.relift`, and only
        those that a write made stale.
        """
        live = [entry for entry in point.entries if not entry.stale]
        spent = sum(not entry.shares for entry in live)
        if not config.relift:
            spent += point.replaced + sum(entry.replaceable for entry in point.entries)
        if spent >= config.recompile_limit:
            return f"has {plural(spent, 'entry', 'entries')}, the limit (gl.config.recompile_limit)"
        if len(live) >= config.entry_limit:
            return f"has {plural(len(live), 'entry', 'entries')}, the limit (gl.config.entry_limit)"
        if point.passing and self.on_limit != "error" and self._rests(point):
            return "has had entries for one call each, for objects or values that have not come again"
        if point.hurried >= config.relift_limit and any(
            entry.stale and entry.younger_than(_REST) for entry in point.entries
        ):
            often = f"was compiled anew {point.hurried} times in a row"
            return f"{often}, each time for less time than that took (gl.config.relift_limit)"
        return ""

    @staticmethod
    def _rests(point: ResumePoint) -> bool:
        from .new_entry import rests  # which made the point's entries

        return rests(point)

    def namespace(self, at: FrameState) -> Mapping[str, object]:
        """The names that guard texts see: the frame's variables, free variables, globals, built-ins, the pool."""
        original = self.original
        free: dict[str, object] = {}
        for name, cell in zip(original.__code__.co_freevars, original.__closure__ or (), strict=True):
            free[CELL.format(name_text(name))] = cell
            try:
                free[name] = cell.cell_contents
            except ValueError:
                continue
        return ChainMap(at.namespace(), free, original.__globals__, original.__builtins__)  # type: ignore[attr-defined]


def written_at(function: types.FunctionType) -> tuple[str, int]:
    """The file and the first line of a function; of one that a decorator of ours made, of the function in it."""
    while is_ours(function.__globals__) and isinstance(inner := vars(function).get("__wrapped__"), types.FunctionType):
        function = inner
    return function.__code__.co_filename, function.__code__.co_firstlineno


def jitted(
    original: types.FunctionType,
    fullgraph: bool,
    dynamic: bool | None = None,
    on_limit: str | None = None,
    backend: Backend = NUMBA,
) -> types.FunctionType:
    """A copy of `original` whose code asks a new `FunctionState` for everything.

    The state traces a copy too: whoever gives the original another `__code__` later changes the original alone.
    """
    teach_cloudpickle()
    traced = types.FunctionType(
        original.__code__, original.__globals__, original.__name__, original.__defaults__, original.__closure__
    )
    traced.__qualname__ = original.__qualname__
    state = FunctionState(traced, fullgraph, dynamic, on_limit, backend)
    state.place = written_at(original)
    state.recorded = recorded(state)
    if state.recorded is not None:
        state.pool.reserve(state.recorded.data["pool"])  # the code names these numbers, whatever comes of it
        state.show_pool()
        state.function = install.function_like(traced, state.recorded.code, state.cell)
    else:
        install.install(state, state.points[0], [])
        install.assemble(state)
    assert state.function is not None
    return state.function


@cache
def _prepare_to_compile() -> None:
    """Imports the tracer, once, while another thread makes the function that runs plans."""
    with RareCollections(is_import=True):
        from ...backend.cpu.plan.builtin import begin_runner

        begin_runner()
        from . import miss_handler  # noqa: F401 (which imports the tracer)
