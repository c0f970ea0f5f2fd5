# Makes .venv at the root of the tree hold what a lock names, and does nothing, fast, when it already does.
# Sourced by the scripts beside it, which set `root` first. POSIX sh, and only tools that macOS has too.
# shellcheck shell=sh disable=SC2154

python_floor='3.11'

say() {
    printf 'bcnet: %s\n' "$*" >&2
}

# 69 (EX_UNAVAILABLE): what the set-up needs cannot be had. Never 1, 2 or 3: these are verdicts of `bcnet verify`.
give_up() {
    say "$@"
    exit 69
}

# Says whether the Python named by $1 can make the environment: 0 yes, 3 all but its venv module, else no.
# It is run, not only looked up: a pyenv shim exists for versions that are not active, and then fails.
python_fits() {
    if [ "$(uname -s)" = Darwin ] && [ "$(command -v -- "$1")" = /usr/bin/python3 ] &&
        ! xcode-select -p >/dev/null 2>&1; then
        return 1 # a stub that opens a window offering the developer tools
    fi
    "$1" -I -c '
import sys
if sys.version_info < (3, 11) or sys.implementation.name != "cpython":
    sys.exit(1)
try:
    import ensurepip, fcntl, venv
except ImportError:
    sys.exit(3)
' </dev/null >/dev/null 2>&1
}

# Prints the first Python that fits, or explains what to do. PYTHON, if set, is the only candidate.
find_python() {
    lacking=''
    if [ -n "${PYTHON:-}" ]; then
        python_fits "$PYTHON" && {
            printf '%s\n' "$PYTHON"
            return 0
        }
        [ $? -ne 3 ] || explain_venv "$PYTHON"
        give_up "PYTHON=$PYTHON is no Python $python_floor or newer that runs; unset it or name another"
    fi
    set -- python3 python3.14 python3.13 python3.12 python3.11 python3.15 python
    for versions in "${PYENV_ROOT:-${HOME:-/nonexistent}/.pyenv}"/versions/*/bin/python3; do
        set -- "$@" "$versions" # installed with pyenv, though not switched on for this folder
    done
    for candidate in "$@"; do
        command -v -- "$candidate" >/dev/null 2>&1 || continue
        python_fits "$candidate" && {
            printf '%s\n' "$candidate"
            return 0
        }
        [ $? -ne 3 ] || [ -n "$lacking" ] || lacking=$candidate
    done
    [ -z "$lacking" ] || explain_venv "$lacking"
    give_up "needs Python $python_floor or newer, and found none; install one, or set PYTHON to its path"
}

# Debian and its kin split the venv module off into a package of its own.
explain_venv() {
    version=$("$1" -I -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if command -v apt-get >/dev/null 2>&1; then
        give_up "$1 (Python $version) lacks its venv module. This installs it:  sudo apt-get install python$version-venv"
    fi
    give_up "$1 (Python $version) lacks its venv module; install it, or set PYTHON to another Python"
}

# What the set named by $1 is made from. scripts/lib/install.py writes the same text when all is in place.
stamp_of() {
    (cd -- "$root" && printf '%s\n' "$root" && cksum pyproject.toml "requirements/$1.txt" scripts/lib/install.py)
}

# ensure_venv runtime|dev|assurance
ensure_venv() {
    stamp="$root/.venv/.bcnet-$1"
    if [ -x "$root/.venv/bin/python" ] && [ -f "$stamp" ] && [ "$(cat -- "$stamp")" = "$(stamp_of "$1")" ]; then
        return 0
    fi
    python=$(find_python) || exit $?
    "$python" -I "$root/scripts/lib/install.py" "$1" || exit $?
}
