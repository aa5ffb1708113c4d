"""A run of the command line: in a child process, with each error as text and as an exit status."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

import click

from cladpy.cli.commands import cli
from cladpy.cli.shown import DONE, FAILED, show
from cladpy.cli.spelling import diagnostics_form, from_files, split_joined
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

WRONG_USAGE, INTERRUPTED = 2, 130
INTERNAL_ERROR = "CP9999"


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line, in a child process, and exits; no exception leaves it."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    form = diagnostics_form(given)

    def report(found: Diagnostic) -> None:
        show(render([found], None, form), to_stdout=form != "text")

    sys.exit(contained(lambda: run(given), report))


def run(arguments: list[str]) -> int:
    """Runs the command line and gives the exit status."""
    try:
        arguments = from_files(arguments)
    except UsageError as error:
        show(f"error: {error}")
        return WRONG_USAGE
    form = diagnostics_form(arguments)
    try:
        with _plain_warnings():
            status = cli.main(args=split_joined(arguments), prog_name="cladpy", standalone_mode=False)
        sys.stdout.flush()
        return int(status or DONE)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except DifferentiationError as error:
        show(render(error.diagnostics, error.texts, form), to_stdout=form != "text")
        return FAILED
    except UsageError as error:
        show(f"error: {error}")
        return WRONG_USAGE
    except CladpyError as error:
        show(f"error: {error}")
        return FAILED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            show(f"error: {error}")
        # stdout has gone or is full: what is left in its buffer would fail again at the interpreter's last flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if os.environ.get("CLADPY_DEBUG"):
            raise
        show(render([_internal(error)], None, form), to_stdout=form != "text")
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

        def shown(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, CladpyWarning):
                show(str(message))
            else:
                python(message, category, filename, lineno, file, line)

        warnings.showwarning = shown
        yield
