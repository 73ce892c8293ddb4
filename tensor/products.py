"""Products of several axes: einsum and tensordot, and the named forms that PyTorch has."""

from __future__ import annotations

import math
from functools import reduce
from operator import index
from typing import Any

from ..ops.activations import ALIAS
from .arithmetic import mul, sub
from .contraction import added, matmul
from .creation import eye
from .diagonals import diagonal
from .dispatch import apply
from .joining import cat, listed_tensors, narrow
from .linear_algebra import inverse_of
from .promotion import refuse
from .reductions import norm, sum
from .shapes import broadcast_shapes, wrap_axis
from .shaping import expand_to, permute, reshape_to, result_in, unsqueeze
from .surface import method, surface

Value = Any


@surface
def einsum(equation: str, *operands: Any) -> Value:
    """The sum of products that `equation` names: ``einsum("ik,kj->ij", a, b)``. Operands are multiplied in their order.

    Errors: RuntimeError where letters, axes and sizes do not fit.
    """
    listed = listed_tensors(operands)
    terms, result = _parsed(equation, listed)
    pairs = [_once(each, term) for each, term in zip(listed, terms)]
    sizes = _sizes(pairs)
    value, letters = pairs[0]
    for place, (other, own) in enumerate(pairs[1:], start=1):
        later = {letter for _, term in pairs[place + 1 :] for letter in term} | set(result)
        value, letters = _contracted(value, letters, other, own, later, sizes)
    gone = [axis for axis, letter in enumerate(letters) if letter not in result]
    if gone:
        value = sum(value, gone)
        letters = [letter for letter in letters if letter in result]
    order = [letters.index(letter) for letter in result]
    as_it_is = not order or len(pairs) > 1 and order == sorted(order)
    return value if as_it_is else permute(value, *order)


