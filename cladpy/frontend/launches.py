"""Kernel launches in the text of the main file, and the text that clang can read.

Launches are found token by token: the tree of device code does not hold them, and a host compiler that is to build the
file needs to know where they stand.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace

from cladpy.frontend.files import skip_token
from cladpy.ir.surface import Launch

_OPEN = re.compile(rb"<<(\s*)<")
_CLOSE = re.compile(rb">(\s*)>(\s*)>(?=\s*(?:\(|\Z))")  # arguments follow, or what uses the macro that this ends
_DEFINITION = re.compile(rb"#\s*define\s+\w+(?:\([^)]*\))?")
_LINE_END = re.compile(rb"/\*|\n")
_CONTINUED = re.compile(rb"\\\r?\n")
_WORD = re.compile(rb"[A-Za-z_]\w*\Z")
# A template's name with its arguments, as part of what is called or made: a comma in there parts nothing.
_INSIDE = rb"[\w\s:,*&.]{0,200}"
_TEMPLATE = re.compile(rb"[A-Za-z_]\w*\s*<%s(?:<%s(?:<%s>%s)*>%s)*>(?=\s*(?:\(|\{|::))" % ((_INSIDE,) * 5))


def join_brackets(text: bytes) -> bytes:
    """`<< <grid, block>> >` with its brackets joined, which nvcc reads and clang does not; no offset changes."""
    if b"<<" not in text:
        return text
    joined = bytearray(text)
    for start, end in _launch_brackets(text, _tokens(text)):
        for at, width in ((start, _OPEN.match(text, start)), (end, _CLOSE.match(text, end))):
            if width is not None:
                length = width.end() - width.start()
                joined[at : at + length] = text[at : at + 1] * 3 + b" " * (length - 3)
    return bytes(joined)


def find_launches(text: bytes) -> tuple[tuple[Launch, ...], bool]:
    """The launches of a file, those in definitions of macros among them, and whether those are all."""
    if b"<<" not in text:
        return (), True
    found = _launches_in(text)
    complete = True
    for start, end in _directives(text):
        definition = _DEFINITION.match(text, start, end)
        if definition is None:
            complete = complete and _OPEN.search(text[start:end]) is None
            continue
        body = _CONTINUED.sub(lambda line: b" " * len(line[0]), text[definition.end() : end])
        inside = [
            replace(launch, start=definition.end() + launch.start, end=definition.end() + launch.end, in_macro=True)
            for launch in _launches_in(body)
        ]
        found += inside
        complete = complete and len(_OPEN.findall(body)) == len(inside)
    return tuple(found), complete


def _launches_in(text: bytes) -> list[Launch]:
    """The launches outside of directives."""
    found = []
    tokens = _tokens(text)
    for start, end in _launch_brackets(text, tokens):
        closing = _CLOSE.match(text, end)
        opening = _OPEN.match(text, start)
        if closing is None or opening is None:
            continue
        configuration = _split(text, opening.end(), b">", end)
        if configuration is None:
            continue
        kernel = _kernel_before(text, tokens, bisect_left(tokens, (start, start)))
        parenthesis = text.find(b"(", closing.end())
        if kernel is None or parenthesis < 0:
            found.append(Launch(start, closing.end(), "", tuple(configuration[0]), ()))
            continue
        arguments = _split(text, parenthesis + 1, b")")
        if arguments is None:
            continue
        found.append(
            Launch(
                kernel,
                arguments[1] + 1,
                _code(text[kernel:start]),
                tuple(configuration[0]),
                tuple(arguments[0]),
            )
        )
    return found


def _tokens(text: bytes) -> list[tuple[int, int]]:
    """Tokens outside of comments and preprocessor directives."""
    found = []
    skipped = {a: b for a, b in _directives(text)}
    at = 0
    while at < len(text):
        if at in skipped:
            at = skipped[at]
            continue
        end = skip_token(text, at)
        if not text[at:end].isspace() and not text.startswith((b"//", b"/*"), at):
            found.append((at, end))
        at = end
    return found


def _directives(text: bytes) -> list[tuple[int, int]]:
    """Preprocessor lines, with their continuations, from the # on."""
    found = []
    at = 0
    fresh = True
    while at < len(text):
        c = text[at : at + 1]
        if c == b"#" and fresh:
            end = at
            while (stop := _LINE_END.search(text, end)) is not None:
                end = stop.start()
                if stop[0] == b"/*":
                    end = skip_token(text, end)
                elif text[at:end].rstrip(b"\r").endswith(b"\\"):
                    end += 1
                else:
                    break
            else:
                end = len(text)
            found.append((at, end))
            at = end
            continue
        end = skip_token(text, at)
        if c == b"\n":
            fresh = True
        elif not c.isspace() and not text.startswith((b"//", b"/*"), at):
            fresh = False
        at = end
    return found


