"""Tests of what is shipped: the wheel, the README's commands, the documentation."""
