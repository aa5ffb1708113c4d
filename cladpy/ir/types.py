"""C++ types as cladpy sees them, shared by the surface and the core grammar.

Types are frozen values and compare by structure. `spell` and `declare` give their C++ text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from cladpy.ir.never import assert_never


class ScalarKind(Enum):
    """An arithmetic type; the value is its C++ spelling."""

    BOOL = "bool"
    CHAR = "char"
    SCHAR = "signed char"
    UCHAR = "unsigned char"
    SHORT = "short"
    USHORT = "unsigned short"
    INT = "int"
    UINT = "unsigned int"
    LONG = "long"
    ULONG = "unsigned long"
    LONGLONG = "long long"
    ULONGLONG = "unsigned long long"
    HALF = "__half"
    BFLOAT16 = "__nv_bfloat16"
    FLOAT = "float"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number. Of an enumeration it is the underlying integer: `enum` is how C++ spells the type of memory, of a
    function's parameters and of its results; it makes no other type."""

    kind: ScalarKind
    enum: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Void:
    pass


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer; `const` says that the pointee may not be written through it."""

    pointee: Type
    const: bool = False
    restrict: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """An lvalue reference. Only parameters and variables have reference type; expressions have the referee's."""

    referee: Type
    const: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """An array of known length; several dimensions are arrays of arrays."""

    element: Type
    length: int


@dataclass(frozen=True, slots=True)
class Opaque:
    """A type that cladpy only passes on by its spelling (`char const*` of a format, a stream handle)."""

    spelling: str


@dataclass(frozen=True, slots=True)
class Field:
    """A data member, in order of declaration; base classes come first, as fields with `base` set. A member of an
    unnamed struct or union has its owner as a field without a name in between."""

    name: str
    type: Type
    offset: int  # in bytes
    base: bool = False
    bits: int | None = None  # of a bit-field
    nondifferentiable: bool = False  # marked, as a member or by its class
    hidden: bool = False  # private or protected: generated code must not name it
    reader: str | None = None  # how C++ asks for it, `{b}` being the object, where the compiler's class is another; ""
    # where that cannot be asked


@dataclass(slots=True, eq=False)
class Record:
    """The definition of a class. Filled after the type exists, since a class may point to itself."""

    fields: tuple[Field, ...] = ()
    size: int = 0
    alignment: int = 1
    is_union: bool = False
    is_lambda: bool = False
    is_local: bool = False  # of a function, and no lambda's: it has no name outside of that
    methods: frozenset[str] = frozenset()  # the names of its member functions, of a class with bases


@dataclass(frozen=True, slots=True)
class Struct:
    """A class, struct, union or closure. Types are equal where they are the same entity; the definition is not
    compared."""

    spelling: str  # C++ text that names it: "float4", "ns::Vec<double>"
    entity: str  # unique among the program's classes
    record: Record = field(compare=False, repr=False)

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.record.fields


Type = Scalar | Void | Pointer | Reference | Array | Opaque | Struct

VOID = Void()
ASIDE = Opaque("cladpy::aside")  # objects that hold no numbers: text, and streams of the C++ library
KERNEL = Opaque("const void *")  # a kernel that is named and not called
STREAM = Opaque("CUstream_st *")  # cudaStream_t
BOOL = Scalar(ScalarKind.BOOL)
CHAR = Scalar(ScalarKind.CHAR)
INT = Scalar(ScalarKind.INT)
UINT = Scalar(ScalarKind.UINT)
LONG = Scalar(ScalarKind.LONG)
ULONG = Scalar(ScalarKind.ULONG)
HALF = Scalar(ScalarKind.HALF)
BFLOAT16 = Scalar(ScalarKind.BFLOAT16)
FLOAT = Scalar(ScalarKind.FLOAT)
DOUBLE = Scalar(ScalarKind.DOUBLE)

# Conversion rank of the integer kinds, their width in bits (LP64) and signedness.
_INTEGERS: dict[ScalarKind, tuple[int, int, bool]] = {
    ScalarKind.BOOL: (0, 8, False),
    ScalarKind.CHAR: (1, 8, True),
    ScalarKind.SCHAR: (1, 8, True),
    ScalarKind.UCHAR: (1, 8, False),
    ScalarKind.SHORT: (2, 16, True),
    ScalarKind.USHORT: (2, 16, False),
    ScalarKind.INT: (3, 32, True),
    ScalarKind.UINT: (3, 32, False),
    ScalarKind.LONG: (4, 64, True),
    ScalarKind.ULONG: (4, 64, False),
    ScalarKind.LONGLONG: (5, 64, True),
    ScalarKind.ULONGLONG: (5, 64, False),
}

