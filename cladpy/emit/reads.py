"""The variables whose content statements of generated code use."""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements
from cladpy.ir.never import assert_never
from cladpy.ir.walk import values


def read_variables(block: code.Block) -> set[core.Value]:
    """The variables whose content some statement uses."""
    read: set[core.Value] = set()
    for s in all_statements(block):
        match s:
            case code.Define(_, init):
                read |= initializer_values(init)
            case code.Assign(_, expr) | code.Add(_, expr) | code.AddParameter(_, _, expr):
                read |= set(values(expr))
            case code.WriteElement(_, index, expr) | code.AddElement(_, index, expr):
                read |= {*values(index), *values(expr)}
            case code.Take(_, _, index):
                read |= set(values(index))
            case code.Branch(condition) | code.While(_, condition):
                read |= set(values(condition))
            case code.CountDown():
                read |= {v for e in s.operands for v in values(e)}
            case code.Push() | code.Pop():
                read |= _tape_values(s)
            case code.Keep(_, step, kept):
                read |= {*values(step), *(v for _, e in kept for v in values(e))}
            case code.Rewind(_, step, variables):
                read |= {*values(step), *(v for _, v in variables)}
            case code.CallPullback(_, arguments):
                for a in arguments:
                    read |= argument_values(a)
            case code.Synchronize(_, predicate):
                read |= set() if predicate is None else set(values(predicate))
            case code.Perform(_, parts):
                read |= {v for p in parts if not isinstance(p, core.Text) for v in values(p)}
            case code.Act(arguments=arguments, saved=saved, launch=launch):
                read |= {v for a in (*arguments, *saved) for v in argument_values(a)}
                read |= set() if launch is None else {v for e in launch.expressions for v in values(e)}
            case code.DeclareObject(_, leaves, pointers=pointers):
                read |= {v for leaf in leaves for v in values(leaf.expr)}
                read |= {v for _, a in pointers for v in argument_values(a)}
            case code.Invoke(call):
                read |= initializer_values(call)
            case code.Reserve(slots):
                read |= set(values(slots))
            case code.DeclareArray() | code.DeclareStates() | code.Undo() | code.Comment():
                pass
            case _:
                assert_never(s)
    return read


def _tape_values(s: code.Push | code.Pop) -> set[core.Value]:
    if isinstance(s, code.Pop):
        return {v for e in s.operands for v in values(e)}
    return {v for e in (*(e for _, e in s.values), *(() if s.only is None else (s.only,))) for v in values(e)}


def initializer_values(init: code.Initializer) -> set[core.Value]:
    match init:
        case code.Element(_, index):
            return set(values(index))
        case code.UserCall(_, arguments):
            return {v for a in arguments for v in argument_values(a)}
        case code.MemberOf(variable):
            return {variable}
        case code.Together(_, given):
            return {v for e in given for v in values(e)}
        case _:
            return set(values(init))


def argument_values(argument: code.Passed) -> set[core.Value]:
    match argument:
        case code.Address(_, offset):
            return set(values(offset))
        case code.ChosenAddress(alternatives, _, tag):
            return {*values(tag), *(v for a in alternatives for v in values(a.offset))}
        case code.AddressOfVariable(variable):
            return {variable}
        case code.ObjectVariable(variable, _, at):
            return {variable, *(() if at is None else values(at))}
        case _:
            return set(values(argument))
