"""Example calls of what is traced of NumPy, from which the page of coverage and its tests are made.

Each is an expression over the operands that `operands` makes for a dtype. A function without an example here gets the
one of its family (`np.f(a)` or `np.f(a, b)` for ufuncs); one that has none at all fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DTYPES = ("bool", "uint8", "int8", "int32", "int64", "float32", "float64", "complex128")
"""The dtypes with which every example is run, as far as NumPy itself takes them."""


def operands(dtype: str) -> dict[str, Array]:
    """What the names in the examples stand for: a, b: matrices; m, s: square ones; t: a block; v, w, p: vectors.

    Of fixed dtype are `i`: indices, `c`, `d`: masks, `x`: ascending floats, `q`: some numbers between them.
    """
    draw = np.random.default_rng(5)

    def some(*shape: int) -> Array:
        low, high = (0, 2) if dtype == "bool" else (1, 10) if dtype == "uint8" else (-9, 10)
        numbers = draw.integers(low, high, shape)
        if dtype.startswith("complex"):
            return (numbers + 1j * numbers[..., ::-1]).astype(dtype)
        return (numbers / 4 if dtype.startswith("float") else numbers).astype(dtype)

    made = {"a": some(3, 4), "b": some(3, 4), "m": some(3, 3), "t": some(2, 3, 4), "v": some(6), "w": some(6)}
    made["s"] = (np.eye(3) * 5 + np.ones((3, 3))).astype(dtype)
    ascending = np.arange(6).astype(dtype)
    fixed = {
        "p": ascending, "i": np.array([2, 0, 1, 2]), "c": np.arange(12).reshape(3, 4) % 3 == 0,
        "d": np.array([True, False, True, True, False, False]), "x": np.arange(6.0), "q": np.array([0.5, 3.25, 9.0]),
    }  # fmt: skip
    return made | fixed


CREATION = {
    "arange": "np.arange(5), np.arange(1, 7, 2), np.arange(0.0, 1.0, 0.25), np.arange(3, dtype=np.float32)",
    "array": "np.array(a), np.array([1.0, 2.0]), np.array([v, w])",
    "asanyarray": "np.asanyarray(a)",
    "asarray": "np.asarray(a), np.asarray([1, 2])",
    "ascontiguousarray": "np.ascontiguousarray(a.T)",
    "asfortranarray": "np.asfortranarray(a)",
    "copy": "np.copy(a.T)",
    "diag": "np.diag(v), np.diag(v, 1)",
    "diagflat": "np.diagflat(v[:3], -1)",
    "empty": "np.empty((2, 3)).shape",
    "empty_like": "np.empty_like(a).dtype",
    "eye": "np.eye(3), np.eye(2, 4, k=1, dtype=np.int32)",
    "fromfunction": "np.fromfunction(lambda r, s: r * 2 + s, (2, 3))",
    "full": "np.full((2, 2), 7), np.full(3, 0.5)",
    "full_like": "np.full_like(a, 1)",
    "geomspace": "np.geomspace(1.0, 1000.0, 4)",
    "identity": "np.identity(3)",
    "indices": "np.indices((2, 3)), np.indices((2, 3), sparse=True)",
    "linspace": "np.linspace(0, 1, 5), np.linspace(0, 1, 4, endpoint=False), np.linspace(0.0, 1.0, 3, retstep=True)",
    "logspace": "np.logspace(0.0, 2.0, 3), np.logspace(0, 4, 5, base=2.0)",
    "meshgrid": "np.meshgrid(v[:2], w), np.meshgrid(v, w[:3], indexing='ij', sparse=True)",
    "ones": "np.ones(3), np.ones((2, 2), dtype=np.int64)",
    "ones_like": "np.ones_like(a)",
    "tri": "np.tri(3, 4, 1)",
    "tril": "np.tril(m), np.tril(a, -1)",
    "triu": "np.triu(m), np.triu(t, 1)",
    "vander": "np.vander(v[:3]), np.vander(v, 2, increasing=True)",
    "zeros": "np.zeros(3), np.zeros((2, 3), dtype=np.float32)",
    "zeros_like": "np.zeros_like(a), np.zeros_like(a.T)",
    "diag_indices": "np.diag_indices(3)",
    "diag_indices_from": "np.diag_indices_from(m)",
    "tril_indices": "np.tril_indices(3, -1)",
    "tril_indices_from": "np.tril_indices_from(m)",
    "triu_indices": "np.triu_indices(3, 1)",
    "triu_indices_from": "np.triu_indices_from(m)",
    "ix_": "np.ix_([0, 2], [1, 3])",
    "bartlett": "np.bartlett(5)",
    "blackman": "np.blackman(5)",
    "hamming": "np.hamming(5)",
    "hanning": "np.hanning(5)",
    "kaiser": "np.kaiser(5, 8.6)",
}
SHAPING = {
    "append": "np.append(a, b), np.append(a, b, axis=0)",
    "array_split": "np.array_split(v, 4)",
    "astype": "np.astype(a, np.float64)",
    "atleast_1d": "np.atleast_1d(v), np.atleast_1d(a, v)",
    "atleast_2d": "np.atleast_2d(v)",
    "atleast_3d": "np.atleast_3d(v)",
    "block": "np.block([[a, b], [b, a]])",
    "broadcast_arrays": "np.broadcast_arrays(v[:3, None], w)[0].sum(), np.broadcast_arrays(v, w)",
    "broadcast_to": "np.broadcast_to(v, (2, 6)), np.broadcast_to(v, (2, 6)) + w",
    "column_stack": "np.column_stack((v, w))",
    "concat": "np.concat([a, b])",
    "concatenate": "np.concatenate([a, b]), np.concatenate((a, b), axis=1), np.concatenate([a, v], axis=None)",
    "delete": "np.delete(v, 2), np.delete(a, [0, 2], axis=1)",
    "diagonal": "np.diagonal(m), np.diagonal(a, 1), np.diagonal(t, axis1=1, axis2=2)",
    "dsplit": "np.dsplit(t, 2)",
    "dstack": "np.dstack((a, b))",
    "expand_dims": "np.expand_dims(v, 0), np.expand_dims(a, (0, 2))",
    "flip": "np.flip(v), np.flip(a, 1)",
    "fliplr": "np.fliplr(a)",
    "flipud": "np.flipud(a)",
    "hsplit": "np.hsplit(a, 2)",
    "hstack": "np.hstack((a, b)), np.hstack((v, w))",
    "insert": "np.insert(v, 2, 1), np.insert(a, 1, 1, axis=1)",
    "matrix_transpose": "np.matrix_transpose(t)",
    "moveaxis": "np.moveaxis(t, 0, -1)",
    "pad": "np.pad(v, 2), np.pad(a, ((1, 0), (0, 2)), mode='edge'), np.pad(v, 2, mode='reflect')",
    "permute_dims": "np.permute_dims(t, (2, 0, 1))",
    "ravel": "np.ravel(a), np.ravel(a.T)",
    "repeat": "np.repeat(v, 2), np.repeat(a, 3, axis=0), np.repeat(v[:2], [1, 3])",
    "reshape": "np.reshape(a, (4, 3)), np.reshape(v, (2, -1))",
    "resize": "np.resize(v, (2, 5))",
    "roll": "np.roll(v, 2), np.roll(a, -1, axis=1), np.roll(a, (1, 2), axis=(0, 1))",
    "rollaxis": "np.rollaxis(t, 2)",
    "rot90": "np.rot90(a), np.rot90(a, 2)",
    "split": "np.split(v, 3), np.split(v, [1, 4])",
    "squeeze": "np.squeeze(a[:1])",
    "stack": "np.stack([a, b]), np.stack((v, w), axis=1)",
    "swapaxes": "np.swapaxes(t, 0, 2)",
    "tile": "np.tile(v, 2), np.tile(a, (2, 1))",
    "transpose": "np.transpose(a), np.transpose(t, (1, 2, 0))",
    "unstack": "np.unstack(a), np.unstack(t, axis=1)",
    "vsplit": "np.vsplit(a, 3)",
    "vstack": "np.vstack((v, w)), np.vstack([a, b])",
}
REDUCTIONS = {
    "all": "np.all(a), np.all(a, axis=0)",
    "amax": "np.amax(a)",
    "amin": "np.amin(a, axis=1)",
    "allclose": "np.allclose(a, a), np.allclose(a, b)",
    "any": "np.any(a), np.any(a, axis=1, keepdims=True)",
    "argmax": "np.argmax(a), np.argmax(a, axis=1)",
    "argmin": "np.argmin(a), np.argmin(a, axis=0)",
    "array_equal": "np.array_equal(a, b), np.array_equal(a, v)",
    "array_equiv": "np.array_equiv(a, a[0])",
    "average": "np.average(a), np.average(v, weights=x + 1), np.average(a, axis=0)",
    "bincount": "np.bincount(i, minlength=4)",
    "corrcoef": "np.corrcoef(a), np.corrcoef(v, w)",
    "count_nonzero": "np.count_nonzero(a), np.count_nonzero(a, axis=0)",
    "cov": "np.cov(a), np.cov(v, w)",
    "histogram": "np.histogram(v, 4), np.histogram(v, bins=[0, 2, 4], weights=x)",
    "histogram2d": "np.histogram2d(v, w, 3)",
    "histogram_bin_edges": "np.histogram_bin_edges(v, 4)",
    "histogramdd": "np.histogramdd(a, 2)",
    "max": "np.max(a), np.max(a, axis=0), np.max(a, initial=3)",
    "mean": "np.mean(a), np.mean(a, axis=1, keepdims=True)",
    "median": "np.median(a), np.median(a, axis=1), np.median(t, axis=(0, 2), keepdims=True)",
    "min": "np.min(a), np.min(a, axis=(0, 1))",
    "nanargmax": "np.nanargmax(a), np.nanargmax(a, axis=1)",
    "nanargmin": "np.nanargmin(a)",
    "nanmax": "np.nanmax(a), np.nanmax(a, axis=0)",
    "nanmean": "np.nanmean(a), np.nanmean(a, axis=0)",
    "nanmedian": "np.nanmedian(a, axis=0)",
    "nanmin": "np.nanmin(a, axis=1)",
    "nanpercentile": "np.nanpercentile(a, 30)",
    "nanprod": "np.nanprod(a), np.nanprod(a, axis=0)",
    "nanquantile": "np.nanquantile(a, [0.25, 0.5], axis=1)",
    "nanstd": "np.nanstd(a), np.nanstd(a, axis=0, ddof=1)",
    "nansum": "np.nansum(a), np.nansum(a, axis=1)",
    "nanvar": "np.nanvar(a)",
    "percentile": "np.percentile(a, 30), np.percentile(a, [25, 75], axis=0, method='nearest')",
    "prod": "np.prod(v), np.prod(a, axis=0)",
    "ptp": "np.ptp(a), np.ptp(a, axis=0)",
    "quantile": "np.quantile(a, 0.3), np.quantile(v, q[:1] / 10)",
    "std": "np.std(a), np.std(a, axis=0, ddof=1)",
    "sum": "np.sum(a), np.sum(a, axis=1), np.sum(a, where=c), np.sum(a, axis=0, dtype=np.float64)",
    "trapezoid": "np.trapezoid(v), np.trapezoid(v, x), np.trapezoid(a, dx=0.5, axis=0)",
    "var": "np.var(a), np.var(a, axis=1, ddof=1)",
}
SCANS = {
    "cumprod": "np.cumprod(v), np.cumprod(a, axis=0)",
    "cumsum": "np.cumsum(a), np.cumsum(a, axis=1), np.cumsum(v, dtype=np.float64)",
    "cumulative_prod": "np.cumulative_prod(v)",
    "cumulative_sum": "np.cumulative_sum(v, include_initial=True), np.cumulative_sum(a, axis=1)",
    "diff": "np.diff(v), np.diff(a, n=2), np.diff(a, axis=0), np.diff(v, prepend=v[:1])",
    "ediff1d": "np.ediff1d(v), np.ediff1d(v, to_end=v[:2])",
    "gradient": "np.gradient(v), np.gradient(a), np.gradient(v, x), np.gradient(v, 0.5, edge_order=2)",
    "nancumprod": "np.nancumprod(v)",
    "nancumsum": "np.nancumsum(a, axis=0)",
    "unwrap": "np.unwrap(v)",
}
ORDER = {
    "argpartition": "np.argpartition(v, 2)",
    "argsort": "np.argsort(v), np.argsort(a, axis=0), np.argsort(a, axis=None, kind='stable')",
    "digitize": "np.digitize(v, p), np.digitize(a, [0, 2], right=True)",
    "isin": "np.isin(a, v), np.isin(a, [1, 2], invert=True)",
    "lexsort": "np.lexsort((v, w))",
    "partition": "np.partition(v, 2), np.partition(a, 1, axis=0)",
    "searchsorted": "np.searchsorted(p, v), np.searchsorted(x, q, side='right')",
    "sort": "np.sort(v), np.sort(a, axis=0), np.sort(a, axis=None, kind='stable')",
    "sort_complex": "np.sort_complex(v)",
    "choose": "np.choose(i[:3] % 2, [a[0, :3], b[0, :3]])",
    "clip": "np.clip(a, 1, 3), np.clip(v, 0, None), np.clip(a, a_min=b, a_max=None)",
    "ravel_multi_index": "np.ravel_multi_index((i, i), (3, 3))",
    "select": "np.select([c, ~c], [a, b]), np.select([d], [v], default=1)",
    "take": "np.take(v, i), np.take(a, i, axis=0), np.take(a, [1, 5]), np.take(v, i, mode='wrap')",
    "take_along_axis": "np.take_along_axis(a, np.argsort(a, axis=1), axis=1)",
    "unravel_index": "np.unravel_index(i, (2, 3))",
    "where": "np.where(c, a, b), np.where(d, v, 0)",
    "piecewise": "np.piecewise(v, [d, ~d], [1, 2])",
}
MATHEMATICS = {
    "angle": "np.angle(v), np.angle(v * 1j)",
    "around": "np.around(a, 1)",
    "convolve": "np.convolve(v, w), np.convolve(v, w[:3], mode='same'), np.convolve(v, w[:2], 'valid')",
    "correlate": "np.correlate(v, w), np.correlate(v, w[:3], mode='full')",
    "cross": "np.cross(m, m[::-1])",
    "dot": "np.dot(v, w), np.dot(m, m), np.dot(a, 2), np.dot(t, m[:, :1].repeat(4, 1).T)",
    "einsum": "np.einsum('ij,ij->i', a, b), np.einsum('ij,kj', a, b), np.einsum('ii', m)",
    "fix": "np.fix(a)",
    "i0": "np.i0(v)",
    "imag": "np.imag(a), np.imag(v * 1j)",
    "inner": "np.inner(v, w), np.inner(a, b)",
    "interp": "np.interp(q, x, v), np.interp(1.5, x, v), np.interp(q, x, v, left=-1.0)",
    "isclose": "np.isclose(a, b)",
    "iscomplex": "np.iscomplex(a)",
    "isneginf": "np.isneginf(a)",
    "isposinf": "np.isposinf(a)",
    "isreal": "np.isreal(a)",
    "kron": "np.kron(v[:2], m), np.kron(a, b)",
    "matmul": "np.matmul(m, m), np.matmul(m, v[:3])",
    "matvec": "np.matvec(m, v[:3])",
    "nan_to_num": "np.nan_to_num(a)",
    "outer": "np.outer(v, w)",
    "packbits": "np.packbits(v)",
    "poly": "np.poly(v[:3])",
    "polyadd": "np.polyadd(v, w[:3])",
    "polyder": "np.polyder(v)",
    "polyfit": "np.polyfit(x, v, 2)",
    "polyint": "np.polyint(v)",
    "polysub": "np.polysub(v, w)",
    "polyval": "np.polyval(v, q), np.polyval([1, 2, 3], a)",
    "real": "np.real(a)",
    "round": "np.round(a), np.round(a, 1)",
    "sinc": "np.sinc(v)",
    "tensordot": "np.tensordot(a, b.T, axes=1), np.tensordot(a, b, axes=([0, 1], [0, 1]))",
    "trace": "np.trace(m), np.trace(a, 1), np.trace(t)",
    "unpackbits": "np.unpackbits(v)",
    "vdot": "np.vdot(v, w)",
    "vecdot": "np.vecdot(a, b)",
    "vecmat": "np.vecmat(v[:3], m)",
    "divmod": "np.divmod(a, b)",
    "frexp": "np.frexp(a)",
    "modf": "np.modf(a)",
    "ldexp": "np.ldexp(a, 2)",
    "power": "np.power(a, 2), np.power(np.abs(a), 3)",
    "left_shift": "np.left_shift(a, 1)",
    "right_shift": "np.right_shift(a, 1)",
    "fft.fftfreq": "np.fft.fftfreq(6), np.fft.fftfreq(5, 0.1)",
    "fft.rfftfreq": "np.fft.rfftfreq(6)",
    "fft.fftshift": "np.fft.fftshift(v), np.fft.fftshift(a, axes=1)",
    "fft.ifftshift": "np.fft.ifftshift(v)",
    "fft.fft2": "np.fft.fft2(a)", "fft.fftn": "np.fft.fftn(a)", "fft.ifft2": "np.fft.ifft2(a)",
    "fft.ifftn": "np.fft.ifftn(a)", "fft.rfft2": "np.fft.rfft2(a)", "fft.rfftn": "np.fft.rfftn(a)",
    "fft.irfft2": "np.fft.irfft2(a)", "fft.irfftn": "np.fft.irfftn(a)",
}  # fmt: skip
FACTS = {
    "broadcast_shapes": "np.broadcast_shapes((3, 1), (4,))",
    "can_cast": "np.can_cast(np.int32, np.float64)",
    "common_type": "np.common_type(a, v)",
    "finfo": "np.finfo(np.float32).eps",
    "iinfo": "np.iinfo(np.int16).max",
    "iscomplexobj": "np.iscomplexobj(a)",
    "isfortran": "np.isfortran(a.T)",
    "isrealobj": "np.isrealobj(a)",
    "isscalar": "np.isscalar(a), np.isscalar(2.0)",
    "issubdtype": "np.issubdtype(np.int32, np.integer)",
    "isdtype": "np.isdtype(np.dtype(np.int32), 'integral')",
    "iterable": "np.iterable(a), np.iterable(2)",
    "min_scalar_type": "np.min_scalar_type(200)",
    "ndim": "np.ndim(a)",
    "promote_types": "np.promote_types(np.int32, np.float32)",
    "result_type": "np.result_type(a, np.float32), np.result_type(a, 2)",
    "shape": "np.shape(a)",
    "size": "np.size(a), np.size(a, 1)",
}
LINEAR_ALGEBRA = {
    "linalg.cholesky": "np.linalg.cholesky(s)",
    "linalg.cond": "np.linalg.cond(s)",
    "linalg.cross": "np.linalg.cross(m, m[::-1])",
    "linalg.det": "np.linalg.det(s)",
    "linalg.diagonal": "np.linalg.diagonal(m)",
    "linalg.eig": "np.linalg.eig(s)",
    "linalg.eigh": "np.linalg.eigh(s)",
    "linalg.eigvals": "np.linalg.eigvals(s)",
    "linalg.eigvalsh": "np.linalg.eigvalsh(s)",
    "linalg.inv": "np.linalg.inv(s)",
    "linalg.lstsq": "np.linalg.lstsq(a.T, v[:4])",
    "linalg.matmul": "np.linalg.matmul(m, m)",
    "linalg.matrix_norm": "np.linalg.matrix_norm(m)",
    "linalg.matrix_power": "np.linalg.matrix_power(m, 3)",
    "linalg.matrix_rank": "np.linalg.matrix_rank(s)",
    "linalg.matrix_transpose": "np.linalg.matrix_transpose(t)",
    "linalg.multi_dot": "np.linalg.multi_dot([m, m, a])",
    "linalg.norm": "np.linalg.norm(v), np.linalg.norm(a, axis=1), np.linalg.norm(v, 1)",
    "linalg.outer": "np.linalg.outer(v, w)",
    "linalg.pinv": "np.linalg.pinv(s)",
    "linalg.qr": "np.linalg.qr(s)",
    "linalg.slogdet": "np.linalg.slogdet(s)",
    "linalg.solve": "np.linalg.solve(s, v[:3])",
    "linalg.svd": "np.linalg.svd(s)",
    "linalg.svdvals": "np.linalg.svdvals(s)",
    "linalg.tensordot": "np.linalg.tensordot(a, b.T, axes=1)",
    "linalg.tensorinv": "np.linalg.tensorinv(s, ind=1)",
    "linalg.tensorsolve": "np.linalg.tensorsolve(s, v[:3])",
    "linalg.trace": "np.linalg.trace(m)",
    "linalg.vecdot": "np.linalg.vecdot(a, b)",
    "linalg.vector_norm": "np.linalg.vector_norm(v)",
}
WRITERS = {
    "copyto": "np.copyto(a, b)",
    "fill_diagonal": "np.fill_diagonal(a, 1)",
    "place": "np.place(a, c, v)",
    "put": "np.put(a, [0, 5], [1, 2])",
    "put_along_axis": "np.put_along_axis(a, np.argmax(a, axis=1, keepdims=True), 0, axis=1)",
    "putmask": "np.putmask(a, c, b)",
}
METHODS = {
    "argpartition": "v.argpartition(2)",
    "argsort": "v.argsort(), a.argsort(axis=0)",
    "astype": "a.astype(np.float64)",
    "choose": "(i[:3] % 2).choose([a[0, :3], b[0, :3]])",
    "clip": "a.clip(1, 3)",
    "diagonal": "m.diagonal(), a.diagonal(1)",
    "dot": "v.dot(w), m.dot(m)",
    "fill": "a.fill(1)",
    "item": "v.item(2), a.item(0, 1)",
    "max": "a.max(), a.max(axis=1)",
    "partition": "v.partition(2)",
    "put": "v.put([0, 2], 1)",
    "repeat": "v.repeat(2), a.repeat(2, axis=0)",
    "reshape": "a.reshape(4, 3), a.reshape(-1)",
    "round": "a.round(), a.round(1)",
    "searchsorted": "p.searchsorted(v)",
    "sort": "v.sort(), a.sort(axis=0)",
    "squeeze": "a[:1].squeeze()",
    "std": "a.std(), a.std(axis=0, ddof=1)",
    "sum": "a.sum(), a.sum(axis=0), a.sum(where=c)",
    "swapaxes": "t.swapaxes(0, 2)",
    "take": "v.take(i), a.take(i, axis=0)",
    "tolist": "v.tolist(), a.tolist()",
    "trace": "m.trace()",
    "transpose": "a.transpose(), t.transpose(2, 0, 1)",
}
UFUNC_METHODS = {
    "accumulate": "np.{f}.accumulate(v), np.{f}.accumulate(a, axis=1)",
    "at": "np.{f}.at(v, i, w[:4])",
    "outer": "np.{f}.outer(v, w[:3])",
    "reduce": "np.{f}.reduce(v), np.{f}.reduce(a, axis=1), np.{f}.reduce(a, axis=None)",
    "reduceat": "np.{f}.reduceat(v, [0, 2, 4])",
}
WITH_METHODS = "add multiply maximum minimum logical_and logical_or subtract bitwise_and bitwise_or bitwise_xor".split()
"""Of the ufuncs with two operands, those whose methods programs use."""

FUNCTIONS: Mapping[str, str] = {
    **CREATION, **SHAPING, **REDUCTIONS, **SCANS, **ORDER, **MATHEMATICS, **FACTS, **LINEAR_ALGEBRA, **WRITERS,
}  # fmt: skip


def of_function(name: str) -> str:
    """The example of `np.<name>`; empty where there is none."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    function: Any = np
    for part in name.split("."):
        function = getattr(function, part)
    twin = next((known for known in FUNCTIONS if getattr(np, known, None) is function), None)
    if twin is not None:
        return FUNCTIONS[twin].replace(f"np.{twin}(", f"np.{name}(")
    if isinstance(function, np.ufunc) and function.signature is None and function.nin < 3:
        return f"np.{name}(a)" if function.nin == 1 else f"np.{name}(a, b)"
    return f"np.{name}(v)" if name.startswith("fft.") else ""


def of_method(name: str) -> str:
    """The example of `ndarray.<name>`."""
    return METHODS.get(name, f"a.{name}()")


def of_attribute(name: str) -> str:
    """The example of the attribute."""
    return f"a.{name}, a.T.{name}"
