"""Every function of the surface gives inside a jitted function what it gives outside, or breaks the graph."""

from __future__ import annotations

import linecache
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, broken, check

import guardlift as gl
from guardlift import nn
from guardlift.nn import functional as F
from guardlift.tensor.surface import SURFACE

NAMES = "x y v s i b m B C d t f k n".split()


def uniform(seed: int, *shape: int, dtype: str = "f4") -> Any:
    """Numbers for which every function is defined and smooth."""
    return gl.tensor(np.random.default_rng(seed).uniform(0.2, 0.9, shape).astype(dtype))


def arguments(number: int) -> Sequence[Any]:
    """Tensors of every kind; `f` is column-major. The numbers `k` and `n` differ from call to call."""
    floats = {
        "x": uniform(0, 3, 4), "y": uniform(1, 3, 4), "v": uniform(2, 4), "s": uniform(3), "m": uniform(6, 4, 5),
        "B": uniform(7, 2, 3, 4), "C": uniform(8, 2, 4, 3), "d": uniform(9, 3, 4, dtype="f8"),
        "f": gl.from_numpy(np.array(uniform(10, 3, 4).numpy(), order="F")),
    }  # fmt: skip
    for each in floats.values():
        each.requires_grad_()
    rng = np.random.default_rng(4)
    others = {
        "i": gl.tensor(rng.integers(0, 4, (3, 4))), "b": gl.tensor(rng.random((3, 4)) > 0.5),
        "t": gl.tensor(np.array([1, 0, 3])), "k": 0.3 + 0.1 * number, "n": 2 + number,
    }  # fmt: skip
    together = {**floats, **others}
    return [together[name] for name in NAMES]


def program(text: str) -> Any:
    """A function of the arguments that gives an expression, with source lines for tracebacks."""
    source = f"def program({', '.join(NAMES)}):\n    return {text}\n"
    file = f"<{text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace: dict[str, Any] = {"gl": gl, "F": F, "nn": nn, "np": np, "math": math}
    exec(compile(source, file, "exec"), namespace)
    return namespace["program"]


UNARY = (
    "neg abs positive acos asin atan ceil cos cosh erf exp exp2 expm1 floor isfinite isinf isnan log log10 log1p log2 "
    "reciprocal relu round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc nan_to_num logical_not"
).split()
IN_PLACE = (
    "neg_ acos_ asin_ atan_ cos_ cosh_ erf_ exp_ exp2_ expm1_ log_ log10_ log1p_ log2_ relu_ sigmoid_ sin_ sinh_ sqrt_ "
    "tan_ tanh_ zero_"
).split()
OPERATORS = "+ - * / // % ** < <= > >= == != & | ^ @".split()
PAIRS = "x y; x v; x s; x f; i i; b b; x i; i b; x d; x k; k x; n i; i 2.5; s k; v m; B C; x None".split("; ")
BINARY = (
    "add sub mul div floor_divide remainder pow maximum minimum eq ne lt le gt ge logical_and logical_or bitwise_and "
    "bitwise_or bitwise_xor"
).split()


def _families() -> dict[str, list[str]]:
    """Expressions, by what they are about."""
    return {
        "one operand": [f"{a}.{name}()" for name in UNARY for a in "xisfb"] + [f"gl.{name}(B)" for name in UNARY],
        "one operand, in place": [f"({a} * 1).{name}()" for name in IN_PLACE for a in "xi"],
        "operators": [f"{pair.replace(' ', f' {op} ')}" for op in OPERATORS for pair in PAIRS],
        "two operands": [f"{a}.{name}({c})" for name in BINARY for a, c in ("xy", "ii", "bb", "xi", "xk", "in")],
        "two operands, in place": [
            f"({a} * 1).{name}_({c})"
            for name in ("add", "sub", "mul", "div", "floor_divide", "remainder", "pow")
            for a, c in ("xy", "xv", "vx", "xk", "xn", "ii", "in", "ik", "xd")
        ],
        **{name: [each.strip() for each in text.split(";")] for name, text in _MORE.items()},
    }


