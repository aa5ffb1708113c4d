"""What a gradient costs and why: how each adjoint is updated, what is stored, what is done again.

Takes the gradient as the adjoint stage gives it, and changes nothing. `report` has the findings, `collect` looks for
them in the generated code, `text` and `as_json` write them, `lines` says it line by line, `html` as a page that
stands by itself; `page` has the page of a diagnostic.
"""

from cladpy.explain.collect import explain
from cladpy.explain.lines import Annotated, annotated
from cladpy.explain.page import page
from cladpy.explain.report import Report
from cladpy.explain.text import as_json, as_text

__all__ = ["Annotated", "Report", "annotated", "as_json", "as_text", "explain", "page"]
