"""Which functions of a folder of CUDA sources the survey tries: its programs, the flags that they are built with, and
in each file the kernels, and the host functions that launch some, that take or give numbers of floating point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cladpy.frontend.definitions import definitions
from cladpy.frontend.instantiations import instantiations
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.names import qualified_name
from cladpy.frontend.native import native_folder
from cladpy.frontend.toolkit import routes
from cladpy.frontend.unit import TranslationUnit

_FLAG = re.compile(r"(?<![\w-])-(I|D)\s*([^\s\\]+)")
_ASSIGNED = re.compile(r"^\s*(\w+)\s*[:?+]?=\s*(.*?)\s*(?:#.*)?$", re.MULTILINE)
_COMPARED = re.compile(r"if(eq|neq)\s*\(\s*\$[({](\w+)[)}]\s*,\s*(\w*)\s*\)")
_CONDITION = re.compile(r"if(?:eq|neq|def|ndef)\b")
_SCRIPTED = re.compile(r"""(['"])-D(\w+=[\w.+{}-]+)\1""")  # macros in a script of Python's that builds the program
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_FLOATING = re.compile(r"\b(?:float|double|__half2?|__nv_bfloat16|__nv_bfloat162)\b")
# Template arguments that are nothing but types of integers, and integers.
_INTEGER = r"(?:(?:(?:un)?signed |long |short )*(?:int|char|long|short|unsigned)(?: int| long)*|bool|u?int\d+_t|-?\d+)"
_INTEGERS_ALONE = re.compile(rf"<{_INTEGER}(?:, {_INTEGER})*>$")
_MEMBERS = (CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION)
_INCLUDED = re.compile(r'^\s*#\s*include\s*["<]([\w./-]+\.\w+)[">]', re.MULTILINE)
_COMPILED = ("cpp", "cc", "cxx", "c")
_HEADERS = ("h", "hpp", "cuh", "inl")
_UP = 3  # folders that a program's shared headers may lie beside
_DEEP = 4  # classes in classes that are looked into


@dataclass(frozen=True, slots=True)
class Program:
    """A folder with sources, and what its compiler is given."""

    name: str
    files: tuple[Path, ...]
    include: tuple[str, ...]
    defines: tuple[str, ...]
    openmp: bool  # whether its compiler is told to mind the directives
    sources: tuple[Path, ...] = ()  # all that is compiled, in C and C++ too
    shared: tuple[str, ...] = ()  # folders of headers whose functions are not the program's


@dataclass(frozen=True, slots=True)
class Function:
    """What the survey asks for by `name`; `place` is where it is defined, whichever file has brought it."""

    name: str
    kernel: bool
    file: str
    line: int
    grid: tuple[int, ...]  # a few blocks, in as many dimensions as the kernel asks for


def programs(paths: list[Path]) -> Iterator[Program]:
    """The programs in these folders: the outermost ones that hold a `.cu` file or a Makefile with one below."""
    for path in paths:
        yield from _programs(path.resolve(), path.resolve().parent)


def _programs(folder: Path, root: Path) -> Iterator[Program]:
    files = _compiled(sorted(folder.rglob("*.cu")))
    if not files:
        return
    if any(f.parent == folder for f in files) or any((folder / m).exists() for m in ("Makefile", "makefile")):
        include, defines, openmp = _flags(folder, files)
        sources = [*files, *(f for kind in _COMPILED for f in sorted(folder.rglob(f"*.{kind}")))]
        sources += [f for at in _folders_of_headers(folder) for k in _COMPILED for f in sorted(at.glob(f"*.{k}"))]
        yield Program(str(folder.relative_to(root)), tuple(files), include, defines, openmp, tuple(sources))
        return
    for inner in sorted(f for f in folder.iterdir() if f.is_dir()):
        yield from _programs(inner, root)


def _compiled(files: list[Path]) -> list[Path]:
    """Those that no other one includes."""
    included = {Path(n).name for f in files for n in _INCLUDED.findall(f.read_text(errors="replace"))}
    return [f for f in files if f.name not in included]


def _flags(folder: Path, files: list[Path]) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Folders and macros: those of the Makefile, or of scripts of Python's, and folders that a program's own headers
    usually lie in."""
    include = [f for f in (folder, folder / "include", folder / "inc", folder.parent / "include") if f.is_dir()]
    include += sorted({f.parent for f in files})
    defines: dict[str, str] = {}
    openmp = False
    for makefile in (folder / "Makefile", folder / "makefile"):
        text = makefile.read_text(errors="replace") if makefile.exists() else ""
        openmp |= "-fopenmp" in text
        known = dict(_ASSIGNED.findall(text))
        text = "\n".join(_built(text, known))
        for kind, value in _FLAG.findall(_expanded(text, known)):
            plain = value.strip("'\"")
            if kind == "I" and "$" not in plain:
                include.append((folder / plain).resolve())
            elif kind == "D" and re.fullmatch(r"\w+(=[\w.+-]*)?", plain):
                defines.setdefault(plain.partition("=")[0], plain)
    for plain in _scripted(folder):
        defines.setdefault(plain.partition("=")[0], plain)
    include += _beside(folder, files, include)
    return tuple(dict.fromkeys(str(f) for f in include if f.is_dir())), tuple(defines.values()), openmp


def _built(makefile: str, known: Mapping[str, str]) -> Iterator[str]:
    """The lines of a Makefile that count by what its own variables are."""
    built: list[bool | None] = []  # None where that is not known
    for line in makefile.splitlines():
        compared = _COMPARED.match(line)
        if compared is not None:
            built.append((known.get(compared[2], "") == compared[3]) is (compared[1] == "eq"))
        elif _CONDITION.match(line):
            built.append(None)
        elif line.startswith("else") and built:
            built[-1] = None if built[-1] is None else not built[-1]
        elif line.startswith("endif") and built:
            built.pop()
        elif False not in built:
            yield line


def _scripted(folder: Path) -> Iterator[str]:
    """The macros of which a script of Python's that builds the program says what they are, by a number or a name."""
    for script in sorted(folder.glob("*.py")):
        text = script.read_text(errors="replace")
        known = dict(_ASSIGNED.findall(text))
        for _, macro in _SCRIPTED.findall(text):
            plain = re.sub(r"\{(\w+)\}", lambda m, of=known: of.get(m[1], m[0]), macro)
            if "{" not in plain:
                yield plain


def _beside(folder: Path, files: list[Path], include: list[Path]) -> Iterator[Path]:
    """Where headers lie that sources include and their Makefile does not lead to: in a folder of the program's, or
    beside an outer one."""
    own = [*files, *(h for kind in _HEADERS for h in sorted(folder.rglob(f"*.{kind}")))]
    for name in sorted({n for f in own for n in _INCLUDED.findall(f.read_text(errors="replace"))}):
        if not any((i / name).exists() for i in (*include, Path("/usr/include"))):
            yield from (f.parents[name.count("/")] for f in sorted(folder.rglob(name))[:1])
            outer = [folder, *list(folder.parents)[:_UP]]
            yield from (f.parents[name.count("/")] for o in outer for f in sorted(o.glob(f"*/{name}"))[:1])


def _folders_of_headers(folder: Path) -> list[Path]:
    """Folders outside of a program's own that its files name headers in, whose bodies lie beside them."""
    own = [f for kind in ("cu", *_HEADERS, *_COMPILED) for f in sorted(folder.rglob(f"*.{kind}"))]
    found = {(f.parent / n).resolve() for f in own for n in _INCLUDED.findall(f.read_text(errors="replace"))}
    return sorted({h.parent for h in found if h.is_file() and not h.is_relative_to(folder)})


def _expanded(text: str, known: dict[str, str]) -> str:
    for _ in range(3):
        text = _VARIABLE.sub(lambda m: known.get(m[1], m[0]), text)
    return text


def functions(program: Program, file: Path) -> list[Function]:
    """The functions of a file, and of the program's headers that it includes, in their order."""
    resource = str(native_folder() / "resource")
    arguments = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-std=c++17"]
    arguments += ["-w", "-resource-dir", resource, "-ferror-limit=0"]
    arguments += [*(f"-D{d}" for d in program.defines), *(f"-I{f}" for f in program.include)]
    headers = next((h for h in reversed(routes()) if h.has_own_libraries), routes()[-1])
    with TranslationUnit(str(file), [*arguments, *headers.arguments], dict(headers.replaced)) as unit:
        found = [f for f in definitions(unit.cursor) if f.kind not in _MEMBERS and _body(f) is not None]
        names = [qualified_name(f, with_arguments=False) for f in found]
        result: dict[tuple[str, int], Function] = {}  # an instantiation, which has parameters, in its template's place
        for function, name in zip(found, names, strict=True):
            source, line = unit.file_name(function.extent()[0]), function.extent()[1]
            kernel = any(c.kind == CursorKind.CUDA_GLOBAL_ATTR for c in function.children())
            if not (kernel or _launches(function, Path(source))) or name == "main":
                continue
            if any(Path(source).is_relative_to(folder) for folder in program.shared):
                continue
            if function.kind == CursorKind.FUNCTION_TEMPLATE:
                text = file.read_bytes()
                made = instantiations(function, unit.cursor, [text])
                floating = (m for m in made if _FLOATING.search(m))
                name = next(floating, made[0] if made else name)  # without arguments, it is named by an example
            elif function.template is not None:
                name = qualified_name(function, with_arguments=True)
            elif names.count(name) > 1:
                name = f"{name}({', '.join(p.spelling for p in function.type.canonical.parameters)})"
            if _is_floating(function, name):
                result[source, line] = Function(name, kernel, source, line, _grid(_text(function, Path(source))))
        return list(result.values())


def _body(function: Cursor) -> Cursor | None:
    return next((c for c in function.children() if c.kind == CursorKind.COMPOUND_STMT), None)


def _launches(function: Cursor, source: Path) -> bool:
    text = _text(function, source)
    return b"<<<" in text or b"cudaLaunchKernel" in text or b"cudaLaunchCooperativeKernel" in text


def _text(function: Cursor, source: Path) -> bytes:
    _, _, _, start, _, _, end = function.extent()
    return source.read_bytes()[start:end]


def _grid(text: bytes) -> tuple[int, ...]:
    """Two blocks where it matters which one it is: where the kernel does not ask, all of them would do the same."""
    asked = {d.decode() for d in re.findall(rb"(?:thread|block)Idx\.([xyz])", text)}
    blocks = {d.decode() for d in re.findall(rb"blockIdx\.([xyz])", text)}
    return tuple(2 if d in blocks else 1 for d in "xyz"[: 1 + "xyz".index(max(asked, default="x"))])


def _is_floating(function: Cursor, name: str) -> bool:
    """Whether numbers of floating point go in or out; of a template, in the instance that is named."""
    types = [function.result_type, *function.type.canonical.parameters]
    if any(_holds_numbers(type, _DEEP) for type in types):
        return True
    return any("type-parameter" in t.canonical.spelling for t in types) and not _INTEGERS_ALONE.search(name)


def _holds_numbers(type: ClangType, deep: int) -> bool:
    """Whether there is a number of floating point in a value of this type, or where it leads to."""
    while type.canonical.pointee.spelling:
        type = type.canonical.pointee
    type = type.canonical
    if _FLOATING.search(type.spelling):
        return True
    return deep > 0 and any(_holds_numbers(f.type, deep - 1) for f in type.fields)
