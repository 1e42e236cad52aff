# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of the test suite; run it with `lit -v test`.

The suite runs on the installed package, or on a build tree: the one that
PYPTO_BUILD_DIR names, else the one that the first pypto-opt on PATH is from.

A Python test is a file `test_*.py` whose first line is `# RUN: %pytest %s`.
"""

import ctypes.util
import importlib.util
import json
import os
import shutil
import sys
from pathlib import Path

import lit.formats

config.name = "pypto-graph"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["lit.cfg.py", "lit.local.cfg", "conftest.py", "Inputs"]
config.test_source_root = os.path.dirname(__file__)


def find_build_dir():
    """The build tree under test, or None for the installed package."""
    named = os.environ.get("PYPTO_BUILD_DIR")
    if named:
        return Path(named).resolve()
    tool = shutil.which("pypto-opt")
    if tool:
        candidate = Path(tool).resolve().parent.parent
        if (candidate / "pypto-build.json").exists():
            return candidate
    return None


def package_dirs(name):
    """The directories of an importable package (several when it is installed
    as editable)."""
    spec = importlib.util.find_spec(name)
    return [Path(p) for p in spec.submodule_search_locations or []] if spec else []


def package_file(package, relative):
    """A file in an importable package."""
    for directory in package_dirs(package):
        if (directory / relative).exists():
            return str(directory / relative)
    lit_config.fatal(f"cannot find {relative} of package {package}")


build_dir = find_build_dir()
python = sys.executable
build_info = {}
bin_dirs = [os.path.dirname(sys.executable)]
environment = config.environment
if build_dir:
    build_info = json.loads((build_dir / "pypto-build.json").read_text())
    python = build_info["python"]
    bin_dirs.insert(0, str(build_dir / "bin"))
    environment["PYTHONPATH"] = str(build_dir / "python")
    libs = [build_dir / "python/pypto_graph/_libs"]
else:
    libs = [directory / "_libs" for directory in package_dirs("pypto_graph")]


def library(pattern):
    """A compiled file of the package, or a name that says it is missing."""
    found = [file for directory in libs for file in sorted(directory.glob(pattern))]
    return str(found[0]) if found else f"missing-{pattern}"


# FileCheck, not, split-file; not found through `PATH` because the wheel has no
# scripts.
bin_dirs.append(os.path.dirname(package_file("llvm", "bin/FileCheck")))
config.available_features.add("build-tree" if build_dir else "installed")

environment["PATH"] = os.pathsep.join([*bin_dirs, environment.get("PATH", "")])
environment["PYTHONDONTWRITEBYTECODE"] = "1"
# For host processes that load a sanitized library; see lib/Tools/ToolSupport.cpp.
environment["ASAN_OPTIONS"] = (
    "detect_container_overflow=0:allow_user_poisoning=0:"
    "detect_odr_violation=0:detect_leaks=0"
)
environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
for name in ("PYPTO_FUZZ_SECONDS", "LLVM_SYMBOLIZER_PATH"):
    if name in os.environ:
        environment[name] = os.environ[name]

# A sanitized extension or plugin in an ordinary host process wants the runtime
# of the sanitizer loaded first.
preload = ""
if build_info.get("sanitize") == "ON":
    preload = f"env LD_PRELOAD={build_info['sanitizer_runtime']} "
    config.available_features.add("sanitize")

config.substitutions += [
    ("%stock_mlir_opt", preload + package_file("mlir", "bin/mlir-opt")),
    ("%pypto_plugin", library("PyptoGraphPlugin.so")),
    ("%{system_library}", ctypes.util.find_library("m") or "libm.so.6"),
    ("%pytest", f"{preload}{python} -m pytest -q -p no:cacheprovider"),
    ("%python", preload + python),
    ("%project_root", os.path.dirname(config.test_source_root)),
]
