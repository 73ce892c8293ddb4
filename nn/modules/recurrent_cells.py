"""Recurrent cells: one step of RNN, LSTM and GRU."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtypes import DType
from ...tensor.arithmetic import add
from ...tensor.creation import empty, zeros
from ...tensor.parameter import Parameter
from ...tensor.shaping import unsqueeze
from .. import functional, init
from ..errors import LayerArgumentError, LayerShapeArgumentError, LayerShapeError
from ..module import Module
from ..recurrent.elman import RELU_RECURRENCE, TANH_RECURRENCE
from ..recurrent.gru import GRU_RECURRENCE
from ..recurrent.lstm import LSTM_RECURRENCE
from ..recurrent.recurrence import Recurrence

Value = Any


class RNNCellBase(Module):
    """The base of recurrent cells: the weights of the input and of the state, and a bias for each.

    Shapes: weight_ih [gates * hidden_size, input_size], weight_hh [gates * hidden_size, hidden_size], biases
        [gates * hidden_size]; input [batch, input_size] or [input_size], states [batch, hidden_size] or [hidden_size].
    """

    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(empty(rows, input_size, dtype=dtype, device=device))
        self.weight_hh = Parameter(empty(rows, hidden_size, dtype=dtype, device=device))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(rows, dtype=dtype, device=device)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fills all parameters anew, uniformly between plus and minus ``1 / sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0.0
        for each in self.parameters():
            init.uniform_(each, -bound, bound)

    def _next(self, recurrence: Recurrence, input: Value, given: tuple[Value, ...] | None) -> tuple[Value, ...]:
        """The states after one step, in the form of the input."""
        states = self._checked(recurrence, input, given)
        batched = input.ndim == 2
        if not batched:
            input, states = unsqueeze(input, 0), tuple(unsqueeze(each, 0) for each in states)
        bias, weights = self.bias_ih, [self.weight_hh]
        if self.bias_hh is not None and bias is not None:
            if recurrence is GRU_RECURRENCE:
                weights.append(self.bias_hh)
            else:
                bias = add(bias, self.bias_hh)
        found = recurrence.step(functional.linear(input, self.weight_ih, bias), *states, *weights)
        return found if batched else tuple(each[0] for each in found)

    def _checked(self, recurrence: Recurrence, input: Value, given: tuple[Value, ...] | None) -> tuple[Value, ...]:
        name = type(self).__name__
        if input.ndim not in (1, 2):
            raise LayerShapeArgumentError(f"{name}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        if input.shape[-1] != self.input_size:
            raise LayerShapeError(
                f"{name}: input has inconsistent input_size: got {input.shape[-1]}, expected {self.input_size}"
            )
        shape = (*input.shape[:-1], self.hidden_size)
        if given is None:
            return (zeros(*shape, dtype=input.dtype, device=input.device),) * recurrence.states
        for each in given:
            if each.ndim not in (1, 2):
                raise LayerShapeArgumentError(f"{name}: Expected hidden to be 1D or 2D, got {each.ndim}D instead")
            if tuple(each.shape) != shape:
                raise LayerShapeError(
                    f"{name}: the state has shape {list(each.shape)}, expected {list(shape)} beside this input"
                )
        return given

    def extra_repr(self) -> str:
        """The sizes, and the settings that are not the usual ones."""
        text = f"{self.input_size}, {self.hidden_size}"
        if not self.bias:
            text += f", bias={self.bias}"
        nonlinearity = getattr(self, "nonlinearity", "tanh")
        return text if nonlinearity == "tanh" else f"{text}, nonlinearity={nonlinearity}"


class RNNCell(RNNCellBase):
    """``tanh(x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh)``, or relu of it.

    Shapes: see `RNNCellBase`; -> a state like `hx`.
    Errors: RuntimeError for shapes that do not fit, ValueError for another nonlinearity.
    Source: Elman 1990.
    """

    nonlinearity: str

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Value, hx: Value | None = None) -> Value:
        """The state after the step; it starts from zeros where none is given."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise LayerArgumentError(f"Unknown nonlinearity: {self.nonlinearity}; expected 'tanh' or 'relu'")
        recurrence = TANH_RECURRENCE if self.nonlinearity == "tanh" else RELU_RECURRENCE
        return self._next(recurrence, input, None if hx is None else (hx,))[0]


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit.

    Shapes: see `RNNCellBase`, with three gates; -> a state like `hx`.
    Errors: RuntimeError for shapes that do not fit.
    Source: Cho et al. 2014.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: DType | None = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Value, hx: Value | None = None) -> Value:
        """The state after the step; it starts from zeros where none is given."""
        return self._next(GRU_RECURRENCE, input, None if hx is None else (hx,))[0]


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory.

    Shapes: see `RNNCellBase`, with four gates; -> a pair of a state and a cell, each like those of `hx`.
    Errors: RuntimeError for shapes that do not fit.
    Source: Hochreiter & Schmidhuber 1997.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: DType | None = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Value, hx: tuple[Value, Value] | None = None) -> tuple[Value, Value]:
        """The state and the cell after the step; both start from zeros where none are given."""
        state, cell = self._next(LSTM_RECURRENCE, input, None if hx is None else tuple(hx))
        return state, cell
