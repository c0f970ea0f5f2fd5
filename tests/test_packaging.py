"""What is built and installed: the locks, the wheel, and the way from a fresh clone to a running program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bcnet
from bcnet.language import ENGLISH, LANGUAGES

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = ("runtime", "dev", "assurance")

#: What is built from, as in a fresh clone.
SOURCES = (
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "bcnet",
    "client",
    "host",
    "man",
    "proto",
    "requirements",
    "scripts",
)


def lock_text(name: str) -> str:
    return (ROOT / f"requirements/{name}.txt").read_text()


def pins(name: str) -> set[tuple[str, str]]:
    """The packages that a lock names, with version and the systems that it is for, if not for all."""
    found = re.findall(r"^([a-z0-9.-]+)==([^\\\n]+)", lock_text(name), re.MULTILINE)
    return {(package, version.strip()) for package, version in found}


def group(name: str) -> list[str]:
    """The requirements of a dependency group, included groups too."""
    found: list[str] = []
    for each in PROJECT["dependency-groups"][name]:
        found += [each] if isinstance(each, str) else group(each["include-group"])
    return found


def floor(package: str) -> str:
    """The oldest release of a runtime dependency that pyproject.toml allows."""
    (found,) = (
        Requirement(each) for each in PROJECT["project"]["dependencies"] if Requirement(each).name == package
    )
    (version,) = (each.version for each in found.specifier if each.operator == ">=")
    return version


class TestLocks:
    @pytest.mark.parametrize(
        ("name", "wanted"),
        [
            ("runtime", PROJECT["project"]["dependencies"] + group("build")),
            ("dev", PROJECT["project"]["dependencies"] + group("dev")),
            ("assurance", PROJECT["project"]["dependencies"] + group("assurance")),
        ],
    )
    def test_pin_all_that_is_asked_for(self, name: str, wanted: list[str]) -> None:
        pinned = pins(name)
        for each in map(Requirement, wanted):
            mine = [version for package, version in pinned if package == canonicalize_name(each.name)]
            assert any(each.specifier.contains(version.split(" ")[0]) for version in mine), (
                f"{each}: run scripts/lock"
            )

    def test_agree_with_each_other(self) -> None:
        assert pins("runtime") <= pins("dev") <= pins("assurance")

    @pytest.mark.parametrize("name", LOCKS)
    def test_every_pin_has_its_hashes(self, name: str) -> None:
        for entry in re.split(r"^(?=[a-z0-9])", lock_text(name), flags=re.MULTILINE)[1:]:
            assert "--hash=sha256:" in entry, entry

    @pytest.mark.parametrize("name", LOCKS)
    def test_say_nothing_of_the_machine_that_made_them(self, name: str) -> None:
        assert not re.search(r"://|--index|--find-links|--extra|\s/|@ ", lock_text(name))

    def test_floors_are_the_generators_versions(self) -> None:
        (generator,) = {Requirement(each).specifier for each in group("dev") if "grpcio-tools" in each}
        services = list((ROOT / "bcnet/wire").rglob("*_pb2_grpc.py"))
        messages = list((ROOT / "bcnet/wire").rglob("*_pb2.py"))
        assert services
        assert messages
        for path in services:
            assert f"GRPC_GENERATED_VERSION = '{floor('grpcio')}'" in path.read_text()
        for path in messages:
            assert f"# Protobuf Python Version: {floor('protobuf')}\n" in path.read_text()
        for package in ("grpcio", "grpcio-health-checking", "grpcio-reflection"):
            assert str(generator) == f"=={floor(package)}"


def clean_environment(**more: str) -> dict[str, str]:
    """Nothing of the environment that the tests run in, so that only what was installed is found."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "BCNET", "PYTEST"))
    }
    return kept | more


