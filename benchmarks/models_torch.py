"""A program of `models_programs.py` under PyTorch, by a Python that has it. Needs nothing of guardlift."""

from __future__ import annotations

import logging
import os
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import torch  # noqa: E402
from models_programs import same  # noqa: E402
from models_serving import serve_ways  # noqa: E402


def facts(step):
    """The graphs that were compiled so far, and the graph breaks."""
    counters = torch._dynamo.utils.counters
    return {"compiles": counters["stats"]["unique_graphs"], "breaks": sum(counters["graph_break"].values())}


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    torch.empty(6_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    ways = {
        "eager": (same, same),
        "compiled: the step": (torch.compile, same),
        "compiled: the model": (same, torch.compile),
    }
    serve_ways(torch, sys.argv[1], ways, facts)
