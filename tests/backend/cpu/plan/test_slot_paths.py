"""Arrays reached through the slots of objects: what each link checks, what is kept alive, and what stays untouched."""

import ctypes
import gc
import random
import sys
import threading
import weakref
from dataclasses import replace

import numpy as np
import pytest
from backend.graph_cases import Program
from reference_plan import compile_to_reference

from guardlift.backend.call_layout import AccessPath, CallLayout, InputLayout, OutputLayout, PathStep
from guardlift.backend.compile import compile_graph
from guardlift.backend.cpu.plan import slot_offsets as slots
from guardlift.backend.cpu.plan.plan import (
    ArrayInput,
    FloatInput,
    FreshOutput,
    InputOutput,
    KernelStep,
    LaunchPlan,
    LiftedInput,
    ObjectInput,
    ViewOutput,
    build,
)
from guardlift.backend.cpu.plan.slot_offsets import slot_offset
from guardlift.core.errors import KernelError
from guardlift.core.types import contiguous_strides
from guardlift.graph.node import Write
from guardlift.tensor.parameter import Parameter
from guardlift.tensor.tensor import Tensor

F4, F8 = np.dtype(np.float32), np.dtype(np.float64)


class Box:
    __slots__ = ("__weakref__", "array", "flag", "inside")

    def __init__(self, array=None, inside=None, flag=None):
        self.array, self.inside, self.flag = array, inside, flag


class Held(Box):
    """As a Parameter is to a Tensor: slots above a dictionary of its own."""


class Likewise(Box):
    __slots__ = ()


class Subclass(np.ndarray):
    pass


TO_ARRAY = PathStep(Box, (("flag", None),), "array")
OWNED = AccessPath(True, (PathStep(Held, (("flag", True),), "inside"), TO_ARRAY))
PASSED = AccessPath(False, (TO_ARRAY,))


def owner(value=0.0):
    return Held(inside=Box(np.full(4, value, F4)), flag=True)


def reached(access_path, **changes):
    return ArrayInput(**({"dtype": F4, "shape": (4,), "strides": (4,), "access_path": access_path} | changes))


def doubling(double, given, owners=(), **changes):
    """The call that gives twice what its one array holds."""
    steps = (KernelStep(double, ((0, 0), (1, 0)), (), 4),)
    return build(LaunchPlan((given,), (FreshOutput(F4, (4,), (4,)),), steps=steps, **changes), (), owners)


# -- what is found -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("release", [False, True])
def test_each_call_reads_what_the_slots_hold_then(double, release):
    thing = owner(1)
    call = doubling(double, reached(OWNED), [thing], release_gil=release)
    assert call().tolist() == [2] * 4
    thing.inside.array = np.full(4, 5, F4)
    assert call().tolist() == [10] * 4
    thing.inside = Box(np.full(4, 7, F4))
    assert call().tolist() == [14] * 4
    assert call(thing) is NotImplemented  # an owner is no argument


def test_an_argument_leads_to_its_array(double):
    call = doubling(double, reached(PASSED))
    assert call(Box(np.full(4, 3, F4))).tolist() == [6] * 4
    assert call(Box(np.full(4, 4, F4))).tolist() == [8] * 4
    assert call() is NotImplemented


def test_arguments_owners_and_lifted_arrays_keep_their_slots_apart(python_kernel):
    seen = []

    def read(addresses, sizes, start, stop):
        seen.append([ctypes.c_float.from_address(addresses[k]).value for k in range(4)])
        seen[-1].append(ctypes.c_double.from_address(addresses[4]).value)
        return 0

    first, last, thing, marker = owner(1), owner(5), np.full(4, 2, F4), object()
    inputs = (
        reached(OWNED),
        LiftedInput(F4, (4,), (4,)),
        reached(PASSED),
        reached(None),
        FloatInput(),
        reached(OWNED),
        ObjectInput(marker),
    )
    slots = ((0, 0), (1, 0), (2, 0), (5, 0), (4, 0))
    call = build(LaunchPlan(inputs, steps=(KernelStep(python_kernel(read), slots, (), 1),)), [thing], [first, last])
    assert call(Box(np.full(4, 3, F4)), np.full(4, 4, F4), 6.5, marker) is None
    assert seen == [[1.0, 2.0, 3.0, 5.0, 6.5]]


