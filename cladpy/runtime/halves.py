"""The two halves of a host function's gradient, compiled as functions of their own (`Derivative.split`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from cladpy.derivative import Derivative
from cladpy.diagnostics import DifferentiationError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Scalar, ScalarKind, Type
from cladpy.pipeline import differentiate
from cladpy.runtime.arguments import Argument
from cladpy.runtime.blocks import Block
from cladpy.runtime.executor import Executor, Result, Run
from cladpy.runtime.library import GRADIENT, ONE_THREAD, PRIMAL
from cladpy.runtime.passing import block_for
from cladpy.runtime.tape import Cell


class Halves:
    """Made when they are first asked for. A function that has none runs its forward sweep again in reverse: one that
    writes more than its arguments, or works with variables at namespace scope, of which a library has its own."""

    def __init__(self, derivative: Derivative, executor_of: Callable[[Derivative], Executor]) -> None:
        self._derivative = derivative
        self._executor_of = executor_of
        self._divided: Derivative | None = None
        self._executor: Executor | None = None
        whole = bool(derivative.globals) or derivative.options.checked  # of which each call is one run
        self._none = derivative.kind is not FunctionKind.HOST or whole

    def divided(self) -> Derivative | None:
        """The derivative that is compiled; None for a function that has no halves."""
        if self._divided is None and not self._none:
            whole = self._derivative
            function, names = whole.requested
            options = replace(whole.options, split=True)
            try:
                self._divided = differentiate(whole.source, function, names, options, whole.target)
            except DifferentiationError:
                self._none = True
            else:
                self._executor = self._executor_of(self._divided)
        return self._divided

    def fit(self, arguments: Sequence[Argument]) -> bool:
        """Whether they can be run with these arguments: memory that is there for the time of a call only will not
        do."""
        return self.divided() is not None and self.executor.stays(arguments)

    @property
    def executor(self) -> Executor:
        assert self._executor is not None
        return self._executor

    def forward(self, arguments: Sequence[Argument], cell: Cell, result: Type | None) -> Result:
        """The function's value; the address of what `reverse` is given comes to the cell."""
        return self.executor.run(Run(PRIMAL, ONE_THREAD, None, arguments, [_place(cell)], result))

    def reverse(self, arguments: Sequence[Argument], extra: Sequence[Block], cell: Cell) -> None:
        """Takes what the cell has the address of."""
        self.executor.run(Run(GRADIENT, ONE_THREAD, None, arguments, [*extra, _place(cell)]))


def _place(cell: Cell) -> Block:
    return block_for("the place of a tape", Scalar(ScalarKind.ULONGLONG), cell.ctypes.data, adjoint=False)
