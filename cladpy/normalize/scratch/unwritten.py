"""Memory that the call has not written: filled with bytes that no number is made of."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.diagnostics import NOWHERE, Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import INT, ULONG, VOID, Field, Pointer, Struct, Type, holds_pointers, size_of

_UNWRITTEN = 255  # each byte of a number that is none
_VOID = Pointer(VOID)
_FILLS = {
    side: FunctionSymbol(name, name, result, (_VOID, INT, ULONG), FunctionKind.HOST, NOWHERE, in_system_header=True)
    for side, name, result in ((True, "cudaMemset", INT), (False, "memset", _VOID))
}
_VECTORS = {
    "std::vector<": core.Side.HOST,
    "thrust::host_vector<": core.Side.HOST,
    "thrust::device_vector<": core.Side.DEVICE,
}


def filled(pointer: s.Expr, bytes: s.Expr, side: core.Side, span: Span) -> s.Call:
    fill = _FILLS[side is core.Side.DEVICE]
    given = (s.Cast(pointer, _VOID, span), s.Literal(_UNWRITTEN, INT, span), bytes)
    return s.Call(fill, given, fill.result, span)


def filled_object(place: s.Expr, span: Span) -> Iterator[s.Expr]:
    """The same for the vectors in an object. Raises Unknown where it leads to memory of a length that is not known."""
    assert isinstance(place.type, Struct)
    side = next((side for name, side in _VECTORS.items() if place.type.spelling.startswith(name)), None)
    if side is None:
        for field in place.type.fields:
            if isinstance(field.type, Struct):
                yield from filled_object(s.Member(place, field, field.type, span), span)
            elif holds_pointers(field.type):
                raise Unknown
        return
    data, size = (_field(place.type, name) for name in ("data_", "size_"))
    pointer = s.Member(place, data, data.type, span)
    assert isinstance(data.type, Pointer)
    if holds_pointers(data.type.pointee):
        raise Unknown
    count = s.Cast(s.Member(place, size, size.type, span), ULONG, span)
    bytes = s.Binary(BinaryOp.MUL, count, s.Literal(size_of(data.type.pointee), ULONG, span), ULONG, span)
    yield filled(pointer, bytes, side, span)


class Unknown(Exception):
    """Memory whose length nothing says."""


def _field(type: Struct, name: str) -> Field:
    waiting: list[Type] = [type]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Struct):
            found = next((f for f in here.fields if f.name == name), None)
            if found is not None:
                return found
            waiting += [f.type for f in here.fields if f.base]
    raise Unknown
