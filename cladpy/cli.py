"""The command line: `cladpy gradient`, `explain`, `check`, `doctor`, `cache`, `completion`.

Exit status: 0 done; 1 the program cannot be differentiated, or a check failed; 2 wrong usage. Imports are made where
they are used, so that a command starts quickly.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from cladpy.contained import contained
from cladpy.diagnostics import (
    CladpyError,
    CladpyWarning,
    Diagnostic,
    DifferentiationError,
    Severity,
    UsageError,
    render,
)
from cladpy.options import BACKENDS, Flag, Options
from cladpy.targets import TARGETS

if TYPE_CHECKING:
    from cladpy.derivative import Derivative
    from cladpy.source import Source

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
SHELLS = ("bash", "zsh", "fish")
COMPLETE = "_CLADPY_COMPLETE"  # the variable by which a shell's script asks for completions
INTERNAL_ERROR = "CP9999"

_Command = TypeVar("_Command", bound=Callable[..., Any])


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line, in a child process, and exits; no exception leaves it."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    form = _diagnostics_form(given)

    def report(found: Diagnostic) -> None:
        _show(render([found], None, form), to_stdout=form != "text")

    sys.exit(contained(lambda: run(given), report))


def run(arguments: list[str]) -> int:
    """Runs the command line and gives the exit status."""
    try:
        arguments = _from_files(arguments)
    except UsageError as error:
        _show(f"error: {error}")
        return WRONG_USAGE
    form = _diagnostics_form(arguments)
    try:
        with _plain_warnings():
            status = cli.main(args=_split_joined(arguments), prog_name="cladpy", standalone_mode=False)
        sys.stdout.flush()
        return int(status or DONE)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except DifferentiationError as error:
        _show(render(error.diagnostics, error.texts, form), to_stdout=form != "text")
        return FAILED
    except UsageError as error:
        _show(f"error: {error}")
        return WRONG_USAGE
    except CladpyError as error:
        _show(f"error: {error}")
        return FAILED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            _show(f"error: {error}")
        # stdout has gone or is full: what is left in its buffer would fail again at the interpreter's last flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if os.environ.get("CLADPY_DEBUG"):
            raise
        _show(render([_internal(error)], None, form), to_stdout=form != "text")
        return FAILED


def _internal(error: Exception) -> Diagnostic:
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    hint = "this is a fault of cladpy, not of your program: report it with the source (CLADPY_DEBUG=1 shows where)"
    return Diagnostic(INTERNAL_ERROR, Severity.ERROR, f"internal error: {what}", hint=hint)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Warnings of ours are shown as diagnostics are: the line of Python from which they come is nobody's business."""
    with warnings.catch_warnings():
        python = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, CladpyWarning):
                _show(str(message))
            else:
                python(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield


def _show(text: str, *, to_stdout: bool = False) -> None:
    """Prints text that may hold bytes that are not UTF-8, as sources may."""
    click.echo(text.encode("utf-8", errors="surrogateescape"), err=not to_stdout)


def _from_files(arguments: list[str]) -> list[str]:
    """Puts the lines of a file in the place of `@FILE`, each an argument. What follows `--` is left alone."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    found: list[str] = []
    for argument in arguments[:end]:
        if argument.startswith("@"):
            try:
                lines = os.fsdecode(Path(argument[1:]).read_bytes()).split("\n")
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise UsageError(f"cannot read the arguments in {argument[1:]!r}: {reason}") from None
            found += [line for line in lines if line]
        else:
            found.append(argument)
    return found + arguments[end:]


def _split_joined(arguments: list[str]) -> list[str]:
    """Compilers' spellings of long options: `-std=c++20` as `--std=c++20`. What follows `--` is left alone."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    head = [re.sub(r"^-(?=(std|arch)(=|$))", "--", argument) for argument in arguments[:end]]
    return head + arguments[end:]


def _diagnostics_form(arguments: Sequence[str]) -> str:
    """The value of --diagnostics, known before the options are parsed, for errors at any point."""
    form = "text"
    for argument, following in pairwise([*arguments, ""]):
        if argument == "--diagnostics":
            form = following
        elif argument.startswith("--diagnostics="):
            form = argument.partition("=")[2]
    return form if form in ("json", "sarif") else "text"


# ---- options --------------------------------------------------------------------------------------------------------


def _program_options(command: _Command) -> _Command:
    """The source, the function, and everything that `Options` holds."""
    function = click.option(
        "-f", "--function", required=True, help="Function to differentiate, such as 'kernel<double, 3>'."
    )
    return click.argument("file", type=click.Path(path_type=Path))(function(_gradient_options(command)))


def _gradient_options(command: _Command) -> _Command:
    """The arguments meant, and everything that `Options` holds."""
    options = [
        click.option("--args", default="", metavar="NAMES", help="Arguments such as 'out, in'; default: all floating."),
        *(_click_option(name, default, flag) for name, default, flag in Options.flags()),
        click.option(
            "--diagnostics",
            type=click.Choice(("text", "json", "sarif")),
            default="text",
            show_default=True,
            help="Form of errors and warnings.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _click_option(name: str, default: object, flag: Flag) -> Callable[[_Command], _Command]:
    kind: dict[str, Any] = {"default": default, "show_default": flag.shows_default}
    if default is False:
        kind = {"is_flag": True}
    elif default == ():
        kind = {"multiple": True}
    if flag.choices:
        kind["type"] = click.Choice(flag.choices)
    return click.option(flag.spelling, name, metavar=flag.metavar, help=flag.help, **kind)


def _check_options(command: _Command) -> _Command:
    """What a run on the CPU needs."""
    options = [
        click.option("--grid", default=None, metavar="X[,Y[,Z]]", help="Blocks; for kernels."),
        click.option("--block", default=None, metavar="X[,Y[,Z]]", help="Threads of a block; for kernels."),
        click.option("--shared-mem", type=int, default=0, metavar="BYTES", help="Dynamic shared memory; for kernels."),
        click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="n=80, x=random:80, y=zeros:4x4 …"),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random values."),
        click.option(
            "--elements", default=None, metavar="N|all", help="Elements of an argument to look at one by one."
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _make_options(values: dict[str, Any]) -> Options:
    """The `Options` of a command. Raises UsageError for a value that makes no sense."""
    return Options.make(**{name: flag.read(values[name]) for name, _, flag in Options.flags()})


def _extent(option: str, text: str | None) -> tuple[int | str, ...] | None:
    """`2,1,1` as (2, 1, 1); what names integers that are set is known later."""
    if text is None:
        return None
    parts = [p.strip() for p in text.split(",")]
    if not 1 <= len(parts) <= 3 or not all(re.search("[a-zA-Z_]", p) or (p.isdecimal() and int(p) > 0) for p in parts):
        raise UsageError(f"{option} takes one to three positive numbers such as 2,1,1, not {text!r}")
    return tuple(int(p) if p.isdecimal() else p for p in parts)


def _count(option: str, text: str | None) -> int | None:
    """A number, or `all`."""
    if text in (None, "all"):
        return None if text is None else sys.maxsize
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"{option} takes a positive number or 'all', not {text!r}")
    return int(text)


def _target(target: str | None, backend: str | None) -> str:
    """`--backend` names the target too, but for auto, which leaves it."""
    if backend in (None, "auto"):
        return target or "cuda"
    if target not in (None, backend):
        raise UsageError(f"--target {target} and --backend {backend} contradict each other")
    return str(backend)


_EXAMPLE = """\b
Such as:
  cladpy gradient axpy.cu -f axpy --args "a, x, y" -o axpy_grad.cu
  cladpy COMMAND --help"""


# ---- commands -------------------------------------------------------------------------------------------------------


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True, epilog=_EXAMPLE)
@click.version_option(package_name="cladpy", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Reverse-mode derivatives of CUDA C++ kernels and functions, as readable source."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command()
@_program_options
@click.option("-o", "output", type=click.Path(path_type=Path), default=None, metavar="OUT", help="File to write.")
@click.option("--depfile", type=click.Path(path_type=Path), default=None, metavar="D", help="Rule for make or Ninja.")
@click.option("--fragment", is_flag=True, help="Leave the include of the original out.")
@click.option("--target", type=click.Choice(tuple(TARGETS)), default=None, help="Language to emit; default: cuda.")
@click.option("--backend", type=click.Choice(BACKENDS), default=None, help="Another name for --target; auto leaves it.")
@click.option(
    "--emit",
    type=click.Choice(("code", "ir", "adjoint-ir", "passes")),
    default="code",
    show_default=True,
    help="What to write: the source, or what cladpy works on.",
)
@click.option("--check", "checked", is_flag=True, help="Check the gradient on the CPU too; takes --grid, --set …")
@_check_options
def gradient(**values: Any) -> int:
    """Write the gradient of a function in FILE as source."""
    from cladpy.output import check_target, include_spelling
    from cladpy.source import Source

    options = _make_options(values)
    target = _target(values["target"], values["backend"])
    output: Path | None = None if values["output"] in (None, Path("-")) else values["output"]
    if values["fragment"] and values["emit"] != "code":
        raise UsageError("--fragment goes with --emit code only")
    rule: Path | None = values["depfile"]
    if rule is not None and (output is None or values["emit"] != "code"):
        raise UsageError("--depfile goes with -o and with --emit code only")
    source = Source.load(values["file"])
    if output is not None:
        check_target(output, [values["file"]])
    if rule is not None:
        check_target(rule, [values["file"]])
        if output is not None and os.path.realpath(rule) == os.path.realpath(output):
            raise UsageError(f"cannot write {str(rule)!r}: it is the output too")
    if values["checked"] and _run_check(values, options, to_stderr=True) != DONE:
        return FAILED
    function, args = values["function"], values["args"]
    if values["emit"] != "code":
        from cladpy.pipeline import dump

        _give(dump(source, function, args, options, values["emit"]), output)
        return DONE
    include = None if output is None else include_spelling(output, values["file"])
    made = _emitted(source, function, args, options, target, include, values["diagnostics"])
    code = made["fragment"] if values["fragment"] else made["code"]
    inputs = [str(values["file"]), *made["includes"]]
    if output is not None:
        check_target(output, map(Path, inputs))
    if output is not None and rule is not None:
        from cladpy.output import depfile, write_together

        check_target(rule, map(Path, inputs))
        write_together({rule: depfile(output, inputs), output: _ended(code)})
    else:
        _give(code, output)
    if made["warnings"] is not None:
        _show(made["warnings"], to_stdout=values["diagnostics"] != "text" and output is not None)
    return DONE


def _emitted(
    source: Source, function: str, args: str, options: Options, target: str, include: str | None, form: str
) -> dict[str, Any]:
    """The code, its form without the original, the other files that were read, and the warnings as they are shown;
    from the compile cache where all that was read is as it was."""
    from cladpy.remembered import Files, find_text, keep_text

    question = [source.name, str(source.path), source.text, function, args, repr(options), str(include), form]
    found = None if options.custom_derivatives else find_text(question, target)  # to which headers may have come
    if found is not None:
        return found
    from cladpy.pipeline import differentiate

    derivative = differentiate(source, function, args, options, target, include=include)
    answer = {
        "code": derivative.code,
        "fragment": derivative.fragment,
        "includes": derivative.program.includes[1:],
        "warnings": _warnings(derivative, form),
    }
    if not options.custom_derivatives and not derivative.program.missing:
        keep_text(question, target, Files.of(derivative), answer)
    return answer


@cli.command()
@click.argument("what", metavar="CODE|FILE")
@click.option("-f", "--function", default=None, help="Function to differentiate, such as 'kernel<double, 3>'.")
@_gradient_options
@click.option("--target", type=click.Choice(tuple(TARGETS)), default=None, help="Language to emit; default: cuda.")
def explain(**values: Any) -> int:
    """Show the page of a diagnostic, or what a gradient costs.

    CODE is that of a diagnostic, such as CP0301. With FILE and -f: what the gradient of the function costs, and why.
    """
    from cladpy.explain.page import is_code, page

    what = str(values["what"])
    if values["function"] is None:
        if not is_code(what):
            raise UsageError(
                f"explain takes a diagnostic's code such as CP0103, or a file with -f; {what!r} is no code"
            )
        _give(page(what), None)
        return DONE
    if values["diagnostics"] == "sarif":
        raise UsageError("explain gives text or json")
    from cladpy.explain import as_json, as_text
    from cladpy.pipeline import explain as explain_gradient
    from cladpy.source import Source

    source = Source.load(Path(what))
    options = _make_options(values)
    report, warnings = explain_gradient(
        source, values["function"], values["args"], options, _target(values["target"], None)
    )
    if values["diagnostics"] == "json":
        _give(as_json(report, [w.as_json() for w in warnings]), None)
        return DONE
    _give(as_text(report), None)
    if warnings:
        _show(render(warnings, {source.name: source.text}))
    return DONE


@cli.command()
@_program_options
@_check_options
@click.option("--against", default=None, metavar="[FILE:]FUNCTION", help="A backward written by hand, to be checked.")
@click.option("--map", "mapped", multiple=True, metavar="PARAM=WHAT", help="What its parameter is, as dx=gradient:x.")
@click.option("--against-grid", default=None, metavar="X[,Y[,Z]]", help="Its blocks; default: --grid.")
@click.option("--against-block", default=None, metavar="X[,Y[,Z]]", help="Its threads of a block; default: --block.")
@click.option("--against-shared-mem", type=int, default=None, metavar="BYTES", help="Its dynamic shared memory.")
@click.option("--scale", type=float, default=None, metavar="K", help="Its gradients are meant to be K times these.")
def check(**values: Any) -> int:
    """Check a gradient on the CPU, by forward differentiation.

    Compares the gradient of a function in FILE with forward-mode and with central differences; with --against a
    backward that is written by hand, at inputs that are searched for where it is wrong.
    """
    options = _make_options(values)
    if values["against"] is not None:
        return _run_against(values, options)
    for name in ("mapped", "against_grid", "against_block", "against_shared_mem", "scale"):
        if values[name] not in (None, ()):
            raise UsageError(f"--{name.replace('_', '-').replace('mapped', 'map')} goes with --against")
    return _run_check(values, options, to_stderr=False)


@cli.command()
def doctor() -> int:
    """Show what works here, and how to get the rest."""
    from cladpy.doctor import report

    click.echo(report())
    return DONE


@cli.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> int:
    """Print a script that completes commands in a shell.

    \b
    bash, in ~/.bashrc:  eval "$(cladpy completion bash)"
    zsh, in ~/.zshrc:    eval "$(cladpy completion zsh)"  (behind compinit)
    fish, once:          cladpy completion fish > ~/.config/fish/completions/cladpy.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    _give(found(cli, {}, "cladpy", COMPLETE).source(), None)
    return DONE


@cli.command()
@click.argument("action", type=click.Choice(("info", "clear")))
def cache(action: str) -> int:
    """Show what the compile cache holds, or remove it."""
    from cladpy.toolchain import cache as compiled

    found = compiled.info() if action == "info" else compiled.clear()
    done = "removed from" if action == "clear" else "in"
    left = f", {found.leftovers} files of compilations that did not end" if found.leftovers else ""
    click.echo(f"{found.entries} entries{left}, {found.bytes / 2**20:.1f} MiB, {done} {found.folder}")
    return DONE


def _run_check(values: dict[str, Any], options: Options, *, to_stderr: bool) -> int:
    from cladpy.check.command import run_check

    good, text = run_check(
        values["file"],
        values["function"],
        values["args"],
        _extent("--grid", values["grid"]),
        _extent("--block", values["block"]),
        list(values["settings"]),
        values["seed"],
        options,
        values["shared_mem"],
        _count("--elements", values["elements"]),
    )
    _show(text, to_stdout=not to_stderr)
    return DONE if good else FAILED


def _run_against(values: dict[str, Any], options: Options) -> int:
    from cladpy.check.handwritten.command import Against, against, check_against, read_map

    source, function = against(values["against"], values["file"])
    report = check_against(
        values["file"],
        values["function"],
        values["args"],
        _extent("--grid", values["grid"]),
        _extent("--block", values["block"]),
        list(values["settings"]),
        values["seed"],
        options,
        Against(
            source,
            function,
            read_map(values["mapped"]),
            _extent("--against-grid", values["against_grid"]),
            _extent("--against-block", values["against_block"]),
            values["against_shared_mem"],
            1.0 if values["scale"] is None else values["scale"],
        ),
        values["shared_mem"],
    )
    _show(report.text(), to_stdout=True)
    return DONE if report.ok else FAILED


def _give(text: str, output: Path | None) -> None:
    """The result to a file or to stdout."""
    text = _ended(text)
    if output is None:
        click.echo(text.encode("utf-8", errors="surrogateescape"), nl=False)
        return
    from cladpy.output import write

    write(output, text)


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _warnings(derivative: Derivative, form: str) -> str | None:
    """Warnings as they are shown: as text none if there are none, as JSON and SARIF an empty list too."""
    if form == "text" and not derivative.warnings:
        return None
    return render(derivative.warnings, {derivative.source.name: derivative.source.text}, form)
