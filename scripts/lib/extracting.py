"""Finds the sentences for people in Python code: an extraction method for Babel.

What is found, in the order in which it stands:

- the first text of calls of ``_`` and ``N_``, the first two of ``ngettext`` and of the console's ``Forms``;
- the first text, ``hint=`` and ``many=`` of calls of `Phrase` and its like (`TEMPLATES`), and of every error class
  below `BcnetError`; a name stands for the constant of the module that it names;
- all texts of constants in a module called ``words.py`` (a constant that uses ``N_`` itself: those alone);
- the texts of the command line: ``help=`` and ``epilog=`` of anything of click, and the documentation of commands,
  paragraph by paragraph.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

Message = tuple[int, str, str | tuple[str, str], list[str]]
"""A line, the function that looks it up, the sentence (or singular and plural), comments."""

ROOT_ERROR = "BcnetError"
TEMPLATES = ("Phrase", "storage_error", "storage_errors", "check_size", "check_count", "_unreadable", "_at")
"""Functions that make one of their first text."""
PLURALS = ("ngettext", "Forms")
MARKS = ("_", "N_")


def extract(file: IO[bytes], _keywords: Any, _tags: Any, options: Mapping[str, Any]) -> Iterator[Message]:
    """The method, as Babel calls it. ``options``: ``errors``, the names of the error classes, and ``words``, whether
    the constants of the module are sentences. Raises ValueError for a sentence that is put together when the program
    runs: no catalogue can hold it.
    """
    tree = ast.parse(file.read())
    finder = _Finder(options["errors"], _constants(tree), whole=options.get("words", False))
    finder.visit(tree)
    yield from sorted(finder.found, key=lambda message: message[0])


def error_classes(paths: Iterable[Path]) -> frozenset[str]:
    """The names of all classes below `BcnetError`, whose calls hold sentences."""
    bases: dict[str, set[str]] = {}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(filter(None, map(_name, node.bases)))
    found = {ROOT_ERROR}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text as they are looked up: each on one line, unless a mark keeps its lines."""
    from bcnet.cli.spoken import sentences_of

    return sentences_of(text)


class _Finder(ast.NodeVisitor):
    def __init__(self, errors: frozenset[str], constants: Mapping[str, str], *, whole: bool) -> None:
        self._errors = errors
        self._constants = constants
        self._whole = whole
        self._in_error = False
        self.found: list[Message] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        before, self._in_error = self._in_error, node.name in self._errors
        self.generic_visit(node)
        self._in_error = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if any(map(_makes_command, node.decorator_list)) and (text := ast.get_docstring(node, clean=False)):
            self._add_help(node.lineno, text)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._constant(node.targets[0], node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._constant(node.target, node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        if name in MARKS:
            self._add(node, node.args[:1])
        elif name in PLURALS:
            self._add(node, node.args[:2], plural=True)
        elif name in TEMPLATES or name in self._errors or (self._in_error and _is_super_init(node.func)):
            many = [each.value for each in node.keywords if each.arg == "many"]
            said = [each for each in node.args if isinstance(each, ast.JoinedStr) or any(self._texts(each))]
            self._add(node, [*said[:1], *many], plural=bool(many))
            for each in node.keywords:
                if each.arg == "hint":
                    self._add(node, [each.value])
        elif not name.islower() or name in {"command", "group", "option", "argument", "version_option"}:
            for each in node.keywords:
                if each.arg in {"help", "epilog"}:
                    for text in self._texts(each.value):
                        self._add_help(each.value.lineno, text)
        self.generic_visit(node)

    def _constant(self, target: ast.expr, value: ast.expr) -> None:
        name = "".join(map(_name, target.elts)) if isinstance(target, ast.Tuple) else _name(target)
        marked = any(
            isinstance(each, ast.Call) and _name(each.func) in {*MARKS, *PLURALS} for each in ast.walk(value)
        )
        if self._whole and name.isupper() and not name.startswith("_") and not marked:
            keys = [key for each in ast.walk(value) if isinstance(each, ast.Dict) for key in each.keys]
            for each in ast.walk(value):
                if (
                    each not in keys
                    and isinstance(each, ast.Constant)
                    and isinstance(each.value, str)
                    and says(each.value)
                ):
                    self.found.append((each.lineno, "N_", each.value, []))

    def _add_help(self, line: int, text: str) -> None:
        self.found += [(line, "N_", each, []) for each in paragraphs(inspect.cleandoc(text))]

    def _add(self, call: ast.Call, arguments: list[ast.expr], *, plural: bool = False) -> None:
        if any(isinstance(each, ast.JoinedStr) for argument in arguments for each in ast.walk(argument)):
            raise ValueError(f"line {call.lineno}: an f-string cannot be looked up; give the values by name")
        texts = [list(self._texts(each)) for each in arguments]
        if plural and all(texts):
            self.found.append((call.lineno, "ngettext", (texts[0][0], texts[1][0]), []))
            return
        self.found += [(call.lineno, "N_", text, []) for each in texts for text in each if says(text)]

    def _texts(self, node: ast.expr) -> Iterator[str]:
        """The texts that an argument may be: itself, the constant that it names, or both ends of a choice."""
        if isinstance(node, ast.IfExp):
            yield from self._texts(node.body)
            yield from self._texts(node.orelse)
        elif (text := _value(node, self._constants)) is not None:
            yield text


def _constants(tree: ast.Module) -> dict[str, str]:
    """The texts that names of the module stand for."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and (text := _value(node.value, found)) is not None:
            found[_name(node.targets[0])] = text
    return found


def _value(node: ast.expr, constants: Mapping[str, str]) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return constants.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = _value(left, constants), _value(right, constants)
            return None if one is None or other is None else one + other
        case ast.Call(func=ast.Name(id="N_" | "Phrase"), args=[argument]):
            return _value(argument, constants)
        case _:
            return None


def says(text: str) -> bool:
    """Whether there is anything to translate."""
    return any(character.isalpha() for character in re.sub(r"{[^}]*}", "", text))


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _makes_command(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in {"command", "group"}


def _is_super_init(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "__init__"
        and isinstance(node.value, ast.Call)
        and _name(node.value.func) == "super"
    )
