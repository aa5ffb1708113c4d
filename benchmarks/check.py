"""`python -m benchmarks --check` and `--compile-only`."""

from __future__ import annotations

from benchmarks import verify
from benchmarks.build import Built, BuiltByHand, build_all, jobs_of
from benchmarks.memory import DeviceMemory, HostMemory, Memory, compiled_timer
from benchmarks.program import Benchmark
from cladpy.diagnostics import CladpyError


def memory_of(backend: str) -> Memory:
    return HostMemory() if backend == "host" else DeviceMemory()


def check_all(benchmarks: list[Benchmark], backend: str, arch: str, workers: int) -> int:
    """Says for each whether its gradients are right; 0 if all are."""
    jobs = [job for b in benchmarks for job in jobs_of(b, backend, arch)]
    memory = memory_of(backend)
    built: list[Built | BuiltByHand] = []
    wrong = 0
    remaining = iter(build_all(jobs, workers))
    for benchmark in benchmarks:
        built = [next(remaining) for _ in jobs_of(benchmark, backend, arch)]
        problems = check_one(memory, benchmark, built)
        wrong += bool(problems)
        print(f"{benchmark.name}: {'; '.join(problems) or 'right'}", flush=True)
    print(f"{len(benchmarks) - wrong}/{len(benchmarks)} right ({backend})")
    return 1 if wrong else 0


def check_one(memory: Memory, benchmark: Benchmark, built: list[Built | BuiltByHand]) -> list[str]:
    """What is wrong; on the host in three orders of threads."""
    problems = [b.error for b in built if b.error]
    gradients = {b.fresh: b for b in built if isinstance(b, Built) and not b.error}
    by_hand = next((b for b in built if isinstance(b, BuiltByHand) and not b.error), None)
    if False in gradients:
        try:
            for each in (HostMemory(0), HostMemory(1), HostMemory(2)) if memory.on_host else (memory,):
                findings = verify.small(each, benchmark, gradients[False], gradients.get(True), by_hand)
                problems += [str(f) for f in findings if not f.ok]
        except CladpyError as error:
            return [*problems, f"{type(error).__name__}: {error}"]
    return problems


def compile_all(benchmarks: list[Benchmark], backend: str, arch: str, workers: int) -> int:
    """Fills the cache; 0 if everything could be compiled."""
    jobs = [job for b in benchmarks for job in jobs_of(b, backend, arch)]
    failed = 0
    for job, built in zip(jobs, build_all(jobs, workers), strict=True):
        seconds = (
            f" ({built.transform_seconds:.1f} + {built.compile_seconds:.1f} s)" if isinstance(built, Built) else ""
        )
        failed += bool(built.error)
        print(f"{job[0]}, {job[1]}: {built.error or 'compiled'}{seconds}", flush=True)
    if backend == "cuda":
        compiled_timer()
    print(f"{len(jobs) - failed}/{len(jobs)} compiled")
    return 1 if failed else 0
