from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.evaluate.buffers import ALIGNMENT, Lifetime, lay_out
from guardlift.core.sizes import Facts, Size, symbol

blocks = st.builds(
    lambda nbytes, first, more: Lifetime(nbytes, first, first + more),
    st.integers(1, 1000),
    st.integers(0, 9),
    st.integers(0, 5),
)


def assert_apart(lives, offsets, arena):
    for k, (life, offset) in enumerate(zip(lives, offsets, strict=True)):
        assert offset % ALIGNMENT == 0 and offset + life.nbytes <= arena
        for other, place in zip(lives[:k], offsets[:k], strict=True):
            if other.first <= life.last and life.first <= other.last:
                assert place + other.nbytes <= offset or offset + life.nbytes <= place


@given(st.lists(blocks, max_size=12))
def test_blocks_alive_at_one_time_never_overlap_and_lie_aligned_within_the_arena(lives):
    assert_apart(lives, *lay_out(lives))


def test_blocks_of_different_times_share_memory():
    assert lay_out([Lifetime(100, 0, 1), Lifetime(100, 2, 3), Lifetime(100, 4, 4)]) == ([0, 0, 0], 128)


@given(st.lists(st.tuples(blocks, st.integers(0, 3)), max_size=9))
def test_blocks_of_symbolic_sizes_lie_so_at_all_sizes_and_nothing_is_asked(lives):
    facts = Facts()
    rows, columns = symbol(facts, "rows", 7), symbol(facts, "columns", 5)
    units = (1, rows, rows * columns, rows * 64 + 64)
    sized = [Lifetime(life.nbytes * units[unit], life.first, life.last) for life, unit in lives]
    offsets, arena = lay_out(sized)
    assert not facts.relied
    for values in ((7, 5), (2, 2), (300, 3)):
        atoms = facts.atom_values(values)

        def at(size, atoms=atoms):
            return facts.value_of(size.terms, atoms) if isinstance(size, Size) else size

        found = [Lifetime(at(each.nbytes), each.first, each.last) for each in sized]
        assert_apart(found, [*map(at, offsets)], at(arena))
