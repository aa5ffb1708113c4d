"""A launch without <<<...>>>."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("launch_kernel", "weighted", "x, a", (real(45), 1.3, 45)),
    Program("launch_kernel", "by_address", "y, a", (real(45), 0.3, 45)),
)
