"""Each check of an argument, one at a time: what fits is seen by the kernel, what does not gives NotImplemented."""

import ctypes
import gc
import weakref

import numpy as np
import pytest

from guardlift.backend.cpu.plan.plan import (
    ArrayInput,
    BoolInput,
    FloatInput,
    FreshOutput,
    IntInput,
    KernelStep,
    LaunchPlan,
    NumpyScalarInput,
    ObjectInput,
    build,
)
from guardlift.core.errors import KernelError

F4 = np.dtype(np.float32)


class Subclass(np.ndarray):
    pass


@pytest.fixture
def accepts(python_kernel):
    """Whether a plan with this one input takes the argument; asserts that a refused call ran nothing."""

    def accepts(given, argument):
        runs = []
        kernel = python_kernel(lambda addresses, sizes, start, stop: runs.append(1) or 0)
        result = build(LaunchPlan((given,), steps=(KernelStep(kernel, (), (), 1),)))(argument)
        assert result is (None if runs else NotImplemented)
        return bool(runs)

    return accepts


def array_input(array, **changes):
    return ArrayInput(**({"dtype": array.dtype, "shape": array.shape, "strides": array.strides} | changes))


LAYOUTS = {
    "0-d": np.array(1.5, F4),
    "contiguous": np.zeros((3, 4), F4),
    "fortran": np.zeros((3, 4), F4, order="F"),
    "negative": np.zeros((3, 4), F4)[::-1, ::-2],
    "broadcast": np.broadcast_to(np.zeros(4, F4), (3, 4)),
    "4-d": np.zeros((2, 3, 4, 5), F4).transpose(2, 0, 3, 1),
    "empty": np.zeros((3, 0), F4),
}


@pytest.mark.parametrize("array", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("dtype", ["b1", "i1", "u2", "i4", "q", "l", "f2", "f8", "c8", "c16", "g"])
def test_an_array_of_the_declared_layout_is_taken(accepts, array, dtype):
    given = array.astype(dtype)
    given = np.lib.stride_tricks.as_strided(given, array.shape, given.strides)
    assert accepts(array_input(given), given)


def test_each_kind_of_other_object_is_refused(accepts):
    array = np.zeros((3, 4), F4)
    given = array_input(array)
    assert accepts(given, array)
    others = [array.view(Subclass), array.tolist(), memoryview(array), np.float32(1), 1.0, None, type]
    assert not any(accepts(given, other) for other in others)


@pytest.mark.parametrize(
    "other",
    [
        np.zeros((3, 4), np.float64),
        np.zeros((3, 4), np.int32),
        np.zeros((3, 4), ">f4"),
        np.zeros((4, 3), F4),
        np.zeros((3, 5), F4)[:, :4],
        np.zeros((3, 4), F4, order="F"),
        np.zeros((3, 4), F4)[::-1],
        np.zeros((3, 4, 1), F4),
        np.zeros(12, F4),
        np.zeros((), F4),
        np.zeros((3, 4), "m8[s]"),
        np.zeros((3, 4), object),
    ],
    ids=lambda other: f"{other.dtype}{other.shape}{other.strides}",
)
def test_an_array_of_another_layout_is_refused(accepts, other):
    assert not accepts(array_input(np.zeros((3, 4), F4)), other)


def test_types_of_one_size_and_kind_but_another_number_are_told_apart(accepts):
    assert not accepts(array_input(np.zeros(3, "l")), np.zeros(3, "q"))
    assert not accepts(array_input(np.zeros(3, "q")), np.zeros(3, "l"))


def test_a_descriptor_of_its_own_is_taken_when_the_type_is_the_same(accepts):
    other = np.zeros(3, np.dtype("f4", metadata={"unit": "m"}))
    assert other.dtype is not np.dtype("f4")
    assert accepts(array_input(np.zeros(3, F4)), other)
    swapped = np.zeros(3, ">f4")
    assert not accepts(array_input(np.zeros(3, F4)), swapped)
    assert accepts(array_input(np.zeros(3, F4)), swapped.view(swapped.dtype.newbyteorder("=")))


def test_the_stride_of_an_axis_of_one_is_not_looked_at(accepts):
    base = np.zeros((5, 7, 3), F4)
    assert accepts(array_input(np.zeros((1, 7, 3), F4)), base[2:3])
    assert accepts(array_input(base[:, 3:4, :]), base[:, ::9, :])
    assert not accepts(array_input(np.zeros((5, 1, 3), F4)), base[:, 3:4, :])


def test_no_stride_of_an_empty_array_is_looked_at(accepts):
    assert accepts(array_input(np.zeros((0, 4), F4)), np.zeros((6, 8), F4)[3:3, ::2])
    assert not accepts(array_input(np.zeros((0, 4), F4)), np.zeros((0, 5), F4))


def test_misaligned_memory_is_refused(accepts):
    raw = np.zeros(17, np.uint8)
    misaligned = raw[1:].view(F4)
    assert not misaligned.flags.aligned
    assert not accepts(array_input(np.zeros(4, F4)), misaligned)


def test_readonly_memory_is_refused_only_where_it_is_written(accepts):
    frozen = np.zeros(4, F4)
    frozen.flags.writeable = False
    assert accepts(array_input(frozen), frozen)
    assert not accepts(array_input(frozen, writeable=True), frozen)
    assert accepts(array_input(frozen, writeable=True), np.zeros(4, F4))


def test_an_array_that_warns_on_writing_is_left_to_numpy(accepts):
    array, _ = np.broadcast_arrays(np.zeros((1, 4), F4), np.zeros((3, 1), F4))
    assert array.flags.num & 0x80000000
    assert array.flags.num & 0x400
    assert accepts(array_input(array), array)
    assert not accepts(array_input(array, writeable=True), array)


def test_the_number_of_arguments_must_fit():
    function = build(LaunchPlan((FloatInput(), FloatInput())))
    assert function(1.0, 2.0) is None
    for arguments in [(), (1.0,), (1.0, 2.0, 3.0)]:
        assert function(*arguments) is NotImplemented
    with pytest.raises(TypeError):
        function(1.0, b=2.0)


def test_a_later_argument_that_fails_undoes_the_earlier_ones():
    function = build(LaunchPlan((FloatInput(), IntInput(), BoolInput()), (FreshOutput(F4, (4,), (4,)),)))
    assert function(1.0, 2, True).shape == (4,)
    assert function(1.0, 2, None) is NotImplemented
    assert function(1.0, True, True) is NotImplemented
    assert function(1, 2, True) is NotImplemented


def read_cell(python_kernel, given, argument, c_type):
    seen = []

    def read(addresses, sizes, start, stop):
        seen.append(c_type.from_address(addresses[0]).value)
        return 0

    kernel = python_kernel(read)
    result = build(LaunchPlan((given,), steps=(KernelStep(kernel, ((0, 0),), (), 1),)))(argument)
    return seen[0] if seen else result


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, float("inf"), -1e308, 5e-324])
def test_a_float_arrives_as_float64(python_kernel, value):
    found = read_cell(python_kernel, FloatInput(), value, ctypes.c_double)
    assert found == value and np.signbit(found) == np.signbit(value)