_UNSIGNED_OF = {
    ScalarKind.INT: ScalarKind.UINT,
    ScalarKind.LONG: ScalarKind.ULONG,
    ScalarKind.LONGLONG: ScalarKind.ULONGLONG,
}


_FLOATING = frozenset({ScalarKind.HALF, ScalarKind.BFLOAT16, ScalarKind.FLOAT, ScalarKind.DOUBLE})


def is_floating(type: Type) -> bool:
    return isinstance(type, Scalar) and type.kind in _FLOATING


def is_half(type: Type) -> bool:
    """A number of sixteen bits, of either format: a class of CUDA's headers, with functions for what others have
    operators for."""
    return isinstance(type, Scalar) and type.kind in (ScalarKind.HALF, ScalarKind.BFLOAT16)


def has_floating(type: Type) -> bool:
    """Whether floating-point numbers are part of an object, or where its pointers lead."""
    seen: set[Struct] = set()

    def look(type: Type) -> bool:
        type = scalar_of(type)
        if not isinstance(type, Struct):
            return is_floating(type)
        if type in seen:
            return False
        seen.add(type)
        return any(look(f.type) for f in type.fields)

    return look(type)


def is_integer(type: Type) -> bool:
    """Integers, characters and bool."""
    return isinstance(type, Scalar) and type.kind in _INTEGERS


def is_signed(type: Type) -> bool:
    return isinstance(type, Scalar) and (is_floating(type) or _INTEGERS[type.kind][2])


def size_of(type: Type) -> int:
    """Bytes of an object of this type on the LP64 platforms that CUDA supports."""
    match type:
        case Scalar(kind):
            if is_half(type):
                return 2
            if kind is ScalarKind.FLOAT:
                return 4
            if kind is ScalarKind.DOUBLE:
                return 8
            return _INTEGERS[kind][1] // 8
        case Pointer() | Reference():
            return 8
        case Opaque(spelling) if spelling.endswith("*"):
            return 8
        case Array(element, length):
            return size_of(element) * length
        case Struct(record=record):
            return record.size
        case _:
            raise ValueError(f"{spell(type)} has no size")


def numbers_of(type: Type) -> Scalar | None:
    """The type of floating-point numbers that a type is made of, if it is made of nothing else."""
    match type:
        case Scalar():
            return type if is_floating(type) else None
        case Array(element):
            return numbers_of(element)
        case Struct(record=record):
            found = {numbers_of(f.type) for f in type.fields}
            whole = next(iter(found)) if len(found) == 1 and not record.is_union else None
            return whole if whole is not None and sum(size_of(f.type) for f in type.fields) == record.size else None
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Run:
    """Floating-point numbers of one type that lie one after the other in an object."""

    type: Scalar
    offset: int  # in bytes
    count: int


LARGEST_LAYOUT = 64  # runs


def runs_of(type: Type) -> tuple[Run, ...] | None:
    """The floating-point numbers in an object, among others. None for objects with pointers, halves or unions of
    numbers, and for those with very many runs."""
    found: list[Run] = []
    if not _add_runs(type, 0, found) or len(found) > LARGEST_LAYOUT:
        return None
    return tuple(found)


def _add_runs(type: Type, offset: int, found: list[Run]) -> bool:
    match type:
        case Scalar() if is_half(type):
            return False
        case Scalar():
            if not is_floating(type):
                return True
            last = found[-1] if found else None
            if last is not None and last.type == type and last.offset + last.count * size_of(type) == offset:
                found[-1] = Run(type, last.offset, last.count + 1)
            else:
                found.append(Run(type, offset, 1))
            return True
        case Array(element, length):
            return all(
                len(found) <= LARGEST_LAYOUT and _add_runs(element, offset + i * size_of(element), found)
                for i in range(length)
            )
        case Struct(record=record) if not record.is_union:
            return all(_add_runs(f.type, offset + f.offset, found) for f in record.fields)
        case Struct():
            return not has_floating(type)
        case _:
            return False


def strip_reference(type: Type) -> Type:
    return type.referee if isinstance(type, Reference) else type


def scalar_of(type: Type) -> Type:
    """What is left when pointers, references and array dimensions are taken off."""
    while True:
        match type:
            case Pointer(pointee):
                type = pointee
            case Reference(referee):
                type = referee
            case Array(element):
                type = element
            case _:
                return type


