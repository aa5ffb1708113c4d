"""Kernels in two and three dimensions: stencils with edges of all kinds, filters with weights, fields that act on each
other."""

from __future__ import annotations

from tests.generator.making import Lines, Making

_X = ("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockIdx.x * blockDim.x")
_Y = tuple(text.replace(".x", ".y") for text in _X)
BLOCKS = ((8, 4), (5, 3), (4, 8), (32, 1), (33, 1), (7, 1))
WRAPPED = "__device__ __forceinline__ int wrapped(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }"


class Plane:
    """The threads of a launch in two dimensions, with planes behind each other or without: x, y and z are below nx, ny
    and nz."""

    def __init__(self, k: Making) -> None:
        self.k = k
        rng = k.rng
        self.block = rng.choice(BLOCKS)
        self.by_rows = self.block[1] == 1 and k.chance(0.8)  # a block's index is the row
        self.deep = k.chance(0.3)
        self.lengths = (rng.choice((5, 6, 8, 11, 17)), rng.choice((4, 5, 8)), rng.choice((3, 4)) if self.deep else 1)
        self.names = [k.integer(n, v) for n, v in zip(("nx", "ny", "nz"), self.lengths, strict=True)][: self.axes]
        self.pitch = self.names[0]
        self.row = self.lengths[0]
        if k.chance(0.15):  # rows with something behind them
            self.row += rng.choice((1, 3))
            self.pitch = k.integer("pitch", self.row)
        self.edge = rng.choice(("periodic", "periodic", "clamped", "inner", "inner", "copied", "open"))

    @property
    def axes(self) -> int:
        return 3 if self.deep else 2

    @property
    def size(self) -> int:
        """Elements of a field, with room for what is read beyond an open edge."""
        more = 2 * (self.row * self.lengths[1] + self.row + 1) if self.edge == "open" else 0
        return self.row * self.lengths[1] * self.lengths[2] + more

    def grid(self) -> tuple[int, int, int]:
        nx, ny, nz = self.lengths
        across, down = self.block
        return (-(-nx // across), ny if self.by_rows else -(-ny // down), nz)

    def start(self) -> Lines:
        k = self.k
        type = k.one_of("int", "int", "const int")
        y = "blockIdx.y" if self.by_rows else k.rng.choice(_Y)
        lines = [f"{type} x = {k.rng.choice(_X)}, y = {y}{', z = blockIdx.z' if self.deep else ''};"]
        inside = [f"{axis} < {n}" for axis, n in zip("xyz", self.names, strict=False)][:2]
        outside = [f"{axis} >= {n}" for axis, n in zip("xyz", self.names, strict=False)][:2]
        if self.by_rows and k.chance(0.6):  # there are as many rows as blocks
            inside, outside = inside[:1], outside[:1]
        if self.edge == "inner":
            inner = list(zip("xyz", self.names, strict=False))
            outside = [f"{a} < 1" for a, _ in inner] + [f"{a} >= {n} - 1" for a, n in inner]
            inside = [f"{a} > 0" for a, _ in inner] + [f"{a} + 1 < {n}" for a, n in inner]
        guard = f"if ({' || '.join(outside)}) return;" if k.chance(0.5) else f"if (!({' && '.join(inside)})) return;"
        return [*lines, guard, f"const int c = {self.at('x', 'y', 'z')};"]

    def at(self, x: str, y: str, z: str) -> str:
        ny = self.names[1]
        row = f"({z} * {ny} + {y})" if self.deep else (y if y.isidentifier() else f"({y})")
        return f"{row} * {self.pitch} + {x}"

    def moved(self, axis: int, by: int) -> str:
        """The index of the element so far along an axis."""
        k, name, n = self.k, "xyz"[axis], self.names[axis]
        if self.edge == "open" or (self.edge in ("inner", "copied") and k.chance(0.7)):
            step = ("1", self.pitch, f"{self.pitch} * {self.names[1]}")[axis]
            return f"c {'+' if by > 0 else '-'} {step}" + (f" * {abs(by)}" if abs(by) > 1 else "")
        to = f"{name} {'+' if by > 0 else '-'} {abs(by)}"
        if self.edge == "periodic":
            around = f"{name} + 1 < {n} ? {to} : 0" if by == 1 else f"{name} == 0 ? {n} - 1 : {to}"
            choices = [f"wrapped({to}, {n})", f"({to} + {n}) % {n}", *([f"({around})"] if abs(by) == 1 else [])]
            to = k.rng.choice(choices)
        elif self.edge == "clamped":
            to = f"min({to}, {n} - 1)" if by > 0 else f"max({to}, 0)"
        places = ["x", "y", "z"]
        places[axis] = f"({to})"
        return self.at(places[0], places[1], places[2])


def stencil(k: Making) -> tuple[Lines, tuple[int, int, int], tuple[int, int, int]]:
    """One or two fields that are read around each thread's place, with coefficients of each cell or of all."""
    plane = Plane(k)
    k.before.append(WRAPPED)
    fields = [k.array("u", plane.size) for _ in range(k.rng.choice((1, 1, 2)))]
    written = [k.array("out", plane.size, written=True) for _ in fields]
    rate = f"{k.array('k', plane.size)}[c]" if k.chance(0.4) else k.number("rate")
    center = "c"
    lines = plane.start()
    if plane.edge == "open":  # threads at the edge read what lies before and behind
        offset = k.integer("offset", plane.row * plane.lengths[1] + plane.row + 1)
        lines[-1] = lines[-1].replace("int c =", f"int c = {offset} +")
    if plane.edge == "copied":
        rim = [f"{a} == 0 || {a} == {n} - 1" for a, n in zip("xyz", plane.names, strict=False)]
        copied = [f"{o}[c] = {k.one_of('', f'{k.constant()} * ')}{f}[c];" for o, f in zip(written, fields, strict=True)]
        lines += [f"if ({' || '.join(rim)}) {{", *("  " + line for line in copied), "  return;", "}"]
    moves = [(axis, by) for axis in range(plane.axes) for by in (-1, 1)]
    far = plane.edge == "periodic" and k.chance(0.2)
    for number, (field, out) in enumerate(zip(fields, written, strict=True)):
        chosen = k.rng.sample(moves, k.rng.randint(1, len(moves)))
        own, around = f"{field}[{center}]", [f"{field}[{plane.moved(*move)}]" for move in chosen]
        if far:
            around.append(f"{field}[{plane.moved(0, 2)}]")
        total = f"({' + '.join(around)} - {len(around)} * {own})"
        other = f"{fields[1 - number]}[{center}]" if len(fields) > 1 else own
        what = k.one_of(
            f"{own} + {k.real}(0.1) * {rate} * {total}",
            f"{own} - {k.real}(0.1) * {own} * {total} + {k.real}(0.1) * {other} * {other}",
            f"{k.real}(0.1) * {own} * {' * '.join(around)} + sin({other} * {rate})",
            f"{' + '.join(around)}",
        )
        update = f"{out}[c] {k.one_of('=', '=', '=', '+=')} {what};"
        lines.append(f"if ({field}[c] > {k.constant()}) {update}" if k.chance(0.12) else update)
    return lines, plane.grid(), (*plane.block, 1)


def filtered(k: Making) -> tuple[Lines, tuple[int, int, int], tuple[int, int, int]]:
    """A filter over an image, with active weights and channels; beyond the edges is nothing, or there is no result."""
    block = k.rng.choice(BLOCKS)
    size = k.rng.choice((2, 3, 3))
    width, height, channels, outputs = k.rng.choice((6, 9)), k.rng.choice((5, 6)), k.rng.choice((1, 2)), 2
    nx, ny, nc = k.integer("width", width), k.integer("height", height), k.integer("channels", channels)
    image = k.array("in", width * height * channels)
    w = k.array("w", outputs * channels * size * size)
    out = k.array("out", width * height * outputs, written=True)
    padding = k.chance(0.4)
    reach = f" - {size - 1}" if not padding else ""
    type = k.one_of("int", "int", "unsigned") if not padding else "int"
    taken = k.one_of(f"r * {size} + q", f"r * {size} + q", f"({size - 1} - r) * {size} + {size - 1} - q")
    place = f"(k * {ny} + y + r) * {nx} + x + q"
    add = f"sum += {image}[{place}] * {w}[(o * {nc} + k) * {size * size} + {taken}] / {size * size};"
    if padding:
        place = f"(k * {ny} + yy) * {nx} + xx"
        add = f"sum += {image}[{place}] * {w}[(o * {nc} + k) * {size * size} + {taken}];"
        add = f"const int yy = y + r - 1, xx = x + q - 1; if (yy >= 0 && yy < {ny} && xx >= 0 && xx < {nx}) {add}"
    guard = f"if (x >= ({type}){nx}{reach} || y >= ({type}){ny}{reach}) return;"
    lines = [
        f"const {type} x = {k.rng.choice(_X)}, y = {k.rng.choice(_Y)}, o = blockIdx.z;",
        guard,
        f"{k.real} sum = 0;",
        f"for (int k = 0; k < {nc}; ++k)",
        f"  for ({type} r = 0; r < {size}; r++)",
        f"    for ({type} q = 0; q < {size}; q++) {{",
        f"      {add}",
        "    }",
        f"{out}[(o * {ny} + y) * {nx} + x] {k.one_of('=', '+=')} {k.one_of('sum', 'sin(sum)', 'tanh(sum) * sum')};",
    ]
    return lines, (-(-width // block[0]), -(-height // block[1]), outputs), (*block, 1)


SHAPES = (stencil, stencil, stencil, filtered)
