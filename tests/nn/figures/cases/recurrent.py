"""RNN, LSTM, GRU and their cells: layers, directions, projections, states, unbatched inputs."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "x": (4, 2, 3),
    "h": (1, 2, 4),
    "c": (1, 2, 4),
    "h4": (4, 2, 4),
    "c4": (4, 2, 4),
    "three": (4, 3, 3),
    "h3": (1, 3, 4),
    "c3": (1, 3, 4),
    "p": (1, 2, 2),
    "one": (4, 3),
    "h1": (1, 4),
    "c1": (1, 4),
    "row": (2, 3),
    "s": (2, 4),
    "d": (2, 4),
}
CLASSES: dict[str, list[Any]] = {}


def flat(call: str) -> str:
    """The expression of the tensors that an LSTM gives: the outputs, and the pair of states."""
    return f"(lambda output, states: (output, *states))(*{call})"


R = "nn.utils.rnn"
PACKED = f"{R}.pack_padded_sequence(three, [3, 1, 2, 1], True, False)"


def packed(layer: str, states: str = "", order: str = "[2, 4, 1]", sort: bool = False) -> str:
    """The expression of the rows and states that a layer gives for three sequences that are packed."""
    call = f"fixed(nn.{layer})({R}.pack_padded_sequence(three, {order}, enforce_sorted={sort}){states})"
    return f"(lambda rows, states: (rows.data, *(states if isinstance(states, tuple) else (states,))))(*{call})"


CASES = {
    "RNN": "fixed(nn.RNN(3, 4))(x)",
    "RNN relu": "fixed(nn.RNN(3, 4, nonlinearity='relu'))(x, h)",
    "RNN of two layers": "fixed(nn.RNN(3, 4, 2, bidirectional=True))(x, h4)",
    "RNN without bias": "fixed(nn.RNN(3, 4, bias=False, batch_first=True))(x.transpose(0, 1))",
    "RNN unbatched": "fixed(nn.RNN(3, 4))(one, h1)",
    "GRU": "fixed(nn.GRU(3, 4))(x)",
    "GRU with a state": "fixed(nn.GRU(3, 4))(x, h)",
    "GRU of two layers": "fixed(nn.GRU(3, 4, 2, bidirectional=True))(x, h4)",
    "GRU without bias": "fixed(nn.GRU(3, 4, bias=False, batch_first=True))(x.transpose(0, 1))",
    "GRU unbatched": "fixed(nn.GRU(3, 4, bidirectional=True))(one)",
    "LSTM": flat("fixed(nn.LSTM(3, 4))(x)"),
    "LSTM with states": flat("fixed(nn.LSTM(3, 4))(x, (h, c))"),
    "LSTM of two layers": flat("fixed(nn.LSTM(3, 4, 2, bidirectional=True, dropout=0.0))(x, (h4, c4))"),
    "LSTM with one state twice": flat("fixed(nn.LSTM(3, 4))(x, (h, h))"),
    "LSTM without bias": flat("fixed(nn.LSTM(3, 4, bias=False, batch_first=True))(x.transpose(0, 1))"),
    "LSTM unbatched": flat("fixed(nn.LSTM(3, 4))(one, (h1, c1))"),
    "LSTM projected": flat("fixed(nn.LSTM(3, 4, proj_size=2))(x, (p, c))"),
    "LSTM projected both ways": flat("fixed(nn.LSTM(3, 4, 2, proj_size=2, bidirectional=True))(x)"),
    "LSTM outputs alone": "fixed(nn.LSTM(3, 4))(x)[0]",
    "LSTM last cell alone": "fixed(nn.LSTM(3, 4))(x)[1][1]",
    "LSTM in evaluation": flat("fixed(nn.LSTM(3, 4, 2, dropout=0.5)).eval()(x)"),
    "parameters of RNNBase": "list(fixed(nn.RNNBase('GRU', 3, 4, bidirectional=True)).parameters())",
    "parameters of RNNCellBase": "list(fixed(nn.RNNCellBase(3, 4, True, 3)).parameters())",
    "packed RNN": packed("RNN(3, 4)"),
    "packed GRU": packed("GRU(3, 4, 2, bidirectional=True)"),
    "packed LSTM": packed("LSTM(3, 4)", ", (h3, c3)"),
    "packed LSTM, sorted": packed("LSTM(3, 4)", ", (h3, c3)", "[4, 2, 2]", True),
    "packed LSTM of two layers": packed("LSTM(3, 4, 2, bidirectional=True)"),
    "packed LSTM, projected": packed("LSTM(3, 4, bidirectional=True, proj_size=2)"),
    "packed LSTM of equal lengths": packed("LSTM(3, 4, bidirectional=True)", "", "[4, 4, 4]"),
    "packed and padded": f"{R}.pad_packed_sequence({PACKED}, True, 2.5, 5)",
    "padded": f"{R}.pad_sequence([x, x[1:] * 2, h4[:, :, :3]], True, -1.0)",
    "padded in front": f"{R}.pad_sequence([x, x[1:] * 2], padding_side='left')",
    "unpadded": f"{R}.unpad_sequence(three * 2, lib.tensor([1, 3, 2]))",
    "packed and unpacked": f"{R}.unpack_sequence({R}.pack_sequence([x[0], x[:, 0], x[2]], enforce_sorted=False))",
    "RNNCell": "fixed(nn.RNNCell(3, 4))(row, s)",
    "RNNCell relu": "fixed(nn.RNNCell(3, 4, nonlinearity='relu'))(row)",
    "GRUCell": "fixed(nn.GRUCell(3, 4))(row, s)",
    "GRUCell without bias": "fixed(nn.GRUCell(3, 4, bias=False))(row)",
    "LSTMCell": "fixed(nn.LSTMCell(3, 4))(row, (s, d))",
    "LSTMCell of a row": "fixed(nn.LSTMCell(3, 4))(row[0])",
}
