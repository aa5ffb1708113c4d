"""What is differentiated in recurrences.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import increasing, members, real, shaped, shaped_in, zeros

CASES = (
    Case(
        "recurrences",
        "ctc",
        "log_probs, loss",
        (
            lambda rng: np.log(rng.uniform(0.1, 0.6, (4, 7, 5))),
            np.array([1, 2, 2, 3, 3, 3, 3, 1, 4, 1, 4, 0], "i4"),
            np.array([3, 2, 4, 0], "i4"),
            zeros(4),
            7,
            3,
            5,
            4,
        ),
        1,
        8,
    ),
    Case(
        "recurrences",
        "kalman",
        "measurements, likelihood, q, r, dt",
        (shaped(4, 6, 2), zeros(4), 0.05, 0.2, 0.1, 6, 4),
        1,
        8,
    ),
    Case(
        "recurrences",
        "qr_solve",
        "matrices, rhs, solution",
        (shaped_in(9, *[(-1.0, 1.0)] * 16), shaped(9, 4), shaped(9, 4), 9),
        1,
        16,
    ),
    Case(
        "recurrences",
        "stiff",
        "concentrations, rates, step",
        (shaped(6, 3), members(k1=0.4, k2=3.0, k3=1.5), 0.3, 2, 6),
        1,
        8,
    ),
    Case(
        "recurrences",
        "monotone",
        "xs, ys, at, out, slope",
        (increasing(9), real(9), real(30), zeros(30), zeros(30), 9, 30),
        1,
    ),
    Case(
        "recurrences",
        "heston",
        "price, spot, strike, v0, kappa, theta, xi, rho",
        (zeros(1), 1.0, 0.9, 0.09, 1.2, 0.1, 0.5, -0.4, 8, 40, 12345),
        1,
        16,
    ),
    Case("recurrences", "swings", "x, y", (X, Y, N, 5)),
)
