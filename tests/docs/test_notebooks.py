"""The notebooks are run anew: each cell shows what the notebook holds, but for times, addresses and pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs" / "notebooks").glob("*.ipynb"))
TIME = re.compile(r"\d+(\.\d+)? (s|ms|us)\b")
LARGEST = 100_000

pytestmark = pytest.mark.slow


def shown(cell: Any) -> list[str]:
    """The output of a cell: its texts and tables with times left out, and which pictures there are."""
    found = []
    for output in cell.get("outputs", ()):
        data = {"text/plain": output.text} if output.output_type == "stream" else output.get("data", {})
        assert data, f"{output.get('ename')}: {output.get('evalue')}"
        for kind, value in sorted(data.items()):
            found.append(kind if kind.startswith("image/") else f"{kind}: {_lasting(value)}")
    return found


def _lasting(text: str) -> str:
    """The text without times, the columns that they widen, and the costs that a report has folded up."""
    text = TIME.sub("# s", text.partition("<summary>guards, inputs and costs")[0])
    return re.sub(r" {2,}", "  ", text)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_shows_what_it_holds(file: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert file.stat().st_size < LARGEST
    held = nbformat.read(file, as_version=4)
    run = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(
        run, kernel_name="python3", timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert [shown(each) for each in run.cells] == [shown(each) for each in held.cells]
    assert [each.get("execution_count") for each in run.cells] == [each.get("execution_count") for each in held.cells]
    text = str([shown(each) for each in run.cells])
    assert "ipykernel_" not in text and ("In [" in text) is (file.stem == "recompiles")


def test_there_are_three_notebooks() -> None:
    assert [each.stem for each in NOTEBOOKS] == ["recompiles", "simulation", "training"]
