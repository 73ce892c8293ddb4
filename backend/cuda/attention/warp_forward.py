"""The text of the kernel that computes attention of half floats by tensor cores. Source: as in `forward`.

See Note [Attention on tensor cores] in `warp_pieces`.
"""

from __future__ import annotations

from ....loop_ir.source_text import Lines
from . import pieces, warp_pieces
from .forward import MATRICES, finish_rows, shares_of_scores, start_rows, store_sums
from .tiles import AttentionForm, WarpTiles, warp_pitch, whole_steps


def warp_attention_text(form: AttentionForm, tiles: WarpTiles, *, sums: bool) -> str:
    """Python source that defines `kernel`, with the parameters of `attention_text`."""
    more, body, dtype = ["sums"] if sums else [], Lines(), form.dtype("query")
    keys, rows = tiles.passed * warp_pitch(form.inner), tiles.passed
    slot_size = max(keys + tiles.passed * warp_pitch(form.outer), tiles.kept * warp_pitch(form.inner))
    parts = warp_pieces.parts_of(dtype, form.dtype("result"))
    masks = ["mask"] if form.mask is not None else []
    body.put(f"tile = cuda.shared.array({2 * slot_size}, uint16)")
    pieces.pointers(body, ["result", *masks, *(["place", "kept"] if form.dropped else []), *more], form)
    warp_pieces.word_pointers(body, MATRICES[:3], form)
    warp_pieces.block_start(body, MATRICES[:3], "queries", tiles, form, last=form.causal)
    warp_pieces.copies(body, str(slot_size), "query", "kept_row", "queries", tiles.kept, form.inner, tiles)
    body.put_all(["commit_copies()", "wait_for_copies_0()", "cuda.syncthreads()"])
    body.put(f"own = {warp_pieces.left_place(str(slot_size), form.inner)}")
    for k in range(whole_steps(form.inner) // warp_pieces.SQUARE):
        warp_pieces.left_operand(body, f"q{k}", "own", k)
    wholes = start_rows(body, tiles)
    warp_pieces.start_results(body, "o", form.outer, tiles)

    def fetch(first: str, at: str) -> None:
        warp_pieces.copies(body, at, "key", first, "keys", rows, form.inner, tiles)
        warp_pieces.copies(body, f"{at} + {keys}", "value", first, "keys", rows, form.outer, tiles)

    def compute() -> None:
        warp_pieces.product(body, "s", "q", "", "slot", form.inner, tiles, dtype)
        shares_of_scores(body, form, tiles, wholes)
        warp_pieces.accumulate(body, "o", "w", f"slot + {keys}", form.outer, tiles, dtype, parts)

    stop = f"min(keys, kept_row + {tiles.kept})" if form.causal else "keys"
    warp_pieces.passing(body, "0", stop, fetch, slot_size, tiles, compute)
    finish_rows(body, form, tiles, wholes)
    warp_pieces.store(body, "o", "result", "queries", form.outer, tiles, form.dtype("result"), "{0} / whole{1}")
    if sums:
        store_sums(body, tiles)
    return pieces.text_of(pieces.parameters(MATRICES, more, form), body)