# -- each check --------------------------------------------------------------------------------------------------------
def set_in(thing, **slots):
    for name, value in slots.items():
        setattr(thing, name, value)


def unset(thing, name):
    delattr(thing, name)


def frozen():
    array = np.zeros(4, F4)
    array.flags.writeable = False
    return array


BROKEN = {
    "owner of a subclass": lambda p: setattr(p, "__class__", type("Other", (Box,), {})),
    "owner's flag": lambda p: set_in(p, flag=False),
    "owner's flag is equal, not the same": lambda p: set_in(p, flag=1),
    "owner's flag is not set": lambda p: unset(p, "flag"),
    "None on the way": lambda p: set_in(p, inside=None),
    "nothing on the way": lambda p: unset(p, "inside"),
    "a subclass on the way": lambda p: set_in(p, inside=Likewise(np.zeros(4, F4))),
    "the array at once": lambda p: set_in(p, inside=np.zeros(4, F4)),
    "flag on the way": lambda p: set_in(p.inside, flag=True),
    "flag on the way is not set": lambda p: unset(p.inside, "flag"),
    "None for the array": lambda p: set_in(p.inside, array=None),
    "nothing for the array": lambda p: unset(p.inside, "array"),
    "a subclass of ndarray": lambda p: set_in(p.inside, array=np.zeros(4, F4).view(Subclass)),
    "a list": lambda p: set_in(p.inside, array=[0.0] * 4),
    "another dtype": lambda p: set_in(p.inside, array=np.zeros(4, np.int32)),
    "another shape": lambda p: set_in(p.inside, array=np.zeros(5, F4)),
    "another rank": lambda p: set_in(p.inside, array=np.zeros((4, 1), F4)),
    "other strides": lambda p: set_in(p.inside, array=np.zeros(8, F4)[::2]),
    "not aligned": lambda p: set_in(p.inside, array=np.zeros(17, np.uint8)[1:].view(F4)),
    "read-only": lambda p: set_in(p.inside, array=frozen()),
}


@pytest.mark.parametrize("breaks", BROKEN.values(), ids=BROKEN)
def test_whatever_breaks_the_way_fails_the_guard(double, breaks):
    thing = owner(1)
    call = doubling(double, reached(OWNED, writeable=True), [thing])
    assert call().tolist() == [2] * 4
    breaks(thing)
    assert call() is NotImplemented
    thing.__class__ = Held
    set_in(thing, inside=Box(np.full(4, 3, F4)), flag=True)
    assert call().tolist() == [6] * 4


@pytest.mark.parametrize(
    "argument",
    [np.zeros(4, F4), Held(np.zeros(4, F4)), Likewise(np.zeros(4, F4)), None, 1.0, Box(None), Box(np.zeros(4, F8))],
    ids=lambda argument: type(argument).__name__,
)
def test_an_argument_of_another_kind_or_with_another_array_is_refused(double, argument):
    assert doubling(double, reached(PASSED))(argument) is NotImplemented
    flagged = Box(np.zeros(4, F4), flag=False)
    assert doubling(double, reached(PASSED))(flagged) is NotImplemented


