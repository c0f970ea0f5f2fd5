"""The direction of imports is checked by import-linter (scripts/check); here the checker is checked.

A contract that names a module wrongly, or forgets one, passes for ever. So every contract is seen to break
when an import that it forbids is planted in a copy of the tree, and every module on disk must have its layer.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"bcnet": "bcnet", "bcnet_client": "client/bcnet_client", "bcnet_host": "host/bcnet_host"}


def contracts() -> dict[str, dict[str, list[str]]]:
    """The contracts of pyproject.toml by their id."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return {each["id"]: each for each in config["tool"]["importlinter"]["contracts"]}


def modules_on_disk() -> set[str]:
    """What stands directly in bcnet, with the two packages above it."""
    inside = {
        f"bcnet.{path.stem}"
        for path in (ROOT / "bcnet").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    return (inside - {"bcnet.__init__"}) | {"bcnet_client", "bcnet_host"}


def source_of(tree: Path, module: str) -> Path:
    """The file of a module, be it a package or not."""
    top, *rest = module.split(".")
    base = tree.joinpath(PACKAGES[top], *rest)
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def layered() -> list[str]:
    """The modules that the first contract names."""
    return [name for layer in contracts()["layers"]["layers"] for name in re.findall(r"[\w.]+", layer)]


def test_every_module_has_exactly_one_layer() -> None:
    names = layered()
    assert len(names) == len(set(names))
    # A layer in brackets may be missing on disk; but if only its name is misspelt, the true one is not listed.
    assert modules_on_disk() - set(names) == set(), "need a layer in pyproject.toml"


def test_every_module_of_the_core_is_free_of_io() -> None:
    layers = contracts()["layers"]["layers"]
    table = next(at for at, layer in enumerate(layers) if "bcnet.table" in layer)
    core = {name for layer in layers[table:] for name in re.findall(r"[\w.]+", layer)}
    assert set(contracts()["core-io"]["source_modules"]) == core


#: What the core may not call, although the imports that lead there are allowed: files, the screen, and the
#: functions by which cryptography makes keys from a random source of its own.
ESCAPES = {"open", "input", "print", "__import__"}
OWN_CHANCE = {"generate", "generate_private_key", "generate_parameters", "generate_key"}
#: What the one module that spreads work over all cores asks of the operating system.
CORES_OF_THE_MACHINE = {"cpu_count", "process_cpu_count", "sched_getaffinity", "register_at_fork"}


def core_sources() -> list[Path]:
    """Every file of the modules that do no I/O."""
    tops = [source_of(ROOT, module) for module in contracts()["core-io"]["source_modules"]]
    return [path for top in tops for path in (top.parent.rglob("*.py") if top.stem == "__init__" else [top])]


@pytest.mark.parametrize("path", core_sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_does_not_get_round_its_contract(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    called = {
        node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    assert called & ESCAPES == set()
    assert {node.attr for node in attributes} & OWN_CHANCE == set()
    of_os = {node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "os"}
    assert of_os <= CORES_OF_THE_MACHINE
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "os"]


def test_every_generated_service_is_protected() -> None:
    services = {path.stem for path in (ROOT / "bcnet/wire").rglob("*_pb2_grpc.py")}
    assert {name.split(".")[-1] for name in contracts()["service"]["protected_modules"]} == services


@dataclass(frozen=True)
class Plant:
    """An import that must not be, the module it is put into, and the contract that forbids it."""

    contract: str
    module: str
    line: str

    def __str__(self) -> str:
        return f"{self.contract}: {self.module}: {self.line}"


PLANTS = [
    Plant("layers", "bcnet.errors", "import bcnet.hashing"),
    Plant("layers", "bcnet.hashing", "import bcnet.secrets"),
    Plant("layers", "bcnet.wire", "import bcnet.hashing"),
    Plant("layers", "bcnet.signing", "import bcnet.names"),
    Plant("layers", "bcnet.secrets", "import bcnet.log"),
    Plant("layers", "bcnet.games", "import bcnet.fairness"),
    Plant("layers", "bcnet.fairness", "import bcnet.games"),
    Plant("layers", "bcnet.fairness", "import bcnet.log"),
    Plant("layers", "bcnet.log", "import bcnet.table"),
    Plant("layers", "bcnet.table", "import bcnet_client"),
    Plant("layers", "bcnet_client", "import bcnet_host"),
    Plant("layers", "bcnet_client", "def f() -> None:\n    from bcnet_host import missing"),
    Plant("games", "bcnet.games", "import bcnet.entry"),
    Plant("games", "bcnet.games", "from bcnet.hashing import tagged_hash"),
    Plant("games", "bcnet.games", "import bcnet_client"),
    Plant("core-io", "bcnet.table", "import time"),
    Plant("core-io", "bcnet.fairness", "from os import urandom"),
    Plant("core-io", "bcnet.fairness", "import random"),
    Plant("core-io", "bcnet.secrets", "import secrets"),
    Plant("core-io", "bcnet.entry", "import socket"),
    Plant("core-io", "bcnet.log", "from pathlib import Path"),
    Plant("core-io", "bcnet.games", "from datetime import datetime"),
    Plant("core-io", "bcnet.table", "import asyncio"),
    Plant("grpc", "bcnet.table", "import grpc"),
    Plant("grpc", "bcnet.wire", "from grpc import aio"),
    Plant("grpc", "bcnet", "import grpc_health.v1"),
    Plant("service", "bcnet.table", "from bcnet.wire.v1 import table_pb2_grpc"),
    Plant("service", "bcnet.wire", "import bcnet.wire.v1.table_pb2_grpc"),
    Plant("console", "bcnet_host", "import prompt_toolkit"),
    Plant("console", "bcnet_client", "from prompt_toolkit import prompt"),
    Plant("console", "bcnet", "import prompt_toolkit"),
    Plant("multicast", "bcnet_host", "import zeroconf"),
    Plant("multicast", "bcnet_client", "from zeroconf.asyncio import AsyncZeroconf"),
    Plant("multicast", "bcnet.players", "import zeroconf"),
]


def lint(tree: Path, contract: str) -> subprocess.CompletedProcess[str]:
    """Runs one contract over a copy of the tree."""
    parents = [str(tree / folder) for folder in (".", "client", "host")]
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache", "--contract", contract],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(parents)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
    for folder in PACKAGES.values():
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_a_planted_import_breaks_its_contract(plant: Plant, copy: Path) -> None:
    source = source_of(copy, plant.module)
    before = source.read_text()
    source.write_text(f"{before}\n{plant.line}\n")
    try:
        result = lint(copy, plant.contract)
    finally:
        source.write_text(before)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "BROKEN" in result.stdout


def test_the_copy_as_it_stands_keeps_every_contract(copy: Path) -> None:
    for contract in contracts():
        result = lint(copy, contract)
        assert result.returncode == 0, result.stdout + result.stderr
