"""clang's types as types of the intermediate representation."""

from __future__ import annotations

import re

from cladpy.diagnostics import Span
from cladpy.frontend.indirect import leads_to_function, signature
from cladpy.frontend.kinds import CursorKind, TypeKind
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.names import without_paths, without_qualifiers
from cladpy.frontend.records import Records
from cladpy.frontend.refused import Refused
from cladpy.ir.types import ASIDE, ULONG, VOID, Array, Opaque, Pointer, Reference, Scalar, ScalarKind, Struct, Type

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

# Classes of CUDA's headers that are numbers, and those that are too small to have derivatives.
_HALVES = {"__half": ScalarKind.HALF, "__nv_bfloat16": ScalarKind.BFLOAT16}
_SMALL = re.compile(r"^(struct )?__nv_fp[468]\w*$")
_CLASSES = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.UNION_DECL)
_NAMED_SCOPES = (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, *_CLASSES)
_ASIDE = re.compile(
    r"std::(?:__\w+::)*(?:basic_(?!ios\b)\w*(?:stream|string|string_view)<|ios_base$|_Set|_Resetios"
    r"|exception$|bad_\w+$|(?:\w+_error|invalid_argument|out_of_range)$)"
)
# What FILE is, in the C libraries that there are.
_FILES = ("_IO_FILE", "__sFILE", "__sFILE64", "__FILE")
_TEXTURE = re.compile(r"\b(cudaTextureObject_t|cudaSurfaceObject_t|texture<|surface<|textureReference)")


_OF_FUNCTIONS = (TypeKind.FUNCTION_PROTO, TypeKind.FUNCTION_NO_PROTO)
# Of a pointer to a function: its number among those that the program makes pointers to, 0 for null.
FUNCTION = ULONG


class Types:
    """Converts types, each once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Type] = {}
        self.records = Records(self._convert_member, self.convert)
        self.has_volatile = False  # whether something that was asked for is volatile, which no type here says
        self._volatile: set[tuple[int, int]] = set()

    def convert(self, type: ClangType, span: Span) -> Type:
        """Raises Refused for what the intermediate representation has no type for."""
        key = type.key
        known = self._known.get(key)
        self.has_volatile |= key in self._volatile
        if known is None:
            before, self.has_volatile = self.has_volatile, False
            known = self._convert(type, span)
            if self.has_volatile:
                self._volatile.add(key)
            self.has_volatile |= before
            if not isinstance(known, Struct):  # those know themselves, and may get a name later
                self._known[key] = known
        return known

    def _convert(self, type: ClangType, span: Span) -> Type:
        if _TEXTURE.search(type.spelling):
            raise Refused("CP0110", span, f"'{type.spelling}'")
        canonical = type.canonical
        kind = canonical.kind
        if canonical.is_volatile:
            self.has_volatile = True
        if kind in _SCALARS:
            return Scalar(_SCALARS[kind])
        match kind:
            case TypeKind.VOID:
                return VOID
            case TypeKind.NULLPTR:
                return Pointer(VOID)
            case TypeKind.ENUM:
                return self._enumeration(canonical, span)
            case TypeKind.POINTER:
                return self._pointer(type, canonical, span)
            case TypeKind.LVALUE_REFERENCE | TypeKind.RVALUE_REFERENCE:
                referee = canonical.pointee
                if referee.kind == TypeKind.FUNCTION_PROTO:
                    raise Refused("CP0105", span, f"'{type.spelling}'")
                refuse_functions(referee, span)
                return Reference(self.convert(referee, span), is_const(referee))
            case TypeKind.CONSTANT_ARRAY | TypeKind.INCOMPLETE_ARRAY:
                refuse_functions(canonical.element, span)
                element = self.convert(canonical.element, span)
                return Array(element, canonical.length if kind == TypeKind.CONSTANT_ARRAY else 0)
            case TypeKind.VARIABLE_ARRAY:
                element = self.convert(canonical.element, span)
                if not isinstance(element, Scalar | Opaque):
                    raise Refused("CP0115", span)
                return Pointer(element)  # which is what is left of one behind its declaration
            case TypeKind.RECORD:
                return self._record(canonical, span)
            case TypeKind.COMPLEX:
                return self.records.complex(self.convert(canonical.complex_element, span))
            case TypeKind.HALF | TypeKind.FLOAT16 | TypeKind.BFLOAT16:
                raise Refused("CP0111", span, f"'{type.spelling}'")
            case _ if kind in _OF_FUNCTIONS:  # of `c ? f : g`
                return FUNCTION
            case TypeKind.MEMBER_POINTER:
                raise Refused("CP0105", span, f"'{type.spelling}'")
            case TypeKind.DEPENDENT | TypeKind.INVALID | TypeKind.UNEXPOSED:
                raise Refused("CP0198", span)
            case _:
                raise Refused("CP0112", span, f"'{type.spelling}'")

    def _enumeration(self, canonical: ClangType, span: Span) -> Type:
        """Its integer, with its name where that can be used at namespace scope."""
        declaration = canonical.declaration
        integer = self.convert(declaration.enum_type, span)
        name = without_paths(canonical.spelling.removeprefix("const "))
        if not isinstance(integer, Scalar) or "(" in name or not _is_named_everywhere(declaration):
            return integer
        return Scalar(integer.kind, name)

    def _convert_member(self, type: ClangType, span: Span) -> Type:
        _refuse_volatile(type, span)
        refuse_functions(type, span)
        return self.convert(type, span)

    def _pointer(self, type: ClangType, canonical: ClangType, span: Span) -> Type:
        pointee = canonical.pointee
        if leads_to_function(canonical):
            return FUNCTION
        refuse_functions(pointee, span)
        if pointee.kind == TypeKind.VARIABLE_ARRAY:
            raise Refused("CP0115", span)
        if pointee.kind == TypeKind.RECORD and is_handle(pointee.declaration):
            return Opaque(without_qualifiers(canonical.spelling))
        return Pointer(self.convert(pointee, span), is_const(pointee), canonical.is_restrict)

    def _record(self, canonical: ClangType, span: Span) -> Type:
        bare = canonical.spelling.removeprefix("const ").removeprefix("volatile ")
        if is_aside(canonical):
            return ASIDE
        if _SMALL.match(bare):
            raise Refused("CP0111", span, f"'{bare}'")
        half = half_kind(canonical)
        if half is not None:
            return Scalar(half)
        return self.records.struct(canonical, span)


def is_function(type: ClangType) -> bool:
    """Whether it is a function's own type, which an expression has before it becomes a pointer."""
    return type.canonical.kind in _OF_FUNCTIONS


