"""Sparse tensors: making them, their parts, arithmetic against dense NumPy, gradients of values, errors that help."""

from __future__ import annotations

import copy
import operator
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift.core.errors import SparseError

PLACES = [[0, 1, 1, 0], [2, 0, 2, 2]]
VALUES = [3.0, 4.0, 5.0, 1.0]
DENSE = [[0.0, 0.0, 4.0], [4.0, 0.0, 5.0]]


def example(**how: Any) -> Any:
    """A 2 x 3 matrix with two entries at one place."""
    return gl.sparse_coo_tensor(PLACES, VALUES, (2, 3), **how)


def random_sparse(shape: tuple[int, ...], sparse_dim: int, count: int, seed: int) -> Any:
    """A sparse tensor with repeated places and values that are small whole numbers."""
    rng = np.random.default_rng(seed)
    places = np.stack([rng.integers(0, size, count) for size in shape[:sparse_dim]])
    values = rng.integers(-4, 5, (count, *shape[sparse_dim:])).astype(np.float32)
    return gl.sparse_coo_tensor(gl.tensor(places), gl.tensor(values), shape)


def dense_of(sparse: Any) -> Any:
    """The dense meaning: every entry added at its place."""
    result = np.zeros(sparse.shape, sparse.dtype.numpy)
    for place, value in zip(sparse._indices().numpy().T, sparse._values().numpy(), strict=True):
        result[tuple(place)] += value
    return result


def test_its_parts_and_what_it_is() -> None:
    s = example()
    assert (s.shape, s.ndim, s.dtype, s.device) == ((2, 3), 2, gl.float32, "cpu")
    assert s.is_sparse and s.layout is gl.sparse_coo and isinstance(s, gl.Tensor)
    assert (s.sparse_dim(), s.dense_dim(), s._nnz(), s.numel(), len(s), s.dim()) == (2, 0, 4, 6, 2, 2)
    assert (s._indices().tolist(), s._values().tolist()) == (PLACES, VALUES)
    assert not s.is_coalesced() and s.is_leaf and not s.requires_grad and s.grad_fn is None
    assert s.to_dense().tolist() == DENSE
    dense = gl.ones(2, 3)
    assert not dense.is_sparse and dense.layout is gl.strided and dense.to_dense() is dense
    assert (dense.sparse_dim(), dense.dense_dim(), repr(gl.strided)) == (0, 2, "gl.strided")
    assert pickle.loads(pickle.dumps(gl.sparse_coo)) is gl.sparse_coo


def test_a_coalesced_one_has_an_entry_for_each_place_in_order() -> None:
    s = example()
    merged = s.coalesce()
    assert merged.is_coalesced() and merged.coalesce() is merged
    assert merged.indices().tolist() == [[0, 1, 1], [2, 0, 2]]
    assert merged.values().tolist() == [4.0, 4.0, 5.0]
    for part in ("indices", "values"):
        with pytest.raises(RuntimeError, match=f"Cannot get {part} on an uncoalesced tensor"):
            getattr(s, part)()
    assert gl.sparse_coo_tensor([[1]], [2.0], (3,)).is_coalesced()
    assert example().coalesce().indices().dtype is gl.int64


@pytest.mark.parametrize(("shape", "sparse_dim"), [((7,), 1), ((3, 4), 2), ((4, 3), 1), ((2, 3, 2), 2), ((2, 3, 2), 3)])
def test_dense_and_coalesced_forms_agree_with_adding_entry_by_entry(shape: tuple[int, ...], sparse_dim: int) -> None:
    s = random_sparse(shape, sparse_dim, 9, seed=1)
    expected = dense_of(s)
    assert s.dense_dim() == len(shape) - sparse_dim
    assert (s.to_dense().numpy() == expected).all() and (s.coalesce().to_dense().numpy() == expected).all()
    again = s.to_dense().to_sparse(sparse_dim)
    assert again.is_coalesced() and (dense_of(again) == expected).all()
    assert again.to_sparse() is again


