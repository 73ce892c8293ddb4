import re

import numpy as np
import pytest

import guardlift as gl
from guardlift.ops import OPS
from guardlift.ops.registry import Structural
from guardlift.tools import backend_cases as suite
from guardlift.tools.backend_differences import differences
from guardlift.tools.backend_programs import PROGRAMS

CASES = suite.backend_cases()
OP_CASES = [case for case in CASES if case.kind == "op"]
PROGRAM_CASES = [case for case in CASES if case.kind == "program"]
NAMED = {str(case): case for case in CASES}


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "reference"])
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.spec("S0.07")
def test_a_built_in_backend_passes_every_case(case, backend):
    case.check(backend)


@pytest.mark.parametrize("case", PROGRAM_CASES, ids=str)
def test_our_own_backend_passes_every_program(case):
    case.check("numba")


@pytest.mark.long
@pytest.mark.parametrize("case", OP_CASES, ids=str)
def test_our_own_backend_passes_every_op(case):
    case.check("numba")


def test_every_op_and_every_program_is_a_case():
    assert {case.name for case in OP_CASES} == {op.name for op in OPS.values() if not isinstance(op.lower, Structural)}
    assert len(PROGRAM_CASES) == len(PROGRAMS) >= 30 and len(NAMED) == len(CASES)


# -- backends that are wrong -------------------------------------------------------------------------------------------
def turning(change):
    """A backend whose results `change` has changed: it is given the module, the number of the run, and the results."""

    def backend(module, inputs):
        runs = []

        def run(*arrays):
            runs.append(0)
            return change(module, len(runs), module(*arrays))

        return run

    return backend


def names(module):
    return {each.target.name for each in module.graph.find_nodes(op="call_function")}


def off_by(amount):
    return turning(
        lambda module, run, results: [r + r.dtype.type(amount) * r if r.dtype.kind == "f" else r for r in results]
    )


def stuck(module, inputs):
    results = module(*inputs)
    return lambda *arrays: results


def clamping(module, inputs):
    def run(*arrays):
        return module(*(np.clip(each, 0, 2) if each.dtype == np.int64 else each for each in arrays))

    return run


def keeping_attributes(module, inputs):
    kept = {each.target: getattr(module, each.target).copy() for each in module.graph.find_nodes(op="get_attr")}

    def run(*arrays):
        for name, array in kept.items():
            getattr(module, name)[...] = array
        return module(*arrays)

    return run


WRONG = {
    "wrong values": (off_by(0.01), "program standardised", "call 1: result[0]: 12 of 12 elements differ"),
    "wrong in one op": (off_by(0.01), "op exp", "elements differ; at "),
    "wrong the second time": (
        turning(lambda module, run, results: results if run == 1 else [-each for each in results]),
        "op sin",
        "elements differ; at ",
    ),
    "stuck": (stuck, "program numbers", "call 2: result"),
    "stuck with attributes": (keeping_attributes, "program training_with_sgd", "call 3: result"),
    "indices that are too large": (clamping, "program gathered_too_far", "call 1: expected results at"),
    "exact ops that are not": (off_by(1e-15), "op multiply", "elements differ"),
    "integers": (
        turning(lambda module, run, results: [np.abs(r) if r.dtype.kind == "i" else r for r in results]),
        "program whole_numbers",
        "elements differ",
    ),
    "zeros": (
        turning(lambda module, run, results: [r + 0.0 if r.dtype.kind == "f" else r for r in results]),
        "op negative",
        "expected",
    ),
}


@pytest.mark.parametrize("backend, name, message", WRONG.values(), ids=WRONG)
def test_a_backend_that_is_wrong_fails_its_case(backend, name, message):
    with np.errstate(all="ignore"), pytest.raises(AssertionError, match=re.escape(message)) as caught:
        NAMED[name].check(backend)
    assert name.split()[1] in str(caught.value)


def test_a_backend_that_breaks_the_protocol_is_named():
    def mine(module, inputs):
        return lambda *arrays: None

    for name in ("op add", "program swapped"):
        with pytest.raises(gl.BackendError, match="the backend 'mine' gave a NoneType"):
            NAMED[name].check(mine)


def test_a_tolerance_allows_what_is_near():
    near = off_by(1e-9)
    for name in ("op tanh", "op sin", "program softmax"):
        with pytest.raises(AssertionError):
            NAMED[name].check(near)
        NAMED[name].check(near, rtol=1e-6)


def test_check_backend_lists_all_that_is_wrong(monkeypatch):
    chosen = [NAMED[name] for name in ("op exp", "op negative", "program softmax")]
    monkeypatch.setattr(suite, "backend_cases", lambda: chosen)
    gl.testing.check_backend("eager")
    with pytest.raises(AssertionError) as caught:
        gl.testing.check_backend(
            turning(lambda module, run, r: [each + 1 for each in r] if "exp" in names(module) else r)
        )
    lines = str(caught.value).splitlines()
    assert lines[0] == "the backend gets 2 cases wrong"
    assert [line.split(":")[0] for line in lines[1:]] == ["  op exp", "  program softmax"]
    with pytest.raises(gl.SettingValueError, match="the backend under test is 'egaer', which no backend is called"):
        gl.testing.check_backend("egaer")


# -- differences -------------------------------------------------------------------------------------------------------
def told(found, expected, *args, **options):
    return list(differences(np.asarray(found), np.asarray(expected), *args, **options))


def test_arrays_that_are_equal_do_not_differ():
    values = [0.0, -0.0, np.inf, np.nan]
    assert told(values, values, 0.0) == []
    assert told([1, 2], [1, 2], 0.0) == [] and told([True], [True], 0.0) == []


def test_what_differs_is_told_with_its_place():
    assert told([1.0, 2.0], [1.0, 3.0], 0.0) == [
        "1 of 2 elements differ; at [1] expected np.float64(3.0), got np.float64(2.0)"
    ]
    assert told([1.0], np.float32([1.0]), 0.0) == ["expected float32[1], got float64[1]"]
    assert told([[1.0]], [1.0], 0.0) == ["expected float64[1], got float64[1, 1]"]


@pytest.mark.parametrize(
    "found, expected", [(0.0, -0.0), (np.nan, 1.0), (1.0, np.nan), (np.inf, -np.inf), (1.0, 1 + 2e-16)]
)
def test_bits_count_where_nothing_is_allowed(found, expected):
    assert told(found, expected, 0.0)
    assert told(found, expected, 0.0, zeros=True) if found != expected else not told(found, expected, 0.0, zeros=True)


def test_a_tolerance_is_relative_to_each_element_or_to_the_scale():
    assert told([1e-3], [1.001e-3], 1e-4) and not told([1e-3], [1.001e-3], 1e-2)
    assert not told([1e-3], [1.001e-3], 1e-4, scale=1.0)
    assert not told([1 + 1e-15], [1.0], 0.0, 16.0) and told([1 + 1e-14], [1.0], 0.0, 16.0)
    assert told([np.inf], [1e308], 1.0) and told([np.nan], [1.0], 1.0)
