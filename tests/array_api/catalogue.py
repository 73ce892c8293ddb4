"""Samples of every function of the standard: expressions over `xp` and the arrays below, the same for all libraries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

DATA = {
    "f": np.array([[0.5, -1.25, 3.0], [2.0, 0.75, -0.5]], np.float32),
    "g": np.array([[1.5, 2.5, -0.5], [-3.5, 0.0, 4.0]]),
    "unit": np.array([[0.5, -0.25, 0.9], [0.0, -0.99, 0.125]]),
    "above": np.array([[1.5, 2.25, 9.0], [4.0, 1.125, 16.0]], np.float32),
    "edges": np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -2.5, 2.5, 3.5]),
    "s": np.float64(2.5).reshape(()),
    "i": np.array([[3, -1, 2], [7, 0, -5]], np.int64),
    "j": np.array([[2, 4, -3], [1, 5, 6]], np.int64),
    "i8": np.array([[100, -100, 27], [5, 6, 7]], np.int8),
    "i16": np.array([[3, 2, 1], [5, 6, 7]], np.int16),
    "i32": np.array([[3, -2, 1], [5, 6, 7]], np.int32),
    "u8": np.array([[200, 3, 0], [255, 6, 7]], np.uint8),
    "u16": np.array([[200, 3, 1], [2, 6, 7]], np.uint16),
    "u32": np.array([[9, 3, 1], [2, 6, 7]], np.uint32),
    "u64": np.array([[9, 3, 1], [2, 6, 7]], np.uint64),
    "b": np.array([[True, False, True], [False, False, True]]),
    "c": np.array([[True, True, False], [False, True, True]]),
    "ones_there": np.array([1, 0, 2, 1], np.int64),
    "row": np.array([3.0, 1.0, 2.0, 1.0, 2.0, 2.0]),
    "ints": np.array([3, 1, 2, 1, 2, 2], np.int64),
    "ordered": np.array([1.0, 2.0, 2.0, 3.0, 5.0]),
    "order": np.array([1, 3, 2, 4, 5, 0], np.int64),
    "three": np.arange(24.0).reshape(2, 3, 4),
    "empty": np.zeros((0, 3), np.float32),
    "spd": np.array([[[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], [[2.0, 0.0, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 5.0]]]),
    "squares": np.array([[2.0, 1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, 0.75, 2.0]], np.float32),
    "tall": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]),
    "vec": np.array([1.0, -2.0, 0.5]),
    "z": np.array([[0.5 - 1j, -1.25 + 2j, 3.0], [2j, 0.75 + 0.5j, -0.5 - 1j]], np.complex64),
    "w": np.array([[1.5 + 1j, 2.5 - 0.5j, -0.5j], [-3.5 + 2j, 0.25 - 1j, 4.0 + 1j]]),
    "m": np.array([[2.0 + 1j, 1.0, 0.5j], [-1.0, 3.0 - 1j, 0.25], [0.5, 0.75j, 2.0]]),
}  # fmt: skip
"""The arrays, by the name they have in expressions."""

FLOATS = "f g edges s empty three".split()
NUMBERS = [*FLOATS, "i", "i8", "u8", "i32", "u64"]
ANY = [*NUMBERS, "b"]
ONE = {
    "abs": NUMBERS,
    "acos": ["unit"],
    "acosh": ["above"],
    "asin": ["unit"],
    "asinh": FLOATS,
    "atan": FLOATS,
    "atanh": ["unit"],
    "bitwise_invert": ["i", "i8", "u8", "b"],
    "ceil": NUMBERS,
    "conj": NUMBERS,
    "cos": ["f", "g", "s"],
    "cosh": ["f", "g", "s"],
    "exp": FLOATS,
    "expm1": FLOATS,
    "floor": NUMBERS,
    "isfinite": NUMBERS,
    "isinf": NUMBERS,
    "isnan": NUMBERS,
    "log": ["above", "s", "edges"],
    "log1p": ["above", "s", "edges"],
    "log2": ["above", "s", "edges"],
    "log10": ["above", "s", "edges"],
    "logical_not": ["b"],
    "negative": [*FLOATS, "i", "i8", "i32"],
    "positive": NUMBERS,
    "real": NUMBERS,
    "reciprocal": ["f", "g", "s", "edges"],
    "round": NUMBERS,
    "sign": NUMBERS,
    "signbit": FLOATS,
    "sin": ["f", "g", "s"],
    "sinh": ["f", "g", "s"],
    "sqrt": ["above", "s", "edges"],
    "square": NUMBERS,
    "tan": ["f", "g", "s"],
    "tanh": FLOATS,
    "trunc": NUMBERS,
}
"""Functions of one array, with the names of those they are asked about."""
OF_COMPLEX = (
    "abs acos acosh asin asinh atan atanh conj cos cosh exp expm1 imag isfinite isinf isnan log log1p log2 log10 "
    "negative positive real reciprocal round sign sin sinh sqrt square tan tanh"
).split()
"""Functions of one array that take complex numbers."""

PAIRS = ["f, f", "f, g", "s, f", "g, s", "g, 2.0", "f, 3", "edges, 1.5", "edges, edges", "three, s", "empty, f[0, :]"]
WHOLE = ["i, j", "i8, i16", "u8, i8", "u8, u16", "i32, u32", "i, 3", "2, i8", "u64, u32"]
BITS = [*WHOLE, "b, c", "b, True"]
TWO = {
    "add": PAIRS + WHOLE,
    "atan2": PAIRS,
    "bitwise_and": BITS,
    "bitwise_or": BITS,
    "bitwise_xor": BITS,
    "bitwise_left_shift": ["i, xp.abs(j)", "u8, u16", "i, 3", "i16, xp.astype(i16, xp.int8)"],
    "bitwise_right_shift": ["i, xp.abs(j)", "u8, u16", "i, 3", "i16, xp.astype(i16, xp.int8)"],
    "copysign": PAIRS,
    "divide": PAIRS,
    "equal": PAIRS + BITS,
    "floor_divide": ["f, f", "g, f", "g, 2.0", "s, f", "edges, 1.5", "i, j", "i8, i16", "u8, u16 + u16", "i, 3", "i, -3"],
    "greater": PAIRS + WHOLE,
    "greater_equal": PAIRS + WHOLE,
    "hypot": PAIRS,
    "less": PAIRS + WHOLE,
    "less_equal": PAIRS + WHOLE,
    "logaddexp": PAIRS,
    "logical_and": ["b, c", "b, True"],
    "logical_or": ["b, c", "False, b"],
    "logical_xor": ["b, c", "b, True"],
    "maximum": PAIRS + WHOLE,
    "minimum": PAIRS + WHOLE,
    "multiply": PAIRS + WHOLE,
    "nextafter": ["f, f", "f, g", "g, 2.0", "edges, 1.5"],
    "not_equal": PAIRS + BITS,
    "pow": ["above, f", "above, g", "above, 2.0", "2.0, f", "g, 3", "i, xp.abs(j)", "u8, u16", "i, 3"],
    "remainder": ["f, f", "g, f", "g, 2.0", "s, f", "edges, 1.5", "i, j", "i8, i16", "u8, u16", "i, 3", "i, -3"],
    "subtract": PAIRS + WHOLE,
}  # fmt: skip
"""Functions of two arrays, or of one and a number, with their arguments."""

COMPLEX_PAIRS = ["z, w", "w, w", "f + 4.0, z", "g + 9.0, z", "w, 2.0", "2j, z", "z, 3"]
"""Arguments of functions of two numbers that take complex ones."""

AXES = ["", ", axis=0", ", axis=-1", ", axis=(0, 1)", ", axis=1, keepdims=True", ", keepdims=True", ", axis=()"]
OVER = {
    "all": ["z", "f", "i", "b", "three", "edges", "empty"],
    "any": ["z", "f", "i", "b", "three", "edges", "empty"],
    "count_nonzero": ["z", "f", "i", "b", "three", "empty"],
    "max": ["f", "i", "i8", "u8", "u64", "three"],
    "mean": ["z", "w", "f", "g", "three"],
    "min": ["f", "i", "i8", "u8", "u64", "three"],
    "prod": ["z", "w", "f", "i", "i8", "u8", "u16", "u64", "three", "empty"],
    "std": ["f", "g", "three"],
    "sum": ["z", "w", "f", "i", "i8", "u8", "u16", "u64", "i32", "three", "empty"],
    "var": ["f", "g", "three"],
}
"""Reductions, with the arrays of two axes and more that they are asked about."""

OTHERS = """
xp.arange(5); xp.arange(2, 9, 3); xp.arange(5, 0, -2); xp.arange(0.0, 2.0, 0.5, dtype=xp.float64); xp.arange(3, 1)
xp.arange(4, dtype=xp.float32); xp.arange(4, dtype=xp.uint8)
xp.asarray([1, 2]); xp.asarray([True]); xp.asarray([[1.0, 2.0]], dtype=xp.float64); xp.asarray(f, copy=True)
xp.asarray(3, dtype=xp.int8); xp.asarray(i, dtype=xp.float32)
xp.astype(f, xp.float64); xp.astype(g, xp.int32); xp.astype(i, xp.bool); xp.astype(b, xp.float32); xp.astype(f, xp.float32, copy=False)
xp.broadcast_arrays(f, f[0, :], s); xp.broadcast_shapes((3, 1), (2,)); xp.broadcast_to(f[0, :], (4, 3))
xp.can_cast(xp.int8, xp.int16); xp.can_cast(xp.int16, xp.int8); xp.can_cast(xp.int8, xp.float32); xp.can_cast(f, xp.float64)
xp.can_cast(xp.uint8, xp.int8); xp.can_cast(xp.uint8, xp.int16); xp.can_cast(xp.bool, xp.int8); xp.can_cast(xp.float64, xp.float32)
xp.clip(f, 0.0, 1.0); xp.clip(g, min=f); xp.clip(f, max=xp.astype(g, xp.float32)); xp.clip(i, -1, 2); xp.clip(i8, 0); xp.clip(edges, -1.0, 1.0)
xp.clip(f); xp.clip(three, xp.asarray([0.0, 5.0, 9.0, 1.0], dtype=xp.float64), 12.0)
xp.concat([f, f]); xp.concat([f, g], axis=1); xp.concat((f, g), axis=None); xp.concat([i8, i16], axis=-1)
xp.cumulative_prod(row); xp.cumulative_prod(i, axis=1); xp.cumulative_prod(f, axis=0, include_initial=True)
xp.cumulative_sum(row); xp.cumulative_sum(i8, axis=1); xp.cumulative_sum(u8, axis=0); xp.cumulative_sum(f, axis=-1, include_initial=True)
xp.cumulative_sum(three, axis=1, dtype=xp.float32)
xp.diff(f); xp.diff(i, axis=0); xp.diff(three, n=2); xp.diff(row, prepend=row[:1], append=row[:2]); xp.diff(u8)
xp.empty((2, 3), dtype=xp.int8) * xp.zeros((2, 3), dtype=xp.int8); xp.empty_like(i) * 0
xp.expand_dims(f, axis=0); xp.expand_dims(f, axis=-1); xp.expand_dims(f, axis=(0, 2))
xp.eye(3, dtype=xp.float64); xp.eye(2, 4, k=1, dtype=xp.int16); xp.eye(3, 2, k=-1, dtype=xp.float32)
tuple(getattr(xp.finfo(xp.float32), n) for n in ("bits", "eps", "max", "min", "smallest_normal", "dtype"))
tuple(getattr(xp.finfo(g), n) for n in ("bits", "eps", "max", "min", "smallest_normal"))
tuple(getattr(xp.iinfo(xp.uint8), n) for n in ("bits", "max", "min", "dtype")); tuple(getattr(xp.iinfo(i), n) for n in ("bits", "max", "min"))
xp.flip(f); xp.flip(three, axis=1); xp.flip(three, axis=(0, -1))
xp.full((2, 2), 7); xp.full(3, True); xp.full((2,), 1.5, dtype=xp.float32); xp.full_like(f, 2); xp.full_like(i, 2, dtype=xp.float64)
xp.isdtype(xp.float32, "real floating"); xp.isdtype(xp.int8, ("bool", "signed integer")); xp.isdtype(xp.uint8, "signed integer")
xp.isdtype(xp.bool, "numeric"); xp.isdtype(xp.float64, xp.float32); xp.isdtype(xp.float64, (xp.float64, xp.int8)); xp.isdtype(xp.float32, "complex floating")
xp.isdtype(xp.int64, "integral"); xp.isdtype(xp.uint64, "unsigned integer"); xp.isdtype(xp.bool, "bool")
xp.isin(i, j); xp.isin(i8, i16); xp.isin(i, 3)
xp.linspace(0.0, 1.0, 5, dtype=xp.float64); xp.linspace(2, 3, 4, dtype=xp.float32, endpoint=False); xp.linspace(1.0, 2.0, 0, dtype=xp.float64)
xp.matmul(f, xp.matrix_transpose(g)); xp.matmul(f, f[0, :]); xp.matmul(i, xp.matrix_transpose(i32)); xp.matmul(spd, squares); xp.matmul(u8, u8[0, :])
xp.matrix_transpose(three); xp.matrix_transpose(f)
xp.meshgrid(row[:2], row[:3]); xp.meshgrid(row[:2], row[:3], indexing="ij")
xp.moveaxis(three, 0, -1); xp.moveaxis(three, (0, 1), (1, 2)); xp.permute_dims(three, (2, 0, 1))
xp.nonzero(f); xp.nonzero(b); xp.nonzero(row)
xp.ones((2, 3), dtype=xp.float64); xp.ones(4, dtype=xp.int8); xp.ones_like(u8); xp.ones_like(f, dtype=xp.bool)
xp.prod(i8, dtype=xp.int8); xp.sum(i8, dtype=xp.int16); xp.sum(f, dtype=xp.float64); xp.sum(u8, axis=0, dtype=xp.float32)
xp.repeat(f, 2); xp.repeat(f, 3, axis=1); xp.repeat(row[:4], ones_there); xp.repeat(three, ones_there, axis=2)
xp.reshape(three, (4, -1)); xp.reshape(f, (6,), copy=True); xp.reshape(s, (1, 1))
xp.result_type(xp.int8, xp.int16); xp.result_type(f, g); xp.result_type(s, f); xp.result_type(i8, 3); xp.result_type(f, 1.5, 2); xp.result_type(xp.uint8, xp.int8, i32)
xp.roll(f, 1); xp.roll(three, (1, 2), axis=(0, 2)); xp.roll(three, -1, axis=1); xp.roll(three, 1, axis=(0, 1))
xp.argmax(f); xp.argmax(i8, axis=1); xp.argmin(f, axis=0, keepdims=True); xp.argmin(edges[3:]); xp.argmax(three, keepdims=True); xp.argmax(edges)
xp.argsort(row); xp.argsort(row, descending=True); xp.argsort(i, axis=0); xp.argsort(three, axis=1, descending=True, stable=True)
xp.sort(row); xp.sort(i, descending=True); xp.sort(f, axis=0); xp.sort(u8, axis=0, descending=True)
xp.searchsorted(ordered, row); xp.searchsorted(ordered, f[0, :], side="right"); xp.searchsorted(row, 2.0, sorter=order); xp.searchsorted(ordered, xp.reshape(row, (2, 3)), side="right")
xp.squeeze(xp.reshape(f, (1, 2, 3, 1)), axis=0); xp.squeeze(xp.reshape(f, (1, 2, 3, 1)), axis=(0, -1))
xp.stack([f, g]); xp.stack([f, f], axis=-1); xp.stack((i8, i16), axis=1); xp.unstack(three); xp.unstack(three, axis=-1)
xp.std(f, correction=1); xp.var(g, axis=1, correction=1.0, keepdims=True); xp.std(three, axis=(0, 2), correction=1)
xp.take(row, ones_there); xp.take(three, ones_there, axis=2); xp.take(f, xp.asarray([-1, 0]), axis=1); xp.take(row, xp.asarray([0, 5], dtype=xp.uint8))
xp.take_along_axis(three, xp.argsort(three, axis=1, descending=True), axis=1); xp.take_along_axis(f, xp.asarray([[0, -1], [1, 1]])); xp.take_along_axis(f, xp.asarray([[1, 0, 1]]), axis=0)
xp.tensordot(three, g, axes=([1], [1])); xp.tensordot(f, xp.matrix_transpose(f), axes=1); xp.tensordot(f, f); xp.tensordot(i, i, axes=0)
xp.tile(f, (2, 1)); xp.tile(row, (2, 2)); xp.tile(f, (2,))
xp.tril(three); xp.tril(f, k=1); xp.triu(i, k=-1); xp.triu(three, k=1)
xp.unique_all(ints); xp.unique_all(i); xp.unique_counts(row); xp.unique_inverse(ints); xp.unique_values(i); xp.unique_values(edges); xp.unique_values(b)
xp.vecdot(f, g); xp.vecdot(three, three, axis=-2); xp.vecdot(i8, i8); xp.vecdot(f, f[0, :])
xp.where(b, f, g); xp.where(b, f, 2.0); xp.where(b, 1, i8); xp.where(b[0, :], i16, i8); xp.where(b, s, f)
xp.zeros((2, 3), dtype=xp.float64); xp.zeros(4, dtype=xp.int8); xp.zeros_like(u8); xp.zeros_like(f, dtype=xp.int16)
xp.e; xp.pi; xp.inf; xp.newaxis
xp.from_dlpack(f)
xp.linalg.cholesky(spd); xp.linalg.cholesky(spd, upper=True); xp.linalg.cross(f, g); xp.linalg.cross(i, j[0, :]); xp.linalg.cross(xp.matrix_transpose(f), xp.matrix_transpose(g), axis=-2)
xp.linalg.det(spd); xp.linalg.det(squares); xp.linalg.diagonal(three); xp.linalg.diagonal(f, offset=1); xp.linalg.eigvalsh(spd); xp.linalg.eigh(spd).eigenvalues
xp.linalg.inv(spd); xp.linalg.inv(squares); xp.linalg.matmul(f, xp.matrix_transpose(f)); xp.linalg.matrix_norm(spd); xp.linalg.matrix_norm(f, ord="nuc"); xp.linalg.matrix_norm(spd, ord=1, keepdims=True)
xp.linalg.matrix_norm(f, ord=2); xp.linalg.matrix_norm(f, ord=xp.inf); xp.linalg.matrix_power(squares, 3); xp.linalg.matrix_power(spd, -2); xp.linalg.matrix_power(spd, 0)
xp.linalg.matrix_rank(spd); xp.linalg.matrix_rank(tall); xp.linalg.matrix_rank(three, rtol=0.2); xp.linalg.matrix_transpose(f); xp.linalg.outer(vec, row); xp.linalg.outer(ints, ones_there)
xp.linalg.pinv(tall); xp.linalg.pinv(spd, rtol=0.5); xp.abs(xp.linalg.qr(tall).Q); xp.abs(xp.linalg.qr(tall, mode="complete").R); xp.linalg.slogdet(spd); xp.linalg.slogdet(squares)
xp.linalg.solve(spd, vec); xp.linalg.solve(squares, f[0, :]); xp.linalg.solve(spd, xp.matrix_transpose(g)); xp.linalg.solve(spd[:1, ...], spd)
xp.linalg.svd(tall).S; xp.abs(xp.linalg.svd(tall, full_matrices=False).U); xp.abs(xp.linalg.svd(tall).Vh); xp.linalg.svdvals(three)
xp.linalg.tensordot(f, f); xp.linalg.trace(three[:, :, :3]); xp.linalg.trace(i8, offset=1); xp.linalg.trace(u8); xp.linalg.trace(f, dtype=xp.float64); xp.linalg.vecdot(f, g)
xp.linalg.vector_norm(f); xp.linalg.vector_norm(three, axis=(0, 2)); xp.linalg.vector_norm(f, axis=1, ord=1, keepdims=True); xp.linalg.vector_norm(f, ord=xp.inf); xp.linalg.vector_norm(g, ord=0, axis=0); xp.linalg.vector_norm(g, ord=3, axis=0)
xp.asarray([1, 2j], dtype=xp.complex64); xp.asarray(1 + 2j, dtype=xp.complex64); xp.zeros(2, dtype=xp.complex64); xp.ones((2, 1), dtype=xp.complex128); xp.eye(2, dtype=xp.complex64)
xp.full(2, 1 - 2j, dtype=xp.complex128); xp.full_like(z, 2); xp.linspace(0j, 1 + 1j, 4, dtype=xp.complex64); xp.astype(f, xp.complex64); xp.astype(w, xp.complex64); xp.astype(i, xp.complex128)
xp.can_cast(xp.float64, xp.complex64); xp.can_cast(xp.float32, xp.complex64); xp.can_cast(z, xp.float32); xp.result_type(f, z); xp.result_type(g, z); xp.result_type(z, 2j)
xp.isdtype(xp.complex64, "numeric"); xp.isdtype(xp.complex64, "complex floating"); xp.isdtype(xp.complex128, "real floating"); xp.finfo(z).eps; xp.finfo(xp.complex128).bits
xp.concat([z, w]); xp.stack([f, z]); xp.where(b, z, f); xp.where(b, w, 2.0); xp.flip(z, axis=1); xp.roll(z, 1); xp.take(z, ones_there[:2], axis=1); xp.matrix_transpose(z); xp.tril(m); xp.tile(z, (2, 1))
xp.cumulative_sum(z, axis=1); xp.cumulative_prod(w, axis=0); xp.diff(z); xp.unique_values(z); xp.nonzero(z); xp.matmul(m, m); xp.matmul(z, m); xp.vecdot(z, w); xp.tensordot(z, w); xp.sum(f, dtype=xp.complex64)
xp.linalg.solve(m, w[0, :]); xp.linalg.inv(m); xp.linalg.matrix_power(m, -2); xp.linalg.trace(m); xp.linalg.outer(z[0, :], w[1, :]); xp.linalg.cross(z, w); xp.linalg.vecdot(z, z); xp.linalg.diagonal(m)
xp.linalg.vector_norm(z); xp.linalg.vector_norm(w, ord=1, axis=0); xp.linalg.vector_norm(z, ord=xp.inf); xp.linalg.matrix_norm(m); xp.linalg.matrix_norm(m, ord=1)
xp.linalg.det(m); xp.linalg.slogdet(m); xp.linalg.cholesky(xp.matmul(m, xp.conj(xp.matrix_transpose(m)))); xp.linalg.cholesky(xp.matmul(m, xp.conj(xp.matrix_transpose(m))), upper=True)
xp.linalg.eigh(m + xp.conj(xp.matrix_transpose(m))).eigenvalues; xp.linalg.eigvalsh(m + xp.conj(xp.matrix_transpose(m))); xp.linalg.svdvals(w); xp.linalg.svd(z).S; xp.linalg.pinv(w); xp.linalg.matrix_rank(m)
xp.abs(xp.linalg.qr(w).R); xp.abs(xp.linalg.qr(m, mode="complete").Q); xp.linalg.matrix_norm(m, ord=2); xp.linalg.matrix_norm(w, ord="nuc"); xp.linalg.eigvals(squares); xp.linalg.eigvals(m); xp.linalg.eig(m).eigenvalues; xp.abs(xp.linalg.eig(squares).eigenvectors)
xp.fft.fft(z); xp.fft.fft(w, n=5, axis=0, norm="ortho"); xp.fft.ifft(z, norm="forward"); xp.fft.rfft(f); xp.fft.rfft(g, n=5); xp.fft.irfft(z); xp.fft.irfft(w, n=5); xp.fft.fftn(w); xp.fft.ifftn(z, axes=(0,))
xp.fft.rfftn(f); xp.fft.rfftn(three, s=(2, 3), axes=(0, 2)); xp.fft.irfftn(w); xp.fft.hfft(z); xp.fft.hfft(w, n=3); xp.fft.ihfft(f); xp.fft.ihfft(g, n=4, norm="ortho"); xp.fft.fftshift(z)
xp.fft.fftfreq(8, dtype=xp.float64); xp.fft.fftfreq(7, d=0.5, dtype=xp.float32); xp.fft.rfftfreq(8, dtype=xp.float64); xp.fft.rfftfreq(7, d=2.0, dtype=xp.float64)
xp.fft.fftshift(three); xp.fft.fftshift(row, axes=0); xp.fft.ifftshift(three, axes=(0, 1)); xp.fft.ifftshift(row)
"""
"""All others; several in a line are apart by semicolons."""

REFUSED = """
xp.add(f, i); xp.add(i, 1.5); xp.add(b, b); xp.add(1, 2); xp.add(b, 1); xp.add(i8, 300); xp.add(u64, i); xp.multiply(f, b); xp.exp(i); xp.sqrt(b)
xp.divide(i, i); xp.bitwise_and(f, f); xp.bitwise_and(b, i); xp.logical_and(i, i); xp.logical_not(i); xp.equal(b, i); xp.mean(i); xp.std(i); xp.sum(b); xp.prod(b); xp.max(b)
xp.argmax(b); xp.sort(b); xp.argsort(b); xp.cumulative_sum(f); xp.cumulative_sum(b, axis=0); xp.cumulative_prod(three); xp.nonzero(s); xp.take(f, ones_there); xp.take(row, row)
xp.where(i, f, f); xp.where(b, f, i); xp.where(b, 1, 2); xp.concat([f, i]); xp.concat([]); xp.stack([f, b]); xp.squeeze(f, axis=0); xp.result_type(f, i); xp.result_type(1, 2); xp.result_type(i, 1.5)
xp.isdtype(xp.float32, "floats"); xp.isdtype(xp.float32, 3); xp.isdtype(3, "bool"); xp.clip(i, 0.5); xp.max(empty); xp.argmax(empty); xp.matmul(s, f); xp.matmul(b, b); xp.vecdot(f, g, axis=0); xp.abs([1.0])
xp.linalg.outer(f, f); xp.linalg.cross(row, row); xp.linalg.det(i); xp.linalg.inv(b); xp.finfo(xp.int8); xp.iinfo(xp.float32); xp.searchsorted(b, b); xp.broadcast_shapes((2,), (3,)); xp.tril(row); xp.diff(b)
xp.less(z, z); xp.maximum(z, w); xp.floor(z); xp.max(z); xp.sort(z); xp.argmax(z); xp.std(z); xp.atan2(z, z); xp.clip(z, 0.0); xp.add(z, i); xp.imag(f); xp.fft.fft(f); xp.fft.rfft(z); xp.floor_divide(z, z); xp.add(i, 1j)
xp.astype(f, "float32"); xp.zeros(-1); xp.reshape(f, (5,)); xp.broadcast_to(f, (5,)); xp.bitwise_left_shift(f, f); xp.negative(b); xp.linalg.vector_norm(i); xp.permute_dims(f, (0, 0)); xp.expand_dims(f, axis=5)
"""
"""Calls that the strict implementation refuses, and so does every one that the standard leaves no room for."""


def split(text: str) -> list[str]:
    return [each.strip() for line in text.strip().splitlines() for each in line.split(";") if each.strip()]


def expressions() -> list[str]:
    """Every sample, as an expression."""
    found = [f"xp.{name}({x})" for name, arrays in ONE.items() for x in arrays]
    found += [f"xp.{name}({x})" for name in OF_COMPLEX for x in "zw"]
    found += [
        f"xp.{name}({pair})" for name in "add subtract multiply divide pow equal".split() for pair in COMPLEX_PAIRS
    ]
    found += [f"xp.{name}({pair})" for name, pairs in TWO.items() for pair in pairs]
    for name, arrays in OVER.items():
        for x in arrays:
            found += [f"xp.{name}({x}{axes})" for axes in AXES if "1" not in axes or DATA[x].ndim > 1]
    return found + split(OTHERS)


def environment(xp: Any) -> dict[str, Any]:
    """The names in expressions: the namespace, and the arrays as its own."""
    arrays = {name: xp.asarray(each) for name, each in DATA.items()}
    return {"xp": xp, "math": math, **arrays}
