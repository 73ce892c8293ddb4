import stat

import pytest

from guardlift.backend.disk_cache.kernel_store import SUFFIX, KernelStore, content_key

KEY = content_key(b"some", b"content")


@pytest.fixture
def store(tmp_path):
    return KernelStore(tmp_path / "kernels")


def test_what_was_written_is_read_back(store):
    assert store.write(KEY, b"payload")
    assert store.read(KEY) == b"payload"
    assert KernelStore(store.folder).read(KEY) == b"payload"


def test_an_unknown_key_gives_none(store):
    assert store.read(KEY) is None
    assert store.refused == ""


def test_the_folder_is_private_and_so_are_its_files(store):
    store.write(KEY, b"payload")
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((store.folder / f"{KEY}{SUFFIX}").stat().st_mode) == 0o600


def test_no_temporary_file_is_left_behind(store):
    store.write(KEY, b"first")
    store.write(KEY, b"second")
    assert [path.name for path in store.folder.iterdir()] == [f"{KEY}{SUFFIX}"]
    assert store.read(KEY) == b"second"


@pytest.mark.parametrize("position", [0, 8, 12, 32, 48, 56, -1], ids=lambda position: f"byte{position}")
def test_a_file_with_one_changed_byte_is_not_trusted(store, position):
    store.write(KEY, b"payload")
    path = store.folder / f"{KEY}{SUFFIX}"
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)
    assert store.read(KEY) is None


def test_a_half_written_file_is_not_trusted_at_any_length(store):
    store.write(KEY, b"payload")
    path = store.folder / f"{KEY}{SUFFIX}"
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        assert store.read(KEY) is None
    path.write_bytes(content + b"\0")
    assert store.read(KEY) is None


def test_a_file_under_another_name_is_not_trusted(store):
    store.write(KEY, b"payload")
    other = content_key(b"other")
    (store.folder / f"{KEY}{SUFFIX}").rename(store.folder / f"{other}{SUFFIX}")
    assert store.read(other) is None


def test_a_discarded_payload_is_gone(store):
    store.write(KEY, b"payload")
    store.discard(KEY)
    store.discard(KEY)
    assert store.read(KEY) is None


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path, mode):
    trusted = KernelStore(tmp_path)
    tmp_path.chmod(0o700)
    trusted.write(KEY, b"payload")
    tmp_path.chmod(mode)
    store = KernelStore(tmp_path)
    assert store.read(KEY) is None
    assert not store.write(KEY, b"payload")
    assert "written by others" in store.refused


def test_a_file_in_place_of_the_folder_turns_the_store_off(tmp_path):
    (tmp_path / "kernels").write_text("not a folder")
    store = KernelStore(tmp_path / "kernels")
    assert not store.write(KEY, b"payload")
    assert store.read(KEY) is None
    assert str(tmp_path) in store.refused


def test_a_folder_that_vanished_turns_the_store_off_quietly(store):
    store.write(KEY, b"payload")
    store.discard(KEY)
    store.folder.rmdir()
    assert not store.write(KEY, b"payload")
    assert "writing to" in store.refused


def test_the_division_into_parts_is_part_of_the_key():
    assert content_key(b"ab", b"c") != content_key(b"a", b"bc") != content_key(b"abc")


def test_a_relative_folder_is_not_used(monkeypatch, tmp_path):
    from pathlib import Path

    monkeypatch.chdir(tmp_path)
    store = KernelStore(Path("~/.cache/guardlift"))
    assert not store.write(KEY, b"payload")
    assert list(tmp_path.iterdir()) == []
