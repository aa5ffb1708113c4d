"""`python -m tests.metamorphic --count N --seed S`: random kernels, written differently; exit status 1 where gradients
differ."""

from __future__ import annotations

import argparse
import random
import sys

import tests.oracle  # noqa: F401, which says how the host compiles
from tests.generator import GeneratedProgram, generate, generate_block
from tests.metamorphic.changes import CHANGES
from tests.metamorphic.comparing import adjoints, difference, optimised


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.metamorphic")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    bad = compared = 0
    for seed in range(options.seed, options.seed + options.count):
        program = (generate_block if seed % 2 else generate)(seed, 20)
        for name, found in differences(program, seed):
            compared += 1
            if not found <= 1:
                bad += 1
                print(f"{'block' if seed % 2 else 'threads'} {seed}, {name}: {found:.1e} times what rounding explains")
    print(f"{compared - bad} of {compared} gradients of programs written differently are the same")
    return 1 if bad else 0


def differences(program: GeneratedProgram, seed: int) -> list[tuple[str, float]]:
    """By change, and with more optimisation."""
    own = adjoints(program)
    found = []
    for change in CHANGES:
        text = change(program.text, random.Random(seed))
        if text is not None:
            found.append((change.__name__, difference(own, adjoints(program, text))))
    with optimised("-O3"):
        found.append(("-O3", difference(own, adjoints(program))))
    return found


if __name__ == "__main__":
    sys.exit(main())
