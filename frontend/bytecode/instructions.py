"""The instructions that a region may hold, and those of them that branch."""

from __future__ import annotations

JUMPS: dict[str, bool] = {
    "POP_JUMP_IF_TRUE": True,
    "POP_JUMP_FORWARD_IF_TRUE": True,
    "POP_JUMP_BACKWARD_IF_TRUE": True,
    "POP_JUMP_IF_FALSE": False,
    "POP_JUMP_FORWARD_IF_FALSE": False,
    "POP_JUMP_BACKWARD_IF_FALSE": False,
    "JUMP_IF_TRUE_OR_POP": True,
    "JUMP_IF_FALSE_OR_POP": False,
}
"""Conditional jumps: whether they jump when the value is true."""
KEEP = frozenset({"JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"})
"""Those that leave the value on the stack when they jump."""

NONE_JUMPS: dict[str, bool] = {
    "POP_JUMP_IF_NONE": False,
    "POP_JUMP_FORWARD_IF_NONE": False,
    "POP_JUMP_BACKWARD_IF_NONE": False,
    "POP_JUMP_IF_NOT_NONE": True,
    "POP_JUMP_FORWARD_IF_NOT_NONE": True,
    "POP_JUMP_BACKWARD_IF_NOT_NONE": True,
}
"""Jumps that ask for None: whether they jump when there is a number."""

ALL_JUMPS = JUMPS | NONE_JUMPS

ALLOWED = frozenset(
    {
        *("NOP", "RESUME", "POP_TOP", "COPY", "SWAP", "PUSH_NULL", "END_FOR"),
        *("LOAD_CONST", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"),
        *("COPY_FREE_VARS", "MAKE_FUNCTION", "CONTAINS_OP"),
        *("LOAD_ATTR", "LOAD_METHOD", "STORE_FAST", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST"),
        *("BINARY_OP", "BINARY_SUBSCR", "BINARY_SLICE", "STORE_SUBSCR", "STORE_SLICE", "COMPARE_OP", "IS_OP"),
        *("UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "UNARY_NOT", "TO_BOOL"),
        *("BUILD_TUPLE", "BUILD_LIST", "BUILD_SLICE", "UNPACK_SEQUENCE", "KW_NAMES", "PRECALL", "CALL", "CALL_KW"),
        *("RETURN_VALUE", "RETURN_CONST", "GET_ITER", "FOR_ITER"),
        *("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"),
        *ALL_JUMPS,
    }
)
"""The instructions that a region may hold. What they do to objects other than arrays is refused where it happens."""
