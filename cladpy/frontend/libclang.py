"""Types and cursors, the nodes of clang's tree, as far as the front end needs them. A `Cursor` is valid as long as the
`TranslationUnit` it came from is open."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, Structure, byref, c_int, c_uint, c_void_p
from functools import cache
from typing import Any

from cladpy.frontend.kinds import BINARY_OPERATORS, UNARY_OPERATORS
from cladpy.frontend.native import Location, String, loaded

_TERSE = 17  # CXPrintingPolicy_TerseOutput


_ASKED: dict[str, Callable[[Any], Any]] = {}


def _asked(as_what: Callable[[Any], Any], function: str) -> Any:
    """A property: what one of libclang's functions says of it."""
    _ASKED[function] = as_what
    return property(lambda self: as_what(getattr(library(), function)(self)))


def _shown(visit: str) -> Any:
    """A property: what one of libclang's visitors of a class shows."""

    def collect(type: ClangType) -> list[Cursor]:
        found: list[Cursor] = []

        def visitor(cursor: Cursor, data: object) -> int:
            found.append(cursor)
            return 1

        getattr(library(), visit)(type, _MEMBER_VISITOR(visitor), None)
        return found

    return property(collect)


def text_of(string: String) -> str:
    lib = library()
    raw = lib.clang_getCString(string)
    lib.clang_disposeString(string)
    return (raw or b"").decode("utf-8", errors="surrogateescape")


def as_type(value: Any) -> ClangType:
    assert isinstance(value, ClangType)
    return value


def as_cursor(value: Any) -> Cursor:
    assert isinstance(value, Cursor)
    return value


def _found(value: Any) -> Cursor | None:
    return None if as_cursor(value).is_null else as_cursor(value)


class ClangType(Structure):
    """A type; `kind` and `data[0]` together identify it within its translation unit."""

    _fields_ = [("kind", c_int), ("data", c_void_p * 2)]
    kind: int
    data: Any

    @property
    def key(self) -> tuple[int, int]:
        return (self.kind, self.data[0] or 0)

    canonical: ClangType = _asked(as_type, "clang_getCanonicalType")
    spelling: str = _asked(text_of, "clang_getTypeSpelling")
    pointee: ClangType = _asked(as_type, "clang_getPointeeType")
    element: ClangType = _asked(as_type, "clang_getArrayElementType")
    complex_element: ClangType = _asked(as_type, "clang_getElementType")
    length: int = _asked(int, "clang_getArraySize")
    is_const: bool = _asked(bool, "clang_isConstQualifiedType")
    is_volatile: bool = _asked(bool, "clang_isVolatileQualifiedType")
    is_restrict: bool = _asked(bool, "clang_isRestrictQualifiedType")
    declaration: Cursor = _asked(as_cursor, "clang_getTypeDeclaration")
    is_variadic: bool = _asked(bool, "clang_isFunctionTypeVariadic")
    size: int = _asked(int, "clang_Type_getSizeOf")
    alignment: int = _asked(int, "clang_Type_getAlignOf")

    result: ClangType = _asked(as_type, "clang_getResultType")
    # A class's data members; those of an instantiated template too, which have no children.
    fields: list[Cursor] = _shown("clang_Type_visitFields")
    bases: list[Cursor] = _shown("clang_visitCXXBaseClasses")
    # A class's member functions and constructors, implicit ones included; no templates.
    methods: list[Cursor] = _shown("clang_visitCXXMethods")

    @property
    def parameters(self) -> tuple[ClangType, ...]:
        lib = library()
        return tuple(as_type(lib.clang_getArgType(self, i)) for i in range(max(0, lib.clang_getNumArgTypes(self))))

    @property
    def template_arguments(self) -> tuple[ClangType, ...]:
        """Those of a class that are types."""
        lib = library()
        count = max(0, lib.clang_Type_getNumTemplateArguments(self))
        return tuple(as_type(lib.clang_Type_getTemplateArgumentAsType(self, i)) for i in range(count))


