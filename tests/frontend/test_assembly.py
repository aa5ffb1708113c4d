"""Inline PTX as C++ in the text."""

from __future__ import annotations

import pytest

from cladpy.frontend.assembly import without_assembly

AS_CPP = (
    ('asm("mov.u32 %0, %%laneid;" : "=r"(a[i]))', "a[i]=(CLADPY_LANE)"),
    ('asm ( "mov.u32 %0, %1;" : "=r"(n) : "n"(3) )', None),
    ('asm("mov.b32 %0, %1;" : "=r"(n) : "f"(x))', None),  # the bits of a number
    ('asm("mov.u32 %0, %%smid;" : "=r"(n))', None),
    ('asm("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(p))', None),
    ('asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(a) : "l"(p))', None),  # another thread may store
    ('asm volatile("st.global.wb.f64 [%0], %1;" :: "l"(p + ns::f(1)), "d"(v))', "*(double*)(p + ns::f(1))=v"),
    ('asm("fma.rn.f32 %0, %1, %1, %1;" : "=f"(r) : "f"(next()))', None),  # it is called once
    ('asm("add.f32 %0, %1, %2; mul.f32 %0, %0, %1;" : "=f"(r) : "f"(v), "f"(w))', None),  # r may be v
    ('asm("add.f32 %0, %0, %1; neg.f32 %0, %0;" : "+f"(r) : "f"(v))', "(r=(r)+(v),r=-(r))"),
    ('asm("cvt.rn.f32.s32 %0, %1;" : "=f"(r) : "r"(n))', "r=(float)(int)(n)"),
    ('asm("cvt.rn.f64.u32 %0, %%tid.x;" : "=d"(r) :)', "r=(double)(unsigned)(threadIdx.x)"),
    ('asm("cvt.rn.f32.f64 %0, %1;" : "=d"(r) : "d"(v))', None),  # a float is made
    ('asm("cvt.rz.f32.f64 %0, %1;" : "=f"(r) : "d"(v))', None),  # rounded in another way
    ('asm volatile("bar.sync 0;" ::: "memory")', "__syncthreads()"),
    ('asm volatile("membar.gl;" ::)', "__threadfence()"),
    ('asm volatile("" : "=f"(v))', None),
    ('asm("mov.u32 %0, %1;" : "=r"(n) : "r"(m), [q] "r"(m))', None),
    ('asm("mov.u32 %0, %1;" : "=r"(n) : "r"(m)', None),  # no bracket
    ('"asm(\\"membar.gl;\\")"', None),
    ('// asm("membar.gl;" ::);', None),
)


@pytest.mark.parametrize(("text", "expected"), AS_CPP)
def test_one(text: str, expected: str | None) -> None:
    found = without_assembly(text.encode()).decode()
    assert len(found) == len(text)
    assert found.rstrip() == (text if expected is None else expected)


def test_lines_stay() -> None:
    text = b'#define F(a) asm(\\\n  "membar.gl;" \\\n ::)\nint f() {\n asm("mov.u32 %0, %%laneid;"\n : "=r"(\nn));\n}\n'
    found = without_assembly(text)
    assert [line.strip() for line in found.split(b"\n")] == [
        b"#define F(a) __threadfence()        \\",
        b"\\",
        b"",
        b"int f() {",
        b"n=(CLADPY_LANE)",
        b"",
        b";",
        b"}",
        b"",
    ]
