"""What statements say of their effects is what they do, and what is said elsewhere of the same agrees with it."""

from __future__ import annotations

from cladpy.diagnostics import NOWHERE
from cladpy.ir import code, core, walk
from cladpy.ir.code import Update
from cladpy.ir.effects import Memory, Waits
from cladpy.ir.flow import changed_in, from_outside, moves_freely, uses_in, written_in
from cladpy.ir.node import classes
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import SYNCTHREADS, FunctionKind, FunctionSymbol
from cladpy.ir.types import DOUBLE, INT, VOID
from tests.ir.test_core_verify import X, value

A, K = core.Use(value(DOUBLE, "a")), core.Use(value(INT, "k"))
TOLD = FunctionSymbol("told", "told", VOID, (), FunctionKind.DEVICE, NOWHERE, True)


def test_what_changes_memory() -> None:
    """The union that analyses ask for holds the statements that say so."""
    said = {s for s in walk.STATEMENTS if s.effects.writes is Memory.NAMED}  # type: ignore[attr-defined]
    assert said == classes(core.WRITES)


def test_what_moves_and_what_may_run_again() -> None:
    load = code.Define(value(), code.Element(X, K))
    added, waits = code.AddElement(X, K, A, Update.PLAIN), code.Synchronize(SYNCTHREADS)
    call = code.Define(value(), code.UserCall(TOLD, ()))
    array, pulled = code.DeclareArray(X, True, True), code.CallPullback("f", (), (A.value,))
    branch, masked = code.Branch(A, (), ()), code.CountDown(value(INT), K, (), mask=K)
    assert [moves_freely(s) for s in (load, added, waits, call, array, pulled, branch)] == [True, True, *[False] * 5]
    computes = [s.effects.only_computes for s in (load, branch, code.Assign(A.value, A), added, waits, array, masked)]
    assert computes == [True] * 3 + [False] * 4
    assert [s.effects.waits for s in (waits, masked, load)] == [Waits.BLOCK, Waits.WARP, Waits.NOBODY]
    told = FunctionSymbol("__syncwarp", "__syncwarp", VOID, (), FunctionKind.DEVICE, NOWHERE, True)
    assert code.Perform(told, ()).effects.waits.somebody
    assert code.Perform(TOLD, ()).effects.shows
    assert not pulled.effects.keeps
    assert code.CallPullback("f", (), (), code.TAPE).effects.keeps


def test_data_flow() -> None:
    """Variables of an inner block count, and an expression is written by what is there before."""
    i, step = value(INT, "i"), value(INT, "step")
    twice = core.Binary(BinaryOp.ADD, core.Use(step), core.Use(step), INT)
    block = (code.Define(step, K), code.CountDown(i, K, (code.Add(A.value, A), code.Define(value(), A, mutable=True))))
    assert written_in(block) > {step, i, A.value}
    assert A.value in changed_in(block)
    assert step not in changed_in(block)
    assert uses_in(block)[K.value] == 2
    assert from_outside(twice, {step: K}, {step, i}) == core.Binary(BinaryOp.ADD, K, K, INT)
    assert from_outside(core.Use(i), {}, {i}) is None
