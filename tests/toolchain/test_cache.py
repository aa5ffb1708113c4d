"""The compile cache: what makes a new entry, and entries that are damaged."""

from __future__ import annotations

import json
import os
import resource
import stat
from pathlib import Path
from typing import Any

import pytest

from cladpy.cli import run
from cladpy.diagnostics import ToolchainError
from cladpy.source import Source
from cladpy.toolchain import cache, compile_host, host
from tests.toolchain.trial import trial

TEXT = 'extern "C" int answer() { return 42; }\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.glob("*.json"))


def test_the_second_compilation_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compile_host(TEXT)
    monkeypatch.setattr("cladpy.toolchain.build.subprocess.run", None)  # no compiler is run now
    assert compile_host(TEXT) == first
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


def test_everything_that_matters_makes_another_entry(folder: Path, tmp_path: Path) -> None:
    header = tmp_path / "header.h"
    header.write_text("#define VALUE 1\n")
    source = Source.load("__device__ int a() { return 1; }\n")
    calls = [
        lambda: compile_host(TEXT),
        lambda: compile_host(TEXT + "\n"),
        lambda: compile_host(TEXT, defines=[("X", "1")]),
        lambda: compile_host(TEXT, std="c++20"),
        lambda: compile_host(TEXT, optimize="-O0"),
        lambda: compile_host(TEXT, include_directories=[tmp_path]),
        lambda: compile_host(TEXT, source=source),
        lambda: compile_host(TEXT, source=Source(source.name, source.text + " ", None)),
        lambda: compile_host(TEXT, dependencies=[header]),
    ]
    for count, call in enumerate(calls, start=1):
        call()
        assert len(entries(folder)) == count
    header.write_text("#define VALUE 2\n")
    calls[-1]()
    assert len(entries(folder)) == len(calls) + 1
    header.unlink()
    calls[-1]()
    assert len(entries(folder)) == len(calls) + 2


@pytest.mark.parametrize("damage", ["payload changed", "payload gone", "manifest cut", "manifest elsewhere"])
def test_a_damaged_entry_is_a_miss(folder: Path, tmp_path: Path, damage: str) -> None:
    path = compile_host(TEXT)
    whole = path.read_bytes()
    manifest = next(folder.glob("*.json"))
    if damage == "payload changed":
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    elif damage == "payload gone":
        path.unlink()
    elif damage == "manifest cut":
        manifest.write_text(manifest.read_text()[:-5])
    else:
        other = tmp_path / "other.so"
        other.write_bytes(b"not ours")
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "payload": str(other)}))
    again = compile_host(TEXT)
    assert again.read_bytes()[:4] == b"\x7fELF"
    assert cache.look_up(manifest.stem) == again


def test_an_entry_of_another_key_is_a_miss(folder: Path, tmp_path: Path) -> None:
    built = tmp_path / "built"
    built.write_bytes(b"one")
    first = cache.store("one", built)
    (folder / "two.json").write_bytes((folder / "one.json").read_bytes())
    assert cache.look_up("two") is None
    entry = json.loads((folder / "one.json").read_text())
    (folder / "two.json").write_text(json.dumps({**entry, "key": "two"}))
    assert cache.look_up("two") is None
    moved = first.name.replace("one-", "two-")
    (folder / "two.json").write_text(json.dumps({**entry, "key": "two", "payload": moved}))
    assert cache.look_up("two") is None
    (folder / moved).symlink_to(first)
    assert cache.look_up("two") is None, "a link may lead anywhere"
    assert cache.look_up("one") == first


@pytest.mark.parametrize("text", ["", "[]", "null", '{"key": "one"}', '{"key": 1, "sha256": [], "payload": {}}', "\0"])
def test_a_manifest_that_is_none_is_a_miss(folder: Path, text: str) -> None:
    cache.cache_dir()
    (folder / "one.json").write_text(text)
    assert cache.look_up("one") is None


def test_files_are_the_owners(folder: Path, tmp_path: Path) -> None:
    built = tmp_path / "built"
    built.write_bytes(b"one")
    built.chmod(0o777)
    cache.store("one", built)
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    with cache.building() as place:
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert not place.exists()


