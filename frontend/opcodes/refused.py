"""The instructions that end the trace, each with the kind of its break. An instruction is here or has a handler."""

from __future__ import annotations

from ..breaks import CLASS_INSIDE, EXCEPT_STAR, GENERATOR, TYPE_PARAMETERS
from ..bytecode.opcode_table import refuse

refuse("CHECK_EG_MATCH", "PREP_RERAISE_STAR", kind=EXCEPT_STAR)
refuse("CALL_INTRINSIC_2", kind=TYPE_PARAMETERS)  # the end of `except*` clauses, too, which nothing comes to
# The body of a class is never entered.
refuse("LOAD_NAME", "STORE_NAME", "DELETE_NAME", "SETUP_ANNOTATIONS", kind=CLASS_INSIDE, name="the class")
refuse("LOAD_LOCALS", "LOAD_CLASSDEREF", kind=CLASS_INSIDE, name="the class")
refuse("LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS", kind=CLASS_INSIDE, name="the class")
# The body of a coroutine is never entered.
refuse("ASYNC_GEN_WRAP", "BEFORE_ASYNC_WITH", "END_ASYNC_FOR", kind=GENERATOR)
refuse("GET_AITER", "GET_ANEXT", "GET_AWAITABLE", kind=GENERATOR)
