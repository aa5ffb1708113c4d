"""The grammar of a kernel's body for a whole block: what its threads do one after the other, between the points where
they wait for each other.

A `Phase` is a loop over the threads of the block. What stands around phases is done once for all of them: loops and
branches that they take alike, variables that are the same for all, and what they do together.
"""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.ir import code
from cladpy.ir.code_text import format_block
from cladpy.ir.core import Expr, Value
from cladpy.ir.core_text import Printer
from cladpy.ir.types import spell


@dataclass(frozen=True, slots=True)
class Rows:
    """Neighbouring threads of which no two are in different parts of so many, by their number in the block, and in the
    grid. What is evaluated `once` is the same for them; `place` is a thread's number among them."""

    width: int
    of_grid: bool
    once: tuple[code.Define, ...]
    place: Value


@dataclass(frozen=True, slots=True)
class Phase:
    """The body, for each thread that `under` holds for. Of what is held for each thread from phase to phase it begins
    with `loaded`, and ends with `stored`. What is `added` to sums, by variables that are held, is so for all of these
    threads together behind it."""

    body: code.Block
    under: Value | None = None
    loaded: tuple[Value, ...] = ()
    stored: tuple[Value, ...] = ()
    rows: Rows | None = None
    added: tuple[code.AddElement, ...] = ()


@dataclass(frozen=True, slots=True)
class Once:
    """A statement for all threads: of a variable that is the same for these, of shared memory that begins, or a call
    that all of them take part in."""

    statement: code.Define | code.Assign | code.Add | code.DeclareArray | code.CallPullback


@dataclass(frozen=True, slots=True)
class Meet:
    """What the threads that `under` holds for do together: each has its arguments, and gets a `variable`, which is the
    same for all of them where they are `alike`."""

    name: str
    arguments: tuple[Expr, ...]
    variable: Value
    under: Value | None = None
    alike: bool = False


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: tuple[Node, ...]
    other: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """As code.While."""

    before: tuple[Node, ...]
    condition: Expr
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """As code.CountDown."""

    variable: Value
    count: Expr
    body: tuple[Node, ...]


Node = Phase | Once | Meet | If | Loop | Count
Nodes = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Phases:
    """A body for a whole block. `held` are the variables that each thread has from phase to phase, and `arrays` the
    arrays of its own."""

    nodes: Nodes
    held: tuple[Value, ...] = ()
    arrays: tuple[code.DeclareArray, ...] = ()
    tape: bool = False  # whether threads have one


def inner(node: Node) -> tuple[Nodes, ...]:
    match node:
        case If(_, then, other):
            return then, other
        case Loop(before, _, body):
            return before, body
        case Count(_, _, body):
            return (body,)
        case _:
            return ()


def every(nodes: Nodes) -> list[Node]:
    """The nodes in their order, those inside of others after these."""
    found: list[Node] = []
    for node in nodes:
        found.append(node)
        for block in inner(node):
            found += every(block)
    return found


def format_phases(phases: Phases) -> str:
    """As text, for tests."""
    printer = Printer()
    lines = [f"held {printer.name(v)}: {spell(v.type)}" for v in phases.held]
    lines += [f"held {line.strip()}" for line in _code(phases.arrays, printer)]
    return "\n".join([*lines, *_text(phases.nodes, printer)]) + "\n"


def _code(block: code.Block, printer: Printer) -> list[str]:
    return format_block(block, printer).rstrip("\n").split("\n") if block else []


def _text(nodes: Nodes, printer: Printer) -> list[str]:
    lines: list[str] = []
    for node in nodes:
        match node:
            case Phase(body, under, loaded, stored, rows, added):
                begin = f" with {', '.join(map(printer.name, loaded))}" if loaded else ""
                end = f", for {', '.join(map(printer.name, stored))}" if stored else ""
                of = "" if under is None else f" under {printer.name(under)}"
                inside = [f"threads{of}{begin}{end} {{", *_code(body, printer), "}"]
                if rows is not None:
                    by = f"{rows.width}{' of the grid' if rows.of_grid else ''} as {printer.name(rows.place)}"
                    once = (f"  {line.strip()}" for line in _code(rows.once, printer))
                    inside = [f"rows of {by} {{", *once, *(f"  {line}" for line in inside), "}"]
                lines += [*inside, *(f"add {line.strip()}" for line in _code(added, printer))]
            case Once(statement):
                lines += (line.strip() for line in _code((statement,), printer))
            case Meet(name, arguments, variable, under, alike):
                of = "" if under is None else f" under {printer.name(under)}"
                given = ", ".join(map(printer.expr, arguments))
                lines.append(f"{'let' if alike else 'each'} {printer.name(variable)} = meet {name}({given}){of}")
            case If(condition, then, other):
                lines += [f"if {printer.expr(condition)} {{", *_inside(then, printer)]
                lines += ["} else {", *_inside(other, printer)] if other else []
                lines.append("}")
            case Loop(before, condition, body):
                lines += ["before {", *_inside(before, printer), "}"] if before else []
                lines += [f"while {printer.expr(condition)} {{", *_inside(body, printer), "}"]
            case Count(variable, count, body):
                head = f"count {printer.name(variable)} down from {printer.expr(count)} {{"
                lines += [head, *_inside(body, printer), "}"]
    return lines


def _inside(nodes: Nodes, printer: Printer) -> list[str]:
    return [f"  {line}" for line in _text(nodes, printer)]
