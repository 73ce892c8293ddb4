"""Lifted inputs: graphs whose memory is given when the plan is built."""

import gc
import weakref

import numpy as np
import pytest
from backend.graph_cases import Program, check, layout_for, run_native, strided
from backend.plain_runner import run_plain

from guardlift.backend.call_layout import CallLayout
from guardlift.backend.compile import OutputLayout, compile_graph
from guardlift.core.errors import KernelError
from guardlift.graph.node import Write


def step_graph():
    """p - lr * g, written to p; p and its momentum are inputs 0 and 2."""
    p = Program()
    weight, grad, moment = (p.input((4, 3)) for _ in range(3))
    new = p.add(moment, grad)
    return p.builder.finish([p.sum(new, axes=(0, 1))], [Write(weight, p.subtract(weight, new)), Write(moment, new)])


def arrays(*shapes):
    return [np.random.default_rng(k).integers(-9, 9, shape).astype(float) for k, shape in enumerate(shapes)]


def built(graph, given, lifted):
    return compile_graph(graph, layout_for(graph, given, lifted=lifted)).build([given[k] for k in lifted])


@pytest.mark.spec("S5.24")
@pytest.mark.parametrize("runner", [run_plain, run_native], ids=["plain", "native"])
@pytest.mark.parametrize("lifted", [(), (0,), (0, 2), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("variant", [0, 1, 2, 3])
def test_lifted_inputs_are_read_and_written_where_they_lie(variant, lifted, runner):
    given = [strided(array, variant) for array in arrays((4, 3), (4, 3), (4, 3))]
    check(step_graph(), given, runner, lifted=lifted)


def test_a_lifted_scalar_counts_the_calls():
    p = Program()
    step = p.input(())
    graph = p.builder.finish([p.add(step, p.number(step, 1.0))], [Write(step, p.add(step, p.number(step, 1.0)))])
    count = np.zeros(())
    call = built(graph, [count], (0,))
    assert [float(call()[0]) for _ in range(3)] == [1.0, 2.0, 3.0]
    assert float(count) == 3.0


def test_a_product_reads_lifted_matrices():
    p = Program()
    x, w = p.input((4, 3)), p.input((3, 5))
    check(p.builder.finish([p.matmul(x, w)]), arrays((4, 3), (3, 5)), run_native, lifted=(1,))


def test_only_the_built_plan_keeps_lifted_arrays_alive():
    given = arrays((4, 3), (4, 3), (4, 3))
    compiled = compile_graph(step_graph(), layout_for(step_graph(), given, lifted=(0, 2)))
    call = compiled.build([given[0], given[2]])
    compiled.plan.describe(), compiled.describe()
    alive = weakref.ref(given[0])
    grad = given[1]
    del given
    gc.collect()
    assert alive() is not None
    call(grad)
    del call
    gc.collect()
    assert alive() is None
    other = arrays((4, 3), (4, 3), (4, 3))
    compiled.build([other[0], other[2]])(grad)
    assert compiled.plan


WRONG = {
    "shape": lambda x: np.zeros((3, 4)),
    "dtype": lambda x: x.astype(np.float32),
    "byte order": lambda x: x.astype(">f8"),
    "strides": np.asfortranarray,
    "read-only": lambda x: np.frombuffer(x.tobytes()).reshape(4, 3),
    "class": lambda x: x.view(np.recarray),
    "alignment": lambda x: np.frombuffer(bytearray(x.nbytes + 1), np.uint8)[1:].view(np.float64).reshape(4, 3),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_array_of_another_layout_is_refused(wrong):
    given = arrays((4, 3), (4, 3), (4, 3))
    compiled = compile_graph(step_graph(), layout_for(step_graph(), given, lifted=(0, 2)))
    with pytest.raises(
        KernelError, match=r"lifted input 0 takes an ndarray float64\[4, 3\] strides \[24, 8\] writeable"
    ):
        compiled.build([WRONG[wrong](given[0]), given[2]])
    with pytest.raises(KernelError, match="has 2 lifted inputs, got 1"):
        compiled.build([given[0]])


def test_strides_that_reach_no_second_element_are_not_looked_at():
    p = Program()
    x = p.input((1, 3))
    graph = p.builder.finish([p.negative(x)])
    given = np.ones((1, 3))
    odd = np.lib.stride_tricks.as_strided(given, (1, 3), (777, 8))
    call = compile_graph(graph, layout_for(graph, [given], lifted=(0,))).build([odd])
    np.testing.assert_array_equal(call()[0], -given)


def test_lifted_arrays_that_overlap_are_refused_when_one_is_written():
    memory = np.zeros(20)
    parts = [memory[:12].reshape(4, 3), np.ones((4, 3)), memory[8:].reshape(4, 3)]
    compiled = compile_graph(step_graph(), layout_for(step_graph(), parts, lifted=(0, 2)))
    with pytest.raises(KernelError, match="lifted inputs 0 and 1 share memory, and one of them is written"):
        compiled.build([parts[0], parts[2]])
    with pytest.raises(KernelError, match="share memory"):
        compiled.build([parts[0], parts[0]])
    compiled.build([parts[0], np.zeros((4, 3))])


def test_lifted_arrays_that_are_only_read_may_overlap():
    p = Program()
    x, y, z = (p.input((6,)) for _ in range(3))
    memory = np.arange(10.0)
    check(
        p.builder.finish([p.add(p.add(x, y), z)]), [memory[:6], memory[4:], memory[2:8]], run_native, lifted=(0, 1, 2)
    )


def test_an_argument_must_not_overlap_lifted_memory_that_is_written():
    memory = np.zeros(40)
    weight, moment = memory[:12].reshape(4, 3), memory[20:32].reshape(4, 3)
    call = built(step_graph(), [weight, np.ones((4, 3)), moment], (0, 2))
    for start in range(29):
        grad = memory[start : start + 12].reshape(4, 3)
        apart = not np.may_share_memory(grad, weight) and not np.may_share_memory(grad, moment)
        before = memory.copy()
        assert (call(grad) is NotImplemented) == (not apart)
        assert apart or np.array_equal(memory, before)


@pytest.mark.parametrize("count", [1, 2, 5, 64])
def test_a_written_argument_must_not_overlap_any_lifted_memory(count):
    p = Program()
    out = p.input((3,))
    read = [p.input((2,)) for _ in range(count)]
    total = p.part(read[0], 0, 1)
    for each in read[1:]:
        total = p.add(total, p.part(each, 1, 1))
    graph = p.builder.finish([], [Write(out, p.expand(total, shape=(3,)))])
    memory = np.zeros(5 * count + 8)
    lifted = [memory[5 * k + 3 : 5 * k + 5] for k in range(count)]
    np.random.default_rng(0).shuffle(lifted)
    call = built(graph, [np.zeros(3), *lifted], tuple(range(1, count + 1)))
    for start in range(len(memory) - 2):
        argument = memory[start : start + 3]
        assert (call(argument) is NotImplemented) == any(np.may_share_memory(argument, each) for each in lifted)


def test_an_argument_that_is_read_may_overlap_lifted_memory_that_is_read():
    p = Program()
    x, y, out = p.input((4,)), p.input((4,)), p.input((4,))
    graph = p.builder.finish([], [Write(out, p.add(x, y))])
    memory = np.arange(8.0)
    check(graph, [memory[:4], memory[2:6], np.zeros(4)], run_native, lifted=(1, 2))


def test_arguments_keep_their_numbers_among_lifted_inputs():
    p = Program()
    fixed, x = p.input((3,)), p.input((3,))
    graph = p.builder.finish([p.add(fixed, x)])
    given = [np.ones(3), np.arange(3.0)]
    inputs = layout_for(graph, given, lifted=(0,)).inputs
    view = OutputLayout("view", base=("input", 1), shape=(2,), strides=(1,), offset=1)
    layout = CallLayout(inputs, (OutputLayout("fresh", 0, (1,)), OutputLayout("input", input=1), view))
    total, same, part = compile_graph(graph, layout).build([given[0]])(given[1])
    assert total.tolist() == [1, 2, 3]
    assert same is given[1]
    assert part.base is given[1] and part.tolist() == [1, 2]
    for bad in (OutputLayout("input", input=0), OutputLayout("view", base=("input", 0), shape=(2,), strides=(1,))):
        with pytest.raises(KernelError, match="lifted|neither an array argument"):
            compile_graph(graph, CallLayout(inputs, (bad,))).build([given[0]])


def test_the_text_of_a_plan_names_its_lifted_inputs():
    given = arrays((4, 3), (4, 3), (4, 3))
    text = compile_graph(step_graph(), layout_for(step_graph(), given, lifted=(0, 1))).plan.describe()
    assert "%0 lifted float64[4, 3] strides [24, 8] written" in text
    assert "%1 lifted float64[4, 3] strides [24, 8]\n" in text
