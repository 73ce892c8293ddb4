import pytest
from graph.strategies import drawer

from guardlift.ops import OPS


@pytest.mark.parametrize("name", sorted(OPS.keys() - {"placeholder"}))
def test_random_graphs_can_hold_every_op(name: str) -> None:
    drawer(name)
