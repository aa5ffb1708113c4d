"""Which values are the same for all threads of a launch, and which vary."""

from __future__ import annotations

from dataclasses import dataclass, field

from cladpy.analysis.affine import VARYING
from cladpy.ir import core
from cladpy.ir.walk import defined, statements, subexpressions


@dataclass(slots=True)
class Varying:
    values: set[core.Value] = field(default_factory=set)

    def expr(self, expr: core.Expr) -> bool:
        return any(
            (isinstance(e, core.Builtin) and e.var in VARYING) or (isinstance(e, core.Use) and e.value in self.values)
            for e in subexpressions(expr)
        )


def varying_values(function: core.Function) -> Varying:
    """What may differ between threads: whatever depends on a thread's or block's index, directly, through memory that
    the kernel writes, through control flow, or through a call."""
    varying = Varying()
    written = {s.root for s in statements(function.body) if isinstance(s, core.Store | core.AtomicAdd)}
    changed = True

    def add(value: core.Value) -> None:
        nonlocal changed
        if value not in varying.values:
            varying.values.add(value)
            changed = True

    while changed:
        changed = False
        for statement in statements(function.body):
            match statement:
                case core.Let(value, expr):
                    if varying.expr(expr):
                        add(value)
                case core.Load(value, root, index):
                    if root in written or varying.expr(index):
                        add(value)
                case core.Call():
                    for v in defined(statement):
                        add(v)
                case core.If(condition, _, _, merges):
                    for m in merges:
                        if varying.expr(condition) or varying.expr(m.then) or varying.expr(m.other):
                            add(m.value)
                case core.Loop(carried, _, condition):
                    for c in carried:
                        if varying.expr(c.init) or varying.expr(c.next):
                            add(c.value)
                        if varying.expr(condition) or c.value in varying.values:
                            add(c.result)
                case _:
                    pass
    return varying
