"""The checkout that a run on a GPU is of, and what it finds there: packages, and kernels that were compiled before."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNELS, PACKAGES = ROOT / "build" / "gpu-kernels", ROOT / "build" / "gpu-packages"


def surroundings() -> dict[str, str]:
    """The environment of a step: this checkout is the package, and what `make gpu-pack` has packed is found."""
    link = ROOT / "build" / "gpu-path" / "guardlift"
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.exists():
        link.symlink_to("../..", target_is_directory=True)
    places = [str(link.parent), *filter(None, [os.environ.get("PYTHONPATH")]), str(PACKAGES)]
    found = os.environ | {"PYTHONPATH": os.pathsep.join(places), "PYTHONUNBUFFERED": "1"}
    if KERNELS.is_dir():
        found = {"GUARDLIFT_CACHE_DIR": str(KERNELS), "GUARDLIFT_TEST_KERNELS": str(KERNELS)} | found
    return found