class Cursor(Structure):
    """A node of clang's tree."""

    _fields_ = [("kind", c_int), ("xdata", c_int), ("data", c_void_p * 3)]
    kind: int
    data: Any

    @property
    def key(self) -> tuple[int, int]:
        """Identifies a declaration."""
        return (self.kind, self.data[0] or 0)

    @property
    def node(self) -> int:
        """Identifies a statement or an expression."""
        return self.data[1] or 0

    is_null: bool = _asked(bool, "clang_Cursor_isNull")
    spelling: str = _asked(text_of, "clang_getCursorSpelling")
    usr: str = _asked(text_of, "clang_getCursorUSR")  # identifies a declaration, between translation units too
    mangled_name: str = _asked(text_of, "clang_Cursor_getMangling")  # what the linker calls it

    @property
    def kind_name(self) -> str:
        """What clang calls nodes of this kind, such as `CXXThrowExpr`."""
        return text_of(library().clang_getCursorKindSpelling(self.kind))

    display_name: str = _asked(text_of, "clang_getCursorDisplayName")
    type: ClangType = _asked(as_type, "clang_getCursorType")
    referenced: Cursor = _asked(as_cursor, "clang_getCursorReferenced")

    definition: Cursor | None = _asked(_found, "clang_getCursorDefinition")
    canonical: Cursor = _asked(as_cursor, "clang_getCanonicalCursor")  # the first declaration of the same entity
    # The enclosing declaration in meaning: a member's class, a function's namespace.
    parent: Cursor = _asked(as_cursor, "clang_getCursorSemanticParent")
    # The template that this declaration is a specialisation of.
    template: Cursor | None = _asked(_found, "clang_getSpecializedCursorTemplate")
    initializer: Cursor | None = _asked(_found, "clang_Cursor_getVarDeclInitializer")  # the initialiser of a variable
    result_type: ClangType = _asked(as_type, "clang_getCursorResultType")
    # The underlying type of an enumeration's declaration.
    enum_type: ClangType = _asked(as_type, "clang_getEnumDeclIntegerType")
    enum_value: int = _asked(int, "clang_getEnumConstantDeclValue")

    @property
    def arguments(self) -> tuple[Cursor, ...]:
        """The arguments of a call, or the parameters of a function."""
        lib = library()
        return tuple(
            as_cursor(lib.clang_Cursor_getArgument(self, i)) for i in range(lib.clang_Cursor_getNumArguments(self))
        )

    @property
    def binary_operator(self) -> str:
        return BINARY_OPERATORS.get(library().clang_getCursorBinaryOperatorKind(self), "?")

    @property
    def unary_operator(self) -> str:
        return UNARY_OPERATORS.get(library().clang_getCursorUnaryOperatorKind(self), "?")

    is_variadic: bool = _asked(bool, "clang_Cursor_isVariadic")

    @property
    def is_public(self) -> bool:
        return int(library().clang_getCXXAccessSpecifier(self)) == 1

    is_virtual: bool = _asked(bool, "clang_CXXMethod_isVirtual")
    is_static_method: bool = _asked(bool, "clang_CXXMethod_isStatic")
    is_const_method: bool = _asked(bool, "clang_CXXMethod_isConst")
    # A special member function whose meaning the compiler gives.
    is_defaulted: bool = _asked(bool, "clang_CXXMethod_isDefaulted")
    is_deleted: bool = _asked(bool, "clang_CXXMethod_isDeleted")
    is_explicit: bool = _asked(bool, "clang_CXXMethod_isExplicit")

    @property
    def is_copy_or_move_constructor(self) -> bool:
        return self.is_copy_constructor or bool(library().clang_CXXConstructor_isMoveConstructor(self))

    is_copy_constructor: bool = _asked(bool, "clang_CXXConstructor_isCopyConstructor")
    is_copy_assignment: bool = _asked(bool, "clang_CXXMethod_isCopyAssignmentOperator")
    is_move_assignment: bool = _asked(bool, "clang_CXXMethod_isMoveAssignmentOperator")
    is_default_constructor: bool = _asked(bool, "clang_CXXConstructor_isDefaultConstructor")
    is_virtual_base: bool = _asked(bool, "clang_isVirtualBase")

    def offset_of_base(self, base: Cursor) -> int:
        """In bits."""
        return int(library().clang_getOffsetOfBase(self, base))

    field_offset: int = _asked(int, "clang_Cursor_getOffsetOfField")  # in bits

    @property
    def bit_width(self) -> int | None:
        width = int(library().clang_getFieldDeclBitWidth(self))
        return width if width >= 0 else None

    @property
    def is_thread_local(self) -> bool:
        return int(library().clang_getCursorTLSKind(self)) != 0

    @property
    def is_static_storage(self) -> bool:
        """Declared `static`."""
        return int(library().clang_Cursor_getStorageClass(self)) == 3

    @property
    def is_extern(self) -> bool:
        return int(library().clang_Cursor_getStorageClass(self)) == 2

    is_anonymous: bool = _asked(bool, "clang_Cursor_isAnonymous")
    is_inline_namespace: bool = _asked(bool, "clang_Cursor_isInlineNamespace")

    @property
    def overloads(self) -> tuple[Cursor, ...]:
        """What an OVERLOADED_DECL_REF may mean."""
        lib = library()
        return tuple(
            as_cursor(lib.clang_getOverloadedDecl(self, i)) for i in range(lib.clang_getNumOverloadedDecls(self))
        )

    template_argument_count: int = _asked(int, "clang_Cursor_getNumTemplateArguments")

    def template_argument(self, i: int) -> str | None:
        """The i-th template argument of a function as C++ text; None where libclang cannot say."""
        lib = library()
        kind = lib.clang_Cursor_getTemplateArgumentKind(self, i)
        if kind == 1:
            return as_type(lib.clang_Cursor_getTemplateArgumentType(self, i)).canonical.spelling
        if kind == 4:
            return str(lib.clang_Cursor_getTemplateArgumentValue(self, i))
        return None

    def is_template_pack(self, i: int) -> bool:
        return bool(library().clang_Cursor_getTemplateArgumentKind(self, i) == 8)

    @property
    def printed(self) -> str:
        """The declaration as clang prints it, without its body."""
        return self._printed(terse=True)

    @property
    def printed_whole(self) -> str:
        """The declaration as clang prints it, body and all."""
        return self._printed(terse=False)

    def _printed(self, *, terse: bool) -> str:
        lib = library()
        policy = lib.clang_getCursorPrintingPolicy(self)
        try:
            lib.clang_PrintingPolicy_setProperty(c_void_p(policy), _TERSE, int(terse))
            return text_of(lib.clang_getCursorPrettyPrinted(self, c_void_p(policy)))
        finally:
            lib.clang_PrintingPolicy_dispose(c_void_p(policy))

    @property
    def in_system_header(self) -> bool:
        lib = library()
        return bool(lib.clang_Location_isInSystemHeader(lib.clang_getCursorLocation(self)))

    @property
    def in_main_file(self) -> bool:
        """Also where a line marker says that the text is a system header's, as in emitted code."""
        lib = library()
        return bool(lib.clang_Location_isFromMainFile(lib.clang_getCursorLocation(self)))

    def children(self) -> list[Cursor]:
        found: list[Cursor] = []

        def visit(cursor: Cursor, parent: Cursor, data: object) -> int:
            found.append(cursor)
            return 1

        library().clang_visitChildren(self, _VISITOR(visit), None)
        return found

    def extent(self) -> tuple[int, int, int, int, int, int, int]:
        """File (an opaque number), then line, column and byte offset of the start and of the end.

        What comes out of a macro's body is where the macro is used.
        """
        lib = library()
        extent = lib.clang_getCursorExtent(self)
        file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
        lib.clang_getFileLocation(
            lib.clang_getRangeStart(extent), byref(file), byref(line), byref(column), byref(offset)
        )
        start = (file.value or 0, line.value, column.value, offset.value)
        lib.clang_getFileLocation(lib.clang_getRangeEnd(extent), None, byref(line), byref(column), byref(offset))
        return (*start, line.value, column.value, offset.value)

    def name_at(self) -> tuple[int, int]:
        """Byte offsets of a declaration's name: in the file, and where it is written, be it in a macro's body."""
        lib = library()
        location = lib.clang_getCursorLocation(self)
        offset, spelled = c_uint(), c_uint()
        lib.clang_getFileLocation(location, None, None, None, byref(offset))
        lib.clang_getSpellingLocation(location, None, None, None, byref(spelled))
        return (offset.value, spelled.value)

    def spelled_at(self) -> tuple[int, int]:
        """File and byte offset where the first token is written, be it in a macro's body."""
        lib = library()
        file, offset = c_void_p(), c_uint()
        start = lib.clang_getRangeStart(lib.clang_getCursorExtent(self))
        lib.clang_getSpellingLocation(start, byref(file), None, None, byref(offset))
        return (file.value or 0, offset.value)

    def evaluate(self) -> int | float | None:
        """The value of a constant expression or of a constant variable; None where it is not one."""
        lib = library()
        result = lib.clang_Cursor_Evaluate(self)
        if not result:
            return None
        try:
            kind = lib.clang_EvalResult_getKind(result)
            if kind == 1:
                if lib.clang_EvalResult_isUnsignedInt(result):
                    return int(lib.clang_EvalResult_getAsUnsigned(result))
                return int(lib.clang_EvalResult_getAsLongLong(result))
            if kind == 2:
                return float(lib.clang_EvalResult_getAsDouble(result))
            return None
        finally:
            lib.clang_EvalResult_dispose(result)


_MEMBER_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, c_void_p)
_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
INCLUSION_VISITOR = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Location), c_uint, c_void_p)

# What the functions give that give one of these, beside those that properties ask.
_RESULTS: dict[str, Any] = {
    "clang_getArgType": ClangType,
    "clang_Cursor_getTemplateArgumentType": ClangType,
    "clang_Type_getTemplateArgumentAsType": ClangType,
    "clang_Cursor_getArgument": Cursor,
    "clang_getOverloadedDecl": Cursor,
    "clang_getTranslationUnitCursor": Cursor,
    "clang_getCursor": Cursor,
}


@cache
def library() -> Any:
    """The loaded shared object. Raises ToolchainError where it cannot be loaded."""
    classes = {as_type: ClangType, as_cursor: Cursor, _found: Cursor}
    return loaded(_RESULTS | {f: classes[as_what] for f, as_what in _ASKED.items() if as_what in classes})
