"""Files of artifacts: what is damaged or of other make is a miss, and is made anew."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backend.graph_cases import layout_for, run_native

from guardlift.backend.artifacts import keys, store
from guardlift.backend.artifacts.compiled_graphs import compiled
from guardlift.backend.artifacts.counters import counters
from guardlift.backend.artifacts.identity import PLAIN
from guardlift.backend.artifacts.miss_reasons import misses
from guardlift.core.config import config
from guardlift.core.dtypes import float64
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph
from guardlift.ops import OPS

X = np.linspace(0.0, 1.0, 6).reshape(2, 3)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with config.patch(cache_dir=str(tmp_path / "cache"), artifact_cache=True):
        yield tmp_path / "cache"


def program(op: str = "exp") -> Graph:
    builder = GraphBuilder()
    x = builder.input(TensorType(X.shape, float64), "x")
    return builder.finish([builder.add(OPS[op], builder.add(OPS["negative"], x))])


def run(graph: Graph) -> list[np.ndarray]:
    made = compiled(graph, layout_for(graph, [X]), PLAIN)
    return run_native(made, [X])  # type: ignore[no-any-return]


def counted(call: Callable[[], Any]) -> dict[str, int]:
    before = counters()["graph"]
    call()
    now = counters()["graph"]
    found = {name: getattr(now, name) - getattr(before, name) for name in ("hit", "miss", "save", "bypass")}
    return {name: count for name, count in found.items() if count}


def only(folder: Path) -> Path:
    (path,) = folder.glob("*" + store.SUFFIX)
    return path


NEW = {"miss": 1, "save": 1}


def test_a_second_compile_finds_the_program(folder: Path) -> None:
    assert counted(lambda: run(program())) == NEW
    assert counted(lambda: run(program())) == {"hit": 1}
    np.testing.assert_array_equal(run(program())[0], run(program())[0])
    np.testing.assert_allclose(run(program())[0], np.exp(-X), rtol=1e-15)


def test_reports_of_what_was_found_are_those_of_what_was_made(folder: Path) -> None:
    graph = program()
    first, second = (compiled(graph, layout_for(graph, [X]), PLAIN) for _ in range(2))
    first.build()
    again = compiled(graph, layout_for(graph, [X]), PLAIN)
    again.build()
    assert first.describe() == again.describe() == second.describe()
    assert first.plan.describe() == again.plan.describe()
    assert [each.text for each in first.kernels] == [each.text for each in again.kernels]


def test_the_steps_of_what_was_found_are_told_without_lowering_it(folder: Path) -> None:
    graph = program()
    made = compiled(graph, layout_for(graph, [X]), PLAIN)
    made.build()
    found = compiled(graph, layout_for(graph, [X]), PLAIN)
    assert made.steps_from_disk == () and len(found.steps_from_disk) == len(made.calls)
    assert "lowered" not in vars(found.lazy)


def test_a_file_cut_short_at_any_length_is_a_miss_and_is_written_anew(folder: Path) -> None:
    run(program())
    path = only(folder)
    whole = path.read_bytes()
    for length in {0, 1, 8, 40, len(whole) // 2, len(whole) - 1}:
        path.write_bytes(whole[:length])
        assert counted(lambda: run(program())) == NEW
        assert path.read_bytes() == whole


def test_a_file_with_a_changed_byte_is_a_miss(folder: Path) -> None:
    run(program())
    path = only(folder)
    whole = path.read_bytes()
    for place in (*range(0, len(whole), 37), len(whole) - 1):
        content = bytearray(whole)
        content[place] ^= 1
        path.write_bytes(content)
        assert counted(lambda: run(program())) == NEW
    assert "damaged" in [each for each in misses() if each.kind == "graph"][-1].reason


def forged(path: Path, change: Callable[[dict[str, Any], Any], Any]) -> None:
    """Changes what a file says, and has its checksum agree."""
    content = path.read_bytes()
    header = struct.Struct("<8sI20s16sQ")
    magic, version, name, _, _ = header.unpack_from(content)
    head, _, body = content[header.size :].partition(b"\n")
    parts, made = json.loads(head), json.loads(zlib.decompress(body))
    made = change(parts, made) or made
    payload = json.dumps(parts).encode() + b"\n" + zlib.compress(json.dumps(made).encode())
    checksum = blake2b(payload, digest_size=16, key=name).digest()
    path.write_bytes(header.pack(magic, version, name, checksum, len(payload)) + payload)


FORGERIES: dict[str, Callable[[dict[str, Any], Any], Any]] = {
    "another graph": lambda parts, made: parts["parts"].update(graph="00" * 20),
    "another version": lambda parts, made: parts["parts"]["versions"].update(format=99),
    "no parts": lambda parts, made: parts.clear(),
    "a slot that is not there": lambda parts, made: made["steps"][0][2][0].__setitem__(0, 99),
    "no program": lambda parts, made: [1, 2, 3],
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_file_whose_checksum_is_right_and_that_is_wrong_is_a_miss(folder: Path, name: str) -> None:
    run(program())
    forged(only(folder), FORGERIES[name])
    assert counted(lambda: run(program())) == NEW
    assert counted(lambda: run(program())) == {"hit": 1}


def test_a_kernel_that_does_not_compile_is_made_anew(folder: Path) -> None:
    wanted = run(program())[0]
    forged(only(folder), lambda parts, made: made.update(texts=["def kernel(): return nothing"]))
    np.testing.assert_array_equal(run(program())[0], wanted)


def test_what_another_version_wrote_is_a_miss_that_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(program())
    ours = keys.versions()
    monkeypatch.setattr(keys, "versions", lambda: {**ours, "numpy": "1.0", "format": 0})
    assert counted(lambda: run(program())) == NEW
    reason = misses()[-1].reason
    assert f"version format: {keys.FORMAT} -> 0" in reason and "version numpy: " in reason
    assert "graph" not in reason.partition("(")[0]


def test_without_the_setting_nothing_is_looked_for(folder: Path) -> None:
    with config.patch(artifact_cache=False):
        assert counted(lambda: run(program())) == {}
    assert list(folder.glob("*" + store.SUFFIX)) == []


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with config.patch(cache_dir=str(tmp_path / "file")):
        assert counted(lambda: run(program())) == {"miss": 1}


def test_the_files_are_private(folder: Path) -> None:
    run(program())
    assert only(folder).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_reasons_name_the_nearest_artifact_and_what_differs(folder: Path) -> None:
    run(program("exp"))
    assert misses()[-1].reason == "none of its kind was stored"
    run(program("tanh"))
    assert misses()[-1].reason.startswith("the graph differs (beside that of a graph)")
    graph = program("exp")
    compiled(graph, layout_for(graph, [X], fortran=True), PLAIN)
    assert misses()[-1].reason.startswith("the layout of the call differs (")
    assert str(misses()[-1]).startswith("miss of the graph of a graph: the layout")
