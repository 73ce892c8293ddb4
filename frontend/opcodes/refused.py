"""The instructions that end the trace, each with the kind of its break. An instruction is here or has a handler."""

from __future__ import annotations

from ..breaks import CLASS_INSIDE, GENERATOR
from .table import refuse

refuse("LOAD_BUILD_CLASS", kind=CLASS_INSIDE)
# The body of a class has these as well; the class statement around it breaks before.
refuse("LOAD_NAME", "STORE_NAME", "DELETE_NAME", "SETUP_ANNOTATIONS", kind=CLASS_INSIDE)
refuse("LOAD_CLASSDEREF", "LOAD_LOCALS", "LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS", kind=CLASS_INSIDE)
# The body of a coroutine is never entered.
refuse("ASYNC_GEN_WRAP", "BEFORE_ASYNC_WITH", "END_ASYNC_FOR", kind=GENERATOR)
refuse("GET_AITER", "GET_ANEXT", "GET_AWAITABLE", kind=GENERATOR)
