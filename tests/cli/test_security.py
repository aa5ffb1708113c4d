"""What SECURITY.md says: nothing of the input is run, only the output is written, and names and text stay text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.cli import run
from cladpy.diagnostics import UsageError

TEXT = "__global__ void k(double *x) { x[threadIdx.x] *= 2; }\n"

# Runs a command, and prints what Python did that is more than reading.
WATCHED = """
import json, os, sys
from cladpy.cli import run
seen = []
def folder(path):
    return os.path.dirname(os.path.abspath(os.fsdecode(path)))
def hook(event, args):
    if event == "open":
        path, mode, flags = args
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and path != os.devnull and not isinstance(path, int):
            seen.append(f"write in {folder(path)}")
    elif event.partition(".")[0] in ("subprocess", "socket", "pty", "urllib", "ftplib", "smtplib", "webbrowser"):
        seen.append(event)
    elif event in ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"):
        seen.append(f"write in {folder(args[0])}")
    elif event in ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "shutil.rmtree"):
        seen.append(event)
sys.addaudithook(hook)
status = run(sys.argv[1:])
print(json.dumps([status, sorted(set(seen))]))
"""


def test_only_the_output_is_written_and_what_the_compiler_defines_is_kept(tmp_path: Path) -> None:
    source, target, home = tmp_path / "k.cu", tmp_path / "out" / "grad.cu", tmp_path / "home"
    pragmas = '#pragma once\n#pragma comment(lib, "x")\n#pragma message "running"\n'
    source.write_text(pragmas + TEXT)
    target.parent.mkdir()
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "CLADPY_CACHE_DIR": str(home / "cache")}
    command = [sys.executable, "-B", "-c", WATCHED, "gradient", str(source), "-f", "k", "-o", str(target)]
    for asks in (True, False):
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        status, seen = json.loads(done.stdout)
        assert status == 0 and target.exists()
        # folders are removed by names within them, which the hook takes for the current one's
        others = {s for s in seen if not s.startswith(f"write in {home}")} - {f"write in {tmp_path}"}
        asking = {"subprocess.Popen", "os.posix_spawn", "os.fork", "shutil.rmtree"}
        assert others - asking == {f"write in {target.parent}"}
        # the cache's folder is made where there is none
        assert asks or set(seen) == {f"write in {target.parent}", f"write in {home}"}
    kept = {p.suffix for p in (home / "cache").iterdir()}
    assert kept <= {".json", ".so"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "k.cu", "out"]
    assert [p.name for p in home.iterdir()] in ([], ["cache"])


NAMES = [
    "a b",
    "$(touch pwned)",
    "; touch pwned",
    "`touch pwned`",
    "a'b",
    "{{ 7 * 7 }}",
    "{% include 'x' %}",
    "%s%n",
    "-o x",
    "#",
    "é",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{name}.cu").write_text(TEXT)
    assert run(["gradient", f"./{name}.cu", "-f", "k", "-o", "out.cu"]) == 0
    assert f'#include "{name}.cu"\n' in (tmp_path / "out.cu").read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([f"{name}.cu", "out.cu"])


def test_a_name_reaches_no_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "$(touch pwned); `touch pwned` & {{ 7 }}.cu"
    source.write_text(TEXT)
    x, dx = np.ones(2), np.ones(2)
    cladpy.gradient(source, "k", backend="host").execute_kernel(1, 2, x, dx)
    assert list(dx) == [2, 2]
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("name", ['a"b', "a\nb", "a\\b", "a\tb", "a\x1bb"])
def test_names_that_cannot_be_included(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / f"{name}.cu"
    source.write_text(TEXT)
    assert run(["gradient", str(source), "-f", "k"]) == 2
    assert "cannot be included: rename it" in capsys.readouterr().err
    with pytest.raises(UsageError, match="cannot be included"):
        cladpy.gradient(source, "k", backend="host")


COMMENTS = [
    "{{ 7 * 7 }} {% include 'x' %} {# gone #}",
    "\\",
    "??/",
    "???/ ",
    "*/ int evil; /*",
    "\u202e\u2066",
    "\x1b[2J",
    "\udcff",
]


@pytest.mark.parametrize("text", COMMENTS)
def test_lines_of_the_source_stay_comments(text: str, tmp_path: Path) -> None:
    source, target = tmp_path / "k.cu", tmp_path / "grad.cu"
    program = f"__global__ void k(double *x) {{\n  double t = x[0]; // {text}\n\n  x[0] = t * t;\n}}\n"
    source.write_bytes(program.encode(errors="surrogateescape"))
    assert run(["gradient", str(source), "-f", "k", "-o", str(target), "-std=c++14"]) == 0
    lines = target.read_text().split("\n")
    (quoted,) = [line for line in lines if "2: double t = x[0];" in line]
    assert quoted.strip().startswith("// 2: double t")
    assert all(c.isprintable() for c in quoted)
    assert not any(line.rstrip().endswith(("\\", "??/")) for line in lines if "//" in line)
    if "{{" in text:
        assert text in quoted, "not a template"


def test_line_directives_deceive_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        '#line 900 "/etc/passwd"\n__global__ void k(double *x) {\n# 7 "other.cu" 3\n  *x = asin(throw 1);\n}\n'
    )
    assert run(["gradient", str(source), "-f", "k"]) == 1
    said = capsys.readouterr().err
    assert f"{source}:4:" in said and "passwd" not in said and "other.cu" not in said


def test_terminals_are_given_no_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "k.cu"
    source.write_text("__global__ void k(double *x) { *x = nothing; /* \x1b]0;title\x07 \x9b2J \u202e */ }\n")
    assert run(["gradient", str(source), "-f", "k"]) == 1
    said = capsys.readouterr().err
    assert "nothing" in said and not set("\x1b\x07\x9b\u202e") & set(said)


@pytest.mark.parametrize(
    "line",
    ["-fplugin=evil.so", "-Xclang", "-load", "--config=evil", "-D", "-DX;Y=1", "-Dint main(", "-isysroot", "-B."],
)
def test_argument_files_add_no_flags(line: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(TEXT)
    (tmp_path / "flags").write_text(f"{line}\n")
    assert run(["gradient", str(tmp_path / "k.cu"), "-f", "k", f"@{tmp_path / 'flags'}"]) == 2


@pytest.mark.parametrize("option", ["--std", "--arch"])
def test_a_value_is_one_argument(option: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(TEXT)
    status = run(["gradient", str(tmp_path / "k.cu"), "-f", "k", option, "c++17 -Xclang -load -Xclang /evil.so"])
    assert "evil.so" not in capfd.readouterr().out
    assert status == 2