def _parsed(equation: str, operands: list[Value]) -> tuple[list[list[str]], list[str]]:
    """The letters of each operand and those of the result; digits stand for the axes of an ellipsis."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    texts = left.split(",")
    if len(texts) != len(operands):
        raise RuntimeError(
            f"einsum(): the number of subscripts in the equation ({len(texts)}) does not match the number of operands "
            f"({len(operands)})"
        )
    terms = [_letters(text, each.ndim, place) for place, (text, each) in enumerate(zip(texts, operands))]
    spare = max((len([letter for letter in term if letter.isdigit()]) for term in terms), default=0)
    dots = [str(k) for k in reversed(range(spare))]
    if not arrow:
        every = [letter for term in terms for letter in term if not letter.isdigit()]
        return terms, dots + sorted(letter for letter in set(every) if every.count(letter) == 1)
    found = dots + list(right.replace("...", "")) if right.startswith("...") else list(right)
    if "..." in right and not right.startswith("..."):
        place = right.index("...")
        found = [*right[:place], *dots, *right[place + 3 :]]
    for letter in found:
        if found.count(letter) > 1 or not any(letter in term for term in terms):
            raise RuntimeError(f"einsum(): output subscript {letter} is repeated, or not among those of the operands")
    return terms, found


def _letters(text: str, rank: int, place: int) -> list[str]:
    before, dots, after = text.partition("...")
    named = len(before) + len(after)
    if not (before + after).isalpha() and named:
        raise RuntimeError(f"einsum(): invalid subscript given for operand {place}: {text!r}")
    if named > rank or (not dots and named < rank):
        raise RuntimeError(
            f"einsum(): the number of subscripts ({named}) does not match the number of dimensions ({rank}) for "
            f"operand {place} and no ellipsis was given"
        )
    return [*before, *(str(k) for k in reversed(range(rank - named if dots else 0))), *after]


def _once(x: Value, letters: list[str]) -> tuple[Value, list[str]]:
    """`x` with the diagonal of axes that have one letter."""
    letters = list(letters)
    for letter in sorted(set(letters)):
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            if x.shape[first] != x.shape[second]:
                raise RuntimeError(
                    f"einsum(): subscript {letter} is repeated for operand but the sizes don't match, "
                    f"{x.shape[second]} != {x.shape[first]}"
                )
            x = diagonal(x, 0, first, second)
            letters = [each for k, each in enumerate(letters) if k not in (first, second)] + [letter]
    return x, letters


def _sizes(pairs: list[tuple[Value, list[str]]]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for place, (x, letters) in enumerate(pairs):
        for letter, size in zip(letters, x.shape):
            have = sizes.get(letter, 1)
            if size not in (1, have) and have != 1:
                raise RuntimeError(
                    f"einsum(): subscript {letter} has size {size} for operand {place} which does not broadcast with "
                    f"previously seen size {have}"
                )
            sizes[letter] = size if have == 1 else have
    return sizes


def _contracted(
    x: Value, own: list[str], y: Value, other: list[str], later: set[str], sizes: dict[str, int]
) -> tuple[Value, list[str]]:
    """The product of two operands, summed over the letters that nobody asks for later, as one matrix product."""
    x, own = _summed(x, own, other, later)
    y, other = _summed(y, other, own, later)
    shared = [letter for letter in own if letter in other]
    batch = [letter for letter in shared if letter in later]
    inner = [letter for letter in shared if letter not in later]
    rows = [letter for letter in own if letter not in shared]
    columns = [letter for letter in other if letter not in shared]
    left = _arranged(x, own, [*batch, *rows, *inner], {letter: sizes[letter] for letter in shared})
    right = _arranged(y, other, [*batch, *inner, *columns], {letter: sizes[letter] for letter in shared})
    lead = tuple(sizes[letter] for letter in batch)
    height, width = (left.shape[len(batch) : len(batch) + len(rows)], right.shape[len(batch) + len(inner) :])
    depth = math.prod(sizes[letter] for letter in inner)
    letters = [*batch, *rows, *columns]
    if not inner:
        wide = reshape_to(left, (*left.shape, *(1,) * len(columns)))
        return mul(wide, reshape_to(right, (*lead, *(1,) * len(rows), *width))), letters
    product = matmul(
        reshape_to(left, (*lead, math.prod(height), depth)), reshape_to(right, (*lead, depth, math.prod(width)))
    )
    return result_in(product, (*lead, *height, *width)), letters


def _summed(x: Value, own: list[str], other: list[str], later: set[str]) -> tuple[Value, list[str]]:
    """`x` summed over what only it has and nobody asks for."""
    gone = [axis for axis, letter in enumerate(own) if letter not in other and letter not in later]
    if not gone:
        return x, own
    return sum(x, gone), [letter for axis, letter in enumerate(own) if axis not in gone]


def _arranged(x: Value, own: list[str], order: list[str], sizes: dict[str, int]) -> Value:
    """`x` with its axes in that order, those of `sizes` expanded to them."""
    x = permute(x, *(own.index(letter) for letter in order)) if order else x
    return expand_to(x, tuple(sizes.get(letter, size) for letter, size in zip(order, x.shape)))


@surface
def tensordot(a: Value, b: Value, dims: Any = 2) -> Value:
    """The products summed over axes: the last `dims` of `a` with the first of `b`, or those two lists of axes."""
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        left, right = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        left, right = ([each] if isinstance(each, int) else list(each) for each in dims)
    left, right = [wrap_axis(axis, a.ndim) for axis in left], [wrap_axis(axis, b.ndim) for axis in right]
    if len(left) != len(right):
        raise RuntimeError("both dimension lists should have same length")
    for one, two in zip(left, right):
        if a.shape[one] != b.shape[two]:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.shape[one]} in dim {one} and second has "
                f"size {b.shape[two]} in dim {two}"
            )
    rows = [axis for axis in range(a.ndim) if axis not in left]
    columns = [axis for axis in range(b.ndim) if axis not in right]
    height, width = [a.shape[axis] for axis in rows], [b.shape[axis] for axis in columns]
    depth = math.prod(a.shape[axis] for axis in left)
    product = matmul(
        reshape_to(permute(a, *rows, *left), (math.prod(height), depth)),
        reshape_to(permute(b, *right, *columns), (depth, math.prod(width))),
    )
    return reshape_to(product, (*height, *width))


@method("inner")
def inner(self: Value, other: Value) -> Value:
    """The products summed over the last axes of both."""
    if not self.ndim or not other.ndim:
        return mul(self, other)
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(self.shape)} and {list(other.shape)}"
        )
    return tensordot(self, other, ([-1], [-1]))


@method("vdot")
def vdot(self: Value, other: Value) -> Value:
    """The inner product of two vectors, of which the first is conjugated if it is complex."""
    return self.conj().dot(other) if self.dtype.is_complex else self.dot(other)


@method("kron")
def kron(self: Value, other: Value) -> Value:
    """The product of each element of one with the whole of the other, side by side."""
    rank = max(self.ndim, other.ndim)
    left, right = ((1,) * (rank - each.ndim) + each.shape for each in (self, other))
    first = reshape_to(self, tuple(size for each in left for size in (each, 1)))
    second = reshape_to(other, tuple(size for each in right for size in (1, each)))
    return result_in(mul(first, second), tuple(a * b for a, b in zip(left, right)))


@method("addmv")
def addmv(self: Value, mat: Value, vec: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    """``beta * self + alpha * mat @ vec``."""
    return added(self, mat.mv(vec), beta, alpha)


@method("addr")
def addr(self: Value, vec1: Value, vec2: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    """``beta * self + alpha * outer(vec1, vec2)``."""
    return added(self, vec1.outer(vec2), beta, alpha)


@method("baddbmm")
def baddbmm(self: Value, batch1: Value, batch2: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    """``beta * self + alpha * bmm(batch1, batch2)``."""
    return added(self, batch1.bmm(batch2), beta, alpha)


@method("addbmm")
def addbmm(self: Value, batch1: Value, batch2: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    """``beta * self + alpha * sum(bmm(batch1, batch2))``."""
    return added(self, sum(batch1.bmm(batch2), 0), beta, alpha)


@surface
def chain_matmul(*matrices: Any) -> Value:
    """The product of all matrices, from left to right. Errors: RuntimeError for none."""
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    if len(matrices) == 1:
        return apply(ALIAS, matrices[0])
    return reduce(matmul, matrices)


@method("matrix_power")
def matrix_power(self: Value, n: int) -> Value:
    """The product of `n` times the same matrix; for a negative `n` of its inverse.

    Errors: LinAlgError for a negative `n` and a singular matrix.
    """
    if self.ndim < 2 or self.shape[-1] != self.shape[-2]:
        raise RuntimeError(
            f"linalg.matrix_power: A must be batches of square matrices, but they are {list(self.shape)}"
        )
    n = index(n)
    result = None
    power = inverse_of("linalg.inv", self) if n < 0 else self
    n = abs(n)
    while n:
        if n & 1:
            result = power if result is None else matmul(result, power)
        n >>= 1
        power = matmul(power, power) if n else power
    if result is not None:
        return result
    return expand_to(eye(self.shape[-1], dtype=self.dtype, device=self.device), self.shape).clone()


@method("cross")
def cross(self: Value, other: Value, dim: int | None = None, *, axis: Any = None) -> Value:
    """The vector product along `dim`, of size 3; for None the first such axis."""
    dim = dim if axis is None else axis
    shape = broadcast_shapes(self.shape, other.shape)
    if dim is None:
        threes = [axis for axis, size in enumerate(self.shape) if size == 3]
        if not threes:
            raise RuntimeError("no dimension of size 3 in input")
        dim = threes[0]
    axis = wrap_axis(dim, len(shape))
    if shape[axis] != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {self.shape[axis]}")
    a, b = expand_to(self, shape), expand_to(other, shape)
    return sub(mul(_turned(a, axis, 1), _turned(b, axis, 2)), mul(_turned(a, axis, 2), _turned(b, axis, 1)))


def _turned(x: Value, axis: int, by: int) -> Value:
    return cat([narrow(x, axis, by, 3 - by), narrow(x, axis, 0, by)], axis)


@surface
def cdist(x1: Value, x2: Value, p: float = 2.0) -> Value:
    """The p-norms of the differences of each row of `x1` and each of `x2`.

    Shapes: [*, n, k] and [*, m, k] -> [*, n, m].
    """
    refuse("cdist", "c", x1, x2)
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    return norm(sub(unsqueeze(x1, -2), unsqueeze(x2, -3)), p, -1)
