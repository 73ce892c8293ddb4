"""Writes the figures that the tests of `amp` compare with. It needs PyTorch, and is run by hand:

    python tests/amp/figures/make.py      (with PyTorch 2.13.0, CPU)

`DTYPES` are expressions, of operands in each of three dtypes and of mixed ones; stored are the dtypes of their results
under autocast. `trained` and `scaled` are programs over either library.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

DTYPES = """
F.conv1d(seq, kernel3)
F.conv2d(img, kernel33)
F.conv_transpose2d(img, back33)
t.bmm(B, B)
t.mm(M, M)
t.matmul(M, M)
t.matmul(M, v)
t.matmul(v, v)
M @ M
M.matmul(M)
M.mm(M)
t.mv(M, v)
t.dot(v, v)
t.inner(M, M)
t.inner(v, v)
t.outer(v, v)
t.addmm(M, M, M)
t.addmv(v, M, v)
t.addr(M, v, v)
t.addbmm(M, B, B)
t.baddbmm(B, B, B)
t.kron(M, M)
t.vdot(v, v)
F.linear(M, M, v)
F.linear(M, M)
F.bilinear(M, M, B[:1])
t.einsum('ij,jk->ik', M, M)
t.einsum('ij,ij->ij', M, M)
t.einsum('ij->j', M)
t.tensordot(M, M, 1)
t.chain_matmul(M, M, M)
t.matrix_power(M, 3)
t.cdist(M, M)
F.scaled_dot_product_attention(B, B, B)
F.prelu(M, v[:1])
F.softmax(M, -1)
F.log_softmax(M, -1)
F.layer_norm(M, (4,))
F.layer_norm(M, (4,), weight, weight)
F.group_norm(img, 3)
F.batch_norm(img, None, None, training=True)
F.normalize(M)
t.exp(M)
t.log(v)
M ** 2
M.sum()
M.mean()
t.prod(M)
M.prod(0)
M.cumsum(0)
M.norm()
t.logsumexp(M, 0)
F.cosine_similarity(M, M)
F.pairwise_distance(M, M)
F.softplus(M)
F.gelu(M)
M.std()
t.quantile(M, 0.5)
t.nanquantile(M, 0.5)
t.trace(M)
F.mse_loss(M, M)
F.l1_loss(M, M)
F.smooth_l1_loss(M, M)
F.huber_loss(M, M)
F.cross_entropy(M, classes)
F.nll_loss(M, classes)
F.binary_cross_entropy(M, M)
F.binary_cross_entropy_with_logits(M, M)
F.kl_div(M, M)
F.poisson_nll_loss(M, M)
F.gaussian_nll_loss(M, M, M)
F.soft_margin_loss(M, signs)
F.hinge_embedding_loss(M, signs)
F.cosine_embedding_loss(M, M, signs[0])
F.margin_ranking_loss(v, v, signs[0])
F.triplet_margin_loss(M, M, M)
F.multi_margin_loss(M, classes)
F.multilabel_soft_margin_loss(M, M)
F.avg_pool2d(img, 2)
F.max_pool2d(img, 2)
F.adaptive_avg_pool2d(img, 2)
F.pad(seq, (1, 1), mode='reflect')
F.pad(img, (1, 1, 1, 1), mode='replicate')
F.pad(seq, (1, 1), mode='circular')
F.pad(seq, (1, 1))
F.interpolate(img, scale_factor=2)
F.embedding(classes, M)
t.linalg.inv(S)
t.linalg.solve(S, M)
t.linalg.cholesky(S)
t.linalg.svdvals(S)
t.linalg.eigvalsh(S)
""".strip().splitlines()

MIXED = """
t.cat([M, N])
t.cat([N, M])
t.stack([M, N])
t.hstack([M, N])
t.vstack([M, N])
t.index_copy(M, 0, classes[:1], N[:1])
M + N
t.addcmul(M, N, M)
t.where(M > 0.5, M, N)
t.outer(v, w)
F.linear(M, N)
F.linear(M, N, w)
t.addmm(M, N, M)
F.mse_loss(M, N)
F.cross_entropy(M, classes, weight=w)
F.layer_norm(M, (4,), w, w)
F.prelu(M, w[:1])
""".strip().splitlines()

PAIRS = (("bfloat16", "float32"), ("float32", "bfloat16"))


def numbers(*shape: int) -> list[float]:
    """Numbers between 0.2 and 0.8."""
    return [0.5 + 0.3 * math.sin(1.3 * k + 0.4) for k in range(math.prod(shape))]


def tensor(t: Any, dtype: str, *shape: int) -> Any:
    """A tensor of `numbers`."""
    return t.tensor(numbers(*shape), dtype=t.float64).reshape(shape).to(getattr(t, dtype))


def operands(t: Any, first: str, second: str) -> dict[str, Any]:
    """The names that expressions may use."""
    shapes = {"M": (4, 4), "v": (4,), "B": (2, 4, 4), "img": (2, 3, 8, 8), "seq": (2, 3, 8), "kernel3": (5, 3, 3),
              "kernel33": (5, 3, 3, 3), "back33": (3, 5, 3, 3)}  # fmt: skip
    found = {name: tensor(t, first, *shape) for name, shape in shapes.items()}
    found["S"] = (t.eye(4, dtype=t.float64) * 3 + 0.25).to(getattr(t, first))
    found.update(N=tensor(t, second, 4, 4), w=tensor(t, second, 4))
    weight = tensor(t, "float64" if first == "float64" else "float32", 4)
    found.update(weight=weight, classes=t.arange(4), signs=t.ones(4, 4), t=t, F=t.nn.functional)
    return found


def dtype_of(t: Any, text: str, first: str, second: str) -> str:
    """The dtype of an expression's result under autocast; the class of what it raises, if it does."""
    names = operands(t, first, second)
    with t.autocast("cpu"):
        try:
            return str(eval(text, names).dtype).replace("torch.", "")  # noqa: S307  (the lines above)
        except RuntimeError as error:
            return "NotImplementedError" if isinstance(error, NotImplementedError) else "RuntimeError"