def test_memory_is_shared_with_the_tensors_it_is_made_of() -> None:
    places, values = gl.tensor(PLACES), gl.tensor(VALUES)
    s = gl.sparse_coo_tensor(places, values, (2, 3))
    assert s._values().data_ptr() == values.data_ptr() and s._indices().data_ptr() == places.data_ptr()
    values.mul_(2)
    assert s.to_dense().tolist() == [[0.0, 0.0, 8.0], [8.0, 0.0, 10.0]]


def test_the_size_is_as_small_as_can_be_unless_it_is_given() -> None:
    assert gl.sparse_coo_tensor(PLACES, VALUES).shape == (2, 3)
    assert gl.sparse_coo_tensor([[0, 4]], gl.ones(2, 3)).shape == (5, 3)
    empty = gl.sparse_coo_tensor((2, 3))
    assert (empty._nnz(), empty.to_dense().tolist()) == (0, [[0.0] * 3] * 2)
    assert gl.sparse_coo_tensor((2,), dtype=gl.int64).dtype is gl.int64
    assert gl.sparse_coo_tensor([[0]], [1], (2,), dtype=gl.float64).dtype is gl.float64
    assert gl.sparse_coo_tensor([[], []], [], (2, 2)).to_dense().tolist() == [[0.0] * 2] * 2


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (([[0, 5]], [1.0, 2.0], (3,)), "for dim 0, size is 3 but found index 5"),
        (([[0, -1]], [1.0, 2.0], (3,)), "found negative index -1 for dim 0"),
        (([[0, -1]], [1.0, 2.0]), "found negative index -1 for dim 0"),
        (([[0, 1]], [1.0], (3,)), "nnz from indices: 2, nnz from values: 1"),
        (([[0, 1]], 1.0, (3,)), "nnz from indices: 2, nnz from values: 1"),
        (([0, 1], [1.0, 2.0], (3,)), r"sparse_dim x nnz, but got: \[2\]"),
        (([[0, 1]], [1.0, 2.0], (3, 3)), "len\\(size\\) = 2, sparse_dim = 1, dense_dim = 0"),
        (([[0, 1]], gl.ones(2, 4), (3, 3)), r"values has incorrect size, expected \[2, 3\], got \[2, 4\]"),
        (([[0.0, 1.0]], [1.0, 2.0], (3,)), "indices must be a tensor of integers, got float32"),
        (([[0]], [1.0], (-1,)), "not to be negative"),
        (([[0], [0]], [1.0], (2**62, 4)), "more places than an int64 can count"),
    ],
)
def test_what_does_not_fit_is_refused(given: Any, text: str) -> None:
    with pytest.raises(RuntimeError, match=text):
        gl.sparse_coo_tensor(*given)


def test_a_promise_that_it_is_coalesced_is_checked() -> None:
    assert gl.sparse_coo_tensor([[0, 2]], [1.0, 2.0], (3,), is_coalesced=True).is_coalesced()
    for places in ([[2, 0]], [[1, 1]]):
        with pytest.raises(RuntimeError, match="repeated or not sorted"):
            gl.sparse_coo_tensor(places, [1.0, 2.0], (3,), is_coalesced=True)


# Arithmetic.


@pytest.mark.parametrize("sparse_dim", [1, 2])
@pytest.mark.parametrize("how", [operator.add, operator.sub, operator.mul])
def test_two_sparse_ones_give_a_sparse_one(how: Callable[[Any, Any], Any], sparse_dim: int) -> None:
    one, other = (random_sparse((3, 4), sparse_dim, 6, seed=seed) for seed in (1, 2))
    result = how(one, other)
    assert result.is_sparse and (result.to_dense().numpy() == how(dense_of(one), dense_of(other))).all()
    merged = how(one.coalesce(), other.coalesce())
    assert merged.is_coalesced() and (merged.to_dense().numpy() == result.to_dense().numpy()).all()


@pytest.mark.parametrize("sparse_dim", [1, 2])
@pytest.mark.parametrize("how", [operator.add, operator.sub, operator.mul])
def test_a_sparse_and_a_dense_one(how: Callable[[Any, Any], Any], sparse_dim: int) -> None:
    sparse, dense = random_sparse((3, 4), sparse_dim, 6, seed=1), gl.arange(12.0).reshape(3, 4)
    for pair in ((sparse, dense), (dense, sparse)):
        result = how(*pair)
        assert result.is_sparse is (how is operator.mul)
        arrays = [dense_of(each) if each.is_sparse else each.numpy() for each in pair]
        assert (result.to_dense().numpy() == how(*arrays)).all()


