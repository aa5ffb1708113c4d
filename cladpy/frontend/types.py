"""clang's types as types of the intermediate representation."""

from __future__ import annotations

import re

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import TypeKind
from cladpy.frontend.libclang import ClangType
from cladpy.frontend.refused import Refused
from cladpy.ir.types import VOID, Array, Opaque, Pointer, Reference, Scalar, ScalarKind, Type

_SCALARS: dict[int, ScalarKind] = {
    TypeKind.BOOL: ScalarKind.BOOL,
    TypeKind.CHAR_S: ScalarKind.CHAR,
    TypeKind.CHAR_U: ScalarKind.CHAR,
    TypeKind.SCHAR: ScalarKind.SCHAR,
    TypeKind.UCHAR: ScalarKind.UCHAR,
    TypeKind.SHORT: ScalarKind.SHORT,
    TypeKind.USHORT: ScalarKind.USHORT,
    TypeKind.INT: ScalarKind.INT,
    TypeKind.UINT: ScalarKind.UINT,
    TypeKind.LONG: ScalarKind.LONG,
    TypeKind.ULONG: ScalarKind.ULONG,
    TypeKind.LONGLONG: ScalarKind.LONGLONG,
    TypeKind.ULONGLONG: ScalarKind.ULONGLONG,
    TypeKind.FLOAT: ScalarKind.FLOAT,
    TypeKind.DOUBLE: ScalarKind.DOUBLE,
}

_HALF = re.compile(r"^(struct )?(__half|__half2|half|half2|__nv_bfloat16|__nv_bfloat162|__nv_fp8\w*)$")
_TEXTURE = re.compile(r"\b(cudaTextureObject_t|cudaSurfaceObject_t|texture<|surface<|textureReference)")


class Types:
    """Converts types, each once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Type] = {}

    def convert(self, type: ClangType, span: Span) -> Type:
        """Raises Refused for what the intermediate representation has no type for."""
        key = type.key
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._convert(type, span)
        return known

    def _convert(self, type: ClangType, span: Span) -> Type:
        if _TEXTURE.search(type.spelling):
            raise Refused("CP0110", span, f"'{type.spelling}'")
        canonical = type.canonical
        if canonical.is_volatile:
            raise Refused("CP0116", span, f"'{type.spelling}'")
        kind = canonical.kind
        if kind in _SCALARS:
            return Scalar(_SCALARS[kind])
        match kind:
            case TypeKind.VOID:
                return VOID
            case TypeKind.NULLPTR:
                return Pointer(VOID)
            case TypeKind.ENUM:
                return self.convert(canonical.declaration.enum_type, span)
            case TypeKind.POINTER:
                return self._pointer(type, canonical, span)
            case TypeKind.LVALUE_REFERENCE:
                referee = canonical.pointee
                if referee.kind == TypeKind.FUNCTION_PROTO:
                    raise Refused("CP0105", span, f"'{type.spelling}'")
                return Reference(self.convert(referee, span), is_const(referee))
            case TypeKind.RVALUE_REFERENCE:
                raise Refused("CP0125", span, f"'{type.spelling}'")
            case TypeKind.CONSTANT_ARRAY | TypeKind.INCOMPLETE_ARRAY:
                element = self.convert(canonical.element, span)
                if isinstance(element, Pointer):
                    raise Refused("CP0121", span, f"'{type.spelling}'")
                return Array(element, canonical.length if kind == TypeKind.CONSTANT_ARRAY else 0)
            case TypeKind.VARIABLE_ARRAY:
                raise Refused("CP0115", span)
            case TypeKind.RECORD:
                raise self._record(type, span)
            case TypeKind.HALF | TypeKind.FLOAT16 | TypeKind.BFLOAT16:
                raise Refused("CP0111", span, f"'{type.spelling}'")
            case TypeKind.FUNCTION_PROTO | TypeKind.FUNCTION_NO_PROTO | TypeKind.MEMBER_POINTER:
                raise Refused("CP0105", span, f"'{type.spelling}'")
            case TypeKind.DEPENDENT | TypeKind.INVALID | TypeKind.UNEXPOSED:
                raise Refused("CP0198", span)
            case _:
                raise Refused("CP0112", span, f"'{type.spelling}'")

    def _pointer(self, type: ClangType, canonical: ClangType, span: Span) -> Type:
        pointee = canonical.pointee
        if pointee.kind in (TypeKind.FUNCTION_PROTO, TypeKind.FUNCTION_NO_PROTO):
            raise Refused("CP0105", span, f"'{type.spelling}'")
        if pointee.kind == TypeKind.RECORD and pointee.declaration.definition is None:
            return Opaque(type.spelling)  # a handle, such as cudaStream_t
        return Pointer(self.convert(pointee, span), is_const(pointee), canonical.is_restrict)

    @staticmethod
    def _record(type: ClangType, span: Span) -> Refused:
        bare = type.canonical.spelling.removeprefix("const ")
        if _HALF.match(bare):
            return Refused("CP0111", span, f"'{bare}'")
        if "(lambda at" in bare:
            return Refused("CP0106", span)
        return Refused("CP0107", span, f"'{type.spelling.removeprefix('const ')}'")


def is_const(type: ClangType) -> bool:
    """Whether an object of this canonical type may not be written; of an array, its elements."""
    while not type.is_const:
        if type.kind not in (TypeKind.CONSTANT_ARRAY, TypeKind.INCOMPLETE_ARRAY):
            return False
        type = type.element
    return True
