"""scripts/bcnet on a fresh clone: what it does first, what it does next, and what it says when it cannot.

Making an environment for true takes half a minute and a package index; tests/test_packaging.py does that
once. Here a stub stands for Python: it runs the project's own set-up helper for true, but what that helper
starts (``-m venv``, ``-m pip``) is only written down, delayed or made to fail, as the test says.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

#: All that the scripts may need of the system besides Python.
TOOLS = ("sh", "cat", "cksum", "dirname", "readlink", "uname")

# What a stub does is said by files in the folder BCNET_STUB:
#   lacks-venv   the module is missing
#   pip          a shell snippet run in place of pip's work
#   calls        what was called (written by the stub)
PYTHON_STUB = """\
#!/bin/sh
[ "$1" = -I ] && shift
case $1 in
-c)
    case $2 in
    *"import ensurepip"*) if [ -e "$BCNET_STUB/lacks-venv" ]; then exit 3; fi; exit 0 ;;
    *"import sys, pip"*) exit 0 ;;
    *) exec {python} -I "$@" ;;
    esac ;;
*install.py)
    # The helper finds itself run by this stub, so that what it starts comes back here.
    exec {python} -I -c 'import runpy, sys
sys.executable = sys.argv.pop(1)
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")' "$0" "$@" ;;
-m)
    printf '%s\\n' "$*" >>"$BCNET_STUB/calls"
    if [ "$2" = venv ]; then
        for target; do :; done
        rm -rf -- "$target"
        mkdir -p -- "$target/bin"
        cp -- "$0" "$target/bin/python"
        exit 0
    fi
    if [ -e "$BCNET_STUB/pip" ]; then . "$BCNET_STUB/pip"; fi
    printf 'Collecting something\\n'
    case $* in
    *--editable*)
        folder=$(dirname -- "$0")
        cp -- "$BCNET_STUB/program" "$folder/bcnet" ;;
    esac ;;
esac
"""

PROGRAM = """\
#!/bin/sh
printf 'prog=%s\\n' "$BCNET_PROG"
printf 'folder=%s\\n' "$PWD"
printf 'argument=%s\\n' "$@"
exit 3
"""

FAILING_SHIM = """\
#!/bin/sh
echo "pyenv: $0: command not found" >&2
exit 127
"""


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


@dataclass
class Tree:
    """A fresh clone, a PATH with nothing but what the test puts there, and the stub's orders."""

    root: Path
    tools: Path
    stub: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def script(self) -> Path:
        return self.root / "scripts/bcnet"

    def env(self) -> dict[str, str]:
        base = {"PATH": str(self.tools), "HOME": str(self.stub), "BCNET_STUB": str(self.stub)}
        return base | self.environment

    def start(self, *arguments: str, script: Path | str | None = None, cwd: Path | None = None) -> Running:
        return subprocess.Popen(
            [str(script or self.script), *arguments],
            cwd=cwd or self.stub,
            env=self.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, script: Path | str | None = None, cwd: Path | None = None) -> Outcome:
        return outcome(self.start(*arguments, script=script, cwd=cwd))

    def calls(self) -> list[str]:
        """What venv and pip were asked for, shortened to what matters."""
        path = self.stub / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        return [
            "venv" if " venv" in line else "project" if "--editable" in line else "lock" for line in lines
        ]

    def python(self, name: str) -> Path:
        """Puts a Python that fits on PATH."""
        path = self.tools / name
        write_program(path, PYTHON_STUB.format(python=sys.executable))
        return path


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Running = subprocess.Popen[str]

FIRST = ["venv", "lock", "project"]


def outcome(process: Running) -> Outcome:
    out, err = process.communicate(timeout=30)
    return Outcome(process.returncode, out, err)


