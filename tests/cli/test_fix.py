"""`cladpy fix`: patches that follow hints, each made and then not asked for again."""

from __future__ import annotations

import json
import re
import subprocess
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from cladpy.cli import run
from cladpy.diagnostics import Diagnostic, DifferentiationError, Severity, Span, UsageError, render
from cladpy.edits import Edit, compatible, edited, unified
from cladpy.fixing import Fixes, fixes
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

PAGE = Path(__file__).parents[2] / "docs" / "diagnostics.md"
KERNEL = "__global__ void k(const double *x, double *y, int n) {{\n  int i = threadIdx.x;\n  {}\n}}\n"
MARK = '#define nondifferentiable __attribute__((annotate("nondifferentiable")))\n'
TEMPLATE = """template <class T> struct Cast {{
  template <int n> __device__ static T times(T x) {{ return n * x; }}
}};
template <class T, int M = 3> __global__ void k(const T *x, T *y) {{ y[0] = Cast<T>::times<{}>(x[0]); }}
"""
LOOP = "double f(const double *x, double *y, int n) {{\n  double r = 0;\n{}\n  return r;\n}}\n"

# The code of what is refused, what is asked for, the program, and what then stands in it.
PATCHED: dict[str, tuple[str, str, str, str]] = {
    "semicolon": ("CP0001", "k", KERNEL.format("y[i] = x[i]"), "y[i] = x[i];"),
    "name": ("CP0001", "k", KERNEL.format("double value = x[i]; y[i] = value * values;"), "y[i] = value * value;"),
    "type": ("CP0001", "k", KERNEL.format("duble v = x[i]; y[i] = v;"), "double v = x[i]"),
    "template": ("CP0001", "k<double>", TEMPLATE.format("3"), "y[0] = Cast<T>::template times<3>(x[0]);"),
    "template_by_a_parameter": ("CP0001", "k<double>", TEMPLATE.format("M"), "= Cast<T>::template times<M>(x[0]);"),
    "private": (
        "CP0006",
        "Line::at(x)",
        "class Line {\n  double slope;\n  __device__ double at(double x) const { return slope * x; }\n};\n",
        "  public: __device__ double at",
    ),
    "digits": ("CP0011", "k", KERNEL.format(f"y[i] = 0.{'3' * 9000}e1 * x[i];"), "y[i] = 3.3333333333333335 * x[i];"),
    "host": ("CP0016", "k", "double g(double x);\n" + KERNEL.format("y[i] = g(x[i]);"), "y[i] = g(x[i]);"),
    "host_again": (
        "CP0016",
        "k",
        "double g(double x);\ndouble g(double x) { return x * x; }\n" + KERNEL.format("y[i] = g(x[i]);"),
        "__host__ __device__ double g(double x);\n__host__ __device__ double g(double x) {",
    ),
    "host_template": (
        "CP0016",
        "k",
        "template <class T = double, int (*p)() = nullptr>\nT g(T x) { return x * x; }\n"
        + KERNEL.format("y[i] = g<double>(x[i]);"),
        "template <class T = double, int (*p)() = nullptr>\n__host__ __device__ T g(T x)",
    ),
    "host_member": (
        "CP0016",
        "k",
        "struct S { double a; double at(double x) const; };\ndouble S::at(double x) const { return a * x; }\n"
        + KERNEL.format("S s{2};\n  y[i] = s.at(x[i]);"),
        "struct S { double a; __host__ __device__ double at(double x) const; };\n__host__ __device__ double S::at",
    ),
    "range": (
        "CP0122",
        "k",
        KERNEL.format("switch (n) { case -1 ... 1: y[i] = x[i]; }"),
        "case -1: case 0: case 1: y[i] = x[i];",
    ),
    "prefix": (
        "CP0126",
        "k",
        KERNEL.format('const char s[] = u8"a b"; y[i] = x[i] * s[n];'),
        "const char s[] = {'a', ' ', 'b', '\\0'};",
    ),
    "init": (
        "CP0127",
        "k",
        KERNEL.format("switch (n = i; n % 2) {\n    case 0: y[i] = x[i];\n  }"),
        "{ n = i; switch (n % 2) {\n    case 0: y[i] = x[i];\n  } }",
    ),
    "in_braces": (
        "CP0135",
        "f",
        "#include <functional>\nstruct Layer {\n  double w;\n  std::function<double(double)> act;\n};\n"
        "double f(double x) {\n  Layer l{x, [](double t) { return t * t; }};\n  return l.act(l.w);\n}\n",
        "Layer l{x, std::function<double (double)>([](double t) { return t * t; })};",
    ),
    "lanes": (
        "CP0264",
        "k",
        KERNEL.format("double v = x[i];\n  y[i] = v + __shfl_down (v, 16);"),
        "__shfl_down_sync(0xffffffff, v, 16)",
    ),
    "carried": (
        "CP0282",
        "f",
        LOOP.format("#pragma omp parallel for\n  for (int i = 1; i < n; ++i) y[i] += x[i] * y[i - 1];"),
        "r = 0;\n\n  for",
    ),
    "reduced": (
        "CP0282",
        "f",
        LOOP.format(
            "#pragma omp parallel for reduction(+ : r)\n  for (int i = 1; i < n; ++i) {\n    if (r < 9) r += x[i];\n  }"
        ),
        "r = 0;\n\n  for",
    ),
    "marked": (
        "CP0315",
        "k(x, y)",
        MARK + "__global__ void k(nondifferentiable double *x, double *y) { y[0] = x[0]; }\n",
        "void k(double *x, double *y)",
    ),
    "marked_in_full": (
        "CP0315",
        "k(x, y)",
        '__global__ void k(__attribute__((annotate("nondifferentiable"))) double *x, double *y) { y[0] = x[0]; }\n',
        "void k(double *x, double *y)",
    ),
    "marks": (
        "CP0404",
        "k",
        MARK + "__device__ void set(double *p, double x) { *p = x; }\n"
        "nondifferentiable __device__ void outer(double *p, double x) { set(p, x * x); }\n"
        + KERNEL.format("outer(y, x[0]);\n  y[0] += x[0];"),
        "nondifferentiable __device__ void set(",
    ),
}  # fmt: skip

