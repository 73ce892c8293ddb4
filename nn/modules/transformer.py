"""Transformers: layers of an encoder and of a decoder, stacks of them, and both together."""

# Source: Vaswani et al. 2017; Xiong et al. 2020 (norms in front).

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from ...core.dtypes import DType
from ...tensor.creation import full
from ...tensor.diagonals import triu
from .. import functional, init
from ..errors import LayerShapeError
from ..module import Module
from .container import ModuleList
from .dropout import Dropout
from .linear import Linear
from .multi_head_attention import MultiheadAttention
from .normalization import LayerNorm

Value = Any
_Activation = str | Callable[[Value], Value]


def _activation(activation: _Activation) -> Callable[[Value], Value]:
    if not isinstance(activation, str):
        return activation
    known: dict[str, Callable[[Value], Value]] = {"relu": functional.relu, "gelu": functional.gelu}
    if activation not in known:
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return known[activation]


class TransformerEncoderLayer(Module):
    """Attention of a sequence to itself and a feed-forward network, each beside a way around it, with a norm.

    Shapes: src [n, batch, d_model], the batch first with `batch_first`, or without one -> the same.
    norm_first: each norm stands in front of its part, instead of behind the sum.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = functional.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        placed: dict[str, Any] = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **placed)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **placed)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **placed)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, **placed)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, **placed)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        src: Value,
        src_mask: Value | None = None,
        src_key_padding_mask: Value | None = None,
        is_causal: bool = False,
    ) -> Value:
        """The layer's result for `src`. For the masks see `MultiheadAttention`."""
        masks = (src_mask, src_key_padding_mask, is_causal)
        if self.norm_first:
            x = src + self._attend(self.norm1(src), *masks)
            return x + self._feed(self.norm2(x))
        x = self.norm1(src + self._attend(src, *masks))
        return self.norm2(x + self._feed(x))

    def _attend(self, x: Value, mask: Value | None, padding: Value | None, is_causal: bool) -> Value:
        return self.dropout1(self.self_attn(x, x, x, padding, False, mask, is_causal=is_causal)[0])

    def _feed(self, x: Value) -> Value:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(Module):
    """Attention of a sequence to itself and to a memory, and a feed-forward network, each with a norm.

    Shapes: tgt [n, batch, d_model], memory [m, batch, d_model], the batch first with `batch_first`, or without one
        -> like `tgt`.
    norm_first: each norm stands in front of its part, instead of behind the sum.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = functional.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        placed: dict[str, Any] = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **placed)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **placed)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **placed)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **placed)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, **placed)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, **placed)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias, **placed)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Value,
        memory: Value,
        tgt_mask: Value | None = None,
        memory_mask: Value | None = None,
        tgt_key_padding_mask: Value | None = None,
        memory_key_padding_mask: Value | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Value:
        """The layer's result for `tgt` beside `memory`. For the masks see `MultiheadAttention`."""
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            x = tgt + self._attend(self.norm1(tgt), *own)
            x = x + self._look(self.norm2(x), memory, *other)
            return x + self._feed(self.norm3(x))
        x = self.norm1(tgt + self._attend(tgt, *own))
        x = self.norm2(x + self._look(x, memory, *other))
        return self.norm3(x + self._feed(x))

    def _attend(self, x: Value, mask: Value | None, padding: Value | None, is_causal: bool) -> Value:
        return self.dropout1(self.self_attn(x, x, x, padding, False, mask, is_causal=is_causal)[0])

    def _look(self, x: Value, memory: Value, mask: Value | None, padding: Value | None, is_causal: bool) -> Value:
        found, _ = self.multihead_attn(x, memory, memory, padding, False, mask, is_causal=is_causal)
        return self.dropout2(found)

    def _feed(self, x: Value) -> Value:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def _copies(layer: Module, count: int) -> ModuleList:
    return ModuleList([deepcopy(layer) for _ in range(count)])


class TransformerEncoder(Module):
    """Copies of an encoder layer, one behind the other, and a norm if one is given.

    Shapes: those of the layer.
    enable_nested_tensor, mask_check: mean nothing here; nothing is left out of the computation in evaluation, so
        outputs at places of padding are what they are in training.
    """

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check

    def forward(
        self,
        src: Value,
        mask: Value | None = None,
        src_key_padding_mask: Value | None = None,
        is_causal: bool | None = None,
    ) -> Value:
        """The result of all layers for `src`. For the masks see `MultiheadAttention`."""
        for layer in self.layers:
            src = layer(src, src_mask=mask, is_causal=bool(is_causal), src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """Copies of a decoder layer, one behind the other, and a norm if one is given.

    Shapes: those of the layer.
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Value,
        memory: Value,
        tgt_mask: Value | None = None,
        memory_mask: Value | None = None,
        tgt_key_padding_mask: Value | None = None,
        memory_key_padding_mask: Value | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Value:
        """The result of all layers for `tgt` beside `memory`. For the masks see `MultiheadAttention`."""
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=bool(tgt_is_causal),
                memory_is_causal=memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder of one sequence and a decoder of another one.

    Shapes: src [m, batch, d_model], tgt [n, batch, d_model], the batch first with `batch_first`, or without one
        -> like `tgt`.
    custom_encoder, custom_decoder: take the place of what would be made.
    Errors: RuntimeError for batches or sizes that do not fit.
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = functional.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        placed: dict[str, Any] = {"device": device, "dtype": dtype}
        shape: Any = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        settings: Any = (*shape, batch_first, norm_first, bias)
        if custom_encoder is None:
            layer: Module = TransformerEncoderLayer(*settings, **placed)
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, **placed)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*settings, **placed)
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, **placed)
            custom_decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self.encoder = custom_encoder
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self) -> None:
        for each in self.parameters():
            if each.ndim > 1:
                init.xavier_uniform_(each)

    def forward(
        self,
        src: Value,
        tgt: Value,
        src_mask: Value | None = None,
        tgt_mask: Value | None = None,
        memory_mask: Value | None = None,
        src_key_padding_mask: Value | None = None,
        tgt_key_padding_mask: Value | None = None,
        memory_key_padding_mask: Value | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Value:
        """The decoder's result for `tgt` beside the encoder's for `src`. For the masks see `MultiheadAttention`."""
        place = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[place] != tgt.shape[place]:
            raise LayerShapeError(
                f"the batch number of src and tgt must be equal, got {src.shape[place]} and {tgt.shape[place]}"
            )
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise LayerShapeError(
                f"the feature number of src and tgt must be equal to d_model: {self.d_model}, got {src.shape[-1]} and "
                f"{tgt.shape[-1]}"
            )
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: DType | None = None) -> Value:
        """Minus infinity above the diagonal, 0 elsewhere, [sz, sz]: nothing attends to what lies behind it."""
        return triu(full((sz, sz), -math.inf, dtype=dtype, device=device), 1)
