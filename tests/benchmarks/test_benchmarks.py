"""`python -m benchmarks --check` on the host backend, and whether it would find what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import verify
from benchmarks.build import BuiltByHand, build, build_by_hand, tape_of
from benchmarks.check import check_one
from benchmarks.instance import Instance
from benchmarks.memory import HostMemory
from benchmarks.plot import Series, plot
from benchmarks.program import Benchmark, ByHand, Operations, floor_ratios, traffic_of
from benchmarks.programs import all_benchmarks, find
from benchmarks.row import Row, Table
from tests import precompiled

os.environ.setdefault("CLADPY_HOST_FLAGS", f"{precompiled.EFFORT} {precompiled.flags()}")

SVG = "{http://www.w3.org/2000/svg}"


def different() -> list[Benchmark]:
    """Without those that differ from another in their full size only."""
    seen = {(b.file, b.function, b.args, tuple(b.small.items())): b for b in reversed(all_benchmarks())}
    return list(reversed(seen.values()))


@pytest.mark.parametrize("benchmark_", different(), ids=lambda b: b.name)
def test_gradients_are_right(benchmark_: Benchmark) -> None:
    built = [build(benchmark_, fresh, "host", "") for fresh in (False, True)]
    by_hand = [build_by_hand(benchmark_, "host", "")] if benchmark_.by_hand else []
    assert check_one(HostMemory(), benchmark_, [*built, *by_hand]) == []


def test_names_are_unique() -> None:
    names = [b.name for b in all_benchmarks()]
    assert len(names) == len(set(names))


PAIR = """
from benchmarks.program import Benchmark, ByHand, Run, normal, zeros

def setup(n):
    return Run([zeros(n), normal(n), n], 1, 32)

