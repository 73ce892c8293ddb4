"""The record that a node keeps of one tensor it needs in backward."""

# Note [What a record keeps]
# An input, or a leaf, is kept as the object it is. The node's own output cannot be: output -> node -> record -> output
# would be a cycle, freed only by the garbage collector. Its record keeps an alias, which shares memory and version
# counter, and the node that asks is put in when it is unpacked; so does the record of an output that its pack hook gave
# back as it is. The result of an in-place op on a view belongs to a node that is made anew whenever the base changes;
# of that one the record keeps a weak reference.

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from typing import Any

from ..core.records import dataclass
from ..tensor.tensor import Array, Tensor
from ..tensor.version import UncountedError
from .checked_hooks import Check, check_of
from .edges import accumulator_of
from .error_notes import how_to_find_the_write, modified
from .history import current_node
from .hook_pairs import WRITTEN_BY_PACK, hooks_of, tensor_of
from .modes import MODES, Hooks
from .node import Node
from .save_info import SavedPlace, is_parameter, place_of

_HOW_TO_KEEP = (
    "Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)
FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    f"freed). {_HOW_TO_KEEP}"
)
UNSAVEABLE = (
    "Inference tensors cannot be saved for backward: a tensor made under gl.inference_mode() is an operand of an "
    "operation whose gradient reads it. Use a clone() of it in autograd, or make it under gl.no_grad() instead of "
    "gl.inference_mode()"
)


@dataclass(slots=True)
class _SavedIdentity:
    """The facts that make a tensor with the saved values the saved tensor again, as far as gradients go."""

    output_nr: int
    requires_grad: bool
    accumulator: Node | None = None
    node: Node | None = None
    weak_node: weakref.ref[Node] | None = None


