"""Which adjoints are zeroed late: at the end of their block, or before what has to do with them.

A GPU that is told to store to what it still fetches takes several times as long as one that stores later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.ir.walk import values
from cladpy.passes.elsewhere import is_elsewhere


def alone(block: code.Block) -> set[code.Take]:
    """What is taken outside of loops, of adjoints with which nothing else has to do: then no other thread does either,
    whoever waits for whom."""
    touched = Counter(root.memory for s in all_statements(block) for root, adjoint in touched_roots(s) if adjoint)

    def outside(block: code.Block) -> Iterator[code.Take]:
        for s in block:
            match s:
                case code.Take() if touched[s.root.memory] == 1:
                    yield s
                case code.Branch(_, then, other):
                    yield from outside(then)
                    yield from outside(other)
                case _:
                    pass

    return set(outside(block))


def _is_number(argument: code.Passed) -> bool:
    """Whether an argument leads to no memory but a variable."""
    return not isinstance(argument, code.Address | code.ChosenAddress | code.ObjectVariable)


def meets(statement: code.Statement, take: code.Take, lets: Mapping[core.Value, core.Expr], *, alone: bool) -> bool:
    """Whether a statement has to do with the element that is taken, or with other threads that may, or changes what its
    index is made of. `lets` says what constants are made of."""
    index = set(values(take.index))
    for s in all_statements((statement,)):
        near = any(adjoint and _may_be(root, take) for root, adjoint in touched_roots(s))
        if near and not is_elsewhere(s, take.root, take.index, lets):
            return True
        match s:
            case code.Synchronize() | code.Perform() | code.CallPullback(storage="") if alone:
                pass
            case code.CallPullback(storage="", arguments=given) if all(map(_is_number, given)):
                pass
            case code.Synchronize() | code.Perform() | code.Act() | code.CallPullback() | code.Invoke() | code.Undo():
                return True
            case code.Assign(variable) | code.Add(variable) if variable in index:
                return True
            case code.Rewind(variables=variables) if not index.isdisjoint(v for _, v in variables):
                return True
            case _:
                pass
    return False


def _may_be(root: core.Root, take: code.Take) -> bool:
    """Whether an element of an adjoint may be the one that is taken."""
    return root.memory is take.root.memory and not (take.alone and root is take.root)
