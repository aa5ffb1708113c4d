"""The function that the user named: a plain, qualified, overloaded or template name.

clang itself looks the name up: a few lines appended to an unsaved copy of the file refer to it, so that scopes,
overloads and template arguments mean what they mean in C++.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cladpy.diagnostics import Note, Sink, Span
from cladpy.frontend.declared import public
from cladpy.frontend.files import Files
from cladpy.frontend.instantiations import instantiations, naming
from cladpy.frontend.instead import ReadInstead
from cladpy.frontend.kinds import CursorKind, TypeKind
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.members import local_lambda, methods, through_copy, through_object, through_variable
from cladpy.frontend.names import qualified_name
from cladpy.frontend.refused import REFUSALS, refuse
from cladpy.frontend.unit import Message, TranslationUnit

# A part of a name, between two `::`.
_PART = re.compile(r"\s*(operator\s*(?:\(\s*\)|\[\s*\]|[-+*/%^&|~!=<>,]+)|[A-Za-z_]\w*)\s*")
_SCOPE = "cladpy_lookup_"
_OWNER = "owner"
_CALL = "operator()"
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
    owner: str | None = None  # the class of a member, with its template arguments
    const: bool = False  # whether `const` stands behind the parameters
    calls: Span | None = None  # where what was asked for stands, of a function of cladpy's own that calls it

    @staticmethod
    def of(function: str) -> Request | None:
        """None for what is no name of a function."""
        parts: list[str] = []
        plain: list[str] = []
        template_arguments: str | None = None
        rest = re.sub(r"^\s*&?\s*(::)?", "", function)
        while template_arguments is None or rest.startswith("::"):
            if plain:
                if not rest.startswith("::"):
                    break
                parts.append(plain[-1] + ("" if template_arguments is None else f"<{template_arguments}>"))
            match = _PART.match(rest.removeprefix("::"))
            if match is None:
                return None
            plain.append(re.sub(r"\s", "", match[1]))
            rest = rest.removeprefix("::")[match.end() :]
            template_arguments = None
            if rest.startswith("<"):
                end = _closing_angle(rest)
                if end is None:
                    return None
                template_arguments, rest = rest[1:end].strip(), rest[end + 1 :].strip()
        is_member = any(p.endswith(">") for p in parts) or (plain[-1].startswith("operator") and bool(parts))
        request = Request(
            function.strip(),
            "::".join(plain),
            template_arguments,
            None,
            "::".join(parts) if is_member else None,
            rest.endswith("const"),
        )
        rest = rest.removesuffix("const").strip()
        if not rest:
            return None if request.const else request
        if not (rest.startswith("(") and rest.endswith(")")):
            return None
        return replace(request, parameters=rest[1:-1].strip())

    def reference(self) -> str:
        """The lines to append to the file."""
        lines = [f"namespace {_SCOPE} {{"]
        name = self.name
        if self.owner is not None:
            name = f"{self.owner}::{self.name.rpartition('::')[2]}"
            lines += [f"using {_OWNER} = ::{self.owner};", f"constexpr unsigned long size = sizeof({_OWNER});"]
        else:
            lines.append(f"using ::{name};")
        if self.parameters is not None:
            lines.append(f"void parameters({self.parameters});")
        if self.template_arguments is not None:
            # A function that is never called: taking the address instantiates the body.
            arguments = f"<{self.template_arguments}>"
            lines.append(
                f"__attribute__((host)) __attribute__((device)) inline void instance() "
                f"{{ (void)&::{name}{arguments}; }}"
            )
        return "\n" + "\n".join([*lines, "}"]) + "\n"


class AskedOtherwise(Exception):
    """What was asked for has another name: a template has arguments by default, or a function is a class's."""

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
    found = _candidates(scope, request) if scope is not None else []
    own = [c for c in found if not c.in_system_header]
    if not own:
        _look_elsewhere(request, scope, unit, files)
        _report_unknown(request, name, unit, files, sink)
        return None
    if faults:
        said = f"clang says: {faults[0].text}"
        if request.calls is not None:
            hint = f"{REFUSALS['CP0006'].hint}; {said}"
            private = next((n for n in faults[0].notes if n.text.endswith("declared private here")), None)
            patch = () if private is None else public(private, unit, files)
            refuse(sink, "CP0006", request.calls, name, hint, patch=patch)
        else:
            refuse(sink, "CP0002", None, name, said)
        return None
    assert scope is not None
    if request.template_arguments is not None:
        own = _instances(scope)
    elif any(c.kind == CursorKind.FUNCTION_DECL for c in own):
        own = [c for c in own if c.kind == CursorKind.FUNCTION_DECL]
    if request.parameters is not None:
        wanted = next(c for c in scope.children() if c.spelling == "parameters").type.canonical.parameters
        own = [c for c in own if _parameter_keys(c) == [p.key for p in wanted]]
        if request.owner is not None and len(own) > 1:
            own = [c for c in own if c.is_const_method == request.const]
    definitions = {(c.definition or c).key: c.definition or c for c in own}
    with_body = {key: c for key, c in definitions.items() if c.definition is not None}
    if len(with_body) == 1:  # others are declared here, and nothing else is known of them
        definitions = with_body
    if len(definitions) != 1:
        _report_choice(request, found, files, sink, bool(definitions))
        return None
    chosen = next(iter(definitions.values()))
    owner = _owner(scope)
    if owner is not None:
        instead = through_object(chosen, owner, files)
        if instead is not None:
            raise ReadInstead(instead)
        refuse(sink, "CP0006", files.span(chosen), name)
        return None
    if chosen.kind == CursorKind.FUNCTION_TEMPLATE:
        if request.template_arguments is None and _has_defaults(chosen, files):
            raise AskedOtherwise(replace(request, template_arguments=""))
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