def model_of(t: Any) -> list[Any]:
    """The parameters of a small network: two matrices, the second of them used twice, biases, and those of a norm."""
    shapes = ((6, 5), (6,), (6, 6), (6,), (6,), (6,))
    return [t.nn.Parameter(tensor(t, "float32", *shape) - 0.5 * (k < 4)) for k, shape in enumerate(shapes)]


def loss_of(t: Any, parameters: list[Any], x: Any, y: Any) -> Any:
    """The loss of the network."""
    first, bias, second, other, scale, shift = parameters
    functional = t.nn.functional
    h = functional.relu(functional.linear(x, first, bias))
    h = functional.layer_norm(functional.linear(h, second, other), (6,), scale, shift)
    return functional.cross_entropy(functional.linear(h + h * 0.5, second), y)


def trained(t: Any, dtype: str, steps: int = 8, wrap: Any = lambda step: step) -> dict[str, Any]:
    """Losses and parameters of some steps under autocast. wrap: what is done to the step first."""
    parameters = model_of(t)
    optimizer = t.optim.SGD(parameters, lr=0.1)
    x, y = tensor(t, "float32", 4, 5), t.arange(4)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        with t.autocast("cpu", dtype=getattr(t, dtype)):
            loss = loss_of(t, parameters, x, y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    step = wrap(step)
    losses = [float(step(x, y)) for _ in range(steps)]
    return {"losses": losses, "parameters": [each.tolist() for each in parameters]}


OVERFLOWS = (2, 3, 9)


def scaled(t: Any, kind: str, settings: dict[str, Any], steps: int = 14) -> list[Any]:
    """The scale, its tracker and the parameters after each step; the gradients of some overflow."""
    parameter = t.nn.Parameter(tensor(t, "float32", 3, 2))
    optimizer = getattr(t.optim, kind)([parameter], **settings)
    scaler = t.amp.GradScaler("cpu", init_scale=64.0, growth_interval=3, growth_factor=1.5, backoff_factor=0.25)
    found = []
    for number in range(steps):
        optimizer.zero_grad()
        factor = float("inf") if number in OVERFLOWS else 1.0
        loss = (parameter * parameter * factor).sum()
        scaler.scale(loss).backward()
        if number % 2:
            scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        state = scaler.state_dict()
        found.append([state["scale"], state["_growth_tracker"], parameter.tolist()])
    return found


SCALED: dict[str, tuple[str, dict[str, Any]]] = {
    "sgd": ("SGD", {"lr": 0.1, "momentum": 0.9}),
    "adam": ("Adam", {"lr": 0.1}),
}


def main() -> None:
    """Writes torch.json beside this file."""
    import torch  # type: ignore[import-not-found]

    figures = {
        "origin": f"PyTorch {torch.__version__}, CPU",
        "dtypes": {
            text: {each: dtype_of(torch, text, each, each) for each in ("float32", "bfloat16", "float64")}
            for text in DTYPES
        },
        "mixed": {text: [dtype_of(torch, text, *pair) for pair in PAIRS] for text in MIXED},
        "trained": {dtype: trained(torch, dtype) for dtype in ("bfloat16", "float16")},
        "scaled": {name: scaled(torch, *case) for name, case in SCALED.items()},
    }
    (HERE / "torch.json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
