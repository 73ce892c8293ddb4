import pytest
from graph.strategies import PRIMITIVES, drawer


@pytest.mark.parametrize("name", PRIMITIVES)
def test_random_graphs_can_hold_every_primitive(name: str) -> None:
    drawer(name)
