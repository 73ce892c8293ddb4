"""The texts of the kernels that compute the gradients of attention of half floats by tensor cores.

As in `backward`, one keeps queries and goes through the keys, the other keeps keys and goes through the queries.
See Note [Attention on tensor cores] in `warp_pieces`.
"""

from __future__ import annotations

from ....core import dtypes
from ....loop_ir.source_text import Lines
from . import pieces, warp_pieces
from .backward import KEYS, MATRICES, QUERIES, kept_rows, passed_range, shares_again, slope_text
from .tiles import AttentionForm, WarpTiles, warp_pitch

LARGEST, LEAST = "float32(8192.0)", f"float32({2.0**-100!r})"
"""The number that the largest slope of float16 becomes, and the least that a largest slope is taken for."""
FINITE = "float32(3e38)"


def warp_gradient_text(form: AttentionForm, tiles: WarpTiles, *, of_keys: bool, results: tuple[str, ...]) -> str:
    """Python source that defines `kernel`, with the parameters of `gradient_text`."""
    side, body, dtype = KEYS if of_keys else QUERIES, Lines(), form.dtype("query")
    more, matrices = ("sums", "means"), (*MATRICES, *results)
    features = {name: form.outer if name in ("value", "slope") else form.inner for name in MATRICES}
    pitches = {name: warp_pitch(features[name]) for name in MATRICES}
    slot_size = tiles.passed * sum(pitches[name] for name in side.passed)
    own = [tiles.stages * slot_size, tiles.stages * slot_size + tiles.kept * pitches[side.kept[0]]]
    second = tiles.passed * pitches[side.passed[0]]
    body.put(f"tile = cuda.shared.array({own[1] + tiles.kept * pitches[side.kept[1]]}, uint16)")
    masks = ["mask"] if form.mask is not None else []
    pieces.pointers(body, [*results, *masks, *(["place", "kept"] if form.dropped else []), *more], form)
    warp_pieces.word_pointers(body, MATRICES, form)
    warp_pieces.block_start(body, MATRICES, side.kept_rows, tiles, form, last=form.causal and not of_keys)
    for name, at in zip(side.kept, own, strict=True):
        warp_pieces.copies(body, str(at), name, "kept_row", side.kept_rows, tiles.kept, features[name], tiles)
    kept_rows(body, tiles, of_keys)
    for k, name in enumerate(side.kept):
        body.put(f"own{k} = {warp_pieces.left_place(str(own[k]), features[name])}")
    by_slope = [result for result in results if result != "for_value"]
    resized = bool(by_slope) and dtype is dtypes.float16
    for result in results:
        warp_pieces.start_results(body, _total(result), features[result[4:]], tiles)
    if resized:
        body.put_all([f"most = {LEAST}", f"unit = {LARGEST} / most"])

    def fetch(first: str, at: str) -> None:
        for name, place in zip(side.passed, (at, f"{at} + {second}"), strict=True):
            warp_pieces.copies(body, place, name, first, side.passed_rows, tiles.passed, features[name], tiles)

    def compute() -> None:
        warp_pieces.product(body, "s", "a", "own0", "slot", form.inner, tiles, dtype)
        shares_again(body, form, tiles, side)
        if "for_value" in results:
            for i, j in pieces.each_score(tiles):
                body.put(f"w{i}_{j} = p{i}_{j} * stays{i}_{j}" if form.dropped else f"w{i}_{j} = p{i}_{j}")
            warp_pieces.accumulate(body, "v", "w", f"slot + {second}", form.outer, tiles, dtype)
        if by_slope:
            warp_pieces.product(body, "d", "a", "own1", f"slot + {second}", form.outer, tiles, dtype)
            for i, j in pieces.each_score(tiles):
                body.put(f"w{i}_{j} = {slope_text(form, side, i, j, '')}")
            if resized:
                _resize(body, form, tiles)
            warp_pieces.accumulate(body, "o", "w", "slot", form.inner, tiles, dtype)

    start, stop = passed_range(form, tiles, side)
    warp_pieces.passing(body, start, stop, fetch, slot_size, tiles, compute)
    for result in results:
        scale = f"(float32({form.scale!r}) / unit)" if resized else f"float32({form.scale!r})"
        value = "{0}" if result == "for_value" else f"{{0}} * {scale}"
        target = (body, _total(result), result, side.kept_rows, features[result[4:]])
        warp_pieces.store(*target, tiles, form.dtype(result), value)
    return pieces.text_of(pieces.parameters(matrices, more, form), body)


def _total(result: str) -> str:
    return "v" if result == "for_value" else "o"


def _resize(body: Lines, form: AttentionForm, tiles: WarpTiles) -> None:
    """The lines that bring slopes, and what was summed up of them before, to a size at which float16 has them all: in
    units of the largest so far of the warp's. What is not finite stays so, and has no say."""
    for i, j in pieces.each_score(tiles):
        body.put(f"size = absolute_f32(w{i}_{j})")
        body.put(f"most = maximum_f32(most, size if size < {FINITE} else {pieces.ZERO})")
    body.put_all(f"most = maximum_f32(most, exchanged_f32(most, {apart}))" for apart in (16, 8, 4, 2, 1))
    body.put_all(["before = unit", f"unit = {LARGEST} / most", "shrunk = unit / before"])
    for i in range(tiles.rows):
        body.put_all(f"o{i}_{k} = o{i}_{k} * shrunk" for k in range(tiles.results(form.inner)))
    body.put_all(f"w{i}_{j} = w{i}_{j} * unit" for i, j in pieces.each_score(tiles))
