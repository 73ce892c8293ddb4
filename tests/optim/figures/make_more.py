"""Writes `more.json`: figures like those of `make.py`, of further optimizers. It needs PyTorch, and is run by hand:

python tests/optim/figures/make_more.py      (with PyTorch 2.13.0, CPU)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "adadelta": ("Adadelta", {}),
    "adadelta decay": ("Adadelta", {"lr": 0.3, "rho": 0.8, "eps": 1e-3, "weight_decay": 0.1}),
    "adadelta maximize": ("Adadelta", {"lr": 0.5, "maximize": True}),
    "adamax": ("Adamax", {}),
    "adamax decay": ("Adamax", {"lr": 0.01, "weight_decay": 0.1, "betas": (0.3, 0.9), "eps": 1e-2}),
    "adamax maximize": ("Adamax", {"lr": 0.01, "maximize": True}),
    "radam": ("RAdam", {"lr": 0.01}),
    "radam betas": ("RAdam", {"lr": 0.02, "betas": (0.4, 0.9), "eps": 1e-3, "weight_decay": 0.1}),
    "radam decoupled": ("RAdam", {"lr": 0.01, "weight_decay": 0.3, "decoupled_weight_decay": True, "maximize": True}),
    "radam never adapts": ("RAdam", {"lr": 0.01, "betas": (0.9, 0.6)}),
    "rprop": ("Rprop", {}),
    "rprop settings": ("Rprop", {"lr": 0.05, "etas": (0.3, 1.7), "step_sizes": (1e-3, 0.2)}),
    "rprop maximize": ("Rprop", {"lr": 0.02, "maximize": True}),
    "asgd": ("ASGD", {}),
    "asgd averages": ("ASGD", {"lr": 0.05, "lambd": 0.01, "alpha": 0.6, "t0": 20.0, "weight_decay": 0.1}),
    "asgd maximize": ("ASGD", {"lr": 0.02, "t0": 3, "maximize": True}),
}

MATRICES: dict[str, tuple[str, dict[str, Any]]] = {
    "adafactor": ("Adafactor", {}),
    "adafactor settings": (
        "Adafactor",
        {"lr": 0.05, "beta2_decay": -0.5, "eps": (1e-4, 1e-2), "d": 2.0, "weight_decay": 0.1, "maximize": True},
    ),
    "muon": ("Muon", {"lr": 0.01}),
    "muon settings": ("Muon", {"lr": 0.02, "momentum": 0.8, "nesterov": False, "weight_decay": 0.3, "ns_steps": 3}),
    "muon as adamw": ("Muon", {"lr": 0.005, "adjust_lr_fn": "match_rms_adamw"}),
}
"""Optimizers that look at parameters as matrices; Muon gets nothing else."""

SPARSE: dict[str, dict[str, Any]] = {
    "sparse adam": {"lr": 0.05},
    "sparse adam settings": {"lr": 0.1, "betas": (0.3, 0.9), "eps": 1e-2, "maximize": True},
}

SCHEDULES: dict[str, Any] = {
    "cyclic": lambda s, o: s.CyclicLR(o, 0.01, 0.1, step_size_up=7),
    "cyclic halved": lambda s, o: s.CyclicLR(o, [0.01, 0.02], [0.1, 0.3], 5, 9, mode="triangular2"),
    "cyclic falling": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 6, mode="exp_range", gamma=0.97, cycle_momentum=False),
    "cyclic of one's own": lambda s, o: s.CyclicLR(
        o, 0.01, 0.1, 6, 3, scale_fn=lambda x: 1 / x, base_momentum=0.3, max_momentum=0.7
    ),
    "cyclic of one's own, by steps": lambda s, o: s.CyclicLR(
        o, 0.01, 0.1, 6, scale_fn=lambda x: 0.99**x, scale_mode="iterations"
    ),
}

SEARCHES: dict[str, dict[str, Any]] = {
    "fixed steps": {"lr": 0.3, "max_iter": 4},
    "fixed steps, short memory": {"lr": 0.2, "max_iter": 5, "history_size": 2},
    "one iteration": {"lr": 0.1, "max_iter": 1},
    "strong wolfe": {"line_search_fn": "strong_wolfe"},
    "strong wolfe, short": {"line_search_fn": "strong_wolfe", "max_iter": 3, "history_size": 3, "lr": 5.0},
    "strong wolfe, few calls": {"line_search_fn": "strong_wolfe", "max_iter": 6, "max_eval": 4, "lr": 40.0},
    "strong wolfe, tolerant": {"line_search_fn": "strong_wolfe", "tolerance_change": 1e-3, "tolerance_grad": 1e-2},
}


def matrices(t: Any, kind: str, settings: dict[str, Any], dtype: str, make: Any) -> list[Any]:
    """Parameters after thirty steps."""
    of = getattr(t, dtype)
    shapes = ((3, 4), (5, 2), *(() if kind == "Muon" else ((5,), (), (2, 3, 4))))
    params = [t.nn.Parameter(t.tensor(make.start(shape), dtype=of).reshape(shape)) for shape in shapes]
    optimizer = getattr(t.optim, kind)(params, **settings)
    for step in range(30):
        for param, shape in zip(params, shapes):
            param.grad = t.tensor(make.gradient(step, shape), dtype=of).reshape(shape)
        optimizer.step()
    states = [
        {name: each.tolist() for name, each in state.items()} for state in optimizer.state_dict()["state"].values()
    ]
    return [[param.tolist() for param in params], states]


def sparse(t: Any, settings: dict[str, Any], make: Any) -> list[Any]:
    """A table after steps along sparse gradients, some of them without an entry; and its state."""
    table = t.nn.Parameter(t.tensor(make.start((5, 3)), dtype=t.float64).reshape(5, 3))
    optimizer = t.optim.SparseAdam([table], **settings)
    for step in range(40):
        rows = make.rows(step) if step % 7 else []
        values = t.tensor(make.gradient(step, (len(rows), 3)), dtype=t.float64).reshape(len(rows), 3)
        table.grad = t.sparse_coo_tensor(t.tensor([rows], dtype=t.int64), values, (5, 3))
        optimizer.step()
    state = optimizer.state_dict()["state"][0]
    return [table.tolist(), state["step"], state["exp_avg"].tolist(), state["exp_avg_sq"].tolist()]


def searched(
    t: Any, settings: dict[str, Any], dtype: str = "float64", wrap: Any = lambda closure: closure
) -> list[Any]:
    """Losses and calls of each step down a valley, and the parameters behind the last. wrap: done to the closure."""
    of = getattr(t, dtype)
    x, y = (t.nn.Parameter(t.tensor(values, dtype=of)) for values in ([[-1.2, 0.7], [0.3, -0.4]], [1.0, 0.5]))
    optimizer = t.optim.LBFGS([x, y], **settings)

    def closure() -> Any:
        optimizer.zero_grad()
        bends = (x[:, 1] - x[:, 0] ** 2) ** 2 * 10 + (1 - x[:, 0]) ** 2
        loss = bends.sum() + ((y - x.sum()) ** 2).mean() * 0.5
        loss.backward()
        return loss

    wrapped, losses = closure if wrap is None else wrap(closure), []
    for _ in range(12):
        losses.append(float(optimizer.step(wrapped)))
    state = optimizer.state_dict()["state"][0]
    return [losses, state["func_evals"], state["n_iter"], x.tolist(), y.tolist(), len(state["old_dirs"])]


LOADED = ("adadelta decay", "adamax", "radam betas", "rprop settings", "asgd averages")


def main(torch: Any, make: Any) -> None:
    """Writes the figures beside this file."""
    kinds = sorted({kind for kind, _ in OPTIMIZERS.values()} | {"Adafactor", "LBFGS", "Muon", "SparseAdam"})
    figures: dict[str, Any] = {
        "origin": f"PyTorch {torch.__version__}, single tensor",
        "optimizers": {
            name: {
                dtype: [make.plain(param) for param in make.trained(torch, kind, settings, dtype)[1]]
                for dtype in ("float32", "float64")
            }
            for name, (kind, settings) in OPTIMIZERS.items()
        },
        "states": {name: make.state(make.trained(torch, *OPTIMIZERS[name], "float64")[0]) for name in LOADED},
        "defaults": {kind: repr(getattr(torch.optim, kind)([torch.zeros(1, 1)])) for kind in kinds},
        "signatures": {kind: make.arguments(getattr(torch.optim, kind)) for kind in kinds},
        "schedules": {name: make.schedule_of(torch, case) for name, case in SCHEDULES.items()},
        "schedule signatures": {"CyclicLR": make.arguments(torch.optim.lr_scheduler.CyclicLR)},
        "matrices": {
            name: {dtype: matrices(torch, *case, dtype, make) for dtype in ("float32", "float64")}
            for name, case in MATRICES.items()
        },
        "sparse adam": {name: sparse(torch, case, make) for name, case in SPARSE.items()},
        "searches": {name: searched(torch, case) for name, case in SEARCHES.items()},
    }
    (HERE / "more.json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    import make
    import torch  # type: ignore[import-not-found]

    main(torch, make)