def test_a_check_holds_or_the_guard_fails(python_kernel):
    runs = []
    kernel = python_kernel(lambda addresses, sizes, start, stop: runs.append(1) or 0)
    nothing_inside = AccessPath(True, (PathStep(Held, (("inside", None), ("flag", True))),))
    first, second = Held(flag=True), Held(flag=True)
    plan = LaunchPlan(steps=(KernelStep(kernel, (), (), 1),), checks=(nothing_inside, nothing_inside))
    call = build(plan, (), [first, second])
    assert call() is None
    for thing in (first, second):
        for slot, other in (("inside", Box()), ("flag", False)):
            before = getattr(thing, slot)
            setattr(thing, slot, other)
            assert call() is NotImplemented
            delattr(thing, slot)
            assert call() is NotImplemented
            setattr(thing, slot, before)
    assert call() is None
    assert runs == [1, 1]


def test_a_check_may_go_some_way(python_kernel):
    access_path = AccessPath(True, (PathStep(Held, (), "inside"), PathStep(Box, (("flag", False),))))
    thing = Held(inside=Box(flag=False))
    call = build(LaunchPlan(checks=(access_path,)), (), [thing])
    assert call() is None
    thing.inside = Box()
    assert call() is NotImplemented
    thing.inside = None
    assert call() is NotImplemented


# -- memory ------------------------------------------------------------------------------------------------------------
def counts(*things):
    return [sys.getrefcount(thing) for thing in things]


def test_calls_of_every_ending_leave_the_reference_counts_alone(python_kernel):
    status = [0]
    kernel = python_kernel(lambda addresses, sizes, start, stop: status[0])
    thing, passed = owner(), Box(np.zeros(4, F4))
    outputs = (FreshOutput(F4, (4,), (4,)), ViewOutput(0, F4, (2,), (4,), 4), ViewOutput(1, F4, (2,), (4,), 0))
    small = LaunchPlan((reached(OWNED), reached(PASSED)), outputs, steps=(KernelStep(kernel, (), (), 1),))
    huge = replace(small, outputs=(FreshOutput(F4, (1 << 45,), (4,)),))
    last = replace(small, inputs=(*small.inputs, FloatInput()))
    things = thing, thing.inside, thing.inside.array, passed, passed.array
    before = counts(*things)
    for release in (False, True):
        call, too_large, longer = (
            build(replace(each, release_gil=release), (), [thing]) for each in (small, huge, last)
        )
        for _ in range(100):
            status[0] = 0
            assert len(call(passed)) == 3
            assert len(longer(passed, 1.0)) == 3
            assert longer(passed, 1) is call(Box(passed.array, flag=True)) is NotImplemented
            with pytest.raises(MemoryError):
                too_large(passed)
            status[0] = 1
            assert call(passed) is longer(passed, 1.0) is Ellipsis
    assert counts(*things) == before


def test_an_array_that_another_thread_replaces_lives_until_the_call_ends(python_kernel):
    running, replaced, seen = threading.Event(), threading.Event(), []

    def wait(addresses, sizes, start, stop):
        running.set()
        assert replaced.wait(20)
        gc.collect()
        seen.extend(reference() is not None for reference in references)
        seen.append([ctypes.c_float.from_address(addresses[k]).value for k in range(2)])
        return 0

    thing, passed = owner(1), Box(np.full(4, 2, F4))
    references = [weakref.ref(thing.inside.array), weakref.ref(passed.array)]
    steps = (KernelStep(python_kernel(wait), ((0, 0), (1, 0)), (), 1),)
    call = build(LaunchPlan((reached(OWNED), reached(PASSED)), steps=steps, release_gil=True), (), [thing])

    def replace_both():
        assert running.wait(20)
        thing.inside, passed.array = None, None
        replaced.set()

    other = threading.Thread(target=replace_both)
    other.start()
    assert call(passed) is None
    other.join()
    assert seen == [True, True, [1.0, 2.0]]
    assert [reference() for reference in references] == [None, None]
    assert call(passed) is NotImplemented