# What is refused under the same codes, where no change of the text follows by itself.
NOT_PATCHED: dict[str, tuple[str, str, str]] = {
    "escapes": ("CP0126", "k", KERNEL.format('const char s[] = u8"a\\n"; y[i] = x[i] * s[n];')),
    "prefix_of_a_macro": (
        "CP0126",
        "k",
        '#define TEXT u8"ab"\n' + KERNEL.format("const char s[] = TEXT; y[i] = x[i] * s[n];"),
    ),
    "prefix_in_braces": ("CP0126", "k", KERNEL.format('const char s[] = {u8"ab"}; y[i] = x[i] * s[n];')),
    "unlike": ("CP0001", "k", KERNEL.format("y[i] = x[i] * something_else_altogether;")),
    "macro": (
        "CP0016",
        "k",
        "#define SQUARE(name) double name(double x) { return x * x; }\nSQUARE(g)\n" + KERNEL.format("y[i] = g(x[i]);"),
    ),
    "hexadecimal": ("CP0011", "k", KERNEL.format(f"y[i] = 0x1.{'3' * 9000}p1 * x[i];")),
    "octal": ("CP0122", "k", KERNEL.format("switch (n) { case 010 ... 012: y[i] = x[i]; }")),
    "long": ("CP0122", "k", KERNEL.format("switch (n) { case 1 ... 100: y[i] = x[i]; }")),
    "named": ("CP0122", "k", "enum { A, B };\n" + KERNEL.format("switch (n) { case A ... B: y[i] = x[i]; }")),
    "lanes_by_macro": (
        "CP0264",
        "k",
        "#define DOWN(v) __shfl_down(v, 16)\n" + KERNEL.format("double v = x[i];\n  y[i] = v + DOWN(v);"),
    ),
    "class": (
        "CP0404",
        "k",
        MARK + "__device__ void set(double *p, double x) { *p = x; }\n"
        "__device__ nondifferentiable void outer(double *p, double x) { set(p, x * x); }\n"
        + KERNEL.format("outer(y, x[0]);\n  y[0] += x[0];"),
    ),
}


