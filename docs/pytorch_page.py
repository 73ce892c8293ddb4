"""The text of guides/from_pytorch.md, of which the table is what pytorch_differences.py lists."""

from __future__ import annotations

from pytorch_differences import DIFFERENCES
from pytorch_names import table

_HEAD = """
`gl.*`, the methods of `gl.Tensor` and `gl.nn.functional` have PyTorch's names and PyTorch's meaning: values, dtypes,
gradients, gradients of gradients and errors are those of PyTorch 2.13, for NaN, infinities, signed zeros, ties, the
extremes of integers, tensors without elements or axes, and expanded or permuted ones too. A jitted function gives what
the plain one gives.

What that rests on: `tests/tensor/answers/functions.txt` asks every function about lists of operands, PyTorch's answers
are stored beside it, and a test compares them with ours. Each difference is one of those below, in a list that this
page and the test share. A name that is not there at all raises AttributeError.

Three things that are easily taken for differences, and are none:

- `//`, `%`, `fmod` and `div(rounding_mode=...)` of integers by zero raise RuntimeError. In `np.*` inside a jitted
  function NumPy's meaning stays: zeros and a warning.
- A write that selects nothing (`x[mask] = v` with an empty mask, `scatter_add` along no edges, `index_put`, `put`,
  `masked_scatter`) keeps the history of `v`, whose gradient is zeros and not None: weight decay acts on it.
- The gradient of `relu`, of `x ** 1` and of `nll_loss` has a history, whose gradient is zeros.

```python
import guardlift as gl

nodes, messages = gl.zeros(3), gl.ones(0, requires_grad=True)
nodes.scatter_add(0, gl.zeros(0, dtype=gl.int64), messages).sum().backward()
print(messages.grad)
try:
    gl.tensor([7]) // 0
except RuntimeError as error:
    print(error)
```

```text
tensor([])
ZeroDivisionError
```

Differences beyond single functions:

- Random numbers are others for the same seed: of draws, of new parameters, and of the order of a loader.
- `x.shape` and the batch shapes of distributions are tuples.
- `igamma` and `igammac` have a derivative by the shape, which PyTorch refuses. `linalg.*_ex` gives NaN where there is
  no factor.
- `rsample` of Dirichlet and Beta goes through normalised draws of gammas: unbiased, with another gradient for each
  draw.
- `embedding_bag` with `scale_grad_by_freq` divides by how often a row occurs, where PyTorch takes the counts of other
  rows; a mean over a bag divides by the entries that it has, wherever the last offset lies.
- Packed sequences with lengths beyond the input are an error.
- A write of running statistics counts as a write of the tensor.
- Orthogonal parametrizations, lazy modules, complex tensors and quantisation are not there; the table of names below
  says what else.

## Differences
""".strip().splitlines()

_NAMES_HEAD = """
## Names

Every public name of PyTorch 2.13 at the places below. Written by `make docs-tables`; `docs/pytorch_names/` holds the
list of the names, and the reasons.
""".strip().splitlines()


_PATHS_HEAD = """
## Import paths

Files of PyTorch's that programs import from, as `from torch.optim.adamw import AdamW`. Where no file here has the path,
the module hands on names of the package that has them ([core/names/import_paths.py](../../core/names/import_paths.py)).
""".strip().splitlines()


def page() -> str:
    """The guide."""
    lines = ["# Coming from PyTorch", "", "<!-- fmt: off -->", "", *_HEAD, "", "Written by `make docs-tables`.", ""]
    lines += ["| functions | here | in PyTorch | why |", "|---|---|---|---|"]
    for each in DIFFERENCES:
        names = ", ".join(f"`{name}`" for name in each.functions.split())
        lines.append(f"| {names} | {each.here} | {each.there} | {each.why} |")
    return "\n".join(
        [*lines, "", *_NAMES_HEAD, "", *table.lines(table.places()), "", *_PATHS_HEAD, "", *table.import_paths(), ""]
    )
