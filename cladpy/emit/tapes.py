"""How wide the slots of a tape are."""

from __future__ import annotations

from cladpy.ir import code
from cladpy.ir.code_walk import all_statements
from cladpy.ir.types import size_of

NARROW = 4  # bytes


def is_narrow(function: code.Function) -> bool:
    """Whether all that is on the tape fits into a narrow slot, and nobody else keeps anything there."""
    if function.logs or function.guarded:
        return False
    for s in all_statements(function.body):
        match s:
            case code.Push(frame) | code.Pop(frame):
                if any(size_of(slot.type) > NARROW for slot in frame.slots):
                    return False
            case code.CallPullback() | code.Undo() | code.Invoke():
                return False
            case _:
                pass
    return True