def vector_in(type: Type) -> Pointer | None:
    """What leads to the elements of a library's vector, or of an object that is nothing besides; None for another."""
    if not isinstance(type, Struct):
        return None
    data = next((f.type for f in type.fields if f.reader and isinstance(f.type, Pointer)), None)
    only = type.fields[0] if len(type.fields) == 1 and type.fields[0].base else None
    return vector_in(only.type) if data is None and only is not None else data


def rows_in(type: Type) -> Pointer | None:
    """What leads to the elements of a vector of vectors, or of other objects that lead to memory; None for another."""
    data = vector_in(type)
    return data if data is not None and holds_pointers(data.pointee) else None


def is_of_numbers(type: Type) -> bool:
    """Whether an object of this type is made of numbers alone, each in a place of its own."""
    match type:
        case Array(element):
            return is_of_numbers(element)
        case Struct(record=record):
            return not record.is_union and all(is_of_numbers(f.type) for f in record.fields)
        case _:
            return isinstance(type, Scalar)


def holds_pointers(type: Type) -> bool:
    """Whether an object of this type holds a pointer or a reference, at any depth: whether it leads to other memory."""
    match type:
        case Pointer() | Reference():
            return True
        case Array(element):
            return holds_pointers(element)
        case Struct():
            return any(holds_pointers(f.type) for f in type.fields)
        case _:
            return False


def taken(type: Type) -> Type:
    """A parameter's type as what passes arguments has it: an array is a pointer, a handle by reference a handle."""
    if isinstance(type, Reference) and isinstance(type.referee, Opaque):
        return type.referee
    return decay(type)


def decay(type: Type) -> Type:
    """The pointer type that an array becomes when it is passed or used in arithmetic."""
    return Pointer(type.element) if isinstance(type, Array) else type


def promote(type: Scalar) -> Scalar:
    """Integral promotion ([conv.prom])."""
    if type.kind in _INTEGERS and _INTEGERS[type.kind][0] < 3:
        return INT
    return type


def arithmetic_conversion(left: Scalar, right: Scalar) -> Scalar:
    """The usual arithmetic conversions ([expr.arith.conv])."""
    if left == right and is_floating(left):
        return left
    for kind in (ScalarKind.DOUBLE, ScalarKind.FLOAT):
        if kind in (left.kind, right.kind):
            return Scalar(kind)
    left, right = promote(left), promote(right)
    if left == right:
        return left
    left_rank, left_bits, left_signed = _INTEGERS[left.kind]
    right_rank, right_bits, right_signed = _INTEGERS[right.kind]
    if left_signed == right_signed:
        return left if left_rank > right_rank else right
    signed, unsigned = (left, right) if left_signed else (right, left)
    signed_rank, signed_bits = (left_rank, left_bits) if left_signed else (right_rank, right_bits)
    unsigned_rank, unsigned_bits = (right_rank, right_bits) if left_signed else (left_rank, left_bits)
    if unsigned_rank >= signed_rank:
        return unsigned
    if signed_bits > unsigned_bits:
        return signed
    return Scalar(_UNSIGNED_OF[signed.kind])


def spell(type: Type) -> str:
    """The type as C++ text, such as `const double *__restrict__`."""
    return declare(type, "")


def declare(type: Type, name: str) -> str:
    """A declaration of `name` with this type, without initialiser: `double a[3]`, `const float *p`."""
    match type:
        case Void():
            return f"void {name}".rstrip()
        case Scalar(kind):
            return f"{kind.value} {name}".rstrip()
        case Opaque(spelling) | Struct(spelling):
            return f"{spelling} {name}".rstrip()
        case Pointer(pointee, const, restrict):
            inner = f"*{'__restrict__ ' if restrict else ''}{name}".rstrip()
            if isinstance(pointee, Array):
                inner = f"({inner})"
            if const and isinstance(pointee, Pointer):
                return _declare_memory(pointee, f"const {inner}")  # `const` of a pointer stands behind its star
            return ("const " if const else "") + _declare_memory(pointee, inner)
        case Reference(referee, const):
            inner = f"&{name}"
            if isinstance(referee, Array):
                inner = f"({inner})"
            if const and (isinstance(referee, Pointer) or spell(referee).endswith("*")):  # a handle may be a pointer
                return _declare_memory(referee, f"const {inner}")
            return ("const " if const else "") + _declare_memory(referee, inner)
        case Array(element, length):
            return _declare_memory(element, f"{name}[{length}]")
        case _:
            assert_never(type)


def _declare_memory(type: Type, name: str) -> str:
    """Memory has the type of an enumeration, values are integers."""
    if isinstance(type, Scalar) and type.enum:
        return f"{type.enum} {name}".rstrip()
    return declare(type, name)
