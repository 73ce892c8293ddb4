"""Arrays that may share memory, against asking for each."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from guardlift.frontend.tracing.overlap_index import Spans

MEMORY = np.zeros(64, np.int8)
VIEWS = st.builds(lambda start, size, step: MEMORY[start : start + size : step], *[st.integers(1, 60)] * 2, st.just(1))
STEPPED = st.builds(lambda start, stop, step: MEMORY[start:stop:step], *[st.integers(0, 64)] * 2, st.integers(1, 5))


@given(st.lists(st.tuples(VIEWS | STEPPED, VIEWS | STEPPED), max_size=20))
def test_what_may_share_memory_is_found_while_the_list_grows(pairs):
    spans, entries = Spans(), []
    for array, asked in pairs:
        entries.append(SimpleNamespace(example=array))
        found = list(spans.meeting(asked, entries))
        expected = [each for each in entries if np.may_share_memory(each.example, asked)]
        assert len(found) == len(expected) and {id(each) for each in found} == {id(each) for each in expected}


def test_another_list_is_looked_at_anew():
    spans, first = Spans(), [SimpleNamespace(example=MEMORY[:8])]
    assert list(spans.meeting(MEMORY, first)) == first
    second = [SimpleNamespace(example=MEMORY[8:16]), SimpleNamespace(example=3.0)]
    assert list(spans.meeting(MEMORY, second)) == second[:1]
    assert list(spans.meeting(MEMORY[:8], second)) == []
