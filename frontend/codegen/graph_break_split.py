"""Splitting a function at a graph break: the graph so far, then the frame as Python would have it, then the body."""

# Note [Where a trace is split]
# A break says where tracing came to an end. The trace is made again, up to just before the instruction of the first
# frame that was being evaluated then (a call, if the break was inside), and the state of that frame is written out:
# variables that are still read, and the stack. What cannot be written out (a started iterator, an entered context, a
# value without a form outside the trace) moves the split to the instruction that made it, which CPython runs instead.

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from ...core.records import dataclass
from ...guards.entry_code import ResumeBody
from ..breaks import (
    BACKEND,
    BACKWARD_OUTSIDE,
    CHANGED_KEYS,
    CLOSURE_AGAIN,
    INTERNAL,
    LONG_TRACE,
    NOTHING,
    RAISES,
    TOO_DEEP,
    GraphBreak,
    Unwinding,
)
from ..bytecode.cfg import loops_of
from ..bytecode.dataflow import BOUND, INNER, MAYBE, VALUE, Flow, flow_of
from ..bytecode.opcode_table import TABLE, traits_of
from ..bytecode.versions import current
from ..tracing.restarts import SplitEarlier
from ..tracing.tape import nodes_are_watched
from ..values import protocols
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.functions.functions import BoundMethod, FunctionValue
from ..values.functions.scopes import CellValue
from ..values.lazy import LazyValue
from ..values.objects.builtin_methods import BuiltinMethod, defined
from ..values.objects.classes import SLOT_WRAPPERS
from ..values.objects.objects import Instance

if TYPE_CHECKING:
    from ..bytecode.decode import Instruction
    from ..interpreter.frame import Frame
    from ..tracing.trace import Trace
    from .frame_state import FrameState
    from .reconstruct import EntryWriter

STATE_VALUE = "__guardlift_state_{}__"
"""The variables of entry code that hold a frame's state between the plan and the body."""

_WHOLE = (RAISES, NOTHING, BACKEND, INTERNAL, LONG_TRACE, TOO_DEEP, CHANGED_KEYS)
"""Breaks after which the whole call runs as plain Python."""


class StackProvenance:
    """At which instruction of the first frame each value came to its stack, and what was entered or advanced since."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._caught: list[int] = []
        self._born: dict[int, int] = {}
        self._kept: list[Value] = []
        self._entered: list[tuple[Value | None, int]] = []

    def note(self, frame: Frame, instruction: Instruction) -> None:
        """Notes what the instruction that was just evaluated left on the stack."""
        if frame.position < len(self._flow.names) and not self._flow.handling[frame.position]:
            if traits_of(self._flow.names[frame.position]).handling <= 0:
                self._caught.clear()
        for value in frame.stack:
            if value is not None and id(value) not in self._born:
                self._born[id(value)] = frame.began
                self._kept.append(value)
        if traits_of(instruction.name).enters_context:
            self._entered.append((frame.stack[-2], frame.began))

    def note_caught(self, frame: Frame) -> None:
        """Notes that the instruction raised, and that the frame goes on at a handler of its own."""
        self._caught.append(frame.began)

    def first_caught(self) -> int | None:
        """The count of instructions before the one that raised the outermost exception now being handled."""
        return self._caught[0] if self._caught else None

    def first_entered(self, frame: Frame) -> int | None:
        """The count of instructions before the outermost `with` that the trace entered and has not left."""
        inside = [began for leave, began in self._entered if any(each is leave for each in frame.stack)]
        return min(inside, default=None)

    def of(self, value: Value) -> int | None:
        """The count of instructions before the one that made `value`; None when it was there from the start."""
        return self._born.get(id(value))


@dataclass(frozen=True)
class Split:
    """The place where an entry leaves for the body, and those where it may take over, with the stack's kinds there.

    left: positions where it may do so no more.
    callee: whether the body calls a compiled function there.
    bare: whether Python runs all that comes before, too, since a history has to be eager mode's own there.
    """

    stop: GraphBreak
    position: int
    resumptions: dict[int, str]
    left: frozenset[int] = frozenset()
    callee: bool = False
    bare: bool = False


def split_point(trace: Trace, stop: GraphBreak) -> int | None:
    """The count of instructions at which to split for a break; None when the whole call must run as plain Python."""
    if stop.kind in _WHOLE or trace.progress.root is None:
        return None
    return trace.progress.root.began


def write_state(writer: EntryWriter, frame: Frame, at: FrameState, stop: GraphBreak) -> Split:
    """Writes the frame's state and the statement that resumes the body.

    Errors: `SplitEarlier`; `GraphBreak` when it cannot be done.
    """
    code = frame.code.raw
    flow = flow_of(code)
    position = flow.first_of_call(frame.position)
    kinds = flow.shapes[position]
    if kinds is None or len(kinds) != len(frame.stack):
        raise stop
    _check_contexts(writer.trace, frame, kinds)
    state = _State(writer, frame)
    variables = _variables(state, frame, at, flow.live[position], code)
    keep = _unchanged(frame)
    resumptions = _resumptions(flow, position, _loads_inherited(frame, position))
    slots = _slots(state, frame, _called_at_once(flow, kinds, resumptions), keep)
    callee = _jit_callee(state, frame, flow, position, stop, slots, keep)
    callee = (
        stop.kind in (BACKWARD_OUTSIDE, CLOSURE_AGAIN)
        and not stop.inside  # what a function of the program's is given to do is that function's business
        and _jit_given(state, frame, flow, position, slots, keep)
        or callee
    )
    resume = ResumeBody(position, variables, keep, tuple(slots))
    # What hooks on saved tensors and anomaly mode are told of a node is what eager mode tells them, inside of one
    # function, of nodes that are dropped as well. Hooks that are part of the graph pack what they pack in eager mode,
    # or the history is refused.
    saved = bool(writer.roots) or any(writer.trace.tape.saved.values())
    bare = nodes_are_watched() and saved or stop.in_backward and bool(writer.roots)
    bare = bare or not _leave(writer, state, resume, stop)
    if stop.loop is not None:
        inside = loops_of(code)[stop.loop]
        left = frozenset[int]() if stop.around is None else loops_of(code)[stop.around]
        behind = {*flow.behind(inside), *(flow.behind(left) if left else ())} - left
        return Split(stop, position, {each: flow.shapes[each] or "" for each in sorted(behind)}, left, bare=bare)
    return Split(stop, position, resumptions, callee=callee, bare=bare)


def _called_at_once(flow: Flow, kinds: str, resumptions: dict[int, str]) -> str:
    """`kinds` with either form allowed of a method that is called before compiled code takes over again."""
    behind = [flow.shapes[each] or "" for each in resumptions]
    kept = {slot for slot, kind in enumerate(kinds) if any(each[slot : slot + 1] == kind for each in behind)}
    return "".join(MAYBE if kind == BOUND and slot not in kept else kind for slot, kind in enumerate(kinds))


def _slots(state: _State, frame: Frame, kinds: str, keep: int) -> list[str | None]:
    """The variables for the slots above the lowest `keep`; None for NULL."""
    slots: list[str | None] = []
    while len(slots) < len(frame.stack) - keep:
        place = keep + len(slots)
        method = _read_as_method(frame, kinds, place)
        value = frame.stack[place]
        if method is not None:
            receiver = state.hold(method.receiver)
            slots += [state.text(_of_its_class(state.writer, method, receiver)), receiver]
        else:
            slots.append(None if value is None else state.hold(value))
    return slots


def _of_its_class(writer: EntryWriter, method: BuiltinMethod, receiver: str) -> str:
    """The method that the receiver's class has: an object from outside may be of a class of ours, which is watched."""
    outside = getattr(method.receiver, "source", None) is not None
    return f"type({receiver}).{method.name}" if outside else writer.pool.add(method.definition)