def refuse_functions(type: ClangType, span: Span) -> None:
    """A pointer to a function is known as a number where nothing but what is read holds it: no memory does."""
    if leads_to_function(type.canonical):
        raise Refused("CP0105", span, f"'{type.spelling}'")


def refuse_another_function(source: ClangType, target: ClangType, span: Span) -> None:
    """What stands for a pointer to a function means nothing as one to a function of another type, nor as an address."""
    pointers = [leads_to_function(t.canonical) or is_function(t) for t in (source, target)]
    if any(pointers) and not (all(pointers) and signature(source) == signature(target)):
        raise Refused("CP0105", span, f"'{(source if pointers[0] else target).spelling}'")


def is_handle(declaration: Cursor) -> bool:
    """Whether pointers to a class are only passed on, such as cudaStream_t and FILE *."""
    return declaration.definition is None or (declaration.spelling in _FILES and declaration.in_system_header)


def is_aside(type: ClangType) -> bool:
    """Whether a class of the C++ library holds no numbers that matter: text, streams and what they are told, and
    exceptions."""
    canonical = type.canonical
    return canonical.kind == TypeKind.RECORD and _ASIDE.match(canonical.spelling.removeprefix("const ")) is not None


def _refuse_volatile(type: ClangType, span: Span) -> None:
    """Raises Refused for a type that is volatile, or a pointer to one that is."""
    for part in (type.canonical, type.canonical.pointee):
        if part.is_volatile:
            raise Refused("CP0116", span, f"'{part.spelling}'")


def half_kind(type: ClangType) -> ScalarKind | None:
    """Which number of sixteen bits a type is: to C++ it is a class."""
    canonical = type.canonical
    kind = _HALVES.get(canonical.spelling.removeprefix("const "))
    return kind if kind is not None and canonical.declaration.in_system_header else None


def _is_named_everywhere(declaration: Cursor) -> bool:
    """Whether a name can be used at namespace scope: it is not a function's own, nor hidden in a class."""
    while declaration.kind != CursorKind.TRANSLATION_UNIT:
        scope = declaration.parent
        if scope.kind not in _NAMED_SCOPES or (scope.kind in _CLASSES and not declaration.is_public):
            return False
        declaration = scope
    return True


def is_const(type: ClangType) -> bool:
    """Whether an object of this canonical type may not be written; of an array, its elements."""
    while not type.is_const:
        if type.kind not in (TypeKind.CONSTANT_ARRAY, TypeKind.INCOMPLETE_ARRAY):
            return False
        type = type.element
    return True
