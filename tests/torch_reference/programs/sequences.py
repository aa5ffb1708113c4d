"""What sequences.cu computes."""

from __future__ import annotations

from typing import Any

from tests.torch_reference.inputs import Draw
from tests.torch_reference.operation import Kernel, Operation

QKV = {"q": "n d", "k": "n d", "v": "n d"}
ATTENDED = ({"n": 6, "d": 4},)
ATTENTIONS = (
    "ordinary",
    "q=zeros,k=ordinary,v=ordinary",
    "q=ordinary,k=ones,v=ordinary",
    "q=integers,k=ties,v=ordinary",
    "zeros",
)
SOME = ("ordinary", "zeros", "ties")
PATHS = ("x=ordinary,w=ordinary", "x=zeros,w=zeros", "x=ties,w=ties")
LATTICE = ({"steps": 4, "n": 3},)
PAIRS = {"a": "n", "b": "n"}


def attention(t: Any, v: Any, causal: bool) -> Any:
    return t.nn.functional.scaled_dot_product_attention(v.q[None], v.k[None], v.v[None], is_causal=causal)[0]


def left(draw: Draw, sizes: Any) -> list[int]:
    """What a mask leaves: of one row all, of the others some, their first among these."""
    rows = [[1] + [draw.below(2) for _ in range(sizes.n - 1)] for _ in range(sizes.rows - 1)]
    return [1] * sizes.n + [one for row in rows for one in row]


def left_or_none(draw: Draw, sizes: Any) -> list[int]:
    """With a row of which nothing is left."""
    return [*left(draw, sizes)[: (sizes.rows - 1) * sizes.n], *([0] * sizes.n)]


def masked(t: Any, v: Any) -> Any:
    return t.softmax(v.x.masked_fill(v.mask.reshape(v.rows, v.n) == 0, -float("inf")), -1)


def masked_or_none(t: Any, v: Any) -> Any:
    mask = v.mask.reshape(v.rows, v.n)
    some = mask.any(-1, keepdim=True)
    return t.where(some, t.softmax(v.x.masked_fill((mask == 0) & some, -float("inf")), -1), t.zeros_like(v.x))


def rotary(t: Any, v: Any) -> Any:
    x, y = v.x[:, 0::2], v.x[:, 1::2]
    s, c = v.angle.sin(), v.angle.cos()
    return t.stack((x * c - y * s, x * s + y * c), -1).reshape(v.rows, -1)


def ctc(t: Any, v: Any) -> Any:
    """PyTorch's `ctc_loss` gives the derivative with respect to what comes before a log-softmax: so the recursion, by
    its `logsumexp`."""
    labels = [0]
    for one in v.label.tolist():
        labels += [one, 0]
    never = t.full((), -float("inf"), dtype=v.x.dtype)
    alpha = [v.x[0, 0], v.x[0, labels[1]], *([never] * (len(labels) - 2))]
    for step in range(1, v.steps):
        following = []
        for s, label in enumerate(labels):
            parts = [alpha[s], *alpha[max(0, s - 1) : s]]
            if s > 1 and label != 0 and label != labels[s - 2]:
                parts.append(alpha[s - 2])
            parts = [part for part in parts if float(part.detach()) > -float("inf")]
            following.append(t.logsumexp(t.stack(parts), 0) + v.x[step, label] if parts else never)
        alpha = following
    return -t.logsumexp(t.stack(alpha[-2:]), 0).reshape(1)


def paths(t: Any, v: Any, join: Any) -> Any:
    score = v.x[0]
    for step in range(1, v.steps):
        score = join(score[:, None] + v.w, 0) + v.x[step]
    return join(score, 0).reshape(1)


def time_warping(t: Any, v: Any) -> Any:
    cost: dict[tuple[int, int], Any] = {}
    for i in range(v.n):
        for j in range(v.n):
            before = [cost[p] for p in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if p in cost]
            best = t.stack(before).amin(0) if before else 0
            cost[i, j] = (v.a[i] - v.b[j]) ** 2 + best
    return cost[v.n - 1, v.n - 1].reshape(1)


def sinkhorn(t: Any, v: Any) -> Any:
    x = v.x
    f, g = t.zeros(x.shape[0], dtype=x.dtype), t.zeros(x.shape[1], dtype=x.dtype)
    for _ in range(v.rounds):
        f = -t.logsumexp(x + g, 1)
        g = -t.logsumexp(x + f[:, None], 0)
    return (x + f[:, None] + g).exp()


def gru(t: Any, v: Any) -> Any:
    r, z, c = v.x[:, : v.n], v.x[:, v.n : 2 * v.n], v.x[:, 2 * v.n :]
    r, z = (r + v.h).sigmoid(), (z + v.h).sigmoid()
    return (1 - z) * (c + r * v.h).tanh() + z * v.h


def leaky_integrator(t: Any, v: Any) -> Any:
    state, states = t.zeros(v.rows, dtype=v.x.dtype), []
    for step in range(v.n):
        state = (0.5 * state + v.x[:, step]).relu()
        states.append(state)
    return t.stack(states, 1)


def upwind(t: Any, v: Any) -> Any:
    return v.u.clamp_min(0) * (v.x - v.x.roll(1)) + v.u.clamp_max(0) * (v.x.roll(-1) - v.x)


def box_distance(t: Any, v: Any) -> Any:
    d = v.x.abs() - 1
    return t.linalg.vector_norm(d.clamp_min(0), dim=-1) + d.amax(-1).clamp_max(0)


