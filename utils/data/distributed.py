"""`DistributedSampler` under the name of PyTorch's module."""

from .distributed_sampler import DistributedSampler

__all__ = ["DistributedSampler"]
