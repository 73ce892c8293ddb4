"""Learning-rate schedules: each step writes ``group["lr"]`` of every group (some, momentum too), and nothing else."""

from typing import TYPE_CHECKING

from ...core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .annealing import CosineAnnealingLR, CosineAnnealingWarmRestarts
    from .combined import ChainedScheduler, SequentialLR
    from .cycles import OneCycleLR
    from .cyclic import CyclicLR
    from .decays import ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR
    from .functions import LambdaLR, MultiplicativeLR
    from .plateau import ReduceLROnPlateau
    from .schedule import LRScheduler
    from .schedule import LRScheduler as _LRScheduler  # noqa: F401

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

__getattr__, __dir__ = lazy_names(__name__)
