"""The commands: each reads its options, calls the stage that does the work, and shows what comes of it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cladpy.cli.options import (
    Extent,
    check_options,
    count,
    extent,
    file_options,
    gradient_options,
    make_options,
    program_options,
    target_of,
)
from cladpy.cli.shown import DONE, FAILED, ended, give, show
from cladpy.diagnostics import UsageError, render
from cladpy.options import BACKENDS, Options
from cladpy.quoting import included
from cladpy.targets import TARGETS

if TYPE_CHECKING:
    from cladpy.derivative import Derivative
    from cladpy.source import Given, Source

SHELLS = ("bash", "zsh", "fish")
COMPLETE = "_CLADPY_COMPLETE"  # the variable by which a shell's script asks for completions

_EXAMPLE = """\b
Such as:
  cladpy gradient axpy.cu -f axpy --args "a, x, y" -o axpy_grad.cu
  cladpy COMMAND --help"""


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True, epilog=_EXAMPLE)
@click.version_option(package_name="cladpy", message="%(prog)s %(version)s")
@click.option(
    "--includes",
    type=click.Choice(tuple(TARGETS)),
    is_flag=False,
    flag_value="cuda",
    metavar="[TARGET]",
    help="Print the -I options for emitted code; default: cuda.",
)
@click.option("--cmake-dir", is_flag=True, help="Print the folder for find_package(cladpy).")
@click.pass_context
def cli(context: click.Context, includes: str | None, cmake_dir: bool) -> None:
    """Reverse-mode derivatives of CUDA C++ kernels and functions, as readable source."""
    from cladpy import resources

    if includes is not None:
        click.echo(shlex.join(f"-I{folder}" for folder in resources.include_dirs(includes)))
    if cmake_dir:
        click.echo(resources.cmake_dir())
    if includes is None and not cmake_dir and context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command()
@program_options
@click.option("-o", "output", type=click.Path(path_type=Path), default=None, metavar="OUT", help="File to write.")
@click.option("--depfile", type=click.Path(path_type=Path), default=None, metavar="D", help="Rule for make or Ninja.")
@file_options
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
@check_options
def gradient(**values: Any) -> int:
    """Write the gradient of a function in FILE as source."""
    from cladpy.output import check_target, depfile, include_spelling, write_together
    from cladpy.source import Source

    options = make_options(values)
    output: Path | None = None if values["output"] in (None, Path("-")) else values["output"]
    if output is None and options.header:
        raise UsageError("--header goes with -o, beside which it is written")
    header = output.with_suffix(".h") if output is not None and options.header else None
    for name in ("fragment", "header"):
        if values[name] and values["emit"] != "code":
            raise UsageError(f"--{name} goes with --emit code only")
    rule: Path | None = values["depfile"]
    if rule is not None and (output is None or values["emit"] != "code"):
        raise UsageError("--depfile goes with -o and with --emit code only")
    files: Sequence[Path] = values["files"]
    source = Source.load(_source_of(files))
    target = target_of(values["target"], values["backend"], source)
    written = [path for path in (rule, header, output) if path is not None]
    for path in written:
        check_target(path, files)
    for path in written[:-1]:
        if os.path.realpath(path) == os.path.realpath(written[-1]):
            raise UsageError(f"cannot write {str(path)!r}: it is the output too")
    if values["checked"] and _run_check(values, options, beside=True) != DONE:
        return FAILED
    function, args = values["function"], values["args"]
    if values["emit"] != "code":
        from cladpy.pipeline import dump

        give(dump(source, function, args, options, values["emit"]), output)
        return DONE
    include = None if output is None else include_spelling(output, files[0])
    made = _emitted(source, function, args, options, target, include, values["diagnostics"])
    code = made["fragment"] if values["fragment"] else made["code"]
    if output is not None and source.path is None:
        for file in files:
            code = code.replace(_include_of(str(file.resolve())), _include_of(include_spelling(output, file)))
    if output is None:
        give(code, None)
    else:
        inputs = [*map(str, files), *made["includes"]]
        for path in written:
            check_target(path, map(Path, inputs))
        texts = {} if rule is None else {rule: depfile(output, inputs)}
        texts |= {} if header is None else {header: made["header"]}
        write_together({**texts, output: ended(code)})
    if made["warnings"] is not None:
        show(made["warnings"], to_stdout=values["diagnostics"] != "text" and output is not None)
    return DONE


def _emitted(
    source: Source, function: str, args: str, options: Options, target: str, include: str | None, form: str
) -> dict[str, Any]:
    """The code, its form without the original, the other files that were read, and the warnings as they are shown;
    from the compile cache where all that was read is as it was."""
    from cladpy.remembered import Files, find_kept, keep

    question = [source.name, str(source.path), source.text, function, args, repr(options), str(include), form]
    found: dict[str, Any] | None = None
    if not options.custom_derivatives:  # to which headers may have come
        found = find_kept(question, target)
    if found is not None:
        return found
    from cladpy.pipeline import differentiate

    derivative = differentiate(source, function, args, options, target, include=include)
    answer = {
        "code": derivative.code,
        "fragment": derivative.fragment,
        "header": derivative.header,
        "includes": derivative.program.includes[1:],
        "warnings": _warnings(derivative, form),
    }
    if not options.custom_derivatives and not derivative.program.missing:
        keep(question, target, Files.of(derivative), answer)
    return answer


@cli.command()
@click.argument("what", metavar="CODE|FILE")
@click.option("-f", "--function", default=None, help="Function to differentiate, such as 'kernel<double, 3>'.")
@gradient_options
@click.option("--target", type=click.Choice(tuple(TARGETS)), default=None, help="Language to emit; default: cuda.")
@click.option("--html", is_flag=True, help="With FILE: a page with source and gradient side by side.")
@click.option("-o", "output", type=click.Path(path_type=Path), default=None, metavar="OUT", help="File to write.")
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
        give(page(what), values["output"])
        return DONE
    if values["diagnostics"] == "sarif" or (values["html"] and values["diagnostics"] == "json"):
        raise UsageError("explain gives text or json, or with --html a page")
    from cladpy.explain import as_json, as_text
    from cladpy.output import check_target
    from cladpy.pipeline import annotate
    from cladpy.pipeline import explain as explain_gradient
    from cladpy.source import Source

    source, output = Source.load(Path(what)), values["output"]
    if output is not None:
        check_target(output, [Path(what)])
    asked = source, values["function"], values["args"], make_options(values), target_of(values["target"], None, source)
    if values["html"]:
        from cladpy.explain.html import as_html

        give(as_html(annotate(*asked)), output)
        return DONE
    report, warnings = explain_gradient(*asked)
    if values["diagnostics"] == "json":
        give(as_json(report, [w.as_json({source.name: source.text}) for w in warnings]), output)
        return DONE
    give(as_text(report), output)
    if warnings:
        show(render(warnings, {source.name: source.text}))
    return DONE


@cli.command()
@program_options
@click.option("-o", "output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder to write.")
@click.option("--call", "calls", multiple=True, required=True, metavar="ARGS", help="As 'T[4,3], int64[5]<7, 0.5'.")
@click.option("--name", default=None, help="Of the package and the operators; default: the file's.")
@click.option("--nondifferentiable", type=int, multiple=True, metavar="N", help="An argument that gets no gradient.")
def adopt(**values: Any) -> int:
    """Write a PyTorch extension: a function and its derivative.

    It builds and runs without cladpy. Each --call is an example of a call, which is run on the CPU: T stands for
    float32 and float64, integers are below the number behind them.
    """
    if values["args"]:
        raise UsageError("adopt takes --nondifferentiable in place of --args")
    try:
        from cladpy.frameworks.extension import write_extension
    except ImportError as error:
        raise UsageError(f"adopt runs the function, with PyTorch: {error}\nhint: pip install 'cladpy[torch]'") from None

    options, usual = make_options(values), Options.make()
    given = {name: getattr(options, name) for name, _, _ in Options.flags()}
    write_extension(
        _source_of(values["files"]),
        values["function"],
        values["output"],
        values["calls"],
        name=values["name"],
        nondifferentiable=values["nondifferentiable"],
        **{name: value for name, value in given.items() if value != getattr(usual, name)},
    )
    return DONE


@cli.command()
@program_options
@click.option("--target", type=click.Choice(tuple(TARGETS)), default=None, help="Language it is for; default: cuda.")
@click.option("--in-place", is_flag=True, help="Change the files.")
def fix(**values: Any) -> int:
    """Show what the hints about a function in FILE would change.

    Prints a patch of all hints that are changes of the text, or makes it with --in-place. What nothing is done about
    is shown as by `cladpy gradient`.
    """
    from cladpy.fixing import fixes
    from cladpy.source import Source

    source = Source.load(_source_of(values["files"]))
    target = target_of(values["target"], None, source)
    found = fixes(source, values["function"], values["args"], make_options(values), target)
    if values["in_place"]:
        found.make()
    elif found.texts:
        give(found.diff(), None)
    if found.left:
        show(render(found.left, found.shown, values["diagnostics"]))
    return FAILED if found.left else DONE


@cli.command()
@program_options
@check_options
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
    options = make_options(values)
    if values["against"] is not None:
        return _run_against(values, options)
    for name in ("mapped", "against_grid", "against_block", "against_shared_mem", "scale"):
        if values[name] not in (None, ()):
            raise UsageError(f"--{name.replace('_', '-').replace('mapped', 'map')} goes with --against")
    return _run_check(values, options)


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
    give(found(cli, {}, "cladpy", COMPLETE).source(), None)
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


def _run_check(values: dict[str, Any], options: Options, *, beside: bool = False) -> int:
    """`beside` says that stdout is for something else."""
    from cladpy.check.command import run_check

    elements = count("--elements", values["elements"])
    good, text = run_check(*_run_of(values), options, values["shared_mem"], elements)
    if beside:
        show(text)
    else:
        _report(text, values)
    return DONE if good else FAILED


def _run_against(values: dict[str, Any], options: Options) -> int:
    from cladpy.check.handwritten.command import Against, against, check_against, read_map

    backward = Against(
        *against(values["against"], _source_of(values["files"])),
        read_map(values["mapped"]),
        extent("--against-grid", values["against_grid"]),
        extent("--against-block", values["against_block"]),
        values["against_shared_mem"],
        1.0 if values["scale"] is None else values["scale"],
    )
    report = check_against(*_run_of(values), options, backward, values["shared_mem"])
    _report(report.text(), values)
    return DONE if report.ok else FAILED


def _report(text: str, values: dict[str, Any]) -> None:
    """What a check has found. Where stdout is for diagnostics, of which it has none, it goes to stderr."""
    form: str = values["diagnostics"]
    if form != "text":
        show(render((), None, form), to_stdout=True)
    show(text, to_stdout=form == "text")


def _source_of(files: Sequence[Path]) -> Given:
    """A file alone, or several as one program."""
    return files[0] if len(files) == 1 else files


def _include_of(path: str) -> str:
    return f'#include "{included(path)}"\n'


def _run_of(values: dict[str, Any]) -> tuple[Given, str, str, Extent, Extent, list[str], int]:
    """What is run on the CPU, and at which values."""
    grid, block = (extent(f"--{name}", values[name]) for name in ("grid", "block"))
    asked = _source_of(values["files"]), values["function"], values["args"]
    return *asked, grid, block, list(values["settings"]), values["seed"]


def _warnings(derivative: Derivative, form: str) -> str | None:
    """Warnings as they are shown: as text none if there are none, as JSON and SARIF an empty list too."""
    if form == "text" and not derivative.warnings:
        return None
    return render(derivative.warnings, {derivative.source.name: derivative.source.text}, form)
