"""`cladpy adopt`: an extension of PyTorch's that has a function and its derivative, and builds without cladpy.

The kernels are the units that `cladpy.torch.adopt` compiles, for the CPU and for a GPU, with the files that they
include beside them; `binding.cpp` calls them as that does. So what is written is what was tried.
"""

from __future__ import annotations

import keyword
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from cladpy.derivative import Derivative
from cladpy.diagnostics import UsageError
from cladpy.frameworks.adopted import MOST_RESULTS, PER_RESULT, Adopted, adopt
from cladpy.frameworks.adopted_arguments import MOST_DIMENSIONS, NUMBERS, UNDEFINED, WRAPPER
from cladpy.frameworks.calls import REAL, Item, Tensor, described, read_call
from cladpy.frameworks.shapes import Shapes, shapes_of
from cladpy.options import Options
from cladpy.pipeline import differentiate, undifferentiated
from cladpy.resources import custom_derivatives_dir
from cladpy.source import Given, Source
from cladpy.targets import TARGETS
from cladpy.templating import template_named
from cladpy.toolchain.cuda import unit_flags
from cladpy.toolchain.entry import with_entry
from cladpy.toolchain.host import PORTABLE_LINK_FLAGS, portable_flags
from cladpy.toolchain.shared_memory import ACCESSOR, BYTES

_FILES = {
    "README.md": "README.md",
    "pyproject.toml": "pyproject.toml",
    "setup.py": "setup.py",
    "csrc/binding.cpp": "binding.cpp",
    "{name}/__init__.py": "package.py",
    "tests/test_gradient.py": "test.py",
}
_SUFFIXES = {"host": "cpp", "cuda": "cu"}
# What is said of a stream and a device, beside the kernels for one.
_ON_DEVICE = """
static int cladpy_device_before = 0;
extern "C" __attribute__((visibility("default"))) int cladpy_enter(int device, void *stream) {
  (void)cudaGetDevice(&cladpy_device_before);
  const cudaError_t error = cudaSetDevice(device);
  return static_cast<int>(error || !stream ? error : cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
}
extern "C" __attribute__((visibility("default"))) int cladpy_leave(void *stream) {
  const cudaError_t error = stream ? cudaStreamSynchronize(nullptr) : cudaSuccess;
  (void)cudaSetDevice(cladpy_device_before);
  return static_cast<int>(error);
}
"""


@dataclass(frozen=True, slots=True)
class _Signature:
    """The function for one combination of types: its units by kind and target, and what is known of it."""

    items: tuple[Item, ...]
    tensors: tuple[Any, ...]  # the types of those among the arguments
    results: tuple[Any, ...]  # and of those among the results
    active: tuple[int, ...]  # the tensors that get gradients
    adjoints: tuple[tuple[str, Any], ...]  # with the types of their numbers, which are floats for halves
    units: Mapping[tuple[str, str], Derivative]
    shapes: list[list[str]] | None


