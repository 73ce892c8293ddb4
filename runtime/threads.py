"""`gl.set_num_threads` and `gl.get_num_threads`. Names and meanings are PyTorch's."""

from __future__ import annotations

from ..core.config import config


def set_num_threads(number: int) -> None:
    """From now on, large kernels run on so many threads; the same as setting `gl.config.num_threads`.

    NumPy's matrix products have threads of their own, which follow OPENBLAS_NUM_THREADS or OMP_NUM_THREADS.
    Errors: TypeError for anything but an int, RuntimeError for one below 1.
    """
    if type(number) is not int:
        raise TypeError(f"set_num_threads was given {number!r}; it takes an int")
    if number < 1:
        raise RuntimeError(f"set_num_threads was given {number}; it takes 1 or more")
    config.num_threads = number


def get_num_threads() -> int:
    """The number of threads that large kernels run on.

    1 on other systems than Linux, and in a forked process until it has said how many it wants. Fewer than were asked
    for where the system gives no more.
    """
    from ..backend.cpu.runner.thread_team import threads

    return threads()


__all__ = ["get_num_threads", "set_num_threads"]
