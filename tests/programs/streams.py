"""Streams, events and pinned memory."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("streams", "two_streams", "out, in", (zeros(40), real(40), 40)),
    Program("streams", "overlapped", "in", (real(24), 24, 4)),
    Program("streams", "timed", "in", (real(40, 0.8, 1.1), 40)),
    Program("streams", "on_the_callers", "in", (real(40), 40, None)),
    Program("streams", "from_a_pool", "in", (real(40), 40)),
    Program("streams", "by_count", "out, in", (zeros(40), real(40), 40, 3)),
    Program("streams", "if_made", "out, in", (zeros(40), real(40), 40)),
    Program("streams", "kept_in_memory", "out, in", (zeros(40), real(40), 40)),
)
