"""Arrays in objects that are passed by value."""

from tests.kernels.making import members, real
from tests.programs.case import Program

OWN = members(scale=0.7, terms=real(3))

CASES = (
    Program("own_copies", "copied_over", "in, own", (real(3), OWN)),
    Program("own_copies", "set_over", "in, own", (real(3), OWN)),
    Program("own_copies", "back_and_forth", "in, own", (real(3), OWN)),
    Program("own_copies", "only_read", "out, own", (real(3), OWN)),
)
