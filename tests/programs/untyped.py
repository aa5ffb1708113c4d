"""Memory that is allocated through pointers to void."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    *(
        Program("untyped", name, "x, y", (real(9), zeros(9), 9))
        for name in ("on_host", "on_device", "through_a_helper", "by_bytes", "filled_alone")
    ),
    Program("untyped", "in_a_loop", "x, y", (real(7), zeros(7), 7, 3)),
)
