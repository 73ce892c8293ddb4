"""Scalar functions as native loops over arrays, straight from their LLVM IR: no Numba, a few milliseconds each."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm
import numpy as np
import pytest
from llvmlite import ir

from guardlift.backend.math.declare import SCALAR_TYPES
from guardlift.backend.math.emit import emit
from guardlift.backend.math.table import TABLE
from guardlift.backend.math.typed import LLVM_TYPES

COUNT = ir.IntType(64)


@dataclass(frozen=True)
class Loop:
    """A function applied to whole arrays by native code; `optimised` is its IR."""

    name: str
    address: int
    optimised: str

    def __call__(self, *operands: np.ndarray) -> np.ndarray:
        function = TABLE[self.name]
        arrays = [np.ascontiguousarray(x, SCALAR_TYPES[code]) for x, code in zip(operands, function.operands)]
        result = np.empty(arrays[0].shape, SCALAR_TYPES[function.result])
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, result)]
        prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(pointers), ctypes.c_int64)
        prototype(self.address)(*pointers, result.size)
        return result


def loop_module(name: str) -> ir.Module:
    """A module with `loop(operands..., result, count)`."""
    function = TABLE[name]
    module = ir.Module(name)
    types = [_stored(code) for code in (*function.operands, function.result)]
    signature = ir.FunctionType(ir.VoidType(), [t.as_pointer() for t in types] + [COUNT])
    loop = ir.Function(module, signature, "loop")
    for pointer in loop.args[:-1]:
        pointer.add_attribute("noalias")
    start, body, end = (loop.append_basic_block(part) for part in ("start", "body", "end"))
    builder = ir.IRBuilder(start)
    builder.cbranch(builder.icmp_signed(">", loop.args[-1], COUNT(0)), body, end)
    builder.position_at_end(body)
    index = builder.phi(COUNT)
    operands = []
    for pointer, code in zip(loop.args, function.operands):
        value = builder.load(builder.gep(pointer, [index]))
        operands.append(builder.trunc(value, LLVM_TYPES["b1"]) if code == "b1" else value)
    result = emit(function, builder, operands)
    result = builder.zext(result, types[-1]) if function.result == "b1" else result
    builder.store(result, builder.gep(loop.args[-2], [index]))
    following = builder.add(index, COUNT(1))
    index.add_incoming(COUNT(0), start)
    index.add_incoming(following, builder.block)
    builder.cbranch(builder.icmp_signed("<", following, loop.args[-1]), body, end)
    builder.position_at_end(end)
    builder.ret_void()
    return module


def _stored(code: str) -> ir.Type:
    return ir.IntType(8) if code == "b1" else LLVM_TYPES[code]


@cache
def _engine(cpu: str) -> tuple[llvm.ExecutionEngine, llvm.TargetMachine]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten() if cpu == llvm.get_host_cpu_name() else ""
    target = llvm.Target.from_default_triple()
    # An engine owns its machine, so the passes get another.
    machines = [target.create_target_machine(cpu=cpu, features=features, opt=3) for _ in range(2)]
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machines[0]), machines[1]


@cache
def native_loop(name: str, cpu: str | None = None) -> Loop:
    """The loop of the function `name`, compiled once, for this machine or as for an older one."""
    engine, machine = _engine(cpu or llvm.get_host_cpu_name())
    module = loop_module(name)
    module.triple = machine.triple
    module.globals["loop"].name = symbol = f"loop_{name}"
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(parsed, passes)
    optimised = str(parsed)
    engine.add_module(parsed)
    engine.finalize_object()
    return Loop(name, engine.get_function_address(symbol), optimised)


@pytest.fixture
def loop() -> Callable[..., Loop]:
    """The maker of loops."""
    return native_loop