def write_extension(
    source: Given,
    function: str,
    folder: Path,
    calls: Sequence[str],
    *,
    name: str | None = None,
    nondifferentiable: Sequence[int] = (),
    **options: Any,
) -> None:
    """Writes an extension with a host function of another one, as it is, and its derivative.

    Args:
        source, function, nondifferentiable, options: as in `adopt`.
        folder: where; it must not exist, or be empty.
        calls: arguments of calls, such as "T[4,3], int64[5]<7, 0.5, true, none", where T is float32 and float64. Each
            is run on the CPU for each type that it stands for, and with other sizes, from which the shapes of results
            are known: sizes that have nothing to do with each other should be different.
        name: of the package and of the operators' namespace; the file's, by default.

    Raises UsageError for what makes no sense or cannot be written, and what calls of adopted functions raise.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"cannot write {str(folder)!r}: it is there already")
    adopted = adopt(source, function, nondifferentiable=nondifferentiable, **options)
    name = name or (adopted.source.path or Path(function)).stem.replace("-", "_")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise UsageError(f"{name!r} cannot be the name of a package: give another with --name")
    examples = [read_call(call) for call in calls]
    signatures = [s for items in examples for s in _signatures(adopted, items)]
    _check_alike(signatures)
    files = _originals(signatures, Options.make(**options))
    texts = _texts(adopted, name, signatures, examples, files)
    folder.parent.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for place, text in texts.items():
            (staged / place).parent.mkdir(parents=True, exist_ok=True)
            (staged / place).write_text(text, encoding="utf-8", errors="surrogateescape")
        for path, place in files.items():
            (staged / "csrc" / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, staged / "csrc" / place)
        shutil.copytree(
            custom_derivatives_dir(), staged / "include", ignore=shutil.ignore_patterns("kokkos", "README*")
        )
        staged.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        os.replace(staged, folder)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _signatures(adopted: Adopted, items: tuple[Item, ...]) -> list[_Signature]:
    """One for each type that a call stands for."""
    tensors = [item for item in items if isinstance(item, Tensor)]
    if not tensors:
        raise UsageError(f"{adopted.function}: --call describes no tensor")
    open_types = REAL if any(t.type is None for t in tensors) else REAL[:1]
    return [_signature(adopted, items, real) for real in open_types]


def _signature(adopted: Adopted, items: tuple[Item, ...], real: Any) -> _Signature:
    torch.manual_seed(0)

    def arguments(shapes: Shapes | None = None) -> list[Any]:
        following = iter(shapes or [t.shape for t in items if isinstance(t, Tensor)])
        return [t.made(real, next(following)) if isinstance(t, Tensor) else t for t in items]

    example = arguments()
    plan, active = adopted.plan(example)
    values = [v for v in example if isinstance(v, torch.Tensor | int | float) and not isinstance(v, bool)]
    before = [v.clone() if isinstance(v, torch.Tensor) else v for v in values]
    results = adopted.run(plan, values)
    if not results or any(r is None for r in results):
        raise UsageError(
            f"{adopted.function}: it gives no tensor, or one that is not defined, which cannot be written: "
            "use cladpy.torch.adopt"
        )
    reverse = adopted.reverse(plan, before, active)
    if reverse.written:
        raise UsageError(
            f"{adopted.function} changes a tensor that it is given, which cannot be written: use cladpy.torch.adopt"
        )

    def called(shapes: Shapes) -> Shapes:
        given = [v for v in arguments(shapes) if isinstance(v, torch.Tensor | int | float) and not isinstance(v, bool)]
        return [list(r.shape) for r in adopted.run(plan, given)]

    asked = reverse.derivative
    text, given = Source.load(adopted.forward_text(plan.signature)), asked.options
    units = {("forward", t): undifferentiated(text, WRAPPER, "", given, t) for t in _SUFFIXES}
    units |= {("reverse", t): differentiate(asked.source, *asked.requested, given, t) for t in _SUFFIXES}
    return _Signature(
        items,
        tuple(plan.signature.types),
        tuple(r.dtype for r in results),
        active,
        tuple(reverse.adjoints),
        units,
        shapes_of(called, [t.shape for t in items if isinstance(t, Tensor)]),
    )


def _check_alike(signatures: Sequence[_Signature]) -> None:
    """An operator has one form, whatever it is called with."""
    forms = {(tuple(map(_kind, s.items)), len(s.results), s.active) for s in signatures}
    if len(forms) > 1:
        raise UsageError("--call: all calls must have arguments of the same kinds, and gradients by the same tensors")


def _kind(item: Item) -> str:
    if isinstance(item, Tensor):
        return "Tensor"
    return {bool: "bool", int: "int", float: "float"}.get(type(item), "Tensor?")


# ---- files ----------------------------------------------------------------------------------------------------------


def _originals(signatures: Sequence[_Signature], options: Options) -> dict[str, str]:
    """The user's files that are included, and where they lie in `csrc`."""
    read = sorted({path for s in signatures for unit in s.units.values() for path, _ in unit.program.read})
    roots = {os.path.realpath(d): f"include_{k}" for k, d in enumerate(options.include_dirs)}
    rest = [p for p in read if not any(os.path.realpath(p).startswith(root + os.sep) for root in roots)]
    if rest:
        roots[os.path.realpath(os.path.commonpath([os.path.dirname(os.path.abspath(p)) for p in rest]))] = "original"
    found = {}
    for path in read:
        real = os.path.realpath(path)
        root = next(r for r in roots if real.startswith(r + os.sep))
        found[path] = f"{roots[root]}/{os.path.relpath(real, root)}"
    return found


