"""The passes over generated code, from text to text."""
