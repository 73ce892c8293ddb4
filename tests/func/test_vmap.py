import warnings

import numpy as np
import pytest

import guardlift as gl
from guardlift.func.batched_tensor import BatchedTensor

X = gl.tensor(np.random.default_rng(0).uniform(-1, 1, (4, 3)))


def drawing(randomness, chunk_size=None):
    gl.manual_seed(5)
    return gl.vmap(lambda x: (x * 0 + gl.rand(3), gl.randperm(6)), randomness=randomness, chunk_size=chunk_size)(X)


def test_different_draws_differ_from_call_to_call():
    numbers, orders = drawing("different")
    assert len({tuple(row) for row in numbers.numpy().tolist()}) == 4
    assert len({tuple(row) for row in orders.numpy().tolist()}) > 1
    assert (np.sort(orders.numpy(), 1) == np.arange(6)).all()


@pytest.mark.parametrize("chunk_size", [None, 1, 3])
def test_same_draws_are_one_for_all_calls(chunk_size):
    numbers, orders = drawing("same", chunk_size)
    assert (numbers.numpy() == numbers.numpy()[0]).all()
    assert (orders.numpy() == orders.numpy()[0]).all()


def test_a_draw_for_each_call_is_the_draw_of_them_all():
    gl.manual_seed(5)
    found = gl.vmap(lambda x: gl.vmap(lambda y: gl.randn(2), randomness="different")(x), randomness="different")(X)
    gl.manual_seed(5)
    np.testing.assert_array_equal(found.numpy(), gl.randn(4, 3, 2).numpy())


@pytest.mark.parametrize("randomness", ["different", "same"])
def test_jitted_draws_are_those_of_eager_mode(randomness):
    def program(x):
        return gl.vmap(lambda row: row * gl.rand(3) + gl.randn(()), randomness=randomness)(x)

    jitted = gl.jit(program, fullgraph=True)
    for _ in range(2):
        gl.manual_seed(7)
        expected = program(X), gl.rand(2)
        gl.manual_seed(7)
        found = jitted(X), gl.rand(2)
        for each, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(each.numpy(), wanted.numpy())


def test_dropout_differs_from_call_to_call():
    kept = gl.vmap(lambda x: gl.nn.functional.dropout(x, 0.5), randomness="different")(gl.ones(64, 8)).numpy()
    assert 0.3 < (kept == 0).mean() < 0.7
    assert len({tuple(row) for row in kept.tolist()}) > 1


def test_a_draw_is_refused_unless_it_is_said_what_it_means():
    with pytest.raises(RuntimeError, match="randomness error mode"):
        gl.vmap(lambda x: x + gl.rand(3))(X)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        gl.jit(gl.vmap(lambda x: x + gl.rand(3)))(X)
    gl.rand(3)  # nothing is left of it


