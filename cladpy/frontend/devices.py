"""Questions about the device: each property is a function of the device's number, so that it can be asked for again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.ir import surface as s
from cladpy.ir.symbols import (
    DEVICE_ATTRIBUTE,
    FREE_MEMORY,
    TOTAL_MEMORY,
    FunctionKind,
    FunctionSymbol,
    Role,
    Symbol,
)
from cladpy.ir.types import INT, ULONG, Array, Pointer, Scalar, Struct, Type

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

# The attributes that members of cudaDeviceProp hold; of arrays, those of the elements.
_MEMBERS: dict[str, tuple[int, ...]] = {
    "sharedMemPerBlock": (8,),
    "regsPerBlock": (12,),
    "warpSize": (10,),
    "maxThreadsPerBlock": (1,),
    "maxThreadsDim": (2, 3, 4),
    "maxGridSize": (5, 6, 7),
    "totalConstMem": (9,),
    "multiProcessorCount": (16,),
    "unifiedAddressing": (41,),
    "maxThreadsPerMultiProcessor": (39,),
    "major": (75,),
    "minor": (76,),
    "sharedMemPerMultiprocessor": (81,),
    "managedMemory": (83,),
    "concurrentManagedAccess": (89,),
    "cooperativeLaunch": (95,),
    "sharedMemPerBlockOptin": (97,),
}


def asked(name: str, arguments: list[s.Expr], error: Type, scope: FunctionReader, span: Span) -> s.Expr | None:
    """A call of the runtime that asks about the device; None for other calls."""
    if name == "cudaDeviceGetAttribute" and len(arguments) == 3 and isinstance(arguments[0].type, Pointer):
        place = s.Deref(arguments[0], arguments[0].type.pointee, span)
        value = _attribute(convert(arguments[1], INT), arguments[2], span)
        return s.Comma(
            s.Assign(place, convert(value, place.type), place.type, span), s.Literal(0, error, span), error, span
        )
    if name == "cudaMemGetInfo":
        result: s.Expr = s.Literal(0, error, span)
        for pointer, function in zip(arguments, (FREE_MEMORY, TOTAL_MEMORY), strict=True):
            if isinstance(pointer.type, Pointer):
                place = s.Deref(pointer, pointer.type.pointee, span)
                value = convert(s.Call(function, (), ULONG, span), place.type)
                result = s.Comma(s.Assign(place, value, place.type, span), result, error, span)
        return result
    if name != "cudaDeviceGetAttribute" and len(arguments) == 2:
        type = arguments[0].type
        if isinstance(type, Pointer) and isinstance(type.pointee, Struct):
            function = _properties(type, type.pointee, error, scope, span)
            return s.Call(function, (arguments[0], convert(arguments[1], INT)), error, span)
    return None


def _attribute(which: s.Expr, device: s.Expr, span: Span) -> s.Expr:
    return s.Call(DEVICE_ATTRIBUTE, (which, convert(device, INT)), INT, span)


def _properties(pointer: Pointer, struct: Struct, error: Type, scope: FunctionReader, span: Span) -> FunctionSymbol:
    """A function that asks for all members that have an attribute; others, such as the name, keep what they held."""
    name = "device_properties"
    function = FunctionSymbol(name, name, error, (pointer, INT), FunctionKind.HOST, span)
    properties = Symbol("properties", pointer, Role.PARAMETER, span)
    number = Symbol("device", INT, Role.PARAMETER, span)
    whole = s.Deref(s.VarRef(properties, pointer, span), struct, span)
    device = s.VarRef(number, INT, span)
    body: list[s.Stmt] = []
    fields = {field.name: field for field in struct.fields}
    for member, attributes in _MEMBERS.items():
        field = fields.get(member)
        for i, which in enumerate(attributes if field is not None else ()):
            assert field is not None
            place: s.Expr = s.Member(whole, field, field.type, span)
            if isinstance(field.type, Array):
                place = s.Index(place, s.Literal(i, INT, span), field.type.element, span)
            if isinstance(place.type, Scalar):
                value = convert(_attribute(s.Literal(which, INT, span), device, span), place.type)
                body.append(s.Evaluate(s.Assign(place, value, place.type, span), span))
    body.append(s.Return(s.Literal(0, error, span), span))
    scope.program.functions[function] = s.Function(function, (properties, number), s.Block(tuple(body), span), span)
    return function
