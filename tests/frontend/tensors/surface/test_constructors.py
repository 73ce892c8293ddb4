"""Tensors made of arrays and sizes, and devices, inside a jitted function; devices from outside."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, interpreted, normal

import guardlift as gl

DEVICE = gl.device("cpu")


@pytest.fixture(autouse=True)
def quick() -> Any:
    """Kernels are not the point."""
    with interpreted():
        yield


def floats(_number: int = 0) -> list[Any]:
    return [np.arange(3.0, dtype=np.float32)]


def written_through(a: Any) -> Any:
    gl.from_numpy(a).add_(1)
    return a.sum()


def written_behind(a: Any) -> Any:
    t = gl.from_numpy(a)
    a[0] = 9.0
    return t.sum()


def part_written(a: Any) -> Any:
    gl.from_numpy(a[1:]).mul_(3)
    return a + 0


def two_over_one(a: Any) -> Any:
    t, u = gl.from_numpy(a), gl.as_tensor(a)
    t[0] = 3.0
    return u * 1


def copied(a: Any) -> Any:
    t = gl.tensor(a)
    t[0] = 7.0
    return t, a.sum()


def cast(a: Any) -> Any:
    t = gl.as_tensor(a, dtype=gl.float64)
    t[0] = 7.0
    return t, a.sum()


def trained(a: Any) -> Any:
    t = gl.from_numpy(a).requires_grad_()
    (t * t).sum().backward()
    u = gl.tensor(a, requires_grad=True)
    (u**2).sum().backward()
    return t.grad, u.grad


def facts(a: Any) -> Any:
    t = gl.from_numpy(a)
    return t.dtype, t.shape, t.requires_grad, t.is_leaf, gl.tensor(t) + 1, gl.asarray(a, copy=True)


def viewed(a: Any) -> Any:
    gl.from_numpy(a).view(3, 1)[1] = 3.0
    return a[1] + 0


def constructed(a: Any) -> Any:
    return gl.Tensor(a), gl.Tensor(data=a), gl.DoubleTensor(a), gl.LongTensor([1, 2]), gl.Tensor([[1.5, 2.0]])


def sized(a: Any) -> Any:
    x = gl.as_tensor(a)
    made = gl.Tensor(2, 3).zero_(), gl.FloatTensor(2).fill_(1.0), gl.Tensor(*x.shape).fill_(2.0), gl.Tensor()
    return made, x * gl.Tensor([10000.0]), gl.Tensor(x) * 2, x[gl.LongTensor([0, 2])]


def made_inside(a: Any) -> Any:
    b = np.arange(3.0) * 2
    return gl.from_numpy(b) + 1, gl.as_tensor(a * 2), gl.tensor(np.ones((2, 2)))


@pytest.mark.parametrize(
    "program",
    [written_through, written_behind, part_written, two_over_one, copied, cast, trained, facts, viewed, constructed]
    + [sized, made_inside],
)
def test_an_array_becomes_a_tensor_without_a_break(program: Callable[..., Any]) -> None:
    check(program, floats)


def test_a_tensor_over_an_array_that_is_returned_beside_it_shares_its_memory() -> None:
    def both(a: Any) -> Any:
        b = a * 2
        return b, gl.from_numpy(b)

    fast = gl.jit(both)
    for _ in range(3):
        array, tensor = fast(np.ones(3, np.float32))
        array[0] = 100.0
        assert tensor.tolist() == [100.0, 2.0, 2.0]


@pytest.mark.parametrize(
    "program",
    [
        lambda a: gl.from_numpy(3.0),
        lambda a: gl.from_numpy(a.astype(complex)),
        lambda a: gl.from_numpy(a),
        lambda a: gl.Tensor(3.0),
        lambda a: gl.LongTensor(gl.as_tensor(a)),
        lambda a: (isinstance(gl.as_tensor(a), gl.FloatTensor), isinstance(gl.as_tensor(a), gl.LongTensor)),
        lambda a: gl.tensor([gl.tensor(1.0), gl.tensor(2.0)]) + a.sum(),
    ],
)
def test_what_has_no_rule_does_what_eager_mode_does(program: Callable[..., Any]) -> None:
    check(program, floats, breaks=None)


HOLDER = SimpleNamespace(device=gl.device("cpu"), places={"here": gl.device("cpu")}, listed=[gl.device("cpu")])


def default_argument(x: Any, device: Any = DEVICE) -> Any:
    return x.to(device) * 2


@pytest.mark.parametrize(
    "program",
    [
        lambda x: x.to(DEVICE) * 2,
        lambda x: x + gl.zeros(3, device=DEVICE),
        lambda x: x.to(HOLDER.device) * 2,
        lambda x: x.to(HOLDER.places["here"]) * 2,
        lambda x: x.to(HOLDER.listed[0]) * 2,
        lambda x: x + 1 if x.device == DEVICE and DEVICE.type == "cpu" else x - 1,
        lambda x: (f"{DEVICE}", str(DEVICE), x + 1),
        lambda x: {DEVICE: x + 1}[gl.device("cpu")],
        lambda x: gl.zeros(3, device=gl.device(type="cpu")) + x.to(gl.device("cpu")),
        lambda x: (x + 1, gl.device("cuda", 0).index, isinstance(DEVICE, gl.device)),
        default_argument,
    ],
)
def test_a_device_is_read_and_made_in_one_compile(program: Callable[..., Any]) -> None:
    check(program, lambda _number: [normal(3)], calls=5)


def test_a_device_that_is_made_anew_for_each_call_is_the_same_value() -> None:
    fast = gl.jit(lambda x, device: x.to(device) * 2)
    for made in (lambda: gl.device("cpu"), lambda: copy.deepcopy(DEVICE), lambda: pickle.loads(pickle.dumps(DEVICE))):
        for _ in range(3):
            assert fast(gl.ones(2), made()).tolist() == [2.0, 2.0]
    assert gl.explain(fast).compiles == 1


def test_another_device_is_another_value() -> None:
    fast = gl.jit(lambda x, device: x + len(device.type) + (device.index or 0))
    for name in ("cpu", "cuda:1", "cuda:2", "cpu"):
        device = gl.device(name)
        assert fast(gl.zeros(1), device).tolist() == [len(device.type) + (device.index or 0)]
    assert any("gl.device(type='cuda', index=1)" in str(each) for each in gl.explain(fast).events)


def test_a_device_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="not writable"):
        DEVICE.type = "cuda"  # type: ignore[misc]
    assert DEVICE.type == "cpu" and DEVICE.index is None


def test_an_array_becomes_a_tensor_like_another() -> None:
    offsets = np.array([0.0, 4.0, 9.0])
    check(lambda x: x + x.new_tensor(offsets).unsqueeze(0), arguments=lambda: [normal(2, 3)], compiles=1)