def _candidates(scope: Cursor, request: Request) -> list[Cursor]:
    """The functions that the using-declaration names, or those of the class."""
    if request.owner is not None:
        owner = _owner(scope)
        if owner is None:
            return []
        if request.template_arguments is not None:
            return [c for c in _instances(scope) if c.kind == CursorKind.CXX_METHOD]
        return list(methods(owner, request.name.rpartition("::")[2]))
    return [c for c in _named(scope) if c.kind in _FUNCTIONS]


def _named(scope: Cursor) -> list[Cursor]:
    """What the using-declaration names."""
    for using in scope.children():
        if using.kind != CursorKind.USING_DECLARATION:
            continue
        for child in using.children():
            if child.kind == CursorKind.OVERLOADED_DECL_REF:
                return list(child.overloads)
            referenced = child.referenced
            if not referenced.is_null and referenced.kind in _FUNCTIONS:
                return [referenced]
    return []


def _owner(scope: Cursor) -> ClangType | None:
    """The class of a member that was asked for; None where there is no such class."""
    alias = next((c for c in scope.children() if c.spelling == _OWNER), None)
    type = None if alias is None else alias.type.canonical
    return type if type is not None and type.kind == TypeKind.RECORD else None


def _look_elsewhere(request: Request, scope: Cursor | None, unit: TranslationUnit, files: Files) -> None:
    """Where what was asked for is no function, but can be called. Raises ReadInstead or AskedOtherwise."""
    owner, _, last = request.name.rpartition("::")
    classes = set(_classes(unit.cursor))
    if scope is None:
        return
    if request.owner is not None:
        if last == _CALL and request.owner not in classes:
            raise AskedOtherwise(replace(request, name=request.owner, owner=None))  # of what a variable holds
        return
    if owner in classes:
        raise AskedOtherwise(replace(request, owner=owner))
    variable = next((c for c in _named(scope) if c.kind == CursorKind.VAR_DECL), None)
    if variable is not None:
        instead = through_variable(variable, request.name, files)
    else:
        variable = local_lambda(request.name, unit.cursor)
        instead = None if variable is None else through_copy(variable, request.name, files)
    if instead is not None:
        raise ReadInstead(instead)


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


def _report_unknown(request: Request, name: str, unit: TranslationUnit, files: Files, sink: Sink) -> None:
    """Says what there is instead of a function that there is not."""
    wanted = request.name
    known: dict[str, Cursor] = {}
    for function in _functions(unit.cursor):
        known.setdefault(qualified_name(function, with_arguments=False), function)
    of_classes = {n for n, function in known.items() if function.parent.kind in _CLASSES}
    if wanted in of_classes:
        template = "its class" if request.owner is not None and known[wanted].kind == CursorKind.CXX_METHOD else "it"
        refuse(sink, "CP0004", files.span(known[wanted]), name, f"name {template} with template arguments")
        return
    near = _near(wanted, sorted(known.keys() - of_classes))
    owner = wanted.rpartition("::")[0]
    members = sorted(n for n in of_classes if n.rpartition("::")[0] in (wanted, owner))[:5]
    members = members or [n for n in _near(wanted, sorted(of_classes)) if _last(n) == _last(wanted)]
    hint = None
    if near or members:
        hint = f"did you mean {' or '.join(near or members)}?"
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
    return (c for c in _declared(cursor) if c.kind in _FUNCTIONS or c.kind == CursorKind.CXX_METHOD)


def _classes(cursor: Cursor) -> Iterator[str]:
    """The names of the classes and class templates of the user's own files."""
    return (qualified_name(c, with_arguments=False) for c in _declared(cursor) if c.kind in _CLASSES)


def _declared(cursor: Cursor) -> Iterator[Cursor]:
    """What the user's own files declare at namespace scope and in classes."""
    for child in cursor.children():
        if child.in_system_header or child.spelling == _SCOPE:
            continue
        yield child
        if child.kind in (*_CONTAINERS, *_CLASSES):
            yield from _declared(child)
