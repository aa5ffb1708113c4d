"""Failing programs as files: the text as `.cu`, and beside it as `.json` how it is run and why it is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from tests.generator import GeneratedProgram

PROGRAMS = Path(__file__).resolve().parents[1] / "regressions" / "programs"


def save(program: GeneratedProgram, name: str, why: str, seed: int, folder: Path = PROGRAMS) -> Path:
    """Writes the program; the path of its text."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.cu"
    path.write_text(program.text)
    told = {
        "why": why,
        "function": program.function,
        "args": program.args,
        "grid": program.grid,
        "block": program.block,
        "shared_mem": program.shared_mem,
        **({"options": program.options} if program.options else {}),
        **({"kinks": True} if program.kinks else {}),
        "seed": seed,
        "values": [_told(v) for v in program.values],
    }
    text = json.dumps(told, indent=1)
    path.with_suffix(".json").write_text(re.sub(r"\[[^][{}]*\]", lambda m: " ".join(m[0].split()), text) + "\n")
    return path


def load(path: Path) -> tuple[GeneratedProgram, str, int]:
    """The program, why it is kept, and the seed of its comparison with the oracle."""
    told = json.loads(path.with_suffix(".json").read_text())
    grid, block = (None if told[key] is None else tuple(told[key]) for key in ("grid", "block"))
    values = [_made(v) for v in told["values"]]
    program = GeneratedProgram(
        path.read_text(),
        told["function"],
        told["args"],
        grid,
        block,
        values,
        shared_mem=told["shared_mem"],
        options=told.get("options", {}),
        kinks=told.get("kinks", False),
    )
    return program, told["why"], told["seed"]


def _told(value: Any) -> Any:
    if not isinstance(value, np.ndarray | np.generic):
        return value
    array = np.asarray(value)
    if array.dtype.names is not None:
        kind: Any = {"descr": np.lib.format.dtype_to_descr(array.dtype), "bytes": array.tobytes().hex()}
    else:
        kind = {"dtype": array.dtype.str, "numbers": array.ravel().tolist()}
    return {**kind, "shape": list(array.shape)}


def _made(told: Any) -> Any:
    if not isinstance(told, dict):
        return told
    if "descr" in told:
        dtype = np.lib.format.descr_to_dtype(_tuples(told["descr"]))
        array = np.frombuffer(bytes.fromhex(told["bytes"]), dtype).copy()
    else:
        array = np.array(told["numbers"], told["dtype"])
    shape = tuple(told["shape"])
    return array.reshape(shape) if shape else array[0]


def _tuples(descr: Any) -> Any:
    """A description of a dtype as it was before it was JSON."""
    if isinstance(descr, str):
        return descr
    return [
        tuple(_tuples(part) if k == 1 else tuple(part) if k == 2 else part for k, part in enumerate(f)) for f in descr
    ]
