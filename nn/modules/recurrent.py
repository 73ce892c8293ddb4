"""Recurrent layers: RNN, LSTM and GRU over whole sequences."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType
from ...tensor.arithmetic import add
from ...tensor.creation import empty, zeros
from ...tensor.indexing import index_select
from ...tensor.joining import cat, stack
from ...tensor.parameter import Parameter
from ...tensor.shaping import transpose, unsqueeze
from .. import functional, init
from ..errors import LayerArgumentError, LayerShapeArgumentError, LayerShapeError
from ..module import Module
from ..recurrent.elman import RELU_RECURRENCE, TANH_RECURRENCE
from ..recurrent.gru import GRU_RECURRENCE
from ..recurrent.lstm import LSTM_RECURRENCE
from ..recurrent.node import recur
from ..recurrent.packed import recur_packed
from ..recurrent.padded import is_traced, packed_again, padded, recur_padded, there
from ..recurrent.recurrence import Recurrence
from ..utils.rnn import PackedSequence, sizes_of

Value = Any
_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
_RECURRENCES = {each.name: each for each in (LSTM_RECURRENCE, GRU_RECURRENCE, TANH_RECURRENCE, RELU_RECURRENCE)}


class RNNBase(Module):
    """The base of recurrent layers: parameters by layer and direction, and the walk through them.

    Shapes: input [time, batch, input_size], or [batch, time, input_size] with `batch_first`, or without the batch;
        states [layers * directions, batch, size].
    dropout: the probability with which elements between two layers are set to 0, in training.
    proj_size: of an LSTM the size that its outputs are projected to; 0 for none.
    """

    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        _check_settings(mode, hidden_size, num_layers, dropout, proj_size)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        rows = _GATES[mode] * hidden_size
        for layer in range(num_layers):
            below = self._output_size * self._directions if layer else input_size
            for suffix in self._suffixes(layer):
                shapes: dict[str, tuple[int, ...]] = {
                    "weight_ih": (rows, below),
                    "weight_hh": (rows, self._output_size),
                }
                if bias:
                    shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                for name, shape in shapes.items():
                    self.register_parameter(name + suffix, Parameter(empty(*shape, dtype=dtype, device=device)))
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def _output_size(self) -> int:
        return self.proj_size or self.hidden_size

    def _suffixes(self, layer: int) -> list[str]:
        return [f"_l{layer}", f"_l{layer}_reverse"][: self._directions]

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each direction of each layer."""
        names = ["weight_ih", "weight_hh", *(["bias_ih", "bias_hh"] if self.bias else [])]
        names += ["weight_hr"] if self.proj_size else []
        return [
            [getattr(self, name + suffix) for name in names]
            for layer in range(self.num_layers)
            for suffix in self._suffixes(layer)
        ]

    def reset_parameters(self) -> None:
        """Fills all parameters anew, uniformly between plus and minus ``1 / sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0.0
        for each in self.parameters():
            init.uniform_(each, -bound, bound)

    def flatten_parameters(self) -> None:
        """Does nothing: parameters lie wherever they lie."""

    def _run(
        self, input: Value, starts: Sequence[Value], sizes: Value | None, mask: Value | None = None
    ) -> tuple[Value, list[list[Value]]]:
        """The outputs of the last layer, and the last states: for each sort those of all layers and directions.

        Shapes: input [time, batch, input_size], or [rows, input_size] where `sizes` says how it is packed; starts
            [layers * directions, batch, size]; mask: in a graph what there is of packed sequences, [time, batch].
        """
        recurrence = _RECURRENCES[self.mode]
        finals: list[list[Value]] = [[] for _ in starts]
        for layer in range(self.num_layers):
            outputs = []
            for direction, suffix in enumerate(self._suffixes(layer)):
                index = layer * self._directions + direction
                states = [each[index] for each in starts]
                output, *last = self._direction(recurrence, input, states, suffix, direction == 1, sizes, mask)
                outputs.append(output)
                for held, each in zip(finals, last):
                    held.append(each)
            input = outputs[0] if len(outputs) == 1 else cat(outputs, -1)
            if self.dropout and self.training and layer + 1 < self.num_layers:
                input = functional.dropout(input, self.dropout, True)
        return input, finals

    def _direction(
        self,
        recurrence: Recurrence,
        input: Value,
        states: Sequence[Value],
        suffix: str,
        reverse: bool,
        sizes: Value | None,
        mask: Value | None,
    ) -> tuple[Value, ...]:
        bias = getattr(self, "bias_ih" + suffix) if self.bias else None
        weights = [getattr(self, "weight_hh" + suffix)]
        if self.bias:
            other = getattr(self, "bias_hh" + suffix)
            if self.mode == "GRU":
                weights.append(other)
            else:
                bias = add(bias, other)
        if self.proj_size:
            weights.append(getattr(self, "weight_hr" + suffix))
        inputs = functional.linear(input, getattr(self, "weight_ih" + suffix), bias)
        if mask is not None:
            given = (padded(inputs, sizes, mask), *states, *weights)
            output, *last = recur_padded(recurrence, given, mask, reverse)
            return (packed_again(output, mask), *last)
        if sizes is not None:
            return recur_packed(recurrence, inputs, sizes, states, weights, reverse)
        return recur(recurrence, (inputs, *states, *weights), reverse)

    def _layers(self, input: Value, given: Sequence[Value] | None) -> tuple[Value, list[Value]]:
        """The output and the last states, in the form of the input."""
        if isinstance(input, PackedSequence):
            return self._packed_layers(input, given)
        if input.ndim not in (2, 3):
            raise LayerShapeArgumentError(
                f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.ndim}D instead"
            )
        batched = input.ndim == 3
        self._check_width(input)
        if not batched:
            input = unsqueeze(input, 1)
        elif self.batch_first:
            input = transpose(input, 0, 1)
        if not input.shape[0]:
            raise LayerShapeError(f"{type(self).__name__}: Expected sequence length to be larger than 0 in RNN")
        starts = self._starts(input, input.shape[1], given, batched)
        output, finals = self._run(input, starts, None)
        if not batched:
            return output[:, 0], [stack(each)[:, 0] for each in finals]
        if self.batch_first:
            output = transpose(output, 0, 1)
        return output, [_stacked(each) for each in finals]

    def _packed_layers(self, input: PackedSequence, given: Sequence[Value] | None) -> tuple[Value, list[Value]]:
        if input.data.ndim != 2:
            raise LayerShapeError(f"{type(self).__name__}: packed input must have 2 dimensions, got {input.data.ndim}")
        self._check_width(input.data)
        mask, sizes = None, input.batch_sizes
        if is_traced(input.data):
            mask = there(input.data, sizes, input.sorted_indices, None if given is None else given[0])
            batch = mask.shape[1]
        else:
            sizes = sizes_of(input)
            batch = sizes[0]
        starts = self._starts(input.data, batch, given, True)
        if given is not None and input.sorted_indices is not None:
            starts = [index_select(each, 1, input.sorted_indices) for each in starts]
        output, finals = self._run(input.data, starts, sizes, mask)
        last = [_stacked(each) for each in finals]
        if input.unsorted_indices is not None:
            last = [index_select(each, 1, input.unsorted_indices) for each in last]
        return PackedSequence(output, *input[1:]), last

    def _check_width(self, input: Value) -> None:
        if input.shape[-1] != self.input_size:
            raise LayerShapeError(
                f"{type(self).__name__}: input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                f"{input.shape[-1]}"
            )

    def _state_sizes(self) -> tuple[int, ...]:
        return (self._output_size,)

    def _starts(self, input: Value, batch: int, given: Sequence[Value] | None, batched: bool) -> list[Value]:
        """The states before the first step: those that are given, checked, or zeros."""
        count = self.num_layers * self._directions
        if given is None:
            return [zeros(count, batch, size, dtype=input.dtype, device=input.device) for size in self._state_sizes()]
        starts = []
        for size, each in zip(self._state_sizes(), given):
            if each.ndim != (3 if batched else 2):
                form = "batched 3-D" if batched else "unbatched 2-D"
                raise LayerShapeError(
                    f"{type(self).__name__}: For {form} input, hx and cx should also be {3 if batched else 2}-D but "
                    f"got {each.ndim}-D tensors"
                )
            expected = (count, batch, size) if batched else (count, size)
            if tuple(each.shape) != expected:
                raise LayerShapeError(f"{type(self).__name__}: Expected hidden size {expected}, got {list(each.shape)}")
            starts.append(each if batched else unsqueeze(each, 1))
        return starts

    def extra_repr(self) -> str:
        """The sizes, and the settings that are not the usual ones."""
        text = f"{self.input_size}, {self.hidden_size}"
        usual = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
            "dropout": 0.0,
            "bidirectional": False,
        }
        for name, value in usual.items():
            found = getattr(self, name)
            if found != value:
                text += f", {name}={found}"
        return text


def _stacked(states: Sequence[Value]) -> Value:
    return unsqueeze(states[0], 0) if len(states) == 1 else stack(states)


def _check_settings(mode: str, hidden_size: int, num_layers: int, dropout: float, proj_size: int) -> None:
    if mode not in _GATES:
        raise LayerArgumentError(f"Unrecognized RNN mode: {mode}; expected one of {', '.join(_GATES)}")
    if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
        raise LayerArgumentError(
            f"dropout should be a number in range [0, 1] representing the probability of an element being zeroed, got "
            f"{dropout!r}"
        )
    if not isinstance(hidden_size, int):
        raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
    if hidden_size <= 0:
        raise LayerArgumentError(f"hidden_size must be greater than zero, got {hidden_size}")
    if num_layers <= 0:
        raise LayerArgumentError(f"num_layers must be greater than zero, got {num_layers}")
    if proj_size < 0:
        raise LayerArgumentError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise LayerArgumentError(f"proj_size has to be smaller than hidden_size, got {proj_size} and {hidden_size}")
    if dropout > 0 and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
            f"greater than 1, but got dropout={dropout} and num_layers={num_layers}",
            UserWarning,
            stacklevel=4,
        )


class RNN(RNNBase):
    """``h = tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)`` at each step, or relu of it.

    Shapes: see `RNNBase`; -> the outputs of the last layer [time, batch, directions * hidden_size] and the last state
        of each layer and direction.
    Errors: RuntimeError for shapes that do not fit, ValueError for settings out of range.
    Source: Elman 1990.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise LayerArgumentError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            self_nonlinearity, args = args[3], (*args[:3], *args[4:])
        else:
            self_nonlinearity = kwargs.pop("nonlinearity", "tanh")
        modes = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}
        if self_nonlinearity not in modes:
            raise LayerArgumentError(f"Unknown nonlinearity '{self_nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(modes[self_nonlinearity], *args, **kwargs)
        self.nonlinearity = self_nonlinearity

    def forward(self, input: Value, hx: Value | None = None) -> tuple[Value, Value]:
        """The outputs of all steps, and the last states."""
        output, (last,) = self._layers(input, None if hx is None else (hx,))
        return output, last


class GRU(RNNBase):
    """A recurrent layer whose reset gate says what of the state enters the new one, and whose update gate mixes both.

    Shapes: see `RNNBase`; -> the outputs of the last layer [time, batch, directions * hidden_size] and the last state
        of each layer and direction.
    Errors: RuntimeError for shapes that do not fit, ValueError for settings out of range.
    Source: Cho et al. 2014.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise LayerArgumentError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Value, hx: Value | None = None) -> tuple[Value, Value]:
        """The outputs of all steps, and the last states."""
        output, (last,) = self._layers(input, None if hx is None else (hx,))
        return output, last


class LSTM(RNNBase):
    """A recurrent layer with a cell that gates let in, keep and let out.

    Shapes: see `RNNBase`; -> the outputs of the last layer [time, batch, directions * size], and a pair of the last
        outputs and the last cells of each layer and direction. The size of outputs is proj_size where that is not 0.
    Errors: RuntimeError for shapes that do not fit, ValueError for settings out of range.
    Source: Hochreiter & Schmidhuber 1997; Sak et al. 2014 (projections).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def _state_sizes(self) -> tuple[int, ...]:
        return (self._output_size, self.hidden_size)

    def forward(self, input: Value, hx: tuple[Value, Value] | None = None) -> tuple[Value, tuple[Value, Value]]:
        """The outputs of all steps, and the last outputs and cells."""
        output, (last, cell) = self._layers(input, hx)
        return output, (last, cell)
