"""Steps of which a few values are kept in place of what they read."""

from tests.kernels.making import real, single, zeros
from tests.programs.case import Program

STATE = real(200)
CASES = (
    *(
        Program("kept_values", "lattice", "state, other", (STATE, STATE, 40, 0.7, steps), label=f"{steps}")
        for steps in (0, 1, 4, 5)
    ),
    Program("kept_values", "lattice_of_its_own", "start", (STATE, 40, 0.7, 3)),
    Program("kept_values", "lattice_of_its_own", "start, omega", (STATE, 40, 0.7, 3), label="all"),
    Program("kept_values", "loops", "state, other, rate", (real(160), real(160), real(1), 40, 3)),
    Program("kept_values", "recursions", "state, other, c", (real(48), real(48), real(4), 40, 2)),
    Program("kept_values", "fields", "u, v, w", (single(60), single(60), single(60), 60, 4)),
    Program("kept_values", "variables", "u, v, w", (real(60), real(60), real(60), real(8), 60, 4)),
    Program(
        "kept_values", "variables", "u, v, w, given", (real(60), real(60), real(60), real(8), 60, 4), label="active"
    ),
    Program("kept_values", "blocks", "state, other", (real(160), real(160), 40, 0.9, 3)),
    Program("kept_values", "watched", "state, other, sum", (STATE, STATE, zeros(1), 40, 0.7, 4)),
    Program("kept_values", "in_parts", "state, other, rim", (STATE, STATE, real(40), 40, 0.7, 3)),
    Program("kept_values", "by_the_host", "start", (STATE, 40, 0.7, 3)),
    Program("kept_values", "kinds", "state, other", (STATE, STATE, 40, 0.7, 2)),
    Program("kept_values", "by_weights", "state, other, w, v", (real(160), real(160), real(80), real(80), 40, 2)),
    Program("kept_values", "rows", "state, sum", (real(60), zeros(1), 10, 3, 3)),
)