SIZE = {"n": 32}
BENCHMARKS = [Benchmark("doubled", "doubled", "y", "x", setup, SIZE, SIZE, by_hand=(ByHand("back<{fresh}>"),))]
"""
FORWARD = "__global__ void doubled(double *y, const double *x, int n) { y[threadIdx.x] = 2 * x[threadIdx.x]; }"
BACKWARD = """
template <bool Fresh>
__global__ void doubled_back(double *d_y, double *d_x) {
  give<Fresh>(d_x[threadIdx.x], FACTOR * d_y[threadIdx.x]);
  spend<Fresh>(d_y[threadIdx.x]);
}
template <bool Fresh>
void back(const at &a, double *, const double *, int, double *d_y, double *d_x) {
  LAUNCH(a, (doubled_back<Fresh>), d_y, d_x);
}
"""


@pytest.mark.parametrize(("factor", "code"), [("2", 0), ("3", 1)])
def test_pairs_of_another_folder(tmp_path: Path, factor: str, code: int) -> None:
    for name, text in (("pair.py", PAIR), ("pair.cu", FORWARD), ("pair_by_hand.cu", BACKWARD)):
        (tmp_path / name).write_text(text.replace("FACTOR", factor))
    command = [sys.executable, "-m", "benchmarks", "--programs", str(tmp_path), "--check", "-j", "1"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == code, said.stderr
    assert f"{1 - code}/1 right (host)" in said.stdout


def test_a_wrong_gradient_is_found() -> None:
    wrong = replace(find("square"), by_hand=(ByHand("mathy_by_hand<{fresh}>"),))
    findings = verify.small(
        HostMemory(), wrong, build(wrong, False, "host", ""), None, build_by_hand(wrong, "host", "")
    )
    by_hand = [f for f in findings if f.what.startswith("x by hand")]
    assert len(by_hand) == 2 and not any(f.ok for f in by_hand)
    assert next(f for f in findings if f.what == "central differences").ok


def test_central_differences_find_a_wrong_gradient() -> None:
    benchmark = find("square")
    built = build(benchmark, False, "host", "")
    instance = Instance(HostMemory(), benchmark, benchmark.setup(**benchmark.small), built)
    instance.call(instance.gradient(built))
    right = instance.get("d_x")
    assert verify.central_differences(instance, {"x": right}).ok
    assert not verify.central_differences(instance, {"x": 1.001 * right}).ok


def test_at_full_size_a_wrong_gradient_is_found() -> None:
    benchmark = find("square")
    wrong = replace(benchmark, by_hand=(*benchmark.by_hand, ByHand("mathy_by_hand<{fresh}>")))
    built = build(benchmark, False, "host", "")
    by_hand = build_by_hand(wrong, "host", "")
    assert isinstance(by_hand, BuiltByHand) and not by_hand.error
    instance = Instance(HostMemory(), wrong, wrong.setup(**wrong.small), built)
    assert all(f.ok for f in verify.full(instance, built, by_hand, 0))
    assert not all(f.ok for f in verify.full(instance, built, by_hand, 1))


def test_what_a_thread_keeps_is_read_from_the_gradient() -> None:
    assert tape_of("double x = 1.0;") == "none"
    assert tape_of("cladpy::local_tape<67> _tape; cladpy::local_tape<3> _other;") == "536 B local"
    assert (
        tape_of("cladpy::checkpoint_memory<4, float> _a; cladpy::checkpoint_memory<2, double, int> _b;")
        == "640 B checkpoints"
    )
    assert tape_of("cladpy::workspace_tape _tape(_state);") == "workspace"


def test_floors() -> None:
    benchmark = find("square")
    traffic = traffic_of(benchmark, benchmark.setup(n=1000), ["x", "y", "n"])
    assert (traffic.primal, traffic.fresh, traffic.added) == (16000, 24000, 40000)
    assert floor_ratios(traffic, None) == (1.5, 2.5)
    assert floor_ratios(traffic, Operations(1e9, 3e9)) == pytest.approx((3.0, 3.0))


def test_a_table_keeps_the_rows_of_earlier_runs(tmp_path: Path) -> None:
    first = Row("square", "n=1", primal_ms=1.0, gradient_ms=(1.5, 3.0), must=(2.0, 2.0), aim=(1.5, 1.5))
    first.by_hand_ms["same"] = (1.0, None)
    Table(tmp_path, "table", "Title", ["square", "elem"]).add(first)
    table = Table(tmp_path, "table", "Title", ["square", "elem"])
    table.add(Row("elem", "n=1", ["`=`: refused"]))
    assert table.rows["square"] == first
    assert Table(tmp_path, "table", "", []).rows.keys() == {"square", "elem"}
    assert not Table(tmp_path, "table", "Another machine", []).rows
    text = (tmp_path / "table.md").read_text()
    assert "| square | 1.00 | 1.50 / 3.00 | 1.50 / 3.00 |" in text
    assert "= aim, += **missed**" in text and "- elem: `=`: refused" in text


def test_a_plot_has_a_line_for_each_series() -> None:
    text = plot("Title", "threads", "ratio", [Series("one", [(1.0, 2.0), (4.0, 0.5)]), Series("a<b", [(2.0, 3.0)])])
    drawn = ElementTree.fromstring(text)  # noqa: S314 - it is our own
    lines = {line.attrib["points"] for line in drawn.iter(f"{SVG}polyline")}
    assert len(lines) == 2
    (first,) = (line for line in lines if " " in line)
    (x0, y0), (x1, y1) = ([float(v) for v in point.split(",")] for point in first.split(" "))
    assert x0 < x1 and y0 < y1  # to the right, and down: a smaller ratio
    assert "a&lt;b" in text


def test_four_of_different_kinds_are_plotted() -> None:
    for kind in ("by_threads", "by_work"):
        plotted = [b for b in all_benchmarks() if getattr(b, kind)]
        assert len(plotted) == 4
        for b in plotted:
            assert set(getattr(b, kind)(1024)) == set(b.full)