_MORE = {
    "with factors": """gl.add(x, y, alpha=k); x.sub(y, alpha=2); i.add(i, alpha=k); gl.addcdiv(x, y, v);
        x.addcmul(y, f, value=k); (x * 1).addcmul_(x, y, value=k); (x * 1).add_(y, alpha=k); x.lerp(y, k);
        x.lerp(y, v); (x * 1).lerp_(y, 0.3); x.div(y, rounding_mode='floor'); x.div(y, rounding_mode='bad')""",
    "products": """x.matmul(m); v @ m; gl.matmul(B, C); gl.mm(x, m); gl.mm(x, x); gl.bmm(B, C); gl.mv(x, v);
        gl.dot(v, v); v.dot(x); gl.outer(v, v); gl.addmm(v[:1], m.t(), m, beta=k, alpha=n); F.linear(x, y);
        F.linear(x, y, v[:3]); F.linear(B, f); x.t() @ f; B.permute(1, 2, 0) @ B.permute(1, 0, 2)""",
    "conversions": """x.bool(); x.clone(); f.clone(); f.contiguous(); x.cpu(); x.double(); x.float(); f.double();
        x.int(); i.float(); x.to(gl.float64); x.to('cpu'); x.to(dtype=gl.int32); x.to(d); x.to(gl.float32, copy=True);
        x.type_as(i); f.is_contiguous(); x.to('cuda'); x.half()""",
    "creation": """gl.arange(5); gl.arange(1, 7, 2); gl.as_tensor(x); gl.as_tensor(k); gl.full((2, 3), k);
        gl.full((2, 3), n); gl.full((2,), True); gl.full_like(f, k); gl.full_like(i, n); gl.ones(2, 3);
        gl.ones((2, 3), dtype=gl.int64); gl.ones_like(f); gl.tensor(k); gl.tensor(n); gl.tensor(True); gl.zeros(2);
        gl.tensor(1, dtype=gl.float64); gl.zeros_like(f); gl.zeros(2, requires_grad=True); gl.empty(3).shape;
        gl.zeros(2, dtype=gl.int64, requires_grad=True); gl.eye(3); gl.linspace(0, 1, 5); gl.tensor([1.0, 2.0]);
        gl.arange(n); gl.zeros(n)""",
    "picking": """x[0] * 1; x[-1] + 1; x[n] * 1; x[0, 1] * 1; x[0:2] * 1; x[:, ::2] * 1; x[None] * 1; x[..., 0] * 1;
        x[t[:2] * 0]; x[t, t]; x[:, t]; x[b]; x[5]; x[0, 0, 0]; x[t[0]]; x[1:n] * 1; s[None] * 1; s[0]; x['a']; x[1.5];
        x[::-1]; B[..., t]; B[0][t[:2] * 0]; x[None, 0, None] * 1; x[[0, 1]]; gl.gather(x, 1, i); gl.gather(f, 1, i);
        gl.index_select(x, 1, t); x.index_add(1, t, y[:, :3]); x.masked_select(b); x.nonzero(); x.gather(1, i + 9);
        B.transpose(0, 2)[t[:2] * 0]""",
    "joining": """gl.cat([x, y]); gl.cat((x, y), 1); gl.cat([x, d]); gl.cat([x, i]); gl.cat([]); gl.cat([x, v]);
        gl.cat([f, f]); gl.stack([x, y], -1); gl.stack([x, v]); x.chunk(2)[1] * 1; x.narrow(1, 1, 2) * 1;
        x.narrow(0, 0, 5); x.split([1, 2])[1] * 1; x.split([1, 1]); x.unbind(1)[2] * 1; [r * 2 for r in x];
        gl.stack([r.sum() for r in x])""",
    "choosing": """gl.where(b, x, y); gl.where(b, x, 0.0); gl.where(b, k, x); gl.where(b, x, i); gl.where(b, k, 2.0);
        gl.where(b, n, 2); gl.where(b, f, f); gl.where(i, x, y); x.where(b, y); x.clamp(0.3, 0.6); x.clamp(min=k);
        x.clamp(v, y); i.clamp(0.5, 2); x.clamp(); (x * 1).clamp_(min=k); x.masked_fill(b, k); f.masked_fill(b, 0.0);
        (x * 1).masked_fill_(b, k); x.masked_fill(i, 1.0); ~b; ~i; ~x; -b; abs(x); x.nan_to_num(k)""",
    "reductions": """x.all(); b.all(1); b.any(0, True); x.amax(1); x.amax((0, 1)); f.amin(0); x.argmax(1);
        x.argmin(); x.max(); x.max(1); x.max(1).values * 2; x.max(1).indices; x.min(0, keepdim=True)[0];
        gl.max(x, y); x.log_softmax(1);
        f.softmax(0); x.softmax(1, dtype=gl.float64); x.logsumexp(1); x.mean(); x.mean((0, 1)); i.mean();
        i.mean(dtype=gl.float32); x.norm(); x.norm(1); x.norm(2, 1); x.norm(3.0); x.prod(1); i.prod(); x.std(1);
        x.std(1, unbiased=False); x.var(0, correction=0); f.var(1, keepdim=True); x.sum(-1, True); b.sum(1); s.sum();
        x.sum(dtype=gl.float64); x.sum(2); x.sum(dim=()); B.transpose(0, 2).sum(1); B.transpose(0, 2).max(1);
        x[1:1].max(); x[:, 1:1].sum(1); B.transpose(0, 1).mean(2)""",
    "shapes": """len(x); len(s); x.broadcast_to((2, 3, 4)) * 1; x.dim(); v.expand_as(x) + x; x.expand(5);
        B.flatten(1) * 1; x.movedim(0, 1) * 1; x.numel(); x.permute(1, 0) * 1; x.permute(0, 0); x.reshape(4, -1) * 1;
        f.reshape(-1); x.reshape(5); x.size(); x.size(-1); x.size(5); x[:1].squeeze(0) * 1; B.t(); x.t() * 1;
        x.transpose(0, 5); x.unflatten(1, (2, -1)) * 1; x.unsqueeze(-1) * 1; x.view(2, 6) * 1; f.view(-1); x.T * 1;
        B.mT * 1; x.shape; x.shape[0] * 2; x.ndim; x.dtype; x.stride(); f.stride(0); x.is_leaf; x.requires_grad;
        x.is_floating_point(); x.is_sparse; x.layout; x * 2 if x.layout is gl.strided else x;
        x.nope; x.sum() / x.numel()""",
    "losses": """F.relu(x - 0.5); F.gelu(f); F.gelu(x, approximate='tanh'); F.gelu(x, 'bad'); F.silu(f);
        F.layer_norm(x, (4,)); F.layer_norm(f, (4,), v, v, 1e-3); F.layer_norm(x, (5,)); F.softmax(x, 1);
        F.embedding(t, x[:3] * 1); F.embedding(i, m); F.embedding(i, m, padding_idx=-1); F.embedding(i, x);
        F.log_softmax(x, dim=1); F.cross_entropy(x, t); F.cross_entropy(x, t, reduction='none');
        F.cross_entropy(x, t, ignore_index=0); F.cross_entropy(x, t, label_smoothing=0.1); F.cross_entropy(x, t + 9);
        F.cross_entropy(x, x.softmax(1)); F.cross_entropy(x, t, reduction='bad'); F.nll_loss(x, t);
        F.nll_loss(x, t - 1); F.mse_loss(x, y); F.mse_loss(f, f * 2, reduction='none'); F.l1_loss(x, y);
        F.binary_cross_entropy_with_logits(x, y, weight=y, pos_weight=v);
        F.binary_cross_entropy_with_logits(x, v)""",
    "writing": """(x * 1).copy_(y); i.clone().copy_(x); (v * 1).copy_(x); (i * 1).fill_(k);
        (x * 1).detach().fill_(s.item())""",
    "errors": """x.add(); x.exp(1); gl.exp(x, y); gl.sin('a'); gl.sin(k); x.sum(foo=1); x.item(); float(x); x + [1];
        x + 1j; x + m; B - C""",
    "the language": """x is x; x is y; isinstance(x, gl.Tensor); x ** 2; x ** k; x ** -1; i ** 2; i ** -1; 2 ** x;
        math.sqrt(2) * x; x * (k + 1); k * n * x; s.item(); float(s); {'a': x, 'b': [y * 2]}; x.to(x.dtype);
        x * x.shape[1]; x.reshape(x.shape[0], -1) * 1""",
}
FAMILIES = _families()
MAY_BREAK = (
    "B304",  # the program raises, which is plain Python's to do
    "a function that looks closer",  # and most likely raises
    "gl.eye", "gl.linspace", "a tensor made of Python data",
    "no kernel takes",  # sums and products of bools
    "the value of it is not known", "the value of an array", "a branch",
    "whose memory the tape sees",  # a whole tensor with a history overwritten
    "the operator", "returning a new tensor", "returning several tensors",
    "a gradient for a tensor that is made inside",
)  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_a_function_of_the_surface_gives_inside_what_it_gives_outside(family: str) -> None:
    strange = []
    for text in dict.fromkeys(FAMILIES[family]):
        fast = check(program(text), arguments, calls=2, after=backward, breaks=None, relative=2e-5)
        strange += [(text, words) for words in broken(fast)[:1] if not any(part in words for part in MAY_BREAK)]
    assert not strange


