"""Stage 6: generated code to text. `expressions` and `statements` print the grammar of `ir.code`, `unit` lays out a
file through the templates; a target is a small difference of one base. Raises nothing of its own."""
