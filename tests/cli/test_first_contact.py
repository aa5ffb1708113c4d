"""What somebody sees who has just installed cladpy: the bare command, its help, completion in three shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cladpy.cli import COMPLETE, SHELLS, cli, main, run

HELP = """\
Usage: cladpy [OPTIONS] [COMMAND] [ARGS]...

  Reverse-mode derivatives of CUDA C++ kernels and functions, as readable
  source.

Options:
  --version            Show the version and exit.
  --includes [TARGET]  Print the -I options for emitted code; default: cuda.
  --cmake-dir          Print the folder for find_package(cladpy).
  -h, --help           Show this message and exit.

Commands:
  adopt       Write a PyTorch extension: a function and its derivative.
  cache       Show what the compile cache holds, or remove it.
  check       Check a gradient on the CPU, by forward differentiation.
  completion  Print a script that completes commands in a shell.
  doctor      Show what works here, and how to get the rest.
  explain     Show the page of a diagnostic, or what a gradient costs.
  fix         Show what the hints about a function in FILE would change.
  gradient    Write the gradient of a function in FILE as source.

  Such as:
    cladpy gradient axpy.cu -f axpy --args "a, x, y" -o axpy_grad.cu
    cladpy COMMAND --help
"""


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]], ids=["bare", "long", "short"])
def test_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 0
    assert capsys.readouterr() == (HELP, "")


def test_the_bare_command_in_a_process_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-m", "cladpy"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, HELP, "")


def test_every_option_says_what_it_is() -> None:
    for command in cli.commands.values():
        assert command.get_short_help_str(limit=60).endswith("."), command.name  # in the list, and not cut off
        options = [p for p in command.params if p.param_type_name == "option"]
        assert [p.name for p in options if not getattr(p, "help", None)] == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["grad"], "No such command 'grad'. Did you mean 'gradient'?"),
        (["gradient"], "Missing argument 'FILE...'."),
        (["gradient", "k.cu"], "Missing option '-f' / '--function'."),
        (["gradient", "k.cu", "-f", "k", "--arg", "x"], "No such option '--arg'."),
        (["gradient", "k.cu", "-f", "k"], "cannot read 'k.cu': No such file or directory"),
        (["gradient", "k.cu", "-f", "k", "-std=c++99"], "std must be a C++ standard such as c++17, c++20 or gnu++17"),
        (["gradient", "k.cu", "-f", "k", "--arch", "fast"], "arch must be a GPU architecture such as 'sm_90'"),
        (["gradient", "k.cu", "-f", "k", "-I", ""], "include_dirs[0] must be a path"),
        (["gradient", "k.cu", "-f", "k", "-D", "1=2"], "'1' is not the name of a macro"),
        (["completion"], "Missing argument '{bash|zsh|fish}'."),
        (["completion", "csh"], "'csh' is not one of 'bash', 'zsh', 'fish'."),
        (["cache", "wipe"], "'wipe' is not one of 'info', 'clear'."),
        (["explain", "k.cu"], "explain takes a diagnostic's code such as CP0103, or a file with -f"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and says in err


def asked(shell: str, words: list[str], incomplete: str) -> list[str]:
    """What a shell's script is answered: words, or kinds of files."""
    line = [*words, incomplete]
    where = str(len(words)) if shell != "fish" else incomplete
    environment = {COMPLETE: f"{shell}_complete", "COMP_WORDS": " ".join(line), "COMP_CWORD": where}
    done = subprocess.run(
        [sys.executable, "-m", "cladpy"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    if shell == "zsh":  # three lines for each: kind, word, description
        return [f"{kind},{word}" for kind, word in zip(lines[::3], lines[1::3], strict=True)]
    return [line.partition("\t")[0] for line in lines]


@pytest.mark.parametrize("shell", SHELLS)
def test_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"{COMPLETE}={shell}_complete" in script and "cladpy" in script
    assert asked(shell, ["cladpy"], "gr") == ["plain,gradient"]
    assert asked(shell, ["cladpy", "completion"], "") == ["plain,bash", "plain,zsh", "plain,fish"]
    assert "plain,--diagnostics" in asked(shell, ["cladpy", "gradient", "k.cu"], "--d")
    assert [w.partition(",")[0] for w in asked(shell, ["cladpy", "gradient"], "")] == ["file"]


@pytest.mark.parametrize("shell", [s for s in SHELLS if s == "bash" or shutil.which(s)])
def test_scripts_are_the_shells_own(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The shell itself reads the script, of those that are installed; bash is everywhere."""
    run(["completion", shell])
    script = capsys.readouterr().out
    flags = ["--no-execute"] if shell == "fish" else ["-n"]
    done = subprocess.run([shell, *flags], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_bash_completes_with_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In bash itself: `cladpy che<Tab>`."""
    run(["completion", "bash"])
    command = tmp_path / "cladpy"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m cladpy "$@"\n')
    command.chmod(0o755)
    lines = [
        capsys.readouterr().out,
        "COMP_WORDS=(cladpy che); COMP_CWORD=1",
        "_cladpy_completion cladpy",
        'echo "${COMPREPLY[@]}"',
    ]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash"], input="\n".join(lines), env=environment, text=True, capture_output=True, check=True)
    assert done.stdout == "check\n"


def test_main_takes_no_words(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 0
    assert capfd.readouterr().out == HELP