def test_numbers() -> None:
    s = example()
    for result, factor in ((s * 2, 2), (2 * s, 2), (s * gl.tensor(2.0), 2), (s / 2, 0.5), (-s, -1), (gl.mul(s, 3), 3)):
        assert result.is_sparse and result.to_dense().tolist() == (np.array(DENSE) * factor).tolist()
    assert s.double().dtype is s.to(gl.float64).dtype is gl.float64
    whole = gl.sparse_coo_tensor([[0]], [3], (2,))
    assert (whole * 0.5).dtype is gl.float32 and (whole / 2).to_dense().tolist() == [1.5, 0.0]
    assert s.sum().item() == 13.0
    assert s.t().to_dense().tolist() == np.transpose(DENSE).tolist()


def test_products_with_dense_matrices_and_vectors() -> None:
    s, full = random_sparse((3, 4), 2, 7, seed=3), np.arange(20, dtype=np.float32).reshape(4, 5)
    right, left = gl.tensor(full), gl.tensor(full[:, :3])
    a = dense_of(s)
    for found, expected in (
        (gl.sparse.mm(s, right), a @ full),
        (s @ right, a @ full),
        (s.mm(right), a @ full),
        (left @ s, full[:, :3] @ a),
        (s @ right[:, 0], a @ full[:, 0]),
        (left[0] @ s, full[0, :3] @ a),
    ):
        assert not found.is_sparse and found.tolist() == expected.tolist()


def test_in_place() -> None:
    s = example()
    kept, before = s.detach(), s._version
    assert s.add_(example()) is s and s._version > before
    assert s.to_dense().tolist() == (2 * np.array(DENSE)).tolist()
    assert kept.to_dense().tolist() == DENSE
    s *= 2
    s /= 4
    assert s.to_dense().tolist() == DENSE
    dense = gl.ones(2, 3)
    assert dense.add_(s) is dense and dense.tolist() == (1 + np.array(DENSE)).tolist()
    assert s.copy_(-example()) is s and s.to_dense().tolist() == (-np.array(DENSE)).tolist()
    assert s.zero_() is s and s._nnz() == 0 and s.to_dense().tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize(
    ("what", "error", "text"),
    [
        (lambda s: s + 1, RuntimeError, "a number cannot be added"),
        (lambda s: s + gl.ones(3), RuntimeError, r"\[2, 3\] != \[3\]"),
        (lambda s: s + gl.sparse_coo_tensor([[0]], [1.0], (2,)), RuntimeError, r"\[2, 3\] != \[2\]"),
        (lambda s: s + gl.sparse_coo_tensor([[0]], gl.ones(1, 3), (2, 3)), RuntimeError, "sparse_dim 2 and 1"),
        (lambda s: s.exp(), SparseError, "exp is not implemented for sparse tensors; call to_dense"),
        (lambda s: s == s, SparseError, "equal is not implemented"),
        (lambda s: s[0], SparseError, "not implemented"),
        (lambda s: s.sum(0), SparseError, "over some axes"),
        (lambda s: s.numpy(), TypeError, "to_dense"),
        (lambda s: np.asarray(s), TypeError, "to_dense"),
        (lambda s: s.tolist(), SparseError, r"shape \[2, 3\] keeps 4 entries; call to_dense"),
        (lambda s: bool(s), SparseError, "to_dense"),
        (lambda s: gl.Tensor.stride(s), SparseError, "to_dense"),
        (lambda s: s.add_(gl.ones(2, 3)), SparseError, "out of place"),
        (lambda s: s.copy_(gl.ones(2, 3)), SparseError, "takes a sparse tensor"),
        (lambda s: gl.ones(2, 3).copy_(s), SparseError, "to_dense"),
        (lambda s: s @ gl.ones(2, 2), RuntimeError, r"2x3 and 2x2"),
        (lambda s: s @ gl.ones(3, 2, dtype=gl.float64), RuntimeError, "same dtype"),
        (lambda s: s @ s.t(), SparseError, "a dense one"),
        (lambda s: s / gl.ones(2, 3), SparseError, "by a number only"),
        (lambda s: gl.cat([s, s]), SparseError, "cat is not implemented"),
        (lambda s: gl.nn.Parameter(s), SparseError, "to_dense"),
        (lambda s: s.to_sparse(1), RuntimeError, "whose sparse_dim is 2"),
        (lambda s: gl.ones(2).to_sparse(3), RuntimeError, "at least 1 and at most 1"),
        (lambda s: gl.ones(2).to_sparse(layout=gl.strided), RuntimeError, "not gl.strided"),
        (lambda s: gl.ones(2).coalesce(), RuntimeError, "expected sparse coordinate tensor layout but got Strided"),
        (lambda s: gl.ones(2)._nnz(), RuntimeError, "got Strided"),
    ],
)
def test_what_is_not_there_says_so_and_changes_nothing(what: Any, error: Any, text: str) -> None:
    s = example()
    with pytest.raises(error, match=text) as caught:
        what(s)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None or error is SparseError
    assert s.to_dense().tolist() == DENSE and s._version == 0


