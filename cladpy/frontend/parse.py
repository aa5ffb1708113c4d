"""The front end's only entrance: source and options in, surface program out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from cladpy.diagnostics import NOWHERE, CladpyError, Sink, Span, UsageError
from cladpy.edits import Edit
from cladpy.frontend.chosen import chosen
from cladpy.frontend.custom import find_forwards, find_pullbacks, header_files
from cladpy.frontend.dynamic_shared import dynamic_shared_arrays
from cladpy.frontend.errors import Errors, header, missing
from cladpy.frontend.files import Files
from cladpy.frontend.functions import Functions
from cladpy.frontend.given import Given, is_own
from cladpy.frontend.incomplete import Lacking, is_incomplete, lacking, not_needed, texture_reference
from cladpy.frontend.instead import Instead, ReadInstead
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.kokkos import of_kokkos, unknown_use
from cladpy.frontend.lacked import lacked, may_be_lacked
from cladpy.frontend.launches import find_launches
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.lookup import AskedOtherwise, Request, find
from cladpy.frontend.mending import may_mend, no_header_mends
from cladpy.frontend.pieces import Body, Pieces, bodies, is_within
from cladpy.frontend.redefined import redefined, renaming
from cladpy.frontend.refused import refuse
from cladpy.frontend.sides import DeviceSide
from cladpy.frontend.signature import named_types
from cladpy.frontend.snapshot import Snapshot
from cladpy.frontend.taken import taken_names
from cladpy.frontend.toolkit import Headers, routes, with_own_library
from cladpy.frontend.unit import KEEP_GOING, NO_BODIES, Message, TranslationUnit
from cladpy.frontend.wrong_side import host_function
from cladpy.ir.surface import Function, Omission, Program
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, gradient_of
from cladpy.ir.types import VOID
from cladpy.options import Options
from cladpy.quoting import included
from cladpy.source import Source
from cladpy.targets import TARGETS, Target

# clang writes past the end of a buffer for more than 16,494 digits after the point
_DIGITS = re.compile(rb"[\d.'][\da-fA-F.']{8192,}")
_DOUBLE = re.compile(rb"[\d']+(?:\.[\d']*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)(?![\w.'])")
_WRITTEN_FOR_HOST = rb"(?m)(?:^[ \t]*(?:#.*)?|[;}][ \t]*)\n(?:(?:static|inline|void|int|long|float|double)[ \t]+)+%s\("
_HIP_HEADER = ("hip", "hip_runtime.h")
# What stands for texture references, which CUDA has no longer, and for objects, whose memory CUDA does not tell.
_REFERENCES, _OBJECTS = "cladpy/texture_references.h", "cladpy/texture_objects.h"


def parse(
    source: Source,
    function: str,
    options: Options,
    sink: Sink,
    *,
    headers: str | None = None,
    target: str = "cuda",
) -> Program:
    """Reads the function and all that it reaches. Nothing is executed or written.

    `headers` names one route to CUDA's declarations (see `toolkit`); without it the quickest that works is taken.
    `target` is what the program is compiled for: its compiler's macros decide what `#if` takes.
    Raises DifferentiationError where anything was refused, after all of it has gone to the sink; UsageError for
    custom derivatives that do not exist; ToolchainError where libclang is missing.
    """
    if source.path is None:
        sink.texts.setdefault(source.name, source.text)
    request = Request.of(function)
    if request is None:
        raise UsageError(f"{function!r} does not name a function")
    reading = _Reading(source, request, options, TARGETS[target])
    _check_numbers(reading.given, sink)
    outcomes = reading.outcomes(headers)
    if reading.given.stands_for_pytorch and outcomes[-1].is_faulty and reading.given.has_pytorch:
        outcomes += _Reading(source, request, options, TARGETS[target], real_pytorch=True).outcomes(headers)
    # without cladpy's own headers of libraries more may be missing than is: what nobody has is what helps
    telling = [o for o in outcomes if o.sink.found]
    whole = [o for o in outcomes if not o.is_faulty]
    outcome = min(whole or reversed(telling), key=lambda o: o.missing)
    sink.read.update(outcome.read)
    for diagnostic in outcome.sink.found if outcome.errors is None else outcome.errors.suggested(outcome.sink.found):
        sink.report(diagnostic)
    sink.raise_if_errors()
    assert outcome.program is not None
    return outcome.program


def _check_numbers(given: Given, sink: Sink) -> None:
    """Reports CP0011 for a number of more digits than clang can read."""
    for number in _DIGITS.finditer(given.text):
        line = given.text.count(b"\n", 0, number.start()) + 1
        column = number.start() - given.text.rfind(b"\n", 0, number.start())
        span = Span(given.source.name, line, column, line, column + 1)
        refuse(sink, "CP0011", span, patch=_shorter(given.text, number.start(), span))
    sink.raise_if_errors()


def _shorter(text: bytes, start: int, span: Span) -> tuple[Edit, ...]:
    """The double that a number of too many digits stands for; nothing for numbers of another kind."""
    number = _DOUBLE.match(text, start)
    if number is None:
        return ()
    place = replace(span, end_column=span.column + len(number[0]))
    return (Edit(place, repr(float(number[0].replace(b"'", b"")))),)


@dataclass(frozen=True, slots=True)
class _Outcome:
    program: Program | None
    sink: Sink
    is_faulty: bool  # clang itself could not read the file
    missing: int = 0  # headers that were not found
    errors: Errors | None = None
    read: tuple[tuple[str, str], ...] = ()  # files beside the source, with digests
    first: Message | None = None  # of the errors on account of which it is faulty, or of those that do not matter
    instead: Instead | None = None  # what could be read in place of a function with vectors among its arguments
    textures: str = ""  # the header of ours that it lacks for textures
    redefined: tuple[str, ...] = ()  # names of our declarations that it has for something of its own
    lasting: bool = False  # its errors are the same with whatever declarations the program is read

    @property
    def asks_for_kokkos(self) -> bool:
        """Whether it is faulty for want of what our declarations of Kokkos do not have."""
        return self.first is not None and of_kokkos(self.first.text)


@dataclass(frozen=True, slots=True)
class _Unit:
    """What clang has made of the source, and who reads it."""

    unit: TranslationUnit
    files: Files
    reader: Functions
    errors: Errors
    headers: Headers
    is_host: bool


class _Reading:
    """A function of one source, by one way after the other to what it needs."""

    def __init__(
        self,
        source: Source,
        request: Request,
        options: Options,
        target: Target,
        instead: Instead | None = None,
        snapshot: Snapshot | None = None,
        brought: tuple[str, ...] = (),
        real_pytorch: bool = False,
        redefined: tuple[str, ...] = (),
    ) -> None:
        self._instead = instead
        if instead is not None:
            request = replace(Request.of(instead.request) or request, text=request.text, calls=instead.calls)
        self._request = request
        headers = header_files(options.custom_derivatives)
        appended = "".join(f'\n#include "{included(str(path))}"' for path in headers)
        appended += (instead.text if instead is not None else "") + request.reference()
        self.given = Given(source, options, target, appended, snapshot, brought, real_pytorch, redefined)
        self._is_guess = _is_written_for_host(self.given.text, request.name)
        self._is_host = self._is_guess  # or once the function asked for turns out to be the host's

    def outcomes(self, headers: str | None) -> list[_Outcome]:
        """What comes of one route to CUDA's declarations after the other, until one will do."""
        found: list[_Outcome] = []
        for choice in routes(headers):
            if found and not self._may_help(choice, found[-1]):
                break
            found.append(self.attempt(choice))
            if not found[-1].is_faulty and not found[-1].missing:
                break
        return found

    def _may_help(self, headers: Headers, outcome: _Outcome) -> bool:
        """Whether other headers may make another outcome of one that is faulty."""
        first = outcome.first
        if outcome.lasting and headers.include is None:
            return False
        if outcome.asks_for_kokkos or (first is not None and texture_reference(first)):  # in whatever headers
            return False
        if first is not None and host_function(first, self.given.is_of_user) is not None:
            return False
        if headers.include is None or first is None or first.file is None:
            return True
        texts = {name: self.given.contents(name) for name in self.given.files.values()}
        program = b"\n".join(t for name, t in texts.items() if not (is_own(name) or name.startswith("/usr/")))
        if headers.has_own_libraries and may_be_lacked(first, program):
            return False
        if is_own(first.file):
            return True
        text = self.given.contents(first.file)
        return may_mend(headers.include, first, text, program, texts.values())

    def attempt(self, headers: Headers) -> _Outcome:
        """Reads device code; where the function turns out to be the host's, reads the file again as the host does."""
        outcome = self._attempt_without(headers)
        if outcome.redefined:
            return self._otherwise(self._request, redefined=outcome.redefined).attempt(headers)
        if not outcome.textures or self.given.brought:
            return outcome
        found = self._otherwise(self._request, brought=(outcome.textures,)).attempt(headers)
        return outcome if found.is_faulty else found

    def _attempt_without(self, headers: Headers) -> _Outcome:
        try:
            outcome = self._attempt(headers)
        except AskedOtherwise as asked:
            return self._otherwise(asked.request, brought=self.given.brought).attempt(headers)
        except ReadInstead as found:
            return self._through(found.instead).attempt(headers)
        if outcome.instead is None:
            return outcome
        instead = self._through(outcome.instead)._attempt(headers)
        return outcome if instead.program is None and instead.sink.found[0].code == "CP0002" else instead

    def _otherwise(
        self,
        request: Request,
        instead: Instead | None = None,
        snapshot: Snapshot | None = None,
        brought: tuple[str, ...] = (),
        redefined: tuple[str, ...] = (),
    ) -> _Reading:
        """The same source, for another request or with other headers."""
        given, real = self.given, not self.given.stands_for_pytorch
        own = (*given.redefined, *redefined)
        return _Reading(given.source, request, given.options, given.target, instead, snapshot, brought, real, own)

    def _through(self, instead: Instead) -> _Reading:
        """The same source, read through another function."""
        if self._instead is not None:
            instead = replace(instead, text=self._instead.text + instead.text)
        return self._otherwise(self._request, instead, self.given.snapshot, self.given.brought)

    def _attempt(self, headers: Headers) -> _Outcome:
        outcome = None if self._is_host else self._read(headers, is_host=False)
        if outcome is None and headers.has_library:
            outcome = self._read(with_own_library(headers), is_host=True)
            if not self._is_host:  # it was not written as it looks
                return self._attempt(headers)
            done = outcome is not None and (outcome.asks_for_kokkos or outcome.lasting)
            if outcome is None or (outcome.is_faulty and not done):  # with the whole library
                outcome = self._read(headers, is_host=True)
        return outcome if outcome is not None else _Outcome(None, Sink(), is_faulty=True)

    def _read(self, headers: Headers, is_host: bool) -> _Outcome | None:
        """None where this is the device's side and the function the host's, or the other way round."""
        given = self.given
        sink = Sink()
        with ExitStack() as units:
            unit = given.parsed(headers, is_host, units)
            given.note_files(unit)
            files = Files(unit, given.snapshot, given.source.name)
            errors = Errors(given, headers, is_host, unit, files)
            directives = given.directives(files, headers, units) if is_host else None
            reader = Functions(files, sink, is_host, directives, self._closed(errors, unit))
            entry = find(self._request, unit, files, sink, errors.in_reference)
            symbol = None
            tells_sides_apart = False
            if entry is not None:
                if _is_plain_host(entry) if not is_host else self._is_guess and not _is_plain_host(entry):
                    self._is_host, self._is_guess = not is_host, False
                    return None
                tells_sides_apart = is_host and given.tells_sides_apart()
                if tells_sides_apart and not given.target.is_one_program:
                    other = given.parsed(headers, False, units)
                    given.note_files(other)
                    device = Functions(Files(other, given.snapshot, given.source.name), sink, is_host=False)
                    reader.join(DeviceSide(other.cursor), device)
                try:
                    symbol = reader.read_all(entry)
                except CladpyError:
                    raise
                except Exception:
                    if not errors.all:
                        raise
                    entry = None  # a tree that clang has made of what is no program need not be like others
                told = tells_sides_apart and not given.has_one_side
                if told and given.target.is_one_program and _runs_kernels(reader):
                    given.has_one_side = True
                    return self._read(headers, is_host)
            read = _Unit(unit, files, reader, errors, headers, is_host)
            known = [] if entry is None else list(bodies(unit, reader.has_read))
            held = given.snapshot.texts
            lack = Lacking([m for m in errors.all if unknown_use(m.text) in reader.unmet])
            if not lack.errors:
                lack = Lacking([m for m in errors.all if not is_within(m.file, m.offset, known, held)])
            if symbol is not None and not reader.unmet:
                lack = self._lacking(lack.errors, read, known)
            if self._is_partial(errors.all) and any(d.code == "CP0004" for d in sink.found):
                lack = Lacking([])  # a template's instance may need nothing of what is missing
            relevant = errors.report(lack, sink)
            program = None
            if symbol is not None and not sink.errors:
                program = self._program(symbol, read, known, lack, sink)
                if given.options.header and entry is not None:
                    program = replace(program, named=named_types(entry, unit, given.text))
                is_of_host = tells_sides_apart and given.target.is_one_program and not given.has_one_side
                program = replace(program, is_of_host=is_of_host)
            faulty = bool(relevant) or (entry is None and bool(errors.all))
            first = next(iter(relevant or lack.apart or errors.all), None)
            flattened = self._instead is not None and bool(self._instead.counts)
            instead = None if flattened or faulty else reader.flat
            textures = _header_for([*map(texture_reference, relevant), *_refused_textures(sink)])
            lacking, digests = len(missing(lack)), given.snapshot.digests()
            own = redefined(errors.all, given.snapshot) if faulty and given.target.is_one_program else ()
            lasting = no_header_mends(relevant or errors.all, held, given.settled(is_host))
            return _Outcome(program, sink, faulty, lacking, errors, digests, first, instead, textures, own, lasting)

    def _program(self, entry: FunctionSymbol, read: _Unit, known: list[Body], lack: Lacking, sink: Sink) -> Program:
        """All that later stages need to know of the function; `known` are the bodies in the user's files."""
        given, reader, unit = self.given, read.reader, read.unit
        included = given.included()
        texts = [given.copy, *(given.contents(path) for path in included if path != given.path)]
        launches, complete = find_launches(given.text)
        declared = find_pullbacks(unit, read.files, reader.types, texts)
        pullbacks = tuple(d.pullback for d in declared if d.pullback is not None)
        forwards = find_forwards(unit, read.files, reader.types, pullbacks)

        @contextmanager
        def ask(text: bytes) -> Iterator[tuple[TranslationUnit, Files, int]]:
            held = dict(given.translated(read.is_host).texts)
            own = held[given.path]
            with given.unit(read.headers, read.is_host, {**held, given.path: own + text}) as asked:
                yield asked, Files(asked, given.snapshot, given.source.name), len(own)

        pullbacks += chosen(reader.functions.values(), declared, forwards, ask, sink)
        one_program = given.target.is_one_program
        return Program(
            entry=entry,
            functions=_with_their_files(reader.functions),
            includes=tuple(included),
            launches=launches,
            include_dirs=given.include_dirs,
            custom_pullbacks=pullbacks,
            custom_forwards=forwards,
            launches_complete=complete,
            is_for_hip=any(Path(name).parts[-2:] == _HIP_HEADER for name in given.files),
            appended="" if self._instead is None else self._instead.text,
            counts=() if self._instead is None else self._instead.counts,
            read=given.snapshot.digests(),
            absent=tuple(sorted(given.snapshot.absent)),
            macros=given.snapshot.macros(),
            unneeded=() if given.target.is_portable else self._unneeded(unit, known),
            left_out=self._left_out(read.errors, known, lack),
            missing=tuple(dict.fromkeys(map(header, missing(lack)))),
            guarded=lack.guarded,
            brought=given.brought,
            redefined=renaming(given.redefined),
            openmp=bool(given.openmp),
            has_teams=reader.has_teams,
            untold=tuple((told.instead(VOID, NOWHERE), known) for told, known in reader.untold),
            dynamic_shared=dynamic_shared_arrays(unit.cursor, given.snapshot.texts.values()) if one_program else (),
            closures=reader.closures.made,
            taken=taken_names(unit.cursor, gradient_of(entry.name), read.files),
        )

    def _closed(self, errors: Errors, unit: TranslationUnit) -> Callable[[Cursor], bool]:
        """Whether a function has a derivative of its own, and a body that only the real libraries' headers do for: the
        compiler has these where the program is for a device."""
        of_library = [m for m in errors.all if lacked(m)] if self.given.target.runs_on_device else []

        def is_closed(definition: Cursor) -> bool:
            file, _, _, start, _, _, end = definition.extent()
            name = unit.file_name(file)
            own = f"{definition.spelling}_pullback".encode()
            within = any(m.file == name and start < m.offset < end for m in of_library)
            return within and any(own in text for text in self.given.snapshot.texts.values())

        return is_closed

    def _is_partial(self, errors: list[Message]) -> bool:
        """Whether errors are of what other headers may have, which the function need not need."""
        stands_for_others = self.given.stands_for_pytorch or bool(self.given.brought)
        return is_incomplete(errors) or any(map(lacked, errors)) or (stands_for_others and bool(errors))

    def _lacking(self, errors: list[Message], read: _Unit, known: list[Body]) -> Lacking:
        """What the errors come to where headers are not found."""
        given = self.given
        if not self._is_partial(errors) or (read.is_host and given.tells_sides_apart()):
            return Lacking(errors)

        def ask(texts: Mapping[str, bytes]) -> list[Message]:
            with given.unit(read.headers, read.is_host, texts, options=KEEP_GOING | NO_BODIES) as asked:
                return asked.messages()

        pieces = Pieces(read.unit, given.snapshot.texts)
        return lacking(errors, pieces, known, given.translated(read.is_host).texts, ask)

    def _left_out(self, errors: Errors, known: list[Body], lack: Lacking) -> tuple[Omission, ...]:
        """What a compiler is spared, since clang has not understood it."""
        held = self.given.snapshot.texts
        partial = lack.apart or self.given.brought
        spoilt = [b for b in known if partial and any(is_within(m.file, m.offset, [b], held) for m in errors.all)]
        broken = [self._omission(b.file, *b.within, True) for b in spoilt if b.within is not None]
        return (*(self._omission(*part) for part in lack.left_out), *broken)

    def _unneeded(self, unit: TranslationUnit, known: list[Body]) -> tuple[Omission, ...]:
        """What a compiler that does not take the whole file need not be given: the host's, or one for devices alone."""
        pieces = Pieces(unit, self.given.snapshot.texts)
        parts = [self._omission(b.file, *b.within, True) for b in known if b.within and b.file in pieces.texts]
        return (*parts, *(self._omission(p.file, p.start, p.end) for p in not_needed(pieces, known)))

    def _omission(self, path: str, start: int, end: int, is_body: bool = False) -> Omission:
        return Omission("" if path == self.given.path else os.path.realpath(path), start, end, is_body)


