"""What the command line prints and writes."""

from __future__ import annotations

from pathlib import Path

import click

DONE, FAILED = 0, 1  # what commands give as the exit status


def show(text: str, *, to_stdout: bool = False) -> None:
    """Prints text that may hold bytes that are not UTF-8, as sources may."""
    click.echo(text.encode("utf-8", errors="surrogateescape"), err=not to_stdout)


def give(text: str, output: Path | None) -> None:
    """The result to a file or to stdout."""
    text = ended(text)
    if output is None:
        click.echo(text.encode("utf-8", errors="surrogateescape"), nl=False)
        return
    from cladpy.output import write

    write(output, text)


def ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