def _launch_brackets(text: bytes, tokens: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Offsets of `<<<` and of its `>>>`."""
    found = []
    opened: int | None = None
    depth = 0
    after = 0
    for at, _ in tokens:
        if at < after:
            continue
        if opened is None:
            match = _OPEN.match(text, at)
            if match is not None:
                opened, after, depth = at, match.end(), 0
            continue
        c = text[at : at + 1]
        if c in b"([{":
            depth += 1
        elif c in b")]}":
            depth -= 1
        elif depth == 0 and (match := _CLOSE.match(text, at)) is not None:
            found.append((opened, at))
            opened, after = None, match.end()
        if (c == b";" and depth <= 0) or depth < 0:
            opened = None
    return found


def _kernel_before(text: bytes, tokens: list[tuple[int, int]], count: int) -> int | None:
    """Where the kernel's name, with scopes and template arguments, begins; it ends with the first `count` tokens. None
    where it is not a name that is launched, but a member or an element of something."""
    at: int | None = None
    angle = depth = 0
    expect_name = True
    for k in range(count - 1, -1, -1):
        start, stop = tokens[k]
        token = text[start:stop]
        if angle or (token == b">" and expect_name):
            depth += (token in b")]}") - (token in b"([{")
            if depth == 0:
                angle += (token == b">") - (token == b"<")
            at = start
            continue
        if expect_name and _WORD.match(token):
            at, expect_name = start, False
        elif not expect_name and token == b":" and text[start - 1 : start + 1] == b"::":
            at = start
        elif not expect_name and token == b":" and text[start : start + 2] == b"::":
            at, expect_name = start, True
        elif text[start - 1 : start + 1] in (b"->",) or token == b".":
            return None
        else:
            break
    return at


def _split(text: bytes, start: int, closing: bytes, end: int | None = None) -> tuple[list[str], int] | None:
    """The comma-separated texts from `start` to the closing bracket, and where that stands."""
    parts: list[str] = []
    depth = 0
    begin = at = start
    while at < len(text):
        if (end is not None and at == end) or (end is None and depth == 0 and text[at : at + 1] == closing):
            last = _code(text[begin:at])
            return [*parts, last] if last or parts else parts, at
        c = text[at : at + 1]
        if c in b"([{":
            depth += 1
        elif c in b")]}":
            depth -= 1
        elif c == b"," and depth == 0:
            parts.append(_code(text[begin:at]))
            begin = at + 1
        template = _TEMPLATE.match(text, at, len(text) if end is None else end)
        at = template.end() if template is not None else skip_token(text, at)
    return None


def _code(text: bytes) -> str:
    """A part of a launch without comments to the end of a line, behind which nothing may be written."""
    kept = b""
    at = 0
    while at < len(text):
        end = skip_token(text, at)
        if not text.startswith(b"//", at):
            kept += text[at:end]
        at = end
    return kept.decode("utf-8", errors="surrogateescape").strip()
