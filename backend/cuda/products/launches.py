"""The kernels that one product takes: tiles or rows, and where the inner axis is long, one that merges parts of it.

What is chosen follows from sizes alone, not from the device, so results are the same bits everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core.dtypes import DType
from ....core.records import dataclass, replace
from ..launch_grid import AXIS_BLOCKS, WARP, DeviceLimits, Launch
from .epilogues import Epilogue
from .tensor_tiles import TensorTiling, tensor_text
from .thin import ThinForm, merging_text, thin_text
from .tiles import LARGE, SMALL, ProductForm, Tiling, product_text

FEW = 16
"""The rows or columns of a result up to which its product is a thin one."""
LARGE_FROM = 96
"""Blocks of large tiles from which these are taken."""
WANTED_BLOCKS, LEAST_SHARE, MOST_PARTS = 256, 256, 64
"""The blocks that a product is split for along its inner axis, the elements of a part at least, and the most parts."""
WANTED_WARPS, LEAST_WARP_SHARE = 4096, 1024
"""The warps for which a thin product is split, and the elements of a part at least where a warp shares it out."""
LEAST_THREAD_SHARE = 64
"""The elements of a part of a thin product, at least, where a thread goes through it."""


@dataclass(frozen=True, slots=True)
class Matrices:
    """The matrices of an operand in memory: lines of neighbouring elements, rows or, where `turned`, columns.

    Units: `step` and `line` count elements from one matrix and one line to the next."""

    dtype: DType
    step: int
    line: int
    turned: bool = False

    @property
    def row(self) -> int:
        """Elements from a row to the next."""
        return 1 if self.turned else self.line

    @property
    def column(self) -> int:
        """Elements from a column to the next."""
        return self.line if self.turned else 1


@dataclass(frozen=True, slots=True)
class ProductKernel:
    """One launch. operands: of "a", "b", "c" and "parts", the memory of the parts, those whose addresses come first;
    "map 2" is the pointer 2 of the map of an epilogue."""

    text: str
    form: str
    operands: tuple[str, ...]
    numbers: tuple[int, ...]
    sizes: Launch


@dataclass(frozen=True, slots=True)
class Product:
    """`c = a @ b` for `batch` matrices of m by k and k by n, none of these zero.

    tf32: whether elements of float32 may be rounded to TF32 before they are multiplied."""

    m: int
    n: int
    k: int
    batch: int
    a: Matrices
    b: Matrices
    c: Matrices
    tf32: bool = False

    @property
    def summed(self) -> DType:
        """The dtype of the sums."""
        return ProductForm(self.a.dtype, self.b.dtype, self.c.dtype).summed

    @property
    def turned(self) -> Product:
        """The product with the roles of the operands exchanged: the result's columns are rows then."""
        a, b, c = (replace(each, turned=not each.turned) for each in (self.b, self.a, self.c))
        return Product(self.n, self.m, self.k, self.batch, a, b, c, self.tf32)


def product_kernels(
    product: Product,
    tilings: Sequence[Tiling],
    limits: DeviceLimits,
    tensor: TensorTiling | None = None,
    epilogue: Epilogue | None = None,
) -> list[ProductKernel]:
    """The launches of a product, in order. tilings: the device's, the larger first.   tensor: that of tensor cores.

    epilogue: the map of its results."""
    if min(product.m, product.n) <= FEW:
        if product.m <= product.n:
            return _thin_kernels(product, limits, epilogue)
        exchanged = {"a": "b", "b": "a"}
        return [
            replace(each, operands=tuple(exchanged.get(name, name) for name in each.operands))
            for each in _thin_kernels(product.turned, limits, epilogue)
        ]
    return _tile_kernels(product, tilings, limits, tensor, epilogue)


def parts_nbytes(product: Product, kernels: Sequence[ProductKernel]) -> int:
    """Bytes of memory for the parts of a product that is split."""
    if len(kernels) == 1:
        return 0
    return kernels[0].sizes.grid[1] * product.batch * product.m * product.n * product.summed.itemsize


