"""What `cladpy explain` says of small programs, and that it counts what is in the code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cladpy.explain import as_json, as_text
from cladpy.explain.report import Kind, Report
from cladpy.options import ACCUMULATE, Options
from cladpy.pipeline import differentiate, explain
from cladpy.source import Source
from tests.golden import golden, names

FOLDER = Path(__file__).parent / "programs"
FUNCTION = "k"


def report_of(name: str, **options: str) -> Report:
    source = Source.load(str(FOLDER / f"{name}.cu"))
    found, warnings = explain(source, FUNCTION, "", Options.make(**options), "cuda")
    assert not warnings
    return found


def produce(name: str) -> str:
    return as_text(report_of(name))


@pytest.mark.parametrize("name", names(FOLDER))
def test_report(name: str) -> None:
    assert produce(name) == golden(FOLDER, name), "if this is meant: python -m tests.golden"


# where threads meet in shared memory there are no exact sums
MEETING = ("tiles", "large_tile")
EVERY = [(n, a) for n in names(FOLDER) for a in ACCUMULATE if n not in MEETING or a != "deterministic"]


@pytest.mark.parametrize(("name", "accumulate"), EVERY)
def test_every_shared_update_of_the_code_is_in_the_report(name: str, accumulate: str) -> None:
    report = report_of(name, accumulate=accumulate)
    source = Source.load(str(FOLDER / f"{name}.cu"))
    code = differentiate(source, FUNCTION, "", Options.make(accumulate=accumulate), "cuda").code
    code = code.split("// What the launch function runs in place of this kernel")[0]  # which does the same otherwise
    kinds = [u.kind for f in report.functions for u in f.updates]
    atomics = ("atomic_add", "add_row_along", "meeting_add")
    assert kinds.count(Kind.ATOMIC) == sum(code.count(f"cladpy::{name}(") for name in atomics)
    assert kinds.count(Kind.REDUCED) == code.count("cladpy::reduce_add(") + code.count("cladpy::add_row(")
    assert kinds.count(Kind.BLOCK) == code.count("cladpy::block_add(")
    assert kinds.count(Kind.EXACT) == code.count("cladpy::exact_add(")
    assert kinds.count(Kind.EXCHANGE) == code.count("cladpy::exchange(")
    for function in report.functions:
        for update in function.updates:
            assert update.target in code


def test_tiles_that_are_loaded_anew_are_not_stored() -> None:
    [function] = report_of("tiles").functions
    assert function.tape == "none" and not function.loops
    assert {a.name for a in function.arrays if a.shared} == {"a", "b", "_d_a", "_d_b", "_told_r"}


def test_json_has_what_the_text_has() -> None:
    report = report_of("proofs")
    found = json.loads(as_json(report, []))
    [function] = found["functions"]
    assert [u["kind"] for u in function["updates"]] == [u.kind.value for u in report.functions[0].updates]
    atomic = next(u for u in function["updates"] if u["kind"] == "atomic")
    assert "'idx_i'" in atomic["reason"] and atomic["span"]["line"] == 5
    assert found["launch"]["premises"] == list(report.premises)
    assert function["tape"] == {"where": "none", "bytes": 0, "terms": [], "loops": []}


def test_without_proofs_every_update_says_so() -> None:
    updates = [u for u in report_of("thread_index", accumulate="atomic").functions[0].updates if not u.takes]
    shared = [u for u in updates if u.kind is Kind.ATOMIC]
    assert shared and all("--accumulate=atomic" in u.reason.text for u in shared)
