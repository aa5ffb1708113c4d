"""Processes that try one program after the other, each within its time; one that dies or hangs is replaced."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol, TypeVar

from tests.fuzz.trial import CRASH, TIMEOUT, Outcome

# A worker that has tried so many gives its memory back: loaded libraries stay with the process.
LIFE = 150
MEMORY = 6 << 30  # bytes, for a program that never stops allocating

Key = TypeVar("Key")


class Job(Protocol):
    """What a worker does, and can be sent to one."""

    def run(self) -> Outcome: ...


class Worker:
    def __init__(self) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, there = context.Pipe()
        self.folder = tempfile.mkdtemp(prefix="cladpy-fuzz-")
        self.process: BaseProcess = context.Process(target=_serve, args=(there, self.folder), daemon=True)
        self.process.start()
        there.close()
        self.done = 0
        self.started = 0.0

    def give(self, job: Job) -> None:
        self.started = time.monotonic()
        self.pipe.send(job)

    def end(self) -> None:
        if self.process.is_alive() and self.process.pid is not None:
            with contextlib.suppress(ProcessLookupError):  # before it has become a group
                os.killpg(self.process.pid, signal.SIGKILL)  # and the compiler that it waits for
            self.process.kill()
        self.process.join()
        self.pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _serve(pipe: Connection, folder: str) -> None:
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["CLADPY_CACHE_DIR"] = folder
    while True:
        job = pipe.recv()
        pipe.send(job.run())


class Pool:
    """`count` workers; a program has `seconds`."""

    def __init__(self, count: int, seconds: float) -> None:
        self.count, self.seconds = count, seconds
        self.idle: list[Worker] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.idle:
            worker.end()
        self.idle = []

    def one(self, job: Job) -> Outcome:
        return next(iter(self.all([(0, job)])))[1]

    def all(self, jobs: Iterable[tuple[Key, Job]]) -> Iterator[tuple[Key, Outcome]]:
        """The outcomes as they come. Jobs are made when a worker is free."""
        left = iter(jobs)
        busy: dict[Connection, tuple[Worker, Key]] = {}
        more = True
        try:
            while more or busy:
                while more and len(busy) < self.count:
                    try:
                        key, job = next(left)
                    except StopIteration:
                        more = False
                        break
                    worker = self.idle.pop() if self.idle else Worker()
                    worker.give(job)
                    busy[worker.pipe] = worker, key
                yield from self._come(busy)
        finally:
            for worker, _ in busy.values():
                worker.end()

    def _come(self, busy: dict[Connection, tuple[Worker, Key]]) -> Iterator[tuple[Key, Outcome]]:
        """Waits until one has an outcome, has died, or is out of time."""
        ready = wait(list(busy), timeout=0.5) if busy else []
        for pipe, (worker, key) in list(busy.items()):
            if pipe in ready:
                del busy[pipe]
                try:
                    outcome = worker.pipe.recv()
                except (EOFError, OSError):
                    worker.process.join(5)
                    code = worker.process.exitcode
                    worker.end()
                    yield key, Outcome(CRASH, f"the process ended with {code}", str(code))
                    continue
                worker.done += 1
                if worker.done < LIFE:
                    self.idle.append(worker)
                else:
                    worker.end()
                yield key, outcome
            elif time.monotonic() - worker.started > self.seconds:
                del busy[pipe]
                worker.end()
                yield key, Outcome(TIMEOUT, f"more than {self.seconds:.0f} s")
