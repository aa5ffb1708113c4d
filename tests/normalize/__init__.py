"""Tests of normalisation: what surface programs become in the core grammar."""
