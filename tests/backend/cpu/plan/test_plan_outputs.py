"""Results of a plan look as NumPy's own do: layout, flags, owner, base, type."""

import ctypes

import numpy as np
import pytest

from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.plan.plan import (
    ArrayInput,
    FloatInput,
    FreshOutput,
    InputOutput,
    KernelStep,
    LaunchPlan,
    NumpyScalarInput,
    ScalarOutput,
    ViewOutput,
    build,
)
from guardlift.core.errors import KernelError

F4, F8 = np.dtype(np.float32), np.dtype(np.float64)


class Subclass(np.ndarray):
    pass


def array_input(array, writeable=False):
    return ArrayInput(array.dtype, array.shape, array.strides, writeable)


def look(array):
    return type(array), array.dtype, array.shape, array.strides, array.flags.num, array.flags.owndata


FRESH = {
    "0-d": np.empty((), F4),
    "vector": np.empty(5, F4),
    "matrix": np.empty((3, 4), F4),
    "fortran": np.empty((3, 4), F4, order="F"),
    "permuted": np.empty_like(np.empty((4, 2, 3), F8).transpose(1, 0, 2)),
    "ones": np.empty((1, 3, 1), F4),
    "all ones": np.empty((1, 1), F4),
    "empty": np.empty((3, 0, 2), F4),
    "empty fortran": np.empty((0, 4), F4, order="F"),
    "bool": np.empty((2, 2), bool),
    "complex": np.empty((2, 2), np.complex128),
}


@pytest.mark.parametrize("model", FRESH.values(), ids=FRESH)
def test_a_fresh_output_looks_like_numpys_own(model):
    function = build(LaunchPlan((), (FreshOutput(model.dtype, model.shape, model.strides),)))
    made = function()
    assert look(made) == look(model)
    assert made.base is None
    made[...] = 1
    if made.flags.forc:
        made.resize(made.size + 1)  # its memory is NumPy's own
    assert function() is not function()


@pytest.mark.parametrize("strides", [(4, 16), (-16, 4), (0, 4), (32, 8), (16, 4, 1), (16,)])
def test_a_fresh_output_must_be_dense(strides):
    with pytest.raises(KernelError, match="contradicts itself"):
        build(LaunchPlan((), (FreshOutput(F4, (3, 4), strides),)))


def test_a_fresh_output_holds_what_the_kernel_wrote(double):
    x = np.arange(6, dtype=F4)
    plan = LaunchPlan(
        (array_input(x),), (FreshOutput(F4, (6,), (4,)),), steps=(KernelStep(double, ((0, 0), (1, 0)), (), 6),)
    )
    assert np.array_equal(build(plan)(x), x * 2)


def test_results_are_none_or_bare_or_a_tuple():
    fresh = FreshOutput(F4, (2,), (4,))
    assert build(LaunchPlan())() is None
    assert build(LaunchPlan(unwrap=False))() is None
    assert type(build(LaunchPlan((), (fresh,)))()) is np.ndarray
    assert [type(part) for part in build(LaunchPlan((), (fresh,), unwrap=False))()] == [np.ndarray]
    pair = build(LaunchPlan((), (fresh, fresh)))()
    assert type(pair) is tuple and len(pair) == 2 and pair[0] is not pair[1]


SCALARS = ["b1", "i1", "u1", "i2", "i4", "l", "q", "L", "f2", "f4", "f8", "c8", "c16", "g"]


@pytest.mark.parametrize("code", SCALARS)
def test_a_scalar_output_is_numpys_scalar(python_kernel, code):
    value = np.dtype(code).type(1 if code == "b1" else 3)

    def write(addresses, sizes, start, stop):
        ctypes.memmove(addresses[0], np.array(value).ctypes.data, value.itemsize)
        return 0

    steps = (KernelStep(python_kernel(write), ((0, 0),), (), 1),)
    made = build(LaunchPlan((), (ScalarOutput(value.dtype),), steps=steps))()
    assert type(made) is type(value)
    assert made == value


def test_scalars_in_and_out_through_a_compiled_kernel():
    kernel = get_kernel(
        "def kernel(addresses, sizes, start, stop):\n"
        "    x, y, out = pointer_f64(addresses[0]), pointer_f32(addresses[1]), pointer_f64(addresses[2])\n"
        "    out[0] = x[0] + float64(y[0])\n"
        "    return 0\n"
    )
    steps = (KernelStep(kernel, ((0, 0), (1, 0), (2, 0)), (), 1),)
    function = build(LaunchPlan((FloatInput(), NumpyScalarInput(F4)), (ScalarOutput(F8),), steps=steps))
    assert function(1.5, np.float32(2.25)) == np.float64(3.75)
    assert type(function(1.5, np.float32(2.25))) is np.float64


