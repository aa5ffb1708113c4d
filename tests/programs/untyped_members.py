"""Objects with pointers to void."""

from tests.kernels.making import single
from tests.programs.case import Program

GIVEN = (single(4 * 36), single(36), single(36), 36)
CASES = (Program("untyped_members", "through_void", "in, out, weights", GIVEN),)