def found(folder: Path, text: str, asked: str) -> Fixes:
    (folder / "p.cu").write_text(text)
    function, _, args = asked.partition("(")
    return fixes(Source.load(folder / "p.cu"), function, args.rstrip(")"), Options.make(), "cuda")


def codes(folder: Path, asked: str) -> set[str]:
    """What is said of the file now."""
    function, _, args = asked.partition("(")
    try:
        differentiate(Source.load(folder / "p.cu"), function, args.rstrip(")"), Options.make(), "cuda")
    except DifferentiationError as error:
        return {d.code for d in error.diagnostics}
    return set()


@pytest.mark.parametrize("name", PATCHED)
def test_what_is_refused_is_not_refused_once_the_patch_is_made(name: str, tmp_path: Path) -> None:
    code, asked, text, then = PATCHED[name]
    fixed = found(tmp_path, text, asked)
    assert {d.code for d in fixed.mended} == {code}
    assert fixed.left == ()
    fixed.make()
    assert then in (tmp_path / "p.cu").read_text()
    assert code not in codes(tmp_path, asked)


@pytest.mark.parametrize("name", NOT_PATCHED)
def test_what_no_change_of_the_text_mends_is_left(name: str, tmp_path: Path) -> None:
    code, asked, text = NOT_PATCHED[name]
    fixed = found(tmp_path, text, asked)
    assert code in {d.code for d in fixed.left}
    assert not fixed.texts


def test_the_page_names_the_codes_that_have_patches() -> None:
    text = PAGE.read_text()
    listed = re.findall(r"^\| \[(CP\d{4})\]", text[text.index("## Patches") :], re.MULTILINE)
    assert listed == sorted({code for code, *_ in PATCHED.values()})