class SavedTensor:
    """One saved tensor, or None. `unpack` gives it back; `register_hooks` says how it is kept until then."""

    __slots__ = (
        "_form",
        "_freed",
        "_hooks",
        "_identity",
        "_is_leaf",
        "_is_output",
        "_packed",
        "_place",
        "_tensor",
        "_version",
    )
    # Set where they are needed, and not before: `_form` by packing, `_place` by `known_as`.
    _identity: _SavedIdentity | None
    """Set for what has hooks, and for outputs; None for an output all of whose identity is the alias's number."""
    _form: tuple[tuple[int, ...], Any, bool]
    """Shape, NumPy's dtype, and whether it is a parameter or a view of one, of what was packed."""
    _place: SavedPlace
    """For whom the tensor is kept, as far as somebody has told."""

    def __init__(
        self, tensor: Tensor | None, is_output: bool = False, node: Node | None = None, argument: str = ""
    ) -> None:
        """The record of what `node` keeps as `argument`; hooks are told of both.

        is_output: the tensor is a result of the node.
        """
        self._tensor = tensor
        self._freed = False
        self._hooks: Hooks | None = None
        if tensor is None:
            return
        try:
            self._version = tensor._counter.value
        except UncountedError:
            raise RuntimeError(UNSAVEABLE) from None
        self._is_leaf = (tensor._node if tensor._path is None else current_node(tensor)) is None
        self._is_output = is_output and not self._is_leaf
        pair = MODES.hooks
        if pair is not None:
            self._identity = self._identify(tensor)
            self._pack(tensor, tensor, pair, node, argument)
        elif self._is_output:
            alias = self._tensor = tensor._alias()
            alias._output_nr = tensor._output_nr
            self._identity = None if tensor._path is None else self._identify(tensor)

    def _identify(self, tensor: Tensor) -> _SavedIdentity:
        identity = _SavedIdentity(tensor._output_nr, tensor.requires_grad)
        if self._is_leaf:
            identity.accumulator = accumulator_of(tensor) if tensor._requires_grad else None
        elif not self._is_output:
            identity.node = current_node(tensor)
        elif tensor._path is not None:
            identity.weak_node = weakref.ref(tensor._node)
        return identity

    @property
    def requires_grad(self) -> bool:
        """Whether the saved tensor does."""
        identity: _SavedIdentity | None = getattr(self, "_identity", None)
        if identity is not None:
            return identity.requires_grad
        return self._tensor is not None and (self._is_output or self._tensor.requires_grad)

    # How it is kept.

    def known_as(self, node: Node, argument: str) -> SavedTensor:
        """Itself, which `node` keeps as `argument`: hooks that are registered later are told so."""
        self._place = place_of(node, argument)
        return self

    def register_hooks(
        self,
        pack_hook: Callable[..., Any],
        unpack_hook: Callable[[Any], Tensor],
        *,
        check: Check | bool | None = None,
    ) -> None:
        """From now on the record keeps ``pack_hook(tensor)``, and gives ``unpack_hook`` of that.

        A `pack_hook` that requires two arguments is called with the tensor and a `SaveInfo`.
        check: see `saved_tensors_hooks`.
        Errors: RuntimeError for a record of None, one that was freed, and one that has hooks already.
        """
        if self._freed:
            raise RuntimeError(f"Calling register_hooks on a saved tensor after it has been freed. {_HOW_TO_KEEP}")
        if self._hooks is not None:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set; only one pair of hooks is "
                "allowed for each saved tensor."
            )
        if self._tensor is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        tensor = self._tensor
        if not self._is_output:
            self._identity = self._identify(tensor)
            tensor = tensor.detach()
        elif self._identity is None:
            self._identity = _SavedIdentity(tensor._output_nr, True)
        self._pack(tensor, self._tensor, hooks_of(pack_hook, unpack_hook, check_of(check)))

    def _pack(
        self, tensor: Tensor, original: Tensor, hooks: Hooks, node: Node | None = None, argument: str = ""
    ) -> None:
        before = tensor._counter.value
        mode = MODES.grad_enabled
        MODES.grad_enabled = False
        try:
            if type(hooks) is tuple:
                packed = hooks[0](tensor)
                if packed is tensor and self._is_output:
                    packed = tensor._alias()
            else:
                place = place_of(node, argument) if node is not None else getattr(self, "_place", SavedPlace())
                packed = hooks.pack(tensor, self, original, place)  # type: ignore[union-attr]
        finally:
            MODES.grad_enabled = mode
        if tensor._counter.value != before:
            raise RuntimeError(WRITTEN_BY_PACK)
        self._packed = packed
        self._hooks = hooks
        self._form = tensor._array.shape, tensor._array.dtype, is_parameter(original)
        self._tensor = None

    def release(self) -> None:
        """Drops what it keeps; from now on `unpack` is an error. A record of None stays one."""
        if self._tensor is not None or self._hooks is not None:
            self._freed = True
            self._tensor = self._hooks = self._packed = self._identity = None

    # What it gives back.

    def unpack(self, asking: Node) -> Tensor | None:
        """The saved tensor, or one that stands for it in every respect; None if None was saved.

        asking: the node that the record belongs to.
        Errors: RuntimeError when it was freed, or the tensor has been written since it was saved.
        """
        if self._hooks is not None:
            return self._rebuild(self._unpack_hooked(asking), asking)
        tensor = self._checked(asking)
        if tensor is None or not self._is_output:
            return tensor
        return self._rebuild(tensor, asking)

    def unpack_array(self, asking: Node) -> Array | None:
        """The values of what `unpack` gives; cheaper, where nothing but the values counts."""
        tensor = self._tensor
        if tensor is not None and tensor._counter.value == self._version and (self._is_leaf or self._is_output):
            return tensor._array
        tensor = self._unpack_hooked(asking) if self._hooks is not None else self._checked(asking)
        return None if tensor is None else tensor._array

    def _checked(self, asking: Node) -> Tensor | None:
        """The tensor that is kept, or None. Errors: RuntimeError if it was freed, or is not what was saved any more."""
        tensor = self._tensor
        if tensor is None:
            if self._freed:
                raise RuntimeError(FREED)
            return None
        if tensor._counter.value != self._version:
            raise RuntimeError(self._modified(tensor, asking))
        if not self._is_leaf and not self._is_output and current_node(tensor) is None:
            raise RuntimeError(
                "A tensor that was saved for backward has been detached in place (detach_()) since: its gradient has "
                "nothing to follow; use the out-of-place detach() instead"
            )
        return tensor

    def _unpack_hooked(self, asking: Node) -> Tensor:
        hooks = self._hooks
        if type(hooks) is tuple:
            return tensor_of(hooks[1](self._packed))
        return hooks.unpack(self._packed, self, asking)  # type: ignore[union-attr]

    def _rebuild(self, data: Tensor, asking: Node) -> Tensor:
        """`data` with the history of the saved tensor."""
        identity = self._identity
        if identity is None:
            identity = _SavedIdentity(data._output_nr, True)
        node = identity.weak_node() if identity.weak_node is not None else identity.node
        if node is None and not self._is_leaf:
            node = asking
        if node is None and not identity.requires_grad and not data.requires_grad:
            return data
        again = data._alias()
        again._node = node
        again._output_nr = identity.output_nr
        again._requires_grad = identity.requires_grad
        if identity.accumulator is not None:
            again._accumulator = weakref.ref(identity.accumulator)
        return again

    def _modified(self, tensor: Tensor, asking: Node) -> str:
        """The error text for a tensor that has been written since it was saved."""
        node = asking if self._is_output else current_node(tensor)
        origin = ""
        if node is not None:
            origin = f", which is output {tensor._output_nr} of {re.sub('[0-9]+$', '', node.name())},"
        return f"{modified(tensor, self._version, origin)} {how_to_find_the_write(tensor._counter, self._version)}"
