"""The texts of the kernels that compute the gradients of attention, which make the scores anew.

One keeps queries and goes through the keys, and gives the gradient of query; the other keeps keys and goes through the
queries, and gives those of key and value. So nothing is added up by several blocks, and results repeat bit for bit.
Source: T. Dao, "FlashAttention-2", 2023, arXiv 2307.08691, algorithm 2.
"""

from __future__ import annotations

from ....core.records import dataclass
from ....loop_ir.source_text import Lines
from . import pieces
from .pieces import ZERO
from .tiles import QUAD, AttentionForm, AttentionTiles, Tiles, pitch

MATRICES = ("query", "key", "value", "slope")


@dataclass(frozen=True, slots=True)
class Side:
    """The matrices that one of the kernels keeps: two matrices, of which the rows of two others are passed by."""

    kept: tuple[str, str]
    kept_rows: str
    passed: tuple[str, str]
    passed_rows: str


QUERIES = Side(("query", "slope"), "queries", ("key", "value"), "keys")
KEYS = Side(("key", "value"), "keys", ("query", "slope"), "queries")


def gradient_text(form: AttentionForm, tiles: AttentionTiles, *, of_keys: bool, results: tuple[str, ...]) -> str:
    """Python source that defines `kernel`. results: `for_query`, or of `for_key` and `for_value` those wanted."""
    side, body = KEYS if of_keys else QUERIES, Lines()
    more, matrices = ("sums", "means"), (*MATRICES, *results)
    features = {name: form.outer if name in ("value", "slope") else form.inner for name in MATRICES}
    needed = max(features[name] for name in side.passed)
    widest = pitch(max(needed, tiles.parts(needed) * QUAD * tiles.across))
    weights = pitch(tiles.passed)
    for name in side.kept:
        body.put(pieces.tile(f"{name}_tile", tiles.kept, features[name]))
    body.put(f"others = cuda.shared.array({tiles.passed * widest}, float32)")
    body.put(pieces.tile("weights", tiles.kept, tiles.passed))
    masks = ["mask"] if form.mask is not None else []
    pieces.pointers(body, [*matrices, *masks, *(["place", "kept"] if form.dropped else []), *more], form)
    pieces.whole_start(body, matrices, tiles, form, last=form.causal and not of_keys)

    def passed(name: str) -> None:
        pieces.fill(
            *(body, "others", name, "first", side.passed_rows),
            *(tiles.passed, features[name], widest, tiles, form.dtype(name)),
        )
        body.put("cuda.syncthreads()")

    for name in side.kept:
        pieces.fill(
            *(body, f"{name}_tile", name, "kept_row", side.kept_rows),
            *(tiles.kept, features[name], pitch(features[name]), tiles, form.dtype(name)),
        )
    kept_rows(body, tiles, of_keys)
    for result in results:
        body.put_all(f"{name} = {ZERO}" for _, _, name in pieces.totals(_total(result), features[result[4:]], tiles))
    start, stop = passed_range(form, tiles, side)
    body.put(f"for first in range({start}, {stop}, {tiles.passed}):")
    body.depth += 1
    body.put("cuda.syncthreads()")
    passed(side.passed[0])
    own = [(f"{name}_tile", pitch(features[name])) for name in side.kept]
    pieces.product(body, "s", *own[0], "others", widest, form.inner, tiles)
    shares_again(body, form, tiles, side)
    body.put("cuda.syncthreads()")
    passed(side.passed[1])
    pieces.product(body, "d", *own[1], "others", widest, form.outer, tiles)
    if "for_value" in results:
        for i, j in pieces.each_score(tiles):
            kept = f"p{i}_{j} * stays{i}_{j}" if form.dropped else f"p{i}_{j}"
            body.put(pieces.weight("weights", i, j, weights, tiles, kept))
        body.put("cuda.syncthreads()")
        pieces.accumulate(body, "v", "weights", weights, "others", widest, form.outer, tiles)
    if "for_query" in results or "for_key" in results:
        body.put("cuda.syncthreads()")
        for i, j in pieces.each_score(tiles):
            line = slope_text(form, side, i, j, f" * float32({form.scale!r})")
            body.put(pieces.weight("weights", i, j, weights, tiles, line))
        passed(side.passed[0])
        pieces.accumulate(body, "o", "weights", weights, "others", widest, form.inner, tiles)
    body.depth -= 1
    for result in results:
        target = result[4:]
        pieces.store(body, _total(result), result, side.kept_rows, features[target], tiles, form.dtype(result))
    pieces.whole_end(body)
    return pieces.text_of(pieces.parameters(matrices, more, form), body)


def _total(result: str) -> str:
    return "v" if result == "for_value" else "o"


def kept_rows(body: Lines, tiles: Tiles, of_keys: bool) -> None:
    """The lines that name the rows of a thread, and read what is known of them if they are queries."""
    for i in range(tiles.rows):
        body.put(f"row{i} = kept_row + {tiles.row(i)}")
        if not of_keys:
            _of_query(body, f"row{i}", str(i))


def passed_range(form: AttentionForm, tiles: Tiles, side: Side) -> tuple[str, str]:
    """The first and the last-plus-one of the rows to pass by, as text."""
    if form.causal and side is KEYS:
        return f"kept_row // {tiles.passed} * {tiles.passed}", side.passed_rows
    return "0", f"min(keys, kept_row + {tiles.kept})" if form.causal else side.passed_rows


def slope_text(form: AttentionForm, side: Side, i: int, j: int, scale: str) -> str:
    """The text for the cotangent of a score, of that of its share."""
    slope = f"d{i}_{j} * stays{i}_{j}" if form.dropped else f"d{i}_{j}"
    mean = j if side is KEYS else i
    return f"p{i}_{j} * ({slope} - mean{mean}){scale} if there{i}_{j} else {ZERO}"


def _of_query(body: Lines, query: str, at: str) -> None:
    """The lines that read the sums and means of a query."""
    body.put_all([f"base{at} = {ZERO}", f"inverse{at} = {ZERO}", f"mean{at} = {ZERO}", f"if {query} < queries:"])
    body.put(f"    base{at} = sums[(n * queries + {query}) * 2]")
    body.put(f"    inverse{at} = sums[(n * queries + {query}) * 2 + 1]")
    body.put(f"    mean{at} = means[n * queries + {query}]")


def shares_again(body: Lines, form: AttentionForm, tiles: Tiles, side: Side) -> None:
    """Products become shares, and what a dropout multiplies them by."""
    of_keys = side is KEYS
    for j in range(tiles.columns):
        body.put(f"column{j} = first + {tiles.column(j)}")
        if of_keys:
            _of_query(body, f"column{j}", str(j))
    for k in range(max(tiles.rows, tiles.columns)):
        row, column = f"row{min(k, tiles.rows - 1)}", f"column{min(k, tiles.columns - 1)}"
        pieces.limits(body, *((column, row) if of_keys else (row, column)), form)
    for i, j in pieces.each_score(tiles):
        query, key, at = (f"column{j}", f"row{i}", j) if of_keys else (f"row{i}", f"column{j}", i)
        body.put(f"there{i}_{j} = (row{i} < {side.kept_rows}) & (column{j} < {side.passed_rows})")
        pieces.limited(body, f"t{i}_{j}", f"s{i}_{j}", query, key, f"there{i}_{j}", form)
        body.put(f"p{i}_{j} = exp_f32(t{i}_{j} - base{at}) * inverse{at}")
        if form.dropped:
            pieces.noise(body, f"stays{i}_{j}", query, key)
