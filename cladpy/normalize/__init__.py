"""Stage 3: from the surface grammar to the core: one effect per statement, one exit, `if` and loop only, values
versioned.

Takes a function of a `surface.Program` and a `Policy` that says what is inlined; gives a `core.Function`. Reports what
it cannot take to the sink (codes CP02xx) and raises DifferentiationError.
"""

from cladpy.normalize.lower import normalize
from cladpy.normalize.policy import Policy

__all__ = ["Policy", "normalize"]
