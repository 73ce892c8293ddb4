"""The list of what a graph keeps for backward, and how much less it is under hooks."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift import nn
from guardlift.autograd import graph
from guardlift.autograd.node import Node
from guardlift.autograd.saved import SavedTensor

spec = pytest.mark.spec
hooks = graph.saved_tensors_hooks
listing = graph.list_saved_tensors


def leaf(*shape: int) -> gl.Tensor:
    return gl.ones(*shape, requires_grad=True)


@spec("S10.07")
def test_each_saved_tensor_has_a_row_in_the_order_of_the_forward() -> None:
    a, b = leaf(2, 3), nn.Parameter(gl.ones(3))
    loss = ((a * b).exp() ** 2).sum()
    rows = listing(loss)
    assert [(row.node, row.op, row.argument, row.shape, row.nbytes) for row in rows] == [
        ("MulBackward0", "multiply", "self", (2, 3), 24),
        ("MulBackward0", "multiply", "other", (3,), 12),
        ("ExpBackward0", "exp", "result", (2, 3), 24),
        ("PowBackward0", "pow_scalar", "self", (2, 3), 24),
    ]
    kinds = [(row.is_leaf, row.is_parameter, row.is_output, row.hooked) for row in rows]
    assert kinds == [(True, False, False, False), (True, True, False, False), (False, False, True, False), (False,) * 4]
    assert all(row.dtype is gl.float32 for row in rows)
    assert rows[3].grad_fn is loss.grad_fn.next_functions[0][0]
    assert rows[-1] is rows[3] and len(rows[1:]) == 3


@spec("S10.07")
def test_memory_that_several_records_share_counts_once() -> None:
    a = leaf(4, 5)
    y = a * 1.0
    loss = (y * y).sum() + (y[0] * y[1]).sum() + y.exp().sum()
    rows = listing(loss)
    assert [row.nbytes for row in rows] == [80, 80, 20, 20, 80]
    assert sum(row.nbytes for row in rows) == 280
    assert rows.total_bytes == 160
    assert [(group.nbytes, len(group.rows)) for group in rows.groups] == [(80, 4), (80, 1)]
    assert rows.by_op() == {"multiply": 80, "exp": 80}
    assert rows.where(lambda row: row.op == "exp").total_bytes == 80


@spec("S10.07")
def test_a_view_keeps_all_of_the_memory_it_lies_in() -> None:
    (part,) = listing((leaf(3) * gl.zeros(100, 3)[1]).sum())
    assert (part.nbytes, part.argument) == (12, "other")
    assert listing((leaf(3) * gl.zeros(100, 3)[1]).sum()).total_bytes == 1200
    wide = gl.from_numpy(np.zeros((100, 6), np.float32)[:, :3])
    assert listing((leaf(3) * wide[1]).sum()).total_bytes == 2400
    (row,) = listing((leaf(9, 3) * gl.ones(1).expand(9, 3)).sum())
    assert row.nbytes == 4


@spec("S10.07")
def test_it_takes_tensors_edges_nodes_and_several_of_them() -> None:
    a, b = leaf(2), leaf(3)
    x, y = a.exp(), b.exp()
    assert len(listing(x)) == len(listing(graph.get_gradient_edge(x))) == len(listing(x.grad_fn)) == 1
    assert len(listing([x, graph.get_gradient_edge(y)])) == 2
    assert (
        len(listing((x * y[0]).grad_fn.next_functions)) == 2 and len(listing((x * 2.0).grad_fn.next_functions[1])) == 0
    )
    assert len(listing((x, x))) == 1
    assert len(listing(a)) == len(listing(gl.ones(2))) == len(listing([])) == 0
    assert listing(a).total_bytes == 0 and listing(a).groups == () and listing(a).by_op() == {}
    for wrong in ([x, 1.0], [1.0], 1.0):
        with pytest.raises(TypeError, match="takes tensors, gradient edges and nodes, got float"):
            listing(wrong)
    with pytest.raises(TypeError, match="got NoneType"):
        listing(None)


@spec("S10.07")
def test_no_hook_runs_and_nothing_is_kept_alive() -> None:
    a = leaf(3)
    with hooks(lambda t: t.detach().numpy().copy(), pytest.fail):
        y = a.exp()
    gc.disable()
    try:
        rows = listing(y)
        node, packed = weakref.ref(y.grad_fn), weakref.ref(y.grad_fn.saved["result"]._packed)
        assert rows[0].grad_fn is y.grad_fn and str(rows)
        del y
        assert node() is None and packed() is None and rows[0].grad_fn is None
        assert rows.total_bytes == 12
    finally:
        gc.enable()


@spec("S10.07")
def test_what_backward_has_released_is_not_listed() -> None:
    a = leaf(3)
    y = a.exp()
    loss = (y * 2.0).tanh().sum()
    loss.backward(retain_graph=True)
    assert [row.op for row in listing(loss)] == ["exp", "tanh"]
    loss.backward()
    assert len(listing(loss)) == 0
    assert str(listing(loss)).splitlines()[-1] == "0 saved tensors, 0 bytes in 0 pieces of memory"


@spec("S10.07")
def test_the_write_inside_a_copy_slices_is_listed_once() -> None:
    y = leaf(4, 4) * 1.0
    y[0].exp_()
    y[1].mul_(gl.ones(4))
    assert [(row.node, row.op, row.argument) for row in listing(y)] == [
        ("CopySlices(ExpBackward0)", "exp", "result"),
        ("CopySlices(MulBackward0)", "multiply", "other"),
    ]


@spec("S10.07")
def test_a_compiled_forward_is_listed() -> None:
    fast = gl.jit(lambda x, w: (x @ w).exp().sum(), fullgraph=True)
    x, w = gl.ones(2, 3), nn.Parameter(gl.ones(3, 4))
    plain = fast(x, w)
    with hooks(lambda t: t.detach().numpy().astype(np.float16), pytest.fail):
        packed = fast(x, w)
    assert {row.node for row in listing(plain)} == {"CompiledFunctionBackward"}
    assert 0 < 2 * listing(packed).total_bytes == listing(plain).total_bytes
    assert all(row.hooked for row in listing(packed)) and not any(row.hooked for row in listing(plain))


class Custom(Node):
    """A node of somebody else's, which keeps records wherever it likes."""

    def __init__(self, *tensors: gl.Tensor) -> None:
        super().__init__(())
        self.one = SavedTensor(tensors[0], node=self, argument="one")
        self.table = {"two": SavedTensor(tensors[1], node=self, argument="two"), "size": 3}
        self.nothing = SavedTensor(None)
        self.several = [SavedTensor(tensors[2]), 1]
        self.inside = tensors[0].exp().grad_fn
        self.freed = False

    @property
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        if self.freed:
            raise RuntimeError("gone")
        return (self.table["two"],)  # type: ignore[return-value]

    def apply(self, gradients: Any) -> Any:
        return ()


