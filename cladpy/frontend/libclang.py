"""The C interface of libclang, as far as the front end needs it.

libclang-ng's own Python bindings lack some functions and spend much of their time on wrapping; a kernel of ten thousand
lines has half a million cursors. So the shared object that the package carries is called directly. A `Cursor` is valid
as long as the `TranslationUnit` it came from is open.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from collections.abc import Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from cladpy.diagnostics import ToolchainError


class CursorKind(IntEnum):
    """The kinds that the front end tells apart; values are libclang's."""

    STRUCT_DECL = 2
    UNION_DECL = 3
    CLASS_DECL = 4
    ENUM_DECL = 5
    ENUM_CONSTANT_DECL = 7
    FUNCTION_DECL = 8
    VAR_DECL = 9
    PARM_DECL = 10
    TYPEDEF_DECL = 20
    CXX_METHOD = 21
    NAMESPACE = 22
    LINKAGE_SPEC = 23
    CONSTRUCTOR = 24
    DESTRUCTOR = 25
    CONVERSION_FUNCTION = 26
    NON_TYPE_TEMPLATE_PARAMETER = 28
    FUNCTION_TEMPLATE = 30
    CLASS_TEMPLATE = 31
    NAMESPACE_ALIAS = 33
    USING_DIRECTIVE = 34
    USING_DECLARATION = 35
    TYPE_ALIAS_DECL = 36
    TYPE_REF = 43
    TEMPLATE_REF = 45
    NAMESPACE_REF = 46
    MEMBER_REF = 47
    OVERLOADED_DECL_REF = 49
    UNEXPOSED_EXPR = 100
    DECL_REF_EXPR = 101
    MEMBER_REF_EXPR = 102
    CALL_EXPR = 103
    INTEGER_LITERAL = 106
    FLOATING_LITERAL = 107
    STRING_LITERAL = 109
    CHARACTER_LITERAL = 110
    PAREN_EXPR = 111
    UNARY_OPERATOR = 112
    ARRAY_SUBSCRIPT_EXPR = 113
    BINARY_OPERATOR = 114
    COMPOUND_ASSIGNMENT_OPERATOR = 115
    CONDITIONAL_OPERATOR = 116
    CSTYLE_CAST_EXPR = 117
    COMPOUND_LITERAL_EXPR = 118
    INIT_LIST_EXPR = 119
    ADDR_LABEL_EXPR = 120
    STMT_EXPR = 121
    GENERIC_SELECTION_EXPR = 122
    STATIC_CAST_EXPR = 124
    DYNAMIC_CAST_EXPR = 125
    REINTERPRET_CAST_EXPR = 126
    CONST_CAST_EXPR = 127
    FUNCTIONAL_CAST_EXPR = 128
    TYPEID_EXPR = 129
    BOOL_LITERAL_EXPR = 130
    NULLPTR_LITERAL_EXPR = 131
    THIS_EXPR = 132
    THROW_EXPR = 133
    NEW_EXPR = 134
    DELETE_EXPR = 135
    UNARY_EXPR = 136
    LAMBDA_EXPR = 144
    SIZEOF_PACK_EXPR = 143
    REQUIRES_EXPR = 154
    UNEXPOSED_STMT = 200
    LABEL_STMT = 201
    COMPOUND_STMT = 202
    CASE_STMT = 203
    DEFAULT_STMT = 204
    IF_STMT = 205
    SWITCH_STMT = 206
    WHILE_STMT = 207
    DO_STMT = 208
    FOR_STMT = 209
    GOTO_STMT = 210
    INDIRECT_GOTO_STMT = 211
    CONTINUE_STMT = 212
    BREAK_STMT = 213
    RETURN_STMT = 214
    ASM_STMT = 215
    CATCH_STMT = 223
    TRY_STMT = 224
    FOR_RANGE_STMT = 225
    NULL_STMT = 230
    DECL_STMT = 231
    CUDA_CONSTANT_ATTR = 412
    CUDA_DEVICE_ATTR = 413
    CUDA_GLOBAL_ATTR = 414
    CUDA_HOST_ATTR = 415
    CUDA_SHARED_ATTR = 416


