"""What prints, ends the program, or gives another number each time."""

from __future__ import annotations

from cladpy.ir.symbols import FAIL, FREE_MEMORY, NANOSECONDS
from cladpy.known.rows import Clock, Effect, Ending, Known, Time

_PRINTING = ("printf", "vprintf", "puts", "putchar", "fprintf", "fputs", "fputc", "fflush", "perror")

ROWS: tuple[Known, ...] = (
    *map(Effect, _PRINTING),
    Effect("srand"),
    Effect("srand48"),
    Effect("__assert_fail", ends=True),
    Effect("__assertfail"),
    Effect(FAIL.name),
    Effect("__trap"),
    Effect("__brkpt"),
    Effect("__nanosleep"),
    *map(Ending, ("exit", "_exit", "_Exit", "quick_exit", "abort", "terminate")),
    *map(Clock, ("clock", "clock64", NANOSECONDS.name, FREE_MEMORY.name, "rand", "random", "lrand48", "drand48")),
    Time("omp_get_wtime"),
    Time("gettimeofday", 0, 1000),
    Time("clock_gettime", 1),
    Time("timespec_get", 0, success=1),
)