@spec("S10.07")
def test_records_of_any_node_are_found() -> None:
    node = Custom(leaf(1), leaf(2), leaf(3))
    expected = [("Custom", "saved_tensors[0]", (2,)), ("Custom", "one", (1,)), ("Custom", "several[0]", (3,)),
                ("Custom(ExpBackward0)", "result", (1,))]  # fmt: skip
    assert [(row.node, row.argument, row.shape) for row in listing(node)] == expected
    node.freed = True
    assert [row.argument for row in listing(node)] == ["one", "two", "several[0]", "result"]


# -- what hooks keep ---------------------------------------------------------------------------------------------------
@dataclass
class Holder:
    codes: Any
    scale: float = 1.0


class Opaque:
    pass


ZEROS = np.zeros(5, np.float16)


@spec("S10.07")
@pytest.mark.parametrize(
    ("packed", "nbytes", "unknown"),
    [
        (None, 0, ()),
        (ZEROS, 10, ()),
        (gl.ones(3).double(), 24, ()),
        ((ZEROS, ZEROS, 1.0, "name", gl.float32), 10, ()),
        ({"a": [ZEROS.copy()], "b": {"c": (gl.ones(2),)}}, 18, ()),
        (Holder(ZEROS), 10, ()),
        (b"12345", 5, ()),
        (Opaque(), 0, ("Opaque",)),
        ((ZEROS, Opaque(), Opaque()), 10, ("Opaque",)),
    ],
)
def test_of_a_hooked_record_the_packed_value_is_measured(packed: Any, nbytes: int, unknown: tuple[str, ...]) -> None:
    x = leaf(7, 2)
    with hooks(lambda t: packed, pytest.fail):
        y = x.exp()
    (row,) = rows = listing(y)
    assert (row.shape, row.dtype, row.hooked, row.is_output) == ((7, 2), gl.float32, True, True)
    assert (row.nbytes, row.unknown) == (nbytes, unknown)
    assert rows.total_bytes == nbytes
    assert ("not counted: Opaque" in str(rows)) == bool(unknown)