def test_the_size_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "BYTES", 25_000)
    built = tmp_path / "built"
    for k in range(4):
        built.write_bytes(b"%d" % k * 10_000)
        cache.store(f"key{k}", built)
        os.utime(folder / f"key{k}.json", (k, k))
    assert [cache.look_up(f"key{k}") is not None for k in range(4)] == [False, False, True, True]
    built.write_bytes(b"x" * 100_000)
    assert cache.store("large", built).exists(), "the newest stays, however large"
    assert cache.info().entries == 1


def test_what_was_left_goes(folder: Path, tmp_path: Path) -> None:
    built = tmp_path / "built"
    built.write_bytes(b"one")
    cache.cache_dir()
    old, new, orphan = folder / ".new-old", folder / ".build-new", folder / "gone-0123.so"
    old.write_text("")
    new.mkdir()
    orphan.write_text("")
    for path in (old, orphan):
        os.utime(path, (1, 1))
    assert cache.info().leftovers == 3
    cache.store("one", built)
    assert not old.exists() and not orphan.exists()
    assert new.exists(), "somebody may be compiling there"


def test_info_and_clear(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built = tmp_path / "built"
    built.write_bytes(b"x" * 2**20)
    cache.store("one", built)
    (folder / ".build-left").mkdir()
    (folder / "mine.txt").write_text("not of the cache")
    assert run(["cache", "info"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("1 entries, 1 files of compilations that did not end, 1.0 MiB, in ")
    assert run(["cache", "clear"]) == 0
    assert capsys.readouterr().out.startswith("1 entries, 1 files of compilations that did not end, 1.0 MiB, removed")
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert cache.info().entries == 0
    assert run(["cache", "burn"]) == 2


def test_a_full_disk(folder: Path) -> None:
    cache.cache_dir()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        with pytest.raises(ToolchainError, match=r"File too large"):
            compile_host(TEXT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(folder.iterdir()) == []
    assert cache.look_up("one") is None


def test_a_header_that_changes_meanwhile(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library is never stored as that of a header which it was not made of."""
    header = tmp_path / "header.h"
    header.write_text("0")
    contents = iter("12334567")
    run_compiler = host.run_compiler

    def change(*arguments: Any) -> None:
        run_compiler(*arguments)
        header.write_text(next(contents))

    monkeypatch.setattr(host, "run_compiler", change)
    with pytest.raises(ToolchainError, match="change all the while"):
        compile_host(TEXT, dependencies=[header])  # 0 to 1, 1 to 2, 2 to 3
    assert entries(folder) == []
    compile_host(TEXT, dependencies=[header])  # 3 to 3
    assert len(entries(folder)) == 1


def test_many_processes_at_once(tmp_path: Path) -> None:
    assert trial(tmp_path / "cache", rounds=25, kills=4, seed=3) == ""


def test_parts_are_told_apart() -> None:
    assert cache.digest_of(["ab", "c"]) != cache.digest_of(["a", "bc"])
    assert cache.digest_of(["a"]) != cache.digest_of(["a", ""])


def test_old_entries_go(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "LIMIT", 3)
    built = tmp_path / "built"
    for k in range(5):
        built.write_bytes(b"%d" % k)
        cache.store(f"key{k}", built)
        os.utime(folder / f"key{k}.json", (k, k))
    assert cache.look_up("key0") is None and cache.look_up("key1") is None
    assert cache.look_up("key4") is not None
    assert len(list(folder.glob("*.so"))) == 3


def test_a_folder_open_to_others_is_closed(folder: Path) -> None:
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    cache.cache_dir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_of_somebody_else_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: folder.parent.stat().st_uid + 1)
    with pytest.raises(ToolchainError, match=r"belongs to another user\nhint: set CLADPY_CACHE_DIR"):
        cache.cache_dir()


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(ToolchainError, match="the cache directory cannot be used"):
        cache.cache_dir()


def test_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLADPY_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache.cache_dir() == (tmp_path / ".cache" / "cladpy").resolve()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.cache_dir() == (tmp_path / "xdg" / "cladpy").resolve()
