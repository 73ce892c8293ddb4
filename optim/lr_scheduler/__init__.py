"""Learning-rate schedules: each step writes ``group["lr"]`` of every group (some, momentum too), and nothing else."""

from .annealing import CosineAnnealingLR, CosineAnnealingWarmRestarts
from .combined import ChainedScheduler, SequentialLR
from .cycles import OneCycleLR
from .cyclic import CyclicLR
from .decays import ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR
from .functions import LambdaLR, MultiplicativeLR
from .plateau import ReduceLROnPlateau
from .schedule import LRScheduler

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]
