"""What is differentiated in fields.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import (
    blank,
    every,
    index_rows,
    indices,
    members,
    real,
    ring,
    shaped,
    shaped_in,
    single,
    single_rows,
    triangles,
    zeros,
)

CASES = (
    Case(
        "fields", "gravity", "bodies, accelerations, softening", (single_rows(N, 4), blank(N, 3, dtype="f4"), 0.05, N)
    ),
    Case(
        "fields",
        "gray_scott",
        "u, v, nu, nv, r, h",
        (real(35), real(35), zeros(35), zeros(35), members(feed=0.04, kill=0.06, du=0.16, dv=0.08), 0.5, 7, 5),
        (2, 2),
        (4, 4),
    ),
    Case("fields", "reach", "angles, lengths, ends", (real(40), real(4), blank(10, 2), 4, 10), 1),
    Case("fields", "lstm", "x, weights, recurrent, hidden", (real(7), shaped(9, 4), shaped(9, 4), zeros(9), 7, 9), 1),
    *(
        Case("fields", f"density<{name}>", "at, mass, rho, h", (shaped(20, 2), real(20), zeros(20), 0.4, 20), 1)
        for name in ("CubicSpline", "Gaussian")
    ),
    Case(
        "fields",
        "neo_hooke",
        "rest, now, energy, mu, lambda",
        (shaped(8, 2), shaped(8, 2), triangles(12, 8), zeros(12), 1.3, 0.7, 12),
        1,
    ),
    Case(
        "fields",
        "sabr",
        "strikes, volatilities, model, forward, expiry",
        (X, Y, members(alpha=0.3, beta=0.6, rho=-0.4, nu=0.5), 0.8, 1.5, N),
    ),
    Case(
        "fields",
        "orbits::positions",
        "elements, at",
        (shaped_in(N, (1.0, 2.0), (0.1, 0.9), (0.2, 3.0)), blank(N, 2), N),
    ),
    Case("fields", "shallow_water", "cells, next, ratio", (shaped(N, 2), blank(N, 2), 0.1, N)),
    Case(
        "fields",
        "unsaturated",
        "head, soils, content, flow",
        (
            single(N, -1.5, 0.3),
            shaped_in(3, (0.05, 0.1), (0.4, 0.5), (0.5, 2.0), (1.5, 2.5), (0.5, 1.5), dtype="f4"),
            indices(N, 3),
            zeros(N, "f4"),
            zeros(N, "f4"),
            N,
        ),
    ),
    Case(
        "fields",
        "enzymes",
        "substrate, product, kinetics, h",
        (real(20), zeros(20), members(forward=2.0, backward=0.5, catalysis=0.8), 0.1, 9, 20),
        1,
    ),
    Case(
        "fields",
        "reprojection",
        "cameras, points, pixels, error",
        (
            shaped_in(4, *[(0.1, 0.5)] * 5, (2.0, 3.0), (0.9, 1.1), (0.01, 0.05), (0.01, 0.02)),
            shaped(10, 3),
            index_rows(24, 4, 10),
            shaped(24, 2),
            zeros(24),
            24,
        ),
        1,
    ),
    Case("fields", "likelihood", "model, logarithm", (shaped(1, 24), indices(60, 4), zeros(10), 6, 10), 1),
    Case(
        "fields",
        "ewald",
        "at, charge, box, eta, energy",
        (shaped(20, 3), real(20), members(first=every(4, 20), list=ring(20, 4)), 1.0, 1.7, zeros(20), 20),
        1,
    ),
    Case("fields", "harmonics<0, 1, 2, 5>", "x, weights, y", (X, real(4), Y, N)),
)
