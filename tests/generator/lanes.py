"""Random statements for warps whose lanes part: sums in shared memory that lanes wait for, loops that lanes leave one
by one, and conditions that lanes ask each other for.

The threads of a block begin each of them together, and none has returned. What a lane is asked for it gives: a mask
names the lanes that come, and no lane reads from one that does not.
"""

from __future__ import annotations

from tests.generator.constructs import Lines, indented
from tests.generator.expressions import condition, number, small_integer, squash, stored
from tests.generator.scope import Array, Scope, Variable
from tests.generator.statements import block

WARP = 32
SEGMENT = 8  # lanes: every block is a multiple of this


def joined(scope: Scope, a: str, b: str) -> str:
    """Two numbers in a range, joined to one in the same range."""
    return scope.rng.choice(
        (
            f"0.5 * {a} + 0.4 * {b}",
            f"tanh({a} * {b} + 0.3)",
            f"{a} > {b} ? {a} : 0.9 * {b}",
            f"{a} * {b} / (1.0 + {a} * {a})",
            f"0.7 * sin({a}) + 0.25 * {b} * cos({b})",
        )
    )


# ---- sums in shared memory -------------------------------------------------------------------------------------------


def awaited_sums(scope: Scope, size: int) -> Lines:
    """A few sums of each warp's, to which its lanes add and which they read when they have waited for each other; at
    times once more."""
    rng = scope.rng
    name, type, count = scope.fresh("sums"), scope.type(), rng.choice((1, 1, 2, 4))
    warps = -(-size // WARP)
    inner = scope.inner()
    row = name if warps == 1 and rng.random() < 0.5 else f"{name}[t / {WARP}]"
    wait = rng.choice(("__syncwarp(lanes);", "__syncwarp(lanes);", "__syncwarp();", "__syncthreads();"))
    if "()" in wait and size % WARP:
        wait = wait.replace("__syncwarp()", "__syncwarp(lanes)")
    start = f"{row}[t % {WARP}] = {number(scope, 0.1, 0.5, type)};"
    lines = [
        f"__shared__ {type} {name}{f'[{warps}]' if '/' in row else ''}[{count}];",
        f"if (t % {WARP} < {count}) {start}",
        wait,
    ]
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.choice((f"t % {count}", f"{small_integer(inner)} % {count}")) if count > 1 else "0"
        given = f"{type}({squash(inner, stored(inner, 2)).text} * 0.0125)"
        added = f"atomicAdd(&{row}[{place}], {given});"
        who = rng.choice(("", "", f"if ({condition(inner)}) ", f"if (t % {rng.choice((2, 3, 5))} == 1) "))
        v = scope.fresh("v")
        read = rng.choice((f"{row}[0]", f"{row}[{small_integer(inner)} % {count}]", f"{row}[(t + 1) % {count}]"))
        lines += [who + added, wait]
        if rng.random() < 0.3:  # only some lanes read
            lines.append(f"{type} {v} = {number(scope, 0.1, 0.5, type)};")
            lines.append(f"if ({condition(inner)}) {v} = {joined(scope, v, read)};")
        else:
            lines.append(f"{type} {v} = {read};")
        scope.variables.append(Variable(v, type))
        if rng.random() < 0.3:  # one lane changes what all read next
            lines += [wait, f"if (t % {WARP} == {count - 1}) {row}[0] = {joined(scope, f'{row}[0]', v)};", wait]
            w = scope.fresh("v")
            lines.append(f"{type} {w} = {read};")
            scope.variables.append(Variable(w, type))
        elif rng.random() < 0.4:
            own = scope.inner()
            own.arrays += [Array(row, type, (str(count),), False)] * 2
            lines += ["{", *indented(block(own, 1)), "}"]
        lines.append(wait)
    return lines


# ---- loops that lanes leave ------------------------------------------------------------------------------------------


def _exchanged(scope: Scope, mask: str, v: str, type: str) -> Lines:
    """A number of another lane among those of the mask."""
    o, rng = scope.fresh("v"), scope.rng
    lane = f"t % {WARP}"
    partner = rng.choice(
        (f"({lane} ^ {rng.choice((1, 2, 4))})", f"({lane} / {SEGMENT} * {SEGMENT} + (t + 1) % {SEGMENT})")
    )
    source = rng.choice(
        (
            f"__ffs({mask}) - 1",
            f"{WARP - 1} - __clz({mask})",
            f"({mask} >> {partner} & 1) ? {partner} : {lane}",
        )
    )
    given = rng.choice((v, f"{type}({stored(scope, 1).text})"))
    return [f"{type} {o} = __shfl_sync({mask}, {given}, {source});", f"{v} = {joined(scope, v, o)};"]


def left_one_by_one(scope: Scope, size: int) -> Lines:
    """A loop that lanes leave one by one, each time telling those that remain."""
    rng = scope.rng
    if scope.loops >= 3:
        return []
    v, m, k, type = scope.fresh("v"), scope.fresh("live"), scope.fresh("k"), scope.type()
    most = scope.fresh("n")
    lines = [
        f"{type} {v} = {stored(scope, 2).text};",
        f"const int {most} = {rng.choice((f't % {rng.randint(2, 5)}', f'{small_integer(scope)} % 5'))};",
        f"unsigned {m} = lanes;",
    ]
    inner = scope.inner(loops=scope.loops + 1, breakable=False, continuable=False)
    inner.integers.append(k)
    inner.variables.append(Variable(v, type))
    body = [*_exchanged(inner, m, v, type)]
    for _ in range(rng.randint(0, 1)):
        body += block(inner, 1)
    if rng.random() < 0.3:
        body += [f"if (__any_sync({m}, {v} > {rng.uniform(0.1, 0.9):.7f})) {v} = {joined(scope, v, v)};"]
    elif rng.random() < 0.3:
        body += _exchanged(inner, m, v, type)
    on = scope.fresh("c")
    test = f"{k} < {most}"
    if rng.random() < 0.4:
        test = f"{k} < {most} && {v} > {rng.uniform(-0.5, 0.4):.7f}"
    form = rng.randrange(3)
    if form == 0:
        lines += [
            f"for (int {k} = 0; ; ++{k}) {{",
            f"  const bool {on} = {test};",
            f"  {m} = __ballot_sync({m}, {on});",
            f"  if (!{on}) break;",
            *indented(body),
            "}",
        ]
    elif form == 1:
        again = [f"{k}++;", f"{on} = {test};", f"{m} = __ballot_sync({m}, {on});"]
        lines += [
            f"int {k} = 0;",
            f"bool {on} = {test};",
            f"{m} = __ballot_sync({m}, {on});",
            f"while ({on}) {{",
            *indented([*body, *again]),
            "}",
        ]
    else:  # who comes is known before the loop, and told by the count
        lines += [
            f"{m} = __ballot_sync(lanes, {most} > 0);",
            f"for (int {k} = 0; {k} < {most}; ++{k}, {m} = __ballot_sync({m}, {k} < {most})) {{",
            *indented(body),
            "}",
        ]
    scope.variables.append(Variable(v, type))
    return lines


def by_segments(scope: Scope, size: int) -> Lines:
    """A loop whose count is one for the lanes of a segment, which talk to each other alone."""
    rng = scope.rng
    if scope.loops >= 3:
        return []
    v, m, k, n, type = scope.fresh("v"), scope.fresh("m"), scope.fresh("k"), scope.fresh("n"), scope.type()
    width = rng.choice((2, 4, SEGMENT))
    count = rng.choice((f"__shfl_sync(lanes, (int)({small_integer(scope)}), 0, {width}) % 5", f"t / {width} % 4"))
    mask = f"{(1 << width) - 1}u << t % {WARP} / {width} * {width}"
    inner = scope.inner(loops=scope.loops + 1, breakable=False, continuable=False)
    inner.integers.append(k)
    inner.variables.append(Variable(v, type))
    kind = rng.choice(
        (f"xor_sync({m}, {v}, {rng.randint(1, width - 1)}", f"down_sync({m}, {v}, 1", f"up_sync({m}, {v}, 1")
    )
    o = scope.fresh("v")
    body = [f"{type} {o} = __shfl_{kind}, {width});", f"{v} = {joined(scope, v, o)};"]
    if rng.random() < 0.5:
        body += block(inner, 1)
    if rng.random() < 0.4:  # the segment leaves when its first lane says so
        body.append(f"if (__shfl_sync({m}, {v}, 0, {width}) > {rng.uniform(0.2, 0.9):.7f}) break;")
    elif rng.random() < 0.3:
        body.append(f"if (__all_sync({m}, {v} > {rng.uniform(-0.9, 0.5):.7f})) break;")
    lines = [
        f"{type} {v} = {stored(scope, 2).text};",
        f"const int {n} = {count};",
        f"const unsigned {m} = {mask};",
        f"for (int {k} = 0; {k} < {n}; ++{k}) {{",
        *indented(body),
        "}",
    ]
    scope.variables.append(Variable(v, type))
    return lines


# ---- conditions ------------------------------------------------------------------------------------------------------


def _agreed(scope: Scope, v: str) -> tuple[str, int]:
    """A condition that is the same for so many neighbouring lanes, of which all ask for it."""
    rng = scope.rng
    if rng.random() < 0.4:
        width = rng.choice((2, 4, SEGMENT))
        lane = rng.randrange(width)
        return f"__shfl_sync(lanes, {v}, {lane}, {width}) {rng.choice('<>')} {rng.uniform(-0.3, 0.9):.7f}", width
    test = rng.choice((condition(scope), f"{v} {rng.choice('<>')} {rng.uniform(-0.3, 0.9):.7f}"))
    vote = rng.choice(("any", "all"))
    return rng.choice((f"__{vote}_sync(lanes, {test})", f"__popc(__ballot_sync(lanes, {test})) % 3 == 1")), WARP


def asked(scope: Scope, size: int) -> Lines:
    """A branch, a choice, or a loop, whose condition lanes make together."""
    rng = scope.rng
    v, type = scope.fresh("v"), scope.type()
    lines = [f"{type} {v} = {stored(scope, 2).text};"]
    inner = scope.inner(loops=scope.loops + 1, breakable=False, continuable=False)
    inner.variables.append(Variable(v, type))
    test, width = _agreed(scope, v)
    mask = "lanes" if width == WARP else f"{(1 << width) - 1}u << t % {WARP} / {width} * {width}"
    o, shift = scope.fresh("v"), rng.choice((1, 1, min(width, SEGMENT) // 2))
    told = [
        f"{type} {o} = __shfl_xor_sync({mask}, {v}, {shift}, {min(width, SEGMENT)});",
        f"{v} = {joined(scope, v, o)};",
    ]
    other = inner.inner()
    body = [*told, *block(inner, 1)] if rng.random() < 0.6 else block(inner, 1)
    form = rng.randrange(4)
    if form == 0:
        lines += [f"if ({test}) {{", *indented(body)]
        lines += [*(["} else {", *indented(block(other, 1))] if rng.random() < 0.4 else []), "}"]
    elif form == 1:
        lines.append(f"{v} = {test} ? {squash(scope, stored(scope, 2)).text} : {joined(scope, v, v)};")
    elif width == WARP and scope.loops < 3:
        g = scope.fresh("g")
        most = rng.randint(2, 5)
        fade = f"{v} = {v} * {type}({rng.uniform(0.4, 0.8):.3f}) + {type}(0.1) * sin({v});"
        if form == 2:
            lines += [f"for (int {g} = 0; {g} < {most} && {test}; ++{g}) {{", *indented([*body, fade]), "}"]
        else:
            lines += [f"int {g} = 0;", "do {", *indented([*body, fade]), f"}} while (++{g} < {most} && {test});"]
    else:
        lines.append(f"if ({condition(scope)} & ({test})) {v} *= 0.5;")
    scope.variables.append(Variable(v, type))
    return lines


LANES = (awaited_sums, left_one_by_one, left_one_by_one, by_segments, asked, asked)
