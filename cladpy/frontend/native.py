"""The shared object that libclang-ng carries: where it is, and the types of its functions.

libclang-ng's own Python bindings lack some functions and spend much of their time on wrapping; a kernel of ten thousand
lines has half a million cursors. So it is called directly.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Mapping
from ctypes import Structure, c_char_p, c_longlong, c_uint, c_ulonglong, c_void_p
from pathlib import Path
from typing import Any

from cladpy.diagnostics import ToolchainError


class String(Structure):
    _fields_ = [("data", c_void_p), ("flags", c_uint)]


class Location(Structure):
    _fields_ = [("pointers", c_void_p * 2), ("number", c_uint)]


class Range(Structure):
    _fields_ = [("pointers", c_void_p * 2), ("begin", c_uint), ("end", c_uint)]


_RESULTS: dict[str, Any] = {
    "clang_createIndex": c_void_p,
    "clang_getArraySize": c_longlong,
    "clang_getEnumConstantDeclValue": c_longlong,
    "clang_Cursor_getTemplateArgumentValue": c_longlong,
    "clang_getCursorExtent": Range,
    "clang_getCursorLocation": Location,
    "clang_getRangeStart": Location,
    "clang_getRangeEnd": Location,
    "clang_getDiagnosticLocation": Location,
    "clang_getFile": c_void_p,
    "clang_getLocationForOffset": Location,
    "clang_getDiagnosticRange": Range,
    "clang_getTypeSpelling": String,
    "clang_getCursorSpelling": String,
    "clang_getCursorDisplayName": String,
    "clang_getCursorUSR": String,
    "clang_Cursor_getMangling": String,
    "clang_getCursorKindSpelling": String,
    "clang_getCursorPrettyPrinted": String,
    "clang_getCursorPrintingPolicy": c_void_p,
    "clang_getFileName": String,
    "clang_getDiagnosticFixIt": String,
    "clang_getDiagnosticSpelling": String,
    "clang_Cursor_Evaluate": c_void_p,
    "clang_Type_getSizeOf": c_longlong,
    "clang_Type_getAlignOf": c_longlong,
    "clang_getOffsetOfBase": c_longlong,
    "clang_Cursor_getOffsetOfField": c_longlong,
    "clang_EvalResult_getAsLongLong": c_longlong,
    "clang_EvalResult_getAsUnsigned": c_ulonglong,
    "clang_EvalResult_getAsDouble": ctypes.c_double,
    "clang_EvalResult_dispose": None,
    "clang_getDiagnostic": c_void_p,
    "clang_getChildDiagnostics": c_void_p,
    "clang_getDiagnosticInSet": c_void_p,
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
    "clang_getDiagnosticCategory": 1,
    "clang_getDiagnosticSpelling": 1,
    "clang_getDiagnosticLocation": 1,
    "clang_getDiagnosticNumFixIts": 1,
    "clang_getDiagnosticNumRanges": 1,
    "clang_getChildDiagnostics": 1,
    "clang_getNumDiagnosticsInSet": 1,
    "clang_getNumDiagnostics": 1,
    "clang_disposeTranslationUnit": 1,
    "clang_getTranslationUnitCursor": 1,
    "clang_disposeIndex": 1,
    "clang_getFileName": 1,
}

# Where the package libclang is or was installed as well: it installs the same files, and takes them along.
REMEDY = "pip uninstall -y libclang; pip install --force-reinstall --no-deps 'libclang-ng>=19,<23'"


def native_folder() -> Path:
    """Where libclang-ng keeps the shared object and the compiler's headers.

    Raises ToolchainError where it is not installed.
    """
    spec = importlib.util.find_spec("clang")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(place) / "native" / "resource").is_dir():
            return Path(place) / "native"
    raise ToolchainError(
        "libclang-ng is not installed (the package libclang is not enough: it lacks the compiler's headers)\n"
        f"hint: {REMEDY}"
    )


def loaded(others: Mapping[str, Any]) -> Any:
    """The shared object; `others` are what those of its functions give that give a type or a cursor. Raises
    ToolchainError where it cannot be loaded."""
    name = {"darwin": "libclang.dylib", "win32": "libclang.dll"}.get(sys.platform, "libclang.so")
    path = native_folder() / name
    # clang recurses as deep as a program nests: on our thread, which has room (`deep`), and not on one of its own
    os.environ.setdefault("LIBCLANG_NOTHREADS", "1")
    try:
        native = ctypes.CDLL(str(path))
        for function, result in (*_RESULTS.items(), *others.items()):
            getattr(native, function).restype = result
        for function in _HANDLES:
            getattr(native, function).argtypes = [c_void_p]
    except (OSError, AttributeError) as error:  # it is missing, or is that of the package libclang
        raise ToolchainError(f"libclang-ng's shared object cannot be used: {error}\nhint: {REMEDY}") from None
    return native
