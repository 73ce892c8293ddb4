"""Tests lie in the folder of what they test, or in one of the few that go across the package."""

from __future__ import annotations

from repository.tree import ROOT, package_files

ACROSS = {"aot", "conformance", "docs", "examples", "fuzz", "gallery", "repository", "stress"}
ACROSS |= {"frontend/tensors/steps", "tools/cards"}
ACROSS |= {"backend/cuda/stand_in", "backend/cuda/stand_in/translator"}
"""Folders of tests about the whole: models, CPython's own tests, documents, programs, random programs; and a driver."""
DATA = {"nn/figures", "nn/figures/cases", "examples/figures", "optim/figures", "amp/figures", "distributions/figures"}
DATA |= {"linalg/figures", "func/figures", "tensor/answers", "tensor/signatures", "conformance/results"}


def test_every_folder_of_tests_is_one_of_the_package() -> None:
    folders = {str(file.parent) for file in package_files()} | ACROSS | DATA | {"."}
    found = {str(file.parent.relative_to(ROOT / "tests")) for file in (ROOT / "tests").rglob("*.py")}
    found = {folder for folder in found if "__pycache__" not in folder}
    assert sorted(found - folders) == [], "a folder of tests is named after the folder of the package that it tests"