def test_an_error_inside_leaves_nothing_behind():
    def wrong(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        gl.vmap(wrong)(X)
    np.testing.assert_array_equal(gl.vmap(lambda x: x + 1)(X).numpy(), X.numpy() + 1)


def test_writes_go_into_what_is_mapped_over():
    for mapped in (gl.vmap, lambda function: gl.jit(gl.vmap(function))):
        rows = gl.zeros(3, 2)
        mapped(lambda row: row.add_(1))(rows)
        np.testing.assert_array_equal(rows.numpy(), np.ones((3, 2)))
        columns = gl.zeros(3, 2)
        gl.vmap(lambda column: column[1:].mul_(0).add_(2), in_dims=1)(columns)
        np.testing.assert_array_equal(columns.numpy(), [[0, 0], [2, 2], [2, 2]])


@pytest.mark.parametrize("jit", [lambda f: f, gl.jit])
def test_writes_into_what_all_calls_share_are_refused(jit):
    shared = gl.zeros(3, dtype=gl.float64)

    def program(x):
        return gl.vmap(lambda row: shared.add_(row))(x)

    with pytest.raises(RuntimeError, match="vmap: inplace arithmetic"):
        jit(program)(X)
    np.testing.assert_array_equal(shared.numpy(), np.zeros(3))
    shared_by_subscript = gl.zeros(3, dtype=gl.float64)
    with pytest.raises(RuntimeError, match="vmap: inplace arithmetic"):
        jit(gl.vmap(lambda row: shared_by_subscript.copy_(row)))(X)


def test_a_tensor_knows_that_it_is_one_of_many():
    seen = []
    gl.vmap(lambda row: (seen.append(row), row)[1])(X)
    (row,) = seen
    assert isinstance(row, gl.Tensor)
    assert (row.shape, row.ndim, row.dtype, row.device.type) == ((3,), 1, gl.float64, "cpu")
    assert repr(row).startswith("BatchedTensor(lvl=1, bdim=0, value=")
    for ask in (row.item, row.tolist, row.numpy, lambda: float(row[0]), lambda: int(row[0]), lambda: bool(row[0])):
        with pytest.raises(RuntimeError, match="vmap"):
            ask()


def test_a_tensor_that_left_its_vmap_breaks_the_graph():
    def program(x):
        kept = []
        result = gl.vmap(lambda row: (kept.append(row), row * 2)[1])(x)
        return result, kept[0]

    found, kept = gl.jit(program)(X)
    np.testing.assert_array_equal(found.numpy(), X.numpy() * 2)
    assert type(kept) is BatchedTensor


def test_an_op_without_a_rule_is_told_of_and_computed_call_by_call():
    with pytest.warns(UserWarning, match="batching rule for histc"):
        found = gl.vmap(lambda row: gl.histc(row, 4, -1, 1))(X)
    expected = np.stack([gl.histc(row, 4, -1, 1).numpy() for row in X])
    np.testing.assert_array_equal(found.numpy(), expected)
    with pytest.warns(UserWarning, match="histc"):
        np.testing.assert_array_equal(gl.jit(gl.vmap(lambda row: gl.histc(row, 4, -1, 1)))(X).numpy(), expected)


def test_an_index_out_of_range_in_one_call_is_an_error():
    places = gl.tensor([0, 2, 1, 3])
    for mapped in (gl.vmap, lambda function: gl.jit(gl.vmap(function))):
        with pytest.raises(IndexError):
            mapped(lambda row, place: row[place])(X, places)
        with pytest.raises((IndexError, RuntimeError)):
            mapped(lambda row, place: row.index_select(0, place.reshape(1)))(X, places)
        with pytest.raises(RuntimeError, match="ZeroDivision"):
            mapped(lambda a: gl.tensor(6) // a)(gl.tensor([1, 0]))


def test_a_batch_of_none_has_the_shapes_of_results():
    empty = gl.zeros(0, 3)
    for mapped in (gl.vmap, lambda function: gl.jit(gl.vmap(function))):
        found = mapped(lambda row: (row.sum(), row[:, None] * row, row.softmax(0)))(empty)
        assert [each.shape for each in found] == [(0,), (0, 3, 3), (0, 3)]


def test_integers_and_bools_are_mapped_over():
    found = gl.vmap(lambda a: (a // 2, a % 3 == 0, a.float().mean()))(gl.arange(12).reshape(3, 4))
    assert [each.dtype for each in found] == [gl.int64, gl.bool, gl.float32]


@pytest.mark.parametrize("dtype", [gl.float16, gl.bfloat16])
def test_halves_are_mapped_over(dtype):
    rows = X.to(dtype)
    weights = gl.ones(3, 2).to(dtype)
    found = gl.vmap(lambda row: (row @ weights).tanh().softmax(0))(rows)
    expected = gl.stack([(row @ weights).tanh().softmax(0) for row in rows])
    assert found.dtype is dtype
    np.testing.assert_allclose(found.float().numpy(), expected.float().numpy(), atol=1e-2)


class Doubled(gl.autograd.Function):
    @staticmethod
    def forward(x):
        return gl.tensor(x.detach().numpy() * 2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g * 2


def test_a_custom_function_says_how_it_is_mapped():
    with pytest.raises(RuntimeError, match="does not have vmap support"):
        gl.vmap(Doubled.apply)(X)

    class Generated(Doubled):
        generate_vmap_rule = True

    class Ruled(Doubled):
        @staticmethod
        def vmap(info, in_dims, x):
            assert (info.batch_size, in_dims) == (4, (0,))
            return Doubled.apply(x), 0

    for function in (Generated, Ruled):
        np.testing.assert_array_equal(gl.vmap(function.apply)(X).numpy(), X.numpy() * 2)
        slopes = gl.vmap(gl.func.grad(lambda row, f=function: (f.apply(row) * row).sum()))(X)
        np.testing.assert_allclose(slopes.numpy(), 4 * X.numpy())

    class Both(Ruled):
        generate_vmap_rule = True

    with pytest.raises(RuntimeError, match="has both"):
        gl.vmap(Both.apply)(X)


def test_custom_and_compiled_functions_take_batches_of_cotangents():
    expected = np.diag(X[0].numpy() * 4)
    np.testing.assert_allclose(gl.func.jacrev(lambda row: Doubled.apply(row) * row)(X[0]).numpy(), expected)
    compiled = gl.jit(lambda row: row * row * 2)
    np.testing.assert_allclose(gl.func.jacrev(compiled)(X[0]).numpy(), expected)
    np.testing.assert_allclose(gl.func.hessian(lambda row: compiled(row).sum())(X[0]).numpy(), np.eye(3) * 4)


def test_a_batch_can_be_differentiated_from_outside():
    rows, shared = X.clone().requires_grad_(), gl.ones(3, dtype=gl.float64, requires_grad=True)
    for mapped in (gl.vmap, lambda function: gl.jit(gl.vmap(function))):
        rows.grad = shared.grad = None
        mapped(lambda row: (row * shared).sin().sum())(rows).sum().backward()
        np.testing.assert_allclose(rows.grad.numpy(), np.cos(X.numpy()))
        np.testing.assert_allclose(shared.grad.numpy(), (np.cos(X.numpy()) * X.numpy()).sum(0))


def test_backward_inside_of_a_training_step_with_vmap_is_one_graph():
    weight = gl.ones(3, dtype=gl.float64, requires_grad=True)

    @gl.jit(fullgraph=True)
    def step(x):
        loss = gl.vmap(lambda row: (row * weight).exp().sum())(x).mean()
        loss.backward()
        return loss

    step(X)
    expected = (np.exp(X.numpy()) * X.numpy()).sum(0) / 4
    np.testing.assert_allclose(weight.grad.numpy(), expected)


def test_batches_of_other_sizes_need_one_compile_more():
    compiled = gl.jit(gl.vmap(lambda row: row / row.sum()), fullgraph=True)
    for size in (2, 3, 4, 5, 7):
        rows = gl.ones(size, 3)
        np.testing.assert_allclose(compiled(rows).numpy(), np.full((size, 3), 1 / 3), rtol=1e-6)
    assert gl.explain(compiled).compiles == 2


def test_mapping_gives_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gl.vmap(lambda row: row.sort()[0].cumsum(0).flip(0).softmax(0))(X)


def test_autograd_itself_is_refused_inside():
    with pytest.raises(RuntimeError, match=r"call Tensor.requires_grad_\(\) inside"):
        gl.vmap(lambda row: row.requires_grad_())(X)
    leaf = X.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="use gl.func.grad"):
        gl.vmap(lambda row: row.register_hook(print))(leaf)
    with pytest.raises(RuntimeError, match="use gl.func.grad"):
        gl.vmap(lambda row: gl.autograd.grad(row.sum(), row))(leaf)
    with pytest.raises(RuntimeError, match="inside a functorch transform"):
        gl.vmap(lambda row: row.sum().backward())(leaf)


def test_a_gradient_of_what_is_outside_takes_cotangents_of_many_calls():
    leaf = X[0].clone().requires_grad_()
    result = (leaf * leaf.sum()).sin()
    found = gl.vmap(lambda unit: gl.autograd.grad(result, leaf, unit, retain_graph=True)[0])(
        gl.eye(3, dtype=gl.float64)
    )
    expected = gl.func.jacrev(lambda a: (a * a.sum()).sin())(X[0])
    np.testing.assert_allclose(found.numpy(), expected.numpy())


def test_hooks_inside_break_the_graph_rather_than_get_lost():
    def program(x):
        def hooked(row):
            double = row * 2
            double.register_hook(lambda g: g * 100)
            return double.sum()

        return gl.vmap(hooked)(x).sum()

    leaf = X.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="use gl.func.grad"):
        gl.jit(program)(leaf).backward()


def test_saved_tensor_hooks_see_what_is_saved_of_a_batch():
    def program(x):
        with gl.autograd.graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t):
            return gl.vmap(lambda row: (row * row).sum())(x).sum()

    found = []
    for each in (program, gl.jit(program)):
        leaf = X.clone().requires_grad_()
        each(leaf).backward()
        found.append(leaf.grad.numpy())
    np.testing.assert_allclose(found[0], 4 * X.numpy())
    np.testing.assert_allclose(found[1], found[0])