class TypeKind(IntEnum):
    INVALID = 0
    UNEXPOSED = 1
    VOID = 2
    BOOL = 3
    CHAR_U = 4
    UCHAR = 5
    CHAR16 = 6
    CHAR32 = 7
    USHORT = 8
    UINT = 9
    ULONG = 10
    ULONGLONG = 11
    UINT128 = 12
    CHAR_S = 13
    SCHAR = 14
    WCHAR = 15
    SHORT = 16
    INT = 17
    LONG = 18
    LONGLONG = 19
    INT128 = 20
    FLOAT = 21
    DOUBLE = 22
    LONGDOUBLE = 23
    NULLPTR = 24
    DEPENDENT = 26
    FLOAT128 = 30
    HALF = 31
    FLOAT16 = 32
    BFLOAT16 = 39
    COMPLEX = 100
    POINTER = 101
    LVALUE_REFERENCE = 103
    RVALUE_REFERENCE = 104
    RECORD = 105
    ENUM = 106
    FUNCTION_NO_PROTO = 110
    FUNCTION_PROTO = 111
    CONSTANT_ARRAY = 112
    VECTOR = 113
    INCOMPLETE_ARRAY = 114
    VARIABLE_ARRAY = 115
    MEMBER_POINTER = 117


# libclang's numbers of operators, as spelled.
BINARY_OPERATORS = {
    3: "*", 4: "/", 5: "%", 6: "+", 7: "-", 8: "<<", 9: ">>", 11: "<", 12: ">", 13: "<=", 14: ">=", 15: "==",
    16: "!=", 17: "&", 18: "^", 19: "|", 20: "&&", 21: "||", 22: "=", 23: "*=", 24: "/=", 25: "%=", 26: "+=",
    27: "-=", 28: "<<=", 29: ">>=", 30: "&=", 31: "^=", 32: "|=", 33: ",",
}  # fmt: skip
UNARY_OPERATORS = {
    1: "x++", 2: "x--", 3: "++x", 4: "--x", 5: "&", 6: "*", 7: "+", 8: "-", 9: "~", 10: "!", 11: "__real",
    12: "__imag", 13: "__extension__", 14: "co_await",
}  # fmt: skip


class _String(Structure):
    _fields_ = [("data", c_void_p), ("flags", c_uint)]


class Location(Structure):
    _fields_ = [("pointers", c_void_p * 2), ("number", c_uint)]


