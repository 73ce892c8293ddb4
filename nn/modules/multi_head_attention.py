"""Attention of several heads as a module."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtypes import DType
from ...tensor.creation import empty
from ...tensor.parameter import Parameter
from ...tensor.shaping import transpose
from .. import functional, init
from ..errors import AttentionShapeError, LayerArgumentError
from ..module import Module
from .linear import Linear

Value = Any


class MultiheadAttention(Module):
    """Projections of query, key and value, attention of each head, and a projection of what all heads give together.

    Shapes: query [n, batch, embed_dim], key [m, batch, kdim], value [m, batch, vdim], the batch first with
        `batch_first`, or without one -> outputs like the query, and shares of attention [batch, n, m].
    add_bias_kv: one more row of keys and of values, which are parameters.   add_zero_attn: one more, of zeros.
    Errors: ValueError for sizes that are not positive; AssertionError where heads do not divide embed_dim, and for
        shapes that do not fit, as PyTorch has it.
    Source: Vaswani et al. 2017.
    """

    embed_dim: int
    num_heads: int
    dropout: float
    batch_first: bool
    in_proj_weight: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0:
            raise LayerArgumentError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} "
                "instead"
            )
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AttentionShapeError(f"embed_dim must be divisible by num_heads, got {embed_dim} and {num_heads}")
        self.add_zero_attn = add_zero_attn

        def parameter(name: str, wanted: bool, *shape: int) -> None:
            self.register_parameter(name, Parameter(empty(*shape, dtype=dtype, device=device)) if wanted else None)

        joined = self._qkv_same_embed_dim
        parts = {"q_proj_weight": embed_dim, "k_proj_weight": self.kdim, "v_proj_weight": self.vdim}
        if joined:
            parameter("in_proj_weight", True, 3 * embed_dim, embed_dim)
        for name, size in parts.items():
            parameter(name, not joined, embed_dim, size)
        if not joined:
            parameter("in_proj_weight", False)
        parameter("in_proj_bias", bias, 3 * embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        for name in ("bias_k", "bias_v"):
            parameter(name, add_bias_kv, 1, 1, embed_dim)
        self._reset_parameters()

    @property
    def _qkv_same_embed_dim(self) -> bool:
        return self.kdim == self.embed_dim and self.vdim == self.embed_dim

    def _reset_parameters(self) -> None:
        for each in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if each is not None:
                init.xavier_uniform_(each)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)  # type: ignore[arg-type]
        for each in (self.bias_k, self.bias_v):
            if each is not None:
                init.normal_(each, 0.0, math.sqrt(1 / self.embed_dim))

    def forward(
        self,
        query: Value,
        key: Value,
        value: Value,
        key_padding_mask: Value | None = None,
        need_weights: bool = True,
        attn_mask: Value | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Value, Value | None]:
        """The outputs, and the shares of attention, which are None unless `need_weights`.

        Shapes: key_padding_mask [batch, m], attn_mask [n, m] or [batch * num_heads, n, m]: bools that say what is left
            out, or floats that are added to the scores.
        average_attn_weights: whether shares are those of all heads on average.
        is_causal: a hint that `attn_mask` leaves out what lies behind.
        """
        turned = self.batch_first and query.ndim == 3
        if turned:
            same, keys = query is key, key is value
            query = transpose(query, 0, 1)
            key = query if same else transpose(key, 0, 1)
            value = key if keys else transpose(value, 0, 1)
        output, shares = functional.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (transpose(output, 0, 1) if turned else output), shares
