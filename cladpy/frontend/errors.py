"""What clang could not read of a program, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

from cladpy.diagnostics import Diagnostic, Note, Sink, Span
from cladpy.edits import Edit
from cladpy.frontend.again import unknown_parts
from cladpy.frontend.declared import device_too
from cladpy.frontend.files import Files
from cladpy.frontend.given import Given
from cladpy.frontend.incomplete import DEPENDS, Lacking, texture_reference
from cladpy.frontend.kokkos import of_kokkos, unknown_name, unknown_use
from cladpy.frontend.lacked import HINT, asked_for, lacked
from cladpy.frontend.member_templates import with_keyword, without_keyword
from cladpy.frontend.mending import NOT_FOUND
from cladpy.frontend.pytorch import is_pytorchs
from cladpy.frontend.refused import REFUSALS, refuse
from cladpy.frontend.toolkit import Headers
from cladpy.frontend.unit import FixIt, Message, TranslationUnit
from cladpy.frontend.wrong_side import calling, host_function

_ERROR = 3
_MOST = 50  # of clang's errors, in the order of the file: more help nobody
_TOO_DEEP = "bracket nesting level exceeded"
# What clang refuses in device code too, in words that say less.
_CLANG_REFUSES = ("CP0101", "CP0103", "CP0115")
_FOLDER = "name its folder with -I (include_dirs)"
_CUDAS = "CUDA's own headers come with a toolkit, or from PyPI: nvidia-cuda-runtime"
_UNKNOWN_NAMES = (
    "use of undeclared identifier",
    "unknown type name",
    "no member named",
    "no type named",
    "no template",
)
_MEANT = "; did you mean"
_SPELLING = "-fspell-checking"  # libclang does without as long as it is not asked
_FOLLOWING = ("CP0005", "CP0105", "CP0198")  # what may be said of what clang could not read


class Errors:
    """Clang's errors about one reading of a program."""

    def __init__(self, given: Given, headers: Headers, is_host: bool, unit: TranslationUnit, files: Files) -> None:
        self._given = given
        self._headers = headers
        self._is_host = is_host
        self._unit = unit
        self._files = files
        self._last = given.text.count(b"\n") + 1
        messages = [m for m in unit.messages() if m.severity >= _ERROR]
        errors = self._at_uses([self._without_appended(given.as_written(m, is_host)) for m in messages])
        if headers.has_own_libraries:
            errors = [asked_for(m, given.is_of_user) for m in errors]
        self.in_reference = [m for m in errors if self._is_appended(m)]
        """Those in the lines that were appended to the file."""
        self._unclosed = [m for m in map(self._at_opening, self.in_reference) if m is not None]
        self.all = [m for m in errors if not self._is_appended(m)] + self._unclosed
        """The others, and what the appended lines show of what the user's text leaves open."""

    def report(self, lack: Lacking, sink: Sink) -> list[Message]:
        """Adds to what the front end has found what is to be said of what is lacking, leaves out of it what follows
        from that, and gives the errors that matter."""
        relevant = lack.errors[:_MOST]
        found = [d for d in sink.found if d.code != "CP0002" or not self._unclosed]
        sink.found.clear()
        if any(m.text.startswith(_TOO_DEEP) for m in relevant):
            relevant = [m for m in relevant if m.text.startswith(_TOO_DEEP)]
            found.clear()  # clang gave up there
        unknown = [m for m in relevant if of_kokkos(m.text) or lacked(m)]
        if unknown:
            relevant = unknown
            found.clear()  # what it is made of is not known
        again = unknown_parts(relevant, self._given.files)
        if again:  # all else follows from these
            relevant, found = [], []
        for message, part in again:
            refuse(sink, "CP0014", self._place(message), f"'{part}'")
        refused = {(d.span.file, d.span.line) for d in found if d.span is not None and d.code in _CLANG_REFUSES}
        for message in relevant:
            if (self._files.name(message.file), message.line) not in refused:
                self._report(message, sink)
        self._add(found, bool(relevant), sink)
        self._report_doubts(sink)
        self._report_missing(lack, sink)
        return relevant

    @staticmethod
    def _add(found: list[Diagnostic], is_faulty: bool, sink: Sink) -> None:
        for diagnostic in found:
            if diagnostic.code not in _FOLLOWING or not is_faulty:
                sink.report(diagnostic)

    def _report(self, message: Message, sink: Sink) -> None:
        if message.text.startswith(_TOO_DEEP):
            refuse(sink, "CP0007", self._place(message))
            return
        if texture_reference(message):
            refuse(sink, "CP0110", self._place(message), f"'{texture_reference(message)}'")
            return
        use = unknown_use(message.text)
        if use is not None:
            said = f"of Kokkos no more is known here than this: {use}"
            sink.error("CP0018", said, self._place(message), hint=REFUSALS["CP0018"].hint)
            return
        unknown = unknown_name(message.text)
        if unknown is not None:
            refuse(sink, "CP0018", self._place(message), f"'{unknown}'")
            return
        wrong = host_function(message, self._given.is_of_user)
        if wrong is not None:
            caller = calling(message, self._given.is_of_user)
            called = () if caller is None else (Note("it is called for here", self._place(caller)),)
            patch = device_too(wrong, self._unit, self._files)
            refuse(sink, "CP0016", self._place(wrong), notes=called, patch=patch)
            return
        lack = lacked(message)
        if lack is not None:
            sink.error("CP0224", lack, self._place(message), hint=HINT)
            return
        hint: str | None = None
        if NOT_FOUND in message.text:
            doubtful = any(n.text.startswith(DEPENDS) for n in message.notes)
            stands_in = ", or one with a file of this name that defines what it decides" if doubtful else ""
            hint = f"{_FOLDER}{stands_in}; {_CUDAS}"
        patch = self._patch(message)
        text = self._given.snapshot.texts.get(message.file or "", b"")
        template = without_keyword(message, text)
        if template is not None and message.file is not None:
            hint = f"write 'template' before '{template}', which is one of a class that depends on parameters"
            patch = with_keyword(message, text, self._files.name(message.file))
        notes = tuple(Note(n.text, self._place(n)) for n in message.notes)
        sink.error("CP0001", message.text, self._place(message), notes=notes, hint=hint, patch=patch)

    def _report_missing(self, lack: Lacking, sink: Sink) -> None:
        """Headers without which the function is read."""
        for message in missing(lack) if lack.apart else ():
            if not (self._given.stands_for_pytorch and is_pytorchs(header(message))):
                said = f"the function is read without '{header(message)}', which is not found"
                sink.warning("CP0015", said, self._place(message), hint=f"{_FOLDER}; {_CUDAS}")

    def _report_doubts(self, sink: Sink) -> None:
        for doubt in self._given.translated(self._is_host).doubts:
            text = self._given.snapshot.texts[doubt.path]
            line = text.count(b"\n", 0, doubt.offset) + 1
            column = doubt.offset - text.rfind(b"\n", 0, doubt.offset)
            span = Span(self._files.name(doubt.path), line, column, line, column + doubt.length)
            refuse(sink, "CP0013", span, doubt.name)

    def _place(self, message: Message) -> Span | None:
        if message.file is None:
            return None
        line, column = message.line, message.column
        return Span(self._files.name(message.file), line, column, line, column + 1)

    def suggested(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """What was found, with names that are like those which are not known. Clang is asked for these alone: it goes
        on with what it thinks was meant, and reads another program."""
        unknown = [d for d in found if d.code == "CP0001" and not d.patch and d.message.startswith(_UNKNOWN_NAMES)]
        if not unknown:
            return found
        given = self._given
        with given.unit(self._headers, self._is_host, given.translated(self._is_host).texts, (_SPELLING,)) as unit:
            messages = [given.as_written(m, self._is_host) for m in unit.messages()]
        near = {self._place(m): m for m in messages if m.fixes and _MEANT in m.text}
        return [self._meant(d, near[d.span]) if d in unknown and d.span in near else d for d in found]

    def _meant(self, found: Diagnostic, near: Message) -> Diagnostic:
        return replace(found, hint=f"did you mean{near.text.partition(_MEANT)[2]}", patch=self._patch(near))

    def _patch(self, message: Message) -> tuple[Edit, ...]:
        """What clang would write instead, where all of that is in files of the user's."""
        if not all(self._given.is_of_user(f.file) and not self._is_appended(f) for f in message.fixes):
            return ()
        places = (Span(self._files.name(f.file), *f.start, *f.end) for f in message.fixes)
        return tuple(Edit(place, f.text) for place, f in zip(places, message.fixes, strict=True))

    def _without_appended(self, message: Message) -> Message:
        """The message without notes on the lines that were appended to the file."""
        notes = tuple(n for n in message.notes if not self._is_appended(n))
        return replace(message, notes=notes)

    def _at_uses(self, messages: list[Message]) -> list[Message]:
        """The messages, where what our declarations of Kokkos do not have is said where the user's program asks for it,
        without what clang says next of the same instantiation of these, with no notes on where it comes from."""
        found: list[Message] = []
        follows = False
        for message in messages:
            at = next((n for n in reversed(message.notes) if self._given.is_of_user(n.file)), message)
            if follows and at is message and not self._given.is_of_user(message.file):
                continue
            follows = unknown_use(message.text) is not None
            found.append(
                replace(message, file=at.file, line=at.line, column=at.column, offset=at.offset) if follows else message
            )
        return found

    def _is_appended(self, place: Message | FixIt) -> bool:
        """Whether it is about the lines that were appended."""
        return place.file == self._given.path and place.line > self._last

    def _at_opening(self, message: Message) -> Message | None:
        """An error that the appended lines show of what the user's text leaves open, there; None for others."""
        for note in message.notes:
            if note.text.startswith("to match this") and not self._is_appended(note):
                return replace(note, severity=message.severity, text=f"{message.text}, {note.text}", notes=())
        return None


def missing(lack: Lacking) -> list[Message]:
    """Of headers that are not found."""
    return [m for m in (*lack.errors, *lack.apart) if NOT_FOUND in m.text]


def header(message: Message) -> str:
    """The header that is not found."""
    return message.text.split("'")[1]
