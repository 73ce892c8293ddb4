"""A table of rows that are looked up by number."""

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


class Embedding(Module):
    """The row of ``weight`` that each element of the input names.

    Shapes: weight [num_embeddings, embedding_dim]; x integers [*] -> [*, embedding_dim].
    padding_idx: a row that starts as zeros and gets no gradient.
    max_norm: rows that are looked up and have a larger norm, of the order `norm_type`, are scaled to it in the weight.
    scale_grad_by_freq: the gradient of a row is divided by how often it is looked up.
    sparse: the gradient of the weight is sparse, with an entry for each lookup; `optim.SGD` takes it.
    """

    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None
    max_norm: float | None
    norm_type: float
    scale_grad_by_freq: bool
    sparse: bool
    weight: Parameter

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = checked_padding(padding_idx, num_embeddings)
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        if _weight is None:
            data = empty(num_embeddings, embedding_dim, dtype=dtype, device=device)
            self.weight = Parameter(data, requires_grad=not _freeze)
            self.reset_parameters()
        elif tuple(_weight.shape) != (num_embeddings, embedding_dim):
            raise LayerShapeError(
                f"Embedding: the weight has shape {list(_weight.shape)}, expected [{num_embeddings}, {embedding_dim}]"
            )
        else:
            self.weight = Parameter(_weight, requires_grad=not _freeze)

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
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """A layer over the memory of `embeddings`, [n, k]; it is not trained unless `freeze` is False."""
        if embeddings.ndim != 2:
            raise LayerShapeError(f"Embedding: embeddings must be 2-D, got {list(embeddings.shape)}")
        rows, columns = embeddings.shape
        settings = (padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        return cls(rows, columns, *settings, _weight=embeddings, _freeze=freeze)

    def forward(self, input: Tensor) -> Tensor:
        """The row of each element of `input`."""
        return functional.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        """The sizes, and the settings that are not the usual ones."""
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            text += f", padding_idx={self.padding_idx}"
        if self.max_norm is not None:
            text += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            text += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq:
            text += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        return text + (", sparse=True" if self.sparse else "")