def run(*command: str | Path, cwd: Path, code: int = 0) -> str:
    """Runs a program that must end with the given code; gives what it printed."""
    result = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env=clean_environment(BCNET_HOME=str(cwd / "home")),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == code, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as git would give it, without what was built in it."""
    target = tmp_path_factory.mktemp("clone") / "bc net"
    target.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def built(clone: Path) -> Path:
    """The folder of the wheel and of the source package."""
    run(sys.executable, "-m", "hatchling", "build", cwd=clone)
    return clone / "dist"


def wheel_in(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.mark.packaging
@pytest.mark.slow
@pytest.mark.timeout(300)
class TestWheel:
    def test_owns_three_names_and_no_more(self, built: Path) -> None:
        names = zipfile.ZipFile(wheel_in(built)).namelist()
        tops = {name.split("/")[0] for name in names}
        own = f"bcnet-{bcnet.__version__}"
        assert tops == {"bcnet", "bcnet_client", "bcnet_host", f"{own}.dist-info", f"{own}.data"}

    def test_brings_the_manual_page(self, built: Path) -> None:
        wheel = zipfile.ZipFile(wheel_in(built))
        name = f"bcnet-{bcnet.__version__}.data/data/share/man/man1/bcnet.1"
        assert [each for each in wheel.namelist() if ".data/" in each] == [name]
        assert wheel.read(name) == (ROOT / "man/bcnet.1").read_bytes()

    def test_has_every_module_and_the_types(self, built: Path) -> None:
        names = set(zipfile.ZipFile(wheel_in(built)).namelist())
        for folder in (ROOT, ROOT / "client", ROOT / "host"):
            for package in folder.glob("bcnet*/__init__.py"):
                wanted = package.parent.rglob("*.py*")
                modules = {
                    path.relative_to(folder).as_posix() for path in wanted if path.suffix in {".py", ".pyi"}
                }
                assert modules <= names
                assert f"{package.parent.name}/py.typed" in names

    def test_has_the_compiled_catalogues(self, built: Path) -> None:
        names = set(zipfile.ZipFile(wheel_in(built)).namelist())
        wanted = {f"bcnet/locale/{name}/LC_MESSAGES/bcnet.mo" for name in LANGUAGES if name != ENGLISH}
        assert wanted
        assert wanted <= names

    def test_says_licence_and_command(self, built: Path) -> None:
        wheel = zipfile.ZipFile(wheel_in(built))
        info = f"bcnet-{bcnet.__version__}.dist-info"
        metadata = wheel.read(f"{info}/METADATA").decode()
        assert "License-Expression: Apache-2.0\n" in metadata
        assert "Requires-Python: >=3.11\n" in metadata
        assert "bcnet = bcnet.cli:main" in wheel.read(f"{info}/entry_points.txt").decode()
        assert f"{info}/licenses/LICENSE" in wheel.namelist()

    def test_the_source_package_gives_the_same_wheel(self, built: Path, tmp_path: Path) -> None:
        (source,) = built.glob("*.tar.gz")
        with tarfile.open(source) as archive:
            archive.extractall(tmp_path, filter="data")
        (tree,) = tmp_path.iterdir()
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", cwd=tree)
        assert wheel_in(tree / "dist").read_bytes() == wheel_in(built).read_bytes()

    def test_plays_and_verifies_from_an_empty_environment(self, built: Path, tmp_path: Path) -> None:
        venv.create(tmp_path / "venv", with_pip=True)
        installed = tmp_path / "venv/bin"
        pip: list[str | Path] = [
            installed / "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        run(*pip, "--require-hashes", "-r", ROOT / "requirements/runtime.txt", cwd=tmp_path)
        run(*pip, "--no-deps", wheel_in(built), cwd=tmp_path)
        where = run(installed / "python", "-c", "import bcnet; print(bcnet.__file__)", cwd=tmp_path)
        assert Path(where.strip()).is_relative_to(tmp_path / "venv")
        assert bcnet.__version__ in run(installed / "bcnet", "--version", cwd=tmp_path)
        assert bcnet.__version__ in run(installed / "python", "-m", "bcnet", "--version", cwd=tmp_path)
        run(installed / "bcnet", "demo", "--out", tmp_path / "out", cwd=tmp_path)
        for side in ("host", "guest"):
            transcripts = [path for path in (tmp_path / "out" / side).rglob("*") if path.is_file()]
            assert transcripts
            for path in transcripts:
                assert "clean" in run(installed / "bcnet", "verify", path, cwd=tmp_path)


@pytest.mark.packaging
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_first_call_on_a_fresh_clone(clone: Path, tmp_path: Path) -> None:
    first = run(clone / "scripts/bcnet", "--version", cwd=tmp_path)
    assert bcnet.__version__ in first
    assert run(clone / "scripts/bcnet", "--version", cwd=tmp_path) == first
    probe = "import bcnet, bcnet_client, bcnet_host; print(bcnet_host.__file__)"
    where = run(clone / ".venv/bin/python", "-c", probe, cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(clone)
