"""Gradients against their primals, against gradients written by hand, and against what the machine allows.

usage: python -m benchmarks [--only NAMES] [--budget SECONDS] [-j JOBS] [--output FOLDER]   on a machine with a GPU
       python -m benchmarks --compile-only -j 14      fills the cache, so that the next run only measures
       python -m benchmarks --check [--only NAMES]    compares all gradients at small sizes on the host backend
       python -m benchmarks --backend host            tries everything at small sizes where there is no GPU
       python -m benchmarks --frameworks              gradients of the same computations in JAX and PyTorch
       python -m benchmarks --host                    ratios on this machine's CPU, in results/host.md
       python -m benchmarks --scaling                 ratios by the number of threads and by their work, with plots
       python -m benchmarks --programs DIR ...        any of these with the pairs of kernel and gradient in DIR

Every gradient is checked before it is timed: at a small size against central differences of the primal and against the
gradients written by hand, and at full size against those. The table is written anew after each benchmark.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="check at small sizes on the host backend, time nothing")
    parser.add_argument("--compile-only", action="store_true", help="compile everything in parallel, run nothing")
    parser.add_argument("--host", action="store_true", help="measure ratios on the CPU, as calls of users run there")
    parser.add_argument("--scaling", action="store_true", help="measure and plot ratios over sizes")
    parser.add_argument(
        "--frameworks", action="store_true", help="time JAX and PyTorch, where they are, and nothing else"
    )
    parser.add_argument("--backend", choices=("cuda", "host"), help="default: cuda, or host for --check")
    parser.add_argument("--only", default="", metavar="NAMES", help="benchmarks, or files of them, comma-separated")
    parser.add_argument("--programs", type=Path, metavar="DIR", help="in place of those in benchmarks/programs")
    parser.add_argument("--budget", type=float, default=1e9, metavar="SECONDS", help="begin nothing after so long")
    parser.add_argument("-j", "--jobs", type=int, default=max(1, (os.cpu_count() or 1) - 2), help="compilers at a time")
    parser.add_argument("--output", type=Path, default=HERE / "results", help="folder of the table")
    parser.add_argument("--arch", default="", help="such as sm_90; default: that of the GPU")
    options = parser.parse_args()

    from benchmarks.programs import FOLDER, all_benchmarks

    if options.programs is not None:
        os.environ[FOLDER] = str(options.programs.resolve())
    chosen = list(all_benchmarks())
    if options.only:
        wanted = [name.strip() for name in options.only.split(",")]
        unknown = set(wanted) - {b.name for b in chosen} - {b.file for b in chosen}
        if unknown:
            print(
                f"there is no benchmark called {', '.join(sorted(unknown))}; there are "
                + ", ".join(b.name for b in chosen),
                file=sys.stderr,
            )
            return 2
        chosen = [b for b in chosen if b.name in wanted or b.file in wanted]
    deadline = time.monotonic() + options.budget
    if options.host:
        from benchmarks.host import measure_host

        return measure_host(chosen, options.output, deadline)
    if options.check:
        from benchmarks.check import check_all

        return check_all(chosen, options.backend or "host", options.arch, options.jobs)
    backend = options.backend or "cuda"
    if backend == "cuda" and not options.arch:
        from benchmarks.build import architecture

        options.arch = architecture()
    if options.compile_only:
        from benchmarks.check import compile_all

        return compile_all(chosen, backend, options.arch, options.jobs)
    if options.scaling:
        from benchmarks.scaling import scale

        return scale(backend, options.arch, options.jobs, deadline, options.output)
    if options.frameworks:
        from benchmarks.measure import time_frameworks

        return time_frameworks(chosen, deadline, options.output)
    from benchmarks.measure import measure_all

    return measure_all(chosen, backend, options.arch, options.jobs, deadline, options.output)


if __name__ == "__main__":
    sys.exit(main())
