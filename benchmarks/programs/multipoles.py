"""Cross sections by poles in the complex plane, in the structure of RSBench."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Goals, Operations, Run, blocks, uniform, zeros
from benchmarks.programs.cross_sections import FUEL, ODDS, OTHERS

WINDOW = np.dtype([("numbers", "f8", 3), ("start", "i4"), ("end", "i4")], align=True)


def lookups(lookups: int, nuclides: int, poles: int, windows: int) -> Run:
    rng = np.random.default_rng(6)
    counts = np.minimum([FUEL, *OTHERS], nuclides)
    first = np.concatenate([[0], np.cumsum(counts)]).astype("i4")
    members = np.concatenate([rng.permutation(nuclides)[:c] for c in counts]).astype("i4")
    made = uniform(-1.0, 1.0, (nuclides, poles, 8)).copy()
    made[..., 0] = np.sort(rng.uniform(0.0, 1.0, (nuclides, poles)), axis=1)
    made[..., 1] = uniform(0.2, 1.0, (nuclides, poles), seed=9)
    momenta = rng.integers(0, 4, (nuclides, poles)).astype("i4")
    about = np.zeros((nuclides, windows), WINDOW)
    about["numbers"] = uniform(0.0, 1.0, (nuclides, windows, 3))
    each = poles / windows
    about["start"] = (np.arange(windows) * each).astype("i4")
    about["end"] = np.minimum(poles, ((np.arange(windows) + 1) * each).astype("i4") + 1)
    materials = rng.choice(12, lookups, p=ODDS / ODDS.sum()).astype("i4")
    visits = float(counts[materials].sum()) * (each + 1)
    return Run(
        [
            *(
                zeros((lookups, 4)),
                made,
                momenta,
                about,
                uniform(0.5, 1.5, (nuclides, 4)),
                rng.uniform(0.01, 0.99, lookups),
            ),
            *(materials, first, members, uniform(0.1, 1.0, len(members)), poles, windows, lookups),
        ],
        blocks(lookups, 256),
        operations=Operations(40 * visits, 110 * visits),
    )


BENCHMARKS = [
    Benchmark(
        "multipoles",
        "multipoles",
        "macro",
        "poles",
        lookups,
        {"lookups": 1 << 19, "nuclides": 355, "poles": 1000, "windows": 100},
        {"lookups": 40, "nuclides": 6, "poles": 20, "windows": 5},
        by_work=lambda m: {"lookups": 1 << 14, "nuclides": 12, "poles": m, "windows": 1},
        by_hand=(ByHand("multipoles_by_hand<{fresh}>"),),
        goals=Goals((None, None), (4.0, 4.0), (3.0, 3.0)),
    ),
]