def _refused_textures(sink: Sink) -> Iterator[str]:
    """The types of textures that were refused where CUDA declares them."""
    return (d.message for d in sink.found if d.code == "CP0110")


def _header_for(types: list[str]) -> str:
    """Our header that stands for these types of textures; none for what is none, or has no such header."""
    if any("cudaTextureObject_t" in type for type in types):
        return _OBJECTS
    return _REFERENCES if any(types) and not any("cudaSurfaceObject_t" in type for type in types) else ""


def _is_written_for_host(text: bytes, name: str) -> bool:
    """Whether a function looks like the host's, which spares a parse for the device: it begins a line, behind what has
    ended, with nothing but C++'s own words before its name, and there is one of it."""
    return len(re.findall(_WRITTEN_FOR_HOST % re.escape(name.encode()), text)) == 1


def _is_plain_host(entry: Cursor) -> bool:
    attributes = {c.kind for c in entry.children() if 400 <= c.kind < 500}
    return not attributes & {CursorKind.CUDA_GLOBAL_ATTR, CursorKind.CUDA_DEVICE_ATTR}


def _runs_kernels(reader: Functions) -> bool:
    return any(symbol.kind is FunctionKind.KERNEL for symbol in reader.functions)


def _with_their_files(functions: Mapping[FunctionSymbol, Function]) -> dict[FunctionSymbol, Function]:
    """Functions that were made for what stands in a header of the system's are of it too."""
    files = {f.span.file for f in functions.values() if f.of_system}
    return {s: replace(f, of_system=True) if f.span.file in files else f for s, f in functions.items()}
