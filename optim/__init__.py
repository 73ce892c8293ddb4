"""Optimizers and learning-rate schedules, in PyTorch's meaning."""

from . import lr_scheduler, swa_utils
from .algorithms.adadelta import Adadelta
from .algorithms.adagrad import Adagrad
from .algorithms.adam import Adam, AdamW
from .algorithms.adamax import Adamax
from .algorithms.asgd import ASGD
from .algorithms.lion import Lion
from .algorithms.nadam import NAdam
from .algorithms.radam import RAdam
from .algorithms.rmsprop import RMSprop
from .algorithms.rprop import Rprop
from .algorithms.sgd import SGD
from .optimizer import Optimizer

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Lion",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
    "swa_utils",
]