def until(condition: Callable[[], bool]) -> None:
    """Waits until something that another process does has happened."""
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise TimeoutError


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    root = tmp_path / "a clone, with spaces"
    for name in ("pyproject.toml", "requirements/runtime.txt", "requirements/dev.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(ROOT / "scripts", root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    tools, stub = tmp_path / "bin", tmp_path / "stub"
    tools.mkdir()
    stub.mkdir()
    for tool in (*TOOLS, "cp", "mkdir", "rm", "sleep"):
        found = shutil.which(tool)
        assert found, tool
        (tools / tool).symlink_to(found)
    write_program(stub / "program", PROGRAM)
    return Tree(root, tools, stub)


@pytest.fixture
def ready(tree: Tree) -> Tree:
    """A clone that has been called once."""
    tree.python("python3")
    assert tree.run().code == 3
    (tree.stub / "calls").unlink()
    return tree


class TestFirstCall:
    def test_makes_the_environment_installs_the_lock_and_runs(self, tree: Tree) -> None:
        tree.python("python3")
        result = tree.run("host", "--name", "two words", "")
        assert tree.calls() == FIRST
        assert result.code == 3  # the program's own
        assert result.out.splitlines()[2:] == [
            f"argument={each}" for each in ("host", "--name", "two words", "")
        ]
        assert "making .venv" in result.err
        assert "ready" in result.err

    def test_installs_nothing_that_the_lock_does_not_name(self, tree: Tree) -> None:
        tree.python("python3")
        tree.run()
        _, lock, project = (tree.stub / "calls").read_text().splitlines()
        assert "--require-hashes -r requirements/runtime.txt" in lock
        assert "--no-deps --no-build-isolation --editable" in project

    def test_runs_in_the_callers_folder(self, tree: Tree, tmp_path: Path) -> None:
        tree.python("python3")
        elsewhere = tmp_path / "else where"
        elsewhere.mkdir()
        assert f"folder={elsewhere}\n" in tree.run(cwd=elsewhere).out

    @pytest.mark.parametrize("shell", ["sh", "bash"])
    def test_any_posix_shell_will_do(self, tree: Tree, shell: str) -> None:
        found = shutil.which(shell)
        if not found:
            pytest.skip(f"no {shell} here")
        tree.python("python3")
        process = subprocess.run(
            [found, tree.script, "x"], env=tree.env(), capture_output=True, text=True, check=False, timeout=30
        )
        assert process.returncode == 3, process.stderr

    def test_settings_that_send_an_installation_elsewhere_do_not_reach_pip(self, tree: Tree) -> None:
        tree.python("python3")
        tree.environment = {"PIP_TARGET": "/nowhere", "PIP_USER": "1", "PYTHONPATH": "/nowhere"}
        (tree.stub / "pip").write_text(
            'printf "%s" "${PIP_TARGET-}${PYTHONPATH-} $PIP_USER" >"$BCNET_STUB/seen"'
        )
        tree.run()
        assert (tree.stub / "seen").read_text() == " 0"


class TestNextCall:
    def test_starts_at_once(self, ready: Tree) -> None:
        result = ready.run("games")
        assert (ready.calls(), result.code, result.err) == ([], 3, "")

    @pytest.mark.parametrize("name", ["pyproject.toml", "requirements/runtime.txt", "scripts/lib/install.py"])
    def test_a_change_of_what_it_is_made_from_installs_again(self, ready: Tree, name: str) -> None:
        with (ready.root / name).open("a") as file:
            file.write("\n# changed\n")
        ready.run()
        assert ready.calls() == ["lock", "project"]
        ready.run()
        assert ready.calls() == ["lock", "project"]

    def test_a_moved_clone_makes_its_environment_anew(self, ready: Tree) -> None:
        ready.root = ready.root.rename(ready.root.with_name("moved"))
        assert ready.run().code == 3
        assert ready.calls() == FIRST

    def test_a_python_that_has_gone_makes_it_anew(self, ready: Tree) -> None:
        python = ready.root / ".venv/bin/python"
        python.unlink()
        python.symlink_to("/nonexistent/python3")
        assert ready.run().code == 3
        assert ready.calls() == FIRST

    def test_a_contributors_environment_serves_as_well(self, tree: Tree) -> None:
        tree.python("python3")
        assert tree.run(script=tree.root / "scripts/setup").code == 0
        assert tree.calls() == FIRST
        assert tree.run().err == ""
        assert tree.calls() == FIRST

    def test_the_players_lock_does_not_pass_for_the_contributors(self, ready: Tree) -> None:
        assert ready.run(script=ready.root / "scripts/setup").code == 0
        assert ready.calls() == ["lock", "project"]
        assert "requirements/dev.txt" in (ready.stub / "calls").read_text()

    def test_an_older_players_lock_undoes_the_contributors(self, ready: Tree) -> None:
        lock = ready.root / "requirements/runtime.txt"
        before = lock.read_text()
        ready.run(script=ready.root / "scripts/setup")
        lock.write_text(before + "# another branch\n")
        ready.run()
        lock.write_text(before)
        (ready.stub / "calls").unlink()
        ready.run(script=ready.root / "scripts/setup")
        assert ready.calls() == ["lock", "project"]


class TestHowItWasCalled:
    def test_by_its_path(self, ready: Tree) -> None:
        assert "prog=scripts/bcnet\n" in ready.run(script="scripts/bcnet", cwd=ready.root).out

    def test_through_links_relative_and_absolute(self, ready: Tree, tmp_path: Path) -> None:
        folder = tmp_path / "links"
        folder.mkdir()
        (folder / "first").symlink_to(os.path.relpath(ready.script, folder))
        (folder / "second").symlink_to(folder / "first")
        assert "prog=./second\n" in ready.run(script="./second", cwd=folder).out

    def test_by_its_name_from_a_folder_on_path(self, ready: Tree) -> None:
        (ready.tools / "balloons").symlink_to(ready.script)
        result = ready.run("-c", "balloons host", script=ready.tools / "sh")
        assert "prog=balloons\n" in result.out, result.err


class TestWhichPython:
    @pytest.mark.parametrize(
        "name", ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"]
    )
    def test_any_name_will_do(self, tree: Tree, name: str) -> None:
        tree.python(name)
        assert tree.run().code == 3

    def test_a_shim_that_fails_is_passed_over(self, tree: Tree) -> None:
        for name in ("python3", "python3.13"):
            write_program(tree.tools / name, FAILING_SHIM)
        tree.python("python3.12")
        result = tree.run()
        assert result.code == 3
        assert "pyenv" not in result.err

    def test_one_installed_with_pyenv_but_not_switched_on(self, tree: Tree) -> None:
        write_program(tree.tools / "python3", FAILING_SHIM)
        target = tree.stub / ".pyenv/versions/3.12.1/bin"
        target.mkdir(parents=True)
        tree.python("python3.12").rename(target / "python3")
        assert tree.run().code == 3

    def test_too_old_a_python_is_passed_over(self, tree: Tree) -> None:
        write_program(tree.tools / "python3", f'#!/bin/sh\n{sys.executable} "$@" && exit 1\n')
        tree.python("python3.11")
        assert tree.run().code == 3

    def test_the_one_that_is_named(self, tree: Tree, tmp_path: Path) -> None:
        tree.python("python3")
        named = tree.python("mine").rename(tmp_path / "my python")
        write_program(tree.tools / "python3", FAILING_SHIM)
        tree.environment = {"PYTHON": str(named)}
        assert tree.run().code == 3

    def test_the_named_one_alone(self, tree: Tree) -> None:
        tree.python("python3")
        tree.environment = {"PYTHON": "/nonexistent/python3"}
        result = tree.run()
        assert result.code == 69
        assert "PYTHON=/nonexistent/python3" in result.err
        assert tree.calls() == []


class TestWhatCannotBeDone:
    def test_no_python(self, tree: Tree) -> None:
        write_program(tree.tools / "python3", FAILING_SHIM)
        result = tree.run()
        assert (result.code, result.out) == (69, "")
        assert result.err.count("\n") == 1
        assert "Python 3.11 or newer" in result.err

    def test_debian_without_the_venv_module(self, tree: Tree) -> None:
        (tree.stub / "lacks-venv").touch()
        tree.python("python3")
        write_program(tree.tools / "apt-get", "#!/bin/sh\n")
        result = tree.run()
        assert result.code == 69
        assert f"sudo apt-get install python3.{sys.version_info.minor}-venv" in result.err
        assert result.err.count("\n") == 1

    def test_another_system_without_the_venv_module(self, tree: Tree) -> None:
        (tree.stub / "lacks-venv").touch()
        tree.python("python3")
        result = tree.run()
        assert result.code == 69
        assert "venv module" in result.err
        assert "apt-get" not in result.err

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            (
                "WARNING: Retrying (...) NewConnectionError('... Failed to establish', )",
                "is this machine online",
            ),
            ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "not the one that the lock names"),
            ("ERROR: No matching distribution found for grpcio", "does not have what the lock names"),
            ("ERROR: [Errno 28] No space left on device", "the disk is full"),
            ("ERROR: something else", "failed"),
        ],
    )
    def test_pip_fails(self, tree: Tree, said: str, told: str) -> None:
        tree.python("python3")
        (tree.stub / "pip").write_text(
            f"echo {said!r}\nexit 1\n" if "'" not in said else f'echo "{said}"\nexit 1\n'
        )
        result = tree.run()
        assert (result.code, result.out) == (69, "")
        last = result.err.splitlines()[-1]
        assert told in last
        assert said not in result.err  # no dump, but the log that is named has it
        log = re.search(r"in (/.*\.venv\.log)", last)
        assert log
        assert said in Path(log[1]).read_text()

    def test_the_next_call_after_a_failure_goes_on_from_there(self, tree: Tree) -> None:
        tree.python("python3")
        (tree.stub / "pip").write_text("exit 1\n")
        assert tree.run().code == 69
        (tree.stub / "pip").unlink()
        (tree.stub / "calls").unlink()
        assert tree.run().code == 3
        assert tree.calls() == ["lock", "project"]

    def test_a_folder_that_cannot_be_written(self, tree: Tree) -> None:
        tree.python("python3")
        (tree.root / ".venv.lock").mkdir()  # as good as read-only, for root too
        result = tree.run()
        assert result.code == 69
        assert "set-up failed" in result.err
        assert "Traceback" not in result.err


