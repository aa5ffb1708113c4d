"""A fixed sample of mutated programs, and inputs made to break things. `python -m tests.robustness` tries more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.robustness.__main__ import Trial, make
from tests.robustness.hostile import HOSTILE
from tests.robustness.judge import Answer, fault
from tests.robustness.programs import programs
from tests.robustness.serving import Worker, by_command

SAMPLE = 24


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    found = Worker()
    yield found
    found.close()


def test_mutated_programs(tmp_path: Path) -> None:
    every, trial = programs(), Trial(tmp_path)
    try:
        for number in range(SAMPLE):
            trial.run(f"1-{number}", make(every, 1, number), alone=number < 2)
    finally:
        trial.close()
    assert not trial.faults
    assert sum(trial.found.values()) == SAMPLE
    assert len(trial.found) >= 2


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str, worker: Worker, tmp_path: Path) -> None:
    hostile, path = HOSTILE[name], tmp_path / "hostile.cu"
    path.write_bytes(hostile.text.encode(errors="surrogateescape"))
    arguments = ["gradient", str(path), "-f", "k"]
    if hostile.alone:
        answer = by_command(arguments, CLADPY_READ_SECONDS="2", CLADPY_READ_MEMORY="300")
    else:
        answer = worker.answer(arguments)
    assert fault(answer) == "", answer.stderr[:2000]
    assert (answer.status == 0) == (hostile.answer == "")
    assert hostile.answer in answer.stderr


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (Answer(0, "code\n", "", 1.0, 0), ""),
        (Answer(1, "", "k.cu:1:1: error: no [CP0001]\n", 1.0, 0), ""),
        (Answer(2, "", "error: no\n", 1.0, 0), ""),
        (Answer(-11, "", "", 1.0, 0), "exit status -11"),
        (Answer(1, "", "Traceback (most recent call last)\nerror: no\n", 1.0, 0), "a traceback"),
        (Answer(1, "", "error: internal error: KeyError [CP9999]\n", 1.0, 0), "an internal error"),
        (Answer(1, "", "", 1.0, 0), "nothing was said"),
        (Answer(1, "code\n", "error: no\n", 1.0, 0), "something was given all the same"),
        (Answer(0, "", "", 1.0, 0), "nothing was given"),
        (Answer(0, "code\n", "", 11.0, 0), "11.0 s"),
        (Answer(0, "code\n", "", 1.0, 2 << 30), "2048 MiB"),
    ],
)
def test_what_counts_as_wrong(answer: Answer, wrong: str) -> None:
    assert fault(answer) == wrong