class _Range(Structure):
    _fields_ = [("pointers", c_void_p * 2), ("begin", c_uint), ("end", c_uint)]


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
        return _type(_library().clang_getCanonicalType(self))

    @property
    def spelling(self) -> str:
        return _text(_library().clang_getTypeSpelling(self))

    @property
    def pointee(self) -> ClangType:
        return _type(_library().clang_getPointeeType(self))

    @property
    def element(self) -> ClangType:
        return _type(_library().clang_getArrayElementType(self))

    @property
    def length(self) -> int:
        return int(_library().clang_getArraySize(self))

    @property
    def is_const(self) -> bool:
        return bool(_library().clang_isConstQualifiedType(self))

    @property
    def is_volatile(self) -> bool:
        return bool(_library().clang_isVolatileQualifiedType(self))

    @property
    def is_restrict(self) -> bool:
        return bool(_library().clang_isRestrictQualifiedType(self))

    @property
    def declaration(self) -> Cursor:
        return _cursor(_library().clang_getTypeDeclaration(self))

    @property
    def is_variadic(self) -> bool:
        return bool(_library().clang_isFunctionTypeVariadic(self))

    @property
    def result(self) -> ClangType:
        return _type(_library().clang_getResultType(self))

    @property
    def parameters(self) -> tuple[ClangType, ...]:
        lib = _library()
        return tuple(_type(lib.clang_getArgType(self, i)) for i in range(max(0, lib.clang_getNumArgTypes(self))))


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
    def is_null(self) -> bool:
        return bool(_library().clang_Cursor_isNull(self))

    @property
    def is_invalid(self) -> bool:
        return 70 <= self.kind <= 74 or self.is_null

    @property
    def spelling(self) -> str:
        return _text(_library().clang_getCursorSpelling(self))

    @property
    def display_name(self) -> str:
        return _text(_library().clang_getCursorDisplayName(self))

    @property
    def type(self) -> ClangType:
        return _type(_library().clang_getCursorType(self))

    @property
    def referenced(self) -> Cursor:
        return _cursor(_library().clang_getCursorReferenced(self))

    @property
    def definition(self) -> Cursor | None:
        found = _cursor(_library().clang_getCursorDefinition(self))
        return None if found.is_null else found

    @property
    def canonical(self) -> Cursor:
        """The first declaration of the same entity."""
        return _cursor(_library().clang_getCanonicalCursor(self))

    @property
    def parent(self) -> Cursor:
        """The enclosing declaration in meaning: a member's class, a function's namespace."""
        return _cursor(_library().clang_getCursorSemanticParent(self))

    @property
    def template(self) -> Cursor | None:
        """The template that this declaration is a specialisation of."""
        found = _cursor(_library().clang_getSpecializedCursorTemplate(self))
        return None if found.is_null else found

    @property
    def initializer(self) -> Cursor | None:
        """The initialiser of a variable."""
        found = _cursor(_library().clang_Cursor_getVarDeclInitializer(self))
        return None if found.is_null else found

    @property
    def result_type(self) -> ClangType:
        return _type(_library().clang_getCursorResultType(self))

    @property
    def enum_type(self) -> ClangType:
        """The underlying type of an enumeration's declaration."""
        return _type(_library().clang_getEnumDeclIntegerType(self))

    @property
    def enum_value(self) -> int:
        return int(_library().clang_getEnumConstantDeclValue(self))

    @property
    def arguments(self) -> tuple[Cursor, ...]:
        """The arguments of a call, or the parameters of a function."""
        lib = _library()
        return tuple(
            _cursor(lib.clang_Cursor_getArgument(self, i)) for i in range(lib.clang_Cursor_getNumArguments(self))
        )

    @property
    def binary_operator(self) -> str:
        return BINARY_OPERATORS.get(_library().clang_getCursorBinaryOperatorKind(self), "?")

    @property
    def unary_operator(self) -> str:
        return UNARY_OPERATORS.get(_library().clang_getCursorUnaryOperatorKind(self), "?")

    @property
    def is_variadic(self) -> bool:
        return bool(_library().clang_Cursor_isVariadic(self))

    @property
    def is_virtual(self) -> bool:
        return bool(_library().clang_CXXMethod_isVirtual(self))

    @property
    def is_static_storage(self) -> bool:
        """Declared `static`."""
        return int(_library().clang_Cursor_getStorageClass(self)) == 3

    @property
    def is_extern(self) -> bool:
        return int(_library().clang_Cursor_getStorageClass(self)) == 2

    @property
    def is_anonymous(self) -> bool:
        return bool(_library().clang_Cursor_isAnonymous(self))

    @property
    def is_inline_namespace(self) -> bool:
        return bool(_library().clang_Cursor_isInlineNamespace(self))

    @property
    def overloads(self) -> tuple[Cursor, ...]:
        """What an OVERLOADED_DECL_REF may mean."""
        lib = _library()
        return tuple(
            _cursor(lib.clang_getOverloadedDecl(self, i)) for i in range(lib.clang_getNumOverloadedDecls(self))
        )

    @property
    def template_argument_count(self) -> int:
        return int(_library().clang_Cursor_getNumTemplateArguments(self))

    def template_argument(self, i: int) -> str | None:
        """The i-th template argument of a function as C++ text; None where libclang cannot say."""
        lib = _library()
        kind = lib.clang_Cursor_getTemplateArgumentKind(self, i)
        if kind == 1:
            return _type(lib.clang_Cursor_getTemplateArgumentType(self, i)).canonical.spelling
        if kind == 4:
            return str(lib.clang_Cursor_getTemplateArgumentValue(self, i))
        return None

    @property
    def in_system_header(self) -> bool:
        lib = _library()
        return bool(lib.clang_Location_isInSystemHeader(lib.clang_getCursorLocation(self)))

    def children(self) -> list[Cursor]:
        found: list[Cursor] = []

        def visit(cursor: Cursor, parent: Cursor, data: object) -> int:
            found.append(cursor)
            return 1

        _library().clang_visitChildren(self, _VISITOR(visit), None)
        return found

    def extent(self) -> tuple[int, int, int, int, int, int, int]:
        """File (an opaque number), then line, column and byte offset of the start and of the end.

        What comes out of a macro's body is where the macro is used.
        """
        lib = _library()
        extent = lib.clang_getCursorExtent(self)
        file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
        lib.clang_getFileLocation(
            lib.clang_getRangeStart(extent), byref(file), byref(line), byref(column), byref(offset)
        )
        start = (file.value or 0, line.value, column.value, offset.value)
        lib.clang_getFileLocation(lib.clang_getRangeEnd(extent), None, byref(line), byref(column), byref(offset))
        return (*start, line.value, column.value, offset.value)

    def spelled_at(self) -> tuple[int, int]:
        """File and byte offset where the first token is written, be it in a macro's body."""
        lib = _library()
        file, offset = c_void_p(), c_uint()
        start = lib.clang_getRangeStart(lib.clang_getCursorExtent(self))
        lib.clang_getSpellingLocation(start, byref(file), None, None, byref(offset))
        return (file.value or 0, offset.value)

    def evaluate(self) -> int | float | None:
        """The value of a constant expression or of a constant variable; None where it is not one."""
        lib = _library()
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


