"""What is asked of complex tensors: expressions over `t`, PyTorch or guardlift, and the operands below.

An answer is the value, its dtype, the gradients of the operands, and those of the gradients' squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np

DTYPES = {"c": "complex64", "z": "complex128"}
"""By the first letter of a case's name, the dtype of the complex operands; the real ones have parts of it."""

EXPRESSIONS = """
a + b; a - b; a * b; a / b; -a; +a; a + r; r * a; r / a; a - 2; 3 - a; a * 2.5; a / 4; 2 / a; a + 1j; 2j * a; a / (1 + 2j)
r * 1j; r + (2 - 1j); 1j / r; i * 1j; i + a; 1j ** a; a ** 2; a ** 3; a ** 5; a ** -1; a ** -2; a ** 0.5; a ** 1.7; a ** 0
a ** b; a ** r; r.abs() ** a; 2.0 ** a; a ** (1 + 1j); t.pow(a, 1j)
a.abs(); t.abs(zeros); a.angle(); r.angle(); a.real; a.imag; a.conj(); r.conj(); a.conj_physical(); a.resolve_conj(); a.sgn()
r.sgn(); zeros.sgn(); t.view_as_real(a); t.view_as_complex(pairs); t.complex(r, r * 2); t.polar(r.abs(), r); a.H; m.mH
m.adjoint(); a.square(); a.reciprocal(); a.rsqrt(); a.sqrt(); a.exp(); a.exp2(); a.expm1(); a.log(); a.log2(); a.log10()
a.log1p(); a.sin(); a.cos(); a.tan(); a.sinh(); a.cosh(); a.tanh(); a.sigmoid(); a.asin(); a.acos(); a.atan(); a.asinh()
a.acosh(); a.atanh(); cut.sqrt(); cut.log(); cut.asin(); cut.acos(); cut.acosh(); cut.asinh(); cut.atanh(); cut.atan()
large.tanh(); large.sigmoid(); large.tan(); large.sqrt(); large.log(); large / a; a / large
a == b; a != b; a == a; a.isnan(); odd.isnan(); odd.isinf(); odd.isfinite(); a.isreal(); t.is_complex(a); t.isclose(a, a + 1e-9)
t.allclose(a, a); t.equal(a, b); a.is_complex(); r.is_complex(); a.bool(); zeros.bool(); a.logical_not(); t.logical_and(a, zeros)
a.sum(); a.sum(0); a.sum(1, keepdim=True); a.mean(); a.mean(0); a.prod(); a.prod(1); a.cumsum(0); a.cumprod(1); a.var(); a.std(0)
t.var_mean(a, 0); a.norm(); t.linalg.vector_norm(a); t.linalg.vector_norm(a, 1, 0); t.linalg.norm(a); a.nansum(); a.count_nonzero()
m @ m; m @ v; v @ m; t.matmul(batch, m); t.bmm(batch, batch); t.mm(m, m); t.dot(v, v); t.vdot(v, v); t.inner(v, v)
t.outer(v, v); t.kron(v, v); t.einsum('ij,jk->ik', m, m); t.einsum('bij,bjk->bik', batch, batch); t.addmm(m, m, m)
t.tensordot(m, m, 1); t.linalg.multi_dot([m, m, m]); t.linalg.matrix_power(m, 3); t.linalg.solve(m, v); t.linalg.inv(m)
t.nn.functional.linear(a, m[:, :3].T[:, :3], v[:3]); t.linalg.vecdot(v, v); t.trace(m); t.diagonal(m); t.diag(v); t.cross(a, b)
a.T; a.reshape(-1); a.flatten(); a[0]; a[:, 1:]; a[t.tensor([1, 0])]; a[r > 0]; a.unsqueeze(0); a.expand(2, 2, 3); a.flip(0)
a.roll(1, 1); t.cat([a, b]); t.stack([a, b], 1); t.where(r > 0, a, b); t.where(r > 0, a, 0.0); t.tril(m); t.triu(m, 1)
a.masked_fill(r > 0, 1j); a.gather(1, k); t.zeros_like(a).scatter_add(1, k, a); a.index_select(1, t.tensor([2, 0])); a.take(t.tensor([3]))
a.index_add(0, t.tensor([1]), b[:1]); a.repeat(2, 1); a.tile((2, 1)); a.chunk(3, 1)[1]; a.split(2, 1)[0]; a.unbind(0)[1]
t.nn.functional.pad(a, (1, 2)); a.select(1, 2); a.narrow(1, 0, 2); a.clone(); a.contiguous(); a.diff(); t.trapezoid(a); t.rot90(a)
t.lerp(a, b, 0.3); t.addcmul(a, b, b, value=0.5); t.addcdiv(a, b, b); t.add(a, b, alpha=2j); t.rsub(a, b); t.sinc(a)
a.to(t.complex128); a.to(t.complex64); r.to(t.complex128); i.to(t.complex64); a.cfloat(); a.cdouble(); r.cdouble(); r.cfloat()
t.zeros(2, dtype=t.complex64); t.ones(2, 2, dtype=t.complex128); t.full((2,), 1 + 2j); t.eye(2, dtype=t.complex64); t.tensor([1, 2j])
t.tensor(1j); t.full_like(a, 2j); t.ones_like(a); t.zeros_like(r, dtype=t.complex64); t.tensor([[1.5, 1j], [2, True]])
t.scalar_tensor(1j, dtype=t.complex64); t.linspace(0, 1, 3, dtype=t.complex64); t.arange(3, dtype=t.complex64); t.logspace(0, 1, 3)
t.result_type(a, r); t.result_type(r, 1j); t.result_type(i, 1j); t.promote_types(t.complex64, t.float64)
t.promote_types(t.complex64, t.int64); t.promote_types(t.float32, t.complex128); t.can_cast(t.complex64, t.float32)
t.can_cast(t.float64, t.complex64); t.result_type(t.tensor(1.0, dtype=t.float64), t.tensor([1j])); t.result_type(t.tensor([1.0]), t.tensor(1j, dtype=t.complex128))
a.tolist(); a[0, 0].item(); complex(a[0, 0]); a.element_size(); a.dtype.is_complex; a.dtype.is_floating_point; a.is_floating_point()
a.clone().add_(b); a.clone().mul_(b); a.clone().div_(b); a.clone().mul_(2j); a.clone().sub_(1); a.clone().fill_(1j); a.clone().zero_()
a.clone().copy_(b); a.clone().copy_(r); a.clone().exp_(); a.clone().pow_(2); a.clone().sqrt_(); a.clone().neg_(); a.clone().sgn_()
written(a, b); a.clone().conj_physical_(); a.clone().masked_fill_(r > 0, 2j)
a > b; a.max(); a.min(0); a.argmax(); a.sort(); t.maximum(a, b); a.clamp(0, 1); a.floor(); a.round(); a // b; a % b; a.relu(); a.sign()
a.softmax(0); t.complex(r, i); r.imag; t.view_as_real(r); a & b; ~a; a.clone().abs_(); r.clone().add_(a); a.median(); t.atan2(a, b)
t.fft.fft(a); t.fft.ifft(a); t.fft.fft(r); t.fft.fft(a, n=2); t.fft.fft(a, n=5, dim=0, norm='ortho'); t.fft.rfft(r); t.fft.rfft(r, n=4)
t.fft.rfft(r, dim=0, norm='forward'); t.fft.irfft(a); t.fft.irfft(a, n=5); t.fft.irfft(a, n=4, norm='ortho'); t.fft.irfft(a, n=3, dim=0)
t.fft.fft2(a); t.fft.ifft2(a); t.fft.rfft2(r); t.fft.irfft2(a); t.fft.fftn(batch); t.fft.ifftn(batch, dim=(0, 1), norm='forward')
t.fft.rfftn(r); t.fft.irfftn(a, s=(2, 5)); t.fft.fftn(a, s=(3, 2)); t.fft.hfft(a); t.fft.ihfft(r); t.fft.hfft(a, n=6); t.fft.ihfft(r, n=5)
t.fft.fftfreq(5); t.fft.fftfreq(4, 0.5); t.fft.rfftfreq(5); t.fft.rfftfreq(4); t.fft.fftshift(a); t.fft.ifftshift(a, 1); t.fft.fft(i)
t.fft.fft(v[:, None]); t.fft.fft(a, dim=5); t.fft.fft(a, norm='x'); t.fft.rfft(a); t.fft.fft(a, n=0); t.fft.irfft2(a, norm='ortho')
""".strip()


