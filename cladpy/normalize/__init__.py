"""Stage 3: from the surface grammar to the core: one effect per statement, one exit, `if` and loop only, values
versioned.

Takes a function of a `surface.Program` and a `Policy` that says what is inlined; gives a `core.Function`. Reports what
it cannot take to the sink (codes CP02xx) and raises DifferentiationError, or Restart where it learns something that has
to be decided from the start.
"""

from cladpy.normalize.decisions import Decisions, Restart, decided
from cladpy.normalize.lower import normalize
from cladpy.normalize.policy import Policy

__all__ = ["Decisions", "Policy", "Restart", "decided", "normalize"]