def _texts(
    adopted: Adopted,
    name: str,
    signatures: Sequence[_Signature],
    calls: Sequence[tuple[Item, ...]],
    files: Mapping[str, str],
) -> dict[str, str]:
    options = Options.make(**adopted.options)
    context = _context(adopted, name, signatures) | {
        "calls": [_in_python(items) for items in calls if not any(map(_is_single, items))],
        "skipped": "eps=1e-6, atol=1e-4",
        "defines": ", ".join(repr(f"-D{n}={v}" if v else f"-D{n}") for n, v in options.defines),
        "folders": _tuple(sorted({p.split("/")[0] for p in files.values()} | {""})),
        "host_folders": _tuple(["torch_shim", *TARGETS["host"].folders]),
        "cuda_folders": _tuple(["torch_shim", *TARGETS["cuda"].folders]),
        "host_flags": ", ".join(map(repr, portable_flags(options.std))),
        "link_flags": ", ".join(map(repr, PORTABLE_LINK_FLAGS)),
        "shared_bytes": BYTES,
        "accessor": ACCESSOR,
        "cuda_flags": ", ".join(map(repr, unit_flags(options.std))),
    }
    texts = {
        place.format(name=name): template_named(f"extension/{template}.j2").render(context)
        for place, template in _FILES.items()
    }
    for k, signature in enumerate(signatures):
        for (kind, target), unit in signature.units.items():
            text = with_entry(unit) + (_ON_DEVICE if TARGETS[target].runs_on_device else "")
            texts[f"csrc/kernels/{kind}_{k}.{_SUFFIXES[target]}"] = _moved(text, files)
    return texts


def _moved(text: str, files: Mapping[str, str]) -> str:
    """A unit with the names of files as they lie in the extension."""
    for path in sorted(files, key=len, reverse=True):
        text = text.replace(f'"{path}"', f'"{files[path]}"')
    return text.replace(f'"{custom_derivatives_dir()}{os.sep}', '"').replace('"<string>.cu"', '"adopted"')


def _tuple(parts: Sequence[str]) -> str:
    return "".join(f"{part!r}, " for part in parts)


def _context(adopted: Adopted, name: str, signatures: Sequence[_Signature]) -> dict[str, Any]:
    """What the templates say."""
    first = signatures[0]
    names = _names_of(adopted, first)
    tensors = [k for k, item in enumerate(first.items) if isinstance(item, Tensor)]
    kinds = list(map(_kind, first.items))
    count = len(first.results)
    types = {
        "Tensor": "Tensor",
        "Tensor?": "std::optional<Tensor>",
        "int": "int64_t",
        "float": "double",
        "bool": "bool",
    }
    return {
        "name": name,
        "op": adopted.function.rpartition("::")[2],
        "original": Path(adopted.source.name).name,
        "names": names,
        "first": names[tensors[0]],
        "known": "; or ".join(dict.fromkeys(f"({', '.join(map(described, s.items))})" for s in signatures)),
        "parameters": ", ".join(f"{types[kind]} {n}" for kind, n in zip(kinds, names, strict=True)),
        "schema": ", ".join(f"{kind} {n}" for kind, n in zip(kinds, names, strict=True)),
        "schema_of_results": _listed(["Tensor"] * count),
        "schema_of_gradients": _listed(["Tensor"] * len(first.active)),
        "result_type": _tuple_type(count),
        "gradient_type": _tuple_type(len(first.active)),
        "results": count,
        "returned": _gathered([f"found[{k}]" for k in range(count)]),
        "cotangents": [f"d_r{k}" for k in range(count)],
        "active": "".join(f"{tensors[k]}, " for k in first.active),
        "gradient_shapes": _listed([f"torch.empty_like({names[tensors[k]]})" for k in first.active]),
        "shapes": _shapes(signatures, names, tensors),
        "signatures": [_in_binding(s, names, tensors) for s in signatures],
        "most_results": MOST_RESULTS,
        "per_result": PER_RESULT,
        "most_dimensions": MOST_DIMENSIONS,
        "undefined": UNDEFINED,
    }


