"""Random tensors: what the functions take and give, and what a generator keeps."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import autograd  # noqa: F401  (puts the tape in)
from guardlift.core import dtypes
from guardlift.ops.movement import PERMUTE
from guardlift.ops.random import PERIOD, RANDOM_UNIFORM
from guardlift.tensor import dispatch, random
from guardlift.tensor.creation import zeros
from guardlift.tensor.generator import Generator
from guardlift.tensor.random import rand, rand_like, randint, randn, randn_like, randperm
from guardlift.tensor.surface import SURFACE
from guardlift.tensor.tensor import Tensor
from guardlift.tensor.tracing import TRACING

Draw = Callable[[Generator], Tensor]
DRAWS: dict[str, Draw] = {
    "rand": lambda g: rand(2, 3, generator=g),
    "rand double": lambda g: rand(2, 3, generator=g, dtype=dtypes.float64),
    "randn": lambda g: randn(7, generator=g),
    "randint": lambda g: randint(0, 1000, (5,), generator=g),
    "randperm": lambda g: randperm(9, generator=g),
    "rand_like": lambda g: rand_like(zeros(3, 3), generator=g),
    "randn_like": lambda g: randn_like(zeros(3, 3), generator=g),
    "uniform_": lambda g: random.uniform_(zeros(4), -1.0, 1.0, generator=g),
    "normal_": lambda g: random.normal_(zeros(4), 2.0, 0.5, generator=g),
}
each_draw = pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)


def values(x: Tensor) -> Any:
    return x._array.tolist()


@pytest.fixture(autouse=True)
def default_generator_as_it_was() -> Any:
    state = random.get_rng_state()
    yield
    random.set_rng_state(state)


@each_draw
def test_a_seed_decides_what_is_drawn_and_two_draws_differ(draw: Draw) -> None:
    first, second = Generator(5), Generator(5)
    drawn = [values(draw(first)) for _ in range(3)]
    assert drawn == [values(draw(second)) for _ in range(3)]
    assert drawn[0] != drawn[1] != drawn[2]
    assert values(draw(Generator(6))) != drawn[0]
    assert values(draw(first.manual_seed(5))) == drawn[0]


@each_draw
def test_a_state_leads_back_to_where_it_was_taken(draw: Draw) -> None:
    generator = Generator(9)
    draw(generator)
    state = generator.get_state()
    expected = values(draw(generator))
    assert state.dtype is dtypes.uint8 and state.shape == (16,)
    assert values(draw(generator.set_state(state))) == expected
    assert values(draw(Generator().set_state(state))) == expected


@each_draw
def test_draws_do_not_overlap(draw: Draw) -> None:
    generator = Generator(1)
    draw(generator)
    _, offset = generator.take(0)
    assert offset > 0
    assert generator.take(3) == (1, offset) and generator.take(0) == (1, offset + 3)


def test_the_offset_comes_round() -> None:
    generator = Generator(0)
    generator.take(PERIOD - 1)
    assert generator.take(3) == (0, PERIOD - 1) and generator.take(0) == (0, 2)


def test_copies_and_pickles_go_on_where_the_generator_is() -> None:
    generator = Generator(2**64 - 1)
    rand(3, generator=generator)
    for other in (copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))):
        assert values(rand(4, generator=other)) == values(rand(4, generator=copy.copy(generator)))
    assert repr(Generator(3)) == "<Generator of seed 3, 0 blocks read>"


def test_the_default_generator_is_used_and_can_be_seeded_and_saved() -> None:
    assert random.manual_seed(11) is random.default_generator and random.initial_seed() == 11
    first = values(rand(3))
    state = random.get_rng_state()
    second = values(rand(3))
    random.set_rng_state(state)
    assert values(rand(3)) == second != first
    assert values(rand(3, generator=Generator(11))) == first
    assert random.seed() == random.initial_seed() != 11


def test_seeds_have_64_bits_and_negative_ones_count_from_the_top() -> None:
    assert Generator(-1).initial_seed() == 2**64 - 1 and Generator(np.int64(3)).initial_seed() == 3
    for wrong in (2**64, -(2**63) - 1):
        with pytest.raises(ValueError, match="a seed has 64 bits"):
            Generator(wrong)
    for strange in (1.5, True, "cpu"):
        with pytest.raises(RuntimeError, match="manual_seed expected an int"):
            Generator(strange)  # type: ignore[arg-type]


def test_a_wrong_state_is_refused_and_changes_nothing() -> None:
    generator = Generator(4)
    for wrong, kind in (([1], TypeError), (zeros(16), TypeError), (zeros(3, dtype=dtypes.uint8), RuntimeError)):
        with pytest.raises(kind, match="state of a generator"):
            generator.set_state(wrong)  # type: ignore[arg-type]
    assert generator.take(0) == (4, 0)


def test_threads_never_get_the_same_numbers() -> None:
    generator, taken = Generator(0), []

    def work() -> None:
        taken.extend(generator.take(2)[1] for _ in range(2000))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(0, 16_000, 2))


def test_sizes_come_as_numbers_a_tuple_a_list_or_by_name() -> None:
    assert [x.shape for x in (rand(2, 3), rand((2, 3)), rand([2, 3]), rand(size=(2, 3)), randn(2, 3))] == [(2, 3)] * 5
    assert rand(()).shape == () and rand(0, 2).shape == (0, 2) and randn(0).shape == (0,)
    with pytest.raises(TypeError, match="takes a size"):
        rand()
    with pytest.raises(RuntimeError, match="negative dimension -1"):
        randn(2, -1)
    with pytest.raises(TypeError, match="a size is an integer"):
        rand(2.5)


def test_dtypes_and_flags() -> None:
    x = rand(3, dtype=dtypes.float64, requires_grad=True)
    assert x.dtype is dtypes.float64 and x.requires_grad and x.is_leaf
    assert rand(3).dtype is dtypes.float32 and not randn(3).requires_grad
    assert rand_like(x).dtype is dtypes.float64 and not rand_like(x).requires_grad
    assert randn_like(x, dtype=dtypes.float32).dtype is dtypes.float32
    for function in (rand, randn):
        with pytest.raises(NotImplementedError, match="makes floats and complex numbers, not int64"):
            function(3, dtype=dtypes.int64)
    with pytest.raises(NotImplementedError, match="rand_like makes"):
        rand_like(zeros(3, dtype=dtypes.int32))
    with pytest.raises(RuntimeError, match="no device"):
        rand(3, device="cuda")
    with pytest.raises(TypeError, match="come from a Generator, got int"):
        rand(3, generator=5)  # type: ignore[arg-type]


def test_randint_takes_its_range_in_every_form_of_pytorch() -> None:
    def drawn(*args: Any, **kwargs: Any) -> list[int]:
        x = randint(*args, generator=Generator(1), **kwargs)
        assert x.dtype is dtypes.int64 and x.shape == (50,)
        return values(x)

    expected = drawn(7, (50,))
    assert expected == drawn(0, 7, (50,)) == drawn(high=7, size=(50,)) == drawn(7, size=[50])
    assert drawn(-3, 4, size=(50,)) == drawn(-3, 4, (50,)) == [value - 3 for value in expected]
    assert set(expected) == set(range(7))


def test_randint_makes_any_dtype_that_holds_the_range() -> None:
    for dtype in dtypes.ALL:
        x = randint(0, 2, (40,), dtype=dtype)
        assert x.dtype is dtype and set(np.asarray(x._array, np.int64).tolist()) == {0, 1}
    assert set(values(randint(-2, 0, (40,), dtype=dtypes.float32))) == {-2.0, -1.0}
    assert values(randint(2**64 - 1, 2**64, (2,), dtype=dtypes.uint64)) == [2**64 - 1] * 2
    for low, high, dtype, text in (
        (0, 257, dtypes.uint8, "to - 1 is out of bounds for uint8"),
        (-1, 5, dtypes.uint8, "from is out of bounds for uint8"),
        (0, 3, dtypes.bool_, "to - 1 is out of bounds for bool"),
        (0, 2**24 + 2, dtypes.float32, "to - 1 is out of bounds for float32"),
        (5, 5, dtypes.int64, "got from=5 >= to=5"),
    ):
        with pytest.raises(RuntimeError, match=text):
            randint(low, high, (3,), dtype=dtype)


@pytest.mark.parametrize("args", [(), (3,), (1, 2, 3, (4,)), (3, 2)])
def test_randint_refuses_other_arguments(args: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"randint\(\) takes"):
        randint(*args)


def test_randint_of_floats_may_require_grad_and_of_integers_may_not() -> None:
    assert randint(3, (2,), dtype=dtypes.float32, requires_grad=True).is_leaf
    with pytest.raises(RuntimeError, match="floating point"):
        randint(3, (2,), requires_grad=True)


def test_randperm_gives_every_number_once_and_every_order() -> None:
    assert sorted(values(randperm(100))) == list(range(100))
    assert randperm(0).shape == (0,) and randperm(5).dtype is dtypes.int64
    assert randperm(5, dtype=dtypes.uint8).dtype is dtypes.uint8
    orders = [tuple(values(randperm(3, generator=Generator(seed)))) for seed in range(600)]
    assert sorted(set(orders)) == [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    assert min(map(orders.count, set(orders))) > 60
    with pytest.raises(RuntimeError, match="negative dimension -1"):
        randperm(-1)
    with pytest.raises(RuntimeError, match="uint8 does not hold 256"):
        randperm(257, dtype=dtypes.uint8)


def test_filling_stays_within_the_bounds_and_keeps_the_tensor() -> None:
    x = zeros(200, 5)
    version = x._version
    assert random.uniform_(x, -0.25, 0.75, generator=Generator(3)) is x
    assert x._version > version
    assert -0.25 <= x._array.min() < -0.2 and 0.7 < x._array.max() <= 0.75
    random.normal_(x, 3.0, 0.1, generator=Generator(3))
    assert x._array.mean() == pytest.approx(3.0, abs=0.02) and x._array.std() == pytest.approx(0.1, abs=0.01)
    assert values(x.uniform_(2.0, 2.0)) == values(x.normal_(2.0, 0.0))  # type: ignore[attr-defined]


def test_filling_a_view_writes_through_it() -> None:
    x = zeros(4, 4, dtype=dtypes.float64)
    turned = dispatch.apply(PERMUTE, x, axes=(1, 0))
    random.uniform_(turned, 1.0, 2.0, generator=Generator(1))
    expected = rand(4, 4, generator=Generator(1), dtype=dtypes.float64)
    np.testing.assert_allclose(x._array, expected._array.T + 1.0)


def test_filling_refuses_bounds_in_the_wrong_order_and_integers() -> None:
    with pytest.raises(RuntimeError, match="found from=3 > to=1"):
        random.uniform_(zeros(3), 3, 1)
    with pytest.raises(RuntimeError, match="found std -1"):
        random.normal_(zeros(3), 0, -1)
    with pytest.raises(NotImplementedError, match="uniform_ makes"):
        random.uniform_(zeros(3, dtype=dtypes.int64))


def test_a_leaf_that_requires_grad_is_filled_under_no_grad_alone() -> None:
    from guardlift.autograd.modes import no_grad

    x = zeros(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        random.uniform_(x)
    with no_grad():
        assert random.normal_(x) is x
    assert x.is_leaf and x.requires_grad and x._array.any()


def test_a_trace_is_asked_what_a_draw_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Handler:
        def random(self, op: Any, generator: Any, attrs: Any, requires_grad: bool) -> Any:
            return op, generator, attrs, requires_grad

        def rely_on_default_device(self) -> None:
            """Nothing is guarded here."""

    generator = Generator(0)
    monkeypatch.setattr(TRACING, "handler", Handler())
    op, source, attrs, requires_grad = rand(2, generator=generator, requires_grad=True)
    assert (op, source, requires_grad) == (RANDOM_UNIFORM, generator, True)
    assert attrs == {"shape": (2,), "dtype": dtypes.float32}
    assert randn(2)[1] is random.default_generator
    assert generator.take(0) == (0, 0)


def test_the_functions_are_of_the_surface() -> None:
    for function in (rand, randn, rand_like, randn_like, randint, randperm, random.uniform_, random.normal_):
        assert SURFACE[function] == function.__name__
        assert function.__doc__


def test_the_methods_are_there_without_this_module() -> None:
    program = "import guardlift as gl; assert gl.zeros(3).uniform_().normal_(2.0, 0.0).tolist() == [2.0] * 3"
    subprocess.run([sys.executable, "-P", "-c", program], check=True)


def test_a_fork_puts_the_default_generator_back() -> None:
    gl.random.manual_seed(5)
    gl.rand(3)
    state = gl.random.get_rng_state()
    with gl.random.fork_rng():
        gl.random.manual_seed(1)
        inside = gl.rand(2)
    assert gl.random.get_rng_state().tolist() == state.tolist()
    with pytest.raises(KeyError), gl.random.fork_rng():
        gl.rand(2)
        raise KeyError
    assert gl.random.get_rng_state().tolist() == state.tolist()
    with gl.random.fork_rng(enabled=False):
        gl.random.manual_seed(1)
        assert gl.rand(2).tolist() == inside.tolist()
    assert gl.random.initial_seed() == 1


def test_a_fork_decorates_a_function() -> None:
    @gl.random.fork_rng()
    def draw() -> list[float]:
        return gl.rand(2).tolist()  # type: ignore[no-any-return]

    gl.manual_seed(2)
    assert draw() == draw() == gl.rand(2).tolist()
