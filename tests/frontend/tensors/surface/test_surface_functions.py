"""Every function of the surface gives inside a jitted function what it gives outside, or breaks the graph."""

from __future__ import annotations

import importlib
import linecache
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, broken, check, interpreted

import guardlift as gl
from guardlift import nn
from guardlift.nn import functional as F
from guardlift.tensor import aliases
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


def program(text: str, form: str = "return {}") -> Any:
    """A function of the arguments that gives an expression, with source lines for tracebacks."""
    source = f"def program({', '.join(NAMES)}):\n    {form.format(text)}\n"
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


_TWINS = (
    "x abs_() ceil_() floor_() round_() trunc_() frac_() sign_() square_() reciprocal_() rsqrt_() nan_to_num_()",
    "x logit_() sinc_() deg2rad_() rad2deg_() asinh_() atanh_() atan2_(y) hypot_(y) fmod_(y) xlogy_(y) acosh_()",
    "x copysign_(y) heaviside_(s) float_power_(2) ldexp_(i) clamp_min_(k) clamp_max_(k) multiply_(y) eq_(y) lt_(y)",
    "x cumsum_(0) cumprod_(1) tril_() triu_() scatter_add_(1,i,y) index_add_(1,t,y[:,:3]) nextafter_(y)",
    "x index_copy_(1,t,y[:,:3]) index_fill_(1,t,k) index_put_((t[:2]*0,),v) scatter_(1,i,k) masked_scatter_(b,y)",
    "x scatter_reduce_(1,i,y,'sum') put_(t,v[:3]) addmv_(x,v) addmm_(x,x) addr_(v[:3],v)",
    "i bitwise_and_(3) bitwise_or_(i) bitwise_xor_(1) bitwise_not_() bitwise_left_shift_(1) gcd_(2) lcm_(2) ne_(1)",
    "i bitwise_right_shift_(1) logical_and_(b) logical_or_(b) logical_xor_(b) logical_not_() le_(2) gt_(1) ge_(1)",
    "B addbmm_(B,B) baddbmm_(B,B)",
)
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
    "two floats": """x.asinh(); i.asinh(); (x + 1).acosh(); f.atanh(); gl.atan2(x, y); x.hypot(v); gl.logaddexp(x, s);
        x.logaddexp2(y); x.copysign(-y); x.copysign(k); x.fmod(y); i.fmod(n); x.frac(); i.frac(); x.rsub(k);
        x.signbit();
        x.xlogy(y); x.xlogy(k); (x - 0.5).sinc(); x.logit(); x.logit(0.3); x.deg2rad(); x.rad2deg(); x.heaviside(s);
        x.float_power(2); x.ldexp(i); x.fmax(y); x.fmin(y); x.clamp_min(k); x.clamp_max(v); b.logical_xor(i);
        x.isneginf(); x.isposinf(); x.isreal(); x.isclose(y); x.isclose(d); i.isclose(i); i << 1; i >> n; 2 << i;
        i.bitwise_left_shift(i); gl.bitwise_right_shift(i, 1); x << 1; x.round(decimals=1);
        x.nan_to_num(k, 1.0, 2.0)""",
    "needing values": """i.gcd(6); gl.lcm(i, i); x.nextafter(y); x.allclose(y); x.equal(x); gl.equal(x, y);
        x.sort(1)[0];
        x.argsort(); gl.msort(x); x.topk(2)[0]; x.kthvalue(1)[0]; x.median(); x.nanmedian(); x.quantile(0.5);
        x.nanquantile(0.5); x.unique(); x.unique_consecutive(); gl.isin(i, t); gl.searchsorted(v, x);
        gl.bucketize(x, v);
        t.bincount(); x.histc(3); i.argwhere(); x.cummax(1)[0]; x.cummin(1)[0]; gl.tril_indices(3, 3);
        gl.triu_indices(3, 3); x.masked_scatter(b, y); x.repeat_interleave(t[:3], 0)""",
    "running": """x.cumsum(1); f.cumsum(0); i.cumsum(0); b.cumsum(1); s.cumsum(0); x.cumprod(1); i.cumprod(0);
        x.logcumsumexp(1); x.diff(); x.diff(2, 1); i.diff(dim=0); b.diff(); x.cumsum(5)""",
    "turning and repeating": """x.repeat(2, 1); v.repeat(2, 2); x.repeat(1); x.tile(2); x.repeat_interleave(2);
        x.repeat_interleave(2, 1); x.flip(0); f.flip(0, 1); x.fliplr(); x.flipud(); x.rot90(); x.rot90(2); x.rot90(-1);
        x.roll(1); x.roll((1, 2), (0, 1)); x.select(1, 2) * 1; x.select(0, 7); x.narrow_copy(1, 1, 2);
        x.split_with_sizes([1, 2])[1] * 1; x.tensor_split(2)[1] * 1; x.hsplit(2)[0] * 1; x.vsplit(3)[1] * 1;
        B.dsplit(2)[1] * 1; gl.atleast_1d(s) * 1; gl.atleast_2d(v) * 1; gl.atleast_3d(x) * 1; gl.hstack([x, y]);
        gl.vstack([x, v]); gl.dstack([x, y]); gl.column_stack([v, v]); gl.broadcast_tensors(x, v)[1] * 1;
        gl.meshgrid(v, v)[1] * 1; gl.meshgrid(v, y[0], indexing='xy')[0] * 1; gl.cartesian_prod(v, v);
        gl.block_diag(x, m); f.ravel(); v.unfold(0, 2, 1); x.unfold(1, 2, 2); x.adjoint() * 1; x.mH * 1; x.H * 1""",
    "diagonals": """x.diagonal() * 1; B.diagonal(1, 1, 2) * 1; x.diag(); v.diag(1); x.diag_embed(); x.diagflat();
        x.trace();
        x.tril(); f.triu(1); i.tril(-1); v.tril(); x.diagonal_scatter(v[:3]);
        (x * 1).fill_diagonal_(k); (B * 1)[0].fill_diagonal_(0.0, True)""",
    "scattering": """x.scatter(1, i, y); x.scatter(1, i, k); x.scatter_add(1, i, y); x.scatter_add(1, i + 9, y);
        x.scatter_reduce(1, i, y, 'sum'); x.scatter_reduce(1, i, y, 'mean'); x.scatter_reduce(1, i, y, 'amax');
        x.take_along_dim(i, 1); x.take(t); x.put(t, v[:3]); x.put(t, v[:3], True); x.index_put((t[:2] * 0,), v);
        x.index_put((t[:2] * 0,), v, True); x.index_copy(1, t, y[:, :3]); x.index_fill(1, t, k);
        x.select_scatter(v, 0, 1); x.slice_scatter(y[:2], 0, 1)""",
    "more reductions": """x.nansum(); x.nansum(1); x.nanmean(1); x.count_nonzero(1); i.count_nonzero(); x.aminmax()[0];
        x.aminmax(dim=1)[1]; gl.std_mean(x)[1]; gl.var_mean(x, 1)[0]; x.dist(y); x.sum_to_size(1, 4); gl.trapezoid(x);
        gl.trapezoid(x, v); gl.trapezoid(x, dx=k); gl.cumulative_trapezoid(x, v);
        gl.linalg.householder_product(x[:, :2], v[:2]); x.cov(); x.corrcoef(); x.norm(0); x.norm(-math.inf);
        x.norm(3, 1)""",
    "more products": """gl.einsum('ij,jk->ik', x, m); gl.einsum('ij,ij', x, y); gl.einsum('bij,bjk->bik', B, C);
        gl.einsum('...j,j->...', x, v); gl.einsum('i,j', v, v); gl.einsum('ij,k', x); gl.tensordot(x, m, 1);
        gl.tensordot(x, y, ([0, 1], [0, 1])); x.inner(v); v.vdot(v); v.kron(x); gl.addmv(v[:3], x, v, beta=k);
        gl.addr(m, v, m[0]); gl.baddbmm(gl.bmm(B, C), B, C, alpha=n); gl.addbmm(x[:, :3], B, C); gl.chain_matmul(x, m);
        x[:, :3].matrix_power(3); x[:, :3].cross(y[:, :3], 1); gl.cdist(x, y)""",
    "more creation": """gl.hann_window(4); gl.hann_window(n); gl.hamming_window(5);
        gl.blackman_window(4, periodic=False);
        gl.bartlett_window(3); gl.kaiser_window(4);
        x.new_zeros(2); i.new_ones((2, 3)); x.new_full((2,), k); x.new_empty(2).shape; x.new_tensor(k);
        gl.logspace(0, 1, 3); gl.scalar_tensor(k); gl.asarray(x); gl.empty_strided((2, 3), (1, 2)); gl.vander(v);
        x.short(); x.byte(); x.char(); x.half(); x.bfloat16(); x.type(); x.type(gl.int64); x.is_complex();
        x.is_signed(); x.is_same_size(y); x.nbytes; x.itemsize; x.is_cpu; x.is_cuda; x.is_sparse; x.is_quantized""",
    "with an out": """x.sum(axis=1); x.mean(axis=0, keepdims=True); gl.sum(input=x, dim=0); x.max(axis=1)[0];
        gl.zeros(size=(2, 3)); gl.zeros_like(x, device='cpu'); x.to(gl.float64, non_blocking=True);
        gl.add(x.detach(), 1, out=x.detach() * 0); gl.add(x, 1, out=y);
        gl.exp(x.detach(), out=y.detach() * 1);
        gl.add(x, y); gl.sum(x, 1); gl.max(x, 1)[0]""",
    "twins": "; ".join(f"({line[0]} * 1).{call}" for line in _TWINS for call in line[2:].split()),
    "losses": """F.relu(x - 0.5); F.gelu(f); F.gelu(x, approximate='tanh'); F.gelu(x, 'bad'); F.silu(f);
        F.layer_norm(x, (4,)); F.layer_norm(f, (4,), v, v, 1e-3); F.layer_norm(x, (5,)); F.softmax(x, 1);
        F.embedding(t, x[:3] * 1); F.embedding(i, m); F.embedding(i, m, padding_idx=-1); F.embedding(i, x);
        F.log_softmax(x, dim=1); F.cross_entropy(x, t); F.cross_entropy(x, t, reduction='none');
        F.cross_entropy(x, t, ignore_index=0); F.cross_entropy(x, t, label_smoothing=0.1); F.cross_entropy(x, t + 9);
        F.cross_entropy(x, x.softmax(1)); F.cross_entropy(x, t, reduction='bad'); F.nll_loss(x, t);
        F.nll_loss(x, t - 1); F.mse_loss(x, y); F.mse_loss(f, f * 2, reduction='none'); F.l1_loss(x, y);
        F.binary_cross_entropy_with_logits(x, y, weight=y, pos_weight=v);
        F.binary_cross_entropy_with_logits(x, v); F.leaky_relu(x - 0.5); F.elu(f); F.softplus(x); F.logsigmoid(x);
        F.hardtanh(x * 2); F.relu6(x * 9); F.mish(x); F.softsign(x); F.glu(x, 1); F.normalize(x);
        F.cosine_similarity(x, y); F.one_hot(t, 9); F.pad(x, (1, -1)); F.rms_norm(x, (4,), v);
        F.scaled_dot_product_attention(B, B, B); F.smooth_l1_loss(x, y); F.huber_loss(x, y, delta=0.5);
        F.kl_div(x, y.softmax(1), reduction='batchmean')""",
    "norms": """F.batch_norm(x, None, None, training=True);
        F.batch_norm(B, v[:3].detach() * 1, s.detach() + v[:3].detach(), v[:3], v[1:], True, k);
        F.batch_norm(x, v.detach() * 1, v.detach() + 1, v, v, momentum=0.3);
        F.batch_norm(x, v.detach() * 1, None); F.batch_norm(x, None, None, v[:2], training=True);
        F.instance_norm(B); F.instance_norm(B, v[:3].detach() * 1, v[:3].detach() * 1, v[:3], v[1:], momentum=0.2);
        F.instance_norm(x); F.group_norm(x, 2, v, v); F.group_norm(B, 3); F.group_norm(x, 3);
        F.local_response_norm(B, 2, alpha=0.5); F.local_response_norm(x, 2)""",
    "pieces": """F.threshold(x - 0.5, 0.1, k); F.threshold_(x * 1, 0.5, 2); F.threshold(i, 1, 7); F.relu_(x - 0.5);
        F.selu(x - 0.5); F.selu_(x - 0.5); F.celu(x - 0.5, 0.7); F.celu_(x - 0.5); F.elu_(x - 0.5, 1.5);
        F.hardsigmoid(x * 9 - 4); F.hardswish(x * 9 - 4); F.hardshrink(x); F.softshrink(x, 0.4); F.softshrink(x, -1);
        F.tanhshrink(x); F.softmin(x, 1); F.prelu(x - 0.5, v); F.prelu(B - 0.5, s); F.prelu(x, v[:2]); F.rrelu(x - 0.5);
        F.rrelu_(x - 0.5); F.rrelu(x, 1.0, 0.5); F.hardtanh_(x * 2, -1, 1); F.leaky_relu_(x - 0.5, 0.2);
        F.leaky_relu(x - 0.5, inplace=True) * 2; F.mish(x - 0.5, inplace=True) * 2; F.elu(x - 0.5, inplace=True) * 2;
        F.hardswish(x - 0.5, inplace=True) * 2""",
    "margins": """F.binary_cross_entropy(x, y); F.binary_cross_entropy(x, y, v, reduction='none');
        F.binary_cross_entropy(x + 1, y); F.binary_cross_entropy(x, v); F.soft_margin_loss(x, y - 0.5);
        F.multilabel_margin_loss(x, i - 1); F.multilabel_margin_loss(x, i + 9); F.multi_margin_loss(x, t);
        F.multi_margin_loss(x, t, p=2, weight=v); F.multi_margin_loss(x, t + 9); F.multilabel_soft_margin_loss(x, y, v);
        F.hinge_embedding_loss(x, i - 1, k); F.cosine_embedding_loss(x, y, t - 1); F.cosine_embedding_loss(x, v, t);
        F.margin_ranking_loss(x, y, i - 1, 0.3); F.triplet_margin_loss(x, y, f, swap=True);
        F.triplet_margin_with_distance_loss(x, y, f); F.triplet_margin_loss(x, y, v);
        F.poisson_nll_loss(x, i, full=True); F.poisson_nll_loss(x, i, False);
        F.gaussian_nll_loss(x, y, f); F.gaussian_nll_loss(x, y, 0.5, True);
        F.ctc_loss(F.log_softmax(B, 2), i % 3 + 1, (2, 2, 1), (1, 2, 1)); F.ctc_loss(B, t, (2, 2, 2), (1, 1, 1));
        F.ctc_loss(F.log_softmax(B, 2), i % 3 + 1, t * 0 + 2, t * 0 + 1, reduction='none');
        F.ctc_loss(B, i, (3, 2, 2), (1, 1, 1)); F.gaussian_nll_loss(x, y, -f); F.pairwise_distance(x, y);
        F.pairwise_distance(x, v, 1.0, keepdim=True); F.pdist(x); F.pdist(v);
        F.bilinear(x[:, :3], v[:3].expand(3, 3), B.expand(2, 3, 4)[:, :, :3], v[:2]); F.bilinear(x, x, x)""",
    "seldom ones": """x.hardshrink(); gl.hardshrink(x, 0.4); x.prelu(s); (x - 0.5).prelu(v); i.prelu(s); x.frexp()[0];
        x.frexp().exponent; f.frexp()[0] * 2; i.frexp(); x.mode()[0]; i.mode(0); f.mode(0, True).values * 2;
        B.mode(1).indices; s.mode()[0];
        x.renorm(2, 0, k); B.renorm(1, 1, 0.5); v.renorm(2, 0, 1); (x * 1).renorm_(2, 1, 0.5); gl.gradient(x)[0];
        gl.gradient(B, dim=(0, 2))[1]; gl.gradient(x, spacing=k)[1];
        gl.gradient(x, spacing=(v,), dim=1, edge_order=2)[0]; gl.combinations(v); gl.combinations(t, 2, True);
        gl.unravel_index(i, (2, 2))[1]; gl.fill(x, k); gl.fill(i, n); gl.fill(x, s); x.get_device();
        x.index_reduce(1, t, y[:, :3], 'amax'); x.index_reduce(1, t, y[:, :3], 'mean', include_self=False);
        x.index_reduce(1, t, y[:, :3], 'prod'); (x * 1).index_reduce_(1, t, y[:, :3], 'mean');
        x.index_reduce(1, t, y, 'sum'); x.histogram(4)[0]; x.histogram(3, range=(0.0, 1.0), weight=y)[0];
        gl.histogram(x, v.sort()[0])[0];
        gl.histogramdd(x, [2, 2, 1, 2])[0]; i.histogram(3); gl.as_strided_scatter(x, y[:2, :2], (2, 2), (4, 1), 1);
        gl.as_strided_scatter(f, y[:2, :2], (2, 2), (4, 1)); F.affine_grid(B[:, :2, :3], (2, 1, 3, 4), False);
        F.grid_sample(B[:, None], C[:, None, :, :2] * 2 - 1, align_corners=False);
        F.grid_sample(B[:, None], C[:, None, :, :2] * 4 - 2, 'nearest', 'border', True);
        F.grid_sample(B[:, None], C[:, None, :, :2] * 4 - 2, 'bicubic', 'reflection', False);
        F.grid_sample(B[:, None, None], C[:, None, None] * 2 - 1, padding_mode='reflection', align_corners=True);
        F.interpolate(B[:, None], (2, 3), mode='bicubic', antialias=True);
        F.linear_cross_entropy(x, m.t(), t); F.linear_cross_entropy(x, m.t(), t, linear_bias=m[0], reduction='none');
        F.linear_cross_entropy(x, m, t)""",
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
    "a call that has no form in a graph",  # and most likely raises
    "computed from the values of a tensor", "shape depends on the data",
    "a tensor made of Python data",
    "no kernel takes",  # sums and products of bools
    "the value of it is not known", "the value of an array", "a branch",
    "whose memory has a history under another name",  # a whole tensor with a history overwritten
    "the operator", "returning a new tensor", "returning several tensors",
    "a gradient for a tensor that is made inside",
    "a view by broadcasting or of a diagonal",
)  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.slow
def test_a_function_of_the_surface_gives_inside_what_it_gives_outside(family: str) -> None:
    strange = []
    for text in dict.fromkeys(FAMILIES[family]):
        fast = check(program(text), arguments, calls=2, after=backward, breaks=None, relative=2e-5)
        strange += [(text, words) for words in broken(fast)[:1] if not any(part in words for part in MAY_BREAK)]
    assert not strange


