"""The front end's only entrance: source and options in, surface program out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from cladpy.diagnostics import CladpyError, Note, Sink, Span, UsageError
from cladpy.frontend.again import unknown_parts
from cladpy.frontend.chosen import chosen
from cladpy.frontend.custom import find_forwards, find_pullbacks, header_files
from cladpy.frontend.directives import READ_WITH, Directives
from cladpy.frontend.dynamic_shared import dynamic_shared_arrays
from cladpy.frontend.files import Files
from cladpy.frontend.functions import Functions
from cladpy.frontend.incomplete import DEPENDS, Lacking, is_incomplete, lacking, not_needed, texture_reference
from cladpy.frontend.instead import Instead, ReadInstead
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.launches import find_launches, join_brackets
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.limits import limits
from cladpy.frontend.lookup import AskedOtherwise, Request, find
from cladpy.frontend.macros import Translated, told_apart, translated
from cladpy.frontend.mending import NOT_FOUND, lacks_algorithm, may_mend, of_library
from cladpy.frontend.native import native_folder
from cladpy.frontend.pieces import Body, Pieces, bodies, is_within
from cladpy.frontend.pytorch import is_pytorchs, may_stand, without_pytorch
from cladpy.frontend.refused import REFUSALS, refuse
from cladpy.frontend.sides import DeviceSide
from cladpy.frontend.snapshot import Snapshot
from cladpy.frontend.taken import taken_names
from cladpy.frontend.toolkit import Headers, routes, with_own_library
from cladpy.frontend.unit import KEEP_GOING, NO_BODIES, Message, TranslationUnit, predefined
from cladpy.frontend.wrong_side import calling, host_function
from cladpy.ir.surface import Function, Omission, Program
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, gradient_of
from cladpy.options import Options
from cladpy.quoting import included
from cladpy.resources import custom_derivatives_dir, torch_shim_dir
from cladpy.source import Source
from cladpy.targets import TARGETS, Target
from cladpy.toolchain.openmp import has_directives, openmp_flags
from cladpy.toolchain.predefined import macros_of

_ERROR = 3
_SIDES = (b"__CUDA_ARCH__", b"__HIP_DEVICE_COMPILE__")
_DEFAULT_ARCH = "sm_90"
_BRACKETS = 512  # more would overflow the stack that libclang gives its parser
_MOST = 50  # of clang's errors, in the order of the file: more help nobody
# clang writes past the end of a buffer for more than 16,494 digits after the point
_DIGITS = re.compile(rb"[\d.'][\da-fA-F.']{8192,}")
_TOO_DEEP = "bracket nesting level exceeded"
# What clang refuses in device code too, in words that say less.
_CLANG_REFUSES = ("CP0101", "CP0103", "CP0115")
_FOLDER = "name its folder with -I (include_dirs)"
_CUDAS = "CUDA's own headers come with a toolkit, or from PyPI: nvidia-cuda-runtime"
_LIBRARY_CALLS = "docs/library-calls.md"
_FOLLOWING = ("CP0105", "CP0198")  # what may be said of what clang could not read
_HIP_HEADER = ("hip", "hip_runtime.h")
_TEXTURES = "cladpy/texture_references.h"  # stands for what CUDA has no longer
_IS_READ = "-DCLADPY_IS_READ"  # leaves out of these what is not followed
_SHIPPED = str(Path(__file__).parent / "headers")
_DEFINITIONS = str(Path(__file__).parent / "headers" / "cladpy_defined_by_compiler.h")  # no file: see `macros`


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
    reading.check_numbers(sink)
    outcomes = reading.outcomes(headers)
    if reading.stands_for_pytorch and outcomes[-1].is_faulty and reading.has_pytorch:
        outcomes += _Reading(source, request, options, TARGETS[target], real_pytorch=True).outcomes(headers)
    # without cladpy's own headers of libraries more may be missing than is: what nobody has is what helps
    telling = [o for o in outcomes if o.sink.found]
    whole = [o for o in outcomes if not o.is_faulty]
    outcome = min(whole or reversed(telling), key=lambda o: o.missing)
    for diagnostic in outcome.sink.found:
        sink.report(diagnostic)
    sink.raise_if_errors()
    assert outcome.program is not None
    return outcome.program


@dataclass(frozen=True, slots=True)
class _Outcome:
    program: Program | None
    sink: Sink
    is_faulty: bool  # clang itself could not read the file
    missing: int = 0  # headers that were not found
    first: Message | None = None  # of the errors on account of which it is faulty, or of those that do not matter
    instead: Instead | None = None  # what could be read in place of a function with vectors among its arguments
    lacks_textures: bool = False  # whether it is faulty for want of texture references, too


class _Reading:
    """One source with its options, as it is handed to clang."""

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
    ) -> None:
        self._target = target
        self._source = source
        self._request = request
        self._options = options
        self._text = source.text.encode("utf-8", errors="surrogateescape")
        self._path = str(source.path) if source.path is not None else os.path.join(os.getcwd(), source.name)
        self._is_host = False  # once the function asked for turns out to be the host's
        self._custom = header_files(options.custom_derivatives)
        self._instead = instead
        self._brought = brought
        if instead is not None:
            found = Request.of(instead.request) or request
            request = self._request = replace(found, text=request.text, calls=instead.calls)
        appended = "".join(f'\n#include "{included(str(path))}"' for path in self._custom)
        appended += (instead.text if instead is not None else "") + request.reference()
        self._copy = join_brackets(self._text) + appended.encode("utf-8", errors="surrogateescape")
        others = without_pytorch(options.include_dirs)
        self.has_pytorch = others != options.include_dirs
        if snapshot is None:
            snapshot = Snapshot.of(self._path, self._copy, options.include_dirs if real_pytorch else others)
            if not real_pytorch and not may_stand(snapshot.texts.values()):
                real_pytorch = True
                snapshot = Snapshot.of(self._path, self._copy, options.include_dirs)
        self.stands_for_pytorch = not real_pytorch
        self._include_dirs = options.include_dirs if real_pytorch else others
        self._snapshot = snapshot.with_main(self._copy)
        self._minds_openmp = options.openmp != "off"
        minded = self._minds_openmp and has_directives(self._snapshot.texts.values())
        self._openmp = openmp_flags(target.name) if minded else ()
        self._macros = macros_of(target.name, options.std, options.arch, self._openmp)
        self._translated: dict[bool, Translated] = {}
        self._has_one_side = False  # once a program for the host, which is compiled once, turns out to run kernels
        self._files: dict[str, str] = {}  # what any parse has read, by its real path: the first name it was read by

    def check_numbers(self, sink: Sink) -> None:
        """Reports CP0011 for a number of more digits than clang can read."""
        for number in _DIGITS.finditer(self._text):
            line = self._text.count(b"\n", 0, number.start()) + 1
            column = number.start() - self._text.rfind(b"\n", 0, number.start())
            refuse(sink, "CP0011", Span(self._source.name, line, column, line, column + 1))
        sink.raise_if_errors()

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
        if first is not None and texture_reference(first):  # which is refused however it is declared
            return False
        if first is not None and host_function(first, self._is_of_user) is not None:
            return False
        if headers.include is None or first is None or first.file is None or self._is_own(first.file):
            return True
        text = self._contents(first.file)
        texts = {name: self._contents(name) for name in self._files.values()}
        program = (t for name, t in texts.items() if not (self._is_own(name) or name.startswith("/usr/")))
        if self._is_host and lacks_algorithm(headers.include, first):
            return False
        return may_mend(headers.include, first, text, b"\n".join(program), texts.values())

    def attempt(self, headers: Headers) -> _Outcome:
        """Reads device code; where the function turns out to be the host's, reads the file again as the host does."""
        outcome = self._attempt_without(headers)
        if not outcome.lacks_textures or self._brought:
            return outcome
        with_textures = self._otherwise(self._request, (_TEXTURES,))
        found = with_textures.attempt(headers)
        return outcome if found.is_faulty else found

    def _attempt_without(self, headers: Headers) -> _Outcome:
        try:
            outcome = self._attempt(headers)
        except AskedOtherwise as asked:
            return self._otherwise(asked.request, self._brought).attempt(headers)
        except ReadInstead as found:
            return self._through(found.instead).attempt(headers)
        if outcome.instead is None:
            return outcome
        instead = self._through(outcome.instead)._attempt(headers)
        return outcome if instead.program is None and instead.sink.found[0].code == "CP0002" else instead

    def _otherwise(self, request: Request, brought: tuple[str, ...]) -> _Reading:
        """The same source, for another request or with more headers."""
        real = not self.stands_for_pytorch
        return _Reading(self._source, request, self._options, self._target, brought=brought, real_pytorch=real)

    def _through(self, instead: Instead) -> _Reading:
        """The same source, read through another function."""
        if self._instead is not None:
            instead = replace(instead, text=self._instead.text + instead.text)
        real = not self.stands_for_pytorch
        return _Reading(
            self._source, self._request, self._options, self._target, instead, self._snapshot, self._brought, real
        )

    def _attempt(self, headers: Headers) -> _Outcome:
        outcome = None if self._is_host else self._read(headers, is_host=False)
        if outcome is None and headers.has_library:
            outcome = self._read(with_own_library(headers), is_host=True)
            if outcome is None or outcome.is_faulty:  # the program needs more of the C++ library than cladpy has
                outcome = self._read(headers, is_host=True)
        return outcome if outcome is not None else _Outcome(None, Sink(), is_faulty=True)

    def _read(self, headers: Headers, is_host: bool) -> _Outcome | None:
        sink = Sink()
        with ExitStack() as units:
            unit = self._parsed(headers, is_host, units)
            self._note_files(unit)
            files = Files(unit, self._snapshot, self._source.name)
            messages = [m for m in unit.messages() if m.severity >= _ERROR]
            errors = [self._without_appended(self._as_written(m, is_host)) for m in messages]
            in_reference = [m for m in errors if self._is_in_reference(m)]
            unclosed = [m for m in map(self._at_opening, in_reference) if m is not None]
            errors = [m for m in errors if not self._is_in_reference(m)] + unclosed
            directives = self._directives(files, headers, units) if is_host else None
            reader = Functions(files, sink, is_host, directives)
            entry = find(self._request, unit, files, sink, in_reference)
            symbol = None
            tells_sides_apart = False
            if entry is not None:
                if not is_host and _is_plain_host(entry):
                    self._is_host = True
                    return None
                tells_sides_apart = is_host and self._tells_sides_apart()
                if tells_sides_apart and not self._target.is_one_program:
                    other = self._parsed(headers, False, units)
                    self._note_files(other)
                    device = Functions(Files(other, self._snapshot, self._source.name), sink, is_host=False)
                    reader.join(DeviceSide(other.cursor), device)
                try:
                    symbol = reader.read_all(entry)
                except CladpyError:
                    raise
                except Exception:
                    if not errors:
                        raise
                    entry = None  # a tree that clang has made of what is no program need not be like others
                told = tells_sides_apart and not self._has_one_side
                if told and self._target.is_one_program and _runs_kernels(reader):
                    self._has_one_side = True
                    return self._read(headers, is_host)
            known = [] if entry is None else list(bodies(unit, reader.has_read))
            held = self._snapshot.texts
            relevant = [m for m in errors if not is_within(m.file, m.offset, known, held)]
            lack = Lacking(relevant)
            if symbol is not None:
                lack = self._lacking(relevant, unit, known, headers, is_host)
            relevant = lack.errors[:_MOST]
            found = [d for d in sink.found if d.code != "CP0002" or not unclosed]
            sink.found.clear()
            if any(m.text.startswith(_TOO_DEEP) for m in relevant):
                relevant = [m for m in relevant if m.text.startswith(_TOO_DEEP)]
                found.clear()  # clang gave up there
            again = unknown_parts(relevant, self._files)
            if again:  # all else follows from these
                relevant, found = [], []
            refused = {(d.span.file, d.span.line) for d in found if d.span is not None and d.code in _CLANG_REFUSES}
            for message, part in again:
                refuse(sink, "CP0014", _place(message, files), f"'{part}'")
            for message in relevant:
                if (files.name(message.file), message.line) not in refused:
                    self._report(message, files, sink)
            for diagnostic in found:
                if diagnostic.code not in _FOLLOWING or not relevant:
                    sink.report(diagnostic)
            self._report_doubts(is_host, files, sink)
            missing = [m for m in (*lack.errors, *lack.apart) if NOT_FOUND in m.text]
            untold = (m for m in missing if not (self.stands_for_pytorch and is_pytorchs(_name(m))))
            for message in untold if lack.apart else ():
                said = f"the function is read without '{_name(message)}', which is not found"
                sink.warning("CP0015", said, _place(message, files), hint=f"{_FOLDER}; {_CUDAS}")
            spoilt = [b for b in known if lack.apart and any(is_within(m.file, m.offset, [b], held) for m in errors)]
            broken = [self._omission(b.file, *b.within, True) for b in spoilt if b.within is not None]
            program = None
            if symbol is not None and not sink.errors:
                included = self._included()
                texts = [self._copy, *(self._contents(path) for path in included if path != self._path)]
                launches, complete = find_launches(self._text)
                declared = find_pullbacks(unit, files, reader.types, texts)
                pullbacks = tuple(d.pullback for d in declared if d.pullback is not None)
                forwards = find_forwards(unit, files, reader.types, pullbacks)

                @contextmanager
                def ask(text: bytes) -> Iterator[tuple[TranslationUnit, Files, int]]:
                    given = dict(self._given(is_host).texts)
                    own = given[self._path]
                    with self._unit(headers, is_host, {**given, self._path: own + text}, ()) as asked:
                        yield asked, Files(asked, self._snapshot, self._source.name), len(own)

                pullbacks += chosen(reader.functions.values(), declared, forwards, ask, sink)
                program = Program(
                    entry=symbol,
                    functions=_with_their_files(reader.functions),
                    includes=tuple(included),
                    launches=launches,
                    include_dirs=(*self._include_dirs, *([str(torch_shim_dir())] if self.stands_for_pytorch else [])),
                    custom_pullbacks=pullbacks,
                    custom_forwards=forwards,
                    launches_complete=complete,
                    is_for_hip=any(Path(name).parts[-2:] == _HIP_HEADER for name in self._files),
                    has_volatile=reader.types.has_volatile,
                    appended="" if self._instead is None else self._instead.text,
                    counts=() if self._instead is None else self._instead.counts,
                    read=self._snapshot.digests(),
                    absent=tuple(sorted(self._snapshot.absent)),
                    macros=self._snapshot.macros(),
                    unneeded=self._unneeded(unit, known),
                    left_out=(*(self._omission(*part) for part in lack.left_out), *broken),
                    missing=tuple(dict.fromkeys(map(_name, missing))),
                    guarded=lack.guarded,
                    brought=self._brought,
                    openmp=bool(self._openmp),
                    dynamic_shared=(
                        dynamic_shared_arrays(unit.cursor, self._snapshot.texts.values())
                        if self._target.is_one_program
                        else ()
                    ),
                    closures=reader.closures.made,
                    taken=taken_names(unit.cursor, gradient_of(symbol.name), files),
                    is_of_host=tells_sides_apart and self._target.is_one_program and not self._has_one_side,
                )
            faulty = bool(relevant) or (entry is None and bool(errors))
            first = next(iter(relevant or lack.apart or errors), None)
            flattened = self._instead is not None and bool(self._instead.counts)
            instead = None if flattened or faulty else reader.flat
            lacks_textures = faulty and any(map(texture_reference, relevant))
            return _Outcome(program, sink, faulty, len(missing), first, instead, lacks_textures)

    def _lacking(
        self, errors: list[Message], unit: TranslationUnit, known: list[Body], headers: Headers, is_host: bool
    ) -> Lacking:
        """What the errors come to where headers are not found."""
        incomplete = is_incomplete(errors) or (self.stands_for_pytorch and bool(errors))
        if not incomplete or (is_host and self._tells_sides_apart()):
            return Lacking(errors)

        def ask(texts: Mapping[str, bytes]) -> list[Message]:
            with self._unit(headers, is_host, texts, (), KEEP_GOING | NO_BODIES) as asked:
                return asked.messages()

        return lacking(errors, Pieces(unit, self._snapshot.texts), known, self._given(is_host).texts, ask)

    def _unneeded(self, unit: TranslationUnit, known: list[Body]) -> tuple[Omission, ...]:
        """What a host's compiler need not be given, if the program is for one."""
        if not self._target.is_one_program:
            return ()
        pieces = Pieces(unit, self._snapshot.texts)
        parts = [self._omission(b.file, *b.within, True) for b in known if b.within and b.file in pieces.texts]
        return (*parts, *(self._omission(p.file, p.start, p.end) for p in not_needed(pieces, known)))

    def _omission(self, path: str, start: int, end: int, is_body: bool = False) -> Omission:
        return Omission("" if path == self._path else os.path.realpath(path), start, end, is_body)

    def _directives(self, files: Files, headers: Headers, units: ExitStack) -> Directives:
        """What OpenMP's directives say, in host code. A device's compiler has none."""
        given = [f"{name}={value or 1}" for name, value in self._options.defines]
        minded = tuple(flag for name, flag in READ_WITH.items() if name != "omp" or self._minds_openmp)
        return Directives(
            files, self._snapshot, given, lambda: self._parsed(headers, True, units, minded), self._minds_openmp
        )

    def _parsed(self, headers: Headers, is_host: bool, units: ExitStack, more: tuple[str, ...] = ()) -> TranslationUnit:
        """The program as clang reads it, with what the snapshot holds of the user's files; `more` are options."""
        while True:
            unit = self._unit(headers, is_host, self._given(is_host).texts, more)
            if not self._snapshot.add(unit.inclusions()):
                return units.enter_context(unit)
            self._translated.clear()
            unit.close()

    def _unit(
        self,
        headers: Headers,
        is_host: bool,
        texts: Mapping[str, bytes],
        more: tuple[str, ...],
        options: int = KEEP_GOING,
    ) -> TranslationUnit:
        """What clang makes of the user's files where they hold these texts."""
        unsaved = {**texts, **dict(headers.replaced)}
        unsaved[_DEFINITIONS] = self._given(is_host).definitions + self._warp_size()
        arguments = ["-include", _DEFINITIONS, *self._arguments(headers, is_host), *more]
        arguments += [a for name in self._brought for a in ("-include", str(custom_derivatives_dir() / name))]
        arguments += [_IS_READ] if self._brought else ()
        return TranslationUnit(self._path, arguments, unsaved, limits(self._text, headers), options)

    def _given(self, is_host: bool) -> Translated:
        """The user's files with other names for what the compiler defines in another way than clang."""
        is_host = is_host and not self._has_one_side
        if is_host not in self._translated:
            plain = tuple(self._own_arguments(is_host))
            self._translated[is_host] = translated(
                self._snapshot.texts,
                self._macros.host if is_host else self._macros.device,
                lambda: predefined(plain),
                [name.partition("(")[0] for name, _ in self._options.defines],
                self._macros,
            )
        return self._translated[is_host]

    def _warp_size(self) -> bytes:
        """Where a program for CUDA is emitted for HIP, the size of a warp is a number."""
        is_for_cuda = not any(b"hip_runtime.h" in text for text in self._snapshot.texts.values())
        return b"#define CLADPY_WARP_SIZE 32\n" if self._target.has_warps_of_its_own and is_for_cuda else b""

    def _as_written(self, message: Message, is_host: bool) -> Message:
        """A message of clang's with the names that the user wrote."""
        given = self._given(is_host)
        notes = tuple(replace(n, text=given.original(n.text)) for n in message.notes)
        return replace(message, text=given.original(message.text), notes=notes)

    def _report(self, message: Message, files: Files, sink: Sink) -> None:
        if message.text.startswith(_TOO_DEEP):
            refuse(sink, "CP0007", _place(message, files))
            return
        if texture_reference(message):
            refuse(sink, "CP0110", _place(message, files), f"'{texture_reference(message)}'")
            return
        wrong = host_function(message, self._is_of_user)
        if wrong is not None:
            caller = calling(message, self._is_of_user)
            called = () if caller is None else (Note("it is called for here", _place(caller, files)),)
            refusal = REFUSALS["CP0016"]
            sink.error("CP0016", refusal.what, _place(wrong, files), notes=called, hint=refusal.hint)
            return
        hint: str | None = f"{_LIBRARY_CALLS} has those that are known" if of_library(message) else None
        if NOT_FOUND in message.text:
            doubtful = any(n.text.startswith(DEPENDS) for n in message.notes)
            stands_in = ", or one with a file of this name that defines what it decides" if doubtful else ""
            hint = f"{_FOLDER}{stands_in}; {_CUDAS}"
        notes = tuple(Note(n.text, _place(n, files)) for n in message.notes)
        sink.error("CP0001", message.text, _place(message, files), notes=notes, hint=hint)

    def _report_doubts(self, is_host: bool, files: Files, sink: Sink) -> None:
        for doubt in self._given(is_host).doubts:
            text = self._snapshot.texts[doubt.path]
            line = text.count(b"\n", 0, doubt.offset) + 1
            column = doubt.offset - text.rfind(b"\n", 0, doubt.offset)
            refuse(sink, "CP0013", Span(files.name(doubt.path), line, column, line, column + doubt.length), doubt.name)

    def _tells_sides_apart(self) -> bool:
        """Whether the host and the device may see different programs."""
        if not self._macros.device:  # there is no compiler that could say
            return any(side in text for text in self._snapshot.texts.values() for side in _SIDES)
        host, device = (self._macros.host, self._macros.device)
        names = (n for n in {*host, *device} if host.get(n) != device.get(n))
        return told_apart(self._snapshot.texts.values(), names)

    def _own_arguments(self, is_host: bool) -> list[str]:
        """What decides which macros clang defines by itself."""
        arch = self._options.arch or _DEFAULT_ARCH
        if not arch.startswith("sm_"):
            arch = _DEFAULT_ARCH
        resource = str(native_folder() / "resource")
        arguments = ["-x", "cuda", "--cuda-host-only" if is_host else "--cuda-device-only", f"--cuda-gpu-arch={arch}"]
        return [*arguments, "-nocudainc", "-nocudalib", "-resource-dir", resource, f"-std={self._options.std}", "-w"]

    def _arguments(self, headers: Headers, is_host: bool) -> list[str]:
        options = self._options
        arguments = self._own_arguments(is_host)
        arguments += [f"-fbracket-depth={_BRACKETS}", "-ferror-limit=0", "-ftemplate-depth=1024", "-Wno-register"]
        arguments += self._target.read_with_declarations if headers.route == "declarations" else ()
        arguments += [*self._target.read_with, *(self._target.read_with_on_host if is_host else ())]
        arguments += [f"-D{name}={value}" if value else f"-D{name}" for name, value in options.defines]
        arguments += [f"-I{folder}" for folder in self._include_dirs]
        stand_in = ["-isystem", str(torch_shim_dir())] if self.stands_for_pytorch else []
        return [*arguments, *stand_in, *headers.arguments]

    def _contents(self, path: str) -> bytes:
        found = self._snapshot.text(path)
        try:
            return found if found is not None else Path(path).read_bytes()
        except OSError:
            return b""

    def _without_appended(self, message: Message) -> Message:
        """The message without notes on the lines that were appended to the file."""
        notes = tuple(n for n in message.notes if n.file != self._path or n.offset <= len(self._text))
        return replace(message, notes=notes)

    def _is_in_reference(self, message: Message) -> bool:
        """Whether an error lies in the lines that were appended."""
        return message.file == self._path and message.offset > len(self._text)

    def _at_opening(self, message: Message) -> Message | None:
        """An error that the appended lines show of what the user's text leaves open, there; None for others."""
        for note in message.notes:
            if note.text.startswith("to match this") and not self._is_in_reference(note):
                return replace(note, severity=message.severity, text=f"{message.text}, {note.text}", notes=())
        return None

    def _note_files(self, unit: TranslationUnit) -> None:
        """Keeps names as they were looked for, since a link may lead elsewhere by the next run; but not where they go
        up from a link's target, which build systems do not understand."""
        for name in unit.inclusions():
            real, plain = os.path.realpath(name), os.path.abspath(name)
            self._files.setdefault(real, plain if os.path.realpath(plain) == real else real)

    def _included(self) -> list[str]:
        """The user's and the system's files that were read: not those that cladpy or libclang brings."""
        others = [name for real, name in self._files.items() if real != self._path and not self._is_own(real)]
        return [self._path, *others] if self._source.path is not None else others

    def _is_of_user(self, name: str | None) -> bool:
        return name is not None and name in self._snapshot.texts

    @staticmethod
    def _is_own(name: str) -> bool:
        """Whether a file is one that cladpy or libclang brings."""
        own = (_SHIPPED + os.sep, str(native_folder()) + os.sep, str(custom_derivatives_dir()) + os.sep)
        return os.path.realpath(name).startswith(own)


def _is_plain_host(entry: Cursor) -> bool:
    attributes = {c.kind for c in entry.children() if 400 <= c.kind < 500}
    return not attributes & {CursorKind.CUDA_GLOBAL_ATTR, CursorKind.CUDA_DEVICE_ATTR}


def _runs_kernels(reader: Functions) -> bool:
    return any(symbol.kind is FunctionKind.KERNEL for symbol in reader.functions)


def _name(message: Message) -> str:
    """Of the header that is not found."""
    return message.text.split("'")[1]


def _place(message: Message, files: Files) -> Span | None:
    if message.file is None:
        return None
    return Span(files.name(message.file), message.line, message.column, message.line, message.column + 1)


def _with_their_files(functions: Mapping[FunctionSymbol, Function]) -> dict[FunctionSymbol, Function]:
    """Functions that were made for what stands in a header of the system's are of it too."""
    files = {f.span.file for f in functions.values() if f.of_system}
    return {s: replace(f, of_system=True) if f.span.file in files else f for s, f in functions.items()}
