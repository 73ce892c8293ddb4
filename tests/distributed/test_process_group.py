"""The group of the program: how it starts and ends, and what is told where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta

import pytest
from distributed.threads import ThreadBackend, World

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
