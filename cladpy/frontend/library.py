"""Functions whose bodies cladpy does not read: one symbol for each, the same from whichever headers it came.

CUDA's headers, clang's wrappers and the C++ library declare one function in many ways: as `double fmax(float, double)`,
as a template that promotes its operands, in namespace std or out of it. What they compute is the same, and so is the
symbol: `std::fmax` of two doubles.
"""

from __future__ import annotations

from cladpy import derivatives, known
from cladpy.diagnostics import Span
from cladpy.frontend.held import holds_functions
from cladpy.frontend.kinds import TypeKind
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.names import qualified_name
from cladpy.frontend.refused import Refused
from cladpy.frontend.types import half_kind
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import ASIDE, Reference, Scalar, Struct, Type, is_floating, scalar_of

# How the names begin of what libstdc++ throws by, out of line.
THROWING = "__throw_"
# Functions of the C++ library that give one of their arguments by reference: of scalars, its value is the same.
CHOICES = frozenset(("min", "max", "clamp"))

_IN_BYTES = frozenset(("make_shared", "allocate_shared"))
_IN_OBJECTS = "cladpy_shared"  # the namespace of those that cladpy has

_LAID_OUT = ("std::vector<", "std::shared_ptr<")  # classes that lie in memory in another way than they are read

_NAMESPACES = ("std", "cuda", "nvcuda", "thrust", "cub", "cooperative_groups", "at", "c10", "cladpy_torch")
_DETAIL = "std::__detail::"  # whose names are libstdc++'s own, also where a function of CUDA is called so: `__isnan`
BUILT_IN = "__builtin_"  # how compilers call functions of C's that they know
_OWN = "cladpy::"  # by which functions of the libraries are read, and what gradients are made of
_KOKKOS = "Kokkos::"  # of which cladpy reads declarations of its own
_MARKS = frozenset(("cladpy::detached",))  # which say something by their names


def refuse_unknown(function: Cursor, span: Span) -> None:
    """Refuses functions that make objects in memory that is of no type."""
    if function.spelling in _IN_BYTES and is_of_library(function) and function.parent.spelling != _IN_OBJECTS:
        raise Refused("CP0136", span, f"'std::{function.spelling}'")


def is_of_library(function: Cursor) -> bool:
    """Whether a function is one of the C++ libraries', as against one of CUDA or C."""
    return qualified_name(function, with_arguments=False).split("::")[0] in (*_NAMESPACES, "cladpy")


def is_read(function: Cursor) -> bool:
    """Whether the body of a function of the system's headers is read like that of a user's: where classes take part
    in it, and what the C++ libraries offer besides mathematics."""
    qualified = qualified_name(function, with_arguments=False)
    if qualified.startswith(_OWN):
        return qualified not in _MARKS and not has_rule(qualified)
    if qualified.startswith(_KOKKOS):
        return True
    name = function.spelling
    if name.startswith("atomic"):  # of vectors too: their bodies are assembly
        return False
    type = function.type.canonical
    if name.startswith("cublas") or name.startswith("operator"):
        return True  # of numbers that are classes, such as __half: in terms of functions
    if any(_of_class(t) for t in (type.result, *type.parameters)):
        return True
    return is_of_library(function) and (qualified.startswith(_DETAIL) or not has_rule(name))


def _of_class(type: ClangType) -> bool:
    while type.kind in (TypeKind.POINTER, TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE):
        type = type.pointee.canonical
    known = type.kind == TypeKind.RECORD and type.declaration.definition is not None  # no handle, such as a stream
    return known and half_kind(type) is None


def has_rule(name: str) -> bool:
    """Whether a derivative is known by the function's name, so that the body does not matter."""
    if isinstance(known.of(name), known.Standard) or name.startswith(BUILT_IN):
        return True
    return any(derivatives.lookup(name, count) is not None for count in (1, 2, 3)) or derivatives.is_inactive(
        name, integer_result=False
    )


def is_built_in(name: str) -> bool:
    """Whether this is a compiler's own spelling of a function of the C library whose derivative is known."""
    return (
        name.startswith(BUILT_IN)
        and not derivatives.is_inactive(name)
        and any(derivatives.lookup(name.removeprefix(BUILT_IN), count) is not None for count in (1, 2, 3))
    )


def library_class(type: Type) -> str | None:
    """A class of the C++ library in an object, or where its pointers lead, that lies in memory in another way than it
    is read here, or that is known in variables only."""
    waiting, seen = [type], set[Type]()
    while waiting:
        here = scalar_of(waiting.pop())
        if here == ASIDE:
            return "std::string"
        if here in seen or not isinstance(here, Struct):
            continue
        seen.add(here)
        if here.spelling.startswith(_LAID_OUT) or holds_functions(here.spelling):
            return here.spelling
        waiting += [f.type for f in here.fields]
    return None


class Library:
    """The symbols of one program's library functions."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Type, tuple[Type, ...]], FunctionSymbol] = {}

    def symbol(
        self, name: str, qualified: str, result: Type, parameters: tuple[Type, ...], kind: FunctionKind, span: Span
    ) -> FunctionSymbol:
        row = known.of(name)
        promoting = isinstance(row, known.Standard) and row.promoting
        if promoting and is_floating(result) and all(isinstance(p, Scalar) for p in parameters):
            parameters = (result,) * len(parameters)
        elif parameters and all(_constant_reference(p) for p in parameters):
            # std::min and its like: of scalars, by value is the same.
            parameters = tuple(p.referee for p in parameters if isinstance(p, Reference))
            if isinstance(result, Reference):
                result = result.referee
        if isinstance(row, known.Standard):
            qualified = f"std::{name}"
        key = (qualified, result, parameters)
        if key not in self._known:
            self._known[key] = FunctionSymbol(name, qualified, result, parameters, kind, span, True)
        return self._known[key]


def _constant_reference(type: Type) -> bool:
    return isinstance(type, Reference) and type.const and isinstance(type.referee, Scalar)


def ends_program(name: str) -> bool:
    """Whether a library's function ends the program, or throws."""
    row = known.of(name)
    return isinstance(row, known.Ending) or (isinstance(row, known.Effect) and row.ends)
