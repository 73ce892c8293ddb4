"""Runs something and interrupts it at one of the places where CPython looks for signals, by number.

These are the beginnings of functions, calls, and the turns of loops, in code of guardlift. An interrupt arrives there
before the instruction; that a call has come back is the same place seen from inside of what it called.
"""

from __future__ import annotations

import dis
import functools
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = str(Path(__file__).resolve().parents[1])
LOOKS = frozenset({"RESUME", "CALL", "CALL_KW", "CALL_FUNCTION_EX", "JUMP_BACKWARD"})


@functools.cache
def places(code: types.CodeType) -> frozenset[int]:
    """The offsets where it looks for signals: not before the call that ends a `with`, which looks when it is back."""
    found, nones = set[int](), list[bool]()
    for each in dis.get_instructions(code):
        leaves_with = nones[-3:] == [True] * 3 or nones[-4:-1] == [True] * 3
        if each.opname in LOOKS and not leaves_with:
            found.add(each.offset)
        if each.opname != "CACHE":
            nones.append(each.opname in ("LOAD_CONST", "LOAD_COMMON_CONSTANT") and each.argrepr == "None")
    return frozenset(found)


def _is_ours(code: types.CodeType) -> bool:
    rest = code.co_filename.removeprefix(ROOT)
    return rest != code.co_filename and not rest.startswith(("/tests", "/.venv", "/.cache"))


def _in_a_finalizer(frame: types.FrameType | None) -> bool:
    """Whether an exception here cannot come out: CPython prints what `__del__` raises, and goes on."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def interrupted(run: Callable[[], Any], stop: int) -> tuple[int, str]:
    """The number of places seen, and the one of number `stop`, at which a KeyboardInterrupt was raised.

    Errors: AssertionError when the interrupt was raised, and did not come out.
    """
    seen, where = 0, ""

    def local(frame: types.FrameType, event: str, argument: Any) -> Any:
        nonlocal seen, where
        if event == "opcode" and frame.f_lasti in places(frame.f_code):
            seen += 1
            if seen == stop:
                sys.settrace(None)
                where = f"{frame.f_code.co_filename.removeprefix(ROOT)}:{frame.f_lineno} {frame.f_code.co_name}"
                raise KeyboardInterrupt
        return local

    def begin(frame: types.FrameType, event: str, argument: Any) -> Any:
        if not _is_ours(frame.f_code) or _in_a_finalizer(frame):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return local

    before, came_out = sys.gettrace(), False
    sys._getframe().f_trace_opcodes = True  # 3.12 asks for opcodes if some frame wanted them when tracing began
    sys.settrace(begin)
    try:
        run()
    except KeyboardInterrupt:
        came_out = True
    finally:
        sys.settrace(before)
    assert came_out or not where, f"the interrupt at {where} was lost"
    return seen, where


def in_another_thread(run: Callable[[], Any]) -> Any:
    """The result in a thread, for which no lock of this thread is free. Errors: what it raises; TimeoutError."""
    results: list[Any] = []
    errors: list[BaseException] = []

    def go() -> None:
        try:
            results.append(run())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=go, daemon=True)
    thread.start()
    thread.join(60.0)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError("a lock is held for ever")
    return results[0]