class TestAtTheSameTime:
    def test_two_first_calls_wait_for_each_other(self, tree: Tree) -> None:
        tree.python("python3")
        (tree.stub / "pip").write_text("sleep 0.3\n")
        both = [tree.start(), tree.start()]
        results = [outcome(each) for each in both]
        assert [each.code for each in results] == [3, 3]
        assert tree.calls() == FIRST
        assert any("waiting for it" in each.err for each in results)

    def test_a_killed_set_up_is_made_anew_and_its_lock_is_free(self, tree: Tree) -> None:
        tree.python("python3")
        (tree.stub / "pip").write_text("sleep 60\n")
        process = tree.start()
        until(lambda: "lock" in tree.calls())
        os.killpg(process.pid, signal.SIGKILL)
        outcome(process)
        (tree.stub / "pip").unlink()
        (tree.stub / "calls").unlink()
        result = tree.run()
        assert result.code == 3
        assert "cut short" in result.err
        assert tree.calls() == FIRST

    def test_an_update_cut_short_is_made_anew_too(self, ready: Tree) -> None:
        with (ready.root / "requirements/runtime.txt").open("a") as file:
            file.write("# changed\n")
        (ready.stub / "pip").write_text("sleep 60\n")
        process = ready.start()
        until(lambda: "lock" in ready.calls())
        os.killpg(process.pid, signal.SIGKILL)
        outcome(process)
        (ready.stub / "pip").unlink()
        (ready.stub / "calls").unlink()
        assert ready.run().code == 3
        assert ready.calls() == FIRST

    def test_a_killed_pip_is_not_built_upon(self, ready: Tree) -> None:
        with (ready.root / "requirements/runtime.txt").open("a") as file:
            file.write("# changed\n")
        (ready.stub / "pip").write_text("kill -KILL $$\n")
        assert ready.run().code == 69
        (ready.stub / "pip").unlink()
        (ready.stub / "calls").unlink()
        assert ready.run().code == 3
        assert ready.calls() == FIRST

    def test_a_pip_that_outlives_its_parent_keeps_the_lock(self, tree: Tree) -> None:
        tree.python("python3")
        (tree.stub / "pip").write_text(
            'echo $PPID >"$BCNET_STUB/parent"; sleep 1; printf x >>"$BCNET_STUB/finished"\n'
        )
        process = tree.start()
        until((tree.stub / "parent").exists)
        until(lambda: (tree.stub / "parent").read_text().endswith("\n"))
        os.kill(int((tree.stub / "parent").read_text()), signal.SIGKILL)
        process.wait(timeout=10)
        (tree.stub / "pip").write_text('printf y >>"$BCNET_STUB/finished"\n')
        result = tree.run()
        process.communicate(timeout=10)
        assert result.code == 3
        assert (tree.stub / "finished").read_text().startswith("xy")

    def test_an_interrupt_is_no_traceback(self, tree: Tree) -> None:
        tree.python("python3")
        (tree.stub / "pip").write_text("sleep 60\n")
        process = tree.start()
        until(lambda: "lock" in tree.calls())
        os.killpg(process.pid, signal.SIGINT)
        result = outcome(process)
        assert result.code in {130, -signal.SIGINT}
        assert "Traceback" not in result.err


