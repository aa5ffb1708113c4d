"""Classes as types: their fields, where these lie, and the way from a class to a base or an unnamed member."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.marks import is_marked
from cladpy.frontend.names import qualified_name, without_paths
from cladpy.frontend.readers import readers_of
from cladpy.frontend.refused import Refused
from cladpy.ir.access import NOWHERE
from cladpy.ir.types import Array, Field, Record, Scalar, ScalarKind, Struct, Type, scalar_of, size_of

_Convert = Callable[[ClangType, Span], Type]
_UNNAMED = ("(anonymous struct", "(anonymous union", "(unnamed ")
_SCOPES = (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC)
_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE)
_CLASSES = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.UNION_DECL)


def _by_a_variable(declaration: Cursor) -> str:
    """An unnamed class at namespace scope, spelled through a variable there that has its type, or is an array of it;
    empty where there is none."""
    if declaration.parent.kind not in _SCOPES:
        return ""
    key = declaration.canonical.key
    for cursor in declaration.parent.children():
        if cursor.kind != CursorKind.VAR_DECL:
            continue
        element, subscripts = cursor.type.canonical, ""
        while element.kind == TypeKind.CONSTANT_ARRAY:
            element, subscripts = element.element.canonical, f"{subscripts}[0]"
        if element.declaration.canonical.key == key:
            name = f"::{qualified_name(cursor, with_arguments=False)}"
            type = f"std::remove_reference_t<decltype({name}{subscripts})>" if subscripts else f"decltype({name})"
            return f"std::remove_cv_t<{type}>"
    return ""


class Records:
    """The classes of one program, each made once."""

    def __init__(self, convert: _Convert, held_type: _Convert) -> None:
        """`convert` is for what memory may hold, `held_type` for what objects of std::function hold."""
        self._convert = convert
        self.held_type = held_type
        self.held: Callable[[Cursor], Iterable[ClangType]] = lambda declaration: ()
        self._structs: dict[tuple[int, int], Struct] = {}
        self._declarations: dict[str, Cursor] = {}
        self._fields: dict[tuple[int, int], Field] = {}
        self._cursors: dict[tuple[str, Field], Cursor] = {}
        self._grown: set[Type] = set()  # with what objects of std::function hold in them
        self._complex: dict[ScalarKind, Struct] = {}

    def struct(self, type: ClangType, span: Span) -> Struct:
        """The class that a canonical type names. Raises Refused for classes that have no counterpart."""
        declaration = type.declaration
        key = declaration.canonical.key
        known = self._structs.get(key)
        if known is not None:
            return known
        outer = declaration.parent
        if outer.kind in _CLASSES and any(u in type.spelling for u in _UNNAMED):
            self.struct(outer.type.canonical, span)  # knows its name
            if key in self._structs:
                return self._structs[key]
        spelling = without_paths(type.spelling.removeprefix("const ").removeprefix("volatile "))
        if any(u in spelling for u in _UNNAMED):
            spelling = _by_a_variable(declaration) or spelling
        entity = spelling
        while entity in self._declarations:
            entity += "'"  # another function's class of the same name
        struct = self._structs[key] = Struct(spelling, entity, Record())
        self._declarations[entity] = declaration
        try:
            self._fill(struct, type, span)
        except Refused:
            del self._structs[key], self._declarations[entity]
            raise
        return struct

    def _fill(self, struct: Struct, type: ClangType, span: Span) -> None:
        declaration = type.declaration
        fields = []
        for base in type.bases:
            if base.is_virtual_base:
                raise Refused("CP0130", span, f"'{struct.spelling}'")
            owner = self.struct(base.type.canonical, span)
            offset = declaration.offset_of_base(base)
            marked = is_marked(declaration)
            hidden = not base.is_public
            fields.append(Field("", owner, offset // 8, base=True, nondifferentiable=marked, hidden=hidden))
        record = struct.record
        readers = readers_of(struct.spelling, {f.spelling for f in type.fields})
        if fields:
            record.methods = frozenset(m.spelling for m in type.methods)
        record.is_lambda = struct.spelling.startswith("(lambda at")
        record.is_local = not record.is_lambda and declaration.parent.kind in _FUNCTIONS
        record.is_union = declaration.kind == CursorKind.UNION_DECL
        for i, cursor in enumerate(type.fields):
            name = cursor.spelling
            bits = cursor.bit_width
            if not name and bits is not None:
                continue  # padding
            field_type = self._convert(cursor.type, span)
            inner = scalar_of(field_type)
            if "(" in name:
                name = ""
            elif record.is_lambda:
                name = name or f"capture_{i}"
            elif isinstance(inner, Struct) and inner == field_type and any(u in inner.spelling for u in _UNNAMED):
                field_type = self._named(inner, f"decltype({struct.spelling}::{name})")
            offset = cursor.field_offset
            marked = is_marked(cursor, declaration)
            hidden = not cursor.is_public
            reader = None if readers is None else readers.get(name, "")
            field = Field(name, field_type, offset // 8, False, bits, marked, hidden, reader)
            self._fields[cursor.key] = field
            self._cursors[struct.entity, field] = cursor
            fields.append(field)
        held = [self.held_type(held, span) for held in self.held(declaration)]
        if any(_has_in_it(of, struct) for of in held):
            raise Refused("CP0105", span, f"'{struct.spelling}' holds a function with one of its own kind in it")
        fields += [Field(f"held_{i}", of, 0, hidden=True, reader=NOWHERE) for i, of in enumerate(held)]
        record.size, record.alignment = type.size, type.alignment
        if held or any(_element(f.type) in self._grown for f in fields):
            self._grown.add(struct)
            moved = dict(zip(fields, _laid_out(fields, record), strict=True))
            fields = list(moved.values())
            own = [c.key for c in type.fields if c.key in self._fields]
            self._fields |= {key: moved[self._fields[key]] for key in own}
            self._cursors |= {(e, moved[f]): c for (e, f), c in self._cursors.items() if e == struct.entity}
        record.fields = tuple(fields)
        # what stands in one place does not meet there if it is nothing, as CUB's storage is when it is read
        record.is_union = record.is_union and not all(_is_empty(f.type) for f in fields)

    def _named(self, struct: Struct, spelling: str) -> Struct:
        """An unnamed class, spelled through the member that has its type."""
        named = Struct(spelling, struct.entity, struct.record)
        for key, known in self._structs.items():
            if known is struct:
                self._structs[key] = named
        return named

    def complex(self, element: Type) -> Struct:
        """`__complex__ T`, as two fields, which have no names in C++."""
        assert isinstance(element, Scalar)
        if element.kind not in self._complex:
            size = size_of(element)
            parts = (Field("re", element, 0, hidden=True), Field("im", element, size, hidden=True))
            record = Record(parts, 2 * size, size)
            spelling = f"__complex__ {element.kind.value}"
            self._complex[element.kind] = Struct(spelling, spelling, record)
        return self._complex[element.kind]

    def closures(self) -> list[Struct]:
        """The classes of lambdas that are known by now."""
        return [s for s in self._structs.values() if s.record.is_lambda]

    def declaration(self, struct: Struct) -> Cursor | None:
        """The definition of a class; None for what is no class in C++."""
        return self._declarations.get(struct.entity)

    def field(self, declaration: Cursor, span: Span) -> tuple[Struct, Field]:
        """A data member and its class."""
        owner = self.struct(declaration.parent.type.canonical, span)
        if declaration.key not in self._fields:
            raise Refused("CP0198", span)  # of a class with errors clang shows no members
        return owner, self._fields[declaration.key]

    def default_value(self, struct: Struct, field: Field) -> Cursor | None:
        """The default member initialiser."""
        cursor = self._cursors.get((struct.entity, field))
        if cursor is None:
            return None
        found = [c for c in cursor.children() if is_expression(c.kind) and _follows_name(c, cursor)]
        if field.bits is not None:
            found = found[1:]
        # the arguments of templates and the bounds of arrays are there as well
        return found[-1] if found and found[-1].extent()[6] == cursor.extent()[6] else None

    def of_method(self, method: Cursor, span: Span) -> Struct:
        """The class of a member function."""
        return self.struct(method.parent.type.canonical, span)


def _follows_name(expression: Cursor, declaration: Cursor) -> bool:
    """Whether an expression in a declaration is written after the name, and so is no part of the type before it."""
    name, name_in_body = declaration.name_at()
    start = expression.extent()[3]
    if start == declaration.extent()[3] and name != name_in_body:  # all of it comes out of one macro's body
        return expression.spelled_at()[1] > name_in_body
    return start > name or start == declaration.extent()[3]


def is_complex(struct: Struct) -> bool:
    return struct.entity.startswith("__complex__ ")


def path_to(source: Struct, target: Struct) -> tuple[Field, ...] | None:
    """The fields that lead from an object to its base, or to an unnamed member of it; None where there is no way."""
    if source == target:
        return ()
    for field in source.fields:
        if field.name == "" and isinstance(field.type, Struct):
            rest = path_to(field.type, target)
            if rest is not None:
                return (field, *rest)
    return None


def _laid_out(fields: list[Field], record: Record) -> list[Field]:
    """The fields of a class one after the other, as it is in variables; says how large that is."""
    size, found = 0, []
    for field in fields:
        inner = _element(field.type)
        alignment = inner.record.alignment if isinstance(inner, Struct) else size_of(inner)
        found.append(replace(field, offset=-(-size // alignment) * alignment))
        size = found[-1].offset + size_of(field.type)
        record.alignment = max(record.alignment, alignment)
    record.size = -(-size // record.alignment) * record.alignment
    return found


def _element(type: Type) -> Type:
    """What an array is made of."""
    return _element(type.element) if isinstance(type, Array) else type


def _has_in_it(type: Type, struct: Struct) -> bool:
    """Whether objects of a type have one of a class in them, which may not be filled yet."""
    inner = _element(type)
    return isinstance(inner, Struct) and (inner is struct or any(_has_in_it(f.type, struct) for f in inner.fields))


def _is_empty(type: Type) -> bool:
    """Whether objects of a type have nothing in them."""
    if isinstance(type, Array):
        return _is_empty(type.element)
    return isinstance(type, Struct) and all(_is_empty(f.type) for f in type.fields)
