"""The places of NVIDIA's toolkit: packages before the system's, and the versions of the packages."""

import pytest

from guardlift.backend.cuda.compiler import toolkit
from guardlift.backend.cuda.compiler.toolkit import ToolkitFile, found_in, package_versions

PART = ToolkitFile(("libnvvm.so.4", "libnvvm.so"), ("cu13/lib", "cuda_nvcc/lib"), ("nvvm/lib64",))


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A folder of packages and one of the system's toolkit, both empty."""
    packages, system = tmp_path / "site-packages" / "nvidia", tmp_path / "cuda"
    packages.mkdir(parents=True)
    monkeypatch.setattr(toolkit, "_package_folders", lambda: (packages,))
    monkeypatch.setattr(toolkit, "_system_folders", lambda: (system,))
    return packages, system


def put(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_packages_come_before_the_system_and_newer_names_before_older(places):
    packages, system = places
    assert list(found_in(PART)) == []
    last = put(system / "nvvm/lib64/libnvvm.so")
    assert list(found_in(PART)) == [last]
    older, newer = put(packages / "cuda_nvcc/lib/libnvvm.so"), put(packages / "cu13/lib/libnvvm.so.4")
    assert list(found_in(PART)) == [newer, older, last]


def test_versions_are_those_of_packages_that_make_code(places):
    packages, _ = places
    for name in ("nvidia_nvvm-13.0.88", "nvidia_cuda_nvcc_cu12-12.8.1", "nvidia_cublas-13.1.0", "numpy-2.4.6"):
        (packages.parent / f"{name}.dist-info").mkdir()
    assert package_versions.__wrapped__() == {"nvidia-nvvm": "13.0.88", "nvidia-cuda-nvcc-cu12": "12.8.1"}
