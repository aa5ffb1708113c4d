"""Kernel launches in the text of the main file."""

from __future__ import annotations

from cladpy.frontend.launches import find_launches, join_brackets
from tests.frontend.reading import read

HOST = b"""// k<<<1, 2>>>(p)
/* k<<<1, 2>>>(p) */
const char *s = "k<<<1, 2>>>(p)", *r = R"x(k<<<1, 2>>>(p))x", c = '<';
int \xc3\xa4 = 1 << 3 >> 2, big = 1'000;
void f() {
  ns::k<<<1, 2>>>(p);
  t<double, (3 > 2)> << <dim3(1, 2), (1 << 3), 0, s>> > (p, g(1, 2), a[i, 2]);
  k<<<
    n / 2, // blocks, threads
    dim3(n > 1 ? 2 : 3) >>>();
  if (x << 2 < y) z >> 1 > 2;
}
"""


def test_launches_are_found_with_their_parts() -> None:
    launches, complete = find_launches(HOST)
    assert complete
    assert [(launch.kernel, launch.arguments) for launch in launches] == [
        ("ns::k", ("p",)),
        ("t<double, (3 > 2)>", ("p", "g(1, 2)", "a[i, 2]")),
        ("k", ()),
    ]
    assert launches[0].configuration == ("1", "2")
    assert launches[1].configuration == ("dim3(1, 2)", "(1 << 3)", "0", "s")
    assert launches[2].configuration[0] == "n / 2"
    assert launches[2].configuration[1].endswith("dim3(n > 1 ? 2 : 3)")
    for launch in launches:
        piece = HOST[launch.start : launch.end]
        assert piece.startswith(launch.kernel.encode())
        assert piece.endswith(b")")


def test_launches_in_macros_are_told_apart() -> None:
    text = b"#define RUN(k, ...) \\\n  k<<<1, \\\n 2>>>(__VA_ARGS__)\nvoid f() { RUN(k, p); g<<<1, 1>>>(); }\n"
    launches, complete = find_launches(text)
    assert [(launch.kernel, launch.in_macro) for launch in launches] == [("g", False), ("k", True)]
    assert (launches[1].configuration, launches[1].arguments) == (("1", "2"), ("__VA_ARGS__",))
    assert text[launches[1].start : launches[1].end].endswith(b"2>>>(__VA_ARGS__)")
    assert complete
    for part in (b"#define OPEN k<<<1, 1\n", b"#if 1 <<< 2 >>> (3)\n#endif\n"):
        assert find_launches(text + part) == (launches, False)


def test_what_is_launched_may_be_no_name() -> None:
    text = (
        b"#define AT(n) <<<n, 1>>>\n"
        b"void f() { k.f<<<1, 2>>>(p); q->f<<<C(n)>>>(p); t[0]<<<1, 2>>>(p); (g)<<<1, 2, 0>>>(p); g AT(3)(p); }\n"
    )
    launches, complete = find_launches(text)
    assert complete and {launch.kernel for launch in launches} == {""}
    pieces = [(text[launch.start : launch.end], launch.configuration, launch.in_macro) for launch in launches]
    assert pieces == [
        (b"<<<1, 2>>>", ("1", "2"), False),
        (b"<<<C(n)>>>", ("C(n)",), False),
        (b"<<<1, 2>>>", ("1", "2"), False),
        (b"<<<1, 2, 0>>>", ("1", "2", "0"), False),
        (b"<<<n, 1>>>", ("n", "1"), True),
    ]


def test_shifts_are_no_launches() -> None:
    assert find_launches(b"int x = a << b << c; y = a >> b; std::cout << 1 << 2 << std::endl;") == ((), True)


def test_joined_brackets_keep_every_offset() -> None:
    joined = join_brackets(HOST)
    assert len(joined) == len(HOST)
    assert b"<<< dim3(1, 2), (1 << 3), 0, s>>>  (p" in joined
    assert join_brackets(joined) == joined


def test_a_program_knows_its_launches() -> None:
    code = """__global__ void k(double *o) { *o = 1; }
int main() { double *p = nullptr; k<< <1, 2>> >(p); }"""
    program = read(code)
    assert [(launch.kernel, code[launch.start : launch.end]) for launch in program.launches] == [
        ("k", "k<< <1, 2>> >(p)")
    ]
    assert program.launches_complete
