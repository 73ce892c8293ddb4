"""Functions that give views, what these share, and what a storage is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl

View = Callable[[gl.Tensor], gl.Tensor]
VIEWS: dict[str, View] = {
    "view": lambda x: x.view(3, 2),
    "reshape": lambda x: x.reshape(6),
    "t": lambda x: x.t(),
    "permute": lambda x: x.permute(1, 0),
    "slice": lambda x: x[:, 1:],
    "integer": lambda x: x[1],
    "new axis": lambda x: x[None],
    "everything": lambda x: x[...],
    "unsqueeze": lambda x: x.unsqueeze(1),
    "expand": lambda x: x.unsqueeze(0).expand(4, 2, 3),
    "narrow": lambda x: x.narrow(1, 0, 2),
    "split": lambda x: x.split(2, 1)[1],
    "unbind": lambda x: x.unbind()[0],
    "flatten": lambda x: x.flatten(),
    "detach": lambda x: x.detach(),
    "data": lambda x: x.data,
}
COPIES: dict[str, View] = {
    "clone": lambda x: x.clone(),
    "reshape across rows": lambda x: x.t().reshape(6),
    "contiguous": lambda x: x.t().contiguous(),
    "index tensor": lambda x: x[gl.tensor([0, 1])],
    "mask": lambda x: x[x >= 0],
    "to another dtype": lambda x: x.double(),
    "to with copy": lambda x: x.to(gl.float32, copy=True),
    "cat of one": lambda x: gl.cat([x]),
    "plus nothing": lambda x: x + 0,
    "sum over nothing": lambda x: x.unsqueeze(0).sum(0),
    "power of one": lambda x: x**1,
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shares_memory_and_storage(name: str) -> None:
    x = gl.arange(6.0).reshape(2, 3)
    view = VIEWS[name](x)
    assert view is not x
    assert view._storage is x._storage
    assert np.shares_memory(view.numpy(), x.numpy())
    x.add_(100)
    assert min(np.ravel(view.tolist())) >= 100


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_shares_nothing(name: str) -> None:
    x = gl.arange(6.0).reshape(2, 3)
    copy = COPIES[name](x)
    assert copy._storage is not x._storage
    assert not np.shares_memory(copy.numpy(), x.numpy())
    before = copy.tolist()
    x.add_(100)
    assert copy.tolist() == before
    assert copy._counter is not x._counter


@pytest.mark.parametrize("name", [name for name in VIEWS if name not in ("detach", "data")])
def test_a_view_is_differentiated_as_the_elements_it_shows(name: str) -> None:
    x = gl.arange(6.0).reshape(2, 3).requires_grad_()
    view = VIEWS[name](x)
    view.sum().backward()
    shown = np.bincount(np.int64(view.detach().tolist()).ravel(), minlength=6)
    assert x.grad.tolist() == shown.reshape(2, 3).tolist()


@pytest.mark.parametrize(
    "same", [lambda x: x.contiguous(), lambda x: x.to(gl.float32), lambda x: x.flatten(1), lambda x: +x]
)
def test_what_would_change_nothing_gives_the_tensor_itself(same: View) -> None:
    x = gl.zeros(2, 3)
    assert same(x) is x


def test_a_view_of_rows_that_do_not_lie_together_is_refused() -> None:
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        gl.zeros(3, 2).t().view(6)


def test_the_memory_of_an_array_is_shared_both_ways() -> None:
    array = np.arange(4.0)
    x = gl.from_numpy(array)
    x.mul_(2)
    array[0] = 9
    assert x.tolist() == [9.0, 2.0, 4.0, 6.0]
    assert gl.as_tensor(array)._storage is array
    assert gl.tensor(array)._storage is not array
    assert np.shares_memory(x.numpy(), array)
    x.numpy().shape = array.shape = (2, 2)
    assert x.shape == (4,)


def test_a_read_only_array_is_not_written() -> None:
    array = np.arange(4.0)
    array.flags.writeable = False
    with pytest.raises(RuntimeError, match="read-only NumPy array"):
        gl.from_numpy(array).zero_()


@pytest.mark.parametrize(
    "index", [np.s_[::-1], np.s_[4::-1], np.s_[:, ::-1], np.s_[::-1, ::-1], np.s_[..., None, ::-1]]
)
def test_a_slice_of_all_elements_walks_back(index: Any) -> None:
    array = np.arange(15.0).reshape(5, 3)
    x = gl.tensor(array, requires_grad=True)
    picked, weights = x[index], array[index] ** 2
    assert picked.tolist() == array[index].tolist() and np.shares_memory(picked.detach().numpy(), x.detach().numpy())
    (picked * gl.tensor(weights)).sum().backward()
    assert x.grad.tolist() == (array**2).tolist()
    y, expected = gl.tensor(array.copy()), array.copy()
    y[index], expected[index] = gl.tensor(array[index] * 2), array[index] * 2
    assert y.tolist() == expected.tolist()
    assert gl.jit(lambda a: a[index] + 0)(x.detach()).tolist() == array[index].tolist()