def cases() -> list[str]:
    """The names: a letter for the dtype, and the expression."""
    found = [each.strip() for line in EXPRESSIONS.splitlines() for each in line.split(";")]
    return [f"{letter} {each}" for each in found for letter in DTYPES]


def _written(x: Any, y: Any) -> Any:
    made = x * 1
    made[0] = y[1]
    made[1, 1] = 3 - 4j
    made[1, :1] *= 2
    return made


def operands(t: Any, dtype: str) -> dict[str, Any]:
    """The operands by name, complex ones of `dtype`."""
    draw = np.random.default_rng(5)

    def drawn(*shape: int) -> Any:
        return (draw.uniform(-2, 2, shape) + 1j * draw.uniform(-2, 2, shape)).astype(dtype)

    infinite, none = np.inf, np.nan
    made = {
        "a": drawn(2, 3),
        "b": drawn(2, 3),
        "m": drawn(4, 4) + 2 * np.eye(4, dtype=dtype),
        "v": drawn(4),
        "batch": drawn(2, 4, 4),
        "r": drawn(2, 3).real,
        "pairs": np.stack([drawn(3).real, drawn(3).real], -1),
        "zeros": np.array([0, 1j, -0.0], dtype),
        "odd": np.array([complex(none, 0), complex(0, infinite), complex(-infinite, none), 1], dtype),
        "cut": np.array([-2 + 1e-3j, -2 - 1e-3j, 0.5 + 1e-3j, 2 + 1e-3j, 2 - 1e-3j, 3j, -3j], dtype),
        "large": np.array([30 + 1j, -30 + 2j, 40j, -60 - 3j], dtype)[:3],
        "i": np.array([[1, 2, 3], [4, 5, 6]]),
        "k": np.array([[1, 2, 0], [0, 0, 1]]),
    }
    return {name: t.tensor(each, requires_grad=each.dtype.kind in "fc") for name, each in made.items()}


