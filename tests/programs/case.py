"""A host function whose gradient is checked: where it is, what is differentiated, what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.kernels.case import Case

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Program(Case):
    grid: None = None
    block: None = None
    refused: str = ""  # the code of the diagnostic, where there is no gradient yet

    @property
    def path(self) -> Path:
        return HERE / f"{self.file}.cu"
