"""Long and deep programs: read in linear time, or refused; never a traceback."""

from __future__ import annotations

import time

import pytest

from cladpy.deep import run_deep
from tests.frontend.reading import read, refusal


def _straight_line(count: int) -> str:
    lines = [f"  double v{i} = sin(a * {i}.5) + in[{i % 7}] - {f'v{i - 1}' if i else 'a'};" for i in range(count)]
    return "\n".join(
        [
            "__global__ void k(double *out, const double *in) {",
            "  double a = in[0];",
            *lines,
            f"  out[0] = v{count - 1};",
            "}",
        ]
    )


def test_time_grows_with_the_length_of_the_source() -> None:
    def seconds(count: int) -> float:
        start = time.process_time()
        program = read(_straight_line(count))
        assert len(program.functions[program.entry].body.statements) == count + 2
        return time.process_time() - start

    seconds(10)
    short, long = seconds(400), seconds(3200)
    assert long < 8 * 2.5 * max(short, 0.05)


@pytest.mark.parametrize(
    "expression",
    [" + ".join(["x"] * 2500), "-" + " -" * 1000 + "x", "sin(" * 300 + "x" + ")" * 300, "o[0] = " * 500 + "x"],
    ids=["sum", "minus", "calls", "assignments"],
)
def test_deep_expressions(expression: str) -> None:
    read(f"__global__ void k(double *o, double x) {{ o[1] = {expression}; }}")


def test_deep_statements() -> None:
    chain = "".join(f"if (i == {n}) o[0] = {n}; else " for n in range(1000))
    read(f"__global__ void k(double *o, int i) {{ {chain} o[0] = 1; }}")
    read("__global__ void k(double *o, int i) { " + "if (i) { " * 400 + "o[0] = 1;" + "}" * 400 + " }")


@pytest.mark.parametrize("count", [600, 5000])
def test_too_many_brackets_are_reported(count: int) -> None:
    code = "__global__ void k(double *o, double x) {\n  o[0] = " + "(" * count + "x" + ")" * count + ";\n}"
    error = refusal(code)
    assert error.startswith("<string>.cu:2:")
    assert "error: this is nested too deeply [CP0007]" in error
    assert error.count("error:") == 1


def test_calls_two_hundred_deep() -> None:
    functions = ["__device__ double f0(double x) { return x; }"]
    functions += [f"__device__ double f{i}(double x) {{ return f{i - 1}(x) * x; }}" for i in range(1, 200)]
    program = read("\n".join([*functions, "__global__ void k(double *o) { *o = f199(*o); }"]))
    assert len(program.functions) == 201


def test_run_deep_gives_back_what_happens() -> None:
    def down(n: int) -> int:
        return 0 if n == 0 else 1 + down(n - 1)

    assert run_deep(lambda: down(20_000)) == 20_000
    assert run_deep(lambda: run_deep(lambda: down(5_000))) == 5_000
    with pytest.raises(KeyError):
        run_deep(lambda: {}["missing"])
    with pytest.raises(RecursionError):
        run_deep(lambda: down(10_000_000))
