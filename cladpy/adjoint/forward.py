"""Forward functions: what a recursive function does, as a gradient has to do it.

Where what a call does to memory has to be undone, the gradient does not call the original, which leaves no trace of
what it overwrites; nor where what a call gives decides something, and must come out the same each time: here all
arithmetic is exact. A forward function also says how many slots of tape the pullback may need, if it needs any.
"""

from __future__ import annotations

from cladpy.adjoint.counting import Counting, with_saves
from cladpy.adjoint.parameters import primal_parameters
from cladpy.adjoint.plan import Plan
from cladpy.adjoint.prepare import Prepared
from cladpy.analysis.exactness import everything
from cladpy.analysis.to_be_recorded import Needs
from cladpy.diagnostics import Sink
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.types import Pointer
from cladpy.ir.walk import defined, statements
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.tidy import tidy


def forward_function(
    prepared: Prepared, name: str, plan: Plan, storage: bool, taped: bool, sink: Sink
) -> code.Function:
    """The forward function of a recursive function: with a log if it has `storage`; `taped` if its pullback keeps
    frames."""
    function = prepared.function
    body, results = _Running(prepared, plan, sink).run_through(taped)
    block = tidy(without_dead_code(body))
    parameters = primal_parameters(function)
    return code.Function(
        name,
        code.FunctionRole.FORWARD,
        (*parameters, *results),
        with_saves(block) if storage else block,
        function,
        storage=code.LOG if storage else "",
    )


class _Running(Counting):
    """The forward sweep of a function, with all that it does, and the slots of its loops summed."""

    def __init__(self, prepared: Prepared, plan: Plan, sink: Sink) -> None:
        function = prepared.function
        values, roots = everything(function)
        made = frozenset(s for s in statements(function.body) if isinstance(s, core.Store | core.Allocate | core.Call))
        needs = Needs(values, made, frozenset(), True, values, roots, frozenset())
        super().__init__(function, prepared.activity, needs, plan, sink, may_alias=False)

    def run_through(self, taped: bool) -> tuple[list[code.Statement], list[code.Parameter]]:
        out, slots = self.count()
        if taped:
            out.append(code.Reserve(slots))
        parameters = []
        for number, (leaf, expr) in enumerate(zip(self.function.results, self.results, strict=True)):
            name = f"_result{number or ''}"
            while any(p.name == name for p in self.function.parameters):
                name += "_"
            type = leaf.expr.type
            out.append(code.AddParameter(name, type, expr, Update.PLAIN, assigned=True))
            parameters.append(code.Parameter(name, Pointer(type), (core.Part(core.Value(name, type)),), adjoint=True))
        return out, parameters

    def weight(self, loop: core.Loop) -> int:
        """More than what any pullback keeps per iteration: it keeps what it needs of the same."""
        kept = len(loop.carried) + 1
        for statement in statements(loop.body):
            if isinstance(statement, core.Loop):
                kept += len(statement.carried) + 1
            elif isinstance(statement, core.Load | core.Call):
                kept += len(defined(statement))
        return kept
