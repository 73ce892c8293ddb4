"""The CUDA driver's library: its functions by name, and what their failures mean."""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import weakref
from typing import Any

from ...core.errors import (
    CudaError,
    DeviceLostError,
    ForkedProcessError,
    NoDeviceError,
    NoDriverError,
    OldDriverError,
)

LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
LIBRARY_STATUS = 1 << 16
"""A number that is added to a status of cuBLASLt, so that it is none of the driver's."""
OUT_OF_MEMORY = 2
"""CUDA_ERROR_OUT_OF_MEMORY."""
_NO_DEVICE = frozenset({100, 101})
_GONE = frozenset({3, 4})
"""CUDA_ERROR_NOT_INITIALIZED, and DEINITIALIZED: the driver is being unloaded, at the end of the process."""
_MISMATCH = frozenset({803, 804})
_TOO_NEW = frozenset({200, 209, 222})
"""The code has a form that the driver does not know, is for no such GPU, or PTX of a toolkit that it does not know."""
_STICKY = frozenset({214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 720})
"""After these every call of the process fails: 702 is a kernel that ran too long, 716 an address not aligned."""
_NEEDS = "NUMBA_ENABLE_CUDASIM=1 simulates a GPU, slowly"


def driver_library() -> Any:
    """The driver's library. Errors: NoDriverError when this machine has none."""
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise NoDriverError(
            f"no CUDA driver on this machine: {error}; install NVIDIA's driver where there is a GPU; {_NEEDS}"
        ) from error


class DriverLibrary:
    """The functions of the driver in this process; in a forked child each of them is an error."""

    def __init__(self, library: Any = None) -> None:
        self._library = library or driver_library()
        self.is_usable = True
        """Whether calls may succeed still: no kernel has failed for good, and this is not a forked child."""
        self._forked = False
        forked, ended = weakref.WeakMethod(self._forget), weakref.WeakMethod(self._end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: (forked() or _nothing)())
        atexit.register(lambda: (ended() or _nothing)())

    def _forget(self) -> None:
        self._forked, self.is_usable = True, False

    def _end(self) -> None:
        """At the end of the process the driver frees everything itself, and may be gone before our finalizers run."""
        self.is_usable = False

    def status(self, name: str, *arguments: Any) -> int:
        """The answer of a function: 0, or the number of an error. Errors: ForkedProcessError."""
        if self._forked:
            raise ForkedProcessError(
                "the GPU was used before this process was forked, and a forked process cannot use it; start workers "
                "with multiprocessing.set_start_method('spawn'), or first use the GPU in the child"
            )
        return int(getattr(self._library, name)(*arguments))

    def __call__(self, name: str, *arguments: Any) -> None:
        """Calls a function. Errors: CudaError of a kind that says what to do, with the driver's own words."""
        status = self.status(name, *arguments)
        if status:
            raise self.error(name, status)

    def address(self, name: str) -> int:
        """The address of a function, for native code to call."""
        return int(ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value or 0)

    def error(self, name: str, status: int, maker: str = "") -> CudaError:
        """The error for a status other than 0. maker: who made the code that the driver was given."""
        if status >= LIBRARY_STATUS:
            return CudaError(f"cublasLtMatmul of cuBLASLt failed with status {status - LIBRARY_STATUS}")
        told = f"{name} failed with CUDA error {status}: {self._words(status)}"
        if status in _STICKY:
            self.is_usable = False
            return DeviceLostError(
                f"{told}. A kernel failed, of this library or of another one in the process, and the GPU does nothing "
                "more for it: what lies in its memory is lost. Start the process anew; CUDA_LAUNCH_BLOCKING=1 and "
                "compute-sanitizer tell which kernel it was"
            )
        if status in _NO_DEVICE:
            seen = os.environ.get("CUDA_VISIBLE_DEVICES")
            limited = "" if seen is None else f" CUDA_VISIBLE_DEVICES is {seen!r}: it hides GPUs that it does not name."
            return NoDeviceError(f"the CUDA driver finds no GPU: {told}.{limited} `nvidia-smi` lists them; {_NEEDS}")
        if status in _MISMATCH:
            return OldDriverError(f"{told}. The driver's parts are of different versions; install it anew, or restart")
        if status in _TOO_NEW:
            version = self.version
            linker = "nvidia-nvjitlink" + ("" if version.startswith("13") else f"-cu{version.partition('.')[0]}")
            return OldDriverError(
                f"{told}. The driver knows CUDA {version}, and the code was made by {maker or 'some compiler'}: by a "
                f"newer toolkit, or for another GPU. Update the driver, or install the toolkit of its version: pip "
                f"install 'cuda-toolkit=={version}.*' '{linker}=={version}.*'"
            )
        return CudaError(told)

    @property
    def version(self) -> str:
        """The newest CUDA that the driver knows, such as 13.0; empty where it does not say."""
        found = ctypes.c_int()
        if self._library.cuDriverGetVersion(ctypes.byref(found)):
            return ""
        return f"{found.value // 1000}.{found.value % 1000 // 10}"

    def _words(self, status: int) -> str:
        text = ctypes.c_char_p()
        self._library.cuGetErrorString(ctypes.c_int(status), ctypes.byref(text))
        return (text.value or b"unknown").decode()


def _nothing() -> None:
    """Stands for the method of a library that nobody uses any more."""
