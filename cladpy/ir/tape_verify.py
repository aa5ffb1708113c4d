"""Checks that the tape is a stack: what the forward sweep pushes the reverse sweep pops, in the opposite order.

A block has a net effect on the tape: a sequence of frames pushed and popped, once or per iteration or under a branch.
An effect that is followed by its opposite cancels; over a whole function everything must.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cladpy.ir import code
from cladpy.ir.code_walk import inner_blocks, with_blocks
from cladpy.ir.never import assert_never


@dataclass(frozen=True, slots=True)
class _Frame:
    """A frame pushed, or popped; under a condition of its own, or always."""

    frame: code.Frame
    pushed: bool
    conditional: bool


@dataclass(frozen=True, slots=True)
class _Repeated:
    """The effect of each iteration of a loop, forward or counting down."""

    effects: tuple[_Effect, ...]


@dataclass(frozen=True, slots=True)
class _Either:
    then: tuple[_Effect, ...]
    other: tuple[_Effect, ...]


_Effect = _Frame | _Repeated | _Either


def check_tape(block: code.Block) -> list[str]:
    """What is wrong with the use of the tape in a function's body."""
    faults: list[str] = []
    left = _effects(block, faults)
    if left:
        faults.append("the tape is not empty at the end")
    return faults


def check_log(block: code.Block) -> list[str]:
    """What is wrong with the order in which what calls overwrite is put back."""
    return ["what calls overwrite is not put back in order"] if _effects(_calls_only(block), []) else []


def _calls_only(block: code.Block) -> code.Block:
    """The block with calls that are undone as pushes, and without the tape."""
    found: list[code.Statement] = []
    for statement in block:
        match statement:
            case code.CallPullback(undone=undone) if undone is not None:
                found.append(code.Push(undone, ()))
            case code.Undo(undone):
                found.append(code.Pop(undone, ()))
            case code.Push() | code.Pop():
                pass
            case code.Rewind(body=body):
                found += _calls_only(body)
            case _ if inner_blocks(statement):
                found.append(with_blocks(statement, _calls_only))
            case _:
                pass
    return tuple(found)


def _effects(block: code.Block, faults: list[str]) -> tuple[_Effect, ...]:
    found: list[_Effect] = []
    for statement in block:
        effect = _effect(statement, faults)
        if effect is None:
            continue
        if found and found[-1] == _opposite(effect):
            found.pop()
        else:
            found.append(effect)
    return tuple(found)


def _effect(statement: code.Statement, faults: list[str]) -> _Effect | None:
    match statement:
        case code.Push(frame, kept):
            if [slot for slot, _ in kept] != frame.slots:
                faults.append("what is pushed is not what the frame holds")
            return _Frame(frame, True, statement.only is not None)
        case code.Pop(frame, variables):
            if [slot for slot, _ in variables] != frame.slots:
                faults.append("what is popped is not what the frame holds")
            return _Frame(frame, False, statement.only is not None)
        case code.Branch(_, then, other):
            arms = _effects(then, faults), _effects(other, faults)
            match arms:
                case ((_Frame(frame, True) as pushed,), ()) if frame.some:
                    return pushed
            return _Either(*arms) if any(arms) else None
        case code.While(before, _, body):
            if _effects(before, faults):
                faults.append("a loop's condition changes the tape")
            inner = _effects(body, faults)
            return _Repeated(inner) if inner else None
        case code.CountDown(_, _, body):
            inner = _effects(body, faults)
            return _Repeated(inner) if inner else None
        case code.Rewind(body=body):
            if _effects(body, faults):
                faults.append("a loop that is run again changes the tape")
            return None
        case _:
            return None


def _opposite(effect: _Effect) -> _Effect:
    match effect:
        case _Frame(_, pushed):
            return replace(effect, pushed=not pushed)
        case _Repeated(effects):
            return _Repeated(_reversed(effects))
        case _Either(then, other):
            return _Either(_reversed(then), _reversed(other))
        case _:
            assert_never(effect)


def _reversed(effects: tuple[_Effect, ...]) -> tuple[_Effect, ...]:
    return tuple(_opposite(e) for e in reversed(effects))
