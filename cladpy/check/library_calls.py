"""Calls of functions without a body: math, atomics, intrinsics, in forward mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.check.classes import float_offsets
from cladpy.check.host_calls import host_call, is_host_call
from cladpy.check.library import FORMULA_OF, HALF_ORDERS, POINTER_FUNCTIONS, STORES, VECTOR_NORMS
from cladpy.ir import surface as s
from cladpy.ir.types import Pointer, Struct, Type, decay, is_floating, scalar_of, spell

if TYPE_CHECKING:
    from cladpy.check.expressions import Expressions

_INTEGER_RESULT = ("frexp", "frexpf", "remquo", "remquof")
_SHUFFLES = ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
# What takes the bits of numbers, in `cladpy_oracle::swaps`.
_BITS = {
    **{f"atomicCAS{scope}": "swap" for scope in ("", "_block", "_system")},
    **dict.fromkeys(("__float_as_int", "__float_as_uint", "__double_as_longlong"), "of"),
    **dict.fromkeys(("__int_as_float", "__uint_as_float", "__longlong_as_double"), "number"),
}
_FROM_BITS = ("__int_as_float", "__uint_as_float", "__longlong_as_double", "__hiloint2double")


def library_call(emit: Expressions, e: s.Call) -> str:
    """The call as C++ text. Reports CP0901 for a function that the oracle has no formula for."""
    name = e.callee.name.partition("<")[0]
    if isinstance(e.type, Struct) and name == f"make_{e.type.spelling}":
        return emit.rvalue(s.InitList(e.arguments, e.type, e.span))
    if is_host_call(name):
        return host_call(emit, e, name)
    arguments = [emit.rvalue(a) for a in e.arguments]
    types = [decay(a.type) for a in e.arguments]
    floating_place = any(isinstance(t, Pointer) and is_floating(t.pointee) for t in types)
    if POINTER_FUNCTIONS.get(name) == "atomic_add" and isinstance(e.type, Struct):
        return f"pointers::atomic_add<{spell(scalar_of(e.type.fields[0].type))}>({', '.join(arguments)})"
    if emit.swaps and name in _BITS:
        given = f"<{spell(e.type)}>({arguments[0]})" if len(arguments) == 1 else f"({_converted(emit, e)})"
        return f"swaps::{_BITS[name]}{given}"
    if name in POINTER_FUNCTIONS and (floating_place or name in _INTEGER_RESULT):
        return f"pointers::{POINTER_FUNCTIONS[name]}({', '.join(arguments)})"
    if name in STORES and len(types) == 2 and (is_floating(types[1]) or isinstance(types[1], Struct)):
        return f"store<{emit.classes.spell(types[1])}>{{{arguments[1]}, *{arguments[0]}}}"
    if e.callee.qualified_name == "cladpy::detached":  # what is marked as nondifferentiable
        return f"detached({arguments[0]})"
    if isinstance(e.type, Struct) or any(isinstance(t, Struct) for t in types):
        _unknown(emit, e, name)
        return arguments[0] if arguments else "0"
    qualified = f"std::{name}" if e.callee.qualified_name.startswith("std::") else f"::{name}"
    if e.callee.name.startswith("cladpy::") and "<" in e.callee.name:  # a question about a kernel, the same for all
        qualified = f"::{name}<void(), cladpy_oracle::any_kernel>"
    lets = "".join(f"auto a{i} = {text}; " for i, text in enumerate(arguments))
    values = ", ".join(f"plain(a{i})" for i in range(len(arguments)))
    call = f"{qualified}({values})"
    if name in VECTOR_NORMS and len(types) == 2 and isinstance(types[1], Pointer):
        reciprocal = "true" if VECTOR_NORMS[name] else "false"
        value = f"static_cast<{spell(e.type)}>({call})"
        return f"[&] {{ {lets}return pointers::norm_of({value}, a0, a1, {reciprocal}); }}()"
    if name in _SHUFFLES and is_floating(e.type):
        asked = ", ".join(f"a{i}" for i in range(2, len(arguments)))
        move = f"[&](auto v) {{ return ::{name}(a0, v, {asked}); }}"
        return f"[&] {{ {lets}return shuffled(a1, {move}); }}()"
    if name in HALF_ORDERS:
        larger = "true" if HALF_ORDERS[name] else "false"
        return f"[&] {{ {lets}return decided({call}, {larger}, a0, a1); }}()"
    if not is_floating(e.type):
        if any(_written(t) for t in types):
            _unknown(emit, e, name)
        return f"[&] {{ {lets}return {call}; }}()" if arguments else call
    value = f"static_cast<{spell(e.type)}>({call})"
    formula = FORMULA_OF.get(name)
    if formula is None:
        if name in _FROM_BITS or any(is_floating(t) or isinstance(t, Pointer) for t in types):
            _unknown(emit, e, name)
        return f"[&] {{ {lets}return constant({value}); }}()"
    duals = "".join(f", as_dual(a{i})" for i in range(len(arguments)))
    return f"[&] {{ {lets}return formula::{formula}({value}{duals}); }}()"


def _converted(emit: Expressions, e: s.Call) -> str:
    """The arguments, converted to the types of the parameters."""
    given = zip(e.callee.parameters, e.arguments, strict=True)
    return ", ".join(f"(({emit.classes.spell(t)})({emit.plain(a)}))" for t, a in given)


def _written(type: Type) -> bool:
    return isinstance(type, Pointer) and not type.const and bool(float_offsets(scalar_of(type)))


def _unknown(emit: Expressions, e: s.Call, name: str) -> None:
    emit.sink.error(
        "CP0901",
        f"the oracle has no derivative for '{name}'",
        e.span,
        hint="the gradient can still be computed; compare it with central differences of the primal instead",
    )
