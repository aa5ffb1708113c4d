"""A number's bits as an integer, and the other way."""

from __future__ import annotations

from cladpy.ir.types import BFLOAT16, DOUBLE, FLOAT, HALF, INT, UINT, Scalar, ScalarKind
from cladpy.known.rows import Bits, Known

_SHORT, _USHORT, _LONGLONG = Scalar(ScalarKind.SHORT), Scalar(ScalarKind.USHORT), Scalar(ScalarKind.LONGLONG)
# The first for a number is the one that is written where the program has none.
_PAIRS = (
    ("half", HALF, "short", _SHORT),
    ("half", HALF, "ushort", _USHORT),
    ("bfloat16", BFLOAT16, "short", _SHORT),
    ("bfloat16", BFLOAT16, "ushort", _USHORT),
    ("float", FLOAT, "int", INT),
    ("float", FLOAT, "uint", UINT),
    ("double", DOUBLE, "longlong", _LONGLONG),
)

ROWS: tuple[Known, ...] = (
    *(Bits(f"__{number}_as_{name}", type, integer, True) for number, type, name, integer in _PAIRS),
    *(Bits(f"__{name}_as_{number}", type, integer, False) for number, type, name, integer in _PAIRS),
    Bits("__double2hiint", DOUBLE, INT, True, whole=False),
    Bits("__double2loint", DOUBLE, INT, True, whole=False),
    Bits("__hiloint2double", DOUBLE, INT, False, whole=False),
)
