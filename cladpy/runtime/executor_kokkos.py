"""What runs programs for Kokkos: a library built with the Kokkos that is here, on the host; arrays are its views."""

from __future__ import annotations

from cladpy.runtime.executor import HostExecutor, Realigned, Result, Run, call_on_host, check_on_host, plainly
from cladpy.runtime.library import Library
from cladpy.runtime.overlaps import Shared
from cladpy.runtime.rebound import Rebound
from cladpy.toolchain.entry import with_entry
from cladpy.toolchain.kokkos import compile_kokkos, find_kokkos


class KokkosExecutor(HostExecutor):
    """Runs on the CPU, in place, by as many threads as Kokkos was told to take."""

    _library: Library | None = None

    def repeated(self, run: Run) -> Rebound | None:
        """See `Executor`."""
        return None

    def run(self, run: Run) -> Result:
        """Raises BackendError for what the program throws."""
        check_on_host(run.arguments)
        Shared(run.arguments).check_stays()
        library = self._loaded()
        copies = Realigned()

        def call(values: object) -> None:
            with library.lock:
                library.run(run.entry, run.shape, 0, values)  # type: ignore[arg-type]

        return call_on_host(call, run, copies, plainly(copies.address))

    def _loaded(self) -> Library:
        if self._library is None:
            derivative = self._derivative
            path = compile_kokkos(
                with_entry(derivative),
                find_kokkos(derivative.options.kokkos),
                source=derivative.source,
                dependencies=derivative.program.includes,
                std=derivative.options.std,
                include_directories=derivative.program.include_dirs,
                defines=derivative.options.defines,
            )
            self._library = Library(path, has_gradient=bool(derivative.gradient_name))
        return self._library
