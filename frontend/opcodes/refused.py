"""The instructions that end the trace, each with the kind of its break. An instruction is here or has a handler."""

from __future__ import annotations

from ..breaks import CLASS_INSIDE, GENERATOR, HANDLED, OPCODE, SIDE_EFFECT, TYPE_PARAMETERS, UNKNOWN_CALL
from .table import refuse

refuse("LOAD_BUILD_CLASS", kind=CLASS_INSIDE)
# The body of a class has these as well; the class statement around it breaks before.
refuse("LOAD_NAME", "STORE_NAME", "DELETE_NAME", "SETUP_ANNOTATIONS", kind=CLASS_INSIDE)
refuse("LOAD_CLASSDEREF", "LOAD_LOCALS", "LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS", kind=CLASS_INSIDE)
refuse("CALL_INTRINSIC_2", kind=TYPE_PARAMETERS)
refuse("LOAD_SUPER_ATTR", kind=UNKNOWN_CALL, name="super")
refuse("DELETE_ATTR", kind=SIDE_EFFECT, name="an attribute")
refuse("DELETE_GLOBAL", kind=SIDE_EFFECT, name="a global variable")
refuse("GET_YIELD_FROM_ITER", "SEND", "END_SEND", "CLEANUP_THROW", kind=OPCODE)
# The body of a coroutine is never entered.
refuse("ASYNC_GEN_WRAP", "BEFORE_ASYNC_WITH", "END_ASYNC_FOR", kind=GENERATOR)
refuse("GET_AITER", "GET_ANEXT", "GET_AWAITABLE", kind=GENERATOR)
# An error ends the trace before the handler is reached.
refuse("PUSH_EXC_INFO", "POP_EXCEPT", "CHECK_EXC_MATCH", "CHECK_EG_MATCH", kind=HANDLED, error="an error")
refuse("PREP_RERAISE_STAR", "RERAISE", "WITH_EXCEPT_START", kind=HANDLED, error="an error")
