"""The function that the user named: a plain, qualified, overloaded or template name.

clang itself looks the name up: a few lines appended to an unsaved copy of the file refer to it, so that scopes,
overloads and template arguments mean what they mean in C++.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cladpy.diagnostics import Note, Sink
from cladpy.frontend.files import Files
from cladpy.frontend.instantiations import instantiations, naming
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.names import qualified_name
from cladpy.frontend.refused import REFUSALS, refuse
from cladpy.frontend.unit import Message, TranslationUnit

_NAME = re.compile(r"^\s*(?:::)?\s*(?P<name>[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)\s*(?P<rest>[<(].*)?$", re.S)
_SCOPE = "cladpy_lookup_"
_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE)
_CONTAINERS = (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC)
_TEMPLATE_PARAMETERS = (
    CursorKind.NON_TYPE_TEMPLATE_PARAMETER,
    CursorKind.TEMPLATE_TYPE_PARAMETER,
    CursorKind.TEMPLATE_TEMPLATE_PARAMETER,
)
_CLASSES = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.CLASS_TEMPLATE)


@dataclass(frozen=True, slots=True)
class Request:
    """A function's name taken apart: `ns::kernel<double, 3>(int)`. None: the user did not write that part."""

    text: str
    name: str
    template_arguments: str | None
    parameters: str | None

    @staticmethod
    def of(function: str) -> Request | None:
        """None for what is no name of a function."""
        match = _NAME.match(function)
        if match is None:
            return None
        name = re.sub(r"\s", "", match["name"])
        rest = (match["rest"] or "").strip()
        template_arguments: str | None = None
        if rest.startswith("<"):
            end = _closing_angle(rest)
            if end is None:
                return None
            template_arguments, rest = rest[1:end].strip(), rest[end + 1 :].strip()
        if not rest:
            return Request(function.strip(), name, template_arguments, None)
        if not (rest.startswith("(") and rest.endswith(")")):
            return None
        return Request(function.strip(), name, template_arguments, rest[1:-1].strip())

    def reference(self) -> str:
        """The lines to append to the file."""
        lines = [f"namespace {_SCOPE} {{", f"using ::{self.name};"]
        if self.parameters is not None:
            lines.append(f"void parameters({self.parameters});")
        if self.template_arguments is not None:
            # A function that is never called: taking the address instantiates the body.
            arguments = f"<{self.template_arguments}>"
            lines.append(
                f"__attribute__((host)) __attribute__((device)) inline void instance() "
                f"{{ (void)&::{self.name}{arguments}; }}"
            )
        return "\n" + "\n".join([*lines, "}"]) + "\n"


