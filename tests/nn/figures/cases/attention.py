"""Attention of several heads, transformers, and attention with masks, groups and rows that nothing is left of."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "x": (3, 2, 4),
    "y": (5, 2, 4),
    "k": (5, 2, 3),
    "v": (5, 2, 2),
    "row": (3, 4),
    "bias": (3, 3),
    "each": (4, 3, 5),
    "q4": (2, 4, 3, 2),
    "k4": (2, 2, 5, 2),
    "v4": (2, 2, 5, 2),
    "pad": (2, 5),
}
CLASSES: dict[str, list[Any]] = {
    "later": [[False, True, True], [False, False, True], [False, False, False]],
    "gone": [[False, False, True, False, True], [False, True, False, False, False]],
    "gone3": [[False, False, True], [False, True, False]],
    "gone1": [False, True, False],
    "few": [[True, False, True, False, True], [False] * 5, [True, True, False, False, False]],
    "dead": [[True, True, True, True, True], [False, True, False, False, False]],
}
_CAUSAL = "nn.Transformer.generate_square_subsequent_mask(3)"


def encoder(settings: str = "") -> str:
    """A small layer of an encoder, without dropout."""
    return f"nn.TransformerEncoderLayer(4, 2, 5, 0.0{settings})"


def decoder(settings: str = "") -> str:
    """A small layer of a decoder, without dropout."""
    return f"nn.TransformerDecoderLayer(4, 2, 5, 0.0{settings})"


FLOATS_OF_FEW = "lib.zeros(3, 5).masked_fill(~few, -1e400)"
MHA = "fixed(nn.MultiheadAttention(4, 2))"

CASES = {
    "itself": f"{MHA}(x, x, x)",
    "other": f"{MHA}(x, y, y)",
    "three": f"{MHA}(x, y, y * 2)",
    "no weights": f"{MHA}(x, y, y, need_weights=False)[0]",
    "no bias": "fixed(nn.MultiheadAttention(4, 2, bias=False))(x, y, y)",
    "shares of heads": f"{MHA}(x, y, y, average_attn_weights=False)",
    "other sizes": "fixed(nn.MultiheadAttention(4, 2, kdim=3, vdim=2))(x, k, v)",
    "other sizes without bias": "fixed(nn.MultiheadAttention(4, 2, bias=False, kdim=3))(x, k, y)",
    "padding": f"{MHA}(x, y, y, key_padding_mask=gone)",
    "padding without weights": f"{MHA}(x, y, y, key_padding_mask=gone, need_weights=False)[0]",
    "padding of floats": f"{MHA}(x, y, y, key_padding_mask=pad)",
    "all padding": f"{MHA}(x, y, y, key_padding_mask=dead, need_weights=False)[0]",
    "mask": f"{MHA}(x, x, x, attn_mask=later)",
    "mask and padding": f"{MHA}(x, x, x, attn_mask=later, key_padding_mask=gone3)",
    "mask of floats": f"{MHA}(x, x, x, attn_mask=bias, need_weights=False)[0]",
    "mask of each head": f"{MHA}(x, y, y, attn_mask=each)",
    "mask of each head and padding": f"{MHA}(x, y, y, attn_mask=each, key_padding_mask=pad, need_weights=False)[0]",
    "causal": f"{MHA}(x, x, x, attn_mask=later, is_causal=True, need_weights=False)[0]",
    "causal with weights": f"{MHA}(x, x, x, attn_mask=later, is_causal=True)",
    "rows of bias": "fixed(nn.MultiheadAttention(4, 2, add_bias_kv=True))(x, x, x, attn_mask=later)",
    "a row of zeros": "fixed(nn.MultiheadAttention(4, 2, add_zero_attn=True))(x, x, x, key_padding_mask=gone3)",
    "both rows": "fixed(nn.MultiheadAttention(4, 2, 0.0, True, True, True))(x, y, y, need_weights=False)[0]",
    "batch first": "fixed(nn.MultiheadAttention(4, 2, batch_first=True))(*[x.transpose(0, 1)] * 3)",
    "no batch": f"{MHA}(row, row, row, key_padding_mask=gone1)",
    "no batch, mask of heads": f"{MHA}(row, y[:, 0], y[:, 0], attn_mask=each[:2])",
    "dropout in evaluation": "fixed(nn.MultiheadAttention(4, 2, dropout=0.5)).eval()(x, x, x)",
    "encoder layer": f"fixed({encoder()})(x, src_mask=later)",
    "encoder layer, norm first": f"fixed({encoder(', norm_first=True')})(x, src_key_padding_mask=gone3)",
    "encoder layer, gelu": f"fixed({encoder(', activation=F.gelu, bias=False')})(x)",
    "encoder layer, named": f"fixed({encoder(', activation=' + repr('gelu'))})(x)",
    "encoder layer, batch first": f"fixed({encoder(', batch_first=True')})(x.transpose(0, 1))",
    "decoder layer": f"fixed({decoder()})(x, y, tgt_mask=later, memory_key_padding_mask=gone)",
    "decoder layer, norm first": f"fixed({decoder(', norm_first=True')})(x, y, {_CAUSAL}, tgt_is_causal=True)",
    "encoder": f"fixed(nn.TransformerEncoder({encoder()}, 2, nn.LayerNorm(4)))(x, {_CAUSAL})",
    "encoder, causal": f"fixed(nn.TransformerEncoder({encoder()}, 1))(x, {_CAUSAL}, is_causal=True)",
    "decoder": f"fixed(nn.TransformerDecoder({decoder()}, 2, nn.LayerNorm(4)))(x, y, tgt_mask=later)",
    "both": "fixed(nn.Transformer(4, 2, 1, 1, 5, 0.0))(y, x, tgt_mask=later, src_key_padding_mask=gone)",
    "both, unbatched": "fixed(nn.Transformer(4, 2, 1, 1, 5, 0.0, batch_first=True, norm_first=True))(y[:, 0], row)",
    "causal mask": "nn.Transformer.generate_square_subsequent_mask(3) + bias",
    "groups": "F.scaled_dot_product_attention(q4, k4, v4, enable_gqa=True)",
    "groups, causal": "F.scaled_dot_product_attention(q4, k4, v4, is_causal=True, enable_gqa=True, scale=0.3)",
    "a dead row": "F.scaled_dot_product_attention(q4[:, :2], k4, v4, few)",
    "a dead row of floats": f"F.scaled_dot_product_attention(q4[:, :2], k4, v4, {FLOATS_OF_FEW})",
    "a gradient of the mask": "F.scaled_dot_product_attention(q4[:, :2], k4, v4, each[0])",
}

FIRST_ORDER = tuple(
    case
    for case, text in CASES.items()
    if "need_weights=False" in text or "nn.Transformer" in text or "F.scaled" in text
)
"""PyTorch's kernel of scaled_dot_product_attention has no second derivative."""
