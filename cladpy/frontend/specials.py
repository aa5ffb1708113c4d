"""What the special member functions of a class are: written by the user, or the compiler's own."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.records import Records
from cladpy.ir.types import Array, Struct, Type


class Specials:
    """Answers questions about classes; all of them look into bases and members too."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def constructors(self, struct: Struct) -> list[Cursor]:
        """Those that are not templates and can be called."""
        declaration = self._records.declaration(struct)
        if declaration is None:
            return []
        return [m for m in declaration.type.methods if m.kind == CursorKind.CONSTRUCTOR and not m.is_deleted]

    def default_constructor(self, struct: Struct) -> Cursor | None:
        """The default constructor that the user wrote."""
        return next((c for c in self.constructors(struct) if c.is_default_constructor and not c.is_defaulted), None)

    def copy_constructor(self, struct: Struct, *, moves: bool = False) -> Cursor | None:
        """The constructor that the user wrote for a copy, or one that `moves`; the other, where there is no such."""
        found = [c for c in self.constructors(struct) if c.is_copy_or_move_constructor]
        return _written([c for c in found if c.is_copy_constructor != moves] or found)

    def assignment(self, struct: Struct, *, moves: bool = False) -> Cursor | None:
        """The assignment that the user wrote for a copy, or one that `moves`; the other, where there is no such."""
        declaration = self._records.declaration(struct)
        methods = [m for m in declaration.type.methods if not m.is_deleted] if declaration is not None else []
        found = [m for m in methods if m.is_copy_assignment or m.is_move_assignment]
        return _written([m for m in found if m.is_copy_assignment != moves] or found)

    def needs_construction(self, type: Type) -> bool:
        """Whether an object that is not initialised gets values all the same."""
        type = _element(type)
        if not isinstance(type, Struct):
            return False
        if self.default_constructor(type) is not None:
            return True
        return any(
            self._records.default_value(type, field) is not None or self.needs_construction(field.type)
            for field in type.fields
        )

    def copies_plainly(self, type: Type) -> bool:
        """Whether a copy is the same values; else a constructor of the user's makes it."""
        type = _element(type)
        if not isinstance(type, Struct):
            return True
        return not any(c.is_copy_or_move_constructor and not c.is_defaulted for c in self.constructors(type)) and all(
            self.copies_plainly(field.type) for field in type.fields
        )

    def assigns_plainly(self, type: Type) -> bool:
        type = _element(type)
        if not isinstance(type, Struct):
            return True
        own = (self.assignment(type), self.assignment(type, moves=True))
        return own == (None, None) and all(self.assigns_plainly(field.type) for field in type.fields)

    def destructor(self, type: Type) -> Cursor | None:
        """A destructor that does something: the class's own, or one of its members."""
        type = _element(type)
        if not isinstance(type, Struct):
            return None
        own = self.own_destructor(type)
        if own is not None:
            return own
        return next((d for f in type.fields if (d := self.destructor(f.type)) is not None), None)

    def own_destructor(self, struct: Struct) -> Cursor | None:
        """The destructor that the user wrote, where that does something."""
        declaration = self._records.declaration(struct)
        for method in declaration.type.methods if declaration is not None else []:
            if method.kind == CursorKind.DESTRUCTOR and not method.is_defaulted and not _is_empty(method):
                return method
        return None

    def is_aggregate(self, struct: Struct) -> bool:
        """Whether braces initialise the members rather than call a constructor."""
        declaration = self._records.declaration(struct)
        if declaration is None:
            return True
        type = declaration.type
        if any(c.kind == CursorKind.CONSTRUCTOR and not c.is_defaulted for c in type.methods):
            return False
        if any(m.is_virtual for m in type.methods) or any(self._constructor_templates(declaration)):
            return False
        return all(c.is_public for c in (*type.fields, *type.bases))

    def has_constructor_templates(self, struct: Struct) -> bool:
        declaration = self._records.declaration(struct)
        return declaration is not None and any(self._constructor_templates(declaration))

    @staticmethod
    def _constructor_templates(declaration: Cursor) -> Iterator[bool]:
        source = declaration.template or declaration
        for child in source.children():
            if child.kind == CursorKind.FUNCTION_TEMPLATE:
                yield child.spelling.split("<")[0] == source.spelling


def _element(type: Type) -> Type:
    while isinstance(type, Array):
        type = type.element
    return type


def _written(functions: list[Cursor]) -> Cursor | None:
    """The first of them that is not defaulted."""
    return next((f for f in functions if not f.is_defaulted), None)


def _is_empty(destructor: Cursor) -> bool:
    definition = destructor.definition
    if definition is None:
        return False
    bodies = [c for c in definition.children() if c.kind == CursorKind.COMPOUND_STMT]
    return len(bodies) == 1 and not bodies[0].children()
