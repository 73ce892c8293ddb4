"""Optimizers and learning-rate schedules, in PyTorch's meaning."""

from typing import TYPE_CHECKING

from ..core.lazy_names import lazy_names

if TYPE_CHECKING:
    from . import lr_scheduler, swa_utils
    from .algorithms.adadelta import Adadelta
    from .algorithms.adafactor import Adafactor
    from .algorithms.adagrad import Adagrad
    from .algorithms.adam import Adam, AdamW
    from .algorithms.adamax import Adamax
    from .algorithms.asgd import ASGD
    from .algorithms.lbfgs import LBFGS
    from .algorithms.lion import Lion
    from .algorithms.muon import Muon
    from .algorithms.nadam import NAdam
    from .algorithms.radam import RAdam
    from .algorithms.rmsprop import RMSprop
    from .algorithms.rprop import Rprop
    from .algorithms.sgd import SGD
    from .algorithms.sparse_adam import SparseAdam
    from .optimizer import Optimizer
    from .swapping import swap_in_optimizer_params_and_state

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Lion",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SparseAdam",
    "lr_scheduler",
    "swa_utils",
    "swap_in_optimizer_params_and_state",
]

__getattr__, __dir__ = lazy_names(__name__)