@spec("S10.07")
def test_a_packed_value_that_refers_to_itself_is_measured() -> None:
    knot: list[Any] = [ZEROS]
    knot.append(knot)
    with hooks(lambda t: knot, pytest.fail):
        y = leaf(3).exp()
    assert listing(y).total_bytes == 10
    knot.clear()


@spec("S10.07", "S10.03", "S10.05")
def test_of_chains_and_checked_hooks_the_packed_value_alone_is_measured() -> None:
    x = leaf(6)
    inner = hooks(lambda t: (t.double(), 1.0, [t * 2]), lambda p: p[0].float(), compose=True, check=True)
    with hooks(lambda t: t.detach().numpy().astype(np.float16), pytest.fail), inner:
        y = x.exp()
    (row,) = listing(y)
    assert (row.nbytes, row.unknown, row.shape) == (24, (), (6,))


@spec("S10.07")
def test_hooks_on_one_record_show_in_its_row() -> None:
    weight = nn.Parameter(gl.ones(4))
    y = weight * leaf(4)
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t.detach().numpy().astype(np.float16), pytest.fail)
    assert [(row.hooked, row.nbytes, row.is_parameter) for row in listing(y)] == [(True, 8, True), (False, 16, False)]


@spec("S10.07")
def test_the_table_can_be_read() -> None:
    model = nn.Linear(3, 2)
    x = leaf(4, 3)
    with hooks(lambda t: t.detach().numpy().astype(np.float16), pytest.fail):
        h = x.exp()
    assert str(listing(model(h).sum())).splitlines() == [
        "node            argument  shape   dtype    bytes  memory",
        "ExpBackward0    result    [4, 3]  float32     24  #0      output, hooked",
        "AddmmBackward0  input     [4, 3]  float32     48  #1",
        "AddmmBackward0  weight    [2, 3]  float32     24  #2      parameter",
        "3 saved tensors, 96 bytes in 3 pieces of memory",
    ]
    assert repr(listing(h)) == "<SavedListing of 1 tensors, 24 bytes>"


@spec("S10.07")
def test_a_jitted_function_that_lists_runs_plainly() -> None:
    def count(x: Any) -> Any:
        loss = (x.exp() * x).sum()
        return len(graph.list_saved_tensors(loss)), loss

    check(count, lambda k: [leaf(3)], breaks=None)


# -- float16 and float8 activations ------------------------------------------------------------------------------------
def e4m3_values() -> np.ndarray[Any, Any]:
    """The value of each of the 256 codes of float8 e4m3: one sign bit, four of the exponent, three of the fraction."""
    codes = np.arange(256)
    exponent, fraction = (codes >> 3) & 15, codes & 7
    size = np.where(exponent == 0, fraction / 8 * 2.0**-6, (1 + fraction / 8) * 2.0 ** (exponent - 7.0))
    values = np.where(codes < 128, size, -size)
    values[[127, 255]] = np.nan
    return values.astype(np.float32)


DECODED = e4m3_values()
SIZES = DECODED[:127]
"""The numbers that can be represented, from 0 to 448."""


