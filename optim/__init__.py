"""Optimizers and learning-rate schedules, in PyTorch's meaning."""

from . import lr_scheduler, swa_utils
from .adagrad import Adagrad
from .adam import Adam, AdamW
from .lion import Lion
from .nadam import NAdam
from .optimizer import Optimizer
from .rmsprop import RMSprop
from .sgd import SGD

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Lion", "NAdam", "Optimizer", "RMSprop", "lr_scheduler", "swa_utils"]
