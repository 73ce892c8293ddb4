"""The builtin over its whole life: references, memory, threads, recursion, and its end."""

import ctypes
import gc
import os
import subprocess
import sys
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.plan import builtin, call_frames, watched_slots
from guardlift.backend.cpu.plan.plan import (
    ArrayInput,
    FloatInput,
    FreshOutput,
    InputOutput,
    IntInput,
    KernelStep,
    LaunchPlan,
    NumpyScalarInput,
    ScalarOutput,
    ViewOutput,
    build,
)

F4, F8 = np.dtype(np.float32), np.dtype(np.float64)
VECTOR = ArrayInput(F4, (64,), (4,))


def everything(kernel, **changes):
    """A plan with every kind of output, and its arguments."""
    inputs = (VECTOR, FloatInput(), IntInput(), NumpyScalarInput(F8))
    outputs = (
        FreshOutput(F4, (64,), (4,)),
        ScalarOutput(F8),
        ViewOutput(0, F4, (32,), (8,)),
        ViewOutput(4, F4, (32,), (8,)),
        InputOutput(0),
        InputOutput(1),
    )
    plan = LaunchPlan(
        inputs, outputs, steps=(KernelStep(kernel, ((0, 0), (4, 0)), (), 64),), check_errstate=True, **changes
    )
    return plan, (np.ones(64, F4), 1.0 + len(inputs), 10**15, np.float64(2))


def references(things):
    return [sys.getrefcount(thing) for thing in things]


@pytest.mark.parametrize("arena", [0, 1 << 16])
def test_no_call_leaks_or_loses_a_reference(double, python_kernel, arena):
    plan, arguments = everything(double, arena_nbytes=arena)
    side_exit = build(everything(python_kernel(lambda *_: 1), arena_nbytes=arena)[0])
    function = build(plan)
    other = np.ones(64, F8)
    watched = [*arguments, other, F4, F8, np.ndarray, float, int, np.float64, function, function.__self__, plan, 123.5]
    before = references(watched)
    if sys.version_info < (3, 12):  # immortal later
        singletons = references([None, NotImplemented, Ellipsis])
    for _ in range(1000):
        function(*arguments)
        side_exit(*arguments)
        function(other, *arguments[1:])
        function(*arguments[:-1], 1.0)
        function(*arguments[:2], 2**70, arguments[3])
        function()
    assert references(watched) == before
    if sys.version_info < (3, 12):
        after = references([None, NotImplemented, Ellipsis])
        assert all(abs(now - then) < 100 for now, then in zip(after, singletons, strict=True))


def test_memory_does_not_grow_with_calls(double, python_kernel):
    plan, arguments = everything(double, arena_nbytes=1 << 16)
    functions = [build(plan), build(everything(python_kernel(lambda *_: 1), arena_nbytes=1 << 16)[0])]

    def calls(count):
        for _ in range(count):
            for function in functions:
                function(*arguments)
                function(1)

    tracemalloc.start()
    try:
        calls(50)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        calls(1000)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 2000


def test_the_plan_dies_with_its_builtin(double):
    plan, arguments = everything(double, constants=(np.zeros(3),))
    function = build(plan)
    result = function(*arguments)
    plan_reference, table_reference = weakref.ref(plan), weakref.ref(function.__self__)
    constant_reference = weakref.ref(plan.constants[0])
    del plan
    assert plan_reference() is not None
    del function
    gc.collect()
    assert plan_reference() is table_reference() is constant_reference() is None
    assert result[0].tolist() == [2] * 64


def test_a_builtin_in_a_cycle_is_collected(double):
    plan, _ = everything(double)
    function = build(plan)
    function.__self__.cycle = [function]
    reference = weakref.ref(plan)
    del plan, function
    gc.collect()
    assert reference() is None


def test_free_frames_are_given_back_when_the_plan_dies(double):
    plan, arguments = everything(double, arena_nbytes=1 << 20)
    function = build(plan)
    tracemalloc.start()
    try:
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        function(*arguments)
        held, _ = tracemalloc.get_traced_memory()
        function(*arguments)
        again, _ = tracemalloc.get_traced_memory()
        del function
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held - before > 1 << 20
    assert again - held < 1 << 10
    assert after - before < 1 << 14


def test_plans_with_large_frames_share_one_and_the_last_to_die_gives_it_back(double):
    tracemalloc.start()
    try:
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        functions = []
        for megabytes in (2, 3, 1):
            plan, arguments = everything(double, arena_nbytes=megabytes << 20)
            functions.append(build(plan))
        held = []
        for function in (*functions, *functions):
            function(*arguments)
            held.append((tracemalloc.get_traced_memory()[0] - before) >> 20)
        assert held == [2, 3, 3, 3, 3, 3]
        del plan
        while functions:
            function = functions.pop()
            assert tracemalloc.get_traced_memory()[0] - before >> 20 == 3
        del function
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 1 << 16
    finally:
        tracemalloc.stop()


def test_a_copy_or_view_of_the_table_frees_nothing(double):
    plan, arguments = everything(double, arena_nbytes=1 << 16)
    function = build(plan)
    function(*arguments)
    for _ in range(3):
        function.__self__.copy()
        function.__self__[:4]
    gc.collect()
    assert function(*arguments)[0].tolist() == [2] * 64


