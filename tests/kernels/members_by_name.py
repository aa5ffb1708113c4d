"""What is differentiated in members_by_name.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, shaped

LINE = shaped(1, 2)


def _case(function: str, args: str, *values: object, label: str = "") -> Case:
    return Case("members_by_name", function, args, values, None, None, label)  # type: ignore[arg-type]


CASES = (
    _case("model::Line::at(double)", "self, x", LINE, 0.7, label="overload"),
    _case("model::Line::at(double, int)", "self, x", LINE, 0.7, 3, label="other_overload"),
    _case("&model::Line::move", "", LINE, 0.7),
    _case("model::Line::moved", "", LINE, 0.7),
    _case("model::Line::spent", "", LINE, 0.7),
    _case("model::Line::kept", "", LINE, real(1)),
    _case("model::Line::seen", "", LINE, 0.7),
    _case("by_volatile", "", 0.7, 0.4),
    _case("model::Line::scaled<double>", "x", LINE, 0.7),
    _case("model::Line::both", "", LINE, 0.7),
    _case("model::Line::plain", "", 0.7),
    _case("model::Line::operator()", "", LINE, 0.7, 0.3),
    _case("model::Line::operator[]", "self", LINE, 1),
    _case("model::Curve::move", "", shaped(1, 3), 0.7),
    _case("Scale<double>::operator()", "", real(1), 0.7, real(4), 4),
    _case("cubed", "", 0.7),
    _case("fixed", "", 0.7, 0.3),
    _case("outer::inside", "", 0.7, 0.3),
    _case("outer::seen", "", 0.7),
)
