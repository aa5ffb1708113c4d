"""What has become of all programs, counted: on paper all the while, since a run may be ended at any time."""

from __future__ import annotations

import collections
import json
import os
import time
from pathlib import Path
from typing import Any

from tests.fuzz.keep import save
from tests.fuzz.trial import FAILURES, REFUSED, RIGHT, Outcome
from tests.generator import GeneratedProgram

# Seconds between two writings of the summary; what fails is written at once.
_PAUSE = 2.0


class Ledger:
    """Counts, and under `folder`, where there is one, `summary.json` and the programs that failed."""

    def __init__(self, folder: Path | None, first: int) -> None:
        self._folder = folder
        self._first = first
        self._start = time.monotonic()
        self._written = self._start
        self._outcomes: dict[str, collections.Counter[str]] = {}
        self._codes: collections.Counter[str] = collections.Counter()
        self._weak = self._compared = 0
        self.failed: list[tuple[str, int, Outcome]] = []
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def counts(self) -> collections.Counter[str]:
        return sum(self._outcomes.values(), collections.Counter[str]())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def note(self, form: str, seed: int, program: GeneratedProgram, outcome: Outcome) -> None:
        self._outcomes.setdefault(form, collections.Counter())[outcome.kind] += 1
        self._weak, self._compared = self._weak + outcome.weak, self._compared + outcome.compared
        if outcome.kind == REFUSED:
            self._codes[outcome.sign] += 1
        if outcome.kind in FAILURES:
            self.failed.append((form, seed, outcome))
            if self._folder is not None:
                name = f"{form}_{seed}"
                save(program, name, f"{outcome.kind}: {outcome.sign}", seed, self._folder / "found")
                (self._folder / "found" / f"{name}.txt").write_text(outcome.text)
        if outcome.kind in FAILURES or time.monotonic() - self._written > _PAUSE:
            self.write()

    def write(self) -> None:
        self._written = time.monotonic()
        if self._folder is None:
            return
        target = self._folder / "summary.json"
        made = target.with_suffix(".new")
        made.write_text(json.dumps(self._told(), indent=1) + "\n")
        os.replace(made, target)

    def text(self) -> str:
        counts = self.counts
        lines = [
            f"{counts[RIGHT]}/{counts.total()} right in {self.seconds:.0f} s; {dict(counts)}",
            f"{self._compared} comparisons, of which {self._weak} could not tell much (chaotic programs)",
        ]
        lines += [f"refused: {dict(self._codes)}"] if self._codes else []
        return "\n".join(lines)

    def _told(self) -> dict[str, Any]:
        return {
            "first seed": self._first,
            "seconds": round(self.seconds, 1),
            "programs": self.counts.total(),
            "outcomes": dict(self.counts),
            "outcomes by form": {form: dict(counts) for form, counts in sorted(self._outcomes.items())},
            "refused": dict(self._codes),
            "comparisons": self._compared,
            "weak comparisons": self._weak,
            "failures": [{"form": f, "seed": s, "kind": o.kind, "sign": o.sign} for f, s, o in self.failed],
        }