@pytest.mark.parametrize("arena", [64, 1 << 16])
@pytest.mark.parametrize("release_gil", [False, True])
def test_a_plan_that_runs_itself_has_a_frame_for_each_level(python_kernel, arena, release_gil):
    levels, addresses_seen = [], []

    def kernel(addresses, sizes, start, stop):
        depth = int(ctypes.c_double.from_address(addresses[0]).value)
        cell = ctypes.c_int64.from_address(addresses[1])
        cell.value = depth
        addresses_seen.append(addresses[1])
        if depth < 20:
            made = function(float(depth + 1))
            assert made is not None
        levels.append((depth, cell.value, ctypes.c_double.from_address(addresses[0]).value))
        return 0

    steps = (KernelStep(python_kernel(kernel), ((0, 0), (2, 0), (1, 0)), (), 1),)
    outputs = (FreshOutput(F4, (2,), (4,)),)
    function = build(LaunchPlan((FloatInput(),), outputs, ((0, arena),), arena, steps=steps, release_gil=release_gil))
    assert function(0.0).shape == (2,)
    assert levels == [(depth, depth, float(depth)) for depth in range(20, -1, -1)]
    assert len(set(addresses_seen)) == 21


@pytest.mark.parametrize("arena", [256, 1 << 16])
def test_threads_never_share_a_frame(double, arena):
    size = arena // 8
    steps = (
        KernelStep(double, ((0, 0), (2, 0)), (), size),
        KernelStep(double, ((2, 0), (3, 0)), (), size),
        KernelStep(double, ((3, 0), (1, 0)), (), size),
    )
    inputs, outputs = (ArrayInput(F4, (size,), (4,)),), (FreshOutput(F4, (size,), (4,)),)
    temporaries = ((0, arena // 2), (arena // 2, arena // 2))
    function = build(LaunchPlan(inputs, outputs, temporaries, arena, steps=steps, release_gil=True))
    wrong = []

    def work(value):
        x = np.full(size, value, F4)
        wrong.extend(value for _ in range(1000) if not (function(x) == 8 * value).all())

    threads = [threading.Thread(target=work, args=(value,)) for value in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


WAIT_FOR_FLAG = """
def kernel(addresses, sizes, start, stop):
    flag = pointer_i64(addresses[0])
    for i in range(start, stop):
        invoke_i32_of_u32(sizes[0], (1000,))
        if flag[0] != 0:
            return 0
    return 1
"""


@pytest.mark.parametrize(("release_gil", "tries", "outcome"), [(True, 5000, None), (False, 50, Ellipsis)])
def test_other_threads_run_during_steps_only_when_the_gil_is_released(release_gil, tries, outcome):
    flag = np.zeros(1, np.int64)
    usleep = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p).value
    steps = (KernelStep(get_kernel(WAIT_FOR_FLAG), ((0, 0),), (usleep,), tries),)
    function = build(LaunchPlan((ArrayInput(flag.dtype, (1,), (8,)),), steps=steps, release_gil=release_gil))
    entered = threading.Event()

    def set_flag():
        entered.wait()
        flag[0] = 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(10)  # no switch between the signal and the call
    thread = threading.Thread(target=set_flag)
    thread.start()
    try:
        entered.set()
        result = function(flag)
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    assert result is outcome


def test_without_memory_for_the_frame_a_memory_error_is_raised():
    function = build(LaunchPlan((), (), (), 1 << 62))
    for _ in range(3):
        with pytest.raises(MemoryError):
            function()


def test_without_memory_for_an_output_a_memory_error_is_raised():
    small, huge = FreshOutput(F4, (2,), (4,)), FreshOutput(F4, (1 << 60,), (4,))
    before = sys.getrefcount(F4)
    function = build(LaunchPlan((), (small, huge)))
    built = sys.getrefcount(F4)
    for _ in range(10):
        with pytest.raises(MemoryError):
            function()
    assert sys.getrefcount(F4) == built
    assert built - before < 10


@pytest.mark.parametrize(("module", "kind"), [(builtin, builtin.PlanTable), (watched_slots, watched_slots._SlotWords)])
def test_a_table_dies_quietly_when_the_globals_of_its_module_are_gone(monkeypatch, module, kind):
    table = np.zeros(256, np.int64).view(kind)
    table.pins = ()
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    for name in ("at", "ctypes", "np", "leave_list"):  # as at the interpreter's exit
        monkeypatch.setattr(module, name, None, raising=False)
    del table
    assert not told


@pytest.mark.slow
def test_threads_that_take_large_frames_from_one_list_do_not_share_them():
    def temporaries(x):
        return np.sort(x * 2.0)[::-1] + np.cumsum(x + 1.0)

    sizes = [1 << 16, 3 << 16, 1 << 17, 5 << 16]
    arrays = [np.random.default_rng(k).random(size) for k, size in enumerate(sizes)]
    wanted = [temporaries(each) for each in arrays]
    functions = [gl.jit(temporaries, dynamic=False) for _ in sizes]
    wrong = []

    def call(first):
        for turn in range(40):
            k = (first + turn) % len(sizes)
            if not np.array_equal(functions[k](arrays[k]), wanted[k]):
                wrong.append(k)

    for function, array in zip(functions, arrays):
        function(array)
    assert len(call_frames._LARGE) >= 2
    threads = [threading.Thread(target=call, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


LATE = """
import builtins
import guardlift as gl

function = gl.jit(lambda x: x + 1)
late = [function, gl.Tensor, function(gl.ones(3)), function(gl.ones(3))]
late.append(late)
builtins.late = late
"""


def test_the_collector_may_look_at_builtins_when_their_modules_are_gone() -> None:
    """Freed memory is overwritten in this process, so that whoever reads it as an address crashes."""
    freed = {"PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "170"}
    done = subprocess.run([sys.executable, "-c", LATE], env=os.environ | freed, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
