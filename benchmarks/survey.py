"""How much of other people's programs cladpy differentiates, and whether it does so right.

usage: python -m benchmarks.survey PATH... [--every N] [--offset N] [--jobs N] [--seconds S] [--check N]
                                   [--state FILE] [--again CODE] [--output FILE] [--option NAME=VALUE]
                                   [--define MACRO] [--include DIR]

Looks through folders of CUDA sources for programs, takes each kernel and each host function that launches kernels, of
numbers of floating point, and asks for its gradient, in a process of its own with a time limit. `--check N` makes
inputs for every Nth that transforms, where the parameters let them be guessed, and judges the gradient there as
`cladpy check` does, on the CPU; `--option accumulate=deterministic` asks for another form of it.
What has been tried is kept in `--state`, so that a run that was stopped goes on; what is refused there is tried again
with `--again CODE` (or `--again all`). The table says, by program and function, what came of it; nothing of the
sources' text.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cladpy.cli
import cladpy.pipeline  # read before processes part
from benchmarks.survey_check import RIGHT, WITHIN_ARRAYS, WRONG, verified
from benchmarks.survey_functions import Function, Program, functions, programs
from benchmarks.survey_process import forked, give, given_by
from benchmarks.survey_shapes import launches
from cladpy.options import Options

TRANSFORMS, CRASH, TIMEOUT, NONE = "transforms", "crash", "time", "no numbers"
NO_INSTANCE = "no instance"  # of a template with arguments of cladpy's own invention, by which it is no program
# What cladpy says of a function that has no argument of floating point, or of one that nothing floating comes from.
NO_NUMBERS = ("CP0302", "CP0303", "CP0305")
_MOST = 6  # files of a program that are read for one function, after its own
_SLOW = 10  # seconds
_CHECKED = 3  # times as long as for a transformation


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a function: `outcome` is one of the above or a diagnostic's code, `message` what was said."""

    program: str
    function: str
    kernel: bool
    outcome: str
    message: str = ""
    verified: str = ""
    seconds: float = 0.0  # that its gradient, or the refusal, took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take each Nth program")
    parser.add_argument("--offset", type=int, default=0, help="the first of these, counted from 0")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=60, help="for one function")
    parser.add_argument("--check", type=int, default=0, metavar="N")
    parser.add_argument("--define", action="append", default=[], metavar="MACRO", help="in all programs")
    parser.add_argument("--include", action="append", default=[], metavar="DIR", help="of headers of all programs")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the gradients checked")
    parser.add_argument("--state", type=Path, default=Path("survey.jsonl"))
    parser.add_argument("--again", action="append", default=[], metavar="CODE")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    sample = list(programs(given.paths))[given.offset :: given.every]
    shared = tuple(str(Path(f).resolve()) for f in given.include)  # the check works in another folder
    found = [replace(p, include=p.include + shared, shared=shared, defines=(*p.defines, *given.define)) for p in sample]
    kept = [Row(**json.loads(line)) for line in given.state.read_text().splitlines()] if given.state.exists() else []
    rows = {(r.program, r.function): r for r in kept}
    with ProcessPoolExecutor(given.jobs) as pool:
        for of_program in as_completed([pool.submit(_try_program, p, rows, given) for p in found]):
            rows.update({(r.program, r.function): r for r in of_program.result()})
    names = {p.name for p in found}
    table = report([r for r in rows.values() if r.program in names])
    if given.output is not None:
        given.output.write_text(table)
    print(table)
    return 0


def _try_program(program: Program, rows: dict[tuple[str, str], Row], given: argparse.Namespace) -> list[Row]:
    """Rows of what has not been tried yet, each kept as soon as it is there."""
    again = set(given.again)
    seen: set[tuple[str, int]] = set()
    result: list[Row] = []

    def keep(row: Row) -> None:
        result.append(row)
        with given.state.open("a") as state:
            state.write(json.dumps(asdict(row)) + "\n")

    for file in program.files:
        try:
            _, listed = forked(
                lambda f=file: print(json.dumps([asdict(x) for x in functions(program, f)])), given.seconds
            )
            named = [Function(**f) for f in json.loads(listed.splitlines()[-1])]
        except (IndexError, json.JSONDecodeError):
            keep(Row(program.name, f"({file.name})", False, CRASH, "the file's functions cannot be listed"))
            continue
        for function in named:
            if (function.file, function.line) in seen:
                continue
            seen.add((function.file, function.line))
            before = rows.get((program.name, function.name))
            if before is None or "all" in again or before.outcome in again:
                keep(_try(program, file, function, given))
    return result


def _try(program: Program, file: Path, function: Function, given: argparse.Namespace) -> Row:
    """Asks for one gradient; where a template has no arguments, with those that cladpy names."""
    files = [file]
    began = time.monotonic()
    outcome, message = _gradient(program, files, function.name, given)
    if outcome == "CP0004" and (
        example := re.search(r'such as "(.+)"|itself has ([^\n]+?)(?:, \w+<| and |$)', message)
    ):
        function = replace(function, name=example[1] or example[2])
        began = time.monotonic()
        outcome, message = _gradient(program, files, function.name, given)
        if example[1] and outcome in ("CP0001", "CP0002"):
            outcome = NO_INSTANCE
    while (other := _with_body(program, files, outcome, message)) is not None:
        files.append(other)
        began = time.monotonic()
        outcome, message = _gradient(program, files, function.name, given)
    took = round(time.monotonic() - began, 1)
    row = Row(program.name, function.name, function.kernel, outcome, message, seconds=took)
    if outcome == TRANSFORMS and given.check and hash_of(row) % given.check == 0:
        row = replace(row, verified=_check(program, files, function, given))
    return row