WRITTEN = """r = {}
    if isinstance(r, gl.Tensor) and r.is_floating_point():
        with gl.no_grad():
            r.mul_(2)
    return r, x, f, B"""


EVERY = 3
"""The number of expressions of which one is in the quick run of what is written to."""


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, EVERY))])
@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_function_gives_may_be_written_and_is_the_memory_of_the_same_tensors(family: str, part: int) -> None:
    for text in list(dict.fromkeys(FAMILIES[family]))[part::EVERY]:
        with interpreted():
            check(program(text, WRITTEN), without_history, calls=1, breaks=None, relative=2e-5)


def without_history(number: int) -> Sequence[Any]:
    """Equal tensors, none of which requires a gradient. One is column-major, one every second element of another."""
    together = dict(zip(NAMES, arguments(number), strict=True))
    plain = {name: each.detach() if isinstance(each, gl.Tensor) else each for name, each in together.items()}
    plain["B"] = gl.tensor(np.repeat(plain["B"].numpy(), 2, axis=2))[..., ::2]
    return list(plain.values())


def test_every_function_of_the_surface_stands_in_one_of_the_programs() -> None:
    text = " ".join(each for family in FAMILIES.values() for each in family)
    spelled = {"_matmul_operator": "@", "_where_method": ".where(", "getitem": "[", "setitem": "[0] =", "_len": "len("}
    missing = []
    for name in set(SURFACE.values()):
        if not name.startswith("__") and spelled.get(name, name.rstrip("_")) not in text:
            missing.append(name)
    missing = [name for name in missing if name.rstrip("_") not in aliases.__all__ and name not in OF_OTHER_PACKAGES]
    assert set(missing) <= ELSEWHERE, sorted(set(missing) - ELSEWHERE)