def test_it_is_printed_with_its_parts() -> None:
    assert repr(example()) == (
        "tensor(indices=tensor([[0, 1, 1, 0],\n"
        "                       [2, 0, 2, 2]]),\n"
        "       values=tensor([3., 4., 5., 1.]),\n"
        "       size=(2, 3), nnz=4, layout=gl.sparse_coo)"
    )
    hybrid = gl.sparse_coo_tensor([[1]], gl.ones(1, 2), (3, 2), requires_grad=True)
    assert "requires_grad=True" in repr(hybrid) and f"{hybrid}" == repr(hybrid)
    assert "grad_fn=<MulBackward0>" in repr(hybrid * 2)


def test_copies() -> None:
    s = example()
    for twin in (s.clone(), copy.deepcopy(s), pickle.loads(pickle.dumps(s))):
        assert type(twin) is type(s) and twin.to_dense().tolist() == DENSE
        twin.mul_(2)
        assert s.to_dense().tolist() == DENSE
    holder = gl.zeros(2, 3, requires_grad=True)
    holder.grad = s
    assert copy.deepcopy(holder).grad.to_dense().tolist() == DENSE


# Gradients.


def test_the_values_get_their_gradients() -> None:
    values = gl.tensor(VALUES, requires_grad=True)
    weights = gl.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    s = gl.sparse_coo_tensor(PLACES, values, (2, 3))
    assert s.requires_grad and not s.is_leaf and not s._values().requires_grad
    for form in (s, s.coalesce(), s * 1, s + gl.sparse_coo_tensor((2, 3)), s.t().t()):
        values.grad = None
        (form.to_dense() * weights).sum().backward()
        assert values.grad.tolist() == [3.0, 4.0, 6.0, 3.0]
    assert s.coalesce().values().requires_grad and not s.detach().requires_grad


def test_a_sparse_leaf_has_a_sparse_gradient_at_its_places() -> None:
    s = example(requires_grad=True)
    assert s.is_leaf and s.requires_grad and s.grad is None
    dense = gl.arange(6.0).reshape(3, 2).detach().requires_grad_()
    gl.sparse.mm(s, dense).sum().backward()
    assert s.grad.is_sparse and s.grad._indices().tolist() == PLACES
    assert s.grad._values().tolist() == [9.0, 1.0, 9.0, 9.0]  # the sum of the row of `dense` that each entry meets
    assert dense.grad.tolist() == [[4.0] * 2, [0.0] * 2, [9.0] * 2]
    s.grad = None
    assert s.grad is None
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        s.add_(example())
    with gl.no_grad():
        s.add_(example())
    assert s.requires_grad and s.to_dense().tolist() == (2 * np.array(DENSE)).tolist()
    assert not s.detach_().requires_grad


def test_second_derivatives_go_through_sparse_products() -> None:
    values = gl.tensor(VALUES, requires_grad=True)
    s = gl.sparse_coo_tensor(PLACES, values, (2, 3))
    (first,) = gl.autograd.grad((s.to_dense() ** 3).sum(), values, create_graph=True)
    (second,) = gl.autograd.grad(first.sum(), values)
    # At (0, 2) two values x, y meet: d/dx (6 (x + y)^2 summed over both) = 12 (x + y).
    assert second.tolist() == [48.0, 24.0, 30.0, 48.0]


