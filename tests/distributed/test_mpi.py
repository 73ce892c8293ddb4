"""Programs that mpirun starts: training equals that of one process, and whatever fails ends in an error in time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from distributed.mpi import passed, run

TRAINING = str(Path(__file__).parent / "training.py")
START = """
import os, signal, sys, time
from datetime import timedelta
import numpy as np
import guardlift as gl
import guardlift.distributed as dist
dist.init_process_group("mpi", timeout=timedelta(seconds=float(os.environ.get("LIMIT", "60"))))
rank, size = dist.get_rank(), dist.get_world_size()
"""


@pytest.mark.slow
def test_two_processes_train_as_one_does_with_the_whole_batch() -> None:
    assert "equal 6" in passed(run(2, TRAINING))


@pytest.mark.slow
@pytest.mark.parametrize(("count", "way"), [(2, "jit"), (2, "mixed"), (4, "eager"), (4, "jit"), (4, "mixed")])
def test_more_processes_jitted_ones_and_others_train_as_one_does(count: int, way: str) -> None:
    assert "equal 6" in passed(run(count, TRAINING, way))


@pytest.mark.slow
def test_every_collective_goes_through_mpi() -> None:
    program = (
        START
        + """
x = gl.tensor([rank + 1.0, -rank]); dist.all_reduce(x, dist.ReduceOp.AVG)
a = np.arange(4) + rank; dist.all_reduce(a, dist.ReduceOp.MAX)
half = gl.full((2,), rank + 0.5, dtype=gl.bfloat16); dist.broadcast(half, 1)
rows = [gl.zeros(1) for _ in range(size)]; dist.all_gather(rows, gl.tensor([float(rank)]))
joined = np.zeros(size, np.int64); dist.all_gather_into_tensor(joined, np.array([rank]))
s = gl.ones(2); dist.reduce(s, 1)
g = [gl.zeros(1) for _ in range(size)] if rank == 0 else None; dist.gather(gl.tensor([float(rank)]), g)
part = np.zeros(1); dist.scatter(part, [np.full(1, 10.0 * k) for k in range(size)] if rank == 1 else None, src=1)
m = gl.zeros(3)
if rank == 0: dist.send(gl.ones(3), 1)
if rank == 1: dist.recv(m, 0)
objects = [None] * size; dist.all_gather_object(objects, (rank, "é"))
told = [None] if rank else [{"a": 1}]; dist.broadcast_object_list(told)
try: dist.all_reduce(gl.zeros(2 + rank))
except dist.CollectiveMismatchError as error: wrong = str(error).count("all_reduce(SUM")
scattered = np.zeros(2); dist.reduce_scatter_tensor(scattered, np.arange(4.0))
halves = [gl.full((1,), 1.0 + rank + k, dtype=gl.float16) for k in range(size)]
dist.reduce_scatter(halves[rank], halves, dist.ReduceOp.AVG); scattered[0] += halves[rank].item()
pair, single = dist.new_group([1, 0]), dist.new_group([1])
shared, alone = np.array([rank + 1]), [dist.get_rank(pair), dist.get_rank(single)]
dist.broadcast(shared, 1, group=pair)
if alone[1] == 0: dist.all_reduce(shared, group=single)
sync = gl.nn.SyncBatchNorm(1)(gl.full((2, 1), 2.0 * rank)).tolist()
dist.barrier()
print(rank, x.tolist(), a.tolist(), half.tolist(), [r.item() for r in rows], joined.tolist(), s.tolist(),
      g and [r.item() for r in g], part.tolist(), m.tolist(), objects[-1], told, wrong, flush=True)
