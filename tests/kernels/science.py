"""What is differentiated in science.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import increasing, indices, real, single, zeros

CASES = (
    Case("science", "black_scholes", "spot, strike, years, rate, vol, call, put", (X, X, X, 0.05, 0.3, Y, Y, N)),
    Case(
        "science",
        "lennard_jones",
        "position, force, energy, epsilon, sigma",
        (real(60, 0.0, 3.0), zeros(60), zeros(1), 0.7, 0.9, 20),
        1,
    ),
    Case("science", "heat_stencil", "u, next, alpha", (real(80), zeros(80), 0.1, 10, 8), (3, 2), (4, 4)),
    Case("science", "gemv", "a, x, y, alpha, beta", (real(40 * 9), real(9), real(40), 0.8, 0.3, 40, 9)),
    Case("science", "gemm", "a, b, c", (single(42), single(56), zeros(48, "f4"), 6, 8, 7), (2, 2), (4, 4)),
    Case("science", "rms_norm", "x, weight, y", (single(120), single(10), zeros(120, "f4"), 12, 10), 1),
    Case("science", "biquad", "x, y, b0, b1, a1, a2", (real(120), zeros(120), 0.6, 0.2, -0.5, 0.1, 6, 20), 1),
    Case("science", "newton", "a, root", (X, Y, N)),
    Case("science", "table_lookup", "grid, value, at, y", (increasing(17), real(17), X, Y, N, 17)),
    Case(
        "science",
        "cross_sections",
        "energy_grid, xs, energy, density, total",
        (increasing(12), real(4 * 12 * 3), X, indices(N, 16), real(4), Y, N, 12, 4),
    ),
    Case("science", "escape_time", "re, im, y", (real(N, -1.0, 0.5), real(N, -1.0, 1.0), Y, N)),
    Case("science", "horner", "c, x, y", (real(9), X, Y, N, 8)),
    Case("science", "clenshaw", "c, x, y", (real(9), real(N, -0.9, 0.9), Y, N, 8)),
    Case("science", "runge_kutta", "state, sigma, rho, beta, h", (real(30), 10.0, 28.0, 2.6, 0.01, 8, 10), 1),
    Case("science", "monte_carlo", "spot, vol, payoff", (1.0, 0.4, Y, 12345, 6, N)),
    Case(
        "science",
        "cubic_spline",
        "knot, a, b, c, d, at, y",
        (increasing(9), real(9), real(9), real(9), real(9), X, Y, N, 9),
    ),
    Case("science", "convolution", "x, w, y", (real(63, -1, 1), real(9, -1, 1), zeros(63), 9, 7, 1), (3, 2), (4, 4)),
    Case("science", "softmax", "x, y", (real(100, -2, 2), zeros(100), 10, 10), 1),
    Case("science", "log_sum_exp", "x, y", (single(100, -2, 2), zeros(10, "f4"), 10, 10), 1),
    Case("science", "quaternion_rotation", "q, v, out", (real(80, -1, 1), real(60), zeros(60), 20), 1),
    Case("science", "inverse_3x3", "a, inverse", (real(90), zeros(90), 10), 1),
    Case("science", "cholesky", "a, factor", (real(160), zeros(160), 10), 1),
    Case("science", "thomas", "lower, diagonal, upper, rhs", (real(48), real(48), real(48), real(48), 6, 8), 1),
    Case(
        "science",
        "ray_sphere",
        "origin, direction, sphere, depth",
        (real(90, -1, 0), real(90), real(20), zeros(30), 30, 5),
        1,
    ),
    Case("science", "bilinear", "image, u, v, y", (single(80), single(N), single(N), zeros(N, "f4"), 10, 8, N)),
    Case("science", "cumulative_product", "x, y", (real(80), zeros(80), 10, 8), 1),
    Case("science", "branch_game", "x, y", (X, Y, N, 15)),
    Case("science", "adam_step", "w, g, m, v, rate", (X, X, X, X, 0.1, N)),
    Case("science", "pendulum", "angle, energy, length, h", (X, Y, 1.3, 0.05, 30, N)),
    Case(
        "science",
        "dense_layers",
        "x, w1, w2, y",
        (single(80), single(32, -1, 1), single(24, -1, 1), zeros(60, "f4"), 20),
        1,
    ),
    Case("science", "trapezoid", "a, b, y", (real(N, -1, 0), X, Y, N, 12)),
)