def _read_as_method(frame: Frame, kinds: str, place: int) -> BuiltinMethod | None:
    """The method at `place` that CPython reads, since it is called at once, as what the class has and the object.

    What is raised about the arguments says which of the two forms was called.
    """
    after = current().null_after_callable
    if kinds[place : place + 2] != (VALUE + MAYBE if after else MAYBE + VALUE):
        return None
    callable, null = frame.stack[place + (not after)], frame.stack[place + after]
    if null is not None or not isinstance(callable, BuiltinMethod) or callable.source is not None:
        return None
    return callable if type(callable.definition) in SLOT_WRAPPERS else None


def _leave(writer: EntryWriter, state: _State, resume: ResumeBody, stop: GraphBreak) -> bool:
    """Writes the statements that leave for the body, and says whether that can be done.

    It cannot where eager mode has to know the whole tape.
    Errors: `SplitEarlier` where a tensor's history cannot leave the call. What made the first such tensor is left to
    Python then, and so is what follows from it.
    """
    try:
        writer.leave(state.lines, resume.statement())
        return True
    except GraphBreak as refused:
        if refused.in_backward:
            return False
        provenance = writer.trace.progress.provenance
        assert provenance is not None
        made = [born for born in map(provenance.of, writer.roots) if born is not None]
        if not made:
            raise stop from None
        raise SplitEarlier(min(made)) from None


def _resumptions(flow: Flow, position: int, unbound: bool) -> dict[int, str]:
    """The kinds of slots by position where compiled code takes over again.

    unbound: whether the instruction loads a method that is not to be bound.
    """
    slot = len(flow.shapes[position] or "") - 1 if unbound else None
    return {each: flow.shapes[each] or "" for each in flow.resumptions(flow.last_of_split(position), slot)}


def _loads_inherited(frame: Frame, position: int) -> bool:
    """Whether CPython loads a built-in method that a class inherits: errors about arguments say how it is called."""
    instruction, owner = frame.code.instructions[position], frame.stack[-1] if frame.stack else None
    if owner is None or not traits_of(instruction.name).attribute:
        return False
    try:
        kind = owner.python_type
    except Unwinding:
        return False
    found = defined(kind, instruction.arg[1] if isinstance(instruction.arg, tuple) else instruction.arg)
    return type(found) is types.MethodDescriptorType and found.__objclass__ is not kind


