"""Kernels whose blocks have a row or a tile each: sums over rows by trees and shuffles, products through tiles, pairs
by tiles."""

from __future__ import annotations

from tests.generator.making import Lines, Making

Shape = tuple[Lines, tuple[int, int, int], tuple[int, int, int]]
SYNC = "__syncthreads();"


def _sum(k: Making, size: int, value: str) -> Lines:
    """The sum over the block of a variable, which all threads get in it."""
    form = k.rng.randrange(4)
    if form == 0 and size in (8, 16, 32):
        mask = "0xffffffffu" if size == 32 else f"0x{(1 << size) - 1:x}u"
        return [f"for (int d = {size // 2}; d > 0; d /= 2) {value} += __shfl_xor_sync({mask}, {value}, d);"]
    part = k.fresh("part")
    if form == 1 and size % 32 == 0:
        warps = size // 32
        if k.chance(0.5):
            last = [f"{value} = 0;", f"for (int w = 0; w < {warps}; ++w) {value} += {part}[w];"]
        else:
            added = f"for (int w = 1; w < {warps}; ++w) {part}[0] += {part}[w];"
            last = [f"if (threadIdx.x == 0) {added}", SYNC, f"{value} = {part}[0];"]
        return [
            f"__shared__ {k.real} {part}[{warps}];",
            f"for (int d = 16; d > 0; d /= 2) {value} += __shfl_down_sync(0xffffffffu, {value}, d);",
            f"if (threadIdx.x % 32 == 0) {part}[threadIdx.x / 32] = {value};",
            SYNC,
            *last,
            SYNC,
        ]
    lines = [f"__shared__ {k.real} {part}[{size}];", f"{part}[threadIdx.x] = {value};", SYNC]
    if form == 2:
        return [*lines, f"{value} = 0;", f"for (int w = 0; w < {size}; ++w) {value} += {part}[w];", SYNC]
    half = 1
    while half < size:
        half *= 2
    if k.chance(0.6):
        return _by_halves(k, size, half, part, value)
    return [
        *lines,
        f"for (int d = {half // 2}; d > 0; d >>= 1) {{",
        f"  if (threadIdx.x < d && threadIdx.x + d < {size}) {part}[threadIdx.x] += {part}[threadIdx.x + d];",
        f"  {SYNC}",
        "}",
        f"{value} = {part}[0];",
        SYNC,
    ]


def _by_halves(k: Making, size: int, room: int, part: str, value: str) -> Lines:
    """All threads take part in each step that has an element for them: what is beyond the block is zero. At times what
    is left in the other elements counts as well."""
    type, t = k.one_of("int", "int", "unsigned"), k.fresh("t")
    add = f"if ({t} < d) {part}[{t}] {k.one_of('+=', f'= {part}[{t}] +')} {part}[{t} + d];"
    halved = f"for ({type} d = {room // 2}; {k.one_of('d > 0', 'd', 'd >= 1')}; {k.one_of('d >>= 1', 'd /= 2')})"
    steps = [f"{halved} {{", f"  {add}", f"  {SYNC}", "}"] if k.chance(0.5) else [f"{halved} {{ {SYNC} {add} }}", SYNC]
    sum = f"{part}[0]"
    if room > 1 and k.chance(0.3):
        sum += f" + {k.constant()} * {part}[{k.one_of('1', f'{t} / 2', str(room - 1))}]"
    return [
        f"__shared__ {k.real} {part}[{room}];",
        f"const {type} {t} = threadIdx.x;",
        f"for ({type} w = {t}; w < {room}; w += {size}) {part}[w] = w == {t} ? {value} : {k.real}(0);",
        SYNC,
        *steps,
        f"{value} = {sum};",
        SYNC,
    ]