print(rank, scattered.tolist(), shared.tolist(), alone, [round(each[0], 3) for each in sync], flush=True)
dist.destroy_process_group()
dist.init_process_group("mpi", world_size=size, rank=rank)
dist.barrier()
"""
    )
    lines = sorted(passed(run(2, "-c", program)).splitlines())
    assert lines == sorted(
        [
            "0 [1.5, -0.5] [1, 2, 3, 4] [1.5, 1.5] [0.0, 1.0] [0, 1] [1.0, 1.0] [0.0, 1.0] [0.0] [0.0, 0.0, 0.0] "
            "(1, 'é') [{'a': 1}] 2",
            "0 [1.5, 2.0] [2] [1, -1] [-1.0, -1.0]",
            "1 [1.5, -0.5] [1, 2, 3, 4] [1.5, 1.5] [0.0, 1.0] [0, 1] [2.0, 2.0] None [10.0] [1.0, 1.0, 1.0] "
            "(1, 'é') [{'a': 1}] 2",
            "1 [6.5, 6.0] [2] [0, 0] [1.0, 1.0]",
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("raise KeyError('of rank 1')", "KeyError: 'of rank 1'"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "Killed"),
        ("sys.exit(0)", "did not take part within 4 s"),
        ("time.sleep(60)", "did not take part within 4 s"),
        ("jitted(gl.ones(2), True)", "IndexError"),
    ],
)
def test_a_rank_that_fails_ends_all_of_them_with_its_error_in_time(fault: str, text: str) -> None:
    program = (
        START
        + f"""
@gl.jit
def jitted(x, fails):
    y = x * 2.0
    if fails:
        [][1]
    dist.all_reduce(y)
    return y
jitted(gl.ones(2), False)
if rank == 1:
    {fault}
for _ in range(3):
    jitted(gl.ones(2), False)
print("went on")
"""
    )
    begun = time.monotonic()
    done = run(2, "-c", program, LIMIT="4", seconds=60)
    assert done.returncode != 0 and "went on" not in done.stdout
    assert text.lower() in (done.stdout + done.stderr).lower()
    assert time.monotonic() - begun < 50  # a limit that stands for "no hang", far from what it takes


@pytest.mark.slow
def test_a_wrong_number_of_processes_and_a_launcher_of_another_mpi_are_told() -> None:
    wrong = "import guardlift.distributed as dist; dist.init_process_group(world_size=3)"
    done = run(2, "-c", wrong)
    assert done.returncode != 0 and "world_size is 3, and the backend 'mpi' has 2 processes" in done.stderr
    done = run(
        1, "-c", "import guardlift.distributed as dist; dist.init_process_group('mpi')", OMPI_COMM_WORLD_SIZE="3"
    )
    assert done.returncode == 0  # mpirun itself sets the variable
    done = run(1, "-c", "import os; os.environ['OMPI_COMM_WORLD_SIZE'] = '3'\n" + wrong)
    assert "mpirun has started 3 processes, and mpi4py sees 1" in done.stderr


@pytest.mark.slow
def test_workers_of_a_loader_live_beside_mpi_and_do_not_communicate() -> None:
    program = (
        START
        + """
from guardlift.utils.data import DataLoader, Dataset
from guardlift.utils.data.distributed import DistributedSampler
class Squares(Dataset):
    def __len__(self): return 12
    def __getitem__(self, k): return gl.tensor(float(k * k))
data = Squares()
sampler = DistributedSampler(data, seed=1)
seen = []
for epoch in range(2):
    sampler.set_epoch(epoch)
    for batch in DataLoader(data, batch_size=2, sampler=sampler, num_workers=2):
        total = batch.sum()
        dist.all_reduce(total)
        seen.append(total.item())
assert sum(seen) == 2 * sum(k * k for k in range(12)), seen
print("done")
dist.destroy_process_group()
"""
    )
    assert passed(run(2, "-c", program)).count("done") == 2


@pytest.mark.slow
def test_the_program_of_the_guide_the_example_and_the_benchmark_run(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    guide = (root / "docs" / "guides" / "distributed.md").read_text(encoding="utf-8")
    program = tmp_path / "train.py"
    program.write_text(guide.partition("```text\n# mpirun")[2].partition("\n")[2].partition("```")[0], encoding="utf-8")
    assert "mean loss of the last step" in passed(run(2, str(program)))
    pytest.importorskip("sklearn")
    shown = passed(run(2, str(root / "examples" / "digits_parallel.py")))
    assert "processes            2" in shown and "0 graph breaks" in shown
    shown = passed(run(2, str(root / "benchmarks" / "distributed.py"), "--width", "16", "--depth", "2", "--steps", "2"))
    assert len(shown.splitlines()) == 8
