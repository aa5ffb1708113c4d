"""The report as text, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cladpy.diagnostics import Span, place_as_json
from cladpy.explain.report import FunctionReport, Kind, Recomputed, Report, SharedLoop, StoreFate, Update
from cladpy.ir.code import FunctionRole
from cladpy.ir.shared import STATIC_LIMIT, SharedMemory

_ROLES = {
    FunctionRole.FORWARD: "does what the original does, and keeps what undoes it",
    FunctionRole.KERNEL: "the gradient of what is launched",
}
_FATES = {
    StoreFate.LEFT_OUT: "nothing needs what it stores",
    StoreFate.MADE: "what it stores is read again",
    StoreFate.UNDONE: "the old content is kept meanwhile",
}


def as_text(report: Report) -> str:
    lines = [f"{report.gradient}: the gradient of '{report.function}' by {', '.join(report.request)}"]
    for function in report.functions:
        if function is not report.functions[0]:
            lines += ["", f"{function.name}: {role(function)}"]
        for title, said in sections(function):
            lines += ["", title, *said]
    lines += ["", "launch"]
    lines += [f"  {number}. {step}" for number, step in enumerate(report.plan, 1)]
    lines += [f"  premise: {premise}" for premise in report.premises]
    return "\n".join(lines) + "\n"


def role(function: FunctionReport) -> str:
    """What a function is that the gradient calls."""
    return _ROLES.get(function.role, "a pullback")


def sections(function: FunctionReport) -> Iterator[tuple[str, list[str]]]:
    """What there is to say of a function: titles, and lines."""
    if function.role is not FunctionRole.FORWARD:
        yield "adjoint updates", list(_updates(function))
    yield "stored by each thread, and shared by the block", list(_storage(function))
    if function.teams:
        yield "loops that threads share", list(map(_team, function.teams))
    if function.recomputed:
        yield "done again", [line for r in function.recomputed for line in _recomputed(r)]
    if function.stores:
        lines = [f"  {s.fate.value}: '{s.name}'{_line(s.span)}: {_FATES[s.fate]}" for s in function.stores]
        yield "stores of the primal", lines


def _team(t: SharedLoop) -> str:
    how = "at once" if not t.reason else f"one iteration after the other: {t.reason}"
    return f"  {'reverse' if t.reverse else 'forward'}{_line(t.span)}: {how}"


def _updates(function: FunctionReport) -> Iterator[str]:
    rows = [u for u in function.updates if u.kind is not Kind.REGISTER]
    registers = [f"{u.target}{_line(u.span)}" for u in function.updates if u.kind is Kind.REGISTER]
    kinds = max((len(kind) for kind in (*map(kind_of, rows), *("register" for _ in registers[:1]))), default=0)
    for u in rows:
        yield f"  {kind_of(u):{kinds}}  {u.target}{_line(u.span)}"
        yield f"  {'':{kinds}}    {u.reason.text}{_at(u.reason.span) if u.reason.span != u.span else ''}"
    for p in function.passed:
        yield f"  {p.kind.value:{kinds}}  {p.target} in {p.pullback}{_line(p.span)}"
        yield f"  {'':{kinds}}    {p.reason.text}{_at(p.reason.span) if p.reason.span != p.span else ''}"
    if registers:
        yield f"  {'register':{kinds}}  {'; '.join(registers)}"
    if not rows and not registers:
        yield "  none"


def kind_of(update: Update) -> str:
    """The kind of an update in a word or two."""
    return f"{update.kind.value}, taken" if update.takes else update.kind.value


def _at(span: Span | None) -> str:
    return f" (line {span.line})" if span is not None and span.line else ""


def _line(span: Span | None) -> str:
    return f", line {span.line}" if span is not None and span.line else ""


def _storage(function: FunctionReport) -> Iterator[str]:
    match function.tape, function.tape_bytes:
        case "none", _:
            yield "  no tape"
        case where, None:
            yield f"  tape in the {where}, bytes for each thread: {' + '.join(function.formula) or '0'}"
        case _, bytes:
            yield f"  tape in local memory: {bytes} bytes"
    for loop in function.loops:
        yield (
            f"    the loop{_line(loop.span)}: {', '.join(loop.values)} ({loop.bytes} bytes) in each of "
            f"{loop.iterations} iterations"
        )
    for array in function.arrays:
        size = "as many bytes as the launch gives" if array.bytes is None else f"{array.bytes} bytes"
        yield f"  {'shared array' if array.shared else 'local array'} {array.name}: {size}"
    if function.shared.used:
        yield f"  shared memory of a block: {_shared(function.shared)}"


_LAUNCHED = "what the original is launched with"
_GIVEN = (_LAUNCHED, f"twice {_LAUNCHED}", f"three times {_LAUNCHED}")


def _shared(memory: SharedMemory) -> str:
    own = [f"{memory.fixed} bytes"] if memory.fixed else []
    given = [_GIVEN[memory.dynamic_adjoint]]
    text = " and ".join([*own, *(given if memory.dynamic else [])])
    if memory.placed:
        text += f"; a kernel may declare {STATIC_LIMIT}, so that these are asked for at the launch"
    return text


def _recomputed(r: Recomputed) -> Iterator[str]:
    yield f"  in each reverse iteration of the loop{_line(r.span)}"
    for text, span in r.reads:
        yield f"    reads {text}{_line(span)}"
    for text, span in r.calls:
        yield f"    calls {text}{_line(span)}"
    for span in r.loops:
        yield f"    runs the loop{_line(span)}"
    if r.computes:
        yield f"    computes {', '.join(f'line {span.line}' for span in r.computes)}"


# ---- JSON -----------------------------------------------------------------------------------------------------------


def as_json(report: Report, diagnostics: list[dict[str, object]]) -> str:
    """`diagnostics` are the warnings that came up, as JSON has them."""
    return json.dumps(
        {
            "function": report.function,
            "gradient": report.gradient,
            "arguments": list(report.request),
            "functions": [_function_json(f) for f in report.functions],
            "launch": {"steps": list(report.plan), "premises": list(report.premises)},
            "diagnostics": diagnostics,
        },
        indent=2,
    )


def _function_json(f: FunctionReport) -> dict[str, object]:
    return {
        "name": f.name,
        "role": f.role.value,
        "updates": [
            {
                "kind": u.kind.value,
                "target": u.target,
                "takes": u.takes,
                "span": place_as_json(u.span),
                "reason": u.reason.text,
                "reason_span": place_as_json(u.reason.span),
            }
            for u in f.updates
        ],
        "passed": [
            {
                "pullback": p.pullback,
                "kind": p.kind.value,
                "target": p.target,
                "span": place_as_json(p.span),
                "reason": p.reason.text,
                "reason_span": place_as_json(p.reason.span),
            }
            for p in f.passed
        ],
        "tape": {
            "where": f.tape,
            "bytes": f.tape_bytes,
            "terms": list(f.formula),
            "loops": [
                {"span": place_as_json(x.span), "values": list(x.values), "bytes": x.bytes, "iterations": x.iterations}
                for x in f.loops
            ],
        },
        "arrays": [{"name": a.name, "bytes": a.bytes, "shared": a.shared} for a in f.arrays],
        "shared": {
            "bytes": f.shared.fixed,
            "asked_for": f.shared.placed,
            "dynamic": f.shared.dynamic,
            "dynamic_adjoint": f.shared.dynamic_adjoint,
        },
        "done_again": [
            {
                "span": place_as_json(r.span),
                "reads": [{"element": t, "span": place_as_json(s)} for t, s in r.reads],
                "calls": [{"function": t, "span": place_as_json(s)} for t, s in r.calls],
                "computes": [place_as_json(s) for s in r.computes],
                "loops": [place_as_json(s) for s in r.loops],
            }
            for r in f.recomputed
        ],
        "teams": [{"reverse": t.reverse, "reason": t.reason, "span": place_as_json(t.span)} for t in f.teams],
        "stores": [{"name": s.name, "fate": s.fate.value, "span": place_as_json(s.span)} for s in f.stores],
    }