def lattice(k: Making) -> Shape:
    """Each step overwrites the elements of some threads by what they and their neighbours held, as prices on a tree."""
    size, blocks = k.rng.choice((4, 8, 16, 31, 32, 33)), k.rng.randint(1, 3)
    x, out = k.array("x", blocks * size), k.array("out", blocks * size, written=True)
    steps = k.integer("steps", k.rng.randint(1, size - 1))
    held, weight = k.fresh("held"), k.array("w", 2)
    chosen = k.one_of("t <= level", "t <= level", "t < level", "t >= level", "(t + level) % 2 == 0", "t != level")
    here, there = f"{held}[t]", f"{held}[(t + 1) % {size}]"
    grown = k.one_of(
        f"{weight}[0] * {here} + {weight}[1] * {there}",
        f"fmax({weight}[0] * {there} + 0.4 * {here}, {k.real}({k.constant()}) * {weight}[1])",
        f"tanh({here} * {there} + {weight}[0])",
    )
    head = k.one_of(f"int level = {steps} - 1; level >= 0; --level", f"int level = 0; level < {steps}; ++level")
    return (
        [
            f"__shared__ {k.real} {held}[{size}];",
            f"const int t = threadIdx.x, i = blockIdx.x * {size} + t;",
            f"{held}[t] = {x}[i];",
            SYNC,
            f"for ({head}) {{",
            f"  {k.real} next = 0;",
            f"  if ({chosen}) next = {grown};",
            f"  {SYNC}",
            f"  if ({chosen}) {held}[t] = next;",
            f"  {SYNC}",
            "}",
            f"{out}[i] {k.one_of('=', '+=')} {k.one_of('', 'sin')}({held}[t]);",
        ],
        (blocks, 1, 1),
        (size, 1, 1),
    )


def row_of_block(k: Making) -> Shape:
    """A row for each block: what is summed over it, once or twice, with weights of each column, and written."""
    size = k.rng.choice((8, 16, 20, 32, 32, 33, 64))
    rows = k.rng.randint(1, 3)
    columns = k.rng.choice((1, 5, size - 1, size, size + 1, 2 * size + 3, 4 * size))
    n = k.integer("n", columns)
    x, out = k.array("x", rows * columns), k.array("out", rows * columns, written=True)
    g = k.array("g", columns)
    type = k.one_of("int", "int", "unsigned")
    row = f"(({type})blockIdx.x * {n} + c)"
    head = f"for ({type} c = threadIdx.x; c < ({type}){n}; c += blockDim.x)"
    if type == "int" and k.chance(0.2):
        head = f"for (int c = {n} - 1 - (int)threadIdx.x; c >= 0; c -= blockDim.x)"
    here = f"{x}[{row}]"
    term = k.one_of(here, f"{here} * {g}[c]", f"{here} * {here}")
    mean, scale = k.fresh("mean"), k.fresh("var")
    lines = [f"{k.real} {mean} = 0;", f"{head} {mean} += {term} / {n};", *_sum(k, size, mean)]
    given = f"{here} - {mean}"
    if k.chance(0.6):
        lines += [
            f"{k.real} {scale} = 0;",
            f"{head} {scale} += ({here} - {mean}) * ({here} - {mean}) / {n};",
            *_sum(k, size, scale),
            f"{scale} = 1 / sqrt({scale} + {k.constant()});",
        ]
        given = f"({here} - {mean}) * {scale}"
    weight = k.one_of(f" * {g}[c]", f" * {g}[c] + {g}[c] * {g}[c]", "", f" * {g}[{n} - 1 - c]")
    lines.append(f"{head} {out}[{row}] {k.one_of('=', '=', '+=')} {k.one_of('', 'sin')}({given}{weight});")
    if k.chance(0.3):
        total = k.array("total", rows, written=True)
        lines.append(f"if (threadIdx.x == 0) {total}[blockIdx.x] = {mean} * {mean};")
    return lines, (rows, 1, 1), (size, 1, 1)


