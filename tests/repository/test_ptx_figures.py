"""benchmarks/ptx_figures.txt: figures of kernels belong to the texts that these have now."""

import runpy
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def test_figures_are_of_the_texts_that_kernels_have_now(monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path[:])
    program = runpy.run_path(str(BENCHMARKS / "ptx.py"))
    graphs = {name: program["compiled_for_cuda"](make(program["ROWS"])) for name, make in program["GRAPHS"].items()}
    texts, kept = program["texts_now"](graphs), program["kept_figures"]()
    kept = {label: figures for label, figures in kept.items() if not label.startswith(program["TRAINING"])}
    stale = program["stale_figures"](texts, kept)
    assert len(kept) > 40 and not stale, (
        f"`make .venv-cuda/.installed; .venv-cuda/bin/python -P benchmarks/ptx.py --write`: {stale}"
    )
    changed = {label: text + " " * (label == "column sum: column row parts 1") for label, text in texts.items()}
    assert program["stale_figures"](changed, kept) == ["column sum: column row parts 1"]
    assert program["stale_figures"](texts, kept | {"one: that is gone": None}) == ["one: that is gone"]
    sys.modules.pop("ptx_kept")
