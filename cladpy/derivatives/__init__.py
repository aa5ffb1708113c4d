"""Stage 5': the derivative rules, which the adjoint reads.

Takes the name of a library function (`lookup`), gives its `MathRule` (partials as C++ text) or None. Functions without
a derivative are told by `is_inactive`; those with output pointers by `multi_output`. Nothing is raised: an unknown name
is None, and the caller says what that means.
"""

from cladpy.derivatives.outputs import MultiOutput, VectorNorm, multi_output, vector_norm
from cladpy.derivatives.rule import Extremum, Kink, MathRule
from cladpy.derivatives.table import RULES, compares_halves, has_kinks, is_bit_cast, is_inactive, is_pure, lookup
from cladpy.derivatives.text import substitute, used

__all__ = [
    "RULES",
    "Extremum",
    "Kink",
    "MathRule",
    "MultiOutput",
    "VectorNorm",
    "compares_halves",
    "has_kinks",
    "is_bit_cast",
    "is_inactive",
    "is_pure",
    "lookup",
    "multi_output",
    "substitute",
    "used",
    "vector_norm",
]
