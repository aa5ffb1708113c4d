"""The gradients of random kernels on a device, each in a process of its own.

usage: python -m benchmarks.gpu_random [--seed 0] [--count 100] [--size 30] [--backend cuda] [--jobs 8]

Every kernel goes through the check, with the oracle on the host. Exit 0 only if all are right.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

SECONDS = 200  # for one kernel; one that hangs fails alone


def outcome(seed: int, size: int, backend: str) -> tuple[int, str]:
    """The exit status of one kernel's check, and what it printed."""
    command = [sys.executable, "-m", "tests.generator", "--seed", str(seed), "--count", "1", "--size", str(size)]
    try:
        done = subprocess.run(
            [*command, "--backend", backend], capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return 124, f"seed {seed}: no answer in {SECONDS} s"
    return done.returncode, done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_random", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, default=30, help="statements in a kernel, about")
    parser.add_argument("--backend", default="cuda", choices=("cuda", "host"))
    parser.add_argument("--jobs", type=int, default=8)
    options = parser.parse_args()
    start = time.monotonic()
    seeds = range(options.seed, options.seed + options.count)
    failed = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, (status, printed) in zip(
            seeds, pool.map(lambda s: outcome(s, options.size, options.backend), seeds), strict=True
        ):
            if status:
                failed.append(seed)
                print(printed.strip()[-1500:], flush=True)
    right = options.count - len(failed)
    seconds = time.monotonic() - start
    print(f"{right}/{options.count} random kernels right ({options.backend}, {seconds:.0f} s)", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
