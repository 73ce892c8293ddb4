"""Lines of a program as a report names them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from guardlift.tools.show.places import place_text, places_named, short_name, visible


def test_files_below_the_current_folder_are_named_from_there(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert place_text(str(tmp_path / "models" / "net.py"), 7) == "models/net.py:7"
    assert place_text("/a/b.py", 7) == "/a/b.py:7"
    assert place_text(f"/somewhere/{'deep/' * 9}models/net.py", 7) == "…/models/net.py:7"


def test_a_current_folder_that_is_gone_names_files_whole(monkeypatch, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert place_text("/a/b.py", 7) == "/a/b.py:7"


def test_cells_of_a_notebook_are_named_by_their_number(monkeypatch) -> None:
    file = "/tmp/ipykernel_71/2871203.py"
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={file: 3}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert place_text(file, 4) == "In [3], line 4"
    assert places_named(f"  n == 1  # {file}:12: return n") == "  n == 1  # In [3], line 12: return n"
    assert place_text("/a/b.py", 7) == "/a/b.py:7"
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert place_text("/a/b.py", 7) == "/a/b.py:7"


@pytest.mark.slow
def test_a_real_notebook_shell_gives_the_number() -> None:
    pytest.importorskip("IPython", reason="IPython is not installed")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        shell.run_cell("pass", store_history=True)
        shell.run_cell("def f(): pass", store_history=True)
        code = shell.user_ns["f"].__code__
        assert place_text(code.co_filename, 1) == "In [2], line 1"
    finally:
        InteractiveShell.clear_instance()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain ä 学", "plain ä 学"),
        ("a\x1b[2Jb\tc\nd\r", "a\\x1b[2Jb\\tc\\nd\\r"),
        ("half \udc80 \u202e turned", "half \\udc80 \\u202e turned"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_texts_of_the_user_are_one_printable_line(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_functions_are_named_without_those_around_them() -> None:
    assert [short_name(each) for each in ("f", "Model.forward", "make.<locals>.f", "a.<locals>.B.f")] == [
        "f",
        "Model.forward",
        "f",
        "B.f",
    ]
