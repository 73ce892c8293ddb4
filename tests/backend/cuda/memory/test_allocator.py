"""Blocks of a GPU's memory: sizes, what is kept, what is told, and who gives them."""

import gc
import threading

import numpy as np
import pytest

from guardlift.backend.cuda.memory.allocator import KEPT, DeviceAllocator, in_words
from guardlift.backend.cuda.memory.blocks import LARGE, UserAllocator, size_of
from guardlift.backend.cuda.memory.other_pools import CupyPool, PytorchPool, pool_of
from guardlift.core.config import config
from guardlift.core.errors import CudaError, OutOfMemoryError


class Source:
    """Blocks by numbers, of so many bytes in all."""

    def __init__(self, total=1 << 30):
        self.left, self.blocks, self.trimmed, self.next = total, {}, 0, 512

    def take(self, nbytes):
        if nbytes > self.left:
            return None
        self.left -= nbytes
        self.blocks[self.next] = nbytes
        self.next += nbytes + 512
        return self.next - nbytes - 512

    def give(self, address):
        self.left += self.blocks.pop(address)

    def trim(self):
        self.trimmed += 1


def allocator(total=1 << 30):
    source = Source(total)
    return DeviceAllocator(source, lambda: (source.left, total)), source


def test_small_blocks_are_of_few_sizes_and_waste_little():
    sizes = {size_of(nbytes) for nbytes in range(1, LARGE, 37)}
    assert len(sizes) <= 42 and all(size % 512 == 0 for size in sizes)
    for nbytes in range(1, 3 * LARGE, 1001):
        assert nbytes <= size_of(nbytes) <= max(1.25 * nbytes, nbytes + 512)


def test_a_small_block_is_used_again_and_a_large_one_goes_back_at_once():
    memory, source = allocator()
    small, large = memory.allocate(100), memory.allocate(LARGE)
    memory.free(small)
    memory.free(large)
    assert set(source.blocks) == {small} and memory.allocate(300) == small


def test_small_blocks_that_were_noted_go_to_who_asks_next():
    memory, source = allocator()
    first = memory.allocate(100)
    memory.note(first)
    assert memory.allocate_all([memory.wanted(300, "calls"), memory.wanted(300, "calls")])[0] == first
    assert memory.statistics()["holders"] == {"calls": (1024, 2)} and len(source.blocks) == 2


def test_of_several_blocks_none_is_held_where_one_is_missing():
    memory, source = allocator(4 << 20)
    wanted = [memory.wanted(nbytes, "calls") for nbytes in (100, 2 << 20, 3 << 20)]
    with pytest.raises(OutOfMemoryError, match=r"3\.0 MiB were asked for"):
        memory.allocate_all(wanted)
    counts = memory.statistics()
    assert counts["allocated"] == 0 and counts["allocations"] == counts["frees"] == 2
    assert memory.allocate_all(wanted[:2]) and source.left < 2 << 20


def test_little_is_left_behind_whatever_sizes_there_were():
    memory, source = allocator()
    held = [memory.allocate(nbytes) for nbytes in range(1000, 1000 + 199 * 5000, 5000) for _ in range(2)]
    for address in held:
        memory.free(address)
    counts = memory.statistics()
    assert counts["allocated"] == 0 and counts["reserved"] == counts["kept"] == sum(source.blocks.values()) <= KEPT
    memory.empty()
    assert not source.blocks and source.trimmed == 1 and memory.statistics()["reserved"] == 0


def test_full_memory_is_tried_again_after_all_was_given_back():
    memory, _ = allocator(4 << 20)
    for address in [memory.allocate(200_000) for _ in range(15)]:
        memory.free(address)
    assert memory.allocate(4 << 20) and memory.statistics()["retries"] == 1


def test_garbage_in_cycles_is_found_before_memory_is_full():
    memory, _ = allocator(4 << 20)

    class Holder:
        def __init__(self):
            self.me, self.address = self, memory.allocate(3 << 20)

        def __del__(self):
            memory.free(self.address)

    gc.disable()
    try:
        Holder()
        assert memory.allocate(3 << 20)
    finally:
        gc.enable()