def to_e4m3(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The nearest codes, ties to the even one; what is too large becomes the largest."""
    size = np.minimum(np.abs(array), SIZES[-1])
    above = np.clip(np.searchsorted(SIZES, size), 1, 126)
    low, high = SIZES[above - 1], SIZES[above]
    up = (high - size < size - low) | ((high - size == size - low) & (above % 2 == 0))
    codes = np.where(up, above, above - 1).astype(np.uint8)
    codes[np.isnan(array)] = 127
    return codes | (np.signbit(array) * np.uint8(128))


def from_e4m3(codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return DECODED[codes]


def test_the_float8_codes_are_those_of_e4m3() -> None:
    known = {0x00: 0.0, 0x01: 2.0**-9, 0x07: 7 * 2.0**-9, 0x08: 2.0**-6, 0x38: 1.0, 0x3C: 1.5, 0x7E: 448.0, 0xB8: -1.0}
    assert {code: float(DECODED[code]) for code in known} == known
    assert np.isnan(DECODED[[0x7F, 0xFF]]).all() and np.isfinite(DECODED).sum() == 254
    codes = np.arange(256, dtype=np.uint8)
    again = to_e4m3(DECODED)
    np.testing.assert_array_equal(again[:255], codes[:255])
    np.testing.assert_array_equal(DECODED[to_e4m3(np.float32([1.0624, 1.0625, 1.0626, 1.1875, 1e9, -1e9]))],
                                  np.float32([1.0, 1.0, 1.125, 1.25, 448, -448]))  # fmt: skip


WAYS: dict[str, tuple[int, Callable[..., Any], Callable[..., Any], float]] = {
    "float16": (2, lambda array: array.astype(np.float16), lambda kept: kept.astype(np.float32), 1e-3),
    "float8 e4m3": (4, to_e4m3, from_e4m3, 2.0**-4),
}


def perceptron_of_eight_layers() -> tuple[nn.Module, gl.Tensor]:
    gl.manual_seed(0)
    return nn.Sequential(*(part for _ in range(8) for part in (nn.Linear(32, 32), nn.Tanh()))), gl.randn(64, 32)


@spec("S10.07", "S10.04", "S10.05")
@pytest.mark.parametrize("way", WAYS)
def test_of_a_perceptron_of_eight_layers_hooks_keep_a_half_and_a_quarter(way: str) -> None:
    factor, encode, decode, tolerance = WAYS[way]
    model, x = perceptron_of_eight_layers()

    def pack(tensor: gl.Tensor, info: graph.SaveInfo) -> Any:
        return tensor if info.is_parameter else encode(tensor.detach().numpy())

    def unpack(packed: Any) -> gl.Tensor:
        return packed if isinstance(packed, gl.Tensor) else gl.from_numpy(decode(packed))

    plain = model(x).square().sum()
    with hooks(pack, unpack, check=graph.Check(rtol=tolerance, atol=2.0**-9)):
        packed = model(x).square().sum()
    before, after = listing(plain), listing(packed)
    assert [(row.argument, row.shape) for row in before] == [(row.argument, row.shape) for row in after]
    assert all(row.hooked for row in after)

    def kept(rows: Any, *, parameters: bool) -> list[int]:
        return [row.nbytes for row in rows if row.is_parameter == parameters]

    assert kept(before, parameters=True) == kept(after, parameters=True) == [32 * 32 * 4] * 7
    assert kept(before, parameters=False) == [64 * 32 * 4] * 17  # the input of each layer, each tanh, and the square's
    assert kept(after, parameters=False) == [64 * 32 * 4 // factor] * 17


@spec("S10.07", "S10.04")
@pytest.mark.parametrize("way", WAYS)
def test_memory_shrinks_by_the_factor_where_what_is_saved_twice_is_packed_once(way: str) -> None:
    factor, encode, decode, _ = WAYS[way]
    model, x = perceptron_of_eight_layers()
    known: dict[int, Any] = {}

    def pack(tensor: gl.Tensor, info: graph.SaveInfo) -> Any:
        if info.is_parameter:
            return tensor
        array = tensor.detach().numpy()
        alive, codes = known.get(array.ctypes.data, (None, None))
        if alive is None:
            codes = encode(array)
            known[array.ctypes.data] = array, codes  # the forward is short: addresses stay taken until it is over
        return codes

    with hooks(pack, lambda packed: packed if isinstance(packed, gl.Tensor) else gl.from_numpy(decode(packed))):
        packed = model(x).square().sum()
    known.clear()
    plain = model(x).square().sum()

    def activations(loss: gl.Tensor) -> int:
        return int(listing(loss).where(lambda row: not row.is_parameter).total_bytes)

    assert activations(plain) == 9 * 64 * 32 * 4
    assert activations(packed) * factor == activations(plain)
    packed.backward()
    assert all(np.isfinite(each.grad.numpy()).all() for each in model.parameters())