def test_a_nan_arrives_as_nan(python_kernel):
    assert np.isnan(read_cell(python_kernel, FloatInput(), float("nan"), ctypes.c_double))


def test_only_an_exact_float_is_a_float(accepts):
    assert accepts(FloatInput(), 1.0)
    assert not any(
        accepts(FloatInput(), other) for other in (1, True, np.float64(1), type("F", (float,), {})(1.0), "1")
    )


@pytest.mark.parametrize("value", [0, 1, -1, 256, 257, 2**30, -(2**30), 2**62, 2**63 - 1, -(2**63)])
def test_an_int_arrives_as_int64(python_kernel, value):
    assert read_cell(python_kernel, IntInput(), value, ctypes.c_int64) == value


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 2**64, 10**30, -(10**30)])
def test_an_int_that_does_not_fit_is_refused_without_an_exception(accepts, value):
    assert not accepts(IntInput(), value)


def test_only_an_exact_int_is_an_int(accepts):
    assert not any(accepts(IntInput(), other) for other in (True, 1.0, np.int64(1), type("I", (int,), {})(1), None))


def test_a_bool_arrives_as_zero_or_one(python_kernel):
    assert read_cell(python_kernel, BoolInput(), True, ctypes.c_uint64) == 1
    assert read_cell(python_kernel, BoolInput(), False, ctypes.c_uint64) == 0
    assert read_cell(python_kernel, BoolInput(), 1, ctypes.c_uint64) is NotImplemented
    assert read_cell(python_kernel, BoolInput(), np.True_, ctypes.c_uint64) is NotImplemented


SCALARS = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "l", "q", "L", "Q", "f2", "f4", "f8", "g", "c8", "c16", "G"]


