"""The command line in front of a pipeline that records how it is called: options, exit status, where output goes."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cladpy import cmake_dir, include_dirs, remembered
from cladpy.cli import run
from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError, Diagnostic, DifferentiationError, Severity, Span, UsageError, render
from cladpy.ir import surface
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import VOID
from cladpy.options import Options
from cladpy.source import Source

TEXT = "__global__ void k(double *a) {\n    *a = foo(*a);\n}\n"
WARNING = Diagnostic("CP0901", Severity.WARNING, "an integer argument is named", Span("k.cu", 1, 1, 1, 2))
ERROR = Diagnostic(
    "CP0103", Severity.ERROR, "no derivative for 'foo'", Span("k.cu", 2, 10, 2, 13), hint="write foo_pullback"
)


class Pipeline:
    """Stands in for `cladpy.pipeline`; keeps the last call, raises `error` if there is one."""

    def __init__(self) -> None:
        self.call: dict[str, Any] = {}
        self.error: Exception | None = None
        self.warnings: tuple[Diagnostic, ...] = ()

    def differentiate(
        self, source: Source, function: str, args: str, options: Options, target: str, *, include: str | None = None
    ) -> Derivative:
        self.call = {"function": function, "args": args, "options": options, "target": target, "include": include}
        if self.error is not None:
            raise self.error
        entry = FunctionSymbol("k", "k", VOID, (), FunctionKind.KERNEL, Span("k.cu", 1, 1, 1, 2))
        program = surface.Program(entry, {}, (str(source.path),), ())
        return Derivative(
            source, options, program, target, FunctionKind.KERNEL, "k", (), VOID, (), (), "k_grad", "k_grad_launch",
            "// whole\n", "// fragment\n", True, self.warnings,
        )  # fmt: skip

    def dump(self, source: Source, function: str, args: str, options: Options, stage: str) -> str:
        return f"{stage} of {function}"


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Pipeline:
    stand_in, module = Pipeline(), ModuleType("cladpy.pipeline")
    module.differentiate = stand_in.differentiate  # type: ignore[attr-defined]
    module.dump = stand_in.dump  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cladpy.pipeline", module)
    monkeypatch.setattr(remembered, "find_kept", lambda *_: None)
    monkeypatch.setattr(remembered, "keep", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    Path("k.cu").write_text(TEXT)
    return stand_in


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], list[tuple[Any, ...]]]:
    def install(good: bool) -> list[tuple[Any, ...]]:
        calls: list[tuple[Any, ...]] = []

        def run_check(*arguments: Any) -> tuple[bool, str]:
            calls.append(arguments)
            return good, "the report"

        module = ModuleType("cladpy.check.command")
        module.run_check = run_check  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "cladpy.check.command", module)
        return calls

    return install


def test_the_code_goes_to_stdout(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gradient", "k.cu", "-f", "k"]) == 0
    assert capsys.readouterr() == ("// whole\n", "")
    assert pipeline.call == {"function": "k", "args": "", "options": Options.make(), "target": "cuda", "include": None}


def test_all_options_arrive(pipeline: Pipeline) -> None:
    Path("mine").mkdir()
    line = "gradient k.cu -f k<double,3> --args out,in -Iinc -I inc2 -DX=1 -D Y -DZ= -std=c++20 --arch=sm_80"
    line += " --custom-derivatives mine --accumulate atomic --fresh in --consumed out --may-alias --checkpoint all"
    assert run([*line.split(), "--target", "hip"]) == 0
    assert pipeline.call["options"] == Options.make(
        std="c++20",
        include_dirs=["inc", "inc2"],
        defines={"X": "1", "Y": "1", "Z": ""},
        custom_derivatives=["mine"],
        arch="sm_80",
        accumulate="atomic",
        fresh="in",
        consumed="out",
        may_alias=True,
        checkpoint="all",
    )
    assert pipeline.call["target"] == "hip"
    assert (pipeline.call["function"], pipeline.call["args"]) == ("k<double,3>", "out,in")


@pytest.mark.parametrize("spelling", [["-std=c++20"], ["--std=c++20"], ["-std", "c++20"], ["--std", "c++20"]])
def test_spellings_of_the_standard(pipeline: Pipeline, spelling: list[str]) -> None:
    assert run(["gradient", "k.cu", "-f", "k", *spelling]) == 0
    assert pipeline.call["options"].std == "c++20"


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ([], "cuda"),
        (["--target", "host"], "host"),
        (["--backend", "host"], "host"),
        (["--backend", "auto"], "cuda"),
        (["--backend", "auto", "--target", "hip"], "hip"),
    ],
)
def test_target_and_backend(pipeline: Pipeline, words: list[str], target: str) -> None:
    assert run(["gradient", "k.cu", "-f", "k", *words]) == 0
    assert pipeline.call["target"] == target


def test_output_file_and_its_include(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    Path("build").mkdir()
    assert run(["gradient", "k.cu", "-f", "k", "-o", "build/out.cu"]) == 0
    assert Path("build/out.cu").read_text() == "// whole\n"
    assert pipeline.call["include"] == "../k.cu"
    assert capsys.readouterr() == ("", "")


def test_arguments_from_a_file(pipeline: Pipeline, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "flags").write_text('-DTEXT="a b"\n\n-I\nin clude\n-std=c++20\n')
    assert run(["gradient", "k.cu", "-f", "k", f"@{tmp_path / 'flags'}"]) == 0
    expected = Options.make(std="c++20", include_dirs=["in clude"], defines={"TEXT": '"a b"'})
    assert pipeline.call["options"] == expected
    assert run(["gradient", "k.cu", "-f", "k", "@none"]) == 2
    assert "cannot read the arguments in 'none': No such file" in capsys.readouterr().err


def test_fragment(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gradient", "k.cu", "-f", "k", "--fragment"]) == 0
    assert capsys.readouterr().out == "// fragment\n"


def test_emit_ir(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gradient", "k.cu", "-f", "k", "--emit", "adjoint-ir"]) == 0
    assert capsys.readouterr().out == "adjoint-ir of k\n"


def test_the_input_is_never_overwritten(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    Path("link.cu").symlink_to("k.cu")
    assert run(["gradient", "k.cu", "-f", "k", "-o", "link.cu"]) == 2
    assert "same file as the input" in capsys.readouterr().err
    assert Path("k.cu").read_text() == TEXT
    assert pipeline.call == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nix"], "No such command"),
        (["gradient", "k.cu"], "Missing option '-f'"),
        (["gradient", "-f", "k"], "Missing argument 'FILE...'"),
        (["gradient", "none.cu", "-f", "k"], "cannot read 'none.cu': No such file or directory"),
        (["gradient", "k.cu", "-f", "k", "--target", "metal"], "'metal' is not one of"),
        (["gradient", "k.cu", "-f", "k", "--target", "cuda", "--backend", "host"], "contradict each other"),
        (["gradient", "k.cu", "-f", "k", "-D2X"], "'2X' is not the name of a macro"),
        (["gradient", "k.cu", "-f", "k", "-o", "none/out.cu"], "there is no directory 'none'"),
        (["gradient", "k.cu", "-f", "k", "-o", "."], "it is a directory"),
        (["gradient", "k.cu", "-f", "k", "--custom-derivatives", "none"], "there is no 'none'"),
        (["gradient", "k.cu", "-f", "k", "--emit", "ir", "--fragment"], "--fragment goes with --emit code only"),
        (["check", "k.cu", "-f", "k", "--grid", "0"], "--grid takes one to three positive numbers"),
        (["check", "k.cu", "-f", "k", "--block", "1,2,3,4"], "--block takes one to three positive numbers"),
    ],
)
def test_wrong_usage(
    pipeline: Pipeline,
    checks: Callable[[bool], list[tuple[Any, ...]]],
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    checks(True)
    assert run(words) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_usage_errors_of_the_pipeline(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.error = UsageError("there is no function 'q'")
    assert run(["gradient", "k.cu", "-f", "q"]) == 2
    assert capsys.readouterr() == ("", "error: there is no function 'q'\n")


def test_a_refusal_as_text(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.error = DifferentiationError([ERROR])
    assert run(["gradient", "k.cu", "-f", "k", "-o", "out.cu"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "k.cu:2:10: error: no derivative for 'foo' [CP0103]\n"
        "    2 |     *a = foo(*a);\n"
        "      |          ^~~\n"
        "hint: write foo_pullback\n"
    )
    assert not Path("out.cu").exists()


@pytest.mark.parametrize("spelling", [["--diagnostics", "json"], ["--diagnostics=json"]])
def test_a_refusal_as_json(pipeline: Pipeline, capsys: pytest.CaptureFixture[str], spelling: list[str]) -> None:
    pipeline.error = DifferentiationError([ERROR])
    assert run(["gradient", "k.cu", "-f", "k", *spelling]) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    [found] = json.loads(captured.out)
    assert (found["code"], found["span"]["line"], found["hint"]) == ("CP0103", 2, "write foo_pullback")


def test_a_refusal_as_sarif(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.error = DifferentiationError([ERROR])
    assert run(["gradient", "k.cu", "-f", "k", "--diagnostics", "sarif"]) == 1
    [found] = json.loads(capsys.readouterr().out)["runs"]
    [result], driver = found["results"], found["tool"]["driver"]
    assert result["ruleId"] == "CP0103"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    [rule] = driver["rules"]
    assert (rule["id"], result["ruleIndex"]) == ("CP0103", 0)
    assert rule["shortDescription"]["text"] and rule["help"]["text"].startswith("CP0103\n")
    assert rule["defaultConfiguration"] == {"level": "error"}


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("src/../a b.cu", {"uri": "a%20b.cu", "uriBaseId": "%SRCROOT%"}),
        ("{here}/src/k.cu", {"uri": "src/k.cu", "uriBaseId": "%SRCROOT%"}),
        ("a:b.cu", {"uri": "a%3Ab.cu", "uriBaseId": "%SRCROOT%"}),
        ("../k.cu", {"uri": "{above}/k.cu"}),
        ("<source>", {"uri": "<source>"}),
    ],
)
def test_files_in_sarif_are_relative_to_the_working_directory(
    name: str, place: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    diagnostic = Diagnostic("CP0103", Severity.ERROR, "no", Span(name.format(here=here), 1, 1, 1, 2))
    [run_] = json.loads(render([diagnostic], form="sarif"))["runs"]
    expected = {key: value.format(above=tmp_path.as_uri()) for key, value in place.items()}
    assert run_["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == expected
    assert run_["originalUriBaseIds"] == {"%SRCROOT%": {"uri": here.as_uri() + "/"}}


def test_warnings_go_to_stderr_beside_the_code(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.warnings = (WARNING,)
    assert run(["gradient", "k.cu", "-f", "k"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "// whole\n"
    assert captured.err.startswith("k.cu:1:1: warning: an integer argument is named [CP0901]\n")


def test_warnings_as_json_go_to_stdout_if_it_is_free(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.warnings = (WARNING,)
    assert run(["gradient", "k.cu", "-f", "k", "--diagnostics", "json", "-o", "out.cu"]) == 0
    captured = capsys.readouterr()
    assert [d["code"] for d in json.loads(captured.out)] == ["CP0901"]
    pipeline.warnings = ()
    assert run(["gradient", "k.cu", "-f", "k", "--diagnostics", "json", "-o", "out.cu"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run(["gradient", "k.cu", "-f", "k", "--diagnostics", "json"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "// whole\n"
    assert json.loads(captured.err) == []


def test_a_fault_of_cladpy_is_no_traceback(
    pipeline: Pipeline, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLADPY_DEBUG", raising=False)
    pipeline.error = RuntimeError("something broke")
    assert run(["gradient", "k.cu", "-f", "k"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("error: internal error: RuntimeError: something broke [CP9999]\nhint: ")
    assert "Traceback" not in captured.err
    monkeypatch.setenv("CLADPY_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run(["gradient", "k.cu", "-f", "k"])


def test_an_unavailable_backend_fails(pipeline: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.error = BackendError("there is no compiler")
    assert run(["gradient", "k.cu", "-f", "k"]) == 1
    assert capsys.readouterr().err == "error: there is no compiler\n"


@pytest.mark.parametrize(("good", "status"), [(True, 0), (False, 1)])
def test_check(
    pipeline: Pipeline,
    checks: Callable[[bool], list[tuple[Any, ...]]],
    capsys: pytest.CaptureFixture[str],
    good: bool,
    status: int,
) -> None:
    calls = checks(good)
    line = "check k.cu -f k --args a --grid 2,1,1 --block 32 --set n=80 --set a=random:80 --seed 7 --shared-mem 512 -DX"
    line += " --elements 9"
    assert run(line.split()) == status
    assert capsys.readouterr().out == "the report\n"
    [(source, *rest)] = calls
    assert str(source) == "k.cu"
    expected_options = Options.make(defines={"X": "1"})
    assert rest == ["k", "a", (2, 1, 1), (32,), ["n=80", "a=random:80"], 7, expected_options, 512, 9]


@pytest.mark.parametrize("text", ["0", "-1", "some", "1.5"])
def test_how_many_elements_are_checked_is_a_number_or_all(
    pipeline: Pipeline,
    checks: Callable[[bool], list[tuple[Any, ...]]],
    capsys: pytest.CaptureFixture[str],
    text: str,
) -> None:
    calls = checks(True)
    assert run(["check", "k.cu", "-f", "k", "--elements", "all"]) == 0
    assert calls[0][-1] == sys.maxsize
    assert run(["check", "k.cu", "-f", "k", "--elements", text]) == 2
    assert "--elements takes a positive number or 'all'" in capsys.readouterr().err


def test_gradient_with_a_failing_check_gives_no_code(
    pipeline: Pipeline, checks: Callable[[bool], list[tuple[Any, ...]]], capsys: pytest.CaptureFixture[str]
) -> None:
    checks(False)
    assert run(["gradient", "k.cu", "-f", "k", "--check", "--set", "a=1"]) == 1
    assert capsys.readouterr() == ("", "the report\n")
    checks(True)
    assert run(["gradient", "k.cu", "-f", "k", "--check", "--set", "a=1"]) == 0
    assert capsys.readouterr() == ("// whole\n", "the report\n")


def test_text_that_is_not_utf8_passes_through(
    pipeline: Pipeline, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["cladpy.pipeline"]
    monkeypatch.setattr(module, "dump", lambda *_: "// caf\udce9")
    assert run(["gradient", "k.cu", "-f", "k", "--emit", "ir"]) == 0
    assert capfdbinary.readouterr().out == b"// caf\xe9\n"


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert "gradient" in capsys.readouterr().out
    assert run(["gradient", "-h"]) == 0
    assert "--custom-derivatives" in capsys.readouterr().out


def test_where_compilers_look(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--includes"]) == 0
    assert shlex.split(capsys.readouterr().out) == [f"-I{f}" for f in include_dirs("cuda")]
    assert run(["--includes=host", "--cmake-dir"]) == 0
    includes, folder = capsys.readouterr().out.splitlines()
    assert shlex.split(includes) == [f"-I{f}" for f in include_dirs("host")]
    assert folder == cmake_dir()
