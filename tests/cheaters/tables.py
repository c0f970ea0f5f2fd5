"""The list of cheats as tables for docs/threats.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bcnet.verify import Verdict
from tests.attacks.seated import SEATED, SeatedCheat
from tests.cheaters.cheats import CHEATS, FILES, FileCheat, RealCheat
from tests.relay.lies import LIES, Lie


def tables() -> str:
    """The tables, as they stand in docs/threats.md."""
    programs = _table(
        (
            "layer", "cheat", "as", "caught", "named", "honest process", "evidence",
            "its file", "the cheater's", "both",
        ),
        map(_program, CHEATS),
    )  # fmt: skip
    files = _table(("cheat", "the file alone", "with the honest side's"), map(_file, FILES))
    lies = _table(
        ("cheat", "caught", "named", "the victim's file", "each other's", "all of them", "real programs"),
        map(_lie, LIES),
    )
    seated = _table(
        ("layer", "cheat", "caught", "named", "evidence", "each honest file", "all of them"),
        map(_seated, SEATED),
    )
    return "\n".join([*programs, "", *files, "", *lies, "", *seated])


def _table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> Iterator[str]:
    yield _row(heads)
    yield _row(["---"] * len(heads))
    yield from map(_row, rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _program(cheat: RealCheat) -> Sequence[str]:
    outcome, files = cheat.outcome, cheat.outcome.files
    return (
        cheat.layer,
        _what(cheat.name, cheat.does),
        cheat.seat,
        outcome.caught,
        f"the cheater: `{outcome.fault}`" if outcome.fault else "nobody",
        "stays" if outcome.ends is None else str(int(outcome.ends)),
        _evidence(files.honest),
        *map(_verdict, (files.honest, files.own, files.both)),
    )


def _file(cheat: FileCheat) -> Sequence[str]:
    return (
        _what(cheat.name, cheat.does),
        *(
            _verdict(verdict) + (f": the forger, `{fault}`" if fault else "")
            for verdict, fault in ((cheat.own, cheat.alone), (cheat.both, cheat.together))
        ),
    )


def _lie(lie: Lie) -> Sequence[str]:
    who = "the host" if lie.named == 0 else "the guest"
    return (
        _what(lie.name, lie.does),
        lie.caught,
        "nobody" if lie.named is None else f"{who}: `{lie.fault}`",
        *map(_verdict, (lie.victim, lie.rest, lie.together)),
        "yes" if lie.is_real else "–",
    )


def _seated(cheat: SeatedCheat) -> Sequence[str]:
    return (
        cheat.layer,
        _what(cheat.name, cheat.does),
        cheat.caught,
        f"the cheater: `{cheat.fault}`" if cheat.fault else "nobody",
        "transcript" if cheat.fault else "–",
        *[_verdict(cheat.verdict)] * 2,
    )


def _what(name: str, does: str) -> str:
    plain = re.sub(r"^F\d: ", "", " ".join(does.split())).rstrip(".")
    return f"`{name}`: {plain[0].lower()}{plain[1:]}"


def _evidence(honest: Verdict | None) -> str:
    if honest is None:
        return "–"
    return "the table's folder" if honest is Verdict.INCOMPLETE else "transcript"


def _verdict(verdict: Verdict | None) -> str:
    return "–" if verdict is None else f"{verdict.value} {int(verdict.exit_code)}"
