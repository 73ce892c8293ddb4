"""Tensors of float16, bfloat16 and float8: kept and moved as they are, computed with in float32 where at all."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from ops.narrow_oracle import cast

import guardlift as gl
from guardlift import nn, optim
from guardlift.core import dtypes

EACH = pytest.mark.parametrize("dtype", dtypes.NARROW, ids=str)
HALVES = pytest.mark.parametrize("dtype", [gl.float16, gl.bfloat16], ids=str)
FLOAT8 = pytest.mark.parametrize("dtype", [gl.float8_e4m3fn, gl.float8_e5m2], ids=str)


def normal(*shape: int) -> np.ndarray:
    """Numbers that are equal at every call."""
    return np.random.default_rng(5).standard_normal(shape).astype(np.float32)


def bits(tensor: gl.Tensor) -> Any:
    """The bits of the elements."""
    return tensor.detach().numpy().view(tensor.dtype.bits.numpy).tolist()


@EACH
def test_a_cast_gives_what_pytorch_gives(dtype: dtypes.DType) -> None:
    x = np.append(normal(50), [np.inf, -np.inf, np.nan, 1e30, -0.0, 464.0, 465.0]).astype(np.float32)
    expected = cast(x, dtype)
    with np.errstate(all="ignore"):
        back = expected.astype(np.float32)
    packed = gl.tensor(x).to(dtype)
    assert packed.dtype is dtype and packed.element_size() == dtype.itemsize
    assert bits(packed) == expected.view(dtype.bits.numpy).tolist()
    np.testing.assert_array_equal(packed.to(gl.float32).numpy().view(np.uint32), back.view(np.uint32))


def test_beyond_its_range_e4m3fn_is_448_and_e5m2_infinite() -> None:
    x = gl.tensor([500.0, -1e6])
    assert x.to(gl.float8_e4m3fn).float().tolist() == [448.0, -448.0]
    assert x.to(gl.float8_e5m2).float().tolist() == [512.0, -float("inf")]


def test_every_way_to_put_a_number_into_e4m3fn_saturates() -> None:
    dtype, large = gl.float8_e4m3fn, 500.0
    zeros, mask = gl.zeros(1, dtype=dtype), gl.tensor([True])
    written = [zeros.clone() for _ in range(3)]
    written[0][0] = large
    written[1].copy_(gl.tensor([large]))
    written[2][mask] = large
    made = [
        gl.tensor([large], dtype=dtype),
        gl.tensor([[int(large)]], dtype=dtype),
        gl.as_tensor(np.array([large]), dtype=dtype),
        gl.full((1,), large, dtype=dtype),
        gl.full_like(zeros, float("inf")),
        zeros.new_full((1,), large),
        gl.scalar_tensor(large, dtype=dtype),
        zeros.clone().fill_(large),
        zeros.masked_fill(mask, large),
        gl.where(mask, large, zeros),
        *written,
    ]
    assert [each.float().sum().item() for each in made] == [448.0] * len(made)


def test_an_array_of_ml_dtypes_is_taken_bit_for_bit() -> None:
    for dtype in (gl.float8_e4m3fn, gl.float8_e5m2, gl.bfloat16):
        codes = np.arange(256, dtype=np.uint8).view(dtype.numpy)
        for tensor in (gl.tensor(codes), gl.tensor(codes, dtype=dtype), gl.as_tensor(codes), gl.from_numpy(codes)):
            assert tensor.dtype is dtype and tensor.numpy().tobytes() == codes.tobytes()


def test_gradients_in_e4m3fn_add_up_to_no_more_than_448() -> None:
    leaf = gl.tensor([1.0, 1.0]).to(gl.float8_e4m3fn).requires_grad_()
    (leaf.float() * 300 + leaf.to(gl.float64) * 300).sum().backward()
    assert leaf.grad.float().tolist() == [448.0] * 2
    leaf.float().backward(gl.tensor([300.0, -100.0]))
    assert leaf.grad.float().tolist() == [448.0, 352.0]


@EACH
def test_it_goes_through_pickle_and_copies(dtype: dtypes.DType) -> None:
    x = gl.tensor(normal(3, 4)).to(dtype)
    for other in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.clone(), x.detach()):
        assert other.dtype is dtype and bits(other) == bits(x)


@EACH
def test_a_state_dict_keeps_it(dtype: dtypes.DType) -> None:
    module, other = nn.Linear(3, 2).to(dtype), nn.Linear(3, 2)
    saved = pickle.loads(pickle.dumps(module.state_dict()))
    assert {each.dtype for each in saved.values()} == {dtype}
    other.to(dtype).load_state_dict(saved)
    assert bits(other.weight) == bits(module.weight)


@EACH
def test_views_share_its_memory(dtype: dtypes.DType) -> None:
    array = gl.tensor(normal(4, 6)).to(dtype).numpy()
    x = gl.from_numpy(array)
    assert x.dtype is dtype
    for view in (x.T, x[1:3], x.reshape(2, 12), x.expand(2, 4, 6), x.diagonal(), x.as_strided((2, 2), (6, 1), 3)):
        assert np.shares_memory(view.numpy(), array) and view.dtype is dtype
    x[0] = 2.0
    x[1].copy_(gl.full((6,), 3.0))
    assert array[:2].astype(np.float32).tolist() == [[2.0] * 6, [3.0] * 6]
    assert x.as_strided((2, 2), (6, 1), 1).tolist() == [[2.0, 2.0], [3.0, 3.0]]
    assert gl.empty_strided((2, 3), (1, 2), dtype=dtype).stride() == (1, 2)


@EACH
def test_it_moves_as_it_is(dtype: dtypes.DType) -> None:
    x = gl.tensor(normal(4, 6)).to(dtype)
    wide, index = x.float(), gl.tensor([3, 0, 3])
    mask = wide > 0
    for move in (
        lambda t: gl.cat([t, t], 1),
        lambda t: gl.stack([t, t]),
        lambda t: t[index],
        lambda t: t[mask],
        lambda t: t.flip(0),
        lambda t: t.roll(1, 0),
        lambda t: t.repeat(2, 1),
        lambda t: t.index_select(1, index),
        lambda t: t.gather(0, index.expand(2, 3)),
        lambda t: gl.where(mask, t, gl.zeros_like(t)),
        lambda t: t.masked_fill(mask, 0.5),
        lambda t: gl.tril(t),
        lambda t: t.clone().fill_(0.25),
    ):
        moved = move(x)
        assert moved.dtype is dtype and bits(moved) == bits(move(wide).to(dtype))


@FLOAT8
@pytest.mark.parametrize("name", ["add", "mul", "maximum", "lt"])
def test_with_float8_nothing_computes(dtype: dtypes.DType, name: str) -> None:
    x = gl.ones(2, dtype=dtype)
    message = rf"is not implemented for {dtype}.*convert it with .to\(gl.float32\)"
    with pytest.raises(NotImplementedError, match=message):
        getattr(gl, name)(x, x)
    with pytest.raises(RuntimeError, match=f"Promotion for Float8 Types.*{dtype} and float32"):
        getattr(gl, name)(x, gl.ones(2))


@FLOAT8
@pytest.mark.parametrize("name", ["exp", "sum", "cumsum", "softmax", "sort", "neg_", "relu"])
def test_functions_of_float8_say_that_it_has_to_be_cast(dtype: dtypes.DType, name: str) -> None:
    x = gl.ones(2, dtype=dtype)
    with pytest.raises(NotImplementedError, match=r"convert it with .to\(gl.float32\) first"):
        getattr(x, name)(*([0] if name in ("cumsum", "softmax") else []))
    assert x.tolist() == [1.0, 1.0]


@FLOAT8
def test_no_numbers_are_made_in_float8(dtype: dtypes.DType) -> None:
    for make in (gl.rand, gl.randn, gl.arange):
        with pytest.raises(NotImplementedError, match=f"not implemented for {dtype}"):
            make(3, dtype=dtype)


@EACH
def test_the_gradient_of_a_cast_is_a_cast_back(dtype: dtypes.DType) -> None:
    x = gl.tensor(normal(5)).requires_grad_()
    packed = x.to(dtype)
    assert packed.grad_fn.name() == "ToCopyBackward0"
    weight = gl.tensor(normal(5)) * 0.3
    packed.float().backward(weight)
    assert x.grad.dtype is gl.float32
    assert x.grad.tolist() == weight.to(dtype).float().tolist()


@EACH
def test_a_leaf_gets_gradients_of_its_dtype(dtype: dtypes.DType) -> None:
    leaf = gl.tensor(normal(5)).to(dtype).requires_grad_()
    weight = gl.tensor(normal(5))
    for _ in range(2):
        leaf.float().backward(weight)
    assert leaf.grad.dtype is dtype
    once = weight.to(dtype).float()
    assert bits(leaf.grad) == bits((once + once).to(dtype))


@HALVES
def test_an_operation_computes_in_float32_and_rounds_once(dtype: dtypes.DType) -> None:
    a, b = (gl.tensor(each).to(dtype) for each in normal(2, 8, 8))
    for compute in (
        lambda x, y: x + y,
        lambda x, y: x / y,
        lambda x, y: x * 0.1,
        lambda x, y: x @ y,
        lambda x, y: x.sum(0),
        lambda x, y: x.softmax(1),
        lambda x, y: x.sigmoid(),
        lambda x, y: x.var(1),
    ):
        expected = compute(a.float(), b.float()).to(dtype)
        assert bits(compute(a, b)) == bits(expected)


@HALVES
def test_in_place_operations_round_to_it(dtype: dtypes.DType) -> None:
    x, y = gl.tensor(normal(6)).to(dtype), gl.tensor(normal(6))
    expected = bits((x.float() * y + 0.1).to(dtype)), (x.float() * y).to(dtype).float().add(0.1).to(dtype)
    assert bits(x.clone().mul_(y).add_(0.1)) == bits(expected[1])
    assert bits(x.clone().add_(y)) == bits((x.float() + y).to(dtype))
    assert bits(x.clone().sigmoid_()) == bits(x.float().sigmoid().to(dtype))


@HALVES
def test_each_step_back_computes_in_float32_and_rounds_once(dtype: dtypes.DType) -> None:
    x = gl.tensor(normal(4, 5)).to(dtype).requires_grad_()
    weight = gl.tensor(normal(4, 5)).to(dtype)
    x.sigmoid().backward(weight)
    gate = x.detach().sigmoid().float()
    assert x.grad.dtype is dtype
    assert bits(x.grad) == bits((weight.float() * (1 - gate) * gate).to(dtype))


@HALVES
def test_uniform_numbers_stay_below_one(dtype: dtypes.DType) -> None:
    gl.manual_seed(3)
    x = gl.rand(100_000, dtype=dtype)
    assert x.dtype is dtype and 0.99 < x.max().item() < 1 and x.min().item() == 0
    assert gl.randn(3, dtype=dtype).dtype is gl.empty(3, dtype=dtype).normal_().dtype is dtype
    assert gl.empty(5, dtype=dtype).random_().max().item() <= 2 ** (11 if dtype is gl.float16 else 8)


@HALVES
@pytest.mark.parametrize("make", [optim.SGD, optim.Adam, optim.RMSprop], ids=lambda each: each.__name__)
def test_a_step_of_an_optimizer_is_that_in_float32_rounded(dtype: dtypes.DType, make: Any) -> None:
    narrow = nn.Parameter(gl.tensor(normal(7)).to(dtype))
    wide = nn.Parameter(narrow.detach().float())
    for param in (narrow, wide):
        param.grad = gl.tensor(normal(7)).to(dtype).to(param.dtype)
        make([param], lr=0.1).step()
    assert narrow.dtype is dtype and bits(narrow) == bits(wide.to(dtype))


@FLOAT8
def test_no_optimizer_steps_float8(dtype: dtypes.DType) -> None:
    param = nn.Parameter(gl.ones(3, dtype=dtype))
    param.grad = gl.ones(3, dtype=dtype)
    with pytest.raises(NotImplementedError, match="a step of an optimizer is not implemented for"):
        optim.SGD([param], lr=0.1).step()


def test_modules_are_converted_by_name() -> None:
    assert nn.Linear(2, 2).half().weight.dtype is gl.float16
    assert nn.Linear(2, 2).bfloat16().bias.dtype is gl.bfloat16


@EACH
def test_saved_tensors_are_packed_into_it(dtype: dtypes.DType) -> None:
    x = gl.tensor(normal(6)).requires_grad_()
    kept: list[gl.Tensor] = []

    def pack(tensor: gl.Tensor) -> gl.Tensor:
        kept.append(tensor.to(dtype))
        return kept[-1]

    with gl.autograd.graph.saved_tensors_hooks(pack, lambda packed: packed.to(gl.float32)):
        y = x * x
    y.sum().backward()
    assert [each.dtype for each in kept] == [dtype] * 2
    assert x.grad.tolist() == (2 * x.detach().to(dtype).float()).tolist()