def _in_binding(signature: _Signature, names: Sequence[str], tensors: Sequence[int]) -> dict[str, Any]:
    """What C++ asks of the arguments, and passes on."""
    conditions, arguments = [], []
    types = iter(signature.tensors)
    for item, n in zip(signature.items, names, strict=True):
        if isinstance(item, Tensor):
            conditions.append(f"is({n}, {NUMBERS[next(types)].code}, {len(item.shape)})")
            arguments.append(f"in_order({n})")
        elif isinstance(item, bool):
            conditions.append(n if item else f"!{n}")
        elif item is None:
            conditions.append(f"!{n}.has_value()")
        else:
            arguments.append(n)
    known = {f"x{k}": t for k, t in enumerate(signature.tensors)}
    known |= {f"r{k}": t for k, t in enumerate(signature.results)}
    adjoints, gradients = [], {}
    for adjoint, held in signature.adjoints:
        own, code = NUMBERS[known[adjoint]].code, NUMBERS[held or known[adjoint]].code
        if adjoint[0] == "r":
            adjoints.append((f"of_{adjoint}", f"copied(d_{adjoint}, {code})"))  # what is a parameter has another name
        else:
            adjoints.append((adjoint, f"zeros({names[tensors[int(adjoint[1:])]]}, {code})"))
            gradients[adjoint] = f"d_{adjoint}" if own == code else f"copied(d_{adjoint}, {own})"
    return {
        "condition": " && ".join(conditions),
        "arguments": arguments,
        "results": [NUMBERS[t].code for t in signature.results],
        "adjoints": adjoints,
        "gradients": _gathered([gradients[f"x{k}"] for k in signature.active]),
    }


def _shapes(signatures: Sequence[_Signature], names: Sequence[str], tensors: Sequence[int]) -> str | None:
    """An expression of Python's for tensors like the results; None where their shapes do not follow."""
    known = [s.shapes for s in signatures]
    if any(k is None or k != known[0] for k in known):
        return None
    found = []
    for r, shape in enumerate(known[0] or ()):
        types = [s.results[r] for s in signatures]
        like = [
            k for k in range(len(tensors)) if all(s.tensors[k] == t for s, t in zip(signatures, types, strict=True))
        ]
        if not like and len(set(types)) > 1:
            return None
        type = f"{names[tensors[like[0]]]}.dtype" if like else str(types[0])
        extents = ", ".join(shape)
        for k, position in reversed(list(enumerate(tensors))):
            extents = extents.replace(f"x{k}.shape", f"{names[position]}.shape")
        found.append(f"{names[tensors[0]]}.new_empty([{extents}], dtype={type})")
    return _listed(found)


def _names_of(adopted: Adopted, signature: _Signature) -> list[str]:
    """Those of the function's own parameters, where Python and C++ can have them."""
    program = signature.units["forward", "cuda"].program
    wanted = adopted.function.removeprefix("::")
    own = [f.parameters for symbol, f in program.functions.items() if symbol.qualified_name == wanted]
    names = [p.name for p in own[0]] if len(own) == 1 else []
    known = len(names) == len(signature.items) == len(set(names))
    good = known and all(n.isidentifier() and not keyword.iskeyword(n) and n not in _OWN_NAMES for n in names)
    return names if good else [f"a{k}" for k in range(len(signature.items))]


_OWN_NAMES = frozenset(("call", "found", "made", "zeros", "is", "in_order", "copied", "lying", "torch", "self"))


def _is_single(item: Item) -> bool:
    """Whether differences say nothing of a derivative by it."""
    return isinstance(item, Tensor) and item.type in (torch.float32, torch.float16, torch.bfloat16)


def _in_python(items: Sequence[Item]) -> str:
    return ", ".join(item.spelled() if isinstance(item, Tensor) else repr(item) for item in items)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _gathered(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"std::make_tuple({', '.join(parts)})"


def _tuple_type(count: int) -> str:
    return "Tensor" if count == 1 else f"std::tuple<{', '.join(['Tensor'] * count)}>"
