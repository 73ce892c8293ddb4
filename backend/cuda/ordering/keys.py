"""Keys of elements: unsigned integers that stand in the order of the elements, and the rows along which these lie.

Zeros of both signs have one key, so have all NaNs, whose key is the largest. So the order of keys with places is
NumPy's stable one.
"""

# Note [Words and places]
# A key of up to 32 bits and a place in a row make one word of 64 bits, the key in its upper half. All words of a row
# differ, so any way of sorting them is stable. Wider keys lie in an array of their own beside the places.

from __future__ import annotations

from ....core.dtypes import DType
from ....core.records import dataclass
from ...evaluate.buffers import BufferView

PLACE_BITS = 32
LONGEST = (1 << 31) - 1
"""Elements of a row at most, whose counts are kept in int32."""


def key_bits(dtype: DType) -> int:
    """The width of keys."""
    return 8 * dtype.itemsize


def is_wide(dtype: DType) -> bool:
    """Whether keys leave no room for the place. See Note [Words and places]."""
    return key_bits(dtype) > PLACE_BITS


def pointer_name(dtype: DType) -> str:
    """The name of the pointer maker through which the bits of elements are read."""
    return f"pointer_u{key_bits(dtype)}"


def all_ones(dtype: DType) -> str:
    """The largest key, as text: that of NaN, where there is one."""
    return f"uint64({(1 << key_bits(dtype)) - 1:#x})"


def key_lines(dtype: DType, bits: str, descending: bool = False, nan_first: bool = True) -> list[str]:
    """The lines that set `key` to the key of an element whose bits `bits` reads.

    descending: larger elements have smaller keys; NaN has the smallest then, or the largest unless `nan_first`."""
    width = key_bits(dtype)
    ones, sign = all_ones(dtype), f"uint64({1 << (width - 1):#x})"
    lines = [f"bits = uint64({bits})"]
    if not dtype.is_float:
        lines.append(f"key = bits ^ {sign}" if dtype.kind == "i" else "key = bits")
        return [*lines, f"key = {ones} - key"] if descending else lines
    fraction = {16: 10, 32: 23, 64: 52}[width]
    infinity = f"uint64({(1 << (width - 1)) - (1 << fraction):#x})"
    lines += [
        f"size = bits & ({sign} - uint64(1))",
        f"key = bits ^ {sign} if bits < {sign} else {ones} - bits",
        f"key = {sign} if size == uint64(0) else key",
    ]
    turned = [f"key = {ones} - key"] if descending else []
    last = [f"key = {ones} if size > {infinity} else key"]
    return [*lines, *last, *turned] if nan_first else [*lines, *turned, *last]


@dataclass(frozen=True, slots=True)
class SortedRows:
    """Rows along one axis of several views of one shape but for that axis, and how kernels find them.

    steps: of each view, along the axis; sizes: the other axes that are left once those that lie on are joined, the
    outermost first; strides: of each view, along these. Units: all count elements."""

    count: int
    names: tuple[str, ...]
    steps: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]

    def only(self, *names: str) -> SortedRows:
        """These rows for a kernel that has some of the views alone."""
        places = [self.names.index(name) for name in names]
        steps, strides = tuple(self.steps[k] for k in places), tuple(self.strides[k] for k in places)
        return SortedRows(self.count, names, steps, self.sizes if names else (), strides)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The values of `parameters`."""
        return (*self.steps, *self.sizes, *(each for strides in self.strides for each in strides))

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters that `lines` read."""
        axes = range(len(self.sizes))
        steps = [f"{name}_step" for name in self.names]
        return [*steps, *(f"size{k}" for k in axes), *(f"{name}_stride{k}" for name in self.names for k in axes)]

    @property
    def lines(self) -> list[str]:
        """The lines that set `NAME_row` to the place of the first element of the row `row`, for each view."""
        axes = range(len(self.sizes))
        if not axes:
            return [f"{name}_row = int64(0)" for name in self.names]
        lines = ["rest = row"]
        for k in reversed(axes):
            lines.append(f"along{k} = rest % size{k}" if k else "along0 = rest")
            if k:
                lines.append(f"rest = rest // size{k}")
        return [
            *lines,
            *(f"{name}_row = " + " + ".join(f"along{k} * {name}_stride{k}" for k in axes) for name in self.names),
        ]


def rows_of(axis: int, **views: BufferView) -> SortedRows:
    """The rows of views, which have names, along an axis."""
    joined: list[tuple[int, list[int]]] = []
    count = 1
    given = list(views.values())
    for other, size in enumerate(given[0].shape):
        if other == axis:
            continue
        count *= size
        strides = [view.strides[other] for view in given]
        if size == 1:
            continue
        if joined and joined[-1][1] == [size * stride for stride in strides]:
            joined[-1] = joined[-1][0] * size, strides
        else:
            joined.append((size, strides))
    strides_of = tuple(tuple(strides[k] for _, strides in joined) for k in range(len(given)))
    steps = tuple(view.strides[axis] for view in given)
    return SortedRows(count, tuple(views), steps, tuple(size for size, _ in joined), strides_of)
