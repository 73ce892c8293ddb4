"""Bags of rows that are looked up in a table, as a module."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import DType
from ...tensor import Tensor
from ...tensor.creation import empty
from ...tensor.parameter import Parameter
from .. import functional, init
from ..errors import LayerShapeError
from ..functional.embeddings import checked_padding
from ..module import Module


class EmbeddingBag(Module):
    """For each bag of numbers the sum, the mean or the maximum of the rows of ``weight`` that it names.

    Shapes: weight [num_embeddings, embedding_dim]; see `functional.embedding_bag`.
    padding_idx: a row that starts as zeros, gets no gradient and counts in no bag.
    """

    num_embeddings: int
    embedding_dim: int
    max_norm: float | None
    norm_type: float
    scale_grad_by_freq: bool
    mode: str
    sparse: bool
    include_last_offset: bool
    padding_idx: int | None
    weight: Parameter

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset
        self.padding_idx = checked_padding(padding_idx, num_embeddings)
        if _weight is None:
            self.weight = Parameter(empty(num_embeddings, embedding_dim, dtype=dtype, device=device))
            self.reset_parameters()
        elif tuple(_weight.shape) != (num_embeddings, embedding_dim):
            raise LayerShapeError(
                f"EmbeddingBag: the weight has shape {list(_weight.shape)}, expected [{num_embeddings}, "
                f"{embedding_dim}]"
            )
        else:
            self.weight = Parameter(_weight)

    def reset_parameters(self) -> None:
        """Fills the weight anew with normal numbers, and the row of the padding with zeros."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.data[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:
        """A layer over the memory of `embeddings`, [n, k]; it is not trained unless `freeze` is False."""
        if embeddings.ndim != 2:
            raise LayerShapeError(f"EmbeddingBag: embeddings must be 2-D, got {list(embeddings.shape)}")
        rows, columns = embeddings.shape
        settings = (max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings, include_last_offset, padding_idx)
        layer = cls(rows, columns, *settings)
        layer.weight.requires_grad = not freeze
        return layer

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Any:
        """The rows of each bag together, [bags, embedding_dim]. See `functional.embedding_bag`."""
        return functional.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        """The sizes, the mode, and the settings that are not the usual ones."""
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.max_norm is not None:
            text += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            text += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq:
            text += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        text += f", mode={self.mode!r}"
        return text if self.padding_idx is None else f"{text}, padding_idx={self.padding_idx}"