def test_a_given_back_input_is_the_very_argument():
    x = np.zeros(3, F4)
    function = build(LaunchPlan((array_input(x), FloatInput()), (InputOutput(1), InputOutput(0))))
    value = 1.25
    assert function(x, value)[0] is value
    assert function(x, value)[1] is x


BASES = {
    "owner": lambda: np.zeros((6, 8), F4),
    "view": lambda: np.zeros((7, 8), F4)[1:],
    "view of view": lambda: np.zeros((9, 8), F4)[1:][1:-1],
    "of a subclass": lambda: np.zeros((6, 8), F4).view(Subclass).view(np.ndarray),
    "of bytes": lambda: np.frombuffer(bytes(6 * 8 * 4), F4).reshape(6, 8),
    "readonly": lambda: np.broadcast_to(np.zeros(8, F4), (6, 8)),
    "metadata": lambda: np.zeros((6, 8), np.dtype("f4", metadata={"unit": "m"})),
}
SLICES = {
    "all": np.s_[:],
    "rows": np.s_[1:4],
    "backwards": np.s_[::-1, ::-2],
    "column": np.s_[:, 3],
    "new axis": np.s_[None, 2],
    "none": np.s_[3:3],
}


@pytest.mark.parametrize("base", BASES.values(), ids=BASES)
@pytest.mark.parametrize("cut", SLICES.values(), ids=SLICES)
def test_a_view_of_an_input_is_the_view_that_slicing_gives(base, cut):
    array = base()
    model = array[cut]
    offset = model.ctypes.data - array.ctypes.data
    view = ViewOutput(0, model.dtype, model.shape, model.strides, offset)
    made = build(LaunchPlan((array_input(array),), (view,)))(array)
    assert look(made) == look(model)
    assert made.base is model.base
    assert made.dtype is model.dtype
    assert made.__array_interface__["data"] == model.__array_interface__["data"]


def test_a_transposed_view_has_the_flags_of_a_transpose():
    x = np.zeros((3, 4), F4)
    made = build(LaunchPlan((array_input(x),), (ViewOutput(0, F4, (4, 3), (4, 16)),)))(x)
    assert look(made) == look(x.T)
    made[1, 2] = 5
    assert x[2, 1] == 5


def test_a_view_of_another_dtype_has_that_dtype():
    z = np.array([1 + 2j, 3 + 4j])
    made = build(LaunchPlan((array_input(z),), (ViewOutput(0, F8, (2,), (16,), 8),)))(z)
    assert look(made) == look(z.imag)
    assert made.tolist() == [2, 4]


def test_a_view_of_a_fresh_output_keeps_it_alive(double):
    x = np.arange(6, dtype=F4)
    outputs = (ViewOutput(2, F4, (3,), (-8,), 20), FreshOutput(F4, (6,), (4,)))
    steps = (KernelStep(double, ((0, 0), (2, 0)), (), 6),)
    view, fresh = build(LaunchPlan((array_input(x),), outputs, steps=steps))(x)
    assert view.base is fresh
    assert view.tolist() == [10, 6, 2]
    assert look(view) == look(fresh[::-2])


def test_a_step_may_write_through_the_slot_of_a_view(double):
    x, y = np.arange(3, dtype=F4), np.zeros(6, F4)
    outputs = (ViewOutput(1, F4, (3,), (4,), 12),)
    steps = (KernelStep(double, ((0, 0), (2, 0)), (), 3),)
    made = build(LaunchPlan((array_input(x), array_input(y, writeable=True)), outputs, steps=steps))(x, y)
    assert made.tolist() == [0, 2, 4]
    assert y.tolist() == [0, 0, 0, 0, 2, 4]


@pytest.mark.parametrize(
    "view",
    [
        ViewOutput(0, F4, (5,), (4,)),
        ViewOutput(0, F4, (2,), (4,), 12),
        ViewOutput(0, F4, (2,), (-4,), 0),
        ViewOutput(0, F8, (3,), (8,)),
        ViewOutput(1, F4, (1,), (4,)),
        ViewOutput(7, F4, (1,), (4,)),
    ],
    ids=["long", "late", "backwards", "wide", "of itself", "of nothing"],
)
def test_a_view_outside_its_base_is_refused_when_building(view):
    with pytest.raises(KernelError, match="contradicts itself"):
        build(LaunchPlan((ArrayInput(F4, (4,), (4,)),), (view,)))


def test_an_output_that_gives_back_no_input_is_refused_when_building():
    with pytest.raises(KernelError, match="gives back input 1"):
        build(LaunchPlan((FloatInput(),), (InputOutput(1),)))
