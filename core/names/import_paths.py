"""PyTorch's import paths that no file of ours has: each hands on the names of the package that has them here."""

# Note [Import paths]
# PyTorch's files are not ours, and scripts import from them: `from torch.optim.adamw import AdamW`. The root package
# has a finder behind all others, which makes a module of each path in this table. Its names are looked up in the
# package that has them here when they are first asked for. A module of ours that has the path of one of PyTorch's,
# and not all of its names, hands on the others by `names_of`. Whoever never imports such a path pays for nothing but
# the finder.

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ..lazy_names import hands_on_names
from ..package import PACKAGE

_PLACES = {
    "": "functional",
    "amp.cuda": "cuda.amp cuda.amp.autocast_mode cuda.amp.grad_scaler",
    "autograd": "autograd.anomaly_mode autograd.grad_mode",
    "autograd.handles": "utils.hooks",
    "distributed": "distributed.distributed_c10d",
    "distributions": (
        "distributions.bernoulli distributions.beta distributions.binomial distributions.cauchy distributions.chi2 "
        "distributions.dirichlet distributions.exp_family distributions.exponential distributions.fishersnedecor "
        "distributions.generalized_pareto distributions.geometric distributions.gumbel distributions.half_cauchy "
        "distributions.half_normal distributions.independent distributions.inverse_gamma distributions.kumaraswamy "
        "distributions.laplace distributions.lkj_cholesky distributions.log_normal distributions.logistic_normal "
        "distributions.lowrank_multivariate_normal distributions.mixture_same_family distributions.multinomial "
        "distributions.multivariate_normal distributions.negative_binomial distributions.one_hot_categorical "
        "distributions.poisson distributions.relaxed_bernoulli distributions.relaxed_categorical "
        "distributions.studentT distributions.transformed_distribution distributions.uniform distributions.weibull "
        "distributions.wishart"
    ),
    "distributions.parameters": "distributions.utils",
    "func": "nn.utils.stateless",
    "nn": (
        "nn.modules.adaptive nn.modules.channelshuffle nn.modules.flatten nn.modules.fold nn.modules.pixelshuffle "
        "nn.modules.rnn nn.modules.sparse nn.modules.upsampling"
    ),
    "nn.modules.convolution, nn": "nn.modules.conv",
    "nn.modules.batchnorm, nn": "nn.modules.instancenorm",
    "nn.lazy.mixin": "nn.modules.lazy",
    "nn.tuples": "nn.common_types nn.modules.utils",
    "nn.utils": (
        "nn.utils.clip_grad nn.utils.convert_parameters nn.utils.init nn.utils.memory_format nn.utils.spectral_norm "
        "nn.utils.weight_norm"
    ),
    "optim": (
        "optim.adadelta optim.adafactor optim.adagrad optim.adam optim.adamax optim.adamw optim.asgd optim.lbfgs "
        "optim.nadam optim.radam optim.rmsprop optim.rprop optim.sgd optim.sparse_adam"
    ),
    "runtime.cuda": "cuda cuda.memory cuda.random cuda.streams",
    "tensor.random": "random",
    "tensor.sparse": "sparse",
    "utils.data": (
        "utils.data._utils.collate utils.data._utils.worker utils.data.dataloader utils.data.dataset utils.data.sampler"
    ),
}
IMPORT_PATHS = {path: home for home, paths in _PLACES.items() for path in paths.split()}
"""By path of PyTorch's, without the package: the module of ours that has its names, or several; "" is the package."""
_SAME = frozenset({"cuda", "cuda.amp", "random", "sparse"})
"""The paths that are attributes of ours: the module is the very one."""
_FUNCTIONS = frozenset({"nn.utils.spectral_norm", "nn.utils.weight_norm"})
"""The paths that are functions as well, as attributes of the package above."""
_ONLY_FOLDERS = frozenset({"utils.data._utils"})


def names_of(home: str, path: str) -> Callable[[str], Any]:
    """The `__getattr__` of the module at a path, which has the names of another one too. See Note [Import paths].

    home: the module that has them, without the package, or several with commas between them: the first counts that has
        the name. path: `__name__` of the module that calls this.
    """
    owners = [f"{PACKAGE}.{each}" if each else PACKAGE for each in home.split(", ")]
    hands_on_names(path)

    def __getattr__(name: str) -> Any:
        for owner in [] if name.startswith("__") else owners:
            try:
                value = getattr(import_module(owner), name)
            except AttributeError:
                continue
            if not isinstance(value, ModuleType):  # which would hide a file of that name below the path
                vars(sys.modules[path])[name] = value
                return value
        raise AttributeError(f"module {path!r} has no attribute {name!r}")

    return __getattr__


class _KeepsNames(ModuleType):
    """The type of a package with a function and a module of one name: the name stays the function's."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) or isinstance(getattr(self, name, value), ModuleType):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """By name, as picklers that write modules write those of the plain type."""
        return import_module, (self.__name__,)


class _PathLoader:
    """Makes the module of one path."""

    def __init__(self, path: str) -> None:
        self._path = path

    def create_module(self, spec: ModuleSpec) -> None:
        """None: an ordinary module."""

    def exec_module(self, module: ModuleType) -> None:
        """Fills the module, or puts the one in its place that is meant."""
        home = IMPORT_PATHS.get(self._path)
        if home is None:
            return
        if self._path in _FUNCTIONS:
            sys.modules[module.__name__.rpartition(".")[0]].__class__ = _KeepsNames
        if self._path in _SAME:
            same = sys.modules[module.__name__] = import_module(f"{PACKAGE}.{home}")
            if not hasattr(same, "__path__"):
                same.__path__ = []  # there are paths below it
            return
        first = home.partition(", ")[0]
        module.__doc__ = f"Names of `{PACKAGE}{'.' * bool(first)}{first}`, under PyTorch's path."
        vars(module)["__getattr__"] = names_of(home, module.__name__)


def spec_of(path: str) -> ModuleSpec | None:
    """The spec of a path of the table; None for any other name."""
    below = path.partition(".")[2]
    if below not in IMPORT_PATHS and below not in _ONLY_FOLDERS:
        return None
    return ModuleSpec(path, _PathLoader(below), is_package=True)  # type: ignore[arg-type]