_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
_INCLUSION = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Location), c_uint, c_void_p)

_RESULTS: dict[str, Any] = {
    "clang_createIndex": c_void_p,
    "clang_getCanonicalType": ClangType,
    "clang_getPointeeType": ClangType,
    "clang_getArrayElementType": ClangType,
    "clang_getResultType": ClangType,
    "clang_getArgType": ClangType,
    "clang_getCursorType": ClangType,
    "clang_getCursorResultType": ClangType,
    "clang_getEnumDeclIntegerType": ClangType,
    "clang_Cursor_getTemplateArgumentType": ClangType,
    "clang_getArraySize": c_longlong,
    "clang_getEnumConstantDeclValue": c_longlong,
    "clang_Cursor_getTemplateArgumentValue": c_longlong,
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
    "clang_getCursorExtent": _Range,
    "clang_getCursorLocation": Location,
    "clang_getRangeStart": Location,
    "clang_getRangeEnd": Location,
    "clang_getLocationForOffset": Location,
    "clang_getDiagnosticLocation": Location,
    "clang_getDiagnosticRange": _Range,
    "clang_getTypeSpelling": _String,
    "clang_getCursorSpelling": _String,
    "clang_getCursorDisplayName": _String,
    "clang_getFileName": _String,
    "clang_getDiagnosticSpelling": _String,
    "clang_Cursor_Evaluate": c_void_p,
    "clang_EvalResult_getAsLongLong": c_longlong,
    "clang_EvalResult_getAsUnsigned": c_ulonglong,
    "clang_EvalResult_getAsDouble": ctypes.c_double,
    "clang_EvalResult_dispose": None,
    "clang_getDiagnostic": c_void_p,
    "clang_getChildDiagnostics": c_void_p,
    "clang_getDiagnosticInSet": c_void_p,
    "clang_getFile": c_void_p,
    "clang_getCString": c_char_p,
    "clang_disposeString": None,
    "clang_disposeDiagnostic": None,
    "clang_disposeTranslationUnit": None,
    "clang_disposeIndex": None,
    "clang_getInclusions": None,
}

# Parameters are declared where ctypes could not tell them from the values passed: pointers that arrive as numbers.
_HANDLES = {
    "clang_EvalResult_getKind": 1,
    "clang_EvalResult_isUnsignedInt": 1,
    "clang_EvalResult_getAsLongLong": 1,
    "clang_EvalResult_getAsUnsigned": 1,
    "clang_EvalResult_getAsDouble": 1,
    "clang_EvalResult_dispose": 1,
    "clang_disposeDiagnostic": 1,
    "clang_getDiagnosticSeverity": 1,
    "clang_getDiagnosticSpelling": 1,
    "clang_getDiagnosticLocation": 1,
    "clang_getDiagnosticNumRanges": 1,
    "clang_getChildDiagnostics": 1,
    "clang_getNumDiagnosticsInSet": 1,
    "clang_getNumDiagnostics": 1,
    "clang_disposeTranslationUnit": 1,
    "clang_getTranslationUnitCursor": 1,
    "clang_disposeIndex": 1,
    "clang_getFileName": 1,
}


def native_folder() -> Path:
    """Where libclang-ng keeps the shared object and the compiler's headers.

    Raises ToolchainError where it is not installed.
    """
    spec = importlib.util.find_spec("clang")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(place) / "native" / "resource").is_dir():
            return Path(place) / "native"
    raise ToolchainError(
        "libclang-ng is not installed (the package libclang is not enough: it lacks the compiler's headers); "
        "run: pip uninstall -y libclang; pip install libclang-ng"
    )


@cache
def _library() -> Any:
    name = {"darwin": "libclang.dylib", "win32": "libclang.dll"}.get(sys.platform, "libclang.so")
    path = native_folder() / name
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ToolchainError(f"libclang cannot be loaded: {error}") from None
    for function, result in _RESULTS.items():
        getattr(library, function).restype = result
    for function in _HANDLES:
        getattr(library, function).argtypes = [c_void_p]
    return library