for package in (
    "array_api",
    "distributions",
    "fft",
    "linalg",
    "special",
    "tensor.signal_windows",
    "nn.recurrent.padded",
):
    importlib.import_module(f"guardlift.{package}")  # other tests of a run import them too
OF_OTHER_PACKAGES = {
    name
    for function, name in SURFACE.items()
    if function.__module__.split(".")[1] in ("array_api", "fft", "linalg", "special", "distributions")
    or function.__module__.endswith((".complex_parts", ".linear_algebra", ".short_time", ".statistics"))
    or name in ("cdouble", "cfloat")
} | {f"{name}_" for name in "lgamma digamma polygamma erfinv erfc i0 mvlgamma igamma igammac".split()}
"""In the programs of tests/array_api, tests/linalg, tests/distributions and tests/tensor/test_complex_answers.py."""


ELSEWHERE = {
    "setitem", "_iterate", "empty_like", "reshape_as", "view_as", "bitwise_not", "long", "from_dlpack",
    "frombuffer", "bernoulli", "bernoulli_", "normal", "randint_like", "multinomial", "_reversed", "random_",
    "exponential_", "log_normal_", "geometric_", "_itemsize", "_nbytes",
    "_matrices_adjoint", "_matrix_adjoint", "_is_cpu", "_is_cuda", "_is_sparse", "_is_quantized",
    "rand", "rand_like", "randn", "randn_like", "randint", "randperm", "normal_", "uniform_", "_all_reversed",
    "_matrices_transposed", "take_in_", "dropout", "dropout1d", "dropout2d", "dropout3d",
    "alpha_dropout", "feature_alpha_dropout", "poisson", "binomial", "cauchy_", "gumbel_softmax",
    "computes_at_once", "embedding_bag",
    "new_empty_strided", "fractional_max_pool2d", "fractional_max_pool3d", "to_device", "multi_head_attention_forward",
    "there", "padded", "all_true", "lengths_of", "packed_rows", "packed_again", "is_traced", "_cayley", "joint_norm",
}  # fmt: skip
ELSEWHERE |= {f"{name}{rank}d" for rank in (1, 2, 3) for name in ("conv", "conv_transpose")}
ELSEWHERE |= {f"{name}{rank}d" for rank in (1, 2, 3) for name in ("max_pool", "avg_pool", "lp_pool", "max_unpool")}
ELSEWHERE |= {f"adaptive_{name}_pool{rank}d" for rank in (1, 2, 3) for name in ("avg", "max")}
ELSEWHERE |= {"fold", "pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "interpolate", "upsample"}
"""In test_pictures.py, test_views_and_writes.py, test_clipping_and_averages.py, test_random.py,
test_draws_in_places.py, tests/nn/modules, tests/nn/recurrent, or never in a trace: other libraries."""


@pytest.mark.parametrize(
    "text",
    ["x * k", "k - x", "x + n", "x ** k", "x.clamp(min=k)", "gl.add(x, y, alpha=k)", "gl.full((2,), k)", "gl.tensor(n)",
     "x.lerp(y, k)", "(x * 1).add_(k)", "gl.where(b, k, x)", "x.masked_fill(b, k)", "x * (k + n) / 2", "i * n",
     "gl.full_like(i, n)", "x.mul(k).sum()"],
)  # fmt: skip
def test_a_python_number_is_an_input_so_that_its_value_never_recompiles(text: str) -> None:
    check(program(text), arguments, calls=4, after=backward, compiles=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "family", ["with factors", "choosing", "losses", "reductions", "picking", "two floats", "running", "scattering"]
)
def test_kernels_give_it_too(family: str) -> None:
    for text in list(dict.fromkeys(FAMILIES[family]))[::4]:
        check(program(text), arguments, calls=2, breaks=None, relative=2e-5, kernels=True)


def test_arithmetic_of_bools_is_part_of_the_graph() -> None:
    texts = "b + b; b * b; b.add(True); b * True; gl.fmax(b, b); b.fmin(b); gl.outer(b[0], b[1]); i.addcmul(b, b)"
    texts += "; (b ^ False).add_(b); (b ^ False).mul_(~b); gl.einsum('i,j->ij', b[0], b[1]); (i > 1) * (i == i.T.T)"
    for text in texts.split("; "):
        jitted = gl.jit(program(text))
        for number in range(2):
            results = [function(*arguments(number)) for function in (program(text), jitted)]
            assert str(results[0]) == str(results[1]), text
            assert results[0].dtype is results[1].dtype, text
        assert not gl.explain(jitted).breaks, text
