"""`DistributedDataParallel`: one model on every process, each with a part of the batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...autograd.modes import is_grad_enabled, no_grad
from ...distributed.collectives import broadcast, form
from ...distributed.objects import all_gather_object
from ...distributed.process_group import ProcessGroup
from ...distributed.program_group import the_group
from ...tensor.joining import cat
from ...tensor.tensor import Tensor
from ..errors import ParametersDifferError, WrappedModuleError
from ..module import Module
from .buckets import buckets_of
from .joining import Joining
from .reducer import Reducer

DEFAULT_BUCKET_MB = 25.0


class DistributedDataParallel(Module):
    """`module` trained by all processes of the group: each computes its part of the batch, and gradients are averaged.

    At the start all get the parameters and buffers of rank 0. Gradients are averaged in buckets while the backward pass
    goes on, and are the same on all processes when `backward` returns. The loss of each process is the mean over its
    part, so parts of equal sizes give the step of the whole batch.

    broadcast_buffers: whether each forward begins with the buffers of rank 0. bucket_cap_mb: the size of a bucket.
    find_unused_parameters: whether a forward may leave parameters out; each pass then looks for them.
    Units: `bucket_cap_mb` counts 2**20 bytes; 25 unless given.
    Errors: ParametersDifferError, on every process, where the modules have other parameters or buffers;
        WrappedModuleError for a module that needs no gradients; GradientRoundError, from forward, where the last
        backward pass left parameters out.
    """

    def __init__(
        self,
        module: Module,
        device_ids: list[int] | None = None,
        output_device: Any = None,
        dim: int = 0,
        broadcast_buffers: bool = True,
        init_sync: bool = True,
        process_group: ProcessGroup | None = None,
        bucket_cap_mb: float | None = None,
        find_unused_parameters: bool = False,
    ) -> None:
        super().__init__()
        if bucket_cap_mb is not None and bucket_cap_mb <= 0:
            raise WrappedModuleError(f"bucket_cap_mb is {bucket_cap_mb}; it has to be more than 0")
        named = [(name, each) for name, each in module.named_parameters() if each.requires_grad]
        if not named:
            raise WrappedModuleError("no parameter of the module requires grad, so there is nothing to average")
        self.module = module
        self.process_group = the_group(process_group)
        self.broadcast_buffers = broadcast_buffers
        self.require_backward_grad_sync = True
        self.parameter_names = [name for name, _ in named]
        self.joining: Joining | None = None
        if init_sync:
            self._compare()
            self.sync_parameters(0)
        parameters = [each for _, each in named]
        buckets = buckets_of(parameters, DEFAULT_BUCKET_MB if bucket_cap_mb is None else bucket_cap_mb)
        self.reducer = Reducer(self.process_group, parameters, buckets, find_unused_parameters)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The output of the module for this process's part of the batch."""
        reducer = self.reducer
        is_reducing = self.require_backward_grad_sync and is_grad_enabled()
        if is_reducing:
            reducer.check_finished(self.parameter_names.__getitem__)
        syncs_buffers = self.broadcast_buffers and reducer.syncs_buffers
        source = 0 if self.joining is None else self.joining.step(is_reducing, syncs_buffers)
        if syncs_buffers:
            self.sync_buffers(source)
        reducer.syncs_buffers = is_reducing
        output = self.module(*inputs, **kwargs)
        reducer.expect(is_reducing, output)
        return output

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """A context in which forward and backward leave gradients as they are on each process, to add up several."""
        before = self.require_backward_grad_sync
        self.require_backward_grad_sync = False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    @contextmanager
    def join(
        self,
        divide_by_initial_world_size: bool = True,
        enable: bool = True,
        throw_on_early_termination: bool = False,
    ) -> Iterator[None]:
        """A context for loops over different numbers of batches: who is done takes part with zeros until all are.

        divide_by_initial_world_size: whether gradients are divided by the number of all processes, or of those left.
        Errors: EarlyEndError on every process, where `throw_on_early_termination` and one is done before the others.
        """
        if not enable:
            yield
            return
        self.joining = joining = Joining(self, divide_by_initial_world_size, throw_on_early_termination)
        try:
            yield
            joining.shadow()
        finally:
            self.joining = None
            self.reducer.divisor = self.process_group.size

    def sync_parameters(self, source: int) -> None:
        """Gives all processes the parameters and buffers of one."""
        self._broadcast([*self.module.parameters(), *self.module.buffers()], source)

    def sync_buffers(self, source: int) -> None:
        """Gives all processes the buffers of one."""
        self._broadcast(self.module.buffers(), source)

    def _broadcast(self, tensors: Iterable[Tensor], source: int) -> None:
        by_dtype: dict[Any, list[Tensor]] = {}
        for each in tensors:
            by_dtype.setdefault(each.dtype, []).append(each)
        with no_grad():
            for listed in by_dtype.values():
                flat = cat([each.reshape(-1) for each in listed])
                broadcast(flat, self.process_group.ranks[source], group=self.process_group)
                if self.process_group.rank == source:
                    continue
                start = 0
                for each in listed:
                    each.copy_(flat[start : start + each.numel()].reshape(each.shape))
                    start += each.numel()

    def _compare(self) -> None:
        """Errors: ParametersDifferError, on all processes alike."""
        state = [*self.module.named_parameters(), *self.module.named_buffers()]
        mine = [f"{name} {form(each)}{' with grad' * each.requires_grad}" for name, each in state]
        told: list[list[str]] = [[] for _ in range(self.process_group.size)]
        all_gather_object(told, mine, self.process_group)
        for rank, theirs in enumerate(told):
            for first, other in zip([*told[0], "nothing"], [*theirs, "nothing"], strict=False):
                if first != other:
                    raise ParametersDifferError(
                        f"the modules differ between processes: rank 0 has {first} where rank {rank} has {other}; make "
                        "the same module on every process"
                    )
