"""Generates the Python code of the messages and of the service from proto/; scripts/proto calls it."""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parents[2]
PROTO = ROOT / "proto"
PATTERNS = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py")


def run_protoc(arguments: list[str]) -> None:
    """Runs the generator, which prints its own errors with file and line."""
    own_types = files("grpc_tools") / "_proto"
    if protoc.main(["protoc", f"-I{PROTO}", f"-I{own_types}", *arguments]) != 0:
        sys.exit(1)


def generate(target: Path) -> dict[Path, bytes]:
    """Runs the generator into an empty folder; gives each file by its path below that folder."""
    sources = sorted(str(path) for path in PROTO.rglob("*.proto"))
    if not sources:
        sys.exit("scripts/proto: there is no .proto file below proto/")
    descriptors = target / "descriptors"
    run_protoc(
        [f"--python_out={target}", f"--pyi_out={target}", f"--descriptor_set_out={descriptors}", *sources]
    )
    # Only files that define a service: for any other the plugin writes a module that merely imports grpc.
    described = FileDescriptorSet.FromString(descriptors.read_bytes()).file
    services = [str(PROTO / each.name) for each in described if each.service]
    if services:
        run_protoc([f"--grpc_python_out={target}", *services])
    return {path.relative_to(target): path.read_bytes() for path in sorted(target.rglob("*.py*"))}


def committed() -> dict[Path, bytes]:
    """The generated files that stand in the tree."""
    found = (path for pattern in PATTERNS for path in (ROOT / "bcnet/wire").rglob(pattern))
    return {path.relative_to(ROOT): path.read_bytes() for path in found}


def main() -> int:
    """Writes what differs, or with --check names it; gives the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/proto", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if something would change")
    check: bool = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        wanted = generate(Path(folder))
    present = committed()
    differing = sorted(
        path for path in wanted.keys() | present.keys() if wanted.get(path) != present.get(path)
    )
    if check:
        for path in differing:
            print(f"{path} is not what proto/ gives; run scripts/proto", file=sys.stderr)
        return 1 if differing else 0
    for path in differing:
        if path in wanted:
            (ROOT / path).write_bytes(wanted[path])
            print(f"wrote {path}")
        else:
            (ROOT / path).unlink()
            print(f"removed {path}: proto/ has nothing for it any more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
