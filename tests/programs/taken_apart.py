"""Structured bindings of the C++ library's classes."""

from tests.programs.case import Program

CASES = (Program("taken_apart", "taken_apart", "x, y", (1.3, 0.7)),)
