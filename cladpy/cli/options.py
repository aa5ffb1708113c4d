"""The options of the commands, and what their values mean."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from cladpy.diagnostics import UsageError
from cladpy.options import Flag, Options

if TYPE_CHECKING:
    from cladpy.source import Source

Extent: TypeAlias = "tuple[int | str, ...] | None"
_Command = TypeVar("_Command", bound=Callable[..., Any])


def program_options(command: _Command) -> _Command:
    """The source, the function, and everything that `Options` holds."""
    function = click.option(
        "-f", "--function", required=True, help="Function to differentiate, such as 'kernel<double, 3>'."
    )
    file = click.argument("files", type=click.Path(path_type=Path), metavar="FILE...", nargs=-1, required=True)
    return file(function(gradient_options(command)))


def file_options(command: _Command) -> _Command:
    """How the text of a file may be used."""
    for name, default, flag in reversed(Options.flags(of_files=True)):
        command = _click_option(name, default, flag)(command)
    return command


def gradient_options(command: _Command) -> _Command:
    """The arguments meant, and everything that `Options` holds."""
    options = [
        click.option("--args", default="", metavar="NAMES", help="Arguments such as 'out, in'; default: all floating."),
        *(_click_option(name, default, flag) for name, default, flag in Options.flags()),
        click.option(
            "--diagnostics",
            type=click.Choice(("text", "json", "sarif")),
            default="text",
            show_default=True,
            help="Form of errors and warnings; --json is --diagnostics json.",
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


def check_options(command: _Command) -> _Command:
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


def make_options(values: dict[str, Any]) -> Options:
    """The `Options` of a command. Raises UsageError for a value that makes no sense."""
    flags = [*Options.flags(), *Options.flags(of_files=True)]
    return Options.make(**{name: flag.read(values[name]) for name, _, flag in flags if name in values})


def extent(option: str, text: str | None) -> Extent:
    """`2,1,1` as (2, 1, 1); what names integers that are set is known later."""
    if text is None:
        return None
    parts = [p.strip() for p in text.split(",")]
    if not 1 <= len(parts) <= 3 or not all(re.search("[a-zA-Z_]", p) or (p.isdecimal() and int(p) > 0) for p in parts):
        raise UsageError(f"{option} takes one to three positive numbers such as 2,1,1, not {text!r}")
    return tuple(int(p) if p.isdecimal() else p for p in parts)


def count(option: str, text: str | None) -> int | None:
    """A number, or `all`."""
    if text in (None, "all"):
        return None if text is None else sys.maxsize
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"{option} takes a positive number or 'all', not {text!r}")
    return int(text)


def target_of(target: str | None, backend: str | None, source: Source) -> str:
    """`--backend` names the target too, but for auto, which leaves it to the program."""
    if backend in (None, "auto"):
        from cladpy.frontend import kokkos

        return target or kokkos.target_of(source)
    if target not in (None, backend):
        raise UsageError(f"--target {target} and --backend {backend} contradict each other")
    return str(backend)
