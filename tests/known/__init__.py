"""The book of known functions."""
