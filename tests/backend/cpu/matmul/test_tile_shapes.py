import pytest

from guardlift.backend.cpu.matmul import tile_shapes, tiles
from guardlift.core.sizes import Facts, symbol

pytestmark = pytest.mark.skipif(not tiles.vector_bytes(), reason="the processor has no fused multiply-add on vectors")


def rows_taken(rows: int, heights: tuple[int, ...]) -> list[int]:
    """The heights of the tiles that the loops of a kernel take for so many rows."""
    names = {"m": rows, "taken": []}
    exec("row = 0\n" + tile_shapes.tile_loops("taken.append(ROWS)", heights, "m", 0), names)
    taken = names["taken"]
    assert isinstance(taken, list)
    return taken


@pytest.mark.parametrize("nbytes", [32, 64])
def test_tiles_of_every_shape_take_each_row_once(nbytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "vector_bytes", lambda: nbytes)
    for vectors in tile_shapes._ROWS[nbytes]:
        for taps in (1, 3):
            for rows in range(40):
                heights = tile_shapes.tile_heights(rows, vectors, taps)
                assert sum(rows_taken(rows, heights)) == rows
                assert set(rows_taken(rows, heights)) == set(heights)
                for block in (5, 16):
                    some = tile_shapes.block_heights(rows, block, vectors, taps)
                    parts = [min(block, rows - top) for top in range(0, rows, block)]
                    assert [sum(rows_taken(part, some)) for part in parts] == parts


def test_eight_rows_are_two_tiles_of_four_and_not_one_of_six(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "vector_bytes", lambda: 64)
    assert rows_taken(16, tile_shapes.tile_heights(16, 4)) == [6, 6, 4]
    assert rows_taken(20, tile_shapes.tile_heights(20, 4)) == [6, 6, 4, 4]


def test_sums_in_registers_are_as_many_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for nbytes in (32, 64):
        monkeypatch.setattr(tiles, "vector_bytes", lambda nbytes=nbytes: nbytes)
        for vectors, heights in tile_shapes._ROWS[nbytes].items():
            assert vectors * heights[0] <= tile_shapes.MOST_SUMS[nbytes]
            for taps in range(2, 8):
                if tile_shapes.takes_taps(vectors, taps):
                    rows = tile_shapes.tile_heights(32, vectors, taps)[0]
                    assert vectors * taps * rows <= tile_shapes.MOST_SUMS[nbytes]


def test_panels_are_as_wide_as_makes_tiles_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "vector_bytes", lambda: 64)
    found = [tile_shapes.panel_vectors("f32", columns) for columns in (1, 16, 17, 48, 64, 65, 128, 512)]
    assert found == [1, 1, 2, 3, 4, 3, 4, 4]
    assert tile_shapes.panels_of("f64", 64) == 2


def test_a_number_of_rows_that_is_not_known_has_all_tiles() -> None:
    (vectors, heights), *_ = tile_shapes._ROWS[tiles.vector_bytes()].items()
    assert tile_shapes.tile_heights(symbol(Facts(), "rows", 5), vectors) == heights


def test_a_small_product_has_tiles_of_one_height_where_one_fills_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "vector_bytes", lambda: 64)
    assert tile_shapes.block_heights(128, 0, 4) == (6, 4)
    assert tile_shapes.block_heights(128, 0, 4, is_small=True) == (4,)
    assert tile_shapes.block_heights(126, 0, 4, is_small=True) == (6,)
    assert tile_shapes.block_heights(12, 0, 1, is_small=True) == (4,)
    assert tile_shapes.block_heights(96, 24, 4, is_small=True) == (6,)
    for rows in range(1, 40):
        for block in (0, 5, 16):
            heights = tile_shapes.block_heights(rows, block, 4, is_small=True)
            parts = [min(block or rows, rows - top) for top in range(0, rows, block or rows)]
            assert [sum(rows_taken(part, heights)) for part in parts] == parts
