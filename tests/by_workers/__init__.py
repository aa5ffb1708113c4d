"""Gradients as calls of users run on the host: by workers, on all cores, with the threads of a block as a loop. The
other tests run one thread at a time, in an order (`CLADPY_HOST_FIBERS`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from cladpy.check.arguments import contents, copy_of
from cladpy.check.gradient_check import check
from cladpy.check.runs import VALUE_TOLERANCE, Runs, value_error
from cladpy.runtime.order import host_workers
from tests import together
from tests.kernels.case import Case
from tests.oracle import Judged, judged

# Lighter optimisation halves the time: what is compiled is the same. There are many threads, which help with what is
# small as well, so that pieces run side by side.
ENVIRONMENT = {"CLADPY_HOST_FLAGS": "-O1", "CLADPY_HOST_THREADS": "4", "CLADPY_HOST_WAKE": "1"}


@contextmanager
def many_workers() -> Iterator[None]:
    with mock.patch.dict(os.environ, ENVIRONMENT):
        yield


def wrong_by_workers(case: Case, made: Judged | None = None) -> str:
    """What is wrong with the gradient of a row, against the oracle, and with the original, against one thread."""
    made = made or judged(str(case.path), case.function, case.args, split=False)
    how = {"variables": case.contents(), "shared_mem": case.shared_mem}
    made.oracle._loaded()  # as other tests compile it, and the original that runs on one thread
    with host_workers(False):
        made.gradient._executor._loaded()  # type: ignore[attr-defined]
    with many_workers():
        report = check(
            made.gradient,
            case.grid,
            case.block,
            case.arguments(),
            oracle=made.oracle,
            orders=("workers",),
            differences=False,
            exact_values=False,
            **how,
        )
        if not report.ok:
            return report.text()
        runs = Runs(made.gradient, case.grid, case.block, case.arguments(), 0, case.shared_mem, case.contents())
        one, many = copy_of(runs.args), copy_of(runs.args)
        for arrays, workers in ((one, False), (many, True)):
            with host_workers(workers):
                runs.run_primal(arrays, copy_of(runs.variables))
        for p, first, second in zip(runs.parameters, one, many, strict=True):
            for (name, a), (_, b) in zip(contents(first, p.name), contents(second, p.name), strict=True):
                if value_error(a, b) > VALUE_TOLERANCE:
                    return f"the original's values of {name} are others by workers"
    return ""


def parts_by_workers(made: Judged) -> list[together.Part]:
    """What that compiles for workers."""
    with many_workers():
        part = together.part_of_gradient(made.gradient.derivative, workers=True)
    return [] if part is None else [part]
