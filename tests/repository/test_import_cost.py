"""What `import guardlift` costs: it starts no compiler and touches nothing outside itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LAZY = ("numba", "llvmlite", "networkx", "jinja2", "rich")


def after_import(expression: str, cwd: Path) -> object:
    """The value of `expression` in a fresh interpreter that has imported guardlift and sys, through JSON."""
    code = (
        "import json, os, sys, threading\nbefore = dict(os.environ)\nimport numpy\nloaded = set(sys.modules)\n"
        f"import guardlift\nprint(json.dumps({expression}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=cwd, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return json.loads(done.stderr)


def test_import_loads_no_compiler_and_no_printer(tmp_path: Path) -> None:
    assert after_import(f"[name for name in {LAZY!r} if name in sys.modules]", tmp_path) == []


def test_import_leaves_the_environment_and_the_threads_alone(tmp_path: Path) -> None:
    assert after_import("[dict(os.environ) == before, threading.active_count()]", tmp_path) == [True, 1]
