"""Which language is spoken, how a sentence from below is told in it, and what the catalogues must hold."""

from __future__ import annotations

import asyncio
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from babel.messages.catalog import Catalog

from bcnet import language, verify
from bcnet.cli import children
from bcnet.errors import Phrase, Refusal, UnreadableError, in_a_row, listed
from bcnet.fairness.audit import Difference, Matter
from bcnet.files import check_first_line
from bcnet.games import registry
from bcnet.hello import Role
from bcnet.language import of_locale, told
from bcnet.names import told_apart
from bcnet.updates import Snapshot
from bcnet_client import telling
from scripts.lib import extracting, messages

ROOT = Path(__file__).resolve().parents[1]
OTHERS = [name for name in language.LANGUAGES if name != language.ENGLISH]


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    language.use(language.ENGLISH)


class TestChoosing:
    @pytest.mark.parametrize(
        ("environ", "wanted"),
        [
            ({}, "en"),
            ({"LANG": "de_AT.UTF-8"}, "de"),
            ({"LANG": "nl_BE@euro"}, "nl"),
            ({"LANG": "DE"}, "de"),
            ({"LANG": "fr_FR.UTF-8"}, "en"),
            ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_NL"}, "nl"),
            ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_NL", "LC_ALL": "en_GB"}, "en"),
            ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
            ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:nl:de"}, "nl"),
            ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en:nl"}, "en"),
            ({"LANG": "de_DE.UTF-8", "LANGUAGE": "fr"}, "de"),
            ({"LANG": "C", "LANGUAGE": "de"}, "en"),
            ({"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"}, "en"),
            ({"LANGUAGE": "de"}, "en"),
        ],
    )
    def test_as_gettext_does(self, environ: dict[str, str], wanted: str) -> None:
        assert of_locale(environ) == wanted

    def test_only_what_there_is(self) -> None:
        with pytest.raises(ValueError, match="tlh"):
            language.use("tlh")

    @pytest.mark.parametrize(
        ("arguments", "environ", "wanted"),
        [
            (["--help"], {"LANG": "de_DE.UTF-8"}, "Einen Tisch aufmachen"),
            (["--help"], {"LANG": "C"}, "Open a table"),
            (["--lang", "nl", "--help"], {"LANG": "de_DE.UTF-8"}, "Toon deze hulp"),
            (["play", "--lang=nl", "--help"], {"LANG": "C"}, "Oefen op deze computer tegen bots"),
            (["play", "--help", "--lang", "de"], {"LANG": "C"}, "Diese Hilfe anzeigen"),
            (["--lang", "tlh"], {"LANG": "de_DE.UTF-8"}, "Ungültiger Wert für '--lang'"),
            (["play", "--help"], {"BCNET_LANG": "", "LANG": "de_DE.UTF-8"}, "gegen Bots üben"),
            (["join", "a b"], {"BCNET_LANG": "nl"}, "bcnet: 'a b' is geen adres: zulke tekens"),
        ],
    )
    def test_by_option_or_locale(
        self, arguments: list[str], environ: dict[str, str], wanted: str, tmp_path: Path
    ) -> None:
        """Help, the messages of the library, and errors."""
        ran = self.said(arguments, {"BCNET_HOME": str(tmp_path)} | environ)
        assert wanted in ran.stdout + ran.stderr

    @staticmethod
    def said(arguments: list[str], environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """What the program says where nothing but ``environ`` speaks of languages."""
        clean = {
            name: value
            for name, value in os.environ.items()
            if name not in {"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "BCNET_LANG"}
        }
        return subprocess.run(
            [sys.executable, "-m", "bcnet", *arguments],
            capture_output=True,
            check=False,
            encoding="utf-8",
            env=clean | {"PYTHONUTF8": "1"} | environ,
            timeout=50,
        )

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "mark of UTF-8"])
    @pytest.mark.parametrize(
        ("arguments", "environ", "wanted"),
        [
            (["--help"], {}, "Toon deze hulp"),
            (["--lang", "de", "--help"], {}, "Diese Hilfe"),
            (["--help"], {"BCNET_LANG": "de"}, "Diese Hilfe"),
        ],
    )
    def test_by_the_settings(
        self, arguments: list[str], environ: dict[str, str], wanted: str, mark: bytes, tmp_path: Path
    ) -> None:
        """Which are read as they are for all else."""
        (tmp_path / "settings.toml").write_bytes(mark + b'lang = "nl"\n')
        assert wanted in self.said(["--home", str(tmp_path), *arguments], environ).stdout

    def test_settings_that_are_no_file(self, tmp_path: Path) -> None:
        """Nobody writes into a pipe: who reads it as a file waits for ever."""
        os.mkfifo(tmp_path / "settings.toml")
        ran = self.said(["--home", str(tmp_path), "games"], {})
        assert ran.returncode == 0
        assert ran.stderr == f"bcnet: {tmp_path}/settings.toml is no file.\n"

    def test_a_variable_that_names_no_language(self, tmp_path: Path) -> None:
        home = ["--home", str(tmp_path)]
        ran = self.said([*home, "games"], {"BCNET_LANG": "tl\x1bh", "LANG": "de_DE.UTF-8"})
        assert ran.returncode == 0
        assert ran.stderr.splitlines() == [
            r"bcnet: BCNET_LANG nennt keine Sprache, die es gibt: tl\x1bh. Es gibt: en, de, nl."
        ]
        assert "noch keine Spiele" in ran.stdout
        assert self.said([*home, "games"], {"BCNET_LANG": ""}).stderr == ""
        assert self.said([*home, "--lang", "nl", "games"], {"BCNET_LANG": "tlh"}).stderr == ""
        asks = {
            "BCNET_LANG": "tlh",
            "_BCNET_COMPLETE": "bash_complete",
            "COMP_WORDS": "bcnet ver",
            "COMP_CWORD": "1",
        }
        ran = self.said([], asks)
        assert (ran.stdout, ran.stderr) == ("plain,verify\n", "")

    def test_bots_speak_as_the_program_that_starts_them(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def environment(*_: object, env: dict[str, str], **__: object) -> None:
            raise KeyError(env["BCNET_LANG"])

        async def start() -> None:
            async with children.bot("random", tmp_path):
                pass

        monkeypatch.setattr(asyncio, "create_subprocess_exec", environment)
        language.use("nl")
        with pytest.raises(KeyError, match="nl"):
            asyncio.run(start())


class TestRules:
    @pytest.mark.parametrize("end", ["", "\n"])
    def test_the_page_keeps_its_fences(self, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whether or not the rules of a game end with a line break: each fence has a line of its own."""
        game = SimpleNamespace(title="Eleven", rules=Phrase("One line.\nAnother." + end))
        monkeypatch.setattr(registry, "names", lambda: ("eleven", "twelve"))
        monkeypatch.setattr(registry, "get", lambda _name: game)
        lines = messages.rules_page(language.ENGLISH).decode().splitlines()
        assert lines[2:8] == ["# Eleven", "", "```text", "One line.", "Another.", "```"]
        assert [line for line in lines if "`" in line] == ["```text", "```"] * 2


class TestTelling:
    def test_a_sentence_with_all_that_is_in_it(self) -> None:
        card = Phrase("{colour} {value}", colour=Phrase("red"), value=13)
        text = Phrase(
            "{name} lays {card} next to tile {tile}, on the side of {other}.",
            name="red",
            card=card,
            tile=2,
            other="Ben",
        )
        assert text == "red lays red 13 next to tile 2, on the side of Ben."
        language.use("de")
        assert told(text) == "red legt Rot 13 an Plättchen 2, auf die Seite von Ben."
        language.use("nl")
        assert told(text) == "red legt rood 13 bij tegel 2, aan de kant van Ben."

    @pytest.mark.parametrize(
        ("count", "english", "german"), [(1, "a card", "eine Karte"), (3, "3 cards", "3 Karten")]
    )
    def test_the_form_of_a_count(self, count: int, english: str, german: str) -> None:
        text = Phrase("a card", many="{count} cards", count=count)
        assert text == english
        language.use("de")
        assert told(text) == german

    def test_several(self) -> None:
        names = ["Ann", "Ben", "Cora"]
        assert (listed(names), listed(names[:2]), listed(names[:1]), listed([])) == (
            "Ann, Ben and Cora", "Ann and Ben", "Ann", "",
        )  # fmt: skip
        assert in_a_row(names) == "Ann, Ben, Cora"
        language.use("nl")
        assert told(listed(names)) == "Ann, Ben en Cora"

    def test_names_that_are_told_apart(self) -> None:
        names = told_apart(["Ann", "ann", "{seat}"])
        assert names[:2] == ("Ann (seat 0)", "ann (seat 1)")
        for spoken, seat in (("de", "Sitz"), ("nl", "plaats")):
            language.use(spoken)
            assert [told(name) for name in names] == [
                f"Ann ({seat} 0)",
                f"ann ({seat} 1)",
                f"{{seat}} ({seat} 2)",
            ]
            assert f"Ann ({seat} 0)" in told(Phrase("{name} resigns.", name=names[0]))
            members = [SimpleNamespace(name=name) for name in ("Ann", "Ann")]
            assert telling.names_of(cast(Snapshot, SimpleNamespace(members=members)))[1] == f"Ann ({seat} 1)"

    def test_who_says_hello(self) -> None:
        assert [role.word for role in Role] == ["host", "guest", "watcher"]
        language.use("de")
        assert [told(role.word) for role in Role] == ["Gastgeber", "Gast", "Zuschauer"]

    def test_what_a_file_is_and_is_not(self) -> None:
        def said(head: bytes) -> str:
            with pytest.raises(UnreadableError) as error:
                check_first_line(head, "transcript", 1, "a file")
            return told(error.value.message)

        for spoken, wanted in (("en", ("journal", "transcript")), ("de", ("Journal", "Mitschrift"))):
            language.use(spoken)
            assert all(word in said(b"bcnet journal 1\n") for word in wanted)
            assert wanted[1] in said(b"bcnet sketch 1\n")
            assert "sketch" in said(b"bcnet sketch 1\n")
            assert wanted[1] in said(b"GIF89a")

    @pytest.mark.parametrize("matter", list(Matter))
    def test_what_a_seed_does_not_give(self, matter: Matter) -> None:
        what = verify._what_differs(Difference(0, 7, matter, 2))
        assert what == f"the {matter.value} of epoch 2"
        for spoken in OTHERS:
            language.use(spoken)
            assert "2" in told(what)
            assert not {"the", "of", "epoch", "unmask", "refresh"} & {*told(what).split()}

    def test_an_error_stays_english_and_is_told(self) -> None:
        error = Refusal("It is not your turn.", hint="Wait for the other player.")
        language.use("de")
        assert str(error) == "It is not your turn."
        assert (told(error.message), told(error.hint)) == (
            "Du bist nicht am Zug.",
            "Warte auf dein Gegenüber.",
        )

    def test_what_comes_from_another_process(self) -> None:
        text = Phrase("a card", many="{count} cards", count=2)
        again = pickle.loads(pickle.dumps([Phrase("The {name}.", name=text)]))[0]
        assert (again, again.template, again.values["name"].many) == (
            "The 2 cards.",
            "The {name}.",
            text.many,
        )

    def test_a_value_stays_on_its_line_and_no_value_is_a_template(self) -> None:
        assert Phrase("{name}!", name="a\x1b[2J\n{b}") == "a\\x1b[2J\\n{b}!"

    def test_what_the_catalogue_does_not_hold_stays_english(self) -> None:
        language.use("de")
        assert told(Phrase("Nobody says {what}.", what="this")) == "Nobody says this."


class TestExtraction:
    def found(self, code: str, *, words: bool = False) -> list[object]:
        import io

        options = {"errors": frozenset({"BcnetError", "Wrong"}), "words": words}
        return [each[2] for each in extracting.extract(io.BytesIO(code.encode()), None, None, options)]

    @pytest.mark.parametrize(
        ("code", "sentences"),
        [
            ('_("Yes."); N_("No.")', ["Yes.", "No."]),
            ('ngettext("{count} game", "{count} games", 2)', [("{count} game", "{count} games")]),
            ('raise Wrong("It " "is {a}.", hint="Do.", a="not this")', ["It is {a}.", "Do."]),
            ('raise Wrong(KIND, "After a kind.")', ["After a kind."]),
            ('HINT = "Do " + "so."\nWrong("It is.", hint=HINT)', ["It is.", "Do so."]),
            ('Wrong("One." if x else "Two.")', ["One.", "Two."]),
            ('class Wrong(X):\n  def __init__(self):\n    super().__init__("Inside.")', ["Inside."]),
            ('Phrase("a card", many="{count} cards", count=n)', [("a card", "{count} cards")]),
            ('say("not this"); Phrase("{some}, {last}")', []),
            (
                '@click.command()\ndef f():\n  """One\n  line.\n\n  \b\n  kept\n    so\n  """',
                ["One line.", "kept\n  so"],
            ),
            ('click.option("--not", metavar="N", help="Help.")', ["Help."]),
        ],
    )  # fmt: skip
    def test_takes_what_people_read(self, code: str, sentences: list[object]) -> None:
        assert self.found(code) == sentences

    def test_takes_the_constants_of_words(self) -> None:
        code = (
            'A = "One."\nB = {"key": "Two."}\nC = (("typed", N_("Three.")),)\nF, G = "Four.", "Five."\n'
            '_D = "not this"\ne = "nor this"'
        )
        assert self.found(code, words=True) == ["One.", "Two.", "Three.", "Four.", "Five."]
        assert self.found(code) == ["Three."]

    @pytest.mark.parametrize("code", ['_(f"{a}")', 'Wrong(f"{a}")', 'Phrase("a" if x else f"{b}")'])
    def test_refuses_what_no_catalogue_can_hold(self, code: str) -> None:
        with pytest.raises(ValueError, match="line 1"):
            self.found(code)

    def test_knows_every_class_of_errors(self) -> None:
        names = extracting.error_classes(messages.sources())
        assert {"BcnetError", "Refusal", "IllegalStep", "Violation", "AnotherKey"} <= names
        assert "Phrase" not in names


ONE = {
    "en": "is|has|was|does|comes|wants|wins|plays|leaves|thinks",
    "de": "ist|hat|war|wird|will|möchte|kommt|zurückkommt|gewinnt|spielt|geht|denkt|fehlt",
    "nl": "is|heeft|was|wordt|wil|komt|terugkomt|wint|speelt|gaat|denkt|ontbreekt",
}
"""Verbs as they go with one player."""
SEVERAL = r"\{(?:names|others)\}"
NOT_THE_SUBJECT = "".join(rf"(?<!\b{word} )" for word in ("to", "of", "zu", "von", "met", "van", "naar"))


class TestCatalogues:
    @pytest.mark.parametrize("name", language.LANGUAGES)
    def test_several_players_are_not_spoken_of_as_one(self, name: str) -> None:
        """A template that may name several says so in a form of its own."""
        verbs = rf"\b(?:{ONE[name]})\b"
        wrong = re.compile(rf"{NOT_THE_SUBJECT}{SEVERAL} {verbs}|{verbs} {SEVERAL}")
        is_english = name == language.ENGLISH
        found: list[str] = []
        for message in messages.template() if is_english else messages.read(name):
            said = (message.id if is_english else message.string) or ""
            found += [said] if isinstance(said, str) else said[1:]
        assert sum(bool(re.search(SEVERAL, each)) for each in found) > 30
        assert [each for each in found if wrong.search(each)] == []

    @pytest.mark.parametrize("name", OTHERS)
    def test_are_complete_and_current(self, name: str) -> None:
        wanted = messages.template()
        assert list(messages.complaints(name, wanted)) == []
        po = messages.po_path(name)
        assert messages.updated(name, wanted) == po.read_bytes()
        assert messages.as_mo(po.read_bytes()) == po.with_suffix(".mo").read_bytes()

    @pytest.mark.parametrize(
        ("code", "translated", "flags", "complaint"),
        [
            ("{a} won.", "", [], "untranslated"),
            ("{a} won.", "{a} hat gewonnen.", ["fuzzy"], "fuzzy"),
            ("{a} won.", "{b} hat gewonnen.", [], "other placeholders"),
            ("{a} won.", "{a hat gewonnen.", [], "expected '}'"),
            (("{a} game", "{count} games"), ("{a} Spiel", "{a} Spiele"), [], "other placeholders"),
            (("{count} game", "{count} games"), ("{count} Spiel", ""), [], "untranslated"),
            ("%(prog)s, version", "%(prg)s, Version", [], "other placeholders"),
            ("Nothing is wrong: 100 %.", "Nichts ist falsch: 100 %.", [], ""),
        ],
    )
    def test_what_is_wrong_is_found(
        self,
        code: str,
        translated: str,
        flags: list[str],
        complaint: str,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        wanted, catalog = Catalog(), Catalog(locale="de")
        wanted.add(code)
        catalog.add(code, translated, flags=flags)
        catalog.fuzzy = False
        self.write(catalog, monkeypatch, tmp_path)
        found = list(messages.complaints("de", wanted))
        assert len(found) == bool(complaint)
        assert all(each.startswith(complaint) for each in found)

    def test_what_is_missing_or_stale_is_found(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        wanted, catalog = Catalog(), Catalog(locale="de")
        wanted.add("New.")
        catalog.add("Old.", "Alt.")
        self.write(catalog, monkeypatch, tmp_path)
        missing, stale = messages.complaints("de", wanted)
        assert missing.startswith("not in the catalogue")
        assert stale.startswith("stale")

    def write(self, catalog: Catalog, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        monkeypatch.setattr(messages, "FOLDER", folder)
        path = messages.po_path("de")
        path.parent.mkdir(parents=True)
        path.write_bytes(messages.as_po(catalog))