@pytest.mark.parametrize("code", SCALARS)
def test_a_numpy_scalar_arrives_as_its_bytes(python_kernel, code):
    scalar = np.dtype(code).type(True if code == "b1" else 3)
    seen = []

    def read(addresses, sizes, start, stop):
        seen.append(np.frombuffer(ctypes.string_at(addresses[0], scalar.itemsize), scalar.dtype)[0])
        return 0

    steps = (KernelStep(python_kernel(read), ((0, 0),), (), 1),)
    assert build(LaunchPlan((NumpyScalarInput(scalar.dtype),), steps=steps))(scalar) is None
    assert seen == [scalar]


def test_a_numpy_scalar_of_another_type_is_refused(accepts):
    given = NumpyScalarInput(np.dtype(np.float64))
    assert accepts(given, np.float64(1))
    for other in (1.0, np.float32(1), np.array(1.0), np.int64(1), np.longdouble(1)):
        assert not accepts(given, other)


def test_the_cells_of_many_scalars_do_not_touch(python_kernel):
    seen = []

    def read(addresses, sizes, start, stop):
        seen.append((ctypes.c_double.from_address(addresses[0]).value, ctypes.c_int64.from_address(addresses[1]).value))
        seen.append((np.frombuffer(ctypes.string_at(addresses[2], 16), "c16")[0], addresses[2] % 16))
        seen.append(ctypes.c_uint8.from_address(addresses[3]).value)
        return 0

    kernel = python_kernel(read)
    inputs = (FloatInput(), IntInput(), NumpyScalarInput(np.dtype("c16")), BoolInput())
    function = build(LaunchPlan(inputs, steps=(KernelStep(kernel, tuple((k, 0) for k in range(4)), (), 1),)))
    assert function(2.5, -3, np.complex128(1 + 2j), True) is None
    assert seen == [(2.5, -3), (1 + 2j, 0), 1]


def pair_plan(first, second):
    return build(LaunchPlan((array_input(first), array_input(second)), disjoint=((0, 1),)))


def test_arrays_that_share_memory_are_refused_where_they_must_be_disjoint():
    base = np.zeros(20, F4)
    for first, second in [
        (base[:8], base[8:16]),
        (base[8:16], base[:8]),
        (base[7::-1], base[8:16]),
        (base[15:7:-1], base[7::-1]),
    ]:
        assert pair_plan(first, second)(first, second) is None
    for first, second in [
        (base[:8], base[:8]),
        (base[:8], base[7:15]),
        (base[7:15], base[:8]),
        (base[8:0:-1], base[8:16]),
        (base[:16:2], base[1:17:2]),  # extents cross though no element is shared: refused, which is safe
    ]:
        assert pair_plan(first, second)(first, second) is NotImplemented


def test_an_empty_array_overlaps_nothing():
    base = np.zeros(20, F4)
    assert pair_plan(base[3:3], base)(base[3:3], base) is None


@pytest.mark.parametrize("dtype", ["U3", "S3", "m8[s]", "O", ">f4", [("a", "f4")]])
def test_a_dtype_that_is_no_native_number_is_refused_when_building(dtype):
    with pytest.raises(KernelError, match="not a number in native byte order"):
        build(LaunchPlan((array_input(np.zeros(2, dtype)),)))


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (LaunchPlan((ArrayInput(F4, (2, 3), (4,)),)), "shape"),
        (LaunchPlan((FloatInput(),), disjoint=((0, 0),)), "not an array input"),
        (LaunchPlan(temporaries=((0, 65),), arena_nbytes=64), "arena of 64"),
    ],
    ids=["rank", "disjoint", "arena"],
)
def test_a_plan_that_contradicts_itself_is_refused_when_building(plan, reason):
    with pytest.raises(KernelError, match=reason):
        build(plan)


def test_an_object_input_takes_that_object_only() -> None:
    first, second = object(), object()
    function = build(LaunchPlan((ObjectInput(first), ObjectInput(np.tanh)), ()))
    assert function(first, np.tanh) is None
    assert function(second, np.tanh) is NotImplemented
    assert function(first, np.sinh) is NotImplemented


def test_a_plan_holds_the_objects_it_compares_with_and_frees_them_with_itself() -> None:
    class Thing:
        pass

    thing = Thing()
    reference = weakref.ref(thing)
    function = build(LaunchPlan((ObjectInput(thing),), ()))
    del thing
    gc.collect()
    assert reference() is not None
    del function
    gc.collect()
    assert reference() is None