class TestTheWholeRun:
    """scripts/test is green only if every step was, and if tests have run."""

    STEPS = ("ruff", "shellcheck", "mypy", "lint-imports")

    @pytest.fixture
    def contributor(self, tree: Tree) -> Tree:
        tree.python("python3")
        for tool in ("sed", "grep", "head", "tail", "tee", "mktemp"):
            (tree.tools / tool).symlink_to(shutil.which(tool) or "")
        assert tree.run(script=tree.root / "scripts/setup").code == 0
        for step in self.STEPS:
            write_program(tree.root / ".venv/bin" / step, "#!/bin/sh\n")
        self.pytest_says(tree, "3 passed in 0.1s")
        return tree

    @staticmethod
    def pytest_says(tree: Tree, last: str, code: int = 0) -> None:
        (tree.stub / "pip").write_text(f"echo '== {last} =='\nexit {code}\n")

    @staticmethod
    def whole_run(tree: Tree) -> Outcome:
        return tree.run(script=tree.root / "scripts/test")

    def test_is_green_and_ends_with_the_line_of_pytest(self, contributor: Tree) -> None:
        result = self.whole_run(contributor)
        assert result.code == 0, result.out + result.err
        assert result.out.splitlines()[-1] == "== 3 passed in 0.1s =="

    @pytest.mark.parametrize("step", STEPS)
    def test_one_red_step_makes_it_red_and_the_tests_run_all_the_same(
        self, contributor: Tree, step: str
    ) -> None:
        write_program(contributor.root / ".venv/bin" / step, "#!/bin/sh\nexit 1\n")
        result = self.whole_run(contributor)
        assert result.code == 1
        assert "3 passed" in result.out
        assert result.out.splitlines()[-1] == "scripts/test: FAILED: scripts/check"

    def test_red_tests_make_it_red(self, contributor: Tree) -> None:
        self.pytest_says(contributor, "1 failed, 3 passed in 0.1s", code=1)
        result = self.whole_run(contributor)
        assert (result.code, result.out.splitlines()[-1]) == (1, "scripts/test: FAILED: pytest")

    @pytest.mark.parametrize(
        ("last", "code"), [("3 skipped in 0.1s", 0), ("no tests ran in 0.1s", 5), ("10 xfailed, 0 passed", 0)]
    )
    def test_no_test_is_not_green(self, contributor: Tree, last: str, code: int) -> None:
        self.pytest_says(contributor, last, code)
        result = self.whole_run(contributor)
        assert result.code == 1
        assert "no test has passed" in result.out.splitlines()[-1]


class TestEveryScript:
    scripts = sorted(path.name for path in (ROOT / "scripts").iterdir() if path.is_file())

    @pytest.mark.parametrize("name", [each for each in scripts if each != "bcnet"])
    def test_says_what_it_does_without_setting_up(self, tree: Tree, name: str) -> None:
        (tree.tools / "sed").symlink_to(shutil.which("sed") or "")
        result = tree.run("--help", script=tree.root / "scripts" / name)
        assert result.code == 0, result.err
        assert len(result.out) > 40
        assert tree.calls() == []

    @pytest.mark.parametrize("name", scripts)
    def test_can_be_run(self, name: str) -> None:
        assert os.access(ROOT / "scripts" / name, os.X_OK)