def _text(string: _String) -> str:
    lib = _library()
    raw = lib.clang_getCString(string)
    lib.clang_disposeString(string)
    return (raw or b"").decode("utf-8", errors="surrogateescape")


def _type(value: Any) -> ClangType:
    assert isinstance(value, ClangType)
    return value


def _cursor(value: Any) -> Cursor:
    assert isinstance(value, Cursor)
    return value


@dataclass(frozen=True, slots=True)
class Message:
    """One of clang's diagnostics. `severity`: 2 is a warning, 3 an error, 4 fatal."""

    severity: int
    text: str
    file: str | None
    line: int
    column: int
    offset: int
    notes: tuple[Message, ...] = ()


class _UnsavedFile(Structure):
    _fields_ = [("name", c_char_p), ("contents", c_char_p), ("length", ctypes.c_ulong)]


class TranslationUnit:
    """A parsed file with all that it includes. Use it as a context manager; parsing writes and runs nothing."""

    def __init__(self, path: str, arguments: Sequence[str], unsaved: dict[str, bytes]) -> None:
        lib = _library()
        self._names: dict[int, str] = {}
        self._index = lib.clang_createIndex(1, 0)
        files = (_UnsavedFile * max(1, len(unsaved)))()
        for i, (name, contents) in enumerate(unsaved.items()):
            files[i] = _UnsavedFile(name.encode(errors="surrogateescape"), contents, len(contents))
        array = (c_char_p * len(arguments))(*(a.encode(errors="surrogateescape") for a in arguments))
        unit = c_void_p()
        encoded = path.encode(errors="surrogateescape")
        code = lib.clang_parseTranslationUnit2(
            c_void_p(self._index), encoded, array, len(arguments), files, len(unsaved), 0x200, byref(unit)
        )
        if code or not unit.value:
            lib.clang_disposeIndex(self._index)
            raise ToolchainError(f"libclang cannot parse {path} (error {code})")
        self._unit = unit

    def __enter__(self) -> TranslationUnit:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _library().clang_disposeTranslationUnit(self._unit)
        _library().clang_disposeIndex(self._index)

    @property
    def cursor(self) -> Cursor:
        return _cursor(_library().clang_getTranslationUnitCursor(self._unit))

    def file_name(self, file: int) -> str:
        """The name of a file given by `Cursor.extent`."""
        if file not in self._names:
            self._names[file] = _text(_library().clang_getFileName(file)) if file else ""
        return self._names[file]

    def cursor_at(self, path: str, offset: int) -> Cursor:
        """The innermost node at a byte offset."""
        lib = _library()
        file = lib.clang_getFile(self._unit, path.encode(errors="surrogateescape"))
        location = lib.clang_getLocationForOffset(self._unit, c_void_p(file), c_uint(offset))
        return _cursor(lib.clang_getCursor(self._unit, location))

    def inclusions(self) -> list[str]:
        """The names of all files read, the main file included."""
        found: list[str] = []

        def visit(file: int, stack: object, depth: int, data: object) -> None:
            found.append(self.file_name(file))

        _library().clang_getInclusions(self._unit, _INCLUSION(visit), None)
        return found

    def messages(self) -> list[Message]:
        lib = _library()
        found = []
        for i in range(lib.clang_getNumDiagnostics(self._unit)):
            diagnostic = lib.clang_getDiagnostic(self._unit, i)
            found.append(self._message(diagnostic))
            lib.clang_disposeDiagnostic(diagnostic)
        return found

    def _message(self, diagnostic: int) -> Message:
        lib = _library()
        file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
        place = lib.clang_getDiagnosticLocation(diagnostic)
        lib.clang_getFileLocation(place, byref(file), byref(line), byref(column), byref(offset))
        children = lib.clang_getChildDiagnostics(diagnostic)
        notes = []
        for i in range(lib.clang_getNumDiagnosticsInSet(children) if children else 0):
            notes.append(self._message(lib.clang_getDiagnosticInSet(c_void_p(children), i)))
        return Message(
            lib.clang_getDiagnosticSeverity(diagnostic),
            _text(lib.clang_getDiagnosticSpelling(diagnostic)),
            self.file_name(file.value or 0) or None,
            line.value,
            column.value,
            offset.value,
            tuple(notes),
        )
