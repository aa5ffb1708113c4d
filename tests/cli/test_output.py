"""Writing results: whole or not at all, and never over an input."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from cladpy.diagnostics import UsageError
from cladpy.output import check_target, include_spelling, write


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.cu"
    path.write_text("original")
    return path


def test_the_input_is_refused_under_every_name(tmp_path: Path, source: Path) -> None:
    hard, soft = tmp_path / "hard.cu", tmp_path / "soft.cu"
    os.link(source, hard)
    soft.symlink_to(source)
    (tmp_path / "folder").symlink_to(tmp_path)
    for name in (source, hard, soft, tmp_path / "folder" / "kernel.cu"):
        with pytest.raises(UsageError, match="it is the same file as the input"):
            check_target(name, [source])


def test_a_directory_and_a_missing_directory_are_refused(tmp_path: Path, source: Path) -> None:
    with pytest.raises(UsageError, match="it is a directory"):
        check_target(tmp_path, [source])
    with pytest.raises(UsageError, match="there is no directory"):
        check_target(tmp_path / "none" / "out.cu", [source])


def test_another_file_is_accepted(tmp_path: Path, source: Path) -> None:
    other = tmp_path / "other.cu"
    other.write_text("original")
    check_target(other, [source])
    check_target(tmp_path / "new.cu", [source])


def test_write_replaces_the_file_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out.cu"
    target.write_text("old")
    target.chmod(0o640)
    write(target, "new é\udcff")
    assert target.read_bytes() == "new é".encode() + b"\xff"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out.cu"]


def test_a_new_file_has_ordinary_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "out.cu", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out.cu").stat().st_mode) == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "out.cu", tmp_path / "link.cu"
    target.write_text("old")
    link.symlink_to(target)
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_failing_write_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.cu"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write(target, "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.cu"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    write(Path(os.devnull), "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_the_include_is_relative_to_the_output(tmp_path: Path, source: Path) -> None:
    (tmp_path / "build").mkdir()
    assert include_spelling(tmp_path / "build" / "out.cu", source) == "../kernel.cu"
    assert include_spelling(tmp_path / "out.cu", source) == "kernel.cu"
