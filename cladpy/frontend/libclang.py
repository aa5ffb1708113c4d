"""Types and cursors, the nodes of clang's tree, as far as the front end needs them. A `Cursor` is valid as long as the
`TranslationUnit` it came from is open."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_int, c_uint, c_void_p
from functools import cache
from typing import Any

from cladpy.frontend.kinds import BINARY_OPERATORS, UNARY_OPERATORS
from cladpy.frontend.native import Location, String, loaded

_TERSE = 17  # CXPrintingPolicy_TerseOutput


class ClangType(Structure):
    """A type; `kind` and `data[0]` together identify it within its translation unit."""

    _fields_ = [("kind", c_int), ("data", c_void_p * 2)]
    kind: int
    data: Any

    @property
    def key(self) -> tuple[int, int]:
        return (self.kind, self.data[0] or 0)

    @property
    def canonical(self) -> ClangType:
        return as_type(library().clang_getCanonicalType(self))

    @property
    def spelling(self) -> str:
        return text_of(library().clang_getTypeSpelling(self))

    @property
    def pointee(self) -> ClangType:
        return as_type(library().clang_getPointeeType(self))

    @property
    def element(self) -> ClangType:
        return as_type(library().clang_getArrayElementType(self))

    @property
    def complex_element(self) -> ClangType:
        return as_type(library().clang_getElementType(self))

    @property
    def length(self) -> int:
        return int(library().clang_getArraySize(self))

    @property
    def is_const(self) -> bool:
        return bool(library().clang_isConstQualifiedType(self))

    @property
    def is_volatile(self) -> bool:
        return bool(library().clang_isVolatileQualifiedType(self))

    @property
    def is_restrict(self) -> bool:
        return bool(library().clang_isRestrictQualifiedType(self))

    @property
    def declaration(self) -> Cursor:
        return as_cursor(library().clang_getTypeDeclaration(self))

    @property
    def is_variadic(self) -> bool:
        return bool(library().clang_isFunctionTypeVariadic(self))

    @property
    def size(self) -> int:
        return int(library().clang_Type_getSizeOf(self))

    @property
    def alignment(self) -> int:
        return int(library().clang_Type_getAlignOf(self))

    @property
    def fields(self) -> list[Cursor]:
        """A class's data members; those of an instantiated template too, which have no children."""
        return _collect(library().clang_Type_visitFields, self)

    @property
    def bases(self) -> list[Cursor]:
        return _collect(library().clang_visitCXXBaseClasses, self)

    @property
    def methods(self) -> list[Cursor]:
        """A class's member functions and constructors, implicit ones included; no templates."""
        return _collect(library().clang_visitCXXMethods, self)

    @property
    def result(self) -> ClangType:
        return as_type(library().clang_getResultType(self))

    @property
    def parameters(self) -> tuple[ClangType, ...]:
        lib = library()
        return tuple(as_type(lib.clang_getArgType(self, i)) for i in range(max(0, lib.clang_getNumArgTypes(self))))


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

    @property
    def is_null(self) -> bool:
        return bool(library().clang_Cursor_isNull(self))

    @property
    def spelling(self) -> str:
        return text_of(library().clang_getCursorSpelling(self))

    @property
    def usr(self) -> str:
        """Identifies a declaration, between translation units too."""
        return text_of(library().clang_getCursorUSR(self))

    @property
    def mangled_name(self) -> str:
        """What the linker calls it."""
        return text_of(library().clang_Cursor_getMangling(self))

    @property
    def kind_name(self) -> str:
        """What clang calls nodes of this kind, such as `CXXThrowExpr`."""
        return text_of(library().clang_getCursorKindSpelling(self.kind))

    @property
    def display_name(self) -> str:
        return text_of(library().clang_getCursorDisplayName(self))

    @property
    def type(self) -> ClangType:
        return as_type(library().clang_getCursorType(self))

    @property
    def referenced(self) -> Cursor:
        return as_cursor(library().clang_getCursorReferenced(self))

    @property
    def definition(self) -> Cursor | None:
        found = as_cursor(library().clang_getCursorDefinition(self))
        return None if found.is_null else found

    @property
    def canonical(self) -> Cursor:
        """The first declaration of the same entity."""
        return as_cursor(library().clang_getCanonicalCursor(self))

    @property
    def parent(self) -> Cursor:
        """The enclosing declaration in meaning: a member's class, a function's namespace."""
        return as_cursor(library().clang_getCursorSemanticParent(self))

    @property
    def template(self) -> Cursor | None:
        """The template that this declaration is a specialisation of."""
        found = as_cursor(library().clang_getSpecializedCursorTemplate(self))
        return None if found.is_null else found

    @property
    def initializer(self) -> Cursor | None:
        """The initialiser of a variable."""
        found = as_cursor(library().clang_Cursor_getVarDeclInitializer(self))
        return None if found.is_null else found

    @property
    def result_type(self) -> ClangType:
        return as_type(library().clang_getCursorResultType(self))

    @property
    def enum_type(self) -> ClangType:
        """The underlying type of an enumeration's declaration."""
        return as_type(library().clang_getEnumDeclIntegerType(self))

    @property
    def enum_value(self) -> int:
        return int(library().clang_getEnumConstantDeclValue(self))

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

    @property
    def is_variadic(self) -> bool:
        return bool(library().clang_Cursor_isVariadic(self))

    @property
    def is_public(self) -> bool:
        return int(library().clang_getCXXAccessSpecifier(self)) == 1

    @property
    def is_virtual(self) -> bool:
        return bool(library().clang_CXXMethod_isVirtual(self))

    @property
    def is_static_method(self) -> bool:
        return bool(library().clang_CXXMethod_isStatic(self))

    @property
    def is_const_method(self) -> bool:
        return bool(library().clang_CXXMethod_isConst(self))

    @property
    def is_defaulted(self) -> bool:
        """A special member function whose meaning the compiler gives."""
        return bool(library().clang_CXXMethod_isDefaulted(self))

    @property
    def is_deleted(self) -> bool:
        return bool(library().clang_CXXMethod_isDeleted(self))

    @property
    def is_explicit(self) -> bool:
        return bool(library().clang_CXXMethod_isExplicit(self))

    @property
    def is_copy_or_move_constructor(self) -> bool:
        return self.is_copy_constructor or bool(library().clang_CXXConstructor_isMoveConstructor(self))

    @property
    def is_copy_constructor(self) -> bool:
        return bool(library().clang_CXXConstructor_isCopyConstructor(self))

    @property
    def is_copy_assignment(self) -> bool:
        return bool(library().clang_CXXMethod_isCopyAssignmentOperator(self))

    @property
    def is_move_assignment(self) -> bool:
        return bool(library().clang_CXXMethod_isMoveAssignmentOperator(self))

    @property
    def is_default_constructor(self) -> bool:
        return bool(library().clang_CXXConstructor_isDefaultConstructor(self))

    @property
    def is_virtual_base(self) -> bool:
        return bool(library().clang_isVirtualBase(self))

    def offset_of_base(self, base: Cursor) -> int:
        """In bits."""
        return int(library().clang_getOffsetOfBase(self, base))

    @property
    def field_offset(self) -> int:
        """In bits."""
        return int(library().clang_Cursor_getOffsetOfField(self))

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

    @property
    def is_anonymous(self) -> bool:
        return bool(library().clang_Cursor_isAnonymous(self))

    @property
    def is_inline_namespace(self) -> bool:
        return bool(library().clang_Cursor_isInlineNamespace(self))

    @property
    def overloads(self) -> tuple[Cursor, ...]:
        """What an OVERLOADED_DECL_REF may mean."""
        lib = library()
        return tuple(
            as_cursor(lib.clang_getOverloadedDecl(self, i)) for i in range(lib.clang_getNumOverloadedDecls(self))
        )

    @property
    def template_argument_count(self) -> int:
        return int(library().clang_Cursor_getNumTemplateArguments(self))

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


