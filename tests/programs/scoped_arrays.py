"""Host arrays in the scopes of loops and branches, as targets of copies."""

from tests.kernels.making import real
from tests.programs.case import Program

X = real(20, 0.1, 0.9)
CASES = tuple(
    Program("scoped_arrays", name, "x, rate", (X, 0.2, 20, 5))
    for name in ("in_a_loop", "in_a_branch", "partly_copied", "back_to_the_device")
)