def test_every_function_of_the_surface_stands_in_one_of_the_programs() -> None:
    text = " ".join(each for family in FAMILIES.values() for each in family)
    spelled = {"_matmul_operator": "@", "_where_method": ".where(", "getitem": "[", "setitem": "[0] =", "_len": "len("}
    missing = []
    for name in set(SURFACE.values()):
        if not name.startswith("__") and spelled.get(name, name.rstrip("_")) not in text:
            missing.append(name)
    assert set(missing) <= ELSEWHERE, sorted(set(missing) - ELSEWHERE)


ELSEWHERE = {
    "setitem", "_iterate", "empty_like", "reshape_as", "view_as", "bitwise_not", "long", "from_dlpack",
    "rand", "rand_like", "randn", "randn_like", "randint", "randperm", "normal_", "uniform_", "_all_reversed",
    "_matrices_transposed",
}  # fmt: skip
"""In test_views_and_writes.py, or never inside a trace: random numbers and other libraries' arrays."""


@pytest.mark.parametrize(
    "text",
    ["x * k", "k - x", "x + n", "x ** k", "x.clamp(min=k)", "gl.add(x, y, alpha=k)", "gl.full((2,), k)", "gl.tensor(n)",
     "x.lerp(y, k)", "(x * 1).add_(k)", "gl.where(b, k, x)", "x.masked_fill(b, k)", "x * (k + n) / 2", "i * n",
     "gl.full_like(i, n)", "x.mul(k).sum()"],
)  # fmt: skip
def test_a_python_number_is_an_input_so_that_its_value_never_recompiles(text: str) -> None:
    check(program(text), arguments, calls=4, after=backward, compiles=1)


@pytest.mark.parametrize("family", ["with factors", "choosing", "losses", "reductions", "picking"])
def test_kernels_give_it_too(family: str) -> None:
    for text in list(dict.fromkeys(FAMILIES[family]))[::4]:
        check(program(text), arguments, calls=2, breaks=None, relative=2e-5, kernels=True)
