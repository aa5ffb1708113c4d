"""A line of threads, and the loops of their kernels."""

from __future__ import annotations

from dataclasses import dataclass

from tests.generator.making import Making


@dataclass
class Line:
    """The threads of a launch in one dimension: `i` is below `n`, an integer of the type `type`."""

    k: Making
    n: int
    grid: int
    block: int
    type: str
    own: str  # a number of the thread's own

    def listed(self, low: int, high: int, each: int = 1) -> str:
        """A table with so many integers for each thread."""
        return self.k.table("t", [int(v) for v in self.k.fill.integers(low, high, self.n * each)])

    @property
    def signed(self) -> bool:
        return self.type in ("int", "long long")


def loop(at: Line, counter: str, count: str, *, type: str = "") -> str:
    """A loop from 0 to below `count`, forwards or from the end."""
    k = at.k
    type = type or k.one_of("int", "int", "unsigned", "long", "size_t")
    if type in ("int", "long") and k.chance(0.25):
        return f"for ({type} {counter} = {count} - 1; {counter} >= 0; --{counter})"
    step = k.one_of(f"++{counter}", f"{counter}++", f"{counter} += 1")
    bound = count if count.isdigit() else f"({type}){count}"
    return f"for ({type} {counter} = 0; {counter} < {bound}; {step})"


def leaving(at: Line, counter: str, sum: str) -> list[str]:
    """Perhaps a way out of an iteration, or out of the loop."""
    k = at.k
    pick = k.rng.random()
    if pick < 0.12:
        return [f"if (({counter} + i) % 3 == {k.rng.randrange(3)}) continue;"]
    if pick < 0.2:
        return [f"if ({counter} == {k.rng.randrange(5)}) continue;"]
    if pick < 0.3:
        return [f"if ({sum} > {k.constant(0.3, 1.0)}) break;"]
    return []


def summed(at: Line, sum: str, head: str, *body: str, start: str = "0") -> str:
    """A loop with a number that it makes, which is declared before it."""
    at.k.lines += [f"{at.k.real} {sum} = {start};", f"{head} {{", *(f"  {line}" for line in body), "}"]
    return sum
