"""The findings line by line: what of the source an emitted line comes from, and how it changes an adjoint."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from cladpy.adjoint.gradient import Gradient
from cladpy.diagnostics import Diagnostic, Span
from cladpy.emit.origins import Statements, origin_of
from cladpy.explain.collect import in_registers, kind_of
from cladpy.explain.report import Kind, Report
from cladpy.ir import code, core


@dataclass(frozen=True, slots=True)
class Line:
    """A line of emitted code; `takes` as in `Update`."""

    text: str
    span: Span | None = None
    kind: Kind | None = None
    takes: bool = False


@dataclass(frozen=True, slots=True)
class Annotated:
    """A report beside the `source`, which the spans call `name`, and the emitted `lines`."""

    report: Report
    name: str
    source: str
    lines: tuple[Line, ...]
    warnings: tuple[Diagnostic, ...]


def annotated(
    report: Report,
    name: str,
    source: str,
    gradient: Gradient,
    lines: Iterable[tuple[str, Statements]],
    warnings: tuple[Diagnostic, ...],
) -> Annotated:
    """Of a gradient, and the lines of its code with the statements that each is of."""
    backgrounds = [b for g in (gradient, *gradient.kernels) for b in g.backgrounds.values()]
    registers = {variable: span for b in backgrounds for variable, span in in_registers(b).items()}
    fresh = {root for b in backgrounds for root in b.promised.fresh}
    found = tuple(_line(text, statements, registers, fresh) for text, statements in lines)
    return Annotated(report, name, source, found, warnings)


def _line(
    text: str,
    statements: Statements,
    registers: Mapping[core.Value, Span | None],
    fresh: Collection[core.Root],
) -> Line:
    own = [s for s in statements if not text.lstrip().startswith("//")]
    set = (s.variable for s in own if isinstance(s, code.Define | code.Assign | code.Add))
    variables = [v for v in set if v in registers]
    kinds = [kind for s in own if (kind := kind_of(s, fresh))]
    kinds += [Kind.REGISTER for _ in variables]
    spans = (origin_of(statements), *(registers[v] for v in variables))
    takes = any(isinstance(s, code.Take) for s in own)
    return Line(text, next((span for span in spans if span is not None), None), next(iter(kinds), None), takes)