def test_threads_may_call_and_replace_at_once(double):
    # Large enough to be freed at once: a call that read freed memory would see other numbers, or crash.
    count, size = 6, 1 << 12
    things = [Held(inside=Box(np.full(size, k, F4)), flag=True) for k in range(count)]
    outputs = tuple(FreshOutput(F4, (size,), (4,)) for _ in things)
    steps = tuple(KernelStep(double, ((k, 0), (count + k, 0)), (), size) for k in range(count))
    inputs = tuple(reached(OWNED, shape=(size,)) for _ in things)
    call = build(LaunchPlan(inputs, outputs, steps=steps, release_gil=True), (), things)
    stop, wrong = threading.Event(), []

    def replace_all():
        draw = random.Random(1)
        while not stop.is_set():
            k = draw.randrange(count)
            things[k].inside = Box(np.full(size, k, F4))
            np.full(size, 77, F4)

    def run():
        for _ in range(400):
            for k, result in enumerate(call()):
                if not (result == 2 * k).all():
                    wrong.append(k)

    replacing, running = [threading.Thread(target=replace_all) for _ in range(2)], threading.Thread(target=run)
    for thread in (*replacing, running):
        thread.start()
    running.join()
    stop.set()
    for thread in replacing:
        thread.join()
    assert not wrong


def test_a_plan_keeps_its_classes_but_none_of_its_owners():
    class Local:
        __slots__ = ("__weakref__", "array")

    thing = Local()
    thing.array = np.zeros(4, F4)
    call = build(LaunchPlan((reached(AccessPath(True, (PathStep(Local, (), "array"),))),)), (), [thing])
    assert call() is None
    kind, instance = weakref.ref(Local), weakref.ref(thing)
    del thing
    assert instance() is None
    del Local
    gc.collect()
    assert kind() is not None
    del call
    gc.collect()
    assert kind() is None


@pytest.mark.parametrize("dies", [0, 1, 2])
def test_the_death_of_an_owner_fails_the_guard_for_ever(dies):
    things = [owner(1), owner(2), Held(flag=False)]
    check = AccessPath(True, (PathStep(Held, (("flag", False),)),))
    call = build(LaunchPlan((reached(OWNED), reached(OWNED)), checks=(check,)), (), things)
    assert call() is None
    del things[dies]
    others = [owner(3) for _ in range(100)] + [Held(flag=False)]  # one of them may lie where the owner lay
    assert call() is NotImplemented
    assert others and call() is NotImplemented


def test_a_view_over_a_reached_array_is_over_that_very_array():
    thing, passed = owner(1), Box(np.arange(4, dtype=F4))
    outputs = (ViewOutput(0, F4, (2,), (8,), 4), ViewOutput(1, F4, (2,), (4,), 8))
    call = build(LaunchPlan((reached(OWNED), reached(PASSED)), outputs), (), [thing])
    array = thing.inside.array
    first, second = call(passed)
    assert first.base is array and second.base is passed.array
    array[:] = 9
    assert first.tolist() == [9, 9] and second.tolist() == [2, 3]
    thing.inside = None
    del array
    assert first.tolist() == [9, 9]


def test_an_input_given_back_is_the_argument_itself():
    passed = Box(np.zeros(4, F4))
    assert build(LaunchPlan((reached(PASSED),), (InputOutput(0),)))(passed) is passed
    with pytest.raises(KernelError, match="no argument"):
        build(LaunchPlan((reached(OWNED),), (InputOutput(0),)), (), [owner()])


# -- overlaps ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("access_path", [OWNED, PASSED], ids=["owned", "passed"])
@pytest.mark.parametrize(("lifted_written", "written"), [(True, False), (False, True), (True, True), (False, False)])
def test_a_reached_array_stays_apart_from_lifted_memory_where_one_is_written(access_path, lifted_written, written):
    memory = np.zeros(400, F4)
    draw = random.Random(7)
    parts = [(at, at + draw.randrange(1, 9)) for at in range(5, 390, 20)]
    lifted = tuple(LiftedInput(F4, (end - at,), (4,), True, lifted_written) for at, end in parts)
    thing = owner()
    given = reached(access_path, writeable=True, written=written)
    call = build(
        LaunchPlan((*lifted, given)), [memory[at:end] for at, end in parts], [thing] if access_path.owner else []
    )
    starts = [draw.randrange(0, 396) for _ in range(600)] + list(range(396)) + [10, 10, 11, 10]
    for start in starts:  # in no order: a gap once found must not answer for another place
        thing.inside.array = memory[start : start + 4]
        meets = any(at < start + 4 and start < end for at, end in parts)
        refused = meets and (lifted_written or written)
        assert call(*([] if access_path.owner else [thing.inside])) is (NotImplemented if refused else None)