def _tile_kernels(
    product: Product,
    tilings: Sequence[Tiling],
    limits: DeviceLimits,
    tensor: TensorTiling | None,
    epilogue: Epilogue | None,
) -> list[ProductKernel]:
    m, n, k, batch, a, b, c = (getattr(product, name) for name in ("m", "n", "k", "batch", "a", "b", "c"))
    narrow = a.dtype is b.dtype and (a.dtype.is_half or product.tf32)
    fitting = [each for each in tilings if product.summed.itemsize <= 4 or each.each <= 4] or tilings[-1:]
    large = next((each for each in fitting if _tiles(product, each) * batch >= LARGE_FROM), fitting[-1])
    tiling = tensor if tensor is not None and narrow else large
    tiles = _tiles(product, tiling)
    parts = max(1, min(k // LEAST_SHARE, WANTED_BLOCKS // (tiles * batch), MOST_PARTS))
    share = _up(-(-k // parts), tiling.depth)
    parts = -(-k // share)
    into = c if parts == 1 else Matrices(product.summed, m * n, n)
    form = ProductForm(a.dtype, b.dtype, into.dtype, a.turned, b.turned)
    numbers: tuple[int, ...] = (m, n, k, share, a.step, a.line, b.step, b.line)
    sizes = Launch((tiles * batch, parts, 1), (tiling.block, 1, 1))
    mapped = epilogue if parts == 1 else None
    text = tensor_text(form, tiling, mapped) if isinstance(tiling, TensorTiling) else product_text(form, tiling, mapped)
    name = "tensor cores" if isinstance(tiling, TensorTiling) else f"tiles of {tiling.rows}"
    if mapped is None or mapped.kept:
        numbers += (batch * m * n, into.step, into.line)
    if mapped is not None:
        operands, numbers = _with_map(("a", "b"), mapped), (*numbers, *mapped.sizes)
        return [ProductKernel(text, f"{name}, mapped", operands, numbers, sizes)]
    first = ProductKernel(text, name, ("a", "b", "c" if parts == 1 else "parts"), numbers, sizes)
    return [first] if parts == 1 else [first, _merging(product, parts, limits, epilogue)]


def _with_map(operands: tuple[str, ...], epilogue: Epilogue) -> tuple[str, ...]:
    """The operands with those that a mapped result has."""
    return (*operands, *(["c"] if epilogue.kept else []), *(f"map {k}" for k in epilogue.pointers))


def _tiles(product: Product, tiling: Tiling | TensorTiling) -> int:
    return -(-product.m // tiling.rows) * -(-product.n // tiling.columns)


def _thin_kernels(product: Product, limits: DeviceLimits, epilogue: Epilogue | None) -> list[ProductKernel]:
    m, n, k, batch, a, b, c = (getattr(product, name) for name in ("m", "n", "k", "batch", "a", "b", "c"))
    form = ThinForm(a.dtype, b.dtype, c.dtype, m, b.turned, not a.turned)
    if form.along:
        warps, least, unit = n * batch, LEAST_WARP_SHARE, WARP * form.group
        block, across = (WARP, limits.warps, 1), limits.warps
    else:
        threads = min(limits.threads, 128)
        warps, least, unit = -(-n // (form.group * WARP)) * batch, LEAST_THREAD_SHARE, 1
        block, across = (threads, 1, 1), threads * form.group
    parts = max(1, min(k // least, WANTED_WARPS // warps, MOST_PARTS))
    share = _up(-(-k // parts), unit)
    parts = -(-k // share)
    is_whole = parts == 1 and epilogue is None  # a result that is mapped is, with the parts
    into = c if is_whole else Matrices(product.summed, m * n, n)
    steps = (a.step, a.row, a.column, b.step, b.line, batch * m * n, into.step, into.row, into.column)
    numbers = (batch, n, k, share, *steps)
    sizes = Launch((-(-n // across), parts, min(batch, AXIS_BLOCKS)), block)
    form = replace(form, c=into.dtype)
    first = ProductKernel(thin_text(form), "thin", ("a", "b", "c" if is_whole else "parts"), numbers, sizes)
    return [first] if is_whole else [first, _merging(product, parts, limits, epilogue)]


def _merging(product: Product, parts: int, limits: DeviceLimits, epilogue: Epilogue | None) -> ProductKernel:
    cells, c = product.batch * product.m * product.n, product.c
    numbers: tuple[int, ...] = (parts, cells, product.m, product.n)
    if epilogue is None or epilogue.kept:
        numbers += (c.step, c.row, c.column)
    blocks = max(1, min(-(-cells // limits.threads), limits.blocks))
    sizes = Launch((blocks, 1, 1), (limits.threads, 1, 1))
    text = merging_text(product.summed, c.dtype, epilogue, c.turned)
    if epilogue is not None:
        operands, numbers = _with_map(("parts",), epilogue), (*numbers, *epilogue.sizes)
        return ProductKernel(text, "merged parts, mapped", operands, numbers, sizes)
    return ProductKernel(text, "merged parts", ("parts", "c"), numbers, sizes)


def _up(value: int, unit: int) -> int:
    """`value` or the next multiple of `unit`."""
    return -(-value // unit) * unit


TILINGS = (LARGE, SMALL)
"""The tilings of a GPU, the larger first."""