def _with_body(program: Program, files: list[Path], outcome: str, message: str) -> Path | None:
    """Another file of the program that has the body of the function for which the gradient was refused."""
    name = re.search(r"'(?:[\w<>, ]+::)*(\w+)[^']*'", message) if outcome in ("CP0005", "CP0206", "CP0224") else None
    if name is None or len(files) > _MOST:
        return None
    body = re.compile(rf"\b{name[1]}\s*\([^;{{}}()]*\)\s*(?:const\s*)?\{{")
    others = (f for f in program.sources if f not in files)
    return next((f for f in others if body.search(f.read_text(errors="replace"))), None)


def hash_of(row: Row) -> int:
    """A number that is the same in every run."""
    return sum(f"{row.program}/{row.function}".encode())


def _cladpy(
    program: Program, files: list[Path], function: str, command: str, more: Iterable[str], seconds: int
) -> tuple[int, str]:
    """The exit status of a command, None's place taken by -1 where time ran out, and what it said."""
    flags = [*(f"-I{f}" for f in program.include), *(f"-D{d}" for d in program.defines)]
    flags += () if program.openmp else ("--openmp", "off")
    out = ("-o", os.devnull) if command == "gradient" else ()
    line = [command, *map(str, files), "-f", function, *flags, *out, *more]
    return forked(lambda: cladpy.cli.main(line), seconds)


def _gradient(program: Program, files: list[Path], function: str, given: argparse.Namespace) -> tuple[str, str]:
    return _outcome(*_cladpy(program, files, function, "gradient", (), given.seconds))


def _outcome(status: int, said: str) -> tuple[str, str]:
    if status == 0:
        return TRANSFORMS, ""
    if status == -1:
        return TIMEOUT, ""
    found = re.search(r"error(?: \[|\[)?(CP\d{4})\]?:? ?([^\n]*)|error: ([^\n]*?)\s*\[(CP\d{4})\]", said)
    if found is None:
        return CRASH, (said.strip().splitlines() or [f"status {status}"])[-1]
    code = found[1] or found[4]
    hint = re.search(r"hint: ([^\n]*)", said)
    message = (found[2] or found[3] or "") + (f" — {hint[1]}" if hint and code in ("CP0002", "CP0004") else "")
    if code == "CP9999":
        return CRASH, message
    return (NONE if code in NO_NUMBERS else code), message


def _check(program: Program, files: list[Path], function: Function, given: argparse.Namespace) -> str:
    """`right`, `wrong`, or why it could not be seen."""

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.environ["CLADPY_HOST_FLAGS"] = WITHIN_ARRAYS
            options = Options.make(
                include_dirs=program.include,
                defines=dict((d.partition("=")[0], d.partition("=")[2] or "1") for d in program.defines),
                openmp="auto" if program.openmp else "off",
                **dict(o.split("=", 1) for o in given.option),
            )
            texts = [f.read_text(errors="replace") for f in program.sources]
            known = list(launches(function.name, texts, program.defines))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                said = verified(files, function.name, options, tuple(function.grid), known)
            give(said)

    status, said = forked(work, _CHECKED * given.seconds)
    if status == -1:
        return "time"
    return given_by(said) or f"crash: {(said.strip().splitlines() or [str(status)])[-1][:200]}"


def report(rows: list[Row]) -> str:
    """The table, and before it the counts."""
    tried = [r for r in rows if r.outcome not in (NONE, NO_INSTANCE)]
    left_out = sum(r.outcome == NO_INSTANCE for r in rows)
    good = [r for r in tried if r.outcome == TRANSFORMS]
    lines = [
        f"{len(good)} of {len(tried)} functions of {len({r.program for r in tried})} programs transform "
        f"({100 * len(good) / max(1, len(tried)):.1f} %): "
        f"{sum(r.kernel for r in good)} of {sum(r.kernel for r in tried)} kernels, "
        f"{sum(not r.kernel for r in good)} of {sum(not r.kernel for r in tried)} host functions.",
        "",
    ]
    if left_out:
        lines += [f"Left out: {left_out} templates that the arguments tried are not meant for.", ""]
    checked = collections.Counter(
        next((w for w in (RIGHT, WRONG) if r.verified.startswith(w)), "not seen") for r in good if r.verified
    )
    if checked:
        lines += [f"Checked: {', '.join(f'{n} {what}' for what, n in checked.items())}.", ""]
    lines += ["| refused by | functions | programs |", "| --- | --- | --- |"]
    by_code = collections.defaultdict(list)
    for row in tried:
        if row.outcome != TRANSFORMS:
            by_code[row.outcome].append(row)
    for code, of_code in sorted(by_code.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {code} | {len(of_code)} | {len({r.program for r in of_code})} |")
    slow = sorted((r for r in tried if r.seconds > _SLOW), key=lambda r: -r.seconds)
    if slow:
        said = ", ".join(f"`{r.function}` of {r.program} {r.seconds:.0f} s" for r in slow)
        lines += ["", f"More than {_SLOW} s to transform or to refuse: {said}."]
    lines += ["", "| program | function | transforms | verified |", "| --- | --- | --- | --- |"]
    for row in sorted(tried, key=lambda r: (r.program, r.function)):
        name = row.function.replace("|", "\\|")
        came = "yes" if row.outcome == TRANSFORMS else row.outcome
        said = re.split(r":| at ", row.verified)[0]
        lines.append(f"| {row.program} | `{name}` | {came} | {said} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
