"""The version of the package, for what imports none of it."""

__version__ = "0.1.0"
