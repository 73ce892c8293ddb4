"""Files that must not be committed: paths that exist on one machine only, and files too big to read."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from repository.tree import ROOT

# A home folder with a name in it (the stand-in `user` is free); written so that this line does not match itself.
HOME_FOLDER = re.compile(r"(?<![\w.])(/(?:home|Users)/(?!user/)[\w.-]+/|/ro[o]t/|[A-Z]:\\Users\\\w)")


def committed() -> list[Path]:
    """The files git has or would take, relative to the root."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, text=True, capture_output=True, check=True,
    ).stdout  # fmt: skip
    return [Path(name) for name in listing.split("\0") if name and (ROOT / name).is_file()]


def home_paths(text: str, checkout: Path) -> list[str]:
    """The paths in `text` that name a home folder, or this very checkout."""
    own = re.findall(re.escape(str(checkout)) + r"(?![\w-])", text) if len(checkout.parts) > 2 else []
    return HOME_FOLDER.findall(text) + own


def test_no_file_names_a_folder_of_one_machine() -> None:
    found = {}
    for file in committed():
        paths = home_paths((ROOT / file).read_text(encoding="utf-8", errors="ignore"), ROOT)
        if paths:
            found[str(file)] = paths
    assert found == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("see /ho" + "me/ann/x.py", 1),
        ("/sr" + "v/build/gl/core", 1),
        ("~/.ca" + "che/guardlift", 0),
        ("docs/ro" + "ot/x", 0),
    ],
)
def test_a_home_path_is_seen(text: str, count: int) -> None:
    assert len(home_paths(text, Path("/sr" + "v/build/gl"))) == count


def test_no_file_is_too_big_to_read() -> None:
    assert [str(file) for file in committed() if (ROOT / file).stat().st_size > 500_000] == []
