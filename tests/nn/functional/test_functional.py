from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn

F = nn.functional

_HERE = Path(__file__).parent.parent
_spec = importlib.util.spec_from_file_location("nn_figures_make", _HERE / "figures" / "make.py")
assert _spec is not None and _spec.loader is not None
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)

# PyTorch 2.13.0, CPU, float64; see figures/make.py.
FAMILIES = {name: make.family(name) for name in make.families()}
FIGURES = {name: json.loads((_HERE / "figures" / "cases" / f"{name}.json").read_text())["cases"] for name in FAMILIES}


def maker(dtype: Any) -> Any:
    def tensor(data: Any, shape: tuple[int, ...] | None) -> gl.Tensor:
        if shape is None:
            return gl.tensor(data)
        return gl.tensor(data, dtype=dtype).reshape(shape).detach().requires_grad_()

    return tensor


def largest(figures: Any) -> float:
    """The largest magnitude in nested lists of numbers."""
    flat = np.asarray(figures, dtype=np.float64)
    return float(np.abs(flat[np.isfinite(flat)]).max(initial=1.0))


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-12), ("float32", 1e-4)])
@pytest.mark.parametrize(("family", "case"), [(name, case) for name, each in FAMILIES.items() for case in each.CASES])
def test_values_and_gradients_are_those_of_pytorch(family: str, case: str, dtype: str, tolerance: float) -> None:
    expected = FIGURES[family][case]
    before = gl.get_default_dtype()
    gl.set_default_dtype(getattr(gl, dtype))
    try:
        found = make.evaluate(case, FAMILIES[family], gl, maker(getattr(gl, dtype)))
    finally:
        gl.set_default_dtype(before)
    assert len(found["values"]) == len(expected["values"])
    for ours, theirs in zip(found["values"], expected["values"], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * largest(theirs))
    for order in ("gradients", "second"):
        assert found.get(order, {}).keys() == expected.get(order, {}).keys()
        for name, theirs in expected.get(order, {}).items():
            ours, atol = found[order][name], tolerance * largest(theirs)
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=atol, err_msg=f"{order} by {name}")


def test_every_figure_belongs_to_a_case() -> None:
    assert {name: each.keys() for name, each in FIGURES.items()} == {
        name: each.CASES.keys() for name, each in FAMILIES.items()
    }


def test_every_layer_is_compared_with_pytorch() -> None:
    files = (*(_HERE / "figures" / "cases").glob("*.py"), *_HERE.glob("*_like_pytorch.txt"))
    compared = set(re.findall(r"\bnn\.([A-Z]\w+)", " ".join(each.read_text(encoding="utf-8") for each in files)))
    random = {"Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"}
    containers = {"ModuleList"}
    of_processes = {"SyncBatchNorm"}  # beside BatchNorm over the whole batch in tests/nn/parallel
    made = {name for name in nn.__all__ if isinstance(getattr(nn, name), type)}
    lazy = {name for name in made if name.startswith(("Lazy", "Uninitialized"))}  # beside plain ones in tests/nn/lazy
    assert made - compared - lazy == random | containers | of_processes


def test_losses_of_large_logits_do_not_overflow() -> None:
    logits = gl.tensor([[1000.0, -1000.0], [-1000.0, 1000.0]], requires_grad=True)
    loss = F.cross_entropy(logits, gl.tensor([1, 1]), reduction="none")
    assert loss.tolist() == [2000.0, 0.0]
    both = gl.tensor([1000.0, -1000.0])
    assert F.binary_cross_entropy_with_logits(both, gl.tensor([1.0, 1.0]), reduction="none").tolist() == [0.0, 1000.0]


def test_relu_in_place_overwrites_its_input() -> None:
    x = gl.tensor([-1.0, 2.0])
    assert F.relu(x, inplace=True) is x
    assert x.tolist() == [0.0, 2.0]
    assert nn.SiLU(inplace=True)(x) is x


def test_a_target_out_of_range_is_an_index_error() -> None:
    with pytest.raises(IndexError, match="Target 3 is out of bounds"):
        F.cross_entropy(gl.zeros(2, 3), gl.tensor([0, 3]))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: F.linear(gl.zeros(2, 3), gl.zeros(4, 5)), RuntimeError, "2x3 and 5x4"),
        (lambda: nn.Linear(3, 4).double()(gl.zeros(2, 3)), RuntimeError, "float32 != float64"),
        (lambda: nn.Linear(3, 4)(gl.arange(3)), RuntimeError, "int64 != float32"),
        (lambda: F.layer_norm(gl.zeros(2, 3), (4,)), RuntimeError, r"input \[2, 3\] are not \[4\]"),
        (lambda: F.layer_norm(gl.zeros(2, 3), (3,), gl.zeros(2)), RuntimeError, r"weight is \[2\], expected \[3\]"),
        (lambda: F.gelu(gl.zeros(2), approximate="erf"), ValueError, "'none' or 'tanh', got 'erf'"),
        (lambda: F.softmax(gl.zeros(2), dim=1), IndexError, "Dimension out of range"),
        (lambda: F.mse_loss(gl.zeros(2), gl.zeros(2), reduction="max"), ValueError, "got 'max'"),
        (lambda: F.mse_loss(gl.arange(3), gl.arange(3)), RuntimeError, "takes tensors of floats, got int64"),
        (lambda: F.cross_entropy(gl.zeros(2, 3), gl.tensor([0, 1, 2])), RuntimeError, r"target is \[3\] .* \[2, 3\]"),
        (lambda: F.nll_loss(gl.zeros(2, 3), gl.zeros(2)), RuntimeError, "of integers, got float32"),
        (
            lambda: F.cross_entropy(gl.zeros(2, 3), gl.zeros(2, 4)),
            RuntimeError,
            r"target is \[2, 4\] and input is \[2, 3\]; expected target \[2, 3\]",
        ),
        (
            lambda: F.cross_entropy(gl.zeros(2, 3), gl.tensor([0, 1]), label_smoothing=1.5),
            ValueError,
            "between 0 and 1, got 1.5",
        ),
        (
            lambda: F.binary_cross_entropy_with_logits(gl.zeros(2), gl.zeros(2, 1)),
            RuntimeError,
            r"target is \[2, 1\] and input is \[2\]",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_losses_that_broadcast_warn() -> None:
    with pytest.warns(UserWarning, match=r"mse_loss: target is \[2\] and input is \[2, 1\]"):
        loss = F.mse_loss(gl.zeros(2, 1), gl.ones(2), reduction="none")
    assert loss.shape == (2, 2)


def test_losses_promote_their_operands() -> None:
    assert F.l1_loss(gl.zeros(2), gl.ones(2, dtype=gl.float64)).dtype is gl.float64
    assert F.mse_loss(gl.zeros(2), gl.arange(2)).item() == 0.5


def test_integers_are_floats_to_sigmoid() -> None:
    assert F.sigmoid(gl.tensor([0, 0])).tolist() == [0.5, 0.5]
    assert F.softmax(gl.tensor([0, 0]), dim=0, dtype=gl.float64).dtype is gl.float64
