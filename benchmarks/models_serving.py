"""The way in which a library serves a program of `models_programs.py` to `models.py`, and what each way cost first."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from models_programs import MODELS
from turns import serve

Way = tuple[Callable[..., Any], Callable[..., Any]]
FIRST = 3
"""Calls after which what was compiled is counted."""


def serve_ways(lib: Any, name: str, ways: Mapping[str, Way], facts: Callable[[Any], dict[str, int]]) -> None:
    """Serves a program in several ways: what compiles the step, and what the model.

    facts: what is to be told of a compiled step behind its first calls. A way that fails is told with its error.
    """
    tasks: dict[str, Callable[[], object]] = {}
    about: dict[str, Any] = {"version": lib.__version__, "ways": {}}
    for way, (of_step, of_model) in ways.items():
        try:
            lib.manual_seed(0)
            step, arguments = MODELS[name].make(lib, of_model)
            step = of_step(step)
            began = time.perf_counter()
            step(*arguments)
            first = time.perf_counter() - began
            for _ in range(FIRST - 1):
                step(*arguments)
        except Exception as error:
            about["ways"][way] = {
                "failed": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            }
            traceback.print_exc()
            continue
        about["ways"][way] = {"first": first} | (facts(step) if way != "eager" else {})
        tasks[way] = lambda step=step, arguments=arguments: step(*arguments)
    serve(tasks, json.dumps(about))
