"""Blocks of threads on the stand-in: what they do together, and the faults that it finds."""

import numpy as np
import pytest
from backend.cuda.stand_in.stand_in_driver import NO_COMPILER, DriverError, stand_in

pytestmark = pytest.mark.skipif(bool(NO_COMPILER), reason=f"there is no {NO_COMPILER} here")
SHARED = ".shared .align 4 .b8 part[1024];"
REVERSE = """mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, part; add.u32 %r4, %r3, %r2;
st.shared.u32 [%r4], %r1;
{barrier}
sub.u32 %r5, 252, %r2; add.u32 %r5, %r3, %r5; ld.shared.u32 %r6, [%r5];
mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d0, %d2; st.global.u32 [%d2], %r6;"""
"""Sixty-four threads hand their numbers over in shared memory."""


def run(body, result, *more, parameters=2, before="", **sizes):
    """The elements that a kernel leaves in an array whose address is its first parameter."""
    device = stand_in()
    place, word = device.put(result), device.put(np.zeros(1, np.int64))
    device.launch(device.kernel(body, parameters, before), *([place, *more, word][:parameters]), **sizes)
    return device.get(place, result)


def fault(body, *more, said, capfd, status="700", **sizes):
    with stand_in().options(), pytest.raises(DriverError, match=status):
        run(body, np.zeros(64, np.int32), *more, **sizes)
    assert said in capfd.readouterr().err


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.slow
def test_a_barrier_orders_shared_memory(seed):
    with stand_in().options(seed=seed):
        found = run(REVERSE.format(barrier="bar.sync 0;"), np.zeros(64, np.int32), before=SHARED, block=64)
    np.testing.assert_array_equal(found, np.arange(64)[::-1])


def test_without_the_barrier_there_is_a_race(capfd):
    fault(REVERSE.format(barrier=""), said="race in shared memory", capfd=capfd, before=SHARED, block=64)


def test_two_threads_that_store_to_one_place_race(capfd):
    fault("mov.u32 %r1, %tid.x; st.global.u32 [%d0], %r1;", said="race in global memory", capfd=capfd, block=2)


def test_two_blocks_that_store_to_one_place_race(capfd):
    fault("mov.u32 %r1, 1; st.global.u32 [%d0], %r1;", said="race in global memory", capfd=capfd, grid=2)


def test_a_large_block_is_one_of_a_kernel_that_says_so():
    device, body = stand_in(), "mov.u32 %r1, %tid.x; st.global.u32 [%d0], %r1;"
    place = device.put(np.zeros(1, np.int32))
    for bound, threads, passes in (("", 257, False), (".maxntid 16, 24\n", 384, True), (".maxntid 384\n", 385, False)):
        kernel = device.kernel(f"setp.ne.u32 %p1, %tid.x, 7; @%p1 ret;\n{body}", bound=bound)
        if not passes:
            with pytest.raises(DriverError, match="701"):
                device.launch(kernel, place, block=threads)
            continue
        device.launch(kernel, place, block=threads)
        assert device.get(place, np.zeros(1, np.int32)) == 7


def test_atomics_do_not_race():
    for seed in range(4):
        with stand_in().options(seed=seed):
            body = "mov.u32 %r1, %tid.x; red.global.add.u32 [%d0], %r1; atom.global.max.u32 %r2, [%d0+4], %r1;"
            found = run(body, np.zeros(2, np.int32), grid=3, block=40)
        np.testing.assert_array_equal(found, [3 * 780, 39])


def test_atomic_sums_of_floats_and_exchanges_by_comparison():
    body = """cvt.rn.f32.u32 %f1, 1; red.global.add.f32 [%d0], %f1;
again: ld.relaxed.gpu.global.u32 %r1, [%d0+4]; add.u32 %r2, %r1, 3; atom.global.cas.b32 %r3, [%d0+4], %r1, %r2;
setp.ne.u32 %p1, %r3, %r1; @%p1 bra again;"""
    with stand_in().options(seed=7):
        found = run(body, np.zeros(2, np.int32), grid=2, block=33)
    assert found[:1].view(np.float32)[0] == 66 and found[1] == 198


LAST_BLOCK = """mov.u32 %r1, %ctaid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d0, %d2; add.u32 %r2, %r1, 1;
st.global.u32 [%d2+8], %r2;
{fence}
atom.global.add.u32 %r3, [%d0], 1; setp.ne.u32 %p1, %r3, 3; @%p1 bra done;
{fence}
ld.global.u32 %r4, [%d0+8]; ld.global.u32 %r5, [%d0+12]; ld.global.u32 %r6, [%d0+16]; ld.global.u32 %r7, [%d0+20];
add.u32 %r4, %r4, %r5; add.u32 %r6, %r6, %r7; add.u32 %r4, %r4, %r6; st.global.u32 [%d0+4], %r4;
done:"""
"""Four blocks store a part each; whichever comes last adds them."""


@pytest.mark.parametrize("seed", range(4))
def test_the_last_block_sees_what_others_stored_before_a_fence(seed):
    with stand_in().options(seed=seed):
        assert run(LAST_BLOCK.format(fence="membar.gl;"), np.zeros(6, np.int32), grid=4)[1] == 10


def test_without_the_fence_it_is_a_race(capfd):
    fault(LAST_BLOCK.format(fence=""), said="race in global memory", capfd=capfd, grid=4)