def _check_contexts(trace: Trace, frame: Frame, kinds: str) -> None:
    """Errors: `SplitEarlier` when the trace has entered a context that it has not left."""
    assert trace.progress.provenance is not None
    before = [trace.progress.provenance.first_entered(frame), trace.progress.provenance.first_caught()]
    earliest = min((each for each in before if each is not None), default=None)
    if earliest is not None:
        raise SplitEarlier(earliest)
    born = [
        trace.progress.provenance.of(value)
        for value, kind in zip(frame.stack, kinds, strict=True)
        if kind == INNER and value
    ]
    if born:
        raise SplitEarlier(min(frame.began if each is None else each for each in born))


class _State:
    """The variables that hold the state until everything that runs user-visible code is over."""

    def __init__(self, writer: EntryWriter, frame: Frame) -> None:
        self.writer = writer
        self.frame = frame
        self.lines: list[str] = []

    def hold(self, value: Value) -> str:
        """A new variable of the entry code with this value.

        Errors: `SplitEarlier` when it has no form outside the trace.
        """
        try:
            text = value.rebuild(self.writer)
        except GraphBreak as refused:
            assert self.writer.trace.progress.provenance is not None
            born = self.writer.trace.progress.provenance.of(value)
            if born is None:
                raise refused from None
            raise SplitEarlier(born) from None
        return self.text(text)

    def text(self, text: str) -> str:
        """A new variable of the entry code that holds what `text` gives."""
        name = STATE_VALUE.format(len(self.lines))
        self.lines.append(f"{name} = {text}")
        return name


def _variables(
    state: _State, frame: Frame, at: FrameState, live: frozenset[str], code: types.CodeType
) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name in sorted(live | set(code.co_cellvars)):
        value = frame.variables.get(name)
        if isinstance(value, CellValue):
            if value.cell.outside:
                continue
            value = value.cell.value
            if value is None:
                continue
        elif _is_same(value, frame.originals.get(name)):
            continue
        if value is None:
            if name in at.variables:
                found[name] = None
        else:
            found[name] = state.hold(value)
    return found | dict.fromkeys(_overwritten(frame, at, live))


def _overwritten(frame: Frame, at: FrameState, live: frozenset[str]) -> list[str]:
    """Variables that are never read again and had another object, which is not to outlive its name."""
    bound = {*at.variables, *(frame.variables if at.point.position else ())}
    dead = sorted(name for name in bound if name not in live and name not in at.cells)
    now = {name: frame.variables.get(name) for name in dead}
    return [
        name
        for name, value in now.items()
        if not isinstance(value, CellValue) and not _is_same(value, frame.originals.get(name))
    ]


def _is_same(now: Value | None, before: Value | None) -> bool:
    """Whether a variable or slot still holds what it held when the frame's evaluation began."""
    return now is not None and (now is before or type(before) is LazyValue and now is before.known)


def _unchanged(frame: Frame) -> int:
    """The number of slots of the stack, from the bottom, that are as they were."""
    count = 0
    for now, before in zip(frame.stack, frame.original_stack, strict=False):
        if not (_is_same(now, before) or now is before is None):
            break
        count += 1
    return count


def _jit_callee(
    state: _State, frame: Frame, flow: Flow, position: int, stop: GraphBreak, slots: list[str | None], keep: int
) -> bool:
    """Whether a Python function could not be inlined, which is then compiled for itself, where it is called."""
    place = _callee_slot(frame, flow, position)
    if (
        place is None
        or place < keep
        or not stop.inside
        or isinstance(frame.stack[place], (BuiltinMethod, BuiltinCallable))
    ):
        return False
    if frame.trace.speculation.no_conds is not None:
        return False  # by itself it would be compiled with the branches that are to be left to Python
    _jit_slot(state, frame, slots, place - keep)
    return True


def _jit_given(state: _State, frame: Frame, flow: Flow, position: int, slots: list[str | None], keep: int) -> bool:
    """Whether the function that is given to a call is compiled for itself; all that it does is compute."""
    place = _callee_slot(frame, flow, position)
    if place is None:
        return False
    given = place + (2 if current().null_after_callable else 1)
    if not keep <= given < len(frame.stack) or not isinstance(
        frame.stack[given], (BoundMethod, FunctionValue, Instance)
    ):
        return False
    _jit_slot(state, frame, slots, given - keep)
    return True


def _jit_slot(state: _State, frame: Frame, slots: list[str | None], slot: int) -> None:
    site = protocols.call_site.load()(frame.trace.backend)
    assert slots[slot] is not None
    slots[slot] = state.text(f"{state.writer.pool.add(site)}({slots[slot]})")


def _callee_slot(frame: Frame, flow: Flow, position: int) -> int | None:
    instruction = frame.code.instructions[flow.last_of_call(position)]
    entry = TABLE.get(instruction.name)
    if entry is None or not entry.calls:
        return None
    first = len(frame.stack) - entry.pops(instruction.arg)
    return first if frame.stack[first] is not None else first + 1
