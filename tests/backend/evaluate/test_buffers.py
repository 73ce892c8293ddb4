from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.evaluate.buffers import ALIGNMENT, Lifetime, lay_out

blocks = st.builds(
    lambda nbytes, first, more: Lifetime(nbytes, first, first + more),
    st.integers(1, 1000),
    st.integers(0, 9),
    st.integers(0, 5),
)


@given(st.lists(blocks, max_size=12))
def test_blocks_alive_at_one_time_never_overlap_and_lie_aligned_within_the_arena(lives):
    offsets, arena = lay_out(lives)
    for k, (life, offset) in enumerate(zip(lives, offsets, strict=True)):
        assert offset % ALIGNMENT == 0 and offset + life.nbytes <= arena
        for other, place in zip(lives[:k], offsets[:k], strict=True):
            if other.first <= life.last and life.first <= other.last:
                assert place + other.nbytes <= offset or offset + life.nbytes <= place


def test_blocks_of_different_times_share_memory():
    assert lay_out([Lifetime(100, 0, 1), Lifetime(100, 2, 3), Lifetime(100, 4, 4)]) == ([0, 0, 0], 128)
