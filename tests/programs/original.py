"""The original of a host program: its own text with launches rewritten, compiled for the host and called."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from cladpy.check.memory import Memory, blocks_of
from cladpy.diagnostics import BackendError
from cladpy.emit.host_source import host_source
from cladpy.ir import surface
from cladpy.ir.types import Pointer, Type, Void, spell, strip_reference
from cladpy.options import Options
from cladpy.runtime.host_runtime import Lent, lent_to, runtime_watched, watching_runtime
from cladpy.source import Source
from cladpy.toolchain import compile_host
from cladpy.toolchain.openmp import openmp_flags

_ENTRY = """
extern "C" int cladpy_test_run(void *const *args, void *result) {{
  (void)args, (void)result, (void)cudaGetLastError();
  {call};
  return cudaGetLastError();
}}
"""


class Original:
    def __init__(self, program: surface.Program, options: Options, source: Source) -> None:
        entry = program.functions[program.entry]
        self._parameters = entry.parameters
        self._result: Type = strip_reference(program.entry.result)
        passed = ", ".join(
            f"*static_cast<{spell(Pointer(strip_reference(p.type)))}>(args[{i}])"
            for i, p in enumerate(entry.parameters)
        )
        call = f"{program.entry.qualified_name}({passed})"
        if not isinstance(self._result, Void):
            call = f"*static_cast<{spell(Pointer(self._result))}>(result) = {call}"
        text = f'# 1 "{source.name}" 3\n{host_source(source, program)}\n# 1 "<test>"\n{_ENTRY.format(call=call)}'
        library = ctypes.CDLL(
            str(
                compile_host(
                    text,
                    source=source,
                    dependencies=program.includes,
                    std=options.std,
                    extra_flags=openmp_flags("host") if program.openmp else (),
                )
            )
        )
        library.cladpy_host_error.restype = ctypes.c_char_p
        self.library = library

    def run(self, args: Sequence[Any]) -> tuple[list[Any], Any]:
        """What the arguments hold in the end, and the value; raises BackendError for an error that was left."""
        memory = Memory()
        addresses = (ctypes.c_void_p * max(1, len(args)))()
        operands = []
        for i, (p, value) in enumerate(zip(self._parameters, args, strict=True)):
            addresses[i], operand = memory.argument(p.type, value, None, p.name)
            operands.append(operand)
        result = None if isinstance(self._result, Void) else memory.result(self._result)
        blocks = [found for o, p in zip(operands, self._parameters, strict=True) for found in blocks_of(o, p.name)]
        lent = [Lent(block.address, block.bytes.size, path) for path, block in blocks]
        with watching_runtime() as watch, runtime_watched(self.library), lent_to(self.library, lent):
            status = self.library.cladpy_test_run(addresses, ctypes.c_void_p(result.block.address if result else 0))
        assert watch.left == 0
        if status != 0:
            raise BackendError(self.library.cladpy_host_error().decode() or f"error {status}")
        return [operand.value() for operand in operands], None if result is None else result.value()[()]
