"""What the threads of OpenMP share out in regions, which makes no difference to the value."""

from tests.kernels.making import real
from tests.programs.case import Program

N = 13
X = real(N)
CASES = tuple(
    Program("shared_work", name, "x", (X, N))
    for name in ("relaxed", "until_small", "parts", "summed", "in_sections", "told", "elsewhere", "eliminated")
)
