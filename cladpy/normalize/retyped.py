"""Whether a program uses memory as another type than it was written as, as nvcc lets it do and C++ does not.

Where it does not, the host's compiler may take what is stored through a float's pointer for no other object than a
float, as C++ says. It is by this that loops over threads become ones of vectors: else each store might change where in
the grid the threads are.
"""

from __future__ import annotations

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import is_dynamic_shared
from cladpy.ir.types import Array, Pointer, Scalar, Struct, Type, Void, is_integer


def keeps_types(program: s.Program) -> bool:
    """Whether all memory is used as what it was written as, as far as the program's functions say so."""
    if program.custom_pullbacks or program.custom_forwards:  # whose bodies have not been read
        return False
    shared: set[Type] = set()  # what dynamic shared memory holds, which is one memory under all its names
    for function in program.functions.values():
        for expr in surface_walk.expressions(function.body):
            for part in surface_walk.walk(expr):
                if _retypes(part):
                    return False
                if isinstance(part, s.VarRef) and is_dynamic_shared(part.symbol):
                    assert isinstance(part.symbol.type, Array)
                    shared.add(part.symbol.type.element)
    return len(shared) <= 1


def _retypes(expr: s.Expr) -> bool:
    match expr:
        case s.Unsupported():
            return True
        case s.Member(base):
            return isinstance(base.type, Struct) and base.type.record.is_union
        case s.Index(type=Scalar(enum=enum)) | s.Deref(type=Scalar(enum=enum)):
            return bool(enum)  # which the memory of integers may be seen as without a word
        case s.Cast(operand, Pointer(target)):
            match operand.type:
                case Pointer(source) | Array(source):
                    return not _agree(source, target)
                case _:
                    return True
        case _:
            return False


def _agree(source: Type, target: Type) -> bool:
    """Whether memory may be used as both. What is given as a pointer to void is used when that is converted."""
    match source, target:
        case _, Void():
            return True
        case Pointer(source), Pointer(target):
            return _agree(source, target)
        case Scalar(), Scalar() if is_integer(source) and is_integer(target):
            return _unsigned(source) == _unsigned(target)
        case _:
            return source == target


def _unsigned(type: Scalar) -> str:
    return type.kind.value.split("signed ")[-1]