def overlap(t: Any, v: Any) -> Any:
    a, b = v.a, v.b
    w = (t.minimum(a[:, 2], b[:, 2]) - t.maximum(a[:, 0], b[:, 0])).clamp_min(0)
    h = (t.minimum(a[:, 3], b[:, 3]) - t.maximum(a[:, 1], b[:, 1])).clamp_min(0)
    first = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    second = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    return w * h / (first.abs() + second.abs() + 1)


def attending(name: str, causal: str, *more: Kernel) -> Operation:
    kernels = (
        Kernel(f"attention_thread<{causal}>", grid=1),
        Kernel(f"attention_online<{causal}>", grid=1, cancels=1.0),
        Kernel(f"attention_warp<{causal}>", grid="n"),
    )
    return Operation(
        name,
        lambda t, v: attention(t, v, causal == "true"),
        (*kernels, *more),
        inputs=QKV,
        sizes=ATTENDED,
        kinds=ATTENTIONS,
    )


OPERATIONS = (
    attending("attention", "false", Kernel("attention_half", grid="n", type="f2")),
    attending("attention_causal", "true"),
    Operation(
        "masked_softmax",
        masked,
        (Kernel("masked_softmax", grid="rows"), Kernel("masked_softmax_thread", grid=1, type="f8")),
        sizes=({"rows": 3, "n": 11},),
        integers={"mask": left},
        kinds=SOME,
    ),
    Operation(
        "masked_softmax_or_zero",
        masked_or_none,
        (Kernel("masked_softmax", grid="rows"), Kernel("masked_softmax_thread", grid=1, type="f8")),
        sizes=({"rows": 3, "n": 11},),
        integers={"mask": left_or_none},
        kinds=SOME,
    ),
    Operation(
        "biased_softmax",
        lambda t, v: t.softmax(v.x + v.bias, -1),
        (Kernel("biased_softmax", grid=1),),
        inputs={"x": "rows n", "bias": "rows n"},
        given=("bias",),
        sizes=({"rows": 3, "n": 9},),
        kinds=("x=ordinary,bias=minus_inf", "x=zeros,bias=minus_inf", "x=ties,bias=zeros"),
    ),
    Operation(
        "rotary",
        rotary,
        (Kernel("rotary", grid=1),),
        inputs={"x": "rows 8", "angle": "pairs"},
        sizes=({"rows": 3, "pairs": 4},),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "ctc",
        ctc,
        (Kernel("ctc", grid=1, type="f8"), Kernel("ctc_block", grid=1)),
        inputs={"x": "steps classes"},
        integers={"label": lambda draw, sizes: [1, 1, 3, 2][: sizes.length]},
        sizes=({"steps": 7, "classes": 4, "length": 3},),
        kinds=SOME,
    ),
    Operation(
        "viterbi",
        lambda t, v: paths(t, v, t.amax),
        (Kernel("viterbi", grid=1, block=8),),
        inputs={"x": "steps n", "w": "n n"},
        sizes=LATTICE,
        kinds=PATHS,
    ),
    Operation(
        "chain_partition",
        lambda t, v: paths(t, v, t.logsumexp),
        (Kernel("chain_partition", grid=1),),
        inputs={"x": "steps n", "w": "n n"},
        sizes=LATTICE,
        kinds=PATHS,
    ),
    Operation(
        "time_warping",
        time_warping,
        (Kernel("time_warping", grid=1, type="f8"),),
        inputs=PAIRS,
        sizes=({"n": 5},),
        kinds=SOME,
    ),
    Operation(
        "sinkhorn",
        sinkhorn,
        (Kernel("sinkhorn", grid=1),),
        inputs={"x": "n n"},
        sizes=({"n": 5, "rounds": 3},),
        kinds=(*SOME, "equal"),
    ),
    Operation(
        "sinkhorn_lanes",
        sinkhorn,
        (Kernel("sinkhorn_lanes", grid=1),),
        inputs={"x": "4 8"},
        sizes=({"rounds": 3},),
        kinds=(*SOME, "equal"),
    ),
    Operation(
        "gru",
        gru,
        (Kernel("gru", grid=1),),
        inputs={"x": "rows 15", "h": "rows n"},
        sizes=({"rows": 2, "n": 5},),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "leaky_integrator",
        leaky_integrator,
        (Kernel("leaky_integrator", grid=1, type="f8"),),
        sizes=({"rows": 3, "n": 9},),
        kinds=("ordinary", "ties"),
    ),
    Operation(
        "upwind",
        upwind,
        (Kernel("upwind", grid=1),),
        inputs={"x": "n", "u": "n"},
        sizes=({"n": 16},),
        kinds=("ordinary", "x=ordinary,u=zeros", "ties", "x=ones,u=zeros"),
    ),
    Operation(
        "minmod",
        lambda t, v: t.minimum(v.a, v.b).clamp_min(0) + t.maximum(v.a, v.b).clamp_max(0),
        (Kernel("minmod", grid=1, type="f8"),),
        inputs=PAIRS,
        sizes=({"n": 24},),
        kinds=("ordinary", "ties", "ones"),
    ),
    Operation(
        "slabs",
        lambda t, v: t.minimum(v.a, v.b).amax(-1) - t.maximum(v.a, v.b).amin(-1),
        (Kernel("slabs", grid=1),),
        inputs={"a": "rows 3", "b": "rows 3"},
        sizes=({"rows": 8},),
        kinds=SOME,
    ),
    Operation(
        "box_distance",
        box_distance,
        (Kernel("box_distance", grid=1),),
        inputs={"x": "rows 3"},
        sizes=({"rows": 10},),
        kinds=("ordinary", "zeros", "halves"),
    ),
    Operation(
        "overlap",
        overlap,
        (Kernel("overlap", grid=1),),
        inputs={"a": "rows 4", "b": "rows 4"},
        sizes=({"rows": 8},),
        kinds=SOME,
    ),
)
