"""The harness that keeps recompiles from coming back.

`max_recompiles`, `no_recompiles`, `exact_compiles`, `no_graph_breaks`, `max_guard_us`, `assert_no_leak` and
`fresh_cache` are context managers and decorators::

    with gl.testing.no_recompiles(of=f) as log:
        f(x)
        f(y)
    assert log.compiles == 1

A failing expectation raises `AssertionError` with the causes: what changed, which call, where it matters, which edit
avoids it. An expectation that could not fail, since nothing was called, does not pass.
"""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ContextDecorator, ExitStack, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..core.config import config
from ..core.errors import BackendError
from ..core.events import RECOMPILE, plural
from .harness.compile_log import CompileLog
from .harness.expectation import Expectation, LogError, forget
from .harness.leaks import chain_to
from .harness.limits import breaks_beyond, guard_us_beyond, recompiles_beyond
from .harness.observation import OWN, Observation


def max_recompiles(count: int, *, of: Any = None, threads: str = OWN) -> Expectation:
    """An expectation of at most `count` recompiles; the first compile of a function is free.

    of: a jitted function or several; all by default. A call that runs as plain Python because its function has reached
    the limit of entries counts as a recompile.
    threads: ``"own"`` counts the calls of the thread that expects this, and of threads that it starts meanwhile;
    ``"all"`` those of every thread.
    """
    _check_count(count)
    return Expectation(of, lambda seen: recompiles_beyond(seen, count, f"at most {count} may happen"), threads=threads)


def no_recompiles(*, of: Any = None, threads: str = OWN) -> Expectation:
    """An expectation of no recompile; the first compile of a function is free. See `max_recompiles`."""
    return max_recompiles(0, of=of, threads=threads)


def exact_compiles(
    count: int, *, of: Any = None, reasons: Sequence[str] | None = None, threads: str = OWN
) -> Expectation:
    """An expectation of exactly `count` compiles, first ones included. See `max_recompiles`.

    reasons: for each recompile, in their order, a text that its reasons contain, such as ``"n was 3"``.
    """
    _check_count(count)
    if isinstance(reasons, str) or not all(isinstance(each, str) for each in reasons or ()):
        raise LogError(f"reasons= takes a list with a text for each recompile, not {reasons!r}")

    def check(seen: Observation) -> str:
        if seen.log.compiles != count:
            return f"{plural(seen.log.compiles, 'compile')}, where exactly {count} should happen"
        return "" if reasons is None else _other_reasons(seen.log, reasons)

    return Expectation(of, check, threads=threads)


def _other_reasons(log: CompileLog, expected: Sequence[str]) -> str:
    """The difference between the reasons of the recompiles and those that were expected; empty when there is none."""
    found = ["; ".join(reason.change() for reason in event.nearest()) for event in log.kept(RECOMPILE)]
    lines = []
    for number, (wanted, given) in enumerate(zip_longest(expected, found), 1):
        if wanted is None or given is None or wanted not in given:
            lines.append(f"recompile {number}: expected {'none' if wanted is None else repr(wanted)}")
            lines.append(f"  found {'none' if given is None else repr(given)}")
    return "\n".join(["the reasons are others than expected", *lines]) if lines else ""


def max_guard_us(most: float, *, of: Any = None) -> Expectation:
    """An expectation that no entry's guards take longer than `most` microseconds a call.

    What they take is estimated from their kinds (`EntryReport.guard_microseconds`), so a test cannot fail because its
    machine is busy. Looks at all entries of the functions named with `of`, else of those that are called meanwhile.
    """
    if not isinstance(most, (int, float)) or isinstance(most, bool) or not most >= 0:
        raise LogError(f"a time is a number of microseconds from 0 on, not {most!r}; the functions go under of=")
    return Expectation(of, lambda seen: guard_us_beyond(seen, most, f"{most} us may be"))


def no_graph_breaks(*, of: Any = None, threads: str = OWN) -> Expectation:
    """An expectation of no graph break. Of functions named with `of`, breaks that were found earlier count as well."""
    return Expectation(of, lambda seen: breaks_beyond(seen, 0, "none should happen"), True, threads)


class assert_no_leak(ContextDecorator):
    """Fails when tensors' memory, modules or optimizers that are made inside are still alive at the end.

    What is to outlive the block has to be made before it. Garbage is collected first, at both ends.
    Errors: `AssertionError` with the number of each kind, and the names by which one of them is held.
    """

    def __enter__(self) -> None:
        self._before = {id(each): weakref.ref(each) for each in _owned()}

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        __tracebackhide__ = True
        if error is not None:
            return
        left = [each for each in _owned() if self._before.get(id(each), _nothing)() is not each]
        if left:
            raise AssertionError(_leaked(left))


def _leaked(left: list[Any]) -> str:
    counted = ", ".join(
        plural(count, kind) for kind, count in Counter(type(each).__qualname__ for each in left).items()
    )
    # What holds others tells more than these.
    kept = next((each for each in left if not isinstance(each, _storage())), left[0])
    chain = chain_to(kept, [left])
    held = f"is held by {chain}" if chain else "is held by no name that was found: by C code, or over a long way"
    return f"{counted} made here did not die; the first {type(kept).__qualname__} {held}"


def _nothing() -> None:
    return None


def _storage() -> type:
    from ..tensor.storage import UntypedStorage

    return UntypedStorage


def _owned() -> list[Any]:
    """The objects alive that own memory of tensors, or lead to it."""
    from ..nn.module import Module
    from ..optim.optimizer import Optimizer

    gc.collect()
    return [each for each in gc.get_objects() if issubclass(type(each), (_storage(), Module, Optimizer))]


@contextmanager
def fresh_cache(folder: Path | str | None = None) -> Iterator[Path]:
    """A context with an empty kernel cache, in memory too, and with jitted functions that have no entries.

    folder: where kernels are kept meanwhile; a temporary one by default.
    """
    from tempfile import TemporaryDirectory

    from ..backend.cpu.compiler import kernels

    with ExitStack() as stack:
        folder = Path(folder or stack.enter_context(TemporaryDirectory(prefix="guardlift-")))
        forget()
        kernels.forget()
        stack.callback(kernels.forget)
        stack.callback(forget)
        stack.enter_context(config.patch(cache_dir=str(folder)))
        yield folder


def check_backend(backend: Any, rtol: float = 0.0) -> None:
    """Fails when a backend, given by name or as a function, does not keep to what backends have to do.

    Every op is tried over its samples, then programs. For a test of each, see `tools.backend_cases`.
    rtol: how far its floats may be from NumPy's, relative to them.
    Errors: `AssertionError` that lists what it gets wrong.
    """
    from .backend_cases import backend_cases

    wrong = []
    for case in backend_cases():
        try:
            case.check(backend, rtol)
        except (AssertionError, BackendError) as error:
            wrong.append(f"  {case}: {error}")
    if wrong:
        raise AssertionError("\n".join([f"the backend gets {plural(len(wrong), 'case')} wrong", *wrong]))


def _check_count(count: int) -> None:
    if type(count) is not int or count < 0:
        raise LogError(f"a count of compiles is an int from 0 on, not {count!r}; the functions go under of=")


__all__ = [
    "CompileLog",
    "Expectation",
    "LogError",
    "assert_no_leak",
    "check_backend",
    "exact_compiles",
    "forget",
    "fresh_cache",
    "max_guard_us",
    "max_recompiles",
    "no_graph_breaks",
    "no_recompiles",
]
