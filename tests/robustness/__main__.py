"""`python -m tests.robustness --count N --seed S [--cli K] [--keep DIR]`: mutated programs through cladpy."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.robustness.judge import SECONDS, Answer, fault
from tests.robustness.mutate import mutated
from tests.robustness.programs import Program, programs
from tests.robustness.serving import Worker, by_command


@dataclass(frozen=True)
class Input:
    """A mutated program, and what is asked of it."""

    text: bytes
    arguments: tuple[str, ...]


def make(every: list[Program], seed: int, number: int) -> Input:
    """The input of this number: the same wherever it is made."""
    rng = random.Random(f"{seed}:{number}")
    # the shorter of two, since long ones take their time and break in the same ways
    program, other = (min(rng.sample(every, 2), key=lambda p: p.path.stat().st_size) for _ in range(2))
    text = mutated(rng, program.path.read_bytes(), other.path.read_bytes())
    args = program.args if rng.random() < 0.7 else ""
    asked = ["-f", program.function, "--args", args, "-I", str(program.path.parent)]
    command = "gradient" if rng.random() < 0.9 else "explain"
    asked += ["--target", rng.choice(("cuda", "cuda", "host", "hip"))]
    extra = rng.choice(([], [], [], ["--may-alias"], ["--accumulate", "deterministic"], ["--split"]))
    return Input(text, (command, "FILE", *asked, *extra))


class Trial:
    """Answers to inputs, counted; those that are not as they must be are kept."""

    def __init__(self, keep: Path | None) -> None:
        self.worker = Worker()
        self.found: Counter[str] = Counter()
        self.slowest = self.largest = 0.0
        self.faults: list[str] = []
        self._keep = keep
        self._folder = tempfile.TemporaryDirectory(prefix="robustness-")

    def run(self, name: str, given: Input, *, alone: bool) -> str:
        """What is wrong with the answer to one input; the empty string for nothing."""
        path = Path(self._folder.name) / "mutated.cu"
        path.write_bytes(given.text)
        arguments = [str(path) if a == "FILE" else a for a in given.arguments]
        answer = None if alone else self.worker.answer(arguments)
        if answer is None or answer.seconds > SECONDS:  # only the command line limits what clang takes
            answer = by_command(arguments)
        self.found["differentiated" if answer.status == 0 else answer.code or f"status {answer.status}"] += 1
        self.slowest, self.largest = max(self.slowest, answer.seconds), max(self.largest, answer.memory)
        wrong = fault(answer)
        if wrong:
            self.faults.append(name)
            print(f"{name}: {wrong}: {' '.join(given.arguments)}\n{_last_lines(answer)}", flush=True)
            if self._keep is not None:
                self._keep.mkdir(parents=True, exist_ok=True)
                (self._keep / f"{name}.cu").write_bytes(given.text)
                (self._keep / f"{name}.txt").write_text(f"{given.arguments}\n{wrong}\n{answer.stderr}")
        return wrong

    def close(self) -> None:
        self.worker.close()
        self._folder.cleanup()


def _last_lines(answer: Answer) -> str:
    return "\n".join(f"    {line}" for line in answer.stderr.splitlines()[-4:])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.robustness")
    parser.add_argument("--count", type=int, default=1000, help="inputs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first input")
    parser.add_argument(
        "--cli", type=int, default=0, help="of them through the command line, in processes of their own"
    )
    parser.add_argument("--keep", type=Path, default=None, help="folder for inputs whose answer is wrong")
    options = parser.parse_args()
    every, trial = programs(), Trial(options.keep)
    start = time.monotonic()
    try:
        for number in range(options.start, options.start + options.count):
            alone = number - options.start < options.cli
            trial.run(f"{options.seed}-{number}", make(every, options.seed, number), alone=alone)
            if (number + 1) % 500 == 0:
                print(f"{number + 1}: {len(trial.faults)} faults, {time.monotonic() - start:.0f} s", flush=True)
    finally:
        trial.close()
    print(", ".join(f"{what} {count}" for what, count in trial.found.most_common()))
    print(f"slowest {trial.slowest:.1f} s, largest {int(trial.largest) >> 20} MiB")
    print(f"{options.count} inputs, {len(trial.faults)} faults{': ' if trial.faults else ''}{' '.join(trial.faults)}")
    return 1 if trial.faults else 0


if __name__ == "__main__":
    sys.exit(main())