def test_a_reached_array_beyond_all_lifted_memory_is_apart():
    memory = np.zeros(64, F4)
    for lifted in (memory[:8], memory[-8:]):
        thing = owner()
        call = build(LaunchPlan((LiftedInput(F4, (8,), (4,), True, True), reached(OWNED))), [lifted], [thing])
        for start in (20, 40, 0, 60, 30):
            thing.inside.array = memory[start : start + 4]
            shares = np.may_share_memory(lifted, thing.inside.array)
            assert call() is (NotImplemented if shares else None)


def test_pairs_of_reached_arrays_are_kept_apart_too():
    memory = np.zeros(20, F4)
    thing, passed = owner(), Box()
    inputs = (reached(OWNED), reached(PASSED), reached(None))
    call = build(LaunchPlan(inputs, disjoint=((0, 1), (1, 2))), (), [thing])
    places = [memory[:4], memory[4:8], memory[3:7], memory[16:]]
    for first in places:
        for second in places:
            for third in places:
                thing.inside.array, passed.array = first, second
                shares = np.may_share_memory(first, second) or np.may_share_memory(second, third)
                assert call(passed, third) is (NotImplemented if shares else None)


def test_an_empty_array_inside_another_overlaps_nothing():
    memory = np.zeros(20, F4)
    inside = np.ndarray(0, F4, memory, 12)
    assert inside.__array_interface__["data"][0] - memory.__array_interface__["data"][0] == 12
    passed = ArrayInput(F4, (20,), (4,))
    thing = owner()
    thing.inside.array = inside
    call = build(LaunchPlan((passed, reached(OWNED, shape=(0,))), disjoint=((0, 1),)), (), [thing])
    assert call(memory) is None


def test_many_arrays_that_stay_are_not_compared_again_and_those_that_move_are():
    memory, draw, count = np.zeros(2000, F4), random.Random(3), 12
    things = [owner() for _ in range(count)]
    pairs = tuple((k, j) for k in range(count) for j in range(k))
    call = build(LaunchPlan((reached(OWNED),) * count, disjoint=pairs), (), things)
    places, outcomes = [100 * k for k in range(count)], set()
    for _ in range(2000):
        k = draw.randrange(count)
        places[k] = draw.choice([100 * k, 100 * k, draw.randrange(1990)])
        for thing, place in zip(things, places, strict=True):
            thing.inside.array = memory[place : place + 4]
        meets = any(abs(places[k] - places[j]) < 4 for k, j in pairs)
        outcomes.add(meets)
        for _ in range(2):
            assert call() is (NotImplemented if meets else None)
    assert outcomes == {True, False}


# -- what cannot be built ----------------------------------------------------------------------------------------------
class Declared:
    __slots__ = ("__dict__", "__weakref__", "slot")
    shared = 1

    @property
    def computed(self):
        return self.slot


class Firm:
    __slots__ = ("slot",)


class Redeclared(Box):
    __slots__ = ("array",)


