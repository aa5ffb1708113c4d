"""`python -m tests.determinism.emitting EVERY`: digests of all that is said about each EVERY-th program, as JSON."""

from __future__ import annotations

import hashlib
import json
import sys

from cladpy.diagnostics import CladpyError
from cladpy.explain import as_json, as_text
from cladpy.options import Options
from cladpy.pipeline import differentiate, explain
from cladpy.source import Source
from tests.robustness.programs import Program, programs

TARGETS = ("cuda", "hip", "host")
# Programs whose text once depended on the hash seed: they are always among those compared.
ONCE_DIFFERENT = frozenset({("contractions", "pairs")})


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
    every_program = programs()
    different = [p for p in every_program if (p.path.stem, p.function) in ONCE_DIFFERENT]
    assert {(p.path.stem, p.function) for p in different} == ONCE_DIFFERENT
    chosen = dict.fromkeys((*every_program[::every], *different))
    texts = {f"{p.path.stem}:{p.function}:{p.args}:{t}": said(p, t) for p in chosen for t in TARGETS}
    return {
        name: hashlib.sha256(text.encode("utf-8", errors="surrogateescape")).hexdigest() for name, text in texts.items()
    }


if __name__ == "__main__":
    print(json.dumps(digests(int(sys.argv[1]))))