def ask(t: Any, name: str, wrap: Any = None) -> list[Any]:
    """The answer: texts and arrays, or the word "error".   wrap: what makes another function of the expression."""
    letter, expression = name[0], name[2:]
    given = operands(t, DTYPES[letter])
    names = [each for each in given if each in _words(expression)]
    scope = {"t": t, "written": _written}
    function = eval(f"lambda {', '.join(names)}: {expression}", scope)  # noqa: S307  (the list above)
    try:
        result = (function if wrap is None else wrap(function))(*(given[each] for each in names))
    except (RuntimeError, NotImplementedError, TypeError, ValueError, IndexError):
        return ["error"]
    answer: list[Any] = []
    for each in result if isinstance(result, tuple) else (result,):
        answer += _shown(t, each)
        if hasattr(each, "requires_grad") and each.requires_grad:
            answer += _gradients(t, each, [given[name] for name in names if given[name].requires_grad])
    return answer


def _words(expression: str) -> set[str]:
    text = "".join(each if each.isalnum() or each in "_." else " " for each in expression)
    return {word.split(".")[0] for word in text.split()}


def _shown(t: Any, value: Any) -> list[Any]:
    if not isinstance(value, t.Tensor):
        return [str(value).rpartition(".")[2] if isinstance(value, t.dtype) else np.asarray(value)]
    return [str(value.dtype).rpartition(".")[2], value.numpy(force=True)]


def _gradients(t: Any, result: Any, leaves: list[Any]) -> list[Any]:
    weights = np.random.default_rng(7).uniform(-1, 1, (2, *result.shape))
    whole = weights[0] + 1j * weights[1] if result.dtype.is_complex else weights[0]
    weighed = result * t.tensor(whole.astype(str(result.dtype).rpartition(".")[2]))
    loss = (weighed.real if weighed.dtype.is_complex else weighed).sum()
    first = t.autograd.grad(loss, leaves, create_graph=True, allow_unused=True)
    known = [each for each in first if each is not None]
    answer = [None if each is None else each.numpy(force=True) for each in first]
    squares = [(each.abs() ** 2 if each.dtype.is_complex else each * each).sum() for each in known if each.requires_grad]
    if not squares:
        return [each for each in answer if each is not None]
    second = t.autograd.grad(sum(squares), leaves, allow_unused=True)
    answer += [None if each is None else each.numpy(force=True) for each in second]
    return [np.zeros(()) if each is None else each for each in answer]