def _collect(visit: Any, type: ClangType) -> list[Cursor]:
    """What one of libclang's visitors of a class shows."""
    found: list[Cursor] = []

    def visitor(cursor: Cursor, data: object) -> int:
        found.append(cursor)
        return 1

    visit(type, _MEMBER_VISITOR(visitor), None)
    return found


_MEMBER_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, c_void_p)
_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
INCLUSION_VISITOR = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Location), c_uint, c_void_p)

# What the functions give that give one of these.
_RESULTS: dict[str, Any] = {
    "clang_getCanonicalType": ClangType,
    "clang_getPointeeType": ClangType,
    "clang_getArrayElementType": ClangType,
    "clang_getElementType": ClangType,
    "clang_getResultType": ClangType,
    "clang_getArgType": ClangType,
    "clang_getCursorType": ClangType,
    "clang_getCursorResultType": ClangType,
    "clang_getEnumDeclIntegerType": ClangType,
    "clang_Cursor_getTemplateArgumentType": ClangType,
    "clang_getTypeDeclaration": Cursor,
    "clang_getCursorReferenced": Cursor,
    "clang_getCursorDefinition": Cursor,
    "clang_getCanonicalCursor": Cursor,
    "clang_getCursorSemanticParent": Cursor,
    "clang_getSpecializedCursorTemplate": Cursor,
    "clang_Cursor_getVarDeclInitializer": Cursor,
    "clang_Cursor_getArgument": Cursor,
    "clang_getOverloadedDecl": Cursor,
    "clang_getTranslationUnitCursor": Cursor,
    "clang_getCursor": Cursor,
}


@cache
def library() -> Any:
    """The loaded shared object. Raises ToolchainError where it cannot be loaded."""
    return loaded(_RESULTS)


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
