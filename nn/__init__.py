"""Modules, layers and losses, in PyTorch's meaning."""

from ..tensor.parameter import Parameter
from . import functional, init, utils
from .module import Module
from .modules.activation import (
    ELU,
    GELU,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Tanh,
)
from .modules.container import ModuleList, Sequential
from .modules.dropout import AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout
from .modules.embedding import Embedding
from .modules.embedding_bag import EmbeddingBag
from .modules.linear import Flatten, Identity, Linear
from .modules.loss import (
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from .modules.multi_head_attention import MultiheadAttention
from .modules.normalization import LayerNorm
from .modules.recurrent import GRU, LSTM, RNN, RNNBase
from .modules.recurrent_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from .modules.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)

__all__ = [
    "ELU",
    "GELU",
    "GRU",
    "GRUCell",
    "LSTM",
    "LSTMCell",
    "RNN",
    "RNNBase",
    "RNNCell",
    "RNNCellBase",
    "Hardtanh",
    "HuberLoss",
    "KLDivLoss",
    "LeakyReLU",
    "LogSigmoid",
    "Mish",
    "ReLU6",
    "SmoothL1Loss",
    "Softplus",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "AlphaDropout",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "FeatureAlphaDropout",
    "Embedding",
    "EmbeddingBag",
    "Flatten",
    "Identity",
    "L1Loss",
    "LayerNorm",
    "Linear",
    "LogSoftmax",
    "MSELoss",
    "Module",
    "ModuleList",
    "MultiheadAttention",
    "NLLLoss",
    "Parameter",
    "ReLU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "functional",
    "init",
    "utils",
]
