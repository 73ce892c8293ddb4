"""The mean of the gradients of all processes, computed while a backward pass is still on its way."""

# Note [Rounds of a reducer]
# A round is one backward pass. A hook on each parameter says that its gradient is there; once all of a bucket's are,
# the bucket is given to the communication thread, in the order of the buckets, which is the same on all processes. The
# hook that completes the last bucket waits for all of them and writes the means back: it is the last one of the pass.
# Gradients that no pass will give (`find_unused`) are counted as there from the start.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...autograd.modes import no_grad
from ...distributed.collectives import all_reduce
from ...distributed.process_group import ProcessGroup
from ...distributed.work import Work
from ...tensor.creation import zeros_like
from ...tensor.joining import cat
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..errors import GradientRoundError
from .buckets import Bucket
from .unused import are_behind, tensors_in, used_by_some


class Reducer:
    """The hooks on the parameters of a module, and the round they are in. See Note [Rounds of a reducer]."""

    def __init__(
        self, group: ProcessGroup, parameters: Sequence[Parameter], buckets: Sequence[Bucket], find_unused: bool
    ) -> None:
        self.group, self.parameters, self.buckets = group, list(parameters), list(buckets)
        self.find_unused = find_unused
        self.divisor = group.size
        self.is_reducing = True
        self.syncs_buffers = True
        self._bucket_of = [0] * len(self.parameters)
        for place, bucket in enumerate(self.buckets):
            for number in bucket.numbers:
                self._bucket_of[number] = place
        self._works: tuple[tuple[Bucket, Tensor, Work], ...] = ()
        self._missing = [len(bucket.numbers) for bucket in self.buckets]
        self._is_ready = [False] * len(self.parameters)
        self._is_used = [True] * len(self.parameters)
        self._elsewhere = [False] * len(self.parameters)
        self._launched = 0
        self._handles = [
            each.register_post_accumulate_grad_hook(self._hook(number)) for number, each in enumerate(self.parameters)
        ]

    def _start(self) -> None:
        """Begins a round. The lists stay the same ones: after a compiled step they are as before."""
        self._missing[:] = [len(bucket.numbers) for bucket in self.buckets]
        self._is_ready[:] = [False] * len(self.parameters)
        self._is_used[:] = [True] * len(self.parameters)
        self._launched = 0

    def expect(self, is_reducing: bool, output: Any) -> None:
        """Begins a round, or says that gradients stay where they are. output: of the module, to find what is unused."""
        self.is_reducing = is_reducing
        if not is_reducing or not self.find_unused:
            return
        is_used = are_behind(list(tensors_in(output)), self.parameters)
        unused = [number for number, each in enumerate(is_used) if not each]
        for number in unused:
            self._is_used[number] = False
        for number in unused:
            self._mark(number)

    def check_finished(self, name_of: Callable[[int], str]) -> None:
        """Errors: GradientRoundError where the last backward pass did not give all gradients."""
        if True not in self._is_ready:
            return
        missing = [name_of(number) for number, is_ready in enumerate(self._is_ready) if not is_ready]
        raise GradientRoundError(
            f"the last backward pass gave no gradients of {', '.join(missing[:8])}{', ...' * (len(missing) > 8)}, so "
            "the processes still wait for them: let every parameter take part in the loss, or give "
            "find_unused_parameters=True. (A backward pass that raised an error looks the same.)"
        )

    def _hook(self, number: int) -> Callable[[Tensor], None]:
        def gradient_is_there(parameter: Tensor) -> None:
            if self.is_reducing:
                self._mark(number)

        return gradient_is_there

    def _mark(self, number: int) -> None:
        if self._is_ready[number]:
            raise GradientRoundError(
                f"parameter {number} got a gradient after it was counted as unused: its module's output did not lead "
                "to it. Return everything that the loss is made of from forward()"
            )
        self._is_ready[number] = True
        self._missing[self._bucket_of[number]] -= 1
        while self._launched < len(self.buckets) and self._missing[self._launched] == 0:
            bucket = self.buckets[self._launched]
            self._launched += 1
            with no_grad():
                self._launch(bucket)
        if self._launched == len(self.buckets):
            with no_grad():
                self._finish()

    def _launch(self, bucket: Bucket) -> None:
        parts = [_flat_gradient(each) for each in bucket.parameters]
        flat = cat(parts)
        work = all_reduce(flat, group=self.group, async_op=True)
        assert work is not None
        self._works = (*self._works, (bucket, flat, work))

    def _finish(self) -> None:
        works, self._works = self._works, ()
        is_used = list(self._is_used)
        self._start()
        found = self._found(is_used) if self.find_unused else None
        for bucket, flat, work in works:
            work.wait()
            flat = flat / self.divisor
            start = 0
            for number, parameter in zip(bucket.numbers, bucket.parameters, strict=True):
                size = parameter.numel()
                part = flat[start : start + size].reshape(parameter.shape)
                start += size
                if found is not None and not found[number]:
                    continue  # used by nobody
                if parameter.grad is None:
                    parameter.grad = part.clone()
                else:
                    parameter.grad.copy_(part)

    def _found(self, is_used: list[bool]) -> list[bool]:
        """Whether each parameter is used by some process."""
        return used_by_some(self.group.number, self.group.size, is_used, self._elsewhere)

    def shadow(self) -> None:
        """Takes part in one round of the others with gradients of zero."""
        with no_grad():
            works = [
                all_reduce(
                    cat([zeros_like(each).reshape(-1) for each in bucket.parameters]), group=self.group, async_op=True
                )
                for bucket in self.buckets
            ]
            if self.find_unused:
                self._found([False] * len(self.parameters))
            for work in works:
                assert work is not None
                work.wait()


def _flat_gradient(parameter: Parameter) -> Tensor:
    gradient = parameter.grad
    if gradient is None:
        return zeros_like(parameter).reshape(-1)
    if gradient.is_sparse:
        raise GradientRoundError(
            "a gradient is sparse; make the layer with sparse=False to train it in several processes"
        )
    return gradient.reshape(-1)
