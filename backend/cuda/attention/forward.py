"""The text of the kernel that computes attention: one pass over the keys, with the shares scaled anew as it goes.

Source: M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018, arXiv 1805.02867; T. Dao, D. Fu,
S. Ermon, A. Rudra, C. Ré, "FlashAttention", NeurIPS 2022, arXiv 2205.14135, algorithm 1.
"""

from __future__ import annotations

from ....core import dtypes
from ....loop_ir.source_text import Lines
from ..reductions import DeviceReduction
from . import pieces
from .pieces import MINUS_INFINITY, ONE, ZERO
from .tiles import QUAD, AttentionForm, AttentionTiles, Tiles, pitch

MATRICES = ("query", "key", "value", "result")


def attention_text(form: AttentionForm, tiles: AttentionTiles, *, sums: bool) -> str:
    """Python source that defines `kernel`. sums: whether it stores what its gradients need."""
    more = ["sums"] if sums else []
    body = Lines()
    own, shares = pitch(form.inner), pitch(tiles.passed)
    widest = pitch(max(form.inner, tiles.parts(form.outer) * QUAD * tiles.across))
    body.put(pieces.tile("own", tiles.kept, form.inner))
    body.put(f"others = cuda.shared.array({tiles.passed * widest}, float32)")
    body.put(pieces.tile("shares", tiles.kept, tiles.passed))
    masks = ["mask"] if form.mask is not None else []
    pieces.pointers(body, [*MATRICES, *masks, *(["place", "kept"] if form.dropped else []), *more], form)
    pieces.whole_start(body, MATRICES, tiles, form, last=form.causal)
    pieces.fill(body, "own", "query", "kept_row", "queries", tiles.kept, form.inner, own, tiles, form.dtype("query"))
    wholes = start_rows(body, tiles)
    body.put_all(f"{name} = {ZERO}" for _, _, name in pieces.totals("o", form.outer, tiles))
    body.put(f"last = min(keys, kept_row + {tiles.kept})" if form.causal else "last = keys")
    body.put(f"for first in range(0, last, {tiles.passed}):")
    body.depth += 1
    body.put("cuda.syncthreads()")
    for matrix, features in (("key", form.inner), ("value", form.outer)):
        pieces.fill(body, "others", matrix, "first", "keys", tiles.passed, features, widest, tiles, form.dtype(matrix))
        body.put("cuda.syncthreads()")
        if matrix == "key":
            pieces.product(body, "s", "own", own, "others", widest, form.inner, tiles)
            shares_of_scores(body, form, tiles, wholes)
            for i, j in pieces.each_score(tiles):
                body.put(pieces.weight("shares", i, j, shares, tiles, f"w{i}_{j}"))
            body.put("cuda.syncthreads()")
    pieces.accumulate(body, "o", "shares", shares, "others", widest, form.outer, tiles)
    body.depth -= 1
    finish_rows(body, form, tiles, wholes)
    pieces.store(body, "o", "result", "queries", form.outer, tiles, form.dtype("result"), "{0} / whole{1}")
    if sums:
        store_sums(body, tiles)
    pieces.whole_end(body)
    return pieces.text_of(pieces.parameters(MATRICES, more, form), body)


def start_rows(body: Lines, tiles: Tiles) -> list[DeviceReduction]:
    """The reductions of a thread's rows to the sums of their shares; the lines name the rows, and start them."""
    wholes = [DeviceReduction(f"whole{i}", "sum", dtypes.float32, dtypes.float32) for i in range(tiles.rows)]
    for i, how in enumerate(wholes):
        body.put(f"row{i} = kept_row + {tiles.row(i)}")
        body.put(f"largest{i} = {MINUS_INFINITY}")
        body.put_all(how.start())
    return wholes


def shares_of_scores(body: Lines, form: AttentionForm, tiles: Tiles, wholes: list[DeviceReduction]) -> None:
    """Scores become shares of the largest so far, `w`; what was summed up before is brought to the same scale."""
    columns = range(tiles.columns)
    body.put_all(f"column{j} = first + {tiles.column(j)}" for j in columns)
    for k in range(max(tiles.rows, tiles.columns)):
        pieces.limits(body, f"row{min(k, tiles.rows - 1)}", f"column{min(k, tiles.columns - 1)}", form)
    for i, how in enumerate(wholes):
        most = f"largest{i}"
        for j in columns:
            pieces.limited(body, f"t{i}_{j}", f"s{i}_{j}", f"row{i}", f"column{j}", f"column{j} < keys", form)
            most = f"maximum_f32({most}, t{i}_{j})"
        body.put(f"most{i}_0 = {most}")
        steps = tiles.exchanges
        for k, apart_by in enumerate(steps):
            body.put(f"most{i}_{k + 1} = maximum_f32(most{i}_{k}, exchanged_f32(most{i}_{k}, {apart_by}))")
        new = f"most{i}_{len(steps)}"
        body.put(f"base{i} = {new} if {new} != {MINUS_INFINITY} else {ZERO}")
        body.put(f"shrunk{i} = exp_f32(largest{i} - base{i})")
        body.put(f"largest{i} = {new}")
        body.put_all(f"{name} = {name} * shrunk{i}" for name, _ in how.parts)
        body.put_all(f"p{i}_{j} = exp_f32(t{i}_{j} - base{i})" for j in columns)
        body.put(f"more{i} = {' + '.join(f'p{i}_{j}' for j in columns)}")
        body.put_all(how.update(f"more{i}"))
        body.put_all(f"o{i}_{k} = o{i}_{k} * shrunk{i}" for k in range(tiles.results(form.outer)))
        for j in columns:
            if form.dropped:
                pieces.noise(body, f"stays{i}_{j}", f"row{i}", f"column{j}")
            body.put(f"w{i}_{j} = p{i}_{j} * stays{i}_{j}" if form.dropped else f"w{i}_{j} = p{i}_{j}")


def finish_rows(body: Lines, form: AttentionForm, tiles: Tiles, wholes: list[DeviceReduction]) -> None:
    """The sums of the threads that share a row become one, the same in all of them."""
    for i, how in enumerate(wholes):
        for apart_by in tiles.exchanges:
            body.put_all(f"{name}_other = exchanged_f32({name}, {apart_by})" for name, _ in how.parts)
            body.put_all(how.merge(lambda name: f"{name}_other"))
        body.put_all(how.finish())
        if form.mask is not None:
            body.put(f"whole{i} = {ONE} if whole{i} == {ZERO} else whole{i}")


def store_sums(body: Lines, tiles: Tiles) -> None:
    """The first thread of each row stores what the gradients need of it."""
    first = f"x % {1 << len(tiles.exchanges)} == 0"
    for i in range(tiles.rows):
        body.put(f"if ({first}) & (row{i} < queries):")
        body.put(f"    sums[(n * queries + row{i}) * 2] = base{i}")
        body.put(f"    sums[(n * queries + row{i}) * 2 + 1] = {ONE} / whole{i}")