@pytest.mark.parametrize(
    ("kind", "name", "reason"),
    [
        (Declared, "missing", "no member of __slots__"),
        (Declared, "shared", "no member of __slots__"),
        (Declared, "computed", "no member of __slots__"),
        (Declared, "__dict__", "no member of __slots__"),
        (complex, "real", "no slot that holds an object"),
        (np.ndarray, "shape", "no member of __slots__"),
    ],
)
def test_only_slots_can_be_followed(kind, name, reason):
    with pytest.raises(KernelError, match=reason):
        slot_offset(kind, name)
    check = AccessPath(True, (PathStep(kind, ((name, None),)),))
    if kind.__weakrefoffset__:  # else it is no owner
        with pytest.raises(KernelError, match=reason):
            build(LaunchPlan(checks=(check,)), (), [Declared() if kind is Declared else np.zeros(())])


@pytest.mark.parametrize("kind", [Box, Held, Likewise, Redeclared, Declared, Tensor, Parameter])
def test_every_slot_is_where_its_offset_says(kind):
    thing = kind.__new__(kind)
    names = {name for base in kind.__mro__ for name in getattr(base, "__slots__", ()) if not name.startswith("__")}
    assert names
    for name in sorted(names):
        word = ctypes.c_size_t.from_address(id(thing) + slot_offset(kind, name))
        assert word.value == 0
        content = object()
        setattr(thing, name, content)
        assert word.value == id(content)


def test_an_interpreter_with_other_slots_is_told_so(monkeypatch):
    class Fresh:
        __slots__ = ("slot",)

    monkeypatch.setattr(slots, "_slots_are_known", lambda: False)
    with pytest.raises(KernelError, match="does not know how this Python .* lays out the members of __slots__"):
        slots.slot_offset(Fresh, "slot")


def test_a_slot_declared_again_is_the_one_of_the_subclass():
    assert slot_offset(Redeclared, "array") != slot_offset(Box, "array")


@pytest.mark.parametrize(
    ("plan", "owners", "reason"),
    [
        (LaunchPlan((reached(OWNED),)), [], "1 access paths with an owner, got 0 owners"),
        (LaunchPlan((reached(PASSED),)), [owner()], "0 access paths with an owner, got 1 owners"),
        (LaunchPlan(checks=(AccessPath(True, (PathStep(Firm),)),)), [Firm()], "no weak references"),
        (LaunchPlan((reached(OWNED),)), [Box()], "must be exactly a Held, got a Box"),
        (LaunchPlan((reached(AccessPath(True, ())),)), [owner()], "has no slot where the array is"),
        (LaunchPlan((reached(AccessPath(False, (PathStep(Box),))),)), [], "has no slot where the array is"),
        (LaunchPlan((reached(AccessPath(True, (PathStep(Held), TO_ARRAY))),)), [owner()], "ends at link 0"),
        (LaunchPlan(checks=(OWNED,)), [owner()], "its last link no slot"),
        (LaunchPlan(checks=(AccessPath(False, (PathStep(Box),)),)), [], "a check has an owner"),
        (LaunchPlan(checks=(AccessPath(True, ()),)), [owner()], "a check has an owner"),
    ],
)
def test_an_access_path_that_leads_nowhere_is_refused_when_building(plan, owners, reason):
    with pytest.raises(KernelError, match=reason):
        build(plan, (), owners)


# -- graphs ------------------------------------------------------------------------------------------------------------
def step_graph(shapes):
    """p - 0.5 g for each, written to p, times x; p and g alternate, x comes last."""
    p = Program()
    pairs = [(p.input(shape), p.input(shape)) for shape in shapes]
    x = p.input(shapes[0])
    writes = [Write(w, p.subtract(w, p.multiply(g, p.number(g, 0.5)))) for w, g in pairs]
    return p.builder.finish([p.multiply(x, pairs[0][1])], writes)


def tensor(array, kind=Tensor):
    return kind(Tensor._wrap(array)) if kind is Parameter else Tensor._wrap(array)