class TakenAtDefaults(Exception):
    """A template is named without arguments, and has one by default for each of its parameters."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.text)
        self.request = request


def _closing_angle(text: str) -> int | None:
    depth = 0
    angle = 0
    for i, c in enumerate(text):
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "<" and not depth:
            angle += 1
        elif c == ">" and not depth:
            angle -= 1
            if not angle:
                return i
    return None


def find(request: Request, unit: TranslationUnit, files: Files, sink: Sink, faults: list[Message]) -> Cursor | None:
    """The definition of the function asked for. None where there is no such function: the sink knows why.

    `faults` are clang's errors in the appended lines.
    """
    name = f"'{request.text}'"
    scope = next(
        (c for c in reversed(unit.cursor.children()) if c.kind == CursorKind.NAMESPACE and c.spelling == _SCOPE), None
    )
    found = _candidates(scope) if scope is not None else []
    own = [c for c in found if not c.in_system_header]
    if not own:
        _report_unknown(request.name, name, unit, files, sink)
        return None
    if faults:
        refuse(sink, "CP0002", None, name, f"clang says: {faults[0].text}")
        return None
    assert scope is not None
    if request.template_arguments is not None:
        own = _instances(scope)
    elif any(c.kind == CursorKind.FUNCTION_DECL for c in own):
        own = [c for c in own if c.kind == CursorKind.FUNCTION_DECL]
    if request.parameters is not None:
        wanted = next(c for c in scope.children() if c.spelling == "parameters").type.canonical.parameters
        own = [c for c in own if _parameter_keys(c) == [p.key for p in wanted]]
    definitions = {(c.definition or c).key: c.definition or c for c in own}
    if len(definitions) != 1:
        _report_choice(request, found, files, sink, bool(definitions))
        return None
    chosen = next(iter(definitions.values()))
    if chosen.kind == CursorKind.FUNCTION_TEMPLATE:
        if request.template_arguments is None and _has_defaults(chosen, files):
            raise TakenAtDefaults(replace(request, template_arguments=""))
        made = instantiations(chosen, unit.cursor, files.texts())
        refuse(sink, "CP0004", files.span(chosen), name, naming(chosen, made))
        return None
    if chosen.definition is None:
        refuse(sink, "CP0005", files.span(chosen), name)
        return None
    return chosen


def _has_defaults(template: Cursor, files: Files) -> bool:
    """Whether each parameter of a template has an argument by default."""
    parameters = [c for c in template.children() if c.kind in _TEMPLATE_PARAMETERS]
    return bool(parameters) and all("=" in files.written(p) for p in parameters)


def _candidates(scope: Cursor) -> list[Cursor]:
    """The functions that the using-declaration names."""
    for using in scope.children():
        if using.kind != CursorKind.USING_DECLARATION:
            continue
        for child in using.children():
            if child.kind == CursorKind.OVERLOADED_DECL_REF:
                return [c for c in child.overloads if c.kind in _FUNCTIONS]
            referenced = child.referenced
            if not referenced.is_null and referenced.kind in _FUNCTIONS:
                return [referenced]
    return []


def _instances(scope: Cursor) -> list[Cursor]:
    """The specialisation that the appended function refers to."""
    function = next(c for c in scope.children() if c.spelling == "instance")
    waiting = function.children()
    while waiting:
        cursor = waiting.pop()
        if cursor.kind == CursorKind.DECL_REF_EXPR and not cursor.referenced.is_null:
            return [cursor.referenced]
        waiting += cursor.children()
    return []


def _parameter_keys(function: Cursor) -> list[tuple[int, int]]:
    return [p.key for p in function.type.canonical.parameters]


def _report_choice(request: Request, found: list[Cursor], files: Files, sink: Sink, ambiguous: bool) -> None:
    places = {files.span(c): c for c in {c.canonical.key: c for c in found}.values()}
    notes = tuple(Note(f"candidate: {places[span].display_name}", span) for span in sorted(places))
    code = "CP0003" if ambiguous else "CP0002"
    refusal = REFUSALS[code]
    hint = REFUSALS["CP0003"].hint
    sink.error(code, refusal.what.replace("{name}", f"'{request.text}'"), None, notes=notes, hint=hint)


def _report_unknown(wanted: str, name: str, unit: TranslationUnit, files: Files, sink: Sink) -> None:
    """Says what there is instead of a function that there is not."""
    known: dict[str, Cursor] = {}
    for function in _functions(unit.cursor):
        known.setdefault(qualified_name(function, with_arguments=False), function)
    of_classes = {n for n, function in known.items() if function.parent.kind in _CLASSES}
    if wanted in of_classes:
        refuse(sink, "CP0006", files.span(known[wanted]), name)
        return
    near = _near(wanted, sorted(known.keys() - of_classes))
    members = [] if near else [n for n in _near(wanted, sorted(of_classes)) if _last(n) == _last(wanted)]
    hint = None
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif members:
        hint = f"{members[0]} is a member function: write a function at namespace scope that calls it"
    elif known.keys() > of_classes:
        hint = f"the functions here are: {', '.join(sorted(known.keys() - of_classes)[:20])}"
    refuse(sink, "CP0002", None, name, hint)


def _near(wanted: str, known: list[str]) -> list[str]:
    """Those of the names that are most like one, at most five: those that are it in another namespace, then what is
    alike as a whole, then what is alike but for the namespace."""
    same = [n for n in known if _last(n).lower() == _last(wanted).lower()]
    alike = difflib.get_close_matches(wanted, known, n=5, cutoff=0.6)
    last = {n: _last(n) for n in known}
    near = set(difflib.get_close_matches(_last(wanted), last.values(), n=5, cutoff=0.75))
    return list(dict.fromkeys([*same, *alike, *(n for n in known if last[n] in near)]))[:5]


def _last(name: str) -> str:
    """A name without the scopes before it."""
    return name.rpartition("::")[2]


def _functions(cursor: Cursor) -> Iterator[Cursor]:
    """The functions of the user's own files, those of classes too."""
    for child in cursor.children():
        if child.kind in _FUNCTIONS or child.kind == CursorKind.CXX_METHOD:
            if not child.in_system_header:
                yield child
        elif child.kind in (*_CONTAINERS, *_CLASSES) and child.spelling != _SCOPE and not child.in_system_header:
            yield from _functions(child)
