"""What a traced gradient does to look at its adjoints: calls of the object `_trace` that each generated function has.

They are effects of generated code like printing, so that passes leave them where they are, after what they look at.
"""

from __future__ import annotations

from cladpy.diagnostics import NOWHERE
from cladpy.ir import code, core
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import VOID

TRACER = "_trace"  # of the class cladpy::tracer


def _method(name: str) -> FunctionSymbol:
    return FunctionSymbol(name, f"{TRACER}.{name}", VOID, (), FunctionKind.HOST_DEVICE, NOWHERE, True)


# See the functions of these names in <cladpy/nonfinite.h>.
CHECK = _method("check")
ZERO = _method("zero")

# What a traced call takes at most: the cotangent, adjoints and operands.
MOST_OPERANDS = 20


def traced_call(callee: FunctionSymbol, *arguments: core.Expr | core.Text) -> code.Perform:
    return code.Perform(callee, arguments)
