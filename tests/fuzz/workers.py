"""Processes that try one program after the other, each in a process of its own and within its time.

A worker makes the process of a program by `fork`, so that what is loaded need not be loaded again. With it goes all
that a program leaves behind: libraries and the stacks of their threads, clang's memory, entries of the compile cache.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Protocol, TypeVar

from tests.fuzz.trial import CRASH, TIMEOUT, Outcome

MEMORY = 6 << 30  # bytes beyond what is there, for a program that never stops allocating

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
    _end_with_parent()
    most = _mapped() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(EOFError, OSError):  # nobody is there any more
        while True:
            pipe.send(_apart(pipe.recv(), folder))


def _mapped() -> int:
    """The bytes of address space that came with the fork: tests load many libraries, with stacks for their threads."""
    with contextlib.suppress(OSError):  # Linux has it
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return 0


def _apart(job: Job, folder: str) -> Outcome:
    """What becomes of a program in a process of its own."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            _end_with_parent()
            gc.disable()  # the process ends soon
            os.environ["CLADPY_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)
            with os.fdopen(writing, "wb") as there:
                pickle.dump(job.run(), there)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as here:
        told = here.read()
    _, status = os.waitpid(process, 0)
    for left in os.scandir(folder):
        shutil.rmtree(left.path, ignore_errors=True)
    if told:
        with contextlib.suppress(EOFError, pickle.UnpicklingError):
            outcome = pickle.loads(told)  # noqa: S301 - the worker's own child
            assert isinstance(outcome, Outcome)
            return outcome
    code = os.waitstatus_to_exitcode(status)
    return Outcome(CRASH, f"the process ended with {code}", str(code))


def _end_with_parent() -> None:
    """Where the process that waits for this one is killed, this one has nothing to do."""
    with contextlib.suppress(OSError, AttributeError):  # Linux has it
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


_PARENT_DEATH_SIGNAL = 1


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
                self.idle.append(worker)
                yield key, outcome
            elif time.monotonic() - worker.started > self.seconds:
                del busy[pipe]
                worker.end()
                yield key, Outcome(TIMEOUT, f"more than {self.seconds:.0f} s")
