"""The pieces that the texts of attention kernels are put together of."""

from __future__ import annotations

from collections.abc import Iterable

from ....core import dtypes
from ....core.dtypes import DType
from ....loop_ir.source_text import Lines, cast_text, loaded, memory_code
from .tiles import QUAD, AttentionForm, AttentionTiles, Tiles, padded, pitch

Body = Lines
MINUS_INFINITY, ZERO, ONE = "float32(-1e999)", "float32(0.0)", "float32(1.0)"
STRIDES = ("outer", "head", "row", "column")
"""Elements from one entry to the next, of a matrix under an outer axis and heads."""


def parameters(matrices: Iterable[str], more: Iterable[str], form: AttentionForm) -> list[str]:
    """The names of what a kernel takes: addresses, sizes, then the strides of each matrix, and of the mask."""
    matrices = list(matrices)
    masks = ["mask"] if form.mask is not None else []
    draws = ["place", "kept"] if form.dropped else []
    addresses = [f"{name}_address" for name in (*matrices, *masks, *draws, *more)]
    strides = [f"{name}_{which}" for name in matrices for which in STRIDES]
    strides += [f"mask_{which}" for which in ("batch", "row", "column")] if form.mask is not None else []
    return [*addresses, "batch", "heads", "queries", "keys", *strides]


def pointers(body: Body, names: Iterable[str], form: AttentionForm) -> None:
    """Binds each name to the memory at its address."""
    for name in names:
        body.put(f"{name} = pointer_{memory_code(form.dtype(name))}({name}_address)")


def whole_start(body: Body, matrices: Iterable[str], tiles: AttentionTiles, form: AttentionForm, last: bool) -> None:
    """The names that all of a block share, and the loop over the rows of the batch.

    last: the blocks of the last rows come first."""
    body.put_all(["x = cuda.threadIdx.x", "y = cuda.threadIdx.y", f"lane = y * {tiles.across} + x"])
    block = "cuda.gridDim.x - 1 - cuda.blockIdx.x" if last else "cuda.blockIdx.x"
    body.put(f"kept_row = ({block}) * {tiles.kept}")
    draws(body, form)
    body.put_all(["n = cuda.blockIdx.y", "while n < batch:"])
    body.depth += 1
    firsts(body, matrices, form)


def draws(body: Body, form: AttentionForm) -> None:
    """The names by which a dropout draws, if there is one."""
    if form.dropped:
        body.put_all(["seed = cast_i64_u64(place[0])", "start = cast_i64_u64(place[1])"])
        body.put_all(["share = kept[0]", f"stretch = {ONE} / share"])


def firsts(body: Body, matrices: Iterable[str], form: AttentionForm) -> None:
    """The places at which the matrices of a row of the batch begin, and its mask."""
    body.put_all(first_line(name) for name in matrices)
    if form.mask is not None:
        body.put("mask_first = n * mask_batch")


def first_line(name: str) -> str:
    """The line that says where a matrix of a row of the batch begins."""
    return f"{name}_first = n // heads * {name}_outer + n % heads * {name}_head"


def whole_end(body: Body) -> None:
    """The end of that loop."""
    body.put_all(["cuda.syncthreads()", "n += cuda.gridDim.y"])
    body.depth -= 1


def tile(name: str, rows: int, features: int) -> str:
    """The line that makes a tile."""
    return f"{name} = cuda.shared.array({rows * pitch(features)}, float32)"


def fill(
    body: Body,
    name: str,
    matrix: str,
    first: str,
    limit: str,
    rows: int,
    features: int,
    apart: int,
    tiles: AttentionTiles,
    dtype: DType,
) -> None:
    """Rows of a matrix from `first` on become a tile whose rows are `apart`; zeros from `limit` on."""
    width = padded(features)
    body.put(f"for cell in range(lane, {rows * width}, {tiles.threads}):")
    body.put_all([f"    u = cell // {width}", f"    w = cell % {width}", f"    found = {ZERO}"])
    beside = "" if width == features else f" & (w < {features})"
    body.put(f"    if ({first} + u < {limit}){beside}:")
    element = f"{matrix}[{matrix}_first + ({first} + u) * {matrix}_row + w * {matrix}_column]"
    body.put(f"        found = {as_float32(element, dtype)}")
    body.put(f"    {name}[u * {apart} + w] = found")


def as_float32(element: str, dtype: DType) -> str:
    """The text for an element in memory as a float32."""
    return element if dtype is dtypes.float32 else cast_text(dtype, dtypes.float32).format(element)


def in_memory(value: str, dtype: DType) -> str:
    """The text for what memory holds of a float32."""
    return value if dtype is dtypes.float32 else cast_text(dtypes.float32, dtype).format(value)


def each_score(tiles: Tiles) -> list[tuple[int, int]]:
    """The scores of a thread: by row that stays, and by row passed."""
    return [(i, j) for i in range(tiles.rows) for j in range(tiles.columns)]


def quad(name: str, tile: str, place: str) -> str:
    """The line that reads four neighbours of a tile, from a multiple of four on."""
    return f"{', '.join(f'{name}{k}' for k in range(QUAD))} = shared_quad_f32({tile}, {place})"


