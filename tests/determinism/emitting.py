"""`python -m tests.determinism.emitting EVERY`: digests of all that is said about each EVERY-th program, as JSON."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from cladpy.diagnostics import CladpyError
from cladpy.explain import as_json, as_text
from cladpy.options import Options
from cladpy.pipeline import differentiate, explain
from cladpy.source import Source
from tests.robustness.programs import Program, programs

TARGETS = ("cuda", "hip", "host")
ROOT = Path(__file__).resolve().parents[2]
# Programs whose text once depended on the hash seed, or on where objects lay: they are always among those compared.
ONCE_DIFFERENT = (
    Program(ROOT / "tests/kernels/contractions.cu", "pairs", "x, y, mass, force"),
    Program(ROOT / "benchmarks/programs/boltzmann.cu", "d3q19_steps", "state"),
)


def said(program: Program, target: str) -> str:
    """The emitted code, the warnings and the explanation, or why there is none."""
    source = Source.load(program.path)
    try:
        found = differentiate(source, program.function, program.args, Options.make(), target)
        report, warnings = explain(source, program.function, program.args, Options.make(), target)
    except CladpyError as error:
        return str(error)
    texts = {source.name: source.text}
    shown = [w.render(texts) for w in (*found.warnings, *warnings)]
    return "\n".join([found.code, found.fragment, *shown, as_text(report), as_json(report, [])])


def digests(every: int) -> dict[str, str]:
    chosen = [(p, t) for p in programs()[::every] for t in TARGETS] + [(p, "cuda") for p in ONCE_DIFFERENT]
    texts = {f"{p.path.stem}:{p.function}:{p.args}:{t}": said(p, t) for p, t in chosen}
    return {
        name: hashlib.sha256(text.encode("utf-8", errors="surrogateescape")).hexdigest() for name, text in texts.items()
    }


if __name__ == "__main__":
    print(json.dumps(digests(int(sys.argv[1]))))
