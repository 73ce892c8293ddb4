"""The same tasks on several interpreters, which take turns: what each takes of the time of the first.

Without arguments on those that `make test` and `make test-others` have made environments for; with arguments on these.
"""

from __future__ import annotations

import math
import os
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from timing import text  # noqa: E402
from turns import Player, play  # noqa: E402

HERE = Path(__file__).resolve().parent


def environments() -> list[str]:
    """The interpreters of the environments that the tests have made, the newest first."""
    found = sorted(HERE.parent.glob(".venv-3.[0-9][0-9]/bin/python"), reverse=True)
    return [str(each) for each in (*found, sys.executable)]


def main() -> int:
    """Prints a table with a column for each interpreter."""
    with ExitStack() as stack:
        players = [
            stack.enter_context(Player(python, HERE / "interpreters_ours.py", 1))
            for python in sys.argv[1:] or environments()
        ]
        found = play(players)
    first = found[0]
    width = max(map(len, first))
    for player, times in zip(players, found, strict=True):
        print(f"\n{player.about}")
        for task, seconds in times.items():
            print(f"  {task:{width}}  {text(seconds):>9}  {seconds / first[task]:5.2f}x")
        mean = math.exp(sum(math.log(seconds / first[task]) for task, seconds in times.items()) / len(times))
        print(f"  {'geometric mean':{width}}  {'':>9}  {mean:5.2f}x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
