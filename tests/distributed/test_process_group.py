"""The group of the program: how it starts and ends, and what is told where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from distributed.threads import ThreadBackend, World, WrittenByUsers, on_ranks, results

import guardlift as gl
import guardlift.distributed as dist
from guardlift.distributed import backend as backends


@pytest.fixture(autouse=True)
def no_group_before_or_after() -> Iterator[None]:
    assert not dist.is_initialized()
    yield
    if dist.is_initialized():
        dist.destroy_process_group()


def test_a_program_of_one_process_communicates_with_itself() -> None:
    with pytest.raises(dist.DistError, match=r"call gl.distributed.init_process_group\(\) first"):
        dist.get_rank()
    dist.init_process_group("self", init_method="env://", world_size=1, rank=0)
    assert dist.is_available() and dist.is_initialized()
    assert (dist.get_rank(), dist.get_world_size(), dist.get_backend()) == (0, 1, "self")
    x = gl.tensor([1.0, 2.0])
    dist.all_reduce(x, dist.ReduceOp.AVG)
    rows = [gl.zeros(2)]
    dist.all_gather(rows, x)
    objects = [None]
    dist.all_gather_object(objects, "mine")
    assert x.tolist() == rows[0].tolist() == [1.0, 2.0] and objects == ["mine"]
    with pytest.raises(ValueError, match="nobody to send to|this process itself"):
        dist.send(x, 0)
    figures = dist.statistics()
    assert figures.calls == 4 and figures.bytes > 16 and figures.overlapped == 0.0
    with pytest.raises(dist.DistError, match="is a process group already"):
        dist.init_process_group("self")
    dist.destroy_process_group()
    assert not dist.is_initialized()
    with pytest.raises(dist.DistError, match="no process group"):
        dist.all_reduce(x)


def test_expectations_that_do_not_hold_are_told_with_what_to_do() -> None:
    for wrong, text in (
        ({"backend": "nccl"}, "no backend 'nccl'; there are 'mpi', 'self'"),
        ({"backend": "self", "world_size": 4}, "has 1 process: start the program by `mpirun -n 4"),
        ({"backend": "self", "rank": 1}, "has made this process number 0"),
        ({"backend": "self", "init_method": "tcp://host:1"}, "start them by `mpirun -n N`"),
        ({"backend": "self", "timeout": timedelta(0)}, "longer than nothing"),
    ):
        with pytest.raises(ValueError, match=text):
            dist.init_process_group(**wrong)  # type: ignore[arg-type]
        assert not dist.is_initialized()


def test_without_mpi4py_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    monkeypatch.delitem(sys.modules, "guardlift.distributed.mpi_backend", raising=False)
    for asked in ("mpi", None):
        monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")  # under mpirun, MPI is what is meant
        with pytest.raises(dist.MissingMPIError, match=r"pip install 'guardlift\[mpi\]'") as error:
            dist.init_process_group(asked)
        assert isinstance(error.value, ImportError) and "init_process_group('self')" in str(error.value)


def test_a_backend_that_is_registered_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "_BACKENDS", dict(backends._BACKENDS))
    dist.register_backend("Threads", lambda: ThreadBackend(World(1), 0))
    dist.init_process_group("threads")
    x = gl.ones(2)
    dist.all_reduce(x)
    assert x.tolist() == [1.0, 1.0] and dist.get_backend() == "threads"


def test_a_backend_with_the_methods_of_the_protocol_alone_trains_a_model_and_says_what_it_cannot() -> None:
    draws = np.random.default_rng(0)
    x, y = (gl.tensor(draws.normal(size=(6, 3)).astype(np.float32)) for _ in range(2))
    starts = [gl.nn.Linear(3, 3) for _ in range(2)]

    def program(group: Any) -> Any:
        model = gl.nn.parallel.DistributedDataParallel(starts[group.rank], process_group=group)
        optimizer = gl.optim.SGD(model.parameters(), lr=0.1)

        @gl.jit(fullgraph=True)
        def step(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
            optimizer.zero_grad()
            loss = gl.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            return loss.detach()

        losses = [step(x[group.rank :: 2], y[group.rank :: 2]).item() for _ in range(3)]
        part = gl.zeros(1, dtype=gl.bfloat16)
        dist.reduce_scatter_tensor(part, gl.tensor([1.5, 2.5], dtype=gl.bfloat16), group=group)
        with pytest.raises(dist.DistError, match="'threads' has no method `subgroup`, which makes groups of some"):
            group.subgroup([0])
        return losses, part.item(), model.module.weight.tolist(), set(group.backend.given)

    (first, one, weight, given), (second, two, other, _) = results(on_ranks(2, program, kind=WrittenByUsers))
    assert first[0] > first[2] and second[0] > second[2] and weight == other and (one, two) == (3.0, 5.0)
    assert given == {"all_gather", "broadcast", "all_reduce"}


def test_a_forked_child_is_told_that_it_is_no_rank() -> None:
    dist.init_process_group("self")
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            dist.barrier()
        except dist.DistError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"was forked from one with a process group" in os.read(read, 1000)
    os.close(read)
    os.close(write)


def test_the_package_imports_neither_mpi_nor_communication_on_its_own() -> None:
    program = (
        "import sys, guardlift as gl; gl.jit(lambda x: x + 1)(gl.ones(2)); gl.nn.Linear(1, 1)\n"
        "print([each for each in sys.modules if 'mpi4py' in each or 'guardlift.distributed' in each])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_groups_of_some_ranks_communicate_by_their_ranks_among_all() -> None:
    def program(group: Any) -> Any:
        rank = group.rank
        own = [group.subgroup(ranks) for ranks in ((0, 1), (2, 1), (2,))]
        found = []
        for each in own:
            x = gl.tensor([float(rank)])
            if each is not None:
                dist.all_reduce(x, group=each)
                first = np.array([rank])
                dist.broadcast(first, each.ranks[0], group=each)
                told: list[Any] = [None] * each.size
                dist.all_gather_object(told, rank, group=each)
                objects = [f"from {rank}"]
                dist.broadcast_object_list(objects, each.ranks[-1], group=each)
                found.append((x.item(), first.item(), told, objects[0], dist.get_rank(each)))
        x = gl.zeros(1)
        if rank == 2:
            dist.send(gl.ones(1), 1, group=own[1])
        if rank == 1:
            dist.recv(x, 2, group=own[1])
        everybody = gl.ones(1)
        dist.all_reduce(everybody, group=group)
        if own[0] is not None:
            with pytest.raises(ValueError, match="src is 2; the group has the ranks 0, 1"):
                dist.broadcast(x, 2, group=own[0])
            with pytest.raises(dist.DistError, match="of the group of all"):
                own[0].subgroup([0])
            assert dist.get_process_group_ranks(own[0]) == [0, 1] and dist.get_global_rank(own[0], 1) == 1
            own[0].close()
            with pytest.raises(dist.DistError, match="destroyed"):
                dist.all_reduce(x, group=own[0])
        for wrong, text in (((), "one process or more"), ((0, 0), "each once"), ((0, 7), "have the ranks 0 to 2")):
            with pytest.raises(ValueError, match=text):
                group.subgroup(wrong)
        with pytest.raises(dist.CollectiveMismatchError, match=r"new_group\(\[0\]\)"):
            group.subgroup([rank])
        dist.barrier(group=group)
        return found, x.item(), everybody.item()

    zero, one, two = results(on_ranks(3, program))
    first, second = (1.0, 0, [0, 1], "from 1"), (3.0, 2, [2, 1], "from 1")
    assert zero == ([(*first, 0)], 0.0, 3.0)
    assert one == ([(*first, 1), (*second, 1)], 1.0, 3.0)
    assert two == ([(*second, 0), (2.0, 2, [2], "from 2", 0)], 0.0, 3.0)


def test_a_member_that_is_missing_ends_all_groups_and_other_processes_are_told() -> None:
    def program(group: Any) -> Any:
        pair = group.subgroup([0, 1], timedelta(seconds=0.3))
        if group.rank == 2:
            assert pair is None
            for ask in (dist.barrier, lambda group: dist.all_reduce(gl.ones(1), group=group)):
                with pytest.raises(dist.DistError, match="no member of the group: let only its members call"):
                    ask(group=dist.GroupMember.NON_GROUP_MEMBER)
            assert dist.get_rank(dist.GroupMember.NON_GROUP_MEMBER) == -1
            return None
        if group.rank == 0:
            with pytest.raises(dist.DistTimeoutError, match=r"barrier\(\): the other processes did not take part"):
                dist.barrier(group=pair)
            with pytest.raises(dist.DistError, match="has failed before"):
                dist.barrier(group=group)
        return None

    results(on_ranks(3, program))
    dist.init_process_group("self")
    try:
        alone = dist.new_group([0])
        x = gl.ones(2)
        dist.all_reduce(x, group=alone)
        assert x.tolist() == [1.0, 1.0] and dist.get_world_size(alone) == 1 and dist.get_group_rank(alone, 0) == 0
        with pytest.raises(ValueError, match="backend='nccl'"):
            dist.new_group(backend="nccl")
        dist.destroy_process_group(alone)
        assert dist.is_initialized()
    finally:
        dist.destroy_process_group()
