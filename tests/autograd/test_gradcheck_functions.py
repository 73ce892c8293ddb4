"""First and second derivatives of the functions of the surface, most of which are made of several ops."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import gradcheck, gradgradcheck
from guardlift.nn import functional
from guardlift.tensor import SURFACE

CLASSES = gl.tensor([2, 0, 1, 2])
PLACES = 8 * gl.arange(8).reshape(1, 1, 2, 2, 2)


def drawn(*shape: int, low: float = 0.1, high: float = 0.9, seed: int = 0) -> gl.Tensor:
    """Numbers at which every function of the surface is defined and smooth."""
    return gl.tensor(np.random.default_rng(seed).uniform(low, high, shape), requires_grad=True)


def check(function: Callable[..., Any], *inputs: Any) -> None:
    assert gradcheck(function, inputs)
    assert gradgradcheck(function, inputs)


# Whatever takes one tensor or two of one shape is found here by itself.
def differentiable(function: Callable[..., Any], count: int) -> bool:
    """Whether `function` takes `count` matrices and gives a float64 with a history, defined there and not random."""
    state = gl.get_rng_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = function(*(drawn(2, 2, seed=seed) for seed in range(count)))
    except Exception:  # it takes something else
        return False
    if not isinstance(result, gl.Tensor) or not result.requires_grad or result.dtype is not gl.float64:
        return False
    return bool(result.isfinite().all()) and gl.get_rng_state().tolist() == state.tolist()


for package in (gl, functional, gl.special, gl.linalg, gl.xp):
    for name in dir(package):  # the surface has what was imported
        getattr(package, name)
FOUND = [
    (function, count)
    for function, name in SURFACE.items()
    for count in (1, 2)
    if not name.endswith("_") and differentiable(function, count)
]


READ_ONE_TRIANGLE = {"cholesky", "eigvalsh", "xp.cholesky", "xp.eigvalsh"}
"""Functions of symmetric matrices, of which no element can change alone."""
OF_FIRST_ORDER = {"igamma", "igammac", "gammainc", "gammaincc"}
"""Their second derivatives by the shape are an error."""


def test_a_derivative_that_is_not_known_is_an_error_and_not_zero() -> None:
    a, x = drawn(3), drawn(3, seed=1)
    check(lambda x: gl.special.zeta(a.detach() + 1.5, x), x)
    with pytest.raises(NotImplementedError, match="'zeta: input'"):
        gl.autograd.grad(gl.special.zeta(a + 1.5, x).sum(), a)
    (slope,) = gl.autograd.grad(gl.igamma(a, x).sum(), a, create_graph=True)
    with pytest.raises(NotImplementedError, match="'gamma_slope: input'"):
        gl.autograd.grad(slope.sum(), a)


def test_most_functions_are_found() -> None:
    names = {SURFACE[function] for function, _ in FOUND}
    assert len(names) > 60
    assert names >= {"add", "pow", "asin", "max", "std", "norm", "matmul", "silu", "mse_loss"}


@pytest.mark.parametrize(("function", "count"), FOUND, ids=lambda each: SURFACE.get(each, str(each)))
def test_functions_of_tensors_alone(function: Callable[..., Any], count: int) -> None:
    if SURFACE[function] in READ_ONE_TRIANGLE:
        check(lambda x: function(x @ x.mT + gl.eye(2, dtype=gl.float64)), drawn(2, 2))
    elif SURFACE[function] in OF_FIRST_ORDER:
        assert gl.autograd.gradcheck(function, tuple(drawn(2, 2, seed=seed) for seed in range(count)))
    else:
        check(function, *(drawn(2, 2, seed=seed) for seed in range(count)))


def written(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
    """A copy, parts of which are written in place."""
    result = x * 1
    result[1:, 0] = y
    result[0].mul_(y)
    return result * x


# What takes other shapes, or more than tensors.
WITH_MORE: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "layer_norm": (lambda x, w, b: functional.layer_norm(x, (3,), w, b), ((2, 3), (3,), (3,))),
    "layer_norm without bias": (lambda x, w: functional.layer_norm(x, (2, 3), w), ((2, 2, 3), (2, 3))),
    "layer_norm without weight": (lambda x, b: functional.layer_norm(x, (3,), None, b), ((2, 3), (3,))),
    "embedding": (lambda w: functional.embedding(gl.tensor([[1, 3], [1, 0]]), w), ((4, 2),)),
    "linear": (functional.linear, ((4, 3), (2, 3), (2,))),
    "linear without bias": (functional.linear, ((2, 2, 3), (2, 3))),
    "gelu": (lambda x: functional.gelu(x - 0.5), ((2, 3),)),
    "gelu by tanh": (lambda x: functional.gelu(x - 0.5, approximate="tanh"), ((2, 3),)),
    "relu": (lambda x: functional.relu(x - 0.5) ** 2, ((2, 3),)),
    "silu": (lambda x: functional.silu(x * 4 - 2), ((2, 3),)),
    "sigmoid": (lambda x: functional.sigmoid(x * 8 - 4), ((2, 3),)),
    "tanh": (lambda x: functional.tanh(x * 8 - 4), ((2, 3),)),
    "softmax": (lambda x: functional.softmax(x, 1), ((2, 3),)),
    "softmax along the first axis": (lambda x: functional.softmax(x, 0), ((3, 2),)),
    "log_softmax": (lambda x: functional.log_softmax(x, -1), ((2, 3),)),
    "cross_entropy": (lambda x: functional.cross_entropy(x, CLASSES), ((4, 3),)),
    "cross_entropy, each": (lambda x: functional.cross_entropy(x, CLASSES, reduction="none"), ((4, 3),)),
    "cross_entropy, smoothed": (lambda x: functional.cross_entropy(x, CLASSES, label_smoothing=0.1), ((4, 3),)),
    "cross_entropy of probabilities": (functional.cross_entropy, ((4, 3), (4, 3))),
    "cross_entropy with an ignored class": (lambda x: functional.cross_entropy(x, CLASSES, ignore_index=2), ((4, 3),)),
    "nll_loss": (lambda x: functional.nll_loss(functional.log_softmax(x, 1), CLASSES), ((4, 3),)),
    "mse_loss": (lambda x, y: functional.mse_loss(x, y, reduction="sum"), ((2, 3), (2, 3))),
    "l1_loss": (lambda x, y: functional.l1_loss(x * x, y - 1), ((2, 3), (2, 3))),
    "binary_cross_entropy_with_logits": (
        lambda x, y, w, p: functional.binary_cross_entropy_with_logits(x, y, w, pos_weight=p),
        ((2, 3), (2, 3), (3,), (3,)),
    ),
    "leaky_relu": (lambda x: functional.leaky_relu(x * 4 - 2) ** 2, ((2, 3),)),
    "elu": (lambda x: functional.elu(x * 4 - 2), ((2, 3),)),
    "softplus": (lambda x: functional.softplus(x * 4 - 2), ((2, 3),)),
    "logsigmoid": (lambda x: functional.logsigmoid(x * 4 - 2), ((2, 3),)),
    "hardtanh": (lambda x: functional.hardtanh(x * 4 - 2) ** 2, ((2, 3),)),
    "relu6": (lambda x: functional.relu6(x * 16 - 5) ** 2, ((2, 3),)),
    "mish": (lambda x: functional.mish(x * 4 - 2), ((2, 3),)),
    "softsign": (lambda x: functional.softsign(x * 4 - 2), ((2, 3),)),
    "glu": (functional.glu, ((2, 4),)),
    "normalize": (functional.normalize, ((2, 3),)),
    "cosine_similarity": (functional.cosine_similarity, ((2, 3), (2, 3))),
    "one_hot": (lambda x: functional.one_hot(CLASSES, 3) * x, ((4, 3),)),
    "pad": (lambda x: functional.pad(x, (1, 2, -1, 0)) ** 2, ((2, 3),)),
    "rms_norm": (lambda x, w: functional.rms_norm(x, (3,), w), ((2, 3), (3,))),
    "scaled_dot_product_attention": (functional.scaled_dot_product_attention, ((2, 2, 3), (2, 2, 3), (2, 2, 3))),
    "smooth_l1_loss": (lambda x, y: functional.smooth_l1_loss(x * 4, y), ((2, 3), (2, 3))),
    "huber_loss": (lambda x, y: functional.huber_loss(x * 4, y), ((2, 3), (2, 3))),
    "kl_div": (lambda x, y: functional.kl_div(x, y + 0.5, reduction="batchmean"), ((2, 3), (2, 3))),
    "lerp": (gl.lerp, ((2, 3), (2, 3), (2, 3))),
    "addcmul": (lambda x, y, z: gl.addcmul(x, y, z, value=0.5), ((2, 3), (3,), (2, 1))),
    "addcdiv": (lambda x, y, z: gl.addcdiv(x, y, z, value=0.5), ((2, 3), (3,), (2, 1))),
    "addmm": (lambda x, y, z: gl.addmm(x, y, z, beta=0.5, alpha=2), ((2,), (2, 3), (3, 2))),
    "bmm": (gl.bmm, ((2, 2, 3), (2, 3, 1))),
    "matmul that broadcasts": (gl.matmul, ((2, 1, 2, 3), (2, 3, 1))),
    "mv": (gl.mv, ((2, 3), (3,))),
    "dot": (gl.dot, ((3,), (3,))),
    "outer": (gl.outer, ((3,), (2,))),
    "index": (lambda x: x[gl.tensor([0, 1, 0]), 1:], ((2, 3),)),
    "index_add": (lambda x, y: x.index_add(0, gl.tensor([1, 1]), y, alpha=2), ((3, 2), (2, 2))),
    "gather": (lambda x: x.gather(1, gl.tensor([[0, 0, 2], [1, 2, 1]])) ** 2, ((2, 3),)),
    "norm of order 1": (lambda x: gl.norm(x - 1, 1, 1), ((2, 3),)),
    "acosh": (lambda x: gl.acosh(x + 1), ((2, 3),)),
    "largest": (lambda x: gl.norm(x, float("inf"), 1), ((2, 3),)),
    "logsumexp": (lambda x: gl.logsumexp(x, (0, 1)) * gl.logsumexp(x, 1, keepdim=True), ((2, 3),)),
    "clamp": (lambda x: gl.clamp(x, 0.3, 0.7) ** 2, ((3, 3),)),
    "var without correction": (lambda x: gl.var(x, 0, correction=0), ((3, 2),)),
    "std along two axes": (lambda x: gl.std(x, (0, 1)), ((3, 2),)),
    "prod with a zero": (lambda x: gl.cat([x, x * 0]).prod() + gl.cat([x, x[:1] * 0], 0).prod(0), ((3,),)),
    "elements written": (written, ((3, 2), (2,))),
    "stack and unbind": (lambda x, y: tuple(gl.stack([x, y * x], 1).unbind(1)), ((2,), (2,))),
    "var and mean": (lambda x: (x.var(1), x.mean(1)), ((2, 3),)),
}
SIGNS = gl.tensor([1.0, -1.0, -1.0, 1.0])
LABELS = gl.tensor([[2, 0, -1], [-1, 1, 2], [1, -1, 0], [0, 1, 2]])
MEAN, VAR = gl.tensor([0.5, 0.25, 2.0], dtype=gl.float64), gl.tensor([1.0, 0.5, 2.0], dtype=gl.float64)
WITH_MORE |= {
    "batch_norm": (lambda x, w, b: functional.batch_norm(x, None, None, w, b, True), ((4, 3), (3,), (3,))),
    "batch_norm of images": (
        lambda x, w: functional.batch_norm(x, MEAN + 0, VAR + 0, w, training=True),
        ((2, 3, 2), (3,)),
    ),
    "batch_norm evaluated": (lambda x, w, b: functional.batch_norm(x, MEAN, VAR, w, b), ((4, 3), (3,), (3,))),
    "instance_norm": (lambda x, w, b: functional.instance_norm(x, None, None, w, b), ((2, 3, 4), (3,), (3,))),
    "group_norm": (lambda x, w, b: functional.group_norm(x, 2, w, b), ((2, 4, 3), (4,), (4,))),
    "local_response_norm": (lambda x: functional.local_response_norm(x, 2, alpha=0.5), ((2, 3, 2),)),
    "threshold": (lambda x: functional.threshold(x * 4 - 2, 0.5, 1.0) ** 2, ((2, 3),)),
    "selu": (lambda x: functional.selu(x * 4 - 2), ((2, 3),)),
    "celu": (lambda x: functional.celu(x * 4 - 2, 0.7), ((2, 3),)),
    "hardsigmoid": (lambda x: functional.hardsigmoid(x * 16 - 8) ** 2, ((2, 3),)),
    "hardswish": (lambda x: functional.hardswish(x * 16 - 8), ((2, 3),)),
    "hardshrink": (lambda x: functional.hardshrink(x * 4 - 2) ** 2, ((2, 3),)),
    "softshrink": (lambda x: functional.softshrink(x * 4 - 2) ** 2, ((2, 3),)),
    "tanhshrink": (lambda x: functional.tanhshrink(x * 4 - 2), ((2, 3),)),
    "softmin": (lambda x: functional.softmin(x, 1), ((2, 3),)),
    "prelu": (lambda x, w: functional.prelu(x * 4 - 2, w), ((2, 3), (3,))),
    "rrelu": (lambda x: functional.rrelu(x * 4 - 2) ** 2, ((2, 3),)),
    "binary_cross_entropy": (lambda x, y, w: functional.binary_cross_entropy(x, y, w), ((2, 3), (2, 3), (3,))),
    "gaussian_nll_loss": (functional.gaussian_nll_loss, ((2, 3), (2, 3), (2, 3))),
    "poisson_nll_loss": (lambda x, y: functional.poisson_nll_loss(x, y + 1, full=True), ((2, 3), (2, 3))),
    "cosine_embedding_loss": (lambda x, y: functional.cosine_embedding_loss(x, y - 0.5, SIGNS), ((4, 3), (4, 3))),
    "hinge_embedding_loss": (lambda x: functional.hinge_embedding_loss(x * 4, SIGNS) ** 2, ((4,),)),
    "margin_ranking_loss": (lambda x, y: functional.margin_ranking_loss(x * 4, y, SIGNS) ** 2, ((4,), (4,))),
    "multi_margin_loss": (lambda x: functional.multi_margin_loss(x, CLASSES, p=2), ((4, 3),)),
    "multilabel_margin_loss": (lambda x: functional.multilabel_margin_loss(x, LABELS) ** 2, ((4, 3),)),
    "multilabel_soft_margin_loss": (functional.multilabel_soft_margin_loss, ((4, 3), (4, 3), (3,))),
    "soft_margin_loss": (functional.soft_margin_loss, ((4, 3), (4, 3))),
    "triplet_margin_loss": (functional.triplet_margin_loss, ((4, 3), (4, 3), (4, 3))),
    "triplet_margin_with_distance_loss": (functional.triplet_margin_with_distance_loss, ((4, 3), (4, 3), (4, 3))),
    "pairwise_distance": (functional.pairwise_distance, ((4, 3), (4, 3))),
    "pdist": (functional.pdist, ((3, 2),)),
    "ctc_loss": (
        lambda x: functional.ctc_loss(functional.log_softmax(x, 2), gl.tensor([[1, 1], [2, 0]]), (4, 3), (2, 1)),
        ((4, 2, 3),),
    ),
    "channel_shuffle": (lambda x: functional.channel_shuffle(x, 2) ** 2, ((1, 4, 2, 2),)),
    "pixel_unshuffle": (lambda x: functional.pixel_unshuffle(x, 2) ** 2, ((1, 1, 4, 4),)),
    "upsample": (lambda x: functional.upsample(x, scale_factor=2) ** 2, ((1, 1, 2, 2),)),
    "max_unpool3d": (lambda x: functional.max_unpool3d(x, PLACES, 2) ** 2, ((1, 1, 2, 2, 2),)),
    "bilinear": (functional.bilinear, ((2, 3), (2, 2), (4, 3, 2), (4,))),
}


# Points at which a formula has a kink or a division by 0 that the function has not.
def test_second_derivatives_of_a_loss_at_logits_of_zero() -> None:
    logits, targets = drawn(2, 3) * 0, drawn(2, 3, seed=1)
    weight = gl.tensor(0.5, dtype=gl.float64)
    check(functional.binary_cross_entropy_with_logits, logits, targets)
    check(lambda x, y: functional.binary_cross_entropy_with_logits(x, y, pos_weight=weight), logits, targets)


@pytest.mark.parametrize("function", [gl.norm, gl.std], ids=["norm", "std"])
def test_the_gradient_of_a_length_of_zero_is_zero(function: Callable[..., gl.Tensor]) -> None:
    x = gl.tensor([0.0, 0.0, 0.0], requires_grad=True)
    assert gl.autograd.grad(function(x), x)[0].tolist() == [0.0, 0.0, 0.0]
    many = gl.tensor([[0.0, 0.0], [3.0, -3.0]], requires_grad=True)
    (slopes,) = gl.autograd.grad(function(many, dim=1).sum(), many)
    assert slopes[0].tolist() == [0.0, 0.0] and slopes[1].abs().min() > 0.5


def test_ties_do_not_disturb_logsumexp() -> None:
    check(lambda x: gl.logsumexp(x, 0), gl.ones(3, dtype=gl.float64, requires_grad=True))


@pytest.mark.parametrize("name", WITH_MORE)
def test_functions_with_more(name: str) -> None:
    function, shapes = WITH_MORE[name]
    check(function, *(drawn(*shape, seed=seed) for seed, shape in enumerate(shapes)))


def test_every_function_of_nn_is_there() -> None:
    cases = Path(__file__).parents[1] / "nn" / "figures" / "cases"  # PyTorch's figures, with second derivatives
    covered = " ".join([*WITH_MORE, *(each.read_text(encoding="utf-8") for each in sorted(cases.glob("*.py")))])
    drawing = (
        "dropout",
        "dropout1d",
        "dropout2d",
        "dropout3d",
        "alpha_dropout",
        "feature_alpha_dropout",
        "gumbel_softmax",
    )  # no two calls are of one function
    named = [name for name in functional.__all__ if not name.endswith("_")]
    elsewhere = (*drawing, "multi_head_attention_forward")  # which nn.MultiheadAttention calls
    assert [name for name in named if name not in covered and name not in elsewhere] == []


def test_solutions_of_symmetric_equations_have_a_derivative_by_the_right_side_alone() -> None:
    a = gl.tensor([[0.0, 2.0, 1.0], [2.0, 1.0, -1.0], [1.0, -1.0, 0.5]], dtype=gl.float64)
    b = gl.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 1.0]], dtype=gl.float64, requires_grad=True)
    factors = gl.linalg.ldl_factor(a)
    check(lambda b: gl.linalg.ldl_solve(*factors, b), b)
    a.requires_grad_()
    with pytest.raises(NotImplementedError, match="'ldl_factor: A'"):
        gl.autograd.grad(gl.linalg.ldl_factor(a).LD.sum(), a)
    whole = factors.LD.detach().requires_grad_()
    with pytest.raises(NotImplementedError, match="'ldl_solve: LD'"):
        gl.autograd.grad(gl.linalg.ldl_solve(whole, factors.pivots, b).sum(), whole)
