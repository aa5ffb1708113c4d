"""Cross sections by binary search: twelve materials, of which the fuel has most nuclides, as in XSBench."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Goals, Run, Traffic, blocks, uniform, zeros

FUEL = 321
OTHERS = (5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9)
# How often a lookup is in a material: one in seven in the fuel.
ODDS = np.array([0.14, 0.05, 0.15, 0.13, 0.15, 0.05, 0.06, 0.05, 0.06, 0.05, 0.05, 0.06])


def lookups(lookups: int, nuclides: int, points: int, channels: int) -> Run:
    rng = np.random.default_rng(6)
    counts = np.minimum([FUEL, *OTHERS], nuclides)
    first = np.concatenate([[0], np.cumsum(counts)]).astype("i4")
    members = np.concatenate([rng.permutation(nuclides)[:c] for c in counts]).astype("i4")
    tables = uniform(0.1, 1.0, (nuclides, points, 6)).copy()
    tables[..., 0] = np.sort(rng.uniform(0.0, 1.0, (nuclides, points)), axis=1)
    tables[:, 0, 0], tables[:, -1, 0] = 0.0, 1.0
    materials = rng.choice(12, lookups, p=ODDS / ODDS.sum()).astype("i4")
    energies = rng.uniform(0.01, 0.99, lookups)
    cotangent = np.zeros((lookups, 5))
    cotangent[:, :channels] = uniform(0.5, 1.5, (lookups, channels), seed=8)
    # two points and a number for each nuclide of a lookup, and what the gradient adds to
    visits = float(counts[materials].sum())
    added = 2 * 8.0 * (channels + 1) * visits
    primal = (96.0 + 12.0) * visits + 52.0 * lookups
    return Run(
        [
            zeros((lookups, 5)),
            tables,
            energies,
            materials,
            first,
            members,
            uniform(0.1, 1.0, len(members)),
            points,
            lookups,
        ],
        blocks(lookups, 256),
        traffic=Traffic(primal, primal + 2 * added, primal + 2 * added + 40.0 * lookups),
        cotangents={"macro": cotangent},
    )


def benchmark(name: str, channels: int, must: float, aim: float) -> Benchmark:
    return Benchmark(
        name,
        "cross_sections",
        "macro",
        "tables",
        lookups,
        {"lookups": 1 << 21, "nuclides": 355, "points": 11303, "channels": channels},
        {"lookups": 40, "nuclides": 6, "points": 30, "channels": channels},
        by_hand=(ByHand("cross_sections_by_hand<{fresh}>"),),
        step=1e-3,
        goals=Goals((None, None), (must, must), (aim, aim)),
    )


BENCHMARKS = [benchmark("xs_one_channel", 1, 4.0, 1.6), benchmark("xs_five_channels", 5, 6.0, 2.9)]
