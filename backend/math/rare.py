"""Calls of the C library for rare operands, in a form that leaves the loop around them vectorisable.

LLVM either refuses to vectorise a loop with a call under a branch, or hoists the call and makes it for every element.
But a function may name its vector forms, and a form with a mask is called once a vector. Ours tests the mask and, as a
rule, returns at once; else it goes through the lanes.
"""

from __future__ import annotations

from llvmlite import ir

DOUBLE = ir.DoubleType()
LANES = (2, 4, 8, 16)


def rare_function(module: ir.Module, name: str, arity: int) -> ir.Function:
    """The function of float64 operands that calls the C library's `name`, with vector forms; defined once a module."""
    scalar_name = f"guardlift_rare_{name}"
    if scalar_name in module.globals:
        return module.globals[scalar_name]
    scalar_type = ir.FunctionType(DOUBLE, [DOUBLE] * arity)
    library = module.globals.get(name) or ir.Function(module, scalar_type, name)
    scalar = _private(module, scalar_name, scalar_type)
    builder = ir.IRBuilder(scalar.append_basic_block())
    builder.ret(builder.call(library, scalar.args))
    forms = [_vector_form(module, f"{scalar_name}_{lanes}", library, arity, lanes) for lanes in LANES]
    # The name spells the interface: LLVM's own, masked, so many lanes, so many vector operands.
    names = ",".join(f"_ZGV_LLVM_M{lanes}{'v' * arity}_{scalar_name}({form.name})" for lanes, form in zip(LANES, forms))
    for attribute in (f'"vector-function-abi-variant"="{names}"', "willreturn", "nosync"):
        set.add(scalar.attributes, attribute)  # llvmlite lists the attributes it knows; these are none of them
    _keep(module, [scalar, *forms])
    return scalar


def _private(module: ir.Module, name: str, function_type: ir.FunctionType) -> ir.Function:
    function = ir.Function(module, function_type, name)
    function.linkage = "internal"
    for attribute in ("noinline", "nounwind", "readnone"):
        function.attributes.add(attribute)
    return function


def _vector_form(module: ir.Module, name: str, library: ir.Function, arity: int, lanes: int) -> ir.Function:
    """The function of vectors and a mask: `library` of the lanes in the mask, 0 in the others."""
    vector, mask_type = ir.VectorType(DOUBLE, lanes), ir.VectorType(ir.IntType(1), lanes)
    function = _private(module, name, ir.FunctionType(vector, [vector] * arity + [mask_type]))
    *operands, mask = function.args
    start, head, call, step, none = (function.append_basic_block(part) for part in ("", "head", "call", "step", "none"))
    index_type, bits = ir.IntType(32), ir.IntType(lanes)
    builder = ir.IRBuilder(start)
    zero = ir.Constant(vector, [0.0] * lanes)
    builder.cbranch(builder.icmp_unsigned("!=", builder.bitcast(mask, bits), ir.Constant(bits, 0)), head, none)
    builder.position_at_end(none)
    builder.ret(zero)
    builder.position_at_end(head)
    lane, result = builder.phi(index_type), builder.phi(vector)
    builder.cbranch(builder.extract_element(mask, lane), call, step)
    builder.position_at_end(call)
    of_lane = builder.call(library, [builder.extract_element(operand, lane) for operand in operands])
    filled = builder.insert_element(result, of_lane, lane)
    builder.branch(step)
    builder.position_at_end(step)
    following = builder.phi(vector)
    following.add_incoming(result, head)
    following.add_incoming(filled, call)
    next_lane = builder.add(lane, ir.Constant(index_type, 1))
    done = function.append_basic_block("done")
    builder.cbranch(builder.icmp_unsigned("<", next_lane, ir.Constant(index_type, lanes)), head, done)
    for phi, first, later in ((lane, ir.Constant(index_type, 0), next_lane), (result, zero, following)):
        phi.add_incoming(first, start)
        phi.add_incoming(later, step)
    builder.position_at_end(done)
    builder.ret(following)
    return function


def _keep(module: ir.Module, functions: list[ir.Function]) -> None:
    """Keeps functions, with all their operands, until the loops are vectorised: nothing calls the vector forms yet."""
    name, pointer = "llvm.compiler.used", ir.IntType(8).as_pointer()
    used = module.globals.get(name)
    values = [*(used.initializer.constant if used else ()), *(function.bitcast(pointer) for function in functions)]
    array = ir.ArrayType(pointer, len(values))
    if used is None:
        used = ir.GlobalVariable(module, array, name)
        used.linkage, used.section = "appending", "llvm.metadata"
    used.value_type, used.type = array, array.as_pointer()
    used.initializer = ir.Constant(array, values)