def test_the_history_of_a_sparse_tensor_itself_cannot_be_walked() -> None:
    s = example(requires_grad=True)
    for what in (lambda: s.backward(example()), lambda: gl.autograd.grad(s.to_dense().sum(), s)):
        with pytest.raises(RuntimeError, match="that of its values"):
            what()
    with pytest.raises(RuntimeError, match="does not require grad"):
        example().backward(example())


def test_nothing_keeps_a_sparse_tensor_alive_after_a_dense_operation_met_it() -> None:
    s = example()
    before = sys.getrefcount(s)
    s * 2, gl.ones(2, 3) + s, s + s
    with pytest.raises(SparseError):
        s.exp()
    assert sys.getrefcount(s) == before


# Jitted.


@pytest.mark.parametrize(
    "program",
    [
        lambda s, x: s * 2,
        lambda s, x: x * 2 + s,
        lambda s, x: s.to_dense() + x,
        lambda s, x: gl.sparse.mm(s, x.t()) + 1,
        lambda s, x: (isinstance(s, gl.Tensor), s.is_sparse, x.is_sparse, s.shape),
        lambda s, x: x * 3 if x.layout is gl.strided else x,
        lambda s, x: (x * 2).to_sparse().to_dense(),
        lambda s, x: gl.sparse_coo_tensor(s._indices(), x[:, 0], (2, 3)).to_dense() + x,
        lambda s, x: (x.add_(s), s.add_(s))[0] * 1,
    ],
)
def test_a_jitted_function_that_meets_one_gives_what_the_plain_one_gives(program: Any) -> None:
    def dense(result: Any, *_arguments: Any) -> Any:
        return result.to_dense() if isinstance(result, gl.Tensor) else result

    def run(s: Any, x: Any) -> Any:
        return dense(program(s, x))

    def make(_number: int) -> Any:
        return [Hidden(gl.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))), gl.ones(2, 3)]

    check(lambda hidden, x: run(hidden.sparse, x), make, breaks=None)


class Hidden:
    """Keeps a sparse tensor from being compared as a dense one is."""

    def __init__(self, sparse: Any) -> None:
        self.sparse = sparse

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hidden) and repr(self.sparse) == repr(other.sparse)

    __hash__ = None  # type: ignore[assignment]


def test_reading_whether_a_tensor_is_sparse_breaks_no_graph() -> None:
    check(lambda x: x + 1 if x.is_sparse else x * 2, lambda _: [gl.ones(3)])


@pytest.mark.parametrize("name", ["mul_", "div_"])
def test_integers_are_not_scaled_by_fractions_in_place(name: str) -> None:
    x = gl.sparse_coo_tensor([[0]], [4], (2,))
    with pytest.raises(RuntimeError, match="result type float32 can't be cast to the desired output type int64"):
        getattr(x, name)(2.5)
    assert x.to_dense().tolist() == [4, 0]


@pytest.mark.parametrize("name", ["mul_", "__imul__"])
@pytest.mark.parametrize("dtype", [gl.bool, gl.int32, gl.float32, gl.float64])
@pytest.mark.parametrize("other", [gl.bool, gl.int64, gl.float32, gl.float64])
@pytest.mark.parametrize("form", ["dense", "sparse", "number"])
def test_scaling_in_place_never_changes_the_dtype(name: str, dtype: Any, other: Any, form: str) -> None:
    x = gl.sparse_coo_tensor([[0, 2]], gl.tensor([1, 3]).to(dtype), (3,))
    by = gl.tensor(2).to(other) if form == "number" else gl.tensor([2, 3, 4]).to(other)
    dense, kept = x.to_dense(), x.to_dense().tolist()
    try:
        expected = getattr(dense, name)(by).tolist()
    except RuntimeError as error:
        with pytest.raises(RuntimeError) as caught:
            getattr(x, name)(by.to_sparse() if form == "sparse" else by)
        assert str(caught.value) == str(error)
        expected = kept
    else:
        assert getattr(x, name)(by.to_sparse() if form == "sparse" else by) is x
    assert x.dtype is dtype and x.to_dense().tolist() == expected
