"""Sections: blocks of which each is run by one thread, all at once; they are read one after the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cladpy.frontend.clauses import Clauses
from cladpy.frontend.copies import copied
from cladpy.frontend.destructors import Around
from cladpy.frontend.directives import Directive
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.ir.surface import Block, Shared, Stmt

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_SECTIONS = re.compile(r"omp (?:parallel )?sections\b(.*)")
_SECTION = "omp section"
_ALLOWED = frozenset(("private", "reduction", "nowait", "num_threads", "if", "proc_bind", "shared", "default"))


def is_sections(directive: Directive) -> bool:
    return _SECTIONS.fullmatch(directive.text) is not None


def read_sections(cursor: Cursor, directive: Directive, scope: FunctionReader) -> Block:
    """Raises Refused for clauses that are not known here."""
    said = _SECTIONS.fullmatch(directive.text)
    clauses = None if said is None else Clauses.of(said[1])
    is_known = clauses is not None and directive.is_known and all(name in _ALLOWED for name, _ in clauses.found)
    if clauses is None or not is_known or cursor.kind != CursorKind.COMPOUND_STMT:
        raise directive.refusal()
    span = scope.files.span(cursor)
    depth = len(scope.alone)
    sections: list[Stmt] = []
    with copied(cursor, clauses, scope, directive.refusal()) as copies:
        for child in cursor.children():
            rest = [d for d in scope.directives.before(child.extent()[3]) if d.text != _SECTION]
            scope.destructors.enter(Around.BLOCK)
            read = scope.destructors.leave(scope.statements.directed(child, rest), span)
            sections.append(Block(tuple(read), scope.files.span(child), is_once=True))
    shared = Shared(
        directive=directive.name,
        directive_span=directive.span,
        is_parallel=True,
        reduced=tuple(copies.reduced),
        private=copies.own,
        first=(),
        last=(),
        counters=(),
        alone=tuple(scope.alone[depth:]),
    )
    return Block((*copies.declared, *sections), span, sections=shared)