@pytest.mark.parametrize("compile_it", [compile_graph, compile_to_reference], ids=["native", "reference"])
def test_a_step_reads_gradients_of_parameters_and_stops_where_one_is_missing(compile_it):
    shapes = [(4, 3), (5,), ()]
    graph = step_graph(shapes)
    parameters = [tensor(np.full(shape, 8.0), Parameter) for shape in shapes]
    frozen_one = tensor(np.zeros(3), Parameter)
    to_grad = AccessPath(
        True, (PathStep(Parameter, (("_requires_grad", True),), "_grad"), PathStep(Tensor, (), "_array"))
    )
    strides = [contiguous_strides(shape) for shape in shapes]
    layouts = []
    for k, shape_strides in enumerate(strides):
        layouts.append(InputLayout("lifted", graph.inputs[2 * k].type, shape_strides, True))
        layouts.append(InputLayout("array", graph.inputs[2 * k + 1].type, shape_strides, access_path=to_grad))
    passed = AccessPath(False, (PathStep(Tensor, (("_requires_grad", False),), "_array"),))
    layouts.append(InputLayout("array", graph.inputs[-1].type, strides[0], access_path=passed))
    outputs = (OutputLayout("fresh", 0, strides[0]), OutputLayout("input", input=len(layouts) - 1))
    no_grad = AccessPath(True, (PathStep(Parameter, (("_grad", None),)),))
    layout = CallLayout(tuple(layouts), outputs, checks=(no_grad,))
    call = compile_it(graph, layout).build([each._array for each in parameters], [*parameters, frozen_one])
    x = tensor(np.full((4, 3), 3.0))
    assert call(x) is NotImplemented  # no gradients yet
    for count in range(1, 4):
        for k, each in enumerate(parameters):
            each.grad = tensor(np.full(each.shape, float(k + 1)))
        product, same = call(x)
        assert same is x
        assert (product == 3.0).all()
        for k, each in enumerate(parameters):
            assert (each._array == 8.0 - 0.5 * count * (k + 1)).all()
    refused = [
        (parameters[1], "grad", None),
        (frozen_one, "grad", tensor(np.zeros(3))),
        (x, "requires_grad", True),
    ]
    values = [each._array.copy() for each in parameters]
    for thing, name, value in refused:
        before = getattr(thing, name)
        setattr(thing, name, value)
        assert call(x) is NotImplemented
        setattr(thing, name, before)
    assert all((one == each._array).all() for one, each in zip(values, parameters, strict=True))
    assert call(x) is not NotImplemented


def test_many_gradients_are_found_each_at_its_own_owner():
    count = 150
    p = Program()
    inputs = [p.input((3,)) for _ in range(count)]
    graph = p.builder.finish([], [Write(one, p.add(one, one)) for one in inputs])
    access_path = AccessPath(True, (PathStep(Held, (("flag", True),), "inside"), PathStep(Box, (), "array")))
    things = [Held(inside=Box(np.full(3, float(k))), flag=True) for k in range(count)]
    layouts = tuple(InputLayout("array", node.type, (1,), True, access_path) for node in graph.inputs)
    pairs = frozenset((j, i) for i in range(count) for j in range(i))
    call = compile_graph(graph, CallLayout(layouts, (), pairs)).build((), things)
    assert call() is None
    assert all((each.inside.array == 2.0 * k).all() for k, each in enumerate(things))
    things[117].inside = None
    assert call() is NotImplemented
    assert all((each.inside.array == 2.0 * k).all() for k, each in enumerate(things) if k != 117)


def test_the_text_of_a_plan_shows_the_ways():
    plan = LaunchPlan(
        (reached(OWNED), reached(PASSED)), checks=(AccessPath(True, (PathStep(Held, (("flag", Box),)),)),)
    )
    lines = plan.describe().splitlines()
    assert lines[1] == ("  %0 float32[4] strides [4] from owner Held(flag is True).inside -> Box(flag is None).array")
    assert lines[2] == "  %1 float32[4] strides [4] from argument Box(flag is None).array"
    assert lines[3] == "check: owner Held(flag is this type)"
