"""Branches of a region, and its instructions: a loop's body is evaluated once, along both branches of each branch."""

# Note [Structure]
# CPython compiles loops and branches of the language, so what they leave in the bytecode is structured: a branch has a
# place where its branches meet again (its immediate postdominator), unless a branch ends an iteration or leaves the
# loop. A branch is evaluated until it gets to a *stop*: where it meets the other one, where a branch around it meets
# again, the head of the innermost loop (the iteration is over), or any place outside that loop (an *exit*).

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Container
from typing import TYPE_CHECKING

from ....core.records import dataclass
from ....graph.node import Node
from ....loop_ir.ir import If, Statement
from ...breaks import CHANGE_IN_LOOP, LOOP_ARRAY, LOOP_INDEX, LOOP_INSTRUCTION, LOOP_KIND, TENSOR_ELEMENT, Unwinding
from ...bytecode.cfg import EnclosingLoop, Stops, join_point_of, loops_of, surely_raises
from ...bytecode.dataflow import Flow, flow_of
from ...bytecode.decode import Instruction
from ...bytecode.opcode_table import TABLE, traits_of
from ...opcodes.table import run_handler
from ...regions.arrays.loop_carried import knows, merged_array
from ...regions.arrays.swapped import Exchange
from ...regions.arrays.views import RegionArray
from ...regions.builder import Region
from ...regions.materialize import materialize_pending, require_materialized
from ...regions.numbers.arithmetic import bounds_of, condition, host_number, is_symbolic, number_node
from ...regions.numbers.optional import Optional, answer, load_bound, prepare, truth_of, uses_first_none, variables_read
from ...regions.variables import held_kind, joined, kind_of, slot_of
from ...tracing.restarts import RegionRestart
from ...tracing.speculation import LoopKey, VariableKind, unsupported_in_region
from ...values.arrays.array import ArrayValue
from ...values.base import Value
from ...values.constant import is_none
from ...values.containers.iterators import Iterator
from ...values.containers.sequences import TupleValue
from ...values.lazy import read_lazy
from ...values.numbers.computed import INT64, Bounds
from ...values.tensors.tensor import TensorValue
from ..snapshot import RETURNED, BranchTarget, FrameSnapshot, Key, Leaf, agreed, described, differences, merged, put

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...regions.numbers.ranges import IterationSpace
    from .iteration import ElementIteration


@dataclass(frozen=True)
class Ended:
    """In place of a position: the branch ended an iteration or left a loop."""


ENDED = Ended()
Reached = int | Ended
EvaluatedBranch = tuple[Reached, FrameSnapshot, list[Statement]]


