"""What loops of a few steps keep, in arrays of the thread's own in place of the tape.

Such a loop is run and reversed in one iteration of the loops around it (`adjoint/frames.py`), and what it keeps is
there in between only: in arrays with an element for each step, which the compiler has in registers once both loops are
unrolled. Those of long bodies are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, inner_blocks, touched_roots, with_blocks

MOST_STATEMENTS = 400  # of all steps of a loop that is unrolled


@dataclass(frozen=True, slots=True)
class _Kept:
    frame: code.Frame
    arrays: Mapping[code.Slot, core.Root]
    unrolled: bool


def with_few_steps(block: code.Block, *, unrolled: bool = True) -> code.Block:
    """`block` is a whole body; `unrolled` says that the compiler is told so."""
    pops = (s for s in all_statements(block) if isinstance(s, code.Pop) and s.frame.few is not None)
    for frame, variables in {s.frame: s.variables for s in pops}.items():
        assert frame.few is not None
        arrays = {
            slot: core.Root(f"{variable.name}_of", slot.type, core.RootKind.LOCAL, frame.few.span, frame.few.steps)
            for slot, variable in variables
        }
        block = _declared(_in_arrays(block, _Kept(frame, arrays, unrolled), None), list(arrays.values()))
    return block


def _in_arrays(block: code.Block, kept: _Kept, loop: code.CountDown | None) -> code.Block:
    """The block with what it keeps in a frame in arrays; `loop` is the reverse one around it."""
    frame, arrays = kept.frame, kept.arrays
    found: list[code.Statement] = []
    for s in block:
        match s:
            case code.Push() if s.frame is frame:
                assert s.step is not None
                found += (code.WriteElement(arrays[slot], s.step, expr) for slot, expr in s.values)
            case code.Pop() if s.frame is frame:
                assert loop is not None
                step = core.Use(loop.variable)
                found += (code.Define(v, code.Element(arrays[slot], step)) for slot, v in s.variables)
            case code.CountDown():
                body = _in_arrays(s.body, kept, s)
                short = any(isinstance(t, code.Pop) and t.frame is frame for t in s.body) and _is_short(body, frame)
                short &= kept.unrolled
                found.append(replace(s, body=body, unrolled=s.unrolled or short))
            case _:
                found.append(with_blocks(s, lambda inner: _in_arrays(inner, kept, loop)))
    return tuple(found)


def _is_short(body: code.Block, frame: code.Frame) -> bool:
    """Whether the steps of a loop may stand one after the other: no loops in it, nor so many statements that they take
    the compiler long. What is left a loop has its arrays in memory, as the tape would be."""
    inside = list(all_statements(body))
    loops = any(isinstance(s, code.While | code.CountDown | code.Rewind) for s in inside)
    return not loops and frame.few is not None and frame.few.steps * len(inside) <= MOST_STATEMENTS


def _declared(block: code.Block, arrays: list[core.Root]) -> code.Block:
    """With the arrays declared in the innermost block that has all that touches them, in front of that."""
    places = [k for k, s in enumerate(block) if _touches((s,), arrays)]
    if not places:
        return block
    first = places[0]
    inner = [b for b in inner_blocks(block[first]) if _touches(b, arrays)]
    if len(places) == 1 and len(inner) == 1:
        within = with_blocks(block[first], lambda b: _declared(b, arrays) if b is inner[0] else b)
        return (*block[:first], within, *block[first + 1 :])
    while first > 0 and isinstance(block[first - 1], code.Define):  # such as the counter, which stays with its loop
        first -= 1
    return (*block[:first], *(code.DeclareArray(a, adjoint=False, zeroed=False) for a in arrays), *block[first:])


def _touches(block: code.Block, arrays: list[core.Root]) -> bool:
    return any(root in arrays for s in all_statements(block) for root, _ in touched_roots(s))