def test_the_limit_counts_what_is_held():
    memory, source = allocator()
    with config.patch(cuda_limit=4 << 20):
        held = memory.allocate(3 << 20)
        with pytest.raises(OutOfMemoryError, match="GUARDLIFT_CUDA_LIMIT does not allow(.|\\n)*allows 4.0 MiB"):
            memory.allocate(2 << 20)
        memory.free(held)
        assert memory.allocate(4 << 20) and sum(source.blocks.values()) <= 4 << 20


def test_peaks_are_counted_and_reset():
    memory, _ = allocator()
    memory.free(memory.allocate(5 << 20))
    assert memory.statistics()["most allocated"] == 5 << 20
    memory.reset_peaks()
    assert memory.statistics()["most allocated"] == 0


def test_blocks_are_counted_by_holder():
    memory, _ = allocator()
    memory.allocate(512)
    with memory.held_by("compiled calls"):
        memory.allocate(2 << 20)
    memory.allocate(512)
    assert memory.statistics()["holders"] == {"tensors": (1024, 2), "compiled calls": (2 << 20, 1)}
    assert "compiled calls: 2.0 MiB in 1 block\n  tensors: 1.0 KiB in 2 blocks" in memory.summary()


def test_threads_may_allocate_and_free_at_once():
    memory, source = allocator()

    def work(seed):
        draw, held = np.random.default_rng(seed), []
        for _ in range(500):
            if held and draw.random() < 0.5:
                memory.free(held.pop())
            else:
                held.append(memory.allocate(int(draw.integers(1, 2 << 20))))
        for address in held:
            memory.free(address)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = memory.statistics()
    assert counts["allocated"] == 0 and counts["allocations"] == counts["frees"]
    assert counts["reserved"] == sum(source.blocks.values())


def test_a_block_goes_back_to_whom_it_came_from():
    memory, source = allocator()
    own, given = memory.allocate(2 << 20), []
    memory.use(UserAllocator(lambda nbytes: 1 << 40, given.append))
    foreign = memory.allocate(100)
    assert foreign == 1 << 40
    memory.use(None)
    memory.free(own)
    memory.free(foreign)
    assert given == [1 << 40] and not source.blocks


def test_a_users_allocator_may_be_full():
    memory, _ = allocator()

    def full(nbytes):
        raise MemoryError

    memory.use(UserAllocator(full, print))
    with pytest.raises(OutOfMemoryError):
        memory.allocate(100)


class Torch:
    class cuda:
        class OutOfMemoryError(RuntimeError):
            pass

        held, full, emptied = [], False, 0

        @classmethod
        def caching_allocator_alloc(cls, size, device, stream):
            if cls.full:
                raise cls.OutOfMemoryError
            cls.held.append(4096)
            return 4096

        @classmethod
        def caching_allocator_delete(cls, address):
            cls.held.remove(address)

        @classmethod
        def empty_cache(cls):
            cls.emptied += 1


def test_pytorchs_pool():
    pool = PytorchPool(Torch)
    address = pool.take(0)
    assert Torch.cuda.held == [address]
    pool.give(address)
    Torch.cuda.full = True
    pool.trim()
    assert pool.take(1) is None and not Torch.cuda.held and Torch.cuda.emptied == 1


class Cupy:
    class Pool:
        full, freed = False, 0

        def malloc(self, nbytes):
            if self.full:
                raise MemoryError
            return type("Block", (), {"ptr": 8192})()

        def free_all_blocks(self):
            self.freed += 1

    pool = Pool()

    @classmethod
    def get_default_memory_pool(cls):
        return cls.pool


def test_cupys_pool():
    pool = CupyPool(Cupy)
    assert pool.take(10) == 8192 and pool._held
    pool.give(8192)
    Cupy.pool.full = True
    pool.trim()
    assert pool.take(1) is None and not pool._held and Cupy.pool.freed == 1


def test_names_of_pools():
    with pytest.raises(ValueError, match="no allocator 'tensorflow'; there are 'pytorch', 'cupy'"):
        pool_of("tensorflow")
    with pytest.raises(CudaError, match="cupy's, which is not installed"):
        pool_of("cupy")


def test_bytes_in_words():
    assert [in_words(each) for each in (5, 2048, 3 << 20, 5 << 30)] == ["5 bytes", "2.0 KiB", "3.0 MiB", "5.00 GiB"]