class Evaluation:
    """One frame's part of a region."""

    def __init__(self, frame: Frame, region: Region) -> None:
        self.frame = frame
        self.trace = frame.trace
        self.region = region
        self.flow: Flow = flow_of(frame.code.raw)
        self.iterations: list[ElementIteration] = []
        """The loops that are being evaluated, the innermost last."""
        self._began: dict[LoopKey, int] = {}
        """The number of loops that the region had when loops began that are unrolled."""

    # Instructions.
    def run(self, stops: Container[int]) -> Reached:
        """Evaluates from the frame's position on: until a stop, which it gives; until a branch has ended, or
        returned.
        """
        frame = self.frame
        heads = loops_of(frame.code.raw)
        while frame.position not in stops:
            at = frame.position
            instruction = frame.code.instructions[at]
            if at in heads and not any(each.head == at for each in self.iterations) and not self._unrolls(instruction):
                reached = self._loop(at, stops)
                if isinstance(reached, Ended) or reached in stops or reached == RETURNED:
                    return reached
                continue
            self._count_step(instruction)
            frame.position += 1
            if self.iterations and any(map(self._is_not_bound, variables_read(instruction))):
                self.region.leave()  # Python raises it
                return ENDED
            prepare(frame, TABLE.get(instruction.name), instruction)
            jump = self._jump(at, instruction)
            if jump is not None:
                reached = self.branch(*jump, at, stops)
                if isinstance(reached, Ended) or reached in stops or reached == RETURNED:
                    return reached
                continue
            if isinstance(self._unless_doubted(instruction), Ended):
                return ENDED
            if frame.returned is not None:
                return RETURNED
        return frame.position

    def _unless_doubted(self, instruction: Instruction) -> Ended | None:
        """Evaluates an instruction. Where it breaks because of a None that may be a number in other iterations, the way
        ends here: another trace will know, or `Region.doubts` tells why there is no region."""
        doubtful = bool(self.iterations) and uses_first_none(self.frame, TABLE.get(instruction.name), instruction)
        try:
            if doubtful and traits_of(instruction.name).picks and type(self.frame.stack[-2]) is not TupleValue:
                raise LOOP_INDEX.stop(what="None as an index")
            self._plain(instruction)
        except Unwinding as stop:
            if not doubtful:
                raise
            stop.location = stop.location or self.trace.progress.location
            self.region.doubts.append(stop.as_break())
            self.region.leave()
            return ENDED
        return None

    def _count_step(self, instruction: Instruction) -> None:
        self.frame.line = instruction.line
        self.trace.progress.instructions += 1
        if self.trace.progress.instructions >= self.trace.progress.limit:
            raise unsupported_in_region("too many instructions")

    def _is_not_bound(self, name: str) -> bool:
        """Whether a variable has no value.

        Errors: `RegionRestart` where that is so if no iteration before has bound it.
        """
        if self.frame.variables.get(name) is not None:
            return False
        for each in reversed(self.iterations):
            each.expect_unbound(self, name)
        return True

    def call(self) -> Value:
        """The value that the frame of an inlined function returns."""
        trace = self.trace
        trace.progress.frames.append(self.frame)
        try:
            self.run(())
        finally:
            trace.progress.frames.pop()
        assert self.frame.returned is not None
        return self.frame.returned

    def _plain(self, instruction: Instruction) -> None:
        entry = TABLE.get(instruction.name)
        if entry is None or not entry.in_region:
            raise LOOP_INSTRUCTION.stop(name=instruction.name)
        held = self.frame.stack[-1 - entry.keys] if entry.stores else None
        if entry.stores and not isinstance(held, (ArrayValue, RegionArray)):
            raise CHANGE_IN_LOOP.stop(name=held.describe() if held is not None else "of an unknown kind")
        if self.frame.resumed:
            read_lazy(self.frame, entry, instruction)
        height = len(self.frame.stack)
        if not answer(self.frame, instruction):
            run_handler(self.frame, entry, instruction)
            load_bound(self.frame, instruction)
        pushed = self.frame.stack[min(height, len(self.frame.stack) - 1) :]  # of some instructions more than one
        if any(isinstance(each, TensorValue) for each in pushed):
            raise TENSOR_ELEMENT.stop()

    # Loops.
    def _unrolls(self, instruction: Instruction) -> bool:
        """Whether a loop is one over known elements, which is evaluated element by element."""
        if not traits_of(instruction.name).iterates:
            return False
        iterator, key = self.frame.loop_iterator, (self.frame.code.raw, self.frame.position)
        if (space := iteration_space_of(iterator)) is None:
            self._note_work(key, iterator)
            return True
        if (
            type(space.known_length) is not int
            or space.known_length > UNROLLED_ITERATIONS
            or key in self.trace.speculation.do_not_unroll
        ):
            return False
        self._began[key] = self.region.loops
        return True

    def _note_work(self, key: LoopKey, iterator: Value | None) -> None:
        """Looks at what the first iteration of an unrolled loop has come to.

        Errors: `RegionRestart` if that is too much.
        """
        space = iterator.space if isinstance(iterator, Iterator) and iterator.advanced == 1 else None
        if space is not None and key in self._began:
            if (self.region.loops - self._began.pop(key)) * (space.known_length or 0) > UNROLLED_LOOPS:
                self.trace.speculation.do_not_unroll.add(key)
                raise RegionRestart

    def _loop(self, head: int, stops: Container[int]) -> Reached:
        from .loops import evaluate_loop

        return evaluate_loop(self, head, stops)

    # Branches.
    def _jump(self, at: int, instruction: Instruction) -> tuple[Node, BranchTarget, BranchTarget] | None:
        """The condition of a jump that depends on a value of the region, the target if it is true, and that if
        false."""
        if (entry := TABLE.get(instruction.name)) is None or entry.jumps_if is None:
            return None
        value, asks_none = self.frame.stack[-1], entry.asks == "none"
        if isinstance(value, Optional):
            test = value.present.node(self.trace) if asks_none else truth_of(self.trace, value)
        elif value is None or asks_none or not is_symbolic(self.trace, value):
            return None
        else:
            test = condition(self.trace, value)
        self.frame.stack.pop()
        jumping, falling = BranchTarget(instruction.arg, value if entry.keeps else None), BranchTarget(at + 1)
        return (test, jumping, falling) if entry.jumps_if is not asks_none else (test, falling, jumping)

    def branch(self, test: Node, true: BranchTarget, false: BranchTarget, at: int, stops: Container[int]) -> Reached:
        """Evaluates both branches, up to where they meet."""
        join_point = join_point_of(self.flow.successors, [at], self.ends())
        inner = stops if join_point is None else Stops(stops, join_point)

        def branch(target: BranchTarget) -> Callable[[], Reached]:
            def evaluate() -> Reached:
                if surely_raises(self.frame.code.raw, target.position):
                    self.region.leave()  # Python raises it, with its message and at its line
                    return ENDED
                self.frame.position = target.position
                if target.kept is not None:
                    self.frame.stack.append(target.kept)
                return self.run(inner)

            return evaluate

        return self.fork(test, branch(true), branch(false))

    def ends(self) -> Container[int]:
        """The positions where a branch is over that belongs to the innermost loop."""
        if not self.iterations:
            return ()
        return EnclosingLoop(self.iterations[-1].inside, self.iterations[-1].head)

    def fork(self, test: Node, first: Callable[[], Reached], second: Callable[[], Reached]) -> Reached:
        """Evaluates `first` for where the condition holds and `second` for where it does not, from one state."""
        region = self.region
        key = self.frame.code.raw, self.frame.position
        waiting = materialize_pending(region, key)
        name = region.text(region.let_of(test))
        before = FrameSnapshot.of(self.frame)
        branches: list[EvaluatedBranch] = []
        made = []
        for truth, evaluate in ((True, first), (False, second)):
            before.restore(self.frame)
            with region.block() as statements, region.own_expressions() as own:
                region.facts.assume(test, truth)
                reached = self._arrived(evaluate())
            branches.append((reached, FrameSnapshot.of(self.frame), statements))
            made.append(own)
        require_materialized(region, key, waiting)
        alive = [branch for branch in branches if not isinstance(branch[0], Ended)]
        if len(alive) == 1:  # what follows, follows this branch
            region.expressions += made[branches.index(alive[0])]
        met: dict[Key, Callable[..., Value]] = {}
        if len(alive) == 2:
            if alive[0][0] != alive[1][0]:
                raise unsupported_in_region("branches that meet at different places")
            met = self._merge(alive[0], alive[1])
        elif alive:
            alive[0][1].restore(self.frame)
        region.put(If(name, tuple(branches[0][2]), tuple(branches[1][2])))
        for place, made_now in met.items():
            put(self.frame, place, made_now())
        if not alive:
            return ENDED
        reached = alive[0][0]
        if isinstance(reached, int) and reached != RETURNED:
            self.frame.position = reached
        return reached

    def _arrived(self, reached: Reached) -> Reached:
        """Writes what ends an iteration or leaves the loop, where a branch got there."""
        if isinstance(reached, Ended) or not self.iterations:
            return reached
        return self.iterations[-1].arrived(self, reached)

    def _merge(self, one: EvaluatedBranch, other: EvaluatedBranch) -> dict[Key, Callable[..., Value]]:
        """Makes variables of what the branches have left different; they are declared before the branch.

        By place, what gives the value that holds behind the branch. The frame is left as the first branch left it.
        """
        place, first, second = one[0], one[1], other[1]
        assert isinstance(place, int)
        live = frozenset[str]() if place == RETURNED else self.flow.live[place]
        found = {}
        for key, a, b in differences(first, second, live):
            array = self._other_array(key, live, (a, one), (b, other))
            found[key] = merged(key, a, b, self._leaf(one[2], other[2])) if array is None else array
        agreed(first, second, live).restore(self.frame)
        return found

    def _leaf(self, first: list[Statement], second: list[Statement]) -> Leaf:
        """The leaf rule that makes one number of two: of a variable that both branches, of these statements, assign."""

        def leaf(key: Key, one: Value | None, other: Value | None) -> Callable[..., Value]:
            exchange, (a, b) = self._exchanged(key, one, other)
            kinds = held_kind(a), held_kind(b)
            kind = joined(kinds[0], kinds[1]) if kinds[0] and kinds[1] else None
            if kind is None or not isinstance(key, str) and (a is None or b is None):
                raise LOOP_KIND.stop(name=described(key), what="is not of one kind in both branches")
            slot = slot_of(self.trace, kind)
            for value, branch in ((a, first), (b, second)):
                with self.region.block(branch):
                    slot.assign(self.trace, value)
            found = [bounds_as(each, kind) for each in (a, b) if each is not None and not is_none(each)]
            bounds = min(low for low, _ in found), max(high for _, high in found)

            def now() -> Value:
                value = slot.now(self.trace, bounds)
                return value if exchange is None else exchange.view(self.trace, number_node(self.trace, value))

            return now

        return leaf

    def _exchanged(
        self, key: Key, a: Value | None, b: Value | None
    ) -> tuple[Exchange | None, tuple[Value | None, Value | None]]:
        """Two values as they are; or where they are arrays that variables exchange, these and the arrays' numbers."""
        trace, swapped = self.trace, self.region.swapped
        assert swapped is not None
        one, other = swapped.of(a), swapped.of(b)
        if one is None or other is None or one[0] is not other[0]:
            for value in (a, b):
                if isinstance(key, str):
                    swapped.learn(trace, self.frame, key, value)
            return None, (a, b)
        last = len(one[0].arrays) - 1
        return one[0], (host_number(trace, one[1], (0, last)), host_number(trace, other[1], (0, last)))

    def _other_array(
        self, key: Key, live: Collection[str], *branches: tuple[Value | None, EvaluatedBranch]
    ) -> Callable[[], Value] | None:
        """A function that gives memory holding whichever array a branch has left; None for other values."""
        (a, one), (b, other) = branches
        if a is None or b is None or key == RETURNED:
            return None
        if not all(isinstance(each, (ArrayValue, RegionArray)) and kind_of(each) is None for each in (a, b)):
            return None
        if self._exchanged(key, a, b)[0] is not None:
            return None
        made = self._merged_array(key, live, (a, one), (b, other))
        return lambda: made

    def _merged_array(self, key: Key, live: Collection[str], *branches: tuple[Value, EvaluatedBranch]) -> Value:
        """Memory into which each branch copies the array that it leaves in a variable. No live name may know it too."""
        before = None
        if isinstance(key, str) and self.iterations:
            self.iterations[-1].expect_arrays(self, key, branches[0][0])
            before = self.iterations[-1].array_before(key)
        for value, (_, state, _) in branches:
            others = [each for name, each in state.variables.items() if name != key and name in live]
            others += [each for place, each in enumerate(state.stack) if place != key]
            others += [
                each
                for frame in self.trace.progress.frames
                if frame is not self.frame
                for each in (*frame.variables.values(), *frame.stack)
            ]
            if knows(others, value):
                raise LOOP_ARRAY.stop(what=f"{key}, which is another array after a branch, and known by another name")
        made, room, assign = merged_array(self.trace, str(key), before, *(value for value, _ in branches))
        for value, (_, _, statements) in branches:
            with self.region.block(statements):
                assign(value)
        self.region.memory.freeze(room)
        return made


def bounds_as(value: Value, kind: VariableKind) -> Bounds:
    """The bounds of what a variable of this kind is assigned."""
    return bounds_of(value) if kind.python is int else INT64


def iteration_space_of(iterator: Value | None) -> IterationSpace | None:
    """The range that a fresh iterator runs over; None for any other."""
    return iterator.space if isinstance(iterator, Iterator) and iterator.advanced == 0 else None


UNROLLED_ITERATIONS = 4
"""The most iterations of a loop that is unrolled."""
UNROLLED_LOOPS = 16
"""The most loops over elements that an unrolled loop may become."""


def evaluate_call(frame: Frame, region: Region) -> Value:
    """The value that a function inlined in a region returns from its frame. Errors: a break for a generator."""
    if frame.code.raw.co_flags & inspect.CO_GENERATOR:
        raise unsupported_in_region("a generator")
    return Evaluation(frame, region).call()
