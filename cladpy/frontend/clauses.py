"""The clauses of OpenMP's directives, and the variables that they name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.loops import for_parts
from cladpy.frontend.offloading import MAPPED

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_CLAUSE = re.compile(r"\s*(\w+)\s*(?:\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?")
# Clauses: how the work is shared out, and what becomes of variables.
_KNOWN = frozenset(
    (
        *("schedule", "num_threads", "if", "proc_bind", "nowait", "collapse", "ordered", "order", "shared", "default"),
        *(
            "safelen",
            "simdlen",
            "aligned",
            "nontemporal",
            "private",
            "firstprivate",
            "lastprivate",
            "reduction",
            "linear",
            MAPPED,
        ),
    )
)
_EFFECTS = re.compile(r"\+\+|--|(?<![=<>!])=(?!=)|\b(?!omp_)\w+\s*\(")
_REDUCTION = re.compile(r"(?:default\s*,\s*)?([+*&|^-]|&&|\|\||min|max)\s*:(.*)")
_LINEAR = re.compile(r"([\w\s,]+?)(?::\s*(?:step\()?\s*(-?\d+)\s*\)?\s*)?")
_ITEM = re.compile(r"\s*(\w+)\s*(?:\[[^,]*\])?\s*")


@dataclass(frozen=True, slots=True)
class Clauses:
    """What a directive says: for each clause its text, in their order."""

    found: tuple[tuple[str, str], ...]

    @staticmethod
    def of(text: str) -> Clauses | None:
        """None for clauses that are not known here."""
        found, at = [], 0
        text = text.rstrip()
        while at < len(text):
            clause = _CLAUSE.match(text, at)
            if clause is None or clause[1] not in _KNOWN:
                return None
            name, given = clause[1], clause[2] or ""
            if name == "default" and given not in ("shared", "none"):
                return None
            if name in ("num_threads", "if", "schedule") and _EFFECTS.search(given):
                return None
            found.append((name, given))
            at = clause.end()
        return Clauses(tuple(found))

    def names(self, clause: str) -> list[str]:
        """The variables in clauses of this name. Raises ValueError for what is no variable."""
        return [_name(item) for name, given in self.found if name == clause for item in given.split(",") if given]

    def says(self, clause: str) -> bool:
        return any(name == clause for name, _ in self.found)

    @property
    def reductions(self) -> list[tuple[str, str]]:
        """The variables that are reduced, each with the operator. Raises ValueError for one of the user's own."""
        found = []
        for name, given in self.found:
            if name == "reduction":
                reduction = _REDUCTION.fullmatch(given)
                if reduction is None:
                    raise ValueError(given)
                found += [(_name(item), reduction[1]) for item in reduction[2].split(",")]
        return found

    @property
    def linear(self) -> list[tuple[str, int]]:
        """The variables that go on by a step with each iteration, and the steps. Raises ValueError for others than
        numbers."""
        found = []
        for name, given in self.found:
            if name == "linear":
                linear = _LINEAR.fullmatch(given)
                if linear is None:
                    raise ValueError(given)
                found += [(_name(item), int(linear[2] or 1)) for item in linear[1].split(",")]
        return found


def _name(item: str) -> str:
    name = _ITEM.fullmatch(item)
    if name is None:
        raise ValueError(item)
    return name[1]


def named_outside(cursor: Cursor, scope: FunctionReader) -> dict[str, Cursor | None]:
    """The variables declared outside of a statement that it names; None for a name that several have."""
    path, start, end = scope.files.place(cursor)
    found: dict[str, Cursor | None] = {}
    waiting = [cursor]
    while waiting:
        here = waiting.pop()
        if here.kind == CursorKind.DECL_REF_EXPR:
            declared = here.referenced
            if declared.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
                place, at, _ = scope.files.place(declared)
                if place != path or not start <= at < end:
                    known = found.setdefault(declared.spelling, declared)
                    if known is not None and known.key != declared.key:
                        found[declared.spelling] = None
        waiting += here.children()
    return found


def counters(cursor: Cursor, clauses: Clauses, scope: FunctionReader, span: Span) -> list[str]:
    """The variables that the shared loops count with, where these are declared outside of them: each thread has its
    own."""
    depth = next((int(given) for name, given in clauses.found if name == "collapse"), 1)
    found: list[str] = []
    loop = cursor
    for _ in range(depth):
        if loop.kind != CursorKind.FOR_STMT:
            break
        parts = for_parts(loop, scope.files, span)
        init = parts.init
        if init is not None and init.kind != CursorKind.DECL_STMT and init.children():
            target = init.children()[0]
            if target.kind == CursorKind.DECL_REF_EXPR:
                found.append(target.spelling)
        loop = parts.body
        while loop.kind == CursorKind.COMPOUND_STMT and len(loop.children()) == 1:
            loop = loop.children()[0]
    return found
