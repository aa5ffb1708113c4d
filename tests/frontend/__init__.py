"""Tests of the front end: what C++ becomes in the surface grammar, and what is refused."""
