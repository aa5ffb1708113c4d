"""What is differentiated in shared_owners.cu."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (Program("shared_owners", "shared_owners", "x", (real(4), 4)),)
