from __future__ import annotations

import numpy as np
import pytest
from optim.cases import FIGURES, make, parameters

import guardlift as gl
from guardlift import nn, optim


@pytest.mark.parametrize("name", make.SPARSE)
def test_steps_along_sparse_gradients_agree_with_pytorch(name: str) -> None:
    kind, settings = make.SPARSE[name]
    table = nn.Parameter(gl.tensor(make.start((5, 3)), dtype=gl.float64).reshape(5, 3))
    optimizer = getattr(optim, kind)([table], **settings)
    for step in range(make.STEPS):
        values = gl.tensor(make.gradient(step, (3, 3)), dtype=gl.float64).reshape(3, 3)
        table.grad = gl.sparse_coo_tensor(gl.tensor([make.rows(step)]), values, (5, 3))
        optimizer.step()
    found = [table, *optimizer.state[table].values()]
    for mine, expected in zip(found, FIGURES["sparse"][name], strict=True):
        np.testing.assert_allclose(mine.tolist(), expected, rtol=1e-12)


def test_a_sparse_step_writes_only_rows_with_an_entry_and_counts_versions() -> None:
    table = nn.Embedding(5, 2, sparse=True)
    optimizer = optim.Adagrad(table.parameters(), initial_accumulator_value=0.5)
    before, written = table.weight.tolist(), [table.weight, *optimizer.state[table.weight].values()]
    versions = [each._version for each in written]
    table(gl.tensor([1, 1, 3])).sum().backward()
    optimizer.step()
    changed = [old != new for old, new in zip(before, table.weight.tolist())]
    assert changed == [False, True, False, True, False]
    assert optimizer.state[table.weight]["sum"].tolist() == [[0.5] * 2, [4.5] * 2, [0.5] * 2, [1.5] * 2, [0.5] * 2]
    assert [each._version for each in written] == [version + 1 for version in versions]


def test_state_is_there_from_the_start_and_for_groups_that_come_later() -> None:
    first, second, _ = parameters()
    optimizer = optim.Adagrad([first], initial_accumulator_value=0.5)
    optimizer.add_param_group({"params": second, "initial_accumulator_value": 2})
    assert list(optimizer.state) == [first, second]
    assert list(optimizer.state[first]) == ["step", "sum"]
    assert optimizer.state[first]["step"].dtype is gl.float32 and optimizer.state[first]["sum"].dtype is gl.float64
    assert optimizer.state[second]["sum"].tolist() == [2.0] * 5