def test_the_patch_is_one_that_patch_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With errors in a header, another one that nothing is done about, and no line break at the end."""
    monkeypatch.chdir(tmp_path)
    header, kernel = (
        "__device__ double g(double x) { return x * x }",
        '#include "g.h"\n' + KERNEL.format("y[i] = g(x[i])"),
    )
    Path("g.h").write_text(header)
    Path("k.cu").write_text(kernel.replace("int i", "unknown_name(n);\n  int i") + "// end")
    assert run(["fix", "k.cu", "-f", "k"]) == 1
    printed = capsys.readouterr()
    assert "unknown_name" in printed.err and "expected ';'" not in printed.err
    assert "\\ No newline at end of file" in printed.out
    subprocess.run(["patch", "-p0"], input=printed.out, text=True, check=True, capture_output=True)
    assert Path("g.h").read_text() == header.replace("x }", "x; }")
    assert "y[i] = g(x[i]);\n" in Path("k.cu").read_text()


def test_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cu").write_bytes(BOM_UTF8 + KERNEL.format("y[i] = x[i] /* \udce9 */").encode(errors="surrogateescape"))
    assert run(["fix", "k.cu", "-f", "k", "--in-place"]) == 0
    assert b"y[i] = x[i]; /* \xe9 */" in Path("k.cu").read_bytes()
    assert Path("k.cu").read_bytes().startswith(BOM_UTF8)
    assert capsys.readouterr() == ("", "")
    assert run(["fix", "k.cu", "-f", "k"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_file_that_has_changed_is_left_as_it_is(tmp_path: Path) -> None:
    fixed = found(tmp_path, KERNEL.format("y[i] = x[i]"), "k")
    (tmp_path / "p.cu").write_text("// another\n")
    with pytest.raises(UsageError, match="has changed since it was read"):
        fixed.make()
    assert (tmp_path / "p.cu").read_text() == "// another\n"


def test_a_source_that_is_no_file_is_not_changed() -> None:
    fixed = fixes(Source.load(KERNEL.format("y[i] = x[i]")), "k", "", Options.make(), "cuda")
    assert not fixed.texts
    assert [d.code for d in fixed.left] == ["CP0001"]


def at(line: int, start: int, end: int, text: str) -> Edit:
    return Edit(Span("k.cu", line, start, line, end), text)


def test_patches_that_overlap_are_not_made_together() -> None:
    first, second, third = (at(1, 1, 4, "a"),), (at(1, 3, 5, "b"), at(2, 1, 1, "c")), (at(2, 1, 1, "d"),)
    other = (Edit(Span("other.cu", 1, 1, 1, 4), "e"),)
    assert compatible([first, first, second, third, other]) == [*first, *third, *other]
    assert edited(b"1234\n56\n", [*first, *third]) == b"a4\nd56\n"


def test_line_ends_of_both_kinds_are_kept() -> None:
    assert unified("k.cu", "a\r\nb\fc\n", "a\r\nd\fc\n") == "--- k.cu\n+++ k.cu\n@@ -1,2 +1,2 @@\n a\r\n-b\fc\n+d\fc\n"


def test_forms_of_a_patch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON has what the page says; SARIF counts as editors do; text shows lines."""
    text = "int f();\n/* é */ int g(;\n"
    patch = (Edit(Span("k.cu", 2, 16, 2, 16), ")"), Edit(Span("h.cu", 1, 1, 2, 1), ""))
    diagnostic = Diagnostic("CP0001", Severity.ERROR, "no", Span("k.cu", 2, 9, 2, 12), hint="close it", patch=patch)
    texts = {"k.cu": text, "h.cu": "#pragma\nint h;\n"}
    [found] = json.loads(render([diagnostic], texts, "json"))
    keys = re.findall(r"^\| `([\w.]+)", PAGE.read_text(), re.MULTILINE)
    assert [*found, *(f"patch.{key}" for key in found["patch"][0])] == keys
    assert (found["patch"][0]["start"], found["patch"][0]["end"], found["patch"][0]["text"]) == (24, 24, ")")
    [run_] = json.loads(render([diagnostic], texts, "sarif"))["runs"]
    [fix] = run_["results"][0]["fixes"]
    assert fix["description"] == {"text": "close it"}
    [change, _] = fix["artifactChanges"]
    [replacement] = change["replacements"]
    region = {"startLine": 2, "startColumn": 15, "endLine": 2, "endColumn": 15}
    assert replacement == {"deletedRegion": region, "insertedContent": {"text": ")"}}
    assert diagnostic.render(texts).splitlines()[-6:] == [
        "hint: close it",
        "in h.cu:",
        "    1 - #pragma",
        "in k.cu:",
        "    2 - /* é */ int g(;",
        "    2 + /* é */ int g();",
    ]
    monkeypatch.chdir(tmp_path)
    assert diagnostic.render().endswith("hint: close it")
    [unread] = json.loads(render([diagnostic], None, "json"))
    assert (unread["patch"][0]["start"], unread["patch"][0]["end"]) == (None, None)


@pytest.mark.parametrize("words", [["check", "--grid", "1", "--block", "4"], ["explain"], ["gradient"]])
def test_json_by_its_short_name(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cu").write_text(KERNEL.format("y[i] = x[i]"))
    assert run([*words, "k.cu", "-f", "k", "--json"]) == 1
    [diagnostic] = json.loads(capsys.readouterr().out)
    assert diagnostic["patch"][0]["text"] == ";"


def test_what_a_check_found_goes_to_stderr_where_stdout_is_for_diagnostics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.cu").write_text("double f(double x) { return x * x; }\n")
    assert run(["check", "f.cu", "-f", "f", "--set", "x=2", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == []
    assert "OK" in captured.err.upper() or "agree" in captured.err
