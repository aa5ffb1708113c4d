"""Time steps between two buffers, whose adjoints are replaced from step to step where that is proved to be the same."""

import numpy as np

from tests.kernels.making import real, single, zeros
from tests.programs.case import Program

RING = real(3 * 37)
BOX = single(2 * 35 * 6)
HEAT = real(19 * 7)
MASK = np.arange(37, dtype="i4") % 3
CASES = (
    *(
        Program("renewed", "ring_steps", "state, other, rate", (RING, RING, 37, 0.3, steps), label=f"{steps}")
        for steps in (1, 2, 5)
    ),
    Program("renewed", "ring_in_place", "state", (RING, 37, 3)),
    Program("renewed", "ring_watched", "state, other, sum", (RING, RING, zeros(1), 37, 5)),
    Program("renewed", "ring_of_parts", "state, other", (RING, RING, 37, 3)),
    *(Program("renewed", "box_steps", "state, other", (BOX, BOX, 35, 6, rows, 5), label=f"{rows}") for rows in (6, 4)),
    Program("renewed", "pointwise_steps", "state, other", (single(70), single(70), 70, 2)),
    Program("renewed", "told_otherwise_steps", "state, other", (single(70), single(70), 70, 2)),
    Program("renewed", "three_buffers", "a, b, c", (single(70), single(70), single(70), 70, 2)),
    Program("renewed", "fields_steps", "u, v, k", (real(40), real(40), real(40), 40, 2)),
    Program("renewed", "iterated_steps", "state, other", (real(70), real(70), 70, 2)),
    Program("renewed", "masked_steps", "state, other", (real(37), real(37), MASK, 37, 2)),
    Program("renewed", "gated_steps", "state, other, rate", (real(37), real(37), 37, 0.4, 4)),
    Program("renewed", "border_steps", "state, other", (real(37), real(37), 37, 3)),
    *(
        Program("renewed", "heat_steps", "state, other", (HEAT, HEAT, 19, 7, rows, 5), label=f"{rows}")
        for rows in (7, 5)
    ),
    Program("renewed", "heat_in_changing_boxes", "state, other", (HEAT, HEAT, 19, 7)),
    Program("renewed", "steps_with_rim", "state, other", (HEAT, HEAT, 19, 7, 3)),
    Program("renewed", "reaction_steps", "u, v, u1, v1", (*(single(70) for _ in range(4)), 70, 2)),
    Program("renewed", "beside_steps", "state, other, sum", (real(70), real(70), zeros(1), 70, 2)),
    Program("renewed", "apart_steps", "state, other", (real(70), real(70), 70, 2)),
    Program("renewed", "upwind_steps", "state, other", (real(37), real(37), MASK, 37, 2)),
    Program("renewed", "steps_of_several_kinds", "state, other", (real(37), real(37), 37, 1)),
    Program("renewed", "skewed_steps", "state, other", (real(37 * 38), real(37 * 38), 37, 2)),
    Program("renewed", "energies", "state, other, energy", (real(60), real(60), real(60), 60, 3)),
)
