"""Cells of a notebook that hold a program: `%load_ext cladpy`, then `%%cladpy [NAME] [-f FUNCTION] [--args NAMES]`."""

from __future__ import annotations

import re
import shlex
from functools import partial
from typing import Any

import click

from cladpy.cli.options import gradient_options, make_options
from cladpy.diagnostics import CladpyError, DifferentiationError, UsageError, render
from cladpy.making import made
from cladpy.options import BACKENDS
from cladpy.runtime import Gradient

_NOT_LOOKED_AT = re.compile(r"//[^\n]*|/\*.*?\*/|__launch_bounds__\s*\([^)]*\)", re.DOTALL)
_KERNEL = re.compile(r"__global__[^({;]*?(\w+)\s*\(")


def load(shell: Any) -> None:
    """Gives IPython's `shell` the magic."""
    shell.register_magic_function(partial(_cell, shell), "cell", "cladpy")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", required=False)
@click.option("-f", "--function", default=None, help="Function to differentiate; default: the cell's only kernel.")
@click.option("--backend", type=click.Choice(BACKENDS), default="auto", show_default=True, help="Where it runs.")
@gradient_options
def _line(**values: Any) -> dict[str, Any]:
    """Differentiate a function of the cell. The gradient is shown, and is NAME from then on (else FUNCTION_grad)."""
    return values


def _cell(shell: Any, line: str, cell: str) -> Gradient | None:
    """The magic: defines a gradient in the `shell` and returns it, so that it is shown. What is wrong ends the cell in
    the words that the command line has for it."""
    from IPython.core.error import UsageError as Ended  # shown without a traceback

    form = "text"
    try:
        values = _line.main(args=shlex.split(line), prog_name="%%cladpy", standalone_mode=False)
        if not isinstance(values, dict):  # it was asked for help
            return None
        form = values["diagnostics"]
        function = values["function"] or _only_kernel(cell)
        name = values["name"] or "{}_grad".format(re.split(r"\W", function.rpartition("::")[2])[0])
        if not name.isidentifier():
            raise UsageError(f"{name!r} is no name that Python can give")
        # one line more, as if %%cladpy were of the program: places are those of the cell
        gradient = made(f"\n{cell}", function, values["args"], values["backend"], make_options(values))
    except click.ClickException as error:
        raise Ended(error.format_message()) from None
    except DifferentiationError as error:
        raise Ended(render(error.diagnostics, error.texts, form)) from None
    except (CladpyError, ValueError) as error:
        raise Ended(str(error)) from None
    shell.user_ns[name] = gradient
    return gradient


def _only_kernel(cell: str) -> str:
    found = list(dict.fromkeys(_KERNEL.findall(_NOT_LOOKED_AT.sub(" ", cell))))
    if len(found) != 1:
        kernels = f"the kernels {', '.join(found)}" if found else "no kernel"
        raise UsageError(f"the cell has {kernels}: say with -f which function is meant")
    return str(found[0])
