"""Questions about the device."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (Program("devices", "as_many_blocks_as_fit", "x", (real(80), 80)),)
