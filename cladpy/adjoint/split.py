"""The split form of a host function's gradient: its two sweeps as functions of their own, and what lies between them.

The forward sweep does all that the original does. What it writes of the caller's memory it writes to memory of its own,
which stands in for that: so the reverse sweep may put back what was overwritten, and the caller keeps the results.
"""

from __future__ import annotations

from cladpy.diagnostics import Sink
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, mentions, touched_roots
from cladpy.ir.reach import stored
from cladpy.ir.types import Opaque, Pointer, Reference, Scalar, Type, Void

_CODE = "CP0524"


def divided(block: code.Block, function: core.Function, may_alias: bool, sink: Sink) -> code.Split:
    """The body of a gradient, with a cut in it, in two; reports what cannot be divided."""
    at = next(i for i, s in enumerate(block) if isinstance(s, code.Comment) and s.cut)
    forward, reverse = block[:at], block[at + 1 :]
    later = {v for s in all_statements(reverse) for v in mentions(s)}
    touched = {place for s in all_statements(reverse) for place in touched_roots(s)}
    # what a step has overwritten is put back where it was, by nobody's name
    touched |= {place for s in all_statements(forward) if isinstance(s, code.Act) for place in touched_roots(s)}
    variables, arrays = [], []
    for s in forward:
        match s:
            case code.Define(variable) if variable in later:
                variables.append(variable)
            case code.DeclareArray(root, adjoint) if (root, adjoint) in touched:
                arrays.append(s)
            case code.DeclareObject(variable) | code.Invoke(result=core.Value() as variable) if variable in later:
                variables.append(variable)
            case _:
                pass
    # objects are taken apart right behind the calls that give them, and made anew for the pullbacks
    assert all(isinstance(v.type, Scalar | Opaque) for v in variables)
    stand_ins = _stand_ins(function, sink)
    if stand_ins and may_alias:
        _refuse("it writes to arguments that may overlap", function, sink)
    return code.Split(forward, reverse, tuple(variables), tuple(arrays), stand_ins)


def _stand_ins(function: core.Function, sink: Sink) -> tuple[int, ...]:
    """The parameters whose memory the function writes."""
    found = set()
    for root in sorted((r for r in stored(function) if r.outlives), key=lambda r: r.name):
        position = root.position
        if position is None:
            _refuse(f"it writes the variable '{root.name}'", function, sink)
        elif root.through or not isinstance(function.parameters[position].type, Pointer | Reference):
            _refuse(f"it writes what '{root.name}', a pointer in an object or in memory, leads to", function, sink)
        else:
            found.add(position)
    return tuple(sorted(found))


def kept_parameters(
    function: core.Function, written: frozenset[str], found: frozenset[str], may_alias: bool, sink: Sink
) -> tuple[int, ...]:
    """The parameters of a kernel whose memory it writes and its gradient needs, as `Gradient.written` and `found` name
    it: a tape keeps copies of that."""
    names = written & found
    if may_alias and written and found:
        _refuse("it writes to arguments that may overlap", function, sink)
    positions = {p.name: i for i, p in enumerate(function.parameters)}
    direct = {
        content.position
        for p in function.parameters
        for content in p.contents
        if isinstance(content, core.Root) and not content.through and not _is_untyped(p.type)
    }
    for name in sorted(names):
        if name.startswith("::") or name not in positions or positions[name] not in direct:
            _refuse(f"it overwrites '{name.removeprefix('::')}', which the gradient needs", function, sink)
    return tuple(sorted(positions[name] for name in names if name in positions))


def _is_untyped(type: Type) -> bool:
    return isinstance(type, Pointer) and isinstance(type.pointee, Void)


def _refuse(why: str, function: core.Function, sink: Sink) -> None:
    sink.error(
        _CODE,
        f"the gradient of '{function.symbol.name}' has no split form: {why}",
        function.span,
        hint="differentiate it without --split, or pass what it writes as an array of its own",
    )