def product(
    body: Body, to: str, left: str, left_apart: int, right: str, right_apart: int, features: int, tiles: AttentionTiles
) -> None:
    """Scores `to`: products of the rows of one tile with those of another, over the columns of both."""
    body.put_all(f"{to}{i}_{j} = {ZERO}" for i, j in each_score(tiles))
    body.put(f"for f in range(0, {padded(features)}, {QUAD}):")
    body.depth += 1
    for i in range(tiles.rows):
        body.put(quad(f"{to}a{i}_", left, f"(y + {i * tiles.down}) * {left_apart} + f"))
    for j in range(tiles.columns):
        body.put(quad(f"{to}b{j}_", right, f"(x + {j * tiles.across}) * {right_apart} + f"))
    for k in range(QUAD):
        body.put_all(
            f"{to}{i}_{j} = multiply_add_f32({to}a{i}_{k}, {to}b{j}_{k}, {to}{i}_{j})" for i, j in each_score(tiles)
        )
    body.depth -= 1


def totals(to: str, features: int, tiles: AttentionTiles) -> list[tuple[int, int, str]]:
    """The results of a thread: row, column beside four times x, and the name."""
    columns = [part * QUAD * tiles.across + c for part in range(tiles.parts(features)) for c in range(QUAD)]
    return [(i, column, f"{to}{i}_{k}") for i in range(tiles.rows) for k, column in enumerate(columns)]


def accumulate(
    body: Body,
    to: str,
    weights: str,
    weights_apart: int,
    right: str,
    right_apart: int,
    features: int,
    tiles: AttentionTiles,
) -> None:
    """Adds to the results `to` the product of a tile of weights with another tile."""
    found = totals(to, features, tiles)
    body.put(f"for passed in range({tiles.passed}):")
    body.depth += 1
    for i in range(tiles.rows):
        body.put(f"{to}a{i} = shared_element_f32({weights}, (y + {i * tiles.down}) * {weights_apart} + passed)")
    for part in range(tiles.parts(features)):
        place = f"passed * {right_apart} + {QUAD} * x + {part * QUAD * tiles.across}"
        body.put(quad(f"{to}b{part}_", right, place))
    for i, _, name in found:
        k = int(name.partition("_")[2])
        body.put(f"{name} = multiply_add_f32({to}a{i}, {to}b{k // QUAD}_{k % QUAD}, {name})")
    body.depth -= 1


def weight(name: str, i: int, j: int, apart: int, tiles: AttentionTiles, value: str) -> str:
    """The line that puts what a thread has for a score into a tile of weights."""
    return f"{name}[(y + {i * tiles.down}) * {apart} + x + {j * tiles.across}] = {value}"


def store(
    body: Body, to: str, target: str, limit: str, features: int, tiles: AttentionTiles, dtype: DType, value: str = "{0}"
) -> None:
    """Stores results, `value` of each name and row, in a matrix of `limit` rows."""
    for i in range(tiles.rows):
        body.put(f"r = kept_row + y + {i * tiles.down}")
        body.put(f"if r < {limit}:")
        body.put(f"    to = {target}_first + r * {target}_row")
        for row, column, name in totals(to, features, tiles):
            if row != i or column >= features:
                continue
            place = f"{QUAD} * x + {column}"
            line = f"{target}[to + ({place}) * {target}_column] = {in_memory(value.format(name, i), dtype)}"
            if column + QUAD * (tiles.across - 1) < features:
                body.put("    " + line)
            else:
                body.put(f"    if {place} < {features}:")
                body.put("        " + line)


def limits(body: Body, query: str, key: str, form: AttentionForm) -> None:
    """The names that stand for a query and a key where a mask is read: those of the last one from there on."""
    if form.mask is not None:
        body.put(f"mask_{query} = min({query}, queries - 1) * mask_row")
        body.put(f"mask_{key} = min({key}, keys - 1) * mask_column")


def limited(body: Body, score: str, product: str, query: str, key: str, there: str, form: AttentionForm) -> None:
    """A product becomes a score: scaled, masked, and minus infinity where `there` does not hold."""
    text = f"{product} * float32({form.scale!r})"
    if form.causal:
        there = f"({there}) & ({key} <= {query})"
    if form.mask is not None:
        element = f"mask[mask_first + mask_{query} + mask_{key}]"
        if form.mask.is_bool:
            there = f"({there}) & {loaded(element, form.mask)}"
        else:
            text = f"{text} + {as_float32(element, form.mask)}"
    body.put(f"{score} = {text} if {there} else {MINUS_INFINITY}")


def noise(body: Body, name: str, query: str, key: str) -> None:
    """The lines that find the factor by which a dropout multiplies a share."""
    body.put(f"number_{name} = uint64((n * queries + {query}) * keys + {key})")
    block = f"uint64(start + right_shift_u64(number_{name}, uint64(2)))"
    body.put(f"word_{name} = philox_u64(seed, {block}, number_{name})")
    drawn = f"cast_u32_f32(right_shift_u32(word_{name}, uint32(8))) * float32({2.0**-24!r})"
    body.put(f"{name} = cast_b1_f32({drawn} < share) * stretch")


def text_of(names: list[str], body: Body) -> str:
    """The source that defines `kernel`."""
    return "\n".join([f"def kernel({', '.join(names)}):", *body.lines]) + "\n"
