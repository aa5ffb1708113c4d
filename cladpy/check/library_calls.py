"""Calls of functions without a body: math, atomics, intrinsics, in forward mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy import known
from cladpy.check.classes import float_offsets
from cladpy.check.host_calls import host_call, is_host_call
from cladpy.check.library import FORMULA_OF, HALF_ORDERS, POINTER_FUNCTIONS, VECTOR_NORMS
from cladpy.ir import surface as s
from cladpy.ir.types import Pointer, Struct, Type, decay, is_floating, scalar_of, spell
from cladpy.known import Operation

if TYPE_CHECKING:
    from cladpy.check.expressions import Expressions

_INTEGER_RESULT = ("frexp", "frexpf", "remquo", "remquof")
_ATOMICS = {Operation.ADD: "atomic_add", Operation.EXCHANGE: "atomic_exchange"}  # in `cladpy_oracle::pointers`


def library_call(emit: Expressions, e: s.Call) -> str:
    """The call as C++ text. Reports CP0901 for a function that the oracle has no formula for."""
    name = e.callee.name.partition("<")[0]
    if isinstance(e.type, Struct) and name == f"make_{e.type.spelling}":
        return emit.rvalue(s.InitList(e.arguments, e.type, e.span))
    if is_host_call(name):
        return host_call(emit, e, name)
    arguments = [emit.rvalue(a) for a in e.arguments]
    types = [decay(a.type) for a in e.arguments]
    row = known.of(name)
    floating_place = any(isinstance(t, Pointer) and is_floating(t.pointee) for t in types)
    pointers = _ATOMICS.get(row.operation) if isinstance(row, known.Atomic) else POINTER_FUNCTIONS.get(name)
    if pointers == "atomic_add" and isinstance(e.type, Struct):
        return f"pointers::atomic_add<{spell(scalar_of(e.type.fields[0].type))}>({', '.join(arguments)})"
    swapped = _of_bits(row) if emit.swaps else None
    if swapped is not None:
        given = f"<{spell(e.type)}>({arguments[0]})" if len(arguments) == 1 else f"({_converted(emit, e)})"
        return f"swaps::{swapped}{given}"
    if pointers is not None and (floating_place or name in _INTEGER_RESULT):
        return f"pointers::{pointers}({', '.join(arguments)})"
    stored = types[1] if isinstance(row, known.CachedStore) and len(types) == 2 else None
    if stored is not None and (is_floating(stored) or isinstance(stored, Struct)):
        return f"store<{emit.classes.spell(stored)}>{{{arguments[1]}, *{arguments[0]}}}"
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
    if isinstance(row, known.Collective) and row.gives is known.Gives.NUMBER and is_floating(e.type):
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
        if _makes_number(row) or any(is_floating(t) or isinstance(t, Pointer) for t in types):
            _unknown(emit, e, name)
        return f"[&] {{ {lets}return constant({value}); }}()"
    duals = "".join(f", as_dual(a{i})" for i in range(len(arguments)))
    return f"[&] {{ {lets}return formula::{formula}({value}{duals}); }}()"


def _of_bits(row: known.Known | None) -> str | None:
    """The function in `cladpy_oracle::swaps` for what takes the bits of numbers."""
    match row:
        case known.Atomic(operation=Operation.SWAP):
            return "swap"
        case known.Bits(whole=True, is_half=False, to_integer=to_integer):
            return "of" if to_integer else "number"
        case known.Bits(whole=False, to_integer=to_integer):
            return row.name.removeprefix("__") if to_integer else "joined"
        case _:
            return None


def _makes_number(row: known.Known | None) -> bool:
    """Whether a function gives a number of 32 or 64 bits by its bits, which may have been those of a number before."""
    return isinstance(row, known.Bits) and not row.to_integer and not row.is_half


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