LOOK_BACK = """atom.global.add.u32 %r1, [%d0], 1; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 1;
mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d0, %d2; @%p1 bra first;
wait: ld.acquire.gpu.global.u32 %r2, [%d2]; setp.eq.u32 %p2, %r2, 0; @%p2 bra wait;
add.u32 %r2, %r2, 1;
first: st.release.gpu.global.u32 [%d2+4], %r2;"""
"""Each block waits for the one that began before it, whichever that is."""


@pytest.mark.parametrize("seed", range(4))
def test_blocks_may_wait_for_those_that_began_before(seed):
    with stand_in().options(seed=seed):
        found = run(LOOK_BACK, np.zeros(21, np.int32), grid=20)
    np.testing.assert_array_equal(found, [20, *range(1, 21)])


def test_lanes_exchange_values():
    body = """mov.u32 %r1, %laneid; shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1; shfl.sync.up.b32 %r3|%p1, %r1, 1, 0, -1;
shfl.sync.down.b32 %r4, %r1, 2, 31, -1; shfl.sync.idx.b32 %r5, %r1, 7, 31, -1;
setp.lt.u32 %p2, %r1, 3; vote.sync.ballot.b32 %r6, %p2, -1; redux.sync.add.u32 %r7, %r1, -1;
mul.wide.u32 %d2, %r1, 24; add.u64 %d2, %d0, %d2;
st.global.u32 [%d2], %r2; st.global.u32 [%d2+4], %r3; st.global.u32 [%d2+8], %r4; st.global.u32 [%d2+12], %r5;
st.global.u32 [%d2+16], %r6; st.global.u32 [%d2+20], %r7;"""
    found = run(body, np.zeros((32, 6), np.int32), block=32)
    lane = np.arange(32)
    up, down = np.maximum(lane - 1, 0), np.where(lane < 30, lane + 2, lane)
    expected = np.stack([lane ^ 5, up, down, lane * 0 + 7, lane * 0 + 7, lane * 0 + 496], 1)
    np.testing.assert_array_equal(found, expected)


def test_an_exchange_with_a_lane_that_is_gone_is_a_fault(capfd):
    body = "mov.u32 %r1, %laneid; setp.gt.u32 %p1, %r1, 15; @%p1 ret; shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;"
    said = "a lane asks for the value of one that is not there"
    fault(body, said=said, capfd=capfd, status="719", block=32)


def test_lanes_at_different_places_are_a_fault(capfd):
    body = """mov.u32 %r1, %laneid; setp.gt.u32 %p1, %r1, 15; @%p1 bra other;
shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; ret; other: shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;"""
    fault(body, said="are at different places", capfd=capfd, status="719", block=32)


def test_threads_that_wait_for_one_that_never_comes_are_a_fault(capfd):
    body = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra other; bar.sync 0; ret; other: bar.warp.sync 1;"
    fault(body, said="a lane waits with a mask that leaves it out", capfd=capfd, status="719", block=64)


def test_a_vote_at_a_barrier():
    body = """mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 40; barrier.red.or.pred %p2, 0, %p1;
selp.b32 %r2, 1, 0, %p2; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d0, %d2; st.global.u32 [%d2], %r2;"""
    assert run(body, np.zeros(64, np.int32), block=64).sum() == 64


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("ld.global.u32 %r1, [%d0+256];", "illegal address"),
        ("ld.global.u32 %r1, [%d0+-4];", "illegal address"),
        ("ld.global.u32 %r1, [%d0+254];", "illegal address"),
        ("ld.global.u32 %r1, [%d0+2];", "misaligned address"),
        ("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0+8];", "misaligned address"),
        ("mov.u32 %r1, 0; ld.shared.u32 %r2, [%r1];", "illegal address in shared memory"),
        ("mov.u64 %d2, 0xfffffffffffffffc; ld.shared.u32 %r2, [%d2];", "illegal address in shared memory"),
        ("mov.u64 %d2, table; ld.const.u32 %r2, [%d2+-4];", "illegal address"),
        ("mov.u64 %d2, table; ld.const.u32 %r2, [%d2+4096];", "illegal address"),
        ("mov.u64 %d2, 64; ld.global.u32 %r1, [%d2];", "illegal address"),
    ],
)
def test_accesses_that_are_not_allowed(body, said, capfd):
    fault(body, said=said, capfd=capfd, before=".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};")


def test_a_fault_is_told_by_every_later_call():
    device = stand_in()
    with device.options():
        device.launch(device.kernel("mov.u64 %d2, 64; st.global.u32 [%d2], %r1;"), 0)
        for _ in range(2):
            with pytest.raises(DriverError, match="700"):
                device.wait()


@pytest.mark.parametrize("sizes", [{"block": 1025}, {"block": 0}, {"grid": 0}, {"shared": 50000}])
def test_launches_that_are_too_large_are_refused(sizes):
    with pytest.raises(DriverError, match="^1$"):
        run("", np.zeros(4, np.int32), **sizes)


def test_accesses_are_counted():
    device = stand_in()
    before = [device.count(name) for name in ("launches", "accesses", "wide accesses")]
    run("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0]; ld.global.u32 %r5, [%d0];", np.zeros(4, np.int32))
    after = [device.count(name) for name in ("launches", "accesses", "wide accesses")]
    assert np.subtract(after, before).tolist() == [1, 2, 1]