def product(k: Making) -> Shape:
    """A product of matrices by tiles, with tails; the second may be the first, or be read along its rows."""
    tile = k.rng.choice((3, 4, 8))
    rows, inner, columns = (k.rng.choice((1, tile - 1, tile, tile + 1, 2 * tile)) for _ in range(3))
    m, depth, n = k.integer("m", rows), k.integer("l", inner), k.integer("n", columns)
    a = k.array("A", rows * inner)
    along = k.chance(0.4)
    b = k.array("B", inner * columns)
    out = k.array("C", rows * columns, written=True)
    pad = k.rng.choice((0, 0, 1))
    first, second = k.fresh("left"), k.fresh("right")
    place = f"column * {depth} + start + threadIdx.y" if along else f"(start + threadIdx.y) * {n} + column"
    act = k.one_of("sum", "tanh(sum)", "(sum > 0.7 ? sum : 0.1 * sum)", "sum * sum / 9")
    zero = f"{k.real}(0)"
    own = k.one_of("sum", f"sum * {k.constant()}")
    flip = k.chance(0.25)
    stored = f"{second}[threadIdx.x][threadIdx.y]" if flip else f"{second}[threadIdx.y][threadIdx.x]"
    read = f"{second}[threadIdx.x][k]" if flip else f"{second}[k][threadIdx.x]"
    lines = [
        f"__shared__ {k.real} {first}[{tile}][{tile + pad}], {second}[{tile}][{tile + 1}];",
        f"const int row = blockIdx.y * {tile} + threadIdx.y, column = blockIdx.x * {tile} + threadIdx.x;",
        f"{k.real} sum = 0;",
        f"for (int start = 0; start < {depth}; start += {tile}) {{",
        f"  {first}[threadIdx.y][threadIdx.x] = row < {m} && start + (int)threadIdx.x < {depth} ? "
        f"{a}[row * {depth} + start + threadIdx.x] : {zero};",
        f"  {stored} = column < {n} && start + (int)threadIdx.y < {depth} ? {b}[{place}] : {zero};",
        f"  {SYNC}",
        f"  for (int k = 0; k < {tile}; ++k) sum += {first}[threadIdx.y][k] * {read};",
        f"  {SYNC}",
        "}",
        f"sum = {own};",
        f"if (row < {m} && column < {n}) {out}[row * {n} + column] {k.one_of('=', '+=')} {act};",
    ]
    return lines, (-(-columns // tile), -(-rows // tile), 1), (tile, tile, 1)


def pairs(k: Making) -> Shape:
    """All pairs by tiles, of threads of which some are beyond the end."""
    size = k.rng.choice((8, 16, 32, 20))
    grid = k.rng.randint(1, 2)
    count = grid * size - k.rng.choice((0, 1, size // 2))
    n = k.integer("n", count)
    x, q, out = k.array("x", count), k.array("q", count), k.array("out", count, written=True)
    places, charges = k.fresh("places"), k.fresh("charges")
    inner = k.one_of("blockDim.x", str(size))
    test = k.rng.choice(("", f"if (d > {k.constant(-0.5, 0.2)}) "))
    lines = [
        f"__shared__ {k.real} {places}[{size}], {charges}[{size}];",
        "const int i = blockIdx.x * blockDim.x + threadIdx.x;",
        f"const {k.real} own = i < {n} ? {x}[i] : {k.real}(0.3);",
        f"{k.real} sum = 0;",
        f"for (int first = 0; first < {n}; first += {size}) {{",
        "  const int j = first + threadIdx.x;",
        f"  {places}[threadIdx.x] = j < {n} ? {x}[j] : {k.real}(0);",
        f"  {charges}[threadIdx.x] = j < {n} ? {q}[j] : {k.real}(0);",
        f"  {SYNC}",
        f"  for ({'unsigned' if 'block' in inner else 'int'} k = 0; k < {inner}; k++) {{",
        f"    const {k.real} d = {places}[k] - own, r = d * d + {k.constant()};",
        f"    {test}sum += {charges}[k] * {k.one_of('d', 'own', '1')} / (r * {k.one_of('r', 'sqrt(r)', '8')});",
        "  }",
        f"  {SYNC}",
        "}",
        f"if (i < {n}) {out}[i] = {k.one_of('sum', 'tanh(sum)')} / {n};",
    ]
    return lines, (grid, 1, 1), (size, 1, 1)


def weights_of_lanes(k: Making) -> Shape:
    """Rows whose lanes go through weights side by side, which all blocks share."""
    size = k.rng.choice((32, 64))
    rows, length = k.rng.randint(1, 3), k.rng.choice((32, 40, 64, 70))
    n = k.integer("n", length)
    warps = size // 32
    x, w = k.array("x", rows * warps * length), k.array("w", length)
    out = k.array("out", rows * warps, written=True)
    index = k.one_of("c", "c", f"{n} - 1 - c")
    lines = [
        f"const int lane = threadIdx.x % 32, row = blockIdx.x * {warps} + threadIdx.x / 32;",
        f"{k.real} sum = 0;",
        f"for (int c = lane; c < {n}; c += 32) sum += {x}[row * {n} + c] * {w}[{index}] * {k.one_of('1', f'{w}[0]')};",
        "for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);",
        k.one_of(f"if (lane == 0) {out}[row] = sin(sum);", f"{out}[row] = sum / {n};"),
    ]
    return lines, (rows, 1, 1), (size, 1, 1)


def scan(k: Making) -> Shape:
    """Sums of all that comes before, and what is made of neighbours in shared memory."""
    size = k.rng.choice((8, 16, 20, 32, 33))
    grid = k.rng.randint(1, 2)
    count = grid * size - k.rng.choice((0, 0, 1, size // 2))
    n = k.integer("n", count)
    x, w, out = k.array("x", count), k.array("w", 3), k.array("out", count, written=True)
    s, v = k.fresh("s"), k.fresh("v")
    lines = [
        f"__shared__ {k.real} {s}[{size}];",
        "const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;",
        f"{s}[t] = i < {n} ? {x}[i] * {w}[1] : {k.real}(0);",
        SYNC,
        f"for (int d = 1; d < {size}; d *= 2) {{",
        f"  const {k.real} {v} = t >= d ? {s}[t - d] : {k.real}(0);",
        f"  {SYNC}",
        f"  {s}[t] {k.one_of(f'+= {v}', f'= {s}[t] * {k.constant(0.5, 0.9)} + sin({v})')};",
        f"  {SYNC}",
        "}",
    ]
    other = k.one_of(f"{s}[(t + 1) % {size}]", f"(t > 0 ? {s}[t - 1] : {k.real}(0))", f"{s}[{size - 1}]", f"{s}[0]")
    lines.append(f"if (i < {n}) {out}[i] {k.one_of('=', '+=')} sin({s}[t] * {w}[0] / {size}) + {other} / {size};")
    return lines, (grid, 1, 1), (size, 1, 1)


def with_halo(k: Making) -> Shape:
    """A line in shared memory with what lies beside it, and a filter that goes over it."""
    size, reach = k.rng.choice((8, 16, 20, 32)), k.rng.choice((1, 2))
    grid = k.rng.randint(1, 3)
    count = grid * size - k.rng.choice((0, 0, 1, size // 2))
    n = k.integer("n", count)
    x, w, out = k.array("x", count), k.array("w", 2 * reach + 1), k.array("out", count, written=True)
    s, v = k.fresh("s"), k.fresh("v")
    zero = f"{k.real}(0)"
    lines = [
        f"__shared__ {k.real} {s}[{size + 2 * reach}];",
        "const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;",
        f"{s}[t + {reach}] = i < {n} ? {x}[i] : {zero};",
        f"if (t < {reach}) {{",
        f"  {s}[t] = i - {reach} >= 0 && i - {reach} < {n} ? {x}[i - {reach}] : {zero};",
        f"  {s}[t + {size + reach}] = i + {size} < {n} ? {x}[i + {size}] : {zero};",
        "}",
        SYNC,
        *([f"if (i >= {n}) return;"] if k.chance(0.5) else []),
        f"{k.real} {v} = 0;",
        f"for (int c = 0; c < {2 * reach + 1}; c++) {v} += {s}[t + c] * {w}[{k.one_of('c', f'{2 * reach} - c')}];",
        f"if (i < {n}) {out}[i] {k.one_of('=', '+=')} {k.one_of(v, f'tanh({v})', f'{v} * {s}[t + {reach}]')};",
    ]
    return lines, (grid, 1, 1), (size, 1, 1)


def binned(k: Making) -> Shape:
    """Sums of classes, by atomics in shared memory, which a few threads add to those of all blocks."""
    size, bins = k.rng.choice((8, 20, 32, 64)), k.rng.choice((1, 3, 5, 8))
    grid = k.rng.randint(1, 3)
    count = grid * size - k.rng.choice((0, 1, size // 2))
    n = k.integer("n", count)
    of = k.table("of", [int(v) for v in k.fill.integers(0, bins, count)])
    x, sums = k.array("x", count), k.array("sums", bins, written=True)
    s = k.fresh("s")
    what = k.one_of(f"{x}[i]", f"{x}[i] * {x}[i]", f"sin({x}[i])")
    lines = [
        f"__shared__ {k.real} {s}[{bins}];",
        f"for (int b = threadIdx.x; b < {bins}; b += blockDim.x) {s}[b] = 0;",
        SYNC,
        f"for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < {n}; i += gridDim.x * blockDim.x)",
        f"  atomicAdd(&{s}[{of}[i]], {what});",
        SYNC,
        f"for (int b = threadIdx.x; b < {bins}; b += blockDim.x) atomicAdd(&{sums}[b], {k.one_of('', 'sin')}({s}[b]));",
    ]
    return lines, (grid, 1, 1), (size, 1, 1)


SHAPES = (
    row_of_block, row_of_block, row_of_block, product, product, pairs, weights_of_lanes, weights_of_lanes, scan,
    with_halo, binned, lattice,
)  # fmt: skip
