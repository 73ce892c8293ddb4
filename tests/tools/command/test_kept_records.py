"""The records of the last runs: the newest is shown, the oldest go."""

from __future__ import annotations

import guardlift as gl
from guardlift.tools.command.kept_records import KEPT_RUNS, last_folder, new_folder


def test_the_last_runs_are_kept(tmp_path) -> None:
    with gl.config.patch(cache_dir=str(tmp_path)):
        assert last_folder() is None
        made = [new_folder() for _ in range(KEPT_RUNS + 3)]
        assert last_folder() == made[-1]
        assert [folder.exists() for folder in made] == [False] * 3 + [True] * KEPT_RUNS


def test_where_nothing_can_be_kept_a_run_has_a_folder_all_the_same(tmp_path) -> None:
    (tmp_path / "file").touch()
    with gl.config.patch(cache_dir=str(tmp_path / "file")):
        folder = new_folder()
        assert folder.is_dir() and last_folder() is None
    folder.rmdir()
