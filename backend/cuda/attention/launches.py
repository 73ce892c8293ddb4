"""The launches that attention and its gradients become."""

from __future__ import annotations

from collections.abc import Sequence

from ....core import dtypes
from ....core.dtypes import DType
from ....core.records import dataclass
from ...evaluate.buffers import BufferView
from ...schedule.attention import HALVES, AttentionCall, AttentionGradientsCall, AttentionOperands
from ..launch_grid import AXIS_BLOCKS, DeviceLimits, Launch
from .backward import gradient_text
from .forward import attention_text
from .tiles import AttentionForm, Tiles, WarpTiles, tiles_of, warp_tiles_of
from .warp_backward import warp_gradient_text
from .warp_forward import warp_attention_text

MOST_TOGETHER = 64
"""Features of which a warp's registers hold the gradients of key and value at the same time."""


@dataclass(frozen=True, slots=True)
class AttentionLaunch:
    """One launch of a kernel: the memory whose addresses are its first parameters, then numbers. form: for reports."""

    name: str
    text: str
    form: str
    operands: tuple[BufferView, ...]
    numbers: tuple[int, ...]
    sizes: Launch


def attention_launches(call: AttentionCall, limits: DeviceLimits, tensor_cores: bool) -> list[AttentionLaunch]:
    """The launch of an attention. tensor_cores: whether the device has them."""
    form, has_sums = _form(call.given, {"result": call.result}), call.sums is not None
    tiles: Tiles
    if tensor_cores and _suits_tensor_cores(call.given, [], [call.result]):
        tiles = warp_tiles_of(form, limits.threads, gradients=False)
        text = warp_attention_text(form, tiles, sums=has_sums)
    else:
        tiles = tiles_of(form, limits.threads, gradients=False)
        text = attention_text(form, tiles, sums=has_sums)
    more = [] if call.sums is None else [call.sums]
    return [_launch("attention", text, call.given, [call.result], more, call.given.query.shape[2], tiles)]


def gradient_launches(call: AttentionGradientsCall, limits: DeviceLimits, tensor_cores: bool) -> list[AttentionLaunch]:
    """The launches of its gradients: one for those of key and value, or two where these are wide, and one for that of
    query. tensor_cores: whether the device has them."""
    given, found = call.given, []
    tiles: Tiles
    more = [call.sums, call.means]
    homes = {"for_key": call.for_key, "for_value": call.for_value, "for_query": call.for_query}
    wanted = {name: view for name, view in homes.items() if view is not None}
    halves = all(view.buffer.dtype in HALVES for view in wanted.values())
    by_warps = tensor_cores and halves and _suits_tensor_cores(given, [call.slope], [*wanted.values()])
    keys, wide = ("for_key", "for_value"), max(given.query.shape[3], given.value.shape[3]) > MOST_TOGETHER
    for names in (*((name,) for name in keys), ("for_query",)) if by_warps and wide else (keys, ("for_query",)):
        results, of_keys = {name: wanted[name] for name in names if name in wanted}, names[0] in keys
        if not results:
            continue
        form = _form(given, {"slope": call.slope, **results})
        if by_warps:
            tiles = warp_tiles_of(form, limits.threads, gradients=True)
            text = warp_gradient_text(form, tiles, of_keys=of_keys, results=tuple(results))
        else:
            tiles = tiles_of(form, limits.threads, gradients=True)
            text = gradient_text(form, tiles, of_keys=of_keys, results=tuple(results))
        rows = (given.key if of_keys else given.query).shape[2]
        name = "attention_key_value_gradients" if of_keys else "attention_query_gradient"
        found.append(_launch(name, text, given, [call.slope, *results.values()], more, rows, tiles))
    return found


def _suits_tensor_cores(given: AttentionOperands, others: Sequence[BufferView], results: Sequence[BufferView]) -> bool:
    """Whether all operands are half floats of one kind, and rows lie in one piece each."""
    operands = [given.query, given.key, given.value, *others]
    kinds = {view.buffer.dtype for view in operands}
    in_one_piece = all(view.strides[-1] == 1 or view.shape[-1] == 1 for view in (*operands, *results))
    return len(kinds) == 1 and kinds <= set(HALVES) and in_one_piece


def _form(given: AttentionOperands, matrices: dict[str, BufferView]) -> AttentionForm:
    named = {"query": given.query, "key": given.key, "value": given.value, **matrices}
    held: dict[str, DType] = {name: view.buffer.dtype for name, view in named.items()}
    mask = None if given.mask is None else given.mask.buffer.dtype
    held |= {"sums": dtypes.float32, "means": dtypes.float32, "place": dtypes.int64, "kept": dtypes.float32}
    held |= {} if mask is None else {"mask": mask}
    inner, outer = given.query.shape[3], given.value.shape[3]
    return AttentionForm(inner, outer, given.scale, given.causal, mask, bool(given.draws), tuple(held.items()))


def _launch(
    name: str,
    text: str,
    given: AttentionOperands,
    matrices: Sequence[BufferView],
    others: Sequence[BufferView],
    rows: int,
    tiles: Tiles,
) -> AttentionLaunch:
    whole = [given.query, given.key, given.value, *matrices]
    masks = [] if given.mask is None else [given.mask]
    strides = [stride for view in (*whole, *masks) for stride in view.strides]
    sizes = (given.batch, given.query.shape[1], given.query.shape[2], given.key.shape[2])
    blocks, by_warps = -(-rows // tiles.kept), isinstance(tiles, WarpTiles)
    grid = (blocks * given.batch, 1, 1) if by_warps else (blocks, min(given.batch, AXIS_BLOCKS), 1)
    operands = (*whole, *masks, *given.draws, *others)
    kind = "tensor cores" if by_warps else "blocks"
    return AttentionLaunch(name, text, kind, operands, (*sizes, *strides), Launch(grid, (tiles.across, tiles.down, 1)))
